//! A quadruped at 500 Hz: pushed at the start, it crouches for a moment and ends standing. Its description is generated from
//! `examples/models/quadruped_stand.xml`, position actuators in every joint included.

use delassus::scalar::norm;
use delassus::solver::Budget;
use delassus::tick::TickError;

use super::Robot;
pub use super::models::quadruped as model;
use model::{DESCRIPTION, Input, Model, NU, State, Workspace};

/// The push: velocity of the trunk at the start, forward, to the left, and its turning \[m/s, rad/s\].
const PUSH: [f32; 6] = [0.5, 0.35, 0.0, 0.6, 0.5, 0.4];
/// When it crouches \[s\].
const CROUCH: core::ops::Range<f32> = 1.2..1.8;

/// What a tick needs.
pub struct Memory {
    work: Workspace,
}

impl Memory {
    /// All zero.
    pub const fn new() -> Self {
        Self { work: Workspace::filled(0.0) }
    }
}

/// The robot and its motors.
pub struct QuadrupedStand {
    model: Model,
    state: State,
    /// Joint angles that the drives hold \[rad\]: they close the position loop themselves.
    target: [f32; NU],
    refused: u32,
}

impl QuadrupedStand {
    /// One step from a state, at the drives' targets.
    fn step(&self, state: &mut State, memory: &mut Memory) -> Result<(), TickError> {
        let input = Input { control: &self.target, ..Input::none() };
        self.model.step_euler(state, &input, &Budget::new(10, 1e-6), &mut memory.work, &mut ()).map(|_| ())
    }

    /// Height of the trunk \[m\], how upright it is (1: as at the start), and its speed and the legs', all together.
    pub fn stance(&self) -> (f32, f32, f32) {
        let [_, _, height, _, x, y, _, ..] = self.state.configuration;
        // z component of the trunk's z axis.
        let upright = 1.0 - 2.0 * (x * x + y * y);
        (height, upright, norm(self.state.velocity.as_slice()))
    }
}

impl Robot for QuadrupedStand {
    const NAME: &'static str = "quadruped_stand";
    const TICKS: u32 = 3_000;
    type Memory = Memory;
    /// Joint angles and speeds, pose and velocity of the trunk.
    type Sensors = State;

    fn start(memory: &mut Memory) -> Option<Self> {
        let model = Model::stated(&DESCRIPTION, &mut memory.work.smooth, &mut []).ok()?;
        let mut state = model.state();
        state.configuration = model::keyframe::stand::CONFIGURATION;
        for (v, push) in state.velocity.iter_mut().zip(PUSH) {
            *v = push;
        }
        Some(Self { model, state, target: model::keyframe::stand::CONTROL, refused: 0 })
    }

    /// The encoder of a knee is broken for five ticks, while the robot is still moving.
    fn sensors(&self, tick: u32) -> State {
        let mut sensors = self.state;
        if (150..155).contains(&tick) {
            sensors.configuration[model::joint::front_left_calf::COORDINATE] = f32::NAN;
        }
        sensors
    }

    fn tick(&mut self, sensors: &State, memory: &mut Memory) {
        let mut next = *sensors;
        match self.step(&mut next, memory) {
            Ok(()) => {
                let crouches = CROUCH.contains(&next.time);
                self.target = if crouches { model::keyframe::crouch::CONTROL } else { model::keyframe::stand::CONTROL };
                self.state = next;
            }
            // The error names the number that is none. The drives hold their targets, and the world goes on.
            Err(_) => {
                self.refused += 1;
                let mut next = self.state;
                if self.step(&mut next, memory).is_ok() {
                    self.state = next;
                }
            }
        }
    }

    fn record(&self, record: &mut impl FnMut(f32)) {
        for x in self.state.configuration.iter().chain(self.state.velocity.iter()).chain(self.target.iter()) {
            record(*x);
        }
    }

    /// Upright, at its height, and still.
    fn outcome(&self) -> (u32, bool) {
        let (height, upright, speed) = self.stance();
        (self.refused, upright > 0.99 && height > 0.25 && speed < 0.02)
    }
}
