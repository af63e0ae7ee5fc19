//! The engine's projected Gauss–Seidel on rows without cones: a new order of rows in every sweep (S15-58, S15-59).
//!
//! The order comes from a PCG32 generator (state 0, increment 1, one draw dropped) by Fisher–Yates from the last row down, on a
//! list that persists between the sweeps; it is seeded anew at every solve, so a solve repeats exactly.

use crate::mass::MassMatrix;
use crate::rows::Rows;
use crate::scalar::{Real, SMALLEST, dot, larger, literal};
use crate::solver::{Delassus, SolverError, law};
use nalgebra::SVector;

/// The order of rows, shuffled anew sweep by sweep.
#[derive(Clone, Debug)]
pub struct Shuffle<const NR: usize> {
    state: u64,
    order: [u16; NR],
    rows: usize,
}

impl<const NR: usize> Shuffle<NR> {
    /// The natural order of `rows` rows, at most NR, and a fresh generator.
    pub fn new(rows: usize) -> Self {
        let mut shuffle = Self { state: 0, order: core::array::from_fn(|i| i as u16), rows: rows.min(NR) };
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
        for i in (1..self.rows).rev() {
            let j = self.draw() as usize % (i + 1);
            self.order.swap(i, j);
        }
        &self.order[..self.rows.min(NR)]
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
pub fn shuffled_sweeps<T: Real, const NV: usize, const NR: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR>,
    sweeps: u16,
    tolerance: T,
    scale: T,
    work: &mut ShuffledWorkspace<T, NR>,
    mut show: impl FnMut(&[T]),
) -> Result<u16, SolverError> {
    work.delassus.form(mass, rows)?;
    work.force = [T::zero(); NR];
    let mut shuffle = Shuffle::<NR>::new(rows.len());
    for sweep in 1..=sweeps {
        let mut improvement = T::zero();
        for index in shuffle.next_order() {
            let index = usize::from(*index);
            let (Some(row), Some(old)) = (rows.rows().get(index), work.force.get(index).copied()) else { continue };
            let column = work.delassus.column(index);
            let regularizer = larger(row.regularizer(), literal(SMALLEST));
            let diagonal = column.get(index).copied().unwrap_or(T::zero()) + regularizer;
            let offset = dot(row.jacobian(), free_acceleration.as_slice()) - row.reference();
            let residual = offset + dot(column, &work.force) + regularizer * old;
            let new = law::project(row.rule(), old - residual / diagonal);
            let change = new - old;
            if let Some(force) = work.force.get_mut(index) {
                *force = new;
            }
            improvement -= change * (residual + literal::<T>(0.5) * diagonal * change);
        }
        show(&work.force[..rows.len().min(NR)]);
        if scale * improvement < tolerance {
            return Ok(sweep);
        }
    }
    Ok(sweeps)
}
