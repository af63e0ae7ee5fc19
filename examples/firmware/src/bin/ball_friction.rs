//! The ball thrown along the plane with friction on the chip: one elliptic contact, 401 ticks.
#![no_std]
#![no_main]

#[path = "../../../scenes/mod.rs"]
mod scenes;

use core::cell::RefCell;

use cortex_m_rt::entry;
use critical_section::Mutex;
use delassus_firmware::{Counter, StackGauge, exit};
use scenes::Hash;
use scenes::ball_friction::{self, Memory};

/// All zero, so it takes RAM only.
static MEMORY: Mutex<RefCell<Memory<f32>>> = Mutex::new(RefCell::new(Memory::filled(0.0)));

#[entry]
fn main() -> ! {
    let Some(peripherals) = cortex_m::Peripherals::take() else { exit(false) };
    let mut counter = Counter::new(peripherals.SYST);
    critical_section::with(|token| {
        let Ok(mut memory) = MEMORY.borrow(token).try_borrow_mut() else { return };
        let mut hash = Hash::new();
        ball_friction::run(&mut memory, &mut |x| hash.add(x));
        defmt::info!("scene ball_friction {=u64:016x} {=u32}", hash.value, hash.count);

        let Ok(softness) = scenes::ball_normal::softness() else { return };
        let mut state = scenes::ball_normal::start(0.19, -0.1);
        let gauge = StackGauge::paint();
        let (_, tick) = counter.count(|| ball_friction::step(&mut memory, &softness, &mut state));
        defmt::info!("count ball_friction newton tick {} stack_bytes {=u32}", tick, gauge.used());
        defmt::info!("ram ball_friction {=usize}", core::mem::size_of::<Memory<f32>>());
    });
    exit(true)
}
