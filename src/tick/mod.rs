//! The tick: a model, its state and the input in; accelerations and forces, or the next state, out.
//!
//! ```text
//! place(q), move(v)                                                  kinematics
//! M, c                                                               dynamics
//! τ = passive + applied + actuators + Σ wrenches                     forces
//! a_u = M⁻¹ (τ − c)                                                  mass
//! rows: equalities, dry friction, limits, contacts, your own         constraint, collision
//! M (a − a_u) = Jᵀ f, f by its rules, from the state's warm start    solver
//! v₊, q₊: a `step` only                                              integrator
//! ```
//!
//! Results are in the [`Workspace`] until the next tick; after a step they belong to the state before it (X-90). All work is on memory that the
//! caller owns; the same state and input give the same bits.
//!
//! * [`Model::forward`](crate::model::Model::forward): what a *real* robot calls with a measured state. Integrates nothing.
//! * [`Model::step`](crate::model::Model::step): forward, then the state moves on. [`Model::inverse`](crate::model::Model::inverse): which force an acceleration takes.
//!   [`Model::step_euler`](crate::model::Model::step_euler) and its neighbours: one integrator each, so that no other is linked.
//! * [`Input`]: what acts from outside. [`Workspace`]: all memory, and the results. [`TickReport`], [`TickError`]: how it went.
//! * [`ContactForce`]: a contact's force in its frame or in the world.
//! * [`Method`]: which solver a workspace carries. [`WithNoslip`]: any of them with noslip after it.

mod contact_force;
mod error;
mod forward;
mod implicit;
mod input;
mod inverse;
mod method;
mod runge_kutta;
mod step;
mod workspace;

pub use contact_force::ContactForce;
pub use error::{TickError, TickReport};
pub use input::Input;
pub use inverse::InverseDynamics;
pub use method::{Method, WithNoslip};
pub use workspace::Workspace;
