//! The classical Runge–Kutta rule of fourth order (S15-49): which share of the last slope leads to the next trial state, and how
//! the four slopes are weighed.

use crate::scalar::{Real, literal};

/// Slopes of a step.
pub const STAGES: usize = 4;

/// Share of the step that leads from the start, along the slope of the stage before, to stages 2, 3 and 4.
pub fn trial_shares<T: Real>() -> [T; STAGES - 1] {
    [literal(0.5), literal(0.5), T::one()]
}

/// Weights of the slopes in the step itself.
pub fn weights<T: Real>() -> [T; STAGES] {
    [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0].map(literal)
}
