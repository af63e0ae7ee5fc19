//! Instructions of solves of random and adversarial problems, beside the stated upper bound.
#![no_std]
#![no_main]

#[path = "../../../scenes/mod.rs"]
mod scenes;

use cortex_m_rt::entry;
use delassus_firmware::{Counter, exit};
use scenes::sizes::Solver;
use scenes::worst::{Numbers, Problem, bound};

/// Problems of each size: 10,000 for each solver.
const PROBLEMS: u32 = 2_500;

#[inline(never)]
fn measure<const NV: usize, const NR: usize>(problem: &mut Problem<NV, NR>, counter: &mut Counter) {
    // Of each solver: solves, solves over the bound, the longest one and its bound.
    let mut seen = [(0u32, 0u32, 0u32, 0u32); 4];
    let mut numbers = Numbers(NV as u32);
    for _ in 0..PROBLEMS {
        if !problem.prepare(&mut numbers) {
            continue;
        }
        for (solver, seen) in Solver::ALL.into_iter().zip(&mut seen) {
            let (report, count) = counter.count(|| problem.solve(solver));
            let (Ok(report), Some(count)) = (report, count) else { continue };
            let (iterations, evaluations) = (u32::from(report.iterations), u32::from(report.line_search_evaluations));
            let most = bound(solver, NV as u32, problem.rows() as u32, iterations, evaluations);
            seen.0 += 1;
            if count > most {
                seen.1 += 1;
                defmt::info!(
                    "over {=str} rows {=usize} iterations {=u32} evaluations {=u32}: {=u32} of {=u32}",
                    solver.name(),
                    problem.rows(),
                    iterations,
                    evaluations,
                    count,
                    most
                );
            }
            if count > seen.2 {
                (seen.2, seen.3) = (count, most);
            }
        }
    }
    for (solver, (solves, over, longest, most)) in Solver::ALL.into_iter().zip(seen) {
        defmt::info!(
            "worst {=str} dofs {=usize} rows {=usize} solves {=u32} over {=u32} longest {=u32} bound {=u32}",
            solver.name(),
            NV,
            NR,
            solves,
            over,
            longest,
            most
        );
    }
}

#[entry]
fn main() -> ! {
    static mut SMALL: Problem<2, 4> = Problem::new();
    static mut ARM: Problem<6, 12> = Problem::new();
    static mut MIDDLE: Problem<12, 24> = Problem::new();
    static mut LARGE: Problem<18, 24> = Problem::new();

    let Some(peripherals) = cortex_m::Peripherals::take() else { exit(false) };
    let mut counter = Counter::new(peripherals.SYST);
    measure(SMALL, &mut counter);
    measure(ARM, &mut counter);
    measure(MIDDLE, &mut counter);
    measure(LARGE, &mut counter);
    exit(true)
}
