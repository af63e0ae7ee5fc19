//! States kept on the way, for tables and pictures.

use crate::failure::Failure;
use crate::record::Record;

/// Numbers that a recording may hold.
const MOST_NUMBERS: u64 = 30_000_000;
/// Records that a picture needs.
const PICTURE: u64 = 2_000;

/// Records at their times \[s\].
pub struct Recording {
    pub records: Vec<(f64, Record)>,
    every: u64,
    step: f64,
}

impl Recording {
    /// Of a run of so many steps of `step` seconds with records of about so many numbers: every `every`th state, the first
    /// included; if no number is given, every one, or as many as a picture needs when nothing else is wanted.
    pub fn new(steps: u64, step: f64, numbers: usize, every: Option<u64>, table: bool) -> Result<Self, Failure> {
        let every = every.unwrap_or(if table { 1 } else { (steps / PICTURE).max(1) });
        if every == 0 {
            return Err(Failure::refused("--every must be at least 1"));
        }
        if (steps / every + 1).saturating_mul(numbers as u64) > MOST_NUMBERS {
            return Err(Failure::refused(format!(
                "{} states are too many to keep; record fewer of them: --every {}",
                steps / every + 1,
                (steps.saturating_mul(numbers as u64) / MOST_NUMBERS + 1).max(2)
            )));
        }
        Ok(Self { records: Vec::new(), every, step })
    }

    pub fn wants(&self, step: u64) -> bool {
        step.is_multiple_of(self.every)
    }

    pub fn push(&mut self, step: u64, record: Record) {
        self.records.push((step as f64 * self.step, record));
    }

    /// Pairs of geoms that touched, in the order of their first contact.
    pub fn pairs(&self) -> Vec<[u16; 2]> {
        let mut pairs = Vec::new();
        for (_, record) in &self.records {
            for touch in &record.touches {
                if !pairs.contains(&touch.geoms) {
                    pairs.push(touch.geoms);
                }
            }
        }
        pairs
    }
}
