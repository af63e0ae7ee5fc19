//! The sizes of the scenes' models, exactly: what `delassus generate` would write, known when this is compiled.

use std::error::Error;

use delassus_mjcf::Lists;

use crate::ours::{Number, Ours, lists, open, sizes};
use crate::state::Stored;

/// A scene in `f64` and `f32`.
pub fn open_both(stored: &Stored) -> Result<[Box<dyn Ours>; 2], Box<dyn Error>> {
    let double = lists(stored)?;
    let (single, sizes) = (double.to_single(), sizes(&double));
    Ok([open_sized(double, sizes, stored)?, open_sized(single, sizes, stored)?])
}

/// Bodies, configuration numbers, dofs, contacts, rows.
pub fn open_sized<T: Number>(
    lists: Lists<T>,
    sizes: [usize; 5],
    stored: &Stored,
) -> Result<Box<dyn Ours>, Box<dyn Error>> {
    macro_rules! match_sizes {
        ($([$($n:literal)+])+) => {
            match sizes {
                $([$($n),+] => open::<T, $($n),+>(lists, stored),)+
                other => Err(format!("{}: no kernel of the sizes {other:?}; add them to sizes.rs", stored.scene).into()),
            }
        };
    }
    match_sizes!(
        [1 3 3 1 1]       // ball, frictionless
        [1 3 3 1 4]       // ball with friction, pyramidal
        [1 3 3 1 3]       // elliptic
        [2 2 2 3 3]       // two balls on each other
        [2 2 2 0 2]       // double pendulum; chain of 2
        [2 2 2 0 4]       // cart-pole
        [3 3 3 0 3]       // four-bar; chain of 3
        [7 7 7 0 7]       // arm
        [1 7 6 4 16]      // box, pyramidal
        [1 7 6 4 12]      // elliptic
        [13 19 18 10 52]  // quadruped, pyramidal
        [13 19 18 10 42]  // elliptic
        [4 4 4 0 4]       // chains
        [6 6 6 0 6]
        [8 8 8 0 8]
        [12 12 12 0 12]
        [16 16 16 0 16]
        [24 24 24 0 24]   // and trees of as many links
        [32 32 32 0 32]
    )
}
