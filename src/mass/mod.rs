//! The mass matrix M (S07-12 … S07-18): symmetric positive definite, factored once a tick, shared by every later stage.
//!
//! ```text
//! M = Σ m J_pᵀ J_p + J_rᵀ I_W J_r + diag(armature)    over the bodies, at their centres
//! M = Lᵀ D L                                          in place, no roots; L unit lower
//! a = M⁻¹ τ                                           forces → accelerations
//! A = J M⁻¹ Jᵀ                                        what a row feels (S11-27); scales its R
//! T = ½ vᵀ M v                                        kinetic energy [J]
//! ```
//!
//! NV × NV, column by column; kg, kg m or kg m² by the two joint types (S07-17), so that M a is N or N m. Both triangles of M are kept, and
//! the factor beside them. What is not positive definite, not symmetric or not finite is refused with the pivot or entry that says so.
//!
//! * [`MassMatrix`]: set it from entries or from bodies (S07-15), then multiply and solve.
//! * [`BodyInertia`]: one body's part in the sum of S07-15.
//! * [`factor`]: the in-place factor M = Lᵀ D L that the mass matrix and Newton's Hessian share.
//! * [`MassError`]: why a matrix was refused, with the culprit's index.

mod bodies;
mod error;
pub mod factor;
mod matrix;
mod strips;
mod substitution;
mod symmetric;
pub(crate) mod tiles;

pub use bodies::BodyInertia;
pub use error::MassError;
pub use matrix::MassMatrix;
