//! Finished constraint rows (S11): what a solver needs to know of a constraint, and nothing of where it came from.
//!
//! A row is a Jacobian J (NV numbers), a reference acceleration a_ref, a regularizer R and a [`Rule`] for its force. One call of
//! [`Rows`] takes a Jacobian, a residual, a velocity and a softness and yields a finished block.
//!
//! * [`Rows`]: the container, one method a kind; order (S11-39) and capacity checked.
//! * [`RowInput`]: what the caller knows of a row. [`RowContext`]: what all rows of one tick share.
//! * [`Row`], [`Kind`], [`Rule`], [`ConeBlock`]: what solvers read.
//! * [`RowsError`]: why a row was refused; the container is then as before.

mod contact;
mod container;
mod error;
mod row;

pub use container::Rows;
pub use error::RowsError;
pub use row::{ConeBlock, DiagonalScale, Kind, Row, RowContext, RowInput, Rule};
