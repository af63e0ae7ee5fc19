//! Tendons: lengths that depend on joints or on places of bodies, and what acts along them.

use super::SoftnessNumbers;

/// Where a tendon runs: a stretch of one of the description's lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum TendonPath {
    /// A *fixed* tendon: its length is Σ coefficient · coordinate over `count` entries of
    /// [`Description::tendon_joints`](super::Description::tendon_joints), from `first` on.
    Joints {
        /// Index of the first entry.
        first: u16,
        /// How many, at least one.
        count: u16,
    },
    /// A *spatial* tendon: its length is that of the straight segments between the sites that `count` entries of
    /// [`Description::tendon_sites`](super::Description::tendon_sites) name, from `first` on.
    Sites {
        /// Index of the first entry.
        first: u16,
        /// How many, at least two.
        count: u16,
    },
}

/// A joint's part in the length of a fixed tendon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TendonJoint<T> {
    /// A slide or hinge.
    pub joint: u16,
    /// Length per unit of its coordinate \[m/m or m/rad\].
    pub coefficient: T,
}

/// A tendon: a length L of the configuration, with spring, damper, friction, limits and inertia along it. A positive force along it
/// makes it longer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tendon<T> {
    /// Where it runs.
    pub path: TendonPath,
    /// Spring k + k₁ x + k₂ x² \[N/m at first\], x being how far L is outside the band of `spring_length`.
    pub stiffness: [T; 3],
    /// Damper b + b₁ |L'| + b₂ L'².
    pub damping: [T; 3],
    /// The band of lengths in which the spring is slack \[m\]; `None`: only the length that it has when all springs of
    /// slides and hinges are relaxed, ball and free joints in the reference pose.
    pub spring_length: Option<[T; 2]>,
    /// Inertia a along it: adds a Jᵀ J to M \[kg\].
    pub armature: T,
    /// Dry friction \[N\]; 0 for none.
    pub friction_loss: T,
    /// Softness of the dry friction.
    pub friction_softness: SoftnessNumbers<T>,
    /// Limits of the length \[m\]. `None` for no limit.
    pub range: Option<[T; 2]>,
    /// Distance before the limit at which its row begins to act \[m\].
    pub margin: T,
    /// Softness of the limit.
    pub limit_softness: SoftnessNumbers<T>,
    /// Range of what all actuators together do along it \[N\]: beyond it each of them is scaled down.
    pub actuator_force_range: Option<[T; 2]>,
}
