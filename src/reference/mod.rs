//! Textbook variants that firmware does not want, kept apart so that [`solver`](crate::solver) stays short: they show what the
//! reference text and the engine do, and the tests hold the kernel's own methods against them.
//!
//! * [`backtracking_newton`]: Newton with halving (S15-35): H p = −g, the full step, halved until F falls enough.
//! * [`ray`]: the engine's visit of an elliptic block in projected Gauss–Seidel: ray step, then tangential QCQP (S15-21, X-57).
//! * [`shuffled`]: the engine's projected Gauss–Seidel, blocks in a new order every sweep (S15-58); with elliptic contacts it
//!   can stick at the apex.
//! * [`oscillator`]: explicit and implicit Euler for x″ = −ω² x − γ x′ (S15-41 … S15-45).
//! * [`quadratic`]: steepest descent and linear conjugate gradients on ½ xᵀ H x + bᵀ x (S15-23 … S15-30).

mod backtracking;
pub mod oscillator;
pub mod quadratic;
pub mod ray;
pub mod shuffled;

pub use backtracking::{BacktrackingWorkspace, backtracking_newton};
