//! Inertia of a rigid body about its own origin, world axes.

use nalgebra::Vector3;

use crate::description::Body;
use crate::scalar::Real;
use crate::spatial::{Quaternion, Transform, inner, turned_inertia, vector};

/// Mass, first moment and inertia tensor about the body's origin, world axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct RigidInertia<T> {
    mass: T,
    /// Mass times the arm from the origin to the centre of mass \[kg m\].
    moment: Vector3<T>,
    /// xx, yy, zz, xy, xz, yz \[kg m²\].
    tensor: [T; 6],
}

impl<T: Copy> RigidInertia<T> {
    pub(super) const fn filled(zero: T) -> Self {
        Self { mass: zero, moment: vector(zero), tensor: [zero; 6] }
    }
}

/// 2 (a·b) 1 − a bᵀ − b aᵀ, halved where a = b by the caller's scale: what moving the origin adds to a tensor.
#[inline(always)]
fn shift<T: Real>(tensor: &mut [T; 6], a: &Vector3<T>, b: &Vector3<T>) {
    let (x, y, z) = (a.x * b.x, a.y * b.y, a.z * b.z);
    let [xx, yy, zz, xy, xz, yz] = tensor;
    let two = |p: T| p + p;
    *xx += two(y + z);
    *yy += two(x + z);
    *zz += two(x + y);
    *xy -= a.x * b.y + a.y * b.x;
    *xz -= a.x * b.z + a.z * b.x;
    *yz -= a.y * b.z + a.z * b.y;
}

impl<T: Real> RigidInertia<T> {
    /// Of one body: principal moments turned into the world, moved from the centre of mass to the origin (S07-15).
    #[inline]
    pub(super) fn of_body(body: &Body<T>, axes: &Quaternion<T>, frame: &Transform<T>, center: &Vector3<T>) -> Self {
        let turned = turned_inertia(&frame.orientation.times(axes), &Vector3::from(body.inertia));
        let arm = center - frame.position;
        let mut tensor =
            [turned[(0, 0)], turned[(1, 1)], turned[(2, 2)], turned[(0, 1)], turned[(0, 2)], turned[(1, 2)]];
        let half = arm * (body.mass * crate::scalar::literal(0.5));
        shift(&mut tensor, &half, &arm);
        Self { mass: body.mass, moment: arm * body.mass, tensor }
    }

    /// Adds another body whose origin lies at `arm` from this one's.
    #[inline]
    pub(super) fn add(&mut self, other: &Self, arm: &Vector3<T>) {
        // m (s·s 1 − s sᵀ) + 2 (h·s) 1 − h sᵀ − s hᵀ = 2 (k·s) 1 − k sᵀ − s kᵀ with k = h + m s / 2.
        let middle = other.moment + arm * (other.mass * crate::scalar::literal(0.5));
        for (sum, entry) in self.tensor.iter_mut().zip(&other.tensor) {
            *sum += *entry;
        }
        shift(&mut self.tensor, &middle, arm);
        self.moment += other.moment + arm * other.mass;
        self.mass += other.mass;
    }

    /// Force and torque about the origin that an acceleration of it takes, at rest.
    #[inline(always)]
    pub(super) fn times(&self, angular: &Vector3<T>, linear: &Vector3<T>) -> (Vector3<T>, Vector3<T>) {
        let [xx, yy, zz, xy, xz, yz] = self.tensor;
        let turned = Vector3::new(
            xx * angular.x + xy * angular.y + xz * angular.z,
            xy * angular.x + yy * angular.y + yz * angular.z,
            xz * angular.x + yz * angular.y + zz * angular.z,
        );
        (linear * self.mass + angular.cross(&self.moment), turned + self.moment.cross(linear))
    }

    /// Force and torque about the origin of a moving body whose origin has this acceleration:
    /// m a + α × h + ω × (ω × h), and I α + ω × I ω + h × a.
    #[inline(always)]
    pub(super) fn newton_euler(
        &self,
        rate: &Vector3<T>,
        angular: &Vector3<T>,
        linear: &Vector3<T>,
    ) -> (Vector3<T>, Vector3<T>) {
        let (force, torque) = self.times(angular, linear);
        let zero = vector(T::zero());
        let (_, momentum) = self.times(rate, &zero);
        (force + rate.cross(&rate.cross(&self.moment)), torque + rate.cross(&momentum))
    }

    /// Mass times the arm to the centre of mass \[kg m\].
    pub(super) fn moment(&self) -> Vector3<T> {
        self.moment
    }

    /// ∫ r rᵀ dm by columns \[kg m²\]: half the trace of the inertia tensor on the diagonal, minus the tensor.
    pub(super) fn second_moment(&self) -> [Vector3<T>; 3] {
        let [xx, yy, zz, xy, xz, yz] = self.tensor;
        let half = (xx + yy + zz) * crate::scalar::literal(0.5);
        [Vector3::new(half - xx, -xy, -xz), Vector3::new(-xy, half - yy, -yz), Vector3::new(-xz, -yz, half - zz)]
    }

    /// ½ of the work of a velocity on its own momentum \[J\].
    pub(super) fn kinetic_energy(&self, angular: &Vector3<T>, linear: &Vector3<T>) -> T {
        let (force, torque) = self.times(angular, linear);
        (inner(&force, linear) + inner(&torque, angular)) * crate::scalar::literal(0.5)
    }
}
