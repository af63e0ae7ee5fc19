//! Two blocks of 1 kg on the ground (S15-01 … S15-22), an upward pull on the upper one: bring your own M and J.

use delassus::mass::MassMatrix;
use delassus::rows::{Kind, Rows, Rule};
use delassus::scalar::{Real, literal};
use delassus::solver::{
    Budget, DelassusWorkspace, NewtonWorkspace, SolverError, SweepWorkspace, newton, projected_gauss_seidel,
    projected_gauss_seidel_with_delassus,
};
use nalgebra::{Matrix2, Vector2};

/// Everything that one solve of the stack needs; lives in a `static` on the chip.
pub struct Memory<T> {
    mass: MassMatrix<T, 2>,
    rows: Rows<T, 2, 2>,
    newton: NewtonWorkspace<T, 2, 2>,
    sweeps: SweepWorkspace<T, 2, 2>,
    delassus: DelassusWorkspace<T, 2, 2>,
}

impl<T: Copy> Memory<T> {
    pub const fn filled(zero: T) -> Self {
        Self {
            mass: MassMatrix::filled(zero),
            rows: Rows::new(),
            newton: NewtonWorkspace::filled(zero),
            sweeps: SweepWorkspace::filled(zero),
            delassus: DelassusWorkspace::filled(zero),
        }
    }
}

/// Forces of (ground, between the blocks) and accelerations of (lower, upper).
#[derive(Clone, Copy, Debug)]
pub struct Answer<T> {
    pub force: [T; 2],
    pub acceleration: [T; 2],
    pub iterations: u16,
}

/// The three ways of solving.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    Newton,
    Sweeps,
    SweepsWithDelassus,
}

/// Builds M, the two contact rows with regularizer R and the free acceleration under `pull`, and solves.
pub fn solve<T: Real>(
    memory: &mut Memory<T>,
    method: Method,
    pull: T,
    regularizer: T,
    warm_start: Option<[T; 2]>,
    budget: &Budget<T>,
) -> Result<Answer<T>, SolverError> {
    let Memory { mass, rows, newton: primal, sweeps, delassus } = memory;
    mass.set(&Matrix2::identity())?;
    rows.clear();
    let contact = |rows: &mut Rows<T, 2, 2>, jacobian: [T; 2]| {
        rows.finished(Kind::ContactFrictionless, Rule::NonNegative, &jacobian.into(), T::zero(), regularizer)
    };
    // Neither can be refused: two rows of finite numbers fit.
    let _ = contact(rows, [T::one(), T::zero()]);
    let _ = contact(rows, [-T::one(), T::one()]);
    let ten = literal::<T>(10.0);
    let free = Vector2::new(-ten, pull - ten);
    let warm_start = warm_start.map(Vector2::from);
    let (report, force, acceleration) = match method {
        Method::Newton => {
            let report = newton(mass, &free, rows, warm_start.as_ref(), budget, primal)?;
            (report, primal.force(), primal.acceleration())
        }
        Method::Sweeps => {
            let report = projected_gauss_seidel(mass, &free, rows, warm_start.as_ref(), budget, sweeps)?;
            (report, sweeps.force(), sweeps.acceleration())
        }
        Method::SweepsWithDelassus => {
            let report =
                projected_gauss_seidel_with_delassus(mass, &free, rows, warm_start.as_ref(), budget, delassus)?;
            (report, delassus.force(), delassus.acceleration())
        }
    };
    let mut answer = Answer { force: [T::zero(); 2], acceleration: [T::zero(); 2], iterations: report.iterations };
    for (to, from) in answer.force.iter_mut().zip(force) {
        *to = *from;
    }
    for (to, from) in answer.acceleration.iter_mut().zip(acceleration.iter()) {
        *to = *from;
    }
    Ok(answer)
}

/// Pulls from 0 to 20 N in single precision: each method, cold and from the answer before.
pub fn run(memory: &mut Memory<f32>, record: &mut impl FnMut(f32)) {
    for method in [Method::Newton, Method::Sweeps, Method::SweepsWithDelassus] {
        let mut last = None;
        for step in 0..=200u16 {
            let pull = f32::from(step) * 0.1;
            for warm_start in [None, last] {
                match solve(memory, method, pull, 0.1, warm_start, &Budget::new(30, 1e-7)) {
                    Ok(answer) => {
                        for x in answer.force.iter().chain(&answer.acceleration) {
                            record(*x);
                        }
                        record(f32::from(answer.iterations));
                        last = Some(answer.acceleration);
                    }
                    Err(_) => record(f32::NAN),
                }
            }
        }
    }
}
