//! Inertia of a rigid body about a point, world axes.

use nalgebra::Vector3;

use crate::scalar::Real;
use crate::spatial::{inner, symmetric_times, vector};

/// Mass, first moment and inertia tensor about a point, world axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct RigidInertia<T> {
    mass: T,
    /// Mass times the arm from the point to the centre of mass \[kg m\].
    moment: Vector3<T>,
    /// xx, yy, zz, xy, xz, yz \[kg m²\].
    tensor: [T; 6],
}

impl<T: Copy> RigidInertia<T> {
    pub(super) const fn filled(zero: T) -> Self {
        Self { mass: zero, moment: vector(zero), tensor: [zero; 6] }
    }
}

impl<T: Real> RigidInertia<T> {
    /// Of one body about a point that its centre of mass, about which the tensor `central` is, lies at `arm` from (S07-15).
    #[inline(always)]
    pub(super) fn of_body(mass: T, central: &[T; 6], arm: &Vector3<T>) -> Self {
        let ([xx, yy, zz, xy, xz, yz], [x, y, z]) = (*central, [arm.x, arm.y, arm.z]);
        let moment = arm * mass;
        let tensor = [
            xx + mass * (y * y + z * z),
            yy + mass * (x * x + z * z),
            zz + mass * (x * x + y * y),
            xy - moment.x * y,
            xz - moment.x * z,
            yz - moment.y * z,
        ];
        Self { mass, moment, tensor }
    }

    /// Becomes a point mass about the origin of the world, its tensor left out.
    #[inline(always)]
    pub(super) fn place_point(&mut self, mass: T, position: &Vector3<T>) {
        (self.mass, self.moment) = (mass, position * mass);
    }

    /// Adds another point mass.
    #[inline(always)]
    pub(super) fn add_point(&mut self, other: &Self) {
        self.moment += other.moment;
        self.mass += other.mass;
    }

    /// Where the centre of mass is, if there is mass.
    #[inline(always)]
    pub(super) fn center(&self) -> Option<Vector3<T>> {
        (self.mass >= crate::scalar::literal(crate::scalar::SMALLEST)).then(|| self.moment / self.mass)
    }

    /// Adds another body about the same point.
    #[inline]
    pub(super) fn add(&mut self, other: &Self) {
        for (sum, entry) in self.tensor.iter_mut().zip(&other.tensor) {
            *sum += *entry;
        }
        self.moment += other.moment;
        self.mass += other.mass;
    }

    /// Of one body about its centre of mass.
    #[inline(always)]
    pub(super) fn central(mass: T, tensor: &[T; 6]) -> Self {
        Self { mass, moment: vector(T::zero()), tensor: *tensor }
    }

    /// Joins another body whose centre of mass lies at `arm` from this one's, both taken about their own, and stays central; returns
    /// the way from the old centre to the common one.
    #[inline]
    pub(super) fn join(&mut self, other: &Self, arm: &Vector3<T>) -> Vector3<T> {
        let mass = self.mass + other.mass;
        let share = if mass > T::zero() { other.mass / mass } else { T::zero() };
        let reduced = self.mass * share;
        let [x, y, z] = [arm.x, arm.y, arm.z];
        let apart = [y * y + z * z, x * x + z * z, x * x + y * y, -(x * y), -(x * z), -(y * z)];
        for ((sum, entry), apart) in self.tensor.iter_mut().zip(&other.tensor).zip(&apart) {
            *sum += *entry + reduced * *apart;
        }
        self.mass = mass;
        arm * share
    }

    /// Force and torque about the origin that an acceleration of it takes, at rest.
    #[inline(always)]
    pub(super) fn times(&self, angular: &Vector3<T>, linear: &Vector3<T>) -> (Vector3<T>, Vector3<T>) {
        let turned = symmetric_times(&self.tensor, angular);
        (linear * self.mass + angular.cross(&self.moment), turned + self.moment.cross(linear))
    }

    /// [`Self::times`] of a body about its own centre of mass.
    #[inline(always)]
    pub(super) fn times_central(&self, angular: &Vector3<T>, linear: &Vector3<T>) -> (Vector3<T>, Vector3<T>) {
        (linear * self.mass, symmetric_times(&self.tensor, angular))
    }

    /// [`Self::times`] of a linear acceleration alone.
    #[inline(always)]
    pub(super) fn pushed(&self, linear: &Vector3<T>) -> (Vector3<T>, Vector3<T>) {
        (linear * self.mass, self.moment.cross(linear))
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
