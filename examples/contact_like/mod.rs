//! Random problems shaped like contact: 12 one-sided rows on 3 to 12 dofs, most of them redundant, inertias over three decades,
//! impedance 0.9 to 0.9999; with their exact forces.
//!
//! Host only: in f64, with Vec. The exact forces come from an active-set walk on the dual (Lawson and Hanson 1974, chapter 23) by
//! elimination with pivoting, and are refused unless they meet the optimality conditions: nothing shared with the crate.
#![allow(dead_code)] // every program uses its own part

use delassus::mass::MassMatrix;
use delassus::rows::{Kind, Rows, Rule};
use delassus::scalar::{Real, literal};
use nalgebra::{SMatrix, SVector};

/// Rows of every problem.
pub const ROWS: usize = 12;

/// The impedances; as many problems of each.
pub const IMPEDANCES: [f64; 5] = [0.9, 0.95, 0.99, 0.999, 0.9999];

/// M diagonal, J, R, b = J a_u − a_ref, and the forces that minimise ½ fᵀ (A + R) f + bᵀ f over f ≥ 0.
pub struct ContactLike {
    pub impedance: f64,
    pub inverse_mass: Vec<f64>,
    pub jacobian: Vec<Vec<f64>>,
    pub regularizer: Vec<f64>,
    pub offset: Vec<f64>,
    pub force: Vec<f64>,
}

/// Uniform and normal numbers from a seed (SplitMix64; Box and Muller).
struct Noise(u64);

impl Noise {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// In [low, high).
    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 / (1u64 << 53) as f64)
    }

    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.within(0.0, 1.0)).ln()).sqrt();
        radius * self.within(0.0, core::f64::consts::TAU).cos()
    }
}

/// `count` problems of each impedance.
pub fn problems(seed: u64, count: usize) -> Vec<ContactLike> {
    let mut noise = Noise(seed);
    let mut all = Vec::new();
    for impedance in IMPEDANCES {
        for _ in 0..count {
            all.push(draw(&mut noise, impedance));
        }
    }
    all
}

fn draw(noise: &mut Noise, impedance: f64) -> ContactLike {
    let dofs = 3 + (noise.bits() % 10) as usize;
    let jacobian: Vec<Vec<f64>> = (0..ROWS).map(|_| (0..dofs).map(|_| noise.normal()).collect()).collect();
    let inverse_mass: Vec<f64> = (0..dofs).map(|_| 10f64.powf(noise.within(-1.0, 2.0))).collect();
    let motion: Vec<f64> = (0..dofs).map(|_| 10.0 * noise.normal()).collect();
    let offset: Vec<f64> = jacobian.iter().map(|j| product(j, &motion) + 2.0 * noise.normal()).collect();
    let mut problem =
        ContactLike { impedance, inverse_mass, jacobian, regularizer: Vec::new(), offset, force: Vec::new() };
    let coupling = problem.coupling();
    problem.regularizer = (0..ROWS).map(|i| (1.0 - impedance) / impedance * coupling[i][i]).collect();
    problem.force = problem.exact();
    problem
}

impl ContactLike {
    pub fn dofs(&self) -> usize {
        self.inverse_mass.len()
    }

    /// A + R; R as far as it is known.
    fn coupling(&self) -> Vec<Vec<f64>> {
        let mut h: Vec<Vec<f64>> = (self.jacobian.iter())
            .map(|a| {
                let row = |b: &Vec<f64>| a.iter().zip(b).zip(&self.inverse_mass).map(|((a, b), m)| a * b * m).sum();
                self.jacobian.iter().map(row).collect()
            })
            .collect();
        for (i, r) in self.regularizer.iter().enumerate() {
            h[i][i] += r;
        }
        h
    }

    /// The exact forces, by an active-set walk.
    ///
    /// # Panics
    /// When they miss the optimality conditions by more than rounding.
    pub fn exact(&self) -> Vec<f64> {
        let (h, b) = (self.coupling(), &self.offset);
        let largest = b.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        let mut active = [false; ROWS];
        let mut f = vec![0.0; ROWS];
        for _ in 0..50 * ROWS {
            let pull = |f: &[f64], i: usize| -(product(&h[i], f) + b[i]);
            let idle = (0..ROWS).filter(|i| !active[*i]);
            let Some(next) = idle.max_by(|i, j| pull(&f, *i).total_cmp(&pull(&f, *j))) else { break };
            if pull(&f, next) <= 1e-10 * largest {
                break;
            }
            active[next] = true;
            loop {
                let set: Vec<usize> = (0..ROWS).filter(|i| active[*i]).collect();
                let solved = on(&h, b, &set);
                if set.iter().all(|i| solved[*i] > 0.0) {
                    f = solved;
                    break;
                }
                // As far towards the solution as no force changes its sign; what has become zero is let go.
                let blocked = set.iter().filter(|i| solved[**i] <= 0.0);
                let far = blocked.map(|i| f[*i] / (f[*i] - solved[*i])).fold(1.0, f64::min);
                for i in 0..ROWS {
                    f[i] += far * (solved[i] - f[i]);
                    if active[i] && solved[i] <= 0.0 && f[i] <= 1e-14 {
                        (active[i], f[i]) = (false, 0.0);
                    }
                }
            }
        }
        for i in 0..ROWS {
            let w = product(&h[i], &f) + b[i];
            assert!(f[i] >= 0.0 && w >= -1e-8 * largest, "not optimal: {f:?}");
            assert!(f[i] == 0.0 || w.abs() <= 1e-8 * largest, "not optimal: {f:?}");
        }
        f
    }

    /// In precision T, with a_u = 0 and a_ref = −b; NV must be [`Self::dofs`].
    pub fn build<T: Real, const NV: usize>(&self) -> (MassMatrix<T, NV>, SVector<T, NV>, Rows<T, NV, ROWS>) {
        let mut mass = MassMatrix::filled(T::zero());
        let entry = |i: usize, j: usize| if i == j { 1.0 / self.inverse_mass[i] } else { 0.0 };
        mass.set(&SMatrix::from_fn(|i, j| literal(entry(i, j)))).expect("positive inertias");
        let mut rows = Rows::new();
        for ((jacobian, b), r) in self.jacobian.iter().zip(&self.offset).zip(&self.regularizer) {
            let jacobian = SVector::from_fn(|i, _| literal(jacobian[i]));
            let kind = Kind::ContactFrictionless;
            rows.finished(kind, Rule::NonNegative, &jacobian, literal(-b), literal(*r)).expect("finite rows");
        }
        (mass, SVector::repeat(T::zero()), rows)
    }

    /// Largest error of a force beside the largest exact force.
    pub fn error(&self, force: &[f64]) -> f64 {
        let largest = self.force.iter().fold(1e-300, |m: f64, x| m.max(x.abs()));
        force.iter().zip(&self.force).fold(0.0, |m: f64, (f, e)| m.max((f - e).abs())) / largest
    }
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The solution of H f = −b on the rows of `set`, zero elsewhere; once refined.
fn on(h: &[Vec<f64>], b: &[f64], set: &[usize]) -> Vec<f64> {
    let mut f = vec![0.0; b.len()];
    for _ in 0..2 {
        let matrix = set.iter().map(|i| set.iter().map(|j| h[*i][*j]).collect()).collect();
        let right = set.iter().map(|i| -b[*i] - product(&h[*i], &f)).collect();
        for (i, x) in set.iter().zip(eliminate(matrix, right)) {
            f[*i] += x;
        }
    }
    f
}

/// Gaussian elimination with partial pivoting.
fn eliminate(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs())).unwrap_or(k);
        a.swap(k, pivot);
        b.swap(k, pivot);
        let (done, rest) = a.split_at_mut(k + 1);
        for (row, i) in rest.iter_mut().zip(k + 1..) {
            let ratio = row[k] / done[k][k];
            for (x, y) in row.iter_mut().zip(&done[k]) {
                *x -= ratio * y;
            }
            b[i] -= ratio * b[k];
        }
    }
    for k in (0..n).rev() {
        let sum: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - sum) / a[k][k];
    }
    b
}

/// Calls a function that is generic over (T, NV) with the problem's NV.
#[macro_export]
macro_rules! by_dofs {
    ($problem:expr, $f:ident::<$t:ty>($($x:expr),*)) => {
        match $problem.dofs() {
            3 => $f::<$t, 3>($($x),*),
            4 => $f::<$t, 4>($($x),*),
            5 => $f::<$t, 5>($($x),*),
            6 => $f::<$t, 6>($($x),*),
            7 => $f::<$t, 7>($($x),*),
            8 => $f::<$t, 8>($($x),*),
            9 => $f::<$t, 9>($($x),*),
            10 => $f::<$t, 10>($($x),*),
            11 => $f::<$t, 11>($($x),*),
            _ => $f::<$t, 12>($($x),*),
        }
    };
}
