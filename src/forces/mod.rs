//! Forces on a tree that are no constraints: springs and dampers, gravity compensation, actuators, wrenches from outside.
//!
//! All are generalized forces on the right of M a + c = τ: NV numbers, N or N m.
//!
//! ```text
//! spring       −(k + k₁ x + k₂ x²) x      x from where it is relaxed (X-26, X-85)
//!              a ball's x is its rotation vector, |x| in the bracket
//! damper       −(b + b₁ |v| + b₂ v²) v    a dof's velocity, or L′ of a tendon
//! tendon       Jᵀ (spring + damper)       x beyond the dead band [low, high], 0 inside
//! actuator     moment (gain u + bias)     gain g₀ + g₁ l + g₂ l′, bias b₀ + b₁ l + b₂ l′ (X-27)
//!              l = gear · q or gear · L
//! weight off   −gravcomp · m g at p_C     gravity compensation
//! wrench       J_pᵀ F + J_rᵀ N            world axes, at the centre of mass (X-51)
//! ```
//!
//! Ranges clamp in this order: the control, the sum on a tendon, the force, the sum on a joint.
//!
//! * [`passive_force`]: what joints and bodies do by themselves (X-26); [`spring_energy`]: what their springs store \[J\].
//! * [`add_tendon_forces`], [`tendon_spring_energy`]: the same of tendons.
//! * [`Actuation`]: actuators (X-27).
//! * [`Damper`], [`add_tendon_damping`]: dampers and their derivative, for implicit steps.
//! * [`Wrench`]: a force and torque from outside on a body.

mod actuator;
mod passive;
mod tendon;
mod wrench;

pub use actuator::Actuation;
pub use passive::{Damper, passive_force, spring_energy};
pub use tendon::{add_tendon_damping, add_tendon_forces, tendon_spring_energy};
pub use wrench::{Wrench, add_wrenches};
