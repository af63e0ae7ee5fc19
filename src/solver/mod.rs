//! Solvers: (M, a_u, rows) → forces, acceleration and a report, in a bounded number of iterations.
//!
//! All solve the same convex problem, from two sides:
//!
//! ```text
//! primal   minimise over a   ½ (a − a_u)ᵀ M (a − a_u) + Σ s(J a − a_ref)         (S15-31)
//! dual     minimise over f   ½ fᵀ (A + R) f + bᵀ f,  f allowed by its rule       (X-10)
//!          A = J M⁻¹ Jᵀ,  b = J a_u − a_ref
//! optimum  f = −s′(J a − a_ref),  M (a − a_u) = Jᵀ f,  both minima add up to 0   (S07-39)
//! ```
//!
//! | rule | cost s(z), z = J a − a_ref | force |
//! |---|---|---|
//! | any force | z²/2R | −z/R (X-01) |
//! | −η … η | z²/2R, beyond \|z\| = Rη straight on | −z/R, clamped (X-02) |
//! | ≥ 0 | min(z, 0)²/2R | max(−z/R, 0) (X-03) |
//! | elliptic cone | three zones | [`cone`](crate::cone) (X-04) |
//!
//! a_u and a are NV numbers in m/s² or rad/s², f is NR numbers in N or N m, positive to the allowed side.
//!
//! | which | side | memory | take it when |
//! |---|---|---|---|
//! | [`newton()`] | primal | NV × NV | the default: a few iterations, whatever the coupling of the rows |
//! | [`active_set()`] | dual | NR × (NV + 2 NR) | few rows beside the dofs, or many ticks with M and rows standing; no elliptic contacts |
//! | [`dual_active_set()`] | dual | NR × NR | A and b are there, and no mass matrix |
//! | [`conjugate_gradient()`] | primal | NV | many dofs, few rows, little memory: no Hessian is formed |
//! | [`projected_gauss_seidel`] | dual | NV × NR | few rows, a small instruction budget, a good warm start |
//! | [`projected_gauss_seidel_with_delassus`] | dual | NR × NR | fewer rows than dofs, many sweeps |
//! | [`gauss_projection`], [`soft_projection`] | dual | NR × NR | equalities only, exactly and without iterating |
//!
//! ```text
//! Newton   H p = −g,  a ← a + α p with an exact line search on differences (S15-34, X-07)
//!          g = M (a − a_u) − Jᵀ f,  H = M + Σ J_iᵀ J_i/R_i over active rows + cones (X-06)
//! active   (A + R) f = −b over the rows that push, w = b + A f ≥ 0 over those that do not; rows that contradict change
//!  set     sides, all at once (X-10)
//! sweep    f_i ← Π(f_i − w_i/(A_ii + R_i)),  w = J a − a_ref + R f,  row after row (S15-09)
//!          an elliptic contact is one exact step over its cone (S15-20)
//! ```
//!
//! * [`newton_again`], [`active_set_again`], [`dual_active_set_again`]: another a_u while M and rows stand, at the price of a solve with the
//!   last factor.
//! * [`Budget`], [`Measure`], [`Scale`]: when to stop. [`Report`], [`Stop`], [`WarmStart`]: how it ended.
//! * [`law`]: force and cost of one row; [`measure`]: how far from the optimum; [`Observer`]: watching the iterations.
//! * [`error_bound()`]: how far an answer can be from the exact one, in this precision.
//! * [`answer()`]: the forces at a given acceleration. [`Delassus`]: the operator A. [`noslip()`]: friction made hard after a solve.
//!
//! Which one, and how large a budget: [Which solver, which budget](crate::manual::which_solver), [What a tick
//! costs](crate::manual::budget).

mod active_factor;
mod active_set;
mod answer;
mod budget;
mod conjugate_gradient;
mod delassus;
mod dual_active_set;
mod error;
mod error_bound;
mod gauss;
mod gauss_seidel;
mod hessian;
pub mod law;
mod line_search;
pub mod measure;
mod newton;
mod noslip;
mod observer;
mod pivoting;
mod primal;
mod sides;
#[cfg(test)]
mod single_rows;
mod sweep;
mod walk;

pub use active_set::{ActiveSetWorkspace, active_set, active_set_again};
pub use answer::answer;
pub use budget::{Budget, Measure, Report, Scale, Stop, WarmStart};
pub use conjugate_gradient::{
    ConjugateGradientWorkspace, Preconditioner, Update, Variant, conjugate_gradient, conjugate_gradient_observed,
};
pub use delassus::Delassus;
pub use dual_active_set::{DualActiveSetWorkspace, DualRow, dual_active_set, dual_active_set_again};
pub use error::SolverError;
pub use error_bound::{ErrorBound, error_bound};
pub use gauss::{ProjectionWorkspace, gauss_projection, soft_projection};
pub use gauss_seidel::{
    DelassusWorkspace, SweepWorkspace, projected_gauss_seidel, projected_gauss_seidel_observed,
    projected_gauss_seidel_with_delassus, projected_gauss_seidel_with_delassus_observed,
};
pub use newton::{NewtonWorkspace, newton, newton_again, newton_observed};
pub use noslip::{NoslipWorkspace, noslip};
pub use observer::{Iterate, Observer};
