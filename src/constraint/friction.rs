//! Dry friction of joints: one row a dof, a force in [−loss, loss] against its velocity (S12-38).

use super::scene::read;
use super::{Hooks, RowFact, Scene};
use crate::rows::{Kind, Rows, RowsError, Rule, SingleInput};
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
            let softness = read(&joint.friction_softness);
            let (zero, one) = (T::zero(), T::one());
            let velocity = self.velocity_along(k, one);
            let scale = self.scale(self.model.dof_inverse_weight(k));
            let input = SingleInput { dof: k, entry: one, residual: zero, velocity, scale };
            let rule = Rule::Interval { loss: joint.friction_loss };
            rows.add_single(self.mass, &self.context, &softness, Kind::JointFriction, rule, &input)?;
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
