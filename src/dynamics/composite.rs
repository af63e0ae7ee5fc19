//! The mass matrix by composite rigid bodies (Featherstone, *Rigid Body Dynamics Algorithms*, chapter 6).

use nalgebra::Vector3;

use super::DynamicsWorkspace;
use super::inertia::RigidInertia;
use crate::description::Uses;
use crate::kinematics::{Kinematics, Tree};
use crate::mass::tiles::mirror;
use crate::mass::{MassError, MassMatrix};
use crate::scalar::{Real, literal};
use crate::spatial::{inner, vector};
use crate::tendon::{add_inertia, leaves_chain};

/// M at the placed configuration (S07-15, X-51), factored: armature on the diagonal and along tendons, one for inert dofs.
///
/// From the leaves to the root every body is added to its parent, so that each dof sees the rigid body that all it moves would
/// make if frozen; its force on that body works on the dofs below. Entries between branches stay zero.
///
/// About which points, see `compose`.
///
/// # Errors
/// [`MassError::NotPositiveDefinite`]; the matrix is then not ready.
pub fn mass_matrix<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    work: &mut DynamicsWorkspace<T, NB>,
    mass: &mut MassMatrix<T, NV>,
) -> Result<(), MassError> {
    mass_matrix_stated::<T, NB, NQ, NV, { Uses::EVERYTHING.bits() }>(tree, kinematics, work, mass)
}

/// [`mass_matrix`] of a description that makes use of `U` ([`Uses`]).
pub(crate) fn mass_matrix_stated<T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    work: &mut DynamicsWorkspace<T, NB>,
    mass: &mut MassMatrix<T, NV>,
) -> Result<(), MassError> {
    compose::<T, NB, NQ, NV, U>(tree, kinematics, work);
    let tendons = Uses::from_bits(U).has(Uses::TENDON) && !tree.description.tendons.is_empty();
    let parents = tree.parents().filter(|_| !tendons || !joins_branches(tree));
    mass.rebuild(
        parents,
        || prefers_chains(tree),
        |entries| {
            for (k, column) in entries.iter_mut().enumerate().skip(tree.dofs_stated::<U>().len()) {
                if let Some(entry) = column.get_mut(k) {
                    *entry = T::one();
                }
            }
            if central::<T>() {
                fill_central::<T, NB, NQ, NV, U>(tree, kinematics, work, entries);
            } else {
                fill_about_tree::<T, NB, NQ, NV, U>(tree, kinematics, work, entries);
            }
            for (k, dof) in tree.dofs_stated::<U>().iter().enumerate() {
                if let Some(joint) = tree.description.joints.get(usize::from(dof.joint))
                    && k < NV
                {
                    entries[k][k] += joint.armature;
                }
            }
            if tendons {
                add_inertia(tree, kinematics, entries);
            }
        },
    )
}

/// Writes M without armature, the composite bodies taken about their own centres of mass: the force that a dof's motion takes goes up
/// the tree from anchor to anchor, so that nothing is measured from afar.
#[inline(always)]
fn fill_central<T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    work: &DynamicsWorkspace<T, NB>,
    entries: &mut [[T; NV]; NV],
) {
    for (k, dof) in tree.dofs_stated::<U>().iter().enumerate() {
        let index = usize::from(dof.body);
        let (Some(inertia), Some(reference)) = (work.inertias.get(index), work.references.get(index)) else { continue };
        let (linear, angular) = kinematics.column(k, dof.translates_stated::<U>(), reference);
        let (force, mut torque) = inertia.times_central(&angular, &linear);
        // Where the torque is taken, and the joint whose anchor that is.
        let (mut point, mut joint) = (*reference, None);
        for (above, other) in tree.chain_from(Some(k as u16)) {
            if k >= NV || above >= NV {
                break;
            }
            let axis = &kinematics.axes[above];
            let entry = if other.translates_stated::<U>() {
                inner(axis, &force)
            } else {
                if joint != Some(other.joint) {
                    let anchor = kinematics.anchors[above];
                    torque += (point - anchor).cross(&force);
                    (point, joint) = (anchor, Some(other.joint));
                }
                inner(axis, &torque)
            };
            entries[k][above] = entry;
            entries[above][k] = entry;
        }
    }
}

/// How many entries of M are computed at a time.
const LANES: usize = 4;

/// Writes M without armature, all of a tree taken about its centre of mass, as the engine does.
///
/// Dofs that follow each other up the tree are taken by fours, component by component: each entry is the same sum in the same order, and the
/// host makes four in its vector registers.
#[inline(always)]
fn fill_about_tree<T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    work: &DynamicsWorkspace<T, NB>,
    entries: &mut [[T; NV]; NV],
) {
    // Without branches all dofs are one run.
    let branched = Uses::from_bits(U).has(Uses::BRANCHED);
    // Each dof's motion at the reference, per unit of its velocity: angular x, y, z, linear x, y, z.
    let mut motions = [[T::zero(); NV]; 6];
    // The first dof of the run that each ends: of those with no number left out that move each other.
    let mut starts = [0; NV];
    for (k, dof) in tree.dofs_stated::<U>().iter().enumerate().take(NV) {
        let Some(reference) = work.references.get(usize::from(dof.body)) else { continue };
        let (linear, angular) = kinematics.column(k, dof.translates_stated::<U>(), reference);
        for axis in 0..3 {
            motions[axis][k] = angular[axis];
            motions[axis + 3][k] = linear[axis];
        }
        if branched {
            let before = k.checked_sub(1).filter(|before| dof.parent.map(usize::from) == Some(*before));
            starts[k] = before.and_then(|before| starts.get(before)).copied().unwrap_or(k);
        }
    }
    for (k, dof) in tree.dofs_stated::<U>().iter().enumerate().take(NV) {
        let Some(inertia) = work.inertias.get(usize::from(dof.body)) else { continue };
        let [a, b, c, x, y, z] = motions.each_ref().map(|row| row[k]);
        let linear = Vector3::new(x, y, z);
        let (force, torque) = if dof.translates_stated::<U>() {
            inertia.pushed(&linear)
        } else {
            inertia.times(&Vector3::new(a, b, c), &linear)
        };
        let mut next = Some(k);
        while let Some(last) = next
            && let Some(start) = if branched { starts.get(last).copied() } else { Some(0) }
        {
            let mut first = start;
            while first <= last {
                let at = first.min(NV.saturating_sub(LANES));
                let lanes = works::<T, NV, U>(&motions, at, &force, &torque);
                let row = entries[k].get_mut(at..).and_then(|rest| rest.first_chunk_mut());
                // What lies beyond the diagonal is not yet mirrored.
                if let Some(row) = row
                    && at >= start
                    && (last == k || at + LANES <= last + 1)
                {
                    *row = lanes;
                } else {
                    for above in first..=last {
                        if let (Some(to), Some(entry)) = (entries[k].get_mut(above), lanes.get(above - at)) {
                            *to = *entry;
                        }
                    }
                }
                first += LANES;
            }
            next = tree.dofs.get(start).and_then(|dof| dof.parent).map(usize::from).filter(|_| branched);
        }
    }
    mirror(entries);
}

/// What a force and a torque do on the motions from `at` on, per unit of their velocities.
#[inline(always)]
fn works<T: Real, const NV: usize, const U: u32>(
    motions: &[[T; NV]; 6],
    at: usize,
    force: &Vector3<T>,
    torque: &Vector3<T>,
) -> [T; LANES] {
    let mut lanes = [[T::zero(); LANES]; 6];
    for (lane, row) in lanes.iter_mut().zip(motions) {
        if let Some(full) = row.get(at..).and_then(|rest| rest.first_chunk()) {
            *lane = *full;
        } else {
            for (to, from) in lane.iter_mut().zip(row) {
                *to = *from;
            }
        }
    }
    let [a, b, c, x, y, z] = &lanes;
    let turns = Uses::from_bits(U).turns();
    core::array::from_fn(|i| {
        let along = x[i] * force.x + y[i] * force.y + z[i] * force.z;
        if turns { (a[i] * torque.x + b[i] * torque.y + c[i] * torque.z) + along } else { along }
    })
}

/// Whether composite bodies are taken about their own centres of mass.
#[inline(always)]
fn central<T: Real>() -> bool {
    T::default_epsilon() > literal(1e-10)
}

/// Each body together with all that it carries, and the point that this is taken about.
///
/// In single precision it is their own centre of mass, about which inertias are sums of positive terms. About a common point a
/// fingertip's inertia is the small difference of two large numbers, and single precision keeps five digits of it. What is finer can
/// afford that, and takes all of a tree about its centre of mass, term by term as the engine does: where M is nearly singular, what
/// its last bits do to an acceleration is then the same.
#[inline(always)]
fn compose<T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    work: &mut DynamicsWorkspace<T, NB>,
) {
    if central::<T>() {
        compose_central::<T, NB, NQ, NV, U>(tree, kinematics, work);
    } else {
        compose_about_tree::<T, NB, NQ, NV, U>(tree, kinematics, work);
    }
}

#[inline(always)]
fn compose_central<T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    work: &mut DynamicsWorkspace<T, NB>,
) {
    let bodies = tree.bodies_stated::<U>();
    let places = kinematics.centers.iter().zip(&kinematics.tensors).zip(&mut work.references);
    for ((body, ((center, tensor), reference)), inertia) in bodies.iter().zip(places).zip(&mut work.inertias) {
        *inertia = RigidInertia::central(body.mass, tensor);
        *reference = *center;
    }
    for (index, body) in bodies.iter().enumerate().rev() {
        let Some(parent) = tree.parent_stated::<U>(index, body) else { continue };
        let Some((before, rest)) = work.inertias.split_at_mut_checked(index) else { continue };
        let Some((points, others)) = work.references.split_at_mut_checked(index) else { continue };
        if let (Some(sum), Some(part)) = (before.get_mut(parent), rest.first())
            && let (Some(point), Some(other)) = (points.get_mut(parent), others.first())
        {
            *point += sum.join(part, &(other - *point));
        }
    }
}

#[inline(always)]
fn compose_about_tree<T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    work: &mut DynamicsWorkspace<T, NB>,
) {
    let bodies = tree.bodies_stated::<U>();
    find_references::<T, NB, NQ, NV, U>(tree, kinematics, work);
    let places = kinematics.centers.iter().zip(&kinematics.tensors).zip(&work.references);
    for ((body, ((center, tensor), reference)), inertia) in bodies.iter().zip(places).zip(&mut work.inertias) {
        *inertia = RigidInertia::of_body(body.mass, tensor, &(center - reference));
    }
    add_up::<T, NB, NQ, NV, U>(tree, &mut work.inertias, RigidInertia::add);
}

/// Adds to each body, from the last to the first, all that it carries.
///
/// The sum of a body whose parent is the one before it, as along every limb, is handed on in registers: through memory each would wait for the
/// one before to be stored.
#[inline(always)]
fn add_up<T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    inertias: &mut [RigidInertia<T>; NB],
    add: impl Fn(&mut RigidInertia<T>, &RigidInertia<T>),
) {
    let mut carried = None;
    for (index, body) in tree.bodies_stated::<U>().iter().enumerate().rev() {
        let Some(slot) = inertias.get_mut(index) else { continue };
        let mut sum = *slot;
        if let Some(part) = carried.take() {
            add(&mut sum, &part);
            *slot = sum;
        }
        let Some(parent) = tree.parent_stated::<U>(index, body) else { continue };
        if parent + 1 == index {
            carried = Some(sum);
        } else if let Some(slot) = inertias.get_mut(parent) {
            add(slot, &sum);
        }
    }
}

/// The centre of mass of each body's tree, or the root's origin where the tree has no mass.
#[inline(always)]
fn find_references<T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    work: &mut DynamicsWorkspace<T, NB>,
) {
    let bodies = tree.bodies_stated::<U>();
    for ((body, center), sum) in bodies.iter().zip(&kinematics.centers).zip(&mut work.inertias) {
        sum.place_point(body.mass, center);
    }
    add_up::<T, NB, NQ, NV, U>(tree, &mut work.inertias, RigidInertia::add_point);
    let mut before = vector(T::zero());
    for (index, body) in bodies.iter().enumerate() {
        let point = match tree.parent_stated::<U>(index, body) {
            Some(parent) if parent + 1 == index => Some(before),
            Some(parent) => work.references.get(parent).copied(),
            None => {
                let origin = kinematics.frames.get(index).map(|frame| frame.position);
                work.inertias.get(index).and_then(|sum| sum.center()).or(origin)
            }
        };
        if let (Some(slot), Some(point)) = (work.references.get_mut(index), point) {
            (*slot, before) = (point, point);
        }
    }
}

/// Whether visiting chains only is cheaper than the dense factor, which skips zeros too but not their places.
///
/// In instructions of a Cortex-M4, fitted to eight trees of 18 to 64 dofs (`firmware/src/bin/mass.rs`) before the dense factor worked in
/// tiles, which now makes it cheaper than this says, and counted for one factor and two solves: with n dofs, an entry (i, k) for each dof i above dof k, and `depth` the length of a chain, the dense way takes
/// 24 n² + Σ 11 (i + 1) over the entries, the branched one 51 n + Σ (111 + 14 depth(i)).
fn prefers_chains<T: Real, const NB: usize, const NQ: usize, const NV: usize>(tree: &Tree<'_, T, NB, NQ, NV>) -> bool {
    let count = tree.dof_count as u32;
    let (mut dense, mut chains) = (24 * count * count, 51 * count);
    // Of the chain that ends at a dof, its length and the sum of its places, itself included.
    let mut chain = [(0u16, 0u16); NV];
    for (k, dof) in tree.dofs().iter().enumerate() {
        let (depth, places) = dof.parent.and_then(|above| chain.get(usize::from(above))).copied().unwrap_or((0, 0));
        if let Some(slot) = chain.get_mut(k) {
            *slot = (depth + 1, places + k as u16 + 1);
        }
        let (depth, places) = (u32::from(depth), u32::from(places));
        dense += 11 * places;
        chains += 111 * depth + 7 * depth * (depth + 1);
    }
    chains <= dense
}

/// Whether the armature of a tendon has entries between branches.
fn joins_branches<T: Real, const NB: usize, const NQ: usize, const NV: usize>(tree: &Tree<'_, T, NB, NQ, NV>) -> bool {
    tree.description.tendons.iter().any(|tendon| tendon.armature != T::zero() && leaves_chain(tree, tendon))
}

/// Mean of the diagonal of M over the dofs of the tree: `stat.meaninertia` at the reference pose.
pub(crate) fn mean_diagonal<T: Real, const NV: usize>(mass: &MassMatrix<T, NV>, dofs: usize) -> T {
    let sum = diagonal_sum(mass, dofs);
    if dofs == 0 { T::one() } else { sum / (0..dofs).fold(T::zero(), |count, _| count + T::one()) }
}

/// Sum of the diagonal of M over the dofs of the tree, inert ones not counted.
pub(crate) fn diagonal_sum<T: Real, const NV: usize>(mass: &MassMatrix<T, NV>, dofs: usize) -> T {
    let mut sum: T = literal(0.0);
    for (k, column) in mass.columns().iter().enumerate().take(dofs) {
        sum += column[k];
    }
    sum
}
