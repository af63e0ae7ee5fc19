//! Velocities of the bodies, and their accelerations at zero generalized acceleration.

use nalgebra::{SVector, Vector3};

use super::{Kinematics, Motion, StateError, Tree};
use crate::description::{JointKind, Uses};
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
    fn turn(&mut self, rate: &Vector3<T>, change: Option<Vector3<T>>) {
        self.acceleration.angular += self.velocity.angular.cross(rate);
        if let Some(change) = change {
            self.acceleration.angular += change;
        }
        self.velocity.angular += rate;
    }

    /// Goes on to the frame that slides relative to this one.
    #[inline(always)]
    fn slide(&mut self, rate: &Vector3<T>, change: Option<Vector3<T>>) {
        self.acceleration.linear += self.velocity.angular.cross(rate) * literal::<T>(2.0);
        if let Some(change) = change {
            self.acceleration.linear += change;
        }
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
        self.move_stated::<NQ, { Uses::EVERYTHING.bits() }>(tree, velocity)
    }

    /// [`Self::move_at`] of a description that makes use of `U` ([`Uses`]).
    pub(crate) fn move_stated<const NQ: usize, const U: u32>(
        &mut self,
        tree: &Tree<'_, T, NB, NQ, NV>,
        velocity: &SVector<T, NV>,
    ) -> Result<(), StateError> {
        let bound = literal(1e10);
        for (dof, v) in velocity.iter().enumerate().take(tree.dofs_stated::<U>().len()) {
            if !(v.abs() <= bound) {
                return Err(StateError::Velocity { dof: dof as u16 });
            }
        }
        self.accelerate::<NQ, U>(tree, velocity, None);
        Ok(())
    }

    /// As [`Self::move_at`], the accelerations those of a generalized acceleration: `bias_accelerations` then hold J a + J̇v.
    pub(crate) fn accelerate<const NQ: usize, const U: u32>(
        &mut self,
        tree: &Tree<'_, T, NB, NQ, NV>,
        velocity: &SVector<T, NV>,
        acceleration: Option<&SVector<T, NV>>,
    ) {
        let (zero, uses) = (T::zero(), Uses::from_bits(U));
        // The next joint and its first dof.
        let (mut number, mut dof) = (0, 0);
        for (index, (body, place)) in tree.bodies_stated::<U>().iter().zip(&tree.bodies).enumerate() {
            let parent = tree.parent_stated::<U>(index, body).filter(|parent| *parent < NB);
            if uses.has(Uses::SLIDE) && place.parallel {
                let next = dof + usize::from(place.joints);
                self.slide_along(index, parent, dof..next, velocity, acceleration);
                (number, dof) = (number + next - dof, next);
                continue;
            }
            let origin = self.frames.get(index).map_or(vector(zero), |frame| frame.position);
            if uses.has(Uses::HINGE) && place.hinged {
                // What the general way does, without its detours.
                let rate = self.sum(dof, 1, velocity);
                let (mut speed, mut change) = match parent {
                    Some(parent) => {
                        let (above, rising) = (&self.velocities[parent], &self.bias_accelerations[parent]);
                        let arm = origin - self.frames[parent].position;
                        let linear = rising.acceleration_at(&above.angular, &arm);
                        let angular = rising.angular + above.angular.cross(&rate);
                        let speed = Motion { angular: above.angular, linear: above.velocity_at(&arm) };
                        (speed, Motion { angular, linear })
                    }
                    None => (Motion::filled(zero), Motion::filled(zero)),
                };
                speed.angular += rate;
                if let Some(acceleration) = acceleration {
                    change.angular += self.sum(dof, 1, acceleration);
                }
                if index < NB {
                    (self.velocities[index], self.bias_accelerations[index]) = (speed, change);
                }
                (number, dof) = (number + 1, dof + 1);
                continue;
            }
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
            for joint in tree.general_joints(place, number) {
                number += 1;
                let first = dof;
                dof += joint.kind.dofs();
                let (Some(line), Some(anchor)) = (tree.dofs.get(first), self.anchors.get(first)) else { continue };
                if joint.kind == JointKind::Slide {
                    arrived = false;
                } else if !(arrived && line.centered) {
                    carrier.go_to(anchor);
                    arrived = line.centered;
                }
                let sum = |first: usize, count: usize| {
                    let change = acceleration.map(|acceleration| self.sum(first, count, acceleration));
                    (self.sum(first, count, velocity), change)
                };
                match joint.kind {
                    JointKind::Slide if uses.has(Uses::SLIDE) => {
                        let (rate, change) = sum(first, 1);
                        carrier.slide(&rate, change);
                    }
                    JointKind::Hinge if uses.has(Uses::HINGE) => {
                        let (rate, change) = sum(first, 1);
                        carrier.turn(&rate, change);
                    }
                    JointKind::Ball if uses.has(Uses::BALL) => {
                        let (rate, change) = sum(first, 3);
                        carrier.turn(&rate, change);
                    }
                    JointKind::Free if uses.has(Uses::FREE) => {
                        let (rate, change) = sum(first, 3);
                        carrier.slide(&rate, change);
                        let (rate, change) = sum(first + 3, 3);
                        carrier.turn(&rate, change);
                    }
                    _ => {}
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

    /// Motion of a body that only slides carry, `own` its dofs: what the general way gives where nothing turns.
    #[inline(always)]
    fn slide_along(
        &mut self,
        index: usize,
        parent: Option<usize>,
        own: core::ops::Range<usize>,
        velocity: &SVector<T, NV>,
        acceleration: Option<&SVector<T, NV>>,
    ) {
        let still = vector(T::zero());
        let (mut speed, mut change) = parent
            .map_or((still, still), |parent| (self.velocities[parent].linear, self.bias_accelerations[parent].linear));
        for k in own {
            if k < NV {
                speed += self.axes[k] * velocity[k];
                if let Some(acceleration) = acceleration {
                    change += self.axes[k] * acceleration[k];
                }
            }
        }
        if index < NB {
            self.velocities[index] = Motion { angular: still, linear: speed };
            self.bias_accelerations[index] = Motion { angular: still, linear: change };
        }
    }

    /// Sum of the axes of some dofs in a row, each times its rate.
    #[inline(always)]
    fn sum(&self, first: usize, count: usize, rates: &SVector<T, NV>) -> Vector3<T> {
        let term = |k: usize| if k < NV { self.axes[k] * rates[k] } else { vector(T::zero()) };
        (first + 1..first + count).fold(term(first), |sum, k| sum + term(k))
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
