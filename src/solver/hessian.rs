//! Newton's Hessian: formed tile by tile, factored in place.

use super::law::Zone;
use super::primal::Primal;
use crate::cone::FRICTIONS;
use crate::cone::elliptic::{self, ConePoint};
use crate::mass::tiles::{self, Square};
use crate::mass::{MassMatrix, factor};
use crate::rows::{ConeBlock, Row, Rows};
use crate::scalar::{Real, add_scaled};

/// The factor of H.
#[derive(Clone, Debug)]
pub(super) struct Hessian<T, const NV: usize> {
    columns: [[T; NV]; NV],
    inverse_pivots: [T; NV],
}

impl<T: Copy, const NV: usize> Hessian<T, NV> {
    pub(super) const fn filled(zero: T) -> Self {
        Self { columns: [[zero; NV]; NV], inverse_pivots: [zero; NV] }
    }
}

impl<T: Real, const NV: usize> Hessian<T, NV> {
    /// H = M + Σ JᵀJ/R over the quadratic rows + Σ J_cᵀ H_c J_c over the sliding contacts, factored in place; false where
    /// rounding spoilt it.
    pub(super) fn form<const NR: usize, const NC: usize>(
        &mut self,
        primal: &Primal<T, NV, NR>,
        points: &[ConePoint<T>],
        mass: &MassMatrix<T, NV>,
        rows: &Rows<T, NV, NR, NC>,
    ) -> bool {
        let Self { columns: hessian, inverse_pivots } = self;
        let mut active = heapless::Vec::<Square<'_, T, NV>, NR>::new();
        let mut source = Some(mass.columns());
        let mut rest = rows.rows().iter().zip(&primal.states).filter(|(_, state)| state.zone == Zone::Quadratic);
        // In the order of the rows, so that every entry gets its terms in that order: those of several dofs together, as tiles need,
        // until one of a single dof comes, whose square is one number.
        for _ in 0..=NR {
            active.clear();
            let single = 'several: {
                for (row, state) in &mut rest {
                    if let Some((k, entry)) = row.single() {
                        break 'several Some((k, entry, state.stiffness));
                    }
                    // As many as there are rows.
                    let _ = active.push((state.stiffness, &row.jacobian));
                }
                None
            };
            let source = source.take();
            if source.is_some() || !active.is_empty() {
                tiles::add_squares(hessian, source, &active);
            }
            let Some((k, entry, stiffness)) = single else { break };
            if let Some(diagonal) = hessian.get_mut(k).and_then(|column| column.get_mut(k)) {
                *diagonal += entry * stiffness * entry;
            }
        }
        for (block, point) in rows.cones().iter().zip(points) {
            let Some(rows) = rows.rows().get(block.first_row()..) else { continue };
            if point.zone != elliptic::Zone::Middle {
                continue;
            }
            match block.cone.friction() {
                [a, b] => add_contact::<T, NV, 2>(hessian, block, &[*a, *b], point, rows),
                other => add_any_contact(hessian, block, other, point, rows),
            }
        }
        factor::factor(hessian, inverse_pivots).is_ok()
    }

    /// x ← H⁻¹ x
    pub(super) fn solve(&self, x: &mut [T; NV]) {
        factor::solve(&self.columns, &self.inverse_pivots, x);
    }
}

/// Adds J_cᵀ H_c J_c of one contact that slides, of F friction directions at most; `rows` begin with its own, `friction` is the
/// block's, again: where its length is known, the loops unroll.
#[inline(always)]
fn add_contact<T: Real, const NV: usize, const F: usize>(
    hessian: &mut [[T; NV]; NV],
    block: &ConeBlock<T>,
    friction: &[T],
    point: &ConePoint<T>,
    rows: &[Row<T, NV>],
) {
    let Some((normal, tangents)) = rows.split_first() else { return };
    // Jᵀ c of every square w c cᵀ of the curvature; there are as many as friction directions.
    let mut sums = [(T::zero(), [T::zero(); NV]); F];
    let mut slots = sums.iter_mut();
    block.cone.curvature_by(friction, point, |weight, head, along| {
        let Some((slot, sum)) = slots.next() else { return };
        *slot = weight;
        if head != T::zero() {
            add_scaled(sum, head, &normal.jacobian);
        }
        for (c, row) in along.iter().zip(tangents) {
            add_scaled(sum, *c, &row.jacobian);
        }
    });
    let terms = sums.each_ref().map(|(weight, sum)| (*weight, sum));
    tiles::add_squares(hessian, None, terms.get(..friction.len()).unwrap_or(&[]));
}

#[inline(never)]
fn add_any_contact<T: Real, const NV: usize>(
    hessian: &mut [[T; NV]; NV],
    block: &ConeBlock<T>,
    friction: &[T],
    point: &ConePoint<T>,
    rows: &[Row<T, NV>],
) {
    add_contact::<T, NV, FRICTIONS>(hessian, block, friction, point, rows);
}
