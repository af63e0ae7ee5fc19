//! The two halves of a solve from the factor, in strips of four numbers.

use crate::scalar::Real;

/// Width of a strip.
const W: usize = 4;

/// x ← L⁻ᵀ x.
#[inline(always)]
pub(super) fn half_solve<T: Real, const NV: usize>(columns: &[[T; NV]; NV], x: &mut [T; NV]) {
    match NV % W {
        0 => half_solve_strips::<T, NV, 0>(columns, x),
        1 => half_solve_strips::<T, NV, 1>(columns, x),
        2 => half_solve_strips::<T, NV, 2>(columns, x),
        _ => half_solve_strips::<T, NV, 3>(columns, x),
    }
}

#[inline(always)]
fn half_solve_strips<T: Real, const NV: usize, const E: usize>(columns: &[[T; NV]; NV], x: &mut [T; NV]) {
    let full = NV / W;
    half_solve_block::<T, NV, E>(columns, x, full * W);
    for block in (0..full).rev() {
        half_solve_block::<T, NV, W>(columns, x, block * W);
    }
}

/// The P numbers from `at` on, and what they take off those before them.
#[inline(always)]
fn half_solve_block<T: Real, const NV: usize, const P: usize>(columns: &[[T; NV]; NV], x: &mut [T; NV], at: usize) {
    let Some(rows) = columns.get(at..).and_then(|rows| rows.first_chunk::<P>()) else { return };
    let Some((before, rest)) = x.split_at_mut_checked(at) else { return };
    let Some(own) = rest.first_chunk_mut::<P>() else { return };
    let mut values = *own;
    for k in (0..P).rev() {
        let Some(row) = rows[k].get(at..).and_then(|rest| rest.first_chunk::<P>()) else { return };
        for i in 0..k {
            values[i] -= values[k] * row[i];
        }
    }
    *own = values;
    for (block, target) in before.as_chunks_mut::<W>().0.iter_mut().enumerate().rev() {
        let mut sums = *target;
        for k in (0..P).rev() {
            let Some(row) = rows[k].get(block * W..).and_then(|rest| rest.first_chunk::<W>()) else { return };
            for j in 0..W {
                sums[j] -= values[k] * row[j];
            }
        }
        *target = sums;
    }
}

/// x ← L⁻¹ x.
#[inline(always)]
pub(super) fn finish_solve<T: Real, const NV: usize>(columns: &[[T; NV]; NV], x: &mut [T; NV]) {
    match NV % W {
        0 => finish_solve_strips::<T, NV, 0>(columns, x),
        1 => finish_solve_strips::<T, NV, 1>(columns, x),
        2 => finish_solve_strips::<T, NV, 2>(columns, x),
        _ => finish_solve_strips::<T, NV, 3>(columns, x),
    }
}

#[inline(always)]
fn finish_solve_strips<T: Real, const NV: usize, const E: usize>(columns: &[[T; NV]; NV], x: &mut [T; NV]) {
    let full = NV / W;
    for block in 0..full {
        finish_solve_block::<T, NV, W>(columns, x, block * W);
    }
    finish_solve_block::<T, NV, E>(columns, x, full * W);
}

/// The P numbers from `at` on.
#[inline(always)]
fn finish_solve_block<T: Real, const NV: usize, const P: usize>(columns: &[[T; NV]; NV], x: &mut [T; NV], at: usize) {
    let Some(rows) = columns.get(at..).and_then(|rows| rows.first_chunk::<P>()) else { return };
    let Some((before, rest)) = x.split_at_mut_checked(at) else { return };
    let Some(own) = rest.first_chunk_mut::<P>() else { return };
    let mut sums = [T::zero(); P];
    for (block, values) in before.as_chunks::<W>().0.iter().enumerate() {
        for k in 0..P {
            let Some(row) = rows[k].get(block * W..).and_then(|rest| rest.first_chunk::<W>()) else { return };
            for j in 0..W {
                sums[k] += row[j] * values[j];
            }
        }
    }
    let mut values = *own;
    for k in 0..P {
        let Some(row) = rows[k].get(at..).and_then(|rest| rest.first_chunk::<P>()) else { return };
        let mut sum = sums[k];
        for i in 0..k {
            sum += row[i] * values[i];
        }
        values[k] -= sum;
    }
    *own = values;
}
