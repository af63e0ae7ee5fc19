//! How well a mass matrix is conditioned.

use serde::Serialize;

/// What is lost with a mass matrix M.
#[derive(Clone, Serialize)]
pub struct Conditioning {
    /// Largest over smallest eigenvalue of M.
    pub condition: f64,
    /// The same of D M D with D = diag(M)^-½, which does not depend on units.
    pub scaled_condition: f64,
    /// Smallest pivot of M = Lᵀ D L over the diagonal entry that it is left of: what cancels in the factor.
    pub pivot_ratio: f64,
    /// The degree of freedom of that pivot.
    pub pivot_dof: usize,
}

impl Conditioning {
    /// `None` without degrees of freedom.
    pub fn of(mass: &[Vec<f64>]) -> Option<Self> {
        let scaled: Vec<Vec<f64>> = (mass.iter().enumerate())
            .map(|(i, row)| row.iter().enumerate().map(|(j, m)| m / (mass[i][i] * mass[j][j]).sqrt()).collect())
            .collect();
        let (pivot_ratio, pivot_dof) = smallest_pivot(mass)?;
        Some(Self { condition: condition(mass), scaled_condition: condition(&scaled), pivot_ratio, pivot_dof })
    }
}

/// From the last degree of freedom to the first, as the kernel factors.
fn smallest_pivot(mass: &[Vec<f64>]) -> Option<(f64, usize)> {
    let mut m = mass.to_vec();
    let mut smallest: Option<(f64, usize)> = None;
    for k in (0..m.len()).rev() {
        let ratio = m[k][k] / mass[k][k];
        if smallest.is_none_or(|(other, _)| ratio < other) {
            smallest = Some((ratio, k));
        }
        for i in 0..k {
            let factor = m[k][i] / m[k][k];
            for j in 0..=i {
                m[i][j] -= factor * m[k][j];
            }
        }
    }
    smallest
}

/// Largest over smallest eigenvalue; infinite where rounding has made the smallest negative.
fn condition(matrix: &[Vec<f64>]) -> f64 {
    let values = eigenvalues(matrix);
    let (low, high) = values.iter().fold((f64::INFINITY, 0.0f64), |(a, b), x| (a.min(*x), b.max(*x)));
    if low > 0.0 { high / low } else { f64::INFINITY }
}

/// Of a symmetric matrix, by cyclic Jacobi rotations.
fn eigenvalues(matrix: &[Vec<f64>]) -> Vec<f64> {
    let n = matrix.len();
    let mut a = matrix.to_vec();
    for _ in 0..30 {
        for p in 0..n {
            for q in p + 1..n {
                if a[p][q].abs() <= f64::EPSILON * 1e-3 * (a[p][p] * a[q][q]).abs().sqrt() {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
                let c = 1.0 / t.hypot(1.0);
                let s = t * c;
                for row in &mut a {
                    let (x, y) = (row[p], row[q]);
                    (row[p], row[q]) = (c * x - s * y, s * x + c * y);
                }
                for k in 0..n {
                    let (x, y) = (a[p][k], a[q][k]);
                    (a[p][k], a[q][k]) = (c * x - s * y, s * x + c * y);
                }
            }
        }
    }
    (0..n).map(|k| a[k][k]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [[2, 1], [1, 2]] has the eigenvalues 1 and 3, and leaves a pivot of 3/2.
    #[test]
    fn two_by_two() {
        let found = Conditioning::of(&[vec![2.0, 1.0], vec![1.0, 2.0]]).unwrap();
        assert!((found.condition - 3.0).abs() < 1e-14 && (found.scaled_condition - 3.0).abs() < 1e-14);
        assert!((found.pivot_ratio - 0.75).abs() < 1e-15 && found.pivot_dof == 0);
        assert!(Conditioning::of(&[]).is_none());
    }

    /// tridiag(−1, 2, −1) has the eigenvalues 2 − 2 cos(k π/(n + 1)) and the pivots (j + 1)/j.
    #[test]
    fn chain() {
        let n = 12;
        let entry = |i: usize, j: usize| [2.0, -1.0, 0.0][i.abs_diff(j).min(2)];
        let matrix: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
        let value = |k: usize| 2.0 - 2.0 * (std::f64::consts::PI * k as f64 / (n + 1) as f64).cos();
        let found = Conditioning::of(&matrix).unwrap();
        assert!((found.condition / (value(n) / value(1)) - 1.0).abs() < 1e-12);
        assert!((found.pivot_ratio - 13.0 / 24.0).abs() < 1e-14);
    }

    /// Another unit for one degree of freedom is no worse a matrix.
    #[test]
    fn units_do_not_count_in_the_scaled_one() {
        let found = Conditioning::of(&[vec![2.0, 1e-4], vec![1e-4, 2e-8]]).unwrap();
        assert!(found.condition > 1e7 && (found.scaled_condition - 3.0).abs() < 1e-6);
    }
}
