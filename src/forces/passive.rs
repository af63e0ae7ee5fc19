//! Springs, dampers and gravity compensation.

use nalgebra::{SVector, Vector3};

use crate::description::{Joint, JointKind};
use crate::kinematics::{Kinematics, Tree, front};
use crate::scalar::{Real, literal, square_root};
use crate::spatial::{Quaternion, inner};

/// A damper b + b₁ |v| + b₂ v².
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Damper<T>(pub [T; 3]);

impl<T: Real> Damper<T> {
    /// −(b + b₁ |v| + b₂ v²) v.
    #[inline(always)]
    pub fn force(&self, v: T) -> T {
        let [b, b1, b2] = self.0;
        -(b + b1 * v.abs() + b2 * v * v) * v
    }

    /// b + 2 b₁ |v| + 3 b₂ v², minus the derivative of the force.
    #[inline(always)]
    pub fn slope(&self, v: T) -> T {
        let [b, b1, b2] = self.0;
        b + literal::<T>(2.0) * b1 * v.abs() + literal::<T>(3.0) * b2 * v * v
    }

    /// Whether there is any damping.
    pub fn is_zero(&self) -> bool {
        self.0.iter().all(|b| *b == T::zero())
    }
}

/// k + k₁ x + k₂ x² at a deflection x.
#[inline(always)]
pub(super) fn stiffness<T: Real>([k, k1, k2]: [T; 3], x: T) -> T {
    k + k1 * x + k2 * x * x
}

/// k x²/2 + k₁ x³/3 + k₂ x⁴/4.
pub(super) fn stored<T: Real>([k, k1, k2]: [T; 3], x: T) -> T {
    x * x * (k * literal(0.5) + x * (k1 * literal(1.0 / 3.0) + x * k2 * literal(0.25)))
}

#[inline(always)]
fn length<T: Real>(x: &Vector3<T>) -> T {
    square_root(inner(x, x))
}

/// Deflections of a joint from where its spring is relaxed: of a translation and of a rotation. A slide or hinge has only an x.
struct Deflection<T> {
    translation: Option<Vector3<T>>,
    rotation: Option<Vector3<T>>,
    single: Option<T>,
}

/// How far a joint's spring is stretched, by its coordinates and those of the reference.
fn deflection<T: Real>(joint: &Joint<T>, q: &[T], reference: &[T]) -> Deflection<T> {
    let mut result = Deflection { translation: None, rotation: None, single: None };
    let turn = |now: &[T; 4], then: &[T; 4]| {
        let now = Quaternion(*now).normalized().unwrap_or_else(Quaternion::identity);
        Some(Quaternion(*then).conjugate().times(&now).rotation_vector())
    };
    match (joint.kind, q, reference) {
        (JointKind::Slide | JointKind::Hinge, [x], _) => result.single = Some(*x - joint.spring_reference),
        (JointKind::Ball, [a, b, c, d], [w, x, y, z]) => result.rotation = turn(&[*a, *b, *c, *d], &[*w, *x, *y, *z]),
        (JointKind::Free, [now @ .., a, b, c, d], [then @ .., w, x, y, z]) => {
            if let ([x, y, z], [x0, y0, z0]) = (now, then) {
                result.translation = Some(Vector3::new(*x - *x0, *y - *y0, *z - *z0));
            }
            result.rotation = turn(&[*a, *b, *c, *d], &[*w, *x, *y, *z]);
        }
        _ => {}
    }
    result
}

/// Adds −k(|x|) x of a joint's springs to the forces on its dofs.
fn add_spring<T: Real>(joint: &Joint<T>, at: &Deflection<T>, sums: &mut [T]) {
    if let (Some(x), [sum]) = (at.single, &mut *sums) {
        *sum -= stiffness(joint.stiffness, x) * x;
    }
    let mut rest = sums.iter_mut();
    for x in [at.translation, at.rotation].into_iter().flatten() {
        let pull = x * -stiffness(joint.stiffness, length(&x));
        for (pull, sum) in pull.iter().zip(rest.by_ref()) {
            *sum += *pull;
        }
    }
}

/// Springs, dampers and gravity compensation of all joints and bodies, N or N m a dof. Where a joint leaves the compensation to
/// its actuators, it is theirs.
///
/// With springs and dampers both switched off there is no passive force at all, compensation included.
pub fn passive_force<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    configuration: &[T; NQ],
    velocity: &SVector<T, NV>,
    force: &mut SVector<T, NV>,
) {
    *force = SVector::from_element(T::zero());
    let options = &tree.description.options;
    if !options.flags.spring && !options.flags.damper {
        return;
    }
    let (mut q, mut reference, mut v): (&[T], &[T], &[T]) = (configuration, &tree.reference, velocity.as_slice());
    let mut sums = force.as_mut_slice();
    for joint in tree.description.joints {
        let (dofs, coordinates) = (joint.kind.dofs(), joint.kind.coordinates());
        let (q, reference) = (front(&mut q, coordinates), front(&mut reference, coordinates));
        let Some((own, rest)) = sums.split_at_mut_checked(dofs) else { break };
        sums = rest;
        // Where there is no spring, nobody asks how far a ball is turned.
        if options.flags.spring && joint.stiffness.iter().any(|k| *k != T::zero()) {
            add_spring(joint, &deflection(joint, q, reference), own);
        }
        let rates = front(&mut v, dofs);
        if options.flags.damper {
            for (sum, v) in own.iter_mut().zip(rates) {
                *sum += Damper(joint.damping).force(*v);
            }
        }
    }
    add_gravity_compensation(tree, kinematics, false, force);
}

/// Adds the compensation of all bodies' weights on the dofs of joints that leave it to their actuators, or on those of the others.
pub(super) fn add_gravity_compensation<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    by_actuators: bool,
    force: &mut SVector<T, NV>,
) {
    let options = &tree.description.options;
    if !options.flags.gravity || (!options.flags.spring && !options.flags.damper) {
        return;
    }
    let gravity = Vector3::from(options.gravity);
    for ((index, body), center) in tree.description.bodies.iter().enumerate().zip(&kinematics.centers) {
        if body.gravity_compensation == T::zero() {
            continue;
        }
        let lift = gravity * (-body.gravity_compensation * body.mass);
        for (k, dof) in tree.chain(Some(index as u16)) {
            let joint = tree.description.joints.get(usize::from(dof.joint));
            if joint.is_some_and(|joint| joint.actuator_compensates_gravity == by_actuators)
                && let Some(sum) = force.get_mut(k)
            {
                *sum += inner(&kinematics.column(k, dof.translates, center).0, &lift);
            }
        }
    }
}

/// What the joints' springs store \[J\].
pub fn spring_energy<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    configuration: &[T; NQ],
) -> T {
    let (mut q, mut reference): (&[T], &[T]) = (configuration, &tree.reference);
    let mut sum = T::zero();
    if !tree.description.options.flags.spring {
        return sum;
    }
    for joint in tree.description.joints {
        let count = joint.kind.coordinates();
        let at = deflection(joint, front(&mut q, count), front(&mut reference, count));
        let lengths = [at.single, at.translation.map(|x| length(&x)), at.rotation.map(|x| length(&x))];
        for x in lengths.into_iter().flatten() {
            sum += stored(joint.stiffness, x);
        }
    }
    sum
}
