//! The factor in strips of four columns, left-looking: a tile of 4 × 4 stays in registers while the products of all blocks behind it are
//! taken off, from the last block to the next one.
//!
//! Each product needs an entry of L and one from before the division by its pivot. The latter are kept in the lower triangle, which
//! has no other use: those of a tile, as it is, where its mirror image lies. The pivots of a block wait for one another, each for a division;
//! the tiles left of it do not need them until all products are off, so that a processor that reorders has work meanwhile.
//!
//! Where four do not divide the size, the last block is the odd one: every strip then is four wide, which fills a vector register.
//! What its E rows held before the division is kept apart. No sum changes its order: the bits are those of the plain loops.

use super::MassError;
use super::factor::inverse_pivot;
use super::tiles::{chunk, chunk_mut, is_zero, store};
use crate::scalar::Real;

/// Width of a strip.
const W: usize = 4;

/// As [`super::factor::factor`].
///
/// # Errors
/// As there.
#[inline(always)]
pub(super) fn factor<T: Real, const NV: usize>(
    columns: &mut [[T; NV]; NV],
    inverse: &mut [T; NV],
) -> Result<(), MassError> {
    match NV % W {
        0 => factor_strips::<T, NV, 0>(columns, inverse),
        1 => factor_strips::<T, NV, 1>(columns, inverse),
        2 => factor_strips::<T, NV, 2>(columns, inverse),
        _ => factor_strips::<T, NV, 3>(columns, inverse),
    }
}

#[inline(never)] // called from three places, and long
fn factor_strips<T: Real, const NV: usize, const E: usize>(
    columns: &mut [[T; NV]; NV],
    inverse: &mut [T; NV],
) -> Result<(), MassError> {
    let mut strips = Strips { odd: [[T::zero(); NV]; E], reach: [0; NV] };
    strips.factor_odd_block(columns, inverse)?;
    for block in (1..NV / W).rev() {
        strips.factor_block(columns, inverse, block)?;
    }
    if NV >= W {
        strips.factor_block(columns, inverse, 0)?; // apart: it has nothing left of it
    }
    Ok(())
}

/// What is known of the strips besides the matrix itself.
struct Strips<T, const NV: usize, const E: usize> {
    /// The rows of the odd block before the division by their pivots.
    odd: [[T; NV]; E],
    /// Of each strip, the last block with entries there that are not zero: what is behind has no products for it, so that branches cost
    /// each other nothing.
    reach: [u16; NV],
}

/// A block of four pivots, when the tile on its diagonal is factored.
struct Panel<'a, T, const NV: usize, const E: usize> {
    block: usize,
    inverse: &'a [T; W],
    /// The blocks behind it that have products for it, and the odd one if that has.
    behind: &'a [[[T; NV]; W]],
    odd: Option<&'a [[T; NV]; E]>,
}

impl<T: Real, const NV: usize, const E: usize> Strips<T, NV, E> {
    /// Takes the last E dofs as pivots.
    #[inline(always)]
    fn factor_odd_block(&mut self, columns: &mut [[T; NV]; NV], inverse: &mut [T; NV]) -> Result<(), MassError> {
        let at = NV / W * W;
        let Some(own) = columns.get_mut(at..).and_then(|rows| rows.first_chunk_mut::<E>()) else { return Ok(()) };
        let Some(inverse) = chunk_mut::<T, E>(inverse, at) else { return Ok(()) };
        factor_tile(load::<T, NV, E, E>(own, at), own, inverse, at)?;
        for block in (0..NV / W).rev() {
            let q = block * W;
            let mut x = load::<T, NV, E, W>(own, q);
            if is_zero(&x) {
                continue;
            }
            eliminate(&mut x, own, at);
            store(&mut self.odd, q, &x);
            divide(&x, own, inverse, q);
            self.reach[block] = (NV / W) as u16;
        }
        Ok(())
    }

    /// Takes four dofs as pivots.
    #[inline(always)]
    fn factor_block(
        &mut self,
        columns: &mut [[T; NV]; NV],
        inverse: &mut [T; NV],
        block: usize,
    ) -> Result<(), MassError> {
        let at = block * W;
        let Some((before, rest)) = columns.split_at_mut_checked(at) else { return Ok(()) };
        let Some((own, behind)) = rest.split_first_chunk_mut::<W>() else { return Ok(()) };
        let (Some(inverse), Some(reach)) = (chunk_mut::<T, W>(inverse, at), self.reach.get(block)) else {
            return Ok(());
        };
        let reach = usize::from(*reach);
        let (behind, odd) = behind.as_chunks::<W>();
        let odd = odd.first_chunk::<E>().filter(|_| E > 0 && reach == NV / W);
        let behind = behind.get(..reach.saturating_sub(block)).unwrap_or(behind);
        let mut tile = load::<T, NV, W, W>(own, at);
        if let Some(rows) = odd {
            subtract(&mut tile, rows, &self.odd, at, at);
        }
        for (distance, rows) in behind.iter().enumerate().rev() {
            subtract(&mut tile, rows, own, at, at + W + distance * W);
        }
        factor_tile(tile, own, inverse, at)?;
        let panel = Panel { block, inverse, behind, odd };
        for (left, rows) in before.as_chunks_mut::<W>().0.iter_mut().enumerate().rev() {
            self.factor_left(own, rows, &panel, left);
        }
        Ok(())
    }

    /// The tile of a block's rows `own` in the strip of the block `left`, whose own rows are `rows`.
    #[inline(always)]
    fn factor_left(
        &mut self,
        own: &mut [[T; NV]; W],
        rows: &mut [[T; NV]; W],
        panel: &Panel<'_, T, NV, E>,
        left: usize,
    ) {
        let (at, q) = (panel.block * W, left * W);
        let Some(slot) = self.reach.get_mut(left) else { return };
        let mut x = load::<T, NV, W, W>(own, q);
        let reach = usize::from(*slot);
        if let Some(odd) = panel.odd
            && reach == NV / W
        {
            subtract(&mut x, odd, &self.odd, at, q);
        }
        let behind = panel.behind.get(..reach.saturating_sub(panel.block)).unwrap_or(panel.behind);
        for (distance, factor) in behind.iter().enumerate().rev() {
            subtract(&mut x, factor, rows, at, at + W + distance * W);
        }
        if is_zero(&x) {
            // Of an entry that the products took away nothing stays, and of zeros before an entry further behind the products of the blocks
            // between are taken: an earlier factor may have left its own there.
            store(own, q, &x);
            if reach > panel.block {
                store(rows, at, &x);
            }
            return;
        }
        eliminate(&mut x, own, at);
        store(rows, at, &x);
        divide(&x, own, panel.inverse, q);
        if reach < panel.block {
            *slot = panel.block as u16;
        }
    }
}

#[inline(always)]
fn load<T: Real, const NV: usize, const P: usize, const Q: usize>(rows: &[[T; NV]; P], q: usize) -> [[T; Q]; P] {
    let mut tile = [[T::zero(); Q]; P];
    for i in 0..P {
        if let Some(from) = chunk(&rows[i], q) {
            tile[i] = *from;
        }
    }
    tile
}

/// Takes the products of K pivots off a tile: the columns of L from `p` on, times the entries before the division from `q` on.
#[inline(always)]
fn subtract<T: Real, const NV: usize, const K: usize>(
    sum: &mut [[T; W]; W],
    factor: &[[T; NV]; K],
    raw: &[[T; NV]; K],
    p: usize,
    q: usize,
) {
    for k in (0..K).rev() {
        let (Some(ratio), Some(raw)) = (chunk::<T, W>(&factor[k], p), chunk::<T, W>(&raw[k], q)) else { return };
        for i in 0..W {
            for j in 0..W {
                sum[i][j] -= ratio[i] * raw[j];
            }
        }
    }
}

/// Factors the tile on the diagonal.
#[inline(always)]
fn factor_tile<T: Real, const NV: usize, const P: usize>(
    tile: [[T; P]; P],
    own: &mut [[T; NV]; P],
    inverse: &mut [T; P],
    at: usize,
) -> Result<(), MassError> {
    // What lies beyond the diagonal is of no use and, left out here, of no cost.
    let mut sum = [[T::zero(); P]; P];
    for i in 0..P {
        for j in 0..=i {
            sum[i][j] = tile[i][j];
        }
    }
    for k in (0..P).rev() {
        let Some(to) = chunk_mut::<T, P>(&mut own[k], at) else { return Ok(()) };
        let reciprocal = inverse_pivot(sum[k][k], at + k)?;
        to[k] = sum[k][k];
        inverse[k] = reciprocal;
        for i in (0..k).rev() {
            let ratio = sum[k][i] * reciprocal;
            for j in 0..=i {
                sum[i][j] -= ratio * sum[k][j];
            }
            to[i] = ratio;
        }
    }
    Ok(())
}

/// The elimination among a block's own dofs, in a tile left of its diagonal.
#[inline(always)]
fn eliminate<T: Real, const NV: usize, const P: usize>(x: &mut [[T; W]; P], own: &[[T; NV]; P], at: usize) {
    for k in (0..P).rev() {
        // From memory: kept in an array, they are stored and loaded again in other widths, which waits.
        let Some(ratio) = chunk::<T, P>(&own[k], at) else { return };
        for i in 0..k {
            for j in 0..W {
                x[i][j] -= ratio[i] * x[k][j];
            }
        }
    }
}

/// Stores a tile divided by its pivots.
#[inline(always)]
fn divide<T: Real, const NV: usize, const P: usize>(
    x: &[[T; W]; P],
    own: &mut [[T; NV]; P],
    inverse: &[T; P],
    q: usize,
) {
    for i in 0..P {
        if let Some(to) = chunk_mut::<T, W>(&mut own[i], q) {
            for j in 0..W {
                to[j] = x[i][j] * inverse[i];
            }
        }
    }
}
