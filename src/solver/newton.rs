//! Newton's method on the primal objective, with an exact line search.
//!
//! Unknown is the acceleration. Inside a region where no row changes its `Zone` the objective is quadratic with Hessian
//! H = M + Σ J_iᵀ J_i / R_i over the rows on their quadratic piece (S15-34), so one step solves it; across regions the line search
//! finds the exact minimum along the direction (S15-40). With elliptic contacts the pieces are curved and the search is near instead
//! of exact. The objective never rises.
//!
//! A cold start with as many answering rows as dofs that feel them, or more, begins with a step of steepest descent in the metric
//! of M: most of those rows will let go, and the first Hessian would be that of a crowd which nobody meets again.
//!
//! Two habits keep `f32` honest. The row residuals z = J a − a_ref are carried along, z ← z + α J p, and never formed anew from a:
//! forming them anew would put the rounding of a_ref, times 1/R, into the forces. And while the active set stands, the
//! factor stands: further iterations are refinement steps at the price of a solve, until the gradient no longer falls.

use nalgebra::SVector;

use super::hessian::Hessian;
use super::primal::{Contacts, Primal};
use super::{Budget, Measure, Observer, Report, SolverError, Stop, WarmStart, measure};
use crate::mass::MassMatrix;
use crate::rows::Rows;
use crate::scalar::{Real, all_finite, dot, literal, norm};

/// Memory of [`newton`]: three vectors of rows and one NV × NV matrix. Also holds the answer.
#[derive(Clone, Debug)]
pub struct NewtonWorkspace<T, const NV: usize, const NR: usize> {
    primal: Primal<T, NV, NR>,
    hessian: Hessian<T, NV>,
    /// The factor is of the zones in which the last solve ended.
    stands: bool,
}

impl<T: Copy, const NV: usize, const NR: usize> NewtonWorkspace<T, NV, NR> {
    /// All zero: pass `0.0`, so that a `static` one lands in .bss.
    pub const fn filled(zero: T) -> Self {
        Self { primal: Primal::filled(zero), hessian: Hessian::filled(zero), stands: false }
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

/// What the factor at hand is of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Factor {
    /// Of other zones than those that the rows are in.
    Missing,
    /// Of these zones, from an earlier solve.
    Old,
    /// Of these zones, from this solve.
    Fresh,
}

/// Solves for forces and acceleration; see the [module of solvers](crate::solver).
///
/// `free_acceleration` is a_u = M⁻¹ (τ − c); `warm_start` the acceleration of the last tick, used if its objective is no
/// larger than that of a_u (X-15). The answer is in `work`.
///
/// At any budget, zero included, the forces obey their rows' rules and answer to the returned acceleration by the soft law;
/// what the pair misses of the equation of motion is the report's `gradient_norm`.
///
/// # Errors
/// Before any arithmetic: mass not ready, numbers not finite, an impossible budget, a row with R = 0.
/// After it: [`SolverError::Overflow`] if finite input led to numbers beyond the precision.
///
/// ```
/// use delassus::mass::MassMatrix;
/// use delassus::rows::{Kind, Rows, Rule};
/// use delassus::solver::{Budget, NewtonWorkspace, Stop, newton};
/// use nalgebra::{Matrix2, Vector2};
///
/// // Two blocks of 1 kg on the ground, soft contacts (S15-31): ground row and row between the blocks.
/// let mut mass = MassMatrix::<f64, 2>::filled(0.0);
/// mass.set(&Matrix2::identity())?;
/// let mut rows = Rows::<f64, 2, 2>::new();
/// rows.finished(Kind::ContactFrictionless, Rule::NonNegative, &Vector2::new(1.0, 0.0), 0.0, 0.1)?;
/// rows.finished(Kind::ContactFrictionless, Rule::NonNegative, &Vector2::new(-1.0, 1.0), 0.0, 0.1)?;
/// let mut work = NewtonWorkspace::<f64, 2, 2>::filled(0.0);
/// let report = newton(&mass, &Vector2::new(-10.0, -10.0), &rows, None, &Budget::new(8, 1e-12), &mut work)?;
/// assert_eq!(report.stop, Stop::Converged);
/// assert!((work.force()[0] - 2100.0 / 131.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn newton<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    warm_start: Option<&SVector<T, NV>>,
    budget: &Budget<T>,
    work: &mut NewtonWorkspace<T, NV, NR>,
) -> Result<Report<T>, SolverError> {
    newton_observed(mass, free_acceleration, rows, warm_start, budget, work, &mut ())
}

/// [`newton`], shown to an observer iteration by iteration.
///
/// # Errors
/// As [`newton`].
pub fn newton_observed<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    warm_start: Option<&SVector<T, NV>>,
    budget: &Budget<T>,
    work: &mut NewtonWorkspace<T, NV, NR>,
    observer: &mut impl Observer<T>,
) -> Result<Report<T>, SolverError> {
    measure::check(mass, free_acceleration, warm_start, budget)?;
    descend(mass, free_acceleration, rows, warm_start, false, budget, work, observer)
}

/// [`newton`] for another free acceleration while mass matrix and rows stand: from the last answer in `work`, and with its factor of
/// the Hessian as long as every row keeps its zone. That saves all that costs n³ or r n².
///
/// Targets a_ref may have changed too. Should M, J or R have changed after all, the answer is the same up to the tolerance, later:
/// a step that does not cut the gradient to an eighth is the last one with the old factor. The last bits depend on what `work` did
/// before; where they must not, take [`newton`].
///
/// # Errors
/// As [`newton`].
///
/// ```
/// use delassus::mass::MassMatrix;
/// use delassus::rows::{Kind, Rows, Rule};
/// use delassus::solver::{Budget, NewtonWorkspace, newton, newton_again};
/// use nalgebra::{Matrix1, Vector1};
///
/// // A knob of 0.5 kg m² held by a stop with R = 2: the torque is (−a_u)/(1/m + R), a quarter of it here.
/// let mut mass = MassMatrix::<f64, 1>::filled(0.0);
/// mass.set(&Matrix1::new(0.5))?;
/// let mut rows = Rows::<f64, 1, 1>::new();
/// rows.finished(Kind::JointLimit, Rule::NonNegative, &Vector1::new(1.0), 0.0, 2.0)?;
/// let budget = Budget::new(8, 1e-12);
/// let mut work = NewtonWorkspace::<f64, 1, 1>::filled(0.0);
/// newton(&mass, &Vector1::new(-10.0), &rows, None, &budget, &mut work)?;
/// let report = newton_again(&mass, &Vector1::new(-12.0), &rows, &budget, &mut work)?;
/// assert_eq!(report.iterations, 1);
/// assert!((work.force()[0] - 3.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn newton_again<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    budget: &Budget<T>,
    work: &mut NewtonWorkspace<T, NV, NR>,
) -> Result<Report<T>, SolverError> {
    let last = work.primal.acceleration;
    // After an overflow there is no last answer.
    let last = all_finite(last.as_slice()).then_some(&last);
    measure::check(mass, free_acceleration, last, budget)?;
    descend(mass, free_acceleration, rows, last, true, budget, work, &mut ())
}

/// The solve itself, its input checked. `again`: the factor in `work` is worth a try.
#[allow(clippy::too_many_arguments)] // private: the doors above are its only callers
#[inline]
fn descend<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    warm_start: Option<&SVector<T, NV>>,
    again: bool,
    budget: &Budget<T>,
    work: &mut NewtonWorkspace<T, NV, NR>,
    observer: &mut impl Observer<T>,
) -> Result<Report<T>, SolverError> {
    let NewtonWorkspace { primal, hessian, stands } = work;
    let mut contacts = Contacts::<T, NC>::new();
    let free = measure::array(free_acceleration);
    let same_rows = primal.rows == rows.len();
    let start = primal.begin(mass, free, warm_start.map(measure::array), rows, &mut contacts)?;
    let warm_start = start.warm_start;
    let usable = again && *stands && same_rows && !start.new_piece;
    let mut factor = if usable { Factor::Old } else { Factor::Missing };
    *stands = false;

    let scale = budget.scale.value(mass);
    let mut report = Report::new(warm_start);
    report.gradient_norm = norm(&primal.gradient);
    let (mut full_step, mut minimised, mut stale) = (false, false, false);
    let mut step = T::zero();
    let mut improvement = T::zero();
    // Steps in a row that did not halve the smallest gradient so far although every row kept its zone, and that gradient.
    let (mut idle, mut smallest) = (0u8, None);
    // How far the objective has fallen in all, and its size.
    let (mut fallen, mut size) = (T::zero(), T::zero());
    loop {
        primal.show(observer, free, report.iterations, step);

        let measured = match budget.measure {
            Measure::Engine => {
                // What a step gains speaks of what is left only if it went all its way: one that a row stopped on the threshold,
                // or the budget, gains next to nothing far from the optimum.
                full_step && improvement > T::zero() && scale * improvement < budget.tolerance
                    || scale * report.gradient_norm < budget.tolerance
            }
            Measure::ForceCorrection => minimised && report.force_correction < budget.tolerance,
            Measure::DualityGap => primal.duality_gap(mass) < budget.tolerance,
        };
        if measured || primal.gradient.iter().all(|g| *g == T::zero()) {
            report.stop = Stop::Converged;
            break;
        }
        // A full step within one quadratic piece solves all; where it did not halve the gradient, rounding is what is left.
        // Where a contact slides the pieces are curved, and it takes a second and a third such step, each without a gain to speak
        // of, to be sure.
        let visible = || improvement > T::default_epsilon() * size;
        let halved = smallest.is_none_or(|smallest: T| report.gradient_norm < smallest * literal(0.5));
        let slow = full_step && !halved && !visible();
        idle = if slow { idle.saturating_add(1) } else { 0 };
        if smallest.is_none_or(|smallest| report.gradient_norm < smallest) {
            smallest = Some(report.gradient_norm);
        }
        let frozen = report.iterations > 0 && report.force_correction == T::zero();
        // What a factor of another problem leaves is not rounding, nor is what a step leaves that gained something.
        let rounded = !halved
            && !stale
            && (frozen || !visible() && report.gradient_norm <= primal.gradient_rounding(rows, &contacts));
        if slow && (factor != Factor::Missing || idle > 2) || rounded {
            report.stop = Stop::Stalled;
            break;
        }
        if report.iterations >= budget.iterations {
            break;
        }
        let gentle = report.iterations == 0 && warm_start != WarmStart::Used && primal.is_crowded();
        if factor == Factor::Missing && !gentle {
            if !hessian.form(primal, &contacts.points, mass, rows) {
                report.stop = Stop::Stalled;
                break;
            }
            factor = Factor::Fresh;
        }
        // p = −H⁻¹ g, gentle −M⁻¹ g
        for (p, g) in primal.direction.iter_mut().zip(&primal.gradient) {
            *p = -*g;
        }
        if gentle {
            mass.solve_array(&mut primal.direction);
        } else {
            hessian.solve(&mut primal.direction);
        }
        primal.project_direction(mass, rows);
        let start = dot(&primal.gradient, &primal.direction);
        if !(start < T::zero()) {
            report.stop = Stop::Stalled;
            break;
        }
        let tolerance = || budget.tolerance * budget.line_search_tolerance * norm(&primal.direction) / scale;
        let left = budget.line_search.saturating_sub(report.line_search_evaluations);
        let mut section = primal.section(rows, start, &mut contacts);
        let first = if gentle { section.first_guess() } else { T::one() };
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
        let response = primal.respond(rows, &mut contacts);
        report.force_correction = response.correction;
        primal.collect_gradient(rows);
        let before = core::mem::replace(&mut report.gradient_norm, norm(&primal.gradient));
        stale = factor == Factor::Old && !(report.gradient_norm <= before * literal(0.125));
        if response.new_piece || stale {
            factor = Factor::Missing;
        }
        // Where a contact slides, a step of about 1 is what the end of the search looks like.
        full_step =
            found.same_piece || found.minimised && !response.new_zone && (step - T::one()).abs() < literal(0.125);
        full_step &= !stale;
        (minimised, improvement) = (found.minimised, gained);
        // Steps are as the root of what they gain: below this one, no digit of an acceleration or force changes any more.
        fallen += gained;
        size = fallen + literal::<T>(0.5) * dot(&primal.deviation, &primal.inertia_force);
        if !stale && !(gained > literal::<T>(0.25) * T::default_epsilon() * T::default_epsilon() * size) {
            primal.show(observer, free, report.iterations, step);
            report.stop = Stop::Stalled;
            break;
        }
    }
    *stands = factor != Factor::Missing;
    report.duality_gap = primal.duality_gap(mass);
    report.active_rows = measure::active(primal.force());
    primal.finish(free)?;
    report.checked()
}
