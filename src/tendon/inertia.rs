//! The armature of tendons: a Jᵀ J in M, and a Jᵀ J̇ v in the bias force.

use nalgebra::SVector;

use super::{bias_acceleration, jacobian};
use crate::description::{Tendon, TendonPath};
use crate::kinematics::{Kinematics, Tree};
use crate::scalar::{Real, add_scaled, dot};

fn heavy<T: Real>(tendon: &&Tendon<T>) -> bool {
    tendon.armature != T::zero()
}

/// Adds Σ a Jᵀ J to both triangles of M, entries between branches included: the engine leaves those out.
#[inline(never)] // its row is on the stack only where there are tendons
pub fn add_inertia<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    entries: &mut [[T; NV]; NV],
) {
    let mut row = SVector::from_element(T::zero());
    for tendon in tree.description.tendons.iter().filter(heavy) {
        jacobian(tree, kinematics, tendon, &mut row);
        for (column, j) in entries.iter_mut().zip(row.iter()) {
            if *j != T::zero() {
                add_scaled(column, tendon.armature * *j, row.as_slice());
            }
        }
    }
}

/// Adds Σ a Jᵀ (J̇ v + J a) to a generalized force. J̇ v is what the bodies' bias accelerations say; where these hold J a + J̇ v
/// already, `acceleration` serves the fixed tendons, whose length no body shows.
#[inline(never)]
pub fn add_inertia_force<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    acceleration: Option<&SVector<T, NV>>,
    force: &mut SVector<T, NV>,
) {
    let mut row = SVector::from_element(T::zero());
    for tendon in tree.description.tendons.iter().filter(heavy) {
        jacobian(tree, kinematics, tendon, &mut row);
        let stretching = match (tendon.path, acceleration) {
            (TendonPath::Sites { .. }, _) => bias_acceleration(tree, kinematics, tendon),
            (TendonPath::Joints { .. }, Some(acceleration)) => dot(row.as_slice(), acceleration.as_slice()),
            (TendonPath::Joints { .. }, None) => continue,
        };
        add_scaled(force.as_mut_slice(), tendon.armature * stretching, row.as_slice());
    }
}
