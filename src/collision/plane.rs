//! Plane against sphere, capsule and box.
//!
//! n is the plane's z axis and the contact normal. The plane is infinite and has no back side: what is below is inside.

use nalgebra::Vector3;

use super::contact::{ContactPoint, ContactPoints};
use super::frame::no_hint;
use super::geometry::{product, z_axis};
use crate::scalar::{Real, literal};
use crate::spatial::Transform;

/// s = n·(c − P): none if s > reach + r; distance s − r; position c − n (r + distance/2).
fn ball<T: Real>(
    plane: &Transform<T>,
    normal: &Vector3<T>,
    center: &Vector3<T>,
    radius: T,
    hint: Vector3<T>,
    reach: T,
) -> Option<ContactPoint<T>> {
    let s = product(normal, &(center - plane.position));
    if !(s <= reach + radius) {
        return None;
    }
    let distance = s - radius;
    let position = center - normal * (radius + distance * literal(0.5));
    Some(ContactPoint { distance, position, normal: *normal, hint })
}

/// Plane and sphere: one point.
pub(super) fn sphere<T: Real>(
    points: &mut ContactPoints<T>,
    plane: &Transform<T>,
    sphere: &Transform<T>,
    radius: T,
    reach: T,
) {
    points.add(ball(plane, &z_axis(&plane.orientation), &sphere.position, radius, no_hint(), reach));
}

/// Plane and capsule: its two ends, the one at +L first; the first tangent follows the capsule.
pub(super) fn capsule<T: Real>(
    points: &mut ContactPoints<T>,
    plane: &Transform<T>,
    capsule: &Transform<T>,
    (radius, half_length): (T, T),
    reach: T,
) {
    let (normal, axis) = (z_axis(&plane.orientation), z_axis(&capsule.orientation));
    let arm = axis * half_length;
    for end in [capsule.position + arm, capsule.position - arm] {
        points.add(ball(plane, &normal, &end, radius, axis, reach));
    }
}

/// Plane and box: up to four corners in index order (bit 0: +x, bit 1: +y, bit 2: +z), not by depth.
///
/// A corner above the box's centre (n·offset > 0) or higher than `reach` is no candidate.
pub(super) fn cuboid<T: Real>(
    points: &mut ContactPoints<T>,
    plane: &Transform<T>,
    cuboid: &Transform<T>,
    half_sizes: &[T; 3],
    reach: T,
) {
    let normal = z_axis(&plane.orientation);
    let height = product(&normal, &(cuboid.position - plane.position));
    for corner in 0..8u8 {
        let offset = cuboid.orientation.rotate(&corner_of(half_sizes, corner));
        let rise = product(&normal, &offset);
        let distance = height + rise;
        if points.count() < 4 && distance <= reach && rise <= T::zero() {
            let position = cuboid.position + offset - normal * (distance * literal(0.5));
            points.add(Some(ContactPoint { distance, position, normal, hint: no_hint() }));
        }
    }
}

/// The corner of a box with the given index, in the box's axes: bit k set means +s_k.
pub(super) fn corner_of<T: Real>(half_sizes: &[T; 3], corner: u8) -> Vector3<T> {
    let [x, y, z] = *half_sizes;
    let signed = |bit: u8, s: T| if corner & bit != 0 { s } else { -s };
    Vector3::new(signed(1, x), signed(2, y), signed(4, z))
}
