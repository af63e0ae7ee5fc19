//! Written by `benches/target/fit.py`: tenths of instructions of an emulated Cortex-M4F at opt-level 3.

use super::bounds::TERMS;

pub const NEWTON: [u32; TERMS] = [0, 0, 0, 756, 0, 0, 0, 3698, 13, 1869, 9, 13972, 66, 3501, 412, 0];
pub const CONJUGATE_GRADIENT: [u32; TERMS] =
    [3909, 933, 78, 3523, 180, 3426, 1005, 7324, 111, 27, 0, 3657, 4641, 182, 0, 0];
pub const SWEEPS: [u32; TERMS] = [3010, 63, 46, 0, 1311, 0, 0, 0, 78703, 323, 395, 674, 86, 107328, 190, 0];
pub const SWEEPS_WITH_DELASSUS: [u32; TERMS] =
    [2548, 382, 52, 382, 1246, 18, 8, 0, 77168, 744, 607, 697, 72, 95915, 933, 0];
