//! Gauss' principle with equalities alone: no iteration, a factor of A or of A + R decides (S07-38 … S07-45).
//!
//! Hard: a = argmin ½ (a − a_u)ᵀ M (a − a_u) subject to J a = a_ref, that is A λ = a_ref − J a_u and a = a_u + M⁻¹ Jᵀ λ. The
//! acceleration is unique whenever the rows do not contradict each other; λ only when they are independent (S07-40).
//! Soft: (A + R) λ = a_ref − J a_u.

use nalgebra::SVector;

use super::{Delassus, SolverError, measure};
use crate::mass::MassMatrix;
use crate::rows::{Rows, Rule};
use crate::scalar::{Real, all_finite, dot, larger, literal};

/// Memory of the projections: A and its factor. Also holds the answer.
#[derive(Clone, Debug)]
pub struct ProjectionWorkspace<T, const NV: usize, const NR: usize> {
    acceleration: SVector<T, NV>,
    multiplier: [T; NR],
    rows: usize,
    delassus: Delassus<T, NR>,
    factor: [[T; NR]; NR],
    /// 1/pivot, or zero for a row that depends on the ones before it.
    inverse_pivots: [T; NR],
}

impl<T: Copy, const NV: usize, const NR: usize> ProjectionWorkspace<T, NV, NR> {
    /// All zero: pass `0.0`.
    pub const fn filled(zero: T) -> Self {
        Self {
            acceleration: measure::vector(zero),
            multiplier: [zero; NR],
            rows: 0,
            delassus: Delassus::filled(zero),
            factor: [[zero; NR]; NR],
            inverse_pivots: [zero; NR],
        }
    }

    /// The acceleration of the last projection.
    pub fn acceleration(&self) -> &SVector<T, NV> {
        &self.acceleration
    }

    /// λ, one a row: the forces that keep the rows. Of dependent rows only the first ones carry force.
    pub fn multiplier(&self) -> &[T] {
        &self.multiplier[..self.rows.min(NR)]
    }
}

/// The acceleration nearest to a_u in the mass metric that meets J a = a_ref exactly (S07-38, S07-39); R is ignored.
///
/// Redundant rows are welcome as long as they agree. Returns Gauss' cost ½ (a − a_u)ᵀ M (a − a_u) \[N m/s²\].
///
/// # Errors
/// A row that is no equality, a contradiction ([`SolverError::Inconsistent`], naming the row), mass not ready, numbers not finite.
pub fn gauss_projection<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    work: &mut ProjectionWorkspace<T, NV, NR>,
) -> Result<T, SolverError> {
    let cost = project(mass, free_acceleration, rows, work, false)?;
    for (index, row) in rows.rows().iter().enumerate() {
        let reached = row.times(measure::array(&work.acceleration));
        let size = row.add_size(row.reference.abs(), measure::array(&work.acceleration));
        let size = row.add_size(size, measure::array(free_acceleration));
        if !((reached - row.reference).abs() <= dependence::<T>() * larger(size, T::one())) {
            return Err(SolverError::Inconsistent { row: index as u16 });
        }
    }
    Ok(cost)
}

/// The acceleration of soft equalities, (A + R) λ = a_ref − J a_u (S07-43, S07-44), without iterating.
///
/// Returns Gauss' cost ½ (a − a_u)ᵀ M (a − a_u) \[N m/s²\].
///
/// # Errors
/// A row that is no equality, mass not ready, numbers not finite.
pub fn soft_projection<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    work: &mut ProjectionWorkspace<T, NV, NR>,
) -> Result<T, SolverError> {
    project(mass, free_acceleration, rows, work, true)
}

/// Share of a diagonal entry of A below which a row counts as dependent on the ones before it, and of its terms below which a
/// row's residual counts as met: half the digits of `T`, so that neither rounding nor a nearly parallel row decides.
fn dependence<T: Real>() -> T {
    crate::scalar::square_root(T::default_epsilon())
}

fn project<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    work: &mut ProjectionWorkspace<T, NV, NR>,
    soft: bool,
) -> Result<T, SolverError> {
    mass.check_ready()?;
    measure::check_finite(free_acceleration)?;
    for (index, row) in rows.rows().iter().enumerate() {
        if row.rule != Rule::Free {
            return Err(SolverError::NotEquality { row: index as u16 });
        }
    }
    work.delassus.form(mass, rows)?;
    work.rows = rows.len();
    let entries =
        rows.rows().iter().enumerate().zip(&mut work.factor).zip(&mut work.multiplier).zip(&mut work.inverse_pivots);
    for ((((index, row), factor), multiplier), least) in entries {
        for (to, from) in factor.iter_mut().zip(work.delassus.column(index)) {
            *to = *from;
        }
        // Until its pivot is known, the slot of a row holds the least that the pivot can be.
        *least = if soft { row.regularizer } else { T::zero() };
        if let Some(diagonal) = factor.get_mut(index) {
            *diagonal += *least;
        }
        *multiplier = row.reference - row.times(measure::array(free_acceleration));
    }
    work.solve();
    let mut added = rows.generalized_force(work.multiplier());
    let force = added;
    mass.solve(&mut added)?;
    work.acceleration = free_acceleration + added;
    if !all_finite(work.acceleration.as_slice()) || !all_finite(work.multiplier()) {
        return Err(SolverError::Overflow);
    }
    Ok(dot(force.as_slice(), added.as_slice()) * literal(0.5))
}

impl<T: Real, const NV: usize, const NR: usize> ProjectionWorkspace<T, NV, NR> {
    /// multiplier ← factor⁺ multiplier by L D Lᵀ, rows in order; a pivot that vanishes beside its diagonal entry is a row that
    /// the ones before it determine, and gets no force.
    fn solve(&mut self) {
        let rows = self.rows.min(NR);
        for k in 0..rows {
            let mut column = self.factor[k];
            let diagonal = column[k];
            // column[i] becomes entry (k, i) of L times pivot i, then of L.
            let mut pivot = diagonal;
            for i in 0..k {
                column[i] -= dot(&self.factor[i][..i], &column[..i]);
            }
            for i in 0..k {
                let ratio = column[i] * self.inverse_pivots[i];
                pivot -= ratio * column[i];
                column[i] = ratio;
            }
            // In exact numbers a pivot of A + diag(R) is at least R, so a row is soft enough not to depend on others as long as
            // its R is more than rounding.
            let floor = self.inverse_pivots[k];
            pivot = larger(pivot, floor);
            let independent =
                floor > T::default_epsilon() * literal(16.0) * diagonal || pivot > dependence::<T>() * diagonal;
            self.inverse_pivots[k] = if independent { T::one() / pivot } else { T::zero() };
            self.factor[k] = column;
        }
        let x = &mut self.multiplier;
        for k in 1..rows {
            x[k] -= dot(&self.factor[k][..k], &x[..k]);
        }
        for k in 0..rows {
            x[k] *= self.inverse_pivots[k];
        }
        for k in (0..rows).rev() {
            let value = x[k];
            for i in 0..k {
                x[i] -= self.factor[k][i] * value;
            }
        }
    }
}
