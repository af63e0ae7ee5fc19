//! Rows of tendons: dry friction, limits, couplings; the same rows as of joints, with L for the coordinate and J for its dof.

use nalgebra::SVector;

use super::scene::read;
use super::{Hooks, RowFact, Scene};
use crate::description::{SoftnessNumbers, Tendon};
use crate::rows::{Kind, RowInput, Rows, RowsError};
use crate::scalar::{Real, literal};
use crate::tendon::{TendonConstants, jacobian, length};

/// Whether nothing moves the tendon, so that it gets no row.
fn is_idle<T: Real, const NV: usize>(jacobian: &SVector<T, NV>) -> bool {
    jacobian.iter().all(|x| *x == T::zero())
}

impl<'m, T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32> Scene<'_, 'm, T, NB, NQ, NV, U> {
    /// A tendon with its constants.
    fn tendon(&self, index: u16) -> Option<(&'m Tendon<T>, &'m TendonConstants<T>)> {
        let index = usize::from(index);
        Some((self.model.description().tendons.get(index)?, self.model.tendons().get(index)?))
    }

    /// J.
    fn tendon_row(&self, tendon: &Tendon<T>) -> SVector<T, NV> {
        let mut row = SVector::from_element(T::zero());
        jacobian(self.model.tree(), self.kinematics, tendon, &mut row);
        row
    }

    /// L.
    fn tendon_length(&self, tendon: &Tendon<T>) -> T {
        length(self.model.tree(), self.kinematics, self.configuration, tendon)
    }

    /// One row for each tendon with a friction loss: a force in [−loss, loss] against its velocity (S12-38).
    pub(super) fn tendon_friction<H, const NR: usize, const NC: usize>(
        &self,
        rows: &mut Rows<T, NV, NR, NC>,
        hooks: &mut H,
    ) -> Result<(), RowsError>
    where
        H: Hooks<T, NB, NQ, NV, NR, NC, U>,
    {
        let tendons = self.model.description().tendons.iter().zip(self.model.tendons());
        for (tendon, constants) in tendons.filter(|(tendon, _)| tendon.friction_loss > T::zero()) {
            let jacobian = self.tendon_row(tendon);
            if is_idle(&jacobian) {
                continue;
            }
            let softness = read(&tendon.friction_softness);
            let velocity = self.velocity_of(&jacobian);
            let scale = self.scale(constants.inverse_weight);
            let (zero, jacobian) = (T::zero(), &jacobian);
            let input = RowInput { jacobian, residual: zero, velocity, curvature: zero, scale };
            let kind = Kind::TendonFriction;
            rows.friction_loss(self.mass, &self.context, &softness, kind, &input, tendon.friction_loss)?;
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

    /// Rows of all limits that are reached, lower before upper: r = L − low with J, r = high − L with −J.
    pub(super) fn tendon_limits<H, const NR: usize, const NC: usize>(
        &self,
        rows: &mut Rows<T, NV, NR, NC>,
        hooks: &mut H,
    ) -> Result<(), RowsError>
    where
        H: Hooks<T, NB, NQ, NV, NR, NC, U>,
    {
        for (tendon, constants) in self.model.description().tendons.iter().zip(self.model.tendons()) {
            let Some([low, high]) = tendon.range else { continue };
            let length = self.tendon_length(tendon);
            for (position, sign) in [(length - low, T::one()), (high - length, -T::one())] {
                if !(position < tendon.margin) {
                    continue;
                }
                let jacobian = self.tendon_row(tendon) * sign;
                if is_idle(&jacobian) {
                    continue;
                }
                let (kind, softness, weight) = (Kind::TendonLimit, &tendon.limit_softness, constants.inverse_weight);
                self.push_one_sided(kind, softness, &jacobian, position, tendon.margin, weight, rows, hooks)?;
            }
        }
        Ok(())
    }

    /// One row: r = (L₁ − L₁⁰) − (c₀ + c₁ x + c₂ x² + c₃ x³ + c₄ x⁴), x = L₂ − L₂⁰, lengths ⁰ being those of the reference pose.
    pub(super) fn tendon_coupling<H, const NR: usize, const NC: usize>(
        &self,
        tendon: u16,
        leader: Option<u16>,
        [c0, c1, c2, c3, c4]: &[T; 5],
        softness: &SoftnessNumbers<T>,
        rows: &mut Rows<T, NV, NR, NC>,
        hooks: &mut H,
    ) -> Result<(), RowsError>
    where
        H: Hooks<T, NB, NQ, NV, NR, NC, U>,
    {
        let Some((tendon, constants)) = self.tendon(tendon) else { return Ok(()) };
        let mut jacobian = self.tendon_row(tendon);
        let follower = self.tendon_length(tendon) - constants.length;
        let mut weight = constants.inverse_weight;
        let mut target = *c0;
        if let Some((leader, constants)) = leader.and_then(|leader| self.tendon(leader)) {
            let x = self.tendon_length(leader) - constants.length;
            target = *c0 + x * (*c1 + x * (*c2 + x * (*c3 + x * *c4)));
            let (two, three, four) = (literal::<T>(2.0), literal::<T>(3.0), literal::<T>(4.0));
            let slope = *c1 + x * (two * *c2 + x * (three * *c3 + x * four * *c4));
            jacobian -= self.tendon_row(leader) * slope;
            weight += constants.inverse_weight;
        }
        if is_idle(&jacobian) {
            return Ok(());
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
