//! [`Hooks`]: what a caller may add to the rows, and see of them.

use super::Scene;
use crate::description::Uses;
use crate::rows::{Rows, RowsError};
use crate::scalar::Real;
use crate::softness::{Gains, ImpedancePoint};

/// Where in the order of rows (S11-39) a hook is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Place {
    /// After the model's equalities.
    Equality,
    /// After the dry friction of the model's joints, before that of its tendons: rows of either kind fit in.
    Friction,
    /// After the limits of the model's joints, before those of its tendons: rows of either kind fit in.
    Limit,
    /// After the model's contacts.
    Contact,
}

/// What a row of the model was made of, in the order of the rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowFact<T> {
    /// Distance or residual before the margin is taken off \[m or rad\].
    pub position: T,
    /// Margin \[m or rad\]; the row's residual is position − margin.
    pub margin: T,
    /// J v.
    pub velocity: T,
    /// K and B of the row.
    pub gains: Gains<T>,
    /// d and d′.
    pub impedance: ImpedancePoint<T>,
}

/// What a caller may add to the rows of a tick, and see of them. `()` adds and sees nothing, and costs nothing.
///
/// Runge–Kutta steps ask four times, once a stage.
pub trait Hooks<
    T: Real,
    const NB: usize,
    const NQ: usize,
    const NV: usize,
    const NR: usize,
    const NC: usize,
    const U: u32 = { Uses::EVERYTHING.bits() },
>
{
    /// Whether [`Self::fact`] wants to be called.
    const WATCHES: bool = false;

    /// Adds the caller's own rows at this place: a foot sensor's contact, a virtual wall, a loop closed by an encoder.
    ///
    /// # Errors
    /// Whatever [`Rows`] refuses; the tick then fails and leaves the state as it was.
    fn rows(
        &mut self,
        place: Place,
        scene: &Scene<'_, '_, T, NB, NQ, NV, U>,
        rows: &mut Rows<T, NV, NR, NC>,
    ) -> Result<(), RowsError> {
        let _ = (place, scene, rows);
        Ok(())
    }

    /// Sees what a row of the model was made of.
    fn fact(&mut self, fact: &RowFact<T>) {
        let _ = fact;
    }
}

impl<T: Real, const NB: usize, const NQ: usize, const NV: usize, const NR: usize, const NC: usize, const U: u32>
    Hooks<T, NB, NQ, NV, NR, NC, U> for ()
{
}
