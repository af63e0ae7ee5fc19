//! Contacts: rows of a contact point in its frame, side 2 minus side 1 (S11-14 … S11-20), as one row, a pyramid, or an elliptic block.
//!
//! Rows n, t₁, t₂ of the relative velocity of the point, then of the relative angular velocity: spin about n, rolling about t₁ and
//! t₂ (S11-16). The residual is distance − margin (S11-02).

use nalgebra::{SVector, Vector3};

use super::scene::read;
use super::{Hooks, RowFact, Scene};
use crate::collision::Contact;
use crate::cone::DIMENSION;
use crate::description::{FrictionCone, Uses};
use crate::rows::{ContactInput, ContactLaw, Kind, RowInput, Rows, RowsError};
use crate::scalar::Real;
use crate::softness::Reference;
use crate::spatial::inner;

/// The law of the last contact, which the next one mostly shares: the corners of a box, the feet of a robot.
pub(super) type LastLaw<'c, T> = Option<(&'c Contact<T>, ContactLaw<T>)>;

/// Whether two contacts have one law.
fn same_law<T: Real>(a: &Contact<T>, b: &Contact<T>) -> bool {
    a.condim == b.condim
        && a.friction == b.friction
        && a.softness == b.softness
        && a.friction_solref == b.friction_solref
}

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
    /// The bodies of a contact's geoms.
    fn bodies(&self, contact: &Contact<T>) -> [Option<u16>; 2] {
        contact.geoms.map(|geom| self.model.description().geoms.get(usize::from(geom)).and_then(|geom| geom.body))
    }

    /// Whether a contact gets rows: it is active, and one of its bodies can move.
    pub(super) fn has_rows(&self, contact: &Contact<T>) -> bool {
        contact.active() && self.bodies(contact).into_iter().any(|body| self.model.tree().moves(body))
    }

    /// Shows `visit` each dof that moves the contact's bodies against each other, from the last on: its index, −1 where the body is
    /// side 1, and how it moves the point and turns the body, in world axes.
    ///
    /// A dof that moves both bodies moves the point of both alike, and so do those below it.
    #[inline(always)]
    fn columns(
        &self,
        contact: &Contact<T>,
        bodies: [Option<u16>; 2],
        mut visit: impl FnMut(usize, T, &Vector3<T>, &Vector3<T>),
    ) {
        let shared = self.shared_dofs(bodies);
        for (body, sign) in bodies.into_iter().zip([-T::one(), T::one()]) {
            for (k, dof) in self.model.tree().chain(body) {
                if k < shared || k >= NV {
                    break;
                }
                let (linear, angular) = self.kinematics.column(k, dof.translates, &contact.position);
                visit(k, sign, &linear, &angular);
            }
        }
    }

    /// 1 + the last dof that moves both bodies; 0 where there is none.
    #[inline(always)]
    fn shared_dofs(&self, [first, second]: [Option<u16>; 2]) -> usize {
        for (k, _) in self.model.tree().chain(first) {
            if self.model.tree().chain(second).any(|(other, _)| other == k) {
                return k + 1;
            }
        }
        0
    }

    /// The rows of one contact.
    pub(super) fn contact<'c, H, const NR: usize, const NC: usize>(
        &self,
        contact: &'c Contact<T>,
        last: &mut LastLaw<'c, T>,
        rows: &mut Rows<T, NV, NR, NC>,
        hooks: &mut H,
    ) -> Result<(), RowsError>
    where
        H: Hooks<T, NB, NQ, NV, NR, NC, U>,
    {
        let bodies = self.bodies(contact);
        let [[t1, _], [t2, _]] = bodies.map(|body| self.model.inverse_weight(body));
        let residual = contact.distance - contact.margin;
        let uses = Uses::from_bits(U);
        if contact.condim == 1 {
            if uses.has(Uses::FRICTIONLESS) {
                self.frictionless(contact, bodies, t1 + t2, rows, hooks)?;
            }
            return Ok(());
        }
        let elliptic = match self.model.description().options.cone {
            FrictionCone::Elliptic if uses.has(Uses::ELLIPTIC) => true,
            FrictionCone::Pyramidal if uses.has(Uses::PYRAMIDAL) => false,
            _ => return Ok(()),
        };
        let known = last.as_ref().filter(|(other, _)| same_law(other, contact));
        let law = match known {
            Some((_, law)) => law,
            None => &last.insert((contact, self.law(contact, elliptic)?)).1,
        };
        let dimension = usize::from(contact.condim);
        if !matches!(dimension, 3 | 4 | 6) {
            return Err(RowsError::BadBlock { row: rows.len() as u16 });
        }
        let scale = self.scale(t1 + t2);
        let mut input = ContactInput { dimension, residual, scale };
        let mut velocity = [T::zero(); DIMENSION];
        if elliptic {
            rows.add_elliptic(self.mass, law, &input, |rows| {
                let (sliding, turning) = rows.split_at_mut(3.min(rows.len()));
                let Some(sliding) = sliding.first_chunk_mut::<3>() else { return velocity };
                let (mut pushed, mut turned) = ([T::zero(); 3], [T::zero(); 3]);
                self.columns(contact, bodies, |k, sign, linear, angular| {
                    let u = self.velocity[k];
                    for ((row, axis), sum) in sliding.iter_mut().zip(&contact.frame).zip(&mut pushed) {
                        row.jacobian[k] = sign * inner(axis, linear);
                        *sum += row.jacobian[k] * u;
                    }
                    for ((row, axis), sum) in turning.iter_mut().zip(&contact.frame).zip(&mut turned) {
                        row.jacobian[k] = sign * inner(axis, angular);
                        *sum += row.jacobian[k] * u;
                    }
                });
                let ([n, a, b], [spin, c, d]) = (pushed, turned);
                velocity = [n, a, b, spin, c, d];
                velocity
            })?;
        } else {
            input.scale = law.edge_scale(scale, scale);
            rows.add_pyramid(self.mass, law, &input, |edges| {
                let (sliding, turning) = edges.split_at_mut(4.min(edges.len()));
                let Some([plus_a, minus_a, plus_b, minus_b]) = sliding.first_chunk_mut::<4>() else { return velocity };
                let [mu_a, mu_b, turning_friction @ ..] = &contact.friction;
                let (mut pushed, mut turned) = ([T::zero(); 3], [T::zero(); 3]);
                self.columns(contact, bodies, |k, sign, linear, angular| {
                    let u = self.velocity[k];
                    let [n, a, b] = contact.frame.each_ref().map(|axis| sign * inner(axis, linear));
                    for (sum, part) in pushed.iter_mut().zip([n, a, b]) {
                        *sum += part * u;
                    }
                    let (step_a, step_b) = (*mu_a * a, *mu_b * b);
                    (plus_a.jacobian[k], minus_a.jacobian[k]) = (n + step_a, n - step_a);
                    (plus_b.jacobian[k], minus_b.jacobian[k]) = (n + step_b, n - step_b);
                    let turning = turning.chunks_exact_mut(2).zip(&contact.frame).zip(turning_friction);
                    for (((pair, axis), mu), sum) in turning.zip(&mut turned) {
                        let part = sign * inner(axis, angular);
                        *sum += part * u;
                        for (row, step) in pair.iter_mut().zip([*mu * part, -(*mu * part)]) {
                            row.jacobian[k] = n + step;
                        }
                    }
                });
                let ([n, a, b], [spin, c, d]) = (pushed, turned);
                velocity = [n, a, b, spin, c, d];
                velocity
            })?;
        }
        if H::WATCHES {
            self.show(contact, law, elliptic, &velocity, hooks);
        }
        Ok(())
    }

    fn law(&self, contact: &Contact<T>, elliptic: bool) -> Result<ContactLaw<T>, RowsError> {
        let softness = read(&contact.softness);
        let friction = contact.friction.get(..usize::from(contact.condim).saturating_sub(1)).unwrap_or(&[]);
        if elliptic {
            let own = Reference::from_solref(contact.friction_solref)?;
            ContactLaw::elliptic(&self.context, &softness, Some(&own), friction)
        } else {
            ContactLaw::pyramidal(&self.context, &softness, friction)
        }
    }

    /// The row of a contact without friction.
    fn frictionless<H, const NR: usize, const NC: usize>(
        &self,
        contact: &Contact<T>,
        bodies: [Option<u16>; 2],
        approximation: T,
        rows: &mut Rows<T, NV, NR, NC>,
        hooks: &mut H,
    ) -> Result<(), RowsError>
    where
        H: Hooks<T, NB, NQ, NV, NR, NC, U>,
    {
        let softness = read(&contact.softness);
        let (zero, residual) = (T::zero(), contact.distance - contact.margin);
        let (mut jacobian, mut velocity, [normal, ..]) = (SVector::from_element(zero), zero, &contact.frame);
        self.columns(contact, bodies, |k, sign, linear, _| {
            jacobian[k] = sign * inner(normal, linear);
            velocity += jacobian[k] * self.velocity[k];
        });
        let scale = self.scale(approximation);
        let input = RowInput { jacobian: &jacobian, residual, velocity, curvature: zero, scale };
        rows.one_sided(self.mass, &self.context, &softness, Kind::ContactFrictionless, &input)?;
        if H::WATCHES {
            hooks.fact(&RowFact {
                position: contact.distance,
                margin: contact.margin,
                velocity,
                gains: softness.gains(&self.context.rules),
                impedance: softness.impedance().at(residual),
            });
        }
        Ok(())
    }

    /// What the rows of a contact were made of.
    fn show<H, const NR: usize, const NC: usize>(
        &self,
        contact: &Contact<T>,
        law: &ContactLaw<T>,
        elliptic: bool,
        velocity: &[T; DIMENSION],
        hooks: &mut H,
    ) where
        H: Hooks<T, NB, NQ, NV, NR, NC, U>,
    {
        let impedance = law.softness.impedance().at(contact.distance - contact.margin);
        let (position, margin, zero) = (contact.distance, contact.margin, T::zero());
        let mut fact = |velocity| hooks.fact(&RowFact { position, margin, velocity, gains: law.gains, impedance });
        let [normal, tangents @ ..] = velocity;
        let tangents = tangents.iter().zip(law.shape.friction());
        if !elliptic {
            for (u, mu) in tangents {
                fact(*normal + *mu * *u);
                fact(*normal - *mu * *u);
            }
            return;
        }
        fact(*normal);
        for (velocity, _) in tangents {
            let gains = law.sliding;
            hooks.fact(&RowFact { position: zero, margin: zero, velocity: *velocity, gains, impedance });
        }
    }
}
