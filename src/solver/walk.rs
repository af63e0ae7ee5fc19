//! From allowed forces to better ones: the walk that takes over where block pivoting does not get on (see `pivoting.rs`), and what is left of a
//! guess that the budget did not let be put right.

use super::Report;
use super::law::{self, Zone};
use super::pivoting::{Operator, Pivoting};
use crate::rows::Rule;
use crate::scalar::Real;

impl<T: Real, const NR: usize> Pivoting<T, NR> {
    /// Sides from allowed forces.
    pub(super) fn side_by_force(&mut self, operator: &impl Operator<T, NR>) {
        for (row, (zone, force)) in self.zone.iter_mut().zip(&self.force).enumerate().take(self.rows) {
            let Some((rule, _)) = operator.law(row) else { break };
            *zone = match rule {
                Rule::NonNegative if *force <= T::zero() => Zone::Satisfied,
                Rule::Interval { loss } if loss <= T::zero() => Zone::Satisfied,
                Rule::Interval { loss } if *force >= loss => Zone::LinearNegative,
                Rule::Interval { loss } if *force <= -loss => Zone::LinearPositive,
                _ => Zone::Quadratic,
            };
        }
    }

    /// Of the rows that contradict, the one that is broken most joins those that push.
    #[inline(never)]
    pub(super) fn join(&mut self, operator: &mut impl Operator<T, NR>) -> Option<usize> {
        let (mut worst, mut most) = (0, T::zero());
        for (at, (row, _)) in self.moved.iter().enumerate().take(self.contradictions) {
            let row = usize::from(*row);
            if let (Some((_, regularizer)), Some(force), Some(offset)) =
                (operator.law(row), self.force.get(row), self.offset.get(row))
            {
                let w = operator.residual(row, *offset) + regularizer * *force;
                if w * w / regularizer > most {
                    (worst, most) = (at, w * w / regularizer);
                }
            }
        }
        if let Some(chosen) = self.moved.get(worst).copied()
            && let Some(first) = self.moved.first_mut()
        {
            *first = chosen;
        }
        self.switch(operator, 1);
        self.moved.first().map(|(row, _)| usize::from(*row))
    }

    /// Goes from allowed forces towards those aimed at, up to the first row that leaves its rule; that one stops at its bound. Which, and after
    /// what share of the way; `None`, and no step, where all may go all the way.
    #[inline(never)]
    pub(super) fn walk(&mut self, operator: &mut impl Operator<T, NR>) -> Option<(usize, T)> {
        let (mut share, mut first) = (T::one(), None);
        for (aim, row) in self.packed.iter().zip(self.factor.list()) {
            let row = usize::from(*row);
            let (Some((rule, _)), Some(force)) = (operator.law(row), self.force.get(row)) else { continue };
            let (bound, zone) = match rule {
                Rule::NonNegative if *aim < T::zero() => (T::zero(), Zone::Satisfied),
                Rule::Interval { loss } if *aim > loss => (loss, Zone::LinearNegative),
                Rule::Interval { loss } if *aim < -loss => (-loss, Zone::LinearPositive),
                _ => continue,
            };
            let own = (bound - *force) / (*aim - *force);
            if !(own >= share) {
                (share, first) = (own, Some((row, bound, zone)));
            }
        }
        let (row, bound, zone) = first?;
        for (aim, row) in self.packed.iter().zip(self.factor.list()) {
            let row = usize::from(*row);
            if let (Some((rule, _)), Some(force)) = (operator.law(row), self.force.get_mut(row)) {
                *force = law::project(rule, *force + share * (*aim - *force));
            }
        }
        if let (Some(slot), Some(force)) = (self.moved.first_mut(), self.force.get_mut(row)) {
            *slot = (row as u16, zone);
            *force = bound;
        }
        self.switch(operator, 1);
        Some((row, share))
    }

    /// Every force becomes the nearest that its rule allows. Returns the gap.
    #[inline(never)]
    pub(super) fn settle(&mut self, operator: &mut impl Operator<T, NR>) -> T {
        for (row, force) in self.force.iter_mut().enumerate().take(self.rows) {
            let Some((rule, _)) = operator.law(row) else { break };
            *force = law::project(rule, *force);
        }
        operator.respond(&self.force);
        let mut gap = T::zero();
        for (row, (force, offset)) in self.force.iter().zip(&self.offset).enumerate().take(self.rows) {
            let Some((rule, regularizer)) = operator.law(row) else { break };
            gap += law::gap(rule, regularizer, operator.residual(row, *offset), *force);
        }
        gap
    }

    /// The budget is spent while rows still contradict: what the rules allow of the forces, unless no force at all is better.
    #[inline(never)]
    pub(super) fn give_up(&mut self, operator: &mut impl Operator<T, NR>, report: &mut Report<T>) {
        report.duality_gap = self.settle(operator);
        let mut objective = T::zero();
        for (row, (force, offset)) in self.force.iter().zip(&self.offset).enumerate().take(self.rows) {
            let Some((_, regularizer)) = operator.law(row) else { break };
            objective += *force * (operator.residual(row, *offset) + *offset + regularizer * *force);
        }
        // NaN from an overflow is no better either.
        if !(objective <= T::zero()) {
            self.force = [T::zero(); NR];
            report.duality_gap = self.settle(operator);
        }
    }
}
