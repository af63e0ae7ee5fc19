//! How a tick went.

use core::fmt;

use crate::integrator::SingularStep;
use crate::kinematics::StateError;
use crate::mass::MassError;
use crate::rows::RowsError;
use crate::scalar::{Real, literal};
use crate::solver::{Report, SolverError};

/// What a tick says beside its results.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TickReport<T> {
    /// The solver's report; of the last stage where there are several.
    pub solver: Report<T>,
    /// Contacts that found no room: the shallowest ones.
    pub dropped_contacts: u16,
    /// How many roundings of `T` the relative error of the free acceleration may be, by
    /// [`MassMatrix::amplification`](crate::mass::MassMatrix::amplification): some tens for a robot, 1e6 for a straight massless arm.
    pub amplification: T,
}

impl<T: Real> TickReport<T> {
    /// Whether less than three digits of the accelerations are sure: M is so nearly singular that `T` cannot tell. In `f32` from an
    /// [amplification](Self::amplification) of 8,400 on. More armature, or a singular pose avoided, is the remedy.
    pub fn precision_lost(&self) -> bool {
        !(self.amplification * T::default_epsilon() < literal(1e-3))
    }
}

/// Why a tick failed. The state is as it was before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum TickError {
    /// The configuration or velocity cannot be used.
    State(StateError),
    /// An applied force or an input's number is not finite, a wrench names a body that does not exist, or an anchor
    /// motion an equality that is no connect.
    Input {
        /// The degree of freedom; for a wrench or anchor its index in the slice.
        index: u16,
    },
    /// The control of an actuator is not finite.
    Control {
        /// Its index in the slice.
        actuator: u16,
    },
    /// The mass matrix is not positive definite in this configuration.
    Mass(MassError),
    /// A row was refused.
    Rows(RowsError),
    /// The solver refused the problem.
    Solver(SolverError),
    /// Two boxes have come together; there is no collision routine for them.
    Boxes {
        /// The geoms.
        geoms: [u16; 2],
    },
    /// M − h D of a velocity-implicit step cannot be factored.
    Singular(SingularStep),
    /// Finite input led to an acceleration beyond the precision, or to a state beyond 1e10.
    Overflow,
}

impl fmt::Display for TickError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::State(error) => error.fmt(f),
            Self::Input { index } => write!(f, "input: entry {index} is not usable"),
            Self::Control { actuator } => write!(f, "input: the control of actuator {actuator} is not finite"),
            Self::Mass(error) => error.fmt(f),
            Self::Rows(error) => error.fmt(f),
            Self::Solver(error) => error.fmt(f),
            Self::Boxes { geoms: [a, b] } => {
                write!(f, "collision: boxes {a} and {b} have come together, and there is no routine for two boxes")
            }
            Self::Singular(error) => error.fmt(f),
            Self::Overflow => write!(f, "step: the acceleration or the next state is beyond bounds"),
        }
    }
}

impl core::error::Error for TickError {}

impl From<StateError> for TickError {
    fn from(error: StateError) -> Self {
        Self::State(error)
    }
}

impl From<MassError> for TickError {
    fn from(error: MassError) -> Self {
        Self::Mass(error)
    }
}

impl From<RowsError> for TickError {
    fn from(error: RowsError) -> Self {
        Self::Rows(error)
    }
}

impl From<SolverError> for TickError {
    fn from(error: SolverError) -> Self {
        Self::Solver(error)
    }
}

impl From<SingularStep> for TickError {
    fn from(error: SingularStep) -> Self {
        Self::Singular(error)
    }
}
