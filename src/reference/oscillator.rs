//! Explicit and implicit Euler for linear systems of masses, springs and dampers, M x″ = −K x − C x′ (S15-42, S15-45): the two ends
//! between which the integrators of the kernel lie. The first gains energy at any step, the second loses it at any step.

use nalgebra::{SMatrix, SVector};

use crate::mass::MassError;
use crate::mass::factor::{factor, solve};
use crate::scalar::Real;

/// M, K and C, each symmetric; M positive definite, for implicit steps also M + h C + h² K.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringDampers<T, const N: usize> {
    /// M \[kg\]
    pub mass: SMatrix<T, N, N>,
    /// K \[N/m\]
    pub stiffness: SMatrix<T, N, N>,
    /// C \[N s/m\]
    pub damping: SMatrix<T, N, N>,
}

/// x and x′.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Phase<T, const N: usize> {
    /// Displacements from rest \[m\].
    pub position: SVector<T, N>,
    /// \[m/s\]
    pub velocity: SVector<T, N>,
}

impl<T: Real, const N: usize> SpringDampers<T, N> {
    /// Both updates from the old state: x₊ = x + h v, v₊ = v − h M⁻¹ (K x + C v) (S15-42).
    ///
    /// # Errors
    /// [`MassError::NotPositiveDefinite`] for M.
    pub fn explicit_euler(&self, phase: &Phase<T, N>, step: T) -> Result<Phase<T, N>, MassError> {
        let force = -(self.stiffness * phase.position + self.damping * phase.velocity);
        let acceleration = solved(&self.mass, force)?;
        Ok(Phase { position: phase.position + phase.velocity * step, velocity: phase.velocity + acceleration * step })
    }

    /// Both updates from the new state: (M + h C + h² K) v₊ = M v − h K x, x₊ = x + h v₊ (S15-45).
    ///
    /// # Errors
    /// [`MassError::NotPositiveDefinite`] for M + h C + h² K.
    pub fn implicit_euler(&self, phase: &Phase<T, N>, step: T) -> Result<Phase<T, N>, MassError> {
        let matrix = self.mass + (self.damping + self.stiffness * step) * step;
        let velocity = solved(&matrix, self.mass * phase.velocity - self.stiffness * phase.position * step)?;
        Ok(Phase { position: phase.position + velocity * step, velocity })
    }
}

/// A⁻¹ x of a symmetric positive definite A.
fn solved<T: Real, const N: usize>(
    matrix: &SMatrix<T, N, N>,
    mut x: SVector<T, N>,
) -> Result<SVector<T, N>, MassError> {
    let mut columns = matrix.data.0;
    let mut inverse = [T::zero(); N];
    factor(&mut columns, &mut inverse)?;
    let [values] = &mut x.data.0;
    solve(&columns, &inverse, values);
    Ok(x)
}
