//! Two mechanisms whose tendons join branches and trees: one with joints of all kinds, one of three double pendulums, whose M has
//! mostly zeros.

use delassus::description::*;
use delassus::model::{Model, State};
use delassus::solver::Budget;
use delassus::tendon::TendonConstants;
use delassus::tick::{Input, Workspace};
use nalgebra::SVector;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// The same cases every time.
pub fn config() -> ProptestConfig {
    ProptestConfig { cases: 64, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() }
}

fn body(parent: Option<u16>, position: [f64; 3]) -> Body<f64> {
    Body {
        parent,
        position,
        orientation: [0.9, 0.1, -0.3, 0.2],
        center: [0.05, -0.1, -0.2],
        inertia_orientation: [0.8, 0.3, 0.1, -0.2],
        ..Body::<f64>::new(0.7, [0.03, 0.02, 0.025])
    }
}

fn joint(kind: JointKind, body: u16, axis: [f64; 3]) -> Joint<f64> {
    Joint { axis, armature: 0.01, position: [0.0, 0.02, 0.1], ..Joint::<f64>::new(kind, body) }
}

fn site(body: Option<u16>, position: [f64; 3]) -> Site<f64> {
    Site { body, position, orientation: [1.0, 0.0, 0.0, 0.0] }
}

/// What a mechanism needs; its numbers are leaked, for a test ends soon.
pub struct Parts {
    pub bodies: Vec<Body<f64>>,
    pub joints: Vec<Joint<f64>>,
    pub sites: Vec<Site<f64>>,
    pub tendons: Vec<Tendon<f64>>,
    pub tendon_joints: Vec<TendonJoint<f64>>,
    pub tendon_sites: Vec<u16>,
    pub actuators: Vec<Actuator<f64>>,
    pub options: Options<f64>,
}

impl Parts {
    pub fn leak(self) -> &'static Description<'static, f64> {
        Box::leak(Box::new(Description {
            bodies: self.bodies.leak(),
            joints: self.joints.leak(),
            sites: self.sites.leak(),
            tendons: self.tendons.leak(),
            tendon_joints: self.tendon_joints.leak(),
            tendon_sites: self.tendon_sites.leak(),
            actuators: self.actuators.leak(),
            options: self.options,
            ..Description::<f64>::empty(0.002)
        }))
    }
}

/// A fixed tendon over the first and last joint of `single`, and a rope through all sites; springs, dampers, armature.
fn tendons(single: [u16; 2], sites: u16) -> (Vec<Tendon<f64>>, Vec<TendonJoint<f64>>, Vec<u16>) {
    let fixed = Tendon {
        stiffness: [8.0, 2.0, 1.0],
        damping: [0.5, 0.2, 0.1],
        spring_length: Some([-0.1, 0.05]),
        armature: 0.2,
        ..Tendon::<f64>::new(TendonPath::Joints { first: 0, count: 2 })
    };
    let rope = Tendon {
        stiffness: [20.0, 0.0, 3.0],
        damping: [1.0, 0.3, 0.0],
        armature: 0.4,
        ..Tendon::<f64>::new(TendonPath::Sites { first: 0, count: sites })
    };
    let [one, other] = single;
    let joints = vec![TendonJoint { joint: one, coefficient: 1.5 }, TendonJoint { joint: other, coefficient: -0.7 }];
    (vec![fixed, rope], joints, (0..sites).collect())
}

fn actuators(joint: u16) -> Vec<Actuator<f64>> {
    let gear = |g: f64| [g, 0.5, -0.3, 0.2, 0.1, 0.4];
    vec![
        Actuator { gear: gear(2.0), ..Actuator::<f64>::position(Transmission::Joint(joint), 3.0, 0.4) },
        Actuator { gear: gear(0.7), ..Actuator::<f64>::velocity(Transmission::Tendon(0), 1.3) },
        Actuator { gear: gear(1.0), ..Actuator::<f64>::damper(Transmission::Tendon(1), 0.8) },
        Actuator { gear: gear(1.0), ..Actuator::<f64>::velocity(Transmission::Joint(0), 0.6) },
    ]
}

/// A free body that carries a hinge and a ball, and a slider beside it: 4 bodies, 13 numbers, 11 dofs.
pub fn tree() -> Parts {
    let (tendons, tendon_joints, tendon_sites) = tendons([1, 3], 5);
    Parts {
        bodies: vec![
            body(None, [0.0, 0.0, 1.0]),
            body(Some(0), [0.3, 0.0, 0.1]),
            body(Some(0), [-0.2, 0.2, 0.0]),
            body(None, [1.0, 0.0, 0.0]),
        ],
        joints: vec![
            joint(JointKind::Free, 0, [0.0, 0.0, 1.0]),
            joint(JointKind::Hinge, 1, [0.2, 1.0, 0.1]),
            joint(JointKind::Ball, 2, [0.0, 0.0, 1.0]),
            joint(JointKind::Slide, 3, [1.0, 0.3, 0.2]),
        ],
        sites: vec![
            site(None, [0.4, -0.3, 2.0]),
            site(Some(0), [0.1, 0.2, 0.3]),
            site(Some(1), [0.2, -0.1, 0.1]),
            site(Some(2), [-0.3, 0.1, 0.2]),
            site(Some(3), [0.0, 0.2, -0.2]),
        ],
        tendons,
        tendon_joints,
        tendon_sites,
        actuators: actuators(2),
        options: Description::<f64>::empty(0.002).options,
    }
}

/// Three double pendulums side by side: 6 bodies, 6 dofs, and a factor that visits chains where it may.
pub fn pendulums() -> Parts {
    let (tendons, tendon_joints, tendon_sites) = tendons([1, 4], 4);
    let link = |k: u16| {
        if k.is_multiple_of(2) { body(None, [f64::from(k), 0.0, 1.0]) } else { body(Some(k - 1), [0.0, 0.1, -0.4]) }
    };
    Parts {
        bodies: (0..6).map(link).collect(),
        joints: (0..6).map(|k| joint(JointKind::Hinge, k, [0.1 * f64::from(k), 1.0, 0.2])).collect(),
        sites: vec![
            site(Some(1), [0.1, 0.2, 0.3]),
            site(Some(2), [0.2, -0.1, 0.1]),
            site(Some(5), [-0.3, 0.1, 0.2]),
            site(None, [2.0, 0.2, -0.2]),
        ],
        tendons,
        tendon_joints,
        tendon_sites,
        actuators: actuators(5),
        options: Description::<f64>::empty(0.002).options,
    }
}

/// A model, its state and its memory.
pub struct Rig<const NB: usize, const NQ: usize, const NV: usize> {
    pub model: Model<'static, f64, NB, NQ, NV>,
    pub work: Box<Workspace<f64, NB, NV, 0, 8>>,
    pub state: State<f64, NQ, NV>,
}

impl<const NB: usize, const NQ: usize, const NV: usize> Rig<NB, NQ, NV> {
    pub fn new(parts: Parts) -> Self {
        let description = parts.leak();
        let mut work = Box::new(Workspace::filled(0.0));
        let constants = vec![TendonConstants::filled(0.0); description.tendons.len()].leak();
        let model = Model::with_tendons(description, &mut work.smooth, constants).unwrap();
        let state = model.state();
        Self { model, work, state }
    }

    /// Away from the reference along the first half of the numbers, moving along the second.
    pub fn at(mut self, numbers: &[f64]) -> Self {
        let along = SVector::from_fn(|k, _| numbers[k]);
        delassus::integrator::advance(self.model.tree(), &mut self.state.configuration, &along, 1.0);
        self.state.velocity = SVector::from_fn(|k, _| numbers[NV + k]);
        self
    }

    pub fn forward(&mut self, input: &Input<'_, f64, NV>) -> SVector<f64, NV> {
        self.model.forward(&self.state, input, &Budget::new(100, 0.0), &mut self.work).unwrap();
        *self.work.acceleration()
    }

    /// The state where a velocity and acceleration lead it in a short time.
    pub fn moved(&self, acceleration: &SVector<f64, NV>, time: f64) -> State<f64, NQ, NV> {
        let mut state = self.state;
        let middle = self.state.velocity + acceleration * (time / 2.0);
        delassus::integrator::advance(self.model.tree(), &mut state.configuration, &middle, time);
        state.velocity += acceleration * time;
        state
    }

    /// Places frames and velocities of another state.
    pub fn place(&mut self, state: &State<f64, NQ, NV>) {
        let mut input = Input::none();
        input.control = &[];
        self.model.forward(state, &input, &Budget::new(100, 0.0), &mut self.work).unwrap();
    }
}

/// Numbers for [`Rig::at`].
pub fn numbers(count: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-1.0..1.0, 2 * count)
}
