//! How the contacts of a pair of geoms behave.

use crate::description::{Geom, Pair, SoftnessNumbers};
use crate::scalar::{Real, SMALLEST, larger, literal, smaller};

/// Least friction coefficient, MuJoCo's `mjMINMU`.
pub const LEAST_FRICTION: f64 = 1e-5;

/// What all contacts of a pair of geoms have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters<T> {
    /// Dimension: 1, 3, 4 or 6.
    pub condim: u8,
    /// Sliding, sliding, spin, rolling, rolling; each at least 1e-5.
    pub friction: [T; 5],
    /// Softness.
    pub softness: SoftnessNumbers<T>,
    /// solreffriction; (0, 0) for the solref of the contact (S12-39).
    pub friction_solref: [T; 2],
    /// Distance below which there are rows \[m\].
    pub margin: T,
    /// Distance beyond it in which contacts are listed without rows \[m\].
    pub gap: T,
}

impl<T: Real> Parameters<T> {
    /// Of two geoms: margin and gap are sums; the rest is that of the geom of higher priority, or a mix where these are equal.
    pub fn mixed(first: &Geom<T>, second: &Geom<T>) -> Self {
        let (condim, friction, softness) = match first.priority.cmp(&second.priority) {
            core::cmp::Ordering::Greater => (first.condim, first.friction, first.softness),
            core::cmp::Ordering::Less => (second.condim, second.friction, second.softness),
            core::cmp::Ordering::Equal => (
                if first.condim > second.condim { first.condim } else { second.condim },
                each(&first.friction, &second.friction, larger),
                mixed_softness(first, second),
            ),
        };
        let [slide, spin, roll] = friction;
        let [margin, gap] = margin_and_gap(first, second);
        let friction_solref = [T::zero(); 2];
        Self { condim, friction: floored([slide, slide, spin, roll, roll]), softness, friction_solref, margin, gap }
    }

    /// The pair's own; the geoms' values do not count.
    pub fn own(pair: &Pair<T>) -> Self {
        Self {
            condim: pair.condim,
            friction: floored(pair.friction),
            softness: pair.softness,
            friction_solref: pair.friction_solref,
            margin: pair.margin,
            gap: pair.gap,
        }
    }
}

/// \[margin, gap\] of two geoms, whatever their priorities.
pub(super) fn margin_and_gap<T: Real>(first: &Geom<T>, second: &Geom<T>) -> [T; 2] {
    [first.margin + second.margin, first.gap + second.gap]
}

fn floored<T: Real>(friction: [T; 5]) -> [T; 5] {
    friction.map(|mu| larger(mu, literal(LEAST_FRICTION)))
}

fn each<T: Real, const N: usize>(a: &[T; N], b: &[T; N], rule: impl Fn(T, T) -> T) -> [T; N] {
    let mut result = *a;
    for (x, y) in result.iter_mut().zip(b) {
        *x = rule(*x, *y);
    }
    result
}

/// The first geom's share of the mix: m₁/(m₁ + m₂), a weight below 1e-15 being none; ½ where neither has one.
fn share<T: Real>(first: T, second: T) -> T {
    let least = literal(SMALLEST);
    match (first >= least, second >= least) {
        (true, true) => first / (first + second),
        (true, false) => T::one(),
        (false, true) => T::zero(),
        (false, false) => literal(0.5),
    }
}

/// Weighted mean; solref element by element the smaller where one of them is not (time constant, damping ratio).
fn mixed_softness<T: Real>(first: &Geom<T>, second: &Geom<T>) -> SoftnessNumbers<T> {
    let c = share(first.solmix, second.solmix);
    let mean = |x: T, y: T| c * x + (T::one() - c) * y;
    let (a, b) = (&first.softness, &second.softness);
    let (zero, [a_first, _], [b_first, _]) = (T::zero(), a.solref, b.solref);
    let solref = if a_first > zero && b_first > zero {
        each(&a.solref, &b.solref, mean)
    } else {
        each(&a.solref, &b.solref, smaller)
    };
    SoftnessNumbers { solref, solimp: each(&a.solimp, &b.solimp, mean) }
}
