//! Why a description was refused.

use core::fmt;

/// Why a [`Description`](super::Description) was refused, with the index of the culprit in its slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ModelError {
    /// More bodies than the model's type has room for.
    TooManyBodies {
        /// How many there are.
        bodies: u16,
    },
    /// The joints have more degrees of freedom than the model's type has room for.
    TooManyDofs {
        /// How many there are, up to the joint that does not fit.
        dofs: u16,
    },
    /// The joints have more configuration numbers than the model's type has room for.
    TooManyCoordinates {
        /// How many there are, up to the joint that does not fit.
        coordinates: u16,
    },
    /// A body's parent does not come before it.
    ParentAfterChild {
        /// The child.
        body: u16,
    },
    /// A number of a body is NaN or infinite, or a quaternion is zero.
    BodyNotFinite {
        /// The body.
        body: u16,
    },
    /// A mass or a moment of inertia is negative.
    NegativeMass {
        /// The body.
        body: u16,
    },
    /// Principal moments that no distribution of mass has: one is larger than the sum of the others.
    ImpossibleInertia {
        /// The body.
        body: u16,
    },
    /// A body that moves has neither mass nor inertia worth the name, itself or welded below it.
    MassTooSmall {
        /// The body.
        body: u16,
    },
    /// A joint's body does not exist, or the joints are not sorted by body.
    JointOrder {
        /// The joint.
        joint: u16,
    },
    /// A free joint whose body is not under the world or has other joints.
    FreeJointPlace {
        /// The joint.
        joint: u16,
    },
    /// A hinge or ball joint behind a ball joint of the same body. The ball's velocity is measured in the body's own axes, which the
    /// later joint would turn on; the engine refuses it too.
    RotationAfterBall {
        /// The later joint.
        joint: u16,
    },
    /// A number of a joint is NaN or infinite.
    JointNotFinite {
        /// The joint.
        joint: u16,
    },
    /// The axis of a hinge or slide has no length.
    ZeroAxis {
        /// The joint.
        joint: u16,
    },
    /// Stiffness is anything; damping, armature and friction loss must not be negative.
    NegativeJointNumber {
        /// The joint.
        joint: u16,
    },
    /// A limit on a free joint, an actuator force range on a joint that is neither hinge nor slide, an empty range, or a ball joint's range that does not begin at 0.
    BadRange {
        /// The joint.
        joint: u16,
    },
    /// A site's body does not exist, or a number of it is not finite.
    BadSite {
        /// The site.
        site: u16,
    },
    /// An equality names a body, site or joint that does not exist, a joint that is neither hinge nor slide, or the same twice.
    EqualityPartner {
        /// The equality.
        equality: u16,
    },
    /// A number of an equality is NaN or infinite, or a quaternion or torque scale is impossible.
    EqualityNotFinite {
        /// The equality.
        equality: u16,
    },
    /// A geom's body does not exist, geoms are not sorted by body, or a size, friction or other number is impossible.
    BadGeom {
        /// The geom.
        geom: u16,
    },
    /// A pair names geoms that do not exist, are fixed to each other or are both planes, or a number of it is impossible.
    BadPair {
        /// The pair.
        pair: u16,
    },
    /// An exclude names a body that does not exist.
    BadExclude {
        /// The exclude.
        exclude: u16,
    },
    /// A tendon's path leaves its list, names what does not exist or a joint that is neither hinge nor slide, or is too short; or a
    /// number of it is impossible.
    BadTendon {
        /// The tendon.
        tendon: u16,
    },
    /// An actuator pulls on what does not exist, or a number of it is impossible.
    BadActuator {
        /// The actuator.
        actuator: u16,
    },
    /// There are more tendons than memory was given for their constants.
    TooManyTendons {
        /// How many there are.
        tendons: u16,
    },
    /// The description makes use of what the model's type says it does not, or leaves room in it without
    /// [`Uses::PADDED`](super::Uses::PADDED) ([`Uses`](super::Uses)).
    UsesMore,
    /// Gravity, step or impratio is not finite, or the last two are not positive.
    BadOptions,
    /// The mass matrix in the reference pose is not positive definite: this degree of freedom moves nothing that has mass.
    MasslessDof {
        /// The degree of freedom.
        dof: u16,
    },
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyBodies { bodies } => write!(f, "model: no room for {bodies} bodies"),
            Self::TooManyDofs { dofs } => write!(f, "model: no room for {dofs} degrees of freedom"),
            Self::TooManyCoordinates { coordinates } => {
                write!(f, "model: no room for {coordinates} configuration numbers")
            }
            Self::ParentAfterChild { body } => write!(f, "body {body}: its parent does not come before it"),
            Self::BodyNotFinite { body } => write!(f, "body {body}: a number is not finite or a quaternion is zero"),
            Self::NegativeMass { body } => write!(f, "body {body}: mass or inertia is negative"),
            Self::ImpossibleInertia { body } => {
                write!(f, "body {body}: a moment of inertia exceeds the sum of the others")
            }
            Self::MassTooSmall { body } => write!(f, "body {body}: it moves but has no mass or inertia"),
            Self::JointOrder { joint } => write!(f, "joint {joint}: no such body, or not sorted by body"),
            Self::FreeJointPlace { joint } => write!(f, "joint {joint}: free, but not alone under the world"),
            Self::RotationAfterBall { joint } => {
                write!(f, "joint {joint}: a rotation behind a ball joint of the same body")
            }
            Self::JointNotFinite { joint } => write!(f, "joint {joint}: a number is not finite"),
            Self::ZeroAxis { joint } => write!(f, "joint {joint}: its axis has no length"),
            Self::NegativeJointNumber { joint } => {
                write!(f, "joint {joint}: damping, armature or friction loss is negative")
            }
            Self::BadRange { joint } => write!(f, "joint {joint}: impossible range"),
            Self::BadSite { site } => write!(f, "site {site}: no such body, or a number is not finite"),
            Self::EqualityPartner { equality } => write!(f, "equality {equality}: impossible partners"),
            Self::EqualityNotFinite { equality } => write!(f, "equality {equality}: an impossible number"),
            Self::BadGeom { geom } => {
                write!(f, "geom {geom}: no such body, not sorted by body, or an impossible number")
            }
            Self::BadPair { pair } => write!(f, "pair {pair}: impossible geoms or numbers"),
            Self::BadExclude { exclude } => write!(f, "exclude {exclude}: no such body"),
            Self::BadTendon { tendon } => write!(f, "tendon {tendon}: an impossible path or number"),
            Self::BadActuator { actuator } => {
                write!(f, "actuator {actuator}: pulls on nothing, or an impossible number")
            }
            Self::TooManyTendons { tendons } => write!(f, "model: no room for the constants of {tendons} tendons"),
            Self::UsesMore => write!(f, "model: the description uses more than its type states, or leaves room in it"),
            Self::BadOptions => write!(f, "options: gravity, step or impratio is impossible"),
            Self::MasslessDof { dof } => write!(f, "degree of freedom {dof}: moves nothing that has mass"),
        }
    }
}

impl core::error::Error for ModelError {}
