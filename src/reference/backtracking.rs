//! Newton's method with a backtracking line search (S15-35): full step first, halved until the objective has fallen enough.

use nalgebra::SVector;

use crate::mass::{MassMatrix, factor};
use crate::rows::Rows;
use crate::scalar::{Real, add_scaled, dot, literal};
use crate::solver::law::{Zone, respond};
use crate::solver::measure::primal_objective;
use crate::solver::{Iterate, Observer, SolverError};

/// Share of the predicted decrease that a step must reach (Armijo). Below 0.1428 the printed path of the block stack comes out.
const SUFFICIENT: f64 = 1e-4;

/// How often a step is halved at most: past this it is nothing in any precision.
const HALVINGS: u16 = 60;

/// Memory of [`backtracking_newton`].
#[derive(Clone, Debug)]
pub struct BacktrackingWorkspace<T, const NV: usize, const NR: usize> {
    force: [T; NR],
    gradient: [T; NV],
    hessian: [[T; NV]; NV],
    inverse_pivots: [T; NV],
}

impl<T: Copy, const NV: usize, const NR: usize> BacktrackingWorkspace<T, NV, NR> {
    /// All zero: pass `0.0`.
    pub const fn filled(zero: T) -> Self {
        Self { force: [zero; NR], gradient: [zero; NV], hessian: [[zero; NV]; NV], inverse_pivots: [zero; NV] }
    }
}

/// Walks from `start` to the minimum of the primal objective and returns it with the number of steps.
///
/// Ends when the gradient's largest entry is at most `tolerance`, when halving no longer helps, or after `iterations` steps.
/// Every point of the walk is shown to the observer, with its gradient and the step that led there.
///
/// # Errors
/// Mass not ready, a row with R = 0, or a Hessian that rounding spoilt ([`SolverError::Overflow`]).
#[allow(clippy::too_many_arguments)]
pub fn backtracking_newton<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    start: &SVector<T, NV>,
    iterations: u16,
    tolerance: T,
    work: &mut BacktrackingWorkspace<T, NV, NR>,
    observer: &mut impl Observer<T>,
) -> Result<(SVector<T, NV>, u16), SolverError> {
    mass.check_ready()?;
    for (index, row) in rows.rows().iter().enumerate() {
        if !(row.regularizer > T::zero()) {
            return Err(SolverError::ZeroRegularizer { row: index as u16 });
        }
    }
    let objective = |a: &SVector<T, NV>| primal_objective(mass, free_acceleration, rows, a);
    let (mut acceleration, mut step) = (*start, T::zero());
    for iteration in 0..=iterations {
        let inertia = mass.times(&(acceleration - free_acceleration));
        let [inertia] = inertia.data.0;
        work.gradient = inertia;
        work.hessian = *mass.columns();
        for (row, answer) in rows.rows().iter().zip(&mut work.force) {
            let [a] = &acceleration.data.0;
            let stiffness = T::one() / row.regularizer;
            let (force, zone) = respond(row.rule, stiffness, dot(&row.jacobian, a) - row.reference);
            *answer = force;
            add_scaled(&mut work.gradient, -force, &row.jacobian);
            if zone == Zone::Quadratic {
                for (column, j) in work.hessian.iter_mut().zip(&row.jacobian) {
                    add_scaled(column, *j * stiffness, &row.jacobian);
                }
            }
        }
        observer.iterate(&Iterate {
            iteration,
            acceleration: acceleration.as_slice(),
            force: &work.force[..rows.len().min(NR)],
            gradient: &work.gradient,
            step,
        });
        if iteration == iterations || work.gradient.iter().all(|g| g.abs() <= tolerance) {
            return Ok((acceleration, iteration));
        }
        factor::factor(&mut work.hessian, &mut work.inverse_pivots).map_err(|_| SolverError::Overflow)?;
        let mut direction = work.gradient.map(|g| -g);
        factor::solve(&work.hessian, &work.inverse_pivots, &mut direction);
        let slope = dot(&work.gradient, &direction);
        let direction = SVector::from_array_storage(nalgebra::ArrayStorage([direction]));
        let before = objective(&acceleration);
        step = T::one();
        let mut next = acceleration + direction;
        let mut halvings = 0;
        while !(objective(&next) <= before + literal::<T>(SUFFICIENT) * step * slope) {
            if halvings == HALVINGS {
                return Ok((acceleration, iteration));
            }
            halvings += 1;
            step *= literal(0.5);
            next = acceleration + direction * step;
        }
        acceleration = next;
    }
    Ok((acceleration, iterations))
}
