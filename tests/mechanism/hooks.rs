//! The caller's own rows between the model's, and what hooks see.

use super::build::{Mechanism, hinge, sphere};
use super::rig::{NQ, NR, NV, Rig, Vector, thorough};
use delassus::constraint::{Hooks, Place, RowFact, Scene};
use delassus::description::{EqualityKind, Joint};
use delassus::kinematics::Kinematics;
use delassus::rows::{Kind, RowInput, Rows, RowsError};
use delassus::softness::Softness;
use delassus::tick::{Input, TickError};

/// A hinge beyond its limit with dry friction and a coupling: three rows of the model.
fn mechanism() -> Mechanism<f64> {
    let mut mechanism = Mechanism::new();
    mechanism.body(sphere(1.0, 0.2));
    mechanism.joint(Joint { friction_loss: 0.5, range: Some([-1.0, -0.5]), ..hinge([0.0, 1.0, 0.0]) });
    mechanism.equality(EqualityKind::Coupling { joint: 0, leader: None, polynomial: [0.0; 5] });
    mechanism
}

/// Adds one row of a kind at a place; remembers where it was asked, how many rows there were, and the facts.
struct Adding {
    at: Place,
    kind: Kind,
    asked: Vec<(Place, usize)>,
    facts: Vec<RowFact<f64>>,
}

impl Adding {
    fn new(at: Place, kind: Kind) -> Self {
        Self { at, kind, asked: Vec::new(), facts: Vec::new() }
    }
}

impl Hooks<f64, 12, NQ, NV, NR, 0> for Adding {
    const WATCHES: bool = true;

    fn rows(
        &mut self,
        place: Place,
        scene: &Scene<'_, '_, f64, 12, NQ, NV>,
        rows: &mut Rows<f64, NV, NR, 0>,
    ) -> Result<(), RowsError> {
        self.asked.push((place, rows.len()));
        if place != self.at {
            return Ok(());
        }
        // Everything that a row needs can be read from the scene.
        let kinematics: &Kinematics<f64, 12, NV> = scene.kinematics;
        let jacobian = kinematics.point_jacobian(scene.model.tree(), Some(0), &nalgebra::Vector3::z()).translation[0];
        let soft = Softness::from_mujoco([0.02, 1.0], [0.9, 0.95, 0.001, 0.5, 2.0])?;
        let input = RowInput::new(&jacobian, -0.01, scene.velocity_of(&jacobian));
        let (mass, context) = (scene.mass, &scene.context);
        match self.kind {
            Kind::Equality => rows.equality(mass, context, &soft, &[input]),
            Kind::JointFriction | Kind::TendonFriction => {
                rows.friction_loss(mass, context, &soft, self.kind, &input, 0.1)
            }
            kind => rows.one_sided(mass, context, &soft, kind, &input),
        }
    }

    fn fact(&mut self, fact: &RowFact<f64>) {
        self.facts.push(*fact);
    }
}

#[test]
fn rows_of_the_caller_stand_where_they_were_added() {
    let mechanism = mechanism();
    let description = mechanism.description();
    let mut rig = Rig::new(&description);
    let state = rig.model.state();
    for (at, kind, index) in [
        (Place::Equality, Kind::Equality, 1),
        (Place::Equality, Kind::JointFriction, 1),
        (Place::Friction, Kind::JointFriction, 2),
        (Place::Friction, Kind::TendonFriction, 2),
        (Place::Limit, Kind::JointLimit, 3),
        (Place::Limit, Kind::TendonLimit, 3),
        (Place::Contact, Kind::ContactFrictionless, 3),
    ] {
        let mut hook = Adding::new(at, kind);
        rig.model.forward_with(&state, &Input::none(), &thorough(), &mut rig.work, &mut hook).unwrap();
        let kinds: Vec<Kind> = rig.work.rows().rows().iter().map(|row| row.kind()).collect();
        let mut expected = vec![Kind::Equality, Kind::JointFriction, Kind::JointLimit];
        expected.insert(index, kind);
        assert_eq!(kinds, expected, "{at:?}");
        // Facts are of the model's rows only.
        assert_eq!(hook.facts.len(), 3);
        let places: Vec<Place> = hook.asked.iter().map(|(place, _)| *place).collect();
        assert_eq!(places, [Place::Equality, Place::Friction, Place::Limit, Place::Contact]);
        let force = rig.work.solver.force();
        let response: f64 = rig.work.rows().rows().iter().zip(force).map(|(row, f)| row.jacobian()[0] * f).sum();
        assert!((response - rig.work.constraint_force()[0]).abs() < 1e-12);
    }
}

#[test]
fn rows_out_of_order_are_refused_and_the_state_is_kept() {
    let mechanism = mechanism();
    let description = mechanism.description();
    let mut rig = Rig::new(&description);
    let mut state = rig.model.state();
    let before = state;
    for (at, kind, row) in [
        (Place::Friction, Kind::Equality, 2),
        (Place::Limit, Kind::Equality, 3),
        (Place::Limit, Kind::JointFriction, 3),
        (Place::Contact, Kind::JointFriction, 3),
        // The caller's own row is in order, the model's next is not.
        (Place::Equality, Kind::JointLimit, 2),
        (Place::Friction, Kind::TendonLimit, 3),
    ] {
        let mut hook = Adding::new(at, kind);
        let answer = rig.model.step_with(&mut state, &Input::none(), &thorough(), &mut rig.work, &mut hook);
        assert_eq!(answer.err(), Some(TickError::Rows(RowsError::OutOfOrder { row })), "{at:?} {kind:?}");
        assert_eq!(state, before);
    }
}

/// With the constraint flag off the caller's rows still count: they are the caller's.
#[test]
fn rows_of_the_caller_count_without_the_model_s() {
    let mut mechanism = mechanism();
    mechanism.flags().constraint = false;
    let description = mechanism.description();
    let mut rig = Rig::new(&description);
    let state = rig.model.state();
    let mut hook = Adding::new(Place::Limit, Kind::JointLimit);
    rig.model.forward_with(&state, &Input::none(), &thorough(), &mut rig.work, &mut hook).unwrap();
    assert_eq!((rig.work.rows().len(), hook.facts.len()), (1, 0));
    assert!(rig.work.constraint_force()[0] > 0.0);
}

/// What a fact says makes the row: a_ref = −B v − K d r (S07-53), R = Â (1 − d)/d (S12-12).
#[test]
fn facts_are_what_rows_are_made_of() {
    let mechanism = mechanism();
    let description = mechanism.description();
    let mut rig = Rig::new(&description);
    let mut state = rig.model.state();
    state.velocity[0] = 0.7;
    state.configuration[0] = 0.2;
    let facts = rig.facts(&state, &Input::none());
    for (fact, row) in facts.iter().zip(rig.work.rows().rows()) {
        let residual = fact.position - fact.margin;
        let d = fact.impedance.value();
        let wanted = -fact.gains.damping * fact.velocity - fact.gains.stiffness * d * residual;
        assert!((wanted - row.reference()).abs() < 1e-12 * (1.0 + wanted.abs()));
        let scale = (1.0 - d) / d * rig.model.dof_inverse_weight(0);
        assert!((scale - row.regularizer()).abs() < 1e-12 * scale);
        assert_eq!(Vector::from(*row.jacobian()).dot(&state.velocity), fact.velocity);
    }
    assert_eq!(facts[1].gains.stiffness, 0.0);
}

/// Halfway through the default curve, 0.9 to 0.95 over 1 mm with power 2, y' = 2 (S12-32): d' is 100 a metre, of the residual's sign (S12-35).
#[test]
fn the_slope_of_a_single_residual_has_its_sign() {
    let mechanism = mechanism();
    let description = mechanism.description();
    let mut rig = Rig::new(&description);
    for (residual, slope) in [(0.5e-3, 100.0), (-0.5e-3, -100.0)] {
        let mut state = rig.model.state();
        state.configuration[0] = residual;
        let facts = rig.facts(&state, &Input::none());
        assert!((facts[0].impedance.slope() - slope).abs() < 1e-9, "{}", facts[0].impedance.slope());
    }
}
