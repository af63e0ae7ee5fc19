//! Energy and momentum of a tree.

use nalgebra::{SVector, Vector3};

use super::inertia::RigidInertia;
use crate::kinematics::{Kinematics, Tree};
use crate::scalar::{Real, dot, literal};
use crate::spatial::{inner, symmetric_times, vector};
use crate::tendon::jacobian;

/// Linear momentum \[kg m/s\], and angular momentum about the centre of mass of the whole \[kg m²/s\], world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Momentum<T> {
    /// Σ m v
    pub linear: Vector3<T>,
    /// Σ I ω + (c − c_all) × m v
    pub angular: Vector3<T>,
}

/// ½ vᵀ M v \[J\], body by body, the armature of drives and tendons included.
pub fn kinetic_energy<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    velocity: &SVector<T, NV>,
) -> T {
    let mut sum = T::zero();
    let places = kinematics.frames.iter().zip(&kinematics.centers).zip(&kinematics.tensors);
    for ((body, ((frame, center), tensor)), motion) in
        tree.description.bodies.iter().zip(places).zip(&kinematics.velocities)
    {
        let inertia = RigidInertia::of_body(body.mass, tensor, &(center - frame.position));
        sum += inertia.kinetic_energy(&motion.angular, &motion.linear);
    }
    for (dof, v) in tree.dofs().iter().zip(velocity.iter()) {
        if let Some(joint) = tree.description.joints.get(usize::from(dof.joint)) {
            sum += joint.armature * *v * *v * literal(0.5);
        }
    }
    for tendon in tree.description.tendons {
        if tendon.armature != T::zero() {
            let mut row = SVector::from_element(T::zero());
            jacobian(tree, kinematics, tendon, &mut row);
            let rate = dot(row.as_slice(), velocity.as_slice());
            sum += tendon.armature * rate * rate * literal(0.5);
        }
    }
    sum
}

/// −Σ m g·c \[J\]: energy of the bodies in gravity. That of springs is in [`crate::forces::spring_energy`] and
/// [`crate::forces::tendon_spring_energy`].
pub fn potential_energy<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    gravity: &Vector3<T>,
) -> T {
    let mut sum = T::zero();
    for (body, center) in tree.description.bodies.iter().zip(&kinematics.centers) {
        sum -= body.mass * inner(gravity, center);
    }
    sum
}

/// Momentum of all bodies together; needs frames and velocities.
pub fn momentum<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
) -> Momentum<T> {
    let (mut mass, mut moment) = (T::zero(), vector(T::zero()));
    for (body, center) in tree.description.bodies.iter().zip(&kinematics.centers) {
        mass += body.mass;
        moment += center * body.mass;
    }
    let center_of_all = if mass > T::zero() { moment / mass } else { vector(T::zero()) };
    let mut sum = Momentum { linear: vector(T::zero()), angular: vector(T::zero()) };
    let places = kinematics.frames.iter().zip(&kinematics.centers).zip(&kinematics.tensors);
    for ((body, ((frame, center), tensor)), motion) in
        tree.description.bodies.iter().zip(places).zip(&kinematics.velocities)
    {
        let part = motion.velocity_at(&(center - frame.position)) * body.mass;
        sum.angular += symmetric_times(tensor, &motion.angular);
        sum.angular += (center - center_of_all).cross(&part);
        sum.linear += part;
    }
    sum
}
