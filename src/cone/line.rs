//! The elliptic cost along a search line.
//!
//! Along z + α dz the scaled normal N is linear in α and T² is quadratic. T² is kept as (x_0 + α v)² + ρ², with v = norm(dU),
//! x_0 = U·dU/v and ρ the distance of the line from the axis: a sum of squares that nothing cancels in, and T'' = v² ρ²/T³
//! without a difference. One square root and one division an evaluation, whatever the dimension.
//!
//! The cost difference from α = 0 is taken factor by factor: g² − g_0² = (g − g_0)(g + g_0), with g − g_0 built from
//! N − N_0 = α N' and T − T_0 = (x − x_0)(x + x_0)/(T + T_0). It keeps its digits where the plain difference of two large
//! costs is rounding noise, and is exactly zero at α = 0.

use super::FRICTIONS;
use super::elliptic::{EllipticCone, Zone, zone};
use crate::scalar::{Real, dot, literal, square_root};

/// One block's cost along one search line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ConeLine<T> {
    normal: T,
    normal_slope: T,
    /// Position along the line of the tangential part, and its rate v.
    along: T,
    speed: T,
    /// Distance ρ of the tangential line from the axis.
    aside: T,
    tangent: T,
    /// Zone and slope at α = 0.
    start_zone: Zone,
    start_slope: T,
    regularized: T,
    bottom: T,
    middle: T,
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
    #[inline]
    pub(super) fn new(
        cone: &EllipticCone<T>,
        (normal, normal_slope): (T, T),
        scaled: &[T; FRICTIONS],
        step: &[T; FRICTIONS],
    ) -> Self {
        let speed = square_root(dot(step, step));
        let (mut along, mut rest) = (T::zero(), *scaled);
        if speed > T::zero() {
            let per = T::one() / speed;
            let unit = step.map(|x| x * per);
            along = dot(scaled, &unit);
            for (r, u) in rest.iter_mut().zip(&unit) {
                *r -= along * *u;
            }
        }
        let square = dot(&rest, &rest);
        let aside = square_root(square);
        let tangent = if speed > T::zero() { square_root(along * along + square) } else { aside };
        let start_zone = zone(normal, tangent, cone.regularized);
        let mut line = Self {
            normal,
            normal_slope,
            along,
            speed,
            aside,
            tangent,
            start_zone,
            start_slope: T::zero(),
            regularized: cone.regularized,
            bottom: cone.bottom,
            middle: cone.middle,
        };
        line.start_slope = line.derivatives(start_zone, normal, along, tangent).0;
        line
    }

    /// Slope and curvature where the scaled normal, the position along the line and the tangent norm are these.
    #[inline(always)]
    fn derivatives(&self, zone: Zone, normal: T, x: T, tangent: T) -> (T, T) {
        let (zero, mu) = (T::zero(), self.regularized);
        match zone {
            Zone::Top => (zero, zero),
            Zone::Bottom => (
                self.bottom * (normal * self.normal_slope + x * self.speed),
                self.bottom * (self.normal_slope * self.normal_slope + self.speed * self.speed),
            ),
            Zone::Middle => {
                let g = normal - mu * tangent;
                let per = T::one() / tangent;
                let (cosine, sine) = (x * per, self.aside * per);
                let g_slope = self.normal_slope - mu * (self.speed * cosine);
                let turn = self.speed * sine;
                (self.middle * (g * g_slope), self.middle * (g_slope * g_slope - mu * (g * per) * (turn * turn)))
            }
        }
    }

    /// Scaled normal, position along the line, tangent norm and zone at α.
    #[inline(always)]
    fn place(&self, alpha: T) -> (T, T, T, Zone) {
        let x = self.along + alpha * self.speed;
        let normal = self.normal + alpha * self.normal_slope;
        let tangent = square_root(x * x + self.aside * self.aside);
        (normal, x, tangent, zone(normal, tangent, self.regularized))
    }

    /// Zone at α.
    #[inline]
    pub fn zone(&self, alpha: T) -> Zone {
        self.place(alpha).3
    }

    /// Cost difference from α = 0, slope and curvature at `alpha`.
    #[inline]
    pub fn at(&self, alpha: T) -> LineValue<T> {
        let (zero, half, mu) = (T::zero(), literal::<T>(0.5), self.regularized);
        let (normal, x, tangent, zone) = self.place(alpha);
        let (slope, curvature) = self.derivatives(zone, normal, x, tangent);
        let (advance, rise) = (alpha * self.speed, alpha * self.normal_slope);

        // Increments from α = 0, then the two one-sided squares of g = N − μ~ T and k = μ~ N + T.
        let sum = tangent + self.tangent;
        let stretch = if sum > zero { advance * ((x + self.along) / sum) } else { zero };
        let g = (self.normal - mu * self.tangent, normal - mu * tangent, rise - mu * stretch);
        let k = (mu * self.normal + self.tangent, mu * normal + tangent, mu * rise + stretch);
        let difference = half * self.middle * (one_sided(g) + one_sided(k));
        LineValue { difference, slope, curvature }
    }

    /// What [`Self::at`] deviates from the tangent at α = 0: cost(α) − cost(0) − α cost'(0), and cost'(α) − cost'(0).
    ///
    /// Nothing cancels while the block sticks, however large its force: there it is the plain quadratic.
    #[inline]
    pub fn from_tangent(&self, alpha: T) -> LineValue<T> {
        if self.start_zone == Zone::Bottom && self.zone(alpha) == Zone::Bottom {
            let curvature = self.bottom * (self.normal_slope * self.normal_slope + self.speed * self.speed);
            let slope = alpha * curvature;
            return LineValue { difference: literal::<T>(0.5) * alpha * slope, slope, curvature };
        }
        let at = self.at(alpha);
        LineValue {
            difference: at.difference - alpha * self.start_slope,
            slope: at.slope - self.start_slope,
            curvature: at.curvature,
        }
    }

    /// cost'(α) − cost'(0) and the curvature: what a line search asks for again and again.
    #[inline]
    pub fn slope_from_tangent(&self, alpha: T) -> (T, T, Zone) {
        let (normal, x, tangent, zone) = self.place(alpha);
        let (slope, curvature) = self.derivatives(zone, normal, x, tangent);
        let stays = self.start_zone == Zone::Bottom && zone == Zone::Bottom;
        (if stays { alpha * curvature } else { slope - self.start_slope }, curvature, zone)
    }

    /// Zone at α = 0.
    pub fn start_zone(&self) -> Zone {
        self.start_zone
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
