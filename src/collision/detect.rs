//! All contacts of a mechanism.

use nalgebra::Vector3;

use super::bound::surely_apart;
use super::box_box;
use super::candidates::{Candidate, each};
use super::contact::{Contact, ContactPoint, Contacts};
use super::frame::contact_frame;
use super::pair::ordered;
use super::parameters::{Parameters, margin_and_gap};
use crate::description::{Description, Geom, Shape, Uses};
use crate::scalar::Real;
use crate::spatial::{Quaternion, Transform};

/// What [`detect`] found beside contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detection {
    /// Contacts that found no room.
    pub dropped: usize,
    /// The first two boxes that are not surely apart: whether they touch cannot be said.
    pub unsupported: Option<[u16; 2]>,
}

/// Fills `contacts` with the contacts of a mechanism at a pose, in the order of X-67.
///
/// `frames` is the pose of each body in the world, `groups` the weld group of each (see [`super::filter`]). A contact is listed
/// when distance ≤ margin + gap and has rows when distance < margin (S11-03). Where there are more than `NC`, those of least
/// distance − margin stay, in their order; of equally deep ones the later goes. With [`super::contact_capacity`] for `NC` none
/// ever does. Empty where the flags `contact` or `constraint` are off. Geoms whose pose is NaN, or whose body has no frame,
/// touch nothing. Two boxes have no routine: where they are not surely apart they are named in [`Detection::unsupported`].
pub fn detect<T: Real, const NC: usize>(
    description: &Description<'_, T>,
    frames: &[Transform<T>],
    groups: &[Option<u16>],
    contacts: &mut Contacts<T, NC>,
) -> Detection {
    detect_stated::<T, NC, { Uses::EVERYTHING.bits() }>(description, frames, groups, contacts)
}

/// [`detect`] for a description that makes use of `U` ([`Uses`]); the code of other shapes is not linked, and they touch nothing.
pub fn detect_stated<T: Real, const NC: usize, const U: u32>(
    description: &Description<'_, T>,
    frames: &[Transform<T>],
    groups: &[Option<u16>],
    contacts: &mut Contacts<T, NC>,
) -> Detection {
    contacts.clear();
    let flags = &description.options.flags;
    let mut found = Detection { dropped: 0, unsupported: None };
    if !flags.contact || !flags.constraint {
        return found;
    }
    // Candidates come in runs with the same first geom.
    let mut last: Option<(u16, Transform<T>)> = None;
    each::<T, U>(description, groups, |candidate| {
        let [index, _] = candidate.geoms;
        if last.is_none_or(|(known, _)| known != index) {
            last = Place::of(candidate.first, frames).map(|place| (index, place.pose()));
        }
        if let (Some((_, first)), Some(second)) = (&last, Place::of(candidate.second, frames)) {
            touch::<T, NC, U>(&candidate, first, &second, contacts, &mut found);
        }
    });
    found
}

/// Where a geom is: its position, which the cheap test needs, and what its orientation is made of.
struct Place<'a, T> {
    position: Vector3<T>,
    body: Option<&'a Quaternion<T>>,
    own: Quaternion<T>,
}

impl<'a, T: Real> Place<'a, T> {
    /// `None` where the geom's body has no frame.
    fn of(geom: &Geom<T>, frames: &'a [Transform<T>]) -> Option<Self> {
        let [x, y, z] = geom.position;
        let (position, own) = (Vector3::new(x, y, z), Quaternion(geom.orientation));
        match geom.body {
            None => Some(Self { position, body: None, own }),
            Some(body) => {
                let frame = frames.get(usize::from(body))?;
                Some(Self { position: frame.apply(&position), body: Some(&frame.orientation), own })
            }
        }
    }

    /// Position and orientation in the world.
    fn pose(&self) -> Transform<T> {
        let orientation = self.body.map_or(self.own, |body| body.times(&self.own));
        Transform { position: self.position, orientation }
    }
}

/// Adds the contacts of one candidate.
fn touch<T: Real, const NC: usize, const U: u32>(
    candidate: &Candidate<'_, T>,
    first: &Transform<T>,
    second: &Place<'_, T>,
    contacts: &mut Contacts<T, NC>,
    found: &mut Detection,
) {
    let [margin, gap] = candidate
        .pair
        .map_or_else(|| margin_and_gap(candidate.first, candidate.second), |pair| [pair.margin, pair.gap]);
    let (reach, a, b) = (margin + gap, &candidate.first.shape, &candidate.second.shape);
    if surely_apart((a, first), (b, &second.position), reach) {
        return;
    }
    let pose = second.pose();
    if Uses::from_bits(U).has(Uses::BOX_BOX)
        && let (Shape::Box { half_sizes: s }, Shape::Box { half_sizes: t }) = (a, b)
    {
        if !box_box::apart(first, s, &pose, t, reach) {
            found.unsupported = found.unsupported.or(Some(candidate.geoms));
        }
        return;
    }
    let points = ordered::<T, U>((a, first), (b, &pose), reach);
    if points.count() == 0 {
        return;
    }
    let parameters =
        candidate.pair.map_or_else(|| Parameters::mixed(candidate.first, candidate.second), Parameters::own);
    let mut last: Option<(&ContactPoint<T>, [Vector3<T>; 3])> = None;
    for point in points.as_slice() {
        // The points of a box on a plane have one frame.
        let known = last.filter(|(other, _)| other.normal == point.normal && other.hint == point.hint);
        let frame = known.map_or_else(|| contact_frame(&point.normal, &point.hint), |(_, frame)| frame);
        last = Some((point, frame));
        let contact = contact(candidate.geoms, point, frame, &parameters);
        if contacts.len() < NC {
            let _ = contacts.push(contact);
        } else {
            make_room(contacts, contact);
            found.dropped += 1;
        }
    }
}

fn contact<T: Real>(
    geoms: [u16; 2],
    point: &ContactPoint<T>,
    frame: [Vector3<T>; 3],
    parameters: &Parameters<T>,
) -> Contact<T> {
    let Parameters { condim, friction, softness, friction_solref, margin, gap } = *parameters;
    Contact {
        geoms,
        distance: point.distance,
        position: point.position,
        frame,
        condim,
        friction,
        softness,
        friction_solref,
        margin,
        gap,
    }
}

/// Adds a contact to a full list: the shallowest makes room, or the contact itself goes.
fn make_room<T: Real, const NC: usize>(contacts: &mut Contacts<T, NC>, contact: Contact<T>) {
    let mut carried = contact;
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
}
