//! The mass matrix as the sum over bodies (S07-15).

use nalgebra::{Matrix3, SMatrix};

use crate::mass::MassError;
use crate::scalar::{Real, all_finite, larger, literal};

/// One body's part in M = Σ m J_pᵀ J_p + J_rᵀ I_W J_r (S07-15).
#[derive(Clone, Copy, Debug)]
pub struct BodyInertia<T, const NV: usize> {
    /// Mass \[kg\], not negative.
    pub mass: T,
    /// Symmetric inertia tensor about the centre of mass in world axes \[kg m²\]: see [`crate::spatial::turned_inertia`].
    pub inertia: Matrix3<T>,
    /// Velocity of the centre of mass in world axes per unit of each generalized velocity: v_C = J_p v.
    pub linear: SMatrix<T, 3, NV>,
    /// Angular velocity in world axes per unit of each generalized velocity: ω = J_r v.
    pub angular: SMatrix<T, 3, NV>,
}

impl<T: Real, const NV: usize> BodyInertia<T, NV> {
    pub(super) fn check(&self, body: usize) -> Result<(), MassError> {
        let columns = |m: &SMatrix<T, 3, NV>| m.data.0.iter().all(|c| all_finite(c));
        let [x, y, z] = self.inertia.data.0;
        let rounding = T::default_epsilon() * literal(64.0) * larger(x[0].abs(), larger(y[1].abs(), z[2].abs()));
        let symmetric = [x[1] - y[0], x[2] - z[0], y[2] - z[1]].iter().all(|difference| difference.abs() <= rounding);
        let sound = self.mass >= T::zero()
            && self.mass.is_finite()
            && symmetric
            && self.inertia.data.0.iter().all(|c| all_finite(c))
            && columns(&self.linear)
            && columns(&self.angular);
        if sound { Ok(()) } else { Err(MassError::BadBody { body: body as u16 }) }
    }

    /// Adds this body to the full matrix `entries`.
    pub(super) fn add_to(&self, entries: &mut [[T; NV]; NV]) {
        let inertia = &self.inertia.data.0;
        for j in 0..NV {
            let (p, r) = (&self.linear.data.0[j], &self.angular.data.0[j]);
            let momentum = [self.mass * p[0], self.mass * p[1], self.mass * p[2]];
            let spin: [T; 3] =
                core::array::from_fn(|k| inertia[0][k] * r[0] + inertia[1][k] * r[1] + inertia[2][k] * r[2]);
            for i in 0..=j {
                let (a, b) = (&self.linear.data.0[i], &self.angular.data.0[i]);
                entries[j][i] += a[0] * momentum[0]
                    + a[1] * momentum[1]
                    + a[2] * momentum[2]
                    + b[0] * spin[0]
                    + b[1] * spin[1]
                    + b[2] * spin[2];
                entries[i][j] = entries[j][i];
            }
        }
    }
}
