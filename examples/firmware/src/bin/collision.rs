//! All contacts of thirteen bodies on the chip: the same bits as on the host, and what a pose costs.
#![no_std]
#![no_main]

#[path = "../../../scenes/mod.rs"]
mod scenes;

use core::cell::RefCell;

use cortex_m_rt::entry;
use critical_section::Mutex;
use delassus_firmware::{Counter, StackGauge, exit};
use scenes::Hash;
use scenes::collision::{self, List};

static CONTACTS: Mutex<RefCell<List>> = Mutex::new(RefCell::new(List::new()));

#[entry]
fn main() -> ! {
    let Some(peripherals) = cortex_m::Peripherals::take() else { exit(false) };
    let mut counter = Counter::new(peripherals.SYST);
    critical_section::with(|token| {
        let Ok(mut contacts) = CONTACTS.borrow(token).try_borrow_mut() else { return };
        let mut hash = Hash::new();
        collision::run(&mut contacts, &mut |x| hash.add(x));
        defmt::info!("scene collision {=u64:016x} {=u32}", hash.value, hash.count);
        let frames = collision::frames(7);
        let gauge = StackGauge::paint();
        let (dropped, count) = counter.count(|| collision::contacts(&frames, &mut contacts));
        let used = gauge.used();
        defmt::info!(
            "count collision bodies 13 contacts {=usize} dropped {=usize} cold {} stack_bytes {=u32}",
            contacts.len(),
            dropped,
            count,
            used
        );
        // Nothing near: what the walk and the cheap test cost.
        let mut apart = frames;
        for (i, frame) in apart.iter_mut().enumerate() {
            frame.position.z += 10.0 + i as f32;
        }
        let (_, count) = counter.count(|| collision::contacts(&apart, &mut contacts));
        defmt::info!("count collision bodies 13 contacts {=usize} cold {}", contacts.len(), count);
        defmt::info!("ram collision {=usize}", core::mem::size_of::<List>());
    });
    exit(true)
}
