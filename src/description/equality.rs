//! Equality constraints.

use super::SoftnessNumbers;

/// An equality constraint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Equality<T> {
    /// What is kept equal.
    pub kind: EqualityKind<T>,
    /// Whether it acts unless the tick's input says otherwise.
    pub active: bool,
    /// Its softness.
    pub softness: SoftnessNumbers<T>,
}

/// What an equality keeps equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EqualityKind<T> {
    /// A point of the first body stays on a point of the second (S11-43): the two that coincide in the reference pose.
    Connect {
        /// First and second body.
        bodies: [Option<u16>; 2],
        /// The point in the first body's frame \[m\].
        anchor: [T; 3],
    },
    /// Two sites' origins stay together.
    ConnectSites {
        /// First and second site.
        sites: [u16; 2],
    },
    /// The second body stays where it is relative to the first (S11-44).
    Weld {
        /// First and second body.
        bodies: [Option<u16>; 2],
        /// The point of the *second* body that is held, in its frame \[m\].
        anchor: [T; 3],
        /// Position of the anchor in the first body's frame, and orientation of the second body in it; `None`: as in the reference pose.
        relative_pose: Option<([T; 3], [T; 4])>,
        /// Length that makes a rotation comparable with a displacement \[m\] (S11-44).
        torque_scale: T,
    },
    /// Two sites' frames stay together.
    WeldSites {
        /// First and second site.
        sites: [u16; 2],
        /// Length that makes a rotation comparable with a displacement \[m\].
        torque_scale: T,
    },
    /// One joint follows a polynomial of another, or stays where it is. Slide or hinge.
    Coupling {
        /// The joint that follows.
        joint: u16,
        /// The joint that leads; `None`: only the constant counts.
        leader: Option<u16>,
        /// c₀ + c₁ x + c₂ x² + c₃ x³ + c₄ x⁴, x being the leader's coordinate from its reference.
        polynomial: [T; 5],
    },
    /// The length of one tendon follows a polynomial of another's, or stays what it is.
    TendonCoupling {
        /// The tendon that follows.
        tendon: u16,
        /// The tendon that leads; `None`: only the constant counts.
        leader: Option<u16>,
        /// c₀ + c₁ x + c₂ x² + c₃ x³ + c₄ x⁴, x being how much longer the leader is than in the reference pose \[m\].
        polynomial: [T; 5],
    },
}
