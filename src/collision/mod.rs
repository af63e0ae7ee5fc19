//! Collision: what touches what, where, how deep, and along which axes (S11-01 … S11-05, X-30 … X-33, X-60 … X-68).
//!
//! Geoms at their places in, [`Contact`]s out: a signed distance (negative where the shapes overlap), the point halfway between
//! the two surfaces, a frame whose first axis points from the first geom to the second, and how the contact wants to behave.
//! Nothing here knows of masses, velocities or rows.
//!
//! ```text
//! sphere, plane   s = n · (c − P) − r           capsule: its two ends, box: its corners (X-61)
//! two spheres     s = |c₂ − c₁| − r₁ − r₂       n = (c₂ − c₁)/|c₂ − c₁| (X-62)
//! capsules        the same at the nearest points of the two segments (X-63)
//! sphere, box     the box's nearest point; from inside the nearest face (X-64)
//! capsule, box    at the capsule's one or two nearest points (X-65, X-66)
//! listed          s ≤ margin + gap              with rows only where s < margin (S11-03)
//! frame           n,  t₁ = hint made orthogonal to n,  t₂ = n × t₁ (X-30)
//! ```
//!
//! Margin and gap are sums over the two geoms; the higher priority's parameters whole, else the larger condim, the element-wise larger
//! friction, at least 1e-5, and softness mixed by solmix (X-31).
//!
//! | file | subject |
//! |---|---|
//! | `detect` | all contacts of a mechanism, in order, into a list of fixed capacity |
//! | `candidates` | which pairs of geoms to look at, in order; what is not supported; how many contacts there can be |
//! | [`filter`] | the rules by which pairs are not looked at |
//! | [`parameters`] | condim, friction, softness, margin and gap of a pair |
//! | [`pair`] | contact points of two shapes: the switchboard over the routines |
//! | `bound` | the cheap test before the exact one |
//! | `box_box` | whether two boxes are surely apart |
//! | `plane`, `sphere`, `capsule`, `sphere_box`, `capsule_box`, `capsule_box_second` | one routine a pair of shapes |
//! | [`mod@frame`] | contact frame from normal and hint |
//! | `contact` | [`Contact`], [`Contacts`], [`ContactPoint`], [`ContactPoints`] |
//! | `geometry` | unit vectors, a shape's own axes, the nearest points of two segments |

mod bound;
mod box_box;
mod candidates;
mod capsule;
mod capsule_box;
mod capsule_box_second;
mod contact;
mod detect;
pub mod filter;
pub mod frame;
mod geometry;
pub mod pair;
pub mod parameters;
mod plane;
mod sphere;
mod sphere_box;

pub use candidates::{contact_capacity, first_unsupported};
pub use contact::{Contact, ContactPoint, ContactPoints, Contacts, MOST_CONTACTS};
pub use detect::{Detection, detect, detect_stated};
