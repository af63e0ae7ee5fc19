//! One line for stderr, and the exit status.

use std::fmt;

use delassus::rows::RowsError;
use delassus::tick::TickError;

/// Why the command has no answer.
pub struct Failure {
    message: String,
    /// 2: refused before anything was computed. 3: a tick failed.
    pub status: u8,
    /// A larger size class may do better.
    pub needs_room: bool,
}

impl Failure {
    pub fn refused(message: impl fmt::Display) -> Self {
        Self { message: message.to_string(), status: 2, needs_room: false }
    }

    pub fn tick(message: impl fmt::Display) -> Self {
        Self { message: message.to_string(), status: 3, needs_room: false }
    }

    pub fn without_room(message: impl fmt::Display) -> Self {
        Self { message: message.to_string(), status: 3, needs_room: true }
    }

    /// A tick's error in step `step`, from 1. What is wrong before the first step is the caller's state.
    pub fn from_tick(error: TickError, step: u64) -> Self {
        let message = if step > 1 { format!("step {step}: {error}") } else { error.to_string() };
        match error {
            TickError::Integrator(_) => Self::refused(message),
            TickError::State(_) | TickError::Input { .. } if step <= 1 => Self::refused(message),
            TickError::Rows(RowsError::TooManyRows { .. } | RowsError::TooManyCones { .. }) => {
                Self::without_room(message)
            }
            _ => Self::tick(message),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message.replace(char::is_control, " "))
    }
}
