//! Friction cones of one contact: what the force of a contact may be, and the best force inside.
//!
//! A contact of dimension d = 1, 3, 4 or 6 has one normal row and d − 1 friction rows: two sliding, then spin, then two rolling
//! (S11-20). The room knows neither rows nor the mechanism: small arrays in, small arrays out.
//!
//! ```text
//! elliptic     f_0 ≥ 0,  Σ (f_j/μ_j)² ≤ f_0²                        the allowed forces (S07-48)
//! pyramidal    J_j± = J_n ± μ_j J_j,  β_j± ≥ 0                      2(d − 1) edges (S11-21)
//!              f_n = Σ (β_j+ + β_j−),  f_j = μ_j (β_j+ − β_j−)      and back (S11-22)
//! softness     R_1 = R_n/impratio,  R_j μ_j² the same for all j     elliptic (S12-43)
//!              R = 2 μ~² R_0 for every edge,  μ~ = μ_1/√impratio    pyramidal (S12-44)
//! cost         N = μ~ z_0,  T = |(μ_j z_j)|,  z = J a − a_ref       elliptic (X-04)
//!              N ≥ μ~ T        0                                    top: apart
//!              μ~ N + T ≤ 0    Σ ½ z_j²/R_j                         bottom: sticks
//!              else            ½ D_m (N − μ~ T)²                    middle: slides
//!              D_m = 1/(R_n μ~² (1 + μ~²))
//! best force   argmin ½ fᵀ H f + cᵀ f over the cone                 S15-20, X-13; X-12
//! ```
//!
//! R_0 is the base regularizer of the first edge. Units: f in N (rows 1 to 3) or N m; μ of sliding has none, of spin and rolling is in m.
//! Signs: f_0 > 0 pushes apart; a friction force is what side 2 gets along t_j. The physical μ bounds the force, μ~ only enters the
//! cost; impratio says how stiff friction is and never how much it can hold (S12-41).
//!
//! | file | subject |
//! |---|---|
//! | [`pyramid`] | edge rows, their common regularizer, edge forces back to a contact force, row counts |
//! | [`elliptic`] | regularizers of an elliptic block; its primal cost, force and Hessian in three zones |
//! | [`mod@line`] | the elliptic cost along a search line: difference, slope and curvature in a few operations |
//! | [`tangent`] | best friction force when the normal force is fixed (quadratic over an ellipsoid) |
//! | [`block`] | best normal and friction force together (quadratic over the cone) |
//! | [`dissipation`] | sliding friction by maximum dissipation; membership; pulling a force into the cone |
//! | `shape` | what the friction coefficients alone say of a block |
//! | `ball`, `factor` | the two kernels beneath: quadratic over the unit ball, L D Lᵀ of a shifted matrix |
//!
//! Where a contact becomes rows with these rules: [`Rows::pyramid`](crate::rows::Rows::pyramid), [`Rows::elliptic`](crate::rows::Rows::elliptic).

mod ball;
pub mod block;
pub mod dissipation;
pub mod elliptic;
mod factor;
pub mod line;
pub mod pyramid;
mod shape;
pub mod tangent;

pub(crate) use shape::ConeShape;

/// Friction directions of the largest contact: two sliding, one spinning, two rolling.
pub const FRICTIONS: usize = 5;

/// Numbers of the largest contact block: the normal and [`FRICTIONS`].
pub const DIMENSION: usize = 6;
