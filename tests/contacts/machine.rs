//! Owned scenes, and a model with room for all of them.

use delassus::constraint::{Hooks, RowFact};
use delassus::description::{
    Body, Description, Equality, FrictionCone, Geom, Integrator, Joint, JointKind, Options, Pair, Shape,
};
use delassus::model::{Model, State};
use delassus::solver::Budget;
use delassus::tick::{Input, TickReport, Workspace};
use nalgebra::{SVector, Vector3};

pub const NB: usize = 6;
pub const NQ: usize = 35;
pub const NV: usize = 30;
pub const NC: usize = 16;
pub const NR: usize = 96;

pub type Vector = SVector<f64, NV>;
pub type Wide = State<f64, NQ, NV>;

/// A description that owns its lists.
#[derive(Clone, Debug)]
pub struct Scene {
    pub bodies: Vec<Body<f64>>,
    pub joints: Vec<Joint<f64>>,
    pub geoms: Vec<Geom<f64>>,
    pub pairs: Vec<Pair<f64>>,
    pub equalities: Vec<Equality<f64>>,
    pub options: Options<f64>,
}

impl Scene {
    /// Nothing yet, normal gravity, Euler.
    pub fn new(step: f64, cone: FrictionCone) -> Self {
        let options = Options { cone, integrator: Integrator::Euler, ..Description::<f64>::empty(step).options };
        Self { bodies: vec![], joints: vec![], geoms: vec![], pairs: vec![], equalities: vec![], options }
    }

    /// With a level plane.
    pub fn ground(step: f64, cone: FrictionCone) -> Self {
        let mut scene = Self::new(step, cone);
        scene.geoms.push(Geom::<f64>::new(None, Shape::Plane));
        scene
    }

    /// Appends a body with these joints and one geom of the given shape.
    pub fn body(&mut self, body: Body<f64>, joints: &[Joint<f64>], shape: Shape<f64>) -> &mut Geom<f64> {
        let index = self.bodies.len() as u16;
        self.bodies.push(body);
        self.joints.extend(joints.iter().map(|joint| Joint { body: index, ..*joint }));
        self.geoms.push(Geom::<f64>::new(Some(index), shape));
        self.geoms.last_mut().unwrap()
    }

    pub fn description(&self) -> Description<'_, f64> {
        Description {
            bodies: &self.bodies,
            joints: &self.joints,
            geoms: &self.geoms,
            pairs: &self.pairs,
            equalities: &self.equalities,
            ..Description::with_options(self.options)
        }
    }
}

pub fn free() -> [Joint<f64>; 1] {
    [Joint::<f64>::new(JointKind::Free, 0)]
}

pub fn slide(axis: [f64; 3]) -> Joint<f64> {
    Joint { axis, ..Joint::<f64>::new(JointKind::Slide, 0) }
}

/// A solid ball.
pub fn ball(mass: f64, radius: f64, position: [f64; 3]) -> Body<f64> {
    Body { position, ..Body::<f64>::new(mass, [0.4 * mass * radius * radius; 3]) }
}

/// As far as the precision goes.
pub fn thorough() -> Budget<f64> {
    Budget { line_search: 2000, ..Budget::new(100, 0.0) }
}

/// A model with its memory and state.
pub struct Machine<'m, S = delassus::solver::NewtonWorkspace<f64, NV, NR>> {
    pub model: Box<Model<'m, f64, NB, NQ, NV>>,
    pub work: Box<Workspace<f64, NB, NV, NC, NR, S>>,
    pub state: Wide,
}

impl<'m> Machine<'m> {
    pub fn new(description: &'m Description<'m, f64>) -> Self {
        let mut work = Box::new(Workspace::filled(0.0));
        let model = Box::new(Model::new(description, &mut work.smooth).unwrap());
        let state = model.state();
        Self { model, work, state }
    }

    pub fn forward(&mut self, budget: &Budget<f64>) -> TickReport<f64> {
        self.model.forward(&self.state, &Input::none(), budget, &mut self.work).unwrap()
    }

    /// Forward, and what the rows were made of.
    pub fn facts(&mut self) -> Vec<RowFact<f64>> {
        let mut watch = Watch::default();
        self.model.forward_with(&self.state, &Input::none(), &thorough(), &mut self.work, &mut watch).unwrap();
        watch.0
    }

    pub fn step(&mut self) -> TickReport<f64> {
        self.model.step(&mut self.state, &Input::none(), &thorough(), &mut self.work).unwrap()
    }

    pub fn position(&self) -> &[f64] {
        &self.state.configuration[..self.model.coordinate_count()]
    }

    pub fn velocity(&self) -> &[f64] {
        &self.state.velocity.as_slice()[..self.model.dof_count()]
    }

    /// Force and torque of a contact in the world, and its point.
    pub fn wrench(&self, contact: usize) -> [Vector3<f64>; 3] {
        let found = self.work.contact_force_in_world(contact).unwrap();
        [Vector3::from(found.force), Vector3::from(found.torque), self.work.contacts()[contact].position]
    }
}

/// Keeps every fact.
#[derive(Default)]
pub struct Watch(pub Vec<RowFact<f64>>);

impl<const NB: usize, const NQ: usize, const NV: usize, const NR: usize, const NC: usize> Hooks<f64, NB, NQ, NV, NR, NC>
    for Watch
{
    const WATCHES: bool = true;

    fn fact(&mut self, fact: &RowFact<f64>) {
        self.0.push(*fact);
    }
}

/// Largest difference, beside the largest number of the expected ones or 1.
pub fn apart(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let scale = expected.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    let worst = found.iter().zip(expected).fold(0.0, |m: f64, (a, b)| {
        let off = (a - b).abs();
        if off.is_nan() { f64::INFINITY } else { m.max(off) }
    });
    worst / scale
}

#[track_caller]
pub fn near(found: &[f64], expected: &[f64], bound: f64) {
    let off = apart(found, expected);
    assert!(off <= bound, "{off:e} apart, not {bound:e}\n{found:?}\n{expected:?}");
}
