//! Nonlinear conjugate gradients on the primal objective, with the exact line search and a preconditioner.
//!
//! p = −P⁻¹ g + β p. No Hessian is formed: an iteration costs a preconditioner solve, M p, J p and a line search. On one quadratic
//! piece with P = H it is Newton's method; with exact steps all updates are the same there (S15-25).

use nalgebra::SVector;

use super::primal::{Contacts, Primal};
use super::{Budget, Measure, Observer, Report, SolverError, Stop, measure};
use crate::mass::MassMatrix;
use crate::rows::Rows;
use crate::scalar::{Real, SMALLEST, dot, larger, literal, norm, smaller};

/// How the new direction takes up the old one. With y = g₊ − g and all products in the metric P⁻¹:
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Update {
    /// β = (y − 2 p (yᵀP⁻¹y)/(pᵀy))ᵀ g₊ / (pᵀy), at least −1/(|p| min(0.01, |g|)); a restart where pᵀy < 1e-15 (Hager and Zhang
    /// 2005, the engine's choice, S15-60).
    #[default]
    HagerZhang,
    /// β = max(0, g₊ᵀ P⁻¹ y / gᵀ P⁻¹ g) (Polak–Ribière+).
    PolakRibiere,
}

/// P, the matrix that stands in for the Hessian.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Preconditioner {
    /// The mass matrix, whose factor is there anyway: the engine's choice (S15-60).
    #[default]
    Mass,
    /// The diagonal of the mass matrix.
    Diagonal,
    /// None: plain gradients. Mixes units of translations and rotations.
    None,
}

/// Which conjugate gradients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Variant {
    /// How the old direction enters the new one.
    pub update: Update,
    /// What stands in for the Hessian.
    pub preconditioner: Preconditioner,
}

/// Memory of [`conjugate_gradient()`]: vectors only. Also holds the answer.
#[derive(Clone, Debug)]
pub struct ConjugateGradientWorkspace<T, const NV: usize, const NR: usize> {
    primal: Primal<T, NV, NR>,
    /// g and P⁻¹ g of the iterate before.
    previous: [T; NV],
    previous_scaled: [T; NV],
    /// P⁻¹ g.
    scaled: [T; NV],
}

impl<T: Copy, const NV: usize, const NR: usize> ConjugateGradientWorkspace<T, NV, NR> {
    /// All zero: pass `0.0`, so that a `static` one lands in .bss.
    pub const fn filled(zero: T) -> Self {
        Self { primal: Primal::filled(zero), previous: [zero; NV], previous_scaled: [zero; NV], scaled: [zero; NV] }
    }

    /// The acceleration of the last solve, NV numbers.
    pub fn acceleration(&self) -> &SVector<T, NV> {
        &self.primal.acceleration
    }

    /// The forces of the last solve, one a row, in the order of the rows.
    pub fn force(&self) -> &[T] {
        self.primal.force()
    }
}

/// Solves for forces and acceleration; promises, start and errors as [`newton()`](super::newton()), which needs fewer iterations
/// and an NV × NV matrix more.
///
/// # Errors
/// As [`newton()`](super::newton()).
pub fn conjugate_gradient<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    warm_start: Option<&SVector<T, NV>>,
    variant: Variant,
    budget: &Budget<T>,
    work: &mut ConjugateGradientWorkspace<T, NV, NR>,
) -> Result<Report<T>, SolverError> {
    conjugate_gradient_observed(mass, free_acceleration, rows, warm_start, variant, budget, work, &mut ())
}

/// [`conjugate_gradient()`], shown to an observer iteration by iteration.
///
/// # Errors
/// As [`conjugate_gradient()`].
#[allow(clippy::too_many_arguments)] // the arguments of the door, and the observer
pub fn conjugate_gradient_observed<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    warm_start: Option<&SVector<T, NV>>,
    variant: Variant,
    budget: &Budget<T>,
    work: &mut ConjugateGradientWorkspace<T, NV, NR>,
    observer: &mut impl Observer<T>,
) -> Result<Report<T>, SolverError> {
    measure::check(mass, free_acceleration, warm_start, budget)?;
    let ConjugateGradientWorkspace { primal, previous, previous_scaled, scaled } = work;
    let mut contacts = Contacts::<T, NC>::new();
    let free = measure::array(free_acceleration);
    let start = primal.begin(mass, free, warm_start.map(measure::array), rows, &mut contacts)?;
    let scale = budget.scale.value(mass);
    let mut report = Report::new(start.warm_start);
    report.gradient_norm = norm(&primal.gradient);
    let (mut step, mut improvement, mut minimised, mut fallen) = (T::zero(), T::zero(), false, T::zero());
    loop {
        primal.show(observer, free, report.iterations, step);
        let measured = match budget.measure {
            Measure::Engine => {
                minimised && improvement > T::zero() && scale * improvement < budget.tolerance
                    || scale * report.gradient_norm < budget.tolerance
            }
            Measure::ForceCorrection => minimised && report.force_correction < budget.tolerance,
            Measure::DualityGap => primal.duality_gap(mass) < budget.tolerance,
        };
        if measured || primal.gradient.iter().all(|g| *g == T::zero()) {
            report.stop = Stop::Converged;
            break;
        }
        if report.iterations > 0 && report.gradient_norm <= primal.gradient_rounding(rows, &contacts) {
            report.stop = Stop::Stalled;
            break;
        }
        if report.iterations >= budget.iterations {
            break;
        }
        *scaled = primal.gradient;
        match variant.preconditioner {
            Preconditioner::Mass => mass.solve_array(scaled),
            Preconditioner::Diagonal => {
                for (k, (x, column)) in scaled.iter_mut().zip(mass.columns()).enumerate() {
                    *x /= column[k];
                }
            }
            Preconditioner::None => {}
        }
        let beta = if report.iterations == 0 {
            T::zero()
        } else {
            momentum(variant.update, primal, previous, previous_scaled, scaled)
        };
        // Not 0 · p on a restart: the memory may hold anything at first.
        for (p, s) in primal.direction.iter_mut().zip(&*scaled) {
            *p = if beta == T::zero() { -*s } else { beta * *p - *s };
        }
        let mut start = dot(&primal.gradient, &primal.direction);
        if !(start < T::zero()) {
            // Not downhill any more: begin anew from the gradient.
            for (p, s) in primal.direction.iter_mut().zip(&*scaled) {
                *p = -*s;
            }
            start = dot(&primal.gradient, &primal.direction);
        }
        if !(start < T::zero()) {
            report.stop = Stop::Stalled;
            break;
        }
        (*previous, *previous_scaled) = (primal.gradient, *scaled);
        primal.project_direction(mass, rows);
        let tolerance = || budget.tolerance * budget.line_search_tolerance * norm(&primal.direction) / scale;
        let left = budget.line_search.saturating_sub(report.line_search_evaluations);
        let mut section = primal.section(rows, start, &mut contacts);
        let first = section.first_guess();
        let found = section.search(first, tolerance, left);
        report.line_search_evaluations += found.evaluations;
        // What gains nothing is not walked: the objective never rises.
        if !(found.gained > T::zero()) {
            report.stop = Stop::Stalled;
            break;
        }
        step = found.step;
        let gained = found.gained;
        primal.advance(step);
        report.iterations += 1;
        report.force_correction = primal.respond(rows, &mut contacts).correction;
        primal.collect_gradient(rows);
        report.gradient_norm = norm(&primal.gradient);
        (minimised, improvement) = (found.minimised, gained);
        // As in Newton's method: below this gain no digit of an acceleration or force changes any more.
        fallen += gained;
        let size = fallen + literal::<T>(0.5) * dot(&primal.deviation, &primal.inertia_force);
        if !(gained > literal::<T>(0.25) * T::default_epsilon() * T::default_epsilon() * size) {
            primal.show(observer, free, report.iterations, step);
            report.stop = Stop::Stalled;
            break;
        }
    }
    report.duality_gap = primal.duality_gap(mass);
    report.active_rows = measure::active(primal.force());
    primal.finish(free)?;
    report.checked()
}

/// β of the new direction.
fn momentum<T: Real, const NV: usize, const NR: usize>(
    update: Update,
    primal: &Primal<T, NV, NR>,
    previous: &[T; NV],
    previous_scaled: &[T; NV],
    scaled: &[T; NV],
) -> T {
    let zero = T::zero();
    let (mut change, mut change_scaled) = (primal.gradient, *scaled);
    for k in 0..NV {
        change[k] -= previous[k];
        change_scaled[k] -= previous_scaled[k];
    }
    match update {
        Update::PolakRibiere => {
            let before = dot(previous, previous_scaled);
            if before > zero { larger(dot(&primal.gradient, &change_scaled) / before, zero) } else { zero }
        }
        Update::HagerZhang => {
            let along = dot(&primal.direction, &change);
            if !(along >= literal(SMALLEST)) {
                return zero;
            }
            let bend = dot(&change, &change_scaled) / along;
            let beta =
                (dot(&change, scaled) - literal::<T>(2.0) * bend * dot(&primal.direction, &primal.gradient)) / along;
            let floor = norm(&primal.direction) * smaller(norm(previous), literal(0.01));
            if floor > zero { larger(beta, -T::one() / floor) } else { zero }
        }
    }
}
