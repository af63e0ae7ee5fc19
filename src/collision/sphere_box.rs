//! Sphere against box.

use nalgebra::Vector3;

use super::contact::{ContactPoint, ContactPoints};
use super::frame::no_hint;
use super::geometry::{length, zero};
use crate::scalar::{Real, SMALLEST, clamp, literal};
use crate::spatial::Transform;

/// One point of a ball with centre `center`, given in the box's axes.
///
/// k = centre clamped to the half sizes. Outside: n = unit(k − c), distance |k − c| − r, position halfway between k and c + r n.
/// Inside: out through the nearest face of −x, +x, −y, +y, −z, +z, the first where several are equally near.
pub(super) fn ball<T: Real>(
    center: &Vector3<T>,
    radius: T,
    cuboid: &Transform<T>,
    half_sizes: &[T; 3],
    reach: T,
) -> Option<ContactPoint<T>> {
    let half = literal::<T>(0.5);
    let mut nearest = *center;
    for (k, s) in nearest.iter_mut().zip(half_sizes) {
        *k = clamp(*k, -*s, *s);
    }
    let outward = nearest - center;
    let apart = length(&outward);
    if !(apart - radius <= reach) {
        return None;
    }
    let (normal, distance, position) = if apart > literal(SMALLEST) {
        let normal = outward * (T::one() / apart);
        (normal, apart - radius, (nearest + center + normal * radius) * half)
    } else {
        let (normal, depth) = way_in(center, half_sizes);
        (normal, -depth - radius, center + normal * ((radius - depth) * half))
    };
    Some(ContactPoint {
        distance,
        position: cuboid.apply(&position),
        normal: cuboid.orientation.rotate(&normal),
        hint: no_hint(),
    })
}

/// (inward normal, depth) of the face that is nearest to a point inside the box.
fn way_in<T: Real>(center: &Vector3<T>, half_sizes: &[T; 3]) -> (Vector3<T>, T) {
    let mut best: Option<(Vector3<T>, T)> = None;
    for (k, (c, s)) in center.iter().zip(half_sizes).enumerate() {
        for (depth, inward) in [(*c + *s, T::one()), (*s - *c, -T::one())] {
            if best.is_none_or(|(_, least)| depth.abs() < least) {
                let mut normal = zero();
                for (i, n) in normal.iter_mut().enumerate() {
                    *n = if i == k { inward } else { T::zero() };
                }
                best = Some((normal, depth.abs()));
            }
        }
    }
    best.unwrap_or((zero(), T::zero()))
}

/// Sphere and box: one point.
pub(super) fn sphere<T: Real>(
    points: &mut ContactPoints<T>,
    sphere: &Transform<T>,
    radius: T,
    cuboid: &Transform<T>,
    half_sizes: &[T; 3],
    reach: T,
) {
    let center = cuboid.orientation.conjugate().rotate(&(sphere.position - cuboid.position));
    points.add(ball(&center, radius, cuboid, half_sizes, reach));
}
