//! Friction that sticks creeps (S12-10, S12-38, S12-43, S12-44): the speeds that the documentation of the rows promises, held against
//! thousands of ticks. At the steady speed u the row's acceleration is zero, so a_ref = R f: damping and softness balance.

mod common;

use common::{close, mass, vector};
use delassus::rows::{Kind, RowContext, RowInput, Rows};
use delassus::scalar::dot;
use delassus::softness::Softness;
use delassus::solver::{Budget, NewtonWorkspace, newton};
use nalgebra::SVector;

const STEP: f64 = 0.005;
/// Force along x, below μ N = 11.8 N.
const LOAD: f64 = 5.0;
/// B of solref (0.02, 1) at d_max 0.95 (S12-19).
const DAMPING: f64 = 2.0 / (0.95 * 0.02);

fn shared() -> Softness<f64> {
    Softness::from_mujoco([0.02, 1.0], [0.9, 0.95, 0.02, 0.5, 2.0]).unwrap()
}

/// Where the ball of 2 kg comes to rest on elliptic or frictionless rows, and d there (W12-61).
const REST: (f64, f64) = (-0.000_436_956_068_378_151, 0.900_047_732_651_423);

/// The translating ball of 2 kg on its plane, pulled along x for 20 s: velocity and the forces of the last tick.
fn pulled<const NR: usize, const NC: usize>(
    add: impl Fn(&mut Rows<f64, 3, NR, NC>, &[RowInput<'_, f64, 3>; 3]),
) -> (SVector<f64, 3>, Vec<f64>, f64) {
    let mass = mass::<f64, 3>([[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]]);
    let axes = [vector([0.0, 0.0, 1.0]), vector([1.0, 0.0, 0.0]), vector([0.0, 1.0, 0.0])];
    let free = vector([LOAD / 2.0, 0.0, -9.81]);
    let mut work = NewtonWorkspace::filled(0.0);
    let (mut height, mut velocity) = (REST.0, SVector::<f64, 3>::zeros());
    for _ in 0..4000 {
        let contact: [RowInput<'_, f64, 3>; 3] = core::array::from_fn(|i| {
            let residual = if i == 0 { height } else { 0.0 };
            RowInput::new(&axes[i], residual, dot(axes[i].as_slice(), velocity.as_slice()))
        });
        let mut rows = Rows::with_cones();
        add(&mut rows, &contact);
        newton(&mass, &free, &rows, None, &Budget::new(20, 1e-12), &mut work).unwrap();
        velocity += work.acceleration() * STEP;
        height += velocity[2] * STEP;
    }
    (velocity, work.force().to_vec(), height)
}

fn context(impratio: f64) -> RowContext<f64> {
    RowContext { impedance_ratio: impratio, ..RowContext::new(STEP) }
}

fn ball_mass() -> delassus::mass::MassMatrix<f64, 3> {
    mass([[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]])
}

/// u = R_t F/B, R_t = (1 − d)/d · Â/impratio.
#[test]
fn a_loaded_sticking_elliptic_contact_creeps_at_the_predicted_speed() {
    for impratio in [1.0, 10.0, 100.0] {
        let (mass, context) = (ball_mass(), context(impratio));
        let (velocity, force, _) = pulled::<3, 1>(|rows, contact| {
            rows.elliptic(&mass, &context, &shared(), None, contact, &[0.6, 0.6]).unwrap();
        });
        let d = REST.1;
        let speed = (1.0 - d) / d * 0.5 / (DAMPING * impratio) * LOAD;
        close(&[velocity[0]], &[speed], 1e-9);
        close(&[force[1]], &[-LOAD], 1e-9);
    }
}

/// Other coefficients along y: R_t of the first direction does not know them, that of the second is R_t1 (μ_1/μ_2)² (S12-43).
#[test]
fn the_second_direction_of_an_elliptic_contact_creeps_by_the_ratio_of_coefficients() {
    let (mass, context) = (ball_mass(), context(10.0));
    let (velocity, ..) = pulled::<3, 1>(|rows, [normal, x, y]| {
        // The load, along x, is now the second direction.
        rows.elliptic(&mass, &context, &shared(), None, &[*normal, *y, *x], &[0.9, 0.6]).unwrap();
    });
    let d = REST.1;
    let speed = (1.0 - d) / d * 0.5 / (DAMPING * 10.0) * LOAD * (0.9f64 / 0.6).powi(2);
    close(&[velocity[0]], &[speed], 1e-9);
}

/// A pyramid: the edges of the loaded direction have a_ref = −B (±μ u) + common, and f_+ − f_− = −F/μ; so B μ u = R F/(2 μ), and
/// with R = 2 μ²/impratio · R_0 the speed is u = R_0 F/(B impratio), R_0 that of the first edge.
#[test]
fn a_loaded_sticking_pyramid_creeps_at_the_predicted_speed() {
    for impratio in [1.0, 10.0] {
        let (mass, context) = (ball_mass(), context(impratio));
        let (velocity, force, height) = pulled::<4, 0>(|rows, contact| {
            rows.pyramid(&mass, &context, &shared(), contact, &[0.6, 0.6]).unwrap();
        });
        assert!(force.iter().all(|f| *f > 0.0), "{force:?}"); // it sticks
        let d = shared().impedance().at(height).value();
        let speed = (1.0 - d) / d * 0.5 * (1.0 + 0.6 * 0.6) / (DAMPING * impratio) * LOAD;
        close(&[velocity[0]], &[speed], 1e-9);
        close(&[0.6 * (force[0] - force[1])], &[-LOAD], 1e-9);
    }
}

/// Dry friction of a joint: u = R F/B with R = (1 − d_0)/d_0 · Â; impratio has no say, d_0 of its own solimp has.
#[test]
fn a_loaded_sticking_joint_creeps_at_the_predicted_speed() {
    for (impratio, d0) in [(1.0, 0.9), (100.0, 0.9), (1.0, 0.99), (1.0, 0.999)] {
        let softness = Softness::from_mujoco([0.02, 1.0], [d0, d0, 0.001, 0.5, 2.0]).unwrap();
        let mass = mass::<f64, 1>([[0.5]]);
        let axis = vector([1.0]);
        let mut work = NewtonWorkspace::filled(0.0);
        let mut velocity = 0.0;
        for _ in 0..4000 {
            let mut rows = Rows::<f64, 1, 1>::new();
            let input = RowInput::new(&axis, 0.0, velocity);
            rows.friction_loss(&mass, &context(impratio), &softness, Kind::JointFriction, &input, 3.0).unwrap();
            newton(&mass, &vector([2.0 / 0.5]), &rows, None, &Budget::new(20, 1e-12), &mut work).unwrap();
            velocity += work.acceleration()[0] * STEP;
        }
        let damping = 2.0 / (d0 * 0.02);
        let speed = (1.0 - d0) / d0 * (1.0 / 0.5) / damping * 2.0;
        close(&[velocity], &[speed], 1e-9);
        close(work.force(), &[-2.0], 1e-9);
    }
}
