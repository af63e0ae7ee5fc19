//! Textbook and engine variants that firmware does not want, kept for comparison and teaching.
//!
//! | file | subject |
//! |---|---|
//! | [`ray`] | the engine's visit of an elliptic block in projected Gauss–Seidel: ray step, then tangential QCQP |

pub mod ray;
