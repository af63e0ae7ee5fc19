//! The exact line search of the primal objective.
//!
//! Along a + α p the objective is convex and its slope is known row by row, so the minimiser is found by Newton's method on the
//! slope inside a bracket, O(rows) an evaluation and no matrix work. The step that is returned never raises the objective, whatever
//! the budget: either its slope is not positive (or negligibly so), and convexity says the rest, or its slope is a small positive
//! one and the fall was computed and is an eighth at least of what the starting slope foretells.
//!
//! Without elliptic contacts the minimum is exact. Along a sliding contact the slope is curved, its zero takes many evaluations,
//! and the next direction is another one: three tenths of the starting slope are near enough (the two Wolfe conditions; fewer
//! evaluations cost as much in further iterations as they save, more save nothing).

use super::law::{Zone, cost_difference, respond};
use crate::cone::line::ConeLine;
use crate::rows::{Row, Rule};
use crate::scalar::{Real, literal, square_root};

/// What a primal method carries along for a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowState<T> {
    /// 1/R.
    pub(super) stiffness: T,
    /// z = J a − a_ref.
    pub(super) residual: T,
    /// J p.
    pub(super) slope: T,
    /// Where z is, at the point that the line search starts from.
    pub(super) zone: Zone,
    pub(super) class: Class,
}

/// A row's rule without its number: beside the zone it costs no memory, and the loops over the rows need not read the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Free,
    NonNegative,
    Interval,
    Cone,
}

impl Class {
    pub(super) fn of<T>(rule: &Rule<T>) -> Self {
        match rule {
            Rule::Free => Self::Free,
            Rule::NonNegative => Self::NonNegative,
            Rule::Interval { .. } => Self::Interval,
            Rule::Cone => Self::Cone,
        }
    }

    /// The rule again; `row` is the row's index.
    #[inline(always)]
    pub(super) fn rule<T: Real, const NV: usize>(self, rows: &[Row<T, NV>], row: usize) -> Rule<T> {
        match self {
            Self::NonNegative => Rule::NonNegative,
            Self::Free => Rule::Free,
            Self::Interval => rows.get(row).map_or(Rule::Cone, |row| row.rule),
            Self::Cone => Rule::Cone,
        }
    }
}

impl<T: Real> RowState<T> {
    /// Force and zone at z; `None` for a row of an elliptic contact. The commonest rule first, the others out of line.
    #[inline(always)]
    pub(super) fn respond<const NV: usize>(&self, rows: &[Row<T, NV>], row: usize, z: T) -> Option<(T, Zone)> {
        if self.class == Class::NonNegative {
            Some(respond(Rule::NonNegative, self.stiffness, z))
        } else {
            self.respond_otherwise(rows, row, z)
        }
    }

    #[inline(never)]
    fn respond_otherwise<const NV: usize>(&self, rows: &[Row<T, NV>], row: usize, z: T) -> Option<(T, Zone)> {
        match self.class.rule(rows, row) {
            Rule::Cone => None,
            rule => Some(respond(rule, self.stiffness, z)),
        }
    }
}

/// The objective along a direction: quadratic part from M, the rest row by row.
pub(super) struct Section<'a, T, const NV: usize> {
    pub(super) rows: &'a [Row<T, NV>],
    /// The states of the rows as far as there are any that are not of an elliptic contact.
    pub(super) plain: &'a [RowState<T>],
    pub(super) states: &'a [RowState<T>],
    /// Force of each row at α = 0.
    pub(super) force: &'a [T],
    /// Of each cone, its cost along the direction.
    pub(super) lines: &'a mut [ConeLine<T>],
    /// pᵀ M p.
    pub(super) inertia_curvature: T,
    /// Slope at α = 0, negative.
    pub(super) start: T,
}

/// What a line search found.
pub(super) struct Found<T> {
    pub(super) step: T,
    /// How far the objective falls: half the slope where the step minimises a quadratic.
    pub(super) gained: T,
    pub(super) evaluations: u16,
    /// Every row is on the same piece at the end of the first trial as at its start: the minimiser of the piece.
    pub(super) same_piece: bool,
    /// The step minimises along the direction as far as asked; false where the evaluations ran out first.
    pub(super) minimised: bool,
}

/// With elliptic contacts a slope of this share of the starting slope ends the search.
const NEAR: f64 = 0.3;
/// A positive slope only does if the objective has fallen by this share of step times starting slope.
const FALL: f64 = 0.125;

struct Evaluation<T> {
    slope: T,
    curvature: T,
    same_piece: bool,
}

impl<T: Real, const NV: usize> Section<'_, T, NV> {
    /// The slope as its change from α = 0: a row that stays at its friction limit adds exactly nothing, where the product of
    /// its force and J p would bury the slope under its rounding.
    #[inline(always)]
    fn evaluate(&mut self, step: T) -> Evaluation<T> {
        let mut slope = self.start + step * self.inertia_curvature;
        let mut curvature = self.inertia_curvature;
        let mut same_piece = true;
        for (index, (state, old)) in self.plain.iter().zip(self.force).enumerate() {
            let z = state.residual + step * state.slope;
            let Some((force, zone)) = state.respond(self.rows, index, z) else { continue };
            let bend = state.stiffness * state.slope * state.slope;
            if zone == Zone::Quadratic {
                curvature += bend;
            }
            if zone != state.zone {
                slope -= (force - *old) * state.slope;
                same_piece = false;
            } else if zone == Zone::Quadratic {
                slope += step * bend;
            }
        }
        for line in &mut *self.lines {
            let (rise, bend, same) = line.slope_above_tangent(step);
            slope += rise;
            curvature += bend;
            same_piece &= same;
        }
        Evaluation { slope, curvature, same_piece }
    }

    /// A step that lowers the objective without looking: the curvature with every row counted is an upper bound.
    fn blind(&self) -> T {
        let mut curvature = self.inertia_curvature;
        // Over the rows, not over the memory: what an earlier solve left beyond them is not this problem's.
        for (state, _) in self.states.iter().zip(self.rows) {
            curvature += state.stiffness * state.slope * state.slope;
        }
        -self.start / curvature
    }

    /// Where the minimum would be if every row stayed on its piece; 1 where that is nowhere.
    pub(super) fn first_guess(&mut self) -> T {
        let mut curvature = self.inertia_curvature;
        for state in self.plain {
            if state.zone == Zone::Quadratic && state.class != Class::Cone {
                curvature += state.stiffness * state.slope * state.slope;
            }
        }
        for line in &mut *self.lines {
            curvature += line.slope_above_tangent(T::zero()).1;
        }
        if curvature > T::zero() { -self.start / curvature } else { T::one() }
    }

    /// Objective at `step` minus that at 0, as the slope and what each row deviates from it: nothing cancels in a row that
    /// keeps its piece.
    fn rise(&self, step: T) -> T {
        let half = literal::<T>(0.5);
        let mut rise = step * (self.start + half * step * self.inertia_curvature);
        for (index, (state, force)) in self.plain.iter().zip(self.force).enumerate() {
            let (z, change) = (state.residual, step * state.slope);
            let Some((_, zone)) = state.respond(self.rows, index, z + change) else { continue };
            if zone != state.zone {
                let rule = state.class.rule(self.rows, index);
                rise += cost_difference(rule, state.stiffness, z, z + change) + *force * change;
            } else if zone == Zone::Quadratic {
                rise += half * state.stiffness * change * change;
            }
        }
        for line in &*self.lines {
            rise += line.above_tangent(step);
        }
        rise
    }

    /// The minimising step, with |slope| at most `tolerance` where `budget` evaluations suffice; asked for only when it decides.
    /// `first` is where the minimum would be if every row stayed on its piece: 1 for a Newton direction.
    pub(super) fn search(mut self, first: T, tolerance: impl Fn() -> T, budget: u16) -> Found<T> {
        // The bracket, and the slope at its upper end.
        let (mut low, mut high, mut steep) = (T::zero(), None, T::zero());
        let mut step = first;
        // What the slope can be told from zero by, in this precision.
        let mut terms = self.start.abs();
        for line in &*self.lines {
            terms += line.start_terms();
        }
        let rounding = T::default_epsilon() * literal(4.0) * terms;
        let mut known_tolerance = None;
        let near = if self.lines.is_empty() { T::zero() } else { literal::<T>(NEAR) * self.start.abs() };
        let half_digits = square_root(T::default_epsilon());
        for evaluations in 1..=budget {
            let at = self.evaluate(step);
            // The slope is gone but for rounding, which leaves some of it where H is nearly singular; an old factor may leave more.
            if evaluations == 1 && at.same_piece && at.slope.abs() <= self.start.abs() * literal(0.125) {
                let gained = -literal::<T>(0.5) * self.start * step;
                return Found { step, gained, evaluations, same_piece: true, minimised: true };
            }
            if at.slope.abs() <= rounding
                || at.slope <= T::zero() && -at.slope <= near
                || at.slope.abs() <= *known_tolerance.get_or_insert_with(&tolerance)
            {
                // Between the slopes at both ends lies the fall of a convex function, if both are falls: their mean is within a factor of
                // two, and costs nothing.
                if !self.lines.is_empty() && at.slope <= T::zero() {
                    let gained = -literal::<T>(0.5) * step * (self.start + at.slope);
                    return Found { step, gained, evaluations, same_piece: false, minimised: true };
                }
                return self.found(step, evaluations, true);
            }
            if at.slope > T::zero() && at.slope <= near {
                let rise = self.rise(step);
                if rise <= literal::<T>(FALL) * step * self.start {
                    return Found { step, gained: -rise, evaluations, same_piece: false, minimised: true };
                }
            }
            if at.slope < T::zero() {
                low = step;
            } else {
                (high, steep) = (Some(step), at.slope);
            }
            let newton = step - at.slope / at.curvature;
            let next = match high {
                Some(high) if !(newton > low && newton < high) => low + (high - low) * literal(0.5),
                // A mass matrix on the brink of singular can round pᵀ M p below zero. The slope then never turns, and what is
                // known to descend must do.
                None if !(newton > low) => low,
                _ => newton,
            };
            if !next.is_finite() || next == low || high == Some(next) {
                return self.found(if low > T::zero() { low } else { self.blind() }, evaluations, true);
            }
            // A step known to half the digits leaves an objective known to all of them. But where a stiff row begins between the two
            // ends, it answers only beyond: from before it the next direction would be the same one and end there again. The end
            // beyond does if its slope is no steeper than the first one was, so that the forces there are of this problem's size.
            if let Some(end) = high.filter(|end| !(*end - low > half_digits * *end)) {
                let (before, beyond) = (self.rise(low), self.rise(end));
                if steep <= self.start.abs() && beyond < T::zero() && beyond <= literal::<T>(0.5) * before {
                    return Found { step: end, gained: -beyond, evaluations, same_piece: false, minimised: true };
                }
            }
            step = next;
        }
        self.found(if low > T::zero() { low } else { self.blind() }, budget, false)
    }

    fn found(&self, step: T, evaluations: u16, minimised: bool) -> Found<T> {
        Found { step, gained: -self.rise(step), evaluations, same_piece: false, minimised }
    }
}
