//! Why a mass matrix was refused.

use core::fmt;

/// Why a mass matrix was refused. Whatever the reason, a matrix whose setter failed is not ready, and solvers say so instead of
/// using it or what it held before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum MassError {
    /// An entry in this column is NaN or infinite.
    NotFinite {
        /// Column of the entry.
        column: u16,
    },
    /// Entries (row, column) and (column, row) differ by more than rounding explains.
    NotSymmetric {
        /// Row below the diagonal.
        row: u16,
        /// Column of that entry.
        column: u16,
    },
    /// The matrix is not positive definite to working precision: this pivot of the factor is not a positive finite number.
    ///
    /// Pivots are taken from the last degree of freedom to the first; the one named is the first that failed, so the fault
    /// lies in it or in the ones after it (its descendants in a tree).
    NotPositiveDefinite {
        /// Index of the pivot, which is the degree of freedom.
        pivot: u16,
    },
    /// A parent array must have one entry a degree of freedom, each parent before its child. The matrix stays as it was.
    BadParent {
        /// The degree of freedom whose parent is not before it; the length of the array where that is wrong.
        freedom: u16,
    },
    /// A body's mass is negative, or its inertia is not symmetric, or a number of it is not finite.
    BadBody {
        /// Index of the body in the slice.
        body: u16,
    },
    /// The matrix was never set, or the last attempt to set it failed.
    NotReady,
}

impl fmt::Display for MassError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite { column } => write!(f, "mass matrix: an entry in column {column} is not finite"),
            Self::NotSymmetric { row, column } => write!(f, "mass matrix: entries ({row}, {column}) are not symmetric"),
            Self::NotPositiveDefinite { pivot } => write!(f, "mass matrix: not positive definite at pivot {pivot}"),
            Self::BadParent { freedom } => {
                write!(f, "mass matrix: parent of degree of freedom {freedom} is not before it")
            }
            Self::BadBody { body } => write!(f, "mass matrix: body {body} has an impossible mass or inertia"),
            Self::NotReady => write!(f, "mass matrix: not set"),
        }
    }
}

impl core::error::Error for MassError {}
