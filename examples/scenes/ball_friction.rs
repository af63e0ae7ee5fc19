//! The same ball thrown along the plane with friction 0.6, one elliptic contact (W12-85, W15-60 … W15-67, S15-67 … S15-73).

use delassus::mass::MassMatrix;
use delassus::rows::{RowContext, RowInput, Rows};
use delassus::scalar::{Real, literal};
use delassus::softness::Softness;
use delassus::solver::{Budget, NewtonWorkspace, Report, SolverError, newton};
use nalgebra::{Matrix3, Vector3};

use super::ball_normal::{GRAVITY, MARGIN, MASS, RADIUS, Refusal, STEP, State, start};

/// Sliding friction coefficient, both directions.
pub const FRICTION: f64 = 0.6;

/// What one tick needs; lives in a `static` on the chip.
pub struct Memory<T> {
    mass: MassMatrix<T, 3>,
    rows: Rows<T, 3, 3, 1>,
    newton: NewtonWorkspace<T, 3, 3>,
}

impl<T: Copy> Memory<T> {
    pub const fn filled(zero: T) -> Self {
        Self { mass: MassMatrix::filled(zero), rows: Rows::with_cones(), newton: NewtonWorkspace::filled(zero) }
    }
}

/// What a tick found: force along (normal, world x, world y), zero without a contact.
#[derive(Clone, Copy, Debug)]
pub struct Tick<T> {
    pub force: [T; 3],
    pub report: Report<T>,
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
        let (zero, one) = (T::zero(), T::one());
        let axes = [Vector3::new(zero, zero, one), Vector3::new(one, zero, zero), Vector3::new(zero, one, zero)];
        let velocity = [state.velocity.z, state.velocity.x, state.velocity.y];
        let contact = [
            RowInput::new(&axes[0], distance - literal(MARGIN), velocity[0]),
            RowInput::new(&axes[1], zero, velocity[1]),
            RowInput::new(&axes[2], zero, velocity[2]),
        ];
        rows.elliptic(mass, &context, softness, None, &contact, &[literal(FRICTION); 2])?;
    }
    let free = Vector3::new(T::zero(), T::zero(), -literal::<T>(GRAVITY));
    let budget = Budget { line_search: 40, ..Budget::new(10, literal(1e-8)) };
    let report = newton(mass, &free, rows, Some(&state.acceleration), &budget, work)?;
    let mut force = [T::zero(); 3];
    for (to, from) in force.iter_mut().zip(work.force()) {
        *to = *from;
    }
    Ok(Tick { force, report })
}

/// One tick of semi-implicit Euler: velocity first.
pub fn step<T: Real>(memory: &mut Memory<T>, softness: &Softness<T>, state: &mut State<T>) -> Result<Tick<T>, Refusal> {
    let tick = forward(memory, softness, state)?;
    state.acceleration = *memory.newton.acceleration();
    state.velocity += state.acceleration * literal::<T>(STEP);
    state.position += state.velocity * literal::<T>(STEP);
    Ok(tick)
}

/// The worked instant, then 2 s of flying from 0.6 m and coming to rest, in single precision.
pub fn run(memory: &mut Memory<f32>, record: &mut impl FnMut(f32)) {
    let Ok(softness) = super::ball_normal::softness() else {
        record(f32::NAN);
        return;
    };
    let mut state = start(0.19, -0.1);
    for tick in 0..=400u16 {
        match step(memory, &softness, &mut state) {
            Ok(found) => {
                for x in found.force.iter().chain(state.position.iter()).chain(state.velocity.iter()) {
                    record(*x);
                }
            }
            Err(_) => record(f32::NAN),
        }
        if tick == 0 {
            state = start(0.6, 0.0);
        }
    }
}
