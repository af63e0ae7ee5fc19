//! 300 random scenes against MuJoCo 3.10.0: contacts, rows, forces, accelerations, and thirty steps of every integrator.
//!
//! `tests/golden/make_contacts.py` draws the same scenes and says what the numbers of `contacts.txt` are.

use super::draw::draw;
use super::machine::{Machine, apart};
use delassus::constraint::RowFact;

const ANSWERS: &str = include_str!("../golden/contacts.txt");

struct Answer {
    seed: u64,
    counts: [usize; 2],
    sums: Vec<f64>,
    acceleration: Vec<f64>,
    steps: usize,
    end: Vec<f64>,
}

fn answers() -> Vec<Answer> {
    let numbers = |line: &str| line.split(' ').skip(1).map(|x| x.parse().unwrap()).collect::<Vec<f64>>();
    let lines: Vec<&str> = ANSWERS.lines().collect();
    let (scenes, rest) = lines.as_chunks::<4>();
    assert!(rest.is_empty());
    let read = |[scene, sums, acceleration, after]: &[&str; 4]| {
        let (scene, after) = (numbers(scene), numbers(after));
        Answer {
            seed: scene[0] as u64,
            counts: [scene[1] as usize, scene[2] as usize],
            sums: numbers(sums),
            acceleration: numbers(acceleration),
            steps: after[0] as usize,
            end: after[1..].to_vec(),
        }
    };
    scenes.iter().map(read).collect()
}

fn weight(i: usize) -> f64 {
    ((37 * i + 11) % 101 + 1) as f64 / 101.0
}

/// The sum of make_contacts.py, and the sum of the magnitudes, beside which it was rounded.
fn weighted<I: IntoIterator<Item = f64>>(items: impl Iterator<Item = I>) -> [f64; 2] {
    let (mut sum, mut size) = (0.0, 0.0);
    for (i, item) in items.enumerate() {
        for (k, x) in item.into_iter().enumerate() {
            sum += weight(i + k) * x;
            size += weight(i + k) * x.abs();
        }
    }
    [sum, size]
}

const NAMES: [&str; 12] = [
    "distances",
    "positions",
    "frames",
    "parameters",
    "forces",
    "row positions and margins",
    "K",
    "B",
    "d and d'",
    "row velocities",
    "ln R and a_ref",
    "J",
];

fn sums(machine: &Machine<'_>, facts: &[RowFact<f64>]) -> [[f64; 2]; 12] {
    let (contacts, rows) = (machine.work.contacts(), machine.work.rows().rows());
    let dofs = machine.model.dof_count();
    let parameters = |c: &delassus::collision::Contact<f64>| {
        let mut all = vec![f64::from(c.geoms[0]), f64::from(c.geoms[1]), f64::from(c.condim)];
        all.extend(c.friction.iter().chain(&c.softness.solref).chain(&c.softness.solimp));
        all.push(c.margin);
        all
    };
    let force = |i: usize| {
        let found = machine.work.contact_force(i).unwrap();
        found.force.into_iter().chain(found.torque)
    };
    [
        weighted(contacts.iter().map(|c| [c.distance])),
        weighted(contacts.iter().map(|c| c.position.iter().copied().collect::<Vec<_>>())),
        weighted(
            contacts.iter().map(|c| c.frame[..2].iter().flat_map(|axis| axis.iter().copied()).collect::<Vec<_>>()),
        ),
        weighted(contacts.iter().map(parameters)),
        weighted((0..contacts.len()).map(force)),
        weighted(facts.iter().map(|f| [f.position, f.margin])),
        weighted(facts.iter().map(|f| [f.gains.stiffness])),
        weighted(facts.iter().map(|f| [f.gains.damping])),
        weighted(facts.iter().map(|f| [f.impedance.value(), f.impedance.slope()])),
        weighted(facts.iter().map(|f| [f.velocity])),
        weighted(rows.iter().map(|r| [r.regularizer().ln(), r.reference()])),
        weighted(rows.iter().map(|r| r.jacobian()[..dofs].to_vec())),
    ]
}

fn percentiles(mut errors: Vec<f64>) -> [f64; 3] {
    errors.sort_by(f64::total_cmp);
    [0.5, 0.95, 1.0].map(|share| errors[((errors.len() - 1) as f64 * share) as usize])
}

/// Below this regularizer \[1/kg\] the last digit of J, times 1/R, is seen in the forces: edges of a pyramid with friction 1e-5 have
/// R = 2 μ² R_n from 1e-14 on. There the exact optima (in rational numbers) of MuJoCo's rows and of ours are up to 2e-6 apart, all other
/// digits of the rows being the same.
const STIFF: f64 = 1e-11;

/// The smallest R.
fn softest(machine: &Machine<'_>) -> f64 {
    machine.work.rows().rows().iter().fold(1.0, |least, row| row.regularizer().min(least))
}

#[test]
fn contacts_rows_forces_and_accelerations_are_mujocos() {
    let (mut errors, mut all, mut contacts) = (vec![vec![]; 13], 0, 0);
    for answer in answers() {
        let drawn = draw(answer.seed);
        let description = drawn.scene.description();
        let mut machine = Machine::new(&description);
        drawn.start(&mut machine);
        let facts = machine.facts();
        let counts = [machine.work.contacts().len(), machine.work.rows().len()];
        assert_eq!(counts, answer.counts, "scene {}", answer.seed);
        assert_eq!(facts.len(), counts[1]);
        (all, contacts) = (all + 1, contacts + counts[0]);
        for (k, ([sum, size], expected)) in sums(&machine, &facts).iter().zip(&answer.sums).enumerate() {
            let off = (sum - expected).abs() / size.max(1.0);
            errors[k].push(off);
            let bound = if NAMES[k] == "forces" { 1e-7 } else { 1e-11 };
            assert!(off <= bound, "scene {}: {} {off:e} off: {sum} {expected}", answer.seed, NAMES[k]);
        }
        let off = apart(&machine.work.acceleration().as_slice()[..answer.acceleration.len()], &answer.acceleration);
        errors[12].push(off);
        let bound = if softest(&machine) < STIFF { 1e-5 } else { 1e-9 };
        assert!(off <= bound, "scene {}: acceleration {off:e} off", answer.seed);
    }
    println!("{all} scenes, {contacts} contacts; error beside the largest number: median, 95 %, worst");
    for (name, errors) in NAMES.iter().chain(&["acceleration"]).zip(errors) {
        let [median, most, worst] = percentiles(errors);
        println!("{name:26} {median:8.1e} {most:8.1e} {worst:8.1e}");
    }
    assert!(all >= 300 && contacts >= 1500);
}

#[test]
fn thirty_steps_are_mujocos() {
    let (mut errors, mut beyond) = (vec![], 0);
    for answer in answers() {
        let drawn = draw(answer.seed);
        let description = drawn.scene.description();
        let mut machine = Machine::new(&description);
        drawn.start(&mut machine);
        let mut stiff = false;
        for _ in 0..answer.steps {
            machine.step();
            stiff |= softest(&machine) < STIFF;
        }
        let found = [machine.position(), machine.velocity()].concat();
        let off = apart(&found, &answer.end);
        assert!(off <= if stiff { 0.05 } else { 1e-8 }, "scene {}: {off:e} off", answer.seed);
        beyond += usize::from(off > 1e-7);
        errors.push(off);
    }
    let [median, most, worst] = percentiles(errors);
    println!("state after thirty steps: median {median:.1e}, 95 % {most:.1e}, worst {worst:.1e}");
    assert!(median <= 1e-11 && most <= 1e-10 && beyond <= 2);
}
