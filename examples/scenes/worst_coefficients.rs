//! Written by `benches/target/fit.py`: tenths of instructions of an emulated Cortex-M4F at opt-level 3.

use super::bounds::TERMS;

pub const NEWTON: [u32; TERMS] = [0; TERMS];
pub const CONJUGATE_GRADIENT: [u32; TERMS] = [0; TERMS];
pub const SWEEPS: [u32; TERMS] = [0; TERMS];
pub const SWEEPS_WITH_DELASSUS: [u32; TERMS] = [0; TERMS];
