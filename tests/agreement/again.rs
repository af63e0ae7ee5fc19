//! The next solve with the last one's factor: the same optimum, whether mass matrix and rows stand or not.

use super::*;
use delassus::solver::{active_set_again, newton_again};

/// Solves `p`, then `q` with what the workspace knows, by Newton and by the active set.
fn again<T: Number, const NV: usize>(p: &Problem, q: &Problem, bound: f64) {
    let (first, second) = (p.build::<T, NV, NR>(), q.build::<T, NV, NR>());
    let budget = generous(100, Measure::Engine);
    let (exact, _) = optimum(q);
    let check = |report: Report<T>, acceleration: &SVector<T, NV>, force: &[T], bound: f64| {
        let answer = Answer { report, acceleration: acceleration.as_slice().to_vec(), force: force.to_vec() };
        sound(&second.2, &budget, &answer);
        assert!(report.stop != Stop::BudgetSpent, "{report:?}");
        let relative = error(q, &answer.acceleration, &exact);
        assert!(relative <= bound, "{relative:e} > {bound:e} {report:?}");
    };
    let mut work = NewtonWorkspace::<T, NV, NR>::filled(T::zero());
    newton(&first.0, &first.1, &first.2, None, &budget, &mut work).unwrap();
    let report = newton_again(&second.0, &second.1, &second.2, &budget, &mut work).unwrap();
    check(report, work.acceleration(), work.force(), bound);

    let mut work = ActiveSetWorkspace::<T, NV, NR>::filled(T::zero());
    active_set(&first.0, &first.1, &first.2, None, &budget, &mut work).unwrap();
    let report = active_set_again(&second.0, &second.1, &second.2, &budget, &mut work).unwrap();
    // ½ |a − a*|² ≤ gap: stiff copies of a row may leave the dual one.
    let gap: f64 = report.duality_gap.into();
    let size = q.length(&exact) + q.length(&q.free);
    check(report, work.acceleration(), work.force(), bound + (2.0 * gap).sqrt() / size * 1.01);
}

/// `p` with other free accelerations, the last one's times 1 + `change`.
fn moved(p: &Problem, change: f64, seed: u64) -> Problem {
    let mut noise = Noise(seed);
    let mut new = p.clone();
    for x in &mut new.free {
        *x *= 1.0 + change * noise.number();
    }
    new
}

fn bound(p: &Problem, seed: u64) -> f64 {
    (30.0 * f64::EPSILON / f64::from(f32::EPSILON) * sensitivity(p, seed)).max(1e-9)
}

proptest! {
    #![proptest_config(cases(300))]

    /// Mass and rows stand, the free acceleration is another: by little, or so much that rows change their zone.
    #[test]
    fn the_optimum_is_found_again(r in recipe(1..=6, -3.0, -9.0), change in prop_oneof![Just(1e-3), Just(3.0)]) {
        let p = r.problem();
        let q = moved(&p, change, r.seed);
        let bound = bound(&q, r.seed);
        by_freedoms!(r.nv, again::<f64>(&p, &q, bound));
    }

    /// A factor of another problem, of as many rows or of more, is found out.
    #[test]
    fn the_optimum_of_another_problem_is_found_again(r in recipe(1..=6, -3.0, -9.0), seed in any::<u64>(), fewer in any::<bool>()) {
        let (mut p, q) = (Recipe { seed, ..r.clone() }.problem(), r.problem());
        if fewer {
            p.lines.pop();
        }
        let bound = bound(&q, r.seed);
        by_freedoms!(r.nv, again::<f64>(&p, &q, bound));
    }
}

/// An overflow leaves no last answer: the next solve starts cold, and finds what a new workspace finds, bit by bit.
#[test]
fn after_an_overflow_the_next_solve_starts_cold() {
    let mass = common::mass::<f32, 2>([[2.0, 0.5], [0.5, 1.0]]);
    let row = |long: f32| {
        let mut rows = Rows::<f32, 2, 3>::new();
        rows.finished(Kind::JointLimit, Rule::NonNegative, &SVector::from([long, 0.0]), 1.0, 0.1).unwrap();
        rows
    };
    let (good, bad, free) = (row(1.0), row(1e25), SVector::from([-3.0, 0.5]));
    let budget = Budget::new(20, 1e-6f32);
    let mut work = ActiveSetWorkspace::<f32, 2, 3>::filled(0.0);
    assert_eq!(active_set(&mass, &free, &bad, None, &budget, &mut work), Err(SolverError::Overflow));
    let again = active_set_again(&mass, &free, &good, &budget, &mut work).unwrap();
    let mut new = ActiveSetWorkspace::<f32, 2, 3>::filled(0.0);
    let cold = active_set(&mass, &free, &good, None, &budget, &mut new).unwrap();
    assert_eq!((again, work.force(), work.acceleration()), (cold, new.force(), new.acceleration()));

    let mut work = NewtonWorkspace::<f32, 2, 3>::filled(0.0);
    let fast = SVector::from([-3e38, 3e38]);
    assert_eq!(newton(&mass, &fast, &bad, None, &budget, &mut work), Err(SolverError::Overflow));
    let again = newton_again(&mass, &free, &good, &budget, &mut work).unwrap();
    let mut new = NewtonWorkspace::<f32, 2, 3>::filled(0.0);
    let cold = newton(&mass, &free, &good, None, &budget, &mut new).unwrap();
    assert_eq!((again.stop, work.force(), work.acceleration()), (cold.stop, new.force(), new.acceleration()));
}
