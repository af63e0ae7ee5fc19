//! Joint limits, positive inside: r = q − low with J = +1, r = high − q with J = −1 (S11-06); a ball joint's r = high − angle, with
//! J = −axis. A row acts when r < margin, strictly.

use nalgebra::{SVector, Vector3};

use super::scene::read;
use super::{Hooks, RowFact, Scene};
use crate::description::{Joint, JointKind, Uses};
use crate::rows::{Kind, Rows, RowsError, Rule, SingleInput};
use crate::scalar::{Real, SMALLEST, literal, square_root};
use crate::spatial::{Quaternion, inner};

impl<T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32> Scene<'_, '_, T, NB, NQ, NV, U> {
    /// Rows of all limits that are reached, joint by joint, lower before upper.
    pub(super) fn joint_limits<H, const NR: usize, const NC: usize>(
        &self,
        rows: &mut Rows<T, NV, NR, NC>,
        hooks: &mut H,
    ) -> Result<(), RowsError>
    where
        H: Hooks<T, NB, NQ, NV, NR, NC, U>,
    {
        let (mut dof, mut coordinate) = (0, 0);
        for joint in self.model.description().joints {
            if let Some([low, high]) = joint.range {
                let q = self.configuration.get(coordinate..).unwrap_or(&[]);
                match joint.kind {
                    JointKind::Hinge | JointKind::Slide => {
                        let q = q.first().copied().unwrap_or_else(T::zero);
                        let (inward, one) = ([q - low, high - q], T::one());
                        if inward[0] < joint.margin {
                            self.limit(joint, dof, inward[0], one, rows, hooks)?;
                        }
                        if inward[1] < joint.margin {
                            self.limit(joint, dof, inward[1], -one, rows, hooks)?;
                        }
                    }
                    JointKind::Ball if Uses::from_bits(U).has(Uses::BALL) => {
                        let turned = q.first_chunk::<4>().and_then(|q| Quaternion(*q).normalized());
                        let turn = turned.unwrap_or_else(Quaternion::identity).rotation_vector();
                        let angle = square_root(inner(&turn, &turn));
                        let axis = if angle < literal(SMALLEST) {
                            Vector3::new(T::one(), T::zero(), T::zero())
                        } else {
                            turn / angle
                        };
                        if high - angle < joint.margin {
                            self.ball_limit(joint, dof, high - angle, &-axis, rows, hooks)?;
                        }
                    }
                    JointKind::Ball | JointKind::Free => {}
                }
            }
            dof += joint.kind.dofs();
            coordinate += joint.kind.coordinates();
        }
        Ok(())
    }

    /// The row of a limit that is reached; `entry` is J on the joint's dof.
    #[inline(never)] // rare beside the test, and long
    fn limit<H, const NR: usize, const NC: usize>(
        &self,
        joint: &Joint<T>,
        dof: usize,
        position: T,
        entry: T,
        rows: &mut Rows<T, NV, NR, NC>,
        hooks: &mut H,
    ) -> Result<(), RowsError>
    where
        H: Hooks<T, NB, NQ, NV, NR, NC, U>,
    {
        let softness = read(&joint.limit_softness);
        let velocity = self.velocity_along(dof, entry);
        let scale = self.scale(self.model.dof_inverse_weight(dof));
        let input = SingleInput { dof, entry, residual: position - joint.margin, velocity, scale };
        rows.add_single(self.mass, &self.context, &softness, Kind::JointLimit, Rule::NonNegative, &input)?;
        if H::WATCHES {
            hooks.fact(&RowFact {
                position,
                margin: joint.margin,
                velocity,
                gains: softness.gains(&self.context.rules),
                impedance: softness.impedance().at(input.residual),
            });
        }
        Ok(())
    }

    /// The same of a ball joint; `along` is J on its dofs.
    #[inline(never)] // as above
    fn ball_limit<H, const NR: usize, const NC: usize>(
        &self,
        joint: &Joint<T>,
        dof: usize,
        position: T,
        along: &Vector3<T>,
        rows: &mut Rows<T, NV, NR, NC>,
        hooks: &mut H,
    ) -> Result<(), RowsError>
    where
        H: Hooks<T, NB, NQ, NV, NR, NC, U>,
    {
        let mut jacobian = SVector::<T, NV>::from_element(T::zero());
        for (entry, value) in jacobian.iter_mut().skip(dof).zip(along.iter()).take(joint.kind.dofs()) {
            *entry = *value;
        }
        let weight = self.model.dof_inverse_weight(dof);
        let softness = &joint.limit_softness;
        self.push_one_sided(Kind::JointLimit, softness, &jacobian, position, joint.margin, weight, rows, hooks)
    }
}
