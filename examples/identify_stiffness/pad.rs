//! A ball pressed into a soft pad: the motion as a function of the pad's stiffness and damping, in any scalar.
#![allow(dead_code)] // the example and the test each use their part

use delassus::description::{
    Body, Description, Flags, FrictionCone, Geom, Integrator, Joint, JointKind, Options, Shape, SoftnessNumbers,
};
use delassus::model::Model;
use delassus::scalar::{Real, literal};
use delassus::solver::Budget;
use delassus::tick::{Input, TickError, Workspace};

/// Mass \[kg\], radius \[m\], step \[s\], steps of a record.
pub const MASS: f64 = 0.5;
pub const RADIUS: f64 = 0.03;
pub const STEP: f64 = 1e-3;
pub const RECORD: usize = 300;
/// How far the ball is pressed in at the start \[m\]: it stays in touch through the whole record, so that the motion is a smooth
/// function of the pad.
pub const PRESSED: f64 = 0.002;

/// What is to be found: solref in the direct format (−κ, −β), S12-25.
#[derive(Clone, Copy, Debug)]
pub struct Pad<T> {
    /// κ \[1/s²\]
    pub stiffness: T,
    /// β \[1/s\]
    pub damping: T,
}

/// What a tick starts from and what pushes.
#[derive(Clone, Copy, Debug)]
pub struct Moment<T> {
    /// Height of the centre \[m\] and its rate \[m/s\].
    pub height: T,
    pub rate: T,
    /// A force from above or below \[N\].
    pub force: T,
}

/// Heights of the centre after each of `steps` steps.
pub fn motion<T: Real>(
    pad: &Pad<T>,
    start: &Moment<T>,
    steps: usize,
) -> Result<Vec<[T; 2]>, Box<dyn std::error::Error>> {
    let (one, zero) = (T::one(), T::zero());
    let softness =
        SoftnessNumbers { solref: [-pad.stiffness, -pad.damping], solimp: [0.9, 0.95, 0.004, 0.5, 2.0].map(literal) };
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
    let joints = [Joint {
        body: 0,
        kind: JointKind::Slide,
        position: [zero; 3],
        axis: [zero, zero, one],
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
    }];
    let geom = |body, shape| Geom {
        body,
        shape,
        position: [zero; 3],
        orientation: [one, zero, zero, zero],
        contype: 1,
        conaffinity: 1,
        condim: 1,
        priority: 0,
        friction: [one, zero, zero],
        solmix: one,
        margin: zero,
        gap: zero,
        softness,
    };
    let geoms = [geom(None, Shape::Plane), geom(Some(0), Shape::Sphere { radius: literal(RADIUS) })];
    let description = Description {
        bodies: &bodies,
        joints: &joints,
        geoms: &geoms,
        ..Description::with_options(Options {
            gravity: [zero, zero, literal(-9.81)],
            step: literal(STEP),
            integrator: Integrator::Euler,
            cone: FrictionCone::Pyramidal,
            impedance_ratio: one,
            // Cold, so that every solve takes a Newton step: one that begins at the optimum and ends there would keep the derivatives
            // that it began with.
            flags: Flags { warm_start: false, ..Flags::DEFAULT },
        })
    };
    let mut work = Workspace::<T, 1, 1, 1, 1>::filled(zero);
    let model = Model::<T, 1, 1, 1>::new(&description, &mut work.smooth)?;
    let mut state = model.state();
    state.configuration = [start.height];
    state.velocity[0] = start.rate;
    let mut input = Input::none();
    input.force[0] = start.force;
    let budget = Budget::new(20, zero);
    let mut record = Vec::with_capacity(steps);
    for _ in 0..steps {
        model.step(&mut state, &input, &budget, &mut work).map_err(|error: TickError| error.to_string())?;
        record.push([state.configuration[0], state.velocity[0]]);
    }
    Ok(record)
}

/// The start of a record: pressed in, at rest.
pub fn pressed<T: Real>() -> Moment<T> {
    Moment { height: literal(RADIUS - PRESSED), rate: T::zero(), force: T::zero() }
}
