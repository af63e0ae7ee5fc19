//! How far from the optimum: the checks and measures that several solvers share.

use nalgebra::SVector;

use super::{Budget, SolverError, law};
use crate::cone::DIMENSION;
use crate::mass::{MassError, MassMatrix};
use crate::rows::{Rows, Rule};
use crate::scalar::{Real, all_finite, dot, literal};

/// max_i |f_i − Π_i(f_i − w_i/H_ii)|, the force correction that one more visit of each row would make (S15-17), in the unit of
/// the rows' forces: zero exactly at the optimum, also with open contacts, whose w is positive (S15-14).
///
/// `residual` is w = (A + R) f + b, `diagonal` is the diagonal of A + R; all slices are one entry a row.
pub fn force_correction<T: Real>(rules: &[Rule<T>], diagonal: &[T], force: &[T], residual: &[T]) -> T {
    let mut worst = T::zero();
    for (((rule, diagonal), force), residual) in rules.iter().zip(diagonal).zip(force).zip(residual) {
        let correction = (*force - law::project(*rule, *force - *residual / *diagonal)).abs();
        if correction > worst {
            worst = correction;
        }
    }
    worst
}

/// F(a) = ½ (a − a_u)ᵀ M (a − a_u) + Σ s(J a − a_ref), the primal objective \[N m/s²\] (S15-31); rows with R = 0 make it infinite
/// off their target. For looking and testing: solvers use differences in factored form.
pub fn primal_objective<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    acceleration: &SVector<T, NV>,
) -> T {
    let mut sum = mass.half_quadratic(&(acceleration - free_acceleration));
    for row in rows.rows() {
        let z = row.times(array(acceleration)) - row.reference;
        sum += law::cost(row.rule, T::one() / row.regularizer, z);
    }
    for block in rows.cones() {
        let mut z = [T::zero(); DIMENSION];
        for (z, row) in z.iter_mut().zip(rows.rows().get(block.range()).unwrap_or(&[])) {
            *z = row.times(array(acceleration)) - row.reference;
        }
        sum += block.cone.cost(&block.cone.point(&z));
    }
    sum
}

/// ½ fᵀ (A + R) f + bᵀ f, the dual objective \[N m/s²\]; its minimum is minus that of [`primal_objective`] (W15-59).
///
/// # Errors
/// The mass matrix is not ready.
pub fn dual_objective<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    force: &[T],
) -> Result<T, MassError> {
    let generalized = rows.generalized_force(force);
    let mut added = generalized;
    mass.solve(&mut added)?;
    let half = literal::<T>(0.5);
    let mut sum = dot(generalized.as_slice(), added.as_slice()) * half;
    for (row, force) in rows.rows().iter().zip(force) {
        let offset = row.times(array(free_acceleration)) - row.reference;
        sum += *force * (half * row.regularizer * *force + offset);
    }
    Ok(sum)
}

/// Rows whose force is not zero.
pub(super) fn active<T: Real>(force: &[T]) -> u16 {
    let mut count = 0u16;
    for f in force {
        if *f != T::zero() {
            count = count.saturating_add(1);
        }
    }
    count
}

/// Everything that makes a solve impossible, before any arithmetic.
pub(super) fn check<T: Real, const NV: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    warm_start: Option<&SVector<T, NV>>,
    budget: &Budget<T>,
) -> Result<(), SolverError> {
    mass.check_ready()?;
    check_finite(free_acceleration)?;
    if let Some(warm_start) = warm_start {
        check_finite(warm_start)?;
    }
    if budget.is_sound() { Ok(()) } else { Err(SolverError::BadBudget) }
}

pub(super) fn check_finite<T: Real, const NV: usize>(acceleration: &SVector<T, NV>) -> Result<(), SolverError> {
    if all_finite(acceleration.as_slice()) {
        return Ok(());
    }
    let freedom = acceleration.iter().position(|x| !x.is_finite()).unwrap_or(0);
    Err(SolverError::NotFinite { freedom: freedom as u16 })
}

/// A column of nalgebra's as the array that it is.
#[inline(always)]
pub(super) fn array<T: Real, const NV: usize>(vector: &SVector<T, NV>) -> &[T; NV] {
    let [array] = &vector.data.0;
    array
}

/// A constant column.
pub(super) const fn vector<T: Copy, const NV: usize>(value: T) -> SVector<T, NV> {
    SVector::from_array_storage(nalgebra::ArrayStorage([[value; NV]; 1]))
}
