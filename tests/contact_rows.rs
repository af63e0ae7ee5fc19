//! What the rows of a contact carry (WORKED W11-34, W11-35, W11-39, W12-75, W12-83), and the ten edges of a pyramid of dimension 6
//! (W15-65) with the engine's numbers: MuJoCo 3.10.0, Newton, tolerance 0.

mod common;

use common::{Number, close, mass, vector};
use delassus::cone::pyramid::recombine;
use delassus::mass::MassMatrix;
use delassus::rows::{DiagonalScale, RowContext, RowInput, Rows};
use delassus::scalar::{Real, dot, literal};
use delassus::softness::Softness;
use delassus::solver::{
    Budget, ConjugateGradientWorkspace, Measure, NewtonWorkspace, SweepWorkspace, Variant, conjugate_gradient, newton,
    projected_gauss_seidel,
};
use nalgebra::SVector;

const FRICTION: [f64; 5] = [0.6, 0.6, 0.005, 1e-4, 1e-4];

/// The rows of a contact of dimension 6.
type SixRows<'a, T> = [RowInput<'a, T, 6>; 6];

/// The ball's sphere, 2 kg, 0.2 m, spinning freely: v (world) and ω.
fn sphere<T: Real>() -> MassMatrix<T, 6> {
    let mut entries = [[0.0; 6]; 6];
    for i in 0..6 {
        entries[i][i] = if i < 3 { 2.0 } else { 0.032 };
    }
    mass(entries)
}

fn shared<T: Real>() -> Softness<T> {
    Softness::from_mujoco([0.02, 1.0].map(literal), [0.9, 0.95, 0.02, 0.5, 2.0].map(literal)).unwrap()
}

/// W11-37: n = z, t1 = y, t2 = −x at the arm (0, 0, −0.195), then the same axes for rotation.
fn jacobian<T: Real>() -> [SVector<T, 6>; 6] {
    [
        vector([0.0, 0.0, 1.0, 0.0, 0.0, 0.0]),
        vector([0.0, 1.0, 0.0, 0.195, 0.0, 0.0]),
        vector([-1.0, 0.0, 0.0, 0.0, 0.195, 0.0]),
        vector([0.0, 0.0, 0.0, 0.0, 0.0, 1.0]),
        vector([0.0, 0.0, 0.0, 0.0, 1.0, 0.0]),
        vector([0.0, 0.0, 0.0, -1.0, 0.0, 0.0]),
    ]
}

/// Six contact rows at a velocity; the residual only in the first, as the engine stores it: −0.01 m less the margin of 0.02 m.
fn contact<'a, T: Real, const NV: usize>(
    jacobian: &'a [SVector<T, NV>; 6],
    velocity: [f64; NV],
    friction_residual: f64,
) -> [RowInput<'a, T, NV>; 6] {
    let v = vector::<T, NV>(velocity);
    core::array::from_fn(|i| RowInput {
        // The engine's inverse body weights: 1/m, and 1/I of the sphere.
        scale: DiagonalScale::Given(literal(if i < 3 { 0.5 } else { 1.0 / 0.032 })),
        ..RowInput::new(
            &jacobian[i],
            literal(if i == 0 { -0.03 } else { friction_residual }),
            dot(jacobian[i].as_slice(), v.as_slice()),
        )
    })
}

fn pyramid<T: Real>(contact: &SixRows<'_, T>) -> Rows<T, 6, 10> {
    let mut rows = Rows::new();
    let friction = FRICTION.map(literal);
    rows.pyramid(&sphere(), &RowContext::new(literal(0.005)), &shared(), contact, &friction).unwrap();
    rows
}

/// Worst of f < 0, w < 0 and f w ≠ 0 in f64, w = J a − a_ref + R f (W15-65), beside the terms of w.
fn violation<T: Number>(rows: &Rows<T, 6, 10>, force: &[T]) -> f64 {
    let force: Vec<f64> = force.iter().map(|f| (*f).into()).collect();
    let mut a = [0.0, 0.0, -9.81, 0.0, 0.0, 0.0];
    for (row, f) in rows.rows().iter().zip(&force) {
        for (i, j) in row.jacobian().iter().enumerate() {
            a[i] += Into::<f64>::into(*j) * f / if i < 3 { 2.0 } else { 0.032 };
        }
    }
    let mut worst = 0.0f64;
    for (row, f) in rows.rows().iter().zip(&force) {
        let j: Vec<f64> = row.jacobian().iter().map(|x| (*x).into()).collect();
        let (reference, r): (f64, f64) = (row.reference().into(), row.regularizer().into());
        let w = (dot(&j, &a) - reference + r * f) / (reference.abs() + 9.81);
        worst = worst.max(-f).max(-w).max((f / 100.0 * w).abs());
    }
    worst
}

#[test]
fn w15_65_ten_edges_of_a_pyramid_meet_the_optimality_conditions() {
    fn check<T: Number>(bound: f64) {
        let spinning = [
            0.0,
            69.515_102_240_551_64,
            41.104_703_699_261_1,
            0.0,
            0.0,
            64.974_746_465_135_55,
            4.269_959_458_552_918,
            7.070_337_772_542_825,
            5.092_318_010_688_825_5,
            6.247_979_220_406_944,
        ];
        let sliding = [
            14.682_627_134_231_73,
            14.682_627_134_231_73,
            80.349_655_110_891_48,
            0.0,
            14.682_627_134_231_73,
            14.682_627_134_231_73,
            13.542_583_277_353_332,
            15.822_670_991_110_13,
            14.682_627_134_231_73,
            14.682_627_134_231_73,
        ];
        let spin = [-12.331_411_109_778_33, -20.854_530_672_165_49, 89.327_573_433_569_88];
        let slide = [-24.104_896_533_267_44, 0.0, 89.095_336_092_372_65];
        for (velocity, force, acceleration) in
            [([0.8, 0.0, -0.1, 0.0, 0.0, 0.0], sliding, slide), ([0.8, 0.5, -0.1, 1.0, 2.0, 3.0], spinning, spin)]
        {
            let jacobian = jacobian();
            let rows = pyramid::<T>(&contact(&jacobian, velocity, 0.0));
            let (mass, free) = (sphere(), vector([0.0, 0.0, -9.81, 0.0, 0.0, 0.0]));
            let mut work = NewtonWorkspace::filled(T::zero());
            newton(&mass, &free, &rows, None, &Budget::new(50, T::zero()), &mut work).unwrap();
            close(work.force(), &force, bound);
            close(&work.acceleration().as_slice()[..3], &acceleration, bound);
            assert!(violation(&rows, work.force()) <= bound);
            let mut gradients = ConjugateGradientWorkspace::filled(T::zero());
            let budget = Budget { line_search: 4000, ..Budget::new(500, T::zero()) };
            conjugate_gradient(&mass, &free, &rows, None, Variant::default(), &budget, &mut gradients).unwrap();
            close(gradients.force(), &force, bound);
            assert!(violation(&rows, gradients.force()) <= bound);
            let mut swept = SweepWorkspace::filled(T::zero());
            let budget = Budget { measure: Measure::ForceCorrection, ..Budget::new(2000, T::zero()) };
            projected_gauss_seidel(&mass, &free, &rows, None, &budget, &mut swept).unwrap();
            close(swept.force(), &force, bound);
            assert!(violation(&rows, swept.force()) <= bound);
            // The contact force is inside its pyramid: Σ |f_j|/μ_j ≤ f_n.
            let mut contact = [T::zero(); 6];
            recombine(work.force(), &FRICTION.map(literal::<T>), &mut contact);
            let [normal, ..] = contact.map(Into::<f64>::into);
            let used: f64 = contact[1..].iter().zip(FRICTION).map(|(f, mu)| Into::<f64>::into(*f).abs() / mu).sum();
            assert!(used <= normal * (1.0 + bound));
        }
    }
    check::<f64>(1e-10);
    check::<f32>(1e-4);
}

/// Every edge carries the normal's residual and position part, whatever the residuals of the friction rows: at rest all have the same
/// a_ref, K d 0.03 (W12-75: K = 2770, B = 105), and each edge's own speed enters by B.
#[test]
fn w11_34_and_w12_75_every_edge_carries_the_normals_residual() {
    let (stiffness, damping) = (2_770.083_102_493_07, 105.263_157_894_737);
    let jacobian = jacobian();
    for friction_residual in [0.0, 0.7] {
        let rows = pyramid::<f64>(&contact(&jacobian, [0.0; 6], friction_residual));
        for row in rows.rows() {
            close(&[row.reference()], &[stiffness * 0.95 * 0.03], 1e-12);
        }
    }
    let velocity = [0.8, 0.5, -0.1, 1.0, 2.0, 3.0];
    let rows = pyramid::<f64>(&contact(&jacobian, velocity, 0.0));
    for row in rows.rows() {
        let speed = dot(row.jacobian(), &velocity);
        close(&[row.reference()], &[stiffness * 0.95 * 0.03 - damping * speed], 1e-12);
    }
}

/// In an elliptic contact only the normal row has a position part; residuals of the friction rows do not count.
#[test]
fn w11_35_friction_rows_of_an_elliptic_contact_have_no_position_part() {
    let jacobian = jacobian();
    for friction_residual in [0.0, 0.7] {
        let mut rows = Rows::<f64, 6, 6, 1>::with_cones();
        let contact = contact(&jacobian, [0.0; 6], friction_residual);
        rows.elliptic(&sphere(), &RowContext::new(0.005), &shared(), None, &contact, &FRICTION).unwrap();
        let references: Vec<f64> = rows.rows().iter().map(|row| row.reference()).collect();
        close(&references, &[2_770.083_102_493_07 * 0.95 * 0.03, 0.0, 0.0, 0.0, 0.0, 0.0], 1e-12);
    }
}

/// W12-83: the engine stores R d/(1 − d) as the diagonal; with impratio 5 it is 0.09792 on every edge.
#[test]
fn w12_83_a_b_what_the_engine_stores_as_the_diagonal_of_an_edge() {
    let jacobian = jacobian();
    for (impratio, diagonal) in [(1.0, 0.4896), (5.0, 0.09792)] {
        let context = RowContext { impedance_ratio: impratio, ..RowContext::new(0.005) };
        let mut rows = Rows::<f64, 6, 10>::new();
        rows.pyramid(&sphere(), &context, &shared(), &contact(&jacobian, [0.0; 6], 0.0), &FRICTION).unwrap();
        for row in rows.rows() {
            close(&[row.regularizer() * 0.95 / 0.05], &[diagonal], 1e-12);
        }
    }
}

/// Three slides and a contact of dimension 6: the angular rows of the Jacobian vanish, carry no force and disturb nobody.
#[test]
fn w11_39_angular_rows_without_rotational_freedom_carry_nothing() {
    fn check<T: Number>(bound: f64) {
        let mass = mass::<T, 3>([[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]]);
        let (free, none) = (vector([0.0, 0.0, -9.81]), vector([0.0; 3]));
        let jacobian = [vector([0.0, 0.0, 1.0]), vector([1.0, 0.0, 0.0]), vector([0.0, 1.0, 0.0]), none, none, none];
        let contact = contact(&jacobian, [0.8, 0.0, -0.1], 0.0);
        let mut rows = Rows::<T, 3, 6, 1>::with_cones();
        let friction = FRICTION.map(literal);
        rows.elliptic(&mass, &RowContext::new(literal(0.005)), &shared(), None, &contact, &friction).unwrap();
        let force = [209.293_382_352_941, -125.576_029_411_765, 0.0, 0.0, 0.0, 0.0]; // W12-85
        let mut work = NewtonWorkspace::filled(T::zero());
        newton(&mass, &free, &rows, None, &Budget::new(30, T::zero()), &mut work).unwrap();
        close(work.force(), &force, bound);
        let mut swept = SweepWorkspace::filled(T::zero());
        projected_gauss_seidel(&mass, &free, &rows, None, &Budget::new(5, T::zero()), &mut swept).unwrap();
        close(swept.force(), &force, bound);
        assert!(work.force()[3..].iter().chain(&swept.force()[3..]).all(|f| *f == T::zero()));
    }
    check::<f64>(1e-12);
    check::<f32>(4e-6);
}
