//! Against MuJoCo 3.10.0: small models after 1, 10 and 100 steps of every integrator (X-40 … ), from the numbers that
//! `tests/golden/make_integrators.py` wrote.
//!
//! Both run in double precision and solve to the end, and round in different order; the motions are short and far from chaos. The
//! worst number is (v₊ − v)/h of a free body, which divides the rounding of a velocity by the step: 2e-13 of the largest number is
//! what was found, 1e-12 is asked.

use delassus::description::{Body, Description, Equality, EqualityKind, Flags, Integrator, Joint, JointKind};
use delassus::model::{Model, State};
use delassus::solver::Budget;
use delassus::tick::{Input, Workspace};

const GOLDEN: &str = include_str!("../golden/integrators.txt");

const NB: usize = 4;
const NQ: usize = 14;
const NV: usize = 12;
const NR: usize = 8;

/// Takes numbers from the front of a line.
struct Numbers(std::vec::IntoIter<f64>);

impl Numbers {
    fn of<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        Self(words.map(|word| word.parse().unwrap()).collect::<Vec<f64>>().into_iter())
    }

    fn one(&mut self) -> f64 {
        self.0.next().unwrap()
    }

    fn some<const N: usize>(&mut self) -> [f64; N] {
        core::array::from_fn(|_| self.one())
    }

    /// −1 is the world.
    fn body(&mut self) -> Option<u16> {
        let index = self.one();
        (index >= 0.0).then_some(index as u16)
    }
}

fn body(mut x: Numbers) -> Body<f64> {
    Body {
        parent: x.body(),
        position: x.some(),
        orientation: x.some(),
        mass: x.one(),
        center: x.some(),
        inertia: x.some(),
        inertia_orientation: x.some(),
        gravity_compensation: x.one(),
    }
}

fn joint(mut x: Numbers) -> Joint<f64> {
    let body = x.one() as u16;
    let kind = [JointKind::Free, JointKind::Ball, JointKind::Slide, JointKind::Hinge][x.one() as usize];
    let mut joint = Joint {
        position: x.some(),
        axis: x.some(),
        reference: x.one(),
        spring_reference: x.one(),
        stiffness: x.some(),
        damping: x.some(),
        armature: x.one(),
        friction_loss: x.one(),
        ..Joint::<f64>::new(kind, body)
    };
    let (limited, range) = (x.one() != 0.0, x.some());
    joint.range = limited.then_some(range);
    joint.margin = x.one();
    joint
}

fn equality(kind: &str, mut x: Numbers) -> Equality<f64> {
    let (first, second) = (x.body(), x.body());
    let solref = x.some();
    let kind = match kind {
        "connect" => EqualityKind::Connect { bodies: [first, second], anchor: x.some() },
        "weld" => {
            EqualityKind::Weld { bodies: [first, second], anchor: x.some(), relative_pose: None, torque_scale: x.one() }
        }
        "coupling" => EqualityKind::Coupling { joint: first.unwrap(), leader: second, polynomial: x.some() },
        other => panic!("{other}"),
    };
    let mut equality = Equality::<f64>::new(kind);
    equality.softness.solref = solref;
    equality
}

/// A model and its lines of results.
#[derive(Default)]
struct Case {
    name: String,
    options: Vec<f64>,
    bodies: Vec<Body<f64>>,
    joints: Vec<Joint<f64>>,
    equalities: Vec<Equality<f64>>,
    start: Vec<f64>,
    results: Vec<(String, usize, Vec<f64>)>,
}

fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = vec![];
    for line in GOLDEN.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        let first = words.next().unwrap();
        if first == "model" {
            cases.push(Case { name: words.next().unwrap().into(), ..Case::default() });
            continue;
        }
        let case = cases.last_mut().unwrap();
        match first {
            "options" => case.options = Numbers::of(words).0.collect(),
            "body" => case.bodies.push(body(Numbers::of(words))),
            "joint" => case.joints.push(joint(Numbers::of(words))),
            "equality" => {
                let kind = words.next().unwrap();
                case.equalities.push(equality(kind, Numbers::of(words)));
            }
            "start" => case.start = Numbers::of(words).0.collect(),
            "steps" => {
                let (integrator, count) = (words.next().unwrap().into(), words.next().unwrap().parse().unwrap());
                case.results.push((integrator, count, Numbers::of(words).0.collect()));
            }
            other => panic!("{other}"),
        }
    }
    cases
}

fn described(case: &Case, integrator: Integrator) -> Description<'_, f64> {
    let [step, x, y, z, euler_damping, gravity, spring, damper] = case.options[..] else {
        panic!("{:?}", case.options)
    };
    let mut whole = Description::<f64> {
        bodies: &case.bodies,
        joints: &case.joints,
        equalities: &case.equalities,
        ..Description::<f64>::empty(step)
    };
    whole.options.gravity = [x, y, z];
    whole.options.integrator = integrator;
    whole.options.flags = Flags {
        euler_damping: euler_damping != 0.0,
        gravity: gravity != 0.0,
        spring: spring != 0.0,
        damper: damper != 0.0,
        ..Flags::DEFAULT
    };
    whole
}

/// Largest difference between what is measured and what is printed, by the largest printed number.
fn apart(measured: &[f64], printed: &[f64]) -> f64 {
    assert_eq!(measured.len(), printed.len());
    let scale = printed.iter().fold(1.0, |scale: f64, x| scale.max(x.abs()));
    measured.iter().zip(printed).fold(0.0, |worst: f64, (a, b)| worst.max((a - b).abs() / scale))
}

#[test]
fn trajectories_are_the_engines() {
    let cases = cases();
    assert_eq!(cases.len(), 20);
    for case in &cases {
        assert_eq!(case.results.len(), 12);
        for integrator in [Integrator::Euler, Integrator::RungeKutta, Integrator::Implicit, Integrator::ImplicitFast] {
            let whole = described(case, integrator);
            let mut work = Box::new(Workspace::<f64, NB, NV, 0, NR>::filled(0.0));
            let model = Model::<f64, NB, NQ, NV>::new(&whole, &mut work.smooth).unwrap();
            let (nq, nv) = (model.coordinate_count(), model.dof_count());
            assert_eq!(case.start.len(), nq + nv);
            let mut state: State<f64, NQ, NV> = model.state();
            state.configuration[..nq].copy_from_slice(&case.start[..nq]);
            state.velocity.as_mut_slice()[..nv].copy_from_slice(&case.start[nq..]);
            let name = format!("{integrator:?}");
            for count in 1..=100 {
                model.step(&mut state, &Input::none(), &Budget::new(200, 0.0), &mut work).unwrap();
                for (_, _, printed) in case.results.iter().filter(|(of, at, _)| *of == name && *at == count) {
                    let vectors = [&state.velocity, work.acceleration(), &state.warm_start];
                    let mut measured = state.configuration[..nq].to_vec();
                    vectors.iter().for_each(|v| measured.extend(&v.as_slice()[..nv]));
                    // State and accelerations each by their own size.
                    let (state, pushed) = (&measured[..nq + nv], &measured[nq + nv..]);
                    let worst = apart(state, &printed[..nq + nv]).max(apart(pushed, &printed[nq + nv..]));
                    assert!(worst < 1e-12, "{} {name} after {count}: {worst:e}", case.name);
                }
            }
        }
    }
}
