//! Time of one tick of described mechanisms, in f64 and f32: the scenes of `examples/scenes/costs.rs` and `examples/scenes/contacts.rs`,
//! which the chip runs too.
//!
//! `cargo bench --bench mechanisms` for all, `-- quadruped` for some. Every tick starts from the same state: `cold` from a zero
//! acceleration, `warm` from that of the tick before, after as many ticks as the name of the scene says.

#[path = "../examples/scenes/mod.rs"]
mod scenes;

use std::hint::black_box;
use std::time::Duration;

use criterion::Criterion;
use delassus::description::Description;
use delassus::model::{Model, State};
use delassus::scalar::{Real, literal};
use delassus::solver::Budget;
use delassus::tick::{Input, Workspace};
use nalgebra::SVector;
use scenes::contacts;
use scenes::costs::{Start, for_each_cost_scene, start};

/// Forces of motors at a state.
type Control<T, const NQ: usize, const NV: usize> = fn(&State<T, NQ, NV>) -> SVector<T, NV>;

fn none<T: Real, const NQ: usize, const NV: usize>(_: &State<T, NQ, NV>) -> SVector<T, NV> {
    SVector::from_element(T::zero())
}

/// One mechanism to time: its model in memory of its size.
struct Timed<'m, T: Real, const NB: usize, const NQ: usize, const NV: usize, const NC: usize, const NR: usize> {
    name: &'static str,
    model: Box<Model<'m, T, NB, NQ, NV>>,
    work: Box<Workspace<T, NB, NV, NC, NR>>,
    budget: Budget<T>,
    control: Control<T, NQ, NV>,
}

impl<'m, T: Real, const NB: usize, const NQ: usize, const NV: usize, const NC: usize, const NR: usize>
    Timed<'m, T, NB, NQ, NV, NC, NR>
{
    fn new(name: &'static str, description: &'m Description<'m, T>, control: Control<T, NQ, NV>) -> Self {
        let mut work = Box::new(Workspace::filled(T::zero()));
        let model = Box::new(Model::new(description, &mut work.smooth).expect("a sound description"));
        Self { name, model, work, budget: Budget::new(10, literal(1e-6)), control }
    }

    fn step(&mut self, state: &mut State<T, NQ, NV>) -> u16 {
        let input = Input::force((self.control)(state));
        let report = self.model.step(state, &input, &self.budget, &mut self.work).expect("a sound state");
        report.solver.iterations
    }

    /// Steps on from `state`, then times a tick from there.
    fn bench(&mut self, criterion: &mut Criterion, state: &mut State<T, NQ, NV>, ticks: u32) {
        for _ in 0..ticks {
            self.step(state);
        }
        let at = *state;
        let warmth = if ticks == 0 { "cold" } else { "warm" };
        let name = format!("{}/{warmth}_after_{ticks}/{}", self.name, std::any::type_name::<T>());
        let iterations = self.step(&mut { at });
        println!(
            "{name}: {} contacts, {} rows, {iterations} iterations",
            self.work.contacts().len(),
            self.work.rows().len()
        );
        criterion.bench_function(&name, |b| b.iter(|| self.step(black_box(&mut { at }))));
    }
}

/// The scenes without contacts: the first tick, and the second.
fn mechanisms(criterion: &mut Criterion) {
    macro_rules! time {
        ($name:literal, $description:expr, $start:expr, $bodies:literal, $dofs:literal, $rows:literal) => {{
            let mut timed = Timed::<_, $bodies, $dofs, $dofs, 0, $rows>::new($name, &$description, none);
            let mut state = start(timed.model.state(), $start);
            timed.bench(criterion, &mut state, 0);
            timed.bench(criterion, &mut state, 1);
        }};
    }
    for_each_cost_scene!(time, scenes::costs::double);
    for_each_cost_scene!(time, scenes::costs::single);
}

/// The scenes with contacts: in the air, at the strike or in the slide, at rest.
fn with_contacts(criterion: &mut Criterion) {
    macro_rules! time {
        ($module:ident, $t:ty) => {{
            let mut timed = Timed::<$t, 1, 7, 6, 4, 16>::new("box", &contacts::$module::BOX, none);
            let mut state = contacts::box_start(&timed.model);
            timed.bench(criterion, &mut state, 0);
            timed.bench(criterion, &mut state, 1000);
            let mut timed = Timed::<$t, 1, 7, 6, 1, 6>::new("ball", &contacts::$module::BALL, none);
            let mut state = contacts::ball_start(&timed.model);
            timed.bench(criterion, &mut state, 0);
            timed.bench(criterion, &mut state, 1000);
            let mut timed =
                Timed::<$t, 13, 19, 18, 4, 24>::new("quadruped", &contacts::$module::QUADRUPED, contacts::hold);
            let mut state = contacts::quadruped_start(&timed.model);
            timed.bench(criterion, &mut state, 0);
            timed.bench(criterion, &mut state, 50);
            timed.bench(criterion, &mut state, 950);
        }};
    }
    time!(double, f64);
    time!(single, f32);
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(400))
        .without_plots()
        .configure_from_args();
    mechanisms(&mut criterion);
    with_contacts(&mut criterion);
    criterion.final_summary();
}
