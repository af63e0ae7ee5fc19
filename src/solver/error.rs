//! Why a solve was refused.

use core::fmt;

use crate::mass::MassError;

/// Why a solve was refused. A spent budget is not among them: it is a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum SolverError {
    /// The mass matrix is not ready.
    Mass(MassError),
    /// A number of the free acceleration or of the warm start is NaN or infinite.
    NotFinite {
        /// The degree of freedom.
        freedom: u16,
    },
    /// A force that was given is NaN or infinite.
    ForceNotFinite {
        /// Index of the row.
        row: u16,
    },
    /// A tolerance is negative or not finite, or a scale not positive.
    BadBudget,
    /// The row's R is zero, and the method is primal: 1/R does not exist. Use a dual method, or give the row a softness.
    ZeroRegularizer {
        /// Index of the row.
        row: u16,
    },
    /// The method takes equality rows only.
    NotEquality {
        /// Index of the row.
        row: u16,
    },
    /// A number of the row is missing, not finite, or negative where none may be.
    BadRow {
        /// Index of the row.
        row: u16,
    },
    /// The method takes no elliptic contact, and this is the first row of one.
    EllipticContact {
        /// Index of the row.
        row: u16,
    },
    /// No acceleration meets this equality together with the ones before it.
    Inconsistent {
        /// Index of the row.
        row: u16,
    },
    /// Finite input so large that a force or an acceleration is not: there is no answer in this precision.
    Overflow,
    /// The mass matrix is so near singular that this precision bounds no error, or the bound overflows.
    Unbounded,
}

impl fmt::Display for SolverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mass(error) => error.fmt(f),
            Self::NotFinite { freedom } => write!(f, "solver: acceleration {freedom} given is not finite"),
            Self::ForceNotFinite { row } => write!(f, "solver: the force given for row {row} is not finite"),
            Self::BadBudget => write!(f, "solver: a tolerance or scale of the budget is impossible"),
            Self::ZeroRegularizer { row } => write!(f, "solver: row {row} has R = 0, which only dual methods take"),
            Self::NotEquality { row } => write!(f, "solver: row {row} is not an equality"),
            Self::BadRow { row } => write!(f, "solver: row {row} lacks a number, or one is not finite or negative"),
            Self::EllipticContact { row } => {
                write!(f, "solver: row {row} is of an elliptic contact, which the active set method does not take")
            }
            Self::Inconsistent { row } => write!(f, "solver: row {row} contradicts the rows before it"),
            Self::Unbounded => write!(f, "solver: no bound in this precision"),
            Self::Overflow => write!(f, "solver: the answer overflows"),
        }
    }
}

impl core::error::Error for SolverError {}

impl From<MassError> for SolverError {
    fn from(error: MassError) -> Self {
        Self::Mass(error)
    }
}
