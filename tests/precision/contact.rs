//! Random problems of one-sided rows in f32 against f64, both from the same numbers.

use delassus::mass::MassMatrix;
use delassus::rows::{Kind, RowContext, RowInput, Rows};
use delassus::scalar::{Real, literal};
use delassus::softness::Softness;
use delassus::solver::{Budget, Delassus, NewtonWorkspace, Stop, newton};
use nalgebra::{SMatrix, SVector};

use crate::random::Noise;

const NV: usize = 6;
const NR: usize = 12;

/// A problem in numbers that f32 has.
struct Problem {
    mass: [[f64; NV]; NV],
    free: [f64; NV],
    rows: Vec<([f64; NV], f64, f64, f64)>,
}

/// What came of it.
struct Answer {
    delassus: Vec<f64>,
    regularizer: Vec<f64>,
    reference: Vec<f64>,
    force: Vec<f64>,
    acceleration: Vec<f64>,
    stop: Stop,
}

/// The largest errors of all problems.
#[derive(Default)]
pub struct Worst {
    pub delassus: f64,
    pub regularizer: f64,
    pub reference: f64,
    pub force: f64,
    pub acceleration: f64,
    /// |gradient| over the norm of the terms that it is the sum of, where Newton's method says it converged at 1e-6: evaluated in
    /// f64 at the f32 answer.
    pub gradient: f64,
    /// Solves that converged, so that a test knows it has seen some.
    pub converged: u32,
}

fn single(x: f64) -> f64 {
    f64::from(x as f32)
}

impl Problem {
    fn new(noise: &mut Noise, impedance: [f64; 2]) -> Self {
        let half: [[f64; NV]; NV] = std::array::from_fn(|_| std::array::from_fn(|_| noise.within(-0.4, 0.4)));
        let size: [f64; NV] = std::array::from_fn(|_| 10f64.powf(noise.within(-1.0, 1.0)).sqrt());
        let mut mass = [[0.0; NV]; NV];
        for i in 0..NV {
            for j in 0..=i {
                let dot: f64 = (0..NV).map(|k| half[i][k] * half[j][k]).sum();
                let entry = single((dot + if i == j { 1.0 } else { 0.0 }) * size[i] * size[j]);
                (mass[i][j], mass[j][i]) = (entry, entry);
            }
        }
        let free = std::array::from_fn(|_| single(noise.within(-10.0, 10.0)));
        let rows = (0..NR)
            .map(|_| {
                let jacobian = std::array::from_fn(|_| single(noise.within(-1.0, 1.0)));
                let odds = 10f64.powf(noise.within(impedance[0].log10(), impedance[1].log10()));
                (jacobian, single(noise.within(-2e-3, 1e-4)), single(noise.within(-0.2, 0.2)), single(1.0 - odds))
            })
            .collect();
        Self { mass, free, rows }
    }

    fn solve<T: Real + Into<f64>>(&self, tolerance: f64) -> Answer {
        let mut mass = MassMatrix::<T, NV>::filled(T::zero());
        mass.set(&SMatrix::from_fn(|i, j| literal(self.mass[i][j]))).unwrap();
        let mut rows = Rows::<T, NV, NR>::new();
        let context = RowContext::new(literal(1e-3));
        for (jacobian, residual, velocity, d) in &self.rows {
            let d = literal(*d);
            let softness =
                Softness::from_mujoco([literal(0.02), T::one()], [d, d, literal(1e-3), literal(0.5), literal(2.0)]);
            let jacobian = SVector::<T, NV>::from_fn(|k, _| literal(jacobian[k]));
            let input = RowInput::new(&jacobian, literal(*residual), literal(*velocity));
            rows.one_sided(&mass, &context, &softness.unwrap(), Kind::JointLimit, &input).unwrap();
        }
        let mut delassus = Delassus::<T, NR>::filled(T::zero());
        delassus.form(&mass, &rows).unwrap();
        let mut work = Box::new(NewtonWorkspace::<T, NV, NR>::filled(T::zero()));
        let free = SVector::<T, NV>::from_fn(|k, _| literal(self.free[k]));
        let report = newton(&mass, &free, &rows, None, &Budget::new(60, literal(tolerance)), &mut work).unwrap();
        let wide = |list: &[T]| list.iter().map(|x| (*x).into()).collect::<Vec<f64>>();
        Answer {
            delassus: (0..NR).flat_map(|j| wide(delassus.column(j))).collect(),
            regularizer: rows.rows().iter().map(|row| row.regularizer().into()).collect(),
            reference: rows.rows().iter().map(|row| row.reference().into()).collect(),
            force: wide(work.force()),
            acceleration: wide(work.acceleration().as_slice()),
            stop: report.stop,
        }
    }

    /// |M (a − a_u) − Jᵀ f| over the norm of its terms, with the forces that are reported.
    fn gradient(&self, answer: &Answer) -> f64 {
        let (mut square, mut terms_square) = (0.0, 0.0);
        for i in 0..NV {
            let (mut sum, mut terms) = (0.0f64, 0.0f64);
            let mut add = |term: f64| (sum, terms) = (sum + term, terms + term.abs());
            for j in 0..NV {
                add(self.mass[i][j] * (answer.acceleration[j] - self.free[j]));
            }
            for ((jacobian, ..), force) in self.rows.iter().zip(&answer.force) {
                add(-jacobian[i] * force);
            }
            square += sum * sum;
            terms_square += terms * terms;
        }
        (square / terms_square).sqrt()
    }
}

fn relative(found: &[f64], exact: &[f64]) -> f64 {
    let scale = exact.iter().fold(0.0f64, |most, x| x.abs().max(most));
    found.iter().zip(exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / scale.max(1e-3)
}

/// Of `count` problems whose 1 − d is between these.
pub fn worst(count: u32, impedance: [f64; 2]) -> Worst {
    let mut worst = Worst::default();
    let mut noise = Noise(3);
    for _ in 0..count {
        let problem = Problem::new(&mut noise, impedance);
        let (exact, found) = (problem.solve::<f64>(0.0), problem.solve::<f32>(0.0));
        let note = |slot: &mut f64, error: f64| *slot = slot.max(error);
        note(&mut worst.delassus, relative(&found.delassus, &exact.delassus));
        for (a, b) in found.regularizer.iter().zip(&exact.regularizer) {
            note(&mut worst.regularizer, (a / b - 1.0).abs());
        }
        note(&mut worst.reference, relative(&found.reference, &exact.reference));
        note(&mut worst.force, relative(&found.force, &exact.force));
        note(&mut worst.acceleration, relative(&found.acceleration, &exact.acceleration));
        let quick = problem.solve::<f32>(1e-6);
        if quick.stop == Stop::Converged {
            worst.converged += 1;
            note(&mut worst.gradient, problem.gradient(&quick));
        }
    }
    worst
}
