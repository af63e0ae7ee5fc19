//! The two halves of a softness together.

use super::{Gains, Impedance, Reference, SoftnessError, StepRules, impedance};
use crate::scalar::{Real, literal};

/// How a row is soft: where it wants to go ([`Reference`]) and how much of that it gets ([`Impedance`]).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Softness<T> {
    reference: Reference<T>,
    impedance: Impedance<T>,
}

impl<T: Real> Softness<T> {
    /// From two halves that are already valid.
    pub fn new(reference: Reference<T>, impedance: Impedance<T>) -> Self {
        Self { reference, impedance }
    }

    /// From MuJoCo's `solref` and `solimp`, read and clamped as MuJoCo does.
    ///
    /// # Errors
    /// [`SoftnessError::SolrefNotFinite`], [`SoftnessError::SolimpNotFinite`].
    pub fn from_mujoco(solref: [T; 2], solimp: [T; 5]) -> Result<Self, SoftnessError> {
        Ok(Self::new(Reference::from_solref(solref)?, Impedance::from_solimp(solimp)?))
    }

    /// [`Self::from_mujoco`] of numbers that are known to be finite.
    pub(crate) fn from_finite(solref: [T; 2], solimp: [T; 5]) -> Self {
        Self::new(Reference::from_finite(solref), Impedance::clamped(solimp))
    }

    /// The `solref` half.
    pub fn reference(&self) -> &Reference<T> {
        &self.reference
    }

    /// The `solimp` half.
    pub fn impedance(&self) -> &Impedance<T> {
        &self.impedance
    }

    /// K and B at this time step.
    pub fn gains(&self, rules: &StepRules<T>) -> Gains<T> {
        self.reference.gains(&self.impedance, rules)
    }
}

/// MuJoCo's default: `solref` (0.02, 1), `solimp` (0.9, 0.95, 0.001, 0.5, 2).
impl<T: Real> Default for Softness<T> {
    fn default() -> Self {
        Self::new(Reference::standard_default(), Impedance::clamped(impedance::DEFAULT.map(literal)))
    }
}
