//! Sliding friction by maximum dissipation (S07-48, S07-49), and the cone as a set.
//!
//! At normal force λ_n the friction force may be any vector of the ellipsoid Σ (λ_j/μ_j)² ≤ λ_n². While the contact slides with
//! velocity u ≠ 0 it is the one that takes most power out: it minimises λ'u. Equal coefficients give the Coulomb disc, where the
//! force is opposite to the velocity; unequal ones turn it. With u = 0 any vector of the set is possible.

use super::ball::{inward, safe_norm};
use crate::scalar::{Real, larger};

/// Friction force of a sliding contact and its power.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Sliding<T, const M: usize> {
    /// Friction force, one number a direction \[N, N m for spin and rolling\].
    pub force: [T; M],
    /// Power of the force on the relative motion, ≤ 0 \[W\].
    pub power: T,
}

/// Force of maximum dissipation at sliding velocity `velocity` under normal force `normal`, for friction coefficients μ_j ≥ 0:
/// λ_j = −λ_n μ_j² u_j/norm(μ u), power −λ_n norm(μ u) (S07-49).
///
/// Zero where nothing slides, where every μ_j u_j vanishes, or where λ_n ≤ 0 (no contact).
pub fn sliding<T: Real, const M: usize>(normal: T, friction: &[T; M], velocity: &[T; M]) -> Sliding<T, M> {
    let normal = larger(normal, T::zero());
    let scaled: [T; M] = core::array::from_fn(|j| friction[j] * velocity[j]);
    let length = safe_norm(&scaled);
    if !(length > T::zero()) {
        return Sliding { force: [T::zero(); M], power: T::zero() };
    }
    let force = core::array::from_fn(|j| -(normal * (friction[j] * (scaled[j] / length))));
    Sliding { force, power: -(normal * length) }
}

/// Whether (`normal`, `tangent`) is a possible contact force: λ_n ≥ 0 and Σ (λ_j/μ_j)² ≤ λ_n² (S07-48).
///
/// A direction with μ_j = 0 allows only λ_j = 0. Taken literally, without a tolerance; false for NaN.
pub fn contains<T: Real>(normal: T, tangent: &[T], friction: &[T]) -> bool {
    normal >= T::zero() && reach(normal, tangent, friction).is_some_and(|r| r <= T::one())
}

/// norm(λ_j/(μ_j λ_n)), at most 1 inside; `None` where a direction without friction (or a contact without normal) has a force.
fn reach<T: Real>(normal: T, tangent: &[T], friction: &[T]) -> Option<T> {
    let mut size = T::zero();
    for pass in 0..2 {
        let mut square = T::zero();
        for (j, x) in tangent.iter().enumerate() {
            let mu = friction.get(j).copied().unwrap_or(T::zero());
            if *x == T::zero() {
                continue;
            }
            if !(mu > T::zero() && normal > T::zero()) {
                return None;
            }
            let ratio = *x / mu / normal;
            if pass == 0 {
                size = larger(ratio.abs(), size);
            } else {
                square += (ratio / size) * (ratio / size);
            }
        }
        if pass == 0 && !(size > T::zero()) {
            // All zero, or nothing but NaN.
            return tangent.iter().all(|x| *x == T::zero()).then_some(T::zero());
        }
        if pass == 1 {
            return Some(size * crate::scalar::square_root(square));
        }
    }
    None
}

/// Puts a force (normal first) inside the cone with the normal kept: a negative or non-finite normal gives zero, a friction
/// part that is too long is shortened by one common factor, a component without friction is dropped. A point inside stays.
///
/// No metric enters: this is a guard for a force that left the cone by rounding or came from elsewhere, not the minimiser of
/// anything; that is [`super::block`].
pub fn put_inside<T: Real>(force: &mut [T], friction: &[T]) {
    let Some((normal, tangent)) = force.split_first_mut() else { return };
    let usable = *normal > T::zero() && normal.is_finite();
    if !usable {
        *normal = T::zero();
    }
    for (j, x) in tangent.iter_mut().enumerate() {
        let rough = friction.get(j).is_some_and(|mu| *mu > T::zero());
        if !(usable && rough && x.is_finite()) {
            *x = T::zero();
        }
    }
    let Some(reach) = reach(*normal, tangent, friction) else { return };
    if reach > T::one() {
        let shrink = inward::<T>() / reach;
        for x in tangent {
            *x *= shrink;
        }
    }
}
