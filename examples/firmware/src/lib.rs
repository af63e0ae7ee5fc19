//! What every firmware example shares: a logger, an exit, an instruction counter, a stack gauge.
//!
//! All of it links with `panic-never`: a program of this package that could panic does not exist.
#![no_std]

use cortex_m_semihosting::debug;
#[cfg(feature = "panic-never")]
use panic_never as _;

mod counter;
mod logger;
mod stack;
mod tally;

pub use counter::Counter;
pub use stack::StackGauge;
pub use tally::Tally;

/// Stands in for `panic-never` while somebody looks for a panic: halts.
#[cfg(all(target_os = "none", not(feature = "panic-never")))]
#[panic_handler]
fn halt(_: &core::panic::PanicInfo<'_>) -> ! {
    exit(false)
}

/// Ends the emulation; the emulator's exit status is 0 for `good`, 1 otherwise.
pub fn exit(good: bool) -> ! {
    loop {
        debug::exit(if good { debug::EXIT_SUCCESS } else { debug::EXIT_FAILURE });
    }
}

/// What CI's negative tests switch on; nothing otherwise.
pub fn provoke(seed: u32) {
    #[cfg(feature = "reachable-panic")]
    {
        let table = [1u32, 2, 3];
        defmt::info!("provoked {=u32}", table[core::hint::black_box(seed) as usize]);
    }
    #[cfg(feature = "soft-double")]
    {
        let product = core::hint::black_box(f64::from(seed)) * core::hint::black_box(3.0f64);
        defmt::info!("provoked {=u64}", product.to_bits());
    }
    let _ = seed;
}
