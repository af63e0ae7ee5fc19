//! Constants of the reference pose: inverse weights and mean inertia.

use super::mechanism::mean_mobility;
use super::{Model, Smooth};
use crate::description::JointKind;
use crate::dynamics::mean_diagonal;
use crate::scalar::{Real, literal};

/// Fills in the constants of a model whose reference pose is placed and whose mass matrix is factored.
pub(super) fn derive<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    model: &mut Model<'_, T, NB, NQ, NV>,
    smooth: &Smooth<T, NB, NV>,
) {
    let bodies = model.tree.description.bodies.len();
    model.mean_inertia = mean_diagonal(&smooth.mass, model.tree.dof_count);
    for body in 0..bodies {
        let number = body as u16;
        let weights = if !model.tree.moves(Some(number)) {
            [T::zero(); 2] // fixed to the world
        } else if is_pure_slider(model, number) {
            let mass = model.tree.description.bodies.get(body).map_or(T::one(), |body| body.mass);
            [T::one() / mass, T::zero()]
        } else {
            let center = smooth.kinematics.center(Some(number));
            let jacobian = smooth.kinematics.point_jacobian(&model.tree, Some(number), &center);
            [mean_mobility(&smooth.mass, &jacobian.translation), mean_mobility(&smooth.mass, &jacobian.rotation)]
        };
        if let Some(slot) = model.inverse_weights.get_mut(body) {
            *slot = weights;
        }
    }
    let mut dof = 0;
    for joint in model.tree.description.joints {
        // Means over the joint's triples: one a ball, two a free joint.
        let single = matches!(joint.kind, JointKind::Hinge | JointKind::Slide);
        let size = if single { 1 } else { 3 };
        for _ in 0..joint.kind.dofs() / size {
            let mut sum = T::zero();
            for k in dof..dof + size {
                let mut unit = nalgebra::SVector::<T, NV>::from_element(T::zero());
                if let Some(entry) = unit.get_mut(k) {
                    *entry = T::one();
                }
                if smooth.mass.solve(&mut unit).is_ok() {
                    sum += unit.get(k).copied().unwrap_or_else(T::zero);
                }
            }
            let mut weight = if single { sum } else { sum / literal(3.0) };
            if is_pure_slider(model, joint.body) {
                weight = model.inverse_weight(Some(joint.body))[0];
            }
            for slot in model.dof_inverse_weights.iter_mut().skip(dof).take(size) {
                *slot = weight;
            }
            dof += size;
        }
    }
}

/// The body of X-20 whose weights are 1/mass and 0: it only slides along its own coordinate axes, alone under something fixed.
fn is_pure_slider<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    model: &Model<'_, T, NB, NQ, NV>,
    number: u16,
) -> bool {
    let description = model.tree.description;
    let near = |x: T| x.abs() < literal(1e-6);
    let Some(body) = description.bodies.get(usize::from(number)) else { return false };
    let mut joints = description.joints.iter().filter(|joint| joint.body == number).peekable();
    let has_joints = joints.peek().is_some();
    let along_axes = joints.all(|joint| {
        let components = joint.axis.iter().filter(|x| x.abs() > literal(1e-14)).count();
        joint.kind == JointKind::Slide && components == 1 && joint.position.iter().all(|x| near(*x))
    });
    let Some(place) = model.tree.bodies.get(usize::from(number)) else { return false };
    let [w, x, y, z] = place.inertia_orientation.0;
    let aligned = near(w.abs() - T::one()) && near(x) && near(y) && near(z) && body.center.iter().all(|x| near(*x));
    let childless = description.bodies.iter().all(|other| other.parent != Some(number));
    let above = body.parent.and_then(|parent| description.bodies.get(usize::from(parent)));
    let under_something_fixed = match body.parent {
        None => true,
        Some(parent) => above.is_some_and(|above| above.parent.is_none()) && !model.tree.moves(Some(parent)),
    };
    has_joints && along_axes && aligned && childless && under_something_fixed
}
