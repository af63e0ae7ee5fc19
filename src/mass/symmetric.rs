//! Taking in a symmetric matrix: copied and looked through in one go, tile by tile.

use super::tiles::{by_width, chunk, chunk_mut, load, store, store_triangle, threes};
use crate::scalar::Real;

/// Copies the upper triangle of `source` to both triangles of `target` and to the upper one of `factor`, and returns the sum of what
/// entries differ from their mirror images: zero exactly where every entry is finite and the matrix symmetric to the last bit.
#[inline(always)]
pub(super) fn take_in<T: Real, const NV: usize>(
    source: &[[T; NV]; NV],
    target: &mut [[T; NV]; NV],
    factor: &mut [[T; NV]; NV],
) -> T {
    by_width!(take_in_tiles, source, target, factor)
}

#[inline(always)]
fn take_in_tiles<T: Real, const NV: usize, const B: usize, const E: usize>(
    source: &[[T; NV]; NV],
    target: &mut [[T; NV]; NV],
    factor: &mut [[T; NV]; NV],
) -> T {
    // One sum for each column of a tile, so that none has to wait for another.
    let mut gaps = [T::zero(); B];
    row_of_tiles::<T, NV, B, E, E>(source, target, factor, &mut gaps, 0);
    for block in 1..NV.div_ceil(B) {
        row_of_tiles::<T, NV, B, E, B>(source, target, factor, &mut gaps, E + (block - 1) * B);
    }
    let mut gap = T::zero();
    for part in gaps {
        gap += part;
    }
    gap
}

/// The columns from `p` on, P of them, down to the diagonal, and their mirror images.
#[inline(always)]
fn row_of_tiles<T: Real, const NV: usize, const B: usize, const E: usize, const P: usize>(
    source: &[[T; NV]; NV],
    target: &mut [[T; NV]; NV],
    factor: &mut [[T; NV]; NV],
    gaps: &mut [T; B],
    p: usize,
) {
    let Some(from) = source.get(p..).and_then(|rows| rows.first_chunk::<P>()) else { return };
    let Some((before, rest)) = target.split_at_mut_checked(p) else { return };
    let Some(rows) = rest.first_chunk_mut::<P>() else { return };
    let Some(factor) = factor.get_mut(p..).and_then(|rows| rows.first_chunk_mut::<P>()) else { return };
    if p > 0 {
        off_diagonal::<T, NV, B, P, E>(source, before, rows, factor, gaps, p, 0);
        for block in 1..p.div_ceil(B) {
            off_diagonal::<T, NV, B, P, B>(source, before, rows, factor, gaps, p, E + (block - 1) * B);
        }
    }
    let Some(mut tile) = load::<T, NV, P, P>(from, p) else { return };
    for i in 0..P {
        for j in 0..=i {
            gaps[j] += (tile[i][j] - tile[j][i]).abs();
            tile[j][i] = tile[i][j];
        }
    }
    store(rows, p, &tile);
    store_triangle(factor, p, &tile);
}

#[inline(always)]
fn off_diagonal<T: Real, const NV: usize, const B: usize, const P: usize, const Q: usize>(
    source: &[[T; NV]; NV],
    before: &mut [[T; NV]],
    rows: &mut [[T; NV]; P],
    factor: &mut [[T; NV]; P],
    gaps: &mut [T; B],
    p: usize,
    q: usize,
) {
    let Some(from) = source.get(p..).and_then(|rows| rows.first_chunk::<P>()) else { return };
    let Some(images) = source.get(q..).and_then(|rows| rows.first_chunk::<Q>()) else { return };
    let Some(targets) = before.get_mut(q..).and_then(|rows| rows.first_chunk_mut::<Q>()) else { return };
    let Some(tile) = load::<T, NV, P, Q>(from, q) else { return };
    store(rows, q, &tile);
    store(factor, q, &tile);
    for j in 0..Q {
        let (Some(image), Some(to)) = (chunk::<T, P>(&images[j], p), chunk_mut::<T, P>(&mut targets[j], p)) else {
            return;
        };
        for i in 0..P {
            gaps[j] += (tile[i][j] - image[i]).abs();
        }
        *to = core::array::from_fn(|i| tile[i][j]);
    }
}
