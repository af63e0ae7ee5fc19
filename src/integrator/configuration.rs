//! A step on the manifold of configurations.

use nalgebra::{SVector, Vector3};

use crate::description::{JointKind, Uses};
use crate::kinematics::Tree;
use crate::scalar::Real;
use crate::spatial::Quaternion;

/// q ← q ⊞ h v: positions and angles add h v; a quaternion is normalised, then turned on its right by the body-frame rate.
///
/// A zero quaternion stays as it is: kinematics refuses it.
pub fn advance<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    configuration: &mut [T; NQ],
    velocity: &SVector<T, NV>,
    step: T,
) {
    advance_stated::<T, NB, NQ, NV, { Uses::EVERYTHING.bits() }>(tree, configuration, velocity, step);
}

/// [`advance`] of a description that makes use of `U` ([`Uses`]).
#[inline]
pub(crate) fn advance_stated<T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    configuration: &mut [T; NQ],
    velocity: &SVector<T, NV>,
    step: T,
) {
    if !Uses::from_bits(U).has_any(Uses::FREE.and(Uses::BALL).and(Uses::PADDED)) {
        // Each coordinate has its dof.
        for (x, rate) in configuration.iter_mut().zip(velocity.iter()) {
            *x += step * *rate;
        }
        return;
    }
    let mut q: &mut [T] = configuration;
    let mut v = velocity.as_slice();
    for joint in tree.description.joints {
        let straight = match joint.kind {
            JointKind::Free => 3,
            JointKind::Ball => 0,
            JointKind::Hinge | JointKind::Slide => 1,
        };
        let (Some((line, rest_of_q)), Some((line_rate, rest_of_v))) =
            (q.split_at_mut_checked(straight), v.split_at_checked(straight))
        else {
            return;
        };
        for (x, rate) in line.iter_mut().zip(line_rate) {
            *x += step * *rate;
        }
        (q, v) = (rest_of_q, rest_of_v);
        if matches!(joint.kind, JointKind::Free | JointKind::Ball) {
            let (Some((turn, rest_of_q)), Some((rate, rest_of_v))) =
                (q.split_first_chunk_mut::<4>(), v.split_first_chunk::<3>())
            else {
                return;
            };
            if let Some(unit) = Quaternion(*turn).normalized() {
                *turn = unit.step(&Vector3::from(*rate), step).0;
            }
            (q, v) = (rest_of_q, rest_of_v);
        }
    }
}
