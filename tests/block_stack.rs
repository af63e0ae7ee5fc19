//! The block stack of the reference text, solved by every method (WORKED W15-01 … W15-39, W15-50 … W15-59): f64 to 1e-12 of the
//! largest number of a row, f32 to 1e-5 where f32 is asked.

mod common;

use common::{Number, Path, Stack, close, stack, vector};
use delassus::reference::shuffled::{Shuffle, ShuffledWorkspace, shuffled_sweeps};
use delassus::reference::{BacktrackingWorkspace, backtracking_newton};
use delassus::rows::Rule;
use delassus::scalar::Real;
use delassus::solver::{
    Budget, ConjugateGradientWorkspace, Delassus, DelassusWorkspace, Measure, NewtonWorkspace, Observer,
    Preconditioner, Report, Stop, SweepWorkspace, Update, Variant, WarmStart, conjugate_gradient_observed, measure,
    newton, newton_observed, projected_gauss_seidel, projected_gauss_seidel_observed,
    projected_gauss_seidel_with_delassus, projected_gauss_seidel_with_delassus_observed,
};

const A: [[f64; 2]; 2] = [[1.0, -1.0], [-1.0, 2.0]];

fn sweeps<T: Real>(iterations: u16, tolerance: f64) -> Budget<T> {
    Budget { measure: Measure::ForceCorrection, ..Budget::new(iterations, delassus::scalar::literal(tolerance)) }
}

/// The hard stack's residual, measure and objective at forces f, straight from A and b.
fn at(f: &[f64], b: [f64; 2], regularizer: f64) -> (f64, f64) {
    let w: Vec<f64> = (0..2).map(|i| b[i] + regularizer * f[i] + (0..2).map(|j| A[i][j] * f[j]).sum::<f64>()).collect();
    let diagonal = [A[0][0] + regularizer, A[1][1] + regularizer];
    let correction = measure::force_correction(&[Rule::NonNegative; 2], &diagonal, f, &w);
    let objective = (0..2).map(|i| 0.5 * f[i] * (w[i] + b[i])).sum();
    (correction, objective)
}

#[test]
fn w15_01_hard_support_carries_both_weights() {
    fn check<T: Number>(bound: f64) {
        let Stack { mass, free, rows } = stack::<T>(0.0, 0.0, [0.0; 2]);
        let mut work = SweepWorkspace::filled(T::zero());
        projected_gauss_seidel(&mass, &free, &rows, None, &sweeps(60, 0.0), &mut work).unwrap();
        close(work.force(), &[20.0, 10.0], bound);
        let mut formed = DelassusWorkspace::filled(T::zero());
        projected_gauss_seidel_with_delassus(&mass, &free, &rows, None, &sweeps(60, 0.0), &mut formed).unwrap();
        close(formed.force(), &[20.0, 10.0], bound);
        assert!(formed.acceleration().amax().into() < 20.0 * bound);
    }
    check::<f64>(1e-12);
    check::<f32>(1e-6);
}

#[test]
fn w15_02_to_05_the_operator_and_the_offset() {
    let Stack { mass, free, rows } = stack::<f64>(0.0, 0.0, [0.0; 2]);
    let jacobians: Vec<f64> = rows.rows().iter().flat_map(|r| *r.jacobian()).collect();
    close(&jacobians, &[1.0, 0.0, -1.0, 1.0], 0.0); // w15_02
    let mut delassus = Delassus::<f64, 2>::filled(0.0);
    delassus.form(&mass, &rows).unwrap();
    close(delassus.column(0), &A[0], 0.0); // w15_03
    close(delassus.column(1), &A[1], 0.0);
    let gaps: Vec<f64> = rows.rows().iter().map(|r| delassus::scalar::dot(r.jacobian(), free.as_slice())).collect();
    close(&gaps, &[-10.0, 0.0], 0.0); // w15_04, w15_05: aref = 0, so b is the free gap acceleration
}

/// The six printed row updates: forces, accelerations, measure, objective.
const UPDATES: [[f64; 6]; 6] = [
    [10.0, 0.0, 0.0, -10.0, 5.0, -50.0],        // w15_10
    [10.0, 5.0, -5.0, -5.0, 5.0, -75.0],        // w15_11
    [15.0, 5.0, 0.0, -5.0, 2.5, -87.5],         // w15_12
    [15.0, 7.5, -2.5, -2.5, 2.5, -93.75],       // w15_13
    [17.5, 7.5, 0.0, -2.5, 1.25, -96.875],      // w15_14
    [17.5, 8.75, -1.25, -1.25, 1.25, -98.4375], // w15_15
];

fn visited<T: Number>(with_delassus: bool, pull: f64, regularizer: f64, iterations: u16) -> (Path, Report<T>) {
    let Stack { mass, free, rows } = stack::<T>(pull, regularizer, [0.0; 2]);
    let mut path = Path::default();
    let budget = sweeps(iterations, 0.0);
    let report = if with_delassus {
        let mut work = DelassusWorkspace::filled(T::zero());
        projected_gauss_seidel_with_delassus_observed(&mass, &free, &rows, None, &budget, &mut work, &mut path)
    } else {
        let mut work = SweepWorkspace::filled(T::zero());
        projected_gauss_seidel_observed(&mass, &free, &rows, None, &budget, &mut work, &mut path)
    };
    (path, report.unwrap())
}

#[test]
fn w15_10_to_15_every_row_update_is_the_printed_one() {
    fn check<T: Number>(with_delassus: bool) {
        let (path, report) = visited::<T>(with_delassus, 0.0, 0.0, 3);
        assert_eq!((report.stop, report.iterations, path.visits.len()), (Stop::BudgetSpent, 3, 6));
        for (update, ((row, force), printed)) in path.visits.iter().zip(UPDATES).enumerate() {
            assert_eq!(*row, update % 2);
            close(force, &printed[..2], 1e-12);
            close(&[-10.0 + force[0] - force[1], -10.0 + force[1]], &printed[2..4], 1e-12);
            let (correction, objective) = at(force, [-10.0, 0.0], 0.0);
            close(&[correction, objective], &printed[4..], 1e-12);
        }
    }
    // All numbers of this path are short binary fractions but for the floor 1e-15 in H, so f32 has them exactly as well.
    check::<f64>(false);
    check::<f64>(true);
    check::<f32>(false);
    check::<f32>(true);
}

#[test]
fn w15_16_and_w15_1c_the_measure_before_the_first_update() {
    assert_eq!(at(&[0.0, 0.0], [-10.0, 0.0], 0.0).0, 10.0); // w15_16
    assert_eq!(at(&[18.0, 9.0], [-10.0, 0.0], 0.0).0, 1.0); // w15_1c
}

#[test]
fn w15_17_error_halves_with_every_sweep() {
    let (path, _) = visited::<f64>(false, 0.0, 0.0, 19);
    for (k, force) in path.forces.iter().enumerate().skip(1) {
        let left = 0.5f64.powi(k as i32);
        close(force, &[20.0 * (1.0 - left), 10.0 * (1.0 - left)], 1e-12);
    }
}

#[test]
fn w15_18_19_1a_sections_and_level_curves() {
    let objective = |f: [f64; 2]| at(&f, [-10.0, 0.0], 0.0).1;
    for (argmin, section) in [(10.0, [[1.0, 0.0], [0.0, 0.0]]), (5.0, [[0.0, 1.0], [10.0, 0.0]])] {
        let along = |s: f64| objective([section[0][0] * s + section[1][0], section[0][1] * s + section[1][1]]);
        for offset in [-1.0, -1e-3, 1e-3, 1.0] {
            assert!(along(argmin + offset) > along(argmin)); // w15_18
        }
    }
    assert_eq!(objective([20.0, 10.0]), -100.0); // w15_19
    for k in 0..32 {
        // w15_1a: the objective is even about (20, 10)
        let (x, y) = (f64::from(k) * 0.7 - 9.0, f64::from(k * k % 13) - 6.0);
        assert!((objective([20.0 + x, 10.0 + y]) - objective([20.0 - x, 10.0 - y])).abs() < 1e-11);
    }
}

#[test]
fn w15_1b_a_warm_start_saves_row_updates() {
    // Counting row updates until the measure is at most 1e-6: 47 from nothing, 39 from (18, 9).
    fn updates(start: Option<[f64; 2]>) -> usize {
        let Stack { mass, free, rows } = stack::<f64>(0.0, 1e-15, [0.0; 2]);
        let mut path = Path::default();
        let mut work = SweepWorkspace::filled(0.0);
        // The saved acceleration whose answer by the law is the start: z = −R f.
        let saved = start.map(|f| vector([-1e-15 * f[0], -1e-15 * (f[0] + f[1])]));
        let report = projected_gauss_seidel_observed(
            &mass,
            &free,
            &rows,
            saved.as_ref(),
            &sweeps(40, 0.0),
            &mut work,
            &mut path,
        )
        .unwrap();
        if start.is_some() {
            assert_eq!(report.warm_start, WarmStart::Used);
            close(&path.forces[0], &[18.0, 9.0], 1e-12);
        }
        path.visits.iter().position(|(_, f)| at(f, [-10.0, 0.0], 0.0).0 <= 1e-6).unwrap() + 1
    }
    assert_eq!(updates(None), 47);
    assert_eq!(updates(Some([18.0, 9.0])), 39);
}

#[test]
fn w15_20_to_24_a_pull_opens_the_upper_contact() {
    fn check<T: Number>() {
        let Stack { free, rows, .. } = stack::<T>(15.0, 0.0, [0.0; 2]);
        let b: Vec<T> = rows.rows().iter().map(|r| delassus::scalar::dot(r.jacobian(), free.as_slice())).collect();
        close(&b, &[-10.0, 15.0], 0.0); // w15_24
        let (path, report) = visited::<T>(false, 15.0, 0.0, 5);
        close(&path.visits[0].1, &[10.0, 0.0], 1e-12); // w15_20
        let trial = path.visits[0].1[1] - (15.0 - path.visits[0].1[0]) / A[1][1];
        close(&[trial], &[-2.5], 1e-12); // w15_21, before the projection
        close(&path.forces[1], &[10.0, 0.0], 1e-12); // w15_22
        close(&path.points[1], &[0.0, 5.0], 1e-12);
        assert!(at(&path.forces[1], [-10.0, 15.0], 0.0).0 < 1e-13); // w15_23: measure 0 with w = (0, 5)
        assert_eq!((report.stop, report.active_rows), (Stop::Converged, 1));
        assert!(report.iterations <= 3);
    }
    check::<f64>();
    check::<f32>();
}

const SOFT_FORCE: [f64; 2] = [2100.0 / 131.0, 1000.0 / 131.0];
const SOFT_ACCELERATION: [f64; 2] = [-210.0 / 131.0, -310.0 / 131.0];

#[test]
fn w15_30_to_33_soft_stack_by_newton_and_by_sweeps() {
    fn check<T: Number>(bound: f64) {
        let Stack { mass, free, rows } = stack::<T>(0.0, 0.1, [0.0; 2]);
        let mut delassus = Delassus::<T, 2>::filled(T::zero());
        delassus.form(&mass, &rows).unwrap();
        let h = [0, 1].map(|i| delassus.column(i)[i] + rows.rows()[i].regularizer());
        close(&h, &[1.1, 2.1], bound); // w15_30
        let mut work = NewtonWorkspace::filled(T::zero());
        let report = newton(&mass, &free, &rows, None, &Budget::new(10, T::zero()), &mut work).unwrap();
        close(work.force(), &SOFT_FORCE, bound); // w15_31c
        close(work.acceleration().as_slice(), &SOFT_ACCELERATION, bound); // w15_32
        assert!(report.stop != Stop::BudgetSpent && report.iterations <= 4 && report.active_rows == 2);
        let mut swept = SweepWorkspace::filled(T::zero());
        projected_gauss_seidel(&mass, &free, &rows, None, &sweeps(80, 0.0), &mut swept).unwrap();
        close(swept.force(), &SOFT_FORCE, bound); // w15_31a, w15_33
        close(swept.acceleration().as_slice(), &SOFT_ACCELERATION, 10.0 * bound);
        let mut formed = DelassusWorkspace::filled(T::zero());
        projected_gauss_seidel_with_delassus(&mass, &free, &rows, None, &sweeps(80, 0.0), &mut formed).unwrap();
        close(formed.force(), &SOFT_FORCE, bound);
    }
    check::<f64>(1e-12);
    check::<f32>(1e-6);
}

#[test]
fn w15_34_soft_support_at_rest_needs_a_target_of_r_times_f() {
    fn check<T: Number>(bound: f64) {
        let Stack { mass, free, rows } = stack::<T>(0.0, 0.1, [2.0, 1.0]);
        let mut work = NewtonWorkspace::filled(T::zero());
        newton(&mass, &free, &rows, None, &Budget::new(10, T::zero()), &mut work).unwrap();
        close(work.force(), &[20.0, 10.0], bound);
        assert!(work.acceleration().amax().into() < 20.0 * bound);
    }
    check::<f64>(1e-12);
    check::<f32>(1e-6);
}

#[test]
fn w15_36_one_newton_iteration_goes_to_the_exact_minimum_along_the_line() {
    let Stack { mass, free, rows } = stack::<f64>(0.0, 0.1, [0.0; 2]);
    let mut work = NewtonWorkspace::filled(0.0);
    let start = vector([2.0, 2.0]);
    let report = newton(&mass, &free, &rows, Some(&start), &Budget::new(1, 0.0), &mut work).unwrap();
    assert_eq!((report.warm_start, report.iterations, report.stop), (WarmStart::Used, 1, Stop::BudgetSpent));
    close(work.acceleration().as_slice(), &[-5.0 / 3.0, -5.0 / 3.0], 1e-12);
}

#[test]
fn w15_37_a_warm_start_that_costs_more_is_rejected() {
    let Stack { mass, free, rows } = stack::<f64>(0.0, 0.1, [0.0; 2]);
    assert_eq!(measure::primal_objective(&mass, &free, &rows, &vector([40.0, 40.0])), 2500.0);
    let mut work = NewtonWorkspace::filled(0.0);
    let report = newton(&mass, &free, &rows, Some(&vector([40.0, 40.0])), &Budget::new(0, 0.0), &mut work).unwrap();
    assert_eq!(report.warm_start, WarmStart::Rejected);
    close(work.acceleration().as_slice(), &[-10.0, -10.0], 0.0);
}

#[test]
fn w15_38_39_warm_start_of_the_sweeps_by_the_dual_objective() {
    let Stack { mass, free, rows } = stack::<f64>(0.0, 0.1, [0.0; 2]);
    for (saved, force, warm) in [
        ([2.0, 2.0], [0.0, 0.0], WarmStart::Used), // w15_38: answers with no force at all
        ([-1.6, -2.4], [16.0, 8.0], WarmStart::Used), // w15_39: dual objective −80
        ([-40.0, -80.0], [0.0, 0.0], WarmStart::Rejected),
    ] {
        let mut work = SweepWorkspace::filled(0.0);
        let budget = sweeps(0, 0.0);
        let report = projected_gauss_seidel(&mass, &free, &rows, Some(&vector(saved)), &budget, &mut work).unwrap();
        close(work.force(), &force, 1e-12);
        assert_eq!(report.warm_start, warm);
        let mut formed = DelassusWorkspace::filled(0.0);
        let report =
            projected_gauss_seidel_with_delassus(&mass, &free, &rows, Some(&vector(saved)), &budget, &mut formed)
                .unwrap();
        close(formed.force(), &force, 1e-12);
        assert_eq!(report.warm_start, warm);
    }
    assert!((measure::dual_objective(&mass, &free, &rows, &[16.0, 8.0]).unwrap() + 80.0).abs() < 1e-12);
}

#[test]
fn w15_31b_and_49_conjugate_gradients_walk_as_the_engines_do() {
    let Stack { mass, free, rows } = stack::<f64>(0.0, 0.1, [0.0; 2]);
    for update in [Update::HagerZhang, Update::PolakRibiere] {
        for preconditioner in [Preconditioner::Mass, Preconditioner::Diagonal, Preconditioner::None] {
            let mut path = Path::default();
            let mut work = ConjugateGradientWorkspace::filled(0.0);
            let variant = Variant { update, preconditioner };
            let budget = Budget::new(20, 1e-13);
            conjugate_gradient_observed(&mass, &free, &rows, None, variant, &budget, &mut work, &mut path).unwrap();
            close(&path.points[1], &[-5.238_095_238_095_24, -10.0], 1e-12); // w15_49a
            close(&path.points[2], &[-1.603_053_435_114_5, -2.366_412_213_740_46], 1e-12); // w15_49b
            close(work.force(), &SOFT_FORCE, 1e-12); // w15_31b
        }
    }
}

#[test]
fn w15_35_a_b_and_66_the_engines_sweeps_in_shuffled_order() {
    let mut shuffle = Shuffle::<2>::new(2);
    let orders: Vec<Vec<u16>> = (0..8).map(|_| shuffle.next_order().iter().map(|i| i + 1).collect()).collect();
    assert_eq!(orders, [[2, 1], [1, 2], [2, 1], [2, 1], [1, 2], [2, 1], [1, 2], [1, 2]]);
    for (regularizer, printed) in [
        // w15_35a: the first sweep visits row 2, then row 1, so from 10/1.1 on; by hand
        ([0.1, 0.1], [[9.090_909_090_909_09, 0.0], [9.090_909_090_909_09, 4.329_004_329_004_33]]),
        // w15_35b, printed to 10 digits; the engine's hardest impedance 0.9999 gives R = 1e-4/0.9999 Â
        ([1e-4 / 0.9999, 2e-4 / 0.9999], [[9.999, 0.0], [9.999, 4.999_000_05]]),
    ] {
        let Stack { mass, free, .. } = stack::<f64>(0.0, 0.1, [0.0; 2]);
        let kind = delassus::rows::Kind::ContactFrictionless;
        let rows: delassus::rows::Rows<f64, 2, 2> =
            common::finished(kind, [[1.0, 0.0], [-1.0, 1.0]], [0.0; 2], regularizer);
        let (mut work, mut path) = (ShuffledWorkspace::filled(0.0), Vec::new());
        shuffled_sweeps(&mass, &free, &rows, 3, 0.0, 1.0, &mut work, |f| path.push(f.to_vec())).unwrap();
        let bound = if regularizer[0] == 0.1 { 1e-12 } else { 2e-9 };
        close(&path[0], &printed[0], bound);
        close(&path[1], &printed[1], bound);
        close(&path[2], &[(10.0 + path[1][1]) / (1.0 + regularizer[0]), path[1][1]], 1e-12);
    }
    // w15_66a, w15_66b: mean inertia 1, six dofs
    let Stack { mass, free, rows } = stack::<f64>(0.0, 0.1, [0.0; 2]);
    for (tolerance, sweeps) in [(0.01, 9), (1e-5, 13)] {
        let mut work = ShuffledWorkspace::filled(0.0);
        let made = shuffled_sweeps(&mass, &free, &rows, 100, tolerance, 1.0 / 6.0, &mut work, |_| {}).unwrap();
        assert_eq!(made, sweeps);
    }
}

fn backtrack(observer: &mut impl Observer<f64>) -> (Stack<f64>, [f64; 2], u16) {
    let stack = stack::<f64>(0.0, 0.1, [0.0; 2]);
    let mut work = BacktrackingWorkspace::filled(0.0);
    let (a, steps) =
        backtracking_newton(&stack.mass, &stack.free, &stack.rows, &vector([2.0, 2.0]), 20, 1e-10, &mut work, observer)
            .unwrap();
    (stack, [a[0], a[1]], steps)
}

#[test]
fn w15_50_to_58_the_printed_newton_path_with_backtracking() {
    let mut path = Path::default();
    let (Stack { mass, free, rows }, end, steps) = backtrack(&mut path);
    let objective = |a: [f64; 2]| measure::primal_objective(&mass, &free, &rows, &vector(a));
    // w15_50: F, gradient; with H = I the direction is minus the gradient
    assert_eq!(objective([2.0, 2.0]), 144.0);
    close(&path.gradients[0], &[12.0, 12.0], 1e-12);
    assert_eq!(objective([-10.0, -10.0]), 1000.0 / 2.0); // w15_51: rejected
    close(&path.points[1], &[-4.0, -4.0], 1e-12); // w15_52
    assert_eq!(objective([-4.0, -4.0]), 116.0);
    close(&[mass.half_quadratic(&(vector([-4.0, -4.0]) - free)), 5.0 * 16.0], &[36.0, 80.0], 1e-12);
    // w15_53: with z₂ = 0 inactive H = diag(11, 1), so the direction is (34/11, −6); w15_5a: this gradient
    close(&path.gradients[1], &[-34.0, 6.0], 1e-12);
    close(&path.forces[1], &[40.0, 0.0], 1e-12);
    let trials = [1.0, 0.5, 0.25].map(|t| objective([-4.0 + t * 34.0 / 11.0, -4.0 - t * 6.0])); // w15_54
    close(&trials, &[458.677_685_950_413, 166.396_694_214_876, 110.962_809_917_355], 1e-12);
    close(&path.points[2], &[-71.0 / 22.0, -11.0 / 2.0], 1e-12); // w15_55
    assert_eq!((path.steps[1], path.steps[2]), (0.5, 0.25));
    close(&[objective([-71.0 / 22.0, -11.0 / 2.0])], &[107_412.0 / 968.0], 1e-12);
    close(&end, &SOFT_ACCELERATION, 1e-12); // w15_56
    close(&[objective(end)], &[10_500.0 / 131.0], 1e-12);
    close(path.forces.last().unwrap(), &SOFT_FORCE, 1e-12); // w15_57
    assert_eq!(steps, 3); // w15_58
}

#[test]
fn w15_59_primal_minimum_is_minus_the_dual_minimum() {
    let Stack { mass, free, rows } = stack::<f64>(0.0, 0.1, [0.0; 2]);
    let mut work = NewtonWorkspace::filled(0.0);
    let report = newton(&mass, &free, &rows, None, &Budget::new(10, 0.0), &mut work).unwrap();
    let primal = measure::primal_objective(&mass, &free, &rows, work.acceleration());
    let dual = measure::dual_objective(&mass, &free, &rows, work.force()).unwrap();
    close(&[primal, -dual], &[80.152_671_755_725_2; 2], 1e-12);
    assert!(report.duality_gap < 1e-24);
}

#[test]
fn the_objective_never_rises_along_newtons_path() {
    let Stack { mass, free, rows } = stack::<f64>(0.0, 0.1, [0.0; 2]);
    for start in [[2.0, 2.0], [0.0, -9.0], [-3.0, 6.0], [-9.0, 1.0]] {
        let mut path = Path::default();
        let mut work = NewtonWorkspace::filled(0.0);
        newton_observed(&mass, &free, &rows, Some(&vector(start)), &Budget::new(10, 0.0), &mut work, &mut path)
            .unwrap();
        let costs: Vec<f64> =
            path.points.iter().map(|a| measure::primal_objective(&mass, &free, &rows, &vector([a[0], a[1]]))).collect();
        assert!(costs.windows(2).all(|w| w[1] <= w[0] + 1e-12), "{costs:?}");
    }
}
