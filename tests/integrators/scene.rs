//! Small descriptions that live as long as the test, and one step of them.

use delassus::description::{Body, Description, Flags, Integrator, Joint, JointKind};
use delassus::model::{Model, State};
use delassus::solver::Budget;
use delassus::tick::{Input, TickError, Workspace};

/// A description on the heap, which a test may leak.
pub fn description(
    bodies: Vec<Body<f64>>,
    joints: Vec<Joint<f64>>,
    gravity: [f64; 3],
    step: f64,
    integrator: Integrator,
) -> &'static Description<'static, f64> {
    let mut whole =
        Description::<f64> { bodies: bodies.leak(), joints: joints.leak(), ..Description::<f64>::empty(step) };
    whole.options.gravity = gravity;
    whole.options.integrator = integrator;
    Box::leak(Box::new(whole))
}

/// The same with other flags.
pub fn flagged(of: &Description<'static, f64>, flags: Flags) -> &'static Description<'static, f64> {
    let mut whole = *of;
    whole.options.flags = flags;
    Box::leak(Box::new(whole))
}

/// A model with its memory and state.
pub struct Run<const NB: usize, const NQ: usize, const NV: usize, const NR: usize> {
    pub model: Model<'static, f64, NB, NQ, NV>,
    pub work: Box<Workspace<f64, NB, NV, 0, NR>>,
    pub state: State<f64, NQ, NV>,
}

impl<const NB: usize, const NQ: usize, const NV: usize, const NR: usize> Run<NB, NQ, NV, NR> {
    pub fn new(description: &'static Description<'static, f64>) -> Self {
        let mut work = Box::new(Workspace::filled(0.0));
        let model = Model::new(description, &mut work.smooth).unwrap();
        let state = model.state();
        Self { model, work, state }
    }

    pub fn at(mut self, configuration: [f64; NQ], velocity: [f64; NV]) -> Self {
        self.state.configuration = configuration;
        self.state.velocity = velocity.into();
        self
    }

    pub fn try_step(&mut self) -> Result<(), TickError> {
        let budget = Budget::new(100, 1e-12);
        self.model.step(&mut self.state, &Input::none(), &budget, &mut self.work).map(|_| ())
    }

    pub fn steps(&mut self, count: usize) {
        for _ in 0..count {
            self.try_step().unwrap();
        }
    }

    /// Kinetic, gravitational and spring energy of the state as it is \[J\].
    pub fn energy(&self) -> f64 {
        use delassus::dynamics::{kinetic_energy, potential_energy};
        use delassus::kinematics::Kinematics;
        let mut kinematics = Kinematics::<f64, NB, NV>::filled(0.0);
        let tree = self.model.tree();
        kinematics.place(tree, &self.state.configuration).unwrap();
        kinematics.move_at(tree, &self.state.velocity).unwrap();
        kinetic_energy(tree, &kinematics, &self.state.velocity)
            + potential_energy(tree, &kinematics, &self.model.gravity())
            + delassus::forces::spring_energy(tree, &self.state.configuration)
    }
}

/// A unit mass on a slide with ω = 3, γ of the caller's, h = 0.05: the problem of S15-41.
pub fn oscillator(gamma: f64, step: f64, integrator: Integrator) -> Run<1, 1, 1, 0> {
    let slide =
        Joint { stiffness: [9.0, 0.0, 0.0], damping: [gamma, 0.0, 0.0], ..Joint::<f64>::new(JointKind::Slide, 0) };
    Run::new(description(vec![Body::<f64>::new(1.0, [0.1; 3])], vec![slide], [0.0; 3], step, integrator))
        .at([1.0], [-0.5])
}

/// The spinning body of W15-84 … W15-8d on one joint.
pub fn spinning<const NQ: usize, const NV: usize>(
    kind: JointKind,
    integrator: Integrator,
    configuration: [f64; NQ],
    velocity: [f64; NV],
) -> Run<1, NQ, NV, 3> {
    let body = Body::<f64>::new(1.0, [0.2, 0.5, 0.4]);
    Run::new(description(vec![body], vec![Joint::<f64>::new(kind, 0)], [0.0; 3], 0.02, integrator))
        .at(configuration, velocity)
}

/// Start of W15-84 … W15-8d.
pub const TURN: [f64; 4] = [0.8, 0.2, -0.4, 0.4];
pub const RATE: [f64; 3] = [3.0, -2.0, 4.0];
