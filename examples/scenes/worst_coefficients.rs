//! Written by `benches/target/fit.py`: tenths of instructions of an emulated Cortex-M4F at opt-level 3.

use super::bounds::TERMS;

pub const NEWTON: [u32; TERMS] = [203, 0, 0, 2268, 0, 0, 0, 3692, 15, 1565, 5, 12399, 84, 2977, 545, 0];
pub const CONJUGATE_GRADIENT: [u32; TERMS] =
    [4006, 1290, 64, 3212, 229, 4187, 384, 7964, 90, 45, 0, 3095, 4772, 144, 0, 0];
pub const SWEEPS: [u32; TERMS] = [2772, 510, 0, 195, 829, 78, 0, 0, 34502, 347, 353, 716, 68, 83787, 3605, 0];
pub const SWEEPS_WITH_DELASSUS: [u32; TERMS] =
    [2544, 621, 41, 0, 1390, 8, 12, 0, 71553, 1737, 698, 282, 95, 87436, 1298, 0];
