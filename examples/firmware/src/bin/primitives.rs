//! The table of primitives on the chip: the lines of the host's `scenes` example.
#![no_std]
#![no_main]

#[path = "../../../scenes/mod.rs"]
mod scenes;

use cortex_m_rt::entry;

#[entry]
fn main() -> ! {
    delassus_firmware::provoke(3);
    scenes::primitives::run(&mut |name, hash| {
        defmt::info!("scene {=str} {=u64:016x} {=u32}", name, hash.value, hash.count)
    });
    delassus_firmware::exit(true)
}
