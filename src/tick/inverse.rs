//! Inverse: an acceleration in, the force that it takes out.

use nalgebra::SVector;

use super::{Input, TickError, Workspace};
use crate::dynamics::inverse_dynamics;
use crate::model::{Model, State};
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

impl<T: Real, const NB: usize, const NQ: usize, const NV: usize> Model<'_, T, NB, NQ, NV> {
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
        let mut unconstrained = SVector::from_element(T::zero());
        let gravity = self.gravity();
        let smooth = &mut work.smooth;
        let (kinematics, dynamics) = (&mut smooth.kinematics, &mut smooth.dynamics);
        inverse_dynamics(&self.tree, kinematics, &state.velocity, acceleration, &gravity, dynamics, &mut unconstrained);
        kinematics.move_at(&self.tree, &state.velocity)?;
        unconstrained -= work.passive_force;
        let force = unconstrained - constraint;
        if !all_finite(force.as_slice()) {
            return Err(TickError::Overflow);
        }
        Ok(InverseDynamics { unconstrained, constraint, force })
    }
}
