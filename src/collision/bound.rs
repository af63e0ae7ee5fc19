//! The cheap test before the exact one: balls around shapes.
//!
//! It only ever says "surely apart": the balls are a hundred-thousandth larger than the shapes, more than all roundings of the
//! exact routines and than a quaternion that is not quite a unit, so it loses no contact that these would find.

use nalgebra::Vector3;

use super::geometry::{product, z_axis};
use crate::description::Shape;
use crate::scalar::{Real, literal, norm};
use crate::spatial::{Quaternion, Transform};

/// How much larger the balls are.
const SLACK: f64 = 1e-5;

/// A shape's place for the cheap test.
pub(super) struct Bound<'a, T> {
    /// The shape.
    pub(super) shape: &'a Shape<T>,
    /// Its pose in the world.
    pub(super) pose: &'a Transform<T>,
}

/// Radius of the ball around a shape's origin that holds it; `None` for a plane.
fn radius<T: Real>(shape: &Shape<T>) -> Option<T> {
    match shape {
        Shape::Plane => None,
        Shape::Sphere { radius } => Some(*radius),
        Shape::Capsule { radius, half_length } => Some(*radius + *half_length),
        Shape::Box { half_sizes } => Some(norm(half_sizes)),
    }
}

/// Height above a plane that is surely too much.
fn above<T: Real>(orientation: &Quaternion<T>, apart: &Vector3<T>, limit: T) -> bool {
    let far = apart.x.abs() + apart.y.abs() + apart.z.abs();
    product(&z_axis(orientation), apart) > limit + literal::<T>(SLACK) * (limit.abs() + far)
}

/// Whether two shapes are further apart than `reach` for certain. False for poses that are no numbers: the exact routine decides.
pub(super) fn surely_apart<T: Real>(first: &Bound<'_, T>, second: &Bound<'_, T>, reach: T) -> bool {
    let apart = second.pose.position - first.pose.position;
    match (radius(first.shape), radius(second.shape)) {
        (Some(r), Some(s)) => {
            let limit = (reach + r + s) * (T::one() + literal::<T>(SLACK));
            product(&apart, &apart) > limit * limit
        }
        (None, Some(s)) => above(&first.pose.orientation, &apart, reach + s),
        (Some(r), None) => above(&second.pose.orientation, &-apart, reach + r),
        (None, None) => false,
    }
}
