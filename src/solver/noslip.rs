//! The noslip pass: after a solve, friction is solved again as if it were hard.
//!
//! Sweeps in row order over dry friction and the friction part of contacts, with A instead of A + R: the residual is b + A f. Normal
//! forces, limits and equalities stay as the main solve left them. What softness lets creep then stands still.

use nalgebra::SVector;

use super::{Budget, Report, SolverError, Stop, WarmStart, measure};
use crate::cone::tangent;
use crate::mass::MassMatrix;
use crate::rows::{ConeBlock, Kind, Rows, Rule};
use crate::scalar::{Real, SMALLEST, add_scaled, all_finite, clamp, dot, larger, literal};

/// Smallest diagonal entry of a block.
const SMALLEST_DIAGONAL: f64 = 1e-10;

/// Memory of [`noslip`]: M⁻¹ Jᵀ, NV × NR. Also holds the answer.
#[derive(Clone, Debug)]
pub struct NoslipWorkspace<T, const NV: usize, const NR: usize> {
    acceleration: SVector<T, NV>,
    force: [T; NR],
    rows: usize,
    response: [[T; NV]; NR],
}

impl<T: Copy, const NV: usize, const NR: usize> NoslipWorkspace<T, NV, NR> {
    /// All zero: pass `0.0`, so that a `static` one lands in .bss.
    pub const fn filled(zero: T) -> Self {
        Self { acceleration: measure::vector(zero), force: [zero; NR], rows: 0, response: [[zero; NV]; NR] }
    }

    /// The acceleration of the last pass, NV numbers.
    pub fn acceleration(&self) -> &SVector<T, NV> {
        &self.acceleration
    }

    /// The forces of the last pass, one a row.
    pub fn force(&self) -> &[T] {
        &self.force[..self.rows.min(NR)]
    }
}

/// Takes the forces of a main solve, one a row, and makes friction hard; the answer is in `work`.
///
/// Of the budget only iterations, tolerance and scale count: a sweep whose decrease of the objective, times scale, is below the
/// tolerance ends the pass. The report's gradient norm and gap are 0: the acceleration belongs to the forces exactly.
///
/// # Errors
/// Mass not ready, numbers not finite (a missing force counts as zero), an impossible budget; [`SolverError::Overflow`] if the
/// answer is not finite.
pub fn noslip<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    force: &[T],
    budget: &Budget<T>,
    work: &mut NoslipWorkspace<T, NV, NR>,
) -> Result<Report<T>, SolverError> {
    measure::check(mass, free_acceleration, None, budget)?;
    if let Some(row) = force.iter().position(|f| !f.is_finite()) {
        return Err(SolverError::ForceNotFinite { row: row as u16 });
    }
    work.rows = rows.len();
    work.force = [T::zero(); NR];
    work.acceleration = *free_acceleration;
    let mut regular = T::zero();
    for (((row, response), to), from) in rows.rows().iter().zip(&mut work.response).zip(&mut work.force).zip(force) {
        *response = row.jacobian;
        mass.solve_array(response);
        *to = *from;
        regular += literal::<T>(0.5) * row.regularizer * *from * *from;
        add_scaled(work.acceleration.as_mut_slice(), *from, response);
    }
    let scale = budget.scale.value(mass);
    let mut report = Report::new(WarmStart::Absent);
    while report.iterations < budget.iterations {
        report.iterations += 1;
        // In the first sweep the objective also loses the part of R.
        let mut improvement = if report.iterations == 1 { regular } else { T::zero() };
        report.force_correction = T::zero();
        let mut cones = rows.cones().iter().peekable();
        let mut index = 0;
        // Each turn takes one row at least.
        for _ in 0..rows.len() {
            let Some(row) = rows.rows().get(index) else { break };
            match (row.rule, row.kind) {
                (Rule::Interval { loss }, _) => {
                    improvement += work.dry(rows, index, loss, &mut report.force_correction);
                    index += 1;
                }
                (_, Kind::ContactPyramidal) => {
                    improvement += work.pair(rows, index, &mut report.force_correction);
                    index += 2;
                }
                (Rule::Cone, _) => {
                    let block = cones.next();
                    index += block.map_or(1, |block| block.cone.dimension());
                    if let Some(block) = block {
                        improvement += work.tangents(rows, block, &mut report.force_correction);
                    }
                }
                _ => index += 1,
            }
        }
        if scale * improvement < budget.tolerance || report.force_correction == T::zero() {
            report.stop = Stop::Converged;
            break;
        }
    }
    work.acceleration = *free_acceleration;
    for (response, force) in work.response.iter().zip(&work.force).take(work.rows) {
        add_scaled(work.acceleration.as_mut_slice(), *force, response);
    }
    report.active_rows = measure::active(work.force());
    if all_finite(work.acceleration.as_slice()) && all_finite(work.force()) {
        report.checked()
    } else {
        Err(SolverError::Overflow)
    }
}

impl<T: Real, const NV: usize, const NR: usize> NoslipWorkspace<T, NV, NR> {
    /// b_i + (A f)_i = J_i a − a_ref,i.
    fn residual<const NC: usize>(&self, rows: &Rows<T, NV, NR, NC>, index: usize) -> T {
        rows.rows().get(index).map_or(T::zero(), |row| row.times(measure::array(&self.acceleration)) - row.reference)
    }

    /// A_ij.
    fn entry<const NC: usize>(&self, rows: &Rows<T, NV, NR, NC>, i: usize, j: usize) -> T {
        match (rows.rows().get(i), self.response.get(j)) {
            (Some(row), Some(response)) => row.times(response),
            _ => T::zero(),
        }
    }

    fn old(&self, index: usize) -> T {
        self.force.get(index).copied().unwrap_or(T::zero())
    }

    fn change(&mut self, index: usize, new: T, correction: &mut T) -> T {
        let Some(force) = self.force.get_mut(index) else { return T::zero() };
        let change = new - *force;
        *force = new;
        if let Some(response) = self.response.get(index) {
            add_scaled(self.acceleration.as_mut_slice(), change, response);
        }
        *correction = larger(change.abs(), *correction);
        change
    }

    fn dry<const NC: usize>(&mut self, rows: &Rows<T, NV, NR, NC>, index: usize, loss: T, correction: &mut T) -> T {
        let residual = self.residual(rows, index);
        let diagonal = larger(self.entry(rows, index, index), literal(SMALLEST_DIAGONAL));
        let new = clamp(self.old(index) - residual / diagonal, -loss, loss);
        let change = self.change(index, new, correction);
        -change * (residual + literal::<T>(0.5) * diagonal * change)
    }

    /// An opposing pair of pyramid edges keeps its sum, which is its part of the normal force; the difference is the friction.
    fn pair<const NC: usize>(&mut self, rows: &Rows<T, NV, NR, NC>, index: usize, correction: &mut T) -> T {
        let (plus, minus) = (self.old(index), self.old(index + 1));
        let (r0, r1) = (self.residual(rows, index), self.residual(rows, index + 1));
        let least = literal(SMALLEST_DIAGONAL);
        let a00 = larger(self.entry(rows, index, index), least);
        let a11 = larger(self.entry(rows, index + 1, index + 1), least);
        let a01 = self.entry(rows, index, index + 1);
        let (c0, c1) = (r0 - a00 * plus - a01 * minus, r1 - a01 * plus - a11 * minus);
        let half = literal::<T>(0.5);
        let mean = half * (plus + minus);
        let curvature = a00 + a11 - a01 - a01;
        if !(curvature >= literal(SMALLEST)) {
            return T::zero();
        }
        let difference = clamp(-(mean * (a00 - a11) + c0 - c1) / curvature, -mean, mean);
        let d0 = self.change(index, mean + difference, correction);
        let d1 = self.change(index + 1, mean - difference, correction);
        -(d0 * (r0 + half * (a00 * d0 + a01 * d1)) + d1 * (r1 + half * (a01 * d0 + a11 * d1)))
    }

    fn tangents<const NC: usize>(&mut self, rows: &Rows<T, NV, NR, NC>, block: &ConeBlock<T>, correction: &mut T) -> T {
        match block.cone.dimension() {
            2 => self.tangents_sized::<1, NC>(rows, block, correction),
            3 => self.tangents_sized::<2, NC>(rows, block, correction),
            4 => self.tangents_sized::<3, NC>(rows, block, correction),
            6 => self.tangents_sized::<5, NC>(rows, block, correction),
            _ => T::zero(),
        }
    }

    /// X-12 with the normal force as radius.
    fn tangents_sized<const M: usize, const NC: usize>(
        &mut self,
        rows: &Rows<T, NV, NR, NC>,
        block: &ConeBlock<T>,
        correction: &mut T,
    ) -> T {
        let (zero, first) = (T::zero(), block.first_row());
        let normal = self.old(first);
        let (mut a, mut b, mut friction) = ([[zero; M]; M], [zero; M], [zero; M]);
        let (mut residual, mut old) = ([zero; M], [zero; M]);
        for (mu, from) in friction.iter_mut().zip(block.cone.friction()) {
            *mu = *from;
        }
        for i in 0..M {
            residual[i] = self.residual(rows, first + 1 + i);
            old[i] = self.old(first + 1 + i);
            for j in 0..M {
                a[i][j] = self.entry(rows, first + 1 + i, first + 1 + j);
            }
            a[i][i] = larger(a[i][i], literal(SMALLEST_DIAGONAL));
        }
        for i in 0..M {
            b[i] = residual[i] - dot(&a[i], &old);
        }
        let new = if normal < literal(SMALLEST) { [zero; M] } else { tangent::minimize(&a, &b, &friction, normal) };
        let mut change = [zero; M];
        for i in 0..M {
            change[i] = self.change(first + 1 + i, new[i], correction);
        }
        let mut improvement = zero;
        for i in 0..M {
            improvement -= change[i] * (residual[i] + literal::<T>(0.5) * dot(&a[i], &change));
        }
        improvement
    }
}
