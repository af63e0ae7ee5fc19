//! Forces on a tree that are no constraints: springs and dampers of the joints, gravity compensation, wrenches from outside.
//!
//! * [`passive_force`]: everything of X-26 that this crate has; [`spring_energy`]: what the springs store.
//! * [`Damper`]: a joint's damper and its derivative, for implicit steps.
//! * [`Wrench`]: a force and torque from outside on a body.

mod passive;
mod wrench;

pub use passive::{Damper, passive_force, spring_energy};
pub use wrench::{Wrench, add_wrenches};
