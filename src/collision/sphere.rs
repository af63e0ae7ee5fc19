//! Sphere against sphere and capsule.

use nalgebra::Vector3;

use super::contact::{ContactPoint, ContactPoints};
use super::frame::no_hint;
use super::geometry::{direction, product, z_axis};
use crate::scalar::{Real, SMALLEST, clamp, literal};
use crate::spatial::{Quaternion, Transform};

/// A ball somewhere on a shape: centre, radius, and the orientation of the shape, which counts only where centres coincide.
#[derive(Clone, Copy)]
pub(super) struct Ball<'a, T> {
    pub(super) center: Vector3<T>,
    pub(super) radius: T,
    pub(super) orientation: &'a Quaternion<T>,
}

/// None if |c₂ − c₁|² > (reach + r₁ + r₂)²; n = unit(c₂ − c₁), distance |c₂ − c₁| − r₁ − r₂, position c₁ + n (r₁ + distance/2).
///
/// Centres closer than 1e-15: n = unit(z₁ × z₂) of the two frames, x if these are parallel.
pub(super) fn balls<T: Real>(first: &Ball<'_, T>, second: &Ball<'_, T>, reach: T) -> Option<ContactPoint<T>> {
    let apart = second.center - first.center;
    let limit = reach + first.radius + second.radius;
    if !(product(&apart, &apart) <= limit * limit) {
        return None;
    }
    let least = literal(SMALLEST);
    let (mut normal, between) = direction(&apart, least);
    if between < least {
        (normal, _) = direction(&z_axis(first.orientation).cross(&z_axis(second.orientation)), least);
    }
    let distance = between - first.radius - second.radius;
    let position = first.center + normal * (first.radius + distance * literal(0.5));
    Some(ContactPoint { distance, position, normal, hint: no_hint() })
}

/// Two spheres: one point.
pub(super) fn sphere<T: Real>(
    points: &mut ContactPoints<T>,
    (first, radius): (&Transform<T>, T),
    (second, other): (&Transform<T>, T),
    reach: T,
) {
    points.add(balls(
        &Ball { center: first.position, radius, orientation: &first.orientation },
        &Ball { center: second.position, radius: other, orientation: &second.orientation },
        reach,
    ));
}

/// Sphere and capsule: the point of the capsule's core that is nearest to the sphere's centre, then two spheres.
pub(super) fn capsule<T: Real>(
    points: &mut ContactPoints<T>,
    (sphere, radius): (&Transform<T>, T),
    capsule: &Transform<T>,
    (thickness, half_length): (T, T),
    reach: T,
) {
    let axis = z_axis(&capsule.orientation);
    let along = clamp(product(&axis, &(sphere.position - capsule.position)), -half_length, half_length);
    points.add(balls(
        &Ball { center: sphere.position, radius, orientation: &sphere.orientation },
        &Ball { center: capsule.position + axis * along, radius: thickness, orientation: &capsule.orientation },
        reach,
    ));
}
