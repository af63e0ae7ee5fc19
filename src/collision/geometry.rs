//! Small geometry that several routines share.

use nalgebra::Vector3;

use crate::scalar::{Real, SMALLEST, clamp, dot, larger, literal, square_root};
use crate::spatial::Quaternion;

/// Scalar product, term by term.
pub(super) fn product<T: Real>(a: &Vector3<T>, b: &Vector3<T>) -> T {
    dot(a.as_slice(), b.as_slice())
}

/// Length.
pub(super) fn length<T: Real>(v: &Vector3<T>) -> T {
    square_root(product(v, v))
}

/// The unit vector along x.
pub(super) fn x_axis<T: Real>() -> Vector3<T> {
    Vector3::new(T::one(), T::zero(), T::zero())
}

/// The vector (0, 0, 0).
pub(super) fn zero<T: Real>() -> Vector3<T> {
    Vector3::new(T::zero(), T::zero(), T::zero())
}

/// (v/|v|, |v|); x where |v| is below `least`.
pub(super) fn direction<T: Real>(v: &Vector3<T>, least: T) -> (Vector3<T>, T) {
    let size = length(v);
    if size < least { (x_axis(), size) } else { (v * (T::one() / size), size) }
}

/// The z axis of a turned frame in the world: a plane's normal, a capsule's axis.
pub(super) fn z_axis<T: Real>(orientation: &Quaternion<T>) -> Vector3<T> {
    let [w, x, y, z] = orientation.0;
    let two = literal::<T>(2.0);
    Vector3::new(two * (x * z + w * y), two * (y * z - w * x), T::one() - two * (x * x + y * y))
}

/// The smallest `x` that is told from rounding when numbers as large as `scale` were subtracted to get it: 1e-15 as in
/// MuJoCo, and never less than four roundings.
///
/// In double precision the second part counts only for shapes of more than a metre; in single precision it keeps parallel axes
/// parallel, where 1e-15 alone would let noise decide.
pub(super) fn smallest_told<T: Real>(scale: T) -> T {
    larger(literal(SMALLEST), literal::<T>(4.0) * T::default_epsilon() * scale)
}

/// The products of two segments c₁ + x a₁ and c₂ + y a₂, x and y in \[−1, 1\], with d = c₂ − c₁.
#[derive(Clone, Copy)]
pub(super) struct Segments<T> {
    /// A = a₁·a₁
    pub(super) aa: T,
    /// B = −a₁·a₂
    pub(super) ab: T,
    /// C = a₂·a₂
    pub(super) bb: T,
    /// u = a₁·d
    pub(super) u: T,
    /// v = −a₂·d
    pub(super) v: T,
}

/// Where a coordinate of a segment was held back.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Held {
    /// Nowhere.
    Free,
    /// At −1.
    Low,
    /// At +1.
    High,
}

impl<T: Real> Segments<T> {
    /// (x, y) of the nearest points, and whether x was held at an end on the way; `None` for parallel segments, and for segments
    /// without length.
    pub(super) fn nearest(&self) -> Option<(T, T, Held)> {
        let (one, Self { aa, ab, bb, u, v }) = (T::one(), *self);
        let det = aa * bb - ab * ab;
        if !(det.abs() >= smallest_told(aa * bb)) {
            return None;
        }
        let mut held = Held::Free;
        let mut hold = |x: T| {
            if x > one {
                held = Held::High;
                one
            } else if x < -one {
                held = Held::Low;
                -one
            } else {
                x
            }
        };
        let free = (bb * u - ab * v) / det;
        let mut x = hold(free);
        let mut y = if x == free { (aa * v - ab * u) / det } else { self.across(x) };
        if y > one || y < -one {
            y = clamp(y, -one, one);
            x = hold((u - ab * y) / aa);
        }
        Some((x, y, held))
    }

    /// y of the point of the second line that is nearest to x on the first, not held.
    fn across(&self, x: T) -> T {
        (self.v - self.ab * x) / self.bb
    }

    /// y on the second segment nearest to x on the first; an end where the second has no length.
    pub(super) fn second(&self, x: T) -> T {
        clamp(self.across(x), -T::one(), T::one())
    }

    /// x on the first segment nearest to y on the second; an end where the first has no length.
    pub(super) fn first(&self, y: T) -> T {
        clamp((self.u - self.ab * y) / self.aa, -T::one(), T::one())
    }
}
