//! A problem with elliptic contacts among other rows, in f64, and what decides over an answer: the two objectives written down anew, and
//! a slow minimiser. Nothing here calls the crate's cones.

use delassus::mass::MassMatrix;
use delassus::rows::{Kind, Rows, Rule};
use delassus::scalar::{Real, literal};
use nalgebra::{SMatrix, SVector};

pub const NV: usize = 6;
pub const NR: usize = 30;
pub const NC: usize = 4;

#[derive(Clone, Debug)]
pub struct Line {
    pub jacobian: [f64; NV],
    pub reference: f64,
    pub regularizer: f64,
}

/// A row or an elliptic contact.
#[derive(Clone, Debug)]
pub enum Block {
    Equality(Line),
    Friction(Line, f64),
    Limit(Line),
    Contact { lines: Vec<Line>, friction: Vec<f64>, impratio: f64 },
}

#[derive(Clone, Debug)]
pub struct Problem {
    pub mass: [[f64; NV]; NV],
    pub free: [f64; NV],
    pub blocks: Vec<Block>,
}

pub fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Gaussian elimination with partial pivoting.
pub fn eliminate(mass: &[[f64; NV]; NV], right: &[f64; NV]) -> [f64; NV] {
    let (mut a, mut b) = (*mass, *right);
    for k in 0..NV {
        let p = (k..NV).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs())).unwrap();
        a.swap(k, p);
        b.swap(k, p);
        for i in k + 1..NV {
            let ratio = a[i][k] / a[k][k];
            for j in k..NV {
                a[i][j] -= ratio * a[k][j];
            }
            b[i] -= ratio * b[k];
        }
    }
    for k in (0..NV).rev() {
        b[k] = (b[k] - (k + 1..NV).map(|j| a[k][j] * b[j]).sum::<f64>()) / a[k][k];
    }
    b
}

/// R of the friction rows from that of the normal (S12-43).
pub fn contact(mut lines: Vec<Line>, friction: Vec<f64>, impratio: f64) -> Block {
    let first = lines[0].regularizer / impratio;
    for (line, mu) in lines.iter_mut().skip(1).zip(&friction) {
        line.regularizer = first * (friction[0] / mu).powi(2);
    }
    Block::Contact { lines, friction, impratio }
}

impl Block {
    pub fn lines(&self) -> &[Line] {
        match self {
            Self::Equality(line) | Self::Friction(line, _) | Self::Limit(line) => core::slice::from_ref(line),
            Self::Contact { lines, .. } => lines,
        }
    }

    /// max over the allowed f of −f z − ½ f R f: the cost of a block is the conjugate of its dual part.
    fn cost(&self, z: &[f64]) -> f64 {
        let best = |r: f64, low: f64, high: f64| {
            let f = (-z[0] / r).clamp(low, high);
            -f * z[0] - 0.5 * r * f * f
        };
        match self {
            Self::Equality(line) => best(line.regularizer, f64::NEG_INFINITY, f64::INFINITY),
            Self::Friction(line, loss) => best(line.regularizer, -loss, *loss),
            Self::Limit(line) => best(line.regularizer, 0.0, f64::INFINITY),
            Self::Contact { lines, friction, .. } => {
                // With f_j = μ_j y_j the friction part of R is the same ρ in every direction, and y_t points against q_j = μ_j z_j.
                let q = z[1..].iter().zip(friction).map(|(z, mu)| (z * mu).powi(2)).sum::<f64>().sqrt();
                let (r, rho) = (lines[0].regularizer, lines[1].regularizer * friction[0] * friction[0]);
                let value = |s: f64, t: f64| -s * z[0] + t * q - 0.5 * (r * s * s + rho * t * t);
                let (s, t) = (-z[0] / r, q / rho);
                if t <= s {
                    return value(s, t);
                }
                let edge = ((q - z[0]) / (r + rho)).max(0.0);
                value(edge, edge)
            }
        }
    }

    /// Whether forces are allowed, up to an ulp or two of the normal force.
    pub fn allows(&self, f: &[f64], epsilon: f64) -> bool {
        match self {
            Self::Equality(_) => true,
            Self::Friction(_, loss) => f[0].abs() <= loss * (1.0 + epsilon),
            Self::Limit(_) => f[0] >= 0.0,
            Self::Contact { friction, .. } => {
                let reach = f[1..].iter().zip(friction).map(|(f, mu)| (f / mu).powi(2)).sum::<f64>().sqrt();
                f[0] >= 0.0 && reach <= f[0] * (1.0 + 4.0 * epsilon)
            }
        }
    }

    /// The nearest allowed point in scaled variables y, f_j = μ_j y_j.
    fn project(&self, y: &mut [f64]) {
        match self {
            Self::Equality(_) => {}
            Self::Friction(_, loss) => y[0] = y[0].clamp(-loss, *loss),
            Self::Limit(_) => y[0] = y[0].max(0.0),
            Self::Contact { .. } => {
                let length = product(&y[1..], &y[1..]).sqrt();
                if length > y[0] {
                    let top = (0.5 * (length + y[0])).max(0.0);
                    let shrink = if length > 0.0 { top / length } else { 0.0 };
                    y[0] = top;
                    y[1..].iter_mut().for_each(|y| *y *= shrink);
                }
            }
        }
    }

    fn scales(&self) -> Vec<f64> {
        match self {
            Self::Contact { friction, .. } => [&[1.0], &friction[..]].concat(),
            _ => vec![1.0],
        }
    }
}

impl Problem {
    pub fn lines(&self) -> Vec<Line> {
        self.blocks.iter().flat_map(|block| block.lines().to_vec()).collect()
    }

    /// Every number through `change`, the friction rows' R anew.
    pub fn mapped(&self, mut change: impl FnMut(f64) -> f64) -> Self {
        let mut new = self.clone();
        for i in 0..NV {
            for j in 0..=i {
                new.mass[i][j] = change(self.mass[i][j]);
                new.mass[j][i] = new.mass[i][j];
            }
            new.free[i] = change(self.free[i]);
        }
        let mut line = |line: &mut Line| {
            for x in line.jacobian.iter_mut().chain([&mut line.reference, &mut line.regularizer]) {
                *x = change(*x);
            }
        };
        for block in &mut new.blocks {
            match block {
                Block::Equality(l) | Block::Friction(l, _) | Block::Limit(l) => line(l),
                Block::Contact { lines, .. } => lines.iter_mut().for_each(&mut line),
            }
        }
        for block in &mut new.blocks {
            match block {
                Block::Friction(_, loss) => *loss = change(*loss),
                Block::Contact { lines, friction, impratio } => {
                    friction.iter_mut().for_each(|mu| *mu = change(*mu));
                    *impratio = change(*impratio);
                    *block = contact(lines.clone(), friction.clone(), *impratio);
                }
                _ => {}
            }
        }
        new
    }

    /// ½ dᵀ M d
    pub fn kinetic(&self, d: &[f64; NV]) -> f64 {
        0.5 * (0..NV).map(|i| d[i] * product(&self.mass[i], d)).sum::<f64>()
    }

    pub fn distance(&self, a: &[f64; NV], b: &[f64; NV]) -> f64 {
        (2.0 * self.kinetic(&core::array::from_fn(|i| a[i] - b[i]))).max(0.0).sqrt()
    }

    /// √ of the size of the accelerations in the metric M.
    pub fn size(&self, a: &[f64; NV]) -> f64 {
        self.distance(a, &[0.0; NV]) + self.distance(&self.free, &[0.0; NV]) + 1e-30
    }

    /// ½ |a − a_u|² + Σ s(J a − a_ref) (S15-31).
    pub fn primal(&self, a: &[f64; NV]) -> f64 {
        let costs = self.blocks.iter().map(|block| {
            let z: Vec<f64> = block.lines().iter().map(|l| product(&l.jacobian, a) - l.reference).collect();
            block.cost(&z)
        });
        costs.sum::<f64>() + self.kinetic(&core::array::from_fn(|i| a[i] - self.free[i]))
    }

    /// M⁻¹ Jᵀ f
    pub fn response(&self, f: &[f64]) -> [f64; NV] {
        let mut force = [0.0; NV];
        for (line, f) in self.lines().iter().zip(f) {
            for (x, j) in force.iter_mut().zip(&line.jacobian) {
                *x += j * f;
            }
        }
        eliminate(&self.mass, &force)
    }

    /// ½ fᵀ (A + R) f + bᵀ f.
    pub fn dual(&self, f: &[f64]) -> f64 {
        let rows = self.lines().into_iter().zip(f);
        let own: f64 =
            rows.map(|(l, f)| f * (product(&l.jacobian, &self.free) - l.reference + 0.5 * l.regularizer * f)).sum();
        own + self.kinetic(&self.response(f))
    }

    /// What the two objectives are made of, in magnitude: their difference is uncertain by this times the rounding.
    pub fn terms(&self, a: &[f64; NV], f: &[f64]) -> f64 {
        let response = self.response(f);
        let rows: f64 = (self.lines().iter().zip(f))
            .map(|(l, f)| {
                let seen: f64 =
                    (0..NV).map(|k| l.jacobian[k].abs() * (a[k].abs() + self.free[k].abs() + response[k].abs())).sum();
                f.abs() * (seen + l.reference.abs() + l.regularizer * f.abs())
            })
            .sum();
        let motion: [f64; NV] = core::array::from_fn(|i| a[i].abs() + self.free[i].abs() + response[i].abs());
        let inertia: f64 =
            (0..NV).map(|i| motion[i] * (0..NV).map(|j| self.mass[i][j].abs() * motion[j]).sum::<f64>()).sum();
        rows + inertia
    }

    /// The optimal acceleration by accelerated projected gradients with restart on the dual, scaled by μ and by the diagonal's trace.
    pub fn slow_optimum(&self) -> [f64; NV] {
        let lines = self.lines();
        let n = lines.len();
        let scale: Vec<f64> = self.blocks.iter().flat_map(Block::scales).collect();
        let responses: Vec<[f64; NV]> = lines.iter().map(|l| eliminate(&self.mass, &l.jacobian)).collect();
        let h: Vec<Vec<f64>> = (0..n)
            .map(|i| {
                let entry = |j: usize| {
                    let own = if i == j { lines[i].regularizer } else { 0.0 };
                    (product(&lines[i].jacobian, &responses[j]) + own) * scale[i] * scale[j]
                };
                (0..n).map(entry).collect()
            })
            .collect();
        let b: Vec<f64> =
            (0..n).map(|i| (product(&lines[i].jacobian, &self.free) - lines[i].reference) * scale[i]).collect();
        // A row sum bounds the largest eigenvalue.
        let largest = h.iter().map(|row| row.iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, f64::max);
        let (mut x, mut y, mut t) = (vec![0.0; n], vec![0.0; n], 1.0f64);
        for _ in 0..20_000 {
            let mut z: Vec<f64> = (0..n).map(|i| y[i] - (product(&h[i], &y) + b[i]) / largest).collect();
            let mut first = 0;
            for block in &self.blocks {
                let count = block.lines().len();
                block.project(&mut z[first..first + count]);
                first += count;
            }
            let back: f64 = (0..n).map(|i| (y[i] - z[i]) * (z[i] - x[i])).sum();
            let next = if back > 0.0 { 1.0 } else { 0.5 * (1.0 + (1.0 + 4.0 * t * t).sqrt()) };
            let push = if back > 0.0 { 0.0 } else { (t - 1.0) / next };
            y = (0..n).map(|i| z[i] + push * (z[i] - x[i])).collect();
            (x, t) = (z, next);
        }
        let f: Vec<f64> = x.iter().zip(&scale).map(|(x, s)| x * s).collect();
        let response = self.response(&f);
        core::array::from_fn(|i| self.free[i] + response[i])
    }

    /// For the crate, in precision T.
    pub fn build<T: Real>(&self) -> (MassMatrix<T, NV>, SVector<T, NV>, Rows<T, NV, NR, NC>) {
        let mut mass = MassMatrix::filled(T::zero());
        mass.set(&SMatrix::from_fn(|i, j| literal(self.mass[i][j]))).unwrap();
        let mut rows = Rows::with_cones();
        let jacobian = |l: &Line| SVector::<T, NV>::from_fn(|i, _| literal(l.jacobian[i]));
        for block in &self.blocks {
            let mut one = |kind, rule, l: &Line| {
                rows.finished(kind, rule, &jacobian(l), literal(l.reference), literal(l.regularizer)).unwrap();
            };
            match block {
                Block::Equality(l) => one(Kind::Equality, Rule::Free, l),
                Block::Friction(l, loss) => one(Kind::JointFriction, Rule::Interval { loss: literal(*loss) }, l),
                Block::Limit(l) => one(Kind::JointLimit, Rule::NonNegative, l),
                Block::Contact { lines, friction, impratio } => {
                    let jacobians: Vec<_> = lines.iter().map(jacobian).collect();
                    let references: Vec<T> = lines.iter().map(|l| literal(l.reference)).collect();
                    let friction: Vec<T> = friction.iter().map(|x| literal(*x)).collect();
                    let normal = literal(lines[0].regularizer);
                    rows.finished_elliptic(&jacobians, &references, normal, &friction, literal(*impratio)).unwrap();
                }
            }
        }
        (mass, SVector::from_fn(|i, _| literal(self.free[i])), rows)
    }
}
