//! Constants of the reference pose: inverse weights and mean inertia.

use super::mechanism::mean_mobility;
use super::{Model, Smooth};
use crate::description::{Description, JointKind, ModelError, TendonPath, Uses};
use crate::dynamics::mean_diagonal;
use crate::kinematics::Tree;
use crate::scalar::{Real, dot, literal};
use crate::tendon::{TendonConstants, jacobian, length};

/// Fills in the constants of a model whose reference pose is placed and whose mass matrix is factored.
pub(super) fn derive<T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32>(
    model: &mut Model<'_, T, NB, NQ, NV, U>,
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

/// The bands in which the tendons' springs are slack: as described, or the length with all joints' springs relaxed.
pub(super) fn spring_lengths<T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    smooth: &mut Smooth<T, NB, NV>,
    constants: &mut [TendonConstants<T>],
) -> Result<(), ModelError> {
    let mut relaxed = tree.reference;
    let mut coordinates = relaxed.iter_mut();
    for joint in tree.description.joints {
        for coordinate in coordinates.by_ref().take(joint.kind.coordinates()) {
            if matches!(joint.kind, JointKind::Hinge | JointKind::Slide) {
                *coordinate = joint.spring_reference;
            }
        }
    }
    smooth.kinematics.place_stated::<NQ, U>(tree, &relaxed).map_err(|_| ModelError::BodyNotFinite { body: 0 })?;
    for (tendon, constants) in tree.description.tendons.iter().zip(constants) {
        let relaxed = length(tree, &smooth.kinematics, &relaxed, tendon);
        constants.spring_length = tendon.spring_length.unwrap_or([relaxed; 2]);
    }
    Ok(())
}

/// Lengths and inverse weights of the tendons in the reference pose, which is placed, with M factored.
pub(super) fn tendons<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    smooth: &Smooth<T, NB, NV>,
    constants: &mut [TendonConstants<T>],
) {
    for (tendon, constants) in tree.description.tendons.iter().zip(constants) {
        constants.length = length(tree, &smooth.kinematics, &tree.reference, tendon);
        let mut row = nalgebra::SVector::<T, NV>::from_element(T::zero());
        jacobian(tree, &smooth.kinematics, tendon, &mut row);
        let mut response = row;
        if smooth.mass.solve(&mut response).is_ok() {
            constants.inverse_weight = dot(row.as_slice(), response.as_slice());
        }
    }
}

/// Whether a tendon with armature runs through a site of the body.
fn carries_heavy_tendon<T: Real>(description: &Description<'_, T>, body: u16) -> bool {
    description.tendons.iter().filter(|tendon| tendon.armature != T::zero()).any(|tendon| {
        let TendonPath::Sites { first, count } = tendon.path else { return false };
        let sites = description.tendon_sites.iter().skip(usize::from(first)).take(usize::from(count));
        sites.into_iter().any(|site| description.sites.get(usize::from(*site)).is_some_and(|s| s.body == Some(body)))
    })
}

/// The body of X-20 whose weights are 1/mass and 0: it only slides along its own coordinate axes, alone under something fixed.
fn is_pure_slider<T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32>(
    model: &Model<'_, T, NB, NQ, NV, U>,
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
    has_joints
        && along_axes
        && aligned
        && childless
        && under_something_fixed
        && !(Uses::from_bits(U).has(Uses::TENDON) && carries_heavy_tendon(description, number))
}
