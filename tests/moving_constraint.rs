//! A point on a circle whose centre moves (W07-40 … W07-43): a constraint that depends on time, at its three levels, as an equality row.
//!
//! φ = ½ (|ρ|² − L²) with ρ = x − c(t), u = ẋ: φ' = ρ·(u − ċ), φ'' = ρ·a − ρ·c̈ + |u − ċ|². So J = ρᵀ; what the row takes as velocity is
//! φ', and as curvature all of φ'' that does not come from a.

mod common;

use common::{Number, close, mass, vector};
use delassus::rows::{RowContext, RowInput, Rows};
use delassus::scalar::{dot, literal};
use delassus::softness::Softness;
use delassus::solver::{ProjectionWorkspace, gauss_projection};
use nalgebra::{SVector, Vector2};

const LENGTH: f64 = 1.0;

/// c = (0.3 t², 0), ċ and c̈.
fn centre(t: f64) -> [Vector2<f64>; 3] {
    [Vector2::new(0.3 * t * t, 0.0), Vector2::new(0.6 * t, 0.0), Vector2::new(0.6, 0.0)]
}

/// x, u and the acceleration of θ = 0.3 + 1.2 t + ¼ t² about the centre.
fn motion(t: f64, moving: bool) -> ([Vector2<f64>; 3], [Vector2<f64>; 3]) {
    let c = if moving { centre(t) } else { [Vector2::zeros(); 3] };
    let (angle, rate, acceleration) = (0.3 + 1.2 * t + 0.25 * t * t, 1.2 + 0.5 * t, 0.5);
    let (s, k) = angle.sin_cos();
    let (along, across) = (Vector2::new(k, s), Vector2::new(-s, k));
    let a = c[2] + (across * acceleration - along * (rate * rate)) * LENGTH;
    ([c[0] + along * LENGTH, c[1] + across * (rate * LENGTH), a], c)
}

/// The acceleration nearest to `free` in the mass metric that keeps the row; J of it; the row's residual and velocity.
fn kept<T: Number>(x: [Vector2<f64>; 2], c: [Vector2<f64>; 3], m: [f64; 2], free: [f64; 2]) -> (SVector<T, 2>, [T; 3]) {
    let (rho, u) = (x[0] - c[0], x[1] - c[1]);
    let product = |a: &Vector2<f64>, b: &Vector2<f64>| dot(a.as_slice(), b.as_slice());
    let residual = 0.5 * (product(&rho, &rho) - LENGTH * LENGTH);
    let velocity = product(&rho, &u);
    let curvature = product(&u, &u) - product(&rho, &c[2]);
    let mass = mass::<T, 2>([[m[0], 0.0], [0.0, m[1]]]);
    let jacobian = vector::<T, 2>([rho[0], rho[1]]);
    let softness = Softness::from_mujoco([0.02, 1.0].map(literal), [0.9, 0.95, 0.001, 0.5, 2.0].map(literal)).unwrap();
    let mut rows = Rows::<T, 2, 1>::new();
    let input = RowInput {
        curvature: literal(curvature),
        ..RowInput::new(&jacobian, literal::<T>(residual), literal::<T>(velocity))
    };
    rows.equality(&mass, &RowContext::new(literal(0.002)), &softness, &[input]).unwrap();
    let mut work = ProjectionWorkspace::<T, 2, 1>::filled(T::zero());
    gauss_projection(&mass, &vector(free), &rows, &mut work).unwrap();
    let reached = dot(jacobian.as_slice(), work.acceleration().as_slice());
    (*work.acceleration(), [reached, literal(residual), literal(velocity)])
}

/// Whatever the masses and the free acceleration, J a comes out as the row wants it.
#[test]
fn w07_40_to_42_a_circle_whose_centre_moves_and_one_whose_centre_stands() {
    fn check<T: Number>(bound: f64) {
        for (m, free) in [([1.0, 1.0], [0.0, -9.81]), ([2.0, 0.3], [5.0, 1.0])] {
            let (x, c) = motion(0.7, true);
            let (_, [reached, residual, velocity]) = kept::<T>([x[0], x[1]], c, m, free);
            close(&[reached], &[-2.220_438_562_404_18], bound); // w07_40
            close(&[velocity + T::one(), residual + T::one()], &[1.0; 2], bound); // w07_41
            let (x, c) = motion(0.7, false);
            let (_, [reached, ..]) = kept::<T>([x[0], x[1]], c, m, free);
            close(&[reached], &[-2.4025], bound); // w07_42
        }
    }
    check::<f64>(1e-13);
    check::<f32>(2e-6);
}

#[test]
fn w07_43_centripetal_acceleration_on_a_fixed_circle() {
    fn check<T: Number>(bound: f64) {
        // x = (2, 0) on a circle with L = 2, u = (0, 3): φ = φ' = 0, J = xᵀ, curvature |u|² = 9.
        let mass = mass::<T, 2>([[3.0, 0.0], [0.0, 3.0]]);
        let jacobian = vector::<T, 2>([2.0, 0.0]);
        let softness =
            Softness::from_mujoco([0.02, 1.0].map(literal), [0.9, 0.95, 0.001, 0.5, 2.0].map(literal)).unwrap();
        let mut rows = Rows::<T, 2, 1>::new();
        let input = RowInput { curvature: literal(9.0), ..RowInput::new(&jacobian, T::zero(), T::zero()) };
        rows.equality(&mass, &RowContext::new(literal(0.002)), &softness, &[input]).unwrap();
        let mut work = ProjectionWorkspace::<T, 2, 1>::filled(T::zero());
        gauss_projection(&mass, &vector([0.0, 0.0]), &rows, &mut work).unwrap();
        close(work.acceleration().as_slice(), &[-4.5, 0.0], bound);
    }
    check::<f64>(1e-14);
    check::<f32>(1e-6);
}

/// The three levels belong together: along the motion φ stays zero, and so do its first and second difference; the row's acceleration
/// with the motion's own as the free one is the motion's own.
#[test]
fn w07_40_the_three_levels_are_one_constraint() {
    let phi = |t: f64| {
        let (x, c) = motion(t, true);
        let rho = x[0] - c[0];
        0.5 * (rho[0] * rho[0] + rho[1] * rho[1] - LENGTH * LENGTH)
    };
    let h = 1e-4;
    assert!(phi(0.7).abs() < 1e-15 && ((phi(0.7 + h) - phi(0.7 - h)) / (2.0 * h)).abs() < 1e-11);
    assert!(((phi(0.7 + h) - 2.0 * phi(0.7) + phi(0.7 - h)) / (h * h)).abs() < 1e-6);
    let (x, c) = motion(0.7, true);
    let (a, _) = kept::<f64>([x[0], x[1]], c, [2.0, 0.3], [x[2][0], x[2][1]]);
    close(a.as_slice(), x[2].as_slice(), 1e-13);
    // x'' by differences, so that the formula of the motion is not its own judge.
    let (before, after) = (motion(0.7 - h, true).0[0], motion(0.7 + h, true).0[0]);
    close(x[2].as_slice(), ((before + after - 2.0 * x[0]) / (h * h)).as_slice(), 1e-6);
}

/// Off the circle the row's softness pulls back by the free motion φ'' = −B φ' − K d φ (S12-03), centre moving or not.
#[test]
fn w07_40_off_the_circle_the_residual_follows_its_reference() {
    let (x, c) = motion(0.7, true);
    let moved = [x[0] * 1.001, x[1] + Vector2::new(0.02, 0.01)];
    let (a, [_, residual, velocity]) = kept::<f64>(moved, c, [1.0, 2.0], [1.0, -9.81]);
    let (rho, u) = (moved[0] - c[0], moved[1] - c[1]);
    let second = rho[0] * (a[0] - c[2][0]) + rho[1] * (a[1] - c[2][1]) + u[0] * u[0] + u[1] * u[1];
    // K = 1/(0.95 · 0.02)², B = 2/(0.95 · 0.02) (S12-19).
    assert!(residual.abs() > 0.0 && velocity.abs() > 0.01);
    let d = shared_impedance(residual);
    let wanted = -2.0 / 0.019 * velocity - d * residual / (0.019 * 0.019);
    close(&[second], &[wanted], 1e-11);
}

/// d of solimp (0.9, 0.95, 0.001, 0.5, 2): the two parabolas of S12-31.
fn shared_impedance(residual: f64) -> f64 {
    let x = (residual.abs() / 0.001).min(1.0);
    let y = if x <= 0.5 { 2.0 * x * x } else { 1.0 - 2.0 * (1.0 - x) * (1.0 - x) };
    0.9 + 0.05 * y
}
