//! [`ImplicitFactor`]: the matrix of an implicit step.

use nalgebra::SVector;

use super::SingularStep;
use super::unsymmetric::{factor_unsymmetric, factor_unsymmetric_tree, solve_unsymmetric, solve_unsymmetric_tree};
use crate::mass::factor::{factor, factor_tree, solve, solve_tree};
use crate::mass::tiles::copy_triangle;
use crate::mass::{MassError, MassMatrix};
use crate::scalar::Real;

/// Memory for the factor of M + h diag(B) or of M − h D, NV × NV.
#[derive(Clone, Debug)]
pub struct ImplicitFactor<T, const NV: usize> {
    entries: [[T; NV]; NV],
    inverse_pivots: [T; NV],
}

impl<T: Copy, const NV: usize> ImplicitFactor<T, NV> {
    /// All zero: pass `0.0`, so that a `static` one lands in .bss.
    pub const fn filled(zero: T) -> Self {
        Self { entries: [[zero; NV]; NV], inverse_pivots: [zero; NV] }
    }
}

impl<T: Real, const NV: usize> ImplicitFactor<T, NV> {
    /// x ← (M + diag(shift))⁻¹ x, the shift not negative.
    ///
    /// # Errors
    /// [`MassError::NotReady`]; [`MassError::NotPositiveDefinite`] where rounding spoilt the factor. x is then left alone.
    pub fn solve_shifted(
        &mut self,
        mass: &MassMatrix<T, NV>,
        shift: &[T; NV],
        x: &mut SVector<T, NV>,
    ) -> Result<(), MassError> {
        let add = |columns: &mut [[T; NV]; NV]| {
            for (k, (column, shift)) in columns.iter_mut().zip(shift).enumerate() {
                column[k] += *shift;
            }
        };
        self.solve_symmetric(mass, false, add, x)
    }

    /// x ← (M + C)⁻¹ x with a symmetric C that `add` adds. Entries of C between branches of the tree are seen only where `joined`
    /// says that there are any.
    ///
    /// # Errors
    /// [`MassError::NotReady`]; [`MassError::NotPositiveDefinite`] where M + C is not. x is then left alone.
    pub fn solve_symmetric(
        &mut self,
        mass: &MassMatrix<T, NV>,
        joined: bool,
        add: impl FnOnce(&mut [[T; NV]; NV]),
        x: &mut SVector<T, NV>,
    ) -> Result<(), MassError> {
        mass.check_ready()?;
        // What stands below the diagonal nobody reads.
        copy_triangle(&mut self.entries, mass.columns());
        add(&mut self.entries);
        let [x] = &mut x.data.0;
        match mass.parents().filter(|_| !joined) {
            Some(parents) => {
                factor_tree(&mut self.entries, &mut self.inverse_pivots, parents)?;
                solve_tree(&self.entries, &self.inverse_pivots, parents, x);
            }
            None => {
                factor(&mut self.entries, &mut self.inverse_pivots)?;
                solve(&self.entries, &self.inverse_pivots, x);
            }
        }
        Ok(())
    }

    /// x ← (M + C)⁻¹ x. `add` adds C by rows, `rows[i][j]` being row i. Entries between branches of the tree are seen only where
    /// `joined` says that there are any.
    ///
    /// # Errors
    /// [`SingularStep`] for the first pivot that has no finite inverse, also when M is not ready. x is then left alone.
    pub fn solve_changed(
        &mut self,
        mass: &MassMatrix<T, NV>,
        joined: bool,
        add: impl FnOnce(&mut [[T; NV]; NV]),
        x: &mut SVector<T, NV>,
    ) -> Result<(), SingularStep> {
        self.entries = if mass.is_ready() { *mass.columns() } else { [[T::zero(); NV]; NV] };
        add(&mut self.entries);
        let [x] = &mut x.data.0;
        match mass.parents().filter(|_| !joined) {
            Some(parents) => {
                factor_unsymmetric_tree(&mut self.entries, &mut self.inverse_pivots, parents)?;
                solve_unsymmetric_tree(&self.entries, &self.inverse_pivots, parents, x);
            }
            None => {
                factor_unsymmetric(&mut self.entries, &mut self.inverse_pivots)?;
                solve_unsymmetric(&self.entries, &self.inverse_pivots, x);
            }
        }
        Ok(())
    }
}
