//! The factor A = U L of an unsymmetric matrix whose zeros are those of a tree, without pivoting: U unit upper triangular, L lower.
//!
//! Pivots go from the last dof to the first, as in [`crate::mass::factor`], so no zero of the tree is filled. There is no search
//! for pivots: A = M − h D is M, whose own pivots are positive, and a part that vanishes with the step. A pivot that has no
//! finite inverse is an error.
//!
//! Storage by rows: U above the diagonal, L below and on it. `inverse` holds the inverse pivots.

use core::fmt;

use crate::mass::factor::Parents;
use crate::scalar::{Real, add_scaled, dot};

/// M − h D cannot be factored: the step is far too long for these velocities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SingularStep {
    /// Degree of freedom whose pivot has no finite inverse.
    pub dof: u16,
}

impl fmt::Display for SingularStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "implicit step: no pivot at dof {}", self.dof)
    }
}

impl core::error::Error for SingularStep {}

#[inline(always)]
fn inverse_pivot<T: Real>(pivot: T, k: usize) -> Result<T, SingularStep> {
    let inverse = T::one() / pivot;
    // The inverse of an infinite pivot is zero, of a zero or subnormal one infinite.
    if !inverse.is_finite() || inverse == T::zero() {
        return Err(SingularStep { dof: k as u16 });
    }
    Ok(inverse)
}

/// Replaces the rows of A by its factor.
///
/// # Errors
/// [`SingularStep`]; the rows then hold an unfinished factor.
pub(super) fn factor_unsymmetric<T: Real, const NV: usize>(
    rows: &mut [[T; NV]; NV],
    inverse: &mut [T; NV],
) -> Result<(), SingularStep> {
    for k in (0..NV).rev() {
        let (above, rest) = rows.split_at_mut(k);
        let Some(row) = rest.first() else { break };
        inverse[k] = inverse_pivot(row[k], k)?;
        for target in above {
            let ratio = target[k] * inverse[k];
            add_scaled(&mut target[..k], -ratio, &row[..k]);
            target[k] = ratio;
        }
    }
    Ok(())
}

/// The same factor where entries off a dof's own chain are known to be zero: only chains are visited.
///
/// # Errors
/// As [`factor_unsymmetric`].
pub(super) fn factor_unsymmetric_tree<T: Real, const NV: usize>(
    rows: &mut [[T; NV]; NV],
    inverse: &mut [T; NV],
    parents: &Parents<NV>,
) -> Result<(), SingularStep> {
    for k in (0..NV).rev() {
        let (above, rest) = rows.split_at_mut(k);
        let Some(row) = rest.first() else { break };
        inverse[k] = inverse_pivot(row[k], k)?;
        let mut i = usize::from(parents[k]);
        // A chain is strictly descending, so k steps end it; the bound also stops a corrupted array.
        for _ in 0..k {
            let Some(target) = i.checked_sub(1).and_then(|i| above.get_mut(i)) else { break };
            let ratio = target[k] * inverse[k];
            let mut j = usize::from(parents[k]);
            for _ in 0..k {
                let Some(entry) = j.checked_sub(1).and_then(|j| target.get_mut(j)) else { break };
                *entry -= ratio * row[j - 1];
                j = usize::from(parents[j - 1]);
            }
            target[k] = ratio;
            i = usize::from(parents[i - 1]);
        }
    }
    Ok(())
}

/// x ← A⁻¹ x, from the factor.
pub(super) fn solve_unsymmetric<T: Real, const NV: usize>(rows: &[[T; NV]; NV], inverse: &[T; NV], x: &mut [T; NV]) {
    for k in (0..NV).rev() {
        let value = x[k];
        for i in 0..k {
            x[i] -= rows[i][k] * value;
        }
    }
    for k in 0..NV {
        x[k] = (x[k] - dot(&rows[k][..k], &x[..k])) * inverse[k];
    }
}

/// x ← A⁻¹ x, from a factor made by [`factor_unsymmetric_tree`].
pub(super) fn solve_unsymmetric_tree<T: Real, const NV: usize>(
    rows: &[[T; NV]; NV],
    inverse: &[T; NV],
    parents: &Parents<NV>,
    x: &mut [T; NV],
) {
    for k in (0..NV).rev() {
        let value = x[k];
        let mut i = usize::from(parents[k]);
        for _ in 0..k {
            let Some(entry) = i.checked_sub(1).and_then(|i| x.get_mut(i)) else { break };
            *entry -= rows[i - 1][k] * value;
            i = usize::from(parents[i - 1]);
        }
    }
    for k in 0..NV {
        let mut sum = T::zero();
        let mut i = usize::from(parents[k]);
        for _ in 0..k {
            let Some(value) = i.checked_sub(1).and_then(|i| x.get(i)) else { break };
            sum += rows[k][i - 1] * *value;
            i = usize::from(parents[i - 1]);
        }
        x[k] = (x[k] - sum) * inverse[k];
    }
}
