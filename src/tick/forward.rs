//! Forward: measured state in, accelerations and forces out.

use nalgebra::SVector;

use super::{Input, Method, TickError, TickReport, Workspace};
use crate::collision::detect_stated;
use crate::constraint::{Hooks, Scene, assemble, assemble_contacts};
use crate::description::{EqualityKind, Uses};
use crate::dynamics::{bias_force_stated, diagonal_sum, mass_matrix_stated};
use crate::forces::{Actuation, add_tendon_forces, add_wrenches, passive_force};
use crate::kinematics::Kinematics;
use crate::model::{Model, State};
use crate::scalar::{Real, all_finite};
use crate::solver::{Budget, Report, Scale, Stop, WarmStart};

impl<'m, T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32> Model<'m, T, NB, NQ, NV, U> {
    /// Accelerations and constraint forces at a state, which may be measured; integrates nothing. The results are in `work`.
    ///
    /// At any budget, zero included, every force obeys its row's rule.
    ///
    /// # Errors
    /// See [`TickError`].
    pub fn forward<S, const NC: usize, const NR: usize>(
        &self,
        state: &State<T, NQ, NV>,
        input: &Input<'_, T, NV>,
        budget: &Budget<T>,
        work: &mut Workspace<T, NB, NV, NC, NR, S>,
    ) -> Result<TickReport<T>, TickError>
    where
        S: Method<T, NV, NR, NC>,
    {
        self.forward_with(state, input, budget, work, &mut ())
    }

    /// [`Self::forward`] with rows of the caller's own.
    ///
    /// # Errors
    /// See [`TickError`].
    pub fn forward_with<S, H, const NC: usize, const NR: usize>(
        &self,
        state: &State<T, NQ, NV>,
        input: &Input<'_, T, NV>,
        budget: &Budget<T>,
        work: &mut Workspace<T, NB, NV, NC, NR, S>,
        hooks: &mut H,
    ) -> Result<TickReport<T>, TickError>
    where
        S: Method<T, NV, NR, NC>,
        H: Hooks<T, NB, NQ, NV, NR, NC, U>,
    {
        input.check()?;
        self.evaluate(&state.configuration, &state.velocity, &state.warm_start, input, budget, work, hooks)
    }

    /// Everything up to the rows: frames, M, smooth forces, a_u, and the constraints.
    #[allow(clippy::too_many_arguments)] // private: the parts of a state, which a stage of a step replaces
    pub(super) fn prepare<S, H, const NC: usize, const NR: usize>(
        &self,
        configuration: &[T; NQ],
        velocity: &SVector<T, NV>,
        input: &Input<'_, T, NV>,
        work: &mut Workspace<T, NB, NV, NC, NR, S>,
        hooks: &mut H,
    ) -> Result<u16, TickError>
    where
        H: Hooks<T, NB, NQ, NV, NR, NC, U>,
    {
        let is_connect = |index: u16| {
            let kind = self.description().equalities.get(usize::from(index)).map(|equality| &equality.kind);
            matches!(kind, Some(EqualityKind::Connect { .. } | EqualityKind::ConnectSites { .. }))
        };
        let bodies = self.description().bodies.len();
        let stray = input.anchor_motions.iter().position(|motion| !is_connect(motion.equality));
        let stray = stray.or_else(|| input.wrenches.iter().position(|wrench| usize::from(wrench.body) >= bodies));
        if let Some(index) = stray {
            return Err(TickError::Input { index: index as u16 });
        }
        let Workspace { smooth, contacts, first_row, rows, bias_force: bias, passive_force: passive, .. } = work;
        let smooth_force = &mut work.smooth_force;
        smooth.kinematics.place_stated::<NQ, U>(&self.tree, configuration)?;
        smooth.kinematics.move_stated::<NQ, U>(&self.tree, velocity)?;
        mass_matrix_stated::<T, NB, NQ, NV, U>(&self.tree, &smooth.kinematics, &mut smooth.dynamics, &mut smooth.mass)?;
        bias_force_stated::<T, NB, NQ, NV, U>(
            &self.tree,
            &smooth.kinematics,
            &self.gravity(),
            &mut smooth.dynamics,
            bias,
        );
        if self.present.passive {
            passive_force(&self.tree, &smooth.kinematics, configuration, velocity, passive);
        } else {
            *passive = SVector::from_element(T::zero());
        }
        if Uses::from_bits(U).has(Uses::TENDON) && !self.tendons.is_empty() {
            add_tendon_forces(&self.tree, &smooth.kinematics, self.tendons, configuration, velocity, passive);
        }
        *smooth_force = *passive - *bias;
        for (sum, force) in smooth_force.iter_mut().zip(input.force.iter()).take(self.tree.dofs_stated::<U>().len()) {
            *sum += *force;
        }
        if Uses::from_bits(U).has(Uses::ACTUATOR) && !self.tree.description.actuators.is_empty() {
            self.actuation(&smooth.kinematics, configuration, velocity, input)
                .force_stated::<U>(&mut work.actuator_force);
            *smooth_force += work.actuator_force;
        }
        add_wrenches(&self.tree, &smooth.kinematics, input.wrenches, smooth_force);
        let mut free = *smooth_force;
        smooth.mass.solve(&mut free)?;
        if !all_finite(free.as_slice()) {
            return Err(TickError::Overflow);
        }
        work.free_acceleration = free;
        let scene = Scene::new(self, smooth, configuration, velocity);
        assemble(&scene, &input.switches(), rows, hooks)?;
        // Without room for contacts their code is left out.
        if NC == 0 {
            return Ok(assemble_contacts(&scene, &[], first_row, rows, hooks)?);
        }
        let found =
            detect_stated::<T, NC, U>(self.description(), smooth.kinematics.frames(), self.tree.welds(), contacts);
        if let Some(geoms) = found.unsupported {
            return Err(TickError::Boxes { geoms });
        }
        Ok(found.dropped as u16 + assemble_contacts(&scene, contacts, first_row, rows, hooks)?)
    }

    /// The model's actuators in a state whose frames are placed.
    pub(super) fn actuation<'a>(
        &'a self,
        kinematics: &'a Kinematics<T, NB, NV>,
        configuration: &'a [T; NQ],
        velocity: &'a SVector<T, NV>,
        input: &Input<'a, T, NV>,
    ) -> Actuation<'a, 'm, T, NB, NQ, NV> {
        Actuation { tree: &self.tree, kinematics, configuration, velocity, control: input.control }
    }

    /// [`Self::prepare`] and the solve.
    #[allow(clippy::too_many_arguments)] // private: as above
    pub(super) fn evaluate<S, H, const NC: usize, const NR: usize>(
        &self,
        configuration: &[T; NQ],
        velocity: &SVector<T, NV>,
        warm_start: &SVector<T, NV>,
        input: &Input<'_, T, NV>,
        budget: &Budget<T>,
        work: &mut Workspace<T, NB, NV, NC, NR, S>,
        hooks: &mut H,
    ) -> Result<TickReport<T>, TickError>
    where
        S: Method<T, NV, NR, NC>,
        H: Hooks<T, NB, NQ, NV, NR, NC, U>,
    {
        let dropped_contacts = self.prepare(configuration, velocity, input, work, hooks)?;
        let Workspace { smooth, rows, solver, free_acceleration: free, constraint_force, acceleration, .. } = work;
        let amplification = smooth.mass.amplification();
        if rows.is_empty() {
            *acceleration = *free;
            *constraint_force = SVector::from_element(T::zero());
            let solver = Report { stop: Stop::Converged, ..Report::new(WarmStart::Absent) };
            return Ok(TickReport { solver, dropped_contacts, amplification });
        }
        let mut budget = *budget;
        if budget.scale == Scale::MassTrace {
            // Inert dofs do not count.
            let sum = diagonal_sum(&smooth.mass, self.tree.dofs_stated::<U>().len());
            budget.scale =
                Scale::Fixed(T::one() / crate::scalar::larger(sum, crate::scalar::literal(crate::scalar::SMALLEST)));
        }
        let warm_start = self.tree.description.options.flags.warm_start.then_some(warm_start);
        let report = solver.solve(&smooth.mass, free, rows, warm_start, &budget)?;
        *acceleration = *solver.acceleration();
        *constraint_force = rows.generalized_force(solver.force());
        Ok(TickReport { solver: report, dropped_contacts, amplification })
    }
}
