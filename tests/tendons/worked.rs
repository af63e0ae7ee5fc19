//! The mixed model: rows of every kind (W11-53 … W11-55, W11-58, W11-59), and MuJoCo's own forces.

use delassus::collision::Contact;
use delassus::description::*;
use delassus::forces::Wrench;
use delassus::model::{Model, Smooth};
use delassus::rows::{Kind, Rule};
use delassus::solver::Budget;
use delassus::tendon::TendonConstants;
use delassus::tick::{Input, Workspace};
use nalgebra::{SVector, Vector3};

#[test]
fn w11_53_to_59_rows_of_every_kind() {
    let slide = |axis| Joint { axis, ..Joint::<f64>::new(JointKind::Slide, 0) };
    let joints = [
        Joint { friction_loss: 1.0, range: Some([-1.0, 1.0]), ..slide([1.0, 0.0, 0.0]) },
        slide([0.0, 1.0, 0.0]),
        slide([0.0, 0.0, 1.0]),
    ];
    let tendon = Tendon {
        friction_loss: 2.0,
        range: Some([-1.0, 1.0]),
        ..Tendon::<f64>::new(TendonPath::Joints { first: 0, count: 1 })
    };
    let mut description = Description {
        bodies: &[Body::<f64>::new(1.0, [0.004; 3])],
        joints: &joints,
        geoms: &[Geom::<f64>::new(None, Shape::Plane), Geom::<f64>::new(Some(0), Shape::Sphere { radius: 0.1 })],
        equalities: &[Equality::<f64>::new(EqualityKind::Coupling {
            joint: 1,
            leader: None,
            polynomial: [0.0, 1.0, 0.0, 0.0, 0.0],
        })],
        tendons: &[tendon],
        tendon_joints: &[TendonJoint { joint: 0, coefficient: 1.0 }],
        ..Description::<f64>::empty(0.002)
    };
    description.options.cone = FrictionCone::Elliptic;
    let mut constants = [TendonConstants::filled(0.0)];
    let mut smooth = Smooth::filled(0.0);
    let model = Model::<f64, 1, 3, 3>::with_tendons(&description, &mut smooth, &mut constants).unwrap();
    assert_eq!(model.tendons()[0].inverse_weight, 1.0);
    let mut state = model.state();
    state.configuration = [1.1, 0.02, 0.09];
    state.velocity = Vector3::new(0.4, -0.3, -0.2);
    let wrenches = [Wrench { body: 0, force: [0.5, 0.25, -0.75], torque: [0.0; 3] }];
    let input = Input { wrenches: &wrenches, ..Input::force(Vector3::new(1.0, 2.0, 3.0)) };
    let mut work = Workspace::<f64, 1, 3, 1, 8>::filled(0.0);
    model.forward(&state, &input, &Budget { line_search: 2000, ..Budget::new(100, 0.0) }, &mut work).unwrap();

    let rows = work.rows().rows();
    let kinds: Vec<Kind> = rows.iter().map(|row| row.kind()).collect();
    let elliptic = Kind::ContactElliptic;
    assert_eq!(
        kinds[..5],
        [Kind::Equality, Kind::JointFriction, Kind::TendonFriction, Kind::JointLimit, Kind::TendonLimit]
    ); // W11-53, W11-54
    assert_eq!(kinds[5..], [elliptic, elliptic, elliptic]);
    assert!(work.contacts().iter().all(Contact::active));
    assert_eq!(work.first_row(0), Some(5)); // W11-55

    let forces = work.solver.force();
    let mut expected = *work.free_acceleration();
    for (row, force) in rows.iter().zip(forces) {
        expected += SVector::from(*row.jacobian()) * *force;
    }
    assert!((work.acceleration() - expected).norm() < 1e-12 * expected.norm()); // W11-58, m = 1
    for (row, force) in rows.iter().zip(forces).take(5) {
        let residual = row.reference() - SVector::from(*row.jacobian()).dot(work.acceleration());
        let answer = residual / row.regularizer();
        let allowed = match row.rule() {
            Rule::Interval { loss } => answer.clamp(-loss, loss),
            Rule::NonNegative => answer.max(0.0),
            _ => answer,
        };
        assert!((force - allowed).abs() < 1e-9 * allowed.abs(), "{force} {allowed}"); // W11-59
    }
    // What MuJoCo 3.10.0 makes of the same model. Limits of joint and tendon, and both frictions, share what they do.
    let engine = [
        -73.17007266057215,
        1.0,
        2.0,
        284.072147715622,
        284.072147715622,
        278.56098964758246,
        53.718497537444364,
        -273.3323032057501,
    ];
    for (force, engine) in forces.iter().zip(engine) {
        assert!((force - engine).abs() < 1e-8 * engine.abs(), "{force} {engine}");
    }
}
