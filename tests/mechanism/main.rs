//! The mechanism rooms: worked examples by number, random trees against independent methods, wrong input, and padded sizes.
//!
//! `PROPTEST_CASES=5000 cargo test --release --test mechanism` is the long run.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![allow(clippy::disallowed_methods)] // nothing here runs on the chip: the last bit of a sum does not count

#[path = "../common/mod.rs"]
mod common;

mod build;
mod random;
mod rig;

mod couplings;
mod geometry;
mod golden;
mod hooks;
mod motion;
mod padding;
mod smooth;
mod trees;
mod two_link;
mod worked_rows;
mod wrong_descriptions;
mod wrong_input;
