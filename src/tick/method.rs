//! [`Method`]: a solver and its memory, as a tick calls it.

use nalgebra::SVector;

use crate::mass::MassMatrix;
use crate::rows::Rows;
use crate::scalar::Real;
use crate::solver::{
    ActiveSetWorkspace, Budget, ConjugateGradientWorkspace, DelassusWorkspace, NewtonWorkspace, NoslipWorkspace,
    Report, SolverError, SweepWorkspace, Variant, active_set, conjugate_gradient, newton, noslip,
    projected_gauss_seidel, projected_gauss_seidel_with_delassus,
};

/// A solver and its memory. Only the code of the one that a workspace carries is linked.
pub trait Method<T: Real, const NV: usize, const NR: usize, const NC: usize> {
    /// Solves for forces and acceleration.
    ///
    /// # Errors
    /// As the solver's own.
    fn solve(
        &mut self,
        mass: &MassMatrix<T, NV>,
        free_acceleration: &SVector<T, NV>,
        rows: &Rows<T, NV, NR, NC>,
        warm_start: Option<&SVector<T, NV>>,
        budget: &Budget<T>,
    ) -> Result<Report<T>, SolverError>;

    /// The acceleration of the last solve.
    fn acceleration(&self) -> &SVector<T, NV>;

    /// The forces of the last solve, one a row.
    fn force(&self) -> &[T];
}

macro_rules! method {
    ($workspace:ident, $solve:expr) => {
        impl<T: Real, const NV: usize, const NR: usize, const NC: usize> Method<T, NV, NR, NC>
            for $workspace<T, NV, NR>
        {
            fn solve(
                &mut self,
                mass: &MassMatrix<T, NV>,
                free_acceleration: &SVector<T, NV>,
                rows: &Rows<T, NV, NR, NC>,
                warm_start: Option<&SVector<T, NV>>,
                budget: &Budget<T>,
            ) -> Result<Report<T>, SolverError> {
                $solve(mass, free_acceleration, rows, warm_start, budget, self)
            }

            fn acceleration(&self) -> &SVector<T, NV> {
                self.acceleration()
            }

            fn force(&self) -> &[T] {
                self.force()
            }
        }
    };
}

method!(NewtonWorkspace, newton);
method!(ActiveSetWorkspace, active_set);
method!(SweepWorkspace, projected_gauss_seidel);
method!(DelassusWorkspace, projected_gauss_seidel_with_delassus);
method!(ConjugateGradientWorkspace, |mass, free, rows, warm, budget, work| {
    conjugate_gradient(mass, free, rows, warm, Variant::default(), budget, work)
});

/// A solver with the noslip pass after it, which has a budget of its own.
#[derive(Clone, Debug)]
pub struct WithNoslip<S, T, const NV: usize, const NR: usize> {
    /// The main solver.
    pub main: S,
    /// What the pass may spend.
    pub budget: Budget<T>,
    pass: NoslipWorkspace<T, NV, NR>,
}

impl<S, T: Copy, const NV: usize, const NR: usize> WithNoslip<S, T, NV, NR> {
    /// A main solver and the budget of the pass; `zero` as everywhere.
    pub const fn filled(zero: T, main: S, budget: Budget<T>) -> Self {
        Self { main, budget, pass: NoslipWorkspace::filled(zero) }
    }
}

impl<S, T: Real, const NV: usize, const NR: usize, const NC: usize> Method<T, NV, NR, NC> for WithNoslip<S, T, NV, NR>
where
    S: Method<T, NV, NR, NC>,
{
    /// The report is the main solver's.
    fn solve(
        &mut self,
        mass: &MassMatrix<T, NV>,
        free_acceleration: &SVector<T, NV>,
        rows: &Rows<T, NV, NR, NC>,
        warm_start: Option<&SVector<T, NV>>,
        budget: &Budget<T>,
    ) -> Result<Report<T>, SolverError> {
        let report = self.main.solve(mass, free_acceleration, rows, warm_start, budget)?;
        noslip(mass, free_acceleration, rows, self.main.force(), &self.budget, &mut self.pass)?;
        Ok(report)
    }

    fn acceleration(&self) -> &SVector<T, NV> {
        self.pass.acceleration()
    }

    fn force(&self) -> &[T] {
        self.pass.force()
    }
}
