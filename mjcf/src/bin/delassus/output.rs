//! What is printed.

use std::io::Write;

use delassus::rows::Kind;
use serde::Serialize;

use crate::failure::Failure;

/// An answer of `forward` or `simulate`.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Answer {
    Forward(Box<Forward>),
    Simulate { checkpoints: Vec<Checkpoint> },
}

/// One state, in full.
#[derive(Serialize)]
pub struct Forward {
    pub mass_matrix: Vec<Vec<f64>>,
    pub bias_force: Vec<f64>,
    pub free_acceleration: Vec<f64>,
    pub acceleration: Vec<f64>,
    pub constraint_force: Vec<f64>,
    pub rows: Vec<Row>,
    pub report: Report,
}

/// A constraint row.
#[derive(Serialize)]
pub struct Row {
    pub kind: &'static str,
    pub jacobian: Vec<f64>,
    pub position: f64,
    pub margin: f64,
    pub velocity: f64,
    pub stiffness: f64,
    pub damping: f64,
    pub impedance: f64,
    pub impedance_derivative: f64,
    pub regularizer: f64,
    pub reference_acceleration: f64,
    pub force: f64,
}

/// How the solve went.
#[derive(Serialize)]
pub struct Report {
    pub iterations: u16,
    pub converged: bool,
    pub stop: &'static str,
    pub line_search_evaluations: u16,
    pub gradient_norm: f64,
    pub force_correction: f64,
    pub duality_gap: f64,
    pub active_rows: u16,
    pub dropped_contacts: u16,
}

/// A state on the way.
#[derive(Serialize)]
pub struct Checkpoint {
    pub step: u64,
    pub qpos: Vec<f64>,
    pub qvel: Vec<f64>,
}

impl Answer {
    pub fn print(&self) -> Result<(), Failure> {
        print(&json(self)?)
    }
}

/// One line of JSON.
pub fn json(answer: &impl Serialize) -> Result<String, Failure> {
    Ok(serde_json::to_string(answer).map_err(Failure::tick)? + "\n")
}

/// To stdout.
pub fn print(text: &str) -> Result<(), Failure> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        // Whoever closed the pipe has read enough.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::tick(error)),
        _ => Ok(()),
    }
}

/// The name of a kind of row.
pub fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Equality => "equality",
        Kind::JointFriction => "joint_friction",
        Kind::TendonFriction => "tendon_friction",
        Kind::JointLimit => "joint_limit",
        Kind::TendonLimit => "tendon_limit",
        Kind::ContactFrictionless => "contact_frictionless",
        Kind::ContactPyramidal => "contact_pyramidal",
        Kind::ContactElliptic => "contact_elliptic",
    }
}
