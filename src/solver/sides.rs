//! The sides of the rows: guessed before any force is known, taken from forces, and changed.

use super::law::{self, Zone};
use super::pivoting::{Operator, Pivoting};
use crate::rows::Rule;
use crate::scalar::Real;

impl<T: Real, const NR: usize> Pivoting<T, NR> {
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
                    let stiffness = T::one() / (self.own(operator, row) + regularizer);
                    let (force, zone) = law::respond(rule, stiffness, offset);
                    self.force[row] = force;
                    zone
                }
                _ => Zone::Satisfied,
            };
        }
    }

    /// A_ii.
    #[inline(never)]
    pub(super) fn own(&mut self, operator: &mut impl Operator<T, NR>, row: usize) -> T {
        let handle = operator.learn(row);
        operator.couple();
        operator.gather(handle, &[handle], &mut self.packed);
        self.packed.first().copied().unwrap_or(T::zero())
    }

    /// The list of the rows that push, from the zones.
    pub(super) fn list_all(&mut self, operator: &mut impl Operator<T, NR>) {
        self.factor.clear();
        self.held = 0;
        for (row, zone) in self.zone.iter().enumerate().take(self.rows) {
            if *zone == Zone::Quadratic {
                self.factor.push(row, operator.learn(row));
            } else if is_held(*zone) {
                operator.learn(row);
                self.held += 1;
            }
        }
    }

    /// The guess by forces of an earlier solve.
    pub(super) fn guess_by_force(&mut self, operator: &impl Operator<T, NR>, force: &[T]) {
        self.force = [T::zero(); NR];
        for (row, (to, from)) in self.force.iter_mut().zip(force).enumerate().take(self.rows) {
            *to = operator.law(row).map_or(T::zero(), |(rule, _)| law::project(rule, *from));
        }
        self.side_by_force(operator);
    }

    /// The first `count` rows that contradict go where they want to be.
    pub(super) fn switch(&mut self, operator: &mut impl Operator<T, NR>, count: usize) {
        let moved = self.moved.get(..count).unwrap_or(&self.moved);
        let mut leaving = false;
        for (row, wanted) in moved {
            let row = usize::from(*row);
            let (Some(zone), Some(force)) = (self.zone.get_mut(row), self.force.get_mut(row)) else { continue };
            leaving |= *zone == Zone::Quadratic;
            self.held += usize::from(is_held(*wanted));
            self.held -= usize::from(is_held(*zone)).min(self.held);
            *zone = *wanted;
            match wanted {
                Zone::Quadratic => {}
                Zone::Satisfied => *force = T::zero(),
                _ => {
                    operator.learn(row);
                }
            }
        }
        if leaving {
            self.factor.retain(|row| self.zone.get(row) == Some(&Zone::Quadratic));
        }
        for (row, wanted) in moved {
            if *wanted == Zone::Quadratic {
                let row = usize::from(*row);
                self.factor.push(row, operator.learn(row));
            }
        }
    }
}

/// Whether a row in this zone has a force that is not zero and not sought.
#[inline(always)]
fn is_held(zone: Zone) -> bool {
    matches!(zone, Zone::LinearNegative | Zone::LinearPositive)
}
