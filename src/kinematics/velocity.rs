//! Velocities of the bodies, and their accelerations at zero generalized acceleration.

use nalgebra::{SVector, Vector3};

use super::tree::front;
use super::{Kinematics, Motion, StateError, Tree};
use crate::description::JointKind;
use crate::scalar::{Real, literal};
use crate::spatial::vector;

/// Motion of a frame while the joints of a body are gone through: a point of it, its velocity and acceleration.
struct Carrier<T> {
    point: Vector3<T>,
    velocity: Motion<T>,
    acceleration: Motion<T>,
}

impl<T: Real> Carrier<T> {
    /// Takes another point of the same frame.
    #[inline(always)]
    fn go_to(&mut self, point: &Vector3<T>) {
        let arm = point - self.point;
        self.acceleration.linear = self.acceleration.acceleration_at(&self.velocity.angular, &arm);
        self.velocity.linear = self.velocity.velocity_at(&arm);
        self.point = *point;
    }

    /// Goes on to the frame that turns relative to this one at `rate`, about the present point; `change` is what the generalized
    /// acceleration adds to the angular acceleration.
    #[inline(always)]
    fn turn(&mut self, rate: &Vector3<T>, change: &Vector3<T>) {
        self.acceleration.angular += self.velocity.angular.cross(rate) + change;
        self.velocity.angular += rate;
    }

    /// Goes on to the frame that slides relative to this one.
    #[inline(always)]
    fn slide(&mut self, rate: &Vector3<T>, change: &Vector3<T>) {
        self.acceleration.linear += self.velocity.angular.cross(rate) * literal::<T>(2.0) + change;
        self.velocity.linear += rate;
    }
}

impl<T: Real, const NB: usize, const NV: usize> Kinematics<T, NB, NV> {
    /// Velocities of all bodies and their accelerations at zero generalized acceleration, parents first; needs [`Self::place`].
    ///
    /// # Errors
    /// [`StateError::Velocity`].
    pub fn move_at<const NQ: usize>(
        &mut self,
        tree: &Tree<'_, T, NB, NQ, NV>,
        velocity: &SVector<T, NV>,
    ) -> Result<(), StateError> {
        let bound = literal(1e10);
        for (dof, v) in velocity.iter().enumerate().take(tree.dof_count) {
            if !(v.abs() <= bound) {
                return Err(StateError::Velocity { dof: dof as u16 });
            }
        }
        self.accelerate(tree, velocity, None);
        Ok(())
    }

    /// As [`Self::move_at`], the accelerations those of a generalized acceleration: `bias_accelerations` then hold J a + J̇v.
    pub(crate) fn accelerate<const NQ: usize>(
        &mut self,
        tree: &Tree<'_, T, NB, NQ, NV>,
        velocity: &SVector<T, NV>,
        acceleration: Option<&SVector<T, NV>>,
    ) {
        let zero = T::zero();
        let mut joints = tree.description.joints;
        let mut dof = 0;
        for (index, (body, place)) in tree.description.bodies.iter().zip(&tree.bodies).enumerate() {
            let origin = self.frames.get(index).map_or(vector(zero), |frame| frame.position);
            let parent = body.parent.map(usize::from).filter(|parent| *parent < NB);
            let mut carrier = match parent {
                Some(parent) => Carrier {
                    point: self.frames[parent].position,
                    velocity: self.velocities[parent],
                    acceleration: self.bias_accelerations[parent],
                },
                // The world is at rest wherever one looks.
                None => Carrier { point: origin, velocity: Motion::filled(zero), acceleration: Motion::filled(zero) },
            };
            // Whether the carrier's point is where the body's origin stays from here on.
            let mut arrived = parent.is_none();
            for joint in front(&mut joints, usize::from(place.joints)) {
                let (first, centered) = (dof, tree.is_centered(dof));
                dof += joint.kind.dofs();
                if joint.kind == JointKind::Slide {
                    arrived = false;
                } else if !(arrived && centered) {
                    carrier.go_to(&self.anchors.get(first).copied().unwrap_or(origin));
                    arrived = centered;
                }
                let (slid, turned) = match joint.kind {
                    JointKind::Slide => (first..dof, dof..dof),
                    JointKind::Hinge | JointKind::Ball => (dof..dof, first..dof),
                    JointKind::Free => (first..first + 3, first + 3..dof),
                };
                if !slid.is_empty() {
                    carrier.slide(&self.sum(slid.clone(), velocity), &self.sum_of(slid, acceleration));
                }
                if !turned.is_empty() {
                    carrier.turn(&self.sum(turned.clone(), velocity), &self.sum_of(turned, acceleration));
                }
            }
            if !arrived {
                carrier.go_to(&origin);
            }
            if index < NB {
                self.velocities[index] = carrier.velocity;
                self.bias_accelerations[index] = carrier.acceleration;
            }
        }
    }

    /// Sum of the axes of some dofs, each times its rate.
    #[inline(always)]
    fn sum(&self, dofs: core::ops::Range<usize>, rates: &SVector<T, NV>) -> Vector3<T> {
        let mut sum = vector(T::zero());
        for k in dofs {
            if k < NV {
                sum += self.axes[k] * rates[k];
            }
        }
        sum
    }

    #[inline(always)]
    fn sum_of(&self, dofs: core::ops::Range<usize>, rates: Option<&SVector<T, NV>>) -> Vector3<T> {
        rates.map_or(vector(T::zero()), |rates| self.sum(dofs, rates))
    }

    /// Velocity of a body at its origin, world axes; zero for the world.
    #[inline(always)]
    pub fn velocity(&self, body: Option<u16>) -> Motion<T> {
        body.and_then(|body| self.velocities.get(usize::from(body)).copied()).unwrap_or(Motion::filled(T::zero()))
    }

    /// Acceleration of a body at its origin when the generalized acceleration is zero, gravity not counted (J̇v).
    #[inline(always)]
    pub fn bias_acceleration(&self, body: Option<u16>) -> Motion<T> {
        body.and_then(|body| self.bias_accelerations.get(usize::from(body)).copied())
            .unwrap_or(Motion::filled(T::zero()))
    }

    /// Velocity of the point of a body that is now at `point` in the world \[m/s\].
    pub fn point_velocity(&self, body: Option<u16>, point: &Vector3<T>) -> Vector3<T> {
        self.velocity(body).velocity_at(&(point - self.frame(body).position))
    }

    /// J̇v of that point \[m/s²\] (S11-10).
    pub fn point_bias_acceleration(&self, body: Option<u16>, point: &Vector3<T>) -> Vector3<T> {
        if body.is_none() {
            return vector(T::zero());
        }
        let arm = point - self.frame(body).position;
        self.bias_acceleration(body).acceleration_at(&self.velocity(body).angular, &arm)
    }
}
