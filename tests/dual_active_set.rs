//! The active set on a dual problem of the caller's: worked numbers, optimality conditions on random problems, budgets, faults.

use delassus::rows::Rule;
use delassus::solver::{
    Budget, Delassus, DualActiveSetWorkspace, DualRow, Measure, Scale, SolverError, Stop, WarmStart, dual_active_set,
    dual_active_set_again, law,
};

const NR: usize = 10;

fn contact(offset: f64, regularizer: f64) -> DualRow<f64> {
    DualRow { offset, regularizer, rule: Rule::NonNegative }
}

fn stack(offset: [f64; 2], regularizer: f64) -> (Vec<f64>, Vec<f64>) {
    let mut delassus = Delassus::<f64, 2>::filled(0.0);
    delassus.set(&[[1.0, -1.0], [-1.0, 2.0]]).unwrap();
    let mut work = DualActiveSetWorkspace::<f64, 2>::filled(0.0);
    let rows = offset.map(|offset| contact(offset, regularizer));
    let report = dual_active_set(&delassus, &rows, None, &Budget::new(10, 1e-12), &mut work).unwrap();
    assert_eq!(report.stop, Stop::Converged);
    assert_eq!(usize::from(report.active_rows), work.force().iter().filter(|f| **f != 0.0).count());
    let motion = work.acceleration().iter().zip(offset).map(|(a, b)| a + b).collect();
    (work.force().to_vec(), motion)
}

#[track_caller]
fn close(found: &[f64], expected: &[f64], error: f64) {
    assert!(
        found.len() == expected.len() && found.iter().zip(expected).all(|(f, e)| (f - e).abs() <= error),
        "{found:?}"
    );
}

/// Hard blocks (S15-04): what the sweeps of W15-17 tend to.
#[test]
fn w15_17_the_stack_stands() {
    let (force, motion) = stack([-10.0, 0.0], 0.0);
    close(&force, &[20.0, 10.0], 1e-9);
    close(&motion, &[0.0, 0.0], 1e-9);
}

/// A pull of 15 on the upper block (S15-13): it lifts off, and its residual is not zero.
#[test]
fn w15_20_a_pulled_block_lifts_off() {
    let (force, motion) = stack([-10.0, 15.0], 0.0);
    close(&force, &[10.0, 0.0], 1e-9);
    close(&motion, &[0.0, 5.0], 1e-9);
}

#[test]
fn w15_30_the_soft_stack() {
    let (force, motion) = stack([-10.0, 0.0], 0.1);
    close(&force, &[2100.0 / 131.0, 1000.0 / 131.0], 1e-12);
    close(&motion, &[-210.0 / 131.0, -100.0 / 131.0], 1e-12); // a₂ − a₁ = −310/131 + 210/131
}

/// The trial forces 7 and −7 by rule of row.
#[test]
fn w15_63_a_row_alone_gets_the_nearest_allowed_force() {
    let mut delassus = Delassus::<f64, 1>::filled(0.0);
    delassus.set(&[[1.0]]).unwrap();
    let rules = [Rule::Free, Rule::Interval { loss: 3.0 }, Rule::NonNegative];
    for (rule, expected) in rules.into_iter().zip([[7.0, -7.0], [3.0, -3.0], [7.0, 0.0]]) {
        for (trial, expected) in [7.0, -7.0].into_iter().zip(expected) {
            let mut work = DualActiveSetWorkspace::<f64, 1>::filled(0.0);
            let row = DualRow { offset: -trial, regularizer: 0.0, rule };
            dual_active_set(&delassus, &[row], None, &Budget::new(10, 1e-12), &mut work).unwrap();
            close(work.force(), &[expected], 1e-12);
        }
    }
}

/// Uniform numbers from a seed (SplitMix64).
struct Noise(u64);

impl Noise {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }
    /// In [−1, 1).
    fn number(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

#[derive(Clone)]
struct Problem {
    columns: Vec<[f64; NR]>,
    rows: Vec<DualRow<f64>>,
}

/// A = G Gᵀ of a rank that may be less than the rows; all rules.
fn draw(noise: &mut Noise) -> Problem {
    let count = 1 + (noise.bits() % NR as u64) as usize;
    let rank = 1 + (noise.bits() % NR as u64) as usize;
    let softness = 10f64.powf(-2.0 + 2.0 * noise.number());
    let arms: Vec<Vec<f64>> = (0..count).map(|_| (0..rank).map(|_| noise.number()).collect()).collect();
    let mut columns = vec![[0.0; NR]; count];
    for (column, a) in columns.iter_mut().zip(&arms) {
        for (entry, b) in column.iter_mut().zip(&arms) {
            *entry = a.iter().zip(b).map(|(a, b)| a * b).sum();
        }
    }
    let rows = (0..count)
        .map(|_| DualRow {
            offset: 10.0 * noise.number(),
            regularizer: softness,
            rule: match noise.bits() % 5 {
                0 => Rule::Free,
                1 => Rule::Interval { loss: 5.0 * noise.number().max(0.0) },
                _ => Rule::NonNegative,
            },
        })
        .collect();
    Problem { columns, rows }
}

impl Problem {
    /// w = (A + R) f + b.
    fn residual(&self, force: &[f64]) -> Vec<f64> {
        let product = |column: &[f64; NR]| column.iter().zip(force).map(|(a, f)| a * f).sum::<f64>();
        let lines = self.columns.iter().zip(&self.rows).zip(force);
        lines.map(|((column, row), f)| product(column) + row.regularizer * f + row.offset).collect()
    }

    /// Largest |f − Π(f − w)|: zero at the optimum only (S15-17).
    fn miss(&self, force: &[f64]) -> f64 {
        let residual = self.residual(force);
        let lines = self.rows.iter().zip(force).zip(residual);
        lines.map(|((row, f), w)| (f - law::project(row.rule, f - w)).abs()).fold(0.0, f64::max)
    }

    /// ½ fᵀ (A + R) f + bᵀ f.
    fn objective(&self, force: &[f64]) -> f64 {
        let residual = self.residual(force);
        force.iter().zip(residual).zip(&self.rows).map(|((f, w), row)| 0.5 * f * (w + row.offset)).sum()
    }

    fn delassus(&self) -> Delassus<f64, NR> {
        let mut delassus = Delassus::filled(0.0);
        delassus.set(&self.columns).unwrap();
        delassus
    }

    fn allowed(&self, force: &[f64]) -> bool {
        force.len() == self.rows.len()
            && self.rows.iter().zip(force).all(|(row, f)| f.is_finite() && *f == law::project(row.rule, *f))
    }
}

#[test]
fn the_optimality_conditions_hold_cold_warm_and_again() {
    let mut noise = Noise(1);
    let mut work = DualActiveSetWorkspace::<f64, NR>::filled(0.0);
    let mut iterations = 0;
    for _ in 0..5000 {
        let mut problem = draw(&mut noise);
        let delassus = problem.delassus();
        let budget = Budget::new(60, 1e-20); // w²/2R with R ≤ 1
        let check = |problem: &Problem, work: &DualActiveSetWorkspace<f64, NR>, what: &str| {
            assert!(problem.allowed(work.force()), "{what}");
            assert!(problem.miss(work.force()) <= 1e-9, "{what}: {:e} {:?}", problem.miss(work.force()), work.force());
        };
        let cold = dual_active_set(&delassus, &problem.rows, None, &budget, &mut work).unwrap();
        assert!(cold.stop != Stop::BudgetSpent && cold.warm_start == WarmStart::Absent);
        iterations = iterations.max(cold.iterations);
        check(&problem, &work, "cold");
        let last = work.force().to_vec();
        let warm = dual_active_set(&delassus, &problem.rows, Some(&last), &budget, &mut work).unwrap();
        assert!(warm.iterations <= 3 && warm.warm_start == WarmStart::Used, "{warm:?}");
        check(&problem, &work, "warm");
        for row in &mut problem.rows {
            row.offset += 0.3 * noise.number();
        }
        dual_active_set_again(&delassus, &problem.rows, &budget, &mut work).unwrap();
        check(&problem, &work, "again");
        // A factor of another problem of as many rows is found out.
        for (j, column) in problem.columns.iter_mut().enumerate() {
            column[j] += 0.5;
        }
        dual_active_set_again(&problem.delassus(), &problem.rows, &budget, &mut work).unwrap();
        check(&problem, &work, "again, another A");
    }
    assert!(iterations <= 30, "{iterations}");
}

#[test]
fn any_budget_leaves_allowed_forces_that_are_no_worse_than_none() {
    let mut noise = Noise(2);
    let mut work = DualActiveSetWorkspace::<f64, NR>::filled(0.0);
    for _ in 0..500 {
        let problem = draw(&mut noise);
        let delassus = problem.delassus();
        let mut best = Vec::new();
        for iterations in (0..40).rev() {
            let budget = Budget { measure: Measure::DualityGap, ..Budget::new(iterations, 0.0) };
            let report = dual_active_set(&delassus, &problem.rows, None, &budget, &mut work).unwrap();
            assert!(problem.allowed(work.force()) && report.iterations <= iterations);
            if best.is_empty() {
                best = work.force().to_vec();
            }
            // The gap is the objective's distance from its minimum at least; both are sums that round.
            let terms: f64 = best.iter().zip(&problem.rows).map(|(f, row)| (f * row.offset).abs()).sum();
            let above = problem.objective(work.force()) - problem.objective(&best);
            assert!(report.duality_gap >= above - 1e-12 * (1.0 + terms), "{report:?} {above}");
            assert!(problem.objective(work.force()) <= 1e-12);
        }
    }
}

/// Two hard equalities that contradict each other: forces, if not an answer, and a report that says so.
#[test]
fn hard_rows_that_contradict_each_other_end_finite_and_stalled() {
    let mut delassus = Delassus::<f64, 2>::filled(0.0);
    delassus.set(&[[1.0, 1.0], [1.0, 1.0]]).unwrap();
    let row = |offset| DualRow { offset, regularizer: 0.0, rule: Rule::Free };
    let mut work = DualActiveSetWorkspace::<f64, 2>::filled(0.0);
    let report = dual_active_set(&delassus, &[row(-1.0), row(1.0)], None, &Budget::new(10, 1e-9), &mut work).unwrap();
    assert!(work.force().iter().all(|f| f.is_finite()));
    assert!(report.stop == Stop::Stalled && report.duality_gap > 1e9, "{report:?}");
    // The same row twice is no contradiction.
    let report = dual_active_set(&delassus, &[row(-1.0), row(-1.0)], None, &Budget::new(10, 1e-9), &mut work).unwrap();
    assert!((work.force()[0] + work.force()[1] - 1.0).abs() < 1e-12 && report.duality_gap < 1e-9, "{report:?}");
}

/// Powers of two change no digit.
#[test]
fn scales_do_not_matter() {
    let mut noise = Noise(3);
    for _ in 0..300 {
        let problem = draw(&mut noise);
        let solve = |scale: f64, force: f64| {
            let mut delassus = Delassus::<f64, NR>::filled(0.0);
            let columns: Vec<[f64; NR]> =
                problem.columns.iter().map(|column| column.map(|x| x * scale / force)).collect();
            delassus.set(&columns).unwrap();
            let rows: Vec<DualRow<f64>> = problem
                .rows
                .iter()
                .map(|row| DualRow {
                    offset: row.offset * scale,
                    regularizer: row.regularizer * scale / force,
                    rule: match row.rule {
                        Rule::Interval { loss } => Rule::Interval { loss: loss * force },
                        rule => rule,
                    },
                })
                .collect();
            let mut work = DualActiveSetWorkspace::<f64, NR>::filled(0.0);
            dual_active_set(&delassus, &rows, None, &Budget::new(40, 0.0), &mut work).unwrap();
            work.force().iter().map(|f| f / force).collect::<Vec<_>>()
        };
        let plain = solve(1.0, 1.0);
        for (scale, force) in
            [(2f64.powi(40), 1.0), (2f64.powi(-30), 1.0), (1.0, 2f64.powi(20)), (2f64.powi(60), 2f64.powi(60))]
        {
            assert_eq!(plain, solve(scale, force));
        }
    }
}

#[test]
fn what_cannot_be_solved_is_refused_by_name() {
    let mut delassus = Delassus::<f32, 2>::filled(0.0);
    let mut work = DualActiveSetWorkspace::<f32, 2>::filled(0.0);
    assert_eq!(delassus.set(&[[1.0, 0.0], [0.0, f32::NAN]]), Err(SolverError::BadRow { row: 1 }));
    assert_eq!(delassus.set(&[[0.0; 2]; 3]), Err(SolverError::BadRow { row: 2 }));
    assert_eq!(delassus.rows(), 0);
    delassus.set(&[[1.0, 0.5], [0.5, 1.0]]).unwrap();
    let good = Budget::new(5, 1e-6);
    let row = DualRow { offset: -1.0f32, regularizer: 0.1, rule: Rule::NonNegative };
    dual_active_set(&delassus, &[row, row], None, &good, &mut work).unwrap();
    let before = work.force().to_vec();
    let bad = [
        DualRow { offset: f32::NAN, ..row },
        DualRow { offset: f32::INFINITY, ..row },
        DualRow { regularizer: -0.1, ..row },
        DualRow { regularizer: f32::NAN, ..row },
        DualRow { rule: Rule::Interval { loss: -1.0 }, ..row },
        DualRow { rule: Rule::Interval { loss: f32::NAN }, ..row },
        DualRow { rule: Rule::Cone, ..row },
    ];
    for bad in bad {
        let refused = Some(SolverError::BadRow { row: 1 });
        assert_eq!(dual_active_set(&delassus, &[row, bad], None, &good, &mut work).err(), refused);
        assert_eq!(dual_active_set_again(&delassus, &[row, bad], &good, &mut work).err(), refused);
    }
    for rows in [&[row][..], &[row; 3]] {
        assert!(matches!(dual_active_set(&delassus, rows, None, &good, &mut work), Err(SolverError::BadRow { .. })));
    }
    for (warm, row_index) in [(&[0.0, f32::NAN][..], 1), (&[0.0], 1)] {
        let found = dual_active_set(&delassus, &[row, row], Some(warm), &good, &mut work).err();
        assert_eq!(found, Some(SolverError::ForceNotFinite { row: row_index }));
    }
    for budget in [Budget { tolerance: -1.0, ..good }, Budget { scale: Scale::Fixed(0.0), ..good }] {
        assert_eq!(
            dual_active_set(&delassus, &[row, row], None, &budget, &mut work).err(),
            Some(SolverError::BadBudget)
        );
    }
    assert_eq!(work.force(), before, "a refused solve leaves the last answer");
    // A sum beyond the precision is no answer.
    delassus.set(&[[f32::MAX, f32::MAX], [f32::MAX, f32::MAX]]).unwrap();
    let hard = DualRow { offset: -f32::MAX, regularizer: f32::MAX, ..row };
    assert_eq!(dual_active_set(&delassus, &[hard, hard], None, &good, &mut work).err(), Some(SolverError::Overflow));
    // No rows are no problem.
    delassus.set(&[]).unwrap();
    let report = dual_active_set(&delassus, &[], None, &good, &mut work).unwrap();
    assert!(report.stop == Stop::Converged && work.force().is_empty());
}

/// One row that was heavy and is light: the corrections of the old factor are small because it is wrong, not because the force is right.
#[test]
fn small_corrections_with_the_factor_of_another_problem_do_not_count() {
    let mut delassus = Delassus::<f64, 1>::filled(0.0);
    let mut work = DualActiveSetWorkspace::<f64, 1>::filled(0.0);
    let budget = Budget { measure: Measure::ForceCorrection, ..Budget::new(10, 1e-3) };
    delassus.set(&[[1e8]]).unwrap();
    dual_active_set(&delassus, &[contact(-10.0, 0.1)], None, &budget, &mut work).unwrap();
    delassus.set(&[[1.0]]).unwrap();
    let report = dual_active_set_again(&delassus, &[contact(-10.0, 0.1)], &budget, &mut work).unwrap();
    assert_eq!(report.stop, Stop::Converged);
    close(work.force(), &[10.0 / 1.1], 1e-3); // −b/(A + R)
}

/// One row that was light and is heavy: refinements with the old factor lead away, and any budget may end on one.
#[test]
fn any_budget_with_the_factor_of_another_problem_leaves_forces_that_are_no_worse_than_none() {
    let of = |entry| {
        let mut delassus = Delassus::<f64, 1>::filled(0.0);
        delassus.set(&[[entry]]).unwrap();
        delassus
    };
    for iterations in 0..8 {
        let mut work = DualActiveSetWorkspace::<f64, 1>::filled(0.0);
        dual_active_set(&of(0.0), &[contact(-10.0, 0.1)], None, &Budget::new(8, 0.0), &mut work).unwrap();
        let budget = Budget::new(iterations, 0.0);
        let report = dual_active_set_again(&of(1.0), &[contact(-10.0, 0.1)], &budget, &mut work).unwrap();
        let force = work.force()[0];
        assert!(report.iterations <= iterations && force >= 0.0);
        assert!(0.5 * 1.1 * force * force - 10.0 * force <= 0.0, "{iterations}: {force} {report:?}");
    }
}

/// Forces that overflow the gap, not themselves: the answer stands, with an infinite gap, and the solve ends.
#[test]
fn an_infinite_gap_does_not_use_up_the_budget() {
    let mut delassus = Delassus::<f32, 2>::filled(0.0);
    delassus.set(&[[1e10, 1e10], [1e10, 1e10]]).unwrap();
    let row = |offset| DualRow { offset, regularizer: 0.0f32, rule: Rule::Free };
    let mut work = DualActiveSetWorkspace::<f32, 2>::filled(0.0);
    let rows = [row(-1e18), row(1e18)];
    let report = dual_active_set(&delassus, &rows, None, &Budget::new(300, 0.0), &mut work).unwrap();
    assert!(
        report.stop == Stop::Stalled && report.iterations < 10 && report.duality_gap == f32::INFINITY,
        "{report:?}"
    );
    assert!(work.force().iter().all(|f| f.is_finite()));
}

/// What is no J M⁻¹ Jᵀ at all: no answer, but allowed forces within the budget, or an overflow by name; and a workspace that goes on.
#[test]
fn an_operator_that_is_not_semidefinite_does_no_harm() {
    let mut noise = Noise(4);
    let mut work = DualActiveSetWorkspace::<f64, NR>::filled(0.0);
    for _ in 0..2000 {
        let good = draw(&mut noise);
        let mut bad = good.clone();
        for column in &mut bad.columns {
            for entry in column.iter_mut() {
                *entry += 3.0 * noise.number();
            }
        }
        let budget = Budget::new(60, 0.0);
        match dual_active_set(&bad.delassus(), &bad.rows, None, &budget, &mut work) {
            Ok(report) => assert!(bad.allowed(work.force()) && report.iterations <= 60, "{report:?}"),
            Err(error) => assert_eq!(error, SolverError::Overflow),
        }
        dual_active_set_again(&good.delassus(), &good.rows, &budget, &mut work).unwrap();
        assert!(good.miss(work.force()) <= 1e-9, "{:e}", good.miss(work.force()));
    }
}
