//! Small random mechanisms against MuJoCo 3.10.0: constants, forward pass, rows, and a hundred steps of Euler.
//!
//! `tests/golden/make_mechanism.py` draws them, says what a line means, and writes `mechanism.txt` with MuJoCo's answers.

use super::build::Mechanism;
use super::rig::{NQ, NR, NV, Rig, Vector, Wide, thorough};
use delassus::description::{Body, EqualityKind, Joint, JointKind, Site, SoftnessNumbers};
use delassus::forces::Wrench;
use delassus::model::{Model, Smooth};
use delassus::rows::Kind;
use delassus::solver::Budget;
use delassus::tick::{Input, Workspace};
use nalgebra::SVector;

const MODELS: &str = include_str!("../golden/mechanism.txt");

/// Numbers of a line, taken from the front.
struct Line<'a>(std::str::SplitWhitespace<'a>);

impl Line<'_> {
    fn number(&mut self) -> f64 {
        self.0.next().unwrap().parse().unwrap()
    }
    fn array<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.number())
    }
    fn flag(&mut self) -> bool {
        self.number() != 0.0
    }
    fn index(&mut self) -> u16 {
        self.number() as u16
    }
    fn body(&mut self) -> Option<u16> {
        let number = self.number();
        (number >= 0.0).then_some(number as u16)
    }
    fn softness(&mut self) -> SoftnessNumbers<f64> {
        SoftnessNumbers { solref: self.array(), solimp: self.array() }
    }
    fn rest(&mut self) -> Vec<f64> {
        self.0.by_ref().map(|x| x.parse().unwrap()).collect()
    }
}

/// MuJoCo's word on a model.
#[derive(Default)]
struct Answer {
    state: [Vec<f64>; 3],
    wrench: Option<Wrench<f64>>,
    numbers: std::collections::HashMap<String, Vec<f64>>,
    rows: Vec<Vec<f64>>,
    checkpoints: Vec<(usize, Vec<f64>)>,
}

fn read_joint(line: &mut Line<'_>) -> Joint<f64> {
    let body = line.index();
    let kind = [JointKind::Free, JointKind::Ball, JointKind::Slide, JointKind::Hinge][line.number() as usize];
    let joint = Joint::<f64>::new(kind, body);
    let joint = Joint { position: line.array(), axis: line.array(), reference: line.number(), ..joint };
    let joint = Joint { spring_reference: line.number(), stiffness: line.array(), damping: line.array(), ..joint };
    let joint = Joint { armature: line.number(), friction_loss: line.number(), ..joint };
    let friction_softness = line.softness();
    let (limited, range) = (line.flag(), line.array());
    let (range, margin) = (limited.then_some(range), line.number());
    Joint { friction_softness, range, margin, limit_softness: line.softness(), ..joint }
}

fn read_body(line: &mut Line<'_>) -> Body<f64> {
    Body {
        parent: line.body(),
        position: line.array(),
        orientation: line.array(),
        mass: line.number(),
        center: line.array(),
        inertia: line.array(),
        inertia_orientation: line.array(),
        gravity_compensation: line.number(),
    }
}

fn read_equality(word: &str, line: &mut Line<'_>) -> EqualityKind<f64> {
    let partners = [line.body(), line.body()];
    let sites = partners.map(|site| site.unwrap_or(0));
    match word {
        "connect" => EqualityKind::Connect { bodies: partners, anchor: line.array() },
        "connectsites" => EqualityKind::ConnectSites { sites },
        "weldsites" => EqualityKind::WeldSites { sites, torque_scale: line.number() },
        "coupling" => EqualityKind::Coupling { joint: sites[0], leader: partners[1], polynomial: line.array() },
        _ => {
            let (anchor, given, pose) = (line.array(), line.flag(), (line.array(), line.array()));
            let relative_pose = given.then_some(pose);
            EqualityKind::Weld { bodies: partners, anchor, relative_pose, torque_scale: line.number() }
        }
    }
}

fn models() -> Vec<(String, Mechanism<f64>, Answer)> {
    let mut models: Vec<(String, Mechanism<f64>, Answer)> = Vec::new();
    for text in MODELS.lines() {
        let mut words = text.split_whitespace();
        let word = words.next().unwrap();
        if word == "model" {
            models.push((words.next().unwrap().to_string(), Mechanism::new(), Answer::default()));
            continue;
        }
        let (_, mechanism, answer) = models.last_mut().unwrap();
        let line = &mut Line(words);
        match word {
            "option" => {
                let options = &mut mechanism.options;
                (options.gravity, options.step) = (line.array(), line.number());
                let flags = &mut options.flags;
                (flags.euler_damping, flags.refsafe, flags.exact_diagonal) = (line.flag(), line.flag(), line.flag());
                (flags.spring, flags.damper, flags.warm_start) = (line.flag(), line.flag(), line.flag());
            }
            "body" => mechanism.bodies.push(read_body(line)),
            "joint" => mechanism.joints.push(read_joint(line)),
            "site" => {
                let site = Site { body: line.body(), position: line.array(), orientation: line.array() };
                mechanism.sites.push(site);
            }
            "connect" | "weld" | "connectsites" | "weldsites" | "coupling" => {
                let kind = read_equality(word, line);
                mechanism.equality(kind).softness = line.softness();
            }
            "qpos" => answer.state[0] = line.rest(),
            "qvel" => answer.state[1] = line.rest(),
            "applied" => answer.state[2] = line.rest(),
            "wrench" => {
                answer.wrench = Some(Wrench { body: line.index(), force: line.array(), torque: line.array() });
            }
            "row" => answer.rows.push(line.rest()),
            "after" => answer.checkpoints.push((line.number() as usize, line.rest())),
            _ => {
                answer.numbers.insert(word.to_string(), line.rest());
            }
        }
    }
    models
}

fn start(rig: &Rig<'_>, answer: &Answer) -> (Wide, Vector) {
    let mut state = rig.model.state();
    let [q, v, applied] = &answer.state;
    assert_eq!((q.len(), v.len()), (rig.model.coordinate_count(), rig.dofs()));
    state.configuration[..q.len()].copy_from_slice(q);
    state.velocity.rows_mut(0, v.len()).copy_from_slice(v);
    let mut force = Vector::zeros();
    force.rows_mut(0, v.len()).copy_from_slice(applied);
    (state, force)
}

/// Largest difference, beside the largest number of the expected ones or 1.
fn apart(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let scale = expected.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    found.iter().zip(expected).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs())) / scale
}

/// 1e-11 of the largest number for everything that is a closed expression; 1e-8 for what the solver made of it.
#[test]
fn forward_passes_agree_with_mujoco() {
    for (name, mechanism, answer) in models() {
        let description = mechanism.description();
        let mut rig = Rig::new(&description);
        let (state, force) = start(&rig, &answer);
        let wrenches = [answer.wrench.unwrap()];
        let input = Input { wrenches: &wrenches, ..Input::force(force) };
        let facts = rig.facts(&state, &input);
        let n = rig.dofs();
        let check = |word: &str, found: &[f64], bound: f64| {
            let off = apart(found, &answer.numbers[word]);
            assert!(off <= bound, "{name}: {word} is {off:e} off\n{found:?}\n{:?}", answer.numbers[word]);
        };
        let weights = |body: usize| rig.model.inverse_weight(Some(body as u16));
        check("weights", &(0..mechanism.bodies.len()).flat_map(weights).collect::<Vec<_>>(), 1e-11);
        check("dofweights", &(0..n).map(|dof| rig.model.dof_inverse_weight(dof)).collect::<Vec<_>>(), 1e-11);
        check("meaninertia", &[rig.model.mean_inertia()], 1e-13);
        let work = &rig.work;
        let frames = work.kinematics().frames();
        check(
            "xpos",
            &frames.iter().flat_map(|f| [f.position.x, f.position.y, f.position.z]).collect::<Vec<_>>(),
            1e-13,
        );
        let columns = work.mass().columns();
        check("mass", &(0..n).flat_map(|i| (0..=i).map(move |k| columns[k][i])).collect::<Vec<_>>(), 1e-12);
        check("bias", &work.bias_force().as_slice()[..n], 1e-12);
        check("passive", &work.passive_force().as_slice()[..n], 1e-12);
        check("smooth", &work.free_acceleration().as_slice()[..n], 1e-11);

        assert_eq!(work.rows().len(), answer.rows.len(), "{name}");
        let rows = work.rows().rows().iter().zip(&facts).zip(work.solver.force());
        for (index, ((row, fact), force)) in rows.enumerate() {
            let [kind, position, margin, velocity, k, b, d, r, wanted, expected_force] = answer.rows[index][..10]
            else {
                panic!("a row has ten numbers and J")
            };
            let kinds = [Kind::Equality, Kind::JointFriction, Kind::TendonFriction, Kind::JointLimit];
            assert_eq!(row.kind(), kinds[kind as usize]);
            let found = [fact.position, fact.margin, fact.velocity, fact.gains.stiffness, fact.gains.damping];
            for (found, expected, bound) in [
                (&found[..], &[position, margin, velocity, k, b][..], 1e-11),
                (&[fact.impedance.value()], &[d], 1e-11),
                (&[row.reference()], &[wanted], 1e-11),
                (&row.jacobian()[..n], &answer.rows[index][10..], 1e-12),
            ] {
                let off = apart(found, expected);
                assert!(off <= bound, "{name}: row {index} is {off:e} off\n{found:?}\n{expected:?}");
            }
            assert!((row.regularizer() - r).abs() <= 1e-11 * r, "{name}: row {index}: {} {r}", row.regularizer());
            let off = apart(&[*force], &[expected_force]);
            assert!(off <= 1e-8, "{name}: force {index} is {off:e} off");
        }
        check("constraint", &work.constraint_force().as_slice()[..n], 1e-8);
        check("acceleration", &work.acceleration().as_slice()[..n], 1e-8);
        let energies = rig.energies(&state);
        let found = [energies[1] + energies[2], energies[0]];
        let off = apart(&found, &answer.numbers["energy"]);
        assert!(off < 1e-12, "{name}: {found:?} {:?}", answer.numbers["energy"]);
    }
}

/// The same sums in another order differ in the last digit; a hundred steps of stiff rows make of it what the bound allows.
#[test]
fn hundred_euler_steps_agree_with_mujoco() {
    for (name, mechanism, answer) in models() {
        let description = mechanism.description();
        let mut rig = Rig::new(&description);
        let (mut state, force) = start(&rig, &answer);
        let wrenches = [answer.wrench.unwrap()];
        let input = Input { wrenches: &wrenches, ..Input::force(force) };
        let mut done = 0;
        for (step, expected) in &answer.checkpoints {
            while done < *step {
                rig.model.step(&mut state, &input, &thorough(), &mut rig.work).unwrap();
                done += 1;
            }
            let mut found = state.configuration[..rig.model.coordinate_count()].to_vec();
            found.extend(&state.velocity.as_slice()[..rig.dofs()]);
            let off = apart(&found, expected);
            let bound = if *step < 100 { 1e-10 } else { 1e-8 };
            assert!(off <= bound, "{name}: {off:e} off after {step} steps");
        }
        assert_eq!(done, 100);
    }
}

/// Single precision from single-precision numbers: what is left of MuJoCo's acceleration, relative to the largest.
#[test]
fn single_precision_keeps_most_of_its_digits() {
    for (name, mechanism, answer) in models() {
        let narrow = mechanism.narrow();
        let description = narrow.description();
        let model = Model::<f32, 12, NQ, NV>::new(&description, &mut Smooth::filled(0.0)).unwrap();
        let mut work = Box::new(Workspace::<f32, 12, NV, 0, NR>::filled(0.0));
        let mut state = model.state();
        let [q, v, applied] = &answer.state;
        let mut force = SVector::<f32, NV>::zeros();
        for (to, from) in state.configuration.iter_mut().zip(q) {
            *to = *from as f32;
        }
        for k in 0..v.len() {
            (state.velocity[k], force[k]) = (v[k] as f32, applied[k] as f32);
        }
        let Wrench { body, force: push, torque } = answer.wrench.unwrap();
        let wrenches = [Wrench { body, force: push.map(|x| x as f32), torque: torque.map(|x| x as f32) }];
        let input = Input { wrenches: &wrenches, ..Input::force(force) };
        model.forward(&state, &input, &Budget::new(50, 0.0), &mut work).unwrap();
        let wide = |x: &SVector<f32, NV>| x.iter().take(v.len()).map(|x| f64::from(*x)).collect::<Vec<_>>();
        for (word, found, bound) in [
            ("bias", wide(work.bias_force()), 3e-6),
            ("passive", wide(work.passive_force()), 3e-6),
            ("smooth", wide(work.free_acceleration()), 1e-4),
            ("acceleration", wide(work.acceleration()), 1e-3),
        ] {
            let off = apart(&found, &answer.numbers[word]);
            assert!(off <= bound, "{name}: {word} is {off:e} off");
        }
    }
}
