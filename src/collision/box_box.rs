//! Two boxes: no contact points, but whether they are apart, so that a mechanism with two boxes that never meet can run.

use nalgebra::Vector3;

use super::geometry::product;
use crate::scalar::{Real, literal, square_root};
use crate::spatial::Transform;

/// Whether some axis separates two boxes by more than `reach`: the face normals of both and the products of their edges. False where
/// they are nearer, for poses that are no numbers, and, on the safe side, for a corner beside a corner up to a little further away.
pub(super) fn apart<T: Real>(a: &Transform<T>, a_sizes: &[T; 3], b: &Transform<T>, b_sizes: &[T; 3], reach: T) -> bool {
    let (ra, rb) = (a.orientation.matrix(), b.orientation.matrix());
    let axis = |m: &nalgebra::Matrix3<T>, k: usize| Vector3::new(m[(0, k)], m[(1, k)], m[(2, k)]);
    let between = b.position - a.position;
    let separates = |direction: &Vector3<T>| {
        let mut extent = reach;
        for k in 0..3 {
            extent += a_sizes[k] * product(direction, &axis(&ra, k)).abs();
            extent += b_sizes[k] * product(direction, &axis(&rb, k)).abs();
        }
        product(direction, &between).abs() > extent
    };
    for k in 0..3 {
        if separates(&axis(&ra, k)) || separates(&axis(&rb, k)) {
            return true;
        }
    }
    for i in 0..3 {
        for j in 0..3 {
            let edge = axis(&ra, i).cross(&axis(&rb, j));
            let square = product(&edge, &edge);
            // Parallel edges have nothing to add.
            if square > literal(1e-6) && separates(&(edge / square_root(square))) {
                return true;
            }
        }
    }
    false
}
