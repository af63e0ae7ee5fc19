//! Principal axes by the engine's own loop: an exact eigensolver would differ by up to 1e-6 rad, for the engine's stops early.

use delassus::spatial::Quaternion;
use nalgebra::Matrix3;

const ROUNDS: usize = 500;
const STOP: f64 = 1e-12;

/// Moments, largest first, and the orientation of their axes.
pub(crate) fn principal(tensor: &Matrix3<f64>) -> ([f64; 3], Quaternion<f64>) {
    let mut q = Quaternion::<f64>::identity();
    let mut diagonal = turned(tensor, &q);
    for _ in 0..ROUNDS {
        let (d01, d02, d12) = (diagonal[(0, 1)].abs(), diagonal[(0, 2)].abs(), diagonal[(1, 2)].abs());
        let (r, c, axis) = if d01 > d02 && d01 > d12 {
            (0, 1, 2)
        } else if d02 > d12 {
            (0, 2, 1)
        } else {
            (1, 2, 0)
        };
        if diagonal[(r, c)].abs() < STOP {
            break;
        }
        let tau = (diagonal[(c, c)] - diagonal[(r, r)]) / (2.0 * diagonal[(r, c)]);
        let sign = if tau >= 0.0 { 1.0 } else { -1.0 };
        let t = sign / (tau.abs() + (1.0 + tau * tau).sqrt());
        let k = 1.0 / (1.0 + t * t).sqrt();
        if k > 1.0 - STOP {
            break;
        }
        let g = -sign * ((1.0 - k) / 2.0).sqrt() * if axis == 1 { -1.0 } else { 1.0 };
        q = unit(q.times(&about(axis, (1.0 - g * g).sqrt(), g)));
        diagonal = turned(tensor, &q);
    }
    let mut moments = [diagonal[(0, 0)], diagonal[(1, 1)], diagonal[(2, 2)]];
    for (i, j, axis) in [(0, 1, 2), (1, 2, 0), (0, 1, 2)] {
        if moments[i] + STOP < moments[j] {
            moments.swap(i, j);
            q = unit(q.times(&about(axis, 0.5f64.sqrt(), 0.5f64.sqrt())));
        }
    }
    (moments, q)
}

fn about(axis: usize, cosine: f64, sine: f64) -> Quaternion<f64> {
    let mut q = [cosine, 0.0, 0.0, 0.0];
    q[axis + 1] = sine;
    Quaternion(q)
}

fn unit(q: Quaternion<f64>) -> Quaternion<f64> {
    q.normalized().unwrap_or(q)
}

/// Rᵀ A R.
fn turned(tensor: &Matrix3<f64>, q: &Quaternion<f64>) -> Matrix3<f64> {
    let r = q.matrix();
    r.transpose() * tensor * r
}
