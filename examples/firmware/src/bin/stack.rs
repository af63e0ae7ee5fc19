//! The block stack on the chip: own M and J, solved by each method.
#![no_std]
#![no_main]

#[path = "../../../scenes/mod.rs"]
mod scenes;

use core::cell::RefCell;

use cortex_m_rt::entry;
use critical_section::Mutex;
use delassus::solver::Budget;
use delassus_firmware::{Counter, StackGauge, exit};
use scenes::Hash;
use scenes::stack::{self, Memory, Method};

/// All zero, so it takes RAM only.
static MEMORY: Mutex<RefCell<Memory<f32>>> = Mutex::new(RefCell::new(Memory::filled(0.0)));

#[entry]
fn main() -> ! {
    let Some(peripherals) = cortex_m::Peripherals::take() else { exit(false) };
    let mut counter = Counter::new(peripherals.SYST);
    critical_section::with(|token| {
        let Ok(mut memory) = MEMORY.borrow(token).try_borrow_mut() else { return };
        let mut hash = Hash::new();
        stack::run(&mut memory, &mut |x| hash.add(x));
        defmt::info!("scene stack {=u64:016x} {=u32}", hash.value, hash.count);

        let budget = Budget::new(30, 1e-7);
        for (name, method) in [
            ("newton", Method::Newton),
            ("sweeps", Method::Sweeps),
            ("sweeps_with_delassus", Method::SweepsWithDelassus),
        ] {
            let gauge = StackGauge::paint();
            let (answer, cold) = counter.count(|| stack::solve(&mut memory, method, 0.0, 0.1, None, &budget));
            let used = gauge.used();
            let Ok(answer) = answer else { continue };
            let (_, warm) =
                counter.count(|| stack::solve(&mut memory, method, 0.1, 0.1, Some(answer.acceleration), &budget));
            defmt::info!("count stack {=str} cold {} warm {} stack_bytes {=u32}", name, cold, warm, used);
        }
        defmt::info!("ram stack {=usize}", core::mem::size_of::<Memory<f32>>());
    });
    exit(true)
}
