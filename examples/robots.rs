//! The five firmware examples on the PC: what became of each robot, and the hash of its whole run that the chip must reproduce.
//!
//! `cargo run --release --example robots`

#[path = "robots/mod.rs"]
mod robots;

use robots::{Robot, arm_limits, four_bar, gripper, haptic_wall, quadruped_stand, run};

fn show<R: Robot>(memory: &mut R::Memory) -> Result<(), String> {
    let (hash, robot) = run::<R>(memory).ok_or_else(|| format!("{}: the model was refused", R::NAME))?;
    let (refused, good) = robot.outcome();
    println!("robot {} {:016x} {}", R::NAME, hash.value, hash.count);
    println!("held {} {refused} of {}", R::NAME, R::TICKS);
    if good { Ok(()) } else { Err(format!("{}: did not end as it should", R::NAME)) }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    show::<haptic_wall::HapticWall>(&mut haptic_wall::Memory::new())?;
    show::<arm_limits::ArmLimits>(&mut arm_limits::Memory::new())?;
    show::<four_bar::FourBar>(&mut four_bar::Memory::new())?;
    show::<quadruped_stand::QuadrupedStand>(&mut quadruped_stand::Memory::new())?;
    show::<gripper::Gripper>(&mut gripper::Memory::new())?;
    Ok(())
}
