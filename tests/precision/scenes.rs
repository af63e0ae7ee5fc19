//! The traps: a straight arm, and a box on pyramids of next to no friction.

use delassus::description::{Body, Description, FrictionCone, Geom, Joint, JointKind, Shape};
use delassus::model::{Model, Smooth};
use delassus::scalar::{Real, literal};
use delassus::solver::Budget;
use delassus::tick::{Input, Workspace};

use crate::random::Noise;

fn numbers<T: Real, const N: usize>(x: [f64; N]) -> [T; N] {
    x.map(literal)
}

/// The free acceleration of three parallel links of 0.1 g with 10 kg at the tip, and whether the tick reports lost precision.
pub fn straight_arm<T: Real + Into<f64>>(angles: [f64; 3], armature: f64) -> ([f64; 3], bool) {
    let link = |parent, mass, position, center, inertia: f64| Body {
        parent,
        position: numbers([position, 0.0, 0.0]),
        orientation: numbers([1.0, 0.0, 0.0, 0.0]),
        mass: literal::<T>(mass),
        center: numbers([center, 0.0, 0.0]),
        inertia: numbers([inertia; 3]),
        inertia_orientation: numbers([1.0, 0.0, 0.0, 0.0]),
        gravity_compensation: T::zero(),
    };
    let bodies =
        [link(None, 1e-4, 0.0, 0.15, 1e-9), link(Some(0), 1e-4, 0.3, 0.15, 1e-9), link(Some(1), 10.0, 0.3, 0.2, 1e-8)];
    let template = Joint::<f64>::hinge(0);
    let soft = |s: &delassus::description::SoftnessNumbers<f64>| delassus::description::SoftnessNumbers {
        solref: numbers(s.solref),
        solimp: numbers(s.solimp),
    };
    let joint = |body| Joint {
        body,
        kind: template.kind,
        position: numbers([0.0; 3]),
        axis: numbers([0.0, 1.0, 0.0]),
        reference: T::zero(),
        spring_reference: T::zero(),
        stiffness: numbers(template.stiffness),
        damping: numbers(template.damping),
        armature: literal(armature),
        friction_loss: T::zero(),
        friction_softness: soft(&template.friction_softness),
        range: None,
        margin: T::zero(),
        limit_softness: soft(&template.limit_softness),
        actuator_force_range: None,
        actuator_compensates_gravity: false,
    };
    let joints = [joint(0), joint(1), joint(2)];
    let mut description = plain::<T>();
    (description.bodies, description.joints) = (&bodies, &joints);
    let mut work = Box::new(Workspace::<T, 3, 3, 0, 1>::filled(T::zero()));
    let model = Model::<T, 3, 3, 3>::new(&description, &mut work.smooth).unwrap();
    let mut state = model.state();
    state.configuration = numbers(angles);
    let report = model.forward(&state, &Input::none(), &Budget::new(10, T::zero()), &mut work).unwrap();
    (std::array::from_fn(|k| work.free_acceleration()[k].into()), report.precision_lost())
}

/// Nothing in normal gravity, in any precision.
fn plain<T: Real>() -> Description<'static, T> {
    let wide = Description::<f64>::empty(0.001);
    Description {
        bodies: &[],
        joints: &[],
        sites: &[],
        geoms: &[],
        pairs: &[],
        excludes: &[],
        equalities: &[],
        tendons: &[],
        tendon_joints: &[],
        tendon_sites: &[],
        actuators: &[],
        options: delassus::description::Options {
            gravity: numbers(wide.options.gravity),
            step: literal(wide.options.step),
            integrator: wide.options.integrator,
            cone: wide.options.cone,
            impedance_ratio: literal(wide.options.impedance_ratio),
            flags: wide.options.flags,
        },
    }
}

/// What a box of 1 kg on four corners does under gravity (3, 0, −9.81), and how the corners bear it.
pub struct Corners {
    /// Normal force of each corner \[N\].
    pub force: [f64; 4],
    pub acceleration: [f64; 6],
}

/// The box on pyramids of this friction, pressed in by 0.2 mm, at one of several velocities up to 1 cm/s.
macro_rules! box_on_pyramids {
    ($name:ident, $number:ty) => {
        pub fn $name(friction: f64, seed: u64) -> Corners {
            let friction = [friction as $number, 0.005, 0.0001];
            let bodies = [Body { position: [0.0, 0.0, 0.0498], ..Body::<$number>::new(1.0, [0.003, 0.004, 0.005]) }];
            let joints = [Joint::<$number>::new(JointKind::Free, 0)];
            let shape = Shape::Box { half_sizes: [0.1, 0.08, 0.05] };
            let geoms = [
                Geom { friction, ..Geom::<$number>::new(None, Shape::Plane) },
                Geom { friction, ..Geom::<$number>::new(Some(0), shape) },
            ];
            let mut description = Description::<$number>::empty(0.002);
            (description.bodies, description.joints, description.geoms) = (&bodies, &joints, &geoms);
            description.options.cone = FrictionCone::Pyramidal;
            description.options.gravity = [3.0, 0.0, -9.81];
            let mut work = Box::new(Workspace::<$number, 1, 6, 4, 16>::filled(0.0));
            let model = Model::<$number, 1, 7, 6>::new(&description, &mut Smooth::filled(0.0)).unwrap();
            let mut state = model.state();
            let mut noise = Noise(seed);
            state.velocity.iter_mut().for_each(|v| *v = noise.within(-1e-2, 1e-2) as f32 as $number);
            model.forward(&state, &Input::none(), &Budget::new(100, 0.0), &mut work).unwrap();
            Corners {
                force: std::array::from_fn(|k| work.contact_force(k).map_or(0.0, |c| f64::from(c.force[0]))),
                acceleration: std::array::from_fn(|k| f64::from(work.acceleration()[k])),
            }
        }
    };
}
box_on_pyramids!(pyramids_single, f32);
box_on_pyramids!(pyramids_double, f64);

/// The largest errors over frictions and velocities: of the sum of the normal forces over the weight, of the acceleration over gravity.
pub fn pyramids(frictions: &[f64]) -> [f64; 2] {
    let mut worst = [0.0f64; 2];
    for friction in frictions {
        for seed in 0..12 {
            let (narrow, wide) = (pyramids_single(*friction, seed), pyramids_double(*friction, seed));
            let sum = |corners: &Corners| corners.force.iter().sum::<f64>();
            let apart = narrow.acceleration.iter().zip(wide.acceleration).map(|(a, b)| (a - b).abs());
            let errors = [(sum(&narrow) - sum(&wide)).abs() / 9.81, apart.fold(0.0, f64::max) / 9.81];
            for (worst, error) in worst.iter_mut().zip(errors) {
                *worst = worst.max(error);
            }
        }
    }
    worst
}
