//! Dry friction of joints: one row a dof, a force in [−loss, loss] against its velocity (S12-38).

use nalgebra::SVector;

use super::scene::read;
use super::{Hooks, RowFact, Scene};
use crate::rows::{Kind, RowInput, Rows, RowsError};
use crate::scalar::Real;

impl<T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32> Scene<'_, '_, T, NB, NQ, NV, U> {
    /// One row for each dof whose joint has a friction loss.
    pub(super) fn joint_friction<H, const NR: usize, const NC: usize>(
        &self,
        rows: &mut Rows<T, NV, NR, NC>,
        hooks: &mut H,
    ) -> Result<(), RowsError>
    where
        H: Hooks<T, NB, NQ, NV, NR, NC, U>,
    {
        let joints = self.model.description().joints;
        for (k, dof) in self.model.tree().dofs_stated::<U>().iter().enumerate() {
            let Some(joint) = joints.get(usize::from(dof.joint)).filter(|joint| joint.friction_loss > T::zero()) else {
                continue;
            };
            let softness = read(&joint.friction_softness)?;
            let mut jacobian = SVector::<T, NV>::from_element(T::zero());
            if let Some(entry) = jacobian.get_mut(k) {
                *entry = T::one();
            }
            let velocity = self.velocity_of(&jacobian);
            let scale = self.scale(self.model.dof_inverse_weight(k));
            let (zero, jacobian) = (T::zero(), &jacobian);
            let input = RowInput { jacobian, residual: zero, velocity, curvature: zero, scale };
            let kind = Kind::JointFriction;
            rows.friction_loss(self.mass, &self.context, &softness, kind, &input, joint.friction_loss)?;
            if H::WATCHES {
                hooks.fact(&RowFact {
                    position: zero,
                    margin: zero,
                    velocity,
                    gains: softness.gains(&self.context.rules).velocity_only(),
                    impedance: softness.impedance().at(zero),
                });
            }
        }
        Ok(())
    }
}
