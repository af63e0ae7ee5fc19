//! [`Workspace`]: all memory of a tick, and its results.

use nalgebra::{ArrayStorage, SMatrix, SVector};

use crate::collision::Contact;
use crate::integrator::ImplicitFactor;
use crate::kinematics::Kinematics;
use crate::mass::MassMatrix;
use crate::model::Smooth;
use crate::rows::Rows;
use crate::scalar::Real;
use crate::solver::NewtonWorkspace;

/// All memory of a tick, and its results: NB bodies, NV dofs, NC contacts, NR rows, and the solver S, Newton unless named.
///
/// Caller-owned; in firmware a `static`. All zero, so it costs RAM but no flash.
#[derive(Clone, Debug)]
pub struct Workspace<
    T,
    const NB: usize,
    const NV: usize,
    const NC: usize,
    const NR: usize,
    S = NewtonWorkspace<T, NV, NR>,
> {
    /// Frames, mass matrix and the recursions' memory; also what [`Model::new`](crate::model::Model::new) asks for.
    pub smooth: Smooth<T, NB, NV>,
    /// The solver and its memory.
    pub solver: S,
    pub(super) contacts: heapless::Vec<Contact<T>, NC>,
    pub(super) first_row: [Option<u16>; NC],
    pub(super) rows: Rows<T, NV, NR, NC>,
    pub(super) bias_force: SVector<T, NV>,
    pub(super) passive_force: SVector<T, NV>,
    pub(super) actuator_force: SVector<T, NV>,
    /// Passive, applied, actuators' and outer forces minus bias.
    pub(super) smooth_force: SVector<T, NV>,
    pub(super) free_acceleration: SVector<T, NV>,
    pub(super) constraint_force: SVector<T, NV>,
    pub(super) acceleration: SVector<T, NV>,
    pub(super) implicit: ImplicitFactor<T, NV>,
}

const fn vector<T: Copy, const NV: usize>(zero: T) -> SVector<T, NV> {
    SMatrix::from_array_storage(ArrayStorage([[zero; NV]; 1]))
}

impl<T: Copy, const NB: usize, const NV: usize, const NC: usize, const NR: usize> Workspace<T, NB, NV, NC, NR> {
    /// All zero, with Newton's method: pass `0.0`.
    pub const fn filled(zero: T) -> Self {
        Self::with_solver(zero, NewtonWorkspace::filled(zero))
    }
}

impl<T: Copy, S, const NB: usize, const NV: usize, const NC: usize, const NR: usize> Workspace<T, NB, NV, NC, NR, S> {
    /// All zero, with another solver.
    pub const fn with_solver(zero: T, solver: S) -> Self {
        Self {
            smooth: Smooth::filled(zero),
            solver,
            contacts: heapless::Vec::new(),
            first_row: [None; NC],
            rows: Rows::with_cones(),
            bias_force: vector(zero),
            passive_force: vector(zero),
            actuator_force: vector(zero),
            smooth_force: vector(zero),
            free_acceleration: vector(zero),
            constraint_force: vector(zero),
            acceleration: vector(zero),
            implicit: ImplicitFactor::filled(zero),
        }
    }
}

impl<T: Real, S, const NB: usize, const NV: usize, const NC: usize, const NR: usize> Workspace<T, NB, NV, NC, NR, S> {
    /// Frames, axes and velocities of the bodies.
    pub fn kinematics(&self) -> &Kinematics<T, NB, NV> {
        &self.smooth.kinematics
    }

    /// M.
    pub fn mass(&self) -> &MassMatrix<T, NV> {
        &self.smooth.mass
    }

    /// The contacts of the tick, in order: those that are only listed too.
    pub fn contacts(&self) -> &[Contact<T>] {
        &self.contacts
    }

    /// Index of the first row of a contact; `None` where it has none, or found no room.
    pub fn first_row(&self, contact: usize) -> Option<u16> {
        self.first_row.get(contact).copied().flatten()
    }

    /// The constraint rows, in order.
    pub fn rows(&self) -> &Rows<T, NV, NR, NC> {
        &self.rows
    }

    /// c: Coriolis, centrifugal and gravity terms, on the left of M a + c = τ (S07-14) \[N or N m\].
    pub fn bias_force(&self) -> &SVector<T, NV> {
        &self.bias_force
    }

    /// Springs, dampers and gravity compensation, tendons included \[N or N m\].
    pub fn passive_force(&self) -> &SVector<T, NV> {
        &self.passive_force
    }

    /// What actuators do to the dofs, gravity compensation of joints that leave it to them included \[N or N m\]; zero without actuators.
    pub fn actuator_force(&self) -> &SVector<T, NV> {
        &self.actuator_force
    }

    /// a_u: the acceleration without constraints (S07-52).
    pub fn free_acceleration(&self) -> &SVector<T, NV> {
        &self.free_acceleration
    }

    /// The acceleration of the tick.
    pub fn acceleration(&self) -> &SVector<T, NV> {
        &self.acceleration
    }

    /// Jᵀ f, what all constraints do to the dofs \[N or N m\].
    pub fn constraint_force(&self) -> &SVector<T, NV> {
        &self.constraint_force
    }
}
