//! Random blocks for the cone, their optimality measures, and a slow independent minimiser.

use delassus::cone::tangent;
use delassus::scalar::Real;

/// A block: minimise ½ u'Hu + c'u over the cone.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) n: usize,
    pub(crate) h: [[f64; 6]; 6],
    pub(crate) c: [f64; 6],
    pub(crate) mu: [f64; 5],
}

pub(crate) fn single(x: f64) -> f32 {
    x as f32
}

impl Problem {
    /// H with the given powers of ten as eigenvalues, turned by four reflections; c with a normal part of size 10^bias.
    pub(crate) fn new(
        n: usize,
        eigen: [f64; 6],
        turns: [[f64; 6]; 4],
        mut c: [f64; 6],
        bias: f64,
        mu: [f64; 5],
    ) -> Self {
        let mut h = [[0.0; 6]; 6];
        for i in 0..n {
            h[i][i] = 10f64.powf(eigen[i]);
        }
        for v in turns {
            let square: f64 = v[..n].iter().map(|x| x * x).sum();
            if square > 1e-6 {
                for _ in 0..2 {
                    // H (I - 2vv'/v'v), then transposed: both sides after two passes.
                    let hv: [f64; 6] =
                        core::array::from_fn(|i| (0..n).map(|j| h[i][j] * v[j]).sum::<f64>() * 2.0 / square);
                    let old = h;
                    for i in 0..n {
                        for j in 0..n {
                            h[j][i] = old[i][j] - hv[i] * v[j];
                        }
                    }
                }
            }
        }
        for i in 0..n {
            for j in 0..i {
                h[j][i] = h[i][j];
            }
        }
        c[0] *= 10f64.powf(bias);
        for x in &mut c[n..] {
            *x = 0.0;
        }
        Self { n, h, c, mu }
    }

    /// The same with every number rounded to single precision.
    pub(crate) fn rounded(&self) -> Self {
        let r = |x: f64| f64::from(single(x));
        Self { n: self.n, h: self.h.map(|h| h.map(r)), c: self.c.map(r), mu: self.mu.map(r) }
    }

    pub(crate) fn gradient(&self, u: &[f64; 6]) -> [f64; 6] {
        core::array::from_fn(|i| self.c[i] + (0..self.n).map(|j| self.h[i][j] * u[j]).sum::<f64>())
    }

    pub(crate) fn objective(&self, u: &[f64; 6]) -> f64 {
        (0..self.n).map(|i| u[i] * (self.c[i] + 0.5 * (0..self.n).map(|j| self.h[i][j] * u[j]).sum::<f64>())).sum()
    }

    /// Sum of the magnitudes of the terms of the objective.
    pub(crate) fn size(&self, u: &[f64; 6]) -> f64 {
        (0..self.n)
            .map(|i| u[i].abs() * (self.c[i].abs() + (0..self.n).map(|j| (self.h[i][j] * u[j]).abs()).sum::<f64>()))
            .sum()
    }

    /// norm(u_j/μ_j)/u_0; 0 at the apex, infinite outside of everything.
    pub(crate) fn reach(&self, u: &[f64; 6]) -> f64 {
        if (0..self.n).all(|i| u[i] == 0.0) {
            return 0.0;
        }
        if !(u[0] > 0.0) {
            return f64::INFINITY;
        }
        (1..self.n).map(|j| (u[j] / self.mu[j - 1] / u[0]).powi(2)).sum::<f64>().sqrt()
    }

    pub(crate) fn feasible(&self, u: &[f64; 6], ulp: f64) -> bool {
        self.reach(u) <= 1.0 + ulp
    }

    /// Worst violation of: w = Hu + c in the dual cone norm(μ_j w_j) ≤ w_0, u'w = 0; relative to the terms of w.
    pub(crate) fn optimality(&self, u: &[f64; 6]) -> f64 {
        let w = self.gradient(u);
        let scale = |i: usize| if i == 0 { 1.0 } else { self.mu[i - 1] };
        let size =
            |i: usize| scale(i) * (self.c[i].abs() + (0..self.n).map(|j| (self.h[i][j] * u[j]).abs()).sum::<f64>());
        let largest = (0..self.n).map(size).fold(0.0, f64::max);
        let tangent = (1..self.n).map(|i| (scale(i) * w[i]).powi(2)).sum::<f64>().sqrt();
        let dual = (tangent - w[0]).max(0.0);
        let length = (0..self.n).map(|i| (u[i] / scale(i)).powi(2)).sum::<f64>().sqrt();
        let work = (0..self.n).map(|i| u[i] * w[i]).sum::<f64>().abs();
        let slack = if length > 0.0 { work / length } else { 0.0 };
        if largest > 0.0 { dual.max(slack) / largest } else { 0.0 }
    }

    /// The tangential problem of this block's friction part at normal force `s`, in precision T.
    pub(crate) fn tangential<T: Real>(&self, s: f64, to: impl Fn(f64) -> T, back: impl Fn(T) -> f64) -> [f64; 5] {
        fn sized<T: Real, const M: usize>(
            p: &Problem,
            s: f64,
            to: impl Fn(f64) -> T,
            back: impl Fn(T) -> f64,
        ) -> [f64; 5] {
            let a = core::array::from_fn(|i| core::array::from_fn(|j| to(p.h[i + 1][j + 1])));
            let b = core::array::from_fn(|i| to(p.c[i + 1]));
            let v: [T; M] = tangent::minimize(&a, &b, &core::array::from_fn(|i| to(p.mu[i])), to(s));
            core::array::from_fn(|i| v.get(i).map_or(0.0, |x| back(*x)))
        }
        match self.n {
            2 => sized::<T, 1>(self, s, to, back),
            3 => sized::<T, 2>(self, s, to, back),
            4 => sized::<T, 3>(self, s, to, back),
            _ => sized::<T, 5>(self, s, to, back),
        }
    }

    /// Worst violation of: Av + b = −λ v/μ² with λ ≥ 0, λ > 0 only on the surface; feasibility; relative to the terms.
    pub(crate) fn tangential_optimality(&self, v: &[f64; 5], s: f64) -> f64 {
        let m = self.n - 1;
        let x: Vec<f64> = (0..m).map(|i| v[i] / self.mu[i] / s).collect();
        let length = x.iter().map(|x| x * x).sum::<f64>().sqrt();
        let term = |i: usize, j: usize| self.h[i + 1][j + 1] * v[j];
        let w: Vec<f64> =
            (0..m).map(|i| self.mu[i] * (self.c[i + 1] + (0..m).map(|j| term(i, j)).sum::<f64>())).collect();
        let largest = (0..m)
            .map(|i| self.mu[i] * (self.c[i + 1].abs() + (0..m).map(|j| term(i, j).abs()).sum::<f64>()))
            .fold(0.0, f64::max);
        // On the surface the gradient points straight in; its size is the multiplier.
        let multiplier = -(0..m).map(|i| w[i] * x[i]).sum::<f64>();
        let multiplier = if length > 1.0 - 1e-5 { multiplier.max(0.0) } else { 0.0 };
        let rest = (0..m).map(|i| (w[i] + multiplier * x[i]).powi(2)).sum::<f64>().sqrt();
        let outside = if length > 1.0 + 1.2e-7 { 1.0 } else { 0.0 };
        if largest > 0.0 { rest / largest + outside } else { outside }
    }
}

/// Minimiser by accelerated projected gradients with restart in the scaled space: nothing shared with the crate.
pub(crate) fn project(p: &Problem) -> [f64; 6] {
    let n = p.n;
    let scale: [f64; 6] = core::array::from_fn(|i| if i == 0 { 1.0 } else { p.mu[i - 1] });
    let trace: f64 = (0..n).map(|i| scale[i] * scale[i] * p.h[i][i]).sum();
    let unscaled = |x: &[f64; 6]| core::array::from_fn(|i| scale[i] * x[i]);
    let (mut x, mut y, mut t) = ([0.0; 6], [0.0; 6], 1.0f64);
    for _ in 0..5_000 {
        let w = p.gradient(&unscaled(&y));
        let mut z: [f64; 6] = core::array::from_fn(|i| if i < n { y[i] - scale[i] * w[i] / trace } else { 0.0 });
        let length = z[1..].iter().map(|x| x * x).sum::<f64>().sqrt();
        if length > z[0] {
            let top = ((length + z[0]) / 2.0).max(0.0);
            let shrink = if length > 0.0 { top / length } else { 0.0 };
            for x in &mut z[1..] {
                *x *= shrink;
            }
            z[0] = top;
        }
        let back: f64 = (0..n).map(|i| (y[i] - z[i]) * (z[i] - x[i])).sum();
        let next = if back > 0.0 { 1.0 } else { (1.0 + (1.0 + 4.0 * t * t).sqrt()) / 2.0 };
        let push = if back > 0.0 { 0.0 } else { (t - 1.0) / next };
        y = core::array::from_fn(|i| z[i] + push * (z[i] - x[i]));
        (x, t) = (z, next);
    }
    unscaled(&x)
}
