//! An arm of seven joints at 1 kHz: computed torque along a path that leads beyond its joint limits, which push back.
//!
//! The torques that a wanted acceleration takes come from inverse dynamics; the limits are the model's soft constraints.

use delassus::scalar::{clamp, sine_cosine};
use delassus::solver::{Budget, Measure, SweepWorkspace};
use nalgebra::SVector;

pub use super::models::arm as model;
use super::{Hold, Robot};
use model::{DESCRIPTION, Input, Model, NR, NV, State, Workspace};

/// Gains of the errors \[1/s², 1/s\].
const STIFFNESS: f32 = 400.0;
const DAMPING: f32 = 40.0;
/// What the motors can give, shoulder to wrist \[N m\].
const MOST_TORQUE: [f32; NV] = [87.0, 87.0, 87.0, 87.0, 12.0, 12.0, 12.0];
/// Amplitude of the path of each joint \[rad\] and its angular frequency \[rad/s\]. The limits are at ±1.7 rad.
const PATH: [(f32, f32); NV] = [(1.2, 2.0), (0.8, 3.1), (1.0, 2.3), (1.9, 1.9), (0.9, 4.1), (1.8, 2.7), (1.5, 3.3)];
/// The joints that the path drives beyond their limits.
const BEYOND: [usize; 2] = [3, 5];

/// What a tick needs. Seldom more than two limits act at once: then sweeps cost a fraction of Newton's method.
pub struct Memory {
    work: Workspace<SweepWorkspace<f32, NV, NR>>,
}

impl Memory {
    /// All zero.
    pub const fn new() -> Self {
        Self { work: Workspace::with_solver(0.0, SweepWorkspace::filled(0.0)) }
    }
}

/// The arm, its controller, and the world that the arm is in.
pub struct ArmLimits {
    model: Model,
    /// The world's: on a board the arm itself.
    state: State,
    hold: Hold<NV>,
    limited: u32,
    furthest: f32,
}

impl ArmLimits {
    /// The acceleration that leads to the path and along it \[rad/s²\].
    fn wanted(&self, sensors: &State) -> SVector<f32, NV> {
        let mut wanted = SVector::from_element(0.0);
        for (k, (amplitude, frequency)) in PATH.iter().enumerate() {
            let (sine, cosine) = sine_cosine(*frequency * sensors.time);
            let (place, speed) = (amplitude * sine, amplitude * frequency * cosine);
            let acceleration = -amplitude * frequency * frequency * sine;
            wanted[k] =
                acceleration + STIFFNESS * (place - sensors.configuration[k]) + DAMPING * (speed - sensors.velocity[k]);
        }
        wanted
    }

    fn budget() -> Budget<f32> {
        // Until no limit's torque changes by more than a thousandth of a newton metre.
        Budget { measure: Measure::ForceCorrection, ..Budget::new(20, 1e-3) }
    }
}

impl Robot for ArmLimits {
    const NAME: &'static str = "arm_limits";
    const TICKS: u32 = 4_000;
    type Memory = Memory;
    /// Joint angles and speeds.
    type Sensors = State;

    fn start(memory: &mut Memory) -> Option<Self> {
        let model = Model::stated(&DESCRIPTION, &mut memory.work.smooth, &mut []).ok()?;
        let state = model.state();
        Some(Self { model, state, hold: Hold::new(), limited: 0, furthest: 0.0 })
    }

    /// Encoders without noise; the elbow's is broken for five ticks.
    fn sensors(&self, tick: u32) -> State {
        let mut sensors = self.state;
        if (2_500..2_505).contains(&tick) {
            sensors.configuration[model::joint::elbow::COORDINATE] = f32::NAN;
        }
        sensors
    }

    fn tick(&mut self, sensors: &State, memory: &mut Memory) {
        let wanted = self.wanted(sensors);
        match self.model.inverse_unconstrained(sensors, &wanted, &mut memory.work.smooth) {
            Ok(mut command) => {
                for (torque, most) in command.iter_mut().zip(MOST_TORQUE) {
                    *torque = clamp(*torque, -most, most);
                }
                self.hold.good(command);
            }
            // Which number was bad is in the error; nothing has changed.
            Err(_) => self.hold.refuse(),
        }
        let input = Input::force(*self.hold.command());
        let report = self.model.step_euler(&mut self.state, &input, &Self::budget(), &mut memory.work, &mut ());
        if report.is_ok_and(|report| report.solver.active_rows > 0) {
            self.limited += 1;
        }
        for k in BEYOND {
            let place = self.state.configuration.get(k).map_or(f32::NAN, |q| q.abs());
            if place > self.furthest {
                self.furthest = place;
            }
        }
    }

    fn record(&self, record: &mut impl FnMut(f32)) {
        let state = self.state.configuration.iter().chain(self.state.velocity.iter());
        for x in state.chain(self.hold.command().iter()) {
            record(*x);
        }
    }

    /// Limits were reached and gave way by no more than a few degrees where the path goes 11° beyond them.
    fn outcome(&self) -> (u32, bool) {
        (self.hold.refused(), self.limited > 100 && self.furthest > 1.7 && self.furthest < 1.8)
    }
}
