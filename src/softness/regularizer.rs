//! From impedance and gains to the two numbers of a row that the solver sees: its regularizer and its reference acceleration.

use super::{Gains, ImpedancePoint, SoftnessError};
use crate::scalar::{Real, SMALLEST, larger, literal};

impl<T: Real> ImpedancePoint<T> {
    /// R = max(1e-15, (1-d)/d Â) (S12-12, S12-13) \[1/kg for a translation row\]; Â = `diagonal` in the same unit.
    ///
    /// Â = 0 is allowed and gives the floor. A negative Â is an error: no inverse inertia has one, so it is a mistake upstream, and
    /// MuJoCo's silent floor would turn it into the hardest of rows.
    ///
    /// # Errors
    /// [`SoftnessError::BadDiagonal`] for a negative, NaN or infinite Â, or one whose R is infinite in this scalar type.
    pub fn regularizer(&self, diagonal: T) -> Result<T, SoftnessError> {
        let regularizer = self.rest() / self.value() * diagonal;
        if diagonal >= T::zero() && regularizer.is_finite() {
            Ok(larger(regularizer, literal(SMALLEST)))
        } else {
            Err(SoftnessError::BadDiagonal)
        }
    }

    /// Â = R d/(1-d), for which R is what [`regularizer`](Self::regularizer) returns (S12-57).
    ///
    /// MuJoCo rewrites `efc_diagA` this way once the regularizers of friction rows and pyramid edges are final.
    pub fn diagonal_of(&self, regularizer: T) -> T {
        regularizer * self.value() / self.rest()
    }
}

/// d_eff = A/(A+R): the share of the target in the row's acceleration, J a = (1 - d_eff) J a_u + d_eff a_ref (S12-15).
///
/// Equals d only where Â = A. A = `delassus_diagonal` > 0 and R > 0 in the same unit.
pub fn effective_weight<T: Real>(delassus_diagonal: T, regularizer: T) -> T {
    delassus_diagonal / (delassus_diagonal + regularizer)
}

/// a_ref = -B u - K d r - c \[m/s²\] (S12-03, S12-05).
///
/// r: residual minus margin \[m\], negative when pressed in; u = J v \[m/s\], negative when closing; c = J̇ v \[m/s²\], zero where the
/// row has none. Positive results push out. d multiplies the position term only.
pub fn reference_acceleration<T: Real>(
    gains: &Gains<T>,
    point: &ImpedancePoint<T>,
    residual: T,
    velocity: T,
    curvature: T,
) -> T {
    -gains.damping * velocity - gains.stiffness * point.value() * residual - curvature
}
