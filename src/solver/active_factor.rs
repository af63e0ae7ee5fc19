//! The factor of A + R over the rows that push: L D Lᵀ, taken row by row in the order in which the rows came.
//!
//! A row that comes is one more row of L; a row that goes leaves the ones before it as they are. No roots, and the sums run in the
//! order of the list. Rows are taken four at a time where there are four: each number of L then serves four sums.

use crate::scalar::{Real, larger, literal, square_root};

/// The active rows in the order of their coming, and the factor.
#[derive(Clone, Debug)]
pub(super) struct ActiveFactor<T, const NR: usize> {
    list: [u16; NR],
    /// By what name the operator knows them.
    handles: [u16; NR],
    count: usize,
    /// So many rows of the list are factored.
    factored: usize,
    /// Row p of L up to the diagonal; of rows not yet factored, of A + R.
    lower: [[T; NR]; NR],
    /// 1/D, or zero for a row that depends on the ones before it and has no R to speak of. Of rows not yet factored, R.
    inverse_pivots: [T; NR],
    /// Of each row the ratio of its diagonal entry to its pivot.
    ratios: [T; NR],
}

impl<T: Copy, const NR: usize> ActiveFactor<T, NR> {
    pub(super) const fn filled(zero: T) -> Self {
        Self {
            list: [0; NR],
            handles: [0; NR],
            count: 0,
            factored: 0,
            lower: [[zero; NR]; NR],
            inverse_pivots: [zero; NR],
            ratios: [zero; NR],
        }
    }

    /// The active rows in the order of the factor.
    #[inline(always)]
    pub(super) fn list(&self) -> &[u16] {
        self.list.get(..self.count.min(NR)).unwrap_or(&[])
    }

    pub(super) fn clear(&mut self) {
        self.count = 0;
        self.factored = 0;
    }

    /// One row more.
    #[inline(always)]
    pub(super) fn push(&mut self, row: usize, handle: u16) {
        if let (Some(slot), Some(name)) = (self.list.get_mut(self.count), self.handles.get_mut(self.count)) {
            *slot = row as u16;
            *name = handle;
            self.count += 1;
        }
    }

    /// Only those rows stay that `keep` says; the factor stands up to the first that goes.
    pub(super) fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        let mut kept = 0;
        for at in 0..self.count.min(NR) {
            let row = self.list[at];
            if keep(usize::from(row)) {
                self.list[kept.min(at)] = row;
                self.handles[kept.min(at)] = self.handles[at];
                kept += 1;
            } else if self.factored > at {
                self.factored = kept.min(self.factored);
            }
        }
        self.factored = self.factored.min(kept);
        self.count = kept;
    }
}

impl<T: Real, const NR: usize> ActiveFactor<T, NR> {
    /// How many roundings of the data the solution may be off by: the largest ratio of a diagonal entry to its pivot.
    pub(super) fn amplification(&self) -> T {
        let mut largest = T::one();
        for ratio in self.ratios.iter().take(self.count) {
            largest = larger(*ratio, largest);
        }
        largest
    }

    /// The handles of the active rows.
    pub(super) fn handles(&self) -> &[u16] {
        self.handles.get(..self.count.min(NR)).unwrap_or(&[])
    }

    /// Brings the factor up to the list. `gather` takes a row, its handle and the handles of the rows up to it, and writes A between them; it
    /// returns the row's R > 0.
    #[inline(always)]
    pub(super) fn update(&mut self, gather: impl Fn(u16, u16, &[u16], &mut [T; NR]) -> T) {
        let count = self.count.min(NR);
        for p in self.factored..count {
            let entries = &mut self.lower[p];
            let handles = self.handles.get(..=p).unwrap_or(&[]);
            let regularizer = gather(self.list[p], self.handles[p], handles, entries);
            entries[p] += regularizer;
            self.inverse_pivots[p] = regularizer;
        }
        let mut first = self.factored;
        // Each turn takes a row at least.
        for _ in self.factored..count {
            if first + 4 <= count {
                self.eliminate::<4>(first);
                first += 4;
            } else if first + 2 <= count {
                self.eliminate::<2>(first);
                first += 2;
            } else if first < count {
                self.eliminate::<1>(first);
                first += 1;
            }
        }
        self.factored = count;
    }

    /// Makes W rows of A + R from `first` on rows of L.
    #[inline(never)] // inlined, its sums crowd the registers of everything around it
    #[allow(clippy::eq_op)]
    fn eliminate<const W: usize>(&mut self, first: usize) {
        let first = first.min(NR);
        let (above, rest) = self.lower.split_at_mut(first);
        let (done, inverse) = self.inverse_pivots.split_at_mut(first);
        let ratios = self.ratios.get_mut(first..).and_then(|rest| rest.first_chunk_mut::<W>());
        let (Some(own), Some(inverse), Some(ratios)) =
            (rest.first_chunk_mut::<W>(), inverse.first_chunk_mut::<W>(), ratios)
        else {
            return;
        };
        let mut tile = [[T::zero(); W]; W];
        for r in 0..W {
            let Some(entries) = own[r].get(first..).and_then(|rest| rest.first_chunk::<W>()) else { return };
            tile[r] = *entries;
        }
        let diagonal: [T; W] = core::array::from_fn(|r| tile[r][r]);
        // Entries of L times their pivots.
        for q in 0..first {
            let Some(row) = above.get(q) else { break };
            let mut sum: [T; W] = core::array::from_fn(|r| own[r][q]);
            for s in 0..q {
                for r in 0..W {
                    sum[r] -= own[r][s] * row[s];
                }
            }
            for r in 0..W {
                own[r][q] = sum[r];
            }
        }
        for q in 0..first {
            let Some(inverse) = done.get(q) else { break };
            let raw: [T; W] = core::array::from_fn(|r| own[r][q]);
            for r in 0..W {
                let ratio = raw[r] * *inverse;
                own[r][q] = ratio;
                for t in 0..=r {
                    tile[r][t] -= ratio * raw[t];
                }
            }
        }
        // The rows among themselves.
        for r in 0..W {
            let mut raw = tile[r];
            for t in 0..r {
                for s in 0..t {
                    raw[t] -= raw[s] * tile[t][s];
                }
            }
            let mut pivot = raw[r];
            for t in 0..r {
                let ratio = raw[t] * inverse[t];
                pivot -= ratio * raw[t];
                tile[r][t] = ratio;
            }
            // In exact numbers a pivot of A + R is at least R.
            let regularizer = inverse[r];
            pivot = larger(pivot, regularizer);
            let soft = regularizer > T::default_epsilon() * literal(16.0) * diagonal[r];
            let independent = soft || pivot > square_root(T::default_epsilon()) * diagonal[r];
            // An infinite entry must not pass for a row that depends on others: NaN ends as an overflow.
            inverse[r] = if independent { T::one() / pivot } else { diagonal[r] - diagonal[r] };
            ratios[r] = diagonal[r] * inverse[r];
        }
        for r in 0..W {
            // What is on the diagonal and above it is not read.
            if let Some(entries) = own[r].get_mut(first..).and_then(|rest| rest.first_chunk_mut::<W>()) {
                *entries = tile[r];
            }
        }
    }

    /// x ← (A + R)⁻¹ x over the active rows, in the order of the list.
    pub(super) fn solve(&self, x: &mut [T; NR]) {
        let count = self.factored.min(NR);
        let mut first = 0;
        for _ in 0..count {
            if first + 4 <= count {
                self.forward::<4>(first, x);
                first += 4;
            } else if first < count {
                self.forward::<1>(first, x);
                first += 1;
            }
        }
        for (x, inverse) in x.iter_mut().zip(&self.inverse_pivots).take(count) {
            *x *= *inverse;
        }
        let mut end = count;
        for _ in 0..count {
            if end.is_multiple_of(4) {
                end = end.saturating_sub(4);
                self.backward::<4>(end, x);
            } else {
                end -= 1;
                self.backward::<1>(end, x);
            }
            if end == 0 {
                break;
            }
        }
    }

    /// Numbers `first` to `first` + W of x ← L⁻ᵀ x are known but among themselves: takes them off those before.
    #[inline(always)]
    fn backward<const W: usize>(&self, first: usize, x: &mut [T; NR]) {
        let first = first.min(NR);
        let Some(rows) = self.lower.get(first..).and_then(|rows| rows.first_chunk::<W>()) else { return };
        let (before, rest) = x.split_at_mut(first);
        let Some(own) = rest.first_chunk_mut::<W>() else { return };
        for r in (1..W).rev() {
            let Some(entries) = rows[r].get(first..).and_then(|rest| rest.first_chunk::<W>()) else { return };
            for t in 0..r {
                own[t] -= entries[t] * own[r];
            }
        }
        for s in 0..first {
            let Some(x) = before.get_mut(s) else { break };
            let mut sum = *x;
            for r in (0..W).rev() {
                sum -= rows[r][s] * own[r];
            }
            *x = sum;
        }
    }

    /// Numbers `first` to `first` + W of x ← L⁻¹ x.
    #[inline(always)]
    fn forward<const W: usize>(&self, first: usize, x: &mut [T; NR]) {
        let first = first.min(NR);
        let Some(rows) = self.lower.get(first..).and_then(|rows| rows.first_chunk::<W>()) else { return };
        let (done, rest) = x.split_at_mut(first);
        let Some(own) = rest.first_chunk_mut::<W>() else { return };
        let mut sum = *own;
        for s in 0..first {
            let Some(value) = done.get(s) else { break };
            for r in 0..W {
                sum[r] -= rows[r][s] * *value;
            }
        }
        for r in 1..W {
            let Some(entries) = rows[r].get(first..).and_then(|rest| rest.first_chunk::<W>()) else { return };
            for t in 0..r {
                sum[r] -= entries[t] * sum[t];
            }
        }
        *own = sum;
    }
}
