//! A quadruped at 500 Hz: pushed at the start, it ends standing.
//!
//! The robot is `examples/robots/quadruped_stand.rs`, which the PC runs as well (`cargo run --release --example robots`): same hash. To make it yours,
//! take that file and this one, and put your board's sensors and motors where the comments are.
#![no_std]
#![no_main]

#[path = "../../../robots/mod.rs"]
mod robots;

use cortex_m_rt::entry;
use delassus_firmware::{Tally, exit};
use robots::quadruped_stand::{Memory, QuadrupedStand};
use robots::{Hash, Robot};

#[entry]
fn main() -> ! {
    // All zero: RAM, no flash. `entry` turns it into the only reference there is.
    static mut MEMORY: Memory = Memory::new();
    static mut COUNTS: [u32; QuadrupedStand::TICKS as usize] = [0; QuadrupedStand::TICKS as usize];

    let Some(peripherals) = cortex_m::Peripherals::take() else { exit(false) };
    let mut tally = Tally::new(peripherals.SYST, COUNTS);
    let Some(mut robot) = tally.start(|| QuadrupedStand::start(MEMORY)) else { exit(false) };
    let mut hash = Hash::new();
    for tick in 0..QuadrupedStand::TICKS {
        // On a board: wait for the timer, read encoders and inertial unit.
        let sensors = robot.sensors(tick);
        tally.tick(|| robot.tick(&sensors, MEMORY));
        // On a board: give the torques to the motor drivers.
        robot.record(&mut |x| hash.add(x));
    }
    let (refused, good) = robot.outcome();
    defmt::info!("robot {=str} {=u64:016x} {=u32}", QuadrupedStand::NAME, hash.value, hash.count);
    defmt::info!("held {=str} {=u32} of {=u32}", QuadrupedStand::NAME, refused, QuadrupedStand::TICKS);
    tally.report(QuadrupedStand::NAME, size_of::<Memory>() + size_of::<QuadrupedStand>());
    exit(good)
}
