//! Inverse dynamics by recursive Newton–Euler: accelerations outwards, forces inwards.

use nalgebra::{SVector, Vector3};

use super::DynamicsWorkspace;
use crate::description::Uses;
use crate::kinematics::{Kinematics, Tree};
use crate::scalar::Real;
use crate::spatial::{inner, symmetric_times, vector};
use crate::tendon::add_inertia_force;

/// Force, and torque about a body's origin, world axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wrench<T> {
    force: Vector3<T>,
    torque: Vector3<T>,
}

impl<T: Copy> Wrench<T> {
    pub(super) const fn filled(zero: T) -> Self {
        Self { force: vector(zero), torque: vector(zero) }
    }
}

/// c(q, v): what it takes to keep all generalized accelerations zero (S07-13, S07-14, S07-50): Coriolis and centrifugal terms,
/// and gravity \[m/s²\]; N or N m a dof.
///
/// Needs frames and velocities ([`Kinematics::place`], [`Kinematics::move_at`]).
pub fn bias_force<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    gravity: &Vector3<T>,
    work: &mut DynamicsWorkspace<T, NB>,
    force: &mut SVector<T, NV>,
) {
    bias_force_stated::<T, NB, NQ, NV, { Uses::EVERYTHING.bits() }>(tree, kinematics, gravity, work, force);
}

/// [`bias_force`] of a description that makes use of `U` ([`Uses`]).
pub(crate) fn bias_force_stated<T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    gravity: &Vector3<T>,
    work: &mut DynamicsWorkspace<T, NB>,
    force: &mut SVector<T, NV>,
) {
    newton_euler::<T, NB, NQ, NV, U>(tree, kinematics, gravity, None, work, force);
}

/// The forces that the accelerations in `kinematics` take; `generalized` is what they belong to, if it is not zero.
fn newton_euler<T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    gravity: &Vector3<T>,
    generalized: Option<&SVector<T, NV>>,
    work: &mut DynamicsWorkspace<T, NB>,
    force: &mut SVector<T, NV>,
) {
    let (bodies, slides) = (tree.bodies_stated::<U>(), Uses::from_bits(U).has(Uses::SLIDE));
    let places = kinematics.frames.iter().zip(&kinematics.centers).zip(&kinematics.tensors);
    let motions = kinematics.velocities.iter().zip(&kinematics.bias_accelerations);
    let walk = bodies.iter().zip(&tree.bodies).zip(places).zip(motions).zip(&mut work.wrenches);
    for ((((body, place), ((frame, center), tensor)), (velocity, acceleration)), wrench) in walk {
        if slides && place.parallel {
            // Nothing turns it, and no dof below it asks for a torque.
            *wrench = Wrench { force: (acceleration.linear - gravity) * body.mass, torque: vector(T::zero()) };
            continue;
        }
        // Newton at the centre of mass, m (a + α × r + ω × (ω × r) − g), Euler about it, I α + ω × I ω.
        let (rate, arm) = (&velocity.angular, center - frame.position);
        let force = (acceleration.acceleration_at(rate, &arm) - gravity) * body.mass;
        let torque = symmetric_times(tensor, &acceleration.angular) + rate.cross(&symmetric_times(tensor, rate));
        *wrench = Wrench { force, torque: torque + arm.cross(&force) };
    }
    for (index, body) in bodies.iter().enumerate().rev() {
        let Some(parent) = tree.parent_stated::<U>(index, body) else { continue };
        let Some((before, rest)) = work.wrenches.split_at_mut_checked(index) else { continue };
        if let (Some(sum), Some(part)) = (before.get_mut(parent), rest.first())
            && let (Some(here), Some(there)) = (kinematics.frames.get(index), kinematics.frames.get(parent))
        {
            sum.force += part.force;
            sum.torque += part.torque + (here.position - there.position).cross(&part.force);
        }
    }
    *force = SVector::from_element(T::zero());
    let lines = kinematics.axes.iter().zip(&kinematics.anchors);
    for ((dof, (axis, anchor)), sum) in tree.dofs_stated::<U>().iter().zip(lines).zip(force.iter_mut()) {
        let index = usize::from(dof.body);
        if let (Some(wrench), Some(frame)) = (work.wrenches.get(index), kinematics.frames.get(index)) {
            *sum = if dof.translates_stated::<U>() {
                inner(axis, &wrench.force)
            } else if dof.centered {
                inner(axis, &wrench.torque)
            } else {
                inner(axis, &(wrench.torque + (frame.position - anchor).cross(&wrench.force)))
            };
        }
    }
    if Uses::from_bits(U).has(Uses::TENDON) && !tree.description.tendons.is_empty() {
        add_inertia_force(tree, kinematics, generalized, force);
    }
}

/// M a + c, armature included: the generalized force that a generalized acceleration takes.
///
/// The bias accelerations of `kinematics` are overwritten by those of `acceleration` and must be computed anew before they are
/// used as bias again.
pub fn inverse_dynamics<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &mut Kinematics<T, NB, NV>,
    velocity: &SVector<T, NV>,
    acceleration: &SVector<T, NV>,
    gravity: &Vector3<T>,
    work: &mut DynamicsWorkspace<T, NB>,
    force: &mut SVector<T, NV>,
) {
    inverse_dynamics_stated::<T, NB, NQ, NV, { Uses::EVERYTHING.bits() }>(
        tree,
        kinematics,
        velocity,
        acceleration,
        gravity,
        work,
        force,
    );
}

/// [`inverse_dynamics`] of a description that makes use of `U` ([`Uses`]).
pub(crate) fn inverse_dynamics_stated<T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &mut Kinematics<T, NB, NV>,
    velocity: &SVector<T, NV>,
    acceleration: &SVector<T, NV>,
    gravity: &Vector3<T>,
    work: &mut DynamicsWorkspace<T, NB>,
    force: &mut SVector<T, NV>,
) {
    kinematics.accelerate::<NQ, U>(tree, velocity, Some(acceleration));
    newton_euler::<T, NB, NQ, NV, U>(tree, kinematics, gravity, Some(acceleration), work, force);
    for ((dof, sum), a) in tree.dofs_stated::<U>().iter().zip(force.iter_mut()).zip(acceleration.iter()) {
        if let Some(joint) = tree.description.joints.get(usize::from(dof.joint)) {
            *sum += joint.armature * *a;
        }
    }
}
