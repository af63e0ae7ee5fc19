//! Runge and Kutta's rule: its order conditions, order of convergence, energy, and what the four solves start from.

use delassus::description::{Body, Description, Integrator, Joint, JointKind};
use delassus::integrator::runge_kutta::{trial_shares, weights};
use delassus::mass::MassMatrix;
use delassus::model::{Model, State};
use delassus::rows::Rows;
use delassus::solver::{Budget, NewtonWorkspace, Report, SolverError};
use delassus::tick::{Input, Method, TickError, Workspace};
use nalgebra::SVector;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngSeed, TestRunner};

use crate::common::close;
use crate::derivative::{Draw, draws, tree};
use crate::scene::{Run, description};

#[test]
fn w15_80_the_eight_order_conditions() {
    let (b, shares) = (weights::<f64>(), trial_shares::<f64>());
    let c = [0.0, shares[0], shares[1], shares[2]];
    // Stage i follows the slope of stage i − 1 only.
    let a = |i: usize, j: usize| if j + 1 == i { shares[j] } else { 0.0 };
    let sum = |f: &dyn Fn(usize) -> f64| (0..4).map(f).sum::<f64>();
    let conditions = [
        sum(&|i| b[i]),
        sum(&|i| b[i] * c[i]),
        sum(&|i| b[i] * c[i] * c[i]),
        sum(&|i| b[i] * sum(&|j| a(i, j) * c[j])),
        sum(&|i| b[i] * c[i] * c[i] * c[i]),
        sum(&|i| b[i] * c[i] * sum(&|j| a(i, j) * c[j])),
        sum(&|i| b[i] * sum(&|j| a(i, j) * c[j] * c[j])),
        sum(&|i| b[i] * sum(&|j| a(i, j) * sum(&|k| a(j, k) * c[k]))),
    ];
    let printed = [1.0, 0.5, 1.0 / 3.0, 1.0 / 6.0, 0.25, 0.125, 1.0 / 12.0, 1.0 / 24.0];
    for (value, printed) in conditions.iter().zip(printed) {
        close(&[*value], &[printed], 1e-15);
    }
}

/// Two square bars of W07-30 … W07-36 hanging from hinges along −y, so that the angles are from straight down.
fn two_link(step: f64, integrator: Integrator) -> Run<2, 2, 2, 0> {
    let bar = |mass: f64, length: f64| {
        let across = mass * (length * length + 0.01) / 12.0;
        Body { center: [0.0, 0.0, -length / 2.0], ..Body::<f64>::new(mass, [across, across, mass * 0.02 / 12.0]) }
    };
    let second = Body { parent: Some(0), position: [0.0, 0.0, -1.0], ..bar(1.0, 0.8) };
    let hinge = |body: u16| Joint { axis: [0.0, -1.0, 0.0], ..Joint::<f64>::hinge(body) };
    let bodies = vec![bar(2.0, 1.0), second];
    Run::new(description(bodies, vec![hinge(0), hinge(1)], [0.0, 0.0, -9.81], step, integrator))
        .at([0.6, -0.4], [1.0, -0.5])
}

#[test]
fn w07_36_energy_drift_of_runge_kutta() {
    let mut run = two_link(0.005, Integrator::RungeKutta);
    let start = run.energy();
    close(&[start], &[-20.0388660159769 + 1.04514969880058], 1e-13); // w07_34
    let mut worst = 0.0f64;
    for _ in 0..1000 {
        run.steps(1);
        worst = worst.max((run.energy() - start).abs());
    }
    assert!(worst < 1e-5, "{worst}");
    assert!((worst / 3.13e-8 - 1.0).abs() < 0.005, "{worst}");
}

/// W15-81: a pendulum for one second in 20 and 40 steps, against 4000 steps.
#[test]
fn w15_81_halving_the_step_divides_the_error_by_sixteen() {
    let end = |steps: usize| {
        let body = Body { center: [0.0, 0.0, -1.0], ..Body::<f64>::new(1.0, [1e-9; 3]) };
        let hinge = Joint { axis: [0.0, -1.0, 0.0], ..Joint::<f64>::hinge(0) };
        let gravity = [0.0, 0.0, -9.81];
        let whole = description(vec![body], vec![hinge], gravity, 1.0 / steps as f64, Integrator::RungeKutta);
        let mut run: Run<1, 1, 1, 0> = Run::new(whole).at([1.0], [0.0]);
        run.steps(steps);
        (run.state.configuration[0], run.state.velocity[0])
    };
    let exact = end(4000);
    let error = |steps: usize| {
        let (q, v) = end(steps);
        (q - exact.0).hypot(v - exact.1)
    };
    let ratio = error(20) / error(40);
    assert!((14.0..19.0).contains(&ratio), "{ratio}");
}

/// How much closer the end of a short smooth motion comes when the step is halved, and whether energy is kept to the same degree.
/// The dampers' |v| v has a kink in its second derivative and is left out, as are springs of rotations, which jump at half a turn.
fn convergence(draw: &Draw) -> f64 {
    let (whole, state) = tree::<36, 30>(draw, Integrator::RungeKutta);
    let smooth = |joint: &Joint<f64>| {
        let line = matches!(joint.kind, JointKind::Hinge | JointKind::Slide);
        Joint { damping: [0.0; 3], stiffness: if line { joint.stiffness } else { [0.0; 3] }, ..*joint }
    };
    let joints: Vec<Joint<f64>> = whole.joints.iter().map(smooth).collect();
    let joints = joints.leak();
    let end = |steps: usize| {
        let mut finer = *whole;
        finer.joints = joints;
        finer.options.step = 0.1 / steps as f64;
        let mut run: Run<5, 36, 30, 0> = Run::new(Box::leak(Box::new(finer)));
        run.state = state;
        let start = run.energy();
        run.steps(steps);
        (run.state, run.energy() - start)
    };
    let (exact, _) = end(160);
    let error = |steps: usize| {
        let (state, lost) = end(steps);
        let q = state.configuration.iter().zip(&exact.configuration).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
        ((q + (state.velocity - exact.velocity).map(|x| x * x).sum()).sqrt(), lost.abs())
    };
    let ((coarse, _), (fine, lost)) = (error(10), error(20));
    assert!(lost < 100.0 * fine, "{lost:e} {fine:e}");
    coarse / fine
}

/// Eight trees of up to five bodies whose joints are drawn from these choices only.
fn convergences(choices: [usize; 4]) -> Vec<f64> {
    let config = Config { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new(config);
    let mut draw = || {
        let mut draw = draws(2..=5).new_tree(&mut runner).unwrap().current();
        draw.iter_mut().for_each(|(_, choice, _)| *choice = choices[*choice % 4]);
        draw
    };
    (0..8).map(|_| convergence(&draw())).collect()
}

/// S15-50: hinges and slides, on one body or on several.
#[test]
fn the_order_is_four_on_hinges_and_slides() {
    let ratios = convergences([1, 4, 5, 8]);
    assert!(ratios.iter().all(|ratio| (11.0..24.0).contains(ratio)), "{ratios:?}");
}

/// The engine's rule (S15-56) turns a quaternion once by the mean rate. Where the rate changes its direction, turns at different
/// times do not commute, and what that leaves out is of third order in a step: two over a time.
#[test]
fn the_order_is_two_on_quaternions() {
    let ratios = convergences([0, 3, 7, 0]);
    assert!(ratios.iter().all(|ratio| (3.5..4.5).contains(ratio)), "{ratios:?}");
}

/// A solver that remembers what its solves started from.
struct Witness<const NV: usize, const NR: usize> {
    inner: NewtonWorkspace<f64, NV, NR>,
    starts: Vec<Option<SVector<f64, NV>>>,
}

impl<const NV: usize, const NR: usize, const NC: usize> Method<f64, NV, NR, NC> for Witness<NV, NR> {
    fn solve(
        &mut self,
        mass: &MassMatrix<f64, NV>,
        free: &SVector<f64, NV>,
        rows: &Rows<f64, NV, NR, NC>,
        warm_start: Option<&SVector<f64, NV>>,
        budget: &Budget<f64>,
    ) -> Result<Report<f64>, SolverError> {
        self.starts.push(warm_start.copied());
        Method::solve(&mut self.inner, mass, free, rows, warm_start, budget)
    }

    fn acceleration(&self) -> &SVector<f64, NV> {
        self.inner.acceleration()
    }

    fn force(&self) -> &[f64] {
        self.inner.force()
    }
}

#[test]
fn all_four_solves_start_from_the_step_before_and_the_fourth_is_saved() {
    let slide = Joint { friction_loss: 0.5, stiffness: [9.0, 0.0, 0.0], ..Joint::<f64>::new(JointKind::Slide, 0) };
    let body = Body::<f64>::new(1.0, [0.1; 3]);
    let whole = description(vec![body], vec![slide], [0.0; 3], 0.05, Integrator::RungeKutta);
    let witness = Witness { inner: NewtonWorkspace::filled(0.0), starts: vec![] };
    let mut work = Workspace::<f64, 1, 1, 0, 1, Witness<1, 1>>::with_solver(0.0, witness);
    let model = Model::<f64, 1, 1, 1>::new(whole, &mut work.smooth).unwrap();
    let mut state = State { configuration: [1.0], ..model.state() };
    let budget = Budget::new(50, 1e-12);
    for _ in 0..3 {
        let before = state.warm_start;
        work.solver.starts.clear();
        model.step(&mut state, &Input::none(), &budget, &mut work).unwrap();
        assert_eq!(work.solver.starts, vec![Some(before); 4]);
        assert_eq!(state.warm_start, *work.acceleration());
        // The fourth stage stands elsewhere than the step before ended, so the two cannot be mistaken for each other.
        assert_ne!(before, state.warm_start);
    }
}

/// The second stage's velocity is beyond what kinematics takes: an error, and the state is the one before, bit for bit.
#[test]
fn a_stage_that_fails_leaves_the_state_alone() {
    let slide = Joint { stiffness: [1e15, 0.0, 0.0], ..Joint::<f64>::new(JointKind::Slide, 0) };
    let body = Body::<f64>::new(1.0, [0.1; 3]);
    let mut run: Run<1, 1, 1, 0> =
        Run::new(description(vec![body], vec![slide], [0.0; 3], 0.05, Integrator::RungeKutta)).at([1.0], [0.1]);
    let before = run.state;
    assert!(matches!(run.try_step(), Err(TickError::State(_))));
    assert_eq!(run.state, before);
}

/// Each door does what `step` does for its integrator, bit for bit, whatever the option says.
#[test]
fn the_doors_of_single_integrators() {
    for integrator in [Integrator::Euler, Integrator::RungeKutta, Integrator::Implicit, Integrator::ImplicitFast] {
        let mut by_option = two_link(0.01, integrator);
        by_option.steps(3);
        let other = if integrator == Integrator::Euler { Integrator::RungeKutta } else { Integrator::Euler };
        let mut run = two_link(0.01, other);
        let budget = Budget::new(100, 1e-12);
        for _ in 0..3 {
            let (model, state, work, input) = (&run.model, &mut run.state, &mut run.work, Input::none());
            match integrator {
                Integrator::Euler => model.step_euler(state, &input, &budget, work, &mut ()),
                Integrator::RungeKutta => model.step_runge_kutta(state, &input, &budget, work, &mut ()),
                Integrator::Implicit => model.step_implicit(state, &input, &budget, work, &mut ()),
                Integrator::ImplicitFast => model.step_implicit_fast(state, &input, &budget, work, &mut ()),
            }
            .unwrap();
        }
        assert_eq!(run.state, by_option.state);
    }
}

/// The same arithmetic in single precision: 20 steps of the two links agree to a few hundred roundings.
#[test]
fn single_precision_follows_double_precision() {
    let narrow = |x: f64| x as f32;
    for integrator in [Integrator::Euler, Integrator::RungeKutta, Integrator::Implicit, Integrator::ImplicitFast] {
        let mut wide = two_link(0.01, integrator);
        wide.steps(20);
        let whole = wide.model.description();
        let bodies: Vec<Body<f32>> = whole
            .bodies
            .iter()
            .map(|body| Body {
                parent: body.parent,
                position: body.position.map(narrow),
                center: body.center.map(narrow),
                ..Body::<f32>::new(narrow(body.mass), body.inertia.map(narrow))
            })
            .collect();
        let hinge = |body: u16| Joint { axis: [0.0, -1.0, 0.0], ..Joint::<f32>::hinge(body) };
        let joints = [hinge(0), hinge(1)];
        let mut single = Description::<f32> { bodies: &bodies, joints: &joints, ..Description::<f32>::empty(0.01) };
        single.options.integrator = integrator;
        let mut work = Workspace::<f32, 2, 2, 0, 0>::filled(0.0);
        let model = Model::<f32, 2, 2, 2>::new(&single, &mut work.smooth).unwrap();
        let mut state = State { configuration: [0.6, -0.4], velocity: [1.0, -0.5].into(), ..model.state() };
        for _ in 0..20 {
            model.step(&mut state, &Input::none(), &Budget::new(10, 1e-6), &mut work).unwrap();
        }
        close(&state.configuration, &wide.state.configuration, 2e-5);
        close(state.velocity.as_slice(), wide.state.velocity.as_slice(), 2e-5);
    }
}
