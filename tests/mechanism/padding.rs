//! Larger sizes than a mechanism needs change no bit of forward or of a hundred steps, in either precision, with any solver.

use super::build::{Mechanism, ball, free, hinge, slide, sphere};
use super::common::Number;
use delassus::description::{Body, EqualityKind, Joint};
use delassus::model::{Model, Smooth};
use delassus::scalar::literal;
use delassus::solver::{Budget, ConjugateGradientWorkspace, DelassusWorkspace, NewtonWorkspace, SweepWorkspace};
use delassus::tick::{Input, Method, Workspace};
use nalgebra::SVector;

/// One chain: hinge, hinge and slide, ball, and a body welded to its end; a limit, dry friction, a weld, dampers. 6 dofs.
fn chain() -> Mechanism<f64> {
    let mut mechanism = Mechanism::new();
    let next = |parent: Option<u16>| Body {
        parent,
        position: [0.3, 0.1, -0.2],
        center: [0.1, 0.0, 0.02],
        ..Body::<f64>::new(1.2, [0.02, 0.03, 0.025])
    };
    mechanism.body(next(None));
    mechanism.joint(Joint { range: Some([-0.1, 0.1]), damping: [0.3, 0.0, 0.0], ..hinge([0.0, 1.0, 0.0]) });
    mechanism.body(next(Some(0)));
    mechanism.joint(Joint { friction_loss: 0.4, position: [0.0, 0.1, 0.0], ..hinge([1.0, 0.3, 0.0]) });
    mechanism.joint(Joint { stiffness: [40.0, 0.0, 3.0], range: Some([-0.05, 0.3]), ..slide([0.0, 0.0, 1.0]) });
    mechanism.body(next(Some(1)));
    mechanism.joint(Joint { range: Some([0.0, 0.2]), friction_loss: 0.05, armature: 0.01, ..ball() });
    mechanism.body(next(Some(2)));
    let torque_scale = 0.5;
    mechanism.equality(EqualityKind::Weld {
        bodies: [Some(3), None],
        anchor: [0.0; 3],
        relative_pose: None,
        torque_scale,
    });
    mechanism
}

/// Branches and two trees: a floating body with two arms, one of them held to the world, and a slider beside it. 9 dofs.
fn branches() -> Mechanism<f64> {
    let mut mechanism = Mechanism::new();
    mechanism.body(Body { position: [0.0, 0.0, 1.0], ..Body::<f64>::new(3.0, [0.1, 0.2, 0.15]) });
    mechanism.joint(free());
    for side in [-0.4, 0.4] {
        mechanism.body(Body {
            parent: Some(0),
            position: [side, 0.0, 0.0],
            center: [0.0, 0.0, -0.3],
            ..sphere(0.7, 0.2)
        });
        mechanism.joint(Joint { friction_loss: 0.2, ..hinge([0.0, 1.0, 0.2]) });
    }
    mechanism.body(sphere(1.0, 0.1));
    mechanism.joint(Joint { range: Some([-0.01, 0.01]), ..slide([1.0, 0.0, 1.0]) });
    mechanism.equality(EqualityKind::Connect { bodies: [Some(1), None], anchor: [0.0, 0.1, -0.5] });
    mechanism.equality(EqualityKind::Coupling { joint: 2, leader: Some(3), polynomial: [0.0, 2.0, 1.0, 0.0, 0.0] });
    mechanism
}

/// Every number of a forward pass and of a hundred steps.
fn run<T: Number, S, const NB: usize, const NQ: usize, const NV: usize, const NC: usize, const NR: usize>(
    mechanism: &Mechanism<T>,
    solver: S,
) -> Vec<u64>
where
    S: Method<T, NV, NR, NC>,
{
    let description = mechanism.description();
    let model = Box::new(Model::<T, NB, NQ, NV>::new(&description, &mut Smooth::filled(T::zero())).unwrap());
    let mut work = Box::new(Workspace::<T, NB, NV, NC, NR, S>::with_solver(T::zero(), solver));
    let mut state = model.state();
    let (dofs, coordinates) = (model.dof_count(), model.coordinate_count());
    let wave = |k: usize, tick: usize| {
        if k < dofs { literal::<T>(1.5) * T::from_usize((3 * k + tick) % 7).unwrap() } else { T::zero() }
    };
    state.velocity = SVector::from_fn(|k, _| wave(k, 2) * literal(0.1));
    let mut bits = Vec::new();
    let mut note = |x: T| bits.push(Into::<f64>::into(x).to_bits());
    for body in 0..description.bodies.len() {
        model.inverse_weight(Some(body as u16)).into_iter().for_each(&mut note);
    }
    note(model.mean_inertia());
    let budget = Budget::new(20, literal(1e-6));
    let mut rows = 0;
    for tick in 0..101 {
        let input = Input::force(SVector::from_fn(|k, _| wave(k, tick)));
        let report = if tick == 0 {
            model.forward(&state, &input, &budget, &mut work).unwrap()
        } else {
            model.step(&mut state, &input, &budget, &mut work).unwrap()
        };
        rows = rows.max(work.rows().len());
        state.configuration[..coordinates].iter().copied().for_each(&mut note);
        for vector in [&state.velocity, work.acceleration(), work.constraint_force(), work.bias_force()] {
            vector.iter().take(dofs).copied().for_each(&mut note);
        }
        for k in dofs..NV {
            assert!(work.acceleration()[k] == T::zero() && state.velocity[k] == T::zero());
        }
        let report = report.solver;
        [report.gradient_norm, report.duality_gap, T::from_u16(report.iterations).unwrap()]
            .into_iter()
            .for_each(&mut note);
    }
    assert!(rows >= 5, "only {rows} rows");
    bits
}

/// The exact sizes and larger ones, with four solvers.
macro_rules! both_sizes {
    ($mechanism:expr, $scalar:ty, [$nb:literal, $nq:literal, $nv:literal], [$mb:literal, $mq:literal, $mv:literal]) => {{
        let mechanism = $mechanism;
        both_sizes!(@ NewtonWorkspace, mechanism, $scalar, [$nb, $nq, $nv], [$mb, $mq, $mv]);
        both_sizes!(@ SweepWorkspace, mechanism, $scalar, [$nb, $nq, $nv], [$mb, $mq, $mv]);
        both_sizes!(@ DelassusWorkspace, mechanism, $scalar, [$nb, $nq, $nv], [$mb, $mq, $mv]);
        both_sizes!(@ ConjugateGradientWorkspace, mechanism, $scalar, [$nb, $nq, $nv], [$mb, $mq, $mv]);
    }};
    (@ $solver:ident, $mechanism:ident, $scalar:ty, [$nb:literal, $nq:literal, $nv:literal], [$mb:literal, $mq:literal, $mv:literal]) => {
        let exact = run::<$scalar, _, $nb, $nq, $nv, 0, 16>(&$mechanism, $solver::filled(0.0));
        let padded = run::<$scalar, _, $mb, $mq, $mv, 2, 25>(&$mechanism, $solver::filled(0.0));
        assert!(exact == padded, stringify!($solver));
    };
}

#[test]
fn padded_and_exact_runs_of_a_chain_agree_bit_for_bit() {
    both_sizes!(chain(), f64, [4, 7, 6], [7, 12, 10]);
    both_sizes!(chain().narrow(), f32, [4, 7, 6], [7, 12, 10]);
}

#[test]
fn padded_and_exact_runs_of_branches_agree_bit_for_bit() {
    both_sizes!(branches(), f64, [4, 10, 9], [5, 17, 14]);
    both_sizes!(branches().narrow(), f32, [4, 10, 9], [5, 17, 14]);
}

/// Single precision follows double as closely as its digits allow.
#[test]
fn single_precision_follows_double() {
    for (mechanism, numbers) in [(chain(), 7 + 4 * 6), (branches(), 10 + 4 * 9)] {
        let wide = run::<f64, _, 7, 17, 14, 0, 25>(&mechanism, NewtonWorkspace::filled(0.0));
        let narrow = run::<f32, _, 7, 17, 14, 0, 25>(&mechanism.narrow(), NewtonWorkspace::filled(0.0));
        // Weights and the numbers of the forward pass: configuration, velocity, acceleration, forces.
        for (a, b) in wide.iter().zip(&narrow).take(9 + numbers) {
            let (a, b) = (f64::from_bits(*a), f64::from_bits(*b));
            assert!((a - b).abs() < 2e-4 * (1.0 + a.abs()), "{a} {b}");
        }
    }
}
