//! Solvers: (M, a_u, rows) → forces, acceleration and a report, in a bounded number of iterations.
//!
//! All solve the same convex problem, from two sides. Primal (S15-31): minimise ½ (a − a_u)ᵀ M (a − a_u) + Σ s(J a − a_ref),
//! where s is the row's cost (X-01 … X-03). Dual: minimise ½ fᵀ (A + R) f + bᵀ f over the allowed forces, A = J M⁻¹ Jᵀ,
//! b = J a_u − a_ref. The optimal forces are the same, f = −s'(J a − a_ref), and the two minima add up to zero.
//!
//! | which | side | memory | take it when |
//! |---|---|---|---|
//! | [`newton()`] | primal | NV × NV | the default: a few iterations, whatever the coupling of the rows |
//! | [`conjugate_gradient()`] | primal | NV | many dofs, few rows, little memory: no Hessian is formed |
//! | [`projected_gauss_seidel`] | dual | NV × NR | few rows, a small instruction budget, a good warm start |
//! | [`projected_gauss_seidel_with_delassus`] | dual | NR × NR | fewer rows than dofs, many sweeps |
//! | [`gauss_projection`], [`soft_projection`] | dual | NR × NR | equalities only, exactly and without iterating |
//!
//! * [`Budget`], [`Measure`], [`Scale`]: when to stop. [`Report`], [`Stop`], [`WarmStart`]: how it ended.
//! * [`law`]: force and cost of one row; [`measure`]: how far from the optimum; [`Observer`]: watching the iterations.
//! * [`error_bound`]: how far an answer can be from the exact one, in this precision.
//! * [`answer()`]: the forces at a given acceleration. [`Delassus`]: the operator A. [`noslip()`]: friction made hard after a solve.

mod answer;
mod budget;
mod conjugate_gradient;
mod delassus;
mod error;
mod error_bound;
mod gauss;
mod gauss_seidel;
pub mod law;
mod line_search;
pub mod measure;
mod newton;
mod noslip;
mod observer;
mod primal;
mod sweep;

pub use answer::answer;
pub use budget::{Budget, Measure, Report, Scale, Stop, WarmStart};
pub use conjugate_gradient::{
    ConjugateGradientWorkspace, Preconditioner, Update, Variant, conjugate_gradient, conjugate_gradient_observed,
};
pub use delassus::Delassus;
pub use error::SolverError;
pub use error_bound::{ErrorBound, error_bound};
pub use gauss::{ProjectionWorkspace, gauss_projection, soft_projection};
pub use gauss_seidel::{
    DelassusWorkspace, SweepWorkspace, projected_gauss_seidel, projected_gauss_seidel_observed,
    projected_gauss_seidel_with_delassus, projected_gauss_seidel_with_delassus_observed,
};
pub use newton::{NewtonWorkspace, newton, newton_observed};
pub use noslip::{NoslipWorkspace, noslip};
pub use observer::{Iterate, Observer};
