//! Scenes that run on the PC and on the chip from this one source, and the hash by which the two are compared.
//!
//! Included by path from the host examples, the tests and the firmware. A scene hands over every number that it computes, in order.
#![allow(dead_code)] // every program uses its own scenes

pub mod ball_friction;
pub mod ball_normal;
pub mod bounds;
pub mod collision;
pub mod contacts;
pub mod costs;
mod hash;
pub mod mechanisms;
pub mod primitives;
pub mod problem_data;
pub mod problems;
pub mod sizes;
pub mod stack;
pub mod worst;
mod worst_coefficients;

pub use hash::Hash;
