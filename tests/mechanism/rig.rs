//! A model with room for every random tree, and the memory around it.

use delassus::constraint::{Hooks, RowFact};
use delassus::description::Description;
use delassus::dynamics::{
    DynamicsWorkspace, bias_force, inverse_dynamics, kinetic_energy, mass_matrix, potential_energy,
};
use delassus::forces::spring_energy;
use delassus::integrator::advance;
use delassus::kinematics::Kinematics;
use delassus::mass::MassMatrix;
use delassus::model::{Model, Smooth, State};
use delassus::solver::Budget;
use delassus::tick::{Input, TickReport, Workspace};
use nalgebra::{SMatrix, SVector};

pub const NB: usize = 12;
pub const NQ: usize = 32;
pub const NV: usize = 24;
pub const NR: usize = 72;

pub type Vector = SVector<f64, NV>;
pub type Matrix = SMatrix<f64, NV, NV>;
pub type Wide = State<f64, NQ, NV>;

/// As far as the precision goes.
pub fn thorough() -> Budget<f64> {
    Budget { line_search: 2000, ..Budget::new(100, 0.0) }
}

pub struct Rig<'m> {
    pub model: Box<Model<'m, f64, NB, NQ, NV>>,
    pub kinematics: Box<Kinematics<f64, NB, NV>>,
    pub dynamics: DynamicsWorkspace<f64, NB>,
    pub mass: Box<MassMatrix<f64, NV>>,
    pub work: Box<Workspace<f64, NB, NV, 0, NR>>,
}

impl<'m> Rig<'m> {
    pub fn new(description: &'m Description<'m, f64>) -> Self {
        let model = Model::new(description, &mut Smooth::filled(0.0)).unwrap();
        Self {
            model: Box::new(model),
            kinematics: Box::new(Kinematics::filled(0.0)),
            dynamics: DynamicsWorkspace::filled(0.0),
            mass: Box::new(MassMatrix::filled(0.0)),
            work: Box::new(Workspace::filled(0.0)),
        }
    }

    pub fn dofs(&self) -> usize {
        self.model.dof_count()
    }

    /// Frames, velocities and M of a state.
    pub fn at(&mut self, state: &Wide) {
        self.kinematics.place(self.model.tree(), &state.configuration).unwrap();
        self.kinematics.move_at(self.model.tree(), &state.velocity).unwrap();
        mass_matrix(self.model.tree(), &self.kinematics, &mut self.dynamics, &mut self.mass).unwrap();
    }

    /// M of the placed state, inert dofs included.
    pub fn matrix(&self) -> Matrix {
        Matrix::from_fn(|i, j| self.mass.columns()[j][i])
    }

    /// c of the placed state.
    pub fn bias(&mut self) -> Vector {
        let mut force = Vector::zeros();
        let gravity = self.model.gravity();
        bias_force(self.model.tree(), &self.kinematics, &gravity, &mut self.dynamics, &mut force);
        force
    }

    /// M a + c of the placed state, by recursion; its bias accelerations are lost.
    pub fn inverse(&mut self, velocity: &Vector, acceleration: &Vector) -> Vector {
        let mut force = Vector::zeros();
        let gravity = self.model.gravity();
        let (tree, kinematics) = (self.model.tree(), &mut self.kinematics);
        inverse_dynamics(tree, kinematics, velocity, acceleration, &gravity, &mut self.dynamics, &mut force);
        force
    }

    /// Kinetic, gravity and spring energy of a state.
    pub fn energies(&mut self, state: &Wide) -> [f64; 3] {
        self.kinematics.place(self.model.tree(), &state.configuration).unwrap();
        self.kinematics.move_at(self.model.tree(), &state.velocity).unwrap();
        let tree = self.model.tree();
        [
            kinetic_energy(tree, &self.kinematics, &state.velocity),
            potential_energy(tree, &self.kinematics, &self.model.gravity()),
            spring_energy(tree, &state.configuration),
        ]
    }

    pub fn forward(&mut self, state: &Wide, input: &Input<'_, f64, NV>) -> TickReport<f64> {
        self.model.forward(state, input, &thorough(), &mut self.work).unwrap()
    }

    pub fn acceleration(&self) -> Vector {
        *self.work.acceleration()
    }

    /// What the model's rows are made of.
    pub fn facts(&mut self, state: &Wide, input: &Input<'_, f64, NV>) -> Vec<RowFact<f64>> {
        let mut watch = Watch::default();
        self.model.forward_with(state, input, &thorough(), &mut self.work, &mut watch).unwrap();
        watch.facts
    }

    /// State moved along its velocity and an acceleration for a time t: q ⊞ (t v + t²/2 a), v + t a.
    pub fn moved(&self, state: &Wide, acceleration: &Vector, t: f64) -> Wide {
        let mut next = *state;
        let way = state.velocity + acceleration * (0.5 * t);
        advance(self.model.tree(), &mut next.configuration, &way, t);
        next.velocity += acceleration * t;
        next
    }
}

/// Keeps every fact.
#[derive(Default)]
pub struct Watch {
    pub facts: Vec<RowFact<f64>>,
}

impl<const NB: usize, const NQ: usize, const NV: usize, const NR: usize, const NC: usize> Hooks<f64, NB, NQ, NV, NR, NC>
    for Watch
{
    const WATCHES: bool = true;

    fn fact(&mut self, fact: &RowFact<f64>) {
        self.facts.push(*fact);
    }
}

/// Largest |a − b| beside a bound times 1 + the largest magnitude in b.
#[track_caller]
pub fn near(a: &[f64], b: &[f64], bound: f64) {
    assert_eq!(a.len(), b.len());
    let scale = b.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    for (x, y) in a.iter().zip(b) {
        assert!((x - y).abs() <= bound * scale, "{x} is not {y} to {bound:e} of {scale}\n{a:?}\n{b:?}");
    }
}
