//! Projected Gauss–Seidel on the dual objective (S15-09 … S15-18), rows in their natural order.
//!
//! One visit: w_i = J_i a − a_ref,i + R_i f_i is the residual with all newest forces; f_i ← Π_i(f_i − w_i/H_ii) with H = A + R
//! minimises the objective over this one force. Two ways to w_i, same numbers up to rounding: keep the acceleration a and add
//! (Δf) M⁻¹ J_iᵀ after each visit, O(NV) a row, or form A and sum over the row, O(NR) a row.
//!
//! Every intermediate force obeys its row's rule, and the acceleration always belongs to the forces, so stopping anywhere is safe.

use nalgebra::SVector;

use super::law::{self, respond};
use super::{Budget, Delassus, Iterate, Measure, Observer, Report, SolverError, Stop, WarmStart, measure};
use crate::cone::block::minimize_sized;
use crate::cone::{DIMENSION, FRICTIONS};
use crate::mass::MassMatrix;
use crate::rows::{ConeBlock, Row, Rows, Rule};
use crate::scalar::{Real, SMALLEST, add_scaled, all_finite, dot, larger, literal};

/// Memory of [`projected_gauss_seidel`]: M⁻¹ Jᵀ, NV × NR. Also holds the answer.
#[derive(Clone, Debug)]
pub struct SweepWorkspace<T, const NV: usize, const NR: usize> {
    answer: Answer<T, NV, NR>,
    /// M⁻¹ J_iᵀ, one a row.
    response: [[T; NV]; NR],
}

/// Memory of [`projected_gauss_seidel_with_delassus`]: A, NR × NR. Also holds the answer.
#[derive(Clone, Debug)]
pub struct DelassusWorkspace<T, const NV: usize, const NR: usize> {
    answer: Answer<T, NV, NR>,
    delassus: Delassus<T, NR>,
    /// b = J a_u − a_ref.
    offset: [T; NR],
}

#[derive(Clone, Debug)]
struct Answer<T, const NV: usize, const NR: usize> {
    acceleration: SVector<T, NV>,
    force: [T; NR],
    /// H_ii.
    diagonal: [T; NR],
    rows: usize,
}

impl<T: Copy, const NV: usize, const NR: usize> Answer<T, NV, NR> {
    const fn filled(zero: T) -> Self {
        Self { acceleration: measure::vector(zero), force: [zero; NR], diagonal: [zero; NR], rows: 0 }
    }

    fn force(&self) -> &[T] {
        &self.force[..self.rows.min(NR)]
    }
}

/// What the sweep needs from either way of finding w.
trait Operator<T, const NV: usize, const NR: usize> {
    /// J_i a − a_ref,i with the forces as they are.
    fn deviation(&self, index: usize, row: &Row<T, NV>, answer: &Answer<T, NV, NR>) -> T;
    /// A_ij, of two rows of one block.
    fn coupling(&self, i: usize, j: usize, row: &Row<T, NV>) -> T;
    /// Takes note that force `index` changed by `change`.
    fn changed(&self, index: usize, change: T, answer: &mut Answer<T, NV, NR>);
}

struct MatrixFree<'a, T, const NV: usize, const NR: usize>(&'a [[T; NV]; NR]);

impl<T: Real, const NV: usize, const NR: usize> Operator<T, NV, NR> for MatrixFree<'_, T, NV, NR> {
    #[inline(always)]
    fn deviation(&self, _index: usize, row: &Row<T, NV>, answer: &Answer<T, NV, NR>) -> T {
        dot(&row.jacobian, measure::array(&answer.acceleration)) - row.reference
    }

    #[inline(always)]
    fn coupling(&self, _i: usize, j: usize, row: &Row<T, NV>) -> T {
        self.0.get(j).map_or(T::zero(), |response| dot(&row.jacobian, response))
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
        dot(&row.jacobian, measure::array(&answer.acceleration)) - row.reference
    }

    fn coupling(&self, _i: usize, _j: usize, _row: &Row<T, NV>) -> T {
        T::zero()
    }

    fn changed(&self, _index: usize, _change: T, _answer: &mut Answer<T, NV, NR>) {}
}

struct Formed<'a, T, const NR: usize> {
    delassus: &'a Delassus<T, NR>,
    offset: &'a [T; NR],
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

impl<T: Copy, const NV: usize, const NR: usize> SweepWorkspace<T, NV, NR> {
    /// All zero: pass `0.0`.
    pub const fn filled(zero: T) -> Self {
        Self { answer: Answer::filled(zero), response: [[zero; NV]; NR] }
    }

    /// The acceleration of the last solve.
    pub fn acceleration(&self) -> &SVector<T, NV> {
        &self.answer.acceleration
    }

    /// The forces of the last solve, one a row.
    pub fn force(&self) -> &[T] {
        self.answer.force()
    }
}

impl<T: Copy, const NV: usize, const NR: usize> DelassusWorkspace<T, NV, NR> {
    /// All zero: pass `0.0`.
    pub const fn filled(zero: T) -> Self {
        Self { answer: Answer::filled(zero), delassus: Delassus::filled(zero), offset: [zero; NR] }
    }

    /// The acceleration of the last solve.
    pub fn acceleration(&self) -> &SVector<T, NV> {
        &self.answer.acceleration
    }

    /// The forces of the last solve, one a row.
    pub fn force(&self) -> &[T] {
        self.answer.force()
    }

    /// A of the last solve.
    pub fn delassus(&self) -> &Delassus<T, NR> {
        &self.delassus
    }
}

/// Solves by sweeps without forming A; see the [module of solvers](crate::solver).
///
/// `free_acceleration` is a_u; `warm_start` the acceleration of the last tick, whose forces are kept if their dual objective is
/// not above that of no force at all. The answer is in `work`; a row with R = 0 gets the floor 1e-15.
///
/// # Errors
/// Mass not ready, numbers not finite, an impossible budget; [`SolverError::Overflow`] if the answer is not finite.
pub fn projected_gauss_seidel<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    warm_start: Option<&SVector<T, NV>>,
    budget: &Budget<T>,
    work: &mut SweepWorkspace<T, NV, NR>,
) -> Result<Report<T>, SolverError> {
    projected_gauss_seidel_observed(mass, free_acceleration, rows, warm_start, budget, work, &mut ())
}

/// [`projected_gauss_seidel`], shown to an observer visit by visit. While it runs, the iterates' accelerations are those of the
/// forces.
///
/// # Errors
/// As [`projected_gauss_seidel`].
pub fn projected_gauss_seidel_observed<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    warm_start: Option<&SVector<T, NV>>,
    budget: &Budget<T>,
    work: &mut SweepWorkspace<T, NV, NR>,
    observer: &mut impl Observer<T>,
) -> Result<Report<T>, SolverError> {
    measure::check(mass, free_acceleration, warm_start, budget)?;
    let SweepWorkspace { answer, response } = work;
    answer.rows = rows.len();
    for ((row, response), diagonal) in rows.rows().iter().zip(&mut *response).zip(&mut answer.diagonal) {
        *response = row.jacobian;
        mass.solve_array(response);
        *diagonal = dot(&row.jacobian, response) + floored(row.regularizer);
    }
    answer.acceleration = *free_acceleration;
    answer.force = [T::zero(); NR];
    let mut warm = WarmStart::Absent;
    if let Some(saved) = warm_start {
        answer.answer_to(saved, rows);
        // With w = A f the dual objective is ½ fᵀ(A f + R f) + bᵀ f, and A f is J times the acceleration the forces add.
        answer.add_responses(response);
        let mut objective = T::zero();
        for (row, force) in rows.rows().iter().zip(&answer.force) {
            let free = dot(&row.jacobian, measure::array(free_acceleration)) - row.reference;
            let now = dot(&row.jacobian, measure::array(&answer.acceleration)) - row.reference;
            objective += *force * (free + now + floored(row.regularizer) * *force);
        }
        warm = answer.keep_if(objective, free_acceleration);
    }
    let report = sweep(mass, free_acceleration, &MatrixFree(response), rows, warm, budget, answer, observer)?;
    // The running sum has rounded in every visit; the sum of the forces is what the answer promises.
    answer.acceleration = *free_acceleration;
    answer.add_responses(response);
    finish(rows, report, answer)
}

/// Solves by sweeps over A, formed first. Pays when there are fewer rows than dofs, and when many sweeps are made.
///
/// # Errors
/// As [`projected_gauss_seidel`].
pub fn projected_gauss_seidel_with_delassus<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    warm_start: Option<&SVector<T, NV>>,
    budget: &Budget<T>,
    work: &mut DelassusWorkspace<T, NV, NR>,
) -> Result<Report<T>, SolverError> {
    projected_gauss_seidel_with_delassus_observed(mass, free_acceleration, rows, warm_start, budget, work, &mut ())
}

/// [`projected_gauss_seidel_with_delassus`], shown to an observer visit by visit. The iterates carry the free acceleration; the
/// final acceleration is formed once, after the sweeps.
///
/// # Errors
/// As [`projected_gauss_seidel`].
pub fn projected_gauss_seidel_with_delassus_observed<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    warm_start: Option<&SVector<T, NV>>,
    budget: &Budget<T>,
    work: &mut DelassusWorkspace<T, NV, NR>,
    observer: &mut impl Observer<T>,
) -> Result<Report<T>, SolverError> {
    measure::check(mass, free_acceleration, warm_start, budget)?;
    let DelassusWorkspace { answer, delassus, offset } = work;
    answer.rows = rows.len();
    delassus.form(mass, rows)?;
    let entries = rows.rows().iter().enumerate().zip(&mut *offset).zip(&mut answer.diagonal);
    for (((index, row), offset), diagonal) in entries {
        *offset = dot(&row.jacobian, measure::array(free_acceleration)) - row.reference;
        *diagonal = delassus.column(index).get(index).copied().unwrap_or(T::zero()) + floored(row.regularizer);
    }
    answer.acceleration = *free_acceleration;
    answer.force = [T::zero(); NR];
    let mut warm = WarmStart::Absent;
    if let Some(saved) = warm_start {
        answer.answer_to(saved, rows);
        let mut objective = T::zero();
        for (((index, row), force), offset) in rows.rows().iter().enumerate().zip(&answer.force).zip(&*offset) {
            let coupled = dot(delassus.column(index), &answer.force);
            objective += *force * (coupled + floored(row.regularizer) * *force + literal::<T>(2.0) * *offset);
        }
        warm = answer.keep_if(objective, free_acceleration);
    }
    let report = sweep(mass, free_acceleration, &Formed { delassus, offset }, rows, warm, budget, answer, observer)?;
    let mut added = rows.generalized_force(answer.force());
    mass.solve(&mut added)?;
    answer.acceleration = free_acceleration + added;
    finish(rows, report, answer)
}

impl<T: Real, const NV: usize, const NR: usize> Answer<T, NV, NR> {
    /// The forces with which the rows answer to an acceleration.
    fn answer_to<const NC: usize>(&mut self, acceleration: &SVector<T, NV>, rows: &Rows<T, NV, NR, NC>) {
        for (force, row) in self.force.iter_mut().zip(rows.rows()) {
            let z = dot(&row.jacobian, measure::array(acceleration)) - row.reference;
            *force = respond(row.rule, T::one() / floored(row.regularizer), z).0;
        }
        for block in rows.cones() {
            let (Some(rows), Some(forces)) = (rows.rows().get(block.range()), self.force.get_mut(block.range())) else {
                continue;
            };
            let mut z = [T::zero(); DIMENSION];
            for (z, row) in z.iter_mut().zip(rows) {
                *z = dot(&row.jacobian, measure::array(acceleration)) - row.reference;
            }
            for (force, answer) in forces.iter_mut().zip(block.cone.force(&block.cone.point(&z))) {
                *force = answer;
            }
        }
    }

    /// a ← a + M⁻¹ Jᵀ f over the rows; what an earlier solve left beyond them, perhaps NaN, does not enter.
    fn add_responses(&mut self, responses: &[[T; NV]; NR]) {
        for (response, force) in responses.iter().zip(&self.force).take(self.rows) {
            add_scaled(self.acceleration.as_mut_slice(), *force, response);
        }
    }

    /// Keeps the forces if (twice) their dual objective is not above zero; NaN from an overflow is above.
    fn keep_if(&mut self, objective: T, free_acceleration: &SVector<T, NV>) -> WarmStart {
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
fn floored<T: Real>(regularizer: T) -> T {
    larger(regularizer, literal(SMALLEST))
}

#[allow(clippy::too_many_arguments)] // private: the two public doors above are its only callers
fn sweep<T: Real, const NV: usize, const NR: usize, const NC: usize, O: Observer<T>>(
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
    let mut report = Report {
        stop: Stop::BudgetSpent,
        iterations: 0,
        line_search_evaluations: 0,
        gradient_norm: T::zero(),
        force_correction: T::zero(),
        duality_gap: T::zero(),
        active_rows: 0,
        warm_start,
    };
    // b_i is a difference of these terms, so their rounding is what a force can be off by, even if it is zero itself.
    let mut terms = T::zero();
    for (row, diagonal) in rows.rows().iter().zip(&answer.diagonal) {
        let mut size = row.reference.abs();
        for (j, a) in row.jacobian.iter().zip(measure::array(free)) {
            size += (*j * *a).abs();
        }
        terms = larger(size / *diagonal, terms);
    }
    show(observer, 0, answer);
    if rows.is_empty() {
        report.stop = Stop::Converged;
    }
    while report.stop == Stop::BudgetSpent && report.iterations < budget.iterations {
        report.iterations += 1;
        let (mut correction, mut largest, mut improvement) = (T::zero(), terms, T::zero());
        let mut cones = rows.cones().iter().peekable();
        for (index, row) in rows.rows().iter().enumerate() {
            if row.rule == Rule::Cone {
                // The block is visited at its normal row.
                if cones.peek().is_some_and(|block| block.first_row() == index)
                    && let Some(block) = cones.next()
                {
                    let visit = visit_cone(operator, rows, block, answer);
                    correction = larger(visit.correction, correction);
                    largest = larger(visit.largest, largest);
                    improvement += visit.improvement;
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
        if measured || correction == T::zero() {
            report.stop = Stop::Converged;
        } else if !(correction > T::default_epsilon() * largest) {
            report.stop = Stop::Stalled;
        }
    }
    Ok(report)
}

struct Visit<T> {
    correction: T,
    largest: T,
    improvement: T,
}

/// The exact step of one elliptic block: its forces become the best ones, all others held. Kept only where the objective
/// falls, so that rounding cannot make it rise.
fn visit_cone<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    operator: &impl Operator<T, NV, NR>,
    rows: &Rows<T, NV, NR, NC>,
    block: &ConeBlock<T>,
    answer: &mut Answer<T, NV, NR>,
) -> Visit<T> {
    let zero = T::zero();
    let mut visit = Visit { correction: zero, largest: zero, improvement: zero };
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
    for i in 0..DIMENSION {
        visit.improvement -= change[i] * (residual[i] + literal::<T>(0.5) * dot(&hessian[i], &change));
    }
    if !(visit.improvement > zero) {
        visit.improvement = zero;
        return visit;
    }
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
fn finish<T: Real, const NV: usize, const NR: usize, const NC: usize>(
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
