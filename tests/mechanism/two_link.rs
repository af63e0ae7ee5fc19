//! W07-20 … W07-35, W07-40 … W07-43 and W07-50: pendulum, two-link arm, circles with fixed and moving centre, gyroscopic term.

#[path = "../../examples/two_link_arm/arm.rs"]
mod arm;

use super::build::{Mechanism, ball, hinge, slide, sphere};
use super::rig::{Rig, near};
use arm::{ARM, bias, constants, energies, free_acceleration, mass_matrix};
use delassus::constraint::AnchorMotion;
use delassus::description::{Body, Description, EqualityKind};
use delassus::model::{Model, Smooth, State};
use delassus::solver::Budget;
use delassus::tick::{Input, Workspace};
use nalgebra::{Vector2, Vector3};

/// Kinetic and potential energy of the arm.
fn arm_energies(q: [f64; 2], v: [f64; 2]) -> [f64; 2] {
    let mut rig = Rig::new(&ARM);
    let mut state = rig.model.state();
    state.configuration[..2].copy_from_slice(&q);
    state.velocity[0] = v[0];
    state.velocity[1] = v[1];
    let [kinetic, potential, _] = rig.energies(&state);
    [kinetic, potential]
}

#[test]
fn w07_30_to_34_two_link_arm_has_the_printed_numbers() {
    near(&constants(), &[1.668_333_333_333_33, 0.4, 0.214_166_666_666_667], 1e-14);
    let model = Model::<f64, 2, 2, 2>::new(&ARM, &mut Smooth::filled(0.0)).unwrap();
    let mut work = Workspace::<f64, 2, 2, 0, 0>::filled(0.0);
    let state = State { configuration: [0.6, -0.4], velocity: Vector2::new(1.0, -0.5), ..model.state() };
    model.forward(&state, &Input::none(), &Budget::new(0, 0.0), &mut work).unwrap();
    let mass = work.mass().columns();
    let printed = [2.619_348_795_202_31, 0.582_591_064_267_821, 0.582_591_064_267_821, 0.214_166_666_666_667];
    near(mass.as_flattened(), &printed, 1e-14); // W07-31
    near(work.bias_force().as_slice(), &[11.741_038_279_357_8, 0.623_811_117_116_36], 1e-14); // W07-32
    near(work.acceleration().as_slice(), &[-9.708_725_134_358_54, 23.497_612_723_392_9], 1e-13); // W07-33
    let [kinetic, potential] = arm_energies([0.6, -0.4], [1.0, -0.5]);
    near(&[potential, kinetic], &[-20.038_866_015_976_9, 1.045_149_698_800_58], 1e-14); // W07-34
}

/// The closed forms of S07-22 … S07-25 all around the circle.
#[test]
fn s07_24_two_link_arm_agrees_with_its_closed_forms_everywhere() {
    let model = Model::<f64, 2, 2, 2>::new(&ARM, &mut Smooth::filled(0.0)).unwrap();
    let mut work = Workspace::<f64, 2, 2, 0, 0>::filled(0.0);
    for i in 0..15 {
        for k in 0..15 {
            let (q, v) =
                ([0.45 * f64::from(i) - 3.0, 0.43 * f64::from(k) - 3.1], [f64::from(k) - 6.3, 4.2 - f64::from(i)]);
            let state = State { configuration: q, velocity: v.into(), ..model.state() };
            model.forward(&state, &Input::none(), &Budget::new(0, 0.0), &mut work).unwrap();
            near(work.mass().columns().as_flattened(), mass_matrix(q).as_flattened(), 1e-14);
            near(work.bias_force().as_slice(), &bias(q, v), 1e-13);
            near(work.acceleration().as_slice(), &free_acceleration(q, v), 1e-12);
            let [kinetic, potential] = arm_energies(q, v);
            near(&[potential, kinetic], &energies(q, v), 1e-14);
        }
    }
}

/// d/dt(∂T/∂v) − ∂T/∂q + ∂U/∂q with T and U of the crate only.
#[test]
fn w07_35_bias_of_the_arm_by_differences_of_its_energies() {
    let (q, v, h) = ([0.6, -0.4], [1.0, -0.5], 1e-4);
    let moved = |q: [f64; 2], k: usize, h: f64| std::array::from_fn(|i| q[i] + if i == k { h } else { 0.0 });
    let kinetic = |q: [f64; 2], v: [f64; 2]| arm_energies(q, v)[0];
    // T is quadratic in v, so a wide difference is exact.
    let slope = |q: [f64; 2], k: usize| 0.5 * (kinetic(q, moved(v, k, 1.0)) - kinetic(q, moved(v, k, -1.0)));
    let along = |t: f64| [q[0] + t * v[0], q[1] + t * v[1]];
    let bias: [f64; 2] = std::array::from_fn(|k| {
        let rate = (slope(along(h), k) - slope(along(-h), k)) / (2.0 * h);
        let lagrangian = |q: [f64; 2]| kinetic(q, v) - arm_energies(q, v)[1];
        rate - (lagrangian(moved(q, k, h)) - lagrangian(moved(q, k, -h))) / (2.0 * h)
    });
    near(&bias, &[11.741_038_279_357_8, 0.623_811_117_116_36], 1e-8);
}

/// m = 1.5, L = 0.8, q = 0.5, q' = 1.3: the bob is nearly a point, 1e-12 kg m².
#[test]
fn w07_20_to_23_pendulum() {
    let mut mechanism = Mechanism::new();
    mechanism.body(Body { center: [0.0, 0.0, -0.8], ..Body::<f64>::new(1.5, [1e-12; 3]) });
    mechanism.joint(hinge([0.0, -1.0, 0.0]));
    let description = mechanism.description();
    let mut rig = Rig::new(&description);
    let mut state = rig.model.state();
    (state.configuration[0], state.velocity[0]) = (0.5, 1.3);
    rig.forward(&state, &Input::none());
    near(&[-rig.work.bias_force()[0]], &[-5.643_797_440_448_68], 1e-14); // W07-20: no Coriolis term in one hinge
    near(&[rig.acceleration()[0]], &[-5.878_955_667_134_04], 1e-11); // W07-21
    // W07-22: what the bob's acceleration takes beyond gravity, along the rod.
    rig.at(&state);
    let bob = rig.kinematics.center(Some(0));
    let jacobian = rig.kinematics.point_jacobian(rig.model.tree(), Some(0), &bob);
    let bend = rig.kinematics.point_bias_acceleration(Some(0), &bob);
    let total = Vector3::from_fn(|i, _| jacobian.translation[i][0] * rig.acceleration()[0] + bend[i]);
    let rod = (total - rig.model.gravity()) * 1.5;
    let inward = -bob / bob.norm();
    near(&[rod.dot(&inward)], &[14.941_627_398_216_8], 1e-11);
    near(rod.as_slice(), (inward * rod.dot(&inward)).as_slice(), 1e-11);
    // W07-23: a pull along the rod does nothing, whatever its size.
    let pull: f64 = (0..3).map(|i| jacobian.translation[i][0] * inward[i] * 1e3).sum();
    assert!(pull.abs() < 1e-12);
}

/// I = diag(0.2, 0.5, 0.4), ω = (1, −2, 3) on a ball joint at the centre of mass: c = ω × I ω, in body axes at any orientation.
#[test]
fn w07_50_gyroscopic_bias() {
    let mut mechanism = Mechanism::new();
    mechanism.body(Body::<f64>::new(1.0, [0.2, 0.5, 0.4]));
    mechanism.joint(ball());
    let description = mechanism.description();
    let mut rig = Rig::new(&description);
    for quaternion in [[1.0, 0.0, 0.0, 0.0], [0.9, 0.1, -0.3, 0.2]] {
        let mut state = rig.model.state();
        state.configuration[..4].copy_from_slice(&quaternion);
        state.velocity.fixed_rows_mut::<3>(0).copy_from_slice(&[1.0, -2.0, 3.0]);
        rig.at(&state);
        near(&rig.bias().as_slice()[..3], &[0.6, -0.6, -0.6], 1e-14);
    }
}

/// A mass point in the xz plane on two slides, held at a moving centre's distance by a connect through a hinged rod of length 1:
/// `slides` place the point, a connect at the rod's end to the world moves along c(t).
fn rod_on_a_moving_pivot() -> Mechanism<f64> {
    let mut mechanism = Mechanism::floating();
    // The rod: its pivot end slides in x and z, its far end is the point of S07-36.
    mechanism.body(Body { center: [1.0, 0.0, 0.0], ..Body::<f64>::new(1.0, [0.01; 3]) });
    mechanism.joint(slide([1.0, 0.0, 0.0]));
    mechanism.joint(slide([0.0, 0.0, 1.0]));
    mechanism.joint(hinge([0.0, -1.0, 0.0]));
    let connect = mechanism.equality(EqualityKind::Connect { bodies: [Some(0), None], anchor: [0.0; 3] });
    // K = B = 0: the row asks for its curvature and the given motion only; impedance as near to 1 as the engine allows.
    connect.softness.solref = [0.0, 0.0];
    connect.softness.solimp = [0.9999, 0.9999, 0.001, 0.5, 2.0];
    mechanism
}

/// L = 1, θ = 0.3 + 1.2 t + 0.25 t², c = (0.3 t², 0), at t = 0.7.
#[test]
fn w07_40_to_42_anchor_that_moves_along_a_path() {
    let t: f64 = 0.7;
    let (theta, rate, change) = (0.3 + 1.2 * t + 0.25 * t * t, 1.2 + 0.5 * t, 0.5);
    let mechanism = rod_on_a_moving_pivot();
    let description = mechanism.description();
    let mut rig = Rig::new(&description);
    for (displacement, velocity, acceleration, expected) in [
        (0.3 * t * t, 0.6 * t, 0.6, -2.220_438_562_404_18), // W07-40
        (0.0, 0.0, 0.0, -2.402_5),                          // W07-42: fixed centre
    ] {
        let mut state = rig.model.state();
        state.configuration[..3].copy_from_slice(&[displacement, 0.0, theta]);
        state.velocity.fixed_rows_mut::<3>(0).copy_from_slice(&[velocity, 0.0, rate]);
        let motion = AnchorMotion {
            equality: 0,
            displacement: [displacement, 0.0, 0.0],
            velocity: [velocity, 0.0, 0.0],
            acceleration: [acceleration, 0.0, 0.0],
        };
        let input = Input { anchor_motions: &[motion], ..Input::none() };
        let facts = rig.facts(&state, &input);
        // Position and velocity level close: the pivot is where c(t) is and moves with it.
        assert!(facts.iter().all(|fact| fact.position.abs() < 1e-15 && fact.velocity.abs() < 1e-15));
        let wanted: Vec<f64> = rig.work.rows().rows().iter().map(|row| row.reference()).collect();
        near(&wanted, &[acceleration, 0.0, 0.0], 1e-15);
        // The whole trajectory: θ'' = 0.5 needs a couple on the rod, the pivot's path is the connect's.
        let mut given = super::rig::Vector::zeros();
        given.fixed_rows_mut::<3>(0).copy_from_slice(&[acceleration, 0.0, change]);
        rig.at(&state);
        let point = rig.kinematics.frame(Some(0)).apply(&Vector3::new(1.0, 0.0, 0.0));
        let bend = rig.kinematics.point_bias_acceleration(Some(0), &point);
        let jacobian = rig.kinematics.point_jacobian(rig.model.tree(), Some(0), &point);
        let a = Vector3::from_fn(|i, _| jacobian.translation[i].dot(&given) + bend[i]);
        let u = rig.kinematics.point_velocity(Some(0), &point);
        let rho = point - Vector3::new(displacement, 0.0, 0.0);
        near(&[rho.dot(&a)], &[expected], 1e-14);
        near(&[rho.dot(&(u - Vector3::new(velocity, 0.0, 0.0)))], &[0.0], 1e-15); // W07-41
        // And the solved tick follows the centre, as far as an impedance of 0.9999 lets it.
        let torque = rig.inverse(&state.velocity, &given)[2];
        let mut force = super::rig::Vector::zeros();
        force[2] = torque;
        rig.forward(&state, &Input { force, ..input });
        near(&rig.acceleration().as_slice()[..3], &[acceleration, 0.0, change], 2e-3);
    }
}

/// x = (2, 0), u = (0, 3), L = 2: −|u|² x / L².
#[test]
fn w07_43_centripetal_acceleration() {
    let mut mechanism = Mechanism::floating();
    mechanism.body(sphere(1.0, 0.1));
    mechanism.joint(hinge([0.0, -1.0, 0.0]));
    let description: Description<'_, f64> = mechanism.description();
    let mut rig = Rig::new(&description);
    let mut state = rig.model.state();
    state.velocity[0] = 1.5;
    rig.at(&state);
    let point = Vector3::new(2.0, 0.0, 0.0);
    near(rig.kinematics.point_velocity(Some(0), &point).as_slice(), &[0.0, 0.0, 3.0], 1e-15);
    near(rig.kinematics.point_bias_acceleration(Some(0), &point).as_slice(), &[-4.5, 0.0, 0.0], 1e-15);
}
