//! Forces on a tree that are no constraints: springs and dampers, gravity compensation, actuators, wrenches from outside.
//!
//! * [`passive_force`]: what joints and bodies do by themselves; [`spring_energy`]: what their springs store.
//! * [`add_tendon_forces`], [`tendon_spring_energy`]: the same of tendons.
//! * [`Actuation`]: actuators.
//! * [`Damper`], [`add_tendon_damping`]: dampers and their derivative, for implicit steps.
//! * [`Wrench`]: a force and torque from outside on a body.

mod actuator;
mod passive;
mod tendon;
mod wrench;

pub use actuator::Actuation;
pub use passive::{Damper, passive_force, spring_energy};
pub use tendon::{add_tendon_damping, add_tendon_forces, tendon_spring_energy};
pub use wrench::{Wrench, add_wrenches};
