//! MuJoCo's constraint solver for microcontrollers.
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![warn(unreachable_pub)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

#[cfg(test)]
extern crate std;

pub mod mass;
pub mod reference;
pub mod rows;
pub mod scalar;
pub mod softness;
pub mod solver;
pub mod spatial;
