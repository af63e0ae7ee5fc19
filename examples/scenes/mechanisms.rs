//! Two mechanisms by description: a two-link arm that falls onto a joint limit, and a four-bar linkage closed by a connect, with dry
//! friction. A thousand steps each.

use delassus::description::{Body, Description, Equality, EqualityKind, Joint};
use delassus::model::{Model, State};
use delassus::scalar::{Real, literal};
use delassus::solver::Budget;
use delassus::tick::{Input, TickError, Workspace};

/// Memory of the arm: 2 bodies, 2 dofs, no contacts, 2 limit rows at most.
pub type ArmMemory<T> = Workspace<T, 2, 2, 0, 2>;
/// Memory of the linkage: 3 bodies, 3 dofs, 3 connect rows and 3 of friction.
pub type LinkageMemory<T> = Workspace<T, 3, 3, 0, 6>;

/// The descriptions in one scalar; a `static` cannot be generic.
macro_rules! descriptions {
    ($scalar:ty, $arm:ident, $linkage:ident) => {
        /// Two box links of 1 m and 0.8 m about −y (S07-19), the elbow limited to ±1 rad.
        pub static $arm: Description<$scalar> = {
            const SQUARE: $scalar = 0.01 / 12.0;
            static BODIES: [Body<$scalar>; 2] = [
                Body {
                    center: [0.0, 0.0, -0.5],
                    ..Body::<$scalar>::new(
                        2.0,
                        [2.0 * (1.0 / 12.0 + SQUARE), 2.0 * (1.0 / 12.0 + SQUARE), 4.0 * SQUARE],
                    )
                },
                Body {
                    parent: Some(0),
                    position: [0.0, 0.0, -1.0],
                    center: [0.0, 0.0, -0.4],
                    ..Body::<$scalar>::new(1.0, [0.64 / 12.0 + SQUARE, 0.64 / 12.0 + SQUARE, 2.0 * SQUARE])
                },
            ];
            static JOINTS: [Joint<$scalar>; 2] = [
                Joint { axis: [0.0, -1.0, 0.0], damping: [0.05, 0.0, 0.0], ..Joint::<$scalar>::hinge(0) },
                Joint { axis: [0.0, -1.0, 0.0], range: Some([-1.0, 1.0]), ..Joint::<$scalar>::hinge(1) },
            ];
            Description { bodies: &BODIES, joints: &JOINTS, ..Description::<$scalar>::empty(0.002) }
        };

        /// Crank, coupler and rocker on a ground of 0.3 m; the coupler's end is connected to the rocker's.
        pub static $linkage: Description<$scalar> = {
            static BODIES: [Body<$scalar>; 3] = [
                Body { center: [0.0, 0.0, 0.05], ..Body::<$scalar>::new(0.2, [3e-4, 3e-4, 2e-5]) },
                Body {
                    parent: Some(0),
                    position: [0.0, 0.0, 0.1],
                    center: [0.15, 0.0, 0.075],
                    ..Body::<$scalar>::new(0.5, [5e-3, 5e-3, 1e-4])
                },
                Body {
                    position: [0.3, 0.0, 0.0],
                    center: [0.0, 0.0, 0.125],
                    ..Body::<$scalar>::new(0.4, [2.5e-3, 2.5e-3, 5e-5])
                },
            ];
            const HINGE: Joint<$scalar> =
                Joint { axis: [0.0, 1.0, 0.0], friction_loss: 0.01, ..Joint::<$scalar>::hinge(0) };
            static JOINTS: [Joint<$scalar>; 3] = [HINGE, Joint { body: 1, ..HINGE }, Joint { body: 2, ..HINGE }];
            static LOOPS: [Equality<$scalar>; 1] = [Equality::<$scalar>::new(EqualityKind::Connect {
                bodies: [Some(1), Some(2)],
                anchor: [0.3, 0.0, 0.15],
            })];
            Description { bodies: &BODIES, joints: &JOINTS, equalities: &LOOPS, ..Description::<$scalar>::empty(0.002) }
        };
    };
}

descriptions!(f32, ARM, LINKAGE);
descriptions!(f64, ARM_F64, LINKAGE_F64);

/// The arm held up at (2, 0.5) rad.
pub fn arm_start<T: Real>(model: &Model<'_, T, 2, 2, 2>) -> State<T, 2, 2> {
    State { configuration: [literal(2.0), literal(0.5)], ..model.state() }
}

/// The budget of every tick.
pub fn budget<T: Real>() -> Budget<T> {
    Budget::new(10, literal(1e-7))
}

/// The crank's drive at this step: back and forth \[N m\].
pub fn drive<T: Real>(step: u16) -> T {
    if step % 400 < 200 { literal(0.3) } else { literal(-0.3) }
}

/// One step of the arm.
pub fn arm_step<T: Real>(
    model: &Model<'_, T, 2, 2, 2>,
    state: &mut State<T, 2, 2>,
    memory: &mut ArmMemory<T>,
) -> Result<(), TickError> {
    model.step(state, &Input::none(), &budget(), memory).map(|_| ())
}

/// One step of the linkage, its crank driven.
pub fn linkage_step<T: Real>(
    model: &Model<'_, T, 3, 3, 3>,
    step: u16,
    state: &mut State<T, 3, 3>,
    memory: &mut LinkageMemory<T>,
) -> Result<(), TickError> {
    let mut input = Input::none();
    input.force[0] = drive(step);
    model.step(state, &input, &budget(), memory).map(|_| ())
}

fn note<const NQ: usize, const NV: usize>(
    state: &State<f32, NQ, NV>,
    work: &nalgebra::SVector<f32, NV>,
    record: &mut impl FnMut(f32),
) {
    for x in state.configuration.iter().chain(state.velocity.iter()).chain(work.iter()) {
        record(*x);
    }
}

/// A thousand steps of the arm in single precision.
pub fn run_arm(memory: &mut ArmMemory<f32>, record: &mut impl FnMut(f32)) {
    let Ok(model) = Model::new(&ARM, &mut memory.smooth) else { return record(f32::NAN) };
    let mut state = arm_start(&model);
    for _ in 0..1000u16 {
        if arm_step(&model, &mut state, memory).is_err() {
            record(f32::NAN);
        }
        note(&state, memory.constraint_force(), record);
    }
}

/// A thousand steps of the linkage in single precision.
pub fn run_linkage(memory: &mut LinkageMemory<f32>, record: &mut impl FnMut(f32)) {
    let Ok(model) = Model::new(&LINKAGE, &mut memory.smooth) else { return record(f32::NAN) };
    let mut state = model.state();
    for step in 0..1000u16 {
        if linkage_step(&model, step, &mut state, memory).is_err() {
            record(f32::NAN);
        }
        note(&state, memory.constraint_force(), record);
    }
}
