//! Friction cones of one contact: what the force of a contact may be, and the best force inside.
//!
//! A contact of dimension d = 1, 3, 4 or 6 has one normal row and d − 1 friction rows (two sliding, then spin, then two rolling).
//! Its force (f_0, f_1 …) obeys f_0 ≥ 0 and Σ (f_j/μ_j)² ≤ f_0² (elliptic), or is a non-negative sum of the edge
//! directions n ± μ_j t_j (pyramidal). The room knows neither rows nor the mechanism: small arrays in, small arrays out.
//!
//! | file | subject |
//! |---|---|
//! | [`pyramid`] | edge rows, their common regularizer, edge forces back to a contact force, row counts |
//! | [`elliptic`] | regularizers of an elliptic block; its primal cost, force and Hessian in three zones |
//! | [`mod@line`] | the elliptic cost along a search line: difference, slope and curvature in a few operations |
//! | [`tangent`] | best friction force when the normal force is fixed (quadratic over an ellipsoid) |
//! | [`block`] | best normal and friction force together (quadratic over the cone) |
//! | [`dissipation`] | sliding friction by maximum dissipation; membership; pulling a force into the cone |
//! | `ball`, `factor` | the two kernels beneath: quadratic over the unit ball, L D Lᵀ of a shifted matrix |

mod ball;
pub mod block;
pub mod dissipation;
pub mod elliptic;
mod factor;
pub mod line;
pub mod pyramid;
pub mod tangent;

/// Friction directions of the largest contact: two sliding, one spinning, two rolling.
pub const FRICTIONS: usize = 5;

/// Numbers of the largest contact block: the normal and [`FRICTIONS`].
pub const DIMENSION: usize = 6;
