//! The planar two-link arm as plain constant data, and its closed forms (S07-19 … S07-25).
//!
//! Two uniform box links hang in the xz plane. q₁ counts from straight down, q₂ from link 1, and a positive angle swings towards
//! +x: both hinges turn about the *negative* y axis.
#![allow(missing_docs, dead_code)] // an example; tests use their own part

use delassus::description::{Body, Description, Joint};

pub const LENGTH: [f64; 2] = [1.0, 0.8];
pub const MASS: [f64; 2] = [2.0, 1.0];
pub const WIDTH: f64 = 0.1;
pub const GRAVITY: f64 = 9.81;

/// A box link that hangs below its hinge.
const fn link(index: usize, parent: Option<u16>, position: [f64; 3]) -> Body<f64> {
    let (m, l) = (MASS[index], LENGTH[index]);
    let across = m * (l * l + WIDTH * WIDTH) / 12.0;
    let along = m * (WIDTH * WIDTH) / 6.0;
    Body { parent, position, center: [0.0, 0.0, -0.5 * l], ..Body::<f64>::new(m, [across, across, along]) }
}

const fn hinge(body: u16) -> Joint<f64> {
    Joint { axis: [0.0, -1.0, 0.0], ..Joint::<f64>::hinge(body) }
}

pub static BODIES: [Body<f64>; 2] = [link(0, None, [0.0; 3]), link(1, Some(0), [0.0, 0.0, -LENGTH[0]])];
pub static JOINTS: [Joint<f64>; 2] = [hinge(0), hinge(1)];
pub static ARM: Description<f64> = Description { bodies: &BODIES, joints: &JOINTS, ..Description::<f64>::empty(0.005) };

/// Distance from a hinge to its link's centre.
fn half(index: usize) -> f64 {
    0.5 * LENGTH[index]
}

/// A = I₁ + m₁ r₁² + m₂ L₁², B = m₂ L₁ r₂, C = I₂ + m₂ r₂² \[kg m²\] (S07-23).
pub fn constants() -> [f64; 3] {
    let inertia = |i: usize| MASS[i] * (LENGTH[i] * LENGTH[i] + WIDTH * WIDTH) / 12.0;
    let a = inertia(0) + MASS[0] * half(0) * half(0) + MASS[1] * LENGTH[0] * LENGTH[0];
    [a, MASS[1] * LENGTH[0] * half(1), inertia(1) + MASS[1] * half(1) * half(1)]
}

/// M(q₂) (S07-24).
pub fn mass_matrix([_, q2]: [f64; 2]) -> [[f64; 2]; 2] {
    let [a, b, c] = constants();
    let coupling = c + b * q2.cos();
    [[a + c + 2.0 * b * q2.cos(), coupling], [coupling, c]]
}

/// c(q, v), gravity included (S07-25).
pub fn bias([q1, q2]: [f64; 2], [v1, v2]: [f64; 2]) -> [f64; 2] {
    let h = constants()[1] * q2.sin();
    let outer = MASS[1] * half(1) * GRAVITY * (q1 + q2).sin();
    let inner = (MASS[0] * half(0) + MASS[1] * LENGTH[0]) * GRAVITY * q1.sin() + outer;
    [-h * (2.0 * v1 * v2 + v2 * v2) + inner, h * v1 * v1 + outer]
}

/// a = −M⁻¹ c: nothing drives the arm.
pub fn free_acceleration(q: [f64; 2], v: [f64; 2]) -> [f64; 2] {
    let ([[m11, m12], [_, m22]], [c1, c2]) = (mass_matrix(q), bias(q, v));
    let determinant = m11 * m22 - m12 * m12;
    [-(m22 * c1 - m12 * c2) / determinant, -(m11 * c2 - m12 * c1) / determinant]
}

/// U and T \[J\] (S07-22), U = 0 at the height of the upper hinge.
pub fn energies([q1, q2]: [f64; 2], [v1, v2]: [f64; 2]) -> [f64; 2] {
    let potential =
        -(MASS[0] * half(0) + MASS[1] * LENGTH[0]) * GRAVITY * q1.cos() - MASS[1] * half(1) * GRAVITY * (q1 + q2).cos();
    let [[m11, m12], [_, m22]] = mass_matrix([q1, q2]);
    [potential, 0.5 * (m11 * v1 * v1 + 2.0 * m12 * v1 * v2 + m22 * v2 * v2)]
}
