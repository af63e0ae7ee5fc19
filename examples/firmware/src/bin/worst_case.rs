//! Instructions of solves of random and adversarial problems, beside the stated upper bound.
//!
//! Built with `SAMPLES=1` in the environment it prints every solve: `benches/target/fit.py` makes the bounds' coefficients of them.
#![no_std]
#![no_main]

#[path = "../../../scenes/mod.rs"]
mod scenes;

use cortex_m_rt::entry;
use delassus_firmware::{Counter, exit};
use scenes::bounds::{Counts, bound, terms};
use scenes::sizes::Solver;
use scenes::worst::{Numbers, Problem};

/// Problems of each size without contacts, and as many with: 10,000 of either for each solver.
const PROBLEMS: u32 = 2_500;
/// Whether every solve is printed.
const SAMPLES: bool = option_env!("SAMPLES").is_some();

/// What is seen of a solver.
#[derive(Clone, Copy, Default)]
struct Seen {
    solves: u32,
    over: u32,
    longest: u32,
    /// The bound of the longest solve.
    bound: u32,
}

#[inline(never)]
fn measure<const NV: usize, const NR: usize, const NC: usize>(
    problem: &mut Problem<NV, NR, NC>,
    counter: &mut Counter,
) {
    let mut numbers = Numbers(NV as u32);
    for touching in [false, true] {
        let mut seen = [Seen::default(); 4];
        for _ in 0..PROBLEMS {
            if !problem.prepare(&mut numbers, touching) {
                continue;
            }
            for (solver, seen) in Solver::ALL.into_iter().zip(&mut seen) {
                let (report, count) = counter.count(|| problem.solve(solver));
                let (Ok(report), Some(count)) = (report, count) else { continue };
                let (contacts, squares) = problem.contact_counts();
                let counts = Counts {
                    dofs: NV as u32,
                    rows: problem.rows() as u32,
                    contacts,
                    squares,
                    iterations: report.iterations.into(),
                    evaluations: report.line_search_evaluations.into(),
                };
                seen.note(solver, counts, count);
            }
        }
        for (solver, Seen { solves, over, longest, bound }) in Solver::ALL.into_iter().zip(seen) {
            defmt::info!(
                "worst {=str} dofs {=usize} rows {=usize} contacts {=usize} solves {=u32} over {=u32} longest {=u32} bound {=u32}",
                solver.name(),
                NV,
                NR,
                if touching { NC } else { 0 },
                solves,
                over,
                longest,
                bound
            );
        }
    }
}

impl Seen {
    fn note(&mut self, solver: Solver, counts: Counts, count: u32) {
        let most = bound(solver, counts);
        if SAMPLES {
            defmt::info!("sample {=str} {} {=u32}", solver.name(), terms(solver, counts), count);
        }
        self.solves += 1;
        if count > most {
            self.over += 1;
            if !SAMPLES {
                let Counts { rows, contacts, iterations, evaluations, .. } = counts;
                defmt::info!(
                    "over {=str} rows {=u32} contacts {=u32} iterations {=u32} evaluations {=u32}: {=u32} of {=u32}",
                    solver.name(),
                    rows,
                    contacts,
                    iterations,
                    evaluations,
                    count,
                    most
                );
            }
        }
        if count > self.longest {
            (self.longest, self.bound) = (count, most);
        }
    }
}

#[entry]
fn main() -> ! {
    static mut SMALL: Problem<2, 4, 1> = Problem::new();
    static mut ARM: Problem<6, 12, 4> = Problem::new();
    static mut MIDDLE: Problem<12, 24, 8> = Problem::new();
    static mut LARGE: Problem<18, 24, 8> = Problem::new();

    let Some(peripherals) = cortex_m::Peripherals::take() else { exit(false) };
    let mut counter = Counter::new(peripherals.SYST);
    measure(SMALL, &mut counter);
    measure(ARM, &mut counter);
    measure(MIDDLE, &mut counter);
    measure(LARGE, &mut counter);
    exit(true)
}
