//! Dynamics of a tree without constraints: M a + c = τ (S07-13).
//!
//! * [`mass_matrix`]: M by composite rigid bodies.
//! * [`bias_force`]: c, Coriolis, centrifugal and gravity (S07-14), by recursive Newton–Euler; [`inverse_dynamics`]: M a + c.
//! * [`add_bias_derivative`]: ∂c/∂v, for velocity-implicit steps.
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
