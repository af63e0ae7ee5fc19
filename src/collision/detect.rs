//! All contacts of a mechanism.

use nalgebra::Vector3;

use super::bound::{Bound, surely_apart};
use super::candidates::{Candidate, each};
use super::contact::{Contact, ContactPoint};
use super::frame::contact_frame;
use super::pair::ordered;
use super::parameters::{Parameters, margin_and_gap};
use crate::description::{Description, Geom};
use crate::scalar::Real;
use crate::spatial::{Quaternion, Transform};

/// Fills `contacts` with the contacts of a mechanism at a pose, in the order of X-67, and returns how many were dropped.
///
/// `frames` is the pose of each body in the world, `groups` the weld group of each (see [`super::filter`]). A contact is listed
/// when distance ≤ margin + gap and has rows when distance < margin (S11-03). Where there are more than `NC`, those of least
/// distance − margin stay, in their order; of equally deep ones the later goes. With [`super::contact_capacity`] for `NC` none
/// ever does. Empty where the flags `contact` or `constraint` are off. Geoms whose pose is NaN, or whose body has no frame,
/// touch nothing. Shapes without a routine ([`super::first_unsupported`]) neither.
pub fn detect<T: Real, const NC: usize>(
    description: &Description<'_, T>,
    frames: &[Transform<T>],
    groups: &[Option<u16>],
    contacts: &mut heapless::Vec<Contact<T>, NC>,
) -> usize {
    contacts.clear();
    let flags = &description.options.flags;
    let mut dropped = 0;
    if !flags.contact || !flags.constraint {
        return dropped;
    }
    // Candidates come in runs with the same first geom.
    let mut last: Option<(u16, Transform<T>)> = None;
    each(description, groups, |candidate| {
        let [first, _] = candidate.geoms;
        let known = last.filter(|(index, _)| *index == first).map(|(_, pose)| pose);
        let Some(pose) = known.or_else(|| pose_of(candidate.first, frames)) else {
            return;
        };
        last = Some((first, pose));
        if let Some(other) = pose_of(candidate.second, frames) {
            dropped += touch(&candidate, &pose, &other, contacts);
        }
    });
    dropped
}

/// The pose of a geom in the world.
fn pose_of<T: Real>(geom: &Geom<T>, frames: &[Transform<T>]) -> Option<Transform<T>> {
    let [x, y, z] = geom.position;
    let own = Transform { position: Vector3::new(x, y, z), orientation: Quaternion(geom.orientation) };
    match geom.body {
        None => Some(own),
        Some(body) => frames.get(usize::from(body)).map(|frame| frame.times(&own)),
    }
}

/// Adds the contacts of one candidate; returns how many were dropped.
fn touch<T: Real, const NC: usize>(
    candidate: &Candidate<'_, T>,
    first: &Transform<T>,
    second: &Transform<T>,
    contacts: &mut heapless::Vec<Contact<T>, NC>,
) -> usize {
    let [margin, gap] = candidate
        .pair
        .map_or_else(|| margin_and_gap(candidate.first, candidate.second), |pair| [pair.margin, pair.gap]);
    let (reach, a, b) = (margin + gap, &candidate.first.shape, &candidate.second.shape);
    if surely_apart(&Bound { shape: a, pose: first }, &Bound { shape: b, pose: second }, reach) {
        return 0;
    }
    let points = ordered((a, first), (b, second), reach);
    if points.count() == 0 {
        return 0;
    }
    let parameters =
        candidate.pair.map_or_else(|| Parameters::mixed(candidate.first, candidate.second), Parameters::own);
    let mut dropped = 0;
    for point in points.as_slice() {
        dropped += usize::from(!keep(contacts, contact(candidate.geoms, point, &parameters)));
    }
    dropped
}

fn contact<T: Real>(geoms: [u16; 2], point: &ContactPoint<T>, parameters: &Parameters<T>) -> Contact<T> {
    let Parameters { condim, friction, softness, friction_solref, margin, gap } = *parameters;
    Contact {
        geoms,
        distance: point.distance,
        position: point.position,
        frame: contact_frame(&point.normal, &point.hint),
        condim,
        friction,
        softness,
        friction_solref,
        margin,
        gap,
    }
}

/// Appends a contact; in a full list the shallowest makes room, or the contact itself goes. False if one was dropped.
fn keep<T: Real, const NC: usize>(contacts: &mut heapless::Vec<Contact<T>, NC>, contact: Contact<T>) -> bool {
    let Err(mut carried) = contacts.push(contact) else {
        return true;
    };
    let height = |c: &Contact<T>| c.distance - c.margin;
    let mut shallowest = (height(&carried), None);
    for (index, kept) in contacts.iter().enumerate() {
        // The later of equally deep ones goes, and the new one is the latest.
        if height(kept) > shallowest.0 || (shallowest.1.is_some() && height(kept) >= shallowest.0) {
            shallowest = (height(kept), Some(index));
        }
    }
    if let Some(index) = shallowest.1 {
        // From the back to the shallowest: each takes its successor's place in the order.
        for kept in contacts.iter_mut().skip(index).rev() {
            core::mem::swap(kept, &mut carried);
        }
    }
    false
}
