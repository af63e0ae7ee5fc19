//! One model in a kernel of one size, behind a face that knows no sizes.

use delassus::constraint::{Hooks, RowFact};
use delassus::description::Description;
use delassus::model::{Model, Smooth, State};
use delassus::solver::{Budget, Stop};
use delassus::tendon::TendonConstants;
use delassus::tick::{Input, Method, TickReport, Workspace};
pub use delassus_mjcf::Number;
use delassus_mjcf::SolverOptions;
use nalgebra::SVector;

use crate::any_solver::{AnySolver, budget};
use crate::failure::Failure;
use crate::input::Start;
use crate::output::{self, Forward};
use crate::record::Record;

/// What is to be run.
pub struct Problem<'m, T> {
    pub description: &'m Description<'m, T>,
    pub options: &'m SolverOptions,
    pub start: &'m Start,
}

impl<T> Clone for Problem<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Problem<'_, T> {}

/// Everything that the next step depends on, exactly.
pub struct Snapshot {
    time: f64,
    configuration: Vec<f64>,
    velocity: Vec<f64>,
    warm_start: Vec<f64>,
}

/// A kernel of some size with a model and its state.
pub trait Kernel {
    /// Everything in the present state.
    fn forward(&mut self) -> Result<Forward, Failure>;
    /// What is known of the present state, from which the `number`th step would start.
    fn look(&mut self, number: u64) -> Result<Record, Failure>;
    /// One step, the `number`th; after a failure the state is as it was.
    fn step(&mut self, number: u64) -> Result<(), Failure>;
    fn configuration(&self) -> Vec<f64>;
    fn velocity(&self) -> Vec<f64>;
    fn snapshot(&self) -> Snapshot;
    fn restore(&mut self, snapshot: &Snapshot);
}

/// Keeps what rows were made of.
struct Facts<T>(Vec<RowFact<T>>);

impl<T: Number, const NB: usize, const NQ: usize, const NV: usize, const NR: usize, const NC: usize>
    Hooks<T, NB, NQ, NV, NR, NC> for Facts<T>
{
    const WATCHES: bool = true;

    fn fact(&mut self, fact: &RowFact<T>) {
        self.0.push(*fact);
    }
}

/// NB bodies, NQ configuration numbers, NV dofs, NC contacts, NR rows.
struct Sized<'m, T, const NB: usize, const NQ: usize, const NV: usize, const NC: usize, const NR: usize> {
    model: Box<Model<'m, T, NB, NQ, NV>>,
    state: State<T, NQ, NV>,
    input: Input<'m, T, NV>,
    budget: Budget<T>,
    work: Box<Workspace<T, NB, NV, NC, NR, AnySolver<T, NV, NR>>>,
}

/// The problem in a kernel of this size, at its start.
pub fn open<'m, T: Number, const NB: usize, const NQ: usize, const NV: usize, const NC: usize, const NR: usize>(
    problem: &Problem<'m, T>,
) -> Result<Box<dyn Kernel + 'm>, Failure> {
    let Problem { description, options, start } = problem;
    let mut smooth = Box::new(Smooth::<T, NB, NV>::filled(T::zero()));
    // A model borrows these. They are few, kernels are few, and the process ends with them.
    let tendons = vec![TendonConstants::filled(T::zero()); description.tendons.len()].leak();
    let control: &[T] = start.control.iter().map(|u| T::of(*u)).collect::<Vec<_>>().leak();
    let model = Model::<T, NB, NQ, NV>::with_tendons(description, &mut smooth, tendons);
    let model = Box::new(model.map_err(Failure::refused)?);
    drop(smooth);
    let mut state = model.state();
    fill(&mut state.configuration, &start.configuration);
    fill(state.velocity.as_mut_slice(), &start.velocity);
    let mut force = SVector::<T, NV>::from_element(T::zero());
    fill(force.as_mut_slice(), &start.force);
    let input = Input { control, equality_active: &start.equality_active, ..Input::force(force) };
    let solver = AnySolver::<T, NV, NR>::new(options, model.mean_inertia(), model.dof_count());
    let work = Box::new(Workspace::<T, NB, NV, NC, NR, _>::with_solver(T::zero(), solver));
    let budget = budget(options, model.mean_inertia(), model.dof_count());
    Ok(Box::new(Sized { model, state, input, budget, work }))
}

impl<T: Number, const NB: usize, const NQ: usize, const NV: usize, const NC: usize, const NR: usize> Kernel
    for Sized<'_, T, NB, NQ, NV, NC, NR>
{
    fn forward(&mut self) -> Result<Forward, Failure> {
        let mut facts = Facts(Vec::new());
        let report = self
            .model
            .forward_with(&self.state, &self.input, &self.budget, &mut self.work, &mut facts)
            .map_err(|error| Failure::from_tick(error, 0))?;
        check_room(&report)?;
        Ok(forward(&self.work, self.model.dof_count(), &facts.0, &report))
    }

    fn look(&mut self, number: u64) -> Result<Record, Failure> {
        let report = self
            .model
            .forward(&self.state, &self.input, &self.budget, &mut self.work)
            .map_err(|error| Failure::from_tick(error, number))?;
        check_room(&report)?;
        Ok(Record::new(&self.model, &self.state, &self.work))
    }

    fn step(&mut self, number: u64) -> Result<(), Failure> {
        let mut state = self.state;
        let report = self
            .model
            .step(&mut state, &self.input, &self.budget, &mut self.work)
            .map_err(|error| Failure::from_tick(error, number))?;
        check_room(&report)?;
        self.state = state;
        Ok(())
    }

    fn configuration(&self) -> Vec<f64> {
        wide(self.state.configuration.iter().take(self.model.coordinate_count()))
    }

    fn velocity(&self) -> Vec<f64> {
        wide(self.state.velocity.iter().take(self.model.dof_count()))
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot {
            time: self.state.time.wide(),
            configuration: wide(self.state.configuration.iter()),
            velocity: wide(self.state.velocity.iter()),
            warm_start: wide(self.state.warm_start.iter()),
        }
    }

    fn restore(&mut self, snapshot: &Snapshot) {
        self.state.time = T::of(snapshot.time);
        fill(&mut self.state.configuration, &snapshot.configuration);
        fill(self.state.velocity.as_mut_slice(), &snapshot.velocity);
        fill(self.state.warm_start.as_mut_slice(), &snapshot.warm_start);
    }
}

/// The numbers that there are; the rest stays.
fn fill<T: Number>(slots: &mut [T], numbers: &[f64]) {
    for (slot, number) in slots.iter_mut().zip(numbers) {
        *slot = T::of(*number);
    }
}

/// A run that had to leave contacts out is not the model's.
fn check_room<T>(report: &TickReport<T>) -> Result<(), Failure> {
    match report.dropped_contacts {
        0 => Ok(()),
        n => Err(Failure::without_room(format!("{n} contacts more than this command has room for"))),
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
