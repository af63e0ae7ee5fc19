//! What contacts of equal parameters share, whatever their depth and place.

use super::{DiagonalScale, RowContext, RowsError};
use crate::cone::ConeShape;
use crate::scalar::Real;
use crate::softness::{Gains, Reference, ReferenceFormat, Softness};

/// Softness, gains and friction of a contact: all of its rows but J, J v, residual and scale.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactLaw<T> {
    pub(crate) softness: Softness<T>,
    pub(crate) gains: Gains<T>,
    /// Of the friction rows of an elliptic contact: K = 0 (S12-38, S12-39).
    pub(crate) sliding: Gains<T>,
    pub(crate) shape: ConeShape<T>,
}

impl<T: Real> ContactLaw<T> {
    /// Of an elliptic contact; see [`Rows::elliptic`](super::Rows::elliptic).
    pub(crate) fn elliptic(
        context: &RowContext<T>,
        softness: &Softness<T>,
        friction_reference: Option<&Reference<T>>,
        friction: &[T],
    ) -> Result<Self, RowsError> {
        let gains = softness.gains(&context.rules);
        let own =
            friction_reference.filter(|r| r.format() != ReferenceFormat::MixedReplaced && r.solref() != [T::zero(); 2]);
        let sliding = own.map_or(gains, |r| r.gains(softness.impedance(), &context.rules)).velocity_only();
        let shape = ConeShape::new(friction, context.impedance_ratio)?;
        Ok(Self { softness: *softness, gains, sliding, shape })
    }

    /// Of a pyramidal contact; see [`Rows::pyramid`](super::Rows::pyramid).
    pub(crate) fn pyramidal(
        context: &RowContext<T>,
        softness: &Softness<T>,
        friction: &[T],
    ) -> Result<Self, RowsError> {
        let law = Self::elliptic(context, softness, None, friction)?;
        // What no cone may have, its edges may not.
        law.shape.block(T::one())?;
        Ok(law)
    }

    /// Scale of a pyramid's first edge from those of the normal and the first friction row (S11-34).
    pub(crate) fn edge_scale(&self, normal: DiagonalScale<T>, tangent: DiagonalScale<T>) -> DiagonalScale<T> {
        match (normal, tangent, self.shape.friction()) {
            (DiagonalScale::Given(n), DiagonalScale::Given(t), [mu, ..]) => DiagonalScale::Given(n + *mu * *mu * t),
            _ => DiagonalScale::Exact,
        }
    }
}
