//! A gripper at 1 kHz: two fingers, coupled by a joint equality, close around a ball, lift it and shake it.

use delassus::scalar::{norm, sine_cosine};
use delassus::solver::Budget;
use nalgebra::SVector;

pub use super::models::gripper as model;
use super::{Hold, Robot};
use model::{DESCRIPTION, Input, Model, NV, State, Workspace};

/// Force of the fingers' one motor \[N\].
const GRIP: f32 = 8.0;
/// Gains of the lift \[N/m, N s/m\], and the weight of hand and fingers that it carries \[N\].
const STIFFNESS: f32 = 600.0;
const DAMPING: f32 = 40.0;
const WEIGHT: f32 = 3.9;
/// How high the hand goes \[m\].
const HEIGHT: f32 = 0.1;

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

/// The gripper and its motors.
pub struct Gripper {
    model: Model,
    state: State,
    hold: Hold<NV>,
}

impl Gripper {
    /// Where the hand should be \[m\] at this time: down until the fingers have closed, up within a second, then shaken.
    fn target(time: f32) -> f32 {
        let lifted = (time - 0.4).clamp(0.0, 1.0) * HEIGHT;
        let shaken = if time > 1.8 && time < 3.0 { 0.01 * sine_cosine(20.0 * (time - 1.8)).0 } else { 0.0 };
        lifted + shaken
    }

    /// Height of the ball's centre \[m\].
    pub fn ball_height(&self) -> f32 {
        self.state.configuration[model::joint::ball::COORDINATE + 2]
    }
}

impl Robot for Gripper {
    const NAME: &'static str = "gripper";
    const TICKS: u32 = 4_000;
    type Memory = Memory;
    /// Places and speeds; the motors need the hand's.
    type Sensors = State;

    fn start(memory: &mut Memory) -> Option<Self> {
        let model = Model::stated(&DESCRIPTION, &mut memory.work.smooth, &mut []).ok()?;
        let state = model.state();
        Some(Self { model, state, hold: Hold::new() })
    }

    /// The lift's encoder is broken for five ticks while the hand shakes.
    fn sensors(&self, tick: u32) -> State {
        let mut sensors = self.state;
        if (2_200..2_205).contains(&tick) {
            sensors.configuration[model::joint::lift::COORDINATE] = f32::NAN;
        }
        sensors
    }

    fn tick(&mut self, sensors: &State, memory: &mut Memory) {
        use model::joint::{left_finger, lift};
        let mut command = SVector::from_element(0.0);
        let error = Self::target(sensors.time) - sensors.configuration[lift::COORDINATE];
        command[lift::DOF] = WEIGHT + STIFFNESS * error - DAMPING * sensors.velocity[lift::DOF];
        // One motor moves the left finger; the equality takes the right one along.
        command[left_finger::DOF] = GRIP;
        let budget = Budget::new(12, 1e-6);
        let step = |state: &mut State, command: &SVector<f32, NV>, memory: &mut Memory| {
            self.model.step_euler(state, &Input::force(*command), &budget, &mut memory.work, &mut ()).is_ok()
        };
        if step(&mut self.state, &command, memory) {
            self.hold.good(command);
        } else {
            self.hold.refuse();
            step(&mut self.state, self.hold.command(), memory);
        }
    }

    fn record(&self, record: &mut impl FnMut(f32)) {
        let state = self.state.configuration.iter().chain(self.state.velocity.iter());
        for x in state.chain(self.hold.command().iter()) {
            record(*x);
        }
    }

    /// The ball is in the hand, a decimetre up, and hardly moves in it.
    fn outcome(&self) -> (u32, bool) {
        let moving = self.state.velocity.as_slice().get(model::joint::ball::DOF..).map_or(f32::NAN, norm);
        let held = (self.ball_height() - (0.03 + HEIGHT)).abs() < 0.01;
        (self.hold.refused(), held && moving < 0.05)
    }
}
