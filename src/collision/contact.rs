//! What collision finds.

use nalgebra::Vector3;

use crate::description::SoftnessNumbers;
use crate::scalar::Real;

/// Most contacts of one pair of geoms: a box on a plane.
pub const MOST_CONTACTS: usize = 4;

/// A contact of two geoms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact<T> {
    /// The two geoms, by X-60: the one of lower type first (plane, sphere, capsule, box), else the one of the lower body.
    pub geoms: [u16; 2],
    /// Signed distance of the surfaces along the normal, negative where they overlap \[m\] (S11-01).
    pub distance: T,
    /// The point halfway between the two surfaces, in the world \[m\].
    pub position: Vector3<T>,
    /// The axes n, t1, t2 in the world; n points from the first geom to the second.
    pub frame: [Vector3<T>; 3],
    /// Dimension: 1 normal only, 3 + two sliding, 4 + spin, 6 + two rolling (S11-20).
    pub condim: u8,
    /// Friction coefficients: sliding, sliding (no unit), spin, rolling, rolling \[m\]; each at least 1e-5.
    pub friction: [T; 5],
    /// Softness, mixed from the two geoms or the pair's own.
    pub softness: SoftnessNumbers<T>,
    /// solreffriction; (0, 0) for the solref of the contact (S12-39).
    pub friction_solref: [T; 2],
    /// Distance below which the contact has rows, MuJoCo's includemargin \[m\]; the recovery error is distance − margin (S11-02).
    pub margin: T,
    /// Distance beyond the margin in which the contact is listed without rows \[m\].
    pub gap: T,
}

impl<T: Real> Contact<T> {
    /// Whether it has rows: distance < margin, strictly (S11-03). Otherwise it is listed with its geometry only, MuJoCo's `exclude`.
    pub fn active(&self) -> bool {
        self.distance < self.margin
    }
}

/// The contacts of a mechanism at one pose. All zero when new, so in a `static` it costs no flash.
pub type Contacts<T, const NC: usize> = heapless::Vec<Contact<T>, NC>;

/// One point at which two shapes meet or nearly meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint<T> {
    /// Signed distance of the surfaces along the normal, negative where they overlap \[m\].
    pub distance: T,
    /// The point halfway between the two surfaces, in the world \[m\].
    pub position: Vector3<T>,
    /// Unit vector from the first shape to the second, in the world.
    pub normal: Vector3<T>,
    /// Where the first tangent should point; zero for no wish.
    pub hint: Vector3<T>,
}

/// The contact points of one pair of shapes, in the order of its routine; at most [`MOST_CONTACTS`].
#[derive(Clone, Debug)]
pub struct ContactPoints<T> {
    points: heapless::Vec<ContactPoint<T>, MOST_CONTACTS>,
}

impl<T: Real> ContactPoints<T> {
    /// No points.
    pub(super) fn none() -> Self {
        Self { points: heapless::Vec::new() }
    }

    /// Adds what a routine found. No routine finds more than there is room for.
    pub(super) fn add(&mut self, point: Option<ContactPoint<T>>) {
        if let Some(point) = point {
            let _ = self.points.push(point);
        }
    }

    /// How many of the four are taken.
    pub(super) fn count(&self) -> usize {
        self.points.len()
    }

    /// The points.
    pub fn as_slice(&self) -> &[ContactPoint<T>] {
        &self.points
    }

    /// The points, seen from the other shape.
    pub(super) fn reverse(&mut self) {
        for point in &mut self.points {
            point.normal = -point.normal;
        }
    }
}
