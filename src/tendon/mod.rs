//! Tendons: their lengths, and how these change with the degrees of freedom (X-25).
//!
//! ```text
//! over joints     L = Σ c_i q_i           J = c_i at each joint's dof,  J̇ v = 0
//! through sites   L = Σ |p_{k+1} − p_k|   J = Σ u_k · (J_{k+1} − J_k),  u_k unit
//!                                         J̇ v = Σ u·d″ + (d′·d′ − (u·d′)²)/|d|
//! L′ = J v,  L″ = J a + J̇ v               a force f along the tendon does Jᵀ f
//! armature a_t                            M += a_t Jᵀ J,  c += a_t Jᵀ J̇ v
//! ```
//!
//! L in m (over joints in the coefficients' unit), f in N, positive where it lengthens the tendon. Nothing is kept from one call to the next: a row is cheaper to
//! compute anew than to store. Where spring and limit act along L is the affair of [`forces`](crate::forces) and [`constraint`](crate::constraint).
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
