//! Coupling: a joint follows a polynomial of another joint.
//!
//! r = (q₁ − ref₁) − (c₀ + c₁ x + c₂ x² + c₃ x³ + c₄ x⁴), x = q₂ − ref₂. No curvature, as in the engine (S11-13).

use nalgebra::SVector;

use super::{Hooks, Scene};
use crate::description::SoftnessNumbers;
use crate::rows::{RowInput, Rows, RowsError};
use crate::scalar::{Real, literal};

impl<T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32> Scene<'_, '_, T, NB, NQ, NV, U> {
    /// First dof of a joint, and its coordinate counted from the reference.
    fn coordinate(&self, joint: u16) -> (usize, T) {
        let (dof, coordinate) = self.model.tree().joint_place(joint);
        let reference = self.model.tree().reference.get(coordinate).copied().unwrap_or_else(T::zero);
        let q = self.configuration.get(coordinate).copied().unwrap_or_else(T::zero);
        (dof, q - reference)
    }

    /// One row.
    pub(super) fn coupling<H, const NR: usize, const NC: usize>(
        &self,
        joint: u16,
        leader: Option<u16>,
        [c0, c1, c2, c3, c4]: &[T; 5],
        softness: &SoftnessNumbers<T>,
        rows: &mut Rows<T, NV, NR, NC>,
        hooks: &mut H,
    ) -> Result<(), RowsError>
    where
        H: Hooks<T, NB, NQ, NV, NR, NC, U>,
    {
        let (dof, follower) = self.coordinate(joint);
        let mut jacobian = SVector::<T, NV>::from_element(T::zero());
        if let Some(entry) = jacobian.get_mut(dof) {
            *entry = T::one();
        }
        let mut weight = self.model.dof_inverse_weight(dof);
        let mut target = *c0;
        if let Some(leader) = leader {
            let (dof, x) = self.coordinate(leader);
            target = *c0 + x * (*c1 + x * (*c2 + x * (*c3 + x * *c4)));
            let (two, three, four) = (literal::<T>(2.0), literal::<T>(3.0), literal::<T>(4.0));
            if let Some(entry) = jacobian.get_mut(dof) {
                *entry = -(*c1 + x * (two * *c2 + x * (three * *c3 + x * four * *c4)));
            }
            weight += self.model.dof_inverse_weight(dof);
        }
        let input = RowInput {
            jacobian: &jacobian,
            residual: follower - target,
            velocity: self.velocity_of(&jacobian),
            curvature: T::zero(),
            scale: self.scale(weight),
        };
        self.push_equality(softness, &[input], rows, hooks)
    }
}
