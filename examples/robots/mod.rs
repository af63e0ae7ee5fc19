//! Five robots that run on the PC and on the chip from this one source: `examples/robots.rs` and `examples/firmware/src/bin`.
//!
//! Each has `Memory` for a `static`, `start`, `sensors` and `tick`. On a board `sensors` reads encoders and the command that `tick`
//! returns goes to the motor drivers; here the emulated world stands in for both.
#![allow(dead_code)] // every program uses its own robot

pub mod arm_limits;
pub mod four_bar;
pub mod gripper;
pub mod haptic_wall;
#[path = "../scenes/hash.rs"]
mod hash;
mod hold;
pub mod quadruped_stand;

pub use hash::Hash;
pub use hold::Hold;

/// Descriptions that `delassus generate` wrote from `examples/models`. A test holds the two together.
pub mod models {
    pub mod arm {
        include!("arm_model.rs");
    }
    pub mod four_bar {
        include!("four_bar_model.rs");
    }
    pub mod gripper {
        include!("gripper_model.rs");
    }
    pub mod quadruped {
        include!("quadruped_model.rs");
    }
}

/// A robot that can be run by a loop that does not know it.
pub trait Robot: Sized {
    /// Name of the example.
    const NAME: &'static str;
    /// How many ticks a run has.
    const TICKS: u32;
    /// What a tick needs and keeps; all zero, so a `static` of it costs no flash.
    type Memory;
    /// What the sensors say.
    type Sensors: Copy;

    /// Checks the model; `None` where it is refused.
    fn start(memory: &mut Self::Memory) -> Option<Self>;

    /// Reads the sensors before this tick. Some readings are broken on purpose: NaN.
    fn sensors(&self, tick: u32) -> Self::Sensors;

    /// Sensors in, motor command out, and what there is to know of the new state into `record`.
    fn tick(&mut self, sensors: &Self::Sensors, memory: &mut Self::Memory);

    /// Numbers of the new state and command, for the hash.
    fn record(&self, record: &mut impl FnMut(f32));

    /// Ticks that were refused, and whether the run ended as it should.
    fn outcome(&self) -> (u32, bool);
}

/// Runs all ticks and hashes what they did.
pub fn run<R: Robot>(memory: &mut R::Memory) -> Option<(Hash, R)> {
    let mut robot = R::start(memory)?;
    let mut hash = Hash::new();
    for tick in 0..R::TICKS {
        let sensors = robot.sensors(tick);
        robot.tick(&sensors, memory);
        robot.record(&mut |x| hash.add(x));
    }
    Some((hash, robot))
}
