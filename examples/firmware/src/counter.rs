//! Counting instructions with the system timer.
//!
//! With `-icount shift=8` the emulator lets every instruction take 256 ns; the timer runs at 25 MHz, so it falls by 6.4 an
//! instruction. On a real board the same code counts core cycles, and the factor is 1.

use core::hint::black_box;

use cortex_m::peripheral::{SYST, syst::SystClkSource};

/// The timer has 24 bits.
const RELOAD: u32 = 0x00ff_ffff;

/// Counts the instructions of closures of up to 2.6 million instructions.
pub struct Counter {
    timer: SYST,
    /// What counting itself costs, in ticks.
    overhead: u32,
}

impl Counter {
    /// Starts the timer.
    pub fn new(mut timer: SYST) -> Self {
        timer.set_clock_source(SystClkSource::Core);
        timer.set_reload(RELOAD);
        timer.clear_current();
        timer.enable_counter();
        let mut counter = Self { timer, overhead: 0 };
        counter.overhead = counter.ticks(|| {}).1.unwrap_or(0);
        counter
    }

    /// Result of `f` and the instructions that it took; `None` when the timer ran over.
    pub fn count<R>(&mut self, f: impl FnOnce() -> R) -> (R, Option<u32>) {
        let (result, ticks) = self.ticks(f);
        (result, ticks.map(|ticks| ticks.saturating_sub(self.overhead) * 10 / 64))
    }

    /// The timer runs on; one passage through zero is part of the difference, a second one is an overrun.
    #[inline(always)]
    fn ticks<R>(&mut self, f: impl FnOnce() -> R) -> (R, Option<u32>) {
        let _ = self.timer.has_wrapped();
        let before = SYST::get_current();
        let result = black_box(f());
        let after = SYST::get_current();
        let passed_zero = self.timer.has_wrapped();
        let overrun = passed_zero && after <= before;
        (result, if overrun { None } else { Some(before.wrapping_sub(after) & RELOAD) })
    }
}
