//! Kinematics: configuration and velocity → frames, joint axes, Jacobians, velocities and the part of accelerations that does not
//! come from the generalized acceleration (J̇v).
//!
//! All quantities are in world axes, and each body's are taken at its own origin: nothing is measured from a far point, so a robot
//! far from the origin of the world loses no digits in `f32`.
//!
//! * [`Tree`]: bodies, joints and degrees of freedom as this room walks them; made once from a description.
//! * [`Kinematics`]: what a configuration and a velocity make of the tree.
//! * [`Motion`]: angular and linear part together. [`Dof`]: one degree of freedom.
//! * [`StateError`]: why a configuration or velocity was refused.

mod error;
mod frames;
mod jacobian;
mod tree;
mod velocity;

pub use error::StateError;
pub use frames::{Kinematics, Motion};
pub use jacobian::PointJacobian;
pub(crate) use tree::front;
pub use tree::{Dof, Tree, TreeBody};
