//! Runge and Kutta's step of fourth order on the manifold of configurations (S15-49, S15-56, X-43).

use super::{Input, Method, TickError, TickReport, Workspace};
use crate::constraint::Hooks;
use crate::integrator::advance_stated;
use crate::integrator::runge_kutta::{trial_shares, weights};
use crate::model::{Model, State};
use crate::scalar::Real;
use crate::solver::Budget;

impl<T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32> Model<'_, T, NB, NQ, NV, U> {
    /// One Runge–Kutta step whatever the model's option says; `&mut ()` for no rows of one's own.
    ///
    /// Each of the four stages is a whole forward pass with the input held, all solves starting from the acceleration that the
    /// step *before* saved. Velocities are combined first, and every configuration is one update from the start. The results in
    /// `work`, and the acceleration that is saved, are the fourth stage's. Dampers are explicit.
    ///
    /// The order is four on hinges and slides where the motion is smooth; contacts, dry friction and limits that switch within a
    /// step break it (S15-51). On free and ball joints it is two: one turn by the mean rate, which is MuJoCo's rule, leaves out
    /// that turns at different times do not commute.
    ///
    /// # Errors
    /// See [`TickError`]; the state is then untouched.
    #[inline(never)] // the temporaries of one integrator are not on the stack of another
    pub fn step_runge_kutta<S, H, const NC: usize, const NR: usize>(
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
        let step = self.tree.description.options.step;
        let mut report = self.forward_with(state, input, budget, work, hooks)?;
        let [first, later @ ..] = weights::<T>();
        // What moves the configuration, and what the velocity: the slopes of this stage, and their weighed sums.
        let (mut slope, mut change) = (state.velocity, work.acceleration);
        let (mut moving, mut changing) = (slope * first, change * first);
        for (share, weight) in trial_shares::<T>().into_iter().zip(later) {
            let mut configuration = state.configuration;
            advance_stated::<T, NB, NQ, NV, U>(&self.tree, &mut configuration, &(slope * share), step);
            slope = state.velocity + change * (share * step);
            report = self.evaluate(&configuration, &slope, &state.warm_start, input, budget, work, hooks)?;
            change = work.acceleration;
            moving += slope * weight;
            changing += change * weight;
        }
        self.conclude(state, state.velocity + changing * step, &moving, &work.acceleration)?;
        Ok(report)
    }
}
