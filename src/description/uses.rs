//! [`Uses`]: what a description makes use of, known when the program is compiled, so that the code of the rest is not linked.
//!
//! Which constraints, shapes and joints a mechanism has is data, so a [`Model`](crate::model::Model) links the code of all. A model
//! whose type carries [`Uses::of`] its description links what that needs, and is faster: loops over bodies and dofs end at the sizes
//! of the type, a chain is walked without looking up parents, joints are not asked for their kind where there is one. The numbers
//! are the same.
//!
//! ```
//! use delassus::description::{Body, Description, Geom, Joint, JointKind, Shape, Uses};
//! use delassus::model::{Model, Smooth};
//!
//! static BODIES: [Body<f32>; 1] = [Body::<f32>::new(2.0, [0.032; 3])];
//! static JOINTS: [Joint<f32>; 1] = [Joint::<f32>::new(JointKind::Free, 0)];
//! static GEOMS: [Geom<f32>; 2] =
//!     [Geom::<f32>::new(None, Shape::Plane), Geom::<f32>::new(Some(0), Shape::Sphere { radius: 0.2 })];
//! static BALL: Description<f32> =
//!     Description { bodies: &BODIES, joints: &JOINTS, geoms: &GEOMS, ..Description::<f32>::empty(0.002) };
//! const USES: u32 = Uses::of(&BALL).bits();
//!
//! let mut smooth = Smooth::filled(0.0);
//! let model = Model::<f32, 1, 7, 6, USES>::stated(&BALL, &mut smooth, &mut [])?;
//! assert!(Uses::of(&BALL).has(Uses::PLANE_SPHERE) && !Uses::of(&BALL).has(Uses::TENDON));
//! # Ok::<(), delassus::description::ModelError>(())
//! ```

use super::{Description, EqualityKind, FrictionCone, Geom, JointKind, Shape};

/// A set of the parts of a description that have code of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Uses(u32);

impl Uses {
    /// Nothing that could be left out.
    pub const NOTHING: Self = Self(0);
    /// All there is: what a model links unless told otherwise.
    pub const EVERYTHING: Self = Self(u32::MAX);
    /// Connects, of bodies or sites.
    pub const CONNECT: Self = Self(1);
    /// Welds, of bodies or sites.
    pub const WELD: Self = Self(1 << 1);
    /// Couplings of joints.
    pub const COUPLING: Self = Self(1 << 2);
    /// Tendons, and what is coupled to or pulls on them.
    pub const TENDON: Self = Self(1 << 3);
    /// Actuators.
    pub const ACTUATOR: Self = Self(1 << 4);
    /// Ranges of joints or tendons.
    pub const LIMIT: Self = Self(1 << 5);
    /// Ball joints.
    pub const BALL: Self = Self(1 << 6);
    /// Contacts with friction in a pyramidal cone.
    pub const PYRAMIDAL: Self = Self(1 << 7);
    /// Contacts with friction in an elliptic cone.
    pub const ELLIPTIC: Self = Self(1 << 8);
    /// Contacts without friction.
    pub const FRICTIONLESS: Self = Self(1 << 9);
    /// Contacts of a plane and a sphere.
    pub const PLANE_SPHERE: Self = Self(1 << 10);
    /// Contacts of a plane and a capsule.
    pub const PLANE_CAPSULE: Self = Self(1 << 11);
    /// Contacts of a plane and a box.
    pub const PLANE_BOX: Self = Self(1 << 12);
    /// Contacts of two spheres.
    pub const SPHERE_SPHERE: Self = Self(1 << 13);
    /// Contacts of a sphere and a capsule.
    pub const SPHERE_CAPSULE: Self = Self(1 << 14);
    /// Contacts of a sphere and a box.
    pub const SPHERE_BOX: Self = Self(1 << 15);
    /// Contacts of two capsules.
    pub const CAPSULE_CAPSULE: Self = Self(1 << 16);
    /// Contacts of a capsule and a box.
    pub const CAPSULE_BOX: Self = Self(1 << 17);
    /// Two boxes that may meet.
    pub const BOX_BOX: Self = Self(1 << 18);
    /// Pairs of geoms with parameters of their own.
    pub const PAIR: Self = Self(1 << 19);
    /// Hinges.
    pub const HINGE: Self = Self(1 << 20);
    /// Slides.
    pub const SLIDE: Self = Self(1 << 21);
    /// Free joints.
    pub const FREE: Self = Self(1 << 22);
    /// A model with room to spare: fewer bodies, configuration numbers or dofs than its type has. No description says that by itself, so
    /// it is no part of [`Self::of`]. Without it lists end where their type does, known when the program is compiled.
    pub const PADDED: Self = Self(1 << 23);
    /// More than one chain: a body after the first that does not hang from the one before it.
    pub const BRANCHED: Self = Self(1 << 24);

    /// What a description makes use of. Lists count, numbers do not: a limit that is switched off by a flag is used.
    pub const fn of<T>(description: &Description<'_, T>) -> Self {
        let mut uses = Self::NOTHING;
        let mut k = 0;
        while k < description.equalities.len() {
            uses = uses.and(match description.equalities[k].kind {
                EqualityKind::Connect { .. } | EqualityKind::ConnectSites { .. } => Self::CONNECT,
                EqualityKind::Weld { .. } | EqualityKind::WeldSites { .. } => Self::WELD,
                EqualityKind::Coupling { .. } => Self::COUPLING,
                EqualityKind::TendonCoupling { .. } => Self::TENDON,
            });
            k += 1;
        }
        if !description.tendons.is_empty() {
            uses = uses.and(Self::TENDON).and(Self::LIMIT);
        }
        if !description.actuators.is_empty() {
            uses = uses.and(Self::ACTUATOR);
        }
        k = 1;
        while k < description.bodies.len() {
            let chained = matches!(description.bodies[k].parent, Some(parent) if parent as usize + 1 == k);
            uses = uses.and(if chained { Self::NOTHING } else { Self::BRANCHED });
            k += 1;
        }
        k = 0;
        while k < description.joints.len() {
            if description.joints[k].range.is_some() {
                uses = uses.and(Self::LIMIT);
            }
            uses = uses.and(match description.joints[k].kind {
                JointKind::Hinge => Self::HINGE,
                JointKind::Slide => Self::SLIDE,
                JointKind::Ball => Self::BALL,
                JointKind::Free => Self::FREE,
            });
            k += 1;
        }
        uses.and(contacts(description))
    }

    /// The parameter of [`Model`](crate::model::Model).
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// From that parameter.
    #[inline(always)]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// Both.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all of `other` is used.
    #[inline(always)]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether any joint turns.
    #[inline(always)]
    pub(crate) const fn turns(self) -> bool {
        self.has_any(Self::HINGE.and(Self::BALL).and(Self::FREE))
    }

    /// Whether any of `other` is used.
    #[inline(always)]
    pub const fn has_any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// Pairs of shapes that may meet, and the friction between them. Bodies that never meet because of their places in the tree count.
const fn contacts<T>(description: &Description<'_, T>) -> Uses {
    let (geoms, mut uses) = (description.geoms, Uses::NOTHING);
    let friction = match description.options.cone {
        FrictionCone::Pyramidal => Uses::PYRAMIDAL,
        FrictionCone::Elliptic => Uses::ELLIPTIC,
    };
    let mut first = 0;
    while first < geoms.len() {
        let mut second = first + 1;
        while second < geoms.len() {
            let (a, b) = (&geoms[first], &geoms[second]);
            if (a.contype & b.conaffinity | b.contype & a.conaffinity) != 0 {
                uses = uses.and(shapes(a, b));
                // Of equal priority the larger counts, else that of higher priority.
                uses = uses.and(if a.condim == 1 || b.condim == 1 { Uses::FRICTIONLESS } else { Uses::NOTHING });
                uses = uses.and(if a.condim > 1 || b.condim > 1 { friction } else { Uses::NOTHING });
            }
            second += 1;
        }
        first += 1;
    }
    let mut k = 0;
    while k < description.pairs.len() {
        let pair = &description.pairs[k];
        let [a, b] = [pair.geoms[0] as usize, pair.geoms[1] as usize];
        if a < geoms.len() && b < geoms.len() {
            uses = uses.and(shapes(&geoms[a], &geoms[b]));
        }
        uses = uses.and(Uses::PAIR).and(if pair.condim == 1 { Uses::FRICTIONLESS } else { friction });
        k += 1;
    }
    uses
}

const fn shapes<T>(first: &Geom<T>, second: &Geom<T>) -> Uses {
    use Shape::{Box, Capsule, Plane, Sphere};
    match (&first.shape, &second.shape) {
        (Plane, Plane) => Uses::NOTHING,
        (Plane, Sphere { .. }) | (Sphere { .. }, Plane) => Uses::PLANE_SPHERE,
        (Plane, Capsule { .. }) | (Capsule { .. }, Plane) => Uses::PLANE_CAPSULE,
        (Plane, Box { .. }) | (Box { .. }, Plane) => Uses::PLANE_BOX,
        (Sphere { .. }, Sphere { .. }) => Uses::SPHERE_SPHERE,
        (Sphere { .. }, Capsule { .. }) | (Capsule { .. }, Sphere { .. }) => Uses::SPHERE_CAPSULE,
        (Sphere { .. }, Box { .. }) | (Box { .. }, Sphere { .. }) => Uses::SPHERE_BOX,
        (Capsule { .. }, Capsule { .. }) => Uses::CAPSULE_CAPSULE,
        (Capsule { .. }, Box { .. }) | (Box { .. }, Capsule { .. }) => Uses::CAPSULE_BOX,
        (Box { .. }, Box { .. }) => Uses::BOX_BOX,
    }
}
