//! Tendons and actuators: the mixed model of W11-53, lengths against differences, energy, matrices against dense ones, wrong input.
//! How whole models move is compared with MuJoCo in the package that reads them.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![allow(clippy::disallowed_methods)] // nothing here runs on the chip: the last bit of a sum does not count

mod energy;
mod implicit;
mod lengths;
mod scene;
mod worked;
mod wrong;
