//! [`MassMatrix`]: entries and factor together, so that whoever holds a ready one can multiply and solve.

use nalgebra::{SMatrix, SVector};

use super::factor::{
    Parents, factor, factor_tree, finish_solve, finish_solve_tree, half_solve, half_solve_from, half_solve_tree, square,
};
use super::{BodyInertia, MassError, symmetric, tiles};
use crate::scalar::{Real, add_scaled, all_finite, dot, larger, literal};

/// The symmetric positive definite mass matrix M (NV × NV; kg, kg m or kg m² by the two joint types, S07-17) and its factor.
///
/// Lives in caller-owned memory and is set in place: nothing NV × NV is ever returned by value. All zero at first, so a
/// `static` one costs no flash; it is *ready* once one of the setters has succeeded.
///
/// ```
/// use delassus::mass::MassMatrix;
/// use nalgebra::{Matrix2, Vector2};
///
/// let mut mass = MassMatrix::<f64, 2>::filled(0.0);
/// mass.set(&Matrix2::new(2.0, 0.0, 0.0, 1.0))?;
/// let mut acceleration = Vector2::new(4.0, -1.0); // the driving force
/// mass.solve(&mut acceleration)?;
/// assert_eq!(acceleration, Vector2::new(2.0, -1.0));
/// # Ok::<(), delassus::mass::MassError>(())
/// ```
#[derive(Clone, Debug)]
pub struct MassMatrix<T, const NV: usize> {
    /// Both triangles, column by column.
    entries: [[T; NV]; NV],
    factor: [[T; NV]; NV],
    inverse_pivots: [T; NV],
    parents: Parents<NV>,
    branched: bool,
    /// Whether entries off the chains of `parents` are zero, as the last fill left them.
    patterned: bool,
    ready: bool,
}

impl<T: Copy, const NV: usize> MassMatrix<T, NV> {
    /// A matrix that is not ready yet; pass `0.0`, so that a `static` one lands in .bss.
    pub const fn filled(zero: T) -> Self {
        Self {
            entries: [[zero; NV]; NV],
            factor: [[zero; NV]; NV],
            inverse_pivots: [zero; NV],
            parents: [0; NV],
            branched: false,
            patterned: false,
            ready: false,
        }
    }
}

impl<T: Real, const NV: usize> MassMatrix<T, NV> {
    /// Declares which dof moves which: `parent[k]` is the nearest dof that moves dof k, `None` at a root.
    ///
    /// Entries off a dof's own chain are then taken as zero whatever is given, and factor and solves visit chains only.
    /// Worth it for mechanisms of many short branches, from about 35 dofs on; the dense default skips zeros too, and serves a
    /// quadruped or a single chain faster. The matrix must be set again.
    ///
    /// # Errors
    /// [`MassError::BadParent`] when the slice has not NV entries or a parent is not before its child; nothing changes.
    pub fn set_parents(&mut self, parent: &[Option<u8>]) -> Result<(), MassError> {
        if parent.len() != NV {
            return Err(MassError::BadParent { freedom: parent.len() as u16 });
        }
        for (k, p) in parent.iter().enumerate() {
            if p.is_some_and(|p| usize::from(p) >= k || p == u8::MAX) {
                return Err(MassError::BadParent { freedom: k as u16 });
            }
        }
        for (slot, p) in self.parents.iter_mut().zip(parent) {
            *slot = p.map_or(0, |p| p + 1);
        }
        self.branched = true;
        self.patterned = false;
        self.ready = false;
        Ok(())
    }

    /// Takes the entries and factors them.
    ///
    /// # Errors
    /// [`MassError::NotFinite`], [`MassError::NotSymmetric`] (beyond 64 roundings of the larger diagonal entry; within them the
    /// upper triangle counts), [`MassError::NotPositiveDefinite`]. Each leaves the matrix not ready: the mass of an earlier tick
    /// never stands in for one that could not be had.
    pub fn set(&mut self, entries: &SMatrix<T, NV, NV>) -> Result<(), MassError> {
        self.ready = false;
        self.patterned = false;
        let columns = &entries.data.0;
        // Product, factor and Hessian must speak of one matrix: beside a small diagonal entry 64 roundings of a large one are much.
        let gap = symmetric::take_in(columns, &mut self.entries, &mut self.factor);
        if !(gap == T::zero()) {
            check_entries(columns)?;
        }
        if self.branched {
            self.clear_off_chain();
            return self.refactor();
        }
        self.factor_copy()
    }

    /// Takes M = Σ m J_pᵀ J_p + J_rᵀ I_W J_r + diag(armature) over the bodies (S07-15) and factors it.
    ///
    /// # Errors
    /// [`MassError::BadBody`]; [`MassError::NotPositiveDefinite`], for instance when a dof moves only massless bodies (S07-16);
    /// [`MassError::NotFinite`] for an armature that is not, and on overflow. Each leaves the matrix not ready.
    pub fn set_from_bodies(
        &mut self,
        bodies: &[BodyInertia<T, NV>],
        armature: &SVector<T, NV>,
    ) -> Result<(), MassError> {
        self.ready = false;
        self.patterned = false;
        for (k, body) in bodies.iter().enumerate() {
            body.check(k)?;
        }
        self.entries = [[T::zero(); NV]; NV];
        for (k, value) in armature.iter().enumerate() {
            self.entries[k][k] = *value;
        }
        for body in bodies {
            body.add_to(&mut self.entries);
        }
        for (k, column) in self.entries.iter().enumerate() {
            if !all_finite(column) {
                return Err(MassError::NotFinite { column: k as u16 });
            }
        }
        self.clear_off_chain();
        self.refactor()
    }

    /// Lets `fill` write both triangles, on the chains of `parents` or, without those, anywhere, and factors them; by chains where that
    /// `pays`, which is asked when the parents are not those of the last time. What is not written is zero.
    ///
    /// # Errors
    /// [`MassError::NotPositiveDefinite`], also for entries that are not finite.
    pub(crate) fn rebuild(
        &mut self,
        parents: Option<&Parents<NV>>,
        pays: impl FnOnce() -> bool,
        fill: impl FnOnce(&mut [[T; NV]; NV]),
    ) -> Result<(), MassError> {
        self.ready = false;
        // From tick to tick the same entries are written: only the first time are there others to clear.
        if !self.patterned || parents != Some(&self.parents) {
            self.entries = [[T::zero(); NV]; NV];
            self.patterned = parents.is_some();
            self.branched = false;
            if let Some(parents) = parents {
                self.parents = *parents;
                self.branched = pays();
            }
        }
        fill(&mut self.entries);
        self.refactor()
    }

    fn refactor(&mut self) -> Result<(), MassError> {
        tiles::copy_triangle(&mut self.factor, &self.entries);
        self.factor_copy()
    }

    /// Factors the copy of the entries that `factor` holds.
    fn factor_copy(&mut self) -> Result<(), MassError> {
        self.ready = false;
        if self.branched {
            factor_tree(&mut self.factor, &mut self.inverse_pivots, &self.parents)?;
        } else {
            factor(&mut self.factor, &mut self.inverse_pivots)?;
        }
        self.ready = true;
        Ok(())
    }

    /// What was declared zero becomes zero in the entries too, so that product and solve speak of the same matrix.
    fn clear_off_chain(&mut self) {
        if !self.branched {
            return;
        }
        for k in 0..NV {
            let mut next = usize::from(self.parents[k]);
            for i in (0..k).rev() {
                if i + 1 == next {
                    next = usize::from(self.parents[i]);
                } else {
                    self.entries[k][i] = T::zero();
                    self.entries[i][k] = T::zero();
                }
            }
        }
    }

    /// 1/D of the factor.
    pub(crate) fn inverse_pivots(&self) -> &[T; NV] {
        &self.inverse_pivots
    }

    /// The parent array, where only chains are visited.
    pub(crate) fn parents(&self) -> Option<&Parents<NV>> {
        self.branched.then_some(&self.parents)
    }

    /// Whether the matrix is set and factored.
    pub fn is_ready(&self) -> bool {
        self.ready
    }

    /// # Errors
    /// [`MassError::NotReady`] unless a setter has succeeded.
    pub(crate) fn check_ready(&self) -> Result<(), MassError> {
        if self.ready { Ok(()) } else { Err(MassError::NotReady) }
    }

    /// The entries, column by column, both triangles; without meaning while the matrix is not ready.
    pub fn columns(&self) -> &[[T; NV]; NV] {
        &self.entries
    }

    /// Sum of the diagonal \[mixed units\]: the engine's scale of stopping measures on an island (X-16).
    pub fn trace(&self) -> T {
        let mut sum = T::zero();
        for (k, column) in self.entries.iter().enumerate() {
            sum += column[k];
        }
        sum
    }

    /// How many times its own rounding the factor may put into an acceleration: the largest ratio of a diagonal entry to the pivot
    /// that is left of it, at least 1. Zero when the matrix is not ready.
    ///
    /// Around 1 the dofs are decoupled. The relative error of an acceleration is of the order of this times the rounding of `T`: a
    /// straight arm in `f32` reaches 1e6, and no digit is left although the factor succeeded.
    pub fn amplification(&self) -> T {
        if !self.ready {
            return T::zero();
        }
        let mut largest = T::one();
        for k in 0..NV {
            let ratio = self.entries[k][k] * self.inverse_pivots[k];
            if ratio > largest {
                largest = ratio;
            }
        }
        largest
    }

    /// x ← M⁻¹ x: forces become accelerations.
    ///
    /// # Errors
    /// [`MassError::NotReady`]; x is then left alone.
    pub fn solve(&self, x: &mut SVector<T, NV>) -> Result<(), MassError> {
        self.check_ready()?;
        if let Some(x) = x.data.0.first_mut() {
            self.solve_array(x);
        }
        Ok(())
    }

    /// M x: accelerations become forces, velocities momenta. Zero when the matrix is not ready.
    pub fn times(&self, x: &SVector<T, NV>) -> SVector<T, NV> {
        let mut y = SVector::from_element(T::zero());
        if let (Some(x), Some(y)) = (x.data.0.first(), y.data.0.first_mut())
            && self.ready
        {
            self.times_array(x, y);
        }
        y
    }

    /// ½ xᵀ M x: kinetic energy of a velocity \[J\] (S07-12), Gauss' constraint of an acceleration \[N m/s²\] (S07-38).
    pub fn half_quadratic(&self, x: &SVector<T, NV>) -> T {
        dot(self.times(x).as_slice(), x.as_slice()) * literal(0.5)
    }

    #[inline]
    pub(crate) fn solve_array(&self, x: &mut [T; NV]) {
        self.half_solve(x);
        self.finish_solve(x);
    }

    /// x ← M⁻¹ x; returns xᵀ M⁻¹ x of the x that was given, never below zero. `last` as in [`Self::inverse_square_up_to`].
    #[inline]
    pub(crate) fn solve_with_square(&self, x: &mut [T; NV], last: Option<usize>) -> T {
        self.half_solve_up_to(x, last);
        let square = square(&self.inverse_pivots, x);
        self.finish_solve(x);
        square
    }

    /// xᵀ M⁻¹ x, never below zero, at half the price of a solve.
    #[inline]
    pub(crate) fn inverse_square(&self, x: &[T; NV]) -> T {
        let mut half = *x;
        self.half_solve(&mut half);
        square(&self.inverse_pivots, &half)
    }

    /// [`Self::inverse_square`] of an x that is zero behind dof `last`, if there is one to tell.
    #[inline]
    pub(crate) fn inverse_square_up_to(&self, x: &[T; NV], last: Option<usize>) -> T {
        let mut half = *x;
        self.half_solve_up_to(&mut half, last);
        square(&self.inverse_pivots, &half)
    }

    /// [`Self::half_solve`] of an x that is zero behind this dof.
    #[inline]
    fn half_solve_up_to(&self, x: &mut [T; NV], last: Option<usize>) {
        match last {
            // Chains are short anyway.
            Some(last) if !self.branched => half_solve_from(&self.factor, x, last),
            _ => self.half_solve(x),
        }
    }

    /// x ← L⁻ᵀ x: with y of one vector and z of another, Σ y z/D is their product in M⁻¹.
    #[inline]
    pub(crate) fn half_solve(&self, x: &mut [T; NV]) {
        if self.branched {
            half_solve_tree(&self.factor, &self.parents, x);
        } else {
            half_solve(&self.factor, x);
        }
    }

    #[inline]
    fn finish_solve(&self, x: &mut [T; NV]) {
        if self.branched {
            finish_solve_tree(&self.factor, &self.inverse_pivots, &self.parents, x);
        } else {
            finish_solve(&self.factor, &self.inverse_pivots, x);
        }
    }

    /// y ← M x, column by column, so that the host can use its vector registers without changing the order of sums.
    #[inline]
    pub(crate) fn times_array(&self, x: &[T; NV], y: &mut [T; NV]) {
        *y = [T::zero(); NV];
        for (column, value) in self.entries.iter().zip(x) {
            add_scaled(y, *value, column);
        }
    }
}

/// Finite, and symmetric up to 64 roundings of the larger diagonal entry.
#[inline(never)] // what is symmetric to the last bit needs no such look
fn check_entries<T: Real, const NV: usize>(columns: &[[T; NV]; NV]) -> Result<(), MassError> {
    for (k, column) in columns.iter().enumerate() {
        if !all_finite(column) {
            return Err(MassError::NotFinite { column: k as u16 });
        }
    }
    let rounding = T::default_epsilon() * literal(64.0);
    for k in 0..NV {
        for i in k + 1..NV {
            let allowed = rounding * larger(columns[k][k].abs(), columns[i][i].abs());
            if !((columns[k][i] - columns[i][k]).abs() <= allowed) {
                return Err(MassError::NotSymmetric { row: i as u16, column: k as u16 });
            }
        }
    }
    Ok(())
}
