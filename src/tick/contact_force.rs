//! Forces of contacts, in the contact's frame and in the world.

use nalgebra::Vector3;

use super::{Method, Workspace};
use crate::cone::pyramid::recombine;
use crate::rows::Kind;
use crate::scalar::Real;

/// What the first geom's body does to the second's at a contact, in the contact's frame (n, t₁, t₂) or in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactForce<T> {
    /// Along the axes \[N\]; along n it is not negative.
    pub force: [T; 3],
    /// About the axes \[N m\]: about n spin, about t₁ and t₂ rolling friction.
    pub torque: [T; 3],
}

impl<T: Real, S, const NB: usize, const NV: usize, const NC: usize, const NR: usize> Workspace<T, NB, NV, NC, NR, S>
where
    S: Method<T, NV, NR, NC>,
{
    /// The forces of the rows, in their order \[N or N m\].
    pub fn row_forces(&self) -> &[T] {
        let forces = self.solver.force();
        // A tick without rows does not ask the solver.
        forces.get(..self.rows.len()).unwrap_or(&[])
    }

    /// Force of the contact of this index in its frame; zero where it has no rows, `None` where there is no such contact.
    pub fn contact_force(&self, contact: usize) -> Option<ContactForce<T>> {
        let listed = self.contacts.get(contact)?;
        let mut parts = [T::zero(); 6];
        if let Some(first) = self.first_row(contact) {
            let forces = self.row_forces().get(usize::from(first)..).unwrap_or(&[]);
            let dimension = usize::from(listed.condim);
            let kind = self.rows.rows().get(usize::from(first)).map(|row| row.kind());
            if kind == Some(Kind::ContactPyramidal) {
                let edges = forces.get(..2 * dimension.saturating_sub(1)).unwrap_or(&[]);
                let slots = parts.get_mut(..dimension).unwrap_or(&mut []);
                recombine(edges, &listed.friction, slots);
            } else {
                for (part, force) in parts.iter_mut().zip(forces).take(dimension) {
                    *part = *force;
                }
            }
        }
        let [n, t1, t2, spin, roll1, roll2] = parts;
        Some(ContactForce { force: [n, t1, t2], torque: [spin, roll1, roll2] })
    }

    /// The same in world axes, the torque about the contact's position: what acts on the second geom's body; the first's gets the
    /// opposite.
    pub fn contact_force_in_world(&self, contact: usize) -> Option<ContactForce<T>> {
        let ContactForce { force, torque } = self.contact_force(contact)?;
        let frame = self.contacts.get(contact)?.frame;
        let turned = |parts: [T; 3]| {
            let mut sum = Vector3::from([T::zero(); 3]);
            for (axis, part) in frame.iter().zip(parts) {
                sum += axis * part;
            }
            sum.into()
        };
        Some(ContactForce { force: turned(force), torque: turned(torque) })
    }
}
