//! What the ticks of a run cost: instructions of each, and the deepest stack.

use cortex_m::peripheral::SYST;

use crate::{Counter, StackGauge};

/// Counts every tick of a run.
pub struct Tally {
    counter: Counter,
    counts: &'static mut [u32],
    used: usize,
    overrun: bool,
    gauge: StackGauge,
    start_stack: u32,
}

impl Tally {
    /// With room for so many ticks; later ones are run and not counted.
    pub fn new(timer: SYST, counts: &'static mut [u32]) -> Self {
        let counter = Counter::new(timer);
        Self { counter, counts, used: 0, overrun: false, gauge: StackGauge::paint(), start_stack: 0 }
    }

    /// Runs the start-up, notes its stack, and paints the stack anew for the ticks.
    #[inline(always)]
    pub fn start<R>(&mut self, start: impl FnOnce() -> R) -> R {
        let result = start();
        self.start_stack = self.gauge.used();
        self.gauge = StackGauge::paint();
        result
    }

    /// Runs a tick and notes what it took.
    #[inline(always)]
    pub fn tick<R>(&mut self, tick: impl FnOnce() -> R) -> R {
        let (result, count) = self.counter.count(tick);
        self.overrun |= count.is_none();
        if let Some(slot) = self.counts.get_mut(self.used) {
            *slot = count.unwrap_or(u32::MAX);
            self.used += 1;
        }
        result
    }

    /// Prints the example's line of the budget table. `ram` is what model, state and workspace take.
    #[inline(never)]
    pub fn report(&self, name: &str, ram: usize) {
        let counts = self.counts.get(..self.used).unwrap_or(&[]);
        let (mut least, mut most) = (u32::MAX, 0);
        for count in counts {
            least = least.min(*count);
            most = most.max(*count);
        }
        // The smallest number that half of the counts do not exceed, bit by bit: no sorting, hardly any code.
        let mut median = 0;
        for bit in (0..32).rev() {
            let below = median | (1u32 << bit);
            if counts.iter().filter(|count| **count < below).count() * 2 < counts.len() {
                median = below;
            }
        }
        defmt::info!(
            "budget {=str} ram_bytes {=usize} stack_bytes {=u32} start_stack_bytes {=u32} instructions {=u32} {=u32} {=u32} ticks {=usize} counted {=bool} mean {=u32}",
            name,
            ram,
            self.gauge.used(),
            self.start_stack,
            least,
            median,
            most,
            self.used,
            !self.overrun,
            counts
                .iter()
                .fold(0, |sum: u32, count| sum.saturating_add(*count))
                .checked_div(self.used as u32)
                .unwrap_or(0)
        );
    }
}
