//! [`Kinematics`]: memory of the room, and the frames of a configuration.

use nalgebra::{Matrix3, Vector3};

use super::{StateError, Tree};
use crate::description::{Body, JointKind, Uses};
use crate::scalar::{Real, literal, sine_cosine};
use crate::spatial::{Quaternion, Transform, matrix, principal_in_world, turn, vector};

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
    /// The same orientations as matrices, body to world.
    rotations: [Matrix3<T>; NB],
    /// Centres of mass in the world.
    pub(crate) centers: [Vector3<T>; NB],
    /// Inertia tensors about them, world axes: xx, yy, zz, xy, xz, yz \[kg m²\].
    pub(crate) tensors: [[T; 6]; NB],
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
            rotations: [matrix(zero); NB],
            centers: [vector(zero); NB],
            tensors: [[zero; 6]; NB],
            axes: [vector(zero); NV],
            anchors: [vector(zero); NV],
            velocities: [Motion::filled(zero); NB],
            bias_accelerations: [Motion::filled(zero); NB],
            bodies: 0,
        }
    }
}

impl<T: Real, const NB: usize, const NV: usize> Kinematics<T, NB, NV> {
    /// Frames, centres of mass, inertia tensors and dof axes of a configuration, parents first.
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
        self.place_stated::<NQ, { Uses::EVERYTHING.bits() }>(tree, configuration)
    }

    /// [`Self::place`] of a description that makes use of `U` ([`Uses`]).
    pub(crate) fn place_stated<const NQ: usize, const U: u32>(
        &mut self,
        tree: &Tree<'_, T, NB, NQ, NV>,
        configuration: &[T; NQ],
    ) -> Result<(), StateError> {
        let bound = literal(1e10);
        for (coordinate, q) in tree.coordinates_stated::<U>(configuration).iter().enumerate() {
            if !(q.abs() <= bound) {
                return Err(StateError::Configuration { coordinate: coordinate as u16 });
            }
        }
        let uses = Uses::from_bits(U);
        self.bodies = tree.description.bodies.len();
        // The next joint, its first dof and coordinate.
        let (mut number, mut dof, mut coordinate) = (0, 0, 0);
        for (index, (body, place)) in tree.bodies_stated::<U>().iter().zip(&tree.bodies).enumerate() {
            if uses.has(Uses::SLIDE) && place.parallel {
                // What the general way does, without the turning.
                let above = tree.parent_stated::<U>(index, body).and_then(|parent| self.frames.get(parent));
                let mut position = Vector3::from(body.position);
                if let Some(above) = above {
                    position += above.position;
                }
                for _ in 0..place.joints {
                    if let (Some(own), Some(q)) = (tree.dofs.get(dof), configuration.get(coordinate))
                        && let Some(reference) = tree.reference.get(coordinate)
                        && dof < NV
                    {
                        self.axes[dof] = own.axis;
                        self.anchors[dof] = position;
                        position += own.axis * (*q - *reference);
                    }
                    (number, dof, coordinate) = (number + 1, dof + 1, coordinate + 1);
                }
                self.put_parallel(index, body, position);
                continue;
            }
            let (hinged, first) = (uses.has(Uses::HINGE) && place.hinged, dof);
            let mut local = place.orientation;
            if hinged {
                // What the general way does, without its detours.
                if let (Some(own), Some(q)) = (tree.dofs.get(dof), configuration.get(coordinate))
                    && let Some(reference) = tree.reference.get(coordinate)
                {
                    let turned = *q - *reference;
                    local = if place.turned {
                        let (s, c) = sine_cosine(turned * literal(0.5));
                        place.orientation.mixed(c, &place.hinge, s)
                    } else {
                        Quaternion::about(&own.axis, turned)
                    };
                }
                (number, dof, coordinate) = (number + 1, dof + 1, coordinate + 1);
            }
            let parent = tree.parent_stated::<U>(index, body);
            let mut frame = self.mount(body, parent, &local, hinged || place.turned);
            // Rotating dofs whose axes are yet to come: a hinge's is the same before and after its own turn, those of ball and free
            // joints are of the body's final orientation.
            let mut turning = 0..0;
            for joint in tree.general_joints(place, number) {
                let own = dof..dof + joint.kind.dofs();
                let q = configuration.get(coordinate..coordinate + joint.kind.coordinates()).unwrap_or(&[]);
                match (joint.kind, q) {
                    (JointKind::Free, [x, y, z, a, b, c, d]) if uses.has(Uses::FREE) => {
                        let Some(orientation) = Quaternion([*a, *b, *c, *d]).normalized() else {
                            return Err(StateError::ZeroQuaternion { joint: number as u16 });
                        };
                        frame = Transform { position: Vector3::new(*x, *y, *z), orientation };
                        for k in own.clone() {
                            self.put_anchor(k, &frame.position);
                        }
                        turning = dof + 3..own.end;
                        for k in dof..turning.start {
                            if k < NV {
                                self.axes[k] = tree.dofs[k].axis;
                            }
                        }
                    }
                    (JointKind::Ball, [a, b, c, d]) if uses.has(Uses::BALL) => {
                        self.turn_axes(tree, turning, &frame.orientation);
                        let Some(turned) = Quaternion([*a, *b, *c, *d]).normalized() else {
                            return Err(StateError::ZeroQuaternion { joint: number as u16 });
                        };
                        let (arm, centered) = (Vector3::from(joint.position), tree.is_centered(dof));
                        let anchor = if centered { frame.position } else { frame.apply(&arm) };
                        frame.orientation = frame.orientation.times(&turned);
                        if !centered {
                            frame.position = anchor - frame.orientation.rotate(&arm);
                        }
                        for k in own.clone() {
                            self.put_anchor(k, &anchor);
                        }
                        turning = own.clone();
                    }
                    (JointKind::Hinge, [q]) if uses.has(Uses::HINGE) => {
                        self.turn_axes(tree, turning, &frame.orientation);
                        if let (Some(own_dof), Some(reference)) = (tree.dofs.get(dof), tree.reference.get(coordinate)) {
                            let (arm, turned) = (Vector3::from(joint.position), *q - *reference);
                            let anchor = if own_dof.centered { frame.position } else { frame.apply(&arm) };
                            self.put_anchor(dof, &anchor);
                            frame.orientation = frame.orientation.times(&Quaternion::about(&own_dof.axis, turned));
                            if !own_dof.centered {
                                frame.position = anchor - frame.orientation.rotate(&arm);
                            }
                        }
                        turning = own.clone();
                    }
                    (JointKind::Slide, [q]) if uses.has(Uses::SLIDE) => {
                        if let (Some(own_dof), Some(reference)) = (tree.dofs.get(dof), tree.reference.get(coordinate))
                            && dof < NV
                        {
                            let axis = frame.orientation.rotate(&own_dof.axis);
                            self.axes[dof] = axis;
                            self.anchors[dof] = frame.position;
                            frame.position += axis * (*q - *reference);
                        }
                    }
                    _ => {}
                }
                dof = own.end;
                coordinate += joint.kind.coordinates();
                number += 1;
            }
            frame.orientation = frame.orientation.renormalized();
            let rotation = frame.orientation.matrix();
            if hinged && first < NV {
                self.anchors[first] = frame.position;
                self.axes[first] = turn(&rotation, &tree.dofs[first].axis);
            }
            for k in turning {
                if k < NV {
                    self.axes[k] = turn(&rotation, &tree.dofs[k].axis);
                }
            }
            if index < NB {
                self.frames[index] = frame;
                self.centers[index] = frame.position + turn(&rotation, &Vector3::from(body.center));
                self.tensors[index] = if place.inertia_turned {
                    let axes = frame.orientation.times(&place.inertia_orientation);
                    principal_in_world(&axes.matrix(), &body.inertia)
                } else {
                    principal_in_world(&rotation, &body.inertia)
                };
                self.rotations[index] = rotation;
            }
        }
        Ok(())
    }

    /// Ends the placing of a body whose axes are the world's.
    #[inline(always)]
    fn put_parallel(&mut self, index: usize, body: &Body<T>, position: Vector3<T>) {
        let (one, zero) = (T::one(), T::zero());
        let [a, b, c] = body.inertia;
        if index < NB {
            self.frames[index] = Transform { position, orientation: Quaternion::identity() };
            self.centers[index] = position + Vector3::from(body.center);
            self.tensors[index] = [a, b, c, zero, zero, zero];
            self.rotations[index] = Matrix3::new(one, zero, zero, zero, one, zero, zero, zero, one);
        }
    }

    /// Where a body is while all its joints are at their reference, or its only joint has `turned` it to an orientation in its parent's
    /// frame.
    #[inline(always)]
    fn mount(&self, body: &Body<T>, parent: Option<usize>, orientation: &Quaternion<T>, turned: bool) -> Transform<T> {
        let (position, orientation) = (Vector3::from(body.position), *orientation);
        match parent.and_then(|parent| Some((self.frames.get(parent)?, self.rotations.get(parent)?))) {
            None => Transform { position, orientation },
            Some((above, rotation)) => Transform {
                position: above.position + turn(rotation, &position),
                orientation: if turned { above.orientation.times(&orientation) } else { above.orientation },
            },
        }
    }

    #[inline(always)]
    fn put_anchor(&mut self, k: usize, anchor: &Vector3<T>) {
        if let Some(slot) = self.anchors.get_mut(k) {
            *slot = *anchor;
        }
    }

    /// Axes of rotating dofs on which another rotation follows.
    #[inline(always)]
    fn turn_axes<const NQ: usize>(
        &mut self,
        tree: &Tree<'_, T, NB, NQ, NV>,
        turning: core::ops::Range<usize>,
        orientation: &Quaternion<T>,
    ) {
        for k in turning {
            if k < NV {
                self.axes[k] = orientation.rotate(&tree.dofs[k].axis);
            }
        }
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
