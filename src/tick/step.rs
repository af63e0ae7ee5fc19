//! Step: forward, then the state moves on.

use nalgebra::SVector;

use super::{Input, Method, TickError, TickReport, Workspace};
use crate::constraint::Hooks;
use crate::description::Integrator;
use crate::forces::Damper;
use crate::integrator::advance_stated;
use crate::model::{Model, State};
use crate::scalar::{Real, literal};
use crate::solver::Budget;

impl<T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32> Model<'_, T, NB, NQ, NV, U> {
    /// One step of the model's integrator. The results in `work` belong to the state before it.
    ///
    /// The integrator is a number in the description, so all four are linked. Firmware that wants only one calls
    /// [`Self::step_euler`], [`Self::step_runge_kutta`], [`Self::step_implicit`] or [`Self::step_implicit_fast`].
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
        H: Hooks<T, NB, NQ, NV, NR, NC, U>,
    {
        match self.tree.description.options.integrator {
            Integrator::Euler => self.step_euler(state, input, budget, work, hooks),
            Integrator::RungeKutta => self.step_runge_kutta(state, input, budget, work, hooks),
            Integrator::Implicit => self.step_implicit(state, input, budget, work, hooks),
            Integrator::ImplicitFast => self.step_implicit_fast(state, input, budget, work, hooks),
        }
    }

    /// One semi-implicit Euler step whatever the model's option says, joint damping implicit by the flag (S15-43, X-40).
    /// `&mut ()` for no rows of one's own.
    ///
    /// # Errors
    /// See [`TickError`]; the state is then untouched.
    #[inline(never)] // the temporaries of one integrator are not on the stack of another
    pub fn step_euler<S, H, const NC: usize, const NR: usize>(
        &self,
        state: &mut State<T, NQ, NV>,
        input: &Input<'_, T, NV>,
        budget: &Budget<T>,
        work: &mut Workspace<T, NB, NV, NC, NR, S>,
        hooks: &mut H,
    ) -> Result<TickReport<T>, TickError>
    where
        S: Method<T, NV, NR, NC>,
        H: Hooks<T, NB, NQ, NV, NR, NC, U>,
    {
        let options = &self.tree.description.options;
        let report = self.forward_with(state, input, budget, work, hooks)?;
        let mut change = work.acceleration;
        let mut shift = [T::zero(); NV];
        if options.flags.euler_damping && self.damping(&state.velocity, &mut shift) {
            change = work.smooth_force + work.constraint_force;
            work.implicit.solve_shifted(&work.smooth.mass, &shift, &mut change)?;
        }
        let velocity = state.velocity + change * options.step;
        self.conclude(state, velocity, &velocity, &work.acceleration)?;
        Ok(report)
    }

    /// h B of each dof; whether any joint has a damper that is switched on.
    pub(super) fn damping(&self, velocity: &SVector<T, NV>, shift: &mut [T; NV]) -> bool {
        let options = &self.tree.description.options;
        if !options.flags.damper || !self.present.damping {
            return false;
        }
        let mut any = false;
        for ((dof, v), shift) in self.tree.dofs_stated::<U>().iter().zip(velocity.iter()).zip(shift.iter_mut()) {
            let Some(joint) = self.tree.description.joints.get(usize::from(dof.joint)) else { continue };
            let damper = Damper(joint.damping);
            any |= !damper.is_zero();
            *shift = options.step * damper.slope(*v);
        }
        any
    }

    /// The end of every step: the configuration moves from where it is with `moving`, the velocity becomes `velocity`, and the
    /// next solve starts from `acceleration`.
    ///
    /// # Errors
    /// [`TickError::Overflow`]; the state is then untouched.
    pub(super) fn conclude(
        &self,
        state: &mut State<T, NQ, NV>,
        velocity: SVector<T, NV>,
        moving: &SVector<T, NV>,
        acceleration: &SVector<T, NV>,
    ) -> Result<(), TickError> {
        let step = self.tree.description.options.step;
        let mut configuration = state.configuration;
        advance_stated::<T, NB, NQ, NV, U>(&self.tree, &mut configuration, moving, step);
        // What the next tick would refuse is refused here, while the state is still the last good one.
        let bound = literal(1e10);
        let sound = |numbers: &[T]| numbers.iter().all(|x| x.abs() <= bound);
        if !sound(velocity.as_slice()) || !sound(&configuration) {
            return Err(TickError::Overflow);
        }
        *state = State { time: state.time + step, configuration, velocity, warm_start: *acceleration };
        Ok(())
    }
}
