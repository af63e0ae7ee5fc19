//! Why a configuration or velocity was refused.

use core::fmt;

/// Why a configuration or velocity was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum StateError {
    /// A configuration number is NaN, infinite or beyond 1e10.
    Configuration {
        /// Its index.
        coordinate: u16,
    },
    /// A velocity is NaN, infinite or beyond 1e10.
    Velocity {
        /// Index of the degree of freedom.
        dof: u16,
    },
    /// The quaternion of a free or ball joint is zero: no direction can be read from it.
    ZeroQuaternion {
        /// The joint.
        joint: u16,
    },
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Configuration { coordinate } => write!(f, "state: configuration number {coordinate} is not usable"),
            Self::Velocity { dof } => write!(f, "state: velocity {dof} is not usable"),
            Self::ZeroQuaternion { joint } => write!(f, "state: the quaternion of joint {joint} is zero"),
        }
    }
}

impl core::error::Error for StateError {}
