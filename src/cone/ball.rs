//! Quadratic over the unit ball: minimise ½ s w'Aw + q'w over norm(w) ≤ 1, for A positive semidefinite.
//!
//! Either the free minimiser is inside, or the multiplier m > 0 of the ball satisfies norm(w(m)) = 1 with
//! (s A + m I) w(m) = −q. 1/norm(w(m)) is concave and increasing in m, nearly a straight line: Newton on it from the left of
//! the root never passes it and ends in a few steps. A bracket stands behind it against rounding.
//!
//! With m = λ s this is the tangential problem of X-12 for radius s and v = s w; unlike λ, m stays bounded as s → 0.

use super::factor::Factor;
use crate::scalar::{Real, clamp, dot, larger, literal, square_root};

/// Bound on the factorizations of one solve; 1 to 4 are usual.
const STEPS: usize = 24;

/// The minimiser and what its derivatives need.
#[derive(Clone, Copy)]
pub(super) struct Ball<T, const M: usize> {
    /// Minimiser w, norm exactly 1 up to rounding where `multiplier > 0`, else at most 1.
    pub(super) w: [T; M],
    /// Multiplier m ≥ 0 of norm(w) ≤ 1; 0 inside.
    pub(super) multiplier: T,
    /// Factor of (s A + m I)/`unit`.
    pub(super) factor: Option<Factor<T, M>>,
    /// What the problem was divided by, so that nothing overflows.
    pub(super) unit: T,
}

/// Largest diagonal element, the size of a positive semidefinite matrix.
#[inline]
pub(super) fn largest_diagonal<T: Real, const M: usize>(a: &[[T; M]; M]) -> T {
    let mut size = T::zero();
    for i in 0..M {
        size = larger(a[i][i], size);
    }
    size
}

/// Largest magnitude of a list; 0 when empty.
#[inline]
pub(super) fn largest_magnitude<T: Real>(a: &[T]) -> T {
    let mut size = T::zero();
    for x in a {
        size = larger(x.abs(), size);
    }
    size
}

/// Norm of a list whose squares may overflow or vanish; 0 when empty, not finite when an element is not.
#[inline(never)] // rare, and not to be in the way of what is not
pub(super) fn safe_norm<T: Real>(a: &[T]) -> T {
    let size = largest_magnitude(a);
    if !(size > T::zero()) || !size.is_finite() {
        return a.iter().fold(size, |sum, x| sum + x.abs());
    }
    let mut square = T::zero();
    for x in a {
        let ratio = *x / size;
        square += ratio * ratio;
    }
    size * square_root(square)
}

/// Norm of a list, by way of [`safe_norm`] where its square nears the ends of the precision.
#[inline]
fn length<T: Real>(a: &[T]) -> T {
    let square = dot(a, a);
    if square >= literal(1e-30) && square.is_finite() { square_root(square) } else { safe_norm(a) }
}

/// w, shortened by 3 ε where it ends on the surface, so that rounding leaves it inside; and by all that it is too long where the
/// precision did not allow to solve for the surface.
#[inline]
pub(super) fn drawn_inward<T: Real, const M: usize>(w: &[T; M]) -> [T; M] {
    let (square, inward) = (dot(w, w), inward::<T>());
    if square <= inward * inward {
        *w
    } else if square <= T::one() + literal::<T>(16.0) * T::default_epsilon() {
        w.map(|x| x * inward)
    } else {
        let shrink = inward / safe_norm(w);
        w.map(|x| x * shrink)
    }
}

/// Factor a boundary point is shrunk by, so that rounding leaves it inside the cone: 1 − 3 ε.
#[inline]
pub(super) fn inward<T: Real>() -> T {
    T::one() - literal::<T>(3.0) * T::default_epsilon()
}

/// Minimises ½ `scale` w'Aw + q'w over norm(w) ≤ 1; `guess` is a starting multiplier, 0 when nothing is known.
#[inline]
pub(super) fn minimize<T: Real, const M: usize>(scale: T, a: &[[T; M]; M], q: &[T; M], guess: T) -> Ball<T, M> {
    let (one, half, epsilon) = (T::one(), literal::<T>(0.5), T::default_epsilon());
    let size = scale * largest_diagonal(a);
    let unit = larger(size, largest_magnitude(q));
    let mut best = Ball { w: [T::zero(); M], multiplier: T::zero(), factor: None, unit };
    if !(unit > T::zero()) {
        return best;
    }
    let per = one / unit;
    let (scale, q) = (scale * per, q.map(|x| x * per));
    // norm(q) bounds the multiplier above since A ≥ 0, and below through the trace, which bounds the largest eigenvalue.
    let mut trace = T::zero();
    for i in 0..M {
        trace += scale * a[i][i];
    }
    let (mut low, mut high) = (T::zero(), length(&q));
    let floor = larger(high - trace, T::zero());
    let mut m = clamp(guess * per, floor, high);
    // The last Newton step moves w with m; what it leaves is the square of that motion.
    let tight = literal::<T>(0.1) * epsilon;
    // Below this shift a singular A counts as solved inside: the error it makes is rounding of A itself.
    let negligible = literal::<T>(4.0) * epsilon * trace;
    let (mut zero_tried, mut zero_failed) = (false, false);
    let (mut last_long, mut last_short) = (None, None);
    for _ in 0..STEPS {
        zero_tried |= m == T::zero();
        let Some(factor) = Factor::shifted(scale, a, m) else {
            zero_failed |= m == T::zero();
            low = larger(m, low);
            let up = larger(negligible, literal::<T>(8.0) * m);
            m = if up < high { up } else { high };
            if !(m > low) {
                break;
            }
            continue;
        };
        let w = factor.solve(&q.map(|x| -x));
        let square = dot(&w, &w);
        let length = square_root(square);
        let inside = length <= one && (m == T::zero() || (zero_failed && m <= negligible));
        best = Ball { w, multiplier: if inside { T::zero() } else { m * unit }, factor: Some(factor), unit };
        if inside {
            break;
        }
        let away = factor.solve(&w);
        let miss = length - one;
        let step = miss * (square / dot(&w, &away));
        let motion = step * step * dot(&away, &away);
        // norm(w) falls as m grows. Where it seems not to, rounding hides the root and nothing better is to be had.
        let last = if miss > T::zero() { &mut last_long } else { &mut last_short };
        let lost = last.is_some_and(|last| !(miss.abs() < last));
        if motion <= tight || lost {
            if motion <= literal(0.01) {
                best.multiplier = larger(m + step, T::zero()) * unit;
                best.w = core::array::from_fn(|j| w[j] - step * away[j]);
            }
            if !(best.multiplier > T::zero()) {
                best.w = unit_length(&best.w);
            }
            break;
        }
        *last = Some(miss.abs());
        if miss > T::zero() {
            low = m;
        } else {
            high = m;
        }
        let mut next = m + step;
        if !(next > low) {
            // From the right Newton may jump past zero, which decides whether the minimiser is inside.
            next = if zero_tried || floor > T::zero() { half * (low + high) } else { T::zero() };
        } else if !(next < high) {
            next = half * (low + high);
        }
        if next == m {
            break;
        }
        m = next;
    }
    if best.multiplier > T::zero() {
        best.w = unit_length(&best.w);
    }
    best
}

/// w/norm(w); w where that is zero.
#[inline]
fn unit_length<T: Real, const M: usize>(w: &[T; M]) -> [T; M] {
    let length = length(w);
    if !(length > T::zero()) {
        return *w;
    }
    let per = T::one() / length;
    w.map(|x| x * per)
}
