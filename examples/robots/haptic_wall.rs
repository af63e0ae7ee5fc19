//! A knob at 10 kHz: a virtual wall and two end stops, felt through the motor of one axis.
//!
//! No mechanism and no generated code: one degree of freedom, rows of one's own, and the sweeps, whose force is what the motor gives.
//! The hand is a file of angles.

use delassus::mass::MassMatrix;
use delassus::rows::{Kind, RowContext, RowInput, Rows, RowsError};
use delassus::scalar::{clamp, literal};
use delassus::softness::Softness;
use delassus::solver::{Budget, SolverError, SweepWorkspace, projected_gauss_seidel};
use nalgebra::{Matrix1, Vector1};

use super::{Hold, Robot};

/// Time between ticks \[s\].
const STEP: f32 = 1e-4;
/// Inertia of motor and knob \[kg m²\].
const INERTIA: f32 = 2e-5;
/// Where the virtual wall begins, and the end stops \[rad\].
const WALL: f32 = 0.4;
const STOPS: [f32; 2] = [-0.6, 0.6];
/// What the motor can give \[N m\].
const MOST_TORQUE: f32 = 0.3;

/// Angles of a knob in a hand [0.1 mrad], a line each: to the lower stop, slowly into the wall, along it, with a knock to the upper stop,
/// back and a double tap. `make_hand.py` says where they come from and how to put a recording of your own in their place.
const RECORDING: &[u8] = include_bytes!("hand.csv");
/// How many a second.
const RATE: u32 = 200;
/// Ticks between two angles.
const STRIDE: u32 = 10_000 / RATE;
const HAND: [i16; samples(RECORDING)] = parsed(RECORDING);

/// How many lines are no remarks.
const fn samples(text: &[u8]) -> usize {
    let (mut count, mut at) = (0, 0);
    while at < text.len() {
        count += (text[at] != b'#') as usize;
        while at < text.len() && text[at] != b'\n' {
            at += 1;
        }
        at += 1;
    }
    count
}

/// The numbers of the lines, read by the compiler: what is no number ends its work.
const fn parsed<const N: usize>(text: &[u8]) -> [i16; N] {
    let (mut angles, mut count, mut at) = ([0; N], 0, 0);
    while at < text.len() {
        let remark = text[at] == b'#';
        let sign = if text[at] == b'-' { -1 } else { 1 };
        at += (text[at] == b'-') as usize;
        let mut number = 0;
        while at < text.len() && text[at] != b'\n' {
            if !remark {
                assert!(text[at].is_ascii_digit(), "a line of the recording is no whole number");
                number = 10 * number + (text[at] - b'0') as i16;
            }
            at += 1;
        }
        if !remark {
            angles[count] = sign * number;
            count += 1;
        }
        at += 1;
    }
    angles
}

/// What a tick needs.
pub struct Memory {
    mass: MassMatrix<f32, 1>,
    rows: Rows<f32, 1, 3>,
    solver: SweepWorkspace<f32, 1, 3>,
}

impl Memory {
    /// All zero.
    pub const fn new() -> Self {
        Self { mass: MassMatrix::filled(0.0), rows: Rows::new(), solver: SweepWorkspace::filled(0.0) }
    }
}

/// Why there is no torque in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Refusal {
    /// An angle that is no number.
    Rows(RowsError),
    /// The solver refused the problem.
    Solver(SolverError),
}

impl From<RowsError> for Refusal {
    fn from(error: RowsError) -> Self {
        Self::Rows(error)
    }
}

impl From<SolverError> for Refusal {
    fn from(error: SolverError) -> Self {
        Self::Solver(error)
    }
}

/// The knob's controller.
pub struct HapticWall {
    context: RowContext<f32>,
    budget: Budget<f32>,
    wall: Softness<f32>,
    stop: Softness<f32>,
    /// The last angle that could be used, and its speed, smoothed \[rad, rad/s\].
    angle: f32,
    speed: f32,
    hold: Hold<1>,
    deepest: f32,
    strongest: f32,
}

impl HapticWall {
    /// Torque of wall and stops at an angle and speed \[N m\].
    fn torque(&self, angle: f32, speed: f32, memory: &mut Memory) -> Result<Vector1<f32>, Refusal> {
        let Memory { mass, rows, solver } = memory;
        rows.clear();
        let [low, high] = STOPS;
        // Residuals are positive on the allowed side; the sign is what a turn to larger angles does to them.
        for (residual, sign, softness) in
            [(WALL - angle, -1.0, &self.wall), (angle - low, 1.0, &self.stop), (high - angle, -1.0, &self.stop)]
        {
            // Not "residual < 0": a residual that is no number must be refused, not skipped.
            if !(residual >= 0.0) {
                let jacobian = Vector1::new(sign);
                let input = RowInput::new(&jacobian, residual, sign * speed);
                rows.one_sided(mass, &self.context, softness, Kind::JointLimit, &input)?;
            }
        }
        if rows.is_empty() {
            return Ok(Vector1::new(0.0));
        }
        // Nothing is known of the hand's torque, so the free knob would go on as it is.
        projected_gauss_seidel(mass, &Vector1::new(0.0), rows, None, &self.budget, solver)?;
        Ok(rows.generalized_force(solver.force()).map(|torque| clamp(torque, -MOST_TORQUE, MOST_TORQUE)))
    }
}

impl Robot for HapticWall {
    const NAME: &'static str = "haptic_wall";
    const TICKS: u32 = STRIDE * (HAND.len() as u32 - 1);
    type Memory = Memory;
    /// The knob's angle \[rad\].
    type Sensors = f32;

    fn start(memory: &mut Memory) -> Option<Self> {
        memory.mass.set(&Matrix1::new(INERTIA)).ok()?;
        let mut budget = Budget::new(4, 1e-5);
        budget.measure = delassus::solver::Measure::ForceCorrection;
        Some(Self {
            context: RowContext::new(STEP),
            budget,
            // A wall gives way by a degree or two under a finger's torque, a stop hardly.
            wall: Softness::from_mujoco([-5e4, -250.0], [0.9, 0.9, 0.001, 0.5, 2.0]).ok()?,
            stop: Softness::from_mujoco([-2.5e5, -900.0], [0.9, 0.95, 0.01, 0.5, 2.0]).ok()?,
            angle: 0.0,
            speed: 0.0,
            hold: Hold::new(),
            deepest: 0.0,
            strongest: 0.0,
        })
    }

    /// Between the file's angles the hand turns evenly; three readings are broken while it leans on the wall.
    fn sensors(&self, tick: u32) -> f32 {
        if (5_300..5_303).contains(&tick) {
            return f32::NAN;
        }
        let rest = tick % STRIDE;
        let mut angles = HAND.iter().skip((tick / STRIDE) as usize).map(|angle| f32::from(*angle) * 1e-4);
        let from = angles.next().unwrap_or(0.0);
        let to = angles.next().unwrap_or(from);
        from + (to - from) * (rest as f32 * literal::<f32>(1.0 / STRIDE as f64))
    }

    fn tick(&mut self, angle: &f32, memory: &mut Memory) {
        let speed = self.speed + 0.1 * ((*angle - self.angle) * (1.0 / STEP) - self.speed);
        match self.torque(*angle, speed, memory) {
            Ok(torque) => {
                (self.angle, self.speed) = (*angle, speed);
                self.hold.good(torque);
            }
            Err(_) => self.hold.refuse(),
        }
        let depth = self.angle - WALL;
        if depth > self.deepest {
            self.deepest = depth;
        }
        if self.hold.command()[0].abs() > self.strongest {
            self.strongest = self.hold.command()[0].abs();
        }
    }

    fn record(&self, record: &mut impl FnMut(f32)) {
        for x in [self.angle, self.speed, self.hold.command()[0]] {
            record(x);
        }
    }

    /// The wall was felt, and the motor was let go at the end, where the hand is in the open.
    fn outcome(&self) -> (u32, bool) {
        let felt = self.deepest > 0.01 && self.strongest > 0.05;
        (self.hold.refused(), felt && self.hold.command()[0] == 0.0)
    }
}
