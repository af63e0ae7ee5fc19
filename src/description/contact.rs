//! What can touch what.

use super::SoftnessNumbers;

/// A shape, about the origin of its own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape<T> {
    /// The half space below the xy plane, z being its outward normal; infinite.
    Plane,
    /// A ball.
    Sphere {
        /// \[m\]
        radius: T,
    },
    /// A cylinder along z between two half balls.
    Capsule {
        /// \[m\]
        radius: T,
        /// Half length of the cylinder \[m\].
        half_length: T,
    },
    /// A box with its faces along the axes.
    Box {
        /// Half of each edge \[m\].
        half_sizes: [T; 3],
    },
}

impl<T> Shape<T> {
    /// Order of the types: geom 1 of a contact is the one of lower type.
    pub const fn order(&self) -> u8 {
        match self {
            Self::Plane => 0,
            Self::Sphere { .. } => 1,
            Self::Capsule { .. } => 2,
            Self::Box { .. } => 3,
        }
    }
}

/// A shape on a body, and how contacts with it behave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geom<T> {
    /// The body that carries it; `None` is the world.
    pub body: Option<u16>,
    /// Its shape.
    pub shape: Shape<T>,
    /// Origin in the body's frame \[m\].
    pub position: [T; 3],
    /// Orientation in the body's frame (w, x, y, z), of unit norm.
    pub orientation: [T; 4],
    /// Bits that the other's affinity must meet.
    pub contype: u32,
    /// Bits that the other's type must meet.
    pub conaffinity: u32,
    /// Dimension of its contacts: 1, 3, 4 or 6 (S11-20).
    pub condim: u8,
    /// The geom of higher priority decides how the contact behaves.
    pub priority: i32,
    /// Friction: sliding (no unit), spin \[m\], rolling \[m\].
    pub friction: [T; 3],
    /// Weight of this geom's softness in a mix.
    pub solmix: T,
    /// Distance at which contact rows begin to act \[m\] (S11-02).
    pub margin: T,
    /// Distance beyond the margin in which contacts are listed without rows \[m\] (S11-03).
    pub gap: T,
    /// Softness of its contacts.
    pub softness: SoftnessNumbers<T>,
}

/// Two geoms that collide by parameters of their own, whatever the filters say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair<T> {
    /// Indices of the geoms.
    pub geoms: [u16; 2],
    /// Dimension of the contacts: 1, 3, 4 or 6.
    pub condim: u8,
    /// Friction coefficients: sliding, sliding, spin, rolling, rolling.
    pub friction: [T; 5],
    /// Distance at which contact rows begin to act \[m\].
    pub margin: T,
    /// Distance beyond the margin in which contacts are listed without rows \[m\].
    pub gap: T,
    /// Softness of the contacts.
    pub softness: SoftnessNumbers<T>,
    /// solreffriction; (0, 0) for the solref of the contact (S12-39).
    pub friction_solref: [T; 2],
}
