//! What holds of random constrained mechanisms: trees of 1 to 12 bodies with joints of all kinds, limits, dry friction, equalities and
//! contacts of random softness. The map of all properties of the crate, these and those of other files, is `docs/properties.md`.
//!
//! `PROPTEST_CASES=100000 cargo test --release --test properties` is the long run, with other cases each time.

#[path = "../mechanism/build.rs"]
#[allow(dead_code)] // shared, and every user takes a part
mod build;
#[path = "../mechanism/random.rs"]
#[allow(dead_code)]
mod random;
#[path = "../mechanism/rig.rs"]
#[allow(dead_code)]
mod rig;

mod laws;
mod motion;
mod solvers;
mod world;
