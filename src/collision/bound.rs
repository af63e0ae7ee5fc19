//! The cheap test before the exact one: balls around shapes.
//!
//! It only ever says "surely apart": the balls are a hundred-thousandth larger than the shapes, more than all roundings of the
//! exact routines and than a quaternion that is not quite a unit, so it loses no contact that these would find.

use nalgebra::Vector3;

use super::geometry::{product, z_axis};
use crate::description::Shape;
use crate::scalar::{Real, literal, norm};
use crate::spatial::Transform;

/// How much larger the balls are.
const SLACK: f64 = 1e-5;

/// Radius of the ball around a shape's origin that holds it; `None` for a plane.
fn radius<T: Real>(shape: &Shape<T>) -> Option<T> {
    match shape {
        Shape::Plane => None,
        Shape::Sphere { radius } => Some(*radius),
        Shape::Capsule { radius, half_length } => Some(*radius + *half_length),
        Shape::Box { half_sizes } => Some(norm(half_sizes)),
    }
}

/// Whether two shapes in X-60's order are further apart than `reach` for certain; of the second the position is enough. False for
/// poses that are no numbers, and where the second is a plane: the exact routine decides.
pub(super) fn surely_apart<T: Real>(
    (first, pose): (&Shape<T>, &Transform<T>),
    (second, position): (&Shape<T>, &Vector3<T>),
    reach: T,
) -> bool {
    let apart = position - pose.position;
    match (radius(first), radius(second)) {
        (Some(r), Some(s)) => {
            let limit = (reach + r + s) * (T::one() + literal::<T>(SLACK));
            product(&apart, &apart) > limit * limit
        }
        (None, Some(s)) => {
            let (limit, far) = (reach + s, apart.x.abs() + apart.y.abs() + apart.z.abs());
            product(&z_axis(&pose.orientation), &apart) > limit + literal::<T>(SLACK) * (limit.abs() + far)
        }
        (_, None) => false,
    }
}
