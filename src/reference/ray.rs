//! The engine's visit of one elliptic block in projected Gauss–Seidel (S15-21, X-57).
//!
//! Two steps, each lowering the block cost ½ f'Hf + c'f: along the ray of the current force (or the normal alone, where that
//! force is zero), then the friction part with the new normal force fixed. Together they are *not* the block's minimiser:
//! at the apex only the normal is tried, so a block with 0 ≤ c_0 < norm(μ_j c_j) stays at zero although a better
//! force exists. [`crate::cone::block`] takes the exact step.

use crate::scalar::{Real, SMALLEST, dot, larger, literal, square_root};

/// Newton steps of the tangential solve.
const STEPS: usize = 20;
/// Residual, step, determinant and pivot at which the tangential solve stops or gives up; in the engine's units, absolute.
const STOP: f64 = 1e-10;

/// Result of the engine's tangential solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tangent<T, const M: usize> {
    /// Friction force, not yet put on the ellipsoid.
    pub force: [T; M],
    /// Whether the multiplier is above zero, so that the force belongs on the ellipsoid.
    pub active: bool,
}

/// minimise ½ v'Av + b'v over Σ (v_j/μ_j)² ≤ `radius`² by plain Newton in λ from 0: at most 20 steps, stopped at
/// v'v − radius² < 1e-10 or a step below 1e-10 in scaled variables; zero when a determinant (M ≤ 3) or pivot falls below 1e-10.
pub fn tangent<T: Real, const M: usize>(a: &[[T; M]; M], b: &[T; M], friction: &[T; M], radius: T) -> Tangent<T, M> {
    let stop = literal::<T>(STOP);
    let mut lambda = T::zero();
    let mut w = [T::zero(); M];
    let scaled: [[T; M]; M] = core::array::from_fn(|i| core::array::from_fn(|j| friction[i] * a[i][j] * friction[j]));
    let q: [T; M] = core::array::from_fn(|j| friction[j] * b[j]);
    for _ in 0..STEPS {
        let Some(factor) = Pivots::of(&scaled, lambda) else {
            return Tangent { force: [T::zero(); M], active: false };
        };
        w = factor.solve(&q.map(|x| -x));
        let excess = dot(&w, &w) - radius * radius;
        if excess < stop {
            break;
        }
        let rate = literal::<T>(2.0) * dot(&w, &factor.solve(&w));
        let step = excess / rate;
        if step < stop {
            break;
        }
        lambda += step;
    }
    Tangent { force: core::array::from_fn(|j| friction[j] * w[j]), active: lambda != T::zero() }
}

/// One visit: the block's force after ray and tangential step.
///
/// (`normal`, `coupling`, `tangent`) is the block of A + R, `residual` = (A + R) f + b of its rows at the current force, all
/// blocks included. `force` is (f_n, f_t). A change that raises the block cost by more than 1e-10 is taken back.
pub fn visit<T: Real, const M: usize>(
    (normal, coupling, tangential): (T, &[T; M], &[[T; M]; M]),
    (residual_normal, residual_tangent): (T, &[T; M]),
    friction: &[T; M],
    (old_normal, old): (T, &[T; M]),
) -> (T, [T; M]) {
    let smallest = literal::<T>(SMALLEST);
    let mut f = old_normal;
    if f < smallest {
        f = larger(f - residual_normal / normal, T::zero());
    } else {
        let image_normal = normal * f + dot(coupling, old);
        let image: [T; M] = core::array::from_fn(|i| coupling[i] * f + dot(&tangential[i], old));
        let curvature = f * image_normal + dot(old, &image);
        if curvature >= smallest {
            let mut x = -(f * residual_normal + dot(old, residual_tangent)) / curvature;
            if f + x * f < T::zero() {
                x = -T::one();
            }
            f += x * f;
        }
    }
    // The ray step moves the friction part too, but the step that follows replaces it.
    let mut v = [T::zero(); M];
    if f >= smallest {
        // Linear term of the friction part at the new normal force.
        let b =
            core::array::from_fn(|i| residual_tangent[i] - dot(&tangential[i], old) + coupling[i] * (f - old_normal));
        let solved = tangent(tangential, &b, friction, f);
        v = solved.force;
        if solved.active {
            let mut square = T::zero();
            for j in 0..M {
                square += v[j] * v[j] / (friction[j] * friction[j]);
            }
            let scale = square_root(f * f / larger(square, smallest));
            v = v.map(|x| x * scale);
        }
    }
    let (df, dv): (T, [T; M]) = (f - old_normal, core::array::from_fn(|j| v[j] - old[j]));
    let mut change = df * residual_normal + dot(&dv, residual_tangent);
    change += literal::<T>(0.5) * df * (normal * df + dot(coupling, &dv));
    for i in 0..M {
        change += literal::<T>(0.5) * dv[i] * (coupling[i] * df + dot(&tangential[i], &dv));
    }
    if change > literal(STOP) { (old_normal, *old) } else { (f, v) }
}

/// L D Lᵀ that gives up at the engine's absolute thresholds.
struct Pivots<T, const M: usize> {
    lower: [[T; M]; M],
    pivot: [T; M],
}

impl<T: Real, const M: usize> Pivots<T, M> {
    fn of(a: &[[T; M]; M], shift: T) -> Option<Self> {
        let stop = literal::<T>(STOP);
        let (mut lower, mut pivot) = ([[T::zero(); M]; M], [T::zero(); M]);
        let mut determinant = T::one();
        for i in 0..M {
            let mut d = a[i][i] + shift;
            for j in 0..i {
                let mut sum = a[i][j];
                for k in 0..j {
                    sum -= lower[i][k] * pivot[k] * lower[j][k];
                }
                lower[i][j] = sum / pivot[j];
                d -= lower[i][j] * sum;
            }
            pivot[i] = d;
            determinant *= d;
            // Two and three directions go by the determinant, more by each pivot; no pivot may vanish.
            let low = if M > 3 { d < stop } else { d == T::zero() };
            if low || !d.is_finite() {
                return None;
            }
        }
        if M <= 3 && determinant < stop { None } else { Some(Self { lower, pivot }) }
    }

    fn solve(&self, b: &[T; M]) -> [T; M] {
        let mut x = *b;
        for i in 0..M {
            for k in 0..i {
                x[i] -= self.lower[i][k] * x[k];
            }
        }
        for i in 0..M {
            x[i] /= self.pivot[i];
        }
        for i in (0..M).rev() {
            for k in i + 1..M {
                x[i] -= self.lower[k][i] * x[k];
            }
        }
        x
    }
}
