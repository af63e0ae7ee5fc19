//! What the primal methods share: the point, the direction, and everything that follows from them row by row.

use nalgebra::SVector;

use super::law::{Zone, cost_difference, respond};
use super::line_search::{RowState, Section};
use super::{Iterate, Observer, SolverError, measure};
use crate::cone::elliptic;
use crate::cone::line::ConeLine;
use crate::mass::MassMatrix;
use crate::rows::{ConeBlock, Rows};
use crate::scalar::{Real, add_scaled, all_finite, dot, literal, norm};

/// Point and direction of a primal method.
///
/// The row residuals z are carried along, z ← z + α J p, and never formed anew from a: forming them anew would put the rounding of
/// a_ref, times 1/R, into the forces.
#[derive(Clone, Debug)]
pub(super) struct Primal<T, const NV: usize, const NR: usize> {
    pub(super) acceleration: SVector<T, NV>,
    pub(super) force: [T; NR],
    pub(super) rows: usize,
    /// a − a_u and M (a − a_u).
    pub(super) deviation: [T; NV],
    pub(super) inertia_force: [T; NV],
    pub(super) gradient: [T; NV],
    /// p and M p.
    pub(super) direction: [T; NV],
    pub(super) direction_force: [T; NV],
    pub(super) states: [RowState<T>; NR],
}

/// What changed when the rows answered to a new point.
pub(super) struct Response<T> {
    /// The Hessian is another one: a row changed its zone, or a contact slides.
    pub(super) new_piece: bool,
    /// A row or block changed its zone.
    pub(super) new_zone: bool,
    /// Largest change of a force.
    pub(super) correction: T,
}

impl<T: Copy, const NV: usize, const NR: usize> Primal<T, NV, NR> {
    pub(super) const fn filled(zero: T) -> Self {
        Self {
            acceleration: measure::vector(zero),
            force: [zero; NR],
            rows: 0,
            deviation: [zero; NV],
            inertia_force: [zero; NV],
            gradient: [zero; NV],
            direction: [zero; NV],
            direction_force: [zero; NV],
            states: [RowState { stiffness: zero, residual: zero, slope: zero, zone: Zone::Quadratic }; NR],
        }
    }

    pub(super) fn force(&self) -> &[T] {
        &self.force[..self.rows.min(NR)]
    }
}

/// z and J p of a block, normal first.
#[inline(always)]
fn gather<T: Real, const NR: usize>(states: &[RowState<T>; NR], block: &ConeBlock<T>) -> ([T; 6], [T; 6]) {
    let (mut residual, mut slope) = ([T::zero(); 6], [T::zero(); 6]);
    let states = states.get(block.range()).unwrap_or(&[]);
    for ((z, s), state) in residual.iter_mut().zip(&mut slope).zip(states) {
        (*z, *s) = (state.residual, state.slope);
    }
    (residual, slope)
}

impl<T: Real, const NV: usize, const NR: usize> Primal<T, NV, NR> {
    /// Takes the problem and goes to a_u: no deviation, z = J a_u − a_ref.
    pub(super) fn start<const NC: usize>(
        &mut self,
        free: &[T; NV],
        rows: &Rows<T, NV, NR, NC>,
    ) -> Result<(), SolverError> {
        for ((index, row), state) in rows.rows().iter().enumerate().zip(&mut self.states) {
            if !(row.regularizer > T::zero()) {
                return Err(SolverError::ZeroRegularizer { row: index as u16 });
            }
            state.stiffness = T::one() / row.regularizer;
            state.residual = dot(&row.jacobian, free) - row.reference;
        }
        self.rows = rows.len();
        self.deviation = [T::zero(); NV];
        self.inertia_force = [T::zero(); NV];
        Ok(())
    }

    /// Moves to the saved acceleration if its objective is not larger than that at a_u; a tie keeps the saved one.
    pub(super) fn start_from<const NC: usize>(
        &mut self,
        mass: &MassMatrix<T, NV>,
        free: &[T; NV],
        saved: &[T; NV],
        rows: &Rows<T, NV, NR, NC>,
    ) -> bool {
        for ((d, a), f) in self.direction.iter_mut().zip(saved).zip(free) {
            *d = *a - *f;
        }
        mass.times_array(&self.direction, &mut self.direction_force);
        let mut difference = dot(&self.direction, &self.direction_force) * literal(0.5);
        for (state, row) in self.states.iter_mut().zip(rows.rows()) {
            let z = dot(&row.jacobian, saved) - row.reference;
            difference += cost_difference(row.rule, state.stiffness, state.residual, z);
            state.slope = z - state.residual;
        }
        for block in rows.cones() {
            let (residual, change) = gather(&self.states, block);
            difference += block.cone.line(&residual, &change).at(T::one()).difference;
        }
        // Not `<= 0` alone: an overflow to NaN must be a rejection.
        let better = difference <= T::zero();
        if better {
            self.deviation = self.direction;
            self.inertia_force = self.direction_force;
            for (state, row) in self.states.iter_mut().zip(rows.rows()) {
                state.residual = dot(&row.jacobian, saved) - row.reference;
            }
        }
        better
    }

    /// Forces and zones from z.
    pub(super) fn respond<const NC: usize>(&mut self, rows: &Rows<T, NV, NR, NC>) -> Response<T> {
        let mut response = Response { new_piece: false, new_zone: false, correction: T::zero() };
        let mut note = |old: &mut T, new: T| {
            let change = (new - *old).abs();
            if change > response.correction {
                response.correction = change;
            }
            *old = new;
        };
        for ((row, state), force) in rows.rows().iter().zip(&mut self.states).zip(&mut self.force) {
            if row.rule == crate::rows::Rule::Cone {
                continue;
            }
            let (answer, zone) = respond(row.rule, state.stiffness, state.residual);
            response.new_zone |= zone != state.zone;
            note(force, answer);
            state.zone = zone;
        }
        response.new_piece = response.new_zone;
        for block in rows.cones() {
            let (residual, _) = gather(&self.states, block);
            let point = block.cone.point(&residual);
            let zone = match point.zone {
                elliptic::Zone::Top => Zone::Satisfied,
                elliptic::Zone::Bottom => Zone::Quadratic,
                elliptic::Zone::Middle => Zone::Sliding,
            };
            let range = block.range();
            let (Some(states), Some(forces)) = (self.states.get_mut(range.clone()), self.force.get_mut(range)) else {
                continue;
            };
            for ((state, force), answer) in states.iter_mut().zip(forces).zip(block.cone.force(&point)) {
                response.new_zone |= zone != state.zone;
                note(force, answer);
                state.zone = zone;
            }
            response.new_piece |= response.new_zone || zone == Zone::Sliding;
        }
        response
    }

    /// g = M (a − a_u) − Jᵀ f.
    pub(super) fn collect_gradient<const NC: usize>(&mut self, rows: &Rows<T, NV, NR, NC>) {
        self.gradient = self.inertia_force;
        for (row, force) in rows.rows().iter().zip(&self.force) {
            if *force != T::zero() {
                add_scaled(&mut self.gradient, -*force, &row.jacobian);
            }
        }
    }

    /// What rounding alone can make of the gradient's norm: a few roundings of the terms that it is the sum of.
    pub(super) fn gradient_rounding<const NC: usize>(&self, rows: &Rows<T, NV, NR, NC>) -> T {
        let mut terms = self.inertia_force.map(|x| x.abs());
        for (row, force) in rows.rows().iter().zip(&self.force) {
            for (term, j) in terms.iter_mut().zip(&row.jacobian) {
                *term += (*j * *force).abs();
            }
        }
        norm(&terms) * T::default_epsilon() * literal(4.0)
    }

    /// M p and J p.
    pub(super) fn project_direction<const NC: usize>(&mut self, mass: &MassMatrix<T, NV>, rows: &Rows<T, NV, NR, NC>) {
        mass.times_array(&self.direction, &mut self.direction_force);
        for (state, row) in self.states.iter_mut().zip(rows.rows()) {
            state.slope = dot(&row.jacobian, &self.direction);
        }
    }

    /// The objective along the direction, whose slope at the point is `start`; `lines` gets one entry a cone.
    pub(super) fn section<'a, const NC: usize>(
        &'a self,
        rows: &'a Rows<T, NV, NR, NC>,
        start: T,
        lines: &'a mut heapless::Vec<ConeLine<T>, NC>,
    ) -> Section<'a, T, NV> {
        lines.clear();
        for block in rows.cones() {
            let (residual, slope) = gather(&self.states, block);
            // As many as there are blocks.
            let _ = lines.push(block.cone.line(&residual, &slope));
        }
        Section {
            rows: rows.rows(),
            states: &self.states,
            lines,
            force: &self.force,
            inertia_curvature: dot(&self.direction, &self.direction_force),
            start,
        }
    }

    /// Goes `step` along the direction, on which the objective starts with `slope`, and returns how far it fell: half the slope
    /// where the step minimises a quadratic, else the slope and what each row deviates from it.
    pub(super) fn advance<const NC: usize>(
        &mut self,
        rows: &Rows<T, NV, NR, NC>,
        step: T,
        slope: T,
        same_piece: bool,
        lines: &heapless::Vec<ConeLine<T>, NC>,
    ) -> T {
        let half = literal::<T>(0.5);
        let gained = if same_piece {
            -half * slope * step
        } else {
            let mut rise = step * (slope + half * step * dot(&self.direction, &self.direction_force));
            for ((row, state), force) in rows.rows().iter().zip(&self.states).zip(&self.force) {
                if row.rule == crate::rows::Rule::Cone {
                    continue;
                }
                let (z, change) = (state.residual, step * state.slope);
                let (_, zone) = respond(row.rule, state.stiffness, z + change);
                if zone != state.zone {
                    rise += cost_difference(row.rule, state.stiffness, z, z + change) + *force * change;
                } else if zone == Zone::Quadratic {
                    rise += half * state.stiffness * change * change;
                }
            }
            for line in lines {
                rise += line.from_tangent(step).difference;
            }
            -rise
        };
        add_scaled(&mut self.deviation, step, &self.direction);
        add_scaled(&mut self.inertia_force, step, &self.direction_force);
        for (state, _) in self.states.iter_mut().zip(rows.rows()) {
            state.residual += step * state.slope;
        }
        gained
    }

    /// ½ gᵀ M⁻¹ g: with forces that answer z by the law, all of the gap lies in the equation of motion.
    pub(super) fn duality_gap(&mut self, mass: &MassMatrix<T, NV>) -> T {
        let mut response = self.gradient;
        mass.solve_array(&mut response);
        let gap = dot(&self.gradient, &response) * literal(0.5);
        // NaN stays NaN: it must not pass for an optimum.
        if gap < T::zero() { T::zero() } else { gap }
    }

    pub(super) fn show<O: Observer<T>>(&mut self, observer: &mut O, free: &[T; NV], iteration: u16, step: T) {
        if O::ACTIVE {
            self.add_up(free);
            observer.iterate(&Iterate {
                iteration,
                acceleration: self.acceleration.as_slice(),
                force: self.force(),
                gradient: &self.gradient,
                step,
            });
        }
    }

    fn add_up(&mut self, free: &[T; NV]) {
        for ((a, e), f) in self.acceleration.iter_mut().zip(&self.deviation).zip(free) {
            *a = *e + *f;
        }
    }

    /// The answer, if it is one.
    pub(super) fn finish(&mut self, free: &[T; NV]) -> Result<(), SolverError> {
        self.add_up(free);
        if all_finite(self.acceleration.as_slice()) && all_finite(self.force()) {
            Ok(())
        } else {
            Err(SolverError::Overflow)
        }
    }
}
