//! The kernel at one size, behind a face that knows no sizes.

use std::error::Error;
use std::hint::black_box;

use delassus::collision::{Contacts, detect};
use delassus::constraint::{Scene, Switches, assemble, assemble_contacts};
use delassus::description::{Description, FrictionCone};
use delassus::dynamics::{DynamicsWorkspace, bias_force, mass_matrix};
use delassus::forces::passive_force;
use delassus::kinematics::Kinematics;
use delassus::mass::MassMatrix;
use delassus::model::{Model, State};
use delassus::rows::Rows;
use delassus::scalar::{Real, literal};
use delassus::solver::{
    ActiveSetWorkspace, Budget, DelassusWorkspace, NewtonWorkspace, SweepWorkspace, active_set, newton,
    projected_gauss_seidel, projected_gauss_seidel_with_delassus,
};
use delassus::tick::{Input, Workspace};
use delassus_mjcf::{Capacity, Lists, welds};
use nalgebra::SVector;

use crate::floor::Floor;
use crate::gate::Runs;
use crate::peers::Call;
use crate::state::Stored;

/// `f32` or `f64`.
pub trait Number: Real {
    fn of(x: f64) -> Self;
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

/// What is to be timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    Call(Call),
    /// Springs, dampers, gravity compensation.
    Passive,
    /// The solve by the active set, M and rows standing.
    ActiveSet,
    /// The solve by sweeps, M and rows standing.
    Sweeps,
    SweepsWithDelassus,
    /// Bare dense factor and solve of the size of M.
    FactorAndSolve,
    /// Bare dense J M⁻¹ Jᵀ, M factored.
    Delassus,
}

/// The kernel with a model and a state.
pub trait Ours: Runs {
    fn task(&mut self, task: Task);
    fn warm(&mut self, warm: &[f64]);
    /// Acceleration and velocity after the last tick, and its rows.
    fn answer(&self) -> (Vec<f64>, Vec<f64>, usize);
    /// Forces and iterations of the last solve.
    fn solution(&self) -> (Vec<f64>, u16);
}

/// NB bodies, NQ configuration numbers, NV dofs, NC contacts, NR rows.
/// `U`: what the model makes use of.
struct Sized<
    T: Number,
    const NB: usize,
    const NQ: usize,
    const NV: usize,
    const NC: usize,
    const NR: usize,
    const U: u32,
> {
    task: Task,
    model: Box<Model<'static, T, NB, NQ, NV, U>>,
    start: State<T, NQ, NV>,
    end: State<T, NQ, NV>,
    input: Input<'static, T, NV>,
    budget: Budget<T>,
    work: Box<Workspace<T, NB, NV, NC, NR>>,
    kinematics: Box<Kinematics<T, NB, NV>>,
    dynamics: Box<DynamicsWorkspace<T, NB>>,
    mass: Box<MassMatrix<T, NV>>,
    bias: SVector<T, NV>,
    contacts: Contacts<T, NC>,
    rows: Box<Rows<T, NV, NR, NC>>,
    newton: Box<NewtonWorkspace<T, NV, NR>>,
    active_set: Box<ActiveSetWorkspace<T, NV, NR>>,
    sweeps: Box<SweepWorkspace<T, NV, NR>>,
    delassus: Box<DelassusWorkspace<T, NV, NR>>,
    iterations: u16,
    floor: Box<Floor<T, NV>>,
}

/// What a scene's model needs: bodies, configuration numbers, dofs, contacts, rows.
pub fn sizes(lists: &Lists<f64>) -> [usize; 5] {
    let description = lists.description();
    let capacity = Capacity::of(&description, &welds(&description)).unwrap_or_else(|| panic!("a small model"));
    [lists.bodies.len(), lists.coordinates(), lists.dofs(), capacity.contacts, capacity.rows]
}

/// A scene's lists with its cone.
pub fn lists(stored: &Stored) -> Result<Lists<f64>, Box<dyn Error>> {
    let mut lists = delassus_mjcf::read_file(&stored.model)?.lists;
    lists.options.cone = if stored.elliptic() { FrictionCone::Elliptic } else { FrictionCone::Pyramidal };
    Ok(lists)
}

/// Opens a description at this size. The description lives as long as the process, which opens few.
pub fn open<
    T: Number,
    const NB: usize,
    const NQ: usize,
    const NV: usize,
    const NC: usize,
    const NR: usize,
    const U: u32,
>(
    lists: Lists<T>,
    stored: &Stored,
) -> Result<Box<dyn Ours>, Box<dyn Error>> {
    let lists: &'static Lists<T> = Box::leak(Box::new(lists));
    let description: &'static Description<'static, T> = Box::leak(Box::new(lists.description()));
    let zero = T::zero();
    let mut work = Box::new(Workspace::<T, NB, NV, NC, NR>::filled(zero));
    let model = Box::new(Model::<T, NB, NQ, NV, U>::stated(description, &mut work.smooth, &mut [])?);
    let mut start = model.state();
    fill(&mut start.configuration, &stored.configuration);
    fill(start.velocity.as_mut_slice(), &stored.velocity);
    let mut force = SVector::<T, NV>::from_element(zero);
    fill(force.as_mut_slice(), &stored.force);
    // The engine's own limits.
    let budget = Budget { line_search: 100 * 50, ..Budget::new(100, literal(1e-8)) };
    Ok(Box::new(Sized {
        task: Task::Call(Call::Step),
        model,
        start,
        end: start,
        input: Input::force(force),
        budget,
        work,
        kinematics: Box::new(Kinematics::filled(zero)),
        dynamics: Box::new(DynamicsWorkspace::filled(zero)),
        mass: Box::new(MassMatrix::filled(zero)),
        bias: SVector::from_element(zero),
        contacts: Contacts::new(),
        rows: Box::new(Rows::with_cones()),
        newton: Box::new(NewtonWorkspace::filled(zero)),
        active_set: Box::new(ActiveSetWorkspace::filled(zero)),
        sweeps: Box::new(SweepWorkspace::filled(zero)),
        delassus: Box::new(DelassusWorkspace::filled(zero)),
        iterations: 0,
        floor: Box::new(Floor::new(zero)),
    }))
}

fn fill<T: Number>(slots: &mut [T], numbers: &[f64]) {
    assert_eq!(slots.len(), numbers.len());
    for (slot, number) in slots.iter_mut().zip(numbers) {
        *slot = T::of(*number);
    }
}

fn wide<'a, T: Number>(numbers: impl IntoIterator<Item = &'a T>) -> Vec<f64> {
    numbers.into_iter().map(|x| x.wide()).collect()
}

impl<T: Number, const NB: usize, const NQ: usize, const NV: usize, const NC: usize, const NR: usize, const U: u32> Runs
    for Sized<T, NB, NQ, NV, NC, NR, U>
{
    fn run(&mut self, calls: usize) {
        let Self { model, start, input, budget, work, kinematics, dynamics, mass, .. } = self;
        let tree = model.tree();
        let model = &**model;
        let sound = "a state that the engine has visited";
        match self.task {
            Task::Call(Call::Step) => {
                for _ in 0..calls {
                    self.end = *black_box(&*start);
                    let report = model.step_euler(&mut self.end, input, budget, work, &mut ()).expect(sound);
                    self.iterations = report.solver.iterations;
                }
            }
            Task::Call(Call::Forward) => {
                for _ in 0..calls {
                    let report = model.forward(black_box(&*start), input, budget, work).expect(sound);
                    self.iterations = report.solver.iterations;
                }
            }
            Task::Call(Call::Place) => {
                for _ in 0..calls {
                    kinematics.place(tree, black_box(&start.configuration)).expect(sound);
                }
            }
            Task::Call(Call::Velocity) => {
                for _ in 0..calls {
                    kinematics.move_at(tree, black_box(&start.velocity)).expect(sound);
                }
            }
            Task::Call(Call::Mass | Call::MassAndFactor) => {
                for _ in 0..calls {
                    mass_matrix(tree, black_box(&**kinematics), dynamics, mass).expect(sound);
                }
            }
            Task::Call(Call::Bias) => {
                for _ in 0..calls {
                    bias_force(tree, black_box(&**kinematics), &model.gravity(), dynamics, &mut self.bias);
                }
            }
            Task::Call(Call::Solve) => {
                let warm = Some(&start.warm_start);
                for _ in 0..calls {
                    let free = black_box(work.free_acceleration());
                    let report = newton(work.mass(), free, work.rows(), warm, budget, &mut self.newton).expect(sound);
                    self.iterations = report.iterations;
                }
            }
            Task::Call(Call::Collision) => {
                let (frames, welds) = (work.kinematics().frames(), tree.welds());
                for _ in 0..calls {
                    detect(model.description(), black_box(frames), welds, &mut self.contacts);
                }
            }
            Task::Call(Call::Rows) => {
                let scene = Scene::new(model, &work.smooth, &start.configuration, &start.velocity);
                let switches = Switches { equality_active: &[], anchor_motions: &[] };
                let (rows, mut first) = (&mut self.rows, [None; NC]);
                for _ in 0..calls {
                    assemble(black_box(&scene), &switches, rows, &mut ()).expect(sound);
                    assemble_contacts(&scene, work.contacts(), &mut first, rows, &mut ()).expect(sound);
                }
            }
            Task::Passive => {
                for _ in 0..calls {
                    let velocity = black_box(&start.velocity);
                    passive_force(tree, work.kinematics(), &start.configuration, velocity, &mut self.bias);
                }
            }
            Task::ActiveSet => {
                let warm = Some(&start.warm_start);
                for _ in 0..calls {
                    let free = black_box(work.free_acceleration());
                    let report = active_set(work.mass(), free, work.rows(), warm, budget, &mut self.active_set);
                    self.iterations = report.expect(sound).iterations;
                }
            }
            Task::Sweeps => {
                let warm = Some(&start.warm_start);
                for _ in 0..calls {
                    let free = black_box(work.free_acceleration());
                    let report = projected_gauss_seidel(work.mass(), free, work.rows(), warm, budget, &mut self.sweeps);
                    self.iterations = report.expect(sound).iterations;
                }
            }
            Task::SweepsWithDelassus => {
                let (warm, memory) = (Some(&start.warm_start), &mut self.delassus);
                for _ in 0..calls {
                    let free = black_box(work.free_acceleration());
                    let report =
                        projected_gauss_seidel_with_delassus(work.mass(), free, work.rows(), warm, budget, memory);
                    self.iterations = report.expect(sound).iterations;
                }
            }
            Task::FactorAndSolve => {
                for _ in 0..calls {
                    self.floor.factor_and_solve(black_box(work.mass().columns()));
                }
            }
            Task::Delassus => {
                for _ in 0..calls {
                    self.floor.delassus(black_box(work.rows().rows()));
                }
            }
        }
    }
}

impl<T: Number, const NB: usize, const NQ: usize, const NV: usize, const NC: usize, const NR: usize, const U: u32> Ours
    for Sized<T, NB, NQ, NV, NC, NR, U>
{
    fn task(&mut self, task: Task) {
        self.task = task;
    }

    fn warm(&mut self, warm: &[f64]) {
        fill(self.start.warm_start.as_mut_slice(), warm);
    }

    fn answer(&self) -> (Vec<f64>, Vec<f64>, usize) {
        (wide(self.work.acceleration()), wide(&self.end.velocity), self.work.rows().len())
    }

    fn solution(&self) -> (Vec<f64>, u16) {
        let force = match self.task {
            Task::ActiveSet => self.active_set.force(),
            Task::Sweeps => self.sweeps.force(),
            Task::SweepsWithDelassus => self.delassus.force(),
            _ => self.newton.force(),
        };
        (wide(force), self.iterations)
    }
}
