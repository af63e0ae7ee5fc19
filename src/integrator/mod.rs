//! Integrators: how velocity and acceleration move a configuration on its manifold, and the systems that implicit steps solve.
//!
//! * [`advance`]: q ← q ⊞ h v, quaternions by the exponential map (S15-55, X-59).
//! * [`ImplicitFactor`]: (M + h B)⁻¹ for dampers that are treated implicitly, (M − h D)⁻¹ for all smooth forces.
//!   [`SingularStep`]: why the second failed.
//! * [`FreeBody`]: the midpoint rule of a free body.
//! * [`runge_kutta`]: the numbers of the rule of fourth order.

mod configuration;
mod implicit;
mod midpoint;
pub mod runge_kutta;
mod unsymmetric;

pub use configuration::advance;
pub use implicit::ImplicitFactor;
pub use midpoint::{FreeBody, LinearStep, MidpointStep};
pub use unsymmetric::SingularStep;
