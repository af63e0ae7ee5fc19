//! What the friction coefficients alone say of an elliptic block: contacts that differ in depth only share it.

use super::FRICTIONS;
use super::elliptic::{ConeError, EllipticCone};
use crate::scalar::{Real, smaller, square_root};

/// Friction coefficients and impratio, checked, and what follows from them (S12-43, S12-47).
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConeShape<T> {
    frictions: usize,
    friction: [T; FRICTIONS],
    impratio: T,
    /// R_j/R_1 = (μ_1/μ_j)²; 1 beyond the block's friction directions.
    ratio: [T; FRICTIONS],
    /// μ~ and its square.
    regularized: T,
    square: T,
}

/// What a regularizer, a friction coefficient and impratio must be.
pub(super) fn good<T: Real>(x: T) -> bool {
    x > T::zero() && x.is_finite()
}

impl<T: Real> ConeShape<T> {
    /// From one to five coefficients μ_j > 0 and impratio > 0.
    pub(crate) fn new(friction: &[T], impratio: T) -> Result<Self, ConeError> {
        let one = T::one();
        let Some(first) = friction.first().copied().filter(|_| friction.len() <= FRICTIONS) else {
            return Err(ConeError::Dimension);
        };
        let mut shape = Self {
            frictions: friction.len(),
            friction: [T::zero(); FRICTIONS],
            impratio,
            ratio: [one; FRICTIONS],
            regularized: one,
            square: one,
        };
        for (index, ((to, share), mu)) in shape.friction.iter_mut().zip(&mut shape.ratio).zip(friction).enumerate() {
            if !good(*mu) {
                return Err(ConeError::Friction(index));
            }
            let ratio = first / *mu;
            (*to, *share) = (*mu, ratio * ratio);
        }
        if !good(impratio) {
            return Err(ConeError::Impratio);
        }
        shape.regularized = first / square_root(impratio);
        if !good(shape.regularized) {
            return Err(ConeError::Range);
        }
        shape.square = shape.regularized * shape.regularized;
        Ok(shape)
    }

    /// The block with normal regularizer R_0, finite and above zero, see [`EllipticCone::new`].
    #[inline]
    pub(crate) fn block(&self, normal: T) -> Result<EllipticCone<T>, ConeError> {
        let (first, zero) = (normal / self.impratio, T::zero());
        let [a, b, c, d, e] = self.ratio.map(|ratio| first * ratio);
        let all_good = (a > zero && b > zero && c > zero && d > zero && e > zero) && (a + b + c + d + e).is_finite();
        let regularizer = [normal, a, b, c, d, e];
        let (regularized, square) = (self.regularized, self.square);
        let bottom = T::one() / (normal * square);
        let middle = bottom / (T::one() + square);
        // Weights that are small enough to lose digits would let a force leave the cone.
        let least = T::max_value().map_or(T::zero(), |largest| T::one() / (T::default_epsilon() * largest));
        let weakest = smaller(bottom, middle) * smaller(regularized, T::one());
        if !(all_good && bottom.is_finite() && weakest > zero && weakest >= least) {
            return Err(ConeError::Range);
        }
        let Self { frictions, friction, .. } = *self;
        Ok(EllipticCone { frictions, friction, regularizer, regularized, bottom, middle })
    }

    /// Physical friction coefficients μ_j, one a friction direction.
    pub(crate) fn friction(&self) -> &[T] {
        self.friction.get(..self.frictions).unwrap_or(&[])
    }

    /// Common regularizer 2 μ~² R_0 of a pyramid's edges, R_0 > 0 being that of the first (S12-44).
    pub(crate) fn edge_regularizer(&self, first: T) -> T {
        let half = self.square * first;
        half + half
    }
}
