//! Motions that must be each other's image: a mirrored robot, a turned world, and the same mechanism in larger memory.

use super::draw::{Drawn, mechanism, unit};
use super::machine::{Machine, NB, NC, NQ, NR, NV, apart};
use super::properties::cases;
use super::scenes::{self, double, single};
use delassus::description::{Description, FrictionCone, JointKind};
use delassus::model::{Model, State};
use delassus::scalar::{Real, literal};
use delassus::solver::{Budget, ConjugateGradientWorkspace, DelassusWorkspace, NewtonWorkspace, SweepWorkspace};
use delassus::spatial::Quaternion;
use delassus::tick::{Input, Method, Workspace};
use nalgebra::{SVector, Vector3};
use proptest::prelude::*;

type Dog = State<f64, 19, 18>;

/// Left and right of the quadruped exchanged: y turns round, so do rotations about x and z; legs 0 and 1, 2 and 3 change places.
fn mirrored(state: &Dog) -> Dog {
    let mut other = *state;
    let sign = |flip: bool| if flip { -1.0 } else { 1.0 };
    for (k, flip) in [false, true, false, false, true, false, true].into_iter().enumerate() {
        other.configuration[k] = sign(flip) * state.configuration[k];
    }
    for (k, flip) in [false, true, false, true, false, true].into_iter().enumerate() {
        other.velocity[k] = sign(flip) * state.velocity[k];
    }
    for leg in 0..4 {
        for k in 0..3 {
            // The hip turns about x.
            let (from, to) = (3 * leg + k, 3 * (leg ^ 1) + k);
            other.configuration[7 + to] = sign(k == 0) * state.configuration[7 + from];
            other.velocity[6 + to] = sign(k == 0) * state.velocity[6 + from];
        }
    }
    other.warm_start = SVector::zeros();
    other
}

/// The dog is dropped askew and thrown sideways, so that it lands on one foot first and slides.
#[test]
fn a_mirrored_robot_has_the_mirrored_motion() {
    let mut memory = Box::new(scenes::QuadrupedMemory::<f64>::filled(0.0));
    let model = Model::new(&double::QUADRUPED, &mut memory.smooth).unwrap();
    let mut right = scenes::quadruped_start(&model);
    right.configuration[3..7].copy_from_slice(&unit([0.99, 0.06, 0.03, 0.05]));
    for (k, v) in [0.3, 0.5, 0.0, 0.4, -0.2, 0.6].into_iter().enumerate() {
        right.velocity[k] = v;
    }
    for k in 0..12 {
        right.configuration[7 + k] += 0.02 * k as f64 - 0.1;
    }
    let mut left = mirrored(&right);
    let (mut worst, mut pushed) = (0.0f64, [0; 2]);
    for _ in 0..400 {
        for (state, pushed) in [&mut right, &mut left].into_iter().zip(&mut pushed) {
            let input = Input::force(scenes::hold(state));
            model.step(state, &input, &Budget::new(50, 0.0), &mut memory).unwrap();
            *pushed += memory.contacts().len();
        }
        let image = mirrored(&right);
        worst = worst
            .max(apart(&left.configuration, &image.configuration))
            .max(apart(left.velocity.as_slice(), image.velocity.as_slice()));
    }
    println!("after 400 steps: {worst:e}");
    assert!(pushed[0] == pushed[1] && pushed[0] > 400);
    assert!((right.configuration[1] - left.configuration[1]).abs() > 0.02, "it did go sideways");
    assert!(worst < 1e-9, "{worst:e}");
}

/// The scene in a world turned by `turn`: world geoms, bodies under the world, gravity, and free bodies' positions and velocities.
fn turned(drawn: &Drawn, turn: &Quaternion<f64>) -> Drawn {
    let vector = |x: [f64; 3]| -> [f64; 3] { turn.rotate(&Vector3::from(x)).into() };
    let pose = |q: [f64; 4]| turn.times(&Quaternion(unit(q))).0;
    let mut scene = drawn.scene.clone();
    scene.options.gravity = vector(scene.options.gravity);
    for geom in scene.geoms.iter_mut().filter(|geom| geom.body.is_none()) {
        (geom.position, geom.orientation) = (vector(geom.position), pose(geom.orientation));
    }
    for body in scene.bodies.iter_mut().filter(|body| body.parent.is_none()) {
        (body.position, body.orientation) = (vector(body.position), pose(body.orientation));
    }
    let (mut position, mut velocity) = (drawn.position.clone(), drawn.velocity.clone());
    let (mut q, mut v) = (0, 0);
    for joint in &scene.joints {
        if joint.kind == JointKind::Free {
            let place = vector(position[q..q + 3].try_into().unwrap());
            let orientation = pose(position[q + 3..q + 7].try_into().unwrap());
            let speed = vector(velocity[v..v + 3].try_into().unwrap());
            position[q..q + 3].copy_from_slice(&place);
            position[q + 3..q + 7].copy_from_slice(&orientation);
            velocity[v..v + 3].copy_from_slice(&speed);
        }
        (q, v) = (q + joint.kind.coordinates(), v + joint.kind.dofs());
    }
    Drawn { scene, position, velocity }
}

/// Accelerations of the start, a free body's linear ones turned back.
fn accelerations(drawn: &Drawn, back: &Quaternion<f64>) -> Vec<f64> {
    let description = drawn.scene.description();
    let mut machine = Machine::new(&description);
    drawn.start(&mut machine);
    for _ in 0..3 {
        machine.step();
    }
    machine.forward(&super::machine::thorough());
    let mut all = machine.work.acceleration().as_slice()[..machine.model.dof_count()].to_vec();
    let mut v = 0;
    for joint in &drawn.scene.joints {
        if joint.kind == JointKind::Free {
            let linear = back.rotate(&Vector3::new(all[v], all[v + 1], all[v + 2]));
            all[v..v + 3].copy_from_slice(linear.as_slice());
        }
        v += joint.kind.dofs();
    }
    all
}

proptest! {
    #![proptest_config(cases(100))]

    /// Elliptic cones with equal friction along both tangents know no direction of the world: three steps and the accelerations after
    /// them are the same in a world that is turned whole. (A pyramid has its edges along tangents that X-30 takes from the world.)
    #[test]
    fn a_turned_world_changes_nothing(seed in any::<u64>(), axis in prop::array::uniform3(-1.0..1.0f64), angle in -3.0..3.0f64) {
        prop_assume!(axis.iter().map(|x| x * x).sum::<f64>() > 0.01);
        let mut drawn = mechanism(seed);
        drawn.scene.options.cone = FrictionCone::Elliptic;
        let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
        let turn = Quaternion::about(&(Vector3::from(axis) / length), angle);
        let plain = accelerations(&drawn, &Quaternion::identity());
        let other = accelerations(&turned(&drawn, &turn), &turn.conjugate());
        let off = apart(&other, &plain);
        // A hundredth of the impedances is all that keeps some scenes from being rigid: roundings of 1e-16 grow by their stiffness.
        prop_assert!(off <= 1e-7, "{off:e}");
    }
}

/// Every bit of a motion and of its contacts, as f64; `None` where there was not room for all.
fn bits<T, S, const NB: usize, const NQ: usize, const NV: usize, const NC: usize, const NR: usize>(
    description: &Description<'_, T>,
    start: &dyn Fn(&mut [T], &mut [T]),
    solver: S,
    steps: usize,
) -> Option<Vec<u64>>
where
    T: Real + Into<f64>,
    S: Method<T, NV, NR, NC>,
{
    let mut work = Box::new(Workspace::<T, NB, NV, NC, NR, S>::with_solver(T::zero(), solver));
    let model = Box::new(Model::<T, NB, NQ, NV>::new(description, &mut work.smooth).unwrap());
    let mut state = model.state();
    start(&mut state.configuration, state.velocity.as_mut_slice());
    let (nq, nv) = (model.coordinate_count(), model.dof_count());
    let mut all = vec![];
    for _ in 0..steps {
        let report = model.step(&mut state, &Input::none(), &Budget::new(20, literal(1e-8)), &mut work).ok()?;
        if report.dropped_contacts > 0 {
            return None;
        }
        let mut note = |x: &T| all.push(Into::<f64>::into(*x).to_bits());
        state.configuration.iter().take(nq).chain(state.velocity.iter().take(nv)).for_each(&mut note);
        work.row_forces().iter().for_each(&mut note);
        work.acceleration().iter().take(nv).for_each(&mut note);
        for k in 0..work.contacts().len() {
            work.contact_force(k).unwrap().force.iter().for_each(&mut note);
        }
    }
    Some(all)
}

/// NB, NQ, NV, NC and NR larger than a scene with contacts needs, and all four solvers: no bit changes.
#[test]
fn padded_sizes_change_no_bit_with_contacts() {
    let mut compared = 0;
    for seed in 500..530 {
        let drawn = mechanism(seed);
        let description = drawn.scene.description();
        let start = |q: &mut [f64], v: &mut [f64]| {
            q[..drawn.position.len()].copy_from_slice(&drawn.position);
            v[..drawn.velocity.len()].copy_from_slice(&drawn.velocity);
        };
        macro_rules! agree {
            ($solver:ident) => {
                let exact = bits::<f64, _, NB, NQ, NV, NC, NR>(&description, &start, $solver::filled(0.0), 4);
                let padded = bits::<f64, _, 9, 44, 37, 19, 103>(&description, &start, $solver::filled(0.0), 4);
                if exact.is_some() {
                    compared += 1;
                    assert!(exact == padded, "seed {seed}, {}", stringify!($solver));
                }
            };
        }
        agree!(NewtonWorkspace);
        agree!(SweepWorkspace);
        agree!(ConjugateGradientWorkspace);
        agree!(DelassusWorkspace);
    }
    assert!(compared > 80, "{compared}");
}

/// The scenes of the chip in exactly the memory that they need and in more, in both precisions.
#[test]
fn padded_sizes_change_no_bit_of_the_robots_scenes() {
    macro_rules! agree {
        ($name:ident, $exact:tt, $padded:tt) => {
            agree!(@run f64, double::$name, $exact, $padded);
            agree!(@run f32, single::$name, $exact, $padded);
        };
        (@run $t:ty, $description:expr, [$($e:literal),*], [$($p:literal),*]) => {
            let start = |q: &mut [$t], v: &mut [$t]| {
                q[2] -= 0.04;
                for (k, v) in v.iter_mut().take(6).enumerate() {
                    *v = 0.1 * k as $t - 0.2;
                }
            };
            let exact = bits::<$t, _, $($e),*>(&$description, &start, NewtonWorkspace::filled(0.0), 300);
            let padded = bits::<$t, _, $($p),*>(&$description, &start, NewtonWorkspace::filled(0.0), 300);
            assert!(exact.is_some() && exact == padded, "{} in {}", stringify!($description), stringify!($t));
        };
    }
    agree!(BOX, [1, 7, 6, 4, 16], [3, 11, 9, 7, 23]);
    agree!(BALL, [1, 7, 6, 1, 6], [2, 9, 7, 5, 11]);
    agree!(QUADRUPED, [13, 19, 18, 4, 24], [15, 25, 24, 9, 41]);
}
