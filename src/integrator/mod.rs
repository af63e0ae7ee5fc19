//! Integrators: how velocity and acceleration move a configuration on its manifold, and the systems that implicit steps solve.
//!
//! ```text
//! configuration   q ← q ⊞ h v: numbers add h v, quaternions turn on their right (S15-55, X-59)
//! Euler           v₊ = v + h a, then q₊ with v₊: semi-implicit (S15-43)
//!  with damping   v₊ = v + h (M + h B)⁻¹ (τ − c + Jᵀ f),  B = slopes of the dampers (X-40)
//! implicit        v₊ = v + h (M − h D)⁻¹ (τ − c + Jᵀ f),  D = ∂(τ − c)/∂v (S15-52, X-41)
//!  fast           the same without ∂c/∂v, symmetric
//! Runge–Kutta     slopes at 0, h/2, h/2, h, weights 1/6, 1/3, 1/3, 1/6 (S15-49, X-43)
//! midpoint        2 I (ω_m − ω)/h + ω_m × I ω_m = torque,  ω₊ = 2 ω_m − ω (S15-66, X-87)
//! ```
//!
//! h in s. Constraint forces are held within a step; which step goes with which rule is the [`tick`](crate::tick)'s affair.
//!
//! * [`advance`]: q ← q ⊞ h v.
//! * [`ImplicitFactor`]: (M + h B)⁻¹ and (M − h D)⁻¹. [`SingularStep`]: why the second failed.
//! * [`FreeBody`]: the midpoint rule of a free body (X-42).
//! * [`runge_kutta`]: the numbers of the rule of fourth order (X-43).

mod configuration;
mod implicit;
mod midpoint;
pub mod runge_kutta;
mod unsymmetric;

pub use configuration::advance;
pub(crate) use configuration::advance_stated;
pub use implicit::ImplicitFactor;
pub use midpoint::{FreeBody, LinearStep, MidpointStep};
pub use unsymmetric::SingularStep;
