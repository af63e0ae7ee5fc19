//! Wrong states and inputs: a typed error, and the state as it was, bit for bit. Right but extreme ones: finite answers.

use super::build::{Mechanism, ball, free, hinge, slide, sphere};
use super::common::Number;
use super::random::{Noise, cases, recipe, state, tree, with_springs};
use super::rig::{NQ, NV, Rig, Wide, thorough};
use delassus::constraint::AnchorMotion;
use delassus::description::{Body, EqualityKind, Joint};
use delassus::forces::Wrench;
use delassus::kinematics::StateError;
use delassus::model::{Model, Smooth, State};
use delassus::rows::{Rows, RowsError, Rule};
use delassus::scalar::literal;
use delassus::solver::{
    Budget, ConjugateGradientWorkspace, DelassusWorkspace, NewtonWorkspace, SolverError, SweepWorkspace,
};
use delassus::tick::{Input, Method, TickError, Workspace};
use nalgebra::SVector;
use proptest::prelude::*;

/// A slide, a floating body, and a ball joint below the slide; a connect to the world. 10 dofs, 12 coordinates.
fn mechanism() -> Mechanism<f64> {
    let mut mechanism = Mechanism::new();
    mechanism.body(sphere(1.0, 0.1));
    mechanism.joint(Joint { friction_loss: 0.3, range: Some([-1.0, 1.0]), ..slide([1.0, 0.0, 0.0]) });
    mechanism.body(sphere(2.0, 0.1));
    mechanism.joint(free());
    mechanism.body(Body { parent: Some(0), center: [0.0, 0.0, -0.2], ..sphere(1.0, 0.1) });
    mechanism.joint(ball());
    mechanism.equality(EqualityKind::Connect { bodies: [Some(1), None], anchor: [0.1, 0.0, 0.0] });
    mechanism
}

fn bits(state: &Wide) -> Vec<u64> {
    let numbers = state.configuration.iter().chain(&state.velocity).chain(&state.warm_start).chain([&state.time]);
    numbers.map(|x| x.to_bits()).collect()
}

/// Forward, step and, unless only the warm start is wrong, inverse refuse; the state keeps its bits.
#[track_caller]
fn refused(rig: &mut Rig<'_>, state: &Wide, input: &Input<'_, f64, NV>, expected: TickError) {
    let mut stepped = *state;
    let work = &mut rig.work;
    assert_eq!(rig.model.step(&mut stepped, input, &thorough(), work).err(), Some(expected));
    assert_eq!(bits(&stepped), bits(state));
    assert_eq!(rig.model.forward(state, input, &thorough(), work).err(), Some(expected));
    if !matches!(expected, TickError::Solver(_)) {
        assert_eq!(rig.model.inverse(state, &SVector::zeros(), input, work).err(), Some(expected));
    }
    assert!(!expected.to_string().is_empty());
}

const BEYOND: [f64; 5] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e11, -1e11];

#[test]
fn x_88_numbers_of_the_state_that_cannot_be_used() {
    let mechanism = mechanism();
    let description = mechanism.description();
    let mut rig = Rig::new(&description);
    let good = rig.model.state();
    for bad in BEYOND {
        for k in 0..12 {
            let mut state = good;
            state.configuration[k] = bad;
            let error = StateError::Configuration { coordinate: k as u16 };
            refused(&mut rig, &state, &Input::none(), TickError::State(error));
        }
        for k in 0..10 {
            let mut state = good;
            state.velocity[k] = bad;
            refused(&mut rig, &state, &Input::none(), TickError::State(StateError::Velocity { dof: k as u16 }));
        }
    }
    for bad in [f64::NAN, f64::INFINITY] {
        let mut state = good;
        state.warm_start[3] = bad;
        refused(&mut rig, &state, &Input::none(), TickError::Solver(SolverError::NotFinite { freedom: 3 }));
    }
    // The memory is none the worse for it.
    let mut state = good;
    rig.model.step(&mut state, &Input::none(), &thorough(), &mut rig.work).unwrap();
    let mut fresh = Rig::new(&description);
    let mut other = good;
    fresh.model.step(&mut other, &Input::none(), &thorough(), &mut fresh.work).unwrap();
    assert_eq!(bits(&state), bits(&other));
}

#[test]
fn x_44_a_zero_quaternion_is_refused() {
    let mechanism = mechanism();
    let description = mechanism.description();
    let mut rig = Rig::new(&description);
    for (joint, first) in [(1, 4), (2, 8)] {
        for size in [0.0, 1e-16, -1e-200] {
            let mut state = rig.model.state();
            state.configuration[first..first + 4].copy_from_slice(&[size, 0.0, 0.0, 0.0]);
            refused(&mut rig, &state, &Input::none(), TickError::State(StateError::ZeroQuaternion { joint }));
        }
    }
    // A state that was only filled with zeros is such a one.
    let state = Wide::filled(0.0);
    refused(&mut rig, &state, &Input::none(), TickError::State(StateError::ZeroQuaternion { joint: 1 }));
}

#[test]
fn inputs_that_are_not_finite() {
    let mechanism = mechanism();
    let description = mechanism.description();
    let mut rig = Rig::new(&description);
    let state = rig.model.state();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for k in [0, 5, 9] {
            let mut input = Input::none();
            input.force[k] = bad;
            refused(&mut rig, &state, &input, TickError::Input { index: k as u16 });
        }
        let calm = Wrench { body: 0, force: [0.0; 3], torque: [0.0; 3] };
        for wrench in [Wrench { force: [0.0, bad, 0.0], ..calm }, Wrench { torque: [0.0, 0.0, bad], ..calm }] {
            let input = Input { wrenches: &[calm, wrench], ..Input::none() };
            refused(&mut rig, &state, &input, TickError::Input { index: 1 });
        }
        let calm = AnchorMotion { equality: 0, displacement: [0.0; 3], velocity: [0.0; 3], acceleration: [0.0; 3] };
        let vector = [0.0, 0.0, bad];
        for motion in [
            AnchorMotion { displacement: vector, ..calm },
            AnchorMotion { velocity: vector, ..calm },
            AnchorMotion { acceleration: vector, ..calm },
        ] {
            let input = Input { anchor_motions: &[motion], ..Input::none() };
            refused(&mut rig, &state, &input, TickError::Input { index: 0 });
        }
        let mut acceleration = SVector::zeros();
        acceleration[7] = bad;
        let answer = rig.model.inverse(&state, &acceleration, &Input::none(), &mut rig.work);
        assert_eq!(answer.err(), Some(TickError::Input { index: 7 }));
    }
    for bad in [f64::NAN, -1.0] {
        let budget = Budget { tolerance: bad, ..thorough() };
        let answer = rig.model.forward(&state, &Input::none(), &budget, &mut rig.work);
        assert_eq!(answer.err(), Some(TickError::Solver(SolverError::BadBudget)));
    }
    // What names something that is not there.
    let lost = Wrench { body: 99, force: [1.0; 3], torque: [1.0; 3] };
    refused(&mut rig, &state, &Input { wrenches: &[lost], ..Input::none() }, TickError::Input { index: 0 });
    let calm = AnchorMotion { equality: 7, displacement: [0.0; 3], velocity: [0.0; 3], acceleration: [0.0; 3] };
    refused(&mut rig, &state, &Input { anchor_motions: &[calm], ..Input::none() }, TickError::Input { index: 0 });
}

/// A step whose result the next tick would refuse is refused itself, and the state stays the last good one.
#[test]
fn x_88_no_step_ends_beyond_the_bound() {
    let mechanism = mechanism();
    let description = mechanism.description();
    let mut rig = Rig::new(&description);
    let mut state = rig.model.state();
    state.velocity[1] = 9.999e9;
    let mut input = Input::none();
    input.force[1] = 1e14;
    let before = bits(&state);
    let answer = rig.model.step(&mut state, &input, &thorough(), &mut rig.work);
    assert_eq!(answer.err(), Some(TickError::Overflow));
    assert_eq!(bits(&state), before);
}

/// Three rows of a connect, one of friction and one of a limit need five places.
#[test]
fn too_many_rows_are_an_error() {
    let mechanism = mechanism();
    let description = mechanism.description();
    let model = Model::<f64, 3, 12, 10>::new(&description, &mut Smooth::filled(0.0)).unwrap();
    let mut state = model.state();
    state.configuration[0] = 1.5;
    let before = state;
    let mut small = Workspace::<f64, 3, 10, 0, 4>::filled(0.0);
    let error = TickError::Rows(RowsError::TooManyRows { capacity: 4 });
    assert_eq!(model.step(&mut state, &Input::none(), &thorough(), &mut small).err(), Some(error));
    assert_eq!(state, before);
    let mut none = Workspace::<f64, 3, 10, 0, 0>::filled(0.0);
    let error = TickError::Rows(RowsError::TooManyRows { capacity: 0 });
    assert_eq!(model.forward(&state, &Input::none(), &thorough(), &mut none).err(), Some(error));
    let mut enough = Workspace::<f64, 3, 10, 0, 5>::filled(0.0);
    model.step(&mut state, &Input::none(), &thorough(), &mut enough).unwrap();
    assert_eq!(enough.rows().len(), 5);
}

#[test]
fn equalities_are_switched_by_the_input() {
    let mut mechanism = mechanism();
    let weld = EqualityKind::Weld { bodies: [Some(2), None], anchor: [0.0; 3], relative_pose: None, torque_scale: 1.0 };
    mechanism.equality(weld).active = false;
    let description = mechanism.description();
    let mut rig = Rig::new(&description);
    let state = rig.model.state();
    // 1 friction row always; 3 of the connect, 6 of the weld.
    for (active, rows) in
        [(&[][..], 4), (&[false], 1), (&[true, true], 10), (&[false, true], 7), (&[true, false, true, true], 4)]
    {
        rig.forward(&state, &Input { equality_active: active, ..Input::none() });
        assert_eq!(rig.work.rows().len(), rows, "{active:?}");
    }
}

#[test]
fn flags_switch_constraints_off() {
    let mut state = None;
    for (off, rows) in [("none", 5), ("constraint", 0), ("equality", 2), ("friction", 4), ("limit", 4)] {
        let mut mechanism = mechanism();
        let flags = mechanism.flags();
        match off {
            "constraint" => flags.constraint = false,
            "equality" => flags.equality = false,
            "friction" => flags.friction_loss = false,
            "limit" => flags.limit = false,
            _ => {}
        }
        let description = mechanism.description();
        let mut rig = Rig::new(&description);
        let state = state.get_or_insert_with(|| rig.model.state());
        state.configuration[0] = 1.5;
        rig.forward(state, &Input::none());
        assert_eq!(rig.work.rows().len(), rows, "{off}");
    }
}

/// Two rows that ask for opposite places: a compromise, finite, and the report is honest.
#[test]
fn contradicting_equalities_have_a_finite_answer() {
    let mut mechanism = Mechanism::new();
    mechanism.body(sphere(1.0, 0.1));
    mechanism.joint(slide([0.0, 0.0, 1.0]));
    for constant in [1.0, -1.0] {
        mechanism.equality(EqualityKind::Coupling {
            joint: 0,
            leader: None,
            polynomial: [constant, 0.0, 0.0, 0.0, 0.0],
        });
    }
    for _ in 0..3 {
        mechanism.equality(EqualityKind::Connect { bodies: [Some(0), None], anchor: [0.0; 3] });
    }
    let description = mechanism.description();
    let mut rig = Rig::new(&description);
    let mut state = rig.model.state();
    for _ in 0..500 {
        rig.model.step(&mut state, &Input::none(), &thorough(), &mut rig.work).unwrap();
    }
    assert!(state.configuration[0].abs() < 0.01, "{}", state.configuration[0]);
    assert!(rig.acceleration()[0].abs() < 1e-6);
    assert!(rig.work.solver.force().iter().take(2).all(|force| force.is_finite()));
}

fn allowed<T: Number, const NV: usize, const NR: usize, const NC: usize>(
    rows: &Rows<T, NV, NR, NC>,
    force: &[T],
) -> bool {
    rows.rows().iter().zip(force).all(|(row, f)| {
        f.is_finite()
            && match row.rule() {
                Rule::NonNegative => *f >= T::zero(),
                Rule::Interval { loss } => f.abs() <= loss,
                _ => true,
            }
    })
}

/// All rules at once, at budgets from none up: forces obey their rules.
fn stingy<T: Number, S: Method<T, 10, 12, 0>>(mechanism: &Mechanism<T>, solver: S) {
    let description = mechanism.description();
    let model = Model::<T, 3, 12, 10>::new(&description, &mut Smooth::filled(T::zero())).unwrap();
    let mut work = Workspace::<T, 3, 10, 0, 12, S>::with_solver(T::zero(), solver);
    let mut state = model.state();
    state.configuration[0] = literal(1.5);
    state.velocity = SVector::from_fn(|k, _| literal::<T>(0.5) - literal::<T>(0.1) * T::from_usize(k).unwrap());
    for iterations in [0, 0, 1, 0, 2, 3] {
        let budget = Budget::new(iterations, T::zero());
        model.step(&mut state, &Input::none(), &budget, &mut work).unwrap();
        assert!(work.rows().len() >= 4 && allowed(work.rows(), work.solver.force()));
        assert!(work.acceleration().iter().all(|a| a.is_finite()));
    }
}

#[test]
fn any_budget_gives_feasible_forces() {
    let (wide, narrow) = (mechanism(), mechanism().narrow());
    stingy(&wide, NewtonWorkspace::filled(0.0));
    stingy(&wide, SweepWorkspace::filled(0.0));
    stingy(&wide, DelassusWorkspace::filled(0.0));
    stingy(&wide, ConjugateGradientWorkspace::filled(0.0));
    stingy(&narrow, NewtonWorkspace::filled(0.0));
    stingy(&narrow, SweepWorkspace::filled(0.0));
}

#[test]
fn nothing_that_moves_is_a_mechanism_too() {
    // No bodies at all, types without any room.
    let empty = Mechanism::new();
    let description = empty.description();
    let model = Model::<f64, 0, 0, 0>::new(&description, &mut Smooth::filled(0.0)).unwrap();
    let mut work = Workspace::<f64, 0, 0, 0, 0>::filled(0.0);
    let mut state = model.state();
    model.step(&mut state, &Input::none(), &Budget::new(0, 0.0), &mut work).unwrap();
    assert_eq!(state.time, 0.002);
    // Bodies without joints, with room for dofs.
    let mut fixed = Mechanism::new();
    fixed.body(sphere(1.0, 0.1));
    fixed.body(Body { parent: Some(0), position: [1.0, 0.0, 0.0], ..sphere(0.0, 0.0) });
    fixed.equality(EqualityKind::Connect { bodies: [Some(1), None], anchor: [0.0; 3] });
    let description = fixed.description();
    let model = Model::<f64, 2, 3, 3>::new(&description, &mut Smooth::filled(0.0)).unwrap();
    assert_eq!((model.dof_count(), model.coordinate_count(), model.mean_inertia()), (0, 0, 1.0));
    let mut work = Workspace::<f64, 2, 3, 0, 3>::filled(0.0);
    let mut state = model.state();
    let force = SVector::from_element(5.0);
    let wrench = Wrench { body: 1, force: [1.0; 3], torque: [1.0; 3] };
    let input = Input { wrenches: &[wrench], ..Input::force(force) };
    model.step(&mut state, &input, &Budget::new(0, 0.0), &mut work).unwrap();
    // Forces on inert dofs move nothing.
    assert_eq!((work.rows().len(), state.velocity.amax(), work.acceleration().amax()), (0, 0.0, 0.0));
    assert_eq!(work.kinematics().frame(Some(1)).position.x, 1.0);
}

/// 260 hinges in one chain, or in four, are more than a byte can count; the mass matrix is then factored densely, branches or not.
#[test]
fn more_dofs_than_a_byte_can_count() {
    for chains in [1, 4] {
        let run = move || factor_chains(chains);
        std::thread::Builder::new().stack_size(64 << 20).spawn(run).unwrap().join().unwrap();
    }
}

fn factor_chains(chains: u16) {
    let mut mechanism = Mechanism::new();
    for index in 0..260u16 {
        mechanism.body(Body { parent: index.checked_sub(chains), position: [0.1, 0.0, 0.0], ..sphere(1.0, 0.1) });
        mechanism.joint(hinge([0.0, 1.0, 0.0]));
    }
    let description = mechanism.description();
    let mut smooth: Box<Smooth<f64, 260, 260>> = Box::new(Smooth::filled(0.0));
    let model: Box<Model<'_, f64, 260, 260, 260>> = Box::new(Model::new(&description, &mut smooth).unwrap());
    assert_eq!(model.dof_count(), 260);
    let mass = smooth.mass();
    let mut x = SVector::<f64, 260>::from_element(1.0);
    mass.solve(&mut x).unwrap();
    let product: f64 = (0..260).map(|k| mass.columns()[k][259] * x[k]).sum();
    assert!((product - 1.0).abs() < 1e-6);
}

proptest! {
    #![proptest_config(cases(150))]

    /// Whatever comes in: an error that leaves the state alone, or a finite state.
    #[test]
    fn no_input_makes_a_state_that_is_not_finite((count, seed) in recipe(), size in -300.0..300.0f64, part in 0usize..5) {
        let mut mechanism = with_springs(tree(count, seed), seed);
        for joint in mechanism.joints.iter_mut().filter(|joint| joint.kind != free().kind) {
            joint.friction_loss = 0.1;
        }
        let description = mechanism.description();
        let mut rig = Rig::new(&description);
        let mut state = state(&rig, seed, 1.0);
        let mut noise = Noise(seed);
        let size = 10f64.powf(size);
        let mut wrench = Wrench { body: 0, force: [0.0; 3], torque: [0.0; 3] };
        let mut force = noise.generalized(rig.dofs(), 1.0);
        match part {
            0 => state.velocity *= size,
            1 => force *= size,
            2 => wrench.force[noise.below(3)] = size,
            3 => wrench.torque[noise.below(3)] = -size,
            _ => state.configuration[noise.below(NQ)] *= size,
        }
        let before = bits(&state);
        let input = Input { wrenches: &[wrench], ..Input::force(force) };
        for _ in 0..3 {
            match rig.model.step(&mut state, &input, &thorough(), &mut rig.work) {
                Ok(report) => {
                    let numbers = state.configuration.iter().chain(&state.velocity).chain(&state.warm_start);
                    prop_assert!(numbers.into_iter().all(|x| x.is_finite()), "{report:?}");
                }
                Err(_) => break,
            }
        }
        let mut again = state;
        if rig.model.step(&mut again, &input, &thorough(), &mut rig.work).is_err() {
            prop_assert_eq!(bits(&again), bits(&state));
        }
        prop_assert_eq!(before.len(), bits(&state).len());
    }

    /// Lengths and masses of a watch and of a crane give the accelerations of the middle size: gravity, times and angles alike,
    /// lengths times s and masses times m, so forces times m s and torques times m s².
    #[test]
    fn the_size_of_a_mechanism_scales_out((count, seed) in recipe(), size in -3.0..3.0f64, weight in -4.0..4.0f64) {
        let (s, m) = (10f64.powf(size), 10f64.powf(weight));
        let one = tree(count, seed);
        let mut other = one.clone();
        for x in &mut other.options.gravity {
            *x *= s;
        }
        for body in &mut other.bodies {
            body.position = body.position.map(|x| x * s);
            body.center = body.center.map(|x| x * s);
            body.mass *= m;
            body.inertia = body.inertia.map(|x| x * m * s * s);
        }
        let moves_by_length = |k: delassus::description::JointKind| k == slide([1.0; 3]).kind;
        for joint in &mut other.joints {
            joint.position = joint.position.map(|x| x * s);
            joint.armature *= if moves_by_length(joint.kind) { m } else { m * s * s };
            joint.reference *= if moves_by_length(joint.kind) { s } else { 1.0 };
        }
        let (d1, d2) = (one.description(), other.description());
        let first = Model::<f64, 12, NQ, NV>::new(&d1, &mut Smooth::filled(0.0));
        let second = Model::<f64, 12, NQ, NV>::new(&d2, &mut Smooth::filled(0.0));
        // Inertias below 1e-15 are refused; none of these is.
        prop_assert!(first.is_ok() && second.is_ok(), "{:?}", second.err());
        let (mut first, mut second) = (Rig::new(&d1), Rig::new(&d2));
        let before = state(&first, seed, 1.0);
        let mut after: State<f64, NQ, NV> = before;
        let (mut dof, mut at) = (0, 0);
        let mut units = [1.0; NV];
        for joint in &one.joints {
            let straight = match joint.kind {
                delassus::description::JointKind::Free => 3,
                kind => usize::from(moves_by_length(kind)),
            };
            for k in 0..straight {
                after.configuration[at + k] *= s;
                after.velocity[dof + k] *= s;
                units[dof + k] = s;
            }
            at += joint.kind.coordinates();
            dof += joint.kind.dofs();
        }
        first.forward(&before, &Input::none());
        second.forward(&after, &Input::none());
        let scale = 1.0 + first.acceleration().amax();
        for k in 0..first.dofs() {
            let (a, b) = (first.acceleration()[k], second.acceleration()[k] / units[k]);
            prop_assert!((a - b).abs() < 1e-8 * scale, "dof {k}: {a} {b}");
        }
    }
}
