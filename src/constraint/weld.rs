//! Weld: a frame on one body stays on a frame of another (S11-44 … S11-46).
//!
//! Translation rows as a connect. Rotation: with Q = q₂* q₁ relpose, r = ℓ vec(Q), axis times sine of half the angle. Q keeps its
//! sign, so past half a turn the row pulls on to the full one. With W = (0, ω₁ − ω₂): Q' = ½ q₂* W q₁ relpose.

use nalgebra::{SVector, Vector3};

use super::scene::Side;
use super::{Hooks, Scene};
use crate::description::SoftnessNumbers;
use crate::rows::{RowInput, Rows, RowsError};
use crate::scalar::{Real, literal};
use crate::spatial::{Quaternion, Transform};

/// A vector as a quaternion.
fn pure<T: Real>(v: &Vector3<T>) -> Quaternion<T> {
    Quaternion([T::zero(), v.x, v.y, v.z])
}

/// The vector part, scaled.
fn part<T: Real>(q: &Quaternion<T>, scale: T) -> Vector3<T> {
    let [_, x, y, z] = q.0;
    Vector3::new(x * scale, y * scale, z * scale)
}

impl<T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32> Scene<'_, '_, T, NB, NQ, NV, U> {
    /// The two frames of a weld between bodies. The orientation of the second is that of its body, so that Q compares
    /// q₂ with q₁ relpose.
    pub(super) fn weld_sides(
        &self,
        [first, second]: [Option<u16>; 2],
        anchor: &[T; 3],
        relative_pose: &Option<([T; 3], [T; 4])>,
    ) -> [Side<T>; 2] {
        let anchor = Vector3::from(*anchor);
        let in_first = match relative_pose {
            Some((position, orientation)) => Transform {
                position: Vector3::from(*position),
                orientation: Quaternion(*orientation).normalized().unwrap_or_else(Quaternion::identity),
            },
            None => {
                let (f1, f2) = (self.model.reference_frame(first), self.model.reference_frame(second));
                f1.inverse().times(&Transform { position: f2.apply(&anchor), orientation: f2.orientation })
            }
        };
        let there = Transform { position: anchor, orientation: Quaternion::identity() };
        [Side { body: first, anchor: in_first }, Side { body: second, anchor: there }]
    }

    /// Six rows.
    pub(super) fn weld<H, const NR: usize, const NC: usize>(
        &self,
        [first, second]: [Side<T>; 2],
        torque_scale: T,
        softness: &SoftnessNumbers<T>,
        rows: &mut Rows<T, NV, NR, NC>,
        hooks: &mut H,
    ) -> Result<(), RowsError>
    where
        H: Hooks<T, NB, NQ, NV, NR, NC, U>,
    {
        let half = literal::<T>(0.5);
        let f1 = self.kinematics.frame(first.body).times(&first.anchor);
        let f2 = self.kinematics.frame(second.body).times(&second.anchor);
        let (p1, p2) = (f1.position, f2.position);
        let back = f2.orientation.conjugate();
        let about = |w: &Quaternion<T>| back.times(w).times(&f1.orientation);

        let [translation, angular] = self.difference::<true>((first.body, &p1), (second.body, &p2));
        let mut rotation = [SVector::from_element(T::zero()); 3];
        for k in 0..NV {
            let w = Vector3::new(angular[0][k], angular[1][k], angular[2][k]);
            if w.x != T::zero() || w.y != T::zero() || w.z != T::zero() {
                let column = part(&about(&pure(&w)), half * torque_scale);
                for axis in 0..3 {
                    rotation[axis][k] = column[axis];
                }
            }
        }
        let bodies = [first.body, second.body];
        if self.is_idle(bodies, &translation) && self.is_idle(bodies, &rotation) {
            return Ok(());
        }

        let position = p1 - p2;
        let turn = part(&back.times(&f1.orientation), torque_scale);
        let bias = |side: &Side<T>| self.kinematics.bias_acceleration(side.body).angular;
        let curvature = self.kinematics.point_bias_acceleration(first.body, &p1)
            - self.kinematics.point_bias_acceleration(second.body, &p2);
        // Q″ at zero generalized acceleration: ½ q₂* (W' + ½ W ω₁ − ½ ω₂ W) q₁ relpose.
        let (w1, w2) = (self.kinematics.velocity(first.body).angular, self.kinematics.velocity(second.body).angular);
        let w = pure(&(w1 - w2));
        let (after, before) = (w.times(&pure(&w1)).0, pure(&w2).times(&w).0);
        let mut change = pure(&(bias(&first) - bias(&second))).0;
        for (sum, (after, before)) in change.iter_mut().zip(after.iter().zip(&before)) {
            *sum += half * (*after - *before);
        }
        let bend = part(&about(&Quaternion(change)), half * torque_scale);

        let [t1, r1] = self.model.inverse_weight(first.body);
        let [t2, r2] = self.model.inverse_weight(second.body);
        let group: [_; 6] = core::array::from_fn(|row| {
            let axis = row % 3;
            let (jacobian, residual, curvature, weight) = if row < 3 {
                (&translation[axis], position[axis], curvature[axis], t1 + t2)
            } else {
                (&rotation[axis], turn[axis], bend[axis], r1 + r2)
            };
            RowInput { jacobian, residual, velocity: self.velocity_of(jacobian), curvature, scale: self.scale(weight) }
        });
        self.push_equality(softness, &group, rows, hooks)
    }
}
