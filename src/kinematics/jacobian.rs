//! Jacobians of points and orientations.

use nalgebra::{SVector, Vector3};

use super::{Kinematics, Tree};
use crate::scalar::Real;
use crate::spatial::inner;

/// How a point of a body and the body's orientation move with the degrees of freedom: world axes, three rows each.
#[derive(Clone, Debug)]
pub struct PointJacobian<T, const NV: usize> {
    /// J_p: velocity of the point per unit of each generalized velocity.
    pub translation: [SVector<T, NV>; 3],
    /// J_r: angular velocity of the body.
    pub rotation: [SVector<T, NV>; 3],
}

impl<T: Real, const NB: usize, const NV: usize> Kinematics<T, NB, NV> {
    /// The column of dof k at a point of a body that it moves: velocity of the point, angular velocity.
    #[inline(always)]
    pub(crate) fn column(&self, k: usize, translates: bool, point: &Vector3<T>) -> (Vector3<T>, Vector3<T>) {
        let zero = crate::spatial::vector(T::zero());
        let (Some(axis), Some(anchor)) = (self.axes.get(k), self.anchors.get(k)) else { return (zero, zero) };
        if translates { (*axis, zero) } else { (axis.cross(&(point - anchor)), *axis) }
    }

    /// J_p and J_r of the point of `body` that is at `point` in the world \[m\]; zero for the world (S07-08, X-51).
    pub fn point_jacobian<const NQ: usize>(
        &self,
        tree: &Tree<'_, T, NB, NQ, NV>,
        body: Option<u16>,
        point: &Vector3<T>,
    ) -> PointJacobian<T, NV> {
        let zero = SVector::from_element(T::zero());
        let mut jacobian = PointJacobian { translation: [zero; 3], rotation: [zero; 3] };
        for (k, dof) in tree.chain(body) {
            let (linear, angular) = self.column(k, dof.translates, point);
            if k < NV {
                for axis in 0..3 {
                    jacobian.translation[axis][k] = linear[axis];
                    jacobian.rotation[axis][k] = angular[axis];
                }
            }
        }
        jacobian
    }

    /// J_p and J_r at the origin of a site, the index counting the description's sites; zero where there is none.
    pub fn site_jacobian<const NQ: usize>(&self, tree: &Tree<'_, T, NB, NQ, NV>, site: u16) -> PointJacobian<T, NV> {
        let (body, point) = match tree.description.sites.get(usize::from(site)) {
            Some(site) => (site.body, self.frame(site.body).apply(&Vector3::from(site.position))),
            None => (None, crate::spatial::vector(T::zero())),
        };
        self.point_jacobian(tree, body, &point)
    }

    /// Adds J_pᵀ force + J_rᵀ torque to a generalized force: what a force \[N\] at `point` and a torque \[N m\], both in world axes,
    /// on `body` do to the degrees of freedom (S07-08).
    pub fn add_wrench<const NQ: usize>(
        &self,
        tree: &Tree<'_, T, NB, NQ, NV>,
        body: Option<u16>,
        point: &Vector3<T>,
        force: &Vector3<T>,
        torque: &Vector3<T>,
        generalized: &mut SVector<T, NV>,
    ) {
        for (k, dof) in tree.chain(body) {
            let (linear, angular) = self.column(k, dof.translates, point);
            if let Some(sum) = generalized.get_mut(k) {
                *sum += inner(&linear, force) + inner(&angular, torque);
            }
        }
    }
}
