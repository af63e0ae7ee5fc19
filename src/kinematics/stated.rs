//! What a walk of the tree need not ask of a description that makes use of `U` ([`Uses`]): known when the program is compiled.

use super::{Dof, Tree};
use crate::description::{Body, Uses};
use crate::scalar::Real;

impl<T> Dof<T> {
    /// Whether it translates: known where all do or none.
    #[inline(always)]
    pub(crate) fn translates_stated<const U: u32>(&self) -> bool {
        let uses = Uses::from_bits(U);
        uses.has_any(Uses::SLIDE.and(Uses::FREE)) && (self.translates || !uses.turns())
    }
}

impl<'m, T: Real, const NB: usize, const NQ: usize, const NV: usize> Tree<'m, T, NB, NQ, NV> {
    /// [`Self::dofs`]: all of the type's where there is no room to spare.
    #[inline(always)]
    pub(crate) fn dofs_stated<const U: u32>(&self) -> &[Dof<T>] {
        if Uses::from_bits(U).has(Uses::PADDED) { self.dofs() } else { &self.dofs }
    }

    /// The bodies of the description, as [`Self::dofs_stated`].
    #[inline(always)]
    pub(crate) fn bodies_stated<const U: u32>(&self) -> &'m [Body<T>] {
        let bodies = self.description.bodies;
        if Uses::from_bits(U).has(Uses::PADDED) { bodies } else { bodies.first_chunk::<NB>().map_or(&[], |all| all) }
    }

    /// The coordinates in use, as [`Self::dofs_stated`].
    #[inline(always)]
    pub(crate) fn coordinates_stated<'a, const U: u32>(&self, configuration: &'a [T; NQ]) -> &'a [T] {
        let padded = Uses::from_bits(U).has(Uses::PADDED);
        if padded { configuration.get(..self.coordinate_count).unwrap_or(&[]) } else { configuration }
    }

    /// The parent of a body: without branches the one before it.
    #[inline(always)]
    pub(crate) fn parent_stated<const U: u32>(&self, index: usize, body: &Body<T>) -> Option<usize> {
        if Uses::from_bits(U).has(Uses::BRANCHED) { body.parent.map(usize::from) } else { index.checked_sub(1) }
    }

    /// Whether there is no room to spare.
    pub(crate) fn is_full(&self) -> bool {
        (self.description.bodies.len(), self.coordinate_count, self.dof_count) == (NB, NQ, NV)
    }
}
