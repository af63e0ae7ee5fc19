//! Projected Gauss–Seidel on the dual objective (S15-09 … S15-18), rows in their natural order.
//!
//! One visit: w_i = J_i a − a_ref,i + R_i f_i is the residual with all newest forces; f_i ← Π_i(f_i − w_i/H_ii) with H = A + R
//! minimises the objective over this one force. Two ways to w_i, same numbers up to rounding: keep the acceleration a and add
//! (Δf) M⁻¹ J_iᵀ after each visit, O(NV) a row, or form A and sum over the row, O(NR) a row.
//!
//! Every intermediate force obeys its row's rule, and the acceleration always belongs to the forces, so stopping anywhere is safe.

use nalgebra::SVector;

use super::sweep::{Answer, Formed, MatrixFree, finish, floored, sweep};
use super::{Budget, Delassus, Observer, Report, SolverError, WarmStart, measure};
use crate::mass::MassMatrix;
use crate::rows::Rows;
use crate::scalar::{Real, dot, literal};

/// Memory of [`projected_gauss_seidel`]: M⁻¹ Jᵀ, NV × NR. Also holds the answer.
#[derive(Clone, Debug)]
pub struct SweepWorkspace<T, const NV: usize, const NR: usize> {
    answer: Answer<T, NV, NR>,
    /// M⁻¹ J_iᵀ, one a row.
    response: [[T; NV]; NR],
}

/// Memory of [`projected_gauss_seidel_with_delassus`]: A, NR × NR. Also holds the answer.
#[derive(Clone, Debug)]
pub struct DelassusWorkspace<T, const NV: usize, const NR: usize> {
    answer: Answer<T, NV, NR>,
    delassus: Delassus<T, NR>,
    /// b = J a_u − a_ref.
    offset: [T; NR],
}

impl<T: Copy, const NV: usize, const NR: usize> SweepWorkspace<T, NV, NR> {
    /// All zero: pass `0.0`.
    pub const fn filled(zero: T) -> Self {
        Self { answer: Answer::filled(zero), response: [[zero; NV]; NR] }
    }

    /// The acceleration of the last solve.
    pub fn acceleration(&self) -> &SVector<T, NV> {
        &self.answer.acceleration
    }

    /// The forces of the last solve, one a row.
    pub fn force(&self) -> &[T] {
        self.answer.force()
    }
}

impl<T: Copy, const NV: usize, const NR: usize> DelassusWorkspace<T, NV, NR> {
    /// All zero: pass `0.0`.
    pub const fn filled(zero: T) -> Self {
        Self { answer: Answer::filled(zero), delassus: Delassus::filled(zero), offset: [zero; NR] }
    }

    /// The acceleration of the last solve.
    pub fn acceleration(&self) -> &SVector<T, NV> {
        &self.answer.acceleration
    }

    /// The forces of the last solve, one a row.
    pub fn force(&self) -> &[T] {
        self.answer.force()
    }

    /// A of the last solve.
    pub fn delassus(&self) -> &Delassus<T, NR> {
        &self.delassus
    }
}

/// Solves by sweeps without forming A; see the [module of solvers](crate::solver).
///
/// `free_acceleration` is a_u; `warm_start` the acceleration of the last tick, whose forces are kept if their dual objective is
/// not above that of no force at all. The answer is in `work`; a row with R = 0 gets the floor 1e-15.
///
/// # Errors
/// Mass not ready, numbers not finite, an impossible budget; [`SolverError::Overflow`] if the answer is not finite.
pub fn projected_gauss_seidel<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    warm_start: Option<&SVector<T, NV>>,
    budget: &Budget<T>,
    work: &mut SweepWorkspace<T, NV, NR>,
) -> Result<Report<T>, SolverError> {
    projected_gauss_seidel_observed(mass, free_acceleration, rows, warm_start, budget, work, &mut ())
}

/// [`projected_gauss_seidel`], shown to an observer visit by visit. While it runs, the iterates' accelerations are those of the
/// forces.
///
/// # Errors
/// As [`projected_gauss_seidel`].
pub fn projected_gauss_seidel_observed<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    warm_start: Option<&SVector<T, NV>>,
    budget: &Budget<T>,
    work: &mut SweepWorkspace<T, NV, NR>,
    observer: &mut impl Observer<T>,
) -> Result<Report<T>, SolverError> {
    measure::check(mass, free_acceleration, warm_start, budget)?;
    let SweepWorkspace { answer, response } = work;
    answer.rows = rows.len();
    for ((row, response), diagonal) in rows.rows().iter().zip(&mut *response).zip(&mut answer.diagonal) {
        *response = row.jacobian;
        *diagonal = mass.solve_with_square(response, row.last()) + floored(row.regularizer);
    }
    answer.acceleration = *free_acceleration;
    answer.force = [T::zero(); NR];
    let mut warm = WarmStart::Absent;
    if let Some(saved) = warm_start {
        answer.answer_to(saved, rows);
        // With w = A f the dual objective is ½ fᵀ(A f + R f) + bᵀ f, and A f is J times the acceleration the forces add.
        answer.add_responses(response);
        let mut objective = T::zero();
        for (row, force) in rows.rows().iter().zip(&answer.force) {
            let free = row.times(measure::array(free_acceleration)) - row.reference;
            let now = row.times(measure::array(&answer.acceleration)) - row.reference;
            objective += *force * (free + now + floored(row.regularizer) * *force);
        }
        warm = answer.keep_if(objective, free_acceleration);
    }
    let report = sweep(mass, free_acceleration, &MatrixFree(response), rows, warm, budget, answer, observer)?;
    // The running sum has rounded in every visit; the sum of the forces is what the answer promises.
    answer.acceleration = *free_acceleration;
    answer.add_responses(response);
    finish(rows, report, answer)
}

/// Solves by sweeps over A, formed first. Pays when there are fewer rows than dofs, and when many sweeps are made.
///
/// # Errors
/// As [`projected_gauss_seidel`].
pub fn projected_gauss_seidel_with_delassus<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    warm_start: Option<&SVector<T, NV>>,
    budget: &Budget<T>,
    work: &mut DelassusWorkspace<T, NV, NR>,
) -> Result<Report<T>, SolverError> {
    projected_gauss_seidel_with_delassus_observed(mass, free_acceleration, rows, warm_start, budget, work, &mut ())
}

/// [`projected_gauss_seidel_with_delassus`], shown to an observer visit by visit. The iterates carry the free acceleration; the
/// final acceleration is formed once, after the sweeps.
///
/// # Errors
/// As [`projected_gauss_seidel`].
pub fn projected_gauss_seidel_with_delassus_observed<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    warm_start: Option<&SVector<T, NV>>,
    budget: &Budget<T>,
    work: &mut DelassusWorkspace<T, NV, NR>,
    observer: &mut impl Observer<T>,
) -> Result<Report<T>, SolverError> {
    measure::check(mass, free_acceleration, warm_start, budget)?;
    let DelassusWorkspace { answer, delassus, offset } = work;
    answer.rows = rows.len();
    delassus.form(mass, rows)?;
    let entries = rows.rows().iter().enumerate().zip(&mut *offset).zip(&mut answer.diagonal);
    for (((index, row), offset), diagonal) in entries {
        *offset = row.times(measure::array(free_acceleration)) - row.reference;
        *diagonal = delassus.column(index).get(index).copied().unwrap_or(T::zero()) + floored(row.regularizer);
    }
    answer.acceleration = *free_acceleration;
    answer.force = [T::zero(); NR];
    let mut warm = WarmStart::Absent;
    if let Some(saved) = warm_start {
        answer.answer_to(saved, rows);
        let mut objective = T::zero();
        for (((index, row), force), offset) in rows.rows().iter().enumerate().zip(&answer.force).zip(&*offset) {
            let coupled = dot(delassus.column(index), &answer.force);
            objective += *force * (coupled + floored(row.regularizer) * *force + literal::<T>(2.0) * *offset);
        }
        warm = answer.keep_if(objective, free_acceleration);
    }
    let report = sweep(mass, free_acceleration, &Formed { delassus, offset }, rows, warm, budget, answer, observer)?;
    let mut added = rows.generalized_force(answer.force());
    mass.solve(&mut added)?;
    answer.acceleration = free_acceleration + added;
    finish(rows, report, answer)
}
