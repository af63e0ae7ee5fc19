//! The ball thrown along a plane: the same motion by the crate's general machinery and by the closed form of two forces.
#![allow(dead_code)] // the example and the test each use their part

pub mod closed;
pub mod machinery;

/// What the trace is of (S15-67): height and speed of the throw, step, duration, friction; all SI.
#[derive(Clone, Copy, Debug)]
pub struct Throw {
    pub height: f64,
    pub speed: f64,
    pub step: f64,
    pub duration: f64,
    pub friction: f64,
}

impl Throw {
    /// Friction 0.6, height 0.6 m, 0.8 m/s, step 5 ms, 2 s.
    pub const STANDARD: Self = Self { height: 0.6, speed: 0.8, step: 0.005, duration: 2.0, friction: 0.6 };

    /// How many steps fit into the duration.
    pub fn steps(&self) -> usize {
        (self.duration / self.step).round() as usize
    }
}

/// Mass \[kg\], radius and inclusion margin \[m\], gravity \[m/s²\].
pub const MASS: f64 = 2.0;
pub const RADIUS: f64 = 0.2;
pub const MARGIN: f64 = 0.02;
pub const GRAVITY: f64 = 9.81;
/// solref and solimp of the contact.
pub const SOLREF: [f64; 2] = [0.02, 1.0];
pub const SOLIMP: [f64; 5] = [0.9, 0.95, 0.02, 0.5, 2.0];

/// One state and the contact force found in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Record {
    pub time: f64,
    /// x, z of the centre \[m\].
    pub position: [f64; 2],
    pub velocity: [f64; 2],
    /// Normal, and tangential along x \[N\].
    pub force: [f64; 2],
}

impl Record {
    /// Distance of the surfaces \[m\]; positive when they do not touch.
    pub fn gap(&self) -> f64 {
        self.position[1] - RADIUS
    }
}
