//! Capsule against box: the nearest feature and the first point. The second point is in `capsule_box_second`.
//!
//! Exact while the core is outside the box. Only the core's ends and the box's edges are looked at, as in MuJoCo: a core that
//! pierces the box through two faces is measured at whichever of these is nearest, so its depth is too small.

use nalgebra::Vector3;

use super::capsule_box_second::second;
use super::contact::ContactPoints;
use super::geometry::{Held, Segments, product, smallest_told, z_axis};
use super::plane::corner_of;
use super::sphere_box::ball;
use crate::scalar::{Real, clamp, literal};
use crate::spatial::Transform;

/// A capsule in the axes of a box.
pub(super) struct Capsule<T> {
    /// Its centre p \[m\].
    pub(super) center: Vector3<T>,
    /// Its unit axis a.
    pub(super) axis: Vector3<T>,
    /// Its half axis h = L a \[m\].
    pub(super) arm: Vector3<T>,
}

/// What of the box is nearest to the capsule's core.
#[derive(Clone, Copy)]
pub(super) enum Feature<T> {
    /// A face, over which end `end` = ±1 of the capsule stands; `axis` is the face's, `None` if the end is inside the box.
    Face {
        /// −1 or +1.
        end: T,
        /// 0, 1, 2, or `None`.
        axis: Option<usize>,
    },
    /// A corner, by its index.
    Corner {
        /// Bit k: +s_k.
        index: u8,
    },
    /// An edge.
    Edge {
        /// Index of its corner with bit `along` clear.
        index: u8,
        /// The axis along which it runs.
        along: usize,
        /// Where on the edge, in \[−1, 1\].
        at: T,
    },
}

/// The nearest place found so far.
pub(super) struct Nearest<T> {
    /// Squared distance; at first a bound beyond which nothing counts.
    squared: T,
    /// Where on the capsule's core, in \[−1, 1\].
    pub(super) t: T,
    /// What it is nearest to.
    pub(super) feature: Feature<T>,
}

/// Up to two points: a ball at the place of the core that is nearest to the box, and one where the core leaves the feature.
pub(super) fn capsule<T: Real>(
    points: &mut ContactPoints<T>,
    capsule: &Transform<T>,
    (radius, half_length): (T, T),
    cuboid: &Transform<T>,
    half_sizes: &[T; 3],
    reach: T,
) {
    let back = cuboid.orientation.conjugate();
    let axis = back.rotate(&z_axis(&capsule.orientation));
    let inside = Capsule { center: back.rotate(&(capsule.position - cuboid.position)), axis, arm: axis * half_length };
    let [x, y, z] = *half_sizes;
    // A length compared with squares, as in MuJoCo: with a radius of several metres it hides far contacts.
    let bound = reach + literal::<T>(2.0) * (radius + half_length + x + y + z);
    let Some(nearest) = nearest_feature(&inside, half_length, half_sizes, bound) else {
        return;
    };
    let at = |t: T| ball(&(inside.center + inside.arm * t), radius, cuboid, half_sizes, reach);
    points.add(at(nearest.t));
    if let Some(q) = second(&inside, &nearest, half_sizes) {
        points.add(at(nearest.t + q));
    }
}

fn nearest_feature<T: Real>(capsule: &Capsule<T>, half_length: T, half_sizes: &[T; 3], bound: T) -> Option<Nearest<T>> {
    let mut best = None;
    for end in [-T::one(), T::one()] {
        over_face(capsule, end, half_sizes, bound, &mut best);
    }
    for along in 0..3 {
        for index in 0..8u8 {
            if index & (1 << along) == 0 {
                at_edge(capsule, half_length, half_sizes, (index, along), bound, &mut best);
            }
        }
    }
    best
}

/// An end of the core counts where at most one of its coordinates is outside the box: it stands over a face or is inside.
fn over_face<T: Real>(capsule: &Capsule<T>, end: T, half_sizes: &[T; 3], bound: T, best: &mut Option<Nearest<T>>) {
    let point = capsule.center + capsule.arm * end;
    let (mut squared, mut outside, mut face) = (T::zero(), 0, None);
    for (k, (x, s)) in point.iter().zip(half_sizes).enumerate() {
        if !(*x >= -*s && *x <= *s) {
            let beyond = *x - clamp(*x, -*s, *s);
            squared += beyond * beyond;
            outside += 1;
            face = Some(k);
        }
    }
    if outside <= 1 && squared < best.as_ref().map_or(bound, |b| b.squared) {
        *best = Some(Nearest { squared, t: end, feature: Feature::Face { end, axis: face } });
    }
}

/// The edge o + x s_j e_j against the core p + y h, o being its midpoint. The place of a corner if x was held at an end.
fn at_edge<T: Real>(
    capsule: &Capsule<T>,
    half_length: T,
    half_sizes: &[T; 3],
    (index, along): (u8, usize),
    bound: T,
    best: &mut Option<Nearest<T>>,
) {
    let mut middle = corner_of(half_sizes, index);
    let mut edge = Vector3::new(T::zero(), T::zero(), T::zero());
    for (k, ((m, e), s)) in middle.iter_mut().zip(edge.iter_mut()).zip(half_sizes).enumerate() {
        if k == along {
            (*m, *e) = (T::zero(), *s);
        }
    }
    let d = capsule.center - middle;
    let segments = Segments {
        aa: product(&edge, &edge),
        ab: -product(&edge, &capsule.arm),
        bb: half_length * half_length,
        u: product(&edge, &d),
        v: -product(&capsule.arm, &d),
    };
    let Some((x, y, held)) = segments.nearest() else {
        return;
    };
    let apart = d + capsule.arm * y - edge * x;
    let squared = product(&apart, &apart);
    // Better by more than rounding: an end over a face and the edge beneath it are often equally near.
    let told = smallest_told(segments.aa + segments.bb);
    if squared < best.as_ref().map_or(bound, |b| b.squared) - told {
        let feature = match held {
            Held::Free => Feature::Edge { index, along, at: x },
            Held::Low => Feature::Corner { index },
            Held::High => Feature::Corner { index: index | (1 << along) },
        };
        *best = Some(Nearest { squared, t: y, feature });
    }
}
