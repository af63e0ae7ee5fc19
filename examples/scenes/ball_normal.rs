//! A ball of 2 kg that falls on a soft plane, its normal row only (S12-48 … S12-55): rows from a residual and a softness.

use delassus::mass::MassMatrix;
use delassus::rows::{Kind, RowContext, RowInput, Rows, RowsError};
use delassus::scalar::{Real, literal};
use delassus::softness::Softness;
use delassus::solver::{Budget, NewtonWorkspace, Report, SolverError, newton};
use nalgebra::{Matrix3, Vector3};

/// The shared ball: radius and inclusion margin \[m\], mass \[kg\], gravity \[m/s²\], time step \[s\].
pub const RADIUS: f64 = 0.2;
pub const MARGIN: f64 = 0.02;
pub const MASS: f64 = 2.0;
pub const GRAVITY: f64 = 9.81;
pub const STEP: f64 = 0.005;

/// What one tick needs; lives in a `static` on the chip.
pub struct Memory<T> {
    mass: MassMatrix<T, 3>,
    rows: Rows<T, 3, 1>,
    newton: NewtonWorkspace<T, 3, 1>,
}

impl<T: Copy> Memory<T> {
    pub const fn filled(zero: T) -> Self {
        Self { mass: MassMatrix::filled(zero), rows: Rows::new(), newton: NewtonWorkspace::filled(zero) }
    }
}

/// Position and velocity of the centre, and the acceleration of the last tick.
#[derive(Clone, Copy, Debug)]
pub struct State<T> {
    pub position: Vector3<T>,
    pub velocity: Vector3<T>,
    pub acceleration: Vector3<T>,
}

/// What a tick found: normal force, reference acceleration and regularizer of the row, if there is one.
#[derive(Clone, Copy, Debug)]
pub struct Tick<T> {
    pub force: T,
    pub reference: T,
    pub regularizer: T,
    pub report: Report<T>,
}

/// Why a tick was refused.
#[derive(Clone, Copy, Debug)]
pub enum Refusal {
    Rows(RowsError),
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

pub fn softness<T: Real>() -> Result<Softness<T>, RowsError> {
    let solimp = [0.9, 0.95, 0.02, 0.5, 2.0].map(literal::<T>);
    Ok(Softness::from_mujoco([literal(0.02), literal(1.0)], solimp)?)
}

/// Forces and acceleration at this state, which stays as it is.
pub fn forward<T: Real>(memory: &mut Memory<T>, softness: &Softness<T>, state: &State<T>) -> Result<Tick<T>, Refusal> {
    let Memory { mass, rows, newton: work } = memory;
    mass.set(&(Matrix3::identity() * literal::<T>(MASS))).map_err(SolverError::from)?;
    rows.clear();
    let context = RowContext::new(literal(STEP));
    let distance = state.position.z - literal(RADIUS);
    // Strictly inside the margin, as the engine has it (S11-03).
    if distance < literal(MARGIN) {
        let normal = Vector3::new(T::zero(), T::zero(), T::one());
        let input = RowInput::new(&normal, distance - literal(MARGIN), state.velocity.z);
        rows.one_sided(mass, &context, softness, Kind::ContactFrictionless, &input)?;
    }
    let free = Vector3::new(T::zero(), T::zero(), -literal::<T>(GRAVITY));
    let report = newton(mass, &free, rows, Some(&state.acceleration), &Budget::new(4, literal(1e-8)), work)?;
    let zero = T::zero();
    let (reference, regularizer) = rows.rows().first().map_or((zero, zero), |r| (r.reference(), r.regularizer()));
    Ok(Tick { force: work.force().first().copied().unwrap_or(zero), reference, regularizer, report })
}

/// One tick of semi-implicit Euler: velocity first.
pub fn step<T: Real>(memory: &mut Memory<T>, softness: &Softness<T>, state: &mut State<T>) -> Result<Tick<T>, Refusal> {
    let tick = forward(memory, softness, state)?;
    state.acceleration = *memory.newton.acceleration();
    state.velocity += state.acceleration * literal::<T>(STEP);
    state.position += state.velocity * literal::<T>(STEP);
    Ok(tick)
}

/// Centre at (0, 0, `height`), velocity (0.8, 0, `speed`).
pub fn start<T: Real>(height: f64, speed: f64) -> State<T> {
    let zero = T::zero();
    State {
        position: Vector3::new(zero, zero, literal(height)),
        velocity: Vector3::new(literal(0.8), zero, literal(speed)),
        acceleration: Vector3::new(zero, zero, zero),
    }
}

/// The worked instant, then 2 s of falling from 0.6 m and coming to rest, in single precision.
pub fn run(memory: &mut Memory<f32>, record: &mut impl FnMut(f32)) {
    let Ok(softness) = softness() else {
        record(f32::NAN);
        return;
    };
    let mut state = start(0.19, -0.1);
    for tick in 0..=400u16 {
        match step(memory, &softness, &mut state) {
            Ok(found) => {
                for x in [found.force, found.reference, found.regularizer, state.position.z, state.velocity.z] {
                    record(x);
                }
            }
            Err(_) => record(f32::NAN),
        }
        if tick == 0 {
            state = start(0.6, 0.0);
        }
    }
}
