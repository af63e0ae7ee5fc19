//! Space: unit quaternions in the order (w, x, y, z), rigid transforms, and the inertia tensor of a turned body.
//!
//! ```text
//! product   (a, u)(b, w) = (ab − u·w, a w + b u + u × w)    first the right factor
//! turned    R(q) x = q x q*                                 body → world
//! pose      x ↦ R(q) x + p                                  p in m
//! step      q ← q · (cos(|ω|h/2), sin(|ω|h/2) ω/|ω|)        ω in the body frame (S15-55, X-59)
//! vector    2 atan2(|u|, a) u/|u|, angle in (−π, π]         rad
//! tensor    I_W = R I Rᵀ                                    kg m² (S07-15)
//! ```
//!
//! Own code rather than nalgebra's rotations: those store (x, y, z, w), and their constructors take sines in soft double on the chip.
//! Angular velocities are in the body frame. Quaternions are normalised where they are read, never written back (X-44); one whose norm
//! is below 1e-15 is an error there.

use nalgebra::{Matrix3, Vector3};

use crate::scalar::{Real, dot, literal, sine_cosine, square_root};

/// A quaternion (w, x, y, z); a rotation when its norm is one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Quaternion<T>(pub [T; 4]);

impl<T: Real> Quaternion<T> {
    /// The rotation by nothing.
    pub fn identity() -> Self {
        Self([T::one(), T::zero(), T::zero(), T::zero()])
    }

    /// Rotation by `angle` \[rad\] about the unit vector `axis`.
    pub fn about(axis: &Vector3<T>, angle: T) -> Self {
        let (s, c) = sine_cosine(angle * literal(0.5));
        Self([c, s * axis.x, s * axis.y, s * axis.z])
    }

    /// The conjugate, which is the inverse rotation of a unit quaternion.
    pub fn conjugate(&self) -> Self {
        let [w, x, y, z] = self.0;
        Self([w, -x, -y, -z])
    }

    /// Hamilton product `self * other`: first `other`, then `self`.
    pub fn times(&self, other: &Self) -> Self {
        let ([a, b, c, d], [w, x, y, z]) = (self.0, other.0);
        Self([
            a * w - b * x - c * y - d * z,
            a * x + b * w + c * z - d * y,
            a * y - b * z + c * w + d * x,
            a * z + b * y - c * x + d * w,
        ])
    }

    /// a q + b p, component by component.
    #[inline(always)]
    pub(crate) fn mixed(&self, a: T, other: &Self, b: T) -> Self {
        let ([w, x, y, z], [s, t, u, v]) = (self.0, other.0);
        Self([w * a + s * b, x * a + t * b, y * a + u * b, z * a + v * b])
    }

    /// Norm 1, or `None` where the norm is below 1e-15 (X-44) or not finite.
    ///
    /// Left alone when the norm is already one within 1e-15 (X-59).
    pub fn normalized(&self) -> Option<Self> {
        let norm = square_root(dot(&self.0, &self.0));
        if !(norm >= literal(crate::scalar::SMALLEST)) || !norm.is_finite() {
            return None;
        }
        if (norm - T::one()).abs() <= literal(crate::scalar::SMALLEST) {
            return Some(*self);
        }
        let s = T::one() / norm;
        Some(Self(self.0.map(|x| x * s)))
    }

    /// Norm 1 again, of a product of unit quaternions, whose norm is off by some roundings only: q (3 − |q|²) / 2, which errs by the
    /// square of that, and takes no root.
    ///
    /// Left alone when the norm is already one within 1e-15 (X-59).
    #[inline(always)]
    pub fn renormalized(&self) -> Self {
        let excess = dot(&self.0, &self.0) - T::one();
        if excess.abs() <= literal(2.0 * crate::scalar::SMALLEST) {
            return *self;
        }
        let s = T::one() - excess * literal(0.5);
        Self(self.0.map(|x| x * s))
    }

    /// The rotation matrix R of a unit quaternion, body to world.
    pub fn matrix(&self) -> Matrix3<T> {
        let [w, x, y, z] = self.0;
        let (one, twice) = (T::one(), literal::<T>(2.0));
        let (x2, y2, z2) = (x * twice, y * twice, z * twice);
        let (xx, yy, zz) = (x * x2, y * y2, z * z2);
        let (xy, xz, yz) = (x * y2, x * z2, y * z2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        Matrix3::new(
            one - (yy + zz),
            xy - wz,
            xz + wy,
            xy + wz,
            one - (xx + zz),
            yz - wx,
            xz - wy,
            yz + wx,
            one - (xx + yy),
        )
    }

    /// The vector turned by a unit quaternion, body to world.
    pub fn rotate(&self, v: &Vector3<T>) -> Vector3<T> {
        let [w, x, y, z] = self.0;
        let u = Vector3::new(x, y, z);
        let t = u.cross(v) * literal::<T>(2.0);
        *v + t * w + u.cross(&t)
    }

    /// The rotation vector of a unit quaternion: axis times angle, the angle in (−π, π] by the shorter way \[rad\].
    pub fn rotation_vector(&self) -> Vector3<T> {
        let [w, x, y, z] = self.0;
        let sine = square_root(x * x + y * y + z * z);
        // Near no turn, which −1 is as well as 1, the angle is twice the sine of its half.
        let factor = if sine * sine < T::default_epsilon() * literal(0.01) {
            literal(if w > T::zero() { 2.0 } else { -2.0 })
        } else {
            let angle = literal::<T>(2.0) * sine.atan2(w);
            let angle = if angle > T::pi() { angle - T::two_pi() } else { angle };
            angle / sine
        };
        Vector3::new(x * factor, y * factor, z * factor)
    }

    /// The orientation after turning for `step` seconds at the body-frame rate `rate` \[rad/s\] (S15-55, X-59):
    /// q ← q · (cos(|ω|h/2), sin(|ω|h/2) ω/|ω|), with the smooth limit (1, hω/2) at small rates.
    ///
    /// `self` must be a unit quaternion; the result is one up to rounding and is not normalised again.
    pub fn step(&self, rate: &Vector3<T>, step: T) -> Self {
        let half = rate * (step * literal(0.5));
        let angle = square_root(half.x * half.x + half.y * half.y + half.z * half.z);
        // Below this angle the series is exact to the precision of T, and squares may vanish.
        let (ratio, cosine) = if angle * angle < T::default_epsilon() {
            (T::one(), T::one() - literal::<T>(0.5) * angle * angle)
        } else {
            let (s, c) = sine_cosine(angle);
            (s / angle, c)
        };
        self.times(&Self([cosine, ratio * half.x, ratio * half.y, ratio * half.z]))
    }
}

/// A rigid transform: x ↦ R(q) x + p, from body to world coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform<T> {
    /// Origin of the body in world coordinates \[m\].
    pub position: Vector3<T>,
    /// Orientation of the body, a unit quaternion.
    pub orientation: Quaternion<T>,
}

impl<T: Real> Transform<T> {
    /// The transform that moves nothing.
    pub fn identity() -> Self {
        Self { position: Vector3::new(T::zero(), T::zero(), T::zero()), orientation: Quaternion::identity() }
    }

    /// First `inner`, then `self`: the pose in the world of something posed as `inner` in this body.
    pub fn times(&self, inner: &Self) -> Self {
        Self { position: self.apply(&inner.position), orientation: self.orientation.times(&inner.orientation) }
    }

    /// The world coordinates of the body point `x` \[m\].
    pub fn apply(&self, x: &Vector3<T>) -> Vector3<T> {
        self.position + self.orientation.rotate(x)
    }

    /// The transform back: world to body coordinates.
    pub fn inverse(&self) -> Self {
        let orientation = self.orientation.conjugate();
        Self { position: -orientation.rotate(&self.position), orientation }
    }
}

/// aᵀ b of two vectors of space, term by term in order.
#[inline(always)]
pub fn inner<T: Real>(a: &Vector3<T>, b: &Vector3<T>) -> T {
    a.x * b.x + a.y * b.y + a.z * b.z
}

/// R x of a rotation matrix, term by term in order.
#[inline(always)]
pub fn turn<T: Real>(rotation: &Matrix3<T>, x: &Vector3<T>) -> Vector3<T> {
    let [a, b, c] = &rotation.data.0;
    Vector3::new(
        a[0] * x.x + b[0] * x.y + c[0] * x.z,
        a[1] * x.x + b[1] * x.y + c[1] * x.z,
        a[2] * x.x + b[2] * x.y + c[2] * x.z,
    )
}

/// R diag(I) Rᵀ as xx, yy, zz, xy, xz, yz \[kg m²\]: the tensor of [`turned_inertia`], R taking the principal axes to the world.
#[inline(always)]
pub fn principal_in_world<T: Real>(rotation: &Matrix3<T>, principal: &[T; 3]) -> [T; 6] {
    let ([a, b, c], [i, j, k]) = (&rotation.data.0, *principal);
    let (a0, a1, a2) = (a[0] * i, a[1] * i, a[2] * i);
    let (b0, b1, b2) = (b[0] * j, b[1] * j, b[2] * j);
    let (c0, c1, c2) = (c[0] * k, c[1] * k, c[2] * k);
    [
        a0 * a[0] + b0 * b[0] + c0 * c[0],
        a1 * a[1] + b1 * b[1] + c1 * c[1],
        a2 * a[2] + b2 * b[2] + c2 * c[2],
        a1 * a[0] + b1 * b[0] + c1 * c[0],
        a2 * a[0] + b2 * b[0] + c2 * c[0],
        a2 * a[1] + b2 * b[1] + c2 * c[1],
    ]
}

/// I x of a symmetric tensor xx, yy, zz, xy, xz, yz.
#[inline(always)]
pub fn symmetric_times<T: Real>(tensor: &[T; 6], x: &Vector3<T>) -> Vector3<T> {
    let [xx, yy, zz, xy, xz, yz] = *tensor;
    Vector3::new(xx * x.x + xy * x.y + xz * x.z, xy * x.x + yy * x.y + yz * x.z, xz * x.x + yz * x.y + zz * x.z)
}

/// Three zeros, also where a constant is wanted.
pub const fn vector<T: Copy>(zero: T) -> Vector3<T> {
    Vector3::from_array_storage(nalgebra::ArrayStorage([[zero; 3]]))
}

/// Three columns of zeros, also where a constant is wanted.
pub const fn matrix<T: Copy>(zero: T) -> Matrix3<T> {
    Matrix3::from_array_storage(nalgebra::ArrayStorage([[zero; 3]; 3]))
}

/// Inertia tensor in world axes, R diag(I) Rᵀ \[kg m²\], of a body with principal inertias `principal` whose principal axes are
/// turned by the unit quaternion `axes` (S07-15).
pub fn turned_inertia<T: Real>(axes: &Quaternion<T>, principal: &Vector3<T>) -> Matrix3<T> {
    let r = axes.matrix();
    let mut tensor = Matrix3::from_element(T::zero());
    for i in 0..3 {
        for j in 0..=i {
            let mut sum = T::zero();
            for k in 0..3 {
                sum += r[(i, k)] * principal[k] * r[(j, k)];
            }
            tensor[(i, j)] = sum;
            tensor[(j, i)] = sum;
        }
    }
    tensor
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::norm;

    /// The unit quaternion along q; NaN, which no assertion below lets pass, where there is none.
    fn unit(q: [f64; 4]) -> Quaternion<f64> {
        Quaternion(q).normalized().unwrap_or(Quaternion([f64::NAN; 4]))
    }

    #[test]
    fn w15_82_quaternion_step_has_the_body_rate_on_the_right() {
        let q = unit([0.9, 0.1, -0.3, 0.2]).step(&Vector3::new(1.2, -0.7, 2.0), 0.1);
        let printed = [0.879_188_660_370_59, 0.133_565_069_312_061, -0.335_706_437_164_993, 0.310_626_560_006_413];
        for (a, b) in q.0.iter().zip(printed) {
            assert!((a - b).abs() < 1e-14, "{q:?}");
        }
    }

    #[test]
    fn w15_83_small_angle_limit_is_half_the_step() {
        let rate = 1e-9f64;
        let q = Quaternion::identity().step(&Vector3::new(rate, 0.0, 0.0), 0.1);
        assert!((q.0[1] / rate - 0.05).abs() < 1e-16);
        let tiny = Quaternion::<f32>::identity().step(&Vector3::new(1e-30, 0.0, 0.0), 0.1);
        assert!((tiny.0[1] / 1e-30f32 - 0.05).abs() < 1e-8);
        assert_eq!(Quaternion::<f32>::identity().step(&Vector3::new(0.0, 0.0, 0.0), 0.1), Quaternion::identity());
    }

    #[test]
    fn turning_two_ways_agrees_with_the_matrix() {
        let q = unit([0.3, -0.5, 0.7, 0.1]);
        let v = Vector3::new(0.4, -1.1, 2.0);
        assert!((q.matrix() * v - q.rotate(&v)).amax() < 1e-15);
        assert!((q.matrix() * q.matrix().transpose() - Matrix3::identity()).amax() < 1e-15);
        let p = unit([0.1, 0.2, 0.9, -0.4]);
        assert!((p.times(&q).matrix() - p.matrix() * q.matrix()).amax() < 1e-15);
        let about = Quaternion::about(&Vector3::new(0.0, 0.0, 1.0), 0.5f64);
        assert!(
            (about.rotate(&Vector3::new(1.0, 0.0, 0.0)) - Vector3::new(0.5f64.cos(), 0.5f64.sin(), 0.0)).amax() < 1e-15
        );
    }

    #[test]
    fn a_transform_and_its_inverse_cancel() {
        let a = Transform { position: Vector3::new(0.1, 2.0, -0.3), orientation: unit([0.3, -0.5, 0.7, 0.1]) };
        let b = Transform { position: Vector3::new(-1.0, 0.2, 0.5), orientation: unit([0.7, 0.5, 0.2, 0.1]) };
        let x = Vector3::new(0.4, -1.1, 2.0);
        assert!((a.inverse().apply(&a.apply(&x)) - x).amax() < 1e-14);
        assert!((a.times(&b).apply(&x) - a.apply(&b.apply(&x))).amax() < 1e-14);
        assert!((a.times(&Transform::identity()).apply(&x) - a.apply(&x)).amax() < 1e-14);
    }

    #[test]
    fn no_direction_can_be_read_from_a_zero_quaternion() {
        assert_eq!(Quaternion([0.0f32; 4]).normalized(), None);
        assert_eq!(Quaternion([f32::NAN, 0.0, 0.0, 0.0]).normalized(), None);
        assert_eq!(Quaternion([f32::INFINITY, 0.0, 0.0, 0.0]).normalized(), None);
        let kept = Quaternion([1.0f64, 0.0, 0.0, 0.0]);
        assert_eq!(kept.normalized(), Some(kept));
    }

    #[test]
    fn both_quaternions_of_no_turn_have_a_small_rotation_vector() {
        for w in [1.0f64, -1.0] {
            for u in [0.0, 1e-200, 1e-12] {
                assert_eq!(Quaternion([w, 0.0, u, 0.0]).rotation_vector(), Vector3::new(0.0, 2.0 * u * w, 0.0));
            }
            assert_eq!(Quaternion([w as f32, 0.0, 1e-30, 0.0]).rotation_vector().y, 2e-30 * w as f32);
        }
    }

    #[test]
    fn mending_a_product_by_a_series_is_what_the_root_does() {
        // Products of unit quaternions in both precisions, and one that is off by more than rounding. In double precision a norm that
        // is off by 1e-15 is left alone.
        let left = 1e-15 + 2.0 * f64::EPSILON;
        let (mut single, mut double) = (Quaternion([0.3f32, -0.5, 0.7, 0.1]), unit([0.3, -0.5, 0.7, 0.1]));
        single = single.normalized().unwrap_or(Quaternion([f32::NAN; 4]));
        for _ in 0..1000 {
            (single, double) = (single.times(&single), double.times(&double));
            let roots = (single.normalized(), double.normalized());
            (single, double) = (single.renormalized(), double.renormalized());
            assert!((norm(&single.0) - 1.0).abs() <= 4.0 * f32::EPSILON, "{single:?}");
            assert!((norm(&double.0) - 1.0).abs() <= left, "{double:?}");
            let one = roots.0.unwrap_or(Quaternion([f32::NAN; 4]));
            let two = roots.1.unwrap_or(Quaternion([f64::NAN; 4]));
            for k in 0..4 {
                assert!((single.0[k] - one.0[k]).abs() <= 2.0 * f32::EPSILON);
                assert!((double.0[k] - two.0[k]).abs() <= left);
            }
        }
        let off = Quaternion(double.0.map(|x| x * (1.0 + 1e-6))).renormalized();
        assert!((norm(&off.0) - 1.0).abs() < 2e-12); // 3/2 of the square
    }

    #[test]
    fn matrix_and_quaternion_turn_alike() {
        let q = unit([0.9, 0.2, -0.3, 0.1]);
        let (v, principal) = (Vector3::new(0.4, -1.1, 2.0), [0.2, 0.5, 0.4]);
        assert!((turn(&q.matrix(), &v) - q.rotate(&v)).amax() < 1e-15);
        let (one, two) = (principal_in_world(&q.matrix(), &principal), turned_inertia(&q, &Vector3::from(principal)));
        let places = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
        for (entry, place) in one.iter().zip(places) {
            assert_eq!(*entry, two[place]);
        }
        assert!((symmetric_times(&one, &v) - two * v).amax() < 1e-15);
    }

    #[test]
    fn the_inertia_of_a_turned_body_keeps_trace_and_symmetry() {
        let i = turned_inertia(&unit([0.9, 0.2, 0.3, 0.1]), &Vector3::new(0.2, 0.5, 0.4));
        assert!((i.trace() - 1.1).abs() < 1e-15);
        let r = unit([0.9, 0.2, 0.3, 0.1]).matrix();
        let tensor = r * Matrix3::from_diagonal(&Vector3::new(0.2, 0.5, 0.4)) * r.transpose();
        assert!((i - tensor).amax() < 1e-15);
    }
}
