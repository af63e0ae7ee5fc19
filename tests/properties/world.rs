//! Random mechanisms with constraints of every kind, and the memory around one.

use super::build::Mechanism;
use super::random::{Noise, state, tree, with_springs};
use super::rig::{NB, NQ, NV, Rig, Vector, Wide, thorough};
use delassus::description::{Description, EqualityKind, FrictionCone, Geom, JointKind, Shape, SoftnessNumbers};
use delassus::model::Model;
use delassus::solver::NewtonWorkspace;
use delassus::tick::{Input, Method, TickReport, Workspace};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

pub const NC: usize = 16;
pub const NR: usize = 160;

pub type Memory<S = NewtonWorkspace<f64, NV, NR>> = Workspace<f64, NB, NV, NC, NR, S>;

/// So many cases where code is optimised, a tenth of them else, the same in every run; or PROPTEST_CASES, other ones each time.
pub fn cases(count: u32) -> ProptestConfig {
    let count = if cfg!(debug_assertions) { count / 10 } else { count };
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = count;
        config.rng_seed = RngSeed::Fixed(1);
    }
    config
}

/// A tree, and geoms on it.
#[derive(Clone, Debug)]
pub struct World {
    pub tree: Mechanism<f64>,
    pub geoms: Vec<Geom<f64>>,
}

fn softness(noise: &mut Noise) -> SoftnessNumbers<f64> {
    let solref = match noise.below(3) {
        0 => [noise.within(0.01, 0.1), noise.within(0.5, 1.5)],
        1 => [-noise.within(50.0, 2000.0), -noise.within(5.0, 80.0)],
        _ => [0.02, 1.0],
    };
    let low = noise.within(0.3, 0.95);
    let power = [1.0, 2.0, 3.0][noise.below(3)];
    SoftnessNumbers {
        solref,
        solimp: [low, noise.within(low, 0.99), noise.within(0.001, 0.1), noise.within(0.2, 0.8), power],
    }
}

impl World {
    /// Springs, dampers, limits, dry friction, up to three equalities; on a plane, balls and capsules that meet it and each other.
    pub fn draw(count: usize, seed: u64) -> Self {
        let mut noise = Noise(seed ^ 0x0dd5);
        let mut tree = with_springs(tree(count, seed), seed);
        tree.options.impedance_ratio = [0.5, 1.0, 1.0, 10.0][noise.below(4)];
        tree.options.cone = [FrictionCone::Elliptic, FrictionCone::Pyramidal][noise.below(2)];
        tree.flags().exact_diagonal = noise.chance(0.5);
        for joint in &mut tree.joints {
            joint.friction_loss = if noise.chance(0.3) { noise.within(0.05, 2.0) } else { 0.0 };
            joint.friction_softness = softness(&mut noise);
            joint.limit_softness = softness(&mut noise);
            if noise.chance(0.4) && joint.kind != JointKind::Free {
                let low = if joint.kind == JointKind::Ball { 0.0 } else { joint.reference - noise.within(0.1, 0.5) };
                joint.range = Some([low, joint.reference + noise.within(0.1, 0.5)]);
                joint.margin = noise.within(0.0, 0.02);
            }
        }
        let scalars: Vec<u16> = (0..tree.joints.len())
            .filter(|k| matches!(tree.joints[*k].kind, JointKind::Hinge | JointKind::Slide))
            .map(|k| k as u16)
            .collect();
        for _ in 0..noise.below(4) {
            let (first, second) = (noise.below(count) as u16, noise.below(count) as u16);
            let bodies = [Some(first), Some(second).filter(|second| *second != first)];
            let softness = softness(&mut noise);
            let kind = match noise.below(3) {
                0 => EqualityKind::Connect { bodies, anchor: noise.vector(0.2) },
                1 => EqualityKind::Weld { bodies, anchor: noise.vector(0.2), relative_pose: None, torque_scale: 0.5 },
                _ if scalars.len() > 1 => {
                    let (a, b) = (noise.below(scalars.len()), noise.below(scalars.len()));
                    let leader = Some(scalars[b]).filter(|_| a != b);
                    let polynomial = [noise.within(-0.2, 0.2), noise.within(-1.0, 1.0), 0.3, 0.0, 0.0];
                    EqualityKind::Coupling { joint: scalars[a], leader, polynomial }
                }
                _ => continue,
            };
            tree.equality(kind).softness = softness;
        }
        let mut geoms = vec![];
        if noise.chance(0.8) {
            let mut plane = Geom { position: noise.vector(0.5), ..Geom::<f64>::new(None, Shape::Plane) };
            plane.orientation = noise.quaternion();
            geoms.push(plane);
        }
        for body in 0..count as u16 {
            if noise.chance(0.5) && geoms.len() < 7 {
                let radius = noise.within(0.05, 0.2);
                let shape = if noise.chance(0.5) {
                    Shape::Sphere { radius }
                } else {
                    Shape::Capsule { radius, half_length: noise.within(0.05, 0.2) }
                };
                let mut geom = Geom { position: noise.vector(0.1), ..Geom::<f64>::new(Some(body), shape) };
                geom.orientation = noise.quaternion();
                geom.condim = [1, 3, 4, 6][noise.below(4)];
                geom.friction =
                    [10f64.powf(noise.within(-2.0, 0.5)), noise.within(0.005, 0.1), noise.within(0.001, 0.1)];
                (geom.margin, geom.priority) = (noise.within(0.0, 0.02), 1);
                geom.softness = softness(&mut noise);
                geoms.push(geom);
            }
        }
        Self { tree, geoms }
    }

    pub fn description(&self) -> Description<'_, f64> {
        Description { geoms: &self.geoms, ..self.tree.description() }
    }
}

/// A state of a world, anywhere.
pub fn anywhere(world: &World, seed: u64, speed: f64) -> Wide {
    let description = world.tree.description();
    state(&Rig::new(&description), seed, speed)
}

/// A model and its memory.
pub struct Machine<'m, S = NewtonWorkspace<f64, NV, NR>> {
    pub model: Box<Model<'m, f64, NB, NQ, NV>>,
    pub work: Box<Memory<S>>,
}

impl<'m> Machine<'m> {
    pub fn new(description: &'m Description<'m, f64>) -> Self {
        Self::with_solver(description, NewtonWorkspace::filled(0.0))
    }
}

impl<'m, S: Method<f64, NV, NR, NC>> Machine<'m, S> {
    pub fn with_solver(description: &'m Description<'m, f64>, solver: S) -> Self {
        let mut work = Box::new(Workspace::with_solver(0.0, solver));
        let model = Box::new(Model::new(description, &mut work.smooth).unwrap());
        Self { model, work }
    }

    /// Forward as far as the precision goes; `None` where rows or contacts found no room.
    pub fn forward(&mut self, state: &Wide, input: &Input<'_, f64, NV>) -> Option<TickReport<f64>> {
        let report = self.model.forward(state, input, &thorough(), &mut self.work).ok()?;
        (report.dropped_contacts == 0).then_some(report)
    }

    pub fn acceleration(&self) -> Vector {
        *self.work.acceleration()
    }
}
