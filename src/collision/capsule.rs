//! Capsule against capsule.

use super::contact::ContactPoints;
use super::geometry::{Segments, product, z_axis};
use super::sphere::{Ball, balls};
use crate::scalar::Real;
use crate::spatial::Transform;

/// One point where the cores are nearest; up to two, at the ends of what overlaps, where the axes are parallel.
///
/// Parallel is det = AC − B² below 1e-15 m⁴, so 1 mrad is parallel for half lengths of 5 mm. Equal points are not removed.
pub(super) fn capsule<T: Real>(
    points: &mut ContactPoints<T>,
    first: &Transform<T>,
    (radius, half_length): (T, T),
    second: &Transform<T>,
    (other, other_length): (T, T),
    reach: T,
) {
    let a = z_axis(&first.orientation) * half_length;
    let b = z_axis(&second.orientation) * other_length;
    let d = second.position - first.position;
    let segments = Segments {
        aa: product(&a, &a),
        ab: -product(&a, &b),
        bb: product(&b, &b),
        u: product(&a, &d),
        v: -product(&b, &d),
    };
    let at = |x: T, y: T| {
        balls(
            &Ball { center: first.position + a * x, radius, orientation: &first.orientation },
            &Ball { center: second.position + b * y, radius: other, orientation: &second.orientation },
            reach,
        )
    };
    if let Some((x, y, _)) = segments.nearest() {
        points.add(at(x, y));
        return;
    }
    let one = T::one();
    for x in [one, -one] {
        points.add(at(x, segments.second(x)));
    }
    for y in [one, -one] {
        if points.count() < 2 {
            points.add(at(segments.first(y), y));
        }
    }
}
