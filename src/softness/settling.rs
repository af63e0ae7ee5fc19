//! How long r'' + β r' + κ r = 0 takes from rest until it stays within 2 % of where it started (S12-21).
//!
//! In units of t_c = 2/β, with q = 1 - 4κ/β² = 1 - 1/ζ²:
//!
//! ```text
//! q = 0:        (1 + x) e^-x
//! q > 0, ε²=q:  ((1+ε) e^(-(1-ε)x) - (1-ε) e^(-(1+ε)x)) / 2ε      overdamped
//! q < 0, w²=-q: e^-x (cos wx + sin(wx)/w)                         underdamped, extrema ± e^(-kπ/w) at x = kπ/w
//! ```

use crate::scalar::{Real, literal, sine_cosine, smaller, square_root};

/// What counts as settled.
const FRACTION: f64 = 0.02;
/// ln(1/FRACTION)
const LOG_FRACTION: f64 = 3.912_023_005_428_146;
/// The root of (1 + x) e^-x = FRACTION: settling time of a critically damped recovery in units of t_c.
pub(super) const CRITICAL: f64 = 5.833_921_701_917_391;
/// Bisections, enough for double precision from the widest bracket.
const BISECTIONS: u32 = 60;

/// The settling time \[s\]; `None` where the motion never settles.
pub(super) fn settling_time<T: Real>(stiffness: T, damping: T) -> Option<T> {
    let time_constant = literal::<T>(2.0) / damping;
    let p = stiffness * time_constant * time_constant;
    if !(stiffness > T::zero() && damping > T::zero() && time_constant.is_finite() && p > T::zero()) {
        return None;
    }
    let q = T::one() - p;
    let time = bracket(p, q).map_or(literal(LOG_FRACTION), |(mut low, mut high)| {
        for _ in 0..BISECTIONS {
            let middle = low + (high - low) * literal(0.5);
            if deviation(p, q, middle).abs() > literal(FRACTION) {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }) * time_constant;
    time.is_finite().then_some(time)
}

/// An interval over which the deviation falls below FRACTION for the last time, and does so once.
/// `None` where it oscillates so fast that its envelope e^-x says as much.
fn bracket<T: Real>(p: T, q: T) -> Option<(T, T)> {
    if q < T::zero() {
        let frequency = square_root(-q);
        if !(frequency <= literal(64.0)) {
            return None;
        }
        let half_period = literal::<T>(core::f64::consts::PI) / frequency;
        // The first extremum that is small enough; the one before it is not.
        let last = (literal::<T>(LOG_FRACTION) / half_period).floor();
        // Damped less than critically, it settles before the critical one would.
        return Some((
            smaller(last * half_period, literal(6.0)),
            smaller((last + T::one()) * half_period, literal(6.0)),
        ));
    }
    let root = square_root(q);
    // (1+x) e^(-x/2) is small enough at 14; from ε = 1/2 on the deviation is below 3/2 e^(-slow x).
    let high = if root < literal(0.5) { literal(14.0) } else { literal::<T>(4.4) * (T::one() + root) / p };
    Some((T::zero(), high))
}

fn deviation<T: Real>(p: T, q: T, x: T) -> T {
    let z = q * x * x;
    if z.abs() < literal(0.01) {
        // Near critical the closed forms are 0/0: their common power series instead.
        let even = T::one() + z * (literal::<T>(1.0 / 2.0) + z * (literal::<T>(1.0 / 24.0) + z * literal(1.0 / 720.0)));
        let odd =
            T::one() + z * (literal::<T>(1.0 / 6.0) + z * (literal::<T>(1.0 / 120.0) + z * literal(1.0 / 5040.0)));
        return (-x).exp() * (even + x * odd);
    }
    if q > T::zero() {
        let root = square_root(q);
        let (slow, fast) = (p / (T::one() + root), T::one() + root);
        return (fast * (-slow * x).exp() - slow * (-fast * x).exp()) / (literal::<T>(2.0) * root);
    }
    let frequency = square_root(-q);
    let (sine, cosine) = sine_cosine(frequency * x);
    (-x).exp() * (cosine + sine / frequency)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The settling time of a pair that has one; NaN, which no assertion below lets pass, of one that has none.
    fn settles<T: Real>(kappa: T, beta: T) -> T {
        settling_time(kappa, beta).unwrap_or(literal(f64::NAN))
    }

    /// The closed forms of S12-21 at the returned time, and just after it, for damping ratios on both sides of critical.
    #[test]
    fn the_deviation_is_two_percent_at_the_settling_time_and_never_more_after_it() {
        for zeta in [0.02, 0.1, 0.3, 0.5, 0.7, 0.779, 0.78, 0.9, 0.999, 1.0, 1.001, 1.1, 1.5, 4.0, 30.0f64] {
            let tc = 0.3;
            let (kappa, beta) = (1.0 / (tc * tc * zeta * zeta), 2.0 / tc);
            let time = settles(kappa, beta);
            let p = 1.0 / (zeta * zeta);
            let at = |t: f64| deviation(p, 1.0 - p, t / tc).abs();
            assert!((at(time) - 0.02).abs() < 1e-9, "{zeta}: {}", at(time));
            for k in 1..2000 {
                assert!(at(time * (1.0 + 0.001 * f64::from(k))) <= 0.02 + 1e-9, "{zeta}");
            }
            let single = settles(kappa as f32, beta as f32);
            assert!((f64::from(single) / time - 1.0).abs() < 2e-4, "{zeta}: {single} {time}");
        }
    }

    #[test]
    fn critical_damping_has_the_constant_the_depth_constructor_uses() {
        assert!(((1.0 + CRITICAL) * libm::exp(-CRITICAL) - 0.02).abs() < 1e-16);
        assert!((settles(4.0f64, 4.0) - 0.5 * CRITICAL).abs() < 1e-13);
    }

    #[test]
    fn without_stiffness_or_damping_nothing_settles() {
        assert_eq!(settling_time(0.0f32, 1.0), None);
        assert_eq!(settling_time(1.0f32, 0.0), None);
        assert_eq!(settling_time(f32::NAN, 1.0), None);
    }

    /// A damping ratio of 1/1000: thousands of oscillations, each 0.3 % smaller than the last.
    #[test]
    fn fast_oscillation_settles_with_its_envelope() {
        let time = settles(1e6f64, 2.0);
        assert!((time - LOG_FRACTION).abs() < 1e-12);
    }
}
