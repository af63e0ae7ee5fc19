//! Random problems held against an optimum found by other means, and everything else that must hold for every input.
//!
//! The optimum ([`optimum`]) enumerates the states of the rows and solves the dual by elimination with pivoting, in f64.
//! Accelerations are compared in the metric M, √(dᵀ M d), relative to the size of the accelerations in the problem: that is what
//! both objectives measure, and the only norm whose error does not grow with the mass ratio.
//!
//! `PROPTEST_CASES=20000 cargo test --release --test agreement` is the long run.

mod common;

use common::{Number, rule_of, vector};
use delassus::mass::{BodyInertia, MassError, MassMatrix, factor};
use delassus::rows::{DiagonalScale, Kind, RowContext, RowInput, Rows, RowsError, Rule};
use delassus::scalar::{Real, literal};
use delassus::softness::{Softness, StepRules};
use delassus::solver::{
    Budget, DelassusWorkspace, Iterate, Measure, NewtonWorkspace, Observer, ProjectionWorkspace, Report, Scale,
    SolverError, Stop, SweepWorkspace, WarmStart, measure, newton, newton_observed, projected_gauss_seidel,
    projected_gauss_seidel_observed, projected_gauss_seidel_with_delassus,
    projected_gauss_seidel_with_delassus_observed, soft_projection,
};
use nalgebra::{Matrix3, SMatrix, SVector};
use proptest::prelude::*;

/// Room for rows in every test.
const NR: usize = 12;

/// So many cases, or PROPTEST_CASES.
fn cases(count: u32) -> ProptestConfig {
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = count;
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
    Sweeps,
    SweepsWithDelassus,
}
const METHODS: [Method; 3] = [Method::Newton, Method::Sweeps, Method::SweepsWithDelassus];

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

// ---------------------------------------------------------------- agreement with the optimum

/// Newton to the end of the precision; sweeps for as long as a test may take, judged by the gap they claim.
fn agree<T: Number, const NV: usize>(p: &Problem, bound: f64) {
    let problem = p.build::<T, NV, NR>();
    let (exact, force) = optimum(p);
    let at_optimum = p.primal(&exact);
    for method in METHODS {
        let iterations = if method == Method::Newton { 100 } else { 300 };
        let budget = generous(iterations, Measure::Engine);
        let answer = solve_with(method, &problem, None, &budget, &mut ()).unwrap();
        sound(&problem.2, &budget, &answer);
        let relative = error(p, &answer.acceleration, &exact);
        let size = p.length(&exact) + p.length(&p.free);
        if method == Method::Newton {
            assert!(relative <= bound, "{relative:e} > {bound:e} {:?} {exact:?} {force:?}", answer.report);
            assert!(answer.report.stop != Stop::BudgetSpent, "{:?}", answer.report);
        } else {
            // ½ |a − a*|² ≤ gap, up to rounding of both.
            let gap: f64 = answer.report.duality_gap.into();
            let allowed = (2.0 * gap).sqrt() / size * 1.01 + bound;
            assert!(relative <= allowed, "{method:?} {relative:e} > {allowed:e} {:?}", answer.report);
        }
        let a: Vec<f64> = answer.acceleration.iter().map(|x| (*x).into()).collect();
        assert!(p.primal(&a) >= at_optimum - 1e-9 * at_optimum.abs() - 1e-12 * size * size);
    }
}

proptest! {
    #![proptest_config(cases(600))]

    /// f64: 1e-9 is cond (1e6 from the mass ratio, 1e3 from coupling and redundancy) times the rounding 1e-16, times ten.
    #[test]
    fn every_method_finds_the_optimum_in_double_precision(r in recipe(1..=6, -3.0, -9.0)) {
        let p = r.problem();
        by_freedoms!(r.nv, agree::<f64>(&p, 1e-9));
    }

    /// f32: the answer may be off by as much as it moves when the problem's own numbers are rounded, times a small factor.
    #[test]
    fn every_method_finds_the_optimum_in_single_precision(r in recipe(1..=6, -1.0, -4.0)) {
        let p = r.problem().single();
        let bound = 30.0 * (sensitivity(&p, r.seed) + f64::from(f32::EPSILON));
        by_freedoms!(r.nv, agree::<f32>(&p, bound));
    }
}

fn agree_by_gap<T: Number, const NV: usize>(p: &Problem, rounding: f64) {
    let problem = p.build::<T, NV, NR>();
    let budget = generous(100, Measure::Engine);
    let answer = solve_with(Method::Newton, &problem, None, &budget, &mut ()).unwrap();
    sound(&problem.2, &budget, &answer);
    assert!(answer.report.stop != Stop::BudgetSpent, "{:?}", answer.report);
    // The gap, in f64 and from the answer alone: ½ |M (a − a_u) − Jᵀ f|² in the metric M⁻¹, and what each force misses of its law.
    let a: Vec<f64> = answer.acceleration.iter().map(|x| (*x).into()).collect();
    let f: Vec<f64> = answer.force.iter().map(|x| (*x).into()).collect();
    let deviation: Vec<f64> = a.iter().zip(&p.free).map(|(a, u)| a - u).collect();
    let mut gradient: Vec<f64> = p.mass.iter().map(|row| product(row, &deviation)).collect();
    let (mut missed, mut blurred) = (0.0, 0.0);
    for (l, f) in p.lines.iter().zip(&f) {
        for (g, j) in gradient.iter_mut().zip(&l.jacobian) {
            *g -= j * f;
        }
        let z = product(&l.jacobian, &a) - l.reference;
        missed += delassus::solver::law::gap(rule_of(l.kind, l.loss), l.regularizer, z, *f);
        // z comes out of these terms, and what it is off by counts squared over R.
        let terms = l.jacobian.iter().zip(&a).map(|(j, a)| (j * a).abs()).sum::<f64>() + l.reference.abs();
        blurred += (16.0 * f64::EPSILON * terms).powi(2) / l.regularizer;
    }
    let gap = 0.5 * product(&gradient, &eliminate(p.mass.clone(), gradient.clone()).unwrap()) + missed;
    let size = p.length(&a) + p.length(&p.free) + 1e-30;
    assert!(
        gap >= 0.0 && (2.0 * gap).sqrt() <= rounding * size + blurred.sqrt(),
        "{gap:e} {size:e} {:?}",
        answer.report
    );
}

fn gentle_forces<T: Number, const NV: usize>(p: &Problem, bound: f64) {
    let problem = p.build::<T, NV, NR>();
    let (_, exact) = optimum(p);
    let size = exact.iter().fold(1e-30, |m: f64, x| m.max(x.abs()));
    for method in METHODS {
        // A thousand sweeps are plenty for R ≥ Â/10 and three rows.
        let budget = generous(1000, Measure::ForceCorrection);
        let answer = solve_with(method, &problem, None, &budget, &mut ()).unwrap();
        for (f, e) in answer.force.iter().zip(&exact) {
            let f: f64 = (*f).into();
            assert!((f - e).abs() <= bound * size, "{method:?} {f} {exact:?} {:?}", answer.report);
        }
    }
}

proptest! {
    #![proptest_config(cases(400))]

    /// Up to twelve rows, twice as many as dofs: too many states to enumerate, so the gap is the judge.
    #[test]
    fn newton_closes_the_gap_of_many_rows(r in recipe(7..=12, -2.0, -6.0)) {
        by_freedoms!(r.nv, agree_by_gap::<f64>(&r.problem(), 1e-6));
    }

    /// Where the forces are well determined they agree as well.
    #[test]
    fn forces_agree_where_they_are_well_determined(r in gentle()) {
        let p = r.problem();
        by_freedoms!(r.nv, gentle_forces::<f64>(&p, 1e-10));
        let p = p.single();
        // Relative to the largest force; J a_u and a_ref, of up to 300 m/s² either way, may cancel.
        let (exact, forces) = optimum(&p);
        let largest = forces.iter().fold(1e-30, |m: f64, x| m.max(x.abs()));
        let terms = p.lines.iter().map(|l| {
            let seen = product(&l.jacobian, &eliminate(p.mass.clone(), l.jacobian.clone()).unwrap());
            let sum: f64 = l.jacobian.iter().zip(p.free.iter().chain(&exact)).map(|(j, a)| (j * a).abs()).sum();
            (sum + l.reference.abs()) / (seen + l.regularizer)
        }).fold(0.0, f64::max);
        by_freedoms!(r.nv, gentle_forces::<f32>(&p, 3e-5 * (1.0 + terms / largest)));
    }
}

// ---------------------------------------------------------------- at every budget, from every start

/// Sees that the objective never rises and that every iterate's forces are allowed.
struct Falling<'a> {
    problem: &'a Problem,
    last: Option<f64>,
    rounding: f64,
    check: bool,
}

impl<T: Number> Observer<T> for Falling<'_> {
    fn iterate(&mut self, seen: &Iterate<'_, T>) {
        assert!(seen.acceleration.iter().chain(seen.force).all(|x| x.is_finite()));
        for (f, l) in seen.force.iter().zip(&self.problem.lines) {
            let f: f64 = (*f).into();
            let rule = rule_of::<f64>(l.kind, l.loss);
            assert_eq!(f, delassus::solver::law::project(rule, f));
        }
        if !self.check {
            return;
        }
        let a: Vec<f64> = seen.acceleration.iter().map(|x| (*x).into()).collect();
        let now = self.problem.primal(&a);
        if let Some(last) = self.last {
            assert!(now <= last + self.rounding, "iteration {}: {last} rose to {now}", seen.iteration);
        }
        self.last = Some(now);
    }
}

/// How much an objective, computed in f64 from iterates in `T`, is blurred by the iterates' rounding.
fn blur<T: Number>(p: &Problem) -> f64 {
    let eps: f64 = T::default_epsilon().into();
    let start = p.primal(&p.free);
    // Rounding a by ε|a| moves z by ε Σ|J a| and the cost by |s'| times that, plus its own square over R.
    let worst_a = p.free.iter().map(|x| x.abs()).fold(0.0, f64::max).max(1.0) * 1e3;
    let mut sum = 64.0 * eps * start;
    for l in &p.lines {
        let dz = 8.0 * eps * (l.jacobian.iter().map(|j| j.abs()).sum::<f64>() * worst_a + l.reference.abs());
        sum += dz * (2.0 * start / l.regularizer).sqrt() + dz * dz / l.regularizer;
    }
    sum
}

fn every_budget<T: Number, const NV: usize>(p: &Problem) {
    let problem = p.build::<T, NV, NR>();
    let exact = optimum(p).0;
    let size = p.length(&exact) + p.length(&p.free);
    let eps: f64 = T::default_epsilon().into();
    for method in METHODS {
        let mut previous = f64::INFINITY;
        for iterations in [0u16, 1, 2, 3, 5, 8] {
            for line_search in [0, 1, iterations.saturating_mul(2)] {
                for measure in [Measure::Engine, Measure::ForceCorrection, Measure::DualityGap] {
                    let budget = Budget { line_search, ..generous(iterations, measure) };
                    let mut falling =
                        Falling { problem: p, last: None, rounding: blur::<T>(p), check: method == Method::Newton };
                    let answer = solve_with(method, &problem, None, &budget, &mut falling).unwrap();
                    sound(&problem.2, &budget, &answer);
                    let a: Vec<f64> = answer.acceleration.iter().map(|x| (*x).into()).collect();
                    let gap: f64 = answer.report.duality_gap.into();
                    let away = p.distance(&a, &exact);
                    let allowed = (2.0 * gap).sqrt() * 1.01 + 1e4 * eps * size;
                    assert!(away <= allowed, "{method:?} {iterations}: {away:e} > {allowed:e} {:?}", answer.report);
                    // The dual objective falls sweep by sweep.
                    if method != Method::Newton {
                        let dual: f64 =
                            measure::dual_objective(&problem.0, &problem.1, &problem.2, &answer.force).unwrap().into();
                        let (mut own, mut offset) = (0.0, 0.0);
                        for (l, f) in p.lines.iter().zip(&answer.force) {
                            let f: f64 = (*f).into();
                            let seen = product(&l.jacobian, &eliminate(p.mass.clone(), l.jacobian.clone()).unwrap());
                            own += f.abs() * (seen + l.regularizer).sqrt();
                            let terms: f64 = l.jacobian.iter().zip(&p.free).map(|(j, a)| (j * a).abs()).sum();
                            offset += f.abs() * (terms + l.reference.abs());
                        }
                        let rounding = 64.0 * eps * (own * own + offset);
                        assert!(dual <= previous + rounding, "{method:?} {iterations}: {previous} rose to {dual}");
                        previous = previous.min(dual);
                    }
                }
            }
        }
    }
}

fn every_start<T: Number, const NV: usize>(p: &Problem, seed: u64, bound: f64) {
    let problem = p.build::<T, NV, NR>();
    let (exact, _) = optimum(p);
    let mut noise = Noise(seed);
    let starts: Vec<Vec<f64>> = vec![
        exact.clone(),
        vec![0.0; NV],
        p.free.clone(),
        (0..NV).map(|_| noise.mixed(-3.0, 3.0)).collect(),
        exact.iter().map(|a| a * (1.0 + 1e-3 * noise.number())).collect(),
        (0..NV).map(|_| noise.mixed(8.0, 15.0)).collect(),
    ];
    for start in starts {
        let warm = SVector::<T, NV>::from_fn(|i, _| literal(start[i]));
        let start: Vec<f64> = warm.iter().map(|x| (*x).into()).collect();
        let budget = generous(100, Measure::Engine);
        let answer = solve_with(Method::Newton, &problem, Some(&warm), &budget, &mut ()).unwrap();
        sound(&problem.2, &budget, &answer);
        let relative = error(p, &answer.acceleration, &exact);
        assert!(relative <= bound, "{relative:e} > {bound:e} from {start:?} {:?}", answer.report);
        assert!(answer.report.stop != Stop::BudgetSpent, "{:?}", answer.report);
        // Used exactly where its objective is not larger, as far as that can be told.
        let (there, free) = (p.primal(&start), p.primal(&p.free));
        if (there - free).abs() > 1e-3 * free + blur::<T>(p) {
            let expected = if there < free { WarmStart::Used } else { WarmStart::Rejected };
            assert_eq!(answer.report.warm_start, expected, "{there} {free}");
        }
        for method in [Method::Sweeps, Method::SweepsWithDelassus] {
            let budget = generous(200, Measure::Engine);
            let answer = solve_with(method, &problem, Some(&warm), &budget, &mut ()).unwrap();
            sound(&problem.2, &budget, &answer);
            let size = p.length(&exact) + p.length(&p.free);
            let gap: f64 = answer.report.duality_gap.into();
            let relative = error(p, &answer.acceleration, &exact);
            assert!(
                relative <= (2.0 * gap).sqrt() / size * 1.01 + bound,
                "{method:?} {relative:e} {:?}",
                answer.report
            );
        }
    }
}

/// Same bits and same report, also from memory that a larger problem has been solved in before.
fn every_memory<T: Number, const NV: usize>(p: &Problem, larger: &Problem) {
    let problem = p.build::<T, NV, NR>();
    let (mass, free, rows) = &problem;
    let before = larger.build::<T, NV, NR>();
    let warm = SVector::<T, NV>::from_fn(|i, _| literal(0.3 * i as f64 - 0.5));
    for line_search in [0, 100] {
        let budget = Budget { line_search, ..Budget::new(30, T::zero()) };
        let (mut newtons, mut sweeps) = (NewtonWorkspace::filled(T::zero()), SweepWorkspace::filled(T::zero()));
        let mut formed = DelassusWorkspace::filled(T::zero());
        let mut first: Option<Vec<String>> = None;
        for _ in 0..2 {
            let reports = [
                newton(mass, free, rows, Some(&warm), &budget, &mut newtons).unwrap(),
                projected_gauss_seidel(mass, free, rows, Some(&warm), &budget, &mut sweeps).unwrap(),
                projected_gauss_seidel_with_delassus(mass, free, rows, Some(&warm), &budget, &mut formed).unwrap(),
            ];
            let seen = vec![
                format!("{reports:?}"),
                format!("{:?} {:?}", newtons.acceleration(), newtons.force()),
                format!("{:?} {:?}", sweeps.acceleration(), sweeps.force()),
                format!("{:?} {:?}", formed.acceleration(), formed.force()),
            ];
            // The second round comes after another problem, and after one whose memory overflowed.
            if let Some(first) = &first {
                assert_eq!(first, &seen);
            }
            first = Some(seen);
            let huge = T::max_value().unwrap() * literal(0.25);
            for free in [before.1, SVector::from_element(huge)] {
                let _ = newton(&before.0, &free, &before.2, None, &budget, &mut newtons);
                let _ = projected_gauss_seidel(&before.0, &free, &before.2, None, &budget, &mut sweeps);
                let _ = projected_gauss_seidel_with_delassus(&before.0, &free, &before.2, None, &budget, &mut formed);
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn any_budget_gives_allowed_forces_an_honest_gap_and_no_rise(r in recipe(1..=5, -1.0, -4.0)) {
        let p = r.problem().single();
        by_freedoms!(r.nv, every_budget::<f64>(&p));
        by_freedoms!(r.nv, every_budget::<f32>(&p));
    }

    #[test]
    fn any_start_leads_to_the_same_answer(r in recipe(1..=5, -1.0, -4.0)) {
        let p = r.problem().single();
        by_freedoms!(r.nv, every_start::<f64>(&p, r.seed, 1e-9));
        let bound = 30.0 * (sensitivity(&p, r.seed) + f64::from(f32::EPSILON));
        by_freedoms!(r.nv, every_start::<f32>(&p, r.seed, bound));
    }

    #[test]
    fn memory_of_an_earlier_solve_changes_no_bit(r in recipe(1..=5, -1.0, -4.0), more in recipe(6..=12, -1.0, -4.0)) {
        let p = r.problem().single();
        let larger = Recipe { nv: r.nv, ..more }.problem().single();
        by_freedoms!(r.nv, every_memory::<f64>(&p, &larger));
        by_freedoms!(r.nv, every_memory::<f32>(&p, &larger));
    }
}

// ---------------------------------------------------------------- scaling and padding

/// S11-33: r → γ r gives J → γ J, R → γ² R, a_ref → γ a_ref, f → f/γ, and loses nothing of Jᵀ f.
fn scaled_row<T: Number, const NV: usize>(p: &Problem, seed: u64, powers_of_two: bool, bound: f64) {
    let mut noise = Noise(seed);
    let (mut other, mut factors) = (p.clone(), vec![]);
    for l in &mut other.lines {
        let gamma =
            if powers_of_two { 2f64.powi((noise.bits() % 13) as i32 - 6) } else { 10f64.powf(noise.within(-2.0, 2.0)) };
        for j in &mut l.jacobian {
            *j *= gamma;
        }
        l.reference *= gamma;
        l.regularizer *= gamma * gamma;
        l.loss /= gamma;
        factors.push(gamma);
    }
    let (one, two) = (p.build::<T, NV, NR>(), other.build::<T, NV, NR>());
    for method in METHODS {
        let budget = generous(40, Measure::DualityGap);
        let a = solve_with(method, &one, None, &budget, &mut ()).unwrap();
        let b = solve_with(method, &two, None, &budget, &mut ()).unwrap();
        if powers_of_two && method == Method::Newton {
            // Scaling by powers of two rounds nothing, so even the bits agree; the correction, a maximum over rows, is another.
            assert_eq!(format!("{:?}", a.acceleration), format!("{:?}", b.acceleration));
            assert_eq!(a.report.iterations, b.report.iterations);
            for ((f, g), gamma) in a.force.iter().zip(&b.force).zip(&factors) {
                assert_eq!(*f, *g * literal(*gamma));
            }
        } else if method == Method::Newton {
            let wide: Vec<f64> = a.acceleration.iter().map(|x| (*x).into()).collect();
            let relative = error(p, &b.acceleration, &wide);
            assert!(relative <= bound, "{relative:e} {bound:e} {:?} {:?}", a.report, b.report);
            let power = |rows: &Rows<T, NV, NR>, f: &[T]| -> Vec<f64> {
                rows.generalized_force(f).iter().map(|x| (*x).into()).collect()
            };
            let (x, y) = (power(&one.2, &a.force), power(&two.2, &b.force));
            let size = p.mass.iter().map(|row| row.iter().map(|m| m.abs()).sum::<f64>()).fold(0.0, f64::max)
                * wide.iter().chain(&p.free).map(|a| a.abs()).fold(0.0, f64::max);
            for (x, y) in x.iter().zip(&y) {
                assert!((x - y).abs() <= bound * 100.0 * size, "{x} {y}");
            }
        }
    }
}

/// Two more dofs of unit diagonal that no row sees, and room for more rows, change no bit of the rest.
fn padded<T: Number, const NV: usize, const MORE: usize>(p: &Problem) {
    let (one, two) = (p.build::<T, NV, 12>(), p.build::<T, MORE, 15>());
    let trace: f64 = one.0.trace().into();
    for method in METHODS {
        for iterations in [0, 1, 3, 30] {
            for line_search in [0, 60] {
                let scale = Scale::Fixed(literal(1.0 / trace));
                let budget = Budget { scale, line_search, ..Budget::new(iterations, T::zero()) };
                let warm = SVector::<T, NV>::from_fn(|i, _| literal(i as f64 - 0.7));
                let wide = SVector::<T, MORE>::from_fn(|i, _| if i < NV { warm[i] } else { T::zero() });
                let a = solve_with(method, &one, Some(&warm), &budget, &mut ()).unwrap();
                let b = solve_with(method, &two, Some(&wide), &budget, &mut ()).unwrap();
                assert_eq!(format!("{:?}", a.acceleration), format!("{:?}", &b.acceleration[..NV]));
                assert_eq!(format!("{:?} {:?}", a.force, a.report), format!("{:?} {:?}", b.force, b.report));
                assert!(b.acceleration[NV..].iter().all(|x| *x == T::zero()));
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn a_scaled_residual_scales_its_force_and_nothing_else(r in recipe(1..=6, -1.0, -3.0)) {
        let p = r.problem();
        by_freedoms!(r.nv, scaled_row::<f64>(&p, r.seed, false, 1e-10));
        by_freedoms!(r.nv, scaled_row::<f64>(&p, r.seed, true, 0.0));
        let p = p.single();
        by_freedoms!(r.nv, scaled_row::<f32>(&p, r.seed, true, 0.0));
        let bound = 30.0 * (sensitivity(&p, r.seed) + f64::from(f32::EPSILON));
        by_freedoms!(r.nv, scaled_row::<f32>(&p, r.seed, false, bound));
    }

    #[test]
    fn padding_changes_no_bit(r in recipe(1..=6, -1.0, -4.0)) {
        let p = r.problem();
        match r.nv {
            1 => { padded::<f32, 1, 3>(&p); padded::<f64, 1, 3>(&p) }
            2 | 3 => { let p = Recipe { nv: 3, ..r }.problem(); padded::<f32, 3, 4>(&p); padded::<f64, 3, 4>(&p) }
            _ => { let p = Recipe { nv: 5, ..r }.problem(); padded::<f32, 5, 8>(&p); padded::<f64, 5, 8>(&p) }
        }
    }
}

// ---------------------------------------------------------------- faults that were found, each with the right value

/// From the limit +η over to −η in one full step: not a step within a piece. By hand: f = 0.1/1.01, a = −0.01 f.
#[test]
fn a_step_from_one_friction_limit_to_the_other_is_searched() {
    fn check<T: Number>(bound: f64) {
        let mass = common::mass::<T, 1>([[1.0]]);
        let mut rows = Rows::<T, 1, 1>::new();
        let rule = rule_of(Kind::JointFriction, 1.0);
        rows.finished(Kind::JointFriction, rule, &vector([1.0]), T::zero(), literal(0.01)).unwrap();
        let mut work = NewtonWorkspace::filled(T::zero());
        newton(&mass, &vector([-0.1]), &rows, None, &Budget::new(10, T::zero()), &mut work).unwrap();
        common::close(work.force(), &[0.1 / 1.01], bound);
        common::close(work.acceleration().as_slice(), &[-0.001 / 1.01], bound);
    }
    check::<f64>(1e-12);
    check::<f32>(1e-5);
}

/// Friction without loss has one piece: a change of sign of z asks for no new factor and no further step.
#[test]
fn friction_without_loss_ends_after_one_step() {
    let mass = common::mass::<f32, 1>([[1.0]]);
    let mut rows = Rows::<f32, 1, 2>::new();
    rows.finished(Kind::Equality, Rule::Free, &vector([1.0]), 0.0, 0.1).unwrap();
    rows.finished(Kind::JointFriction, rule_of(Kind::JointFriction, 0.0), &vector([1.0]), -0.5, 0.1).unwrap();
    let mut work = NewtonWorkspace::filled(0.0);
    let report = newton(&mass, &vector([-10.0]), &rows, None, &Budget::new(10, 0.0), &mut work).unwrap();
    assert!(report.iterations <= 2 && report.line_search_evaluations <= 2, "{report:?}");
    assert_eq!((work.force()[1].to_bits(), report.active_rows), (0, 1));
}

/// A row that sits at a friction limit of 35 kN while the others settle newtons: in f32 the rounding of its force times J p once
/// ended the line search, and the solve, early. Rows on one straight piece must add nothing to differences.
#[test]
fn a_large_friction_force_does_not_bury_the_other_rows() {
    let r = Recipe {
        nv: 6,
        rows: vec![(1, 2), (2, 0), (3, 3), (4, 2)],
        mass_ratio: 2.473_375_457_368_182_4,
        coupling: -0.154_681_793_574_536_65,
        softest: 1.0,
        hardest: -0.398_977_568_833_786,
        seed: 7_352_010_091_112_257_610,
    };
    let p = r.problem().single();
    let bound = 30.0 * (sensitivity(&p, r.seed) + f64::from(f32::EPSILON));
    agree::<f32, 6>(&p, bound);
    scaled_row::<f32, 6>(&p, r.seed, false, bound);
}

/// The same row twice with R = 1e-4 Â, MuJoCo's hardest impedance: each copy carries half, f = 1/(2 + 1e-4).
#[test]
fn copies_of_a_soft_row_share_the_force_of_a_projection() {
    fn check<T: Number>(regularizer: f64, bound: f64) {
        let mass = common::mass::<T, 1>([[1.0]]);
        let rows: Rows<T, 1, 2> = common::finished(Kind::Equality, [[1.0], [1.0]], [0.0; 2], [regularizer; 2]);
        let mut work = ProjectionWorkspace::filled(T::zero());
        soft_projection(&mass, &vector([-1.0]), &rows, &mut work).unwrap();
        common::close(work.multiplier(), &[1.0 / (2.0 + regularizer); 2], bound);
        common::close(work.acceleration().as_slice(), &[-regularizer / (2.0 + regularizer)], bound / regularizer);
    }
    check::<f64>(1e-4, 1e-11);
    check::<f64>(1e-9, 1e-6);
    check::<f32>(1e-4, 1e-2); // R is a thousand roundings of A: its own share keeps three digits
}

/// In the softest direction of a nearly singular M, pᵀ M p can round to nothing or below.
#[test]
fn a_mass_matrix_on_the_brink_still_gives_a_bounded_finite_answer() {
    let mut noise = Noise(7);
    for _ in 0..2000 {
        let j: [f64; 3] = core::array::from_fn(|_| noise.number());
        let ridge = 10f64.powf(noise.within(-8.0, -5.0));
        let entries =
            SMatrix::<f32, 3, 3>::from_fn(|i, k| (j[i.min(k)] * j[i.max(k)] + if i == k { ridge } else { 0.0 }) as f32);
        let mut mass = MassMatrix::<f32, 3>::filled(0.0);
        if mass.set(&entries).is_err() {
            assert!(!mass.is_ready());
            continue;
        }
        let mut rows = Rows::<f32, 3, 2>::new();
        for _ in 0..2 {
            let jacobian = SVector::from_fn(|_, _| noise.number() as f32);
            rows.finished(Kind::JointLimit, Rule::NonNegative, &jacobian, 1.0, 0.01).unwrap();
        }
        let problem = (mass, SVector::from_fn(|_, _| 10.0 * noise.number() as f32), rows);
        let budget = generous(100, Measure::Engine);
        for method in METHODS {
            let answer = solve_with(method, &problem, None, &budget, &mut ())
                .unwrap_or_else(|e| panic!("{method:?} {e:?} {problem:?}"));
            sound(&problem.2, &budget, &answer);
            if method == Method::Newton {
                assert!(answer.report.stop != Stop::BudgetSpent, "{:?}", answer.report);
            }
        }
    }
}

// ---------------------------------------------------------------- how it ends

fn count<T: Number, const NV: usize>(p: &Problem, method: Method, tolerance: f64, iterations: u16) -> (Stop, u16) {
    let problem = p.build::<T, NV, NR>();
    let measure = if method == Method::Newton { Measure::Engine } else { Measure::ForceCorrection };
    let budget = Budget { tolerance: literal(tolerance), ..generous(iterations, measure) };
    let answer = solve_with(method, &problem, None, &budget, &mut ()).unwrap();
    sound(&problem.2, &budget, &answer);
    (answer.report.stop, answer.report.iterations)
}

/// Tolerance 0 means "as far as the precision goes" and must end by itself, with rows on their borders, copies of rows and R from
/// 1e-6 Â in f32 (1e-9 Â in f64). The numbers printed are the iterations that it takes.
#[test]
fn newton_ends_by_itself_at_tolerance_zero() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let samples =
        400 * std::env::var("PROPTEST_CASES").ok().and_then(|x| x.parse::<usize>().ok()).map_or(1, |n| n / 400 + 1);
    for single in [false, true] {
        for (rows, coupling) in [(1..=6, -1.0), (7..=12, -1.0), (1..=12, -3.0)] {
            for tolerance in [0.0, 1e-6] {
                let hardest = match (single, coupling < -1.0) {
                    (true, false) => -4.0,
                    (true, true) => -6.0,
                    _ => -9.0,
                };
                let strategy = recipe(rows.clone(), coupling, hardest);
                let mut all = vec![];
                for _ in 0..samples {
                    let r = strategy.new_tree(&mut runner).unwrap().current();
                    let p = r.problem();
                    let (stop, n) = if single {
                        by_freedoms!(r.nv, count::<f32>(&p, Method::Newton, tolerance, 100))
                    } else {
                        by_freedoms!(r.nv, count::<f64>(&p, Method::Newton, tolerance, 100))
                    };
                    assert!(stop != Stop::BudgetSpent, "{r:?}");
                    all.push(n);
                }
                all.sort();
                let (median, p99, max) = (all[samples / 2], all[samples * 99 / 100], all[samples - 1]);
                let name = if single { "f32" } else { "f64" };
                println!(
                    "{name}, tolerance {tolerance}, {rows:?} rows, coupling {coupling}: median {median}, p99 {p99}, max {max}"
                );
                assert!(max <= 40);
            }
        }
    }
}

/// Well-conditioned problems: the sweeps reach a fixed point or the last bit, and say so.
#[test]
fn sweeps_end_by_themselves_at_tolerance_zero() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for method in [Method::Sweeps, Method::SweepsWithDelassus] {
        for single in [false, true] {
            let mut all = vec![];
            for _ in 0..400 {
                let r = gentle().new_tree(&mut runner).unwrap().current();
                let p = r.problem();
                let (stop, n) = if single {
                    by_freedoms!(r.nv, count::<f32>(&p, method, 0.0, 3000))
                } else {
                    by_freedoms!(r.nv, count::<f64>(&p, method, 0.0, 3000))
                };
                assert!(stop != Stop::BudgetSpent, "{method:?} {r:?}");
                all.push(n);
            }
            all.sort();
            let name = if single { "f32" } else { "f64" };
            println!("{method:?}, {name}, tolerance 0: median {}, p99 {}, max {}", all[200], all[396], all[399]);
        }
    }
}

// ---------------------------------------------------------------- refusals

fn context() -> RowContext<f32> {
    RowContext::new(0.001)
}

const BAD: [f32; 3] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];

#[test]
fn a_mass_matrix_that_cannot_be_is_refused_by_name_and_leaves_none_ready() {
    let good = SMatrix::<f32, 3, 3>::new(4.0, 1.0, 0.5, 1.0, 3.0, 0.2, 0.5, 0.2, 2.0);
    let refused = |entries: SMatrix<f32, 3, 3>, error: MassError| {
        let mut mass = MassMatrix::<f32, 3>::filled(0.0);
        mass.set(&good).unwrap();
        assert_eq!(mass.set(&entries), Err(error));
        assert!(!mass.is_ready() && mass.smallest_pivot_ratio() == 0.0);
        let mut x = SVector::from([1.0, 2.0, 3.0]);
        assert_eq!(mass.solve(&mut x), Err(MassError::NotReady));
        assert_eq!((x, mass.times(&x)), (SVector::from([1.0, 2.0, 3.0]), SVector::zeros()));
        let problem = (mass, x, Rows::<f32, 3, 1>::new());
        for method in METHODS {
            let answer = solve_with(method, &problem, None, &Budget::new(3, 0.0), &mut ());
            assert_eq!(answer.err(), Some(SolverError::Mass(MassError::NotReady)));
        }
    };
    for bad in BAD {
        for i in 0..3 {
            for j in 0..3 {
                let mut entries = good;
                entries[(i, j)] = bad;
                refused(entries, MassError::NotFinite { column: j as u16 });
            }
        }
    }
    let mut askew = good;
    askew[(2, 0)] += 1e-3;
    refused(askew, MassError::NotSymmetric { row: 2, column: 0 });
    for k in 0..3 {
        for diagonal in [0.0, -0.0, -1.0, 1e-39] {
            let mut entries = SMatrix::<f32, 3, 3>::identity();
            entries[(k, k)] = diagonal;
            refused(entries, MassError::NotPositiveDefinite { pivot: k as u16 });
        }
    }
    // Positive diagonal, indefinite: dofs 1 and 2 contradict, found where the second of them is taken, at 1.
    let indefinite = SMatrix::<f32, 3, 3>::new(9.0, 0.0, 0.0, 0.0, 1.0, 2.0, 0.0, 2.0, 1.0);
    refused(indefinite, MassError::NotPositiveDefinite { pivot: 1 });
    refused(SMatrix::from_element(1.0), MassError::NotPositiveDefinite { pivot: 1 });
}

/// Entries that differ by roundings of a large diagonal beside a small one: product and factor still speak of one matrix.
#[test]
fn product_and_solve_belong_to_one_matrix_also_when_the_entries_are_askew_by_rounding() {
    let mut mass = MassMatrix::<f32, 2>::filled(0.0);
    mass.set(&SMatrix::<f32, 2, 2>::new(1.0, 1e-6, 3e-6, 1e-6)).unwrap();
    let mut x = mass.times(&SVector::from([0.0, 1.0]));
    mass.solve(&mut x).unwrap();
    assert!((x - SVector::from([0.0, 1.0])).amax() < 1e-5, "{x:?}");
}

#[test]
fn bodies_that_cannot_be_are_refused_by_index() {
    let body = BodyInertia::<f32, 2> {
        mass: 1.0,
        inertia: Matrix3::identity(),
        linear: SMatrix::from_element(1.0),
        angular: SMatrix::identity(),
    };
    let armature = SVector::from([0.1, 0.1]);
    let refused = |bad: BodyInertia<f32, 2>| {
        let mut mass = MassMatrix::<f32, 2>::filled(0.0);
        mass.set_from_bodies(&[body], &armature).unwrap();
        assert_eq!(mass.set_from_bodies(&[body, bad], &armature), Err(MassError::BadBody { body: 1 }));
        assert!(!mass.is_ready());
    };
    let askew = Matrix3::new(1.0, 0.3, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
    refused(BodyInertia { inertia: askew, ..body });
    refused(BodyInertia { mass: -1.0, ..body });
    for bad in BAD {
        refused(BodyInertia { mass: bad, ..body });
        refused(BodyInertia { inertia: Matrix3::from_element(bad), ..body });
        let mut columns = body.linear;
        columns[(2, 1)] = bad;
        refused(BodyInertia { linear: columns, ..body });
        refused(BodyInertia { angular: columns, ..body });
        let mut mass = MassMatrix::<f32, 2>::filled(0.0);
        let found = mass.set_from_bodies(&[body], &SVector::from([0.1, bad]));
        assert_eq!(found, Err(MassError::NotFinite { column: 1 }));
    }
    let mut mass = MassMatrix::<f32, 2>::filled(0.0);
    let massless = BodyInertia { mass: 0.0, inertia: Matrix3::zeros(), ..body };
    let found = mass.set_from_bodies(&[massless], &SVector::zeros());
    assert_eq!(found, Err(MassError::NotPositiveDefinite { pivot: 1 }));
    assert_eq!(mass.set_parents(&[None]), Err(MassError::BadParent { freedom: 1 }));
    assert_eq!(mass.set_parents(&[None, Some(1)]), Err(MassError::BadParent { freedom: 1 }));
    assert_eq!(mass.set_parents(&[Some(0), None]), Err(MassError::BadParent { freedom: 0 }));
}

#[test]
fn a_refused_row_names_its_fault_and_leaves_the_rows_as_they_were() {
    let mass = common::mass::<f32, 2>([[2.0, 0.5], [0.5, 1.0]]);
    let (soft, jacobian) = (Softness::default(), SVector::<f32, 2>::from([1.0, -1.0]));
    let good = RowInput::new(&jacobian, -0.01, 0.1);
    let mut rows = Rows::<f32, 2, 4>::new();
    rows.equality(&mass, &context(), &soft, &[good]).unwrap();
    let before = format!("{rows:?}");
    type Container = Rows<f32, 2, 4>;
    let refused = |add: &dyn Fn(&mut Container) -> Result<(), RowsError>, error: RowsError| {
        let mut rows = rows.clone();
        assert_eq!(add(&mut rows), Err(error));
        assert_eq!(format!("{rows:?}"), before);
    };
    let (friction, limit) = (Kind::JointFriction, Kind::JointLimit);
    let not_finite = RowsError::NotFinite { row: 1 };
    for bad in BAD {
        let crooked = SVector::<f32, 2>::from([0.0, bad]);
        let inputs = [
            RowInput { residual: bad, ..good },
            RowInput { velocity: bad, ..good },
            RowInput { curvature: bad, ..good },
            RowInput { jacobian: &crooked, ..good },
            RowInput { scale: DiagonalScale::Given(bad), ..good },
        ];
        for (field, input) in inputs.iter().enumerate() {
            // The fault may lie anywhere in the group.
            refused(&|r| r.equality(&mass, &context(), &soft, &[*input]), not_finite);
            refused(&|r| r.equality(&mass, &context(), &soft, &[good, good, *input]), RowsError::NotFinite { row: 3 });
            refused(&|r| r.one_sided(&mass, &context(), &soft, limit, input), not_finite);
            if field > 0 {
                refused(&|r| r.friction_loss(&mass, &context(), &soft, friction, input, 1.0), not_finite);
            }
        }
        refused(&|r| r.friction_loss(&mass, &context(), &soft, friction, &good, bad), not_finite);
        refused(&|r| r.finished(limit, Rule::NonNegative, &crooked, 0.0, 1.0), not_finite);
        refused(&|r| r.finished(limit, Rule::NonNegative, &jacobian, bad, 1.0), not_finite);
        refused(&|r| r.finished(limit, Rule::NonNegative, &jacobian, 0.0, bad), not_finite);
        refused(&|r| r.finished(friction, Rule::Interval { loss: bad }, &jacobian, 0.0, 1.0), not_finite);
    }
    let negative = RowsError::Negative { row: 1 };
    refused(&|r| r.friction_loss(&mass, &context(), &soft, friction, &good, -1.0), negative);
    refused(&|r| r.finished(limit, Rule::NonNegative, &jacobian, 0.0, -1e-9), negative);
    refused(&|r| r.finished(friction, Rule::Interval { loss: -1.0 }, &jacobian, 0.0, 1.0), negative);
    let below = RowInput { scale: DiagonalScale::Given(-1.0), ..good };
    refused(&|r| r.one_sided(&mass, &context(), &soft, limit, &below), negative);
    let block = RowsError::BadBlock { row: 1 };
    refused(&|r| r.equality(&mass, &context(), &soft, &[]), block);
    refused(&|r| r.one_sided(&mass, &context(), &soft, friction, &good), block);
    refused(&|r| r.friction_loss(&mass, &context(), &soft, limit, &good, 1.0), block);
    refused(&|r| r.finished(limit, Rule::Free, &jacobian, 0.0, 1.0), block);
    refused(&|r| r.equality(&mass, &context(), &soft, &[good; 4]), RowsError::TooManyRows { capacity: 4 });
    let unset = MassMatrix::<f32, 2>::filled(0.0);
    refused(&|r| r.equality(&unset, &context(), &soft, &[good]), RowsError::Mass(MassError::NotReady));
    // Order, with a later kind in place.
    let mut rows = rows.clone();
    rows.one_sided(&mass, &context(), &soft, Kind::TendonLimit, &good).unwrap();
    let before = format!("{rows:?}");
    for kind in [Kind::Equality, friction, limit] {
        let error = Err(RowsError::OutOfOrder { row: 2 });
        let found = match kind {
            Kind::Equality => rows.equality(&mass, &context(), &soft, &[good]),
            Kind::JointFriction => rows.friction_loss(&mass, &context(), &soft, kind, &good, 1.0),
            _ => rows.one_sided(&mass, &context(), &soft, kind, &good),
        };
        assert_eq!((found, format!("{rows:?}")), (error, before.clone()));
    }
}

#[test]
fn a_solve_that_cannot_be_is_refused_by_name() {
    let mass = common::mass::<f32, 2>([[2.0, 0.5], [0.5, 1.0]]);
    let mut rows = Rows::<f32, 2, 3>::new();
    rows.finished(Kind::JointLimit, Rule::NonNegative, &SVector::from([1.0, 0.0]), 1.0, 0.1).unwrap();
    let good = Budget::new(5, 1e-6f32);
    let zero = SVector::<f32, 2>::zeros();
    let all = |free, warm: Option<&SVector<f32, 2>>, budget: &Budget<f32>, error| {
        for method in METHODS {
            let problem = (mass.clone(), free, rows.clone());
            assert_eq!(solve_with(method, &problem, warm, budget, &mut ()).err(), Some(error), "{method:?}");
        }
    };
    for bad in BAD {
        let crooked = SVector::from([0.0, bad]);
        all(crooked, None, &good, SolverError::NotFinite { freedom: 1 });
        all(zero, Some(&crooked), &good, SolverError::NotFinite { freedom: 1 });
        all(zero, None, &Budget { tolerance: bad, ..good }, SolverError::BadBudget);
        all(zero, None, &Budget { line_search_tolerance: bad, ..good }, SolverError::BadBudget);
        all(zero, None, &Budget { scale: Scale::Fixed(bad), ..good }, SolverError::BadBudget);
    }
    all(zero, None, &Budget { tolerance: -1.0, ..good }, SolverError::BadBudget);
    all(zero, None, &Budget { scale: Scale::Fixed(0.0), ..good }, SolverError::BadBudget);
    // A hard row is for dual methods only.
    let mut hard = rows.clone();
    hard.finished(Kind::JointLimit, Rule::NonNegative, &SVector::from([0.0, 1.0]), 1.0, 0.0).unwrap();
    let problem = (mass.clone(), zero, hard);
    let found = METHODS.map(|m| solve_with(m, &problem, None, &good, &mut ()).err());
    assert_eq!(found, [Some(SolverError::ZeroRegularizer { row: 1 }), None, None]);
    // A_ii beyond the precision: no answer, and not a row that never moves.
    let mut long = Rows::<f32, 2, 3>::new();
    long.finished(Kind::JointLimit, Rule::NonNegative, &SVector::from([1e25, 0.0]), 1.0, 0.1).unwrap();
    let problem = (mass, zero, long);
    for method in [Method::Sweeps, Method::SweepsWithDelassus] {
        assert_eq!(solve_with(method, &problem, None, &good, &mut ()).err(), Some(SolverError::Overflow));
    }
}

#[test]
fn no_rows_no_room_and_no_freedom_at_all() {
    fn check<const NV: usize>() {
        let problem = Problem {
            mass: (0..NV).map(|i| (0..NV).map(|j| f64::from(u8::from(i == j))).collect()).collect(),
            free: (0..NV).map(|i| i as f64 - 1.0).collect(),
            lines: vec![],
        };
        let built = problem.build::<f32, NV, 0>();
        for method in METHODS {
            for iterations in [0, 5] {
                let answer = solve_with(method, &built, None, &Budget::new(iterations, 0.0), &mut ()).unwrap();
                assert_eq!(answer.acceleration, built.1.as_slice());
                assert_eq!((answer.report.stop, answer.report.iterations), (Stop::Converged, 0));
            }
        }
        let mut rows = built.2;
        let found = rows.finished(Kind::Equality, Rule::Free, &SVector::from_element(1.0), 0.0, 1.0);
        assert_eq!(found, Err(RowsError::TooManyRows { capacity: 0 }));
    }
    check::<0>();
    check::<1>();
    check::<3>();
}

/// A float of any bit pattern, the usual ones included.
fn bits32() -> impl Strategy<Value = f32> {
    prop_oneof![
        2 => any::<u32>().prop_map(f32::from_bits),
        4 => -10.0..10.0f32,
        1 => prop_oneof![Just(0.0f32), Just(-0.0), Just(f32::MAX), Just(f32::MIN_POSITIVE), Just(1e-40), Just(1e-15)],
    ]
}

fn bits64() -> impl Strategy<Value = f64> {
    prop_oneof![
        2 => any::<u64>().prop_map(f64::from_bits),
        4 => -10.0..10.0f64,
        1 => prop_oneof![Just(0.0f64), Just(-0.0), Just(f64::MAX), Just(f64::MIN_POSITIVE), Just(5e-324), Just(1e-15)],
    ]
}

/// Whatever the bits: a typed error, or an answer that is finite and allowed.
fn anything<T: Number>(x: &[T], kinds: [usize; 3], iterations: u16, line_search: u16) {
    let mut next = x.iter().copied().cycle();
    let mut number = || next.next().unwrap_or(T::zero());
    let mut mass = MassMatrix::<T, 2>::filled(T::zero());
    let (a, b, c) = (number(), number(), number());
    if mass.set(&SMatrix::<T, 2, 2>::new(a, b, b, c)).is_err() {
        assert!(!mass.is_ready());
        mass.set(&SMatrix::identity()).unwrap();
    }
    let mut rows = Rows::<T, 2, 5>::new();
    let context = RowContext { rules: StepRules::new(number()), impedance_ratio: T::one() };
    let soft = Softness::from_mujoco([number(), number()], [number(), number(), number(), number(), number()])
        .unwrap_or_default();
    for kind in kinds.map(|k| KINDS[k]) {
        let jacobian = SVector::from([number(), number()]);
        let scale = if (kind as u8).is_multiple_of(2) { DiagonalScale::Exact } else { DiagonalScale::Given(number()) };
        let input =
            RowInput { residual: number(), velocity: number(), curvature: number(), jacobian: &jacobian, scale };
        let loss = number();
        let _ = match kind {
            Kind::Equality => rows.equality(&mass, &context, &soft, &[input]),
            Kind::JointFriction | Kind::TendonFriction => {
                rows.friction_loss(&mass, &context, &soft, kind, &input, loss)
            }
            _ => rows.one_sided(&mass, &context, &soft, kind, &input),
        };
        let rule = match rule_of::<T>(kind, 0.0) {
            Rule::Interval { .. } => Rule::Interval { loss },
            rule => rule,
        };
        let _ = rows.finished(kind, rule, &SVector::from([number(), number()]), number(), number());
    }
    let free = SVector::from([number(), number()]);
    let warm = SVector::from([number(), number()]);
    let scale = if iterations.is_multiple_of(2) { Scale::MassTrace } else { Scale::Fixed(number()) };
    let measure = [Measure::Engine, Measure::ForceCorrection, Measure::DualityGap][usize::from(iterations % 3)];
    let budget =
        Budget { iterations, line_search, tolerance: number(), measure, line_search_tolerance: number(), scale };
    let problem = (mass, free, rows);
    for budget in [budget, Budget { iterations, line_search, ..Budget::new(1, T::zero()) }] {
        for warm in [None, Some(&warm)] {
            for method in METHODS {
                if let Ok(answer) = solve_with(method, &problem, warm, &budget, &mut ()) {
                    sound(&problem.2, &budget, &answer);
                }
            }
        }
    }
    let mut work = ProjectionWorkspace::filled(T::zero());
    if soft_projection(&problem.0, &problem.1, &problem.2, &mut work).is_ok() {
        assert!(work.acceleration().iter().chain(work.multiplier()).all(|x| x.is_finite()));
    }
    let _ = delassus::solver::gauss_projection(&problem.0, &problem.1, &problem.2, &mut work);
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn any_bits_give_an_error_or_an_allowed_answer(
        single in proptest::collection::vec(bits32(), 8..60),
        double in proptest::collection::vec(bits64(), 8..60),
        mut kinds in [0usize..6, 0usize..6, 0usize..6],
        iterations in 0u16..12,
        line_search in 0u16..30,
    ) {
        kinds.sort();
        anything::<f32>(&single, kinds, iterations, line_search);
        anything::<f64>(&double, kinds, iterations, line_search);
    }
}

// ---------------------------------------------------------------- the mass room

/// M of random bodies: entry by entry, by bodies, and as second differences of the kinetic energy of the bodies.
fn bodies_and_energy<const NV: usize>(seed: u64) {
    let mut noise = Noise(seed);
    let bodies: Vec<BodyInertia<f64, NV>> = (0..NV + 1)
        .map(|_| {
            let half = Matrix3::from_fn(|_, _| noise.number());
            BodyInertia {
                mass: noise.within(0.1, 5.0),
                inertia: half * half.transpose(),
                linear: SMatrix::from_fn(|_, _| noise.number()),
                angular: SMatrix::from_fn(|_, _| noise.number()),
            }
        })
        .collect();
    let armature = SVector::<f64, NV>::from_fn(|_, _| noise.within(0.01, 0.1));
    let energy = |v: &SVector<f64, NV>| -> f64 {
        let moving: f64 = bodies
            .iter()
            .map(|b| {
                let (velocity, spin) = (b.linear * v, b.angular * v);
                b.mass * product(velocity.as_slice(), velocity.as_slice())
                    + product(spin.as_slice(), (b.inertia * spin).as_slice())
            })
            .sum();
        0.5 * (moving + v.iter().zip(armature.iter()).map(|(v, a)| a * v * v).sum::<f64>())
    };
    let mut mass = MassMatrix::<f64, NV>::filled(0.0);
    mass.set_from_bodies(&bodies, &armature).unwrap();
    let unit = |k: usize| SVector::<f64, NV>::from_fn(|i, _| f64::from(u8::from(i == k)));
    let size = mass.trace();
    // The energy is quadratic, so differences over a whole unit are exact.
    let differences =
        SMatrix::<f64, NV, NV>::from_fn(|i, j| energy(&(unit(i) + unit(j))) - energy(&unit(i)) - energy(&unit(j)));
    for j in 0..NV {
        for i in 0..NV {
            assert!((mass.columns()[j][i] - differences[(i, j)]).abs() <= 1e-13 * size);
        }
    }
    let mut again = MassMatrix::<f64, NV>::filled(0.0);
    again.set(&SMatrix::from_fn(|i, j| mass.columns()[j][i])).unwrap();
    assert_eq!(format!("{again:?}"), format!("{mass:?}"));
    // Round trips.
    let x = SVector::<f64, NV>::from_fn(|_, _| noise.mixed(-2.0, 2.0));
    assert!((mass.half_quadratic(&x) - energy(&x)).abs() <= 1e-12 * energy(&x).max(size));
    let mut there_and_back = mass.times(&x);
    mass.solve(&mut there_and_back).unwrap();
    let condition = 1e-13 / mass.smallest_pivot_ratio();
    assert!((there_and_back - x).amax() <= condition * x.amax() * 100.0);
}

/// On a random forest the tree's factor has the bits of the dense one on every chain, and its solve solves.
fn forest<T: Number, const NV: usize>(seed: u64, bound: f64) {
    let mut noise = Noise(seed);
    let parents: [Option<u8>; NV] =
        core::array::from_fn(|k| (noise.bits() % (k as u64 + 1)).checked_sub(1).map(|p| p as u8));
    // M = Σ over dofs of a positive part on the dof's own chain, which has exactly the tree's zeros.
    let mut entries = [[0.0f64; NV]; NV];
    for k in 0..NV {
        let mut chain = vec![(k, noise.within(0.5, 1.5))];
        let mut above = parents[k];
        while let Some(p) = above {
            chain.push((usize::from(p), noise.number()));
            above = parents[usize::from(p)];
        }
        for (i, x) in &chain {
            for (j, y) in &chain {
                entries[*i][*j] += x * y;
            }
        }
    }
    let on_chain = |k: usize, i: usize| {
        let mut above = Some(k as u8);
        while let Some(p) = above {
            if usize::from(p) == i {
                return true;
            }
            above = parents[usize::from(p)];
        }
        false
    };
    let mut dense: [[T; NV]; NV] =
        core::array::from_fn(|k| core::array::from_fn(|i| literal(entries[i.min(k)][i.max(k)])));
    let mut tree = dense;
    let offset: factor::Parents<NV> = core::array::from_fn(|k| parents[k].map_or(0, |p| p + 1));
    let (mut one, mut two) = ([T::zero(); NV], [T::zero(); NV]);
    let matrix = SMatrix::<T, NV, NV>::from_fn(|i, k| dense[k][i]);
    factor::factor(&mut dense, &mut one).unwrap();
    factor::factor_tree(&mut tree, &mut two, &offset).unwrap();
    assert_eq!(format!("{one:?}"), format!("{two:?}"));
    for k in 0..NV {
        for i in 0..=k {
            if on_chain(k, i) {
                assert_eq!(format!("{:?}", dense[k][i]), format!("{:?}", tree[k][i]));
            } else {
                assert!(dense[k][i] == T::zero()); // the dense factor fills nothing in
            }
        }
    }
    let (mut plain, mut branched) = (MassMatrix::<T, NV>::filled(T::zero()), MassMatrix::<T, NV>::filled(T::zero()));
    plain.set(&matrix).unwrap();
    branched.set(&matrix).unwrap();
    branched.set_parents(&parents).unwrap();
    assert!(!branched.is_ready());
    // Off the chains anything may stand: it is taken as zero, by product and solve alike.
    let junk =
        SMatrix::<T, NV, NV>::from_fn(|i, k| if on_chain(i.max(k), i.min(k)) { matrix[(i, k)] } else { literal(7.0) });
    branched.set(&junk).unwrap();
    let x = SVector::<T, NV>::from_fn(|_, _| literal(noise.number()));
    let (mut y, mut z) = (plain.times(&x), branched.times(&x));
    assert_eq!(y, z);
    plain.solve(&mut y).unwrap();
    branched.solve(&mut z).unwrap();
    let ratio: f64 = plain.smallest_pivot_ratio().into();
    let size: f64 = x.amax().into();
    for i in 0..NV {
        let (y, z, x): (f64, f64, f64) = (y[i].into(), z[i].into(), x[i].into());
        let allowed = bound / (ratio * ratio) * size;
        assert!((y - x).abs() <= allowed && (z - x).abs() <= allowed, "{y} {z} {x} {ratio}");
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn mass_matrix_of_bodies_is_the_second_difference_of_kinetic_energy(seed in any::<u64>()) {
        bodies_and_energy::<1>(seed);
        bodies_and_energy::<3>(seed);
        bodies_and_energy::<6>(seed);
    }

    #[test]
    fn the_factor_of_a_tree_is_the_dense_one_without_its_zeros(seed in any::<u64>()) {
        forest::<f64, 2>(seed, 1e-13);
        forest::<f64, 7>(seed, 1e-13);
        forest::<f32, 7>(seed, 1e-4);
        forest::<f32, 12>(seed, 1e-4);
    }
}
