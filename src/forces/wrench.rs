//! Wrenches from outside.

use nalgebra::{SVector, Vector3};

use crate::kinematics::{Kinematics, Tree};
use crate::scalar::Real;

/// A force and a torque on a body, world axes, at its centre of mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrench<T> {
    /// The body.
    pub body: u16,
    /// \[N\]
    pub force: [T; 3],
    /// \[N m\]
    pub torque: [T; 3],
}

/// Adds J_pᵀ force + J_rᵀ torque of each wrench to a generalized force; wrenches on bodies that do not exist do nothing.
pub fn add_wrenches<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    wrenches: &[Wrench<T>],
    generalized: &mut SVector<T, NV>,
) {
    for wrench in wrenches {
        let body = Some(wrench.body).filter(|body| usize::from(*body) < tree.description.bodies.len());
        let (force, torque) = (Vector3::from(wrench.force), Vector3::from(wrench.torque));
        kinematics.add_wrench(tree, body, &kinematics.center(body), &force, &torque, generalized);
    }
}
