//! Contact points of two shapes: the switchboard over the routines.

use super::contact::ContactPoints;
use super::{capsule, capsule_box, plane, sphere, sphere_box};
use crate::description::{Shape, Uses};
use crate::scalar::Real;
use crate::spatial::Transform;

const ALL: u32 = Uses::EVERYTHING.bits();

/// Whether there is a routine for these two shapes, in either order: all but box–box and plane–plane.
pub fn supported<T>(first: &Shape<T>, second: &Shape<T>) -> bool {
    most_contacts(first, second) > 0
}

/// How many contact points two shapes can have, in either order; 0 where there is no routine.
pub fn most_contacts<T>(first: &Shape<T>, second: &Shape<T>) -> usize {
    use Shape::{Box, Capsule, Plane, Sphere};
    match (first, second) {
        (Plane, Plane) | (Box { .. }, Box { .. }) => 0,
        (Sphere { .. }, _) | (_, Sphere { .. }) => 1,
        (Capsule { .. }, _) | (_, Capsule { .. }) => 2,
        (Plane, Box { .. }) | (Box { .. }, Plane) => 4,
    }
}

/// The contact points of two shapes at their poses in the world, at most `reach` \[m\] (margin + gap) apart; at the border the
/// float test of the routine decides (S11-04).
///
/// Normals point from the first shape to the second. None where there is no routine, and where a number is NaN. Orientations
/// are unit quaternions, sizes positive. A pose that is degenerate (centres that coincide, parallel axes, a centre inside
/// the box) has finite points, the same ones every time.
pub fn contact_points<T: Real>(
    (first, first_pose): (&Shape<T>, &Transform<T>),
    (second, second_pose): (&Shape<T>, &Transform<T>),
    reach: T,
) -> ContactPoints<T> {
    if first.order() > second.order() {
        let mut points = ordered::<T, ALL>((second, second_pose), (first, first_pose), reach);
        points.reverse();
        points
    } else {
        ordered::<T, ALL>((first, first_pose), (second, second_pose), reach)
    }
}

/// The same for shapes in X-60's order, of the pairs of shapes in `U`.
pub(super) fn ordered<T: Real, const U: u32>(
    (first, a): (&Shape<T>, &Transform<T>),
    (second, b): (&Shape<T>, &Transform<T>),
    reach: T,
) -> ContactPoints<T> {
    use Shape::{Box, Capsule, Plane, Sphere};
    let uses = Uses::from_bits(U);
    let mut points = ContactPoints::none();
    let to = &mut points;
    match (*first, *second) {
        (Plane, Sphere { radius }) if uses.has(Uses::PLANE_SPHERE) => plane::sphere(to, a, b, radius, reach),
        (Plane, Capsule { radius, half_length }) if uses.has(Uses::PLANE_CAPSULE) => {
            plane::capsule(to, a, b, (radius, half_length), reach)
        }
        (Plane, Box { half_sizes }) if uses.has(Uses::PLANE_BOX) => plane::cuboid(to, a, b, &half_sizes, reach),
        (Sphere { radius }, Sphere { radius: other }) if uses.has(Uses::SPHERE_SPHERE) => {
            sphere::sphere(to, (a, radius), (b, other), reach)
        }
        (Sphere { radius }, Capsule { radius: thickness, half_length }) if uses.has(Uses::SPHERE_CAPSULE) => {
            sphere::capsule(to, (a, radius), b, (thickness, half_length), reach);
        }
        (Sphere { radius }, Box { half_sizes }) if uses.has(Uses::SPHERE_BOX) => {
            sphere_box::sphere(to, a, radius, b, &half_sizes, reach)
        }
        (Capsule { radius, half_length }, Capsule { radius: other, half_length: other_length })
            if uses.has(Uses::CAPSULE_CAPSULE) =>
        {
            capsule::capsule(to, a, (radius, half_length), b, (other, other_length), reach);
        }
        (Capsule { radius, half_length }, Box { half_sizes }) if uses.has(Uses::CAPSULE_BOX) => {
            capsule_box::capsule(to, a, (radius, half_length), b, &half_sizes, reach);
        }
        _ => {}
    }
    points
}
