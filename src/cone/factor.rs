//! L D Lᵀ of scale · A + shift · I for a small symmetric A, without square roots.

use crate::scalar::{Real, literal};

/// Unit lower triangle L and the reciprocal pivots 1/D.
#[derive(Clone, Copy)]
pub(super) struct Factor<T, const M: usize> {
    lower: [[T; M]; M],
    inverse: [T; M],
}

impl<T: Real, const M: usize> Factor<T, M> {
    /// Factor of `scale * a + shift * I`; reads the lower triangle only.
    ///
    /// `None` when a pivot is not above rounding of its own diagonal element: to this precision the matrix is not positive
    /// definite. The measure is relative to each diagonal element, so badly scaled rows do not count as singular.
    #[inline]
    pub(super) fn shifted(scale: T, a: &[[T; M]; M], shift: T) -> Option<Self> {
        let negligible = literal::<T>(2.0) * T::default_epsilon();
        let mut lower = [[T::zero(); M]; M];
        let mut inverse = [T::zero(); M];
        let mut weighted = [T::zero(); M];
        for i in 0..M {
            let diagonal = scale * a[i][i] + shift;
            let mut pivot = diagonal;
            for j in 0..i {
                let mut sum = scale * a[i][j];
                for k in 0..j {
                    sum -= weighted[k] * lower[j][k];
                }
                weighted[j] = sum;
                lower[i][j] = sum * inverse[j];
                pivot -= sum * lower[i][j];
            }
            if !(pivot > negligible * diagonal) {
                return None;
            }
            inverse[i] = T::one() / pivot;
        }
        Some(Self { lower, inverse })
    }

    /// The solution of (scale · A + shift · I) x = b.
    #[inline]
    pub(super) fn solve(&self, b: &[T; M]) -> [T; M] {
        let mut x = *b;
        for i in 0..M {
            for k in 0..i {
                x[i] -= self.lower[i][k] * x[k];
            }
        }
        for i in 0..M {
            x[i] *= self.inverse[i];
        }
        for i in (0..M).rev() {
            for k in i + 1..M {
                x[i] -= self.lower[k][i] * x[k];
            }
        }
        x
    }
}
