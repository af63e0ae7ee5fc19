//! Kinematics: configuration and velocity → frames, joint axes, Jacobians, velocities and the part of accelerations that does not
//! come from the generalized acceleration (J̇v).
//!
//! Parents first, joint by joint (X-50), then dof columns at a point p (X-51):
//!
//! ```text
//!          moves the frame (p, Q) to             its column: linear; angular
//! slide    p + u (q − ref)                       u;             0
//! hinge    Q · rot(u, q − ref), about c          u × (p − c);   u
//! ball     Q · q, about c                        e_k × (p − c); e_k of the final frame
//! free     position q₀ … q₂, turning q₃ … q₆     world axes;    then body axes
//!
//! J v          velocity of p [m/s], of the frame [rad/s]          (S11-08)
//! J a + J̇ v    their accelerations; J̇ v is what is left at a = 0  (S11-10)
//! ```
//!
//! q has NQ, v and a NV numbers, J is 3 × NV for a point and 3 × NV for a turning. All quantities are in world axes, and each body's are taken at
//! its own origin: nothing is measured from a far point, so a robot far from the origin of the world loses no digits in `f32`.
//!
//! * [`Tree`]: bodies, joints and degrees of freedom as this room walks them; made once from a description.
//! * [`Kinematics`]: what a configuration and a velocity make of the tree.
//! * [`PointJacobian`], [`Motion`]: J of a point; angular and linear part together. [`Dof`]: one degree of freedom.
//! * [`StateError`]: why a configuration or velocity was refused.

mod error;
mod frames;
mod jacobian;
mod stated;
mod tree;
mod velocity;

pub use error::StateError;
pub use frames::{Kinematics, Motion};
pub use jacobian::PointJacobian;
pub(crate) use tree::front;
pub use tree::{Dof, Tree, TreeBody};
