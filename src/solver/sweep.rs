//! The sweep itself: what a row or a block needs from the others, one visit of it, and when to stop.
//!
//! Every intermediate force obeys its row's rule, so stopping anywhere is safe. An elliptic contact is visited as one block, by the
//! exact step of [`crate::cone::block`].

use nalgebra::SVector;

use super::law::{self, respond};
use super::{Budget, Delassus, Iterate, Measure, Observer, Report, SolverError, Stop, WarmStart, measure};
use crate::cone::block::minimize_sized;
use crate::cone::{DIMENSION, FRICTIONS};
use crate::mass::MassMatrix;
use crate::rows::{ConeBlock, Row, Rows, Rule};
use crate::scalar::{Real, SMALLEST, add_scaled, all_finite, dot, larger, literal};

#[derive(Clone, Debug)]
pub(super) struct Answer<T, const NV: usize, const NR: usize> {
    pub(super) acceleration: SVector<T, NV>,
    pub(super) force: [T; NR],
    /// H_ii.
    pub(super) diagonal: [T; NR],
    pub(super) rows: usize,
}

impl<T: Copy, const NV: usize, const NR: usize> Answer<T, NV, NR> {
    pub(super) const fn filled(zero: T) -> Self {
        Self { acceleration: measure::vector(zero), force: [zero; NR], diagonal: [zero; NR], rows: 0 }
    }

    pub(super) fn force(&self) -> &[T] {
        &self.force[..self.rows.min(NR)]
    }
}

/// What the sweep needs from either way of finding w.
pub(super) trait Operator<T, const NV: usize, const NR: usize> {
    /// J_i a − a_ref,i with the forces as they are.
    fn deviation(&self, index: usize, row: &Row<T, NV>, answer: &Answer<T, NV, NR>) -> T;
    /// A_ij, of two rows of one block.
    fn coupling(&self, i: usize, j: usize, row: &Row<T, NV>) -> T;
    /// Takes note that force `index` changed by `change`.
    fn changed(&self, index: usize, change: T, answer: &mut Answer<T, NV, NR>);
}

pub(super) struct MatrixFree<'a, T, const NV: usize, const NR: usize>(pub(super) &'a [[T; NV]; NR]);

impl<T: Real, const NV: usize, const NR: usize> Operator<T, NV, NR> for MatrixFree<'_, T, NV, NR> {
    #[inline(always)]
    fn deviation(&self, _index: usize, row: &Row<T, NV>, answer: &Answer<T, NV, NR>) -> T {
        row.times(measure::array(&answer.acceleration)) - row.reference
    }

    #[inline(always)]
    fn coupling(&self, _i: usize, j: usize, row: &Row<T, NV>) -> T {
        self.0.get(j).map_or(T::zero(), |response| row.times(response))
    }

    #[inline(always)]
    fn changed(&self, index: usize, change: T, answer: &mut Answer<T, NV, NR>) {
        if let Some(response) = self.0.get(index) {
            add_scaled(answer.acceleration.as_mut_slice(), change, response);
        }
    }
}

/// z from the acceleration that is returned; nothing is solved any more.
struct FromAcceleration;

impl<T: Real, const NV: usize, const NR: usize> Operator<T, NV, NR> for FromAcceleration {
    fn deviation(&self, _index: usize, row: &Row<T, NV>, answer: &Answer<T, NV, NR>) -> T {
        row.times(measure::array(&answer.acceleration)) - row.reference
    }

    fn coupling(&self, _i: usize, _j: usize, _row: &Row<T, NV>) -> T {
        T::zero()
    }

    fn changed(&self, _index: usize, _change: T, _answer: &mut Answer<T, NV, NR>) {}
}

pub(super) struct Formed<'a, T, const NR: usize> {
    pub(super) delassus: &'a Delassus<T, NR>,
    pub(super) offset: &'a [T; NR],
}

impl<T: Real, const NV: usize, const NR: usize> Operator<T, NV, NR> for Formed<'_, T, NR> {
    #[inline(always)]
    fn deviation(&self, index: usize, _row: &Row<T, NV>, answer: &Answer<T, NV, NR>) -> T {
        let offset = self.offset.get(index).copied().unwrap_or(T::zero());
        offset + dot(self.delassus.column(index), &answer.force)
    }

    #[inline(always)]
    fn coupling(&self, i: usize, j: usize, _row: &Row<T, NV>) -> T {
        self.delassus.column(i).get(j).copied().unwrap_or(T::zero())
    }

    #[inline(always)]
    fn changed(&self, _index: usize, _change: T, _answer: &mut Answer<T, NV, NR>) {}
}

impl<T: Real, const NV: usize, const NR: usize> Answer<T, NV, NR> {
    /// The forces with which the rows answer to an acceleration.
    pub(super) fn answer_to<const NC: usize>(&mut self, acceleration: &SVector<T, NV>, rows: &Rows<T, NV, NR, NC>) {
        for (force, row) in self.force.iter_mut().zip(rows.rows()) {
            let z = row.times(measure::array(acceleration)) - row.reference;
            *force = respond(row.rule, T::one() / floored(row.regularizer), z).0;
        }
        for block in rows.cones() {
            let (Some(rows), Some(forces)) = (rows.rows().get(block.range()), self.force.get_mut(block.range())) else {
                continue;
            };
            let mut z = [T::zero(); DIMENSION];
            for (z, row) in z.iter_mut().zip(rows) {
                *z = row.times(measure::array(acceleration)) - row.reference;
            }
            for (force, answer) in forces.iter_mut().zip(block.cone.force(&block.cone.point(&z))) {
                *force = answer;
            }
        }
    }

    /// a ← a + M⁻¹ Jᵀ f over the rows; what an earlier solve left beyond them, perhaps NaN, does not enter.
    pub(super) fn add_responses(&mut self, responses: &[[T; NV]; NR]) {
        for (response, force) in responses.iter().zip(&self.force).take(self.rows) {
            add_scaled(self.acceleration.as_mut_slice(), *force, response);
        }
    }

    /// Keeps the forces if (twice) their dual objective is not above zero; NaN from an overflow is above.
    pub(super) fn keep_if(&mut self, objective: T, free_acceleration: &SVector<T, NV>) -> WarmStart {
        if objective <= T::zero() {
            return WarmStart::Used;
        }
        self.force = [T::zero(); NR];
        self.acceleration = *free_acceleration;
        WarmStart::Rejected
    }
}

/// R, or the floor that stands for a hard row on the dual side.
#[inline(always)]
pub(super) fn floored<T: Real>(regularizer: T) -> T {
    larger(regularizer, literal(SMALLEST))
}

#[allow(clippy::too_many_arguments)] // private: the two public doors above are its only callers
pub(super) fn sweep<T: Real, const NV: usize, const NR: usize, const NC: usize, O: Observer<T>>(
    mass: &MassMatrix<T, NV>,
    free: &SVector<T, NV>,
    operator: &impl Operator<T, NV, NR>,
    rows: &Rows<T, NV, NR, NC>,
    warm_start: WarmStart,
    budget: &Budget<T>,
    answer: &mut Answer<T, NV, NR>,
    observer: &mut O,
) -> Result<Report<T>, SolverError> {
    if !all_finite(&answer.diagonal[..rows.len().min(NR)]) {
        return Err(SolverError::Overflow); // an infinite H_ii would freeze its row at the force that it has
    }
    let scale = budget.scale.value(mass);
    let mut report = Report::new(warm_start);
    // b_i is a difference of these terms, so their rounding is what a force can be off by, even if it is zero itself.
    let mut terms = T::zero();
    for (row, diagonal) in rows.rows().iter().zip(&answer.diagonal) {
        let size = row.add_size(row.reference.abs(), measure::array(free));
        terms = larger(size / *diagonal, terms);
    }
    // With contacts: the smallest correction of the sweeps in a row in which no contact's fall was visible, and how many of them
    // made none smaller.
    let (mut smallest, mut idle) = (None, 0u8);
    show(observer, 0, answer);
    if rows.is_empty() {
        report.stop = Stop::Converged;
    }
    while report.stop == Stop::BudgetSpent && report.iterations < budget.iterations {
        report.iterations += 1;
        let (mut correction, mut largest, mut improvement) = (T::zero(), terms, T::zero());
        let mut visible = rows.cones().is_empty();
        let mut cones = rows.cones().iter().peekable();
        for (index, row) in rows.rows().iter().enumerate() {
            if row.rule == Rule::Cone {
                // The block is visited at its normal row.
                // Without room for contacts the compiler must see that there is none, and leave their code out.
                if NC > 0
                    && cones.peek().is_some_and(|block| block.first_row() == index)
                    && let Some(block) = cones.next()
                {
                    let visit = visit_cone(operator, rows, block, answer);
                    correction = larger(visit.correction, correction);
                    largest = larger(visit.largest, largest);
                    improvement += visit.improvement;
                    visible |= visit.visible;
                    observer.row_update(index, answer.force());
                }
                continue;
            }
            let (Some(&old), Some(&diagonal)) = (answer.force.get(index), answer.diagonal.get(index)) else { break };
            let residual = operator.deviation(index, row, answer) + floored(row.regularizer) * old;
            let new = law::project(row.rule, old - residual / diagonal);
            let change = new - old;
            if change != T::zero() {
                if let Some(force) = answer.force.get_mut(index) {
                    *force = new;
                }
                operator.changed(index, change, answer);
                improvement -= change * (residual + literal::<T>(0.5) * diagonal * change);
            }
            correction = larger(change.abs(), correction);
            largest = larger(new.abs(), largest);
            observer.row_update(index, answer.force());
        }
        report.force_correction = correction;
        show(observer, report.iterations, answer);
        let measured = match budget.measure {
            Measure::Engine => scale * improvement < budget.tolerance,
            Measure::ForceCorrection => correction < budget.tolerance,
            Measure::DualityGap => gap(operator, rows, answer) < budget.tolerance,
        };
        if NC > 0 {
            let closer = smallest.is_none_or(|smallest| correction < smallest);
            idle = if visible || closer { 0 } else { idle.saturating_add(1) };
            smallest = if visible {
                None
            } else if closer {
                Some(correction)
            } else {
                smallest
            };
        }
        if measured || correction == T::zero() {
            report.stop = Stop::Converged;
        } else if !(correction > T::default_epsilon() * largest) || idle > 2 {
            report.stop = Stop::Stalled;
        }
    }
    Ok(report)
}

struct Visit<T> {
    correction: T,
    largest: T,
    improvement: T,
    /// The fall is more than rounding.
    visible: bool,
}

/// The exact step of one elliptic block: its forces become the best ones, all others held. Kept unless the objective rises
/// by more than rounding.
///
/// Where a contact slides the residual w is not zero, and rounding a force on the surface of the cone moves the objective by ulps of
/// force times residual: a fall of second order in the change drowns in that when the forces have half their digits. The minimum
/// is known better: there wᵀ u = 0 and wᵀ u_old ≥ 0, so the fall is half of the change's square in H at least.
fn visit_cone<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    operator: &impl Operator<T, NV, NR>,
    rows: &Rows<T, NV, NR, NC>,
    block: &ConeBlock<T>,
    answer: &mut Answer<T, NV, NR>,
) -> Visit<T> {
    let zero = T::zero();
    let mut visit = Visit { correction: zero, largest: zero, improvement: zero, visible: false };
    let (first, count) = (block.first_row(), block.cone.dimension());
    let (mut hessian, mut residual) = ([[zero; DIMENSION]; DIMENSION], [zero; DIMENSION]);
    let (mut linear, mut old) = ([zero; DIMENSION], [zero; DIMENSION]);
    let Some(block_rows) = rows.rows().get(block.range()) else { return visit };
    for (old, force) in old.iter_mut().zip(answer.force.iter().skip(first)).take(count) {
        *old = *force;
    }
    for (i, row) in block_rows.iter().enumerate().take(DIMENSION) {
        residual[i] = operator.deviation(first + i, row, answer) + row.regularizer * old[i];
        for j in 0..=i {
            let value = operator.coupling(first + i, first + j, row);
            hessian[i][j] = value;
            hessian[j][i] = value;
        }
        hessian[i][i] += row.regularizer;
    }
    for i in 0..DIMENSION {
        linear[i] = residual[i] - dot(&hessian[i], &old);
    }
    let mut friction = [zero; FRICTIONS];
    for (to, from) in friction.iter_mut().zip(block.cone.friction()) {
        *to = *from;
    }
    let new = minimize_sized(count, &hessian, &linear, &friction);
    let mut change = [zero; DIMENSION];
    for i in 0..DIMENSION {
        change[i] = new[i] - old[i];
    }
    let (mut fall, mut square, mut terms) = (zero, zero, zero);
    for i in 0..DIMENSION {
        let bend = literal::<T>(0.5) * (change[i] * dot(&hessian[i], &change));
        let straight = change[i] * residual[i];
        fall -= straight + bend;
        square += bend;
        terms += (old[i].abs() + new[i].abs()) * residual[i].abs();
    }
    let rounding = literal::<T>(4.0) * T::default_epsilon() * terms;
    if !(fall > -rounding) {
        return visit;
    }
    visit.improvement = larger(fall, square);
    visit.visible = fall > rounding;
    for (i, (force, new)) in answer.force.iter_mut().skip(first).zip(new).take(count).enumerate() {
        *force = new;
        visit.correction = larger(change.get(i).map_or(zero, |x| x.abs()), visit.correction);
        visit.largest = larger(new.abs(), visit.largest);
    }
    for (i, change) in change.iter().enumerate().take(count) {
        operator.changed(first + i, *change, answer);
    }
    visit
}

fn show<T: Real, const NV: usize, const NR: usize, O: Observer<T>>(
    observer: &mut O,
    iteration: u16,
    answer: &Answer<T, NV, NR>,
) {
    if O::ACTIVE {
        observer.iterate(&Iterate {
            iteration,
            acceleration: answer.acceleration.as_slice(),
            force: answer.force(),
            gradient: &[],
            step: T::zero(),
        });
    }
}

fn gap<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    operator: &impl Operator<T, NV, NR>,
    rows: &Rows<T, NV, NR, NC>,
    answer: &Answer<T, NV, NR>,
) -> T {
    let mut sum = T::zero();
    for ((index, row), force) in rows.rows().iter().enumerate().zip(&answer.force) {
        let z = operator.deviation(index, row, answer);
        sum += law::gap(row.rule, floored(row.regularizer), z, *force);
    }
    for block in rows.cones() {
        let (Some(rows), Some(force)) = (rows.rows().get(block.range()), answer.force.get(block.range())) else {
            continue;
        };
        let mut z = [T::zero(); DIMENSION];
        for ((offset, z), row) in z.iter_mut().enumerate().zip(rows) {
            *z = operator.deviation(block.first_row() + offset, row, answer);
        }
        sum += law::cone_gap(&block.cone, &z, force);
    }
    sum
}

/// The gap is taken with the acceleration that is returned: where large forces all but cancel, rounding them moves it.
pub(super) fn finish<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    rows: &Rows<T, NV, NR, NC>,
    mut report: Report<T>,
    answer: &Answer<T, NV, NR>,
) -> Result<Report<T>, SolverError> {
    report.duality_gap = gap(&FromAcceleration, rows, answer);
    report.active_rows = measure::active(answer.force());
    if all_finite(answer.acceleration.as_slice()) && all_finite(answer.force()) {
        report.checked()
    } else {
        Err(SolverError::Overflow)
    }
}
