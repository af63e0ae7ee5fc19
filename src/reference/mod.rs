//! Textbook variants that firmware does not want, kept apart so that [`solver`](crate::solver) stays short: they show what the
//! reference text and the engine do, and the tests hold the kernel's own methods against them.
//!
//! * [`backtracking_newton`]: Newton with halving (S15-35).

mod backtracking;

pub use backtracking::{BacktrackingWorkspace, backtracking_newton};
