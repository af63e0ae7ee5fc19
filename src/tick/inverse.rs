//! Inverse: an acceleration in, the force that it takes out.

use nalgebra::SVector;

use super::{Input, TickError, Workspace};
use crate::description::Uses;
use crate::dynamics::{DynamicsWorkspace, inverse_dynamics_stated};
use crate::forces::{add_tendon_forces, passive_force};
use crate::kinematics::Kinematics;
use crate::model::{Model, Smooth, State};
use crate::scalar::{Real, all_finite};
use crate::solver::answer;

/// What an acceleration takes, N or N m a dof.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InverseDynamics<T, const NV: usize> {
    /// M a + c − passive forces: what motors, actuators among them, must give if there were no constraints.
    pub unconstrained: SVector<T, NV>,
    /// Jᵀ f, what the soft constraints give at this acceleration: f answers J a − a_ref row by row (X-01 … X-04).
    pub constraint: SVector<T, NV>,
    /// The difference: what motors, actuators and outer wrenches must give together. As the input of [`Model::forward`] it leads to the acceleration again.
    pub force: SVector<T, NV>,
}

impl<T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32> Model<'_, T, NB, NQ, NV, U> {
    /// The force that an acceleration takes at a state, with and without constraint forces. Of the input only what says which
    /// constraints act counts; `work` holds frames, M and rows afterwards.
    ///
    /// # Errors
    /// See [`TickError`].
    pub fn inverse<S, const NC: usize, const NR: usize>(
        &self,
        state: &State<T, NQ, NV>,
        acceleration: &SVector<T, NV>,
        input: &Input<'_, T, NV>,
        work: &mut Workspace<T, NB, NV, NC, NR, S>,
    ) -> Result<InverseDynamics<T, NV>, TickError> {
        input.check()?;
        if let Some(index) = acceleration.iter().position(|a| !a.is_finite()) {
            return Err(TickError::Input { index: index as u16 });
        }
        self.prepare(&state.configuration, &state.velocity, input, work, &mut ())?;
        let mut force = [T::zero(); NR];
        answer(&work.rows, acceleration, &mut force)?;
        let constraint = work.rows.generalized_force(&force);
        let Smooth { kinematics, dynamics, .. } = &mut work.smooth;
        let unconstrained =
            self.without_constraints(&state.velocity, acceleration, &work.passive_force, kinematics, dynamics);
        kinematics.move_stated::<NQ, U>(&self.tree, &state.velocity)?;
        let force = unconstrained - constraint;
        if !all_finite(force.as_slice()) {
            return Err(TickError::Overflow);
        }
        Ok(InverseDynamics { unconstrained, constraint, force })
    }

    /// Only [`InverseDynamics::unconstrained`], the same bits: computed torque at the price of the frames and one recursion, without
    /// M, rows or solver.
    ///
    /// # Errors
    /// See [`TickError`].
    pub fn inverse_unconstrained(
        &self,
        state: &State<T, NQ, NV>,
        acceleration: &SVector<T, NV>,
        smooth: &mut Smooth<T, NB, NV>,
    ) -> Result<SVector<T, NV>, TickError> {
        if let Some(index) = acceleration.iter().position(|a| !a.is_finite()) {
            return Err(TickError::Input { index: index as u16 });
        }
        let Smooth { kinematics, dynamics, .. } = smooth;
        kinematics.place_stated::<NQ, U>(&self.tree, &state.configuration)?;
        kinematics.move_stated::<NQ, U>(&self.tree, &state.velocity)?;
        let mut passive = SVector::from_element(T::zero());
        passive_force(&self.tree, kinematics, &state.configuration, &state.velocity, &mut passive);
        if Uses::from_bits(U).has(Uses::TENDON) && !self.tendons.is_empty() {
            let (tendons, velocity) = (self.tendons, &state.velocity);
            add_tendon_forces(&self.tree, kinematics, tendons, &state.configuration, velocity, &mut passive);
        }
        let force = self.without_constraints(&state.velocity, acceleration, &passive, kinematics, dynamics);
        if all_finite(force.as_slice()) { Ok(force) } else { Err(TickError::Overflow) }
    }

    /// M a + c − passive forces; the bias accelerations of `kinematics` become those of `acceleration`.
    fn without_constraints(
        &self,
        velocity: &SVector<T, NV>,
        acceleration: &SVector<T, NV>,
        passive: &SVector<T, NV>,
        kinematics: &mut Kinematics<T, NB, NV>,
        dynamics: &mut DynamicsWorkspace<T, NB>,
    ) -> SVector<T, NV> {
        let mut force = SVector::from_element(T::zero());
        let gravity = self.gravity();
        inverse_dynamics_stated::<T, NB, NQ, NV, U>(
            &self.tree,
            kinematics,
            velocity,
            acceleration,
            &gravity,
            dynamics,
            &mut force,
        );
        force - passive
    }
}
