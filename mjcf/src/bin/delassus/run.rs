//! One task with a kernel of one size.

use delassus::constraint::{Hooks, RowFact};
use delassus::description::Description;
use delassus::model::{Model, Smooth, State};
use delassus::scalar::Real;
use delassus::solver::Stop;
use delassus::tendon::TendonConstants;
use delassus::tick::{Input, Method, TickReport, Workspace};
use delassus_mjcf::{Lists, SolverOptions};
use nalgebra::SVector;

use crate::any_solver::{AnySolver, budget};
use crate::failure::Failure;
use crate::input::Start;
use crate::output::{self, Answer, Checkpoint, Forward};

/// What the command was asked for.
pub enum Task {
    Forward,
    /// The steps after which the state is wanted, rising.
    Simulate(Vec<u64>),
}

/// `f32` or `f64`.
pub trait Number: Real {
    /// The nearest number.
    fn of(x: f64) -> Self;
    /// Exactly.
    fn wide(self) -> f64;
}

impl Number for f32 {
    fn of(x: f64) -> Self {
        x as f32
    }
    fn wide(self) -> f64 {
        f64::from(self)
    }
}

impl Number for f64 {
    fn of(x: f64) -> Self {
        x
    }
    fn wide(self) -> f64 {
        self
    }
}

/// Keeps what rows were made of.
struct Facts<T>(Vec<RowFact<T>>);

impl<T: Real, const NB: usize, const NQ: usize, const NV: usize, const NR: usize, const NC: usize>
    Hooks<T, NB, NQ, NV, NR, NC> for Facts<T>
{
    const WATCHES: bool = true;

    fn fact(&mut self, fact: &RowFact<T>) {
        self.0.push(*fact);
    }
}

/// Runs the task with NB bodies, NQ configuration numbers, NV dofs, NC contacts, NR rows.
pub fn run<T: Number, const NB: usize, const NQ: usize, const NV: usize, const NC: usize, const NR: usize>(
    lists: &Lists<T>,
    options: &SolverOptions,
    start: &Start,
    task: &Task,
) -> Result<Answer, Failure> {
    let description: Description<'_, T> = lists.description();
    let mut smooth = Box::new(Smooth::<T, NB, NV>::filled(T::zero()));
    let mut tendons = vec![TendonConstants::filled(T::zero()); lists.tendons.len()];
    let model = Model::<T, NB, NQ, NV>::with_tendons(&description, &mut smooth, &mut tendons);
    let model = Box::new(model.map_err(Failure::refused)?);
    drop(smooth);
    let mut state = model.state();
    for (slot, number) in state.configuration.iter_mut().zip(&start.configuration) {
        *slot = T::of(*number);
    }
    for (slot, number) in state.velocity.iter_mut().zip(&start.velocity) {
        *slot = T::of(*number);
    }
    let mut force = SVector::<T, NV>::from_element(T::zero());
    for (slot, number) in force.iter_mut().zip(&start.force) {
        *slot = T::of(*number);
    }
    let control: Vec<T> = start.control.iter().map(|u| T::of(*u)).collect();
    let input = Input { control: &control, equality_active: &start.equality_active, ..Input::force(force) };
    let solver = AnySolver::<T, NV, NR>::new(options, model.mean_inertia(), lists.dofs());
    let mut work = Box::new(Workspace::<T, NB, NV, NC, NR, _>::with_solver(T::zero(), solver));
    let budget = budget(options, model.mean_inertia(), lists.dofs());
    match task {
        Task::Forward => {
            let mut facts = Facts(Vec::new());
            let report = model
                .forward_with(&state, &input, &budget, &mut work, &mut facts)
                .map_err(|error| Failure::from_tick(error, 0))?;
            check_room(&report)?;
            Ok(Answer::Forward(Box::new(forward(&work, lists.dofs(), &facts.0, &report))))
        }
        Task::Simulate(steps) => {
            let mut checkpoints = Vec::with_capacity(steps.len());
            let mut done = 0;
            for &wanted in steps {
                while done < wanted {
                    let report = model
                        .step(&mut state, &input, &budget, &mut work)
                        .map_err(|error| Failure::from_tick(error, done + 1))?;
                    check_room(&report)?;
                    done += 1;
                }
                checkpoints.push(checkpoint(done, &state, lists));
            }
            Ok(Answer::Simulate { checkpoints })
        }
    }
}

/// A run that had to leave contacts out is not the model's.
fn check_room<T>(report: &TickReport<T>) -> Result<(), Failure> {
    match report.dropped_contacts {
        0 => Ok(()),
        n => Err(Failure::without_room(format!("{n} contacts more than this command has room for"))),
    }
}

fn checkpoint<T: Number, const NQ: usize, const NV: usize>(
    step: u64,
    state: &State<T, NQ, NV>,
    lists: &Lists<T>,
) -> Checkpoint {
    Checkpoint {
        step,
        qpos: wide(state.configuration.iter().take(lists.coordinates())),
        qvel: wide(state.velocity.iter().take(lists.dofs())),
    }
}

fn wide<'a, T: Number>(numbers: impl Iterator<Item = &'a T>) -> Vec<f64> {
    numbers.map(|x| x.wide()).collect()
}

fn forward<T: Number, const NB: usize, const NV: usize, const NC: usize, const NR: usize>(
    work: &Workspace<T, NB, NV, NC, NR, AnySolver<T, NV, NR>>,
    dofs: usize,
    facts: &[RowFact<T>],
    report: &TickReport<T>,
) -> Forward {
    let forces = Method::<T, NV, NR, NC>::force(&work.solver);
    let rows = work.rows().rows().iter().zip(facts).zip(forces).map(|((row, fact), force)| output::Row {
        kind: output::kind(row.kind()),
        jacobian: wide(row.jacobian().iter().take(dofs)),
        position: fact.position.wide(),
        margin: fact.margin.wide(),
        velocity: fact.velocity.wide(),
        stiffness: fact.gains.stiffness.wide(),
        damping: fact.gains.damping.wide(),
        impedance: fact.impedance.value().wide(),
        impedance_derivative: fact.impedance.slope().wide(),
        regularizer: row.regularizer().wide(),
        reference_acceleration: row.reference().wide(),
        force: force.wide(),
    });
    let solver = &report.solver;
    Forward {
        mass_matrix: work.mass().columns().iter().take(dofs).map(|c| wide(c.iter().take(dofs))).collect(),
        bias_force: wide(work.bias_force().iter().take(dofs)),
        free_acceleration: wide(work.free_acceleration().iter().take(dofs)),
        acceleration: wide(work.acceleration().iter().take(dofs)),
        constraint_force: wide(work.constraint_force().iter().take(dofs)),
        rows: rows.collect(),
        report: output::Report {
            iterations: solver.iterations,
            converged: solver.stop == Stop::Converged,
            stop: match solver.stop {
                Stop::Converged => "converged",
                Stop::BudgetSpent => "budget_spent",
                Stop::Stalled => "stalled",
            },
            line_search_evaluations: solver.line_search_evaluations,
            gradient_norm: solver.gradient_norm.wide(),
            force_correction: solver.force_correction.wide(),
            duality_gap: solver.duality_gap.wide(),
            active_rows: solver.active_rows,
            dropped_contacts: report.dropped_contacts,
        },
    }
}
