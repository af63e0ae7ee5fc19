//! How far projected Gauss–Seidel is from the exact forces after so many sweeps: 2,000 contact-like problems, impedance 0.9 to 0.9999,
//! in f32 and f64. The error is that of the worst force beside the largest exact one.
//!
//! `cargo run --release --example sweeps_curve` prints Markdown; `-- csv` every number; `-- seed 5` takes other problems.

#[path = "contact_like/mod.rs"]
mod contact_like;

use contact_like::{ContactLike, IMPEDANCES, ROWS, problems};
use delassus::scalar::Real;
use delassus::solver::{Budget, Iterate, Measure, Observer, SweepWorkspace, projected_gauss_seidel_observed};

const SWEEPS: [u16; 10] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
const PERCENTILES: [usize; 3] = [50, 90, 100];

/// The error after each number of sweeps; a solve that ended earlier keeps its last.
struct Errors<'a> {
    problem: &'a ContactLike,
    after: [f64; SWEEPS.len()],
}

impl<T: Real + Into<f64>> Observer<T> for Errors<'_> {
    fn iterate(&mut self, seen: &Iterate<'_, T>) {
        let from = SWEEPS.partition_point(|sweeps| *sweeps < seen.iteration);
        let force: Vec<f64> = seen.force.iter().map(|f| (*f).into()).collect();
        let error = self.problem.error(&force);
        self.after[from..].fill(error);
    }
}

fn errors<T: Real + Into<f64>, const NV: usize>(problem: &ContactLike) -> [f64; SWEEPS.len()] {
    let (mass, free, rows) = problem.build::<T, NV>();
    let mut work = SweepWorkspace::<T, NV, ROWS>::filled(T::zero());
    let budget = Budget { measure: Measure::ForceCorrection, ..Budget::new(1000, T::zero()) };
    let mut seen = Errors { problem, after: [0.0; SWEEPS.len()] };
    projected_gauss_seidel_observed(&mass, &free, &rows, None, &budget, &mut work, &mut seen).expect("finite");
    seen.after
}

/// Error by problem, then by number of sweeps.
fn all<T: Real + Into<f64>>(problems: &[ContactLike]) -> Vec<[f64; SWEEPS.len()]> {
    problems.iter().map(|problem| by_dofs!(problem, errors::<T>(problem))).collect()
}

/// Percentile of the errors after SWEEPS[k] sweeps, over the problems of one impedance or of all.
fn at(errors: &[[f64; SWEEPS.len()]], problems: &[ContactLike], d: Option<f64>, k: usize, percentile: usize) -> f64 {
    let chosen = problems.iter().zip(errors).filter(|(problem, _)| d.is_none_or(|d| problem.impedance == d));
    let mut chosen: Vec<f64> = chosen.map(|(_, error)| error[k]).collect();
    chosen.sort_by(f64::total_cmp);
    chosen[(chosen.len() * percentile).div_ceil(100).max(1) - 1]
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let seed = arguments.iter().skip_while(|a| *a != "seed").nth(1).map_or(1, |x| x.parse().expect("seed NUMBER"));
    let problems = problems(seed, 400);
    let scalars = [("f32", all::<f32>(&problems)), ("f64", all::<f64>(&problems))];
    if arguments.iter().any(|a| a == "csv") {
        println!("impedance,scalar,sweeps,p50,p90,p100");
        for d in [None].into_iter().chain(IMPEDANCES.map(Some)) {
            for (name, errors) in &scalars {
                for (k, sweeps) in SWEEPS.iter().enumerate() {
                    let [a, b, c] = PERCENTILES.map(|p| at(errors, &problems, d, k, p));
                    let d = d.map_or("all".to_string(), |d| d.to_string());
                    println!("{d},{name},{sweeps},{a:.2e},{b:.2e},{c:.2e}");
                }
            }
        }
        return;
    }
    println!("| sweeps | f32 median | 90 % | worst | f64 median | 90 % | worst |\n|---|---|---|---|---|---|---|");
    for (k, sweeps) in SWEEPS.iter().enumerate() {
        print!("| {sweeps} |");
        for (_, errors) in &scalars {
            for percentile in PERCENTILES {
                print!(" {:.1e} |", at(errors, &problems, None, k, percentile));
            }
        }
        println!();
    }
    println!("\nBy impedance, f32, median / worst:\n");
    println!("| sweeps |{}", IMPEDANCES.map(|d| format!(" d = {d} |")).concat());
    println!("|---|{}", "---|".repeat(IMPEDANCES.len()));
    for (k, sweeps) in SWEEPS.iter().enumerate() {
        print!("| {sweeps} |");
        for d in IMPEDANCES {
            let [median, worst] = [50, 100].map(|p| at(&scalars[0].1, &problems, Some(d), k, p));
            print!(" {median:.1e} / {worst:.1e} |");
        }
        println!();
    }
}
