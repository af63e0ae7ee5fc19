//! Descriptions and controls that are refused, each by its own error; and what a control's length means.

use delassus::description::*;
use delassus::model::{Model, Smooth};
use delassus::solver::Budget;
use delassus::tendon::TendonConstants;
use delassus::tick::{Input, TickError};

use crate::scene::{Parts, Rig, tree};

fn refused(change: impl FnOnce(&mut Parts)) -> ModelError {
    let mut parts = tree();
    change(&mut parts);
    let description = parts.leak();
    let constants = vec![TendonConstants::filled(0.0); description.tendons.len()].leak();
    match Model::<f64, 4, 13, 11>::with_tendons(description, &mut Smooth::filled(0.0), constants) {
        Ok(_) => panic!("accepted"),
        Err(error) => error,
    }
}

#[test]
fn tendons_that_are_refused() {
    let cases: &[fn(&mut Tendon<f64>)] = &[
        |t| t.path = TendonPath::Joints { first: 0, count: 0 },
        |t| t.path = TendonPath::Joints { first: 1, count: 2 },
        |t| t.path = TendonPath::Joints { first: u16::MAX, count: u16::MAX },
        |t| t.path = TendonPath::Sites { first: 0, count: 1 },
        |t| t.path = TendonPath::Sites { first: 4, count: 2 },
        |t| t.stiffness[1] = f64::NAN,
        |t| t.damping[2] = -1.0,
        |t| t.damping[0] = f64::INFINITY,
        |t| t.armature = -1.0,
        |t| t.friction_loss = -1.0,
        |t| t.margin = f64::NAN,
        |t| t.spring_length = Some([1.0, 0.5]),
        |t| t.spring_length = Some([f64::NAN, 0.5]),
        |t| t.range = Some([1.0, 1.0]),
        |t| t.range = Some([0.0, f64::INFINITY]),
        |t| t.actuator_force_range = Some([1.0, -1.0]),
        |t| t.limit_softness.solref[0] = f64::NAN,
        |t| t.friction_softness.solimp[4] = f64::NAN,
    ];
    for (index, case) in cases.iter().enumerate() {
        assert_eq!(refused(|parts| case(&mut parts.tendons[1])), ModelError::BadTendon { tendon: 1 }, "case {index}");
    }
    assert_eq!(refused(|parts| parts.tendon_joints[0].joint = 9), ModelError::BadTendon { tendon: 0 });
    assert_eq!(refused(|parts| parts.tendon_joints[1].joint = 2), ModelError::BadTendon { tendon: 0 }); // a ball
    assert_eq!(refused(|parts| parts.tendon_joints[1].coefficient = f64::NAN), ModelError::BadTendon { tendon: 0 });
    assert_eq!(refused(|parts| parts.tendon_sites[2] = 5), ModelError::BadTendon { tendon: 1 });
}

#[test]
fn actuators_that_are_refused() {
    let cases: &[fn(&mut Actuator<f64>)] = &[
        |a| a.transmission = Transmission::Joint(4),
        |a| a.transmission = Transmission::Tendon(2),
        |a| a.gear[5] = f64::NAN,
        |a| a.gain[1] = f64::INFINITY,
        |a| a.bias[2] = f64::NAN,
        |a| a.control_range = Some([1.0, 0.0]),
        |a| a.force_range = Some([0.0, f64::NAN]),
    ];
    for (index, case) in cases.iter().enumerate() {
        let error = refused(|parts| case(&mut parts.actuators[2]));
        assert_eq!(error, ModelError::BadActuator { actuator: 2 }, "case {index}");
    }
    assert_eq!(refused(|p| p.joints[1].actuator_force_range = Some([1.0, 0.0])), ModelError::BadRange { joint: 1 });
    assert_eq!(refused(|p| p.joints[2].actuator_force_range = Some([0.0, 1.0])), ModelError::BadRange { joint: 2 });
}

#[test]
fn couplings_that_are_refused() {
    for (tendon, leader) in [(2, None), (0, Some(0)), (0, Some(2))] {
        let polynomial = [0.0, 1.0, 0.0, 0.0, 0.0];
        let mut description = *tree().leak();
        let equality = Equality::<f64>::new(EqualityKind::TendonCoupling { tendon, leader, polynomial });
        description.equalities = std::slice::from_ref(Box::leak(Box::new(equality)));
        let mut constants = [TendonConstants::filled(0.0); 2];
        let model = Model::<f64, 4, 13, 11>::with_tendons(&description, &mut Smooth::filled(0.0), &mut constants);
        assert_eq!(model.err(), Some(ModelError::EqualityPartner { equality: 0 }));
    }
}

/// Without memory for the constants there is no model, by [`Model::new`] either.
#[test]
fn tendons_without_memory() {
    let description = tree().leak();
    let model = Model::<f64, 4, 13, 11>::new(description, &mut Smooth::filled(0.0));
    assert_eq!(model.err(), Some(ModelError::TooManyTendons { tendons: 2 }));
}

#[test]
fn controls() {
    let mut rig = Rig::<4, 13, 11>::new(tree()).at(&[0.1; 22]);
    let mut input = Input::none();
    // A control that is not finite is an error, and the state is as it was.
    input.control = &[0.0, f64::NAN];
    let before = rig.state;
    let budget = Budget::new(100, 0.0);
    let error = rig.model.step(&mut rig.state, &input, &budget, &mut rig.work);
    assert_eq!(error.err(), Some(TickError::Control { actuator: 1 }));
    assert_eq!(rig.state, before);
    // What is missing is zero; what is too much does nothing.
    input.control = &[0.5];
    let short = rig.forward(&input);
    input.control = &[0.5, 0.0, 0.0, 0.0, 7.0];
    assert_eq!(short, rig.forward(&input));
    input.control = &[0.5, 1.0];
    assert_ne!(short, rig.forward(&input));
}

/// The error's text names the culprit.
#[test]
fn texts() {
    assert!(TickError::Control { actuator: 3 }.to_string().contains("actuator 3"));
    assert!(ModelError::BadTendon { tendon: 5 }.to_string().contains("tendon 5"));
    assert!(ModelError::BadActuator { actuator: 6 }.to_string().contains("actuator 6"));
}
