//! A free box, a free ball and a quadruped on a plane: a thousand steps each, and what a step costs.
#![no_std]
#![no_main]

#[path = "../../../scenes/mod.rs"]
mod scenes;

use core::cell::RefCell;

use cortex_m_rt::entry;
use critical_section::Mutex;
use delassus::model::Model;
use delassus::tick::Input;
use delassus_firmware::{Counter, StackGauge, exit};
use scenes::Hash;
use scenes::contacts::{self, BallMemory, BoxMemory, QuadrupedMemory, single};

/// All zero, so they take RAM only.
static BOX: Mutex<RefCell<BoxMemory<f32>>> = Mutex::new(RefCell::new(BoxMemory::filled(0.0)));
static BALL: Mutex<RefCell<BallMemory<f32>>> = Mutex::new(RefCell::new(BallMemory::filled(0.0)));
static QUADRUPED: Mutex<RefCell<QuadrupedMemory<f32>>> = Mutex::new(RefCell::new(QuadrupedMemory::filled(0.0)));

#[entry]
fn main() -> ! {
    let Some(peripherals) = cortex_m::Peripherals::take() else { exit(false) };
    let mut counter = Counter::new(peripherals.SYST);
    // Runs a scene, then counts its steps one by one.
    macro_rules! scene {
        ($name:literal, $cell:ident, $memory:ty, $run:path, $description:path, $start:path, $step:expr) => {
            critical_section::with(|token| {
                let Ok(mut memory) = $cell.borrow(token).try_borrow_mut() else { return };
                let mut hash = Hash::new();
                $run(&mut memory, &mut |x| hash.add(x));
                defmt::info!("scene {=str} {=u64:016x} {=u32}", $name, hash.value, hash.count);
                let Ok(model) = Model::new(&$description, &mut memory.smooth) else { return };
                let mut state = $start(&model);
                let gauge = StackGauge::paint();
                let (mut longest, mut sum) = (0u32, 0u64);
                let step = $step;
                for _ in 0..1000u16 {
                    let (_, count) = counter.count(|| step(&model, &mut state, &mut memory));
                    let Some(count) = count else { return };
                    longest = longest.max(count);
                    sum += u64::from(count);
                }
                defmt::info!(
                    "count {=str} mean {=u32} longest {=u32} stack_bytes {=u32} ram {=usize}",
                    $name,
                    (sum / 1000) as u32,
                    longest,
                    gauge.used(),
                    core::mem::size_of::<$memory>()
                );
            });
        };
    }
    type Free = Model<'static, f32, 1, 7, 6>;
    scene!(
        "box",
        BOX,
        BoxMemory<f32>,
        contacts::run_box,
        single::BOX,
        contacts::box_start,
        |model: &Free, state: &mut _, memory: &mut BoxMemory<f32>| {
            model.step(state, &Input::none(), &contacts::budget(), memory).is_ok()
        }
    );
    scene!(
        "ball",
        BALL,
        BallMemory<f32>,
        contacts::run_ball,
        single::BALL,
        contacts::ball_start,
        |model: &Free, state: &mut _, memory: &mut BallMemory<f32>| {
            model.step(state, &Input::none(), &contacts::budget(), memory).is_ok()
        }
    );
    scene!(
        "quadruped",
        QUADRUPED,
        QuadrupedMemory<f32>,
        contacts::run_quadruped,
        single::QUADRUPED,
        contacts::quadruped_start,
        |model: &Model<'static, f32, 13, 19, 18>, state: &mut _, memory: &mut QuadrupedMemory<f32>| {
            contacts::quadruped_step(model, state, memory).is_ok()
        }
    );
    exit(true)
}
