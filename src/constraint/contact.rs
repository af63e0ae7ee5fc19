//! Contacts: rows of a contact point in its frame, side 2 minus side 1 (S11-14 … S11-20), as one row, a pyramid, or an elliptic block.
//!
//! Rows n, t₁, t₂ of the relative velocity of the point, then of the relative angular velocity: spin about n, rolling about t₁ and
//! t₂ (S11-16). The residual is distance − margin (S11-02).

use nalgebra::SVector;

use super::scene::read;
use super::{Hooks, RowFact, Scene};
use crate::collision::Contact;
use crate::description::{FrictionCone, Uses};
use crate::rows::{Kind, RowInput, Rows, RowsError};
use crate::scalar::Real;
use crate::softness::{Gains, Reference, ReferenceFormat, Softness};
use crate::spatial::inner;

/// Most rows of a contact in its own frame.
const MOST: usize = 6;

/// How many constraint rows a contact takes (S11-20).
pub fn row_count<T: Real>(contact: &Contact<T>, cone: FrictionCone) -> usize {
    let dimension = usize::from(contact.condim);
    match cone {
        _ if dimension == 1 => 1,
        FrictionCone::Pyramidal => 2 * dimension.saturating_sub(1),
        FrictionCone::Elliptic => dimension,
    }
}

impl<T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32> Scene<'_, '_, T, NB, NQ, NV, U> {
    /// Whether a contact gets rows: it is active, and one of its bodies can move.
    pub(super) fn has_rows(&self, contact: &Contact<T>) -> bool {
        let moves = |geom: u16| {
            let geom = self.model.description().geoms.get(usize::from(geom));
            geom.is_some_and(|geom| self.model.tree().moves(geom.body))
        };
        contact.active() && contact.geoms.into_iter().any(moves)
    }

    /// J of the contact's rows in its frame, and J v.
    fn contact_rows(&self, contact: &Contact<T>) -> ([SVector<T, NV>; MOST], [T; MOST]) {
        let mut jacobian = [SVector::from_element(T::zero()); MOST];
        let bodies =
            contact.geoms.map(|geom| self.model.description().geoms.get(usize::from(geom)).and_then(|g| g.body));
        let dimension = usize::from(contact.condim);
        for (body, sign) in bodies.into_iter().zip([-T::one(), T::one()]) {
            for (k, dof) in self.model.tree().chain(body) {
                let (linear, angular) = self.kinematics.column(k, dof.translates, &contact.position);
                if k < NV {
                    for (row, axis) in jacobian.iter_mut().zip(&contact.frame).take(dimension) {
                        row[k] += sign * inner(axis, &linear);
                    }
                    for (row, axis) in jacobian.iter_mut().skip(3).zip(&contact.frame).take(dimension.saturating_sub(3))
                    {
                        row[k] += sign * inner(axis, &angular);
                    }
                }
            }
        }
        let mut velocity = [T::zero(); MOST];
        for (v, row) in velocity.iter_mut().zip(&jacobian).take(dimension) {
            *v = self.velocity_of(row);
        }
        (jacobian, velocity)
    }

    /// The rows of one contact.
    pub(super) fn contact<H, const NR: usize, const NC: usize>(
        &self,
        contact: &Contact<T>,
        rows: &mut Rows<T, NV, NR, NC>,
        hooks: &mut H,
    ) -> Result<(), RowsError>
    where
        H: Hooks<T, NB, NQ, NV, NR, NC, U>,
    {
        let softness = read(&contact.softness)?;
        let (jacobian, velocity) = self.contact_rows(contact);
        let weights = contact.geoms.map(|geom| {
            let body = self.model.description().geoms.get(usize::from(geom)).and_then(|geom| geom.body);
            self.model.inverse_weight(body)
        });
        let [[t1, r1], [t2, r2]] = weights;
        let residual = contact.distance - contact.margin;
        let input = |row: usize| RowInput {
            jacobian: &jacobian[row],
            residual,
            velocity: velocity[row],
            curvature: T::zero(),
            // Spin and rolling feel the bodies' turning (S11-34).
            scale: self.scale(if row < 3 { t1 + t2 } else { r1 + r2 }),
        };
        let normal = input(0);
        let fact = |velocity: T| RowFact {
            position: contact.distance,
            margin: contact.margin,
            velocity,
            gains: softness.gains(&self.context.rules),
            impedance: softness.impedance().at(residual),
        };
        let uses = Uses::from_bits(U);
        if uses.has(Uses::FRICTIONLESS) && contact.condim == 1 {
            let kind = Kind::ContactFrictionless;
            rows.one_sided(self.mass, &self.context, &softness, kind, &normal)?;
            if H::WATCHES {
                hooks.fact(&fact(normal.velocity));
            }
            return Ok(());
        }
        let inputs: [RowInput<'_, T, NV>; MOST] = core::array::from_fn(input);
        let dimension = usize::from(contact.condim);
        let friction = contact.friction.get(..dimension.saturating_sub(1)).unwrap_or(&[]);
        let dimension = inputs.get(..dimension).unwrap_or(&[]);
        match self.model.description().options.cone {
            FrictionCone::Pyramidal if uses.has(Uses::PYRAMIDAL) => {
                rows.pyramid(self.mass, &self.context, &softness, dimension, friction)?;
                if H::WATCHES {
                    for (tangent, mu) in dimension.iter().skip(1).zip(friction) {
                        hooks.fact(&fact(normal.velocity + *mu * tangent.velocity));
                        hooks.fact(&fact(normal.velocity - *mu * tangent.velocity));
                    }
                }
            }
            FrictionCone::Elliptic if uses.has(Uses::ELLIPTIC) => {
                let own = Reference::from_solref(contact.friction_solref)?;
                rows.elliptic(self.mass, &self.context, &softness, Some(&own), dimension, friction)?;
                if H::WATCHES {
                    hooks.fact(&fact(normal.velocity));
                    let gains = self.sliding_gains(&softness, &own);
                    let impedance = softness.impedance().at(residual);
                    for tangent in dimension.iter().skip(1) {
                        let (velocity, zero) = (tangent.velocity, T::zero());
                        hooks.fact(&RowFact { position: zero, margin: zero, velocity, gains, impedance });
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// K and B of the friction rows of an elliptic contact (S12-38, S12-39).
    fn sliding_gains(&self, softness: &Softness<T>, own: &Reference<T>) -> Gains<T> {
        let used = own.format() != ReferenceFormat::MixedReplaced && own.solref() != [T::zero(); 2];
        let reference = if used { own } else { softness.reference() };
        reference.gains(softness.impedance(), &self.context.rules).velocity_only()
    }
}
