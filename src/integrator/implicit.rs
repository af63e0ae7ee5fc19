//! [`ImplicitFactor`]: the matrix of an implicit step.

use nalgebra::SVector;

use crate::mass::factor::{factor, factor_tree, solve, solve_tree};
use crate::mass::{MassError, MassMatrix};
use crate::scalar::Real;

/// Memory for the factor of M + h diag(B), NV × NV.
#[derive(Clone, Debug)]
pub struct ImplicitFactor<T, const NV: usize> {
    columns: [[T; NV]; NV],
    inverse_pivots: [T; NV],
}

impl<T: Copy, const NV: usize> ImplicitFactor<T, NV> {
    /// All zero: pass `0.0`, so that a `static` one lands in .bss.
    pub const fn filled(zero: T) -> Self {
        Self { columns: [[zero; NV]; NV], inverse_pivots: [zero; NV] }
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
        mass.check_ready()?;
        self.columns = *mass.columns();
        for (k, (column, shift)) in self.columns.iter_mut().zip(shift).enumerate() {
            column[k] += *shift;
        }
        let [x] = &mut x.data.0;
        match mass.parents() {
            Some(parents) => {
                factor_tree(&mut self.columns, &mut self.inverse_pivots, parents)?;
                solve_tree(&self.columns, &self.inverse_pivots, parents, x);
            }
            None => {
                factor(&mut self.columns, &mut self.inverse_pivots)?;
                solve(&self.columns, &self.inverse_pivots, x);
            }
        }
        Ok(())
    }
}
