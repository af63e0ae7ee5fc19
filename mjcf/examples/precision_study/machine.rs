//! One model in one precision, asked for everything that a tick computes.

use delassus::description::Description;
use delassus::model::{Model, Smooth, State};
use delassus::rows::Kind;
use delassus::solver::Budget;
use delassus::tendon::TendonConstants;
use delassus::tick::{Input, Method, Workspace};
use delassus_mjcf::{Capacity, Lists, Mechanism, Number, SolverOptions, convert, welds};
use nalgebra::SVector;

use crate::any_solver::{AnySolver, budget};

/// Where a run starts, and what acts on it all the time.
#[derive(Clone, Debug)]
pub struct Start {
    pub configuration: Vec<f64>,
    pub velocity: Vec<f64>,
    pub force: Vec<f64>,
    pub control: Vec<f64>,
    pub equality_active: Vec<bool>,
}

impl Start {
    /// At rest in the reference configuration.
    pub fn reference(mechanism: &Mechanism) -> Self {
        let dofs = mechanism.lists.dofs();
        Self {
            configuration: mechanism.reference_configuration(),
            velocity: vec![0.0; dofs],
            force: vec![0.0; dofs],
            control: vec![0.0; mechanism.lists.actuators.len()],
            equality_active: Vec::new(),
        }
    }

    /// Every number as the nearest `f32`.
    pub fn rounded(&self) -> Self {
        let round = |list: &[f64]| list.iter().map(|x| f64::from(*x as f32)).collect();
        Self {
            configuration: round(&self.configuration),
            velocity: round(&self.velocity),
            force: round(&self.force),
            control: round(&self.control),
            equality_active: self.equality_active.clone(),
        }
    }
}

/// What a tick computed.
pub struct Tick {
    pub mass: Vec<Vec<f64>>,
    pub bias: Vec<f64>,
    pub free: Vec<f64>,
    /// A = J M⁻¹ Jᵀ.
    pub delassus: Vec<Vec<f64>>,
    pub reference: Vec<f64>,
    pub regularizer: Vec<f64>,
    pub force: Vec<f64>,
    pub acceleration: Vec<f64>,
    pub kinds: Vec<Kind>,
    /// What the report says of the mass matrix.
    pub amplification: f64,
}

/// A model in a kernel of some size.
pub trait Machine {
    fn tick(&mut self) -> Result<Tick, String>;
    fn step(&mut self) -> Result<(), String>;
    /// Configuration and velocity.
    fn state(&self) -> (Vec<f64>, Vec<f64>);
}

struct Sized<'m, T, const NB: usize, const NQ: usize, const NV: usize, const NC: usize, const NR: usize> {
    model: Box<Model<'m, T, NB, NQ, NV>>,
    state: State<T, NQ, NV>,
    input: Input<'m, T, NV>,
    budget: Budget<T>,
    work: Box<Workspace<T, NB, NV, NC, NR, AnySolver<T, NV, NR>>>,
}

/// Opens the model in the smallest size that holds it.
pub fn open<'m, T: Number>(
    lists: &'m Lists<T>,
    options: &SolverOptions,
    start: &Start,
) -> Result<Box<dyn Machine + 'm>, String> {
    let wide: Lists<f64> = convert(lists);
    let description = wide.description();
    let need = Capacity::of(&description, &welds(&description)).map_or([64, 512], |c| [c.contacts, c.rows]);
    let sizes = [lists.bodies.len(), lists.coordinates(), lists.dofs(), need[0], need[1]];
    let fits = |holds: [usize; 5]| sizes.iter().zip(holds).all(|(size, holds)| *size <= holds);
    if fits([8, 14, 12, 16, 64]) {
        sized::<T, 8, 14, 12, 16, 64>(lists.description(), options, start)
    } else if sizes[0] <= 32 && sizes[1] <= 32 && sizes[2] <= 24 {
        sized::<T, 32, 32, 24, 64, 512>(lists.description(), options, start)
    } else if sizes[0] <= 256 && sizes[1] <= 86 && sizes[2] <= 64 {
        sized::<T, 256, 86, 64, 64, 512>(lists.description(), options, start)
    } else {
        Err("larger than this study holds".into())
    }
}

fn sized<'m, T: Number, const NB: usize, const NQ: usize, const NV: usize, const NC: usize, const NR: usize>(
    description: Description<'m, T>,
    options: &SolverOptions,
    start: &Start,
) -> Result<Box<dyn Machine + 'm>, String> {
    // A model borrows these; they are few, and the process ends with them.
    let description: &Description<'m, T> = Box::leak(Box::new(description));
    let tendons = vec![TendonConstants::filled(T::zero()); description.tendons.len()].leak();
    let control: &[T] = start.control.iter().map(|u| T::of(*u)).collect::<Vec<_>>().leak();
    let equality_active: &[bool] = start.equality_active.clone().leak();
    let mut smooth = Box::new(Smooth::<T, NB, NV>::filled(T::zero()));
    let model = Model::<T, NB, NQ, NV>::with_tendons(description, &mut smooth, tendons).map_err(|e| e.to_string())?;
    let mut state = model.state();
    fill(&mut state.configuration, &start.configuration);
    fill(state.velocity.as_mut_slice(), &start.velocity);
    let mut force = SVector::<T, NV>::from_element(T::zero());
    fill(force.as_mut_slice(), &start.force);
    let input = Input { control, equality_active, ..Input::force(force) };
    let solver = AnySolver::<T, NV, NR>::new(options, model.mean_inertia(), model.dof_count());
    let budget = budget(options, model.mean_inertia(), model.dof_count());
    let work = Box::new(Workspace::<T, NB, NV, NC, NR, _>::with_solver(T::zero(), solver));
    Ok(Box::new(Sized { model: Box::new(model), state, input, budget, work }))
}

fn fill<T: Number>(slots: &mut [T], numbers: &[f64]) {
    for (slot, number) in slots.iter_mut().zip(numbers) {
        *slot = T::of(*number);
    }
}

fn wide<'a, T: Number>(numbers: impl Iterator<Item = &'a T>) -> Vec<f64> {
    numbers.map(|x| x.wide()).collect()
}

impl<T: Number, const NB: usize, const NQ: usize, const NV: usize, const NC: usize, const NR: usize> Machine
    for Sized<'_, T, NB, NQ, NV, NC, NR>
{
    fn tick(&mut self) -> Result<Tick, String> {
        let Self { model, state, input, budget, work } = self;
        let report = model.forward(state, input, budget, work).map_err(|e| e.to_string())?;
        if report.dropped_contacts > 0 {
            return Err("more contacts than this study holds".into());
        }
        let dofs = model.dof_count();
        let rows = work.rows().rows();
        let delassus = rows.iter().map(|row| {
            let mut x = SVector::<T, NV>::from_column_slice(row.jacobian());
            work.mass().solve(&mut x).map_err(|e| e.to_string())?;
            Ok(rows.iter().map(|other| delassus::scalar::dot(other.jacobian(), x.as_slice()).wide()).collect())
        });
        Ok(Tick {
            mass: work.mass().columns().iter().take(dofs).map(|c| wide(c.iter().take(dofs))).collect(),
            bias: wide(work.bias_force().iter().take(dofs)),
            free: wide(work.free_acceleration().iter().take(dofs)),
            delassus: delassus.collect::<Result<_, String>>()?,
            reference: rows.iter().map(|row| row.reference().wide()).collect(),
            regularizer: rows.iter().map(|row| row.regularizer().wide()).collect(),
            force: if rows.is_empty() { Vec::new() } else { wide(Method::<T, NV, NR, NC>::force(&work.solver).iter()) },
            acceleration: wide(work.acceleration().iter().take(dofs)),
            kinds: rows.iter().map(|row| row.kind()).collect(),
            amplification: report.amplification.wide(),
        })
    }

    fn step(&mut self) -> Result<(), String> {
        let Self { model, state, input, budget, work } = self;
        model.step(state, input, budget, work).map(|_| ()).map_err(|e| e.to_string())
    }

    fn state(&self) -> (Vec<f64>, Vec<f64>) {
        let configuration = wide(self.state.configuration.iter().take(self.model.coordinate_count()));
        (configuration, wide(self.state.velocity.iter().take(self.model.dof_count())))
    }
}
