//! From a model and its state to finished rows, one file a kind, the same steps in each: residual, Jacobian, velocity, row.
//!
//! Order (S11-39, X-53): equalities as described, dry friction dof by dof, then of tendons, limits joint by joint, lower before upper,
//! then of tendons; contacts.
//!
//! * [`Scene`]: what every kind reads. [`assemble()`]: all rows of a tick but contacts, [`assemble_contacts`]: those.
//! * [`Hooks`]: the caller's own rows in between, and a look at what the rows were made of ([`RowFact`]).
//! * [`AnchorMotion`]: an anchor that is moved along a given path (S07-35).

mod assemble;
mod connect;
mod contact;
mod coupling;
mod friction;
mod hooks;
mod limit;
mod scene;
mod tendon;
mod weld;

pub use assemble::{Switches, assemble, assemble_contacts};
pub use contact::row_count;
pub use hooks::{Hooks, Place, RowFact};
pub use scene::{AnchorMotion, Scene};
