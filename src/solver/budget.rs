//! What a solve may spend ([`Budget`]) and what it says afterwards ([`Report`]).

use super::SolverError;
use crate::mass::MassMatrix;
use crate::scalar::{Real, larger, literal};

/// Bounds of a solve. Plain data: keep it in flash.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Budget<T> {
    /// Newton iterations or Gauss–Seidel sweeps; 0 is allowed and returns the feasible forces of the start.
    pub iterations: u16,
    /// Evaluations of the line search over the whole solve. Primal methods only.
    pub line_search: u16,
    /// The solve ends as converged when the measure is below this; 0 means "as far as the precision goes".
    pub tolerance: T,
    /// What is compared with the tolerance.
    pub measure: Measure,
    /// The line search accepts |slope| < tolerance · line_search_tolerance · |p| / scale. Useful: 1e-3 … 0.1.
    pub line_search_tolerance: T,
    /// Unit of the engine's measure.
    pub scale: Scale<T>,
}

impl<T: Real> Budget<T> {
    /// The engine's measure with its usual line search: `iterations`, twice as many evaluations plus four, `tolerance`.
    pub fn new(iterations: u16, tolerance: T) -> Self {
        Self {
            iterations,
            line_search: iterations.saturating_mul(2).saturating_add(4),
            tolerance,
            measure: Measure::Engine,
            line_search_tolerance: literal(0.01),
            scale: Scale::MassTrace,
        }
    }

    /// Whether the numbers can be compared with at all: tolerances finite and not negative, a fixed scale positive.
    pub(crate) fn is_sound(&self) -> bool {
        let scale = match self.scale {
            Scale::MassTrace => true,
            Scale::Fixed(scale) => scale > T::zero() && scale.is_finite(),
        };
        scale
            && self.tolerance >= T::zero()
            && self.tolerance.is_finite()
            && self.line_search_tolerance >= T::zero()
            && self.line_search_tolerance.is_finite()
    }
}

/// What is compared with [`Budget::tolerance`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Measure {
    /// The engine's: scale × decrease of the objective in the last iteration or, primal only, scale × |gradient|.
    Engine,
    /// Largest change of a row's force in the last iteration or sweep, in the row's unit (N or N m): after a sweep of
    /// Gauss–Seidel this is S15-17 taken at each row's own visit.
    ForceCorrection,
    /// The duality gap \[N m/s²\]: bounds ½ |a − a*|² in the metric M from above, whatever the method.
    DualityGap,
}

/// Factor of the engine's measure \[1/kg for translations\].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Scale<T> {
    /// 1 / (sum of the current diagonal of M), what the engine uses for Newton and CG on islands.
    MassTrace,
    /// A fixed factor: 1 / (mean inertia · max(1, NV)) is the engine's for PGS and noslip.
    Fixed(T),
}

impl<T: Real> Scale<T> {
    pub(crate) fn value<const NV: usize>(&self, mass: &MassMatrix<T, NV>) -> T {
        match *self {
            Scale::MassTrace => T::one() / larger(mass.trace(), literal(crate::scalar::SMALLEST)),
            Scale::Fixed(scale) => scale,
        }
    }
}

/// Why a solve ended. In each case forces and acceleration are finite, and every force obeys its row's rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Stop {
    /// The measure fell below the tolerance.
    Converged,
    /// The iterations, or the line-search evaluations, are used up: a usable answer, further from the optimum.
    BudgetSpent,
    /// No further progress at this precision: the answer is as good as `T` allows, although the tolerance asks for more.
    Stalled,
}

/// What became of the warm start (S15-18, X-15).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum WarmStart {
    /// None was given.
    Absent,
    /// It was the better start.
    Used,
    /// The cold start was better in this tick.
    Rejected,
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Report<T> {
    /// Why it ended.
    pub stop: Stop,
    /// Steps or sweeps that were taken.
    pub iterations: u16,
    /// Evaluations that the line search took; 0 for dual methods.
    pub line_search_evaluations: u16,
    /// Euclidean norm of the primal gradient M (a − a_u) − Jᵀ f, in units of generalized force (S15-38): what the returned
    /// acceleration and forces miss of the equation of motion. 0 for dual methods, which keep that equation exactly.
    pub gradient_norm: T,
    /// Largest change of a row's force in the last step or sweep \[N or N m\].
    pub force_correction: T,
    /// Duality gap \[N m/s²\], ≥ 0, computed without cancellation: 0 exactly at the optimum.
    pub duality_gap: T,
    /// Rows with a force that is not zero.
    pub active_rows: u16,
    /// Whether the warm start was used.
    pub warm_start: WarmStart,
}

impl<T: Real> Report<T> {
    /// Of a solve that has not begun.
    pub(crate) fn new(warm_start: WarmStart) -> Self {
        Self {
            stop: Stop::BudgetSpent,
            iterations: 0,
            line_search_evaluations: 0,
            gradient_norm: T::zero(),
            force_correction: T::zero(),
            duality_gap: T::zero(),
            active_rows: 0,
            warm_start,
        }
    }

    /// The report, unless a measure is NaN: finite forces whose measures are not even comparable are beyond the precision. An
    /// infinite measure is an honest one.
    pub(super) fn checked(self) -> Result<Self, SolverError> {
        let known = |x: T| x >= T::zero();
        if known(self.gradient_norm) && known(self.force_correction) && known(self.duality_gap) {
            Ok(self)
        } else {
            Err(SolverError::Overflow)
        }
    }
}
