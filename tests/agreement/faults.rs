//! Faults that were found, each with the right value.

use super::optimum::agree;
use super::scaling::scaled_row;
use super::*;

/// From the limit +η over to −η in one full step: not a step within a piece. By hand: f = 0.1/1.01, a = −0.01 f.
#[test]
fn a_step_from_one_friction_limit_to_the_other_is_searched() {
    fn check<T: Number>(bound: f64) {
        let mass = common::mass::<T, 1>([[1.0]]);
        let mut rows = Rows::<T, 1, 1>::new();
        let rule = rule_of(Kind::JointFriction, 1.0);
        rows.finished(Kind::JointFriction, rule, &vector([1.0]), T::zero(), literal(0.01)).unwrap();
        let mut work = NewtonWorkspace::filled(T::zero());
        newton(&mass, &vector([-0.1]), &rows, None, &Budget::new(10, T::zero()), &mut work).unwrap();
        common::close(work.force(), &[0.1 / 1.01], bound);
        common::close(work.acceleration().as_slice(), &[-0.001 / 1.01], bound);
    }
    check::<f64>(1e-12);
    check::<f32>(1e-5);
}

/// Friction without loss has one piece: a change of sign of z asks for no new factor and no further step.
#[test]
fn friction_without_loss_ends_after_one_step() {
    let mass = common::mass::<f32, 1>([[1.0]]);
    let mut rows = Rows::<f32, 1, 2>::new();
    rows.finished(Kind::Equality, Rule::Free, &vector([1.0]), 0.0, 0.1).unwrap();
    rows.finished(Kind::JointFriction, rule_of(Kind::JointFriction, 0.0), &vector([1.0]), -0.5, 0.1).unwrap();
    let mut work = NewtonWorkspace::filled(0.0);
    let report = newton(&mass, &vector([-10.0]), &rows, None, &Budget::new(10, 0.0), &mut work).unwrap();
    assert!(report.iterations <= 2 && report.line_search_evaluations <= 2, "{report:?}");
    assert_eq!((work.force()[1].to_bits(), report.active_rows), (0, 1));
}

/// A row that sits at a friction limit of 35 kN while the others settle newtons: in f32 the rounding of its force times J p once
/// ended the line search, and the solve, early. Rows on one straight piece must add nothing to differences.
#[test]
fn a_large_friction_force_does_not_bury_the_other_rows() {
    let r = Recipe {
        nv: 6,
        rows: vec![(1, 2), (2, 0), (3, 3), (4, 2)],
        mass_ratio: 2.473_375_457_368_182_4,
        coupling: -0.154_681_793_574_536_65,
        softest: 1.0,
        hardest: -0.398_977_568_833_786,
        seed: 7_352_010_091_112_257_610,
    };
    let p = r.problem().single();
    let bound = 30.0 * (sensitivity(&p, r.seed) + f64::from(f32::EPSILON));
    agree::<f32, 6>(&p, bound);
    scaled_row::<f32, 6>(&p, r.seed, false, bound);
}

/// The same row twice with R = 1e-4 Â, MuJoCo's hardest impedance: each copy carries half, f = 1/(2 + 1e-4).
#[test]
fn copies_of_a_soft_row_share_the_force_of_a_projection() {
    fn check<T: Number>(regularizer: f64, bound: f64) {
        let mass = common::mass::<T, 1>([[1.0]]);
        let rows: Rows<T, 1, 2> = common::finished(Kind::Equality, [[1.0], [1.0]], [0.0; 2], [regularizer; 2]);
        let mut work = ProjectionWorkspace::filled(T::zero());
        soft_projection(&mass, &vector([-1.0]), &rows, &mut work).unwrap();
        common::close(work.multiplier(), &[1.0 / (2.0 + regularizer); 2], bound);
        common::close(work.acceleration().as_slice(), &[-regularizer / (2.0 + regularizer)], bound / regularizer);
    }
    check::<f64>(1e-4, 1e-11);
    check::<f64>(1e-9, 1e-6);
    check::<f32>(1e-4, 1e-2); // R is a thousand roundings of A: its own share keeps three digits
}

/// In the softest direction of a nearly singular M, pᵀ M p can round to nothing or below.
#[test]
fn a_mass_matrix_on_the_brink_still_gives_a_bounded_finite_answer() {
    let mut noise = Noise(7);
    for _ in 0..2000 {
        let j: [f64; 3] = core::array::from_fn(|_| noise.number());
        let ridge = 10f64.powf(noise.within(-8.0, -5.0));
        let entries =
            SMatrix::<f32, 3, 3>::from_fn(|i, k| (j[i.min(k)] * j[i.max(k)] + if i == k { ridge } else { 0.0 }) as f32);
        let mut mass = MassMatrix::<f32, 3>::filled(0.0);
        if mass.set(&entries).is_err() {
            assert!(!mass.is_ready());
            continue;
        }
        let mut rows = Rows::<f32, 3, 2>::new();
        for _ in 0..2 {
            let jacobian = SVector::from_fn(|_, _| noise.number() as f32);
            rows.finished(Kind::JointLimit, Rule::NonNegative, &jacobian, 1.0, 0.01).unwrap();
        }
        let problem = (mass, SVector::from_fn(|_, _| 10.0 * noise.number() as f32), rows);
        let budget = generous(100, Measure::Engine);
        for method in METHODS {
            let answer = solve_with(method, &problem, None, &budget, &mut ())
                .unwrap_or_else(|e| panic!("{method:?} {e:?} {problem:?}"));
            sound(&problem.2, &budget, &answer);
            if method == Method::Newton {
                assert!(answer.report.stop != Stop::BudgetSpent, "{:?}", answer.report);
            }
        }
    }
}

/// A saved acceleration whose squares overflow proves nothing by convexity: infinity is not larger than infinity. By hand: the block
/// is pressed against the stop by 9.8 N, which with R = 0.1 gives f = 9.8/1.1.
#[test]
fn a_warm_start_beyond_the_precision_is_rejected() {
    let mass = common::mass::<f32, 1>([[1.0]]);
    let mut rows = Rows::<f32, 1, 1>::new();
    rows.finished(Kind::JointLimit, Rule::NonNegative, &vector([1.0]), 0.0, 0.1).unwrap();
    for size in [1e20f32, -1e20, 3e38, -3e38] {
        let mut work = NewtonWorkspace::filled(0.0);
        let warm_start = vector([f64::from(size)]);
        let budget = Budget::new(10, 1e-6);
        let report = newton(&mass, &vector([-9.8]), &rows, Some(&warm_start), &budget, &mut work).unwrap();
        assert_eq!((report.warm_start, report.stop), (WarmStart::Rejected, Stop::Converged), "{size}");
        common::close(work.force(), &[9.8 / 1.1], 1e-6);
    }
}
