//! Block principal pivoting on the dual (Júdice and Pires 1994), the primal–dual active set method: which rows push is guessed, the
//! forces of those follow from one factor, and all rows that contradict the guess change sides at once.
//!
//! While the count of contradictions falls to a new low every few steps the guess improves; where it does not, one row at a time
//! changes sides, that of the lowest index (Murty), which never comes back to a guess it has left. A + R is positive definite, so both end at
//! the one optimum: in exact numbers. Where rounding decides on which side a row is, the sides no longer matter, and the row stays.

use super::active_factor::ActiveFactor;
use super::law::{self, Zone};
use super::{Budget, Measure, Report, Stop, measure};
use crate::rows::Rule;
use crate::scalar::{Real, larger, literal};

/// Steps in a row that may pass without a new low of contradictions before rows change sides one at a time.
const PATIENCE: u8 = 3;

/// A, R and the rules, wherever they come from.
pub(super) trait Operator<T: Real, const NR: usize> {
    /// Rule and R > 0 of each row, in order.
    fn laws(&self) -> impl Iterator<Item = (Rule<T>, T)>;
    /// Those of one row.
    fn law(&self, row: usize) -> Option<(Rule<T>, T)>;
    /// Is told before the couplings of a row are asked for.
    fn learn(&mut self, row: usize);
    /// Forgets what it learnt: M, J or R have changed.
    fn forget(&mut self);
    /// A_ij for all rows j that are learnt.
    fn coupling(&self, row: usize) -> Option<&[T; NR]>;
    /// z = b + A f; forces beyond the rows are zero.
    fn evaluate(&mut self, force: &[T; NR], offset: &[T; NR], residual: &mut [T; NR]);
    /// Σ |terms| of what [`Self::evaluate`] added up last for this row, but b.
    fn terms(&self, row: usize, force: &[T; NR]) -> T;
}

/// Forces, sides and factor.
#[derive(Clone, Debug)]
pub(super) struct Pivoting<T, const NR: usize> {
    pub(super) force: [T; NR],
    pub(super) rows: usize,
    /// b = J a_u − a_ref.
    pub(super) offset: [T; NR],
    /// z = J a − a_ref = b + A f.
    pub(super) residual: [T; NR],
    pub(super) zone: [Zone; NR],
    /// Where each row wants to be.
    wanted: [Zone; NR],
    factor: ActiveFactor<T, NR>,
    /// Right-hand side and solution in the order of the factor.
    packed: [T; NR],
    /// Rows held at a bound that is not zero.
    held: usize,
}

impl<T: Copy, const NR: usize> Pivoting<T, NR> {
    pub(super) const fn filled(zero: T) -> Self {
        Self {
            force: [zero; NR],
            rows: 0,
            offset: [zero; NR],
            residual: [zero; NR],
            zone: [Zone::Quadratic; NR],
            wanted: [Zone::Quadratic; NR],
            factor: ActiveFactor::filled(zero),
            packed: [zero; NR],
            held: 0,
        }
    }

    pub(super) fn force(&self) -> &[T] {
        &self.force[..self.rows.min(NR)]
    }

    pub(super) fn residual(&self) -> &[T] {
        &self.residual[..self.rows.min(NR)]
    }
}

/// What a look at all rows found.
struct Look<T> {
    contradictions: u16,
    /// At least the duality gap, where nothing contradicts.
    gap: T,
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
        let mut old = memory == Memory::Old;
        if !old {
            self.list_all(operator);
        }
        let (mut fewest, mut patience) = (u16::MAX, PATIENCE);
        let mut refine = false;
        // The gap before the last refinement.
        let mut before = None;
        loop {
            if report.iterations >= budget.iterations {
                if !refine {
                    self.give_up(operator, report);
                }
                break;
            }
            report.iterations += 1;
            report.force_correction = if refine { self.refine(operator) } else { self.forces(operator) };
            operator.evaluate(&self.force, &self.offset, &mut self.residual);
            let mut look = self.look(operator, T::zero());
            if look.contradictions > 0 && look.contradictions >= fewest {
                // Perhaps they are of rounding's making.
                look = self.look(operator, literal::<T>(8.0) * T::default_epsilon());
                if look.contradictions == 0 && self.clip(operator) {
                    operator.evaluate(&self.force, &self.offset, &mut self.residual);
                }
            }
            if look.contradictions > 0 {
                let mut single = false;
                if look.contradictions < fewest {
                    (fewest, patience) = (look.contradictions, PATIENCE);
                } else if patience > 0 {
                    patience -= 1;
                } else {
                    single = true;
                }
                self.switch(operator, single);
                (refine, before) = (false, None);
                continue;
            }
            report.duality_gap = look.gap;
            let measured = match budget.measure {
                Measure::Engine => scale * look.gap < budget.tolerance,
                Measure::ForceCorrection => refine && report.force_correction < budget.tolerance,
                Measure::DualityGap => look.gap < budget.tolerance,
            };
            // How far the first solution may be off is known from the factor: where that is too much, the gap alone would not tell it of
            // forces that cancel.
            let thin = T::default_epsilon() * self.factor.amplification() > literal(2e-6);
            if look.gap == T::zero() || measured && (refine || !thin) {
                report.stop = Stop::Converged;
                break;
            }
            if let Some(last) = before {
                if old && !(look.gap <= last * literal(1.0 / 64.0)) {
                    // The factor is of another problem.
                    old = false;
                    operator.forget();
                    self.list_all(operator);
                    (refine, before) = (false, None);
                    continue;
                }
                if !(look.gap <= last * literal(0.25)) {
                    report.stop = Stop::Stalled;
                    break;
                }
            }
            (refine, before) = (true, Some(look.gap));
        }
        report.active_rows = measure::active(self.force());
    }

    /// The guess without any force: a row pushes that the free motion would break, a row of dry friction sticks if its own force would do.
    pub(super) fn guess(&mut self, operator: &mut impl Operator<T, NR>) {
        self.force = [T::zero(); NR];
        for row in 0..self.rows.min(NR) {
            let Some((rule, regularizer)) = operator.law(row) else { break };
            let offset = self.offset[row];
            self.zone[row] = match rule {
                Rule::Free => Zone::Quadratic,
                Rule::NonNegative if offset < T::zero() => Zone::Quadratic,
                Rule::Interval { loss } if loss > T::zero() => {
                    operator.learn(row);
                    let own = operator.coupling(row).and_then(|coupling| coupling.get(row)).copied();
                    law::respond(rule, T::one() / (own.unwrap_or(T::zero()) + regularizer), offset).1
                }
                _ => Zone::Satisfied,
            };
        }
    }

    /// The list of the rows that push, from the zones.
    fn list_all(&mut self, operator: &mut impl Operator<T, NR>) {
        self.factor.clear();
        self.held = 0;
        for (row, zone) in self.zone.iter().enumerate().take(self.rows) {
            match zone {
                Zone::Quadratic => {
                    operator.learn(row);
                    self.factor.push(row);
                }
                Zone::LinearNegative | Zone::LinearPositive => {
                    operator.learn(row);
                    self.held += 1;
                }
                _ => {}
            }
        }
    }

    /// Rows go where they want to be: all, or only the first.
    fn switch(&mut self, operator: &mut impl Operator<T, NR>, single: bool) {
        let zones = self.zone.iter().zip(&mut self.wanted).take(self.rows);
        let mut moved = false;
        for (zone, wanted) in zones {
            if single && moved {
                *wanted = *zone;
            }
            moved |= *wanted != *zone;
        }
        let wanted = &self.wanted;
        self.factor.retain(|row| wanted.get(row) == Some(&Zone::Quadratic));
        self.held = 0;
        for (row, (zone, wanted)) in self.zone.iter_mut().zip(&self.wanted).enumerate().take(self.rows) {
            let held = matches!(wanted, Zone::LinearNegative | Zone::LinearPositive);
            self.held += usize::from(held);
            if *zone != *wanted && *wanted != Zone::Satisfied {
                operator.learn(row);
                if !held {
                    self.factor.push(row);
                }
            }
            *zone = *wanted;
        }
    }

    /// The forces that belong to the zones: (A + R) f + b = 0 in the rows that push, all others held. Returns the largest change.
    fn forces(&mut self, operator: &impl Operator<T, NR>) -> T {
        let regularizer = |row| operator.law(row).map_or(T::one(), |(_, regularizer)| regularizer);
        self.factor.update(|row| operator.coupling(row), regularizer);
        let list = self.factor.list();
        for (slot, row) in self.packed.iter_mut().zip(list) {
            *slot = -self.offset.get(usize::from(*row)).copied().unwrap_or(T::zero());
        }
        let mut correction = T::zero();
        for ((row, zone), force) in self.zone.iter().enumerate().zip(&mut self.force).take(self.rows) {
            if *zone == Zone::Quadratic {
                continue;
            }
            let new = match (zone, operator.law(row)) {
                (Zone::LinearNegative, Some((Rule::Interval { loss }, _))) => loss,
                (Zone::LinearPositive, Some((Rule::Interval { loss }, _))) => -loss,
                _ => T::zero(),
            };
            correction = larger((new - *force).abs(), correction);
            *force = new;
            if let Some(coupling) = operator.coupling(row)
                && new != T::zero()
            {
                for (slot, row) in self.packed.iter_mut().zip(list) {
                    *slot -= coupling.get(usize::from(*row)).copied().unwrap_or(T::zero()) * new;
                }
            }
        }
        self.factor.solve(&mut self.packed);
        for (new, row) in self.packed.iter().zip(list) {
            if let Some(force) = self.force.get_mut(usize::from(*row)) {
                correction = larger((*new - *force).abs(), correction);
                *force = *new;
            }
        }
        correction
    }

    /// Solves for what the forces still miss, with the same factor. Returns the largest change.
    fn refine(&mut self, operator: &impl Operator<T, NR>) -> T {
        for (slot, row) in self.packed.iter_mut().zip(self.factor.list()) {
            let row = usize::from(*row);
            if let (Some(z), Some(force), Some((_, regularizer))) =
                (self.residual.get(row), self.force.get(row), operator.law(row))
            {
                *slot = -(*z + regularizer * *force);
            }
        }
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

    /// Where every row wants to be, and what the forces miss. What is no more than `rounding` of the terms that it comes from counts as
    /// nothing.
    #[inline(always)]
    fn look(&mut self, operator: &impl Operator<T, NR>, rounding: T) -> Look<T> {
        let (zero, half) = (T::zero(), literal::<T>(0.5));
        let mut look = Look { contradictions: 0, gap: zero };
        let numbers = self.zone.iter().zip(&mut self.wanted).zip(self.force.iter().zip(&self.residual));
        for (row, ((rule, regularizer), ((zone, wanted), (force, z)))) in operator.laws().zip(numbers).enumerate() {
            let w = *z + regularizer * *force;
            *wanted = match (zone, rule) {
                (Zone::Quadratic, Rule::NonNegative) if !(*force >= zero) => Zone::Satisfied,
                (Zone::Quadratic, Rule::Interval { loss }) if *force > loss => Zone::LinearNegative,
                (Zone::Quadratic, Rule::Interval { loss }) if !(*force >= -loss) => Zone::LinearPositive,
                (Zone::Satisfied, Rule::NonNegative) if *z < zero => Zone::Quadratic,
                (Zone::LinearNegative, _) if w > zero => Zone::Quadratic,
                (Zone::LinearPositive, _) if w < zero => Zone::Quadratic,
                _ => *zone,
            };
            if *zone == Zone::Quadratic {
                look.gap += half * (w * w) / regularizer;
            }
            if *wanted != *zone {
                if rounding > zero {
                    let own = operator.coupling(row).and_then(|coupling| coupling.get(row)).copied().unwrap_or(zero);
                    let miss = match zone {
                        Zone::Quadratic => (own + regularizer) * (*force - law::project(rule, *force)).abs(),
                        _ => w.abs(),
                    };
                    let terms = operator.terms(row, &self.force) + self.offset.get(row).map_or(zero, |b| b.abs());
                    if miss <= rounding * terms {
                        *wanted = *zone;
                        continue;
                    }
                }
                look.contradictions += 1;
            }
        }
        look
    }

    /// Every force becomes the nearest that its rule allows. Whether one changed.
    fn clip(&mut self, operator: &impl Operator<T, NR>) -> bool {
        let mut changed = false;
        for ((rule, _), force) in operator.laws().zip(&mut self.force) {
            let allowed = law::project(rule, *force);
            changed |= allowed != *force;
            *force = allowed;
        }
        changed
    }

    /// The budget is spent while rows still contradict: what the rules allow of the forces, unless no force at all is better.
    #[inline(never)]
    fn give_up(&mut self, operator: &mut impl Operator<T, NR>, report: &mut Report<T>) {
        self.clip(operator);
        operator.evaluate(&self.force, &self.offset, &mut self.residual);
        let mut objective = T::zero();
        for ((_, regularizer), ((f, z), b)) in
            operator.laws().zip(self.force.iter().zip(&self.residual).zip(&self.offset))
        {
            objective += *f * (*z + *b + regularizer * *f);
        }
        // NaN from an overflow is no better either.
        if !(objective <= T::zero()) {
            self.force = [T::zero(); NR];
            operator.evaluate(&self.force, &self.offset, &mut self.residual);
        }
        report.duality_gap = T::zero();
        for ((rule, regularizer), (f, z)) in operator.laws().zip(self.force.iter().zip(&self.residual)) {
            report.duality_gap += law::gap(rule, regularizer, *z, *f);
        }
    }
}
