//! A four-bar linkage at 1 kHz: a loop closed by a connect, dry friction in every hinge, the crank turned back and forth by its motor.

use delassus::scalar::{clamp, norm, sine_cosine};
use delassus::solver::Budget;
use nalgebra::SVector;

pub use super::models::four_bar as model;
use super::{Hold, Robot};
use model::{DESCRIPTION, Input, Model, NV, State, Workspace};

/// The motor's gains \[N m/rad, N m s/rad\] and what it can give \[N m\].
const STIFFNESS: f32 = 8.0;
const DAMPING: f32 = 0.3;
const MOST_TORQUE: f32 = 3.0;
/// Swing of the crank \[rad\] and its angular frequency \[rad/s\].
const SWING: f32 = 0.5;
const FREQUENCY: f32 = 4.0;

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

/// The linkage and its motor.
pub struct FourBar {
    model: Model,
    state: State,
    hold: Hold<NV>,
    /// Largest gap of the loop so far \[m\], and largest error of the crank in the second half \[rad\].
    gap: f32,
    error: f32,
}

impl FourBar {
    /// Where the crank should be at this time \[rad\].
    fn target(time: f32) -> f32 {
        SWING * sine_cosine(FREQUENCY * time).0
    }

    /// How far the coupler's end is from the rocker's \[m\].
    fn loop_gap(memory: &Memory) -> f32 {
        let kinematics = memory.work.kinematics();
        let end = |body: u16, x: f32, z: f32| kinematics.frame(Some(body)).apply(&nalgebra::Vector3::new(x, 0.0, z));
        let gap = end(model::body::COUPLER, 0.3, 0.15) - end(model::body::ROCKER, 0.0, 0.25);
        norm(gap.as_slice())
    }
}

impl Robot for FourBar {
    const NAME: &'static str = "four_bar";
    const TICKS: u32 = 4_000;
    type Memory = Memory;
    /// Joint angles and speeds; the motor needs the crank's.
    type Sensors = State;

    fn start(memory: &mut Memory) -> Option<Self> {
        let model = Model::stated(&DESCRIPTION, &mut memory.work.smooth, &mut []).ok()?;
        let state = model.state();
        Some(Self { model, state, hold: Hold::new(), gap: 0.0, error: 0.0 })
    }

    /// The crank's encoder is broken for five ticks.
    fn sensors(&self, tick: u32) -> State {
        let mut sensors = self.state;
        if (3_100..3_105).contains(&tick) {
            sensors.configuration[model::joint::crank::COORDINATE] = f32::NAN;
        }
        sensors
    }

    fn tick(&mut self, sensors: &State, memory: &mut Memory) {
        use model::joint::crank::{COORDINATE, DOF};
        let error = Self::target(sensors.time) - sensors.configuration[COORDINATE];
        let mut command = SVector::from_element(0.0);
        // `clamp` keeps a NaN, so that the step can refuse it.
        let torque = STIFFNESS * error - DAMPING * sensors.velocity[DOF];
        command[DOF] = if torque.is_finite() { clamp(torque, -MOST_TORQUE, MOST_TORQUE) } else { torque };
        let budget = Budget::new(10, 1e-6);
        let step = |state: &mut State, command: &SVector<f32, NV>, memory: &mut Memory| {
            self.model.step_euler(state, &Input::force(*command), &budget, &mut memory.work, &mut ()).is_ok()
        };
        if step(&mut self.state, &command, memory) {
            self.hold.good(command);
        } else {
            // The tick has refused the command and changed nothing: the motor keeps its last one, and the world goes on.
            self.hold.refuse();
            step(&mut self.state, self.hold.command(), memory);
        }
        let gap = Self::loop_gap(memory);
        if gap > self.gap {
            self.gap = gap;
        }
        if self.state.time > 2.0 && error.abs() > self.error {
            self.error = error.abs();
        }
    }

    fn record(&self, record: &mut impl FnMut(f32)) {
        let state = self.state.configuration.iter().chain(self.state.velocity.iter());
        for x in state.chain(self.hold.command().iter()) {
            record(*x);
        }
    }

    /// The loop stayed closed to half a millimetre, and the crank followed to ten degrees.
    fn outcome(&self) -> (u32, bool) {
        (self.hold.refused(), self.gap < 5e-4 && self.error < 0.2)
    }
}
