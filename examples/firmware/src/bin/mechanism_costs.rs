//! Instructions that one tick of a described mechanism takes: cold, from a zero acceleration, and warm, the next ticks.
#![no_std]
#![no_main]

#[path = "../../../scenes/mod.rs"]
mod scenes;

use core::cell::RefCell;

use cortex_m_rt::entry;
use critical_section::Mutex;
use delassus::model::Model;
use delassus::solver::Budget;
use delassus::tick::{Input, Workspace};
use delassus_firmware::{Counter, StackGauge, exit};
use scenes::costs::{Start, for_each_cost_scene, start};

#[entry]
fn main() -> ! {
    let Some(peripherals) = cortex_m::Peripherals::take() else { exit(false) };
    let mut counter = Counter::new(peripherals.SYST);
    macro_rules! count {
        ($name:literal, $description:expr, $start:expr, $bodies:literal, $dofs:literal, $rows:literal) => {{
            static MEMORY: Mutex<RefCell<Workspace<f32, $bodies, $dofs, 0, $rows>>> =
                Mutex::new(RefCell::new(Workspace::filled(0.0)));
            critical_section::with(|token| {
                let Ok(mut memory) = MEMORY.borrow(token).try_borrow_mut() else { return };
                let Ok(model) = Model::<f32, $bodies, $dofs, $dofs>::new(&$description, &mut memory.smooth) else {
                    return;
                };
                let mut state = start(model.state(), $start);
                let budget = Budget::new(10, 1e-6);
                let gauge = StackGauge::paint();
                let (report, cold) = counter.count(|| model.step(&mut state, &Input::none(), &budget, &mut memory));
                let Ok(report) = report else { return };
                let mut longest = None;
                for _ in 0..10u8 {
                    let (_, count) = counter.count(|| model.step(&mut state, &Input::none(), &budget, &mut memory));
                    longest = longest.max(count);
                }
                defmt::info!(
                    "tick {=str} cold {} iterations {=u16} longest_of_next_ten {} stack_bytes {=u32} ram {=usize}",
                    $name,
                    cold,
                    report.solver.iterations,
                    longest,
                    gauge.used(),
                    core::mem::size_of::<Workspace<f32, $bodies, $dofs, 0, $rows>>()
                );
            });
        }};
    }
    for_each_cost_scene!(count, scenes::costs::single);
    exit(true)
}
