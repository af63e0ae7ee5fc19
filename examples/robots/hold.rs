//! What motors do while ticks are refused.

use nalgebra::SVector;

/// Keeps the last good command while ticks are refused, and lets go when too many are in a row.
///
/// A broken reading, NaN from a sensor, makes a tick an error before any arithmetic, and nothing has changed. One or two such ticks
/// are a glitch; a broken cable is not, and the motors must not push for ever.
#[derive(Clone, Copy, Debug)]
pub struct Hold<const NV: usize> {
    command: SVector<f32, NV>,
    in_a_row: u32,
    refused: u32,
}

impl<const NV: usize> Hold<NV> {
    /// Ticks in a row that may be refused before the motors are switched off.
    pub const PATIENCE: u32 = 20;

    /// Motors off, nothing refused.
    pub fn new() -> Self {
        Self { command: SVector::from_element(0.0), in_a_row: 0, refused: 0 }
    }

    /// The command of a good tick.
    pub fn good(&mut self, command: SVector<f32, NV>) {
        self.command = command;
        self.in_a_row = 0;
    }

    /// A refused tick: the last good command stays, or zero when patience is over.
    pub fn refuse(&mut self) {
        self.refused = self.refused.saturating_add(1);
        self.in_a_row = self.in_a_row.saturating_add(1);
        if self.in_a_row > Self::PATIENCE {
            self.command = SVector::from_element(0.0);
        }
    }

    /// What the motors get [N or N m].
    pub fn command(&self) -> &SVector<f32, NV> {
        &self.command
    }

    /// How many ticks were refused.
    pub fn refused(&self) -> u32 {
        self.refused
    }
}
