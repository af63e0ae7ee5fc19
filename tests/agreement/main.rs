//! Random problems held against an optimum found by other means, and everything else that must hold for every input.
//!
//! The optimum ([`optimum`]) enumerates the states of the rows and solves the dual by elimination with pivoting, in f64.
//! Accelerations are compared in the metric M, √(dᵀ M d), relative to the size of the accelerations in the problem: that is what
//! both objectives measure, and the only norm whose error does not grow with the mass ratio.
//!
//! `PROPTEST_CASES=20000 cargo test --release --test agreement` is the long run.

#[path = "../common/mod.rs"]
mod common;

use common::{Number, rule_of, vector};
use delassus::mass::{BodyInertia, MassError, MassMatrix, factor};
use delassus::rows::{DiagonalScale, Kind, RowContext, RowInput, Rows, RowsError, Rule};
use delassus::scalar::{Real, literal};
use delassus::softness::{Softness, StepRules};
use delassus::solver::{
    ActiveSetWorkspace, Budget, DelassusWorkspace, Iterate, Measure, NewtonWorkspace, Observer, ProjectionWorkspace,
    Report, Scale, SolverError, Stop, SweepWorkspace, WarmStart, active_set, measure, newton, newton_observed,
    projected_gauss_seidel, projected_gauss_seidel_observed, projected_gauss_seidel_with_delassus,
    projected_gauss_seidel_with_delassus_observed, soft_projection,
};
use nalgebra::{Matrix3, SMatrix, SVector};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Room for rows in every test.
const NR: usize = 12;

/// So many cases, the same in every run; or PROPTEST_CASES, other ones each time.
fn cases(count: u32) -> ProptestConfig {
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = count;
        config.rng_seed = RngSeed::Fixed(1);
    }
    config
}

/// Uniform numbers from a seed.
struct Noise(u64);

impl Noise {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }
    /// In [−1, 1).
    fn number(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * 0.5 * (self.number() + 1.0)
    }
    /// Either sign, magnitude log-uniform between two powers of ten.
    fn mixed(&mut self, low: f64, high: f64) -> f64 {
        let sign = if self.bits() & 1 == 0 { 1.0 } else { -1.0 };
        sign * 10f64.powf(self.within(low, high))
    }
}

const KINDS: [Kind; 6] = [
    Kind::Equality,
    Kind::JointFriction,
    Kind::TendonFriction,
    Kind::JointLimit,
    Kind::TendonLimit,
    Kind::ContactFrictionless,
];

/// What shrinks: the shape of a problem. The numbers come from the seed.
#[derive(Clone, Debug)]
struct Recipe {
    nv: usize,
    /// Per row: kind, and what its Jacobian is (0 copies, 1 combines earlier rows, 2 or more: its own).
    rows: Vec<(usize, u8)>,
    /// Powers of ten: mass ratio, share of a coupled M that is not singular, lowest R/Â.
    mass_ratio: f64,
    coupling: f64,
    softest: f64,
    hardest: f64,
    seed: u64,
}

fn recipe(rows: std::ops::RangeInclusive<usize>, coupling: f64, hardest: f64) -> impl Strategy<Value = Recipe> {
    let row = (0usize..6, 0u8..5);
    (1usize..=6, proptest::collection::vec(row, rows), 0.0..6.0f64, coupling..=0.0, hardest..=0.5, any::<u64>())
        .prop_map(|(nv, mut rows, mass_ratio, coupling, hardest, seed)| {
            rows.sort();
            Recipe { nv, rows, mass_ratio, coupling, softest: 1.0, hardest, seed }
        })
}

/// Mass ratio at most 10, independent rows, R at least a tenth of Â: where forces are well determined too.
fn gentle() -> impl Strategy<Value = Recipe> {
    (2usize..=6, proptest::collection::vec(0usize..6, 1..=3), any::<u64>()).prop_map(|(nv, mut kinds, seed)| {
        kinds.sort();
        let rows = kinds.into_iter().take(nv).map(|k| (k, 9)).collect();
        Recipe { nv, rows, mass_ratio: 1.0, coupling: 0.0, softest: 1.0, hardest: -1.0, seed }
    })
}

#[derive(Clone, Debug)]
struct Line {
    kind: Kind,
    loss: f64,
    jacobian: Vec<f64>,
    reference: f64,
    regularizer: f64,
}

#[derive(Clone, Debug)]
struct Problem {
    mass: Vec<Vec<f64>>,
    free: Vec<f64>,
    lines: Vec<Line>,
}

/// Gaussian elimination with partial pivoting; None where singular.
fn eliminate(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    let n = b.len();
    for k in 0..n {
        let p = (k..n).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs()))?;
        if a[p][k] == 0.0 {
            return None;
        }
        a.swap(k, p);
        b.swap(k, p);
        for i in k + 1..n {
            let ratio = a[i][k] / a[k][k];
            for j in k..n {
                a[i][j] -= ratio * a[k][j];
            }
            b[i] -= ratio * b[k];
        }
    }
    for k in (0..n).rev() {
        let sum: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - sum) / a[k][k];
    }
    Some(b)
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Recipe {
    fn problem(&self) -> Problem {
        let (n, mut noise) = (self.nv, Noise(self.seed));
        let b: Vec<Vec<f64>> = (0..n).map(|_| (0..n).map(|_| noise.number()).collect()).collect();
        let size: Vec<f64> = (0..n).map(|_| 10f64.powf(0.5 * noise.within(0.0, self.mass_ratio))).collect();
        let decoupled = 10f64.powf(self.coupling);
        let mut mass = vec![vec![0.0; n]; n];
        for i in 0..n {
            for j in 0..=i {
                let own = product(&b[i], &b[j]) + if i == j { decoupled } else { 0.0 };
                mass[i][j] = own * size[i] * size[j];
                mass[j][i] = mass[i][j];
            }
        }
        let free: Vec<f64> = (0..n).map(|_| noise.mixed(-2.0, 2.5)).collect();
        let mut lines: Vec<Line> = Vec::new();
        for (kind, own) in &self.rows {
            let mut pick = || lines[(noise.bits() % lines.len() as u64) as usize].jacobian.clone();
            let jacobian: Vec<f64> = match own {
                0 if !lines.is_empty() => pick(),
                1 if !lines.is_empty() => {
                    let (a, b) = (pick(), pick());
                    let (s, t) = (noise.number(), noise.mixed(-1.0, 1.0));
                    a.iter().zip(&b).map(|(a, b)| s * a + t * b).collect()
                }
                2 => (0..n).map(|_| if noise.bits() & 1 == 0 { 0.0 } else { noise.number() }).collect(),
                _ => (0..n).map(|_| noise.number()).collect(),
            };
            let seen = product(&jacobian, &eliminate(mass.clone(), jacobian.clone()).unwrap()).max(1e-12);
            let regularizer = seen * 10f64.powf(noise.within(self.hardest, self.softest));
            let at_free = product(&jacobian, &free);
            let reference = match noise.bits() % 8 {
                0 => at_free, // exactly at the border
                1 => 0.0,
                _ => noise.mixed(-2.0, 2.5),
            };
            let carried = (at_free - reference).abs() / (seen + regularizer);
            let loss = if noise.bits() % 8 == 0 { 0.0 } else { carried * 10f64.powf(noise.within(-1.5, 0.5)) };
            lines.push(Line { kind: KINDS[*kind], loss, jacobian, reference, regularizer });
        }
        Problem { mass, free, lines }
    }
}

impl Problem {
    /// Every number through `change`; the two triangles of M alike.
    fn mapped(&self, mut change: impl FnMut(f64) -> f64) -> Problem {
        let mut new = self.clone();
        for i in 0..self.free.len() {
            for j in 0..=i {
                new.mass[i][j] = change(self.mass[i][j]);
                new.mass[j][i] = new.mass[i][j];
            }
            new.free[i] = change(self.free[i]);
        }
        for line in &mut new.lines {
            for x in line.jacobian.iter_mut().chain([&mut line.loss, &mut line.reference, &mut line.regularizer]) {
                *x = change(*x);
            }
        }
        new
    }

    /// As single precision sees it.
    fn single(&self) -> Problem {
        self.mapped(|x| f64::from(x as f32))
    }

    /// √(dᵀ M d)
    fn length(&self, d: &[f64]) -> f64 {
        let sum: f64 = self.mass.iter().zip(d).map(|(row, x)| x * product(row, d)).sum();
        sum.max(0.0).sqrt()
    }

    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        self.length(&a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>())
    }

    fn primal(&self, a: &[f64]) -> f64 {
        let rows: f64 = self
            .lines
            .iter()
            .map(|l| {
                let z = product(&l.jacobian, a) - l.reference;
                let border = l.regularizer * l.loss;
                match rule_of::<f64>(l.kind, l.loss) {
                    Rule::NonNegative if z >= 0.0 => 0.0,
                    Rule::Interval { loss } if z.abs() >= border => loss * z.abs() - 0.5 * border * loss,
                    _ => 0.5 * z * z / l.regularizer,
                }
            })
            .sum();
        0.5 * self.distance(a, &self.free).powi(2) + rows
    }

    fn build<T: Real, const NV: usize, const ROWS: usize>(
        &self,
    ) -> (MassMatrix<T, NV>, SVector<T, NV>, Rows<T, NV, ROWS>) {
        let n = self.free.len();
        let entry = |i: usize, j: usize| match (i < n, j < n) {
            (true, true) => self.mass[i][j],
            _ => f64::from(u8::from(i == j)),
        };
        let mut mass = MassMatrix::filled(T::zero());
        mass.set(&SMatrix::from_fn(|i, j| literal(entry(i, j)))).unwrap();
        let free = SVector::from_fn(|i, _| literal(self.free.get(i).copied().unwrap_or(0.0)));
        let mut rows = Rows::new();
        for l in &self.lines {
            let jacobian = SVector::from_fn(|i, _| literal(l.jacobian.get(i).copied().unwrap_or(0.0)));
            let rule = rule_of(l.kind, l.loss);
            rows.finished(l.kind, rule, &jacobian, literal(l.reference), literal(l.regularizer)).unwrap();
        }
        (mass, free, rows)
    }
}

/// Acceleration and forces of the optimum: the combination of row states whose solution breaks the optimality conditions least.
fn optimum(p: &Problem) -> (Vec<f64>, Vec<f64>) {
    let n = p.lines.len();
    let responses: Vec<Vec<f64>> =
        p.lines.iter().map(|l| eliminate(p.mass.clone(), l.jacobian.clone()).unwrap()).collect();
    let mut h = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..n {
            h[i][j] = product(&p.lines[i].jacobian, &responses[j]);
        }
        h[i][i] += p.lines[i].regularizer;
    }
    let b: Vec<f64> = p.lines.iter().map(|l| product(&l.jacobian, &p.free) - l.reference).collect();
    let states: Vec<usize> = p
        .lines
        .iter()
        .map(|l| match rule_of::<f64>(l.kind, 0.0) {
            Rule::Free => 1,
            Rule::NonNegative => 2,
            Rule::Interval { .. } => 3,
            Rule::Cone => unreachable!("no contact with friction here"),
        })
        .collect();
    let mut best = (f64::INFINITY, vec![0.0; n], vec![]);
    for code in 0..states.iter().product::<usize>() {
        let (mut rest, mut fixed) = (code, vec![None; n]);
        for i in 0..n {
            let state = rest % states[i];
            rest /= states[i];
            fixed[i] = match (states[i], state) {
                (_, 0) => None,
                (2, _) => Some(0.0),
                (_, 1) => Some(p.lines[i].loss),
                _ => Some(-p.lines[i].loss),
            };
        }
        let loose: Vec<usize> = (0..n).filter(|i| fixed[*i].is_none()).collect();
        let mut f: Vec<f64> = fixed.iter().map(|x| x.unwrap_or(0.0)).collect();
        let right = loose.iter().map(|i| -b[*i] - product(&h[*i], &f)).collect();
        let left: Vec<Vec<f64>> = loose.iter().map(|i| loose.iter().map(|j| h[*i][*j]).collect()).collect();
        let Some(x) = eliminate(left.clone(), right) else { continue };
        for (i, x) in loose.iter().zip(x) {
            f[*i] = x;
        }
        // One step of refinement.
        let left_over = loose.iter().map(|i| -b[*i] - product(&h[*i], &f)).collect();
        if let Some(x) = eliminate(left, left_over) {
            for (i, x) in loose.iter().zip(x) {
                f[*i] += x;
            }
        }
        // How much acceleration is missing, in units of the rows: infeasible forces count by H.
        let mut worst = 0.0f64;
        for i in 0..n {
            let rule = rule_of::<f64>(p.lines[i].kind, p.lines[i].loss);
            let outside = (f[i] - delassus::solver::law::project(rule, f[i])).abs();
            let w = b[i] + product(&h[i], &f);
            let kept = delassus::solver::law::project(rule, f[i]);
            let correction = (kept - delassus::solver::law::project(rule, kept - w / h[i][i])).abs();
            worst = worst.max((outside + correction) * h[i][i].sqrt());
        }
        if worst < best.0 {
            best = (worst, f, loose);
        }
    }
    let mut a = p.free.clone();
    for (response, force) in responses.iter().zip(&best.1) {
        for (a, r) in a.iter_mut().zip(response) {
            *a += r * force;
        }
    }
    // Copies of stiff rows may hold forces 1e11 times as large as their sum. On the piece that is now known, refine the acceleration
    // where it is well determined: M (a − a_u) = Jᵀ f with f = −z/R on the loose rows.
    for _ in 0..3 {
        let mut f = best.1.clone();
        for i in &best.2 {
            f[*i] = (p.lines[*i].reference - product(&p.lines[*i].jacobian, &a)) / p.lines[*i].regularizer;
        }
        let deviation: Vec<f64> = a.iter().zip(&p.free).map(|(a, u)| a - u).collect();
        let mut right: Vec<f64> = p.mass.iter().map(|row| -product(row, &deviation)).collect();
        let mut hessian = p.mass.clone();
        for (l, f) in p.lines.iter().zip(&f) {
            for (r, j) in right.iter_mut().zip(&l.jacobian) {
                *r += j * f;
            }
        }
        for l in best.2.iter().map(|i| &p.lines[*i]) {
            for (row, i) in hessian.iter_mut().zip(&l.jacobian) {
                for (h, j) in row.iter_mut().zip(&l.jacobian) {
                    *h += i * j / l.regularizer;
                }
            }
        }
        if let Some(step) = eliminate(hessian, right) {
            for (a, s) in a.iter_mut().zip(step) {
                *a += s;
            }
        }
    }
    (a, best.1)
}

/// Relative error of an acceleration in the metric M.
fn error<T: Number>(p: &Problem, found: &[T], exact: &[f64]) -> f64 {
    let found: Vec<f64> = found.iter().take(exact.len()).map(|x| (*x).into()).collect();
    p.distance(&found, exact) / (p.length(exact) + p.length(&p.free) + 1e-300)
}

/// How far the exact answer moves, relatively, when the numbers of the problem move by a rounding of single precision.
fn sensitivity(p: &Problem, seed: u64) -> f64 {
    let (exact, _) = optimum(p);
    let mut noise = Noise(seed);
    (0..4)
        .map(|_| {
            let moved = p.mapped(|x| x * (1.0 + noise.number() * f64::from(f32::EPSILON)));
            error(p, &optimum(&moved).0, &exact)
        })
        .fold(0.0, f64::max)
}

/// Calls a function that is generic over NV with the recipe's NV.
macro_rules! by_freedoms {
    ($nv:expr, $f:ident::<$t:ty>($($x:expr),*)) => {
        match $nv {
            1 => $f::<$t, 1>($($x),*),
            2 => $f::<$t, 2>($($x),*),
            3 => $f::<$t, 3>($($x),*),
            4 => $f::<$t, 4>($($x),*),
            5 => $f::<$t, 5>($($x),*),
            _ => $f::<$t, 6>($($x),*),
        }
    };
}

struct Answer<T> {
    report: Report<T>,
    acceleration: Vec<T>,
    force: Vec<T>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Method {
    Newton,
    ActiveSet,
    Sweeps,
    SweepsWithDelassus,
}
const METHODS: [Method; 4] = [Method::Newton, Method::ActiveSet, Method::Sweeps, Method::SweepsWithDelassus];

fn solve_with<T: Number, const NV: usize, const ROWS: usize>(
    method: Method,
    problem: &(MassMatrix<T, NV>, SVector<T, NV>, Rows<T, NV, ROWS>),
    warm: Option<&SVector<T, NV>>,
    budget: &Budget<T>,
    observer: &mut impl Observer<T>,
) -> Result<Answer<T>, SolverError> {
    let (mass, free, rows) = problem;
    let zero = T::zero();
    Ok(match method {
        Method::Newton => {
            let mut work = NewtonWorkspace::<T, NV, ROWS>::filled(zero);
            let report = newton_observed(mass, free, rows, warm, budget, &mut work, observer)?;
            Answer { report, acceleration: work.acceleration().as_slice().to_vec(), force: work.force().to_vec() }
        }
        Method::ActiveSet => {
            let mut work = ActiveSetWorkspace::<T, NV, ROWS>::filled(zero);
            let report = active_set(mass, free, rows, warm, budget, &mut work)?;
            Answer { report, acceleration: work.acceleration().as_slice().to_vec(), force: work.force().to_vec() }
        }
        Method::Sweeps => {
            let mut work = SweepWorkspace::<T, NV, ROWS>::filled(zero);
            let report = projected_gauss_seidel_observed(mass, free, rows, warm, budget, &mut work, observer)?;
            Answer { report, acceleration: work.acceleration().as_slice().to_vec(), force: work.force().to_vec() }
        }
        Method::SweepsWithDelassus => {
            let mut work = DelassusWorkspace::<T, NV, ROWS>::filled(zero);
            let report =
                projected_gauss_seidel_with_delassus_observed(mass, free, rows, warm, budget, &mut work, observer)?;
            Answer { report, acceleration: work.acceleration().as_slice().to_vec(), force: work.force().to_vec() }
        }
    })
}

/// Finite, every force allowed, the report in step with the answer.
#[track_caller]
fn sound<T: Number, const NV: usize, const ROWS: usize>(
    rows: &Rows<T, NV, ROWS>,
    budget: &Budget<T>,
    answer: &Answer<T>,
) {
    let Answer { report, acceleration, force } = answer;
    assert!(acceleration.iter().chain(force).all(|x| x.is_finite()));
    assert_eq!(force.len(), rows.len());
    for (f, row) in force.iter().zip(rows.rows()) {
        match row.rule() {
            Rule::Free => {}
            Rule::NonNegative => assert!(*f >= T::zero()),
            Rule::Interval { loss } => assert!(f.abs() <= loss),
            Rule::Cone => unreachable!("no contact with friction here"),
        }
    }
    assert!(report.iterations <= budget.iterations);
    assert!(report.line_search_evaluations <= budget.line_search);
    assert_eq!(usize::from(report.active_rows), force.iter().filter(|f| **f != T::zero()).count());
    assert!(report.duality_gap >= T::zero() && report.gradient_norm >= T::zero());
    assert!(report.force_correction >= T::zero());
    if report.stop == Stop::BudgetSpent {
        assert!(report.iterations == budget.iterations || report.line_search_evaluations == budget.line_search);
    }
}

fn generous<T: Real>(iterations: u16, measure: Measure) -> Budget<T> {
    Budget { measure, line_search: u16::MAX, ..Budget::new(iterations, T::zero()) }
}

mod again;
mod budgets;
mod endings;
mod error_bound;
mod faults;
mod mass_room;
mod optimum;
mod refusals;
mod scaling;
