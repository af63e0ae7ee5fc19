//! Softness of a constraint row: MuJoCo's `solref` and `solimp`, and what they become in one control tick.
//!
//! A soft row does not enforce its target acceleration; it trades it against force (S12-03, S12-06, S12-12):
//!
//! ```text
//! a_ref = -B u - K d(r) r - c        target acceleration of the row
//! R f   = a_ref - J a                soft relation, f the force of the row
//! R     = (1 - d)/d Â                regularizer
//!
//! solref (t_c, ζ)      K = 1/(d_w² t_c² ζ²),  B = 2/(d_w t_c)    t_c ≥ 2h by refsafe (S12-19)
//! solref (-κ, -β)      K = κ/d_w²,  B = β/d_w                    (S12-25)
//! solimp               d = d_0 + y(x) (d_w - d_0),  x = |r|/w    (d_0, d_w, w, m, p) (S12-31)
//!   y(x) = x^p/m^(p-1) for x ≤ m,  1 - (1-x)^p/(1-m)^(p-1) beyond,  1 from x = 1 on
//! real weight          d_eff = A/(A + R)                         (S12-15)
//! ```
//!
//! Signs: the residual r is positive on the allowed side and already counted from the margin, so r < 0 is pressed in;
//! u = J v is its velocity, c = J̇ v its curvature; f > 0 pushes out.
//!
//! | file | from → to | rows |
//! |---|---|---|
//! | [`reference`](Reference) | `solref`, time step → K \[1/s²\], B \[1/s\] | S12-19 … S12-28 |
//! | [`impedance`](Impedance) | `solimp`, residual → impedance d, slope d′ | S12-29 … S12-37 |
//! | [`regularizer`](reference_acceleration) | d, Â → R; K, B, d, r, u → a_ref | S12-03 … S12-15, S12-57 |
//! | [`pair`](Softness) | a reference and an impedance together; MuJoCo's default | – |
//! | [`equilibrium`](Equilibrium) | pressing acceleration → residual at rest | S12-51 … S12-55 |
//! | [`physical`](PhysicalSoftness) | spring \[N/m\], damper \[N s/m\], depth \[m\], settling time \[s\] ↔ softness | S12-01, S12-02, S12-18 |
//!
//! [Softness in physical units](crate::manual::softness) is the chapter with examples.
//!
//! Lengths are written for a translation row; on a rotation row metres become radians and newtons newton metres.

mod equilibrium;
mod error;
mod impedance;
mod pair;
mod physical;
mod reference;
mod regularizer;
mod settling;

pub use equilibrium::Equilibrium;
pub use error::SoftnessError;
pub use impedance::{Impedance, ImpedancePoint};
pub use pair::Softness;
pub use physical::{Coupling, PhysicalSoftness, Validity};
pub use reference::{Gains, Reference, ReferenceFormat, StepRules};
pub use regularizer::{effective_weight, reference_acceleration};
