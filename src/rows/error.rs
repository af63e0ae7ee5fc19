//! Why a row was refused.

use core::fmt;

use crate::cone::elliptic::ConeError;
use crate::mass::MassError;
use crate::softness::SoftnessError;

/// Why a row was refused. The rows that stood before are untouched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum RowsError {
    /// The block does not fit any more.
    TooManyRows {
        /// How many rows there is room for.
        capacity: u16,
    },
    /// There is no room for another elliptic contact.
    TooManyCones {
        /// How many there is room for.
        capacity: u16,
    },
    /// A block of this kind must come before the rows that are already there (S11-39).
    OutOfOrder {
        /// Index that the block's first row would have had.
        row: u16,
    },
    /// A Jacobian entry, residual, velocity, curvature, reference or loss is NaN or infinite.
    NotFinite {
        /// Index that the row would have had.
        row: u16,
    },
    /// The diagonal scale, the regularizer or the friction loss is negative.
    Negative {
        /// Index that the row would have had.
        row: u16,
    },
    /// The block is empty, or a group of rows that must have a certain size has another one.
    BadBlock {
        /// Index that the block's first row would have had.
        row: u16,
    },
    /// The exact diagonal was asked for, and the mass matrix is not ready.
    Mass(MassError),
    /// The friction coefficients, impratio or regularizer make no cone.
    Cone(ConeError),
    /// The softness cannot be used for this row.
    Softness(SoftnessError),
}

impl fmt::Display for RowsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyRows { capacity } => write!(f, "constraint rows: no room beyond {capacity} rows"),
            Self::TooManyCones { capacity } => {
                write!(f, "constraint rows: no room beyond {capacity} elliptic contacts")
            }
            Self::OutOfOrder { row } => write!(f, "constraint row {row}: its kind must come earlier"),
            Self::NotFinite { row } => write!(f, "constraint row {row}: a number is not finite"),
            Self::Negative { row } => write!(f, "constraint row {row}: scale, regularizer or loss is negative"),
            Self::BadBlock { row } => write!(f, "constraint row {row}: a block of this size does not exist"),
            Self::Mass(error) => error.fmt(f),
            Self::Softness(error) => error.fmt(f),
            Self::Cone(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for RowsError {}

impl From<MassError> for RowsError {
    fn from(error: MassError) -> Self {
        Self::Mass(error)
    }
}

impl From<SoftnessError> for RowsError {
    fn from(error: SoftnessError) -> Self {
        Self::Softness(error)
    }
}

impl From<ConeError> for RowsError {
    fn from(error: ConeError) -> Self {
        Self::Cone(error)
    }
}
