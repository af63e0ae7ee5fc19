//! A valid mechanism: [`Model::new`] is the one way from a [`Description`](crate::description::Description) to something that can
//! be simulated or controlled.
//!
//! * [`Model`]: the description, its tree, and the constants that follow from it (X-20 … ).
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
