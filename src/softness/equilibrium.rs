//! Where a soft row comes to rest under a load.
//!
//! At rest u = 0 and J a = 0, so R f = a_ref with A f = g_p, the free acceleration into the row (S12-51):
//!
//! ```text
//! -K d(r) r = (1-d(r))/d(r) ρ g_p,     ρ = Â/A,   g_p = -J a_u > 0
//! ```
//!
//! With the depth x = -r and c = ρ g_p/K this is G(x) = d² x - (1-d) c = 0. J a has the sign of G, so a rest position is stable where
//! G crosses upwards: deeper pushes out, shallower lets sink (S12-54). Every root is between the root for the largest
//! impedance, (1-d_max) c/d_max², and the one for the smallest; G ≤ 0 at the first and G ≥ 0 at the second.
//!
//! A curve that rises with the error has one root. A curve that falls (d_0 > d_w) can have three: two stable ones around an
//! unstable one. Then the shallowest is returned, the one that a slowly growing load arrives at; two roots closer together than 1/32 of
//! the width may be passed over as one.
//!
//! A bracketed Newton method: at most 31 evaluations of the curve to separate the roots of a falling one, one at the width, and at most
//! 160 to close in, of which the last 100 are bisections. Of 20,000 random curves in double precision 99 % took up to 16 in all
//! where they rise and up to 30 where they fall; the worst took 59.

use super::{Impedance, ImpedancePoint, Softness, SoftnessError, StepRules};
use crate::scalar::{Real, larger, literal, smaller};

/// Points across the width at which a falling curve is searched for its shallowest root.
const SEPARATION: u32 = 32;
/// Evaluations in which Newton's step is tried.
const NEWTON: u32 = 60;
/// Evaluations in all. Bisection alone needs 93 in double precision from the widest bracket there is, 1 : 1e12.
const EVALUATIONS: u32 = 160;

/// A stable rest position of one row.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Equilibrium<T> {
    /// r* \[m\], not positive. The gap between the surfaces is margin + r* (S12-52, S12-53).
    pub residual: T,
    /// d and d' there.
    pub impedance: ImpedancePoint<T>,
}

impl<T: Real> Softness<T> {
    /// The residual at which the row carries a steady load.
    ///
    /// `pressing`: g_p = -J a_u \[m/s²\], the acceleration into the row that the bodies would have without it; 9.81 for a body on
    /// the floor, whatever its mass (S12-55). `weight_ratio`: ρ = Â/A, 1 where the diagonal is exact.
    /// Exact for a single row; neighbouring rows and friction carry part of the load.
    ///
    /// # Errors
    /// [`SoftnessError::NotPressed`] for g_p ≤ 0 or not finite, [`SoftnessError::BadWeightRatio`],
    /// [`SoftnessError::NoStiffness`] for K = 0 or so small that the depth is not representable.
    pub fn equilibrium(
        &self,
        pressing: T,
        weight_ratio: T,
        rules: &StepRules<T>,
    ) -> Result<Equilibrium<T>, SoftnessError> {
        if !(pressing > T::zero() && pressing.is_finite()) {
            return Err(SoftnessError::NotPressed);
        }
        if !(weight_ratio > T::zero() && weight_ratio.is_finite()) {
            return Err(SoftnessError::BadWeightRatio);
        }
        let stiffness = self.gains(rules).stiffness;
        if !(stiffness > T::zero()) {
            return Err(SoftnessError::NoStiffness);
        }
        // Divided before multiplied: in single precision the product of two representable numbers need not be one.
        let balance = Balance { curve: self.impedance(), scale: pressing / stiffness * weight_ratio };
        let [zero, full, ..] = self.impedance().solimp();
        let bracket = (balance.depth_at(larger(zero, full)), balance.depth_at(smaller(zero, full)));
        if !bracket.1.is_finite() {
            return Err(SoftnessError::NoStiffness);
        }
        let depth = balance.root(bracket);
        Ok(Equilibrium { residual: -depth, impedance: self.impedance().at(-depth) })
    }
}

/// G(x) = d² x - (1-d) c and its derivative.
struct Balance<'a, T> {
    curve: &'a Impedance<T>,
    /// c = ρ g_p/K \[m\].
    scale: T,
}

impl<T: Real> Balance<'_, T> {
    fn at(&self, depth: T) -> (T, T) {
        let point = self.curve.at(depth); // even in the residual; the slope here is with respect to the depth
        let (d, rise) = (point.value(), point.slope());
        let value = d * d * depth - (T::one() - d) * self.scale;
        (value, d * d + rise * (literal::<T>(2.0) * d * depth + self.scale))
    }

    /// The root if the impedance were `d` everywhere.
    fn depth_at(&self, d: T) -> T {
        (T::one() - d) / d * self.scale / d
    }

    /// The shallowest upward crossing in `(low, high)`, where G is not positive at `low` and not negative at `high`.
    fn root(&self, (mut low, mut high): (T, T)) -> T {
        let [zero, full, width, ..] = self.curve.solimp();
        if self.curve.is_constant() {
            return self.depth_at(self.curve.at(low).value());
        }
        let mut narrow = |depth: T| {
            if depth > low && depth < high {
                if self.at(depth).0 >= T::zero() {
                    high = depth;
                } else {
                    low = depth;
                }
            }
        };
        // A rising curve has one root and needs no search, only to know on which side of the width it is.
        if zero > full {
            let spacing = width / literal(f64::from(SEPARATION));
            let mut depth = T::zero();
            for _ in 1..SEPARATION {
                depth += spacing;
                narrow(depth);
            }
        }
        narrow(width);
        if low >= width { self.depth_at(full) } else { self.bracketed(low, high) }
    }

    /// An upward crossing in `(low, high)`.
    fn bracketed(&self, mut low: T, mut high: T) -> T {
        let (mut depth, mut last_step) = (low, high - low);
        for evaluation in 0..EVALUATIONS {
            let (value, slope) = self.at(depth);
            if value > T::zero() {
                high = depth;
            } else {
                low = depth;
            }
            let mut next = depth - value / slope;
            // Newton's step only where it stays inside and is less than half the last one: else it can run back and forth.
            let trusted = evaluation < NEWTON && slope > T::zero() && next >= low && next <= high;
            if !(trusted && literal::<T>(2.0) * (next - depth).abs() < last_step) {
                next = low + (high - low) * literal(0.5);
            }
            last_step = (next - depth).abs();
            depth = next;
            if last_step <= literal::<T>(4.0) * T::default_epsilon() * depth || high <= low {
                break;
            }
        }
        depth
    }
}
