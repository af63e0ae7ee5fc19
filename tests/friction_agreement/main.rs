//! Newton, conjugate gradients and both kinds of sweeps on random problems with elliptic contacts among equalities, dry friction and
//! limits: friction 1e-5 to 10, different in every direction; impratio 0.1 to 100; dimension 2, 3, 4, 6; contacts that repeat each
//! other.
//!
//! The judge is the duality gap, from objectives written down anew ([`problem`]): ½ |a − a*|² in the metric M is at most the gap, so an
//! answer whose gap is rounding *is* the optimum. On milder problems a slow minimiser finds the optimum by itself as well.
//!
//! `PROPTEST_CASES=20000 cargo test --release --test friction_agreement` is the long run.

#[path = "../common/mod.rs"]
mod common;
mod error_bound;
mod problem;
mod recipe;

use common::Number;
use delassus::scalar::literal;
use delassus::solver::{
    Budget, ConjugateGradientWorkspace, DelassusWorkspace, Measure, NewtonWorkspace, Preconditioner, Report, Stop,
    SweepWorkspace, Update, Variant, conjugate_gradient, newton, projected_gauss_seidel,
    projected_gauss_seidel_with_delassus,
};
use problem::{NV, Problem};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use recipe::{Recipe, gentle, recipes};

/// So many cases, the same in every run, a tenth of them where nothing is optimised; or PROPTEST_CASES, other ones each time.
fn cases(count: u32) -> ProptestConfig {
    let count = if cfg!(debug_assertions) { count / 10 } else { count };
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = count;
        config.rng_seed = RngSeed::Fixed(1);
    }
    config
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Method {
    Newton,
    Gradients(Update, Preconditioner),
    Sweeps,
    SweepsWithDelassus,
}

const METHODS: [Method; 5] = [
    Method::Newton,
    Method::Gradients(Update::HagerZhang, Preconditioner::Mass),
    Method::Gradients(Update::PolakRibiere, Preconditioner::Diagonal),
    Method::Sweeps,
    Method::SweepsWithDelassus,
];

#[derive(Debug)]
struct Answer {
    stop: Stop,
    iterations: u16,
    gap: f64,
    acceleration: [f64; NV],
    force: Vec<f64>,
}

/// Solves as far as the precision goes or the iterations last.
fn solve<T: Number>(problem: &Problem, method: Method, iterations: u16) -> Answer {
    solve_to::<T>(problem, method, iterations, 0.0)
}

fn solve_to<T: Number>(problem: &Problem, method: Method, iterations: u16, tolerance: f64) -> Answer {
    let (mass, free, rows) = problem.build::<T>();
    let zero = T::zero();
    let budget = Budget { line_search: u16::MAX, ..Budget::new(iterations, literal(tolerance)) };
    let swept = Budget { measure: Measure::ForceCorrection, ..budget };
    let answer = |report: Report<T>, acceleration: &[T], force: &[T]| Answer {
        stop: report.stop,
        iterations: report.iterations,
        gap: report.duality_gap.into(),
        acceleration: core::array::from_fn(|i| acceleration[i].into()),
        force: force.iter().map(|f| (*f).into()).collect(),
    };
    match method {
        Method::Newton => {
            let mut work = NewtonWorkspace::filled(zero);
            let report = newton(&mass, &free, &rows, None, &budget, &mut work).unwrap();
            answer(report, work.acceleration().as_slice(), work.force())
        }
        Method::Gradients(update, preconditioner) => {
            let mut work = ConjugateGradientWorkspace::filled(zero);
            let variant = Variant { update, preconditioner };
            let report = conjugate_gradient(&mass, &free, &rows, None, variant, &budget, &mut work).unwrap();
            answer(report, work.acceleration().as_slice(), work.force())
        }
        Method::Sweeps => {
            let mut work = SweepWorkspace::filled(zero);
            let report = projected_gauss_seidel(&mass, &free, &rows, None, &swept, &mut work).unwrap();
            answer(report, work.acceleration().as_slice(), work.force())
        }
        Method::SweepsWithDelassus => {
            let mut work = DelassusWorkspace::filled(zero);
            let report = projected_gauss_seidel_with_delassus(&mass, &free, &rows, None, &swept, &mut work).unwrap();
            answer(report, work.acceleration().as_slice(), work.force())
        }
    }
}

/// Forces allowed; gap, from the two objectives, not negative beyond rounding and not above what the report says.
#[track_caller]
fn sound(p: &Problem, method: Method, answer: &Answer, epsilon: f64) -> f64 {
    let mut first = 0;
    for block in &p.blocks {
        let count = block.lines().len();
        assert!(block.allows(&answer.force[first..first + count], epsilon), "{method:?} {answer:?}");
        first += count;
    }
    let gap = p.primal(&answer.acceleration) + p.dual(&answer.force);
    let rounding = 1e3 * f64::EPSILON * p.terms(&answer.acceleration, &answer.force);
    assert!(gap >= -rounding, "{method:?}: gap {gap:e}, rounding {rounding:e}");
    rounding
}

fn agree_in_double(r: &Recipe) {
    let p = r.problem();
    let newton = solve::<f64>(&p, Method::Newton, 200);
    let size = p.size(&newton.acceleration);
    let rounding = sound(&p, Method::Newton, &newton, f64::EPSILON);
    // The gap of the report is free of cancellation; the plain one cannot see below its rounding.
    assert!(newton.gap <= 1e-20 * size * size + 1e-3 * rounding, "{:e} {size:e} {rounding:e}", newton.gap);
    let plain = p.primal(&newton.acceleration) + p.dual(&newton.force);
    assert!(plain <= rounding, "{plain:e} {rounding:e}");
    let lowest = p.primal(&newton.acceleration);
    for method in METHODS.into_iter().skip(1) {
        let answer = solve::<f64>(&p, method, 1000);
        let rounding = sound(&p, method, &answer, f64::EPSILON);
        // ½ |a − a*|² ≤ gap, whatever the method and wherever it stopped.
        let error = 0.5 * p.distance(&answer.acceleration, &newton.acceleration).powi(2);
        // Both accelerations are rounded, and what they miss of the equation of motion is: squares of rounding.
        let blurred = 30.0 * f64::EPSILON * rounding + (16.0 * f64::EPSILON * size).powi(2);
        assert!(error <= 1.01 * (answer.gap + newton.gap) + blurred, "{method:?} {error:e} {blurred:e} {answer:?}");
        assert!(p.primal(&answer.acceleration) >= lowest - rounding);
        // Where a method says that it has arrived it has: objectives agree to the rounding of their terms.
        let arrived = answer.stop != Stop::BudgetSpent;
        assert!(!arrived || answer.gap <= rounding, "{method:?} {:e} {rounding:e} {answer:?}", answer.gap);
    }
}

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn every_method_finds_the_optimum_in_double_precision(r in recipes()) {
        agree_in_double(&r);
    }
}

proptest! {
    #![proptest_config(cases(500))]

    /// The slow minimiser knows nothing of the crate.
    #[test]
    fn the_optimum_is_that_of_projected_gradients(r in gentle()) {
        let p = r.problem();
        let slow = p.slow_optimum();
        for method in METHODS {
            let answer = solve::<f64>(&p, method, 3000);
            let error = p.distance(&answer.acceleration, &slow) / p.size(&slow);
            prop_assert!(error <= 1e-7, "{method:?} {error:e} {answer:?}");
        }
    }
}

/// How Newton's method ends: at a tolerance it converges, at tolerance 0 it sees by itself that rounding is what is left; in a bounded
/// number of iterations either way. The tests above judge the answers.
#[test]
fn how_newton_ends() {
    use proptest::strategy::ValueTree;
    let count = if cfg!(debug_assertions) { 1000 } else { 20_000 };
    for (single, tolerance) in [(false, 1e-8), (false, 1e-12), (true, 1e-5), (true, 1e-6), (false, 0.0), (true, 0.0)] {
        let mut runner = proptest::test_runner::TestRunner::deterministic();
        let (mut all, mut spent, mut total) = (Vec::new(), 0, 0);
        for _ in 0..count {
            let p = recipes().new_tree(&mut runner).unwrap().current().problem();
            let answer = match single {
                false => solve_to::<f64>(&p, Method::Newton, 100, tolerance),
                true => solve_to::<f32>(&p, Method::Newton, 100, tolerance),
            };
            spent += usize::from(answer.stop == Stop::BudgetSpent);
            total += u32::from(answer.iterations);
            all.push(answer.iterations);
        }
        all.sort_unstable();
        let name = if single { "f32" } else { "f64" };
        println!(
            "{name}, tolerance {tolerance:e}: mean {:.2}, median {}, p99 {}, max {} iterations; {spent} of {count} spent all 100",
            f64::from(total) / count as f64,
            all[count / 2],
            all[count * 99 / 100],
            all[count - 1]
        );
        assert_eq!(spent, 0);
    }
}

/// How far the optimum moves, relatively, when every number moves by a rounding of single precision.
fn sensitivity(p: &Problem, exact: &[f64; NV], seed: u64) -> f64 {
    let mut state = seed | 1;
    let mut noise = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / (1u64 << 30) as f64 - 1.0
    };
    let moved = (0..4).map(|_| {
        let other = p.mapped(|x| x * (1.0 + noise() * f64::from(f32::EPSILON)));
        p.distance(&solve::<f64>(&other, Method::Newton, 200).acceleration, exact) / p.size(exact)
    });
    moved.fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(cases(2000))]

    /// f32: off by as much as the answer moves when the problem's own numbers are rounded, times a small factor.
    #[test]
    fn newton_in_single_precision_is_as_good_as_its_numbers(r in recipes()) {
        let p = r.problem().mapped(|x| f64::from(x as f32));
        let exact = solve::<f64>(&p, Method::Newton, 200).acceleration;
        let answer = solve::<f32>(&p, Method::Newton, 200);
        let single = f64::from(f32::EPSILON);
        let error = p.distance(&answer.acceleration, &exact) / p.size(&exact);
        let bound = 30.0 * (sensitivity(&p, &exact, r.seed) + single);
        prop_assert!(error <= bound, "{error:e} {bound:e} {answer:?}");
        for method in METHODS {
            let answer = solve::<f32>(&p, method, 200);
            let mut first = 0;
            for block in &p.blocks {
                let count = block.lines().len();
                prop_assert!(block.allows(&answer.force[first..first + count], single), "{method:?} {answer:?}");
                first += count;
            }
            prop_assert!(answer.gap >= 0.0);
            // Forces may be an ulp of f32 outside of their cone.
            let gap = p.primal(&answer.acceleration) + p.dual(&answer.force);
            prop_assert!(gap >= -2.0 * single * p.terms(&exact, &answer.force), "{method:?} {gap:e}");
            // The objective is never below its minimum, and bounds the error from above.
            let above = p.primal(&answer.acceleration) - p.primal(&exact);
            let error = 0.5 * p.distance(&answer.acceleration, &exact).powi(2);
            prop_assert!(error <= above * 1.01 + 1e-12 * p.terms(&exact, &answer.force));
        }
    }
}

/// The objectives of this test are those of the text where numbers are known: the ball of W12-85, optimum and value.
#[test]
fn w12_85_the_judge_knows_the_sliding_ball() {
    let line = |axis: usize, reference: f64| problem::Line {
        jacobian: core::array::from_fn(|i| if i == axis { 1.0 } else { 0.0 }),
        reference,
        regularizer: 1.0 / 38.0,
    };
    let mut mass = [[0.0; NV]; NV];
    for i in 0..NV {
        mass[i][i] = 2.0;
    }
    let contact = problem::Block::Contact {
        lines: vec![line(2, 1700.0 / 19.0), line(0, -1600.0 / 19.0), line(1, 0.0)],
        friction: vec![0.6, 0.6],
        impratio: 1.0,
    };
    let p = Problem { mass, free: [0.0, 0.0, -9.81, 0.0, 0.0, 0.0], blocks: vec![contact] };
    let acceleration = [-62.788_014_705_882_3, 0.0, 94.836_691_176_470_6, 0.0, 0.0, 0.0];
    let force = [209.293_382_352_941, -125.576_029_411_765, 0.0];
    // f at the optimum is ½ of −b · f, b = (−(9.81 + 1700/19), 1600/19): both minima by hand.
    let half = 0.5 * (force[0] * (9.81 + 1700.0 / 19.0) - force[1] * 1600.0 / 19.0);
    common::close(&[p.primal(&acceleration), -p.dual(&force)], &[half; 2], 1e-12);
    common::close(&p.slow_optimum(), &acceleration, 1e-9);
}
