//! A four-bar linkage at 1 kHz: a closed loop with dry friction.
//!
//! The robot is `examples/robots/four_bar.rs`, which the PC runs as well (`cargo run --release --example robots`): same hash. To make it yours,
//! take that file and this one, and put your board's sensors and motors where the comments are.
#![no_std]
#![no_main]

#[path = "../../../robots/mod.rs"]
mod robots;

use cortex_m_rt::entry;
use delassus_firmware::{Tally, exit};
use robots::four_bar::{FourBar, Memory};
use robots::{Hash, Robot};

#[entry]
fn main() -> ! {
    // All zero: RAM, no flash. `entry` turns it into the only reference there is.
    static mut MEMORY: Memory = Memory::new();
    static mut COUNTS: [u32; FourBar::TICKS as usize] = [0; FourBar::TICKS as usize];

    let Some(peripherals) = cortex_m::Peripherals::take() else { exit(false) };
    let mut tally = Tally::new(peripherals.SYST, COUNTS);
    let Some(mut robot) = tally.start(|| FourBar::start(MEMORY)) else { exit(false) };
    let mut hash = Hash::new();
    for tick in 0..FourBar::TICKS {
        // On a board: wait for the timer, read the encoders.
        let sensors = robot.sensors(tick);
        tally.tick(|| robot.tick(&sensors, MEMORY));
        // On a board: give the torque to the motor driver.
        robot.record(&mut |x| hash.add(x));
    }
    let (refused, good) = robot.outcome();
    defmt::info!("robot {=str} {=u64:016x} {=u32}", FourBar::NAME, hash.value, hash.count);
    defmt::info!("held {=str} {=u32} of {=u32}", FourBar::NAME, refused, FourBar::TICKS);
    tally.report(FourBar::NAME, size_of::<Memory>() + size_of::<FourBar>());
    exit(good)
}
