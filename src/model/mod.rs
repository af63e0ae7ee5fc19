//! A valid mechanism: [`Model::new`] is the one way from a [`Description`](crate::description::Description) to something that can
//! be simulated or controlled.
//!
//! It checks every number and index once, and derives in the reference pose q₀ (X-82):
//!
//! ```text
//! body weights     mean of the diagonals of J_p M⁻¹ J_pᵀ and J_r M⁻¹ J_rᵀ at its centre (X-20)
//! dof weights      (M⁻¹)_ii, averaged over a ball's three, a free joint's triples (X-21)
//! tendon weights   J_t M⁻¹ J_tᵀ (X-21)
//! mean inertia     trace(M)/NV, the unit of stopping measures (X-16)
//! anchors          of connects and welds: where the second body's is (X-52)
//! ```
//!
//! Weights are 1/kg or 1/(kg m²). They scale the regularizers of rows (R = (1 − d)/d Â, X-22) unless the model asks for the exact diagonal.
//!
//! * [`Model`]: the description, its tree, and these constants.
//! * [`State`]: everything that a tick depends on.
//! * [`Smooth`]: memory of what a tick computes before constraints.

mod check;
mod constants;
mod mechanism;
mod present;
mod state;

pub use mechanism::{Model, Smooth};
use present::Present;
pub use state::State;
