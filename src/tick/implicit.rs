//! Velocity-implicit steps: v₊ = v + h (M − h D)⁻¹ (smooth + constraint force), constraint forces held (S15-52, S15-63, X-41).

use nalgebra::{SVector, Vector3};

use super::{Input, Method, TickError, TickReport, Workspace};
use crate::constraint::Hooks;
use crate::description::{Joint, JointKind, Transmission, Uses};
use crate::dynamics::add_bias_derivative;
use crate::forces::{Damper, add_tendon_damping};
use crate::integrator::FreeBody;
use crate::kinematics::Kinematics;
use crate::model::{Model, State};
use crate::scalar::Real;
use crate::solver::Budget;
use crate::tendon::leaves_chain;

impl<T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32> Model<'_, T, NB, NQ, NV, U> {
    /// One velocity-implicit step with the derivatives of all smooth forces, whatever the model's option says; `&mut ()` for no
    /// rows of one's own. The flag of Euler's damping has no effect. Reported and saved is the solver's acceleration.
    ///
    /// # Errors
    /// See [`TickError`]; the state is then untouched.
    #[inline(never)] // the temporaries of one integrator are not on the stack of another
    pub fn step_implicit<S, H, const NC: usize, const NR: usize>(
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
        let report = self.forward_with(state, input, budget, work, hooks)?;
        let step = self.tree.description.options.step;
        let mut shift = [T::zero(); NV];
        self.damping(&state.velocity, &mut shift);
        let mut change = work.smooth_force + work.constraint_force;
        let Workspace { smooth, implicit, .. } = work;
        let (along, joined) = (self.has_damping_along(), self.joins_branches());
        let add = |rows: &mut [[T; NV]; NV]| {
            add_bias_derivative(&self.tree, &smooth.kinematics, &state.velocity, &smooth.dynamics, step, rows);
            add_diagonal(rows, &shift);
            if along {
                self.add_damping_along(&smooth.kinematics, &state.configuration, &state.velocity, input, rows);
            }
        };
        implicit.solve_changed(&smooth.mass, joined, add, &mut change)?;
        let velocity = state.velocity + change * step;
        self.conclude(state, velocity, &velocity, &work.acceleration)?;
        Ok(report)
    }

    /// [`Self::step_implicit`] without the derivative of the bias force, so that the matrix is symmetric; free bodies that nothing
    /// touches go by the midpoint rule, and their acceleration in `work` becomes (v₊ − v)/h. Saved is the solver's.
    ///
    /// # Errors
    /// See [`TickError`]; the state is then untouched.
    #[inline(never)] // the temporaries of one integrator are not on the stack of another
    pub fn step_implicit_fast<S, H, const NC: usize, const NR: usize>(
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
        let report = self.forward_with(state, input, budget, work, hooks)?;
        let step = self.tree.description.options.step;
        let mut shift = [T::zero(); NV];
        self.damping(&state.velocity, &mut shift);
        let mut change = work.smooth_force + work.constraint_force;
        let Workspace { smooth, implicit, .. } = work;
        if self.has_damping_along() {
            let add = |columns: &mut [[T; NV]; NV]| {
                add_diagonal(columns, &shift);
                self.add_damping_along(&smooth.kinematics, &state.configuration, &state.velocity, input, columns);
            };
            implicit.solve_symmetric(&smooth.mass, self.joins_branches(), add, &mut change)?;
        } else {
            implicit.solve_shifted(&smooth.mass, &shift, &mut change)?;
        }
        let mut velocity = state.velocity + change * step;
        let mut moving = velocity;
        let mut reported = work.acceleration;
        let mut dof = 0;
        for joint in self.tree.description.joints {
            let own = dof..dof + joint.kind.dofs();
            dof = own.end;
            let touched = || {
                let mut rows = work.rows.rows().iter();
                rows.any(|row| row.jacobian().get(own.clone()).is_some_and(|j| j.iter().any(|x| *x != T::zero())))
            };
            if joint.kind != JointKind::Free || !self.stands_alone(joint.body) || touched() {
                continue;
            }
            let Some(result) = self.free_body(joint, own.start, &state.velocity, work).map(|body| body.midpoint(step))
            else {
                continue;
            };
            let mut put = |place: usize, after: &Vector3<T>, along: &Vector3<T>| {
                for axis in 0..3 {
                    if let (Some(new), Some(old)) = (velocity.get_mut(place + axis), state.velocity.get(place + axis))
                        && let (Some(mover), Some(rate)) =
                            (moving.get_mut(place + axis), reported.get_mut(place + axis))
                    {
                        (*new, *mover) = (after[axis], along[axis]);
                        *rate = (after[axis] - *old) / step;
                    }
                }
            };
            if let Some(linear) = result.linear {
                put(own.start, &linear.after, &linear.moving);
            }
            put(own.start + 3, &result.angular, &result.middle);
        }
        self.conclude(state, velocity, &moving, &work.acceleration)?;
        work.acceleration = reported;
        Ok(report)
    }

    /// Whether anything but joints may be damped: tendons, or actuators.
    fn has_damping_along(&self) -> bool {
        let uses = Uses::from_bits(U);
        (uses.has(Uses::TENDON) && !self.tendons.is_empty())
            || (uses.has(Uses::ACTUATOR) && !self.tree.description.actuators.is_empty())
    }

    /// Whether a tendon's damper or actuator has a derivative between branches of the tree, so that the factor must be dense.
    fn joins_branches(&self) -> bool {
        let description = self.tree.description;
        let uses = Uses::from_bits(U).has(Uses::TENDON);
        uses && description.tendons.iter().enumerate().any(|(index, tendon)| {
            let pulled = || {
                let own = Transmission::Tendon(index as u16);
                description.actuators.iter().any(|actuator| actuator.transmission == own)
            };
            (!Damper(tendon.damping).is_zero() || pulled()) && leaves_chain(&self.tree, tendon)
        })
    }

    /// Adds h times minus the derivative of the forces of tendons' dampers and of actuators by the velocity.
    fn add_damping_along(
        &self,
        kinematics: &Kinematics<T, NB, NV>,
        configuration: &[T; NQ],
        velocity: &SVector<T, NV>,
        input: &Input<'_, T, NV>,
        rows: &mut [[T; NV]; NV],
    ) {
        let step = self.tree.description.options.step;
        if Uses::from_bits(U).has(Uses::TENDON) && !self.tendons.is_empty() {
            add_tendon_damping(&self.tree, kinematics, velocity, step, rows);
        }
        if Uses::from_bits(U).has(Uses::ACTUATOR) && !self.tree.description.actuators.is_empty() {
            self.actuation(kinematics, configuration, velocity, input).add_damping_stated::<U>(step, rows);
        }
    }

    /// Whether nothing is attached to a body under a free joint but jointless bodies without mass.
    fn stands_alone(&self, body: u16) -> bool {
        let welds = self.tree.welds();
        let part_of_it = |other: Option<u16>| other.and_then(|other| *welds.get(usize::from(other))?) == Some(body);
        for (index, (other, weld)) in self.tree.description.bodies.iter().zip(welds).enumerate() {
            let same = *weld == Some(body);
            let heavy = same && index != usize::from(body) && other.mass != T::zero();
            if heavy || (!same && part_of_it(other.parent)) {
                return false;
            }
        }
        true
    }

    /// A body as the midpoint rule sees it: smooth and constraint forces without bias, and gravity by itself.
    fn free_body<S, const NC: usize, const NR: usize>(
        &self,
        joint: &Joint<T>,
        dof: usize,
        velocity: &SVector<T, NV>,
        work: &Workspace<T, NB, NV, NC, NR, S>,
    ) -> Option<FreeBody<T>> {
        let index = usize::from(joint.body);
        let body = self.tree.description.bodies.get(index)?;
        let three =
            |x: &SVector<T, NV>, from: usize| x.as_slice().get(from..)?.first_chunk::<3>().map(|x| Vector3::from(*x));
        let force = work.smooth_force + work.constraint_force + work.bias_force;
        Some(FreeBody {
            mass: body.mass,
            inertia: body.inertia,
            inertia_orientation: self.tree.bodies.get(index)?.inertia_orientation,
            center: Vector3::from(body.center),
            orientation: work.smooth.kinematics.frames.get(index)?.orientation,
            linear: three(velocity, dof)?,
            angular: three(velocity, dof + 3)?,
            force: three(&force, dof)?,
            torque: three(&force, dof + 3)?,
            gravity: self.gravity(),
        })
    }
}

fn add_diagonal<T: Real, const NV: usize>(rows: &mut [[T; NV]; NV], shift: &[T; NV]) {
    for (k, (row, shift)) in rows.iter_mut().zip(shift).enumerate() {
        row[k] += *shift;
    }
}
