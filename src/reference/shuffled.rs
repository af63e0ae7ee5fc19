//! The engine's projected Gauss–Seidel: a new order in every sweep (S15-58, S15-59), an elliptic contact visited by [`ray`](super::ray).
//!
//! The order comes from a PCG32 generator (state 0, increment 1, one draw dropped) by Fisher–Yates from the last block down, on a
//! list that persists between the sweeps; it is seeded anew at every solve, so a solve repeats exactly. A block is a row, or
//! all rows of one elliptic contact.
//!
//! With elliptic contacts the end need not be the optimum: at the apex a visit tries the normal alone, and a contact that should push
//! because it is being dragged stays there. [`projected_gauss_seidel`](crate::solver::projected_gauss_seidel) takes the
//! exact step instead.

use super::ray::visit;
use crate::mass::MassMatrix;
use crate::rows::{ConeBlock, Rows};
use crate::scalar::{Real, SMALLEST, dot, larger, literal};
use crate::solver::{Delassus, SolverError, law};
use nalgebra::SVector;

/// The order of blocks, shuffled anew sweep by sweep.
#[derive(Clone, Debug)]
pub struct Shuffle<const NR: usize> {
    state: u64,
    order: [u16; NR],
    blocks: usize,
}

impl<const NR: usize> Shuffle<NR> {
    /// The natural order of `blocks` blocks, at most NR, and a fresh generator.
    pub fn new(blocks: usize) -> Self {
        let mut shuffle = Self { state: 0, order: core::array::from_fn(|i| i as u16), blocks: blocks.min(NR) };
        shuffle.draw();
        shuffle
    }

    fn draw(&mut self) -> u32 {
        let old = self.state;
        self.state = old.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let xorshifted = (((old >> 18) ^ old) >> 27) as u32;
        xorshifted.rotate_right((old >> 59) as u32)
    }

    /// The order of the next sweep.
    pub fn next_order(&mut self) -> &[u16] {
        for i in (1..self.blocks).rev() {
            let j = self.draw() as usize % (i + 1);
            self.order.swap(i, j);
        }
        &self.order[..self.blocks.min(NR)]
    }
}

/// Memory of [`shuffled_sweeps`]; all zero at first.
#[derive(Clone, Debug)]
pub struct ShuffledWorkspace<T, const NR: usize> {
    delassus: Delassus<T, NR>,
    force: [T; NR],
}

impl<T: Copy, const NR: usize> ShuffledWorkspace<T, NR> {
    /// All zero: pass `0.0`.
    pub const fn filled(zero: T) -> Self {
        Self { delassus: Delassus::filled(zero), force: [zero; NR] }
    }
}

/// Sweeps from no force until scale × decrease of a sweep is below the tolerance, at most `sweeps` times; shows the forces after
/// each. Returns how many were made.
///
/// # Errors
/// The mass matrix is not ready.
#[allow(clippy::too_many_arguments)]
pub fn shuffled_sweeps<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    sweeps: u16,
    tolerance: T,
    scale: T,
    work: &mut ShuffledWorkspace<T, NR>,
    mut show: impl FnMut(&[T]),
) -> Result<u16, SolverError> {
    work.delassus.form(mass, rows)?;
    work.force = [T::zero(); NR];
    let (starts, blocks) = starts(rows);
    let mut shuffle = Shuffle::<NR>::new(blocks);
    for sweep in 1..=sweeps {
        let mut improvement = T::zero();
        for block in shuffle.next_order() {
            let Some(index) = starts.get(usize::from(*block)).map(|start| usize::from(*start)) else { continue };
            let cone = rows.cones().iter().find(|cone| cone.first_row() == index);
            improvement += match cone.map(|cone| (cone, cone.cone().dimension())) {
                None => visit_row(free_acceleration, rows, index, work),
                Some((cone, 2)) => visit_cone::<T, NV, NR, NC, 1>(free_acceleration, rows, cone, work),
                Some((cone, 3)) => visit_cone::<T, NV, NR, NC, 2>(free_acceleration, rows, cone, work),
                Some((cone, 4)) => visit_cone::<T, NV, NR, NC, 3>(free_acceleration, rows, cone, work),
                Some((cone, _)) => visit_cone::<T, NV, NR, NC, 5>(free_acceleration, rows, cone, work),
            };
        }
        show(&work.force[..rows.len().min(NR)]);
        if scale * improvement < tolerance {
            return Ok(sweep);
        }
    }
    Ok(sweeps)
}

/// First row of every block, and how many blocks there are.
fn starts<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    rows: &Rows<T, NV, NR, NC>,
) -> ([u16; NR], usize) {
    let (mut starts, mut blocks) = ([0; NR], 0);
    for index in 0..rows.len() {
        let inside = rows.cones().iter().any(|cone| index != cone.first_row() && cone.range().contains(&index));
        if let Some(start) = starts.get_mut(blocks).filter(|_| !inside) {
            *start = index as u16;
            blocks += 1;
        }
    }
    (starts, blocks)
}

/// R with its floor, and w = J a − a_ref + R f, of one row.
fn residual<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    index: usize,
    work: &ShuffledWorkspace<T, NR>,
) -> (T, T) {
    let (Some(row), Some(force)) = (rows.rows().get(index), work.force.get(index)) else {
        return (T::zero(), T::zero());
    };
    let regularizer = larger(row.regularizer(), literal(SMALLEST));
    let offset = dot(row.jacobian(), free_acceleration.as_slice()) - row.reference();
    (regularizer, offset + dot(work.delassus.column(index), &work.force) + regularizer * *force)
}

/// A + R at (i, j).
fn coupling<T: Real, const NR: usize>(work: &ShuffledWorkspace<T, NR>, i: usize, j: usize, regularizer: T) -> T {
    let entry = work.delassus.column(i).get(j).copied().unwrap_or(T::zero());
    if i == j { entry + regularizer } else { entry }
}

/// One row's best force; returns by how much the dual objective fell.
fn visit_row<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    index: usize,
    work: &mut ShuffledWorkspace<T, NR>,
) -> T {
    let (regularizer, residual) = residual(free_acceleration, rows, index, work);
    let diagonal = coupling(work, index, index, regularizer);
    let (Some(row), Some(force)) = (rows.rows().get(index), work.force.get_mut(index)) else { return T::zero() };
    let new = law::project(row.rule(), *force - residual / diagonal);
    let change = new - *force;
    *force = new;
    -change * (residual + literal::<T>(0.5) * diagonal * change)
}

/// Ray step and tangential step of one contact with M friction directions; returns by how much the dual objective fell.
fn visit_cone<T: Real, const NV: usize, const NR: usize, const NC: usize, const M: usize>(
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    block: &ConeBlock<T>,
    work: &mut ShuffledWorkspace<T, NR>,
) -> T {
    let first = block.first_row();
    let at = |i: usize| residual(free_acceleration, rows, i, work);
    let (normal_regularizer, normal_residual) = at(first);
    let tangents: [(T, T); M] = core::array::from_fn(|i| at(first + 1 + i));
    let normal = coupling(work, first, first, normal_regularizer);
    let cross: [T; M] = core::array::from_fn(|i| coupling(work, first, first + 1 + i, T::zero()));
    let tangential: [[T; M]; M] =
        core::array::from_fn(|i| core::array::from_fn(|j| coupling(work, first + 1 + i, first + 1 + j, tangents[i].0)));
    let force = |i: usize| work.force.get(i).copied().unwrap_or(T::zero());
    let (old_normal, old): (T, [T; M]) = (force(first), core::array::from_fn(|i| force(first + 1 + i)));
    let friction: [T; M] =
        core::array::from_fn(|i| block.cone().friction().get(i).copied().unwrap_or(literal(SMALLEST)));
    let residuals = tangents.map(|(_, residual)| residual);
    let (new_normal, new) =
        visit((normal, &cross, &tangential), (normal_residual, &residuals), &friction, (old_normal, &old));
    let half = literal::<T>(0.5);
    let (df, dv): (T, [T; M]) = (new_normal - old_normal, core::array::from_fn(|i| new[i] - old[i]));
    let mut improvement = -df * (normal_residual + half * (normal * df + dot(&cross, &dv)));
    for i in 0..M {
        improvement -= dv[i] * (residuals[i] + half * (cross[i] * df + dot(&tangential[i], &dv)));
    }
    for (force, new) in work.force.iter_mut().skip(first).zip([new_normal].iter().chain(&new)) {
        *force = *new;
    }
    improvement
}
