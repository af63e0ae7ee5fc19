//! Primal side of an elliptic contact: regularizers, cost, force and Hessian (S12-43, S12-47, X-04, X-05).
//!
//! With z = J a − a_ref of the block's rows, scale U_0 = μ~ z_0, U_j = μ_j z_j and put N = U_0, T = norm(U_1 …). Since
//! R_j μ_j² is the same for all friction rows, the cost depends on N and T alone. With D_b = D_0/μ~², D_m = D_b/(1 + μ~²),
//! g = N − μ~ T and k = μ~ N + T:
//!
//! cost = ½ D_m (min(g, 0)² + min(k, 0)²),
//!
//! because N² + T² = (g² + k²)/(1 + μ~²). Top: g ≥ 0 (then k ≥ 0), nothing. Bottom: k ≤ 0 (then g ≤ 0), the quadratic
//! Σ ½ D_j z_j². Middle: only g counts. The cost is convex and once continuously differentiable.
//!
//! The dimension is a run-time number: the loops run over two to five numbers beside one square root of 50 instructions, and
//! one copy of the code serves every contact.

use super::ball::safe_norm;
use super::line::ConeLine;
use super::shape::{ConeShape, good};
use super::{DIMENSION, FRICTIONS};
use crate::scalar::{Real, literal, square_root};

/// Why no elliptic block was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ConeError {
    /// Not one to five friction coefficients.
    Dimension,
    /// The normal regularizer is not finite and above zero.
    Regularizer,
    /// The friction coefficient of this index is not finite and above zero.
    Friction(usize),
    /// impratio is not finite and above zero.
    Impratio,
    /// Every number is good, but a regularizer or weight that follows from them overflows or vanishes in this precision.
    Range,
}

impl core::fmt::Display for ConeError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Dimension => "an elliptic contact has one to five friction coefficients",
            Self::Regularizer => "the normal regularizer must be finite and above zero",
            Self::Friction(_) => "a friction coefficient must be finite and above zero",
            Self::Impratio => "impratio must be finite and above zero",
            Self::Range => "a regularizer of the contact is not representable in this precision",
        })
    }
}

impl core::error::Error for ConeError {}

/// Which piece of the cost a point is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Zone {
    /// Separating: no cost, no force.
    Top,
    /// Sliding: the force is on the surface of the cone.
    Middle,
    /// Sticking: every row is a plain quadratic.
    Bottom,
}

/// Constants of one elliptic contact block, made only by [`EllipticCone::new`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct EllipticCone<T> {
    pub(super) frictions: usize,
    pub(super) friction: [T; FRICTIONS],
    pub(super) regularizer: [T; DIMENSION],
    pub(super) regularized: T,
    pub(super) bottom: T,
    pub(super) middle: T,
}

/// A point z of a block, scaled, with its zone: everything that cost, force and Hessian share.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ConePoint<T> {
    /// Where the point is.
    pub zone: Zone,
    /// N = μ~ z_0, m/s² (the unit of z).
    pub normal: T,
    /// T = norm(U_1 …) ≥ 0, same unit.
    pub tangent: T,
    /// U_j = μ_j z_j; zero beyond the block's friction directions.
    pub scaled: [T; FRICTIONS],
}

/// Zone of (N, T) by X-04: top when N ≥ μ~ T (at T = 0: N ≥ 0), bottom when μ~ N + T ≤ 0 (at T = 0: N < 0).
#[inline]
pub(super) fn zone<T: Real>(normal: T, tangent: T, regularized: T) -> Zone {
    if normal >= regularized * tangent {
        Zone::Top
    } else if regularized * normal + tangent <= T::zero() || !(tangent > T::zero()) {
        Zone::Bottom
    } else {
        Zone::Middle
    }
}

/// The sliding force where the normal force is so small beside T that their ratio has lost its digits, or is zero.
#[inline(never)] // rare, and not to be in the way of the others
fn small_force<T: Real>(friction: &[T], point: &ConePoint<T>, normal: T) -> [T; DIMENSION] {
    let mut force = [T::zero(); DIMENSION];
    let reach = -normal * super::ball::inward();
    force[0] = normal;
    for ((f, u), mu) in force.iter_mut().skip(1).zip(&point.scaled).zip(friction) {
        *f = reach * (*u / point.tangent) * *mu;
    }
    force
}

impl<T: Real> ConePoint<T> {
    /// (|N| + μ~ T)/|g|, how many times larger than the sliding force g the numbers are that it is the difference of.
    #[inline(always)]
    pub(super) fn cancellation(&self, regularized: T) -> T {
        let reach = regularized * self.tangent;
        (self.normal.abs() + reach) / (self.normal - reach).abs()
    }
}

impl<T: Real> EllipticCone<T> {
    /// The block with normal regularizer `normal` = R_0 \[acceleration/force\], one to five friction coefficients μ_j, and
    /// `impratio`: R_1 = R_0/impratio, R_j = R_1 μ_1²/μ_j², μ~ = μ_1/√impratio (S12-43, S12-47).
    ///
    /// Friction below the engine's floor 1e-5 is for the caller to lift; here it must only be above zero.
    ///
    /// # Errors
    /// See [`ConeError`].
    pub fn new(normal: T, friction: &[T], impratio: T) -> Result<Self, ConeError> {
        if !good(normal) {
            return Err(ConeError::Regularizer);
        }
        ConeShape::new(friction, impratio)?.block(normal)
    }

    /// Rows of the block: one normal and the friction directions, 2 to 6.
    pub fn dimension(&self) -> usize {
        self.frictions + 1
    }

    /// Physical friction coefficients μ_j, one a friction direction.
    pub fn friction(&self) -> &[T] {
        self.friction.get(..self.frictions).unwrap_or(&[])
    }

    /// Regularised friction μ~ = μ_1/√impratio (S12-47); sets the zones, while [`Self::friction`] bounds the force.
    pub fn regularized_friction(&self) -> T {
        self.regularized
    }

    /// Regularizers R of the rows, normal first, as long as [`Self::dimension`].
    pub fn regularizer(&self) -> &[T] {
        self.regularizer.get(..self.frictions + 1).unwrap_or(&[])
    }

    /// The point z = J a − a_ref, normal first; numbers beyond the block are ignored, missing ones are zero.
    #[inline]
    pub fn point(&self, z: &[T]) -> ConePoint<T> {
        self.point_by(self.friction(), z)
    }

    /// [`Self::point`], given [`Self::friction`] again: where the caller knows its length, the loops unroll.
    #[inline(always)]
    pub(crate) fn point_by(&self, friction: &[T], z: &[T]) -> ConePoint<T> {
        let (normal, scaled) = self.scale(friction, z);
        let mut square = T::zero();
        for (u, _) in scaled.iter().zip(friction) {
            square += *u * *u;
        }
        // A square that vanishes would let friction act without a normal force.
        let least = if T::default_epsilon() > literal(1e-10) { literal::<T>(1e-30) } else { literal(1e-290) };
        let tangent = if square < least { safe_norm(&scaled) } else { square_root(square) };
        ConePoint { zone: zone(normal, tangent, self.regularized), normal, tangent, scaled }
    }

    /// (U_0, U_1 …) of z.
    #[inline(always)]
    fn scale(&self, friction: &[T], z: &[T]) -> (T, [T; FRICTIONS]) {
        let mut scaled = [T::zero(); FRICTIONS];
        let Some((z0, rest)) = z.split_first() else { return (T::zero(), scaled) };
        for ((u, z), mu) in scaled.iter_mut().zip(rest).zip(friction) {
            *u = *mu * *z;
        }
        (self.regularized * *z0, scaled)
    }

    /// Cost at a point, ≥ 0; unit force times acceleration.
    #[inline]
    pub fn cost(&self, point: &ConePoint<T>) -> T {
        let half = literal::<T>(0.5);
        match point.zone {
            Zone::Top => T::zero(),
            Zone::Bottom => half * self.bottom * (point.normal * point.normal + point.tangent * point.tangent),
            Zone::Middle => {
                let g = point.normal - self.regularized * point.tangent;
                half * self.middle * g * g
            }
        }
    }

    /// Rounding of a force at this point as a multiple of the force and of ε: 1 where the block sticks, more where it slides.
    pub(crate) fn force_rounding(&self, point: &ConePoint<T>) -> T {
        if point.zone == Zone::Middle { point.cancellation(self.regularized) } else { T::one() }
    }

    /// Force at a point, minus the gradient of the cost, normal first; zero beyond the block.
    ///
    /// In the middle zone it lies on the surface of the *physical* cone Σ (f_j/μ_j)² ≤ f_0², rounded inwards: the friction
    /// part is shortened by three ε.
    #[inline]
    pub fn force(&self, point: &ConePoint<T>) -> [T; DIMENSION] {
        self.force_by(self.friction(), point)
    }

    /// [`Self::force`], given [`Self::friction`] again.
    #[inline(always)]
    pub(crate) fn force_by(&self, friction: &[T], point: &ConePoint<T>) -> [T; DIMENSION] {
        let mut force = [T::zero(); DIMENSION];
        let (normal, along) = match point.zone {
            Zone::Top => return force,
            Zone::Bottom => (-(self.bottom * self.regularized * point.normal), -self.bottom),
            Zone::Middle => {
                let g = point.normal - self.regularized * point.tangent;
                let normal = -(self.middle * self.regularized * g);
                let ratio = normal / point.tangent;
                if ratio < literal(1e-30) {
                    return small_force(friction, point, normal);
                }
                (normal, -ratio * super::ball::inward())
            }
        };
        force[0] = normal;
        for ((f, u), mu) in force.iter_mut().skip(1).zip(&point.scaled).zip(friction) {
            *f = along * *u * *mu;
        }
        force
    }

    /// fᵀ w ≥ 0 for a force f in the cone and w = z + R f*, f* the force that answers the point; plus its rounding.
    ///
    /// With f = (s, μ_j y_j) and w scaled alike to (ω_0, ω), it is s (ω_0 − |ω|) + |ω| (s − |y|) + (|y| |ω| + yᵀω), three terms
    /// not negative. Where the contact slides ω_0 = |ω| = k/(1 + μ~²), ω along U; where it sticks w = 0.
    pub(crate) fn work(&self, point: &ConePoint<T>, force: &[T]) -> T {
        let (zero, epsilon) = (T::zero(), T::default_epsilon());
        let Some((normal, tangents)) = force.split_first() else { return zero };
        let (excess, length) = match point.zone {
            Zone::Bottom => return zero,
            Zone::Top => (point.normal / self.regularized - point.tangent, point.tangent),
            Zone::Middle => {
                let k = self.regularized * point.normal + point.tangent;
                (zero, k / (T::one() + self.regularized * self.regularized))
            }
        };
        let straight = if excess > zero { *normal * excess } else { zero };
        if !(length > zero) {
            return straight;
        }
        // y along the unit vector u = U/T and across it.
        let (mut square, mut along) = (zero, zero);
        for ((f, u), mu) in tangents.iter().zip(&point.scaled).zip(self.friction()) {
            let y = *f / *mu;
            square += y * y;
            along += y * (*u / point.tangent);
        }
        let mut across = zero;
        for ((f, u), mu) in tangents.iter().zip(&point.scaled).zip(self.friction()) {
            let y = *f / *mu - along * (*u / point.tangent);
            across += y * y;
        }
        let reach = square_root(square);
        // |y| + yᵀu = |y across u|²/(|y| − yᵀu) where the force opposes the motion.
        let turned = if along < zero { across / (reach - along) } else { reach + along };
        let slack = *normal - reach;
        let slack = if slack > zero { slack } else { zero };
        straight + length * (slack + turned + literal::<T>(4.0) * epsilon * *normal)
    }

    /// Hessian of the cost with respect to z at a point, symmetric and positive semidefinite; zero beyond the block.
    ///
    /// Middle zone, in scaled space with u = U/T: d d' − μ~ (g/T) (I − u u') with d = (1, −μ~ u) and g < 0, a sum of two
    /// positive semidefinite parts.
    #[inline]
    pub fn hessian(&self, point: &ConePoint<T>, hessian: &mut [[T; DIMENSION]; DIMENSION]) {
        *hessian = [[T::zero(); DIMENSION]; DIMENSION];
        let mut scale = [T::zero(); DIMENSION];
        scale[0] = self.regularized;
        for (s, mu) in scale.iter_mut().skip(1).zip(self.friction()) {
            *s = *mu;
        }
        let mut direction = [T::zero(); DIMENSION];
        match point.zone {
            Zone::Top => {}
            Zone::Bottom => {
                for i in 0..DIMENSION {
                    hessian[i][i] = self.bottom * scale[i] * scale[i];
                }
            }
            Zone::Middle => {
                let g = point.normal - self.regularized * point.tangent;
                let across = -(self.regularized * (g / point.tangent));
                let square = self.regularized * self.regularized - across;
                for (u, x) in direction.iter_mut().skip(1).zip(&point.scaled) {
                    *u = *x / point.tangent;
                }
                // The number of rows at run time: a contact of dimension 3 fills 9 numbers of 36.
                let rows = self.frictions.min(FRICTIONS) + 1;
                for i in 1..rows.min(DIMENSION) {
                    let s = self.middle * scale[i];
                    let edge = -(s * self.regularized * direction[i]) * scale[0];
                    hessian[i][0] = edge;
                    hessian[0][i] = edge;
                    for j in 1..i {
                        let x = s * square * direction[i] * direction[j] * scale[j];
                        hessian[i][j] = x;
                        hessian[j][i] = x;
                    }
                    hessian[i][i] = s * (across + square * direction[i] * direction[i]) * scale[i];
                }
                hessian[0][0] = self.middle * scale[0] * scale[0];
            }
        }
    }

    /// Curvature at a sliding point as a sum of squares, Hessian (X-05) = Σ weight c cᵀ, one call of `add` a square with weight,
    /// normal part and friction part of c; none outside the middle zone. `friction` is [`Self::friction`].
    ///
    /// In scaled space the first c is (1, −μ~ u); the others are an orthonormal basis of what is across u in the tangent plane,
    /// with the curvature −μ~ g/T of the cone's surface. No difference of large numbers, and an n × n matrix is never formed.
    #[inline(always)]
    pub(crate) fn curvature_by(&self, friction: &[T], point: &ConePoint<T>, mut add: impl FnMut(T, T, &[T])) {
        if point.zone != Zone::Middle {
            return;
        }
        let per = T::one() / point.tangent;
        let mut unit = point.scaled;
        let mut along = [T::zero(); FRICTIONS];
        for (((c, u), x), mu) in along.iter_mut().zip(&mut unit).zip(&point.scaled).zip(friction) {
            *u = *x * per;
            *c = -(self.regularized * *u) * *mu;
        }
        add(self.middle, self.regularized, along.get(..friction.len()).unwrap_or(&[]));
        let g = point.normal - self.regularized * point.tangent;
        let weight = -(self.regularized * (g * per)) * self.middle;
        if let ([u, v, ..], [a, b]) = (&unit, friction) {
            add(weight, T::zero(), &[-*v * *a, *u * *b]);
            return;
        }
        // Columns of the reflection that takes u to the first axis: e_k − h h_k/(1 + |u_1|) with h = u + sign(u_1) e_1.
        let [first, ..] = unit;
        let [head, ..] = &mut unit;
        *head += if first < T::zero() { -T::one() } else { T::one() };
        let share = T::one() / (T::one() + first.abs());
        for k in 1..friction.len() {
            let mine = share * unit.get(k).copied().unwrap_or(T::zero());
            for (i, ((c, h), mu)) in along.iter_mut().zip(&unit).zip(friction).enumerate() {
                let own = if i == k { T::one() } else { T::zero() };
                *c = (own - mine * *h) * *mu;
            }
            add(weight, T::zero(), along.get(..friction.len()).unwrap_or(&[]));
        }
    }

    /// The cost along z + α dz, prepared for many α; lengths as in [`Self::point`].
    #[inline]
    pub fn line(&self, z: &[T], step: &[T]) -> ConeLine<T> {
        self.line_by(self.friction(), &self.point(z), step)
    }

    /// [`Self::line`] from a point that is known, given [`Self::friction`] again.
    #[inline(always)]
    pub(crate) fn line_by(&self, friction: &[T], point: &ConePoint<T>, step: &[T]) -> ConeLine<T> {
        let (normal_step, scaled_step) = self.scale(friction, step);
        let scaled = point.scaled.get(..friction.len()).unwrap_or(&[]);
        ConeLine::new(self, point, normal_step, scaled, &scaled_step)
    }
}
