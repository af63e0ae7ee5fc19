//! What several test files share: comparing numbers, and the problems of the worked examples.
#![allow(dead_code)] // every test file uses its own part

use delassus::mass::MassMatrix;
use delassus::rows::{Kind, Rows, Rule};
use delassus::scalar::{Real, literal};
use delassus::solver::{Iterate, Observer};
use nalgebra::{SMatrix, SVector};

/// A scalar that tests can compute with and print.
pub trait Number: Real + Into<f64> {}
impl<T: Real + Into<f64>> Number for T {}

/// Fails unless |actual − expected| ≤ bound · max(1e-30, |expected| over the whole slice).
#[track_caller]
pub fn close<T: Number>(actual: &[T], expected: &[f64], bound: f64) {
    assert_eq!(actual.len(), expected.len());
    let scale = expected.iter().fold(1e-30, |m: f64, x| m.max(x.abs()));
    for (a, e) in actual.iter().zip(expected) {
        let a: f64 = (*a).into();
        assert!((a - e).abs() <= bound * scale, "{actual:?} is not {expected:?} to {bound}");
    }
}

pub fn vector<T: Real, const N: usize>(x: [f64; N]) -> SVector<T, N> {
    SVector::from_fn(|i, _| literal(x[i]))
}

pub fn matrix<T: Real, const R: usize, const C: usize>(x: [[f64; C]; R]) -> SMatrix<T, R, C> {
    SMatrix::from_fn(|i, j| literal(x[i][j]))
}

pub fn mass<T: Real, const N: usize>(entries: [[f64; N]; N]) -> MassMatrix<T, N> {
    let mut mass = MassMatrix::filled(T::zero());
    mass.set(&matrix(entries)).unwrap();
    mass
}

pub fn rule_of<T: Real>(kind: Kind, loss: f64) -> Rule<T> {
    match kind {
        Kind::Equality => Rule::Free,
        Kind::JointFriction | Kind::TendonFriction => Rule::Interval { loss: literal(loss) },
        _ => Rule::NonNegative,
    }
}

/// Finished rows of one kind.
pub fn finished<T: Real, const NV: usize, const NR: usize, const N: usize>(
    kind: Kind,
    jacobian: [[f64; NV]; N],
    reference: [f64; N],
    regularizer: [f64; N],
) -> Rows<T, NV, NR> {
    let mut rows = Rows::new();
    for i in 0..N {
        rows.finished(kind, rule_of(kind, 0.0), &vector(jacobian[i]), literal(reference[i]), literal(regularizer[i]))
            .unwrap();
    }
    rows
}

/// The block stack of W15: unit masses, ground row and row between the blocks, a_ref as given, a_u = (−10, −10 + pull).
pub struct Stack<T> {
    pub mass: MassMatrix<T, 2>,
    pub free: SVector<T, 2>,
    pub rows: Rows<T, 2, 2>,
}

pub fn stack<T: Real>(pull: f64, regularizer: f64, reference: [f64; 2]) -> Stack<T> {
    Stack {
        mass: mass([[1.0, 0.0], [0.0, 1.0]]),
        free: vector([-10.0, -10.0 + pull]),
        rows: finished(Kind::ContactFrictionless, [[1.0, 0.0], [-1.0, 1.0]], reference, [regularizer; 2]),
    }
}

/// Remembers everything an observer is shown.
#[derive(Default)]
pub struct Path {
    pub points: Vec<Vec<f64>>,
    pub forces: Vec<Vec<f64>>,
    pub gradients: Vec<Vec<f64>>,
    pub steps: Vec<f64>,
    pub visits: Vec<(usize, Vec<f64>)>,
}

impl<T: Number> Observer<T> for Path {
    fn iterate(&mut self, seen: &Iterate<'_, T>) {
        let wide = |x: &[T]| x.iter().map(|x| (*x).into()).collect::<Vec<f64>>();
        self.points.push(wide(seen.acceleration));
        self.forces.push(wide(seen.force));
        self.gradients.push(wide(seen.gradient));
        self.steps.push(seen.step.into());
    }

    fn row_update(&mut self, row: usize, force: &[T]) {
        self.visits.push((row, force.iter().map(|x| (*x).into()).collect()));
    }
}
