//! Block principal pivoting on the dual (Júdice and Pires 1994), the primal–dual active set method: which rows push is guessed, the
//! forces of those follow from one factor, and all rows that contradict the guess change sides at once.
//!
//! While the count of contradictions falls to a new low every few steps the guess improves, mostly to the end. Where it does not, among
//! many rows that all but depend on each other, a walk through allowed forces takes over (Lawson and Hanson 1974, chapter 23): towards the forces
//! of the rows that push, up to the first that would have to pull, which lets go; and where none would, the row that is broken most joins. The
//! objective falls with every step, so no guess comes back. A + R is positive definite, so both end at the one optimum: in exact numbers. Where
//! rounding decides on which side a row is, the sides no longer matter, and the row stays.

use super::active_factor::ActiveFactor;
use super::law::{self, Zone};
use super::{Budget, Measure, Report, Stop, measure};
use crate::rows::Rule;
use crate::scalar::{Real, larger, literal};

/// Steps that may pass without a new low of contradictions before the walk begins.
const PATIENCE: u8 = 3;

/// A, R and the rules, wherever they come from.
pub(super) trait Operator<T: Real, const NR: usize> {
    /// Rule and R > 0 of a row.
    fn law(&self, row: usize) -> Option<(Rule<T>, T)>;
    /// Is told before the couplings of a row are asked for; returns the handle by which to ask for them.
    fn learn(&mut self, row: usize) -> u16;
    /// Makes the couplings of the rows that were learnt since the last time.
    fn couple(&mut self);
    /// Forgets what it learnt: M, J or R have changed.
    fn forget(&mut self);
    /// A between one row and others.
    fn gather(&self, handle: u16, others: &[u16], entries: &mut [T; NR]);
    /// Takes the forces.
    fn respond(&mut self, force: &[T; NR]);
    /// z = J a − a_ref = b + A f of a row, for the forces taken last.
    fn residual(&self, row: usize, offset: T) -> T;
    /// Σ |terms| of what is added to b there.
    fn terms(&self, row: usize, force: &[T; NR]) -> T;
}

/// Forces, sides and factor.
#[derive(Clone, Debug)]
pub(super) struct Pivoting<T, const NR: usize> {
    pub(super) force: [T; NR],
    pub(super) rows: usize,
    /// b = J a_u − a_ref.
    pub(super) offset: [T; NR],
    pub(super) zone: [Zone; NR],
    pub(super) factor: ActiveFactor<T, NR>,
    /// Right-hand side and solution in the order of the factor; after a look, what the rows that push miss.
    pub(super) packed: [T; NR],
    /// Rows that contradict, and the zone that each wants.
    pub(super) moved: [(u16, Zone); NR],
    pub(super) contradictions: usize,
    /// Rows held at a bound that is not zero.
    pub(super) held: usize,
}

impl<T: Copy, const NR: usize> Pivoting<T, NR> {
    pub(super) const fn filled(zero: T) -> Self {
        Self {
            force: [zero; NR],
            rows: 0,
            offset: [zero; NR],
            zone: [Zone::Quadratic; NR],
            factor: ActiveFactor::filled(zero),
            packed: [zero; NR],
            moved: [(0, Zone::Quadratic); NR],
            contradictions: 0,
            held: 0,
        }
    }

    pub(super) fn force(&self) -> &[T] {
        &self.force[..self.rows.min(NR)]
    }
}

/// What the factor at hand is of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Memory {
    /// Nothing is listed yet.
    Empty,
    /// Of an earlier solve, list of active rows included: M, J and R are said to stand.
    Old,
}

impl<T: Real, const NR: usize> Pivoting<T, NR> {
    /// Solves from the zones, the offsets and the feasible forces at hand. `scale` is the unit of the engine's measure.
    #[inline(always)]
    pub(super) fn solve(
        &mut self,
        operator: &mut impl Operator<T, NR>,
        memory: Memory,
        budget: &Budget<T>,
        scale: T,
        report: &mut Report<T>,
    ) {
        if self.rows == 0 {
            operator.respond(&[T::zero(); NR]);
            report.stop = Stop::Converged;
            return;
        }
        let mut old = memory == Memory::Old;
        if !old {
            self.list_all(operator);
        }
        let (mut fewest, mut patience) = (usize::MAX, PATIENCE);
        // The gap before the last refinement, if that was the last step.
        let mut before = None;
        // How often a refinement brought contradictions back.
        let mut returns = 0u8;
        let (mut walking, mut entered) = (false, None);
        loop {
            if report.iterations >= budget.iterations {
                // A refinement with the factor of another problem may have led away.
                if old || before.is_none() {
                    self.give_up(operator, report);
                }
                break;
            }
            report.iterations += 1;
            if before.is_some() {
                report.force_correction = self.refine();
            } else {
                self.aim(operator);
                if walking && let Some((row, share)) = self.walk(operator) {
                    if entered == Some(row) && !(share > T::zero()) {
                        // It wanted to join by rounding's doing.
                        report.duality_gap = self.settle(operator);
                        report.stop = Stop::Stalled;
                        break;
                    }
                    continue;
                }
                report.force_correction = self.arrive();
            }
            operator.respond(&self.force);
            self.look(operator, T::zero());
            returns += u8::from(before.is_some() && self.contradictions > 0);
            let pivots = self.contradictions < fewest || patience > 0;
            if old && self.contradictions > 0 && (!pivots || returns > 2) {
                // Perhaps the factor is of another problem.
                old = false;
                operator.forget();
                self.list_all(operator);
                (fewest, patience, returns, before) = (usize::MAX, PATIENCE, 0, None);
                continue;
            }
            if self.contradictions > 0 && (walking || !pivots || returns > 2) {
                // Perhaps they are of rounding's making.
                self.look_again(operator);
                if self.contradictions == 0 || returns > 2 {
                    report.duality_gap = self.settle(operator);
                    report.stop = Stop::Stalled;
                    break;
                }
            }
            if self.contradictions > 0 {
                if walking {
                    entered = self.join(operator);
                } else if pivots {
                    patience = if self.contradictions < fewest { PATIENCE } else { patience - 1 };
                    fewest = fewest.min(self.contradictions);
                    self.switch(operator, self.contradictions);
                } else {
                    walking = true;
                    self.give_up(operator, report);
                    self.side_by_force(operator);
                    self.list_all(operator);
                }
                if walking && before.is_some() {
                    self.settle(operator);
                }
                before = None;
                continue;
            }
            let gap = self.missing(operator);
            report.duality_gap = gap;
            // The factor is of another problem: its corrections say nothing. Not `<=`: an infinite gap must not pass for a smaller one.
            let stale = old && before.is_some_and(|last| !(gap < last * literal(1.0 / 64.0)));
            let measured = match budget.measure {
                Measure::Engine => scale * gap < budget.tolerance,
                Measure::ForceCorrection => before.is_some() && !stale && report.force_correction < budget.tolerance,
                Measure::DualityGap => gap < budget.tolerance,
            };
            // How far the first solution may be off is known from the factor. Where that is much, the gap does not tell it of
            // forces that cancel.
            let thin = T::default_epsilon() * self.factor.amplification() > literal(2e-6);
            if gap == T::zero() || measured && (before.is_some() || !thin) {
                report.stop = Stop::Converged;
                break;
            }
            if let Some(last) = before {
                if stale {
                    old = false;
                    operator.forget();
                    self.list_all(operator);
                    before = None;
                    continue;
                }
                if !(gap < last * literal(0.25)) {
                    report.stop = Stop::Stalled;
                    break;
                }
            }
            before = Some(gap);
        }
        let below = match budget.measure {
            Measure::Engine => scale * report.duality_gap < budget.tolerance,
            Measure::ForceCorrection => false,
            Measure::DualityGap => report.duality_gap < budget.tolerance,
        };
        // Contradictions of rounding's making are no reason to call an answer short of its tolerance.
        if report.stop == Stop::Stalled && below {
            report.stop = Stop::Converged;
        }
        report.active_rows = measure::active(self.force());
    }

    /// Solves for the forces that belong to the zones: (A + R) f + b = 0 in the rows that push, all others held.
    fn aim(&mut self, operator: &mut impl Operator<T, NR>) {
        operator.couple();
        self.factor.update(|row, handle, others, entries| {
            operator.gather(handle, others, entries);
            operator.law(usize::from(row)).map_or(T::one(), |(_, regularizer)| regularizer)
        });
        for (slot, row) in self.packed.iter_mut().zip(self.factor.list()) {
            *slot = -self.offset.get(usize::from(*row)).copied().unwrap_or(T::zero());
        }
        if self.held > 0 {
            self.hold(operator);
        }
        self.factor.solve(&mut self.packed);
    }

    /// Takes the forces aimed at. Returns the largest change.
    fn arrive(&mut self) -> T {
        let mut correction = T::zero();
        for (new, row) in self.packed.iter().zip(self.factor.list()) {
            if let Some(force) = self.force.get_mut(usize::from(*row)) {
                correction = larger((*new - *force).abs(), correction);
                *force = *new;
            }
        }
        correction
    }

    /// What rows at their bounds do to those that push.
    #[inline(never)]
    fn hold(&mut self, operator: &mut impl Operator<T, NR>) {
        let mut entries = [T::zero(); NR];
        for ((row, zone), force) in self.zone.iter().enumerate().zip(&mut self.force).take(self.rows) {
            let Some((Rule::Interval { loss }, _)) = operator.law(row) else { continue };
            *force = match zone {
                Zone::LinearNegative => loss,
                Zone::LinearPositive => -loss,
                _ => continue,
            };
            let handle = operator.learn(row);
            operator.gather(handle, self.factor.handles(), &mut entries);
            for (slot, entry) in self.packed.iter_mut().zip(&entries).take(self.factor.list().len()) {
                *slot -= *entry * *force;
            }
        }
    }

    /// Solves for what the forces still miss, with the same factor. Returns the largest change.
    fn refine(&mut self) -> T {
        self.factor.solve(&mut self.packed);
        let mut correction = T::zero();
        for (change, row) in self.packed.iter().zip(self.factor.list()) {
            if let Some(force) = self.force.get_mut(usize::from(*row)) {
                correction = larger(change.abs(), correction);
                *force += *change;
            }
        }
        correction
    }

    /// Which rows contradict, and where they want to be. What is no more than `rounding` of the terms that it comes from counts as nothing.
    #[inline(always)]
    fn look(&mut self, operator: &mut impl Operator<T, NR>, rounding: T) {
        let zero = T::zero();
        self.contradictions = 0;
        for row in 0..self.rows.min(NR) {
            let (zone, force, offset) = (self.zone[row], self.force[row], self.offset[row]);
            let Some((rule, regularizer)) = operator.law(row) else { break };
            let wanted = match zone {
                Zone::Quadratic => match rule {
                    Rule::NonNegative if force < zero => Zone::Satisfied,
                    Rule::Interval { loss } if force > loss => Zone::LinearNegative,
                    Rule::Interval { loss } if force < -loss => Zone::LinearPositive,
                    // NaN from an overflow too: no other side would help.
                    _ => continue,
                },
                Zone::LinearNegative if operator.residual(row, offset) + regularizer * force > zero => Zone::Quadratic,
                Zone::LinearPositive if operator.residual(row, offset) + regularizer * force < zero => Zone::Quadratic,
                Zone::Satisfied => match rule {
                    Rule::NonNegative if operator.residual(row, offset) < zero => Zone::Quadratic,
                    // Only where the rules are not those of the last solve.
                    Rule::Free => Zone::Quadratic,
                    Rule::Interval { loss } if loss > zero => Zone::Quadratic,
                    _ => continue,
                },
                Zone::LinearNegative | Zone::LinearPositive if !matches!(rule, Rule::Interval { .. }) => {
                    Zone::Quadratic
                }
                _ => continue,
            };
            if rounding > zero && self.is_rounding(operator, row, rounding) {
                continue;
            }
            if let Some(slot) = self.moved.get_mut(self.contradictions) {
                *slot = (row as u16, wanted);
                self.contradictions += 1;
            }
        }
    }

    /// [`Self::look`], after which only contradictions count that are more than rounding.
    #[inline(never)]
    fn look_again(&mut self, operator: &mut impl Operator<T, NR>) {
        self.look(operator, literal::<T>(8.0) * T::default_epsilon());
    }

    /// Whether what a row contradicts by is rounding.
    #[inline(never)]
    fn is_rounding(&mut self, operator: &mut impl Operator<T, NR>, row: usize, rounding: T) -> bool {
        let (Some((rule, regularizer)), Some(zone)) = (operator.law(row), self.zone.get(row).copied()) else {
            return false;
        };
        let (Some(force), Some(offset)) = (self.force.get(row).copied(), self.offset.get(row).copied()) else {
            return false;
        };
        if zone == Zone::Satisfied && rule != Rule::NonNegative {
            return false;
        }
        let terms = operator.terms(row, &self.force) + offset.abs() + regularizer * force.abs();
        let miss = if zone == Zone::Quadratic {
            (self.own(operator, row) + regularizer) * (force - law::project(rule, force)).abs()
        } else {
            (operator.residual(row, offset) + regularizer * force).abs()
        };
        miss <= rounding * terms
    }

    /// What the forces of the rows that push still miss, w = z + R f, and ½ w²/R in all: no less than the duality gap.
    fn missing(&mut self, operator: &impl Operator<T, NR>) -> T {
        let mut gap = T::zero();
        for (slot, row) in self.packed.iter_mut().zip(self.factor.list()) {
            let row = usize::from(*row);
            if let (Some((_, regularizer)), Some(force), Some(offset)) =
                (operator.law(row), self.force.get(row), self.offset.get(row))
            {
                let w = operator.residual(row, *offset) + regularizer * *force;
                gap += w * w / regularizer;
                *slot = -w;
            }
        }
        gap * literal(0.5)
    }
}

/// Picks the numbers of these places; `row` itself is good up to the place `known`. Places in order, as they are before the first row leaves, go four
/// at a time; the others one by one.
#[inline(always)]
pub(super) fn pick<T: Real, const NR: usize>(
    row: &[T; NR],
    known: u16,
    places: &[u16],
    picked: &mut [T; NR],
    one: impl Fn(usize) -> T,
) {
    let (fours, rest) = places.as_chunks::<4>();
    let mut at = 0u16;
    for four in fours {
        let from = row.get(usize::from(at)..).and_then(|rest| rest.first_chunk::<4>());
        let to = picked.get_mut(usize::from(at)..).and_then(|rest| rest.first_chunk_mut::<4>());
        let (Some(from), Some(to)) = (from, to) else { return };
        // Short of the last places: what lies beyond the diagonal is another row's.
        *to = if *four == [at, at + 1, at + 2, at + 3] && at + 3 <= known {
            *from
        } else {
            four.map(|place| one(usize::from(place)))
        };
        at += 4;
    }
    for (to, place) in picked.iter_mut().skip(usize::from(at)).zip(rest) {
        *to = one(usize::from(*place));
    }
}

#[cfg(test)]
mod tests {
    use super::pick;

    /// A row of A has entries up to its own place alone: those behind it stand in the rows of the others, whatever their places look like.
    #[test]
    fn what_lies_behind_a_rows_own_place_is_read_in_the_other_rows() {
        let mut row = [f64::NAN; 10];
        row[..4].copy_from_slice(&[10.0, 11.0, 12.0, 13.0]);
        let one = |place: usize| if place <= 3 { row[place] } else { 10.0 + place as f64 };
        for places in [[9, 0, 1, 2, 4, 5, 6, 7], [0, 1, 2, 3, 4, 5, 6, 7]] {
            let mut picked = [0.0; 10];
            pick(&row, 3, &places, &mut picked, one);
            assert_eq!(picked[..8], places.map(|place| 10.0 + f64::from(place)));
        }
    }
}
