//! Gradient methods on a fixed quadratic ½ xᵀ H x + bᵀ x without bounds (S15-23 … S15-30): what nonlinear methods come from.

use nalgebra::{SMatrix, SVector};

use crate::scalar::{Real, dot};

/// How the next direction is made from the preconditioned gradient z = P⁻¹ g.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Descent {
    /// p = −z (S15-24).
    Steepest,
    /// p₊ = −z₊ + (g₊ᵀz₊)/(gᵀz) p, Fletcher and Reeves: linear conjugate gradients, directions H-conjugate (S15-25, S15-30).
    FletcherReeves,
}

/// One step, as it was taken.
#[derive(Clone, Copy, Debug)]
pub struct QuadraticStep<T, const N: usize> {
    /// g = H x + b before the step.
    pub gradient: SVector<T, N>,
    /// p.
    pub direction: SVector<T, N>,
    /// The exact step α = −gᵀp/(pᵀHp) (S15-23).
    pub step: T,
    /// x + α p.
    pub point: SVector<T, N>,
}

/// Walks `steps` exact steps from `start` and shows each; ends early where the gradient is zero. Returns the last point.
///
/// H symmetric positive definite; `precondition` is P⁻¹, symmetric positive definite too.
pub fn descend<T: Real, const N: usize>(
    h: &SMatrix<T, N, N>,
    b: &SVector<T, N>,
    start: &SVector<T, N>,
    descent: Descent,
    precondition: impl Fn(&SVector<T, N>) -> SVector<T, N>,
    steps: u16,
    mut show: impl FnMut(&QuadraticStep<T, N>),
) -> SVector<T, N> {
    let product = |a: &SVector<T, N>, c: &SVector<T, N>| dot(a.as_slice(), c.as_slice());
    let mut point = *start;
    let mut gradient = h * point + b;
    let mut scaled = precondition(&gradient);
    let mut direction = -scaled;
    for _ in 0..steps {
        let size = product(&gradient, &scaled);
        let curvature = product(&direction, &(h * direction));
        if !(size > T::zero()) || !(curvature > T::zero()) {
            break;
        }
        let step = -product(&gradient, &direction) / curvature;
        point += direction * step;
        show(&QuadraticStep { gradient, direction, step, point });
        gradient = h * point + b;
        scaled = precondition(&gradient);
        direction = match descent {
            Descent::Steepest => -scaled,
            Descent::FletcherReeves => direction * (product(&gradient, &scaled) / size) - scaled,
        };
    }
    point
}
