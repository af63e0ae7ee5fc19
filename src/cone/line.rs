//! The elliptic cost along a search line.
//!
//! Along z + α dz the scaled normal N is linear in α and T² is quadratic. T² is kept as v² (α + q)² + ρ², with v² = |dU|²,
//! q = U·dU/v² and ρ the distance of the line from the axis: a sum of squares that nothing cancels in, and T'' = v² ρ²/T³
//! without a difference. One square root and one division an evaluation, whatever the dimension.
//!
//! The cost difference from α = 0 is taken factor by factor: g² − g_0² = (g − g_0)(g + g_0), with g − g_0 built from
//! N − N_0 = α N' and T − T_0 = v² α (α + 2q)/(T + T_0). It keeps its digits where the plain difference of two large
//! costs is rounding noise, and is exactly zero at α = 0.

use super::FRICTIONS;
use super::elliptic::{ConePoint, EllipticCone, Zone, zone};
use crate::scalar::{Real, literal, square_root};

/// One block's cost along one search line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ConeLine<T> {
    normal: T,
    normal_slope: T,
    /// q, how far in α the point has passed the foot of the axis, and v².
    past: T,
    speed_square: T,
    /// ρ², squared distance of the tangential line from the axis.
    aside_square: T,
    tangent: T,
    /// Zone and slope at α = 0, and the size of the numbers that the slope is a difference of.
    start_zone: Zone,
    start_slope: T,
    start_terms: T,
    regularized: T,
    bottom: T,
    middle: T,
    /// The last α that the search looked at, and the tangent norm there.
    trial: (T, T),
}

/// A point of the line: scaled normal, v² (α + q), tangent norm.
#[derive(Clone, Copy)]
struct Place<T> {
    normal: T,
    drift: T,
    tangent: T,
    zone: Zone,
}

/// Cost difference and derivatives at one α.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LineValue<T> {
    /// cost(α) − cost(0).
    pub difference: T,
    /// d cost/dα.
    pub slope: T,
    /// d² cost/dα² ≥ 0; at the border of two zones, that of the zone X-04 names.
    pub curvature: T,
}

impl<T: Real> ConeLine<T> {
    #[inline(always)]
    pub(super) fn new(
        cone: &EllipticCone<T>,
        start: &ConePoint<T>,
        normal_slope: T,
        scaled: &[T],
        step: &[T; FRICTIONS],
    ) -> Self {
        let (mut speed_square, mut product, mut aside_square) = (T::zero(), T::zero(), T::zero());
        for (u, du) in scaled.iter().zip(step) {
            speed_square += *du * *du;
            product += *u * *du;
        }
        let mut past = product / speed_square;
        // No motion, or one too small for this precision.
        if !past.is_finite() {
            (speed_square, past) = (T::zero(), T::zero());
        }
        for (u, du) in scaled.iter().zip(step) {
            let rest = *u - past * *du;
            aside_square += rest * rest;
        }
        let mut line = Self {
            normal: start.normal,
            normal_slope,
            past,
            speed_square,
            aside_square,
            tangent: start.tangent,
            start_zone: start.zone,
            start_slope: T::zero(),
            start_terms: T::zero(),
            regularized: cone.regularized,
            bottom: cone.bottom,
            middle: cone.middle,
            trial: (T::zero(), start.tangent),
        };
        let (normal, tangent) = (start.normal, start.tangent);
        let place = Place { normal, drift: speed_square * past, tangent, zone: start.zone };
        line.start_slope = line.derivatives(&place).0;
        line.start_terms = match start.zone {
            Zone::Top => T::zero(),
            Zone::Bottom => line.start_slope.abs(),
            Zone::Middle => line.start_slope.abs() * start.cancellation(cone.regularized),
        };
        line
    }

    /// How large the numbers are that cost'(0) is made of: a slope is known to some roundings of this.
    pub(crate) fn start_terms(&self) -> T {
        self.start_terms
    }

    /// Slope and curvature at a place.
    #[inline(always)]
    fn derivatives(&self, place: &Place<T>) -> (T, T) {
        let (zero, mu) = (T::zero(), self.regularized);
        match place.zone {
            Zone::Top => (zero, zero),
            Zone::Bottom => (
                self.bottom * (place.normal * self.normal_slope + place.drift),
                self.bottom * (self.normal_slope * self.normal_slope + self.speed_square),
            ),
            Zone::Middle => {
                let g = place.normal - mu * place.tangent;
                let per = T::one() / place.tangent;
                let g_slope = self.normal_slope - mu * (place.drift * per);
                // v² ρ²/T³ from factors of which none is larger than v or 1/T.
                let turn = self.aside_square * per * per * (self.speed_square * per);
                (self.middle * (g * g_slope), self.middle * (g_slope * g_slope - mu * g * turn))
            }
        }
    }

    #[inline(always)]
    fn place(&self, alpha: T) -> Place<T> {
        let from_foot = alpha + self.past;
        let drift = self.speed_square * from_foot;
        let normal = self.normal + alpha * self.normal_slope;
        let tangent =
            if alpha == self.trial.0 { self.trial.1 } else { square_root(drift * from_foot + self.aside_square) };
        Place { normal, drift, tangent, zone: zone(normal, tangent, self.regularized) }
    }

    /// Cost difference from α = 0, slope and curvature at `alpha`.
    #[inline]
    pub fn at(&self, alpha: T) -> LineValue<T> {
        let place = self.place(alpha);
        let (slope, curvature) = self.derivatives(&place);
        LineValue { difference: self.difference(alpha, &place), slope, curvature }
    }

    /// Increments from α = 0, then the two one-sided squares of g = N − μ~ T and k = μ~ N + T.
    #[inline]
    fn difference(&self, alpha: T, place: &Place<T>) -> T {
        let (zero, mu) = (T::zero(), self.regularized);
        let rise = alpha * self.normal_slope;
        let sum = place.tangent + self.tangent;
        let both = place.drift + self.speed_square * self.past;
        let stretch = if sum > zero { alpha * (both / sum) } else { zero };
        let g = (self.normal - mu * self.tangent, place.normal - mu * place.tangent, rise - mu * stretch);
        if self.start_zone == Zone::Middle && place.zone == Zone::Middle {
            return literal::<T>(0.5) * self.middle * (g.2 * (g.0 + g.1));
        }
        let k = (mu * self.normal + self.tangent, mu * place.normal + place.tangent, mu * rise + stretch);
        literal::<T>(0.5) * self.middle * (one_sided(g) + one_sided(k))
    }

    /// What the cost at `alpha` deviates from the tangent at α = 0: cost(α) − cost(0) − α cost'(0).
    ///
    /// Nothing cancels while the block sticks, however large its force: there it is the plain quadratic.
    #[inline]
    pub(crate) fn above_tangent(&self, alpha: T) -> T {
        let place = self.place(alpha);
        match (self.start_zone, place.zone) {
            (Zone::Top, Zone::Top) => T::zero(),
            (Zone::Bottom, Zone::Bottom) => {
                let curvature = self.bottom * (self.normal_slope * self.normal_slope + self.speed_square);
                literal::<T>(0.5) * alpha * (alpha * curvature)
            }
            _ => self.difference(alpha, &place) - alpha * self.start_slope,
        }
    }

    /// cost'(α) − cost'(0), the curvature, and whether the block is on one quadratic piece: what a line search asks for again and
    /// again.
    #[inline]
    pub(crate) fn slope_above_tangent(&mut self, alpha: T) -> (T, T, bool) {
        let place = self.place(alpha);
        self.trial = (alpha, place.tangent);
        let (slope, curvature) = self.derivatives(&place);
        match (self.start_zone, place.zone) {
            (Zone::Bottom, Zone::Bottom) => (alpha * curvature, curvature, true),
            (Zone::Top, Zone::Top) => (T::zero(), T::zero(), true),
            _ => (slope - self.start_slope, curvature, false),
        }
    }
}

/// min(b, 0)² − min(a, 0)² for b = a + `increment`, in factored form.
#[inline]
fn one_sided<T: Real>((a, b, increment): (T, T, T)) -> T {
    match (a < T::zero(), b < T::zero()) {
        (false, false) => T::zero(),
        (true, false) => -(a * a),
        (false, true) => b * b,
        (true, true) => increment * (a + b),
    }
}
