//! The solver that the model's options name, chosen at run time.

use delassus::mass::MassMatrix;
use delassus::rows::Rows;
use delassus::solver::{
    Budget, ConjugateGradientWorkspace, Measure, NewtonWorkspace, NoslipWorkspace, Report, Scale, SolverError,
    SweepWorkspace, noslip,
};
use delassus::tick::Method;
use delassus_mjcf::{SolverMethod, SolverOptions};
use nalgebra::SVector;

use crate::run::Number;

/// One of the methods, with the pass against slip after it where the model asks for it.
pub struct AnySolver<T, const NV: usize, const NR: usize> {
    main: Main<T, NV, NR>,
    pass: Option<(Box<NoslipWorkspace<T, NV, NR>>, Budget<T>)>,
}

enum Main<T, const NV: usize, const NR: usize> {
    Newton(Box<NewtonWorkspace<T, NV, NR>>),
    ConjugateGradient(Box<ConjugateGradientWorkspace<T, NV, NR>>),
    Sweeps(Box<SweepWorkspace<T, NV, NR>>),
}

impl<T: Number, const NV: usize, const NR: usize> AnySolver<T, NV, NR> {
    /// `mean_inertia` is the model's; of its dofs `dofs` are real.
    pub fn new(options: &SolverOptions, mean_inertia: T, dofs: usize) -> Self {
        let zero = T::zero();
        let main = match options.method {
            SolverMethod::Newton => Main::Newton(Box::new(NewtonWorkspace::filled(zero))),
            SolverMethod::ConjugateGradient => {
                Main::ConjugateGradient(Box::new(ConjugateGradientWorkspace::filled(zero)))
            }
            SolverMethod::GaussSeidel => Main::Sweeps(Box::new(SweepWorkspace::filled(zero))),
        };
        let pass = (options.noslip_iterations > 0).then(|| {
            let budget = Budget {
                scale: fixed(options, mean_inertia, dofs),
                ..Budget::new(count(options.noslip_iterations), T::of(options.noslip_tolerance))
            };
            (Box::new(NoslipWorkspace::filled(zero)), budget)
        });
        Self { main, pass }
    }
}

/// 1 / (mean inertia · dofs), the engine's unit where it does not solve on islands.
fn fixed<T: Number>(options: &SolverOptions, mean_inertia: T, dofs: usize) -> Scale<T> {
    let mean = options.mean_inertia.map_or(mean_inertia, T::of);
    Scale::Fixed(T::one() / (mean * T::of(dofs.max(1) as f64)))
}

fn count(n: usize) -> u16 {
    u16::try_from(n).unwrap_or(u16::MAX)
}

/// What the model's options allow a solve to spend.
///
/// Newton goes as far as the precision goes, whatever the model's tolerance: the engine takes a step before it looks at its
/// tolerance, so that a motion that creeps from a good warm start is as exact there.
pub fn budget<T: Number>(options: &SolverOptions, mean_inertia: T, dofs: usize) -> Budget<T> {
    let on_islands = options.islands && options.method != SolverMethod::GaussSeidel;
    Budget {
        iterations: count(options.iterations),
        line_search: count(options.iterations.saturating_mul(options.line_search_iterations)),
        tolerance: if options.method == SolverMethod::Newton { T::zero() } else { T::of(options.tolerance) },
        measure: Measure::Engine,
        line_search_tolerance: T::of(options.line_search_tolerance),
        scale: if on_islands { Scale::MassTrace } else { fixed(options, mean_inertia, dofs) },
    }
}

impl<T: Number, const NV: usize, const NR: usize, const NC: usize> Method<T, NV, NR, NC> for AnySolver<T, NV, NR> {
    fn solve(
        &mut self,
        mass: &MassMatrix<T, NV>,
        free_acceleration: &SVector<T, NV>,
        rows: &Rows<T, NV, NR, NC>,
        warm_start: Option<&SVector<T, NV>>,
        budget: &Budget<T>,
    ) -> Result<Report<T>, SolverError> {
        let report = match &mut self.main {
            Main::Newton(work) => solve(&mut **work, mass, free_acceleration, rows, warm_start, budget),
            Main::ConjugateGradient(work) => solve(&mut **work, mass, free_acceleration, rows, warm_start, budget),
            Main::Sweeps(work) => solve(&mut **work, mass, free_acceleration, rows, warm_start, budget),
        }?;
        if let Some((pass, budget)) = &mut self.pass {
            noslip(mass, free_acceleration, rows, self.main.force(), budget, pass)?;
        }
        Ok(report)
    }

    fn acceleration(&self) -> &SVector<T, NV> {
        match (&self.pass, &self.main) {
            (Some((pass, _)), _) => pass.acceleration(),
            (None, Main::Newton(work)) => work.acceleration(),
            (None, Main::ConjugateGradient(work)) => work.acceleration(),
            (None, Main::Sweeps(work)) => work.acceleration(),
        }
    }

    fn force(&self) -> &[T] {
        match &self.pass {
            Some((pass, _)) => pass.force(),
            None => self.main.force(),
        }
    }
}

impl<T: Number, const NV: usize, const NR: usize> Main<T, NV, NR> {
    fn force(&self) -> &[T] {
        match self {
            Main::Newton(work) => work.force(),
            Main::ConjugateGradient(work) => work.force(),
            Main::Sweeps(work) => work.force(),
        }
    }
}

fn solve<T: Number, S, const NV: usize, const NR: usize, const NC: usize>(
    solver: &mut S,
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    warm_start: Option<&SVector<T, NV>>,
    budget: &Budget<T>,
) -> Result<Report<T>, SolverError>
where
    S: Method<T, NV, NR, NC>,
{
    solver.solve(mass, free_acceleration, rows, warm_start, budget)
}
