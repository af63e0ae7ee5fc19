//! [`Kinematics`]: memory of the room, and the frames of a configuration.

use nalgebra::Vector3;

use super::{StateError, Tree};
use crate::description::JointKind;
use crate::scalar::{Real, literal};
use crate::spatial::{Quaternion, Transform, vector};

/// Angular and linear part of a velocity or acceleration, world axes, at the origin of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion<T> {
    /// \[rad/s or rad/s²\]
    pub angular: Vector3<T>,
    /// \[m/s or m/s²\]
    pub linear: Vector3<T>,
}

impl<T: Copy> Motion<T> {
    /// All zero.
    pub const fn filled(zero: T) -> Self {
        Self { angular: vector(zero), linear: vector(zero) }
    }
}

impl<T: Real> Motion<T> {
    /// At another point of the same body: `arm` leads from the origin to it \[m\]. For velocities.
    #[inline(always)]
    pub fn velocity_at(&self, arm: &Vector3<T>) -> Vector3<T> {
        self.linear + self.angular.cross(arm)
    }

    /// The acceleration of that point, `self` being an acceleration and `velocity` the angular velocity \[rad/s\].
    #[inline(always)]
    pub fn acceleration_at(&self, velocity: &Vector3<T>, arm: &Vector3<T>) -> Vector3<T> {
        self.linear + self.angular.cross(arm) + velocity.cross(&velocity.cross(arm))
    }
}

/// Frames, axes, velocities and bias accelerations of a tree. Lives in caller-owned memory.
#[derive(Clone, Debug)]
pub struct Kinematics<T, const NB: usize, const NV: usize> {
    pub(crate) frames: [Transform<T>; NB],
    /// Centres of mass in the world.
    pub(crate) centers: [Vector3<T>; NB],
    /// World axis of each dof, and a point on it.
    pub(crate) axes: [Vector3<T>; NV],
    pub(crate) anchors: [Vector3<T>; NV],
    pub(crate) velocities: [Motion<T>; NB],
    /// Accelerations at zero generalized acceleration, gravity not counted: J̇v at each origin.
    pub(crate) bias_accelerations: [Motion<T>; NB],
    /// How many bodies were placed.
    pub(super) bodies: usize,
}

impl<T: Copy, const NB: usize, const NV: usize> Kinematics<T, NB, NV> {
    /// All zero: pass `0.0`, so that a `static` one lands in .bss.
    pub const fn filled(zero: T) -> Self {
        let still = Transform { position: vector(zero), orientation: Quaternion([zero; 4]) };
        Self {
            frames: [still; NB],
            centers: [vector(zero); NB],
            axes: [vector(zero); NV],
            anchors: [vector(zero); NV],
            velocities: [Motion::filled(zero); NB],
            bias_accelerations: [Motion::filled(zero); NB],
            bodies: 0,
        }
    }
}

impl<T: Real, const NB: usize, const NV: usize> Kinematics<T, NB, NV> {
    /// Frames, centres of mass and dof axes of a configuration, parents first.
    ///
    /// Quaternions are normalised where they are read.
    ///
    /// # Errors
    /// [`StateError::ZeroQuaternion`], [`StateError::Configuration`]; what was computed before must not be used.
    pub fn place<const NQ: usize>(
        &mut self,
        tree: &Tree<'_, T, NB, NQ, NV>,
        configuration: &[T; NQ],
    ) -> Result<(), StateError> {
        let bound = literal(1e10);
        for (coordinate, q) in configuration.iter().enumerate().take(tree.coordinate_count) {
            if !(q.abs() <= bound) {
                return Err(StateError::Configuration { coordinate: coordinate as u16 });
            }
        }
        self.bodies = tree.description.bodies.len();
        let mut coordinates = configuration.iter().zip(&tree.reference);
        let mut dofs = tree.dofs.iter().zip(self.axes.iter_mut().zip(&mut self.anchors));
        let mut joints = tree.description.joints.iter().enumerate().peekable();
        for (index, (body, place)) in tree.description.bodies.iter().zip(&tree.bodies).enumerate() {
            let above = body
                .parent
                .and_then(|parent| self.frames.get(usize::from(parent)).copied())
                .unwrap_or_else(Transform::identity);
            let inner = Transform { position: Vector3::from(body.position), orientation: place.orientation };
            let mut frame = above.times(&inner);
            while let Some((number, joint)) = joints.next_if(|(_, joint)| usize::from(joint.body) == index) {
                let mut next = || coordinates.next().map_or((T::zero(), T::zero()), |(q, r)| (*q, *r));
                match joint.kind {
                    JointKind::Free => {
                        frame.position = Vector3::new(next().0, next().0, next().0);
                        let turned = Quaternion([next().0, next().0, next().0, next().0]).normalized();
                        let Some(turned) = turned else {
                            return Err(StateError::ZeroQuaternion { joint: number as u16 });
                        };
                        frame.orientation = turned;
                        for (dof, (axis, anchor)) in dofs.by_ref().take(3) {
                            *axis = dof.axis;
                            *anchor = frame.position;
                        }
                        for (_, (_, anchor)) in dofs.by_ref().take(3) {
                            *anchor = frame.position;
                        }
                    }
                    JointKind::Ball => {
                        let anchor = frame.apply(&Vector3::from(joint.position));
                        let turned = Quaternion([next().0, next().0, next().0, next().0]).normalized();
                        let Some(turned) = turned else {
                            return Err(StateError::ZeroQuaternion { joint: number as u16 });
                        };
                        frame.orientation = frame.orientation.times(&turned);
                        frame.position = anchor - frame.orientation.rotate(&Vector3::from(joint.position));
                        for (_, (_, slot)) in dofs.by_ref().take(3) {
                            *slot = anchor;
                        }
                    }
                    JointKind::Hinge => {
                        let (q, reference) = next();
                        let Some((dof, (axis, anchor))) = dofs.next() else { continue };
                        *axis = frame.orientation.rotate(&dof.axis);
                        *anchor = frame.apply(&Vector3::from(joint.position));
                        frame.orientation = frame.orientation.times(&Quaternion::about(&dof.axis, q - reference));
                        frame.position = *anchor - frame.orientation.rotate(&Vector3::from(joint.position));
                    }
                    JointKind::Slide => {
                        let (q, reference) = next();
                        let Some((dof, (axis, anchor))) = dofs.next() else { continue };
                        *axis = frame.orientation.rotate(&dof.axis);
                        *anchor = frame.apply(&Vector3::from(joint.position));
                        frame.position += *axis * (q - reference);
                    }
                }
            }
            let Some(orientation) = frame.orientation.normalized() else {
                return Err(StateError::ZeroQuaternion { joint: 0 });
            };
            frame.orientation = orientation;
            if let (Some(slot), Some(center)) = (self.frames.get_mut(index), self.centers.get_mut(index)) {
                *slot = frame;
                *center = frame.apply(&Vector3::from(body.center));
            }
        }
        // The axes of ball and free joints are those of the body's final orientation.
        for (dof, axis) in tree.dofs().iter().zip(&mut self.axes) {
            let kind = tree.description.joints.get(usize::from(dof.joint)).map(|joint| joint.kind);
            if matches!(kind, Some(JointKind::Ball | JointKind::Free))
                && !dof.translates
                && let Some(frame) = self.frames.get(usize::from(dof.body))
            {
                *axis = frame.orientation.rotate(&dof.axis);
            }
        }
        Ok(())
    }

    /// Pose of a body in the world; the world's own for `None`.
    #[inline(always)]
    pub fn frame(&self, body: Option<u16>) -> Transform<T> {
        body.and_then(|body| self.frames.get(usize::from(body)).copied()).unwrap_or_else(Transform::identity)
    }

    /// Centre of mass of a body in the world \[m\]; the origin for the world.
    #[inline(always)]
    pub fn center(&self, body: Option<u16>) -> Vector3<T> {
        body.and_then(|body| self.centers.get(usize::from(body)).copied()).unwrap_or_else(|| vector(T::zero()))
    }

    /// Poses of all bodies.
    pub fn frames(&self) -> &[Transform<T>] {
        self.frames.get(..self.bodies).unwrap_or(&[])
    }
}
