//! Contacts by the general machinery, from a description to a motion: worked examples by number, the thrown ball against its closed
//! form, hundreds of random scenes against MuJoCo 3.10.0, and what must hold whatever the scene.
//!
//! `PROPTEST_CASES=5000 cargo test --release --test contacts` is the long run.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![allow(clippy::disallowed_methods)] // nothing here runs on the chip: the last bit of a sum does not count

#[path = "../common/mod.rs"]
mod common;
#[path = "../../examples/contact_trace/mod.rs"]
mod contact_trace;
#[path = "../../examples/scenes/contacts.rs"]
#[allow(dead_code)] // the scenes also serve programs
mod scenes;

mod draw;
mod faults;
mod golden;
mod invariance;
mod machine;
mod properties;
mod rest;
mod stiff;
mod trace;
mod worked;
