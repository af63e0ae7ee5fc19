//! Dense symmetric matrices in square tiles: what costs n³ and r n², with both operands in registers.
//!
//! A tile of 4 × 4 (in single precision 3 × 3 where that divides the size) is loaded once, changed by many products and stored once:
//! two instructions a product and a few tenths for loads, where a product on its own loads two numbers and stores one. No sum changes
//! its order: every entry gets the same products one after another as in the simple loops, so the bits are theirs (`reference::plain`).
//!
//! The first block is the odd one, `E` wide, the others `B`; as both are constants, loops within a tile unroll.

use super::factor::inverse_pivot;
use super::{MassError, strips};
use crate::scalar::Real;

/// Calls $function with the widths of NV's tiles.
macro_rules! by_width {
    ($function:ident, $($argument:expr),*) => {
        match (NV % 4, NV % 3) {
            (0, _) => $function::<T, NV, 4, 4>($($argument),*),
            (_, 0) if threes::<T>() => $function::<T, NV, 3, 3>($($argument),*),
            (1, _) => $function::<T, NV, 4, 1>($($argument),*),
            (2, _) => $function::<T, NV, 4, 2>($($argument),*),
            _ => $function::<T, NV, 4, 3>($($argument),*),
        }
    };
}

/// Whether sizes that threes divide, but not fours, are taken by threes: the chip then needs no odd block. The host makes four numbers in double
/// precision in one vector register, or two in each of two, so that fours and an odd block are faster there.
#[inline(always)]
pub(super) fn threes<T: Real>() -> bool {
    T::default_epsilon() > crate::scalar::literal(1e-10)
}

pub(super) use by_width;

/// Whether the factor goes by [`strips`]: on the host they take a fifth to a third less, so double precision always does. In instructions of a
/// Cortex-M4 they take a tenth less up to 10 dofs, but a sixth more at 12, and beyond 20 no more than strips save in a solve.
#[inline(always)]
fn in_strips<T: Real, const NV: usize>() -> bool {
    !threes::<T>() || NV <= 10 || NV > 20
}

/// Replaces the upper triangle by its factor, see [`super::factor`].
///
/// # Errors
/// As [`super::factor::factor`].
#[inline(always)]
pub(super) fn factor<T: Real, const NV: usize>(
    columns: &mut [[T; NV]; NV],
    inverse: &mut [T; NV],
) -> Result<(), MassError> {
    if in_strips::<T, NV>() {
        return strips::factor(columns, inverse);
    }
    by_width!(factor_tiles, columns, inverse)
}

#[inline(never)] // called from three places, and long
fn factor_tiles<T: Real, const NV: usize, const B: usize, const E: usize>(
    columns: &mut [[T; NV]; NV],
    inverse: &mut [T; NV],
) -> Result<(), MassError> {
    let mut at = NV;
    for _ in 1..NV.div_ceil(B) {
        at -= B;
        factor_block::<T, NV, B, E, B>(columns, inverse, at)?;
    }
    factor_block::<T, NV, B, E, E>(columns, inverse, 0)
}

/// Takes the W dofs from `at` on as pivots, and their products off the dofs before them.
#[inline(always)]
fn factor_block<T: Real, const NV: usize, const B: usize, const E: usize, const W: usize>(
    columns: &mut [[T; NV]; NV],
    inverse: &mut [T; NV],
    at: usize,
) -> Result<(), MassError> {
    let (before, rest) = columns.split_at_mut(at.min(NV));
    let (Some(own), Some(inverse)) = (rest.first_chunk_mut::<W>(), chunk_mut::<T, W>(inverse, at)) else {
        return Ok(());
    };
    // The tile on the diagonal.
    let mut tile = [[T::zero(); W]; W];
    for i in 0..W {
        let Some(from) = chunk::<T, W>(&own[i], at) else { return Ok(()) };
        tile[i] = *from;
    }
    for k in (0..W).rev() {
        let raw = tile[k];
        let reciprocal = inverse_pivot(raw[k], at + k)?;
        inverse[k] = reciprocal;
        for i in 0..k {
            let ratio = raw[i] * reciprocal;
            tile[k][i] = ratio;
            for j in 0..=i {
                tile[i][j] -= ratio * raw[j];
            }
        }
    }
    for i in 0..W {
        let Some(to) = chunk_mut::<T, W>(&mut own[i], at) else { return Ok(()) };
        #[allow(clippy::manual_memcpy)] // unrolls; a copy of a slice is a call and may panic
        for j in 0..=i {
            to[j] = tile[i][j];
        }
    }
    if before.is_empty() {
        return Ok(());
    }
    // The tiles left of it, which then still lack their division by the pivots.
    eliminate::<T, NV, W, E>(own, &tile, 0);
    for block in 1..before.len().div_ceil(B) {
        eliminate::<T, NV, W, B>(own, &tile, E + (block - 1) * B);
    }
    // The products: block p with the blocks not behind it. Descending, so that those still lack the division.
    let mut p = at;
    for _ in 1..before.len().div_ceil(B) {
        p -= B;
        divide_and_subtract::<T, NV, B, E, W, B>(before, own, inverse, p);
    }
    divide_and_subtract::<T, NV, B, E, W, E>(before, own, inverse, 0);
    Ok(())
}

/// The elimination among the W dofs themselves, for the columns from `p` on.
#[inline(always)]
fn eliminate<T: Real, const NV: usize, const W: usize, const P: usize>(
    own: &mut [[T; NV]; W],
    tile: &[[T; W]; W],
    p: usize,
) {
    let Some(mut x) = load::<T, NV, W, P>(own, p) else { return };
    if is_zero(&x) {
        return;
    }
    for k in (0..W).rev() {
        for i in 0..k {
            for j in 0..P {
                x[i][j] -= tile[k][i] * x[k][j];
            }
        }
    }
    store(own, p, &x);
}

/// Divides the tile at `p` by the pivots and takes its products off the rows from `p` on.
#[inline(always)]
fn divide_and_subtract<T: Real, const NV: usize, const B: usize, const E: usize, const W: usize, const P: usize>(
    before: &mut [[T; NV]],
    own: &mut [[T; NV]; W],
    inverse: &[T; W],
    p: usize,
) {
    let Some(raw) = load::<T, NV, W, P>(own, p) else { return };
    // What is zero here stays zero: a mass matrix without coupling costs no more than its diagonal.
    if is_zero(&raw) {
        return;
    }
    let mut ratio = raw;
    for k in 0..W {
        for i in 0..P {
            ratio[k][i] *= inverse[k];
        }
    }
    store(own, p, &ratio);
    let Some(rows) = before.get_mut(p..).and_then(|rows| rows.first_chunk_mut::<P>()) else { return };
    let Some(mut sum) = load::<T, NV, P, P>(rows, p) else { return };
    for k in (0..W).rev() {
        for i in 0..P {
            for j in 0..=i {
                sum[i][j] -= ratio[k][i] * raw[k][j];
            }
        }
    }
    store_triangle(rows, p, &sum);
    if p == 0 {
        return;
    }
    subtract::<T, NV, W, P, E>(rows, own, &ratio, 0);
    for block in 1..p.div_ceil(B) {
        subtract::<T, NV, W, P, B>(rows, own, &ratio, E + (block - 1) * B);
    }
}

#[inline(always)]
fn subtract<T: Real, const NV: usize, const W: usize, const P: usize, const Q: usize>(
    rows: &mut [[T; NV]; P],
    own: &[[T; NV]; W],
    ratio: &[[T; P]; W],
    q: usize,
) {
    let (Some(raw), Some(mut sum)) = (load::<T, NV, W, Q>(own, q), load::<T, NV, P, Q>(rows, q)) else { return };
    for k in (0..W).rev() {
        for i in 0..P {
            for j in 0..Q {
                sum[i][j] -= ratio[k][i] * raw[k][j];
            }
        }
    }
    store(rows, q, &sum);
}

/// Copies the upper triangle, a tile at a time: on the chip two instructions a number, where a copy of memory takes five.
#[inline(always)]
pub(crate) fn copy_triangle<T: Real, const NV: usize>(target: &mut [[T; NV]; NV], source: &[[T; NV]; NV]) {
    add_squares(target, Some(source), &[]);
}

/// Copies the upper triangle, `columns[k][i]` with i ≤ k, to the lower one.
#[inline(always)]
pub(crate) fn mirror<T: Real, const NV: usize>(columns: &mut [[T; NV]; NV]) {
    by_width!(mirror_tiles, columns)
}

#[inline(always)]
fn mirror_tiles<T: Real, const NV: usize, const B: usize, const E: usize>(columns: &mut [[T; NV]; NV]) {
    mirror_row_of_tiles::<T, NV, B, E, E>(columns, 0);
    for block in 1..NV.div_ceil(B) {
        mirror_row_of_tiles::<T, NV, B, E, B>(columns, E + (block - 1) * B);
    }
}

/// The rows from `p` on, P of them, to the columns from `p` on.
#[inline(always)]
fn mirror_row_of_tiles<T: Real, const NV: usize, const B: usize, const E: usize, const P: usize>(
    columns: &mut [[T; NV]; NV],
    p: usize,
) {
    let (before, rest) = columns.split_at_mut(p.min(NV));
    let Some(rows) = rest.first_chunk_mut::<P>() else { return };
    if p > 0 {
        mirror_tile::<T, NV, P, E>(before, rows, p, 0);
        for block in 1..p.div_ceil(B) {
            mirror_tile::<T, NV, P, B>(before, rows, p, E + (block - 1) * B);
        }
    }
    let Some(mut tile) = load::<T, NV, P, P>(rows, p) else { return };
    for i in 0..P {
        for j in 0..i {
            tile[j][i] = tile[i][j];
        }
    }
    store(rows, p, &tile);
}

#[inline(always)]
fn mirror_tile<T: Real, const NV: usize, const P: usize, const Q: usize>(
    before: &mut [[T; NV]],
    rows: &[[T; NV]; P],
    p: usize,
    q: usize,
) {
    let Some(tile) = load::<T, NV, P, Q>(rows, q) else { return };
    let Some(targets) = before.get_mut(q..).and_then(|rest| rest.first_chunk_mut::<Q>()) else { return };
    for j in 0..Q {
        if let Some(to) = chunk_mut::<T, P>(&mut targets[j], p) {
            *to = core::array::from_fn(|i| tile[i][j]);
        }
    }
}

/// A term w v vᵀ: the weight w and the vector v.
pub(crate) type Square<'a, T, const NV: usize> = (T, &'a [T; NV]);

/// target ← source + Σ w v vᵀ over the terms, in their order, upper triangle; without a source, target += ….
#[inline(always)]
pub(crate) fn add_squares<T: Real, const NV: usize>(
    target: &mut [[T; NV]; NV],
    source: Option<&[[T; NV]; NV]>,
    terms: &[Square<'_, T, NV>],
) {
    by_width!(add_tiles, target, source, terms)
}

#[inline(always)]
fn add_tiles<T: Real, const NV: usize, const B: usize, const E: usize>(
    target: &mut [[T; NV]; NV],
    source: Option<&[[T; NV]; NV]>,
    terms: &[Square<'_, T, NV>],
) {
    add_row_of_tiles::<T, NV, B, E, E>(target, source, terms, 0);
    for block in 1..NV.div_ceil(B) {
        add_row_of_tiles::<T, NV, B, E, B>(target, source, terms, E + (block - 1) * B);
    }
}

/// The rows from `p` on, P of them.
#[inline(always)]
fn add_row_of_tiles<T: Real, const NV: usize, const B: usize, const E: usize, const P: usize>(
    target: &mut [[T; NV]; NV],
    source: Option<&[[T; NV]; NV]>,
    terms: &[Square<'_, T, NV>],
    p: usize,
) {
    let source = source.and_then(|rows| rows.get(p..)).and_then(|rows| rows.first_chunk::<P>());
    let Some(rows) = target.get_mut(p..).and_then(|rows| rows.first_chunk_mut::<P>()) else { return };
    if p > 0 {
        add_tile::<T, NV, P, E>(rows, source, terms, p, 0);
        for block in 1..p.div_ceil(B) {
            add_tile::<T, NV, P, B>(rows, source, terms, p, E + (block - 1) * B);
        }
    }
    let Some(mut sum) = load::<T, NV, P, P>(source.unwrap_or(rows), p) else { return };
    for (weight, vector) in terms {
        let Some(own) = chunk::<T, P>(*vector, p) else { return };
        for i in 0..P {
            let scale = own[i] * *weight;
            for j in 0..=i {
                sum[i][j] += scale * own[j];
            }
        }
    }
    store_triangle(rows, p, &sum);
}

#[inline(always)]
fn add_tile<T: Real, const NV: usize, const P: usize, const Q: usize>(
    rows: &mut [[T; NV]; P],
    source: Option<&[[T; NV]; P]>,
    terms: &[Square<'_, T, NV>],
    p: usize,
    q: usize,
) {
    let Some(mut sum) = load::<T, NV, P, Q>(source.unwrap_or(rows), q) else { return };
    for (weight, vector) in terms {
        let (Some(own), Some(other)) = (chunk::<T, P>(*vector, p), chunk::<T, Q>(*vector, q)) else { return };
        for i in 0..P {
            let scale = own[i] * *weight;
            for j in 0..Q {
                sum[i][j] += scale * other[j];
            }
        }
    }
    store(rows, q, &sum);
}

#[inline(always)]
pub(super) fn chunk<T, const W: usize>(numbers: &[T], at: usize) -> Option<&[T; W]> {
    numbers.get(at..).and_then(|rest| rest.first_chunk())
}

#[inline(always)]
pub(super) fn chunk_mut<T, const W: usize>(numbers: &mut [T], at: usize) -> Option<&mut [T; W]> {
    numbers.get_mut(at..).and_then(|rest| rest.first_chunk_mut())
}

#[inline(always)]
pub(super) fn load<T: Real, const NV: usize, const P: usize, const Q: usize>(
    rows: &[[T; NV]; P],
    q: usize,
) -> Option<[[T; Q]; P]> {
    let mut tile = [[T::zero(); Q]; P];
    for i in 0..P {
        tile[i] = *chunk(&rows[i], q)?;
    }
    Some(tile)
}

#[inline(always)]
pub(super) fn store<T: Real, const NV: usize, const P: usize, const Q: usize>(
    rows: &mut [[T; NV]; P],
    q: usize,
    tile: &[[T; Q]; P],
) {
    for i in 0..P {
        if let Some(to) = chunk_mut(&mut rows[i], q) {
            *to = tile[i];
        }
    }
}

/// Stores what is not below the diagonal of the matrix.
#[inline(always)]
pub(super) fn store_triangle<T: Real, const NV: usize, const P: usize>(
    rows: &mut [[T; NV]; P],
    p: usize,
    tile: &[[T; P]; P],
) {
    for i in 0..P {
        if let Some(to) = chunk_mut::<T, P>(&mut rows[i], p) {
            #[allow(clippy::manual_memcpy)] // unrolls; a copy of a slice is a call and may panic
            for j in 0..=i {
                to[j] = tile[i][j];
            }
        }
    }
}

#[inline(always)]
pub(super) fn is_zero<T: Real, const P: usize, const Q: usize>(tile: &[[T; Q]; P]) -> bool {
    tile.iter().all(|row| row.iter().all(|x| *x == T::zero()))
}
