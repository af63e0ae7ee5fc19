//! MuJoCo's constraint solver for microcontrollers: given a mass matrix, constraint rows and their softness, the constraint forces
//! and the acceleration of this control tick, in a bounded number of iterations, without an allocator and without a panic.
//!
//! Everything is fixed-size and generic over [`scalar::Real`]: what runs on the PC in `f64` is what runs on a Cortex-M4F in `f32`,
//! and the `f32` results have the same bits on both.
//!
//! # One tick, with a mass matrix and Jacobians of your own
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
//! let mut rows = Rows::<f32, 2, 4>::new(); // `Rows::<f32, 2, 4, 1>::with_cones()` where elliptic contacts are wanted
//! let mut work = NewtonWorkspace::<f32, 2, 4>::filled(0.0);
//!
//! // A two-link arm: mass matrix and free acceleration from your own model, joint 0 pressed 2 mrad into its lower stop.
//! mass.set(&Matrix2::new(2.62, 0.58, 0.58, 0.21))?;
//! let mut free = Vector2::new(-3.0, 0.4); // τ − c
//! mass.solve(&mut free)?;
//!
//! let context = RowContext::new(1e-3);
//! let stop = Softness::from_mujoco([0.02, 1.0], [0.9, 0.95, 0.001, 0.5, 2.0])?;
//! let joint = Vector2::new(1.0, 0.0);
//! rows.clear();
//! rows.one_sided(&mass, &context, &stop, Kind::JointLimit, &RowInput::new(&joint, -0.002, -0.1))?;
//!
//! let report = newton(&mass, &free, &rows, None, &Budget::new(8, 1e-6), &mut work)?;
//! let torque = rows.generalized_force(work.force()); // Jᵀ f, what the stop does to the joints
//! assert!(torque[0] > 0.0 && report.iterations <= 8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # One tick of a described mechanism
//!
//! ```
//! use delassus::description::{Body, Description, Geom, Joint, JointKind, Shape};
//! use delassus::model::Model;
//! use delassus::solver::Budget;
//! use delassus::tick::{Input, Workspace};
//!
//! // A ball of 2 kg over the ground, as constant data that lives in flash; `delassus-mjcf` reads the same from an MJCF file.
//! static BODIES: [Body<f32>; 1] = [Body { position: [0.0, 0.0, 0.3], ..Body::<f32>::new(2.0, [0.032; 3]) }];
//! static JOINTS: [Joint<f32>; 1] = [Joint::<f32>::new(JointKind::Free, 0)];
//! static GEOMS: [Geom<f32>; 2] = [
//!     Geom::<f32>::new(None, Shape::Plane),
//!     Geom::<f32>::new(Some(0), Shape::Sphere { radius: 0.2 }),
//! ];
//! static BALL: Description<f32> =
//!     Description { bodies: &BODIES, joints: &JOINTS, geoms: &GEOMS, ..Description::<f32>::empty(0.002) };
//!
//! // 1 body, 7 configuration numbers, 6 dofs, 1 contact, 4 rows. On the chip the workspace is a `static`.
//! let mut work = Workspace::<f32, 1, 6, 1, 4>::filled(0.0);
//! let model = Model::<f32, 1, 7, 6>::new(&BALL, &mut work.smooth)?;
//! let mut state = model.state();
//! for _ in 0..1000 {
//!     model.step(&mut state, &Input::none(), &Budget::new(10, 1e-6), &mut work)?;
//! }
//! let weight = work.contact_force(0).ok_or("in the air")?.force[0];
//! assert!((weight - 19.62).abs() < 1e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A *real* robot calls [`Model::forward`](model::Model::forward) with its measured state instead, and its own rows, a foot sensor's
//! contact or a virtual wall, go in between by [`constraint::Hooks`].
//!
//! # The rooms
//!
//! Data runs one way; a room uses the rooms above it and never one below.
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
//! # Promises
//!
//! * **Bounded**: every loop ends by a count that is known before; a [`solver::Budget`] says how long a solve may take. When it is
//!   spent, forces are finite and inside their rules, at budget zero too, and the [`solver::Report`] says so.
//! * **No surprise**: bad input is a typed error before any arithmetic. No recursion, no allocation, no panicking path: the
//!   firmware examples link with `panic-never`.
//! * **The same bits**: f32 results do not depend on processor, optimisation level or padding; only + − × ÷, comparisons, `libm`
//!   and this crate's own functions are used, in one order. Equation ids such as S12-34 name rules of the design documents.
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
