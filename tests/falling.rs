//! With elliptic contacts among the rows the objective of the primal methods never rises: every iterate's objective,
//! formed here in `f64` from the formulas X-01 … X-04, is at most that of the iterate before, on thousands of random problems.

#![allow(clippy::disallowed_methods)] // plain maths, on the host only

mod common;

use common::{Number, rule_of};
use delassus::mass::MassMatrix;
use delassus::rows::{Kind, Rows};
use delassus::scalar::literal;
use delassus::solver::{
    Budget, ConjugateGradientWorkspace, Iterate, Measure, NewtonWorkspace, Observer, Report, Stop, Update, Variant,
    conjugate_gradient_observed, newton_observed,
};
use nalgebra::{SMatrix, SVector};

const NV: usize = 6;
const NR: usize = 27;

/// Numbers in [0, 1) by a multiplicative congruence (Lehmer, modulus 2⁶¹ − 1).
struct Noise(u128);

impl Noise {
    fn number(&mut self) -> f64 {
        let modulus = (1u128 << 61) - 1;
        self.0 = self.0 * 437_799_614_237_992_725 % modulus;
        self.0 as f64 / modulus as f64
    }

    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.number()
    }

    fn decades(&mut self, low: f64, high: f64) -> f64 {
        10f64.powf(self.within(low, high))
    }

    fn choice<A: Copy>(&mut self, of: &[A]) -> A {
        of[(self.number() * of.len() as f64) as usize % of.len()]
    }
}

/// One row, or the rows of one contact when there is friction.
struct Block {
    kind: Kind,
    loss: f64,
    friction: Vec<f64>,
    impratio: f64,
    jacobian: Vec<[f64; NV]>,
    reference: Vec<f64>,
    regularizer: f64,
}

struct Problem {
    mass: SMatrix<f64, NV, NV>,
    free: SVector<f64, NV>,
    saved: Option<SVector<f64, NV>>,
    blocks: Vec<Block>,
}

/// One to four contacts of dimension 2, 3, 4 or 6, friction 1e-5 … 10 with anisotropy, impratio 0.1 … 100, impedance 0.9 … 0.9999,
/// masses over three decades; up to three rows of other kinds before them; at times a copy of an earlier Jacobian.
fn problem(noise: &mut Noise) -> Problem {
    let inverse: [f64; NV] = std::array::from_fn(|_| noise.decades(-1.5, 1.5));
    let root = SMatrix::<f64, NV, NV>::from_fn(|i, j| {
        let size = if i == j { 1.0 } else { 0.2 * noise.within(-1.0, 1.0) };
        size / inverse[j].sqrt()
    });
    let mass = root.transpose() * root;
    let mut blocks = Vec::<Block>::new();
    let contacts = 1 + (noise.number() * 4.0) as usize;
    let kinds = [Kind::Equality, Kind::JointFriction, Kind::JointLimit];
    let plain: Vec<Kind> = kinds.into_iter().filter(|_| noise.number() < 0.3).collect();
    let solve = mass.cholesky().unwrap();
    for kind in plain.into_iter().chain(std::iter::repeat_n(Kind::ContactElliptic, contacts)) {
        let count = if kind == Kind::ContactElliptic { noise.choice(&[2usize, 3, 3, 4, 6]) } else { 1 };
        let base = noise.within(-5.0, 1.0);
        let mut jacobian: Vec<[f64; NV]> =
            (0..count).map(|_| std::array::from_fn(|_| noise.within(-1.0, 1.0))).collect();
        if let (Some(earlier), true) = (blocks.last(), noise.number() < 0.2) {
            jacobian[0] = earlier.jacobian[0];
        }
        let normal = SVector::from(jacobian[0]);
        let seen = normal.dot(&solve.solve(&normal));
        blocks.push(Block {
            kind,
            loss: noise.decades(-1.0, 1.0),
            friction: (1..count).map(|_| 10f64.powf(base + noise.within(-0.5, 0.5)).clamp(1e-5, 10.0)).collect(),
            impratio: noise.decades(-1.0, 2.0),
            reference: (0..count).map(|_| noise.within(-30.0, 30.0)).collect(),
            regularizer: seen * noise.decades(-4.0, -1.0),
            jacobian,
        });
    }
    let free = SVector::from_fn(|_, _| noise.within(-10.0, 10.0));
    let saved = (noise.number() < 0.3).then(|| SVector::from_fn(|_, _| noise.within(-30.0, 30.0)));
    Problem { mass, free, saved, blocks }
}

impl Block {
    /// R of every row, normal first (S12-43).
    fn regularizers(&self) -> Vec<f64> {
        let mut all = vec![self.regularizer];
        for mu in &self.friction {
            all.push(self.regularizer / self.impratio * (self.friction[0] / mu).powi(2));
        }
        all
    }

    /// Cost at z and the forces, by X-01 … X-04.
    fn cost(&self, z: &[f64]) -> (f64, Vec<f64>) {
        let r = self.regularizers();
        match self.kind {
            Kind::Equality => (0.5 * z[0] * z[0] / r[0], vec![-z[0] / r[0]]),
            Kind::JointFriction if z[0].abs() >= r[0] * self.loss => {
                (self.loss * z[0].abs() - 0.5 * r[0] * self.loss * self.loss, vec![-self.loss * z[0].signum()])
            }
            Kind::JointFriction => (0.5 * z[0] * z[0] / r[0], vec![-z[0] / r[0]]),
            Kind::JointLimit => {
                let z = z[0].min(0.0);
                (0.5 * z * z / r[0], vec![-z / r[0]])
            }
            _ => {
                let mu = self.friction[0] / self.impratio.sqrt();
                let normal = mu * z[0];
                let scaled: Vec<f64> = z[1..].iter().zip(&self.friction).map(|(z, m)| z * m).collect();
                let tangent = scaled.iter().map(|u| u * u).sum::<f64>().sqrt();
                if normal >= mu * tangent {
                    (0.0, vec![0.0; z.len()])
                } else if mu * normal + tangent <= 0.0 {
                    let cost = z.iter().zip(&r).map(|(z, r)| 0.5 * z * z / r).sum();
                    (cost, z.iter().zip(&r).map(|(z, r)| -z / r).collect())
                } else {
                    let stiffness = 1.0 / (r[0] * mu * mu * (1.0 + mu * mu));
                    let g = normal - mu * tangent;
                    let force = -stiffness * g * mu;
                    let mut all = vec![force];
                    all.extend(scaled.iter().zip(&self.friction).map(|(u, m)| -force / tangent * u * m));
                    (0.5 * stiffness * g * g, all)
                }
            }
        }
    }
}

impl Problem {
    /// The objective, and what of it rounding of `eps` in a, J a − a_ref and the sums can blur.
    fn objective(&self, a: &SVector<f64, NV>, eps: f64) -> (f64, f64) {
        let away = a - self.free;
        let inertia = 0.5 * away.dot(&(self.mass * away));
        let size: SVector<f64, NV> = SVector::from_fn(|i, _| a[i].abs() + self.free[i].abs());
        let (mut sum, mut blur) = (inertia, inertia);
        blur += (self.mass * away).abs().dot(&size);
        for block in &self.blocks {
            let (mut z, mut error) = (vec![], vec![]);
            for (j, reference) in block.jacobian.iter().zip(&block.reference) {
                z.push(SVector::from(*j).dot(a) - reference);
                error.push(SVector::from(*j).abs().dot(&size) + reference.abs());
            }
            let (cost, force) = block.cost(&z);
            sum += cost;
            blur += cost;
            for ((f, e), r) in force.iter().zip(&error).zip(block.regularizers()) {
                blur += f.abs() * e + eps * e * e / r;
            }
        }
        (sum, 8.0 * eps * blur)
    }

    fn build<T: Number>(&self) -> (MassMatrix<T, NV>, SVector<T, NV>, Rows<T, NV, NR, 4>) {
        let l = literal::<T>;
        let mut mass = MassMatrix::filled(T::zero());
        mass.set(&self.mass.map(l)).unwrap();
        let mut rows = Rows::with_cones();
        for block in &self.blocks {
            let jacobian: Vec<SVector<T, NV>> = block.jacobian.iter().map(|j| SVector::from(j.map(l))).collect();
            if block.kind == Kind::ContactElliptic {
                let reference: Vec<T> = block.reference.iter().map(|a| l(*a)).collect();
                let friction: Vec<T> = block.friction.iter().map(|m| l(*m)).collect();
                rows.finished_elliptic(&jacobian, &reference, l(block.regularizer), &friction, l(block.impratio))
                    .unwrap();
            } else {
                let rule = rule_of(block.kind, block.loss);
                rows.finished(block.kind, rule, &jacobian[0], l(block.reference[0]), l(block.regularizer)).unwrap();
            }
        }
        (mass, self.free.map(l), rows)
    }

    /// The problem whose numbers `f32` holds exactly.
    fn single(mut self) -> Self {
        let round = |x: f64| f64::from(x as f32);
        self.mass = self.mass.map(round);
        self.free = self.free.map(round);
        for block in &mut self.blocks {
            for j in &mut block.jacobian {
                *j = j.map(round);
            }
            for x in block.reference.iter_mut().chain(&mut block.friction) {
                *x = round(*x);
            }
            (block.regularizer, block.loss) = (round(block.regularizer), round(block.loss));
            block.impratio = round(block.impratio);
        }
        self
    }
}

struct Falling<'a> {
    problem: &'a Problem,
    eps: f64,
    last: Option<(f64, f64)>,
    worst: f64,
}

impl<T: Number> Observer<T> for Falling<'_> {
    fn iterate(&mut self, seen: &Iterate<'_, T>) {
        let a = SVector::from_fn(|i, _| seen.acceleration[i].into());
        let (now, blur) = self.problem.objective(&a, self.eps);
        if let Some((last, blurred)) = self.last {
            let allowed = blur + blurred;
            self.worst = self.worst.max((now - last) / allowed);
            assert!(now <= last + allowed, "iteration {}: {last:e} rose by {:e}", seen.iteration, now - last);
        }
        self.last = Some((now, blur));
    }
}

#[derive(Default)]
struct Tally {
    iterations: Vec<u16>,
    evaluations: usize,
    spent: usize,
    worst: f64,
}

impl Tally {
    fn add<T: Number>(&mut self, report: &Report<T>, worst: f64) {
        self.iterations.push(report.iterations);
        self.evaluations += usize::from(report.line_search_evaluations);
        self.spent += usize::from(report.stop == Stop::BudgetSpent);
        self.worst = self.worst.max(worst);
    }

    fn print(&mut self, name: &str) {
        self.iterations.sort();
        let n = self.iterations.len();
        let sum: usize = self.iterations.iter().map(|x| usize::from(*x)).sum();
        println!(
            "{name}: mean {:.2} median {} p99 {} max {} iterations, {:.2} evaluations an iteration, budget spent {}, worst rise {:.2} of rounding",
            sum as f64 / n as f64,
            self.iterations[n / 2],
            self.iterations[n * 99 / 100],
            self.iterations[n - 1],
            self.evaluations as f64 / sum as f64,
            self.spent,
            self.worst
        );
    }
}

fn newton_falls<T: Number>(problems: &[Problem], tolerance: f64) -> Tally {
    let mut tally = Tally::default();
    for p in problems {
        let (mass, free, rows) = p.build::<T>();
        let saved = p.saved.map(|a| a.map(literal::<T>));
        let budget = Budget { line_search: 2000, ..Budget::new(100, literal(tolerance)) };
        let mut falling = Falling { problem: p, eps: T::default_epsilon().into(), last: None, worst: 0.0 };
        let mut work = NewtonWorkspace::filled(T::zero());
        let report = newton_observed(&mass, &free, &rows, saved.as_ref(), &budget, &mut work, &mut falling).unwrap();
        tally.add(&report, falling.worst);
    }
    tally
}

fn gradients_fall<T: Number>(problems: &[Problem], update: Update, line_search: u16) -> Tally {
    let mut tally = Tally::default();
    for p in problems {
        let (mass, free, rows) = p.build::<T>();
        let saved = p.saved.map(|a| a.map(literal::<T>));
        let budget = Budget { line_search, measure: Measure::Engine, ..Budget::new(60, literal(1e-8)) };
        let mut falling = Falling { problem: p, eps: T::default_epsilon().into(), last: None, worst: 0.0 };
        let mut work = ConjugateGradientWorkspace::filled(T::zero());
        let variant = Variant { update, ..Variant::default() };
        let warm = saved.as_ref();
        let report =
            conjugate_gradient_observed(&mass, &free, &rows, warm, variant, &budget, &mut work, &mut falling).unwrap();
        tally.add(&report, falling.worst);
    }
    tally
}

fn draw(count: usize, seed: u128) -> Vec<Problem> {
    let count =
        std::env::var("PROPTEST_CASES").ok().and_then(|x| x.parse().ok()).map_or(count, |n: usize| n.max(count));
    let mut noise = Noise(seed);
    (0..count).map(|_| problem(&mut noise)).collect()
}

#[test]
fn newtons_objective_never_rises() {
    let problems = draw(3000, 271_828_182_845);
    for tolerance in [1e-8, 0.0] {
        let mut tally = newton_falls::<f64>(&problems, tolerance);
        tally.print(&format!("Newton, f64, tolerance {tolerance:e}"));
        assert_eq!(tally.spent, 0);
    }
    let problems: Vec<Problem> = problems.into_iter().map(Problem::single).collect();
    for tolerance in [1e-5, 0.0] {
        let mut tally = newton_falls::<f32>(&problems, tolerance);
        tally.print(&format!("Newton, f32, tolerance {tolerance:e}"));
        assert_eq!(tally.spent, 0);
    }
}

#[test]
fn the_objective_of_conjugate_gradients_never_rises() {
    let problems = draw(1500, 314_159_265_358);
    for update in [Update::HagerZhang, Update::PolakRibiere] {
        for line_search in [3000, 40] {
            gradients_fall::<f64>(&problems, update, line_search).print(&format!("{update:?}, f64, {line_search}"));
        }
    }
    let problems: Vec<Problem> = problems.into_iter().map(Problem::single).collect();
    for update in [Update::HagerZhang, Update::PolakRibiere] {
        gradients_fall::<f32>(&problems, update, 3000).print(&format!("{update:?}, f32"));
    }
}
