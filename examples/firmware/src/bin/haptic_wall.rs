//! A knob at 10 kHz: a virtual wall and two end stops. Also builds for Cortex-M0, which has no floating point.
//!
//! The robot is `examples/robots/haptic_wall.rs`, which the PC runs as well (`cargo run --release --example robots`): same hash. To make it yours,
//! take that file and this one, and put your board's sensors and motors where the comments are.
#![no_std]
#![no_main]

#[path = "../../../robots/mod.rs"]
mod robots;

use cortex_m_rt::entry;
use delassus_firmware::{Tally, exit};
use robots::haptic_wall::{HapticWall, Memory};
use robots::{Hash, Robot};

/// How many ticks are counted: the smallest chips have no RAM for all.
const ROOM: usize = if cfg!(target_has_atomic = "ptr") { HapticWall::TICKS as usize } else { 1_000 };

#[entry]
fn main() -> ! {
    // All zero: RAM, no flash. `entry` turns it into the only reference there is.
    static mut MEMORY: Memory = Memory::new();
    static mut COUNTS: [u32; ROOM] = [0; ROOM];

    let Some(peripherals) = cortex_m::Peripherals::take() else { exit(false) };
    let mut tally = Tally::new(peripherals.SYST, COUNTS);
    let Some(mut robot) = tally.start(|| HapticWall::start(MEMORY)) else { exit(false) };
    let mut hash = Hash::new();
    for tick in 0..HapticWall::TICKS {
        // On a board: wait for the timer, read the encoder.
        let sensors = robot.sensors(tick);
        tally.tick(|| robot.tick(&sensors, MEMORY));
        // On a board: give the torque to the motor driver.
        robot.record(&mut |x| hash.add(x));
    }
    let (refused, good) = robot.outcome();
    defmt::info!("robot {=str} {=u64:016x} {=u32}", HapticWall::NAME, hash.value, hash.count);
    defmt::info!("held {=str} {=u32} of {=u32}", HapticWall::NAME, refused, HapticWall::TICKS);
    tally.report(HapticWall::NAME, size_of::<Memory>() + size_of::<HapticWall>());
    exit(good)
}
