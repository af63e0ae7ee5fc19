//! Integrators: how velocity and acceleration move a configuration on its manifold, and the factor of implicit steps.
//!
//! * [`advance`]: q ← q ⊞ h v, quaternions by the exponential map (S15-55, X-59).
//! * [`ImplicitFactor`]: (M + h B)⁻¹ for dampers that are treated implicitly.

mod configuration;
mod implicit;

pub use configuration::advance;
pub use implicit::ImplicitFactor;
