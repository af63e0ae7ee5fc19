//! Step: forward, then the state moves on.

use super::{Input, Method, TickError, TickReport, Workspace};
use crate::constraint::Hooks;
use crate::description::Integrator;
use crate::forces::Damper;
use crate::integrator::advance;
use crate::model::{Model, State};
use crate::scalar::{Real, all_finite};
use crate::solver::Budget;

impl<T: Real, const NB: usize, const NQ: usize, const NV: usize> Model<'_, T, NB, NQ, NV> {
    /// One step of the model's integrator. The results in `work` belong to the state before it.
    ///
    /// # Errors
    /// See [`TickError`]; the state is then untouched.
    pub fn step<S, const NC: usize, const NR: usize>(
        &self,
        state: &mut State<T, NQ, NV>,
        input: &Input<'_, T, NV>,
        budget: &Budget<T>,
        work: &mut Workspace<T, NB, NV, NC, NR, S>,
    ) -> Result<TickReport<T>, TickError>
    where
        S: Method<T, NV, NR, NC>,
    {
        self.step_with(state, input, budget, work, &mut ())
    }

    /// [`Self::step`] with rows of the caller's own.
    ///
    /// # Errors
    /// See [`TickError`]; the state is then untouched.
    pub fn step_with<S, H, const NC: usize, const NR: usize>(
        &self,
        state: &mut State<T, NQ, NV>,
        input: &Input<'_, T, NV>,
        budget: &Budget<T>,
        work: &mut Workspace<T, NB, NV, NC, NR, S>,
        hooks: &mut H,
    ) -> Result<TickReport<T>, TickError>
    where
        S: Method<T, NV, NR, NC>,
        H: Hooks<T, NB, NQ, NV, NR, NC>,
    {
        let options = &self.tree.description.options;
        if options.integrator != Integrator::Euler {
            return Err(TickError::Integrator(options.integrator));
        }
        let report = self.forward_with(state, input, budget, work, hooks)?;
        let mut next = *state;
        let mut change = work.acceleration;
        let mut shift = [T::zero(); NV];
        if options.flags.euler_damping && options.flags.damper && self.damping(state, &mut shift) {
            change = work.smooth_force + work.constraint_force;
            work.implicit.solve_shifted(&work.smooth.mass, &shift, &mut change)?;
        }
        next.velocity += change * options.step;
        advance(&self.tree, &mut next.configuration, &next.velocity, options.step);
        next.time += options.step;
        next.warm_start = work.acceleration;
        if !all_finite(next.velocity.as_slice()) || !all_finite(&next.configuration) {
            return Err(TickError::Overflow);
        }
        *state = next;
        Ok(report)
    }

    /// h B of each dof; whether any joint has a damper at all.
    fn damping(&self, state: &State<T, NQ, NV>, shift: &mut [T; NV]) -> bool {
        let mut any = false;
        let velocities = self.tree.dofs().iter().zip(state.velocity.iter());
        for ((dof, v), shift) in velocities.zip(shift.iter_mut()) {
            let Some(joint) = self.tree.description.joints.get(usize::from(dof.joint)) else { continue };
            let damper = Damper(joint.damping);
            any |= !damper.is_zero();
            *shift = self.tree.description.options.step * damper.slope(*v);
        }
        any
    }
}
