//! Rows and the operator they make (WORKED W11-24 … W11-28, W11-40 … W11-43, W11-58, W12-19, W12-40 … W12-54 as rows), the order
//! S11-39, the scaling laws S11-33, and what is refused. f64 to 1e-12 of the largest number, f32 to 1e-6.

mod common;

use common::{Number, close, finished, mass, vector};
use delassus::mass::{MassError, MassMatrix};
use delassus::rows::{DiagonalScale, Kind, RowContext, RowInput, Rows, RowsError, Rule};
use delassus::scalar::{Real, dot, literal};
use delassus::softness::Softness;
use delassus::solver::{Budget, Delassus, NewtonWorkspace, SweepWorkspace, measure, newton, projected_gauss_seidel};
use nalgebra::SVector;

fn context<T: Real>(step: f64) -> RowContext<T> {
    RowContext::new(literal(step))
}

/// The shared model's softness: solref (0.02, 1), solimp (0.9, 0.95, 0.02, 0.5, 2).
fn shared<T: Real>() -> Softness<T> {
    Softness::from_mujoco([0.02, 1.0].map(literal), [0.9, 0.95, 0.02, 0.5, 2.0].map(literal)).unwrap()
}

/// The shared ball's mass matrix and free acceleration.
fn ball<T: Real>() -> (MassMatrix<T, 3>, SVector<T, 3>) {
    (mass([[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]]), vector([0.0, 0.0, -9.81]))
}

/// Rows n, t1, t2 of the shared ball, n = +z, t1 = +x, t2 = +y.
const AXES: [[f64; 3]; 3] = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

#[test]
fn w11_24_to_30_forces_of_the_rows_move_the_ball() {
    fn check<T: Number>(bound: f64) {
        let (mass, free) = ball::<T>();
        let rows: Rows<T, 3, 3> = finished(Kind::Equality, AXES, [0.0; 3], [0.0; 3]);
        let force = [20.0, -4.0, 1.0].map(literal::<T>);
        let generalized = rows.generalized_force(&force);
        close(generalized.as_slice(), &[-4.0, 1.0, 20.0], bound); // w11_24
        let mut acceleration = generalized;
        mass.solve(&mut acceleration).unwrap();
        acceleration += free;
        close(acceleration.as_slice(), &[-2.0, 0.5, 0.19], bound); // w11_25
        let mut delassus = Delassus::<T, 3>::filled(T::zero());
        delassus.form(&mass, &rows).unwrap();
        let entries: Vec<T> = (0..3).flat_map(|j| delassus.column(j).to_vec()).collect();
        close(&entries, &[0.5, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.5], bound); // w11_26
        let in_rows: Vec<T> = rows.rows().iter().map(|r| dot(r.jacobian(), acceleration.as_slice())).collect();
        let added: Vec<T> =
            (0..3).map(|i| dot(rows.rows()[i].jacobian(), free.as_slice()) + dot(delassus.column(i), &force)).collect();
        close(&in_rows, &[0.19, -2.0, 0.5], bound); // w11_28
        close(&added, &[0.19, -2.0, 0.5], bound); // w11_27
        let velocity = vector::<T, 3>([0.8, 0.0, -0.1]);
        let in_rows: Vec<T> = rows.rows().iter().map(|r| dot(r.jacobian(), velocity.as_slice())).collect();
        close(&[dot(&force, &in_rows)], &[-5.2], bound); // w11_29
        close(&[dot(generalized.as_slice(), velocity.as_slice())], &[-5.2], bound); // w11_30
    }
    check::<f64>(1e-12);
    check::<f32>(1e-6);
}

#[test]
fn w11_40_to_42_the_operator_of_coupled_sliders_and_of_the_stack() {
    fn check<T: Number>(bound: f64) {
        let sliders = mass::<T, 2>([[2.0, 0.0], [0.0, 1.0]]);
        let rows: Rows<T, 2, 2> = finished(Kind::Equality, [[-1.0, 1.0], [0.0, 1.0]], [0.0; 2], [0.0; 2]);
        let mut delassus = Delassus::<T, 2>::filled(T::zero());
        delassus.form(&sliders, &rows).unwrap();
        close(&[delassus.column(0), delassus.column(1)].concat(), &[1.5, 1.0, 1.0, 1.0], bound); // w11_40
        close(&[T::one() / delassus.column(0)[0]], &[2.0 / 3.0], bound); // w11_41
        let stack = common::stack::<T>(0.0, 0.1, [0.0; 2]);
        delassus.form(&stack.mass, &stack.rows).unwrap();
        close(&[delassus.column(0), delassus.column(1)].concat(), &[1.0, -1.0, -1.0, 2.0], bound); // w11_42
        assert!(delassus.column(2).is_empty());
    }
    check::<f64>(1e-12);
    check::<f32>(1e-6);
}

#[test]
fn w11_43_scaling_a_residual_changes_nothing_that_moves() {
    fn check<T: Number>(bound: f64) {
        let sliders = mass::<T, 2>([[2.0, 0.0], [0.0, 1.0]]);
        let free = vector::<T, 2>([4.0, -1.0]);
        let solve = |gamma: f64| {
            // a_ref -> γ a_ref, R -> γ² R
            let rows: Rows<T, 2, 1> =
                finished(Kind::Equality, [[-gamma, gamma]], [0.7 * gamma], [0.25 * gamma * gamma]);
            let mut delassus = Delassus::<T, 1>::filled(T::zero());
            delassus.form(&sliders, &rows).unwrap();
            let mut work = NewtonWorkspace::filled(T::zero());
            newton(&sliders, &free, &rows, None, &Budget::new(5, T::zero()), &mut work).unwrap();
            let f = work.force()[0];
            (delassus.column(0)[0], f, rows.generalized_force(&[f]), *work.acceleration())
        };
        let (a1, f1, generalized1, acceleration1) = solve(1.0);
        let (a3, f3, generalized3, acceleration3) = solve(3.0);
        close(&[a3, T::one() / a3], &[13.5, 0.074_074_074_074_074_1], bound); // w11_43: A, effective mass
        close(&[a1], &[1.5], bound);
        close(&[f3], &[(f1 / literal(3.0)).into()], bound); // w11_43: f -> f/γ, so 7 -> 2.333…
        close(generalized3.as_slice(), &[generalized1[0].into(), generalized1[1].into()], bound);
        close(acceleration3.as_slice(), &[acceleration1[0].into(), acceleration1[1].into()], 2.0 * bound);
    }
    check::<f64>(1e-12);
    check::<f32>(1e-6);
}

/// S11-33 with the softness itself: width, residual and velocity scale with γ, the forces with 1/γ.
#[test]
fn a_softness_scales_with_its_residual() {
    let (mass, free) = ball::<f64>();
    let solve = |gamma: f64| {
        let softness = Softness::from_mujoco([0.02, 1.0], [0.9, 0.95, 0.02 * gamma, 0.5, 2.0]).unwrap();
        let normal = vector([0.0, 0.0, gamma]);
        let mut rows = Rows::<f64, 3, 1>::new();
        let input = RowInput::new(&normal, -0.013 * gamma, -0.1 * gamma);
        rows.one_sided(&mass, &context(0.005), &softness, Kind::ContactFrictionless, &input).unwrap();
        let mut work = NewtonWorkspace::filled(0.0);
        newton(&mass, &free, &rows, None, &Budget::new(5, 0.0), &mut work).unwrap();
        (rows.generalized_force(work.force()), work.force()[0] * gamma)
    };
    let (generalized, force) = solve(1.0);
    for gamma in [1e-3, 0.5, 30.0] {
        close(solve(gamma).0.as_slice(), generalized.as_slice(), 1e-11);
        close(&[solve(gamma).1], &[force], 1e-11);
    }
}

#[test]
fn w11_58_and_59_all_kinds_at_once_obey_their_optimality() {
    // The mixed problem of W11-53 without its tendon: equality, dry friction, limit, contact on one translating ball.
    fn check<T: Number>(bound: f64) {
        let mass = mass::<T, 3>([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        let free = vector::<T, 3>([1.5, 2.25, -7.56]);
        let (context, softness) = (context(0.002), Softness::<T>::default());
        let [x, y, z]: [SVector<T, 3>; 3] = [vector([1.0, 0.0, 0.0]), vector([0.0, 1.0, 0.0]), vector([0.0, 0.0, 1.0])];
        let minus_x = -x;
        let mut rows = Rows::<T, 3, 4>::new();
        let l = literal::<T>;
        rows.equality(&mass, &context, &softness, &[RowInput::new(&y, l(0.02), l(-0.3))]).unwrap();
        let dry = RowInput::new(&x, T::zero(), l(0.4));
        rows.friction_loss(&mass, &context, &softness, Kind::JointFriction, &dry, l(1.0)).unwrap();
        let upper = RowInput::new(&minus_x, l(-0.1), l(-0.4));
        rows.one_sided(&mass, &context, &softness, Kind::JointLimit, &upper).unwrap();
        let contact = RowInput::new(&z, l(-0.01), l(-0.2));
        rows.one_sided(&mass, &context, &softness, Kind::ContactFrictionless, &contact).unwrap();
        let mut work = NewtonWorkspace::filled(T::zero());
        newton(&mass, &free, &rows, None, &Budget::new(30, T::zero()), &mut work).unwrap();
        let force = work.force();
        let mut acceleration = rows.generalized_force(force);
        mass.solve(&mut acceleration).unwrap();
        acceleration += free; // w11_58: a = a_u + M⁻¹ Jᵀ f
        close(
            work.acceleration().as_slice(),
            &[acceleration[0].into(), acceleration[1].into(), acceleration[2].into()],
            bound,
        );
        let (rules, (diagonal, residual)): (Vec<_>, (Vec<_>, Vec<_>)) = rows
            .rows()
            .iter()
            .zip(force)
            .map(|(r, f)| {
                let w = dot(r.jacobian(), acceleration.as_slice()) - r.reference() + r.regularizer() * *f;
                (r.rule(), (T::one() + r.regularizer(), w))
            })
            .unzip();
        let scale = force.iter().fold(0.0f64, |m, f| m.max((*f).into().abs()));
        // w11_59: each force equals its own projected update
        assert!(measure::force_correction(&rules, &diagonal, force, &residual).into() <= bound * scale);
    }
    check::<f64>(1e-12);
    check::<f32>(1e-5);
}

#[test]
fn w12_40_to_50_the_normal_row_of_the_shared_ball() {
    fn check<T: Number>(bound: f64) {
        let (mass, free) = ball::<T>();
        let normal = vector([0.0, 0.0, 1.0]);
        let mut rows = Rows::<T, 3, 1>::new();
        let input = RowInput::new(&normal, literal(-0.03), literal(-0.1)); // w12_40
        rows.one_sided(&mass, &context(0.005), &shared(), Kind::ContactFrictionless, &input).unwrap();
        close(&[rows.rows()[0].reference()], &[1700.0 / 19.0], bound); // w12_42, w12_43
        close(&[rows.rows()[0].regularizer()], &[1.0 / 38.0], 2.0 * bound); // w12_44
        let mut work = NewtonWorkspace::filled(T::zero());
        newton(&mass, &free, &rows, None, &Budget::new(5, T::zero()), &mut work).unwrap();
        close(work.force(), &[188.639], bound); // w12_46
        close(&[work.acceleration()[2]], &[84.5095], bound); // w12_47
        let mut swept = SweepWorkspace::filled(T::zero());
        projected_gauss_seidel(&mass, &free, &rows, None, &Budget::new(5, T::zero()), &mut swept).unwrap();
        close(swept.force(), &[188.639], bound);
    }
    check::<f64>(1e-12);
    check::<f32>(1e-6);
}

#[test]
fn w12_19_a_row_without_inverse_inertia_is_hard_on_the_dual_side() {
    let (mass, free) = ball::<f64>();
    let normal = vector([0.0, 0.0, 1.0]);
    let mut rows = Rows::<f64, 3, 1>::new();
    let input = RowInput { scale: DiagonalScale::Given(0.0), ..RowInput::new(&normal, -0.03, -0.1) };
    rows.one_sided(&mass, &context(0.005), &shared(), Kind::ContactFrictionless, &input).unwrap();
    assert_eq!(rows.rows()[0].regularizer(), 1e-15);
    let mut work = SweepWorkspace::filled(0.0);
    projected_gauss_seidel(&mass, &free, &rows, None, &Budget::new(5, 0.0), &mut work).unwrap();
    close(&[work.acceleration()[2]], &[89.473_684_210_526_1], 1e-12);
}

#[test]
fn w12_51_leaving_fast_enough_there_is_no_force() {
    let (mass, free) = ball::<f64>();
    let normal = vector([0.0, 0.0, 1.0]);
    let mut rows = Rows::<f64, 3, 1>::new();
    let input = RowInput::new(&normal, -0.001, 1.0);
    rows.one_sided(&mass, &context(0.005), &shared(), Kind::ContactFrictionless, &input).unwrap();
    let mut work = NewtonWorkspace::filled(0.0);
    newton(&mass, &free, &rows, None, &Budget::new(5, 0.0), &mut work).unwrap();
    assert_eq!((work.force()[0], work.acceleration()[2]), (0.0, -9.81));
}

#[test]
fn w12_52_and_53_curvature_and_the_two_ends_of_the_regularizer() {
    let (mass, free) = ball::<f64>();
    let normal = vector([0.0, 0.0, 1.0]);
    let mut rows = Rows::<f64, 3, 1>::new();
    let input = RowInput { curvature: 2.5, ..RowInput::new(&normal, -0.03, -0.1) };
    rows.one_sided(&mass, &context(0.005), &shared(), Kind::ContactFrictionless, &input).unwrap();
    close(&[rows.rows()[0].reference()], &[86.973_684_210_526_3], 1e-12); // w12_52
    for (regularizer, expected) in [(1e-13, 89.473_684_210_506_4), (1e13, -9.809_999_999_995_04)] {
        let rows: Rows<f64, 3, 1> = finished(Kind::Equality, [AXES[0]], [1700.0 / 19.0], [regularizer]);
        let mut work = SweepWorkspace::filled(0.0);
        projected_gauss_seidel(&mass, &free, &rows, None, &Budget::new(9, 0.0), &mut work).unwrap();
        close(&[work.acceleration()[2]], &[expected], 1e-12); // w12_53
    }
}

#[test]
fn w12_54_identical_rows_share_the_force() {
    let (mass, free) = ball::<f64>();
    let target = 1700.0 / 19.0;
    let rows: Rows<f64, 3, 2> = finished(Kind::Equality, [AXES[0]; 2], [target; 2], [1.0 / 38.0; 2]);
    let mut work = NewtonWorkspace::filled(0.0);
    newton(&mass, &free, &rows, None, &Budget::new(9, 0.0), &mut work).unwrap();
    close(work.force(), &[96.737_948_717_948_7; 2], 1e-11); // condition number 39
}

#[test]
fn w12_70_a_connect_shares_the_impedance_of_its_norm() {
    let (mass, _) = ball::<f64>();
    let axes = AXES.map(vector::<f64, 3>);
    let mut rows = Rows::<f64, 3, 3>::new();
    let group =
        [RowInput::new(&axes[0], 0.006, 0.1), RowInput::new(&axes[1], 0.0, 0.2), RowInput::new(&axes[2], 0.008, 0.0)];
    rows.equality(&mass, &context(0.002), &shared(), &group).unwrap();
    let references: Vec<f64> = rows.rows().iter().map(|r| r.reference()).collect();
    close(&references, &[-25.900_277_008_310_3, -21.052_631_578_947_4, -20.498_614_958_448_8], 1e-12);
    let regularizers: Vec<f64> = rows.rows().iter().map(|r| r.regularizer()).collect();
    close(&regularizers, &[0.075 / 0.925 * 0.5; 3], 1e-12);
}

#[test]
fn w12_73_dry_friction_has_no_position_part_and_stays_at_its_loss() {
    let mass = mass::<f64, 1>([[1.0]]);
    let along = vector([1.0]);
    let mut rows = Rows::<f64, 1, 1>::new();
    let softness = Softness::from_mujoco([0.02, 1.0], [0.9, 0.95, 0.001, 0.5, 2.0]).unwrap();
    // The residual must not count.
    let input = RowInput::new(&along, 123.0, 0.3);
    rows.friction_loss(&mass, &context(0.002), &softness, Kind::JointFriction, &input, 3.0).unwrap();
    close(&[rows.rows()[0].reference()], &[-31.578_947_368_421_1], 1e-12);
    let mut work = NewtonWorkspace::filled(0.0);
    newton(&mass, &vector([0.0]), &rows, None, &Budget::new(9, 0.0), &mut work).unwrap();
    assert_eq!(work.force(), [-3.0]);
}

#[test]
fn w15_63_projection_of_a_trial_force_by_kind_of_row() {
    let rules = [Rule::Free, Rule::Interval { loss: 3.0 }, Rule::NonNegative];
    let projected = rules.map(|rule| [7.0, -7.0].map(|trial| delassus::solver::law::project(rule, trial)));
    assert_eq!(projected, [[7.0, -7.0], [3.0, -3.0], [7.0, 0.0]]);
}

#[test]
fn s11_39_rows_come_in_order_or_not_at_all() {
    let order = [
        Kind::Equality,
        Kind::JointFriction,
        Kind::TendonFriction,
        Kind::JointLimit,
        Kind::TendonLimit,
        Kind::ContactFrictionless,
    ];
    let one = vector::<f64, 1>([1.0]);
    for (i, first) in order.iter().enumerate() {
        for (j, second) in order.iter().enumerate() {
            let mut rows = Rows::<f64, 1, 2>::new();
            rows.finished(*first, common::rule_of(*first, 1.0), &one, 0.0, 0.1).unwrap();
            let result = rows.finished(*second, common::rule_of(*second, 1.0), &one, 0.0, 0.1);
            assert_eq!(result, if j < i { Err(RowsError::OutOfOrder { row: 1 }) } else { Ok(()) });
        }
    }
}

#[test]
fn a_refused_block_leaves_the_rows_as_they_were() {
    let (mass, _) = ball::<f64>();
    let (context, softness) = (context(0.005), shared());
    let axes = AXES.map(vector::<f64, 3>);
    let mut rows = Rows::<f64, 3, 4>::new();
    rows.equality(&mass, &context, &softness, &[RowInput::new(&axes[0], 0.0, 0.0)]).unwrap();
    let nan = vector([f64::NAN, 0.0, 0.0]);
    let bad_last =
        [RowInput::new(&axes[0], 0.0, 0.0), RowInput::new(&axes[1], 0.0, 0.0), RowInput::new(&nan, 0.0, 0.0)];
    assert_eq!(rows.equality(&mass, &context, &softness, &bad_last), Err(RowsError::NotFinite { row: 3 }));
    let four = [bad_last[0], bad_last[0], bad_last[0], bad_last[0]];
    assert_eq!(rows.equality(&mass, &context, &softness, &four), Err(RowsError::TooManyRows { capacity: 4 }));
    assert_eq!(rows.equality(&mass, &context, &softness, &[]), Err(RowsError::BadBlock { row: 1 }));
    for (input, error) in [
        (RowInput::new(&axes[0], f64::NAN, 0.0), RowsError::NotFinite { row: 1 }),
        (RowInput::new(&axes[0], 0.0, f64::INFINITY), RowsError::NotFinite { row: 1 }),
        (RowInput { curvature: f64::NAN, ..RowInput::new(&axes[0], 0.0, 0.0) }, RowsError::NotFinite { row: 1 }),
        (
            RowInput { scale: DiagonalScale::Given(f64::NAN), ..RowInput::new(&axes[0], 0.0, 0.0) },
            RowsError::NotFinite { row: 1 },
        ),
        (
            RowInput { scale: DiagonalScale::Given(-1.0), ..RowInput::new(&axes[0], 0.0, 0.0) },
            RowsError::Negative { row: 1 },
        ),
    ] {
        assert_eq!(rows.one_sided(&mass, &context, &softness, Kind::JointLimit, &input), Err(error));
    }
    let good = RowInput::new(&axes[0], 0.0, 0.0);
    for (loss, error) in [(-1.0, RowsError::Negative { row: 1 }), (f64::NAN, RowsError::NotFinite { row: 1 })] {
        assert_eq!(rows.friction_loss(&mass, &context, &softness, Kind::JointFriction, &good, loss), Err(error));
    }
    let wrong = rows.friction_loss(&mass, &context, &softness, Kind::JointLimit, &good, 1.0);
    assert_eq!(wrong, Err(RowsError::BadBlock { row: 1 }));
    assert_eq!(rows.one_sided(&mass, &context, &softness, Kind::Equality, &good), Err(RowsError::BadBlock { row: 1 }));
    let rule = Rule::NonNegative;
    assert_eq!(rows.finished(Kind::Equality, rule, &axes[0], 0.0, 0.1), Err(RowsError::BadBlock { row: 1 }));
    assert_eq!(rows.finished(Kind::JointLimit, rule, &axes[0], 0.0, -0.1), Err(RowsError::Negative { row: 1 }));
    let unset = MassMatrix::<f64, 3>::filled(0.0);
    let not_ready = Err(RowsError::Mass(MassError::NotReady));
    assert_eq!(rows.one_sided(&unset, &context, &softness, Kind::JointLimit, &good), not_ready);
    assert_eq!(rows.len(), 1);
}
