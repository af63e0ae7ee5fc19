//! Newton's method on the primal objective, with an exact line search.
//!
//! Unknown is the acceleration. Inside a region where no row changes its [`Zone`] the objective is quadratic with Hessian
//! H = M + Σ J_iᵀ J_i / R_i over the rows on their quadratic piece (S15-34), so one step solves it; across regions the line search
//! finds the exact minimum along the direction (S15-40), and the objective never rises.
//!
//! Two habits keep `f32` honest. The row residuals z = J a − a_ref are carried along, z ← z + α J p, and never formed anew from a:
//! forming them anew would put the rounding of a_ref, times 1/R, into the forces. And while the active set stands, the
//! factor stands: further iterations are refinement steps at the price of a solve, until the gradient no longer falls.

use nalgebra::SVector;

use super::law::{Zone, cost_difference, respond};
use super::line_search::{RowState, Section};
use super::{Budget, Iterate, Measure, Observer, Report, SolverError, Stop, WarmStart, measure};
use crate::mass::{MassMatrix, factor};
use crate::rows::Rows;
use crate::scalar::{Real, add_scaled, all_finite, dot, literal, norm};

/// Memory of [`newton`]: one NV × NV matrix, seven vectors of NV, four of NR and the zones. Also holds the answer.
#[derive(Clone, Debug)]
pub struct NewtonWorkspace<T, const NV: usize, const NR: usize> {
    acceleration: SVector<T, NV>,
    force: [T; NR],
    rows: usize,
    /// a − a_u and M (a − a_u).
    deviation: [T; NV],
    inertia_force: [T; NV],
    gradient: [T; NV],
    /// p and M p.
    direction: [T; NV],
    direction_force: [T; NV],
    hessian: [[T; NV]; NV],
    inverse_pivots: [T; NV],
    states: [RowState<T>; NR],
}

impl<T: Copy, const NV: usize, const NR: usize> NewtonWorkspace<T, NV, NR> {
    /// All zero: pass `0.0`, so that a `static` one lands in .bss.
    pub const fn filled(zero: T) -> Self {
        Self {
            acceleration: super::measure::vector(zero),
            force: [zero; NR],
            rows: 0,
            deviation: [zero; NV],
            inertia_force: [zero; NV],
            gradient: [zero; NV],
            direction: [zero; NV],
            direction_force: [zero; NV],
            hessian: [[zero; NV]; NV],
            inverse_pivots: [zero; NV],
            states: [RowState { stiffness: zero, residual: zero, slope: zero, zone: Zone::Quadratic }; NR],
        }
    }

    /// The acceleration of the last solve, NV numbers.
    pub fn acceleration(&self) -> &SVector<T, NV> {
        &self.acceleration
    }

    /// The forces of the last solve, one a row, in the order of the rows.
    pub fn force(&self) -> &[T] {
        &self.force[..self.rows.min(NR)]
    }
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
pub fn newton<T: Real, const NV: usize, const NR: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR>,
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
pub fn newton_observed<T: Real, const NV: usize, const NR: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR>,
    warm_start: Option<&SVector<T, NV>>,
    budget: &Budget<T>,
    work: &mut NewtonWorkspace<T, NV, NR>,
    observer: &mut impl Observer<T>,
) -> Result<Report<T>, SolverError> {
    measure::check(mass, free_acceleration, warm_start, budget)?;
    for ((index, row), state) in rows.rows().iter().enumerate().zip(&mut work.states) {
        if !(row.regularizer > T::zero()) {
            return Err(SolverError::ZeroRegularizer { row: index as u16 });
        }
        state.stiffness = T::one() / row.regularizer;
    }
    work.rows = rows.len();
    let free = measure::array(free_acceleration);
    work.start(free, rows);
    let warm_start = match warm_start {
        None => WarmStart::Absent,
        Some(saved) if work.start_from(mass, free, measure::array(saved), rows) => WarmStart::Used,
        Some(_) => WarmStart::Rejected,
    };

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
    work.respond(rows);
    let (mut new_piece, mut full_step, mut minimised) = (true, false, false);
    let mut step = T::zero();
    let mut improvement = T::zero();
    loop {
        let previous = report.gradient_norm;
        work.collect_gradient(rows);
        report.gradient_norm = norm(&work.gradient);
        work.show(observer, free, report.iterations, step);

        let measured = match budget.measure {
            Measure::Engine => {
                // A step cut short by the budget may be small far from the optimum: it proves nothing.
                minimised && improvement > T::zero() && scale * improvement < budget.tolerance
                    || scale * report.gradient_norm < budget.tolerance
            }
            Measure::ForceCorrection => minimised && report.force_correction < budget.tolerance,
            Measure::DualityGap => work.duality_gap(mass) < budget.tolerance,
        };
        if measured || work.gradient.iter().all(|g| *g == T::zero()) {
            report.stop = Stop::Converged;
            break;
        }
        // A full step within one piece solves all; where it did not halve the gradient, rounding is what is left.
        if full_step && !new_piece && !(report.gradient_norm < previous * literal(0.5)) {
            report.stop = Stop::Stalled;
            break;
        }
        if report.iterations >= budget.iterations {
            break;
        }
        if new_piece && !work.factor_hessian(mass, rows) {
            report.stop = Stop::Stalled;
            break;
        }
        work.find_direction(mass, rows);
        let start = dot(&work.gradient, &work.direction);
        if !(start < T::zero()) {
            report.stop = Stop::Stalled;
            break;
        }
        let tolerance = budget.tolerance * budget.line_search_tolerance * norm(&work.direction) / scale;
        let left = budget.line_search.saturating_sub(report.line_search_evaluations);
        let found = work.section(rows, start).search(tolerance, left);
        report.line_search_evaluations += found.evaluations;
        step = found.step;
        let gained = work.advance(rows, step, start, found.same_piece);
        report.iterations += 1;
        let (changed, correction) = work.respond(rows);
        report.force_correction = correction;
        new_piece = changed;
        (full_step, minimised, improvement) = (found.same_piece, found.minimised, gained);
        if !(gained > T::zero()) {
            work.collect_gradient(rows);
            report.gradient_norm = norm(&work.gradient);
            work.show(observer, free, report.iterations, step);
            report.stop = Stop::Stalled;
            break;
        }
    }
    report.duality_gap = work.duality_gap(mass);
    report.active_rows = measure::active(work.force());
    work.finish(free)?;
    report.checked()
}

impl<T: Real, const NV: usize, const NR: usize> NewtonWorkspace<T, NV, NR> {
    /// At a_u: no deviation, z = J a_u − a_ref.
    fn start(&mut self, free: &[T; NV], rows: &Rows<T, NV, NR>) {
        self.deviation = [T::zero(); NV];
        self.inertia_force = [T::zero(); NV];
        for (state, row) in self.states.iter_mut().zip(rows.rows()) {
            state.residual = dot(&row.jacobian, free) - row.reference;
        }
    }

    /// Moves to the saved acceleration if its objective is not larger than that at a_u; a tie keeps the saved one (X-54).
    fn start_from(
        &mut self,
        mass: &MassMatrix<T, NV>,
        free: &[T; NV],
        saved: &[T; NV],
        rows: &Rows<T, NV, NR>,
    ) -> bool {
        for ((d, a), f) in self.direction.iter_mut().zip(saved).zip(free) {
            *d = *a - *f;
        }
        mass.times_array(&self.direction, &mut self.direction_force);
        let mut difference = dot(&self.direction, &self.direction_force) * literal(0.5);
        for (state, row) in self.states.iter_mut().zip(rows.rows()) {
            let z = dot(&row.jacobian, saved) - row.reference;
            difference += cost_difference(row.rule, state.stiffness, state.residual, z);
            state.slope = z;
        }
        // Not `<= 0` alone: an overflow to NaN must be a rejection.
        let better = difference <= T::zero();
        if better {
            self.deviation = self.direction;
            self.inertia_force = self.direction_force;
            for state in &mut self.states {
                state.residual = state.slope;
            }
        }
        better
    }

    /// Forces and zones from z. Returns whether a zone changed, and the largest change of a force.
    fn respond(&mut self, rows: &Rows<T, NV, NR>) -> (bool, T) {
        let (mut changed, mut correction) = (false, T::zero());
        for ((row, state), force) in rows.rows().iter().zip(&mut self.states).zip(&mut self.force) {
            let (answer, zone) = respond(row.rule, state.stiffness, state.residual);
            let change = (answer - *force).abs();
            if change > correction {
                correction = change;
            }
            changed |= zone != state.zone;
            *force = answer;
            state.zone = zone;
        }
        (changed, correction)
    }

    /// g = M (a − a_u) − Jᵀ f.
    fn collect_gradient(&mut self, rows: &Rows<T, NV, NR>) {
        self.gradient = self.inertia_force;
        for (row, force) in rows.rows().iter().zip(&self.force) {
            if *force != T::zero() {
                add_scaled(&mut self.gradient, -*force, &row.jacobian);
            }
        }
    }

    /// H = M + Σ JᵀJ/R over the quadratic rows, factored in place; false where rounding spoilt it.
    fn factor_hessian(&mut self, mass: &MassMatrix<T, NV>, rows: &Rows<T, NV, NR>) -> bool {
        self.hessian = *mass.columns();
        for (row, state) in rows.rows().iter().zip(&self.states) {
            if state.zone != Zone::Quadratic {
                continue;
            }
            for k in 0..NV {
                let scaled = row.jacobian[k] * state.stiffness;
                if scaled != T::zero() {
                    let column = &mut self.hessian[k];
                    for i in 0..=k {
                        column[i] += scaled * row.jacobian[i];
                    }
                }
            }
        }
        factor::factor(&mut self.hessian, &mut self.inverse_pivots).is_ok()
    }

    /// p = −H⁻¹ g, M p and J p.
    fn find_direction(&mut self, mass: &MassMatrix<T, NV>, rows: &Rows<T, NV, NR>) {
        for (p, g) in self.direction.iter_mut().zip(&self.gradient) {
            *p = -*g;
        }
        factor::solve(&self.hessian, &self.inverse_pivots, &mut self.direction);
        mass.times_array(&self.direction, &mut self.direction_force);
        for (state, row) in self.states.iter_mut().zip(rows.rows()) {
            state.slope = dot(&row.jacobian, &self.direction);
        }
    }

    fn section<'a>(&'a self, rows: &'a Rows<T, NV, NR>, start: T) -> Section<'a, T, NV> {
        Section {
            rows: rows.rows(),
            states: &self.states,
            force: &self.force,
            inertia_curvature: dot(&self.direction, &self.direction_force),
            start,
        }
    }

    /// Goes `step` along the direction, on which the objective starts with `slope`, and returns how far it fell: half the slope
    /// where the step minimises a quadratic, else the slope and what each row deviates from it.
    fn advance(&mut self, rows: &Rows<T, NV, NR>, step: T, slope: T, same_piece: bool) -> T {
        let half = literal::<T>(0.5);
        let gained = if same_piece {
            -half * slope
        } else {
            let mut rise = step * (slope + half * step * dot(&self.direction, &self.direction_force));
            for ((row, state), force) in rows.rows().iter().zip(&self.states).zip(&self.force) {
                let (z, change) = (state.residual, step * state.slope);
                let (_, zone) = respond(row.rule, state.stiffness, z + change);
                if zone != state.zone {
                    rise += cost_difference(row.rule, state.stiffness, z, z + change) + *force * change;
                } else if zone == Zone::Quadratic {
                    rise += half * state.stiffness * change * change;
                }
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
    fn duality_gap(&mut self, mass: &MassMatrix<T, NV>) -> T {
        self.direction = self.gradient;
        mass.solve_array(&mut self.direction);
        let gap = dot(&self.gradient, &self.direction) * literal(0.5);
        // NaN stays NaN: it must not pass for an optimum.
        if gap < T::zero() { T::zero() } else { gap }
    }

    fn show<O: Observer<T>>(&mut self, observer: &mut O, free: &[T; NV], iteration: u16, step: T) {
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

    fn finish(&mut self, free: &[T; NV]) -> Result<(), SolverError> {
        self.add_up(free);
        if all_finite(self.acceleration.as_slice()) && all_finite(self.force()) {
            Ok(())
        } else {
            Err(SolverError::Overflow)
        }
    }
}
