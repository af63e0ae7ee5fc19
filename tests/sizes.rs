//! The problems on which the solvers are timed: every solver comes to the same optimum, in both precisions.

#[path = "../examples/scenes/mod.rs"]
mod scenes;

mod common;

use common::Number;
use delassus::solver::Stop;
use scenes::sizes::{Sized, Solver};

/// Forces in f64 of the solvers that did not end by their budget, beside Newton's; the largest decides.
fn agree<T: Number, const NV: usize, const NR: usize>(bound: f64) {
    let mut exact = Box::new(Sized::<f64, NV, NR>::filled(0.0));
    exact.prepare().unwrap();
    exact.newton_iterations(50).unwrap();
    let exact = exact.force(Solver::Newton).to_vec();
    let largest = exact.iter().fold(0.0f64, |m, x| m.max(*x));
    assert!(largest > 1.0, "nothing pushes");
    let mut memory = Box::new(Sized::<T, NV, NR>::filled(T::zero()));
    memory.prepare().unwrap();
    for solver in Solver::ALL {
        let report = memory.solve(solver).unwrap();
        let sweeps = matches!(solver, Solver::Sweeps | Solver::SweepsWithDelassus);
        assert!(report.stop != Stop::BudgetSpent || sweeps && NR > NV, "{solver:?} {report:?}");
        let error = memory.force(solver).iter().zip(&exact).fold(0.0f64, |m, (f, e)| m.max(((*f).into() - e).abs()));
        let bound = if report.stop == Stop::BudgetSpent { 0.1 } else { bound };
        assert!(error <= bound * largest, "{NV} × {NR} {solver:?}: {error:e} of {largest} {report:?}");
    }
}

fn all<T: Number>(bound: f64) {
    agree::<T, 2, 2>(bound);
    agree::<T, 2, 12>(bound);
    agree::<T, 2, 24>(bound);
    agree::<T, 6, 2>(bound);
    agree::<T, 6, 12>(bound);
    agree::<T, 6, 24>(bound);
    agree::<T, 18, 2>(bound);
    agree::<T, 18, 12>(bound);
    agree::<T, 18, 24>(bound);
}

/// To the tolerances at which they are timed, 1e-6 of the engine's measure and 1e-5 N in a sweep. The engine's measure leaves conjugate
/// gradients 7e-4 of the largest force short at 18 dofs.
#[test]
fn every_solver_of_the_table_solves_its_problem() {
    all::<f64>(1e-3);
    all::<f32>(1e-3);
}
