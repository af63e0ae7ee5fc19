//! Pyramidal friction: edge rows instead of a cone (S11-20 … S11-22, S12-44, S12-47).
//!
//! A contact of dimension d > 1 has 2(d − 1) edge rows J_n ± μ_j J_j in +,− pairs, one pair a friction direction, each with a
//! force β ≥ 0 of its own. All edges of one contact share one regularizer. Dimension 1 is one frictionless row in both cones.

use crate::scalar::{Real, square_root};

/// Rows of an elliptic contact: its dimension, when that is 1, 3, 4 or 6 (S11-20).
pub fn elliptic_row_count(dimension: usize) -> Option<usize> {
    matches!(dimension, 1 | 3 | 4 | 6).then_some(dimension)
}

/// Rows of a pyramidal contact of dimension 1, 3, 4 or 6: 1, 4, 6 or 10 (S11-20).
pub fn edge_row_count(dimension: usize) -> Option<usize> {
    match dimension {
        1 => Some(1),
        3 | 4 | 6 => Some(2 * (dimension - 1)),
        _ => None,
    }
}

/// The two edge rows (J_n + μ J_t, J_n − μ J_t) of one friction direction (S11-21).
///
/// Works for Jacobian rows, and for anything linear in them such as row velocities.
pub fn edge_pair<T: Real, const NV: usize>(
    normal: &[T; NV],
    tangent: &[T; NV],
    friction: T,
    plus: &mut [T; NV],
    minus: &mut [T; NV],
) {
    for (((n, t), p), m) in normal.iter().zip(tangent).zip(plus).zip(minus) {
        let step = friction * *t;
        *p = *n + step;
        *m = *n - step;
    }
}

/// Edge rows of a whole contact, from its contact rows (normal first, then one a friction direction), S11-21.
///
/// Returns the number of rows written: 1 for a contact without friction rows, else two a friction direction. `None`, and
/// nothing written, when `contact` is empty, `friction` has fewer numbers than there are friction rows, or `edges` is short.
pub fn edge_rows<T: Real, const NV: usize>(
    contact: &[[T; NV]],
    friction: &[T],
    edges: &mut [[T; NV]],
) -> Option<usize> {
    let (normal, tangents) = contact.split_first()?;
    if tangents.is_empty() {
        *edges.first_mut()? = *normal;
        return Some(1);
    }
    let count = 2 * tangents.len();
    if friction.len() < tangents.len() || edges.len() < count {
        return None;
    }
    for ((tangent, mu), pair) in tangents.iter().zip(friction).zip(edges.chunks_exact_mut(2)) {
        if let [plus, minus] = pair {
            edge_pair(normal, tangent, *mu, plus, minus);
        }
    }
    Some(count)
}

/// What the edges of one pyramidal contact share.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct EdgeRegularizer<T> {
    /// R of every edge row, unit of R_0: acceleration of the row over its force.
    pub regularizer: T,
    /// Regularised friction μ~ = μ_1/√impratio (S12-47).
    pub friction: T,
}

/// Common regularizer 2 μ~² R_0 of all edges (S12-44), from the base value R_0 > 0 of the *first* edge, the first sliding
/// coefficient μ_1 > 0 and impratio > 0.
pub fn edge_regularizer<T: Real>(first: T, sliding: T, impratio: T) -> EdgeRegularizer<T> {
    let friction = sliding / square_root(impratio);
    let half = friction * friction * first;
    EdgeRegularizer { regularizer: half + half, friction }
}

/// Contact force from edge forces (S11-22): f_n = Σ (β_j₊ + β_j₋), f_j = μ_j (β_j₊ − β_j₋).
///
/// `edges` in +,− pairs, one number a dimension written to `force`, at most what `force` holds. A single edge is a
/// frictionless contact, whose force is that edge's.
pub fn recombine<T: Real>(edges: &[T], friction: &[T], force: &mut [T]) {
    let Some((normal, tangents)) = force.split_first_mut() else { return };
    *normal = T::zero();
    if let [only] = edges {
        *normal = *only;
    }
    let mut pairs = edges.chunks_exact(2).zip(friction);
    for tangent in tangents {
        *tangent = T::zero();
        if let Some(([plus, minus], mu)) = pairs.next().and_then(|(pair, mu)| Some((pair.first_chunk::<2>()?, mu))) {
            *normal += *plus + *minus;
            *tangent = *mu * (*plus - *minus);
        }
    }
}
