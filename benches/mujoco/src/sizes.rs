//! The sizes of the scenes' models, exactly, and what the models make use of: what `delassus generate` would write, known when this is
//! compiled.

use std::error::Error;

use delassus::description::Uses;
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
    let uses = Uses::of(&lists.description());
    macro_rules! of {
        ($($use:ident)*) => { Uses::NOTHING$(.and(Uses::$use))* };
    }
    macro_rules! match_sizes {
        ($([$($n:literal)+] $($use:ident)*;)+) => {{
            $(if sizes == [$($n),+] && uses == of!($($use)*) {
                return open::<T, $($n),+, { of!($($use)*).bits() }>(lists, stored);
            })+
            let scene = &stored.scene;
            Err(format!("{scene}: no kernel of the sizes {sizes:?} and {uses:?}; add it to sizes.rs").into())
        }};
    }
    match_sizes!(
        // Ball, frictionless; with friction.
        [1 3 3 1 1] SLIDE PLANE_SPHERE FRICTIONLESS;
        [1 3 3 1 4] SLIDE PLANE_SPHERE PYRAMIDAL;
        [1 3 3 1 3] SLIDE PLANE_SPHERE ELLIPTIC;
        // Two balls on each other.
        [2 2 2 3 3] BRANCHED SLIDE PLANE_SPHERE SPHERE_SPHERE FRICTIONLESS;
        // Cart-pole, four-bar, arm.
        [2 2 2 0 4] SLIDE HINGE LIMIT;
        [3 3 3 0 3] BRANCHED HINGE CONNECT;
        [7 7 7 0 7] HINGE LIMIT;
        // Box, quadruped.
        [1 7 6 4 16] FREE PLANE_BOX PYRAMIDAL;
        [1 7 6 4 12] FREE PLANE_BOX ELLIPTIC;
        [13 19 18 10 52] BRANCHED FREE HINGE LIMIT PYRAMIDAL PLANE_SPHERE SPHERE_SPHERE;
        [13 19 18 10 42] BRANCHED FREE HINGE LIMIT ELLIPTIC PLANE_SPHERE SPHERE_SPHERE;
        // Chains, the double pendulum one of them; last, trees.
        [2 2 2 0 2] HINGE LIMIT;
        [3 3 3 0 3] HINGE LIMIT;
        [4 4 4 0 4] HINGE LIMIT;
        [6 6 6 0 6] HINGE LIMIT;
        [8 8 8 0 8] HINGE LIMIT;
        [12 12 12 0 12] HINGE LIMIT;
        [16 16 16 0 16] HINGE LIMIT;
        [24 24 24 0 24] HINGE LIMIT;
        [32 32 32 0 32] HINGE LIMIT;
        [24 24 24 0 24] BRANCHED HINGE LIMIT;
    )
}
