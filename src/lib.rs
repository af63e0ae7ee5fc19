//! MuJoCo's constraint solver for microcontrollers: given a mass matrix, constraint rows and their softness, the constraint forces
//! and the acceleration of this control tick, in a bounded number of iterations, without an allocator and without a panic.
//!
//! Everything is fixed-size and generic over [`scalar::Real`]: what runs on the PC in `f64` is what runs on a Cortex-M4F in `f32`,
//! and the `f32` results have the same bits on both.
//!
//! # The tick and its rooms
//!
//! A tick walks through rooms, a module each. Data runs one way; a room uses the rooms above it and never one below. Every room's
//! page states its equations.
//!
#![doc = include_str!("../docs/rooms.svg")]
//!
//! # One tick, room by room
//!
//! A ball of 2 kg and radius 0.2 m is 1 cm deep in soft ground, still falling. Each assertion is one room's work; the numbers can
//! be had by hand (W12-40 … W12-48).
//!
//! ```
//! use delassus::description::{Body, Description, Geom, Joint, JointKind, Shape};
//! use delassus::model::Model;
//! use delassus::solver::Budget;
//! use delassus::tick::{Input, Workspace};
//!
//! // description: constant data, in flash. No friction (condim 1), a margin of 2 cm.
//! static BODIES: [Body<f64>; 1] = [Body::<f64>::new(2.0, [0.032; 3])];
//! static JOINTS: [Joint<f64>; 1] = [Joint::<f64>::new(JointKind::Free, 0)];
//! static GEOMS: [Geom<f64>; 2] = [
//!     Geom { condim: 1, ..Geom::<f64>::new(None, Shape::Plane) },
//!     Geom {
//!         condim: 1,
//!         margin: 0.02,
//!         ..Geom::<f64>::new(Some(0), Shape::Sphere { radius: 0.2 })
//!     },
//! ];
//! static BALL: Description<f64> = Description {
//!     bodies: &BODIES, joints: &JOINTS, geoms: &GEOMS, ..Description::<f64>::empty(0.002)
//! };
//!
//! // model: checked once. 1 body, 7 configuration numbers, 6 dofs; 1 contact, 4 rows.
//! let mut work = Workspace::<f64, 1, 6, 1, 4>::filled(0.0);
//! let model = Model::<f64, 1, 7, 6>::new(&BALL, &mut work.smooth)?;
//!
//! // What the sensors say.
//! let mut state = model.state();
//! state.configuration[..3].copy_from_slice(&[0.0, 0.0, 0.19]);
//! (state.velocity[0], state.velocity[2]) = (0.8, -0.1);
//!
//! // tick: everything below in one call. It integrates nothing: the real robot does that.
//! let report = model.forward(&state, &Input::none(), &Budget::new(10, 1e-12), &mut work)?;
//! let close = |x: f64, y: f64| assert!((x - y).abs() < 1e-9 * (1.0 + y.abs()), "{x} {y}");
//!
//! // kinematics: where everything is. dynamics: c, gravity on the left of M a + c = τ.
//! close(work.kinematics().center(Some(0)).z, 0.19);
//! close(work.bias_force()[2], 2.0 * 9.81);
//! // mass: M, factored, and a_u = M⁻¹ (τ − c).
//! close(work.mass().columns()[2][2], 2.0);
//! close(work.free_acceleration()[2], -9.81);
//! // collision: the surfaces overlap by 1 cm.
//! close(work.contacts()[0].distance, -0.01);
//! // constraint and rows: r = distance − margin = −0.03 m, J = (0, 0, 1, …).
//! let row = work.rows().rows()[0];
//! close(row.jacobian()[2], 1.0);
//! // softness: d = 0.95, a_ref = −B u − K d r, R = (1 − d)/d · 1/m.
//! close(row.reference(), 1700.0 / 19.0);
//! close(row.regularizer(), 1.0 / 38.0);
//! // solver: f = (a_ref − J a_u)/(A + R) = 188.639 N, and a = a_u + M⁻¹ Jᵀ f.
//! let force = work.contact_force(0).ok_or("apart")?.force[0];
//! close(force, (1700.0 / 19.0 + 9.81) / (0.5 + 1.0 / 38.0));
//! close(work.acceleration()[2], force / 2.0 - 9.81);
//! assert!(report.solver.iterations <= 3);
//!
//! // integrator: in a simulation, `step` does all that and moves the state on.
//! model.step(&mut state, &Input::none(), &Budget::new(10, 1e-12), &mut work)?;
//! close(state.velocity[2], -0.1 + 0.002 * (force / 2.0 - 9.81));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Three doors
//!
//! **Describe and run**, as above. The description is written by hand, or generated from a MuJoCo model:
//!
//! ```sh
//! delassus generate robot.xml -o robot.rs   # cargo run -p delassus-mjcf -- generate …
//! ```
//!
//! **Rows in between.** A *real* robot calls [`Model::forward_with`](model::Model::forward_with) with its measured state, and its own
//! rows, a foot sensor's contact or a virtual wall, go between the model's by [`constraint::Hooks`].
//!
//! **Your own M and J**, no mechanism at all:
//!
//! ```
//! use delassus::mass::MassMatrix;
//! use delassus::rows::{Kind, RowContext, RowInput, Rows};
//! use delassus::softness::Softness;
//! use delassus::solver::{Budget, NewtonWorkspace, newton};
//! use nalgebra::{Matrix2, Vector2};
//!
//! // On the chip these three live in a `static`: all zero, so they cost RAM but no flash.
//! let mut mass = MassMatrix::<f32, 2>::filled(0.0);
//! // (For elliptic contacts: `Rows::<f32, 2, 4, 1>::with_cones()`.)
//! let mut rows = Rows::<f32, 2, 4>::new();
//! let mut work = NewtonWorkspace::<f32, 2, 4>::filled(0.0);
//!
//! // A two-link arm: mass matrix and free acceleration from your own model, joint 0 pressed
//! // 2 mrad into its lower stop.
//! mass.set(&Matrix2::new(2.62, 0.58, 0.58, 0.21))?;
//! let mut free = Vector2::new(-3.0, 0.4); // τ − c
//! mass.solve(&mut free)?;
//!
//! let context = RowContext::new(1e-3);
//! let stop = Softness::from_mujoco([0.02, 1.0], [0.9, 0.95, 0.001, 0.5, 2.0])?;
//! let joint = Vector2::new(1.0, 0.0);
//! rows.clear();
//! let pressed = RowInput::new(&joint, -0.002, -0.1);
//! rows.one_sided(&mass, &context, &stop, Kind::JointLimit, &pressed)?;
//!
//! let report = newton(&mass, &free, &rows, None, &Budget::new(8, 1e-6), &mut work)?;
//! let torque = rows.generalized_force(work.force()); // Jᵀ f, what the stop does to the joints
//! assert!(torque[0] > 0.0 && report.iterations <= 8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The rooms
//!
//! | room | in → out |
//! |---|---|
//! | [`scalar`] | the bound [`scalar::Real`], literals, sine and cosine, sums in order |
//! | [`spatial`] | quaternions (w, x, y, z), rigid transforms, turned inertia |
//! | [`softness`] | solref, solimp, physical units; (softness, residual, step) → K, B, d, d′; (d, Â) → R |
//! | [`cone`] | pyramid edges, elliptic zones, cost, force, Hessian, tangential QCQP, exact block, maximum dissipation |
//! | [`mass`] | symmetric positive definite M, its factor, solves |
//! | [`rows`] | Jacobian, residual, velocity, softness → finished rows J, a_ref, R, force rule |
//! | [`solver`] | (M, a_u, rows) → forces, acceleration, report |
//! | [`description`] | a mechanism as constant data: bodies, joints, geoms, equalities, tendons, actuators, options |
//! | [`kinematics`] | q, v → frames, axes, Jacobians, velocities, J̇v |
//! | [`tendon`] | q, v → lengths, Jacobians, J̇v, the armature's part of M and c |
//! | [`dynamics`] | mass matrix, bias force and its derivative, inverse dynamics, energy, momentum |
//! | [`forces`] | springs, dampers, gravity compensation, actuators, wrenches |
//! | [`model`] | the one way from a description to something valid; constants of the reference pose |
//! | [`collision`] | geoms at their places → contact points, frames, signed distances, how contacts behave |
//! | [`constraint`] | (model, state) → finished rows: connect, weld, couplings, dry friction, limits, contacts |
//! | [`integrator`] | configuration steps on the manifold, matrices of implicit steps, the midpoint rule |
//! | [`tick`] | forward, inverse, step: one workspace, one report |
//! | [`reference`](mod@reference) | textbook variants that firmware does not want |
//!
//! # Manual
//!
//! | chapter | |
//! |---|---|
//! | [`manual::from_mujoco`] | From MuJoCo to your chip |
//! | [`manual::which_solver`] | Which solver, which budget |
//! | [`manual::budget`] | What a tick costs, and how to fit one into N µs |
//! | [`manual::softness`] | Softness in physical units |
//! | [`manual::precision`] | What f32 costs |
//! | [`manual::port`] | Port to your board |
//! | [`manual::not_there`] | What is not there |
//! | [`manual::measured`] | Measured: every table with its command |
//!
//! # Promises
//!
//! * **Bounded**: every loop ends by a count that is known before; a [`solver::Budget`] says how long a solve may take. When it is
//!   spent, forces are finite and inside their rules, at budget zero too, and the [`solver::Report`] says so.
//! * **No surprise**: bad input is a typed error before any arithmetic. No recursion, no allocation, no panicking path: the
//!   firmware examples link with `panic-never`.
//! * **The same bits**: f32 results do not depend on processor, optimisation level or padding; only + − × ÷, comparisons, `libm`
//!   and this crate's own functions are used, in one order. See [`scalar`].
//!
//! # Words and signs
//!
//! SI units. q is the configuration (NQ numbers), v the generalized velocity and a the acceleration (NV numbers each): q′ = N(q) v.
//! Quaternions are (w, x, y, z). A free joint has 3 world positions and a quaternion, 3 world linear and 3 body-frame angular
//! velocities. A residual r is positive on the allowed side; a force f is positive where it pushes to that side, and f · J v is
//! power. c stands on the left of M a + c = τ, gravity included.
//!
//! Ids stand for one equation or rule each, beside which they are written on the rooms' pages: S07 multibody dynamics and Gauss'
//! principle, S11 constraint rows, S12 softness, S15 solvers and integrators, X what MuJoCo 3.10.0 adds to them. W are numbers to
//! test against; tests carry the ids in their names (`grep -rn w12_4 tests`).
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![warn(unreachable_pub)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable)]

#[cfg(test)]
extern crate std;

pub mod collision;
pub mod cone;
pub mod constraint;
pub mod description;
pub mod dynamics;
pub mod forces;
pub mod integrator;
pub mod kinematics;
#[cfg(doc)]
pub mod manual;
pub mod mass;
pub mod model;
pub mod reference;
pub mod rows;
pub mod scalar;
pub mod softness;
pub mod solver;
pub mod spatial;
pub mod tendon;
pub mod tick;

/// The README's code is run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
