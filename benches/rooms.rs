//! Time of each room of a tick, in f64 and f32, on the scenes of `mechanisms`: what was done before a room stands.
//!
//! `cargo bench --bench rooms` for all, `-- quadruped` for some scene, `-- mass_matrix` for some room.

#[path = "../examples/scenes/mod.rs"]
mod scenes;

use std::hint::black_box;
use std::time::Duration;

use criterion::Criterion;
use delassus::collision::{Contacts, detect};
use delassus::constraint::{Scene, Switches, assemble, assemble_contacts};
use delassus::description::Description;
use delassus::dynamics::{DynamicsWorkspace, bias_force, mass_matrix};
use delassus::forces::passive_force;
use delassus::integrator::advance;
use delassus::kinematics::Kinematics;
use delassus::mass::MassMatrix;
use delassus::model::{Model, State};
use delassus::rows::Rows;
use delassus::scalar::{Real, literal};
use delassus::solver::{Budget, NewtonWorkspace, newton};
use delassus::tick::{Input, Workspace};
use nalgebra::SVector;
use scenes::contacts;
use scenes::costs::{Start, for_each_cost_scene, start};

/// Every room at the state that `ticks` steps lead to under forces that stay.
fn rooms<T: Real, const NB: usize, const NQ: usize, const NV: usize, const NC: usize, const NR: usize>(
    criterion: &mut Criterion,
    name: &str,
    description: &Description<'_, T>,
    begin: impl Fn(&Model<'_, T, NB, NQ, NV>) -> State<T, NQ, NV>,
    force: impl Fn(&State<T, NQ, NV>) -> SVector<T, NV>,
    ticks: u32,
) {
    let zero = T::zero();
    let budget = Budget::new(10, literal(1e-6));
    let mut work = Box::new(Workspace::<T, NB, NV, NC, NR>::filled(zero));
    let model = Box::new(Model::<T, NB, NQ, NV>::new(description, &mut work.smooth).expect("a sound description"));
    let mut state = begin(&model);
    for _ in 0..ticks {
        let input = Input::force(force(&state));
        model.step(&mut state, &input, &budget, &mut work).expect("a sound state");
    }
    let input = Input::force(force(&state));
    model.forward(&state, &input, &budget, &mut work).expect("a sound state");
    println!("{name}: {} contacts, {} rows", work.contacts().len(), work.rows().len());
    let mut group = criterion.benchmark_group(format!("{name}/{}", std::any::type_name::<T>()));
    let tree = model.tree();

    let mut kinematics = Box::new(Kinematics::<T, NB, NV>::filled(zero));
    group.bench_function("kinematics", |b| b.iter(|| kinematics.place(tree, black_box(&state.configuration))));
    group.bench_function("velocities", |b| b.iter(|| kinematics.move_at(tree, black_box(&state.velocity))));
    let (mut memory, mut mass) = (Box::new(DynamicsWorkspace::filled(zero)), Box::new(MassMatrix::filled(zero)));
    group.bench_function("mass_matrix", |b| {
        b.iter(|| mass_matrix(tree, black_box(&kinematics), &mut memory, &mut mass));
    });
    let mut sum = SVector::from_element(zero);
    group.bench_function("bias_force", |b| {
        b.iter(|| bias_force(tree, black_box(&kinematics), &model.gravity(), &mut memory, &mut sum));
    });
    group.bench_function("passive_force", |b| {
        b.iter(|| {
            passive_force(tree, black_box(&kinematics), &state.configuration, black_box(&state.velocity), &mut sum)
        });
    });
    let mut found = Contacts::<T, NC>::new();
    group.bench_function("collision", |b| {
        b.iter(|| detect(description, black_box(kinematics.frames()), tree.welds(), &mut found));
    });
    let scene = Scene::new(&model, &work.smooth, &state.configuration, &state.velocity);
    let switches = Switches { equality_active: &[], anchor_motions: &[] };
    let (mut rows, mut first) = (Box::new(Rows::<T, NV, NR, NC>::with_cones()), [None; NC]);
    group.bench_function("constraint", |b| {
        b.iter(|| {
            assemble(black_box(&scene), &switches, &mut rows, &mut ()).expect("room");
            assemble_contacts(&scene, work.contacts(), &mut first, &mut rows, &mut ())
        });
    });
    let mut solver = Box::new(NewtonWorkspace::<T, NV, NR>::filled(zero));
    let free = work.free_acceleration();
    for (name, warm) in [("newton_cold", None), ("newton_warm", Some(&state.warm_start))] {
        group.bench_function(name, |b| {
            b.iter(|| newton(work.mass(), black_box(free), work.rows(), warm, &budget, &mut solver));
        });
    }
    let mut configuration = state.configuration;
    group.bench_function("integrator", |b| {
        b.iter(|| advance(tree, black_box(&mut configuration), &state.velocity, literal(0.0)));
    });
    group.bench_function("step", |b| b.iter(|| model.step(black_box(&mut state.clone()), &input, &budget, &mut work)));
    group.finish();
}

fn none<T: Real, const NQ: usize, const NV: usize>(_: &State<T, NQ, NV>) -> SVector<T, NV> {
    SVector::from_element(T::zero())
}

/// The scenes without contacts, at the first tick.
fn mechanisms(criterion: &mut Criterion) {
    macro_rules! time {
        ($name:literal, $description:expr, $start:expr, $bodies:literal, $dofs:literal, $rows:literal) => {
            rooms::<_, $bodies, $dofs, $dofs, 0, $rows>(
                criterion,
                $name,
                &$description,
                |model| start(model.state(), $start),
                none,
                0,
            );
        };
    }
    for_each_cost_scene!(time, scenes::costs::double);
    for_each_cost_scene!(time, scenes::costs::single);
}

/// The scenes with contacts: at the strike or in the slide.
fn with_contacts(criterion: &mut Criterion) {
    macro_rules! time {
        ($module:ident, $t:ty) => {
            rooms::<$t, 1, 7, 6, 4, 16>(criterion, "box", &contacts::$module::BOX, contacts::box_start, none, 1000);
            rooms::<$t, 1, 7, 6, 1, 6>(criterion, "ball", &contacts::$module::BALL, contacts::ball_start, none, 1000);
            rooms::<$t, 13, 19, 18, 4, 24>(
                criterion,
                "quadruped",
                &contacts::$module::QUADRUPED,
                contacts::quadruped_start,
                contacts::hold,
                50,
            );
        };
    }
    time!(double, f64);
    time!(single, f32);
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(200))
        .without_plots()
        .configure_from_args();
    mechanisms(&mut criterion);
    with_contacts(&mut criterion);
    criterion.final_summary();
}
