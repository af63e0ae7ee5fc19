//! The law of one row: which force it answers with, what that costs, and which forces it may have.
//!
//! z = J a − a_ref is how far the row's acceleration is from what it wants. The force is f = −s'(z) with the convex cost s:
//!
//! | rule | cost s(z) | force |
//! |---|---|---|
//! | free (X-01) | z²/2R | −z/R |
//! | interval ±η (X-02) | z²/2R for \|z\| < Rη, else η\|z\| − Rη²/2 | −z/R clamped to ±η |
//! | not negative (X-03, S15-32) | min(z, 0)²/2R | max(−z/R, 0) |
//!
//! A row of an elliptic contact has no law of its own: here it answers nothing, and its block answers by X-04 (see
//! [`crate::cone::elliptic`]).
//!
//! On the dual side the same row is "f inside its set, w = z + R f complementary to it".

use crate::cone::elliptic::EllipticCone;
use crate::rows::Rule;
use crate::scalar::{Real, clamp, larger, literal, smaller};

/// Which piece of its cost a row is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Zone {
    /// z²/2R: the row has curvature 1/R.
    Quadratic,
    /// Friction at its limit, z ≤ −Rη, force +η: no curvature ("linear negative", X-02).
    LinearNegative,
    /// Friction at its limit, z ≥ Rη, force −η: no curvature. Another piece than the negative one: between them lies 2η of force.
    LinearPositive,
    /// A one-sided row without force, or friction without loss: no cost, no curvature.
    Satisfied,
    /// A row of an elliptic contact that slides: the block's curvature changes along the way.
    Sliding,
}

/// Force and zone of a row at z; `stiffness` is 1/R. A border does not belong to the quadratic zone (S15-32, X-02).
#[inline(always)]
pub fn respond<T: Real>(rule: Rule<T>, stiffness: T, z: T) -> (T, Zone) {
    let force = -z * stiffness;
    match rule {
        Rule::Free => (force, Zone::Quadratic),
        Rule::NonNegative if z < T::zero() => (force, Zone::Quadratic),
        Rule::NonNegative => (T::zero(), Zone::Satisfied),
        Rule::Interval { loss } if loss <= T::zero() => (T::zero(), Zone::Satisfied),
        Rule::Interval { loss } if force >= loss => (loss, Zone::LinearNegative),
        Rule::Interval { loss } if force <= -loss => (-loss, Zone::LinearPositive),
        Rule::Interval { .. } => (force, Zone::Quadratic),
        Rule::Cone => (T::zero(), Zone::Satisfied),
    }
}

/// The allowed force nearest to f (S15-19, W15-63). NaN becomes an allowed force too.
#[inline(always)]
pub fn project<T: Real>(rule: Rule<T>, force: T) -> T {
    match rule {
        Rule::Free | Rule::Cone => force,
        Rule::NonNegative => larger(force, T::zero()),
        Rule::Interval { loss } => clamp(force, -loss, loss),
    }
}

/// s(z), the cost of a row \[N m/s² when the force is in N\].
pub fn cost<T: Real>(rule: Rule<T>, stiffness: T, z: T) -> T {
    let half = literal::<T>(0.5);
    match respond(rule, stiffness, z) {
        (force, Zone::Quadratic) => -half * force * z,
        (force, Zone::LinearNegative | Zone::LinearPositive) => -force * (z + half * force / stiffness),
        (_, Zone::Satisfied | Zone::Sliding) => T::zero(),
    }
}

/// s(z₁) − s(z₀), in factored form: in `f32` the difference of the two costs would be noise.
#[inline]
pub fn cost_difference<T: Real>(rule: Rule<T>, stiffness: T, z0: T, z1: T) -> T {
    let half = literal::<T>(0.5);
    let (f0, zone0) = respond(rule, stiffness, z0);
    let (f1, zone1) = respond(rule, stiffness, z1);
    if zone0 == zone1 && f0 == f1 {
        // Both on the same straight piece.
        return -f0 * (z1 - z0);
    }
    match rule {
        Rule::Free => half * stiffness * (z1 - z0) * (z1 + z0),
        Rule::Cone => T::zero(),
        // s = min(z, 0)²/2R on both sides of the border.
        Rule::NonNegative => {
            let (a, b) = (smaller(z0, T::zero()), smaller(z1, T::zero()));
            half * stiffness * (b - a) * (b + a)
        }
        // The slope −f is piecewise linear: exact trapezoids on either side of the quadratic piece.
        Rule::Interval { loss } => {
            let border = loss / stiffness;
            let (a, b) = (clamp(z0, -border, border), clamp(z1, -border, border));
            half * stiffness * (b - a) * (b + a) - f0 * (a - z0) - f1 * (z1 - b)
        }
    }
}

/// s(z) + ½ R f² + f z for an allowed force f: what this row adds to the duality gap, ≥ 0, zero exactly when f answers z.
///
/// Every branch is a product of factors that do not cancel.
pub fn gap<T: Real>(rule: Rule<T>, regularizer: T, z: T, force: T) -> T {
    let half = literal::<T>(0.5);
    let square = |x: T| half * x * x;
    // w = z + R f is the dual residual; on the quadratic piece the gap is w²/2R.
    let residual = z + regularizer * force;
    match rule {
        Rule::Cone => T::zero(),
        Rule::Free => square(residual) / regularizer,
        Rule::NonNegative if z < T::zero() => square(residual) / regularizer,
        Rule::NonNegative => force * (half * (regularizer * force) + z),
        Rule::Interval { loss } if z <= -regularizer * loss => {
            (force - loss) * (half * regularizer * (force + loss) + z)
        }
        Rule::Interval { loss } if z >= regularizer * loss => {
            (force + loss) * (half * regularizer * (force - loss) + z)
        }
        Rule::Interval { .. } => square(residual) / regularizer,
    }
}

/// The same for an elliptic block: s(z) + ½ fᵀ R f + fᵀ z for a force f inside the cone, normal first.
///
/// With f* the force that answers z and w = z + R f* it is ½ (f − f*)ᵀ R (f − f*) + fᵀ w, both terms not negative: f is in the
/// cone, w in its dual. Rounding a force on the surface moves fᵀ w by some ulps of force times residual, so that much is added
/// where the contact slides: the gap remains a bound, and is not below this floor.
pub fn cone_gap<T: Real>(cone: &EllipticCone<T>, z: &[T], force: &[T]) -> T {
    let point = cone.point(z);
    let half = literal::<T>(0.5);
    let mut sum = T::zero();
    for ((force, answer), regularizer) in force.iter().zip(cone.force(&point)).zip(cone.regularizer()) {
        let difference = *force - answer;
        sum += half * *regularizer * (difference * difference);
    }
    sum + cone.work(&point, force)
}
