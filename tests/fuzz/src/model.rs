//! The door of descriptions: `Model::new` on any description, then a few ticks from any state.

use delassus::constraint::AnchorMotion;
use delassus::forces::Wrench;
use delassus::model::{Model, State};
use delassus::scalar::literal;
use delassus::solver::{Budget, ConjugateGradientWorkspace, DelassusWorkspace, NewtonWorkspace, SweepWorkspace};
use delassus::tendon::TendonConstants;
use delassus::tick::{Input, Method, Workspace};
use nalgebra::SVector;

use crate::description::{Lists, index, lists, rarely, rarely_three};
use crate::judge::{allowed, told};
use crate::numbers::{Bytes, Float};

const NB: usize = 4;
const NQ: usize = 20;
const NV: usize = 16;
const NC: usize = 6;
const NR: usize = 40;

/// No panic, no hang; typed errors that leave the state alone, or finite states and allowed forces.
pub fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    if bytes.yes() { mechanism::<f64>(&mut bytes) } else { mechanism::<f32>(&mut bytes) }
}

fn mechanism<T: Float>(bytes: &mut Bytes<'_>) {
    let lists = lists::<T>(bytes);
    let zero = T::zero();
    match bytes.below(5) {
        0 => ticks(bytes, &lists, SweepWorkspace::filled(zero)),
        1 => ticks(bytes, &lists, DelassusWorkspace::filled(zero)),
        2 => ticks(bytes, &lists, ConjugateGradientWorkspace::filled(zero)),
        _ => ticks(bytes, &lists, NewtonWorkspace::filled(zero)),
    }
}

fn bits<T: Float>(state: &State<T, NQ, NV>) -> Vec<u64> {
    let numbers = state.configuration.iter().chain(&state.velocity).chain(&state.warm_start);
    numbers.chain([&state.time]).map(|x| x.to_bits()).collect()
}

fn ticks<T: Float, S: Method<T, NV, NR, NC>>(bytes: &mut Bytes<'_>, lists: &Lists<T>, solver: S) {
    let zero = T::zero();
    let description = lists.description();
    let mut constants = vec![TendonConstants::filled(zero); lists.tendons.len()];
    let mut work = Box::new(Workspace::<T, NB, NV, NC, NR, S>::with_solver(zero, solver));
    let Ok(model) = Model::<T, NB, NQ, NV>::with_tendons(&description, &mut work.smooth, &mut constants) else {
        return;
    };
    let mut state = model.state();
    let sound = |state: &State<T, NQ, NV>| {
        state.configuration.iter().chain(&state.velocity).chain(&state.warm_start).all(|x| x.is_finite())
    };
    assert!(sound(&state));
    if bytes.yes() {
        for q in state.configuration.iter_mut().take(model.coordinate_count()) {
            *q += rarely(bytes);
        }
        for v in state.velocity.iter_mut().chain(&mut state.warm_start).take(model.dof_count()) {
            *v = rarely(bytes);
        }
    }
    let control: [T; 2] = bytes.numbers();
    let wrenches =
        [Wrench { body: index(bytes, lists.bodies.len()), force: rarely_three(bytes), torque: rarely_three(bytes) }];
    let motions = [AnchorMotion {
        equality: index(bytes, lists.equalities.len()),
        displacement: rarely_three(bytes),
        velocity: rarely_three(bytes),
        acceleration: rarely_three(bytes),
    }];
    let input = Input {
        force: if bytes.yes() { SVector::from_element(zero) } else { bytes.vector() },
        control: &control[..bytes.below(3)],
        wrenches: if bytes.byte() < 200 { &[] } else { &wrenches },
        equality_active: if bytes.yes() { &[] } else { &[true, false, true] },
        anchor_motions: if bytes.byte() < 200 { &[] } else { &motions },
    };
    let iterations = bytes.among(&[0, 1, 2, 5, 12]);
    let tolerance = if bytes.yes() { literal(1e-8) } else { zero };
    let budget = Budget { line_search: bytes.among(&[0, 3, 40]), ..Budget::new(iterations, tolerance) };
    let given = SVector::<T, NV>::from_fn(|_, _| rarely(bytes));
    if let Ok(found) = model.inverse(&state, &given, &input, &mut work) {
        assert!(found.force.iter().all(|x| x.is_finite()));
    }
    for _ in 0..3 {
        let before = bits(&state);
        match model.step(&mut state, &input, &budget, &mut work) {
            Ok(report) => {
                told(&report.solver);
                assert!(sound(&state), "{state:?}");
                assert!(work.contacts().len() <= NC);
                allowed(work.rows(), work.row_forces(), work.acceleration().as_slice());
                for k in 0..work.contacts().len() {
                    let force = work.contact_force_in_world(k).expect("listed");
                    assert!(force.force.iter().chain(&force.torque).all(|x| x.abs() >= zero));
                }
            }
            Err(_) => {
                assert_eq!(before, bits(&state), "an error moved the state");
                break;
            }
        }
    }
}
