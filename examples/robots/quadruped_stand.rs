//! A quadruped at 500 Hz: pushed at the start, it ends standing. Its description is generated from `examples/models/quadruped.xml`.

use delassus::scalar::norm;
use delassus::solver::Budget;
use nalgebra::SVector;

pub use super::models::quadruped as model;
use super::{Hold, Robot};
use model::{DESCRIPTION, Input, Model, NQ, NV, State, Workspace};

/// Position control of the legs \[N m/rad, N m s/rad\].
const STIFFNESS: f32 = 60.0;
const DAMPING: f32 = 2.0;
/// The first coordinate and dof of the legs: a free joint is before them.
const LEGS: (usize, usize) = (7, 6);
/// The push: velocity of the trunk at the start, forward, to the left, and its turning \[m/s, rad/s\].
const PUSH: [f32; 6] = [0.5, 0.35, 0.0, 0.6, 0.5, 0.4];

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
    hold: Hold<NV>,
}

impl QuadrupedStand {
    /// Torques that lead the legs to the pose of the keyframe `stand` \[N m\].
    fn control(sensors: &State) -> SVector<f32, NV> {
        let stand = &model::keyframe::stand::CONFIGURATION;
        let mut torque = SVector::from_element(0.0);
        for (k, dof) in (LEGS.0..NQ).zip(LEGS.1..NV) {
            torque[dof] = STIFFNESS * (stand[k] - sensors.configuration[k]) - DAMPING * sensors.velocity[dof];
        }
        torque
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
    const TICKS: u32 = 2_000;
    type Memory = Memory;
    /// Joint angles and speeds, pose and velocity of the trunk.
    type Sensors = State;

    fn start(memory: &mut Memory) -> Option<Self> {
        let model = Model::new(&DESCRIPTION, &mut memory.work.smooth).ok()?;
        let mut state = model.state();
        state.configuration = model::keyframe::stand::CONFIGURATION;
        for (v, push) in state.velocity.iter_mut().zip(PUSH) {
            *v = push;
        }
        Some(Self { model, state, hold: Hold::new() })
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
        let command = Self::control(sensors);
        let budget = Budget::new(10, 1e-6);
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

    /// Upright, at its height, and still.
    fn outcome(&self) -> (u32, bool) {
        let (height, upright, speed) = self.stance();
        (self.hold.refused(), upright > 0.99 && height > 0.25 && speed < 0.01)
    }
}
