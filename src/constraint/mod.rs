//! From a model and its state to finished rows, one file a kind, the same steps in each: residual, Jacobian, velocity, row.
//!
//! | file | residual r | J | c = J̇ v |
//! |---|---|---|---|
//! | `connect` | p₁ − p₂, 3 rows \[m\] (S11-43) | J_p1 − J_p2 | counted |
//! | `weld` | the same, and ℓ vec(q₂* q₁ relpose), 6 rows (S11-44 … S11-46) | ℓ/2 vec(q₂* (0, J_w1 − J_w2) q₁ relpose) | counted |
//! | `coupling` | q₁ − ref₁ − Σ c_k (q₂ − ref₂)ᵏ (X-23) | 1, −Σ k c_k (q₂ − ref₂)ᵏ⁻¹ | none, as in MuJoCo (S11-13) |
//! | `friction` | none: \|f\| ≤ loss against v (S12-38) | 1 at the dof | none |
//! | `limit` | q − low, high − q; of a ball high − angle (S11-06, X-24) | +1, −1, −axis | none |
//! | `tendon` | the last three with L for q | of L | none |
//! | `contact` | distance − margin (S11-02) | n, t₁, t₂ of J_p2 − J_p1, then of J_w2 − J_w1 (S11-16) | none |
//!
//! Signs: an equality is side 1 minus side 2, a contact side 2 minus side 1. Limits and contacts act where r < margin, strictly. Each row's
//! scale Â is a sum of the model's inverse weights (X-22, S11-34) or the exact diagonal.
//!
//! Order (S11-39, X-53): equalities as described, dry friction dof by dof, then of tendons, limits joint by joint, lower before upper,
//! then of tendons; contacts.
//!
//! * [`Scene`]: what every kind reads. [`assemble()`]: all rows of a tick but contacts, [`assemble_contacts`]: those.
//! * [`Hooks`]: the caller's own rows in between, and a look at what the rows were made of ([`RowFact`]).
//! * [`AnchorMotion`]: an anchor that is moved along a given path (S07-35).

mod assemble;
mod connect;
mod contact;
mod coupling;
mod friction;
mod hooks;
mod limit;
mod scene;
mod tendon;
mod weld;

pub use assemble::{Switches, assemble, assemble_contacts};
pub use contact::row_count;
pub use hooks::{Hooks, Place, RowFact};
pub use scene::{AnchorMotion, Scene};
