//! Capsule against box: how far along the core the second point is.
//!
//! From the first point the core is followed to where it leaves the face, edge or corner's neighbourhood, or ends. Lengths
//! are in units of the half axis: the whole core is 2.

use super::capsule_box::{Capsule, Feature, Nearest};
use crate::scalar::{Real, literal, smaller};

/// q of the second point at t + q; `None` where there is no second point.
pub(super) fn second<T: Real>(capsule: &Capsule<T>, nearest: &Nearest<T>, half_sizes: &[T; 3]) -> Option<T> {
    let mut rising = 0u8; // g: bit k for h_k > 0
    for (k, h) in capsule.arm.iter().enumerate() {
        if *h > T::zero() {
            rising |= 1 << k;
        }
    }
    match nearest.feature {
        Feature::Face { axis: None, .. } => None,
        Feature::Face { end, axis: Some(face) } => Some(over_face(capsule, end, face, half_sizes)),
        Feature::Corner { index } => from_corner(capsule, nearest.t, rising ^ index, half_sizes),
        Feature::Edge { index, along, at } => {
            from_edge(capsule, nearest.t, (rising, rising ^ index), (along, at), half_sizes)
        }
    }
}

/// 2 s/|h|: what the core takes to cross the box along one axis; infinite for a core across it.
fn crossing<T: Real>(half_size: T, arm: T) -> T {
    literal::<T>(2.0) * half_size / arm.abs()
}

/// q = −e min(2, all positive (±s_k − p_k − e h_k)/(−e h_k) of the two axes k along the face).
fn over_face<T: Real>(capsule: &Capsule<T>, end: T, face: usize, half_sizes: &[T; 3]) -> T {
    let mut way = literal::<T>(2.0);
    for (k, ((p, h), s)) in capsule.center.iter().zip(capsule.arm.iter()).zip(half_sizes).enumerate() {
        if k != face {
            for side in [*s, -*s] {
                let until = (side - *p - end * *h) / (-end * *h);
                if until > T::zero() {
                    way = smaller(until, way);
                }
            }
        }
    }
    -end * way
}

/// b = g xor corner: the axes along which the core points away from the corner. All or none: it only touches with its side.
fn from_corner<T: Real>(capsule: &Capsule<T>, t: T, away: u8, half_sizes: &[T; 3]) -> Option<T> {
    let one = T::one();
    let (sign, single) = match away.count_ones() {
        1 => (one, away),
        2 => (-one, 7 - away),
        _ => return None,
    };
    let mut steep = false;
    for (k, a) in capsule.axis.iter().enumerate() {
        steep |= single == 1 << k && *a * *a > literal(0.5);
    }
    let mut way = if steep { one - sign * t } else { one + sign * t };
    for (k, (h, s)) in capsule.arm.iter().zip(half_sizes).enumerate() {
        if steep == (single == 1 << k) {
            way = smaller(crossing(*s, *h), way);
        }
    }
    Some(if steep { sign * way } else { -sign * way })
}

/// b = g xor the edge's corner, without the edge's own axis j: exactly one bit, or there is no second point.
fn from_edge<T: Real>(
    capsule: &Capsule<T>,
    t: T,
    (rising, away): (u8, u8),
    (along, at): (usize, T),
    half_sizes: &[T; 3],
) -> Option<T> {
    let (one, away) = (T::one(), away & !(1 << along));
    if away.count_ones() != 1 {
        return None;
    }
    let (next, last) = ((along + 1) % 3, (along + 2) % 3);
    let size_of = |axis: usize| capsule.axis.iter().nth(axis).map_or(T::zero(), |a| a.abs());
    let steepest = if size_of(next) > size_of(last) { next } else { last };
    let toward = away & (1 << steepest) != 0;
    let sign = if toward { one } else { -one };
    let room = if (rising & (1 << along) != 0) == toward { one - at } else { one + at };
    let mut way = one - sign * t;
    for (k, (h, s)) in capsule.arm.iter().zip(half_sizes).enumerate() {
        if k == steepest {
            way = smaller(crossing(*s, *h), way);
        } else if k == along {
            way = smaller(*s * room / h.abs(), way); // 0/0 where the core is across: `smaller` keeps the way
        }
    }
    Some(sign * way)
}
