//! How much stack a piece of work takes: paint the free stack, run, see how far the paint is gone.

/// Bytes below the stack pointer that are painted: more than any example may use; less on the smallest chips.
const PAINTED: usize = if cfg!(target_has_atomic = "ptr") { 16 * 1024 } else { 4 * 1024 };
/// Bytes right below the stack pointer that are left alone: the painter's own frame may lie there.
const OWN: usize = 128;
const PAINT: u32 = 0x5eed_5eed;

/// A painted stretch of stack.
pub struct StackGauge {
    top: usize,
}

impl StackGauge {
    /// Paints the stack below the caller.
    #[inline(never)]
    pub fn paint() -> Self {
        let top = cortex_m::register::msp::read() as usize;
        let mut address = top - PAINTED;
        while address < top - OWN {
            // SAFETY: RAM between the statics and the stack pointer, used by nobody; the boards have so much of it.
            unsafe { (address as *mut u32).write_volatile(PAINT) };
            address += 4;
        }
        Self { top }
    }

    /// Bytes of stack that have been used since, below the place where the gauge was painted; 128 at least.
    #[inline(never)]
    pub fn used(&self) -> u32 {
        let mut address = self.top - PAINTED;
        // SAFETY: the stretch that `paint` wrote.
        while address < self.top - OWN && unsafe { (address as *const u32).read_volatile() } == PAINT {
            address += 4;
        }
        (self.top - address) as u32
    }
}
