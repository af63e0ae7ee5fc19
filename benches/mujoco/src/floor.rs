//! What nobody can avoid: bare dense loops without a check, a zero that is skipped, or a branch in the inner loop.

use delassus::rows::Row;

use crate::ours::Number;

/// M = Wᵀ D⁻¹ W with the rows of W = D Lᵀ, and memory for what is solved with it.
pub struct Floor<T, const NV: usize> {
    w: [[T; NV]; NV],
    inverse: [T; NV],
    x: [T; NV],
    /// One a row: L⁻¹ J_iᵀ.
    half: Vec<[T; NV]>,
    delassus: Vec<T>,
}

impl<T: Number, const NV: usize> Floor<T, NV> {
    pub fn new(zero: T) -> Self {
        Self {
            w: [[zero; NV]; NV],
            inverse: [zero; NV],
            x: [zero; NV],
            half: Vec::with_capacity(64),
            delassus: Vec::with_capacity(64 * 64),
        }
    }

    /// Left-looking, with whole rows in the inner loop: it vectorises and its length is constant.
    fn factor(&mut self, entries: &[[T; NV]; NV]) {
        for k in 0..NV {
            let mut row = entries[k];
            for p in 0..k {
                let factor = self.w[p][k] * self.inverse[p];
                for j in 0..NV {
                    row[j] -= factor * self.w[p][j];
                }
            }
            self.w[k] = row;
            self.inverse[k] = T::one() / row[k];
        }
    }

    fn half_solve(w: &[[T; NV]; NV], inverse: &[T; NV], x: &mut [T; NV]) {
        for i in 0..NV {
            let factor = x[i] * inverse[i];
            for j in i + 1..NV {
                x[j] -= factor * w[i][j];
            }
        }
    }

    pub fn factor_and_solve(&mut self, entries: &[[T; NV]; NV]) {
        self.factor(entries);
        self.x = entries[0];
        Self::half_solve(&self.w, &self.inverse, &mut self.x);
        for i in (0..NV).rev() {
            let mut sum = self.x[i];
            for j in i + 1..NV {
                sum -= self.w[i][j] * self.x[j];
            }
            self.x[i] = sum * self.inverse[i];
        }
    }

    /// The factor must stand.
    pub fn delassus(&mut self, rows: &[Row<T, NV>]) {
        self.half.clear();
        self.delassus.clear();
        for row in rows {
            let mut x = *row.jacobian();
            Self::half_solve(&self.w, &self.inverse, &mut x);
            self.half.push(x);
        }
        for a in &self.half {
            let mut scaled = *a;
            for (x, inverse) in scaled.iter_mut().zip(&self.inverse) {
                *x *= *inverse;
            }
            for b in &self.half {
                let mut sums = [T::zero(); 4];
                for (x, y) in scaled.chunks(4).zip(b.chunks(4)) {
                    for ((sum, x), y) in sums.iter_mut().zip(x).zip(y) {
                        *sum += *x * *y;
                    }
                }
                self.delassus.push((sums[0] + sums[1]) + (sums[2] + sums[3]));
            }
        }
    }
}
