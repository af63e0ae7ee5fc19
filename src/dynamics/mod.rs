//! Dynamics of a tree without constraints: M a + c = τ (S07-13).
//!
//! ```text
//! M   = Σ m J_pᵀ J_p + J_rᵀ I_W J_r + armature    by composite rigid bodies (S07-15, X-51)
//! c   = Coriolis + centrifugal + gravity          recursive Newton–Euler (S07-14)
//! τ   = M a + c                                   what an acceleration takes
//! ∂c/∂v                                           for velocity-implicit steps (X-41)
//! T   = ½ vᵀ M v,   U = −Σ m g · p_C              J (S07-12, X-89); springs: see `forces`
//! ```
//!
//! M and ∂c/∂v are NV × NV, c and τ NV numbers in N or N m. Gravity g is the acceleration of free fall, (0, 0, −9.81) m/s² unless told otherwise. At rest τ = c carries the weight.
//!
//! * [`mass_matrix`]: M by composite rigid bodies.
//! * [`bias_force`]: c; [`inverse_dynamics`]: M a + c.
//! * [`add_bias_derivative`]: the matrix ∂c/∂v.
//! * [`kinetic_energy`], [`potential_energy`], [`momentum`].
//! * [`DynamicsWorkspace`]: memory of the recursions.

mod composite;
mod derivative;
mod energy;
mod inertia;
mod newton_euler;

pub use composite::mass_matrix;
pub(crate) use composite::mass_matrix_stated;
pub(crate) use composite::{diagonal_sum, mean_diagonal};
pub use derivative::add_bias_derivative;
pub use energy::{Momentum, kinetic_energy, momentum, potential_energy};
pub use newton_euler::{bias_force, inverse_dynamics};
pub(crate) use newton_euler::{bias_force_stated, inverse_dynamics_stated};

use inertia::RigidInertia;
use nalgebra::Vector3;
use newton_euler::Wrench;

use crate::spatial::vector;

/// Memory of the recursions: one composite inertia, one point and one wrench a body.
#[derive(Clone, Debug)]
pub struct DynamicsWorkspace<T, const NB: usize> {
    inertias: [RigidInertia<T>; NB],
    /// What each body's inertia is taken about: the centre of mass of all that it carries, or of its tree.
    references: [Vector3<T>; NB],
    wrenches: [Wrench<T>; NB],
}

impl<T: Copy, const NB: usize> DynamicsWorkspace<T, NB> {
    /// All zero: pass `0.0`, so that a `static` one lands in .bss.
    pub const fn filled(zero: T) -> Self {
        Self {
            inertias: [RigidInertia::filled(zero); NB],
            references: [vector(zero); NB],
            wrenches: [Wrench::filled(zero); NB],
        }
    }
}
