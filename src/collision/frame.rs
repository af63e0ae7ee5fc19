//! The contact frame.

use nalgebra::Vector3;

use super::geometry::{direction, product, zero};
use crate::scalar::{Real, SMALLEST, larger, literal};

/// The axes n, t1, t2 = n × t1 of a contact with unit normal n: t1 is the hint made orthogonal to n (X-30, S11-16).
///
/// A hint shorter than ½ is no hint: then it is y, or z where |n_y| ≥ ½. Where nothing of the hint is left, as for a capsule that
/// stands upright on a plane, t1 is x as in MuJoCo; that frame is orthonormal only if the plane contains x. Below four
/// roundings "nothing is left", so noise never becomes an axis in single precision either.
pub fn contact_frame<T: Real>(normal: &Vector3<T>, hint: &Vector3<T>) -> [Vector3<T>; 3] {
    let (half, one) = (literal::<T>(0.5), T::one());
    let hint = if !(product(hint, hint) < literal(0.25)) {
        *hint
    } else if normal.y < half && normal.y > -half {
        Vector3::new(T::zero(), one, T::zero())
    } else {
        Vector3::new(T::zero(), T::zero(), one)
    };
    let rest = hint - normal * product(normal, &hint);
    let (first, _) = direction(&rest, larger(literal(SMALLEST), literal::<T>(4.0) * T::default_epsilon()));
    [*normal, first, normal.cross(&first)]
}

/// No wish for the first tangent.
pub(super) fn no_hint<T: Real>() -> Vector3<T> {
    zero()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn w11_20_and_w11_22_frame_of_a_level_plane() {
        let n = Vector3::new(0.0, 0.0, 1.0);
        assert_eq!(
            contact_frame(&n, &Vector3::new(1.0, 0.0, 0.0)),
            [n, Vector3::new(1.0, 0.0, 0.0), Vector3::new(0.0, 1.0, 0.0)]
        );
        assert_eq!(contact_frame(&n, &no_hint()), [n, Vector3::new(0.0, 1.0, 0.0), Vector3::new(-1.0, 0.0, 0.0)]);
    }

    #[test]
    fn a_hint_along_the_normal_leaves_x_in_single_precision_too() {
        for n in [Vector3::new(0.0f32, 0.0, 1.0), Vector3::new(0.0, 0.6, 0.8)] {
            let noisy = n + Vector3::new(1e-7, -1e-7, 6e-8);
            assert_eq!(contact_frame(&n, &noisy)[1], Vector3::new(1.0, 0.0, 0.0));
        }
    }
}
