//! Written by `benches/target/fit.py`: tenths of instructions of an emulated Cortex-M4F at opt-level 3.

use super::bounds::TERMS;

pub const NEWTON: [u32; TERMS] = [0, 0, 0, 1079, 0, 0, 0, 3779, 12, 1751, 9, 14177, 65, 3493, 411, 0];
pub const CONJUGATE_GRADIENT: [u32; TERMS] =
    [1478, 2510, 11, 2803, 174, 5587, 750, 7662, 102, 0, 0, 3320, 4807, 171, 0, 0];
pub const SWEEPS: [u32; TERMS] = [3181, 329, 6, 70, 879, 63, 0, 0, 34804, 2002, 189, 313, 106, 84088, 3513, 0];
pub const SWEEPS_WITH_DELASSUS: [u32; TERMS] =
    [2374, 523, 46, 921, 936, 45, 0, 0, 71437, 1092, 1277, 227, 77, 87360, 1316, 0];
