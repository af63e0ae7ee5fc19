//! Tendons: their lengths, and how these change with the degrees of freedom.
//!
//! L is the length and J its row of dL/dq N(q), so that L' = J v and L″ = J a + J̇ v; a force f along the tendon does Jᵀ f to the
//! dofs. Nothing is kept from one call to the next: a row is cheaper to compute anew than to store.
//!
//! * [`length`], [`jacobian`], [`bias_acceleration`]: L, J and J̇ v. [`leaves_chain`]: whether J joins branches of the tree.
//! * [`TendonConstants`]: what follows from the reference pose, kept by the model.
//! * [`add_inertia`], [`add_inertia_force`]: the armature's part of M a + c.

mod constants;
mod inertia;
mod path;

pub use constants::TendonConstants;
pub use inertia::{add_inertia, add_inertia_force};
pub use path::{bias_acceleration, jacobian, leaves_chain, length};
