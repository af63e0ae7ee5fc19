//! Exact step of one elliptic block (S15-20, X-13): a quadratic over the friction cone.
//!
//! minimise ½ u'Hu + c'u subject to u_0 ≥ 0, Σ (u_j/μ_j)² ≤ u_0², H symmetric positive definite.
//!
//! Three cases, with u_j = μ_j x_j so that the cone is norm(x_t) ≤ x_0, and H = [[η, h'], [h, A]], c = (γ, b) scaled alike:
//! 1. γ ≥ norm(b): the gradient at the apex lies in the dual cone, so the apex is the minimiser, and only then.
//! 2. The free minimiser −H⁻¹c is inside: it is the minimiser.
//! 3. Else the minimiser is on the boundary. Minimise over the tangent first, with the normal s = x_0 held:
//!    V(s) = ½ η s² + γ s + min over norm(w) ≤ 1 of (½ s² w'Aw + s (b + s h)'w).
//!    V is convex and once differentiable, V'(s) = η s + γ + s h'w − m with m the multiplier of norm(w) ≤ 1, and
//!    V'(0) = γ − norm(b) < 0. Newton on V' with a bracket, from `first`, where the exact step along
//!    the ray (1, −b/norm(b)) ends. No eigenvalues, no pole, and the same text for every size.

use super::ball::{self, Ball, drawn_inward, largest_diagonal, largest_magnitude};
use super::factor::Factor;
use super::{DIMENSION, FRICTIONS};
use crate::scalar::{Real, all_finite, dot, larger, literal, norm};

/// Bound on the evaluations of V' in one step; 3 to 5 are usual, 23 the most seen (condition 1e8, friction 1e-5).
const STEPS: usize = 32;

/// Minimiser of ½ u'Hu + c'u over the cone, for a block of `dimension` 1, 2, 3, 4 or 6 at run time.
///
/// Only the leading `dimension` rows, columns and numbers are read (of `h` the lower triangle), and `dimension − 1` friction
/// coefficients, all positive. What lies beyond is zero in the result, as is everything for another dimension.
/// Dimension 1 is a frictionless contact: max(0, −c_0/H_00). See [`minimize`] for the promise.
pub fn minimize_sized<T: Real>(
    dimension: usize,
    h: &[[T; DIMENSION]; DIMENSION],
    c: &[T; DIMENSION],
    friction: &[T; FRICTIONS],
) -> [T; DIMENSION] {
    match dimension {
        1 => {
            let u = larger(-c[0] / h[0][0], T::zero());
            [if u.is_finite() { u } else { T::zero() }, T::zero(), T::zero(), T::zero(), T::zero(), T::zero()]
        }
        2 => {
            let [u0, u1] = minimize_plane(&[[h[0][0], h[1][0]], [h[1][0], h[1][1]]], &[c[0], c[1]], friction[0]);
            [u0, u1, T::zero(), T::zero(), T::zero(), T::zero()]
        }
        3 => split::<T, 2>(h, c, friction),
        4 => split::<T, 3>(h, c, friction),
        6 => split::<T, 5>(h, c, friction),
        _ => [T::zero(); DIMENSION],
    }
}

/// Cuts the leading block into its parts, solves, and puts the parts together again.
fn split<T: Real, const M: usize>(
    h: &[[T; DIMENSION]; DIMENSION],
    c: &[T; DIMENSION],
    friction: &[T; FRICTIONS],
) -> [T; DIMENSION] {
    let (mut coupling, mut tangent) = ([T::zero(); M], [[T::zero(); M]; M]);
    let (mut linear, mut mu) = ([T::zero(); M], [T::zero(); M]);
    for (i, row) in h.iter().skip(1).take(M).enumerate() {
        coupling[i] = row[0];
        for (x, y) in tangent[i].iter_mut().zip(row.iter().skip(1)) {
            *x = *y;
        }
    }
    for i in 0..M {
        for j in i + 1..M {
            tangent[i][j] = tangent[j][i];
        }
    }
    for (x, y) in linear.iter_mut().zip(c.iter().skip(1)) {
        *x = *y;
    }
    for (x, y) in mu.iter_mut().zip(friction) {
        *x = *y;
    }
    let (normal, friction) = minimize(h[0][0], &coupling, &tangent, c[0], &linear, &mu);
    let mut u = [normal, T::zero(), T::zero(), T::zero(), T::zero(), T::zero()];
    for (x, y) in u.iter_mut().skip(1).zip(&friction) {
        *x = *y;
    }
    u
}

/// Minimiser (u_0, u_t) of ½ u'Hu + c'u over the cone u_0 ≥ 0, Σ (u_j/μ_j)² ≤ u_0², for M = 1, 2, 3 or 5
/// friction directions.
///
/// H = [[`normal`, `coupling`'], [`coupling`, `tangent`]] is symmetric positive definite, c = (`linear_normal`,
/// `linear_tangent`), `friction` positive. The result is finite and inside the cone up to an ulp, always. It is the apex
/// exactly when c_0 ≥ norm(μ_j c_j), and also where the input is not finite or the minimiser not representable.
///
/// Accuracy: the conditions of the minimum hold to rounding of the terms they are made of, for every condition of H below
/// 1/ε: 1e-15 in double precision at 1e8, 1e-6 in single precision at 1e4 (rarely 1e-5, where friction
/// coefficients of very different size make H worse). Beyond it the result is still allowed, but may not
/// be the best.
#[inline]
pub fn minimize<T: Real, const M: usize>(
    normal: T,
    coupling: &[T; M],
    tangent: &[[T; M]; M],
    linear_normal: T,
    linear_tangent: &[T; M],
    friction: &[T; M],
) -> (T, [T; M]) {
    let apex = (T::zero(), [T::zero(); M]);
    let h: [T; M] = core::array::from_fn(|j| friction[j] * coupling[j]);
    let a: [[T; M]; M] = core::array::from_fn(|i| core::array::from_fn(|j| friction[i] * tangent[i][j] * friction[j]));
    let b: [T; M] = core::array::from_fn(|j| friction[j] * linear_tangent[j]);
    // Divide matrix and vector by their sizes: squares of what follows neither overflow nor vanish.
    let size = larger(largest_diagonal(&a), normal);
    let force = larger(largest_magnitude(&b), linear_normal.abs());
    if !(size > T::zero() && force > T::zero()) {
        return apex;
    }
    let (per_size, per_force) = (T::one() / size, T::one() / force);
    let (eta, gamma) = (normal * per_size, linear_normal * per_force);
    let (h, b) = (h.map(|x| x * per_size), b.map(|x| x * per_force));
    let a = a.map(|row| row.map(|x| x * per_size));
    let push = norm(&b);
    if !(gamma < push) {
        return apex;
    }
    // The ray step, which is the Newton step from s = 0; it lowers the objective by ½ first (push - gamma).
    let ray = if push > T::zero() { b.map(|x| -(x / push)) } else { [T::zero(); M] };
    let curvature = ray_curvature(eta, &h, &a, &ray);
    if !curvature.is_finite() {
        return apex;
    }
    let first = (push - gamma) / larger(curvature, T::default_epsilon() * eta);
    let half = literal::<T>(0.5);
    let (s, w) = match free(eta, &h, &a, gamma, &b) {
        Some(inside) => inside,
        None => boundary(eta, &h, &a, gamma, &b, push, first),
    };
    // Where H is not positive definite to this precision the search may end anywhere; the first ray is a floor beneath it.
    let value = s * ((gamma + dot(&b, &w)) + half * s * ray_curvature(eta, &h, &a, &w));
    let (s, w) =
        if value < -(literal::<T>(0.49) * first * (push - gamma)) { (s, w) } else { (first, drawn_inward(&ray)) };
    let s = s * (force / size);
    let v: [T; M] = core::array::from_fn(|j| friction[j] * (s * w[j]));
    if s.is_finite() && all_finite(&v) { (s, v) } else { apex }
}

/// The free minimiser as (s, w) with x = s (1, w), when it is inside the cone and H is positive definite to rounding.
#[inline]
fn free<T: Real, const M: usize>(eta: T, h: &[T; M], a: &[[T; M]; M], gamma: T, b: &[T; M]) -> Option<(T, [T; M])> {
    let factor = Factor::shifted(T::one(), a, T::zero())?;
    let (p, q) = (factor.solve(b), factor.solve(h));
    let schur = eta - dot(h, &q);
    if !(schur > literal::<T>(2.0) * T::default_epsilon() * eta) {
        return None;
    }
    let s = (dot(h, &p) - gamma) / schur;
    if !(s > T::zero()) {
        return None;
    }
    let per = T::one() / s;
    let w: [T; M] = core::array::from_fn(|j| -(p[j] * per + q[j]));
    (dot(&w, &w) <= T::one()).then_some((s, w))
}

/// The boundary minimiser as (s, w) with x = s (1, w): the root of V'.
#[inline]
fn boundary<T: Real, const M: usize>(
    eta: T,
    h: &[T; M],
    a: &[[T; M]; M],
    gamma: T,
    b: &[T; M],
    push: T,
    first: T,
) -> (T, [T; M]) {
    let (zero, half, epsilon) = (T::zero(), literal::<T>(0.5), T::default_epsilon());
    let mut s = first;
    let (mut low, mut high, mut bracketed) = (zero, zero, false);
    let mut multiplier = push;
    let mut last = push - gamma;
    let mut ball = Ball { w: [zero; M], multiplier, factor: None, unit: T::one() };
    for _ in 0..STEPS {
        let q: [T; M] = core::array::from_fn(|j| b[j] + s * h[j]);
        ball = ball::minimize(s, a, &q, multiplier);
        multiplier = ball.multiplier;
        let (own, cross) = (eta * s, s * dot(h, &ball.w));
        let slope = (own + gamma) + (cross - multiplier);
        let noise = literal::<T>(2.0) * epsilon * (own + gamma.abs() + cross.abs() + multiplier);
        if !(slope.abs() > noise) {
            break;
        }
        if slope < zero {
            low = s;
        } else {
            (high, bracketed) = (s, true);
        }
        let (curvature, rate) = derivatives(s, eta, h, a, &ball);
        let mut next = s - slope / curvature;
        let slow = slope.abs() > half * last;
        last = slope.abs();
        if bracketed {
            if slow || !(next > low && next < high) {
                next = half * (low + high);
            }
        } else {
            // Far below the root the curvature may be misleading: at most sixteen times.
            let far = literal::<T>(16.0) * s;
            next = if next < far && curvature > zero { next } else { far };
        }
        if (next - s).abs() <= half * epsilon * s {
            break;
        }
        multiplier = larger(multiplier + rate * (next - s), zero);
        s = next;
    }
    (s, drawn_inward(&ball.w))
}

/// d'Hd for d = (1, w).
#[inline]
fn ray_curvature<T: Real, const M: usize>(eta: T, h: &[T; M], a: &[[T; M]; M], w: &[T; M]) -> T {
    let along: [T; M] = core::array::from_fn(|i| h[i] + dot(&a[i], w));
    eta + dot(h, w) + dot(w, &along)
}

/// (V''(s), dm/ds), from (s A + m I) w' = −(h + A w + m' w) and w'w' = 0 on the boundary, m' = 0 inside.
#[inline]
fn derivatives<T: Real, const M: usize>(s: T, eta: T, h: &[T; M], a: &[[T; M]; M], ball: &Ball<T, M>) -> (T, T) {
    let along: [T; M] = core::array::from_fn(|i| h[i] + dot(&a[i], &ball.w));
    let Some(factor) = &ball.factor else {
        return (eta + dot(h, &ball.w) + dot(&along, &ball.w), T::zero());
    };
    let per = T::one() / ball.unit;
    let toward = factor.solve(&along.map(|x| x * per));
    let (mut rate, mut motion) = (T::zero(), toward.map(|x| -x));
    if ball.multiplier > T::zero() {
        let back = factor.solve(&ball.w.map(|x| x * per));
        rate = -(dot(&ball.w, &toward) / dot(&ball.w, &back));
        motion = core::array::from_fn(|j| -(toward[j] + rate * back[j]));
    }
    (eta + dot(h, &ball.w) + s * dot(h, &motion) - rate, rate)
}

/// Minimiser of ½ u'Hu + c'u over u_0 ≥ 0, |u_1| ≤ μ u_0, by candidates (S15-69): the inside point, else the better of the
/// best points of the two edges u_1 = ±μ u_0, each at least the apex.
///
/// H symmetric positive definite, μ > 0. Finite and inside the cone up to an ulp, always.
pub fn minimize_plane<T: Real>(h: &[[T; 2]; 2], c: &[T; 2], friction: T) -> [T; 2] {
    let apex = [T::zero(), T::zero()];
    let (eta, a) = (h[0][0], friction * h[1][1] * friction);
    let (cross, b) = (friction * h[1][0], friction * c[1]);
    let size = larger(a, eta);
    let force = larger(b.abs(), c[0].abs());
    if !(size > T::zero() && force > T::zero()) {
        return apex;
    }
    let (per_size, per_force) = (T::one() / size, T::one() / force);
    let (eta, a, cross) = (eta * per_size, a * per_size, cross * per_size);
    let (gamma, b) = (c[0] * per_force, b * per_force);
    if !(gamma < b.abs()) {
        return apex;
    }
    let (s, w) = match free(eta, &[cross], &[[a]], gamma, &[b]) {
        Some((s, [w])) => (s, w),
        None => {
            let edge = |w: T| {
                // Objective along x = s (1, w): ½ s² curvature + s slope; the best s ≥ 0 gains ½ slope²/curvature.
                let curvature = larger(eta + a + (cross + cross) * w, T::default_epsilon() * eta);
                let s = larger(-((gamma + b * w) / curvature), T::zero());
                (s, s * s * curvature)
            };
            let ((up, up_gain), (down, down_gain)) = (edge(T::one()), edge(-T::one()));
            if up_gain > down_gain { (up, T::one()) } else { (down, -T::one()) }
        }
    };
    let s = s * (force / size);
    let v = friction * (s * w);
    if s.is_finite() && v.is_finite() { [s, v] } else { apex }
}
