//! The five robots of the firmware examples: how their runs end, their hashes, and what a broken sensor does.

#[path = "../examples/robots/mod.rs"]
mod robots;

use robots::{Hold, Robot, arm_limits, four_bar, gripper, haptic_wall, quadruped_stand, run};

fn ends_well<R: Robot>(memory: &mut R::Memory, broken: u32) {
    let (hash, robot) = run::<R>(memory).expect("a model that is accepted");
    assert_eq!(robot.outcome(), (broken, true), "{}", R::NAME);
    let line = format!("robot {} {:016x} {}", R::NAME, hash.value, hash.count);
    let committed = include_str!("../examples/robots/hashes.txt");
    assert!(committed.lines().any(|committed| committed == line), "not committed: {line}");
}

#[test]
fn runs_end_as_they_should_with_the_committed_hashes() {
    ends_well::<haptic_wall::HapticWall>(&mut haptic_wall::Memory::new(), 3);
    ends_well::<arm_limits::ArmLimits>(&mut arm_limits::Memory::new(), 5);
    ends_well::<four_bar::FourBar>(&mut four_bar::Memory::new(), 5);
    ends_well::<gripper::Gripper>(&mut gripper::Memory::new(), 5);
    ends_well::<quadruped_stand::QuadrupedStand>(&mut quadruped_stand::Memory::new(), 5);
}

/// Numbers of the robot after each of some ticks.
fn record<R: Robot>(robot: &R) -> Vec<f32> {
    let mut list = Vec::new();
    robot.record(&mut |x| list.push(x));
    list
}

/// A knob leans on the wall; then its encoder breaks. The torque stays for as many ticks as `Hold` has patience, then it is zero, and
/// the first good reading brings it back.
#[test]
fn a_broken_encoder_holds_the_torque_then_lets_go() {
    let mut memory = haptic_wall::Memory::new();
    let mut knob = haptic_wall::HapticWall::start(&mut memory).expect("a knob");
    for _ in 0..2_000 {
        knob.tick(&0.42, &mut memory);
    }
    let [_, _, torque] = record(&knob)[..] else { panic!("three numbers") };
    assert!(torque < -0.01, "{torque}");
    for broken in 1..=2 * Hold::<1>::PATIENCE {
        knob.tick(&[f32::NAN, f32::INFINITY][broken as usize % 2], &mut memory);
        let expected = if broken <= Hold::<1>::PATIENCE { torque } else { 0.0 };
        assert_eq!(record(&knob), [0.42, record(&knob)[1], expected], "tick {broken}");
    }
    knob.tick(&0.42, &mut memory);
    assert!((record(&knob)[2] - torque).abs() < 1e-6);
    assert_eq!(knob.outcome().0, 2 * Hold::<1>::PATIENCE);
}

/// Every number of a measured state in turn is broken: each tick is refused, nothing is recorded but finite numbers.
#[test]
fn no_broken_number_of_a_state_gets_through() {
    let mut memory = Box::new(quadruped_stand::Memory::new());
    let mut robot = quadruped_stand::QuadrupedStand::start(&mut memory).expect("a quadruped");
    let mut broken = 0;
    for index in 0..37 {
        let mut sensors = robot.sensors(0);
        let slot = sensors.configuration.iter_mut().chain(sensors.velocity.iter_mut()).nth(index);
        *slot.expect("19 and 18 numbers") = f32::NAN;
        robot.tick(&sensors, &mut memory);
        broken += 1;
        assert_eq!(robot.outcome().0, broken, "number {index}");
        assert!(record(&robot).iter().all(|x| x.is_finite()));
    }
}
