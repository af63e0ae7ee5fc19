//! MuJoCo's constraint solver for microcontrollers.
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

#[cfg(test)]
extern crate std;

pub mod cone;
pub mod reference;
pub mod scalar;
pub mod spatial;
