//! Best friction force for a fixed normal force: a quadratic over an ellipsoid.
//!
//! minimise ½ v'A v + b'v subject to Σ (v_j/μ_j)² ≤ s².
//!
//! Substituting v_j = μ_j s w_j gives the unit ball, where the multiplier is found by a safeguarded Newton iteration on the
//! secular function; see `ball`. Exact up to rounding, bounded, and at home at s = 0 and for singular A.

use super::ball::{self, drawn_inward};
use crate::scalar::{Real, all_finite};

/// Minimiser v of ½ v'Av + b'v over Σ (v_j/μ_j)² ≤ `radius`², for M = 1, 2, 3 or 5 friction directions.
///
/// `a` is symmetric positive semidefinite (lower triangle read), `friction` positive, `radius` the normal force. The unit
/// of `b` is that of `a` times a force. The result lies inside the ellipsoid up to an ulp and is finite always; it is zero
/// where `radius` is not positive, and where the input is not finite or the result not representable. When `a` is singular and
/// more than one point is best, one of them.
pub fn minimize<T: Real, const M: usize>(a: &[[T; M]; M], b: &[T; M], friction: &[T; M], radius: T) -> [T; M] {
    let zero = [T::zero(); M];
    if !(radius > T::zero()) {
        return zero;
    }
    let scaled: [[T; M]; M] = core::array::from_fn(|i| core::array::from_fn(|j| friction[i] * a[i][j] * friction[j]));
    let q: [T; M] = core::array::from_fn(|j| friction[j] * b[j]);
    let ball = ball::minimize(radius, &scaled, &q, T::zero());
    let w = drawn_inward(&ball.w);
    let v: [T; M] = core::array::from_fn(|j| friction[j] * (radius * w[j]));
    if all_finite(&v) { v } else { zero }
}
