//! The factor M = Lᵀ D L of a symmetric positive definite matrix, in place, without square roots.
//!
//! L is unit lower triangular and D diagonal (Featherstone, *Rigid Body Dynamics Algorithms*, section 6.5). Taking pivots from
//! the last degree of freedom to the first keeps the zeros of a branched mechanism: entry (k, i) of L is zero unless dof i
//! moves dof k, so with a parent array the work falls from n³/6 to the sum of squared depths.
//!
//! Storage: column k above the diagonal holds row k of L, contiguous; what is below the diagonal is not read, and may be overwritten.
//! The diagonal holds D; `inverse` holds 1/D, so a solve needs no division.

use super::{substitution, tiles};
use crate::mass::MassError;
use crate::scalar::{Real, add_scaled, dot};

/// The chain of dofs above each one: `parents[k]` is 1 + the index of the dof that moves dof k, or 0 for none.
///
/// Offset by one so that an all-zero array, which lives in .bss, means "nothing moves anything".
pub type Parents<const NV: usize> = [u8; NV];

/// Replaces the upper triangle of a symmetric matrix by its factor; `columns[k][i]` is entry (i, k), i ≤ k.
///
/// # Errors
/// [`MassError::NotPositiveDefinite`] naming the first pivot that is not a positive finite number; NaN is caught here too.
/// The columns then hold an unfinished factor.
#[inline(always)]
pub fn factor<T: Real, const NV: usize>(columns: &mut [[T; NV]; NV], inverse: &mut [T; NV]) -> Result<(), MassError> {
    tiles::factor(columns, inverse)
}

/// The same factor where entries off a dof's own chain are known to be zero: only chains are visited.
///
/// # Errors
/// As [`factor`].
#[inline(never)] // inlined, its loops run short of registers: a tenth slower on the chip
pub fn factor_tree<T: Real, const NV: usize>(
    columns: &mut [[T; NV]; NV],
    inverse: &mut [T; NV],
    parents: &Parents<NV>,
) -> Result<(), MassError> {
    for k in (0..NV).rev() {
        let (left, right) = columns.split_at_mut(k);
        let Some(column) = right.first_mut() else { break };
        inverse[k] = inverse_pivot(column[k], k)?;
        let reciprocal = inverse[k];
        let mut i = usize::from(parents[k]);
        // A chain is strictly descending, so k steps end it; the bound also stops a corrupted array.
        for _ in 0..k {
            let Some(above) = i.checked_sub(1) else { break };
            let (Some(target), Some(entry), Some(next)) = (left.get_mut(above), column.get(above), parents.get(above))
            else {
                break;
            };
            let ratio = *entry * reciprocal;
            let mut j = i;
            for _ in 0..i {
                let Some(higher) = j.checked_sub(1) else { break };
                let (Some(to), Some(from), Some(parent)) =
                    (target.get_mut(higher), column.get(higher), parents.get(higher))
                else {
                    break;
                };
                *to -= ratio * *from;
                j = usize::from(*parent);
            }
            if let Some(entry) = column.get_mut(above) {
                *entry = ratio;
            }
            i = usize::from(*next);
        }
    }
    Ok(())
}

#[inline(always)]
#[allow(clippy::eq_op)]
pub(super) fn inverse_pivot<T: Real>(pivot: T, k: usize) -> Result<T, MassError> {
    let inverse = T::one() / pivot;
    // The inverse of a negative pivot is negative, of an infinite one zero, of a subnormal one infinite: x − x is zero for finite x only.
    if !(inverse > T::zero()) || inverse - inverse != T::zero() {
        return Err(MassError::NotPositiveDefinite { pivot: k as u16 });
    }
    Ok(inverse)
}

/// x ← M⁻¹ x, from the factor.
#[inline(never)]
pub fn solve<T: Real, const NV: usize>(columns: &[[T; NV]; NV], inverse: &[T; NV], x: &mut [T; NV]) {
    half_solve(columns, x);
    finish_solve(columns, inverse, x);
}

/// Whether solves go by strips: on the host they are twice as fast; on the chip plain loops up to here unroll and load many numbers
/// at once, which takes a third less.
#[inline(always)]
fn in_strips<T: Real, const NV: usize>() -> bool {
    !tiles::threes::<T>() || NV > 20
}

/// x ← L⁻ᵀ x, the first half of a solve.
#[inline]
pub fn half_solve<T: Real, const NV: usize>(columns: &[[T; NV]; NV], x: &mut [T; NV]) {
    if in_strips::<T, NV>() { substitution::half_solve(columns, x) } else { half_solve_plainly(columns, x) }
}

#[inline]
fn half_solve_plainly<T: Real, const NV: usize>(columns: &[[T; NV]; NV], x: &mut [T; NV]) {
    for k in (0..NV).rev() {
        let value = x[k];
        add_scaled(&mut x[..k], -value, &columns[k][..k]);
    }
}

/// [`half_solve`] of an x that is zero behind dof `last`: what follows it stays zero.
#[inline(never)] // beside it, so that its loops keep their constant length
pub(super) fn half_solve_from<T: Real, const NV: usize>(columns: &[[T; NV]; NV], x: &mut [T; NV], last: usize) {
    for (k, column) in columns.iter().enumerate().take(last.saturating_add(1)).rev() {
        if let (Some(above), Some(column)) = (x.get_mut(..=k), column.get(..k))
            && let Some((value, above)) = above.split_last_mut()
        {
            add_scaled(above, -*value, column);
        }
    }
}

/// x ← L⁻¹ D⁻¹ x, the second half.
#[inline]
pub(super) fn finish_solve<T: Real, const NV: usize>(columns: &[[T; NV]; NV], inverse: &[T; NV], x: &mut [T; NV]) {
    for k in 0..NV {
        x[k] *= inverse[k];
    }
    if in_strips::<T, NV>() { substitution::finish_solve(columns, x) } else { finish_solve_plainly(columns, x) }
}

#[inline]
fn finish_solve_plainly<T: Real, const NV: usize>(columns: &[[T; NV]; NV], x: &mut [T; NV]) {
    for k in 1..NV {
        x[k] -= dot(&columns[k][..k], &x[..k]);
    }
}

/// Σ y²/D for the half solved y = L⁻ᵀ x: xᵀ M⁻¹ x as a sum of squares, which no rounding can take below zero, as it can the product
/// of x and M⁻¹ x where M is nearly singular.
#[inline]
pub fn square<T: Real, const NV: usize>(inverse: &[T; NV], half: &[T; NV]) -> T {
    let mut sum = T::zero();
    for (y, inverse) in half.iter().zip(inverse) {
        sum += *y * *y * *inverse;
    }
    sum
}

/// x ← M⁻¹ x, from a factor made by [`factor_tree`]: only chains are visited.
pub fn solve_tree<T: Real, const NV: usize>(
    columns: &[[T; NV]; NV],
    inverse: &[T; NV],
    parents: &Parents<NV>,
    x: &mut [T; NV],
) {
    half_solve_tree(columns, parents, x);
    finish_solve_tree(columns, inverse, parents, x);
}

/// [`half_solve`] from a factor made by [`factor_tree`].
#[inline(never)] // inlined, it is unrolled into its callers' loops and hoists NV addresses before them
pub fn half_solve_tree<T: Real, const NV: usize>(columns: &[[T; NV]; NV], parents: &Parents<NV>, x: &mut [T; NV]) {
    for k in (0..NV).rev() {
        let value = x[k];
        let mut i = usize::from(parents[k]);
        for _ in 0..k {
            let Some(above) = i.checked_sub(1) else { break };
            let (Some(slot), Some(entry), Some(next)) = (x.get_mut(above), columns[k].get(above), parents.get(above))
            else {
                break;
            };
            *slot -= *entry * value;
            i = usize::from(*next);
        }
    }
}

#[inline(never)] // as above
pub(super) fn finish_solve_tree<T: Real, const NV: usize>(
    columns: &[[T; NV]; NV],
    inverse: &[T; NV],
    parents: &Parents<NV>,
    x: &mut [T; NV],
) {
    for k in 0..NV {
        x[k] *= inverse[k];
    }
    for k in 1..NV {
        // From the root down the chain would need a second array; from the leaf up the sum only changes its order.
        let mut sum = T::zero();
        let mut i = usize::from(parents[k]);
        for _ in 0..k {
            let Some(above) = i.checked_sub(1) else { break };
            let (Some(value), Some(entry), Some(next)) = (x.get(above), columns[k].get(above), parents.get(above))
            else {
                break;
            };
            sum += *entry * *value;
            i = usize::from(*next);
        }
        x[k] -= sum;
    }
}
