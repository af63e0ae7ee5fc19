//! The exact line search of the primal objective.
//!
//! Along a + α p the objective is convex and its slope is known row by row, so the minimiser is found by Newton's method on the
//! slope inside a bracket, O(rows) an evaluation and no matrix work. Without elliptic contacts the step that is returned has a
//! slope that is not positive (or negligibly so): by convexity the objective then has not risen, whatever the budget. With them
//! the search ends at a hundredth of the starting slope, of either sign: a solver that finds no gain there ends as stalled.

use super::law::{Zone, respond};
use crate::cone::elliptic;
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
}

/// The objective along a direction: quadratic part from M, the rest row by row.
pub(super) struct Section<'a, T, const NV: usize> {
    pub(super) rows: &'a [Row<T, NV>],
    pub(super) states: &'a [RowState<T>],
    /// Force of each row at α = 0.
    pub(super) force: &'a [T],
    /// Of each cone, its cost along the direction.
    pub(super) lines: &'a [ConeLine<T>],
    /// pᵀ M p.
    pub(super) inertia_curvature: T,
    /// Slope at α = 0, negative.
    pub(super) start: T,
}

/// What a line search found.
pub(super) struct Found<T> {
    pub(super) step: T,
    pub(super) evaluations: u16,
    /// Every row is on the same piece at the end of the first trial as at its start: the minimiser of the piece.
    pub(super) same_piece: bool,
    /// The step minimises along the direction as far as asked; false where the evaluations ran out first.
    pub(super) minimised: bool,
}

struct Evaluation<T> {
    slope: T,
    curvature: T,
    same_piece: bool,
}

impl<T: Real, const NV: usize> Section<'_, T, NV> {
    /// The slope as its change from α = 0: a row that stays at its friction limit adds exactly nothing, where the product of
    /// its force and J p would bury the slope under its rounding.
    #[inline(always)]
    fn evaluate(&self, step: T) -> Evaluation<T> {
        let mut slope = self.start + step * self.inertia_curvature;
        let mut curvature = self.inertia_curvature;
        let mut same_piece = true;
        for ((row, state), old) in self.rows.iter().zip(self.states).zip(self.force) {
            if row.rule == Rule::Cone {
                continue;
            }
            let (force, zone) = respond(row.rule, state.stiffness, state.residual + step * state.slope);
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
        if !self.lines.is_empty() {
            for line in self.lines {
                let (rise, bend, zone) = line.slope_from_tangent(step);
                slope += rise;
                curvature += bend;
                same_piece &= zone == line.start_zone() && zone != elliptic::Zone::Middle;
            }
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

    /// Second derivative at α = 0, on the piece that the point is on.
    pub(super) fn curvature(&self) -> T {
        self.evaluate(T::zero()).curvature
    }

    /// The minimising step, with |slope| at most `tolerance` where `budget` evaluations suffice. `first` is where the minimum would
    /// be if every row stayed on its piece: 1 for a Newton direction.
    pub(super) fn search(&self, first: T, tolerance: T, budget: u16) -> Found<T> {
        let (mut low, mut high) = (T::zero(), None);
        let mut step = first;
        // What the slope can be told from zero by, in this precision.
        let rounding = T::default_epsilon() * literal(4.0) * self.start.abs();
        let mut tolerance = if tolerance > rounding { tolerance } else { rounding };
        // Along a sliding contact the slope is curved, its zero takes many evaluations, and the next direction is another one: a
        // hundredth of the slope is near enough. Without contacts the slope is piecewise straight, and its zero is found exactly.
        let near = literal::<T>(0.01) * self.start.abs();
        if !self.lines.is_empty() && near > tolerance {
            tolerance = near;
        }
        let half_digits = square_root(T::default_epsilon());
        for evaluations in 1..=budget {
            let at = self.evaluate(step);
            if evaluations == 1 && at.same_piece {
                return Found { step, evaluations, same_piece: true, minimised: true };
            }
            if at.slope.abs() <= tolerance {
                return Found { step, evaluations, same_piece: false, minimised: true };
            }
            if at.slope < T::zero() {
                low = step;
            } else {
                high = Some(step);
            }
            let newton = step - at.slope / at.curvature;
            let next = match high {
                Some(high) if !(newton > low && newton < high) => low + (high - low) * literal(0.5),
                // A mass matrix on the brink of singular can round pᵀ M p below zero. The slope then never turns, and what is
                // known to descend must do.
                None if !(newton > low) => low,
                _ => newton,
            };
            // A step known to half the digits leaves an objective known to all of them.
            let narrow = high.is_some_and(|high| !(high - low > half_digits * high));
            if !next.is_finite() || next == low || narrow {
                return Found {
                    step: if low > T::zero() { low } else { self.blind() },
                    evaluations,
                    same_piece: false,
                    minimised: true,
                };
            }
            step = next;
        }
        Found {
            step: if low > T::zero() { low } else { self.blind() },
            evaluations: budget,
            same_piece: false,
            minimised: false,
        }
    }
}
