//! The forces that rows answer a given acceleration with.

use nalgebra::SVector;

use super::SolverError;
use super::law::respond;
use crate::cone::DIMENSION;
use crate::rows::{Rows, Rule};
use crate::scalar::Real;

/// Writes the forces of all rows at a given generalized acceleration, by the soft law alone (X-01 … X-04): what the engine's inverse
/// dynamics does. Forces beyond the rows become zero.
///
/// # Errors
/// [`SolverError::ZeroRegularizer`]: a hard row has no such force.
pub fn answer<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    rows: &Rows<T, NV, NR, NC>,
    acceleration: &SVector<T, NV>,
    force: &mut [T; NR],
) -> Result<(), SolverError> {
    *force = [T::zero(); NR];
    for ((index, row), force) in rows.rows().iter().enumerate().zip(force.iter_mut()) {
        if !(row.regularizer() > T::zero()) {
            return Err(SolverError::ZeroRegularizer { row: index as u16 });
        }
        let z = row.times(super::measure::array(acceleration)) - row.reference();
        // Rows of a contact keep z until their block answers.
        *force = if row.rule() == Rule::Cone { z } else { respond(row.rule(), T::one() / row.regularizer(), z).0 };
    }
    for block in rows.cones() {
        let Some(slots) = force.get_mut(block.range()) else { continue };
        let mut residual = [T::zero(); DIMENSION];
        for (to, from) in residual.iter_mut().zip(&*slots) {
            *to = *from;
        }
        for (slot, answer) in slots.iter_mut().zip(block.cone().force(&block.cone().point(&residual))) {
            *slot = answer;
        }
    }
    Ok(())
}
