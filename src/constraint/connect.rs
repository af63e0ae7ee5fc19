//! Connect: a point of one body stays on a point of another (S11-43).
//!
//! r = p₁ − p₂, three rows in world axes, J = J_p1 − J_p2; curvature J̇v is counted (S11-13).

use nalgebra::Vector3;

use super::scene::Side;
use super::{AnchorMotion, Hooks, Scene};
use crate::description::SoftnessNumbers;
use crate::rows::{RowInput, Rows, RowsError};
use crate::scalar::Real;
use crate::spatial::{Quaternion, Transform};

impl<T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32> Scene<'_, '_, T, NB, NQ, NV, U> {
    /// The two anchors of a connect between bodies: that of the second body is where the first's is in the reference pose.
    pub(super) fn connect_sides(&self, [first, second]: [Option<u16>; 2], anchor: &[T; 3]) -> [Side<T>; 2] {
        let at = |position| Transform { position, orientation: Quaternion::identity() };
        let anchor = Vector3::from(*anchor);
        let world = self.model.reference_frame(first).apply(&anchor);
        let there = self.model.reference_frame(second).inverse().apply(&world);
        [Side { body: first, anchor: at(anchor) }, Side { body: second, anchor: at(there) }]
    }

    /// Three rows.
    pub(super) fn connect<H, const NR: usize, const NC: usize>(
        &self,
        [first, second]: [Side<T>; 2],
        motion: Option<&AnchorMotion<T>>,
        softness: &SoftnessNumbers<T>,
        rows: &mut Rows<T, NV, NR, NC>,
        hooks: &mut H,
    ) -> Result<(), RowsError>
    where
        H: Hooks<T, NB, NQ, NV, NR, NC, U>,
    {
        let p1 = self.kinematics.frame(first.body).apply(&first.anchor.position);
        let p2 = self.kinematics.frame(second.body).apply(&second.anchor.position);
        let mut residual = p1 - p2;
        let mut curvature = self.kinematics.point_bias_acceleration(first.body, &p1)
            - self.kinematics.point_bias_acceleration(second.body, &p2);
        let [jacobian, _] = self.difference::<false>((first.body, &p1), (second.body, &p2));
        let mut velocity = Vector3::from_fn(|axis, _| self.velocity_of(&jacobian[axis]));
        if let Some(motion) = motion {
            residual -= Vector3::from(motion.displacement);
            velocity -= Vector3::from(motion.velocity);
            curvature -= Vector3::from(motion.acceleration);
        }
        if self.is_idle([first.body, second.body], &jacobian) {
            return Ok(());
        }
        let weight = self.model.inverse_weight(first.body)[0] + self.model.inverse_weight(second.body)[0];
        let group: [_; 3] = core::array::from_fn(|axis| RowInput {
            jacobian: &jacobian[axis],
            residual: residual[axis],
            velocity: velocity[axis],
            curvature: curvature[axis],
            scale: self.scale(weight),
        });
        self.push_equality(softness, &group, rows, hooks)
    }
}
