//! Length and Jacobian along a path: Σ coefficient · coordinate, or straight segments between sites.

use nalgebra::{SVector, Vector3};

use crate::description::{Tendon, TendonJoint, TendonPath};
use crate::kinematics::{Kinematics, Tree};
use crate::scalar::{Real, SMALLEST, literal, square_root};
use crate::spatial::{inner, vector};

/// Where a site is.
struct Point<T> {
    body: Option<u16>,
    position: Vector3<T>,
}

/// A stretch of a list; empty where the list does not have it.
fn stretch<X>(list: &[X], first: u16, count: u16) -> &[X] {
    list.get(usize::from(first)..).and_then(|rest| rest.get(..usize::from(count))).unwrap_or(&[])
}

/// The parts of a fixed tendon, their first dof and coordinate with them.
fn parts<'a, T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    tree: &'a Tree<'_, T, NB, NQ, NV>,
    first: u16,
    count: u16,
) -> impl Iterator<Item = (&'a TendonJoint<T>, usize, usize)> {
    stretch(tree.description.tendon_joints, first, count).iter().map(|part| {
        let (dof, coordinate) = tree.joint_place(part.joint);
        (part, dof, coordinate)
    })
}

/// Calls `each` with the two ends of every segment of a spatial tendon.
fn segments<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    (first, count): (u16, u16),
    mut each: impl FnMut(&Point<T>, &Point<T>),
) {
    let mut points = stretch(tree.description.tendon_sites, first, count).iter().filter_map(|site| {
        let site = tree.description.sites.get(usize::from(*site))?;
        let position = kinematics.frame(site.body).apply(&Vector3::from(site.position));
        Some(Point { body: site.body, position })
    });
    let Some(mut from) = points.next() else { return };
    for to in points {
        each(&from, &to);
        from = to;
    }
}

/// Length and unit direction from one end to the other; x where the ends coincide, as the engine has it.
fn segment<T: Real>(from: &Point<T>, to: &Point<T>) -> (T, Vector3<T>) {
    let along = to.position - from.position;
    let length = square_root(inner(&along, &along));
    if length < literal(SMALLEST) {
        return (length, Vector3::new(T::one(), T::zero(), T::zero()));
    }
    (length, along / length)
}

/// L \[m\] at a placed configuration.
#[inline(never)] // asked for from many places
pub fn length<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    configuration: &[T; NQ],
    tendon: &Tendon<T>,
) -> T {
    let mut sum = T::zero();
    match tendon.path {
        TendonPath::Joints { first, count } => {
            for (part, _, coordinate) in parts(tree, first, count) {
                sum += part.coefficient * configuration.get(coordinate).copied().unwrap_or_else(T::zero);
            }
        }
        TendonPath::Sites { first, count } => {
            segments(tree, kinematics, (first, count), |from, to| sum += segment(from, to).0);
        }
    }
    sum
}

/// J at a placed configuration: Σ coefficient on the joints' dofs, or Σ unit direction · (J_to − J_from) over the segments.
#[inline(never)] // asked for from many places
pub fn jacobian<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    tendon: &Tendon<T>,
    row: &mut SVector<T, NV>,
) {
    *row = SVector::from_element(T::zero());
    match tendon.path {
        TendonPath::Joints { first, count } => {
            for (part, dof, _) in parts(tree, first, count) {
                if let Some(entry) = row.get_mut(dof) {
                    *entry += part.coefficient;
                }
            }
        }
        TendonPath::Sites { first, count } => segments(tree, kinematics, (first, count), |from, to| {
            // Within a body nothing changes, and rounding would leave crumbs.
            if from.body == to.body {
                return;
            }
            let (_, along) = segment(from, to);
            let zero = vector(T::zero());
            kinematics.add_wrench(tree, to.body, &to.position, &along, &zero, row);
            kinematics.add_wrench(tree, from.body, &from.position, &-along, &zero, row);
        }),
    }
}

/// J̇ v \[m/s²\]: what L″ is at zero generalized acceleration, from velocities and bias accelerations of the bodies; zero for a fixed
/// tendon.
///
/// With d the vector of a segment, u its direction and d' the difference of the ends' velocities: u·d″ + (d'·d' − (u·d')²)/|d|.
#[inline(never)] // asked for from many places
pub fn bias_acceleration<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    tendon: &Tendon<T>,
) -> T {
    let TendonPath::Sites { first, count } = tendon.path else { return T::zero() };
    let mut sum = T::zero();
    segments(tree, kinematics, (first, count), |from, to| {
        if from.body == to.body {
            return;
        }
        let (length, along) = segment(from, to);
        let acceleration = |end: &Point<T>| kinematics.point_bias_acceleration(end.body, &end.position);
        let velocity = |end: &Point<T>| kinematics.point_velocity(end.body, &end.position);
        let (change, rate) = (acceleration(to) - acceleration(from), velocity(to) - velocity(from));
        let stretching = inner(&along, &rate);
        sum += inner(&along, &change);
        if !(length < literal(SMALLEST)) {
            let across = rate - along * stretching;
            sum += inner(&across, &across) / length;
        }
    });
    sum
}

/// Whether J joins dofs of which none moves the other: J Jᵀ then has entries off the chains of the tree.
#[inline(never)] // asked for from many places
pub fn leaves_chain<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    tendon: &Tendon<T>,
) -> bool {
    // The last dof that part `index` of the path hangs on, or none; none of all beyond the end.
    let hangs_on = |index: usize| match tendon.path {
        TendonPath::Joints { first, count } => {
            let part = stretch(tree.description.tendon_joints, first, count).get(index)?;
            Some(Some(tree.joint_place(part.joint).0 as u16))
        }
        TendonPath::Sites { first, count } => {
            let site = stretch(tree.description.tendon_sites, first, count).get(index)?;
            let body = tree.description.sites.get(usize::from(*site))?.body;
            Some(tree.chain(body).next().map(|(dof, _)| dof as u16))
        }
    };
    let mut deepest = None;
    for index in 0.. {
        let Some(dof) = hangs_on(index) else { break };
        // None is less than any dof.
        if dof > deepest {
            deepest = dof;
        }
    }
    for index in 0.. {
        let Some(dof) = hangs_on(index) else { break };
        if dof.is_some_and(|dof| !tree.chain_from(deepest).any(|(above, _)| above == usize::from(dof))) {
            return true;
        }
    }
    false
}
