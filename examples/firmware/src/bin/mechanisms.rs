//! Described mechanisms on the chip: a two-link arm with a limit and a four-bar linkage, a thousand steps each, and what a step costs.
#![no_std]
#![no_main]

#[path = "../../../scenes/mod.rs"]
mod scenes;

use core::cell::RefCell;

use cortex_m_rt::entry;
use critical_section::Mutex;
use delassus::model::Model;
use delassus_firmware::{Counter, StackGauge, exit};
use scenes::Hash;
use scenes::mechanisms::{self, ArmMemory, LinkageMemory};

/// All zero, so they take RAM only.
static ARM: Mutex<RefCell<ArmMemory<f32>>> = Mutex::new(RefCell::new(ArmMemory::filled(0.0)));
static LINKAGE: Mutex<RefCell<LinkageMemory<f32>>> = Mutex::new(RefCell::new(LinkageMemory::filled(0.0)));

#[entry]
fn main() -> ! {
    let Some(peripherals) = cortex_m::Peripherals::take() else { exit(false) };
    let mut counter = Counter::new(peripherals.SYST);
    critical_section::with(|token| {
        let Ok(mut arm) = ARM.borrow(token).try_borrow_mut() else { return };
        let Ok(mut linkage) = LINKAGE.borrow(token).try_borrow_mut() else { return };
        let mut hash = Hash::new();
        mechanisms::run_arm(&mut arm, &mut |x| hash.add(x));
        defmt::info!("scene arm {=u64:016x} {=u32}", hash.value, hash.count);
        let mut hash = Hash::new();
        mechanisms::run_linkage(&mut linkage, &mut |x| hash.add(x));
        defmt::info!("scene linkage {=u64:016x} {=u32}", hash.value, hash.count);

        let Ok(model) = Model::new(&mechanisms::ARM, &mut arm.smooth) else { return };
        let mut state = mechanisms::arm_start(&model);
        let gauge = StackGauge::paint();
        let (_, free) = counter.count(|| mechanisms::arm_step(&model, &mut state, &mut arm));
        let mut longest = None;
        for _ in 0..1000u16 {
            let (_, count) = counter.count(|| mechanisms::arm_step(&model, &mut state, &mut arm));
            longest = longest.max(count);
        }
        defmt::info!("count arm free {} longest {} stack_bytes {=u32}", free, longest, gauge.used());

        let Ok(model) = Model::new(&mechanisms::LINKAGE, &mut linkage.smooth) else { return };
        let mut state = model.state();
        let gauge = StackGauge::paint();
        let (_, first) = counter.count(|| mechanisms::linkage_step(&model, 0, &mut state, &mut linkage));
        let mut longest = None;
        for step in 1..1000u16 {
            let (_, count) = counter.count(|| mechanisms::linkage_step(&model, step, &mut state, &mut linkage));
            longest = longest.max(count);
        }
        defmt::info!("count linkage first {} longest {} stack_bytes {=u32}", first, longest, gauge.used());
        defmt::info!(
            "ram arm {=usize} linkage {=usize}",
            core::mem::size_of::<ArmMemory<f32>>(),
            core::mem::size_of::<LinkageMemory<f32>>()
        );
    });
    exit(true)
}
