//! MuJoCo's constraint solver for microcontrollers.
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

#[cfg(test)]
extern crate std;

pub mod scalar;
pub mod softness;
pub mod spatial;
