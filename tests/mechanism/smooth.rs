//! M, c and inverse dynamics of random trees against sums over bodies, differences and Lagrange's equation.

use super::random::{Noise, cases, recipe, state, tree};
use super::rig::{Matrix, Rig, Vector, near};
use delassus::description::{Body, Joint, JointKind};
use delassus::integrator::advance;
use delassus::spatial::Quaternion;
use nalgebra::{Matrix3, SMatrix, Vector3};
use proptest::prelude::*;

/// Σ m J_pᵀ J_p + J_rᵀ I_W J_r + armature (S07-15), one for inert dofs.
fn sum_over_bodies(rig: &Rig<'_>) -> Matrix {
    let description = rig.model.description();
    let mut sum = Matrix::zeros();
    for (index, body) in description.bodies.iter().enumerate() {
        let number = Some(index as u16);
        let jacobian = rig.kinematics.point_jacobian(rig.model.tree(), number, &rig.kinematics.center(number));
        let axes = rig.kinematics.frame(number).orientation.matrix() * Quaternion(body.inertia_orientation).matrix();
        let inertia = axes * Matrix3::from_diagonal(&Vector3::from(body.inertia)) * axes.transpose();
        let rows = |rows: &[Vector; 3]| SMatrix::<f64, 3, 24>::from_fn(|i, k| rows[i][k]);
        let (translation, rotation) = (rows(&jacobian.translation), rows(&jacobian.rotation));
        sum += translation.transpose() * translation * body.mass + rotation.transpose() * inertia * rotation;
    }
    for k in 0..24 {
        sum[(k, k)] +=
            rig.model.tree().dofs().get(k).map_or(1.0, |d| description.joints[usize::from(d.joint)].armature);
    }
    sum
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn s07_15_mass_matrix_is_the_sum_over_bodies_symmetric_and_positive((count, seed) in recipe()) {
        let mechanism = tree(count, seed);
        let description = mechanism.description();
        let mut rig = Rig::new(&description);
        let state = state(&rig, seed, 1.0);
        rig.at(&state);
        let mass = rig.matrix();
        near(mass.as_slice(), sum_over_bodies(&rig).as_slice(), 1e-13);
        prop_assert_eq!(mass, mass.transpose());
        prop_assert!(mass.cholesky().is_some());
        // The factor is that of this matrix.
        let right = Noise(seed).generalized(rig.dofs(), 5.0);
        let mut solved = right;
        rig.mass.solve(&mut solved).unwrap();
        near((mass * solved).as_slice(), right.as_slice(), 1e-9);
    }

    #[test]
    fn s07_13_inverse_dynamics_is_mass_times_acceleration_plus_bias((count, seed) in recipe()) {
        let mechanism = tree(count, seed);
        let description = mechanism.description();
        let mut rig = Rig::new(&description);
        let state = state(&rig, seed, 3.0);
        rig.at(&state);
        let acceleration = Noise(!seed).generalized(rig.dofs(), 10.0);
        let expected = rig.matrix() * acceleration + rig.bias();
        let force = rig.inverse(&state.velocity, &acceleration);
        for k in 0..rig.dofs() {
            prop_assert!((force[k] - expected[k]).abs() <= 1e-12 * (1.0 + expected.amax()), "{} {}", force, expected);
        }
        prop_assert_eq!(force.rows(rig.dofs(), 24 - rig.dofs()).amax(), 0.0);
    }

    /// The configuration moved by a small step of one dof, there and back: points and orientations against the columns.
    #[test]
    fn x_51_jacobians_are_differences_of_the_configuration((count, seed) in recipe()) {
        let mechanism = tree(count, seed);
        let description = mechanism.description();
        let mut rig = Rig::new(&description);
        let state = state(&rig, seed, 1.0);
        rig.at(&state);
        let mut noise = Noise(seed ^ 77);
        let body = Some(noise.below(count) as u16);
        let arm = Vector3::from(noise.vector(0.5));
        let jacobian = rig.kinematics.point_jacobian(rig.model.tree(), body, &rig.kinematics.frame(body).apply(&arm));
        let h = 1e-5;
        for k in 0..rig.dofs() {
            let unit = Vector::from_fn(|i, _| f64::from(i == k));
            let [after, before] = [h, -h].map(|h| {
                let mut q = state.configuration;
                advance(rig.model.tree(), &mut q, &unit, h);
                rig.kinematics.place(rig.model.tree(), &q).unwrap();
                rig.kinematics.frame(body)
            });
            let moved = (after.apply(&arm) - before.apply(&arm)) / (2.0 * h);
            let turned = after.orientation.times(&before.orientation.conjugate()).rotation_vector() / (2.0 * h);
            for axis in 0..3 {
                prop_assert!((jacobian.translation[axis][k] - moved[axis]).abs() < 1e-8, "dof {k} axis {axis}");
                prop_assert!((jacobian.rotation[axis][k] - turned[axis]).abs() < 1e-8, "dof {k} axis {axis}");
            }
        }
    }

    /// J v and J̇v of a point and of the rotation, along the motion at constant generalized velocity (S11-08, S11-10).
    #[test]
    fn s11_10_bias_accelerations_are_differences_of_velocities((count, seed) in recipe()) {
        let mechanism = tree(count, seed);
        let description = mechanism.description();
        let mut rig = Rig::new(&description);
        let state = state(&rig, seed, 2.0);
        rig.at(&state);
        let mut noise = Noise(seed ^ 78);
        let body = Some(noise.below(count) as u16);
        let arm = Vector3::from(noise.vector(0.5));
        let point = rig.kinematics.frame(body).apply(&arm);
        let jacobian = rig.kinematics.point_jacobian(rig.model.tree(), body, &point);
        let velocity = rig.kinematics.point_velocity(body, &point);
        let spin = rig.kinematics.velocity(body).angular;
        let bias = rig.kinematics.point_bias_acceleration(body, &point);
        let spin_bias = rig.kinematics.bias_acceleration(body).angular;
        for axis in 0..3 {
            prop_assert!((jacobian.translation[axis].dot(&state.velocity) - velocity[axis]).abs() < 1e-12);
            prop_assert!((jacobian.rotation[axis].dot(&state.velocity) - spin[axis]).abs() < 1e-12);
        }
        let h = 1e-5;
        let [(v1, w1), (v0, w0)] = [h, -h].map(|t| {
            let moved = rig.moved(&state, &Vector::zeros(), t);
            rig.at(&moved);
            let point = rig.kinematics.frame(body).apply(&arm);
            (rig.kinematics.point_velocity(body, &point), rig.kinematics.velocity(body).angular)
        });
        near(((v1 - v0) / (2.0 * h)).as_slice(), bias.as_slice(), 1e-6);
        near(((w1 - w0) / (2.0 * h)).as_slice(), spin_bias.as_slice(), 1e-6);
    }

    #[test]
    fn s07_12_kinetic_energy_is_half_v_m_v((count, seed) in recipe()) {
        let mechanism = tree(count, seed);
        let description = mechanism.description();
        let mut rig = Rig::new(&description);
        let state = state(&rig, seed, 3.0);
        rig.at(&state);
        let expected = 0.5 * state.velocity.dot(&(rig.matrix() * state.velocity));
        near(&[rig.energies(&state)[0]], &[expected], 1e-13);
    }

    /// At rest c is the slope of the potential energy, and zero without gravity (S07-14, S07-25).
    #[test]
    fn s07_14_bias_at_rest_is_the_slope_of_the_potential((count, seed) in recipe()) {
        let mut mechanism = tree(count, seed);
        {
            let description = mechanism.description();
            let mut rig = Rig::new(&description);
            let state = state(&rig, seed, 0.0);
            rig.at(&state);
            let bias = rig.bias();
            let h = 1e-5;
            for k in 0..rig.dofs() {
                let unit = Vector::from_fn(|i, _| f64::from(i == k));
                let [after, before] = [h, -h].map(|h| {
                    let mut moved = state;
                    advance(rig.model.tree(), &mut moved.configuration, &unit, h);
                    rig.energies(&moved)[1]
                });
                prop_assert!(((after - before) / (2.0 * h) - bias[k]).abs() < 1e-6 * (1.0 + bias.amax()));
            }
        }
        mechanism.flags().gravity = false;
        let description = mechanism.description();
        let mut rig = Rig::new(&description);
        let state = state(&rig, seed, 0.0);
        rig.at(&state);
        prop_assert_eq!(rig.bias().amax(), 0.0);
    }

    /// c = Ṁ v − ½ ∂(vᵀMv)/∂q + ∂U/∂q by differences of M alone (S07-10), on trees whose velocities are rates of coordinates.
    #[test]
    fn s07_10_bias_follows_from_lagrange((count, seed) in recipe()) {
        let mut mechanism = tree(count, seed);
        for joint in &mut mechanism.joints {
            if matches!(joint.kind, JointKind::Ball | JointKind::Free) {
                *joint = Joint { kind: JointKind::Hinge, armature: 0.1, axis: [0.3, -0.5, 0.8], ..*joint };
            }
        }
        let description = mechanism.description();
        let mut rig = Rig::new(&description);
        let state = state(&rig, seed, 1.0);
        rig.at(&state);
        let (bias, v, h) = (rig.bias(), state.velocity, 1e-5);
        let [ahead, behind] = [h, -h].map(|t| {
            let moved = rig.moved(&state, &Vector::zeros(), t);
            rig.at(&moved);
            rig.matrix() * v
        });
        let mut expected = (ahead - behind) / (2.0 * h);
        for k in 0..rig.dofs() {
            let [after, before] = [h, -h].map(|h| {
                let mut moved = state;
                moved.configuration[k] += h;
                let [kinetic, potential, _] = rig.energies(&moved);
                kinetic - potential
            });
            expected[k] -= (after - before) / (2.0 * h);
        }
        near(bias.as_slice(), expected.as_slice(), 1e-6);
    }
}

/// A body that cannot move changes nothing but the potential, also when it stands first, between or last.
#[test]
fn bodies_without_joints_are_part_of_what_they_stand_on() {
    let mut mechanism = super::build::Mechanism::new();
    mechanism.body(super::build::sphere(5.0, 0.3));
    mechanism.body(Body { parent: Some(0), position: [0.0, 0.0, 1.0], ..super::build::sphere(1.0, 0.1) });
    mechanism.joint(super::build::hinge([0.0, 1.0, 0.0]));
    // Welded below, half a metre off the axis.
    mechanism.body(Body { parent: Some(1), position: [0.5, 0.0, 0.0], ..super::build::sphere(2.0, 0.1) });
    let description = mechanism.description();
    let mut rig = Rig::new(&description);
    rig.at(&rig.model.state());
    assert_eq!(rig.dofs(), 1);
    let expected = 0.4 * 0.01 + (0.4 * 2.0 * 0.01 + 2.0 * 0.25);
    near(&[rig.matrix()[(0, 0)]], &[expected], 1e-14);
    near(&[rig.bias()[0]], &[-2.0 * 9.81 * 0.5], 1e-13);
}
