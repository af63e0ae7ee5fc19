//! What the primal methods share: the point, the direction, and everything that follows from them row by row.

use nalgebra::SVector;

use super::law::{Zone, cost_difference};
use super::line_search::{Class, RowState, Section};
use super::{Iterate, Observer, SolverError, WarmStart, measure};
use crate::cone::DIMENSION;
use crate::cone::elliptic::{self, ConePoint};
use crate::cone::line::ConeLine;
use crate::mass::MassMatrix;
use crate::rows::{ConeBlock, Row, Rows, Rule};
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
    /// Behind the last row that is not of an elliptic contact.
    plain: usize,
    /// a − a_u and M (a − a_u).
    pub(super) deviation: [T; NV],
    pub(super) inertia_force: [T; NV],
    pub(super) gradient: [T; NV],
    /// p and M p.
    pub(super) direction: [T; NV],
    pub(super) direction_force: [T; NV],
    pub(super) states: [RowState<T>; NR],
}

/// Of each elliptic contact, where it is and its cost along the direction. Beside [`Primal`], whose type does not know how many
/// contacts there can be.
pub(super) struct Contacts<T, const NC: usize> {
    pub(super) points: heapless::Vec<ConePoint<T>, NC>,
    pub(super) lines: heapless::Vec<ConeLine<T>, NC>,
}

impl<T, const NC: usize> Contacts<T, NC> {
    pub(super) const fn new() -> Self {
        Self { points: heapless::Vec::new(), lines: heapless::Vec::new() }
    }
}

/// Where a solve begins.
pub(super) struct Start {
    pub(super) warm_start: WarmStart,
    /// A row is not in the zone that the last solve with this memory left it in, or a contact slides.
    pub(super) new_piece: bool,
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
            plain: 0,
            deviation: [zero; NV],
            inertia_force: [zero; NV],
            gradient: [zero; NV],
            direction: [zero; NV],
            direction_force: [zero; NV],
            states: [RowState {
                stiffness: zero,
                residual: zero,
                slope: zero,
                zone: Zone::Quadratic,
                class: Class::Free,
            }; NR],
        }
    }

    pub(super) fn force(&self) -> &[T] {
        &self.force[..self.rows.min(NR)]
    }
}

/// Keeps a new force, and the largest change of one.
#[inline(always)]
fn note<T: Real>(old: &mut T, new: T, correction: &mut T) {
    let change = (new - *old).abs();
    if change > *correction {
        *correction = change;
    }
    *old = new;
}

/// One number of each row of a block, normal first.
#[inline(always)]
fn gather<T: Real, const NR: usize>(
    states: &[RowState<T>; NR],
    block: &ConeBlock<T>,
    which: impl Fn(&RowState<T>) -> T,
) -> [T; DIMENSION] {
    let mut numbers = [T::zero(); DIMENSION];
    for (number, state) in numbers.iter_mut().zip(states.get(block.range()).unwrap_or(&[])) {
        *number = which(state);
    }
    numbers
}

impl<T: Real, const NV: usize, const NR: usize> Primal<T, NV, NR> {
    /// Takes the problem and goes to where the solve begins, forces, zones and gradient included: to the saved acceleration if its
    /// objective is not larger than that at a_u, else to a_u; a tie keeps the saved one.
    pub(super) fn begin<const NC: usize>(
        &mut self,
        mass: &MassMatrix<T, NV>,
        free: &[T; NV],
        saved: Option<&[T; NV]>,
        rows: &Rows<T, NV, NR, NC>,
        contacts: &mut Contacts<T, NC>,
    ) -> Result<Start, SolverError> {
        self.plain = if NC == 0 { rows.len() } else { 0 };
        for ((index, row), state) in rows.rows().iter().enumerate().zip(&mut self.states) {
            if NC > 0 && !matches!(row.rule, Rule::Cone) {
                self.plain = index + 1;
            }
            if !(row.regularizer > T::zero()) {
                return Err(SolverError::ZeroRegularizer { row: index as u16 });
            }
            state.class = Class::of(&row.rule);
            state.stiffness = row.stiffness;
        }
        self.rows = rows.len();
        let mut start = Start { warm_start: WarmStart::Absent, new_piece: false };
        let mut at = saved.unwrap_or(free);
        for attempt in 0..2u8 {
            let is_saved = attempt == 0 && saved.is_some();
            for (state, row) in self.states.iter_mut().zip(rows.rows()) {
                state.residual = row.times(at) - row.reference;
            }
            if is_saved {
                for ((d, a), f) in self.deviation.iter_mut().zip(at).zip(free) {
                    *d = *a - *f;
                }
                mass.times_array(&self.deviation, &mut self.inertia_force);
            } else {
                self.deviation = [T::zero(); NV];
                self.inertia_force = [T::zero(); NV];
            }
            start.new_piece |= self.respond(rows, contacts).new_piece;
            self.collect_gradient(rows);
            if !is_saved {
                break;
            }
            if self.beats(free, rows) {
                start.warm_start = WarmStart::Used;
                break;
            }
            start.warm_start = WarmStart::Rejected;
            at = free;
        }
        Ok(start)
    }

    /// Whether the objective here is not larger than at a_u.
    fn beats<const NC: usize>(&mut self, free: &[T; NV], rows: &Rows<T, NV, NR, NC>) -> bool {
        let half_square = dot(&self.deviation, &self.inertia_force) * literal(0.5);
        // The objective is convex, and quadratic beside the rows: F(a_u) ≥ F(a) − gᵀd + ½ dᵀM d. Near the optimum, where g is small,
        // that decides without another look at the rows.
        let lead = half_square - dot(&self.gradient, &self.deviation);
        if lead >= T::zero() && lead.is_finite() {
            return true;
        }
        let mut difference = half_square;
        for (state, row) in self.states.iter_mut().zip(rows.rows()) {
            let z = row.times(free) - row.reference;
            difference += cost_difference(row.rule, state.stiffness, z, state.residual);
            state.slope = z;
        }
        for block in rows.cones() {
            let (free, here) = (gather(&self.states, block, |s| s.slope), gather(&self.states, block, |s| s.residual));
            let change = core::array::from_fn::<T, DIMENSION, _>(|i| here[i] - free[i]);
            difference += block.cone.line(&free, &change).at(T::one()).difference;
        }
        // Not `<= 0` alone: an overflow to NaN must be a rejection.
        difference <= T::zero()
    }

    /// Forces and zones from z.
    pub(super) fn respond<const NC: usize>(
        &mut self,
        rows: &Rows<T, NV, NR, NC>,
        contacts: &mut Contacts<T, NC>,
    ) -> Response<T> {
        let mut response = Response { new_piece: false, new_zone: false, correction: T::zero() };
        let plain = self.states.get_mut(..self.plain).unwrap_or(&mut []);
        for (index, (state, force)) in plain.iter_mut().zip(&mut self.force).enumerate() {
            let answer = state.respond(rows.rows(), index, state.residual);
            // A row of a contact stays as it is until its block answers.
            let (answer, zone) = answer.unwrap_or((*force, state.zone));
            response.new_zone |= zone != state.zone;
            note(force, answer, &mut response.correction);
            state.zone = zone;
        }
        response.new_piece = response.new_zone;
        contacts.points.clear();
        for block in rows.cones() {
            let point = match block.cone.friction() {
                [a, b] => self.answer(block, &[*a, *b], &mut response),
                other => self.answer_any(block, other, &mut response),
            };
            // As many as there are blocks.
            let _ = contacts.points.push(point);
        }
        response
    }

    /// Forces and zone of one elliptic contact; `friction` is the block's, again: where its length is known, the loops unroll.
    #[inline(always)]
    fn answer(&mut self, block: &ConeBlock<T>, friction: &[T], response: &mut Response<T>) -> ConePoint<T> {
        let first = block.first_row();
        let range = first..first + 1 + friction.len();
        let states = self.states.get_mut(range.clone()).unwrap_or(&mut []);
        let forces = self.force.get_mut(range).unwrap_or(&mut []);
        let mut residual = [T::zero(); DIMENSION];
        for (z, state) in residual.iter_mut().zip(&*states) {
            *z = state.residual;
        }
        let point = block.cone.point_by(friction, &residual);
        let zone = match point.zone {
            elliptic::Zone::Top => Zone::Satisfied,
            elliptic::Zone::Bottom => Zone::Quadratic,
            elliptic::Zone::Middle => Zone::Sliding,
        };
        response.new_zone |= states.first().is_some_and(|first| zone != first.zone);
        response.new_piece |= response.new_zone || zone == Zone::Sliding;
        for ((state, force), answer) in states.iter_mut().zip(forces).zip(block.cone.force_by(friction, &point)) {
            note(force, answer, &mut response.correction);
            state.zone = zone;
        }
        point
    }

    #[inline(never)]
    fn answer_any(&mut self, block: &ConeBlock<T>, friction: &[T], response: &mut Response<T>) -> ConePoint<T> {
        self.answer(block, friction, response)
    }

    /// At least as many rows answer as dofs feel them, so that they cannot all be met.
    pub(super) fn is_crowded(&self) -> bool {
        let felt = self.gradient.iter().filter(|g| **g != T::zero()).count();
        usize::from(measure::active(self.force())) >= felt
    }

    /// g = M (a − a_u) − Jᵀ f.
    pub(super) fn collect_gradient<const NC: usize>(&mut self, rows: &Rows<T, NV, NR, NC>) {
        rows.gather_forces(Some(&self.inertia_force), -T::one(), &self.force, &mut self.gradient);
    }

    /// What rounding alone can make of the gradient's norm: a few roundings of the terms that it is the sum of.
    #[inline(never)]
    pub(super) fn gradient_rounding<const NC: usize>(
        &self,
        rows: &Rows<T, NV, NR, NC>,
        contacts: &Contacts<T, NC>,
    ) -> T {
        let mut terms = self.inertia_force.map(|x| x.abs());
        // Over all dofs whatever the row feels: the terms then stay in registers.
        let mut add = |row: &Row<T, NV>, force: T| {
            for (term, j) in terms.iter_mut().zip(&row.jacobian) {
                *term += (*j * force).abs();
            }
        };
        for (row, force) in rows.rows().iter().zip(&self.force) {
            add(row, *force);
        }
        for (block, point) in rows.cones().iter().zip(&contacts.points) {
            let more = block.cone.force_rounding(point) - T::one();
            let (range, own) = (block.range(), block.range());
            for (row, force) in rows.rows().get(range).unwrap_or(&[]).iter().zip(self.force.get(own).unwrap_or(&[])) {
                add(row, *force * more);
            }
        }
        norm(&terms) * T::default_epsilon() * literal(4.0)
    }

    /// M p and J p.
    pub(super) fn project_direction<const NC: usize>(&mut self, mass: &MassMatrix<T, NV>, rows: &Rows<T, NV, NR, NC>) {
        mass.times_array(&self.direction, &mut self.direction_force);
        for (state, row) in self.states.iter_mut().zip(rows.rows()) {
            state.slope = row.times(&self.direction);
        }
    }

    /// The objective along the direction, whose slope at the point is `start`.
    pub(super) fn section<'a, const NC: usize>(
        &'a self,
        rows: &'a Rows<T, NV, NR, NC>,
        start: T,
        contacts: &'a mut Contacts<T, NC>,
    ) -> Section<'a, T, NV> {
        contacts.lines.clear();
        for (block, point) in rows.cones().iter().zip(&contacts.points) {
            let line = match block.cone.friction() {
                [a, b] => self.line(block, &[*a, *b], point),
                other => self.line_any(block, other, point),
            };
            let _ = contacts.lines.push(line);
        }
        Section {
            rows: rows.rows(),
            plain: self.states.get(..self.plain).unwrap_or(&[]),
            states: &self.states,
            lines: if NC == 0 { &mut [] } else { &mut contacts.lines },
            force: &self.force,
            inertia_curvature: dot(&self.direction, &self.direction_force),
            start,
        }
    }

    /// One elliptic contact's cost along the direction; `friction` as for [`Self::answer`].
    #[inline(always)]
    fn line(&self, block: &ConeBlock<T>, friction: &[T], point: &ConePoint<T>) -> ConeLine<T> {
        let first = block.first_row();
        let mut slope = [T::zero(); DIMENSION];
        for (s, state) in slope.iter_mut().zip(self.states.get(first..first + 1 + friction.len()).unwrap_or(&[])) {
            *s = state.slope;
        }
        block.cone.line_by(friction, point, &slope)
    }

    #[inline(never)]
    fn line_any(&self, block: &ConeBlock<T>, friction: &[T], point: &ConePoint<T>) -> ConeLine<T> {
        self.line(block, friction, point)
    }

    /// Goes `step` along the direction.
    pub(super) fn advance(&mut self, step: T) {
        add_scaled(&mut self.deviation, step, &self.direction);
        add_scaled(&mut self.inertia_force, step, &self.direction_force);
        for state in self.states.get_mut(..self.rows).unwrap_or(&mut []) {
            state.residual += step * state.slope;
        }
    }

    /// ½ gᵀ M⁻¹ g: with forces that answer z by the law, all of the gap lies in the equation of motion.
    pub(super) fn duality_gap(&self, mass: &MassMatrix<T, NV>) -> T {
        mass.inverse_square(&self.gradient) * literal(0.5)
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
