//! Integrators (S15-41 … S15-56, S15-62 … S15-66, X-40 … … X-87): the worked numbers, amplification factors, energy
//! laws and stability borders from analysis, the derivative of the bias force by differences, and MuJoCo's own trajectories.

#[path = "../common/mod.rs"]
mod common;
mod derivative;
mod engine;
mod free_body;
mod oscillator;
mod runge_kutta;
mod scene;
