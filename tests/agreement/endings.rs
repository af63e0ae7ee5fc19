//! How it ends.

use super::*;

fn count<T: Number, const NV: usize>(p: &Problem, method: Method, tolerance: f64, iterations: u16) -> (Stop, u16) {
    let problem = p.build::<T, NV, NR>();
    let measure = if method == Method::Newton { Measure::Engine } else { Measure::ForceCorrection };
    let budget = Budget { tolerance: literal(tolerance), ..generous(iterations, measure) };
    let answer = solve_with(method, &problem, None, &budget, &mut ()).unwrap();
    sound(&problem.2, &budget, &answer);
    (answer.report.stop, answer.report.iterations)
}

/// Tolerance 0 means "as far as the precision goes" and must end by itself, with rows on their borders, copies of rows and R from
/// 1e-6 Â in f32 (1e-9 Â in f64). The numbers printed are the iterations that it takes.
#[test]
fn newton_ends_by_itself_at_tolerance_zero() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let samples =
        400 * std::env::var("PROPTEST_CASES").ok().and_then(|x| x.parse::<usize>().ok()).map_or(1, |n| n / 400 + 1);
    for single in [false, true] {
        for (rows, coupling) in [(1..=6, -1.0), (7..=12, -1.0), (1..=12, -3.0)] {
            for tolerance in [0.0, 1e-6] {
                let hardest = match (single, coupling < -1.0) {
                    (true, false) => -4.0,
                    (true, true) => -6.0,
                    _ => -9.0,
                };
                let strategy = recipe(rows.clone(), coupling, hardest);
                let mut all = vec![];
                for _ in 0..samples {
                    let r = strategy.new_tree(&mut runner).unwrap().current();
                    let p = r.problem();
                    let (stop, n) = if single {
                        by_freedoms!(r.nv, count::<f32>(&p, Method::Newton, tolerance, 100))
                    } else {
                        by_freedoms!(r.nv, count::<f64>(&p, Method::Newton, tolerance, 100))
                    };
                    assert!(stop != Stop::BudgetSpent, "{r:?}");
                    all.push(n);
                }
                all.sort();
                let (median, p99, max) = (all[samples / 2], all[samples * 99 / 100], all[samples - 1]);
                let name = if single { "f32" } else { "f64" };
                println!(
                    "{name}, tolerance {tolerance}, {rows:?} rows, coupling {coupling}: median {median}, p99 {p99}, max {max}"
                );
                assert!(max <= 40);
            }
        }
    }
}

/// Well-conditioned problems: the sweeps reach a fixed point or the last bit, and say so.
#[test]
fn sweeps_end_by_themselves_at_tolerance_zero() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for method in [Method::Sweeps, Method::SweepsWithDelassus] {
        for single in [false, true] {
            let mut all = vec![];
            for _ in 0..400 {
                let r = gentle().new_tree(&mut runner).unwrap().current();
                let p = r.problem();
                let (stop, n) = if single {
                    by_freedoms!(r.nv, count::<f32>(&p, method, 0.0, 3000))
                } else {
                    by_freedoms!(r.nv, count::<f64>(&p, method, 0.0, 3000))
                };
                assert!(stop != Stop::BudgetSpent, "{method:?} {r:?}");
                all.push(n);
            }
            all.sort();
            let name = if single { "f32" } else { "f64" };
            println!("{method:?}, {name}, tolerance 0: median {}, p99 {}, max {}", all[200], all[396], all[399]);
        }
    }
}
