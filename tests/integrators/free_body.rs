//! A spinning body under each integrator (W15-84 … W15-8d, X-42, X-87), and the energy that the midpoint rule keeps.

use delassus::description::{Body, Description, Equality, EqualityKind, Integrator, Joint, JointKind};
use delassus::integrator::FreeBody;
use delassus::spatial::Quaternion;
use nalgebra::{Matrix3, Vector3};

use crate::common::close;
use crate::scene::{RATE, Run, TURN, description, spinning};

const FREE_START: [f64; 7] = [0.0, 0.0, 0.0, TURN[0], TURN[1], TURN[2], TURN[3]];
const FREE_RATE: [f64; 6] = [0.0, 0.0, 0.0, RATE[0], RATE[1], RATE[2]];

fn ball(integrator: Integrator) -> [f64; 3] {
    let mut run: Run<1, 4, 3, 3> = spinning(JointKind::Ball, integrator, TURN, RATE);
    run.steps(1);
    run.state.velocity.into()
}

fn free(integrator: Integrator) -> Run<1, 7, 6, 3> {
    let mut run = spinning(JointKind::Free, integrator, FREE_START, FREE_RATE);
    run.steps(1);
    run
}

#[test]
fn w15_84_to_85b_a_ball_joint() {
    let implicit = [2.92215305479404, -1.90449030252042, 4.08336665525724];
    close(&ball(Integrator::Implicit), &implicit, 1e-14);
    close(&ball(Integrator::ImplicitFast), &[2.92, -1.904, 4.09], 1e-14); // w15_85
    close(&ball(Integrator::Euler), &[2.92, -1.904, 4.09], 1e-14); // w15_85b
    // w15_84 by its definition: (I − h D) dω = −h ω × I ω with D = −∂(ω × I ω)/∂ω.
    let (inertia, w) = (Matrix3::from_diagonal(&Vector3::new(0.2, 0.5, 0.4)), Vector3::from(RATE));
    let d = -(w.cross_matrix() * inertia - (inertia * w).cross_matrix());
    let change = (inertia - d * 0.02).try_inverse().unwrap() * (-w.cross(&(inertia * w)) * 0.02);
    close((w + change).as_slice(), &implicit, 1e-14);
}

#[test]
fn w15_86_and_87_a_free_body_by_the_midpoint_rule() {
    let run = free(Integrator::ImplicitFast);
    let rate = [2.92106913127584, -1.90423630249874, 4.08668969894474];
    close(&run.state.velocity.as_slice()[3..], &rate, 1e-13);
    let turn = [0.768954804198128, 0.21502281383277, -0.411277435473854, 0.439686899625297];
    close(&run.state.configuration[3..], &turn, 1e-13);
    // reported is (v₊ − v)/h, saved the solver's acceleration, −I⁻¹ ω × I ω.
    let reported: Vec<f64> = rate.iter().zip(RATE).map(|(after, before)| (after - before) / 0.02).collect();
    close(&run.work.acceleration().as_slice()[3..], &reported, 1e-10);
    close(&run.state.warm_start.as_slice()[3..], &[-4.0, 4.8, 4.5], 1e-13);
}

#[test]
fn w15_88_implicit_has_no_midpoint_branch() {
    let implicit = [2.92215305479404, -1.90449030252042, 4.08336665525724];
    close(&free(Integrator::Implicit).state.velocity.as_slice()[3..], &implicit, 1e-14);
}

#[test]
fn w15_89c_a_constrained_free_body_leaves_the_midpoint_branch() {
    let held = Equality::<f64>::new(EqualityKind::Connect { bodies: [Some(0), None], anchor: [0.0; 3] });
    let plain = spinning::<7, 6>(JointKind::Free, Integrator::ImplicitFast, FREE_START, FREE_RATE);
    let mut whole: Description<'static, f64> = *plain.model.description();
    whole.equalities = vec![held].leak();
    let mut run: Run<1, 7, 6, 3> = Run::new(Box::leak(Box::new(whole))).at(FREE_START, FREE_RATE);
    run.steps(1);
    close(&run.state.velocity.as_slice()[3..], &[2.92, -1.904, 4.09], 1e-13);
}

#[test]
fn w15_8a_the_midpoint_rule_keeps_rotational_energy() {
    let mut run = spinning::<7, 6>(JointKind::Free, Integrator::ImplicitFast, FREE_START, FREE_RATE);
    for _ in 0..5000 {
        run.steps(1);
        close(&[run.energy()], &[5.1], 1e-11);
    }
    // The explicit treatment does not: that is what the branch is for.
    let mut explicit = spinning::<4, 3>(JointKind::Ball, Integrator::ImplicitFast, TURN, RATE);
    explicit.steps(200);
    assert!((explicit.energy() - 5.1).abs() > 1e-2);
}

/// A body off its joint's origin, falling: W15-8b, W15-8c.
fn off_center() -> Run<1, 7, 6, 3> {
    let body = Body { center: [0.1, -0.05, 0.2], ..Body::<f64>::new(1.5, [0.2, 0.5, 0.4]) };
    let joint = Joint::<f64>::new(JointKind::Free, 0);
    Run::new(description(vec![body], vec![joint], [0.0, 0.0, -9.81], 0.02, Integrator::ImplicitFast))
        .at(FREE_START, [1.0, 2.0, -0.5, RATE[0], RATE[1], RATE[2]])
}

#[test]
fn w15_8b_and_8c_centre_of_mass_off_the_origin() {
    let mut run = off_center();
    run.steps(1);
    let velocity = [0.986858294905265, 1.96396824889606, -0.711686399420914];
    let rate = [2.92106913127584, -1.90423630249874, 4.08668969894474];
    close(&run.state.velocity.as_slice()[..3], &velocity, 1e-13);
    close(&run.state.velocity.as_slice()[3..], &rate, 1e-13);
    let position = [0.0198685829490527, 0.0396396824889606, -0.0121168639942091];
    close(&run.state.configuration[..3], &position, 1e-13);
    let reported: Vec<f64> = velocity
        .iter()
        .chain(&rate)
        .zip([1.0, 2.0, -0.5, RATE[0], RATE[1], RATE[2]])
        .map(|(a, b)| (a - b) / 0.02)
        .collect();
    close(run.work.acceleration().as_slice(), &reported, 1e-10);
}

/// Spin energy ½ ω·I ω is kept wherever the centre of mass lies, and the body falls as a whole.
#[test]
fn the_midpoint_rule_keeps_spin_energy_off_the_origin() {
    let mut run = off_center();
    for _ in 0..2000 {
        run.steps(1);
        let w = &run.state.velocity.as_slice()[3..];
        close(&[0.1 * w[0] * w[0] + 0.25 * w[1] * w[1] + 0.2 * w[2] * w[2]], &[5.1], 1e-11);
    }
}

/// W15-8d: one RK4 step from the identity.
#[test]
fn w15_8d_runge_kutta_combines_velocities_before_one_update() {
    let mut run: Run<1, 4, 3, 3> = spinning(JointKind::Ball, Integrator::RungeKutta, [1.0, 0.0, 0.0, 0.0], RATE);
    run.steps(1);
    let turn = [0.998553981072926, 0.0295892485044881, -0.0195113422922908, 0.040419435650476];
    close(&run.state.configuration, &turn, 1e-14);
    close(run.state.velocity.as_slice(), &[2.9210670859871, -1.90423379418802, 4.08669189268993], 1e-14);
}

/// a welded child without mass is allowed, one with mass is not, nor is a joint below.
#[test]
fn what_stands_alone() {
    let spin = |children: Vec<Body<f64>>| {
        let mut bodies = vec![Body::<f64>::new(1.0, [0.2, 0.5, 0.4])];
        bodies.extend(children);
        let joint = Joint::<f64>::new(JointKind::Free, 0);
        let whole = description(bodies, vec![joint], [0.0; 3], 0.02, Integrator::ImplicitFast);
        let mut run: Run<3, 7, 6, 0> = Run::new(whole).at(FREE_START, FREE_RATE);
        run.steps(1);
        run.energy() - 5.1
    };
    let child = |mass: f64| Body { parent: Some(0), ..Body::<f64>::new(mass, [0.0; 3]) };
    assert!(spin(vec![child(0.0), Body { parent: Some(1), ..child(0.0) }]).abs() < 1e-12);
    assert!(spin(vec![child(1e-3)]).abs() > 1e-5);
    // Two free bodies side by side both go by the rule.
    let pair = vec![Body::<f64>::new(1.0, [0.2, 0.5, 0.4]); 2];
    let joints = vec![Joint::<f64>::new(JointKind::Free, 0), Joint::<f64>::new(JointKind::Free, 1)];
    let whole = description(pair, joints, [0.0; 3], 0.02, Integrator::ImplicitFast);
    let mut configuration = [0.0; 14];
    let mut velocity = [0.0; 12];
    for k in 0..2 {
        configuration[7 * k..7 * k + 7].copy_from_slice(&FREE_START);
        velocity[6 * k..6 * k + 6].copy_from_slice(&FREE_RATE);
    }
    let mut run: Run<2, 14, 12, 0> = Run::new(whole).at(configuration, velocity);
    run.steps(100);
    close(&[run.energy()], &[10.2], 1e-12);
}

/// Any spin, however wild, ends, and with a number: in f32 the tolerance of double precision is out of reach.
#[test]
fn the_midpoint_search_ends_in_both_precisions() {
    for spin in [1e-6, 1.0, 1e3, 1e8] {
        let body = |scale: f64| FreeBody::<f64> {
            mass: 1.0,
            inertia: [1e-4, 0.9, 0.9],
            inertia_orientation: Quaternion::identity(),
            center: Vector3::zeros(),
            orientation: Quaternion::identity(),
            linear: Vector3::zeros(),
            angular: Vector3::new(1.0, 0.3, -0.2) * scale,
            force: Vector3::zeros(),
            torque: Vector3::zeros(),
            gravity: Vector3::zeros(),
        };
        let wide = body(spin).midpoint(0.01);
        let narrow = FreeBody::<f32> {
            mass: 1.0,
            inertia: [1e-4, 0.9, 0.9],
            inertia_orientation: Quaternion::identity(),
            center: Vector3::zeros(),
            orientation: Quaternion::identity(),
            linear: Vector3::zeros(),
            angular: body(spin).angular.cast(),
            force: Vector3::zeros(),
            torque: Vector3::zeros(),
            gravity: Vector3::zeros(),
        }
        .midpoint(0.01);
        assert!(wide.angular.iter().all(|x| x.is_finite()) && narrow.angular.iter().all(|x| x.is_finite()));
        if spin < 1e4 {
            assert!((narrow.angular.cast::<f64>() - wide.angular).amax() < 2e-5 * wide.angular.amax(), "{spin}");
        }
    }
}
