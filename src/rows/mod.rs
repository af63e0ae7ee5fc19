//! Finished constraint rows (S11): what a solver needs to know of a constraint, and nothing of where it came from.
//!
//! A row is a Jacobian J (NV numbers), a reference acceleration a_ref, a regularizer R and a [`Rule`] for its force. One call of
//! [`Rows`] takes a Jacobian, a residual, a velocity and a softness and yields a finished block.
//!
//! ```text
//! r′    = J v,   r″ = J a + c               r [m or rad] positive on the allowed side (S11-08)
//! a_ref = −B J v − K d(r) r − c             c = J̇ v (S11-10, S12-03, S12-05)
//! R     = (1 − d)/d · Â,   Â = J M⁻¹ Jᵀ     or Â as given (S12-12, S12-14); 1/kg
//! R f   = a_ref − J a                       where the rule does not bind (S12-06)
//! τ     = Jᵀ f,   power f · J v             f in N, or N m on a rotation row (S11-25)
//! ```
//!
//! K = 0 for dry friction and the friction rows of an elliptic contact (S12-38).
//!
//! | kind | rule of the force | call |
//! |---|---|---|
//! | equality; 1 row a coupling, 3 a connect, 6 a weld | any; one impedance at \|r\| of the group (S12-36) | [`Rows::equality`] |
//! | dry friction of a joint or tendon | −loss ≤ f ≤ loss | [`Rows::friction_loss`] |
//! | limit, virtual wall, contact without friction | f ≥ 0 | [`Rows::one_sided`] |
//! | contact, pyramidal cone | every edge β ≥ 0 (S11-21) | [`Rows::pyramid`] |
//! | contact, elliptic cone | Σ (f_j/μ_j)² ≤ f_0² (S11-20) | [`Rows::elliptic`] |
//! | of your own making | any of these | [`Rows::finished`], [`Rows::finished_elliptic`] |
//!
//! * [`Rows`]: the container, one method a kind; order (S11-39) and capacity checked.
//! * [`RowInput`]: what the caller knows of a row. [`RowContext`]: what all rows of one tick share.
//! * [`Row`], [`Kind`], [`Rule`], [`ConeBlock`]: what solvers read.
//! * [`RowsError`]: why a row was refused; the container is then as before.

mod contact;
mod container;
mod error;
mod law;
mod row;

pub(crate) use contact::ContactInput;
pub use container::Rows;
pub use error::RowsError;
pub(crate) use law::ContactLaw;
pub(crate) use row::SingleInput;
pub use row::{ConeBlock, DiagonalScale, Kind, Row, RowContext, RowInput, Rule};
