//! `solimp`: how much of its target a row gets, as a function of how far it is violated.
//!
//! With x = |r|/w (S12-31, S12-33; the powers are taken of numbers in \[0, 1\], so that no m^(p-1) underflows)
//!
//! ```text
//! x ≤ m:   y = m (x/m)^p                        y' = p (x/m)^(p-1)
//! x > m:   y = 1 - (1-m) ((1-x)/(1-m))^p        y' = p ((1-x)/(1-m))^(p-1)
//! d = d_0 + y (d_w - d_0)                       d' = y' sign(r) (d_w - d_0)/w
//! ```
//!
//! so d is even and d' odd in r, both pieces meet at (m, m) with slope p, and for p > 1 the curve meets its flat ends without a kink.

use super::SoftnessError;
use crate::scalar::{Real, SMALLEST, all_finite, clamp, larger, literal, norm, power};

/// MuJoCo's default `solimp`.
pub(super) const DEFAULT: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0];
/// Bounds of d_0, d_w and m: `mjMINIMP`, `mjMAXIMP` (S12-13).
pub(super) const LOWEST: f64 = 0.0001;
/// See [`LOWEST`].
pub(super) const HIGHEST: f64 = 0.9999;
/// Bound on the absolute slope, so that it is finite in single precision for every finite `solimp` \[1/m\].
const STEEPEST: f64 = 1e30;

/// An impedance curve d(r), from a `solimp` that has been clamped: it cannot hold an unclamped number.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Impedance<T> {
    zero: T,
    full: T,
    width: T,
    midpoint: T,
    power: T,
}

/// One point of an impedance curve.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ImpedancePoint<T> {
    value: T,
    /// 1 − d
    rest: T,
    slope: T,
}

impl<T: Real> ImpedancePoint<T> {
    /// d, in \[0.0001, 0.9999\]: near 1 the row follows its target, near 0 it lets go.
    pub fn value(&self) -> T {
        self.value
    }

    /// 1 − d, free of the rounding of d: beside a d of 0.9999 that would be 2e-4 of it in single precision.
    pub fn rest(&self) -> T {
        self.rest
    }

    /// d' = ∂d/∂r \[1/m\]; 0 at r = 0, at |r| = w and wherever the curve is flat (S12-34, S12-35).
    pub fn slope(&self) -> T {
        self.slope
    }
}

impl<T: Real> Impedance<T> {
    /// Reads (d_0, d_w, w, m, p): impedance at zero error and at the width, width \[m\], midpoint, power.
    ///
    /// Clamped as in MuJoCo (S12-30): d_0, d_w, m to \[0.0001, 0.9999\], w ≥ 0, p ≥ 1. d_0 > d_w is allowed.
    ///
    /// # Errors
    /// [`SoftnessError::SolimpNotFinite`].
    pub fn from_solimp(solimp: [T; 5]) -> Result<Self, SoftnessError> {
        if all_finite(&solimp) { Ok(Self::clamped(solimp)) } else { Err(SoftnessError::SolimpNotFinite) }
    }

    /// The same impedance at every residual, clamped to \[0.0001, 0.9999\].
    ///
    /// # Errors
    /// [`SoftnessError::SolimpNotFinite`].
    pub fn constant(impedance: T) -> Result<Self, SoftnessError> {
        let [_, _, width, midpoint, power] = DEFAULT.map(literal);
        Self::from_solimp([impedance, impedance, width, midpoint, power])
    }

    pub(super) fn clamped([zero, full, width, midpoint, power]: [T; 5]) -> Self {
        let fraction = |x| clamp(x, literal(LOWEST), literal(HIGHEST));
        Self {
            zero: fraction(zero),
            full: fraction(full),
            width: larger(width, T::zero()),
            midpoint: fraction(midpoint),
            power: larger(power, T::one()),
        }
    }

    /// (d_0, d_w, w, m, p) after clamping.
    pub fn solimp(&self) -> [T; 5] {
        [self.zero, self.full, self.width, self.midpoint, self.power]
    }

    /// d_w, the impedance at the width and beyond; the one that K and B are made with.
    pub fn full(&self) -> T {
        self.full
    }

    /// Whether the curve is one number at every residual: d_0 = d_w, or a width up to 1e-15, which gives the mean.
    pub fn is_constant(&self) -> bool {
        self.zero == self.full || self.width <= literal(SMALLEST)
    }

    /// d and d' at the residual r \[m\].
    ///
    /// The tests run in MuJoCo's order (S12-34): constant curve, |r| ≥ w, r = 0, p = 1, left piece, right piece. The width is tested
    /// before anything is divided by it. A NaN residual counts as one beyond the width.
    #[inline(never)]
    pub fn at(&self, residual: T) -> ImpedancePoint<T> {
        let (rest_of_zero, rest_of_full) = (rest(self.zero), rest(self.full));
        let flat = |value, rest| ImpedancePoint { value, rest, slope: T::zero() };
        if self.is_constant() {
            let half = literal::<T>(0.5);
            return flat(half * (self.zero + self.full), half * (rest_of_zero + rest_of_full));
        }
        let x = residual.abs() / self.width;
        if !(x < T::one()) {
            return flat(self.full, rest_of_full);
        }
        if x <= T::zero() {
            return flat(self.zero, rest_of_zero);
        }
        let (y, rise) = if self.power == T::one() { (x, T::one()) } else { self.normalized(x) };
        let span = self.full - self.zero;
        let value = self.zero + y * span;
        let rest = rest_of_zero - y * (rest_of_zero - rest_of_full);
        // Rounding must not carry a value past an end.
        let (value, rest) = if span > T::zero() {
            (clamp(value, self.zero, self.full), clamp(rest, rest_of_full, rest_of_zero))
        } else {
            (clamp(value, self.full, self.zero), clamp(rest, rest_of_zero, rest_of_full))
        };
        let slope = clamp(rise * (span / self.width), -literal::<T>(STEEPEST), literal(STEEPEST));
        ImpedancePoint { value, rest, slope: if residual > T::zero() { slope } else { -slope } }
    }

    /// y(x) and y'(x) for 0 < x < 1, p > 1; x = m belongs to the left piece (S12-32).
    fn normalized(&self, x: T) -> (T, T) {
        let left = x <= self.midpoint;
        let (distance, piece) = if left { (x, self.midpoint) } else { (T::one() - x, T::one() - self.midpoint) };
        let ratio = power(distance / piece, self.power - T::one());
        let y = distance * ratio;
        (if left { y } else { T::one() - y }, self.power * ratio)
    }

    /// d and d' of a group that shares one impedance: the curve at the norm of its residuals (S12-36).
    ///
    /// For a connect its three residuals, for a weld all six with the rotation already scaled to metres; a contact uses
    /// [`at`](Self::at) with its normal distance. The slope is with respect to the norm.
    pub fn at_norm(&self, residuals: &[T]) -> ImpedancePoint<T> {
        self.at(norm(residuals))
    }

    /// ∂d/∂r_i = d'(ρ) r_i/ρ of a group with norm ρ (S12-37) \[1/m\]; zero at ρ = 0.
    pub fn gradient<const N: usize>(&self, residuals: &[T; N]) -> [T; N] {
        let length = norm(residuals);
        let slope = self.at(length).slope;
        // Where the slope is zero so is the gradient, and a vanishing or infinite norm is not divided by.
        if slope == T::zero() { [T::zero(); N] } else { residuals.map(|r| slope * (r / length)) }
    }
}

/// 1 − d of a clamped impedance; exact at the upper clamp, whose d is not a number of any precision.
#[inline(always)]
fn rest<T: Real>(d: T) -> T {
    if d >= literal(HIGHEST) { literal(1.0 - HIGHEST) } else { T::one() - d }
}
