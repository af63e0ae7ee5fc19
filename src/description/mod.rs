//! A mechanism as plain constant data: slices that live in flash, written by hand, or emitted from an MJCF file.
//!
//! Nothing here is checked; [`Model::new`](crate::model::Model::new) is the one way to validity. Angles are radians, lengths metres, masses kg,
//! quaternions (w, x, y, z). A body that is `None` is the world. Indices count from 0 in the order of the slices. What a number does is an
//! equation of another room:
//!
//! | data | enters |
//! |---|---|
//! | [`Body`]: pose in its parent, mass, centre, principal inertia | frames, M (S07-15) |
//! | [`Joint`]: anchor, axis, `reference` | frames; configuration and velocity numbers by its kind (7, 6; 4, 3; 1, 1) |
//! | … `stiffness`, `damping`, `armature` | −(k + k₁x + k₂x²) x, −(b + b₁\|v\| + b₂v²) v; the diagonal of M |
//! | … `range`, `margin`, `friction_loss` and their softnesses | rows: r = q − low, high − q (S11-06); \|f\| ≤ loss (S12-38) |
//! | [`Geom`], [`Pair`]: shape, place, condim, friction, margin, gap, softness | contacts (X-30 … … X-68) |
//! | [`Equality`] | rows (S11-43 … S11-46, X-23) |
//! | [`Tendon`], [`Actuator`] | L = Σ c q or Σ \|Δp\| (X-25); force = gain · u + bias (X-27) |
//! | [`Options`]: gravity, step, integrator, cone, impratio, [`Flags`] | the tick |
//!
//! The tree is sorted: parents before children, joints and geoms by body. [`ModelError`] says why a description was refused, with the
//! culprit's index. `delassus generate` (the package `delassus-mjcf`) writes a description from MJCF, names of its parts included.
//! [`Uses`] says what of all this a description needs, for a model that links nothing else.

mod actuator;
mod contact;
mod defaults;
mod equality;
mod error;
mod options;
mod tendon;
mod tree;
mod uses;

pub use actuator::{Actuator, Transmission};
pub use contact::{Geom, Pair, Shape};
pub use equality::{Equality, EqualityKind};
pub use error::ModelError;
pub use options::{Flags, FrictionCone, Integrator, Options};
pub use tendon::{Tendon, TendonJoint, TendonPath};
pub use tree::{Body, Joint, JointKind, Site, SoftnessNumbers};
pub use uses::Uses;

/// A mechanism. Every list is a slice, so how many of each there are is in no type.
///
/// The tree is given parents first: body `i` may only have a parent before it. Joints are sorted by body, in the order in which
/// they act inside a body; degrees of freedom and configuration numbers follow the order of the joints.
#[derive(Clone, Copy, Debug)]
pub struct Description<'m, T> {
    /// Bodies, parents first; the world is not among them.
    pub bodies: &'m [Body<T>],
    /// Joints, sorted by body.
    pub joints: &'m [Joint<T>],
    /// Places of interest on bodies.
    pub sites: &'m [Site<T>],
    /// Shapes for collision, sorted by body, the world's first.
    pub geoms: &'m [Geom<T>],
    /// Pairs of geoms with parameters of their own; they skip every filter.
    pub pairs: &'m [Pair<T>],
    /// Pairs of bodies whose geoms do not collide.
    pub excludes: &'m [[Option<u16>; 2]],
    /// Equality constraints, in the order of their rows.
    pub equalities: &'m [Equality<T>],
    /// Tendons, in the order of their rows.
    pub tendons: &'m [Tendon<T>],
    /// What fixed tendons are made of: each takes a stretch of this list.
    pub tendon_joints: &'m [TendonJoint<T>],
    /// Sites that spatial tendons run through: each takes a stretch of this list.
    pub tendon_sites: &'m [u16],
    /// Actuators, in the order of the control.
    pub actuators: &'m [Actuator<T>],
    /// Gravity, step and rules.
    pub options: Options<T>,
}

impl<T> Description<'_, T> {
    /// Nothing under these options, of any scalar: fill in the slices with `..`.
    pub const fn with_options(options: Options<T>) -> Self {
        Self {
            bodies: &[],
            joints: &[],
            sites: &[],
            geoms: &[],
            pairs: &[],
            excludes: &[],
            equalities: &[],
            tendons: &[],
            tendon_joints: &[],
            tendon_sites: &[],
            actuators: &[],
            options,
        }
    }
}
