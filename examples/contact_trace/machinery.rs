//! The general machinery: a described ball on two slides, a plane, an elliptic contact, Newton, a semi-implicit Euler step.

use delassus::description::Flags;
use delassus::description::{
    Body, Description, FrictionCone, Geom, Integrator, Joint, JointKind, Options, Shape, SoftnessNumbers,
};
use delassus::model::Model;
use delassus::scalar::{Real, literal};
use delassus::solver::Budget;
use delassus::tick::{Input, Workspace};

use super::{GRAVITY, MARGIN, MASS, RADIUS, Record, SOLIMP, SOLREF, Throw};

/// 1 body, 2 dofs, 1 contact of 3 rows.
type Memory<T> = Workspace<T, 1, 2, 1, 3>;

fn slide<T: Real>(axis: [f64; 3]) -> Joint<T> {
    let zero = T::zero();
    let softness = SoftnessNumbers { solref: SOLREF.map(literal), solimp: SOLIMP.map(literal) };
    Joint {
        body: 0,
        kind: JointKind::Slide,
        position: [zero; 3],
        axis: axis.map(literal),
        reference: zero,
        spring_reference: zero,
        stiffness: [zero; 3],
        damping: [zero; 3],
        armature: zero,
        friction_loss: zero,
        friction_softness: softness,
        range: None,
        margin: zero,
        limit_softness: softness,
        actuator_force_range: None,
        actuator_compensates_gravity: false,
    }
}

fn geom<T: Real>(body: Option<u16>, shape: Shape<T>, margin: f64, friction: f64) -> Geom<T> {
    let (one, zero) = (T::one(), T::zero());
    Geom {
        body,
        shape,
        position: [zero; 3],
        orientation: [one, zero, zero, zero],
        contype: 1,
        conaffinity: 1,
        // The engine lifts friction to 1e-5, so none at all is a contact without friction rows.
        condim: if friction > 0.0 { 3 } else { 1 },
        priority: 0,
        friction: [literal(friction), zero, zero],
        solmix: one,
        margin: literal(margin),
        gap: zero,
        softness: SoftnessNumbers { solref: SOLREF.map(literal), solimp: SOLIMP.map(literal) },
    }
}

/// The motion, one record a state.
pub fn trace<T: Real + Into<f64>>(throw: &Throw) -> Result<Vec<Record>, Box<dyn std::error::Error>> {
    let (one, zero) = (T::one(), T::zero());
    let bodies = [Body {
        parent: None,
        position: [zero; 3],
        orientation: [one, zero, zero, zero],
        mass: literal(MASS),
        center: [zero; 3],
        inertia: [literal(0.4 * MASS * RADIUS * RADIUS); 3],
        inertia_orientation: [one, zero, zero, zero],
        gravity_compensation: zero,
    }];
    let joints = [slide([1.0, 0.0, 0.0]), slide([0.0, 0.0, 1.0])];
    let geoms = [
        geom(None, Shape::Plane, 0.0, throw.friction),
        geom(Some(0), Shape::Sphere { radius: literal(RADIUS) }, MARGIN, throw.friction),
    ];
    let description = Description {
        bodies: &bodies,
        joints: &joints,
        geoms: &geoms,
        ..Description::with_options(Options {
            gravity: [zero, zero, literal(-GRAVITY)],
            step: literal(throw.step),
            integrator: Integrator::Euler,
            cone: FrictionCone::Elliptic,
            impedance_ratio: one,
            flags: Flags::DEFAULT,
        })
    };
    let mut memory = Memory::filled(zero);
    let model = Model::<T, 1, 2, 2>::new(&description, &mut memory.smooth)?;
    let mut state = model.state();
    state.configuration = [zero, literal(throw.height)];
    state.velocity[0] = literal(throw.speed);
    let budget = Budget::new(50, zero);
    let mut records = Vec::new();
    for k in 0..=throw.steps() {
        let before = state;
        model.step(&mut state, &Input::none(), &budget, &mut memory)?;
        // The results in memory belong to the state before the step. The first tangent is +y, the second −x.
        let force = memory.contact_force_in_world(0).map_or([zero; 3], |found| found.force);
        records.push(Record {
            time: k as f64 * throw.step,
            position: before.configuration.map(Into::into),
            velocity: [before.velocity[0].into(), before.velocity[1].into()],
            force: [force[2].into(), force[0].into()],
        });
    }
    Ok(records)
}
