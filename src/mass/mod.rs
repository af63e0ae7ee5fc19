//! The mass matrix M (S07-12 … S07-18): symmetric positive definite, factored once a tick, shared by every later stage.
//!
//! * [`MassMatrix`]: set it from entries or from bodies (S07-15), then multiply and solve.
//! * [`BodyInertia`]: one body's part in the sum of S07-15.
//! * [`factor`]: the in-place factor M = Lᵀ D L that the mass matrix and Newton's Hessian share.
//! * [`MassError`]: why a matrix was refused, with the culprit's index.

mod bodies;
mod error;
pub mod factor;
mod matrix;
pub(crate) mod tiles;

pub use bodies::BodyInertia;
pub use error::MassError;
pub use matrix::MassMatrix;
