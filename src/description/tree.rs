//! The tree: bodies, the joints that let them move, and sites.

/// A rigid body and its place in the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body<T> {
    /// The body that this one is attached to; `None` is the world.
    pub parent: Option<u16>,
    /// Origin in the parent's frame \[m\], all joints at their reference; not used under a free joint.
    pub position: [T; 3],
    /// Orientation in the parent's frame (w, x, y, z).
    pub orientation: [T; 4],
    /// Mass \[kg\].
    pub mass: T,
    /// Centre of mass in the body's frame \[m\].
    pub center: [T; 3],
    /// Principal moments of inertia about the centre of mass \[kg m²\].
    pub inertia: [T; 3],
    /// Orientation of the principal axes in the body's frame (w, x, y, z).
    pub inertia_orientation: [T; 4],
    /// Share of the body's weight that is taken off by a force at its centre of mass: 0 none, 1 all.
    pub gravity_compensation: T,
}

/// What a joint lets its body do, relative to the parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum JointKind {
    /// All of space: 7 configuration numbers (world position, quaternion), 6 dofs (world linear, body angular). Only under the
    /// world, and alone in its body.
    Free,
    /// Rotation about the anchor: 4 configuration numbers, 3 dofs (body-frame angular velocity). The last rotation of its body.
    Ball,
    /// Rotation about an axis through the anchor \[rad\].
    Hinge,
    /// Translation along an axis \[m\].
    Slide,
}

impl JointKind {
    /// How many degrees of freedom it has.
    pub const fn dofs(self) -> usize {
        match self {
            Self::Free => 6,
            Self::Ball => 3,
            Self::Hinge | Self::Slide => 1,
        }
    }

    /// How many configuration numbers it has.
    pub const fn coordinates(self) -> usize {
        match self {
            Self::Free => 7,
            Self::Ball => 4,
            Self::Hinge | Self::Slide => 1,
        }
    }
}

/// A joint: one or more degrees of freedom of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint<T> {
    /// The body that it moves.
    pub body: u16,
    /// What it lets the body do.
    pub kind: JointKind,
    /// Anchor in the body's frame \[m\]; not used by free joints and slides.
    pub position: [T; 3],
    /// Axis in the body's frame, any length but zero; not used by free and ball joints.
    pub axis: [T; 3],
    /// Coordinate of the pose in which the tree is described (`ref`): slide and hinge only.
    pub reference: T,
    /// Coordinate at which the spring is relaxed (`springref`): slide and hinge only; ball and free rest at the reference pose.
    pub spring_reference: T,
    /// Spring k + k₁ x + k₂ x² \[N/m or N m/rad at first\].
    pub stiffness: [T; 3],
    /// Damper b + b₁ |v| + b₂ v² on each dof.
    pub damping: [T; 3],
    /// Inertia of the drive, added to the diagonal of M \[kg or kg m²\].
    pub armature: T,
    /// Dry friction of each dof \[N or N m\]; 0 for none.
    pub friction_loss: T,
    /// Softness of the dry friction.
    pub friction_softness: SoftnessNumbers<T>,
    /// Limits of the coordinate; for a ball joint the second number is the largest angle. `None` for no limit.
    pub range: Option<[T; 2]>,
    /// Distance before the limit at which its row begins to act.
    pub margin: T,
    /// Softness of the limit.
    pub limit_softness: SoftnessNumbers<T>,
    /// Range of what all actuators together do to it \[N or N m\]: slide and hinge only. `None` for no limit.
    pub actuator_force_range: Option<[T; 2]>,
    /// Whether gravity compensation on its dofs counts as a force of the actuators: it is then part of what
    /// `actuator_force_range` limits, and there is none in a mechanism without actuators.
    pub actuator_compensates_gravity: bool,
}

/// solref and solimp as MuJoCo writes them; checked and clamped by `Model::new`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftnessNumbers<T> {
    /// (time constant, damping ratio), or (−stiffness, −damping).
    pub solref: [T; 2],
    /// (d₀, d_width, width, midpoint, power).
    pub solimp: [T; 5],
}

impl SoftnessNumbers<f32> {
    /// MuJoCo's default.
    pub const DEFAULT: Self = Self { solref: [0.02, 1.0], solimp: [0.9, 0.95, 0.001, 0.5, 2.0] };
}

impl SoftnessNumbers<f64> {
    /// MuJoCo's default.
    pub const DEFAULT: Self = Self { solref: [0.02, 1.0], solimp: [0.9, 0.95, 0.001, 0.5, 2.0] };
}

/// A place on a body: a tool, a sensor, the end of a tendon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Site<T> {
    /// The body that carries it; `None` is the world.
    pub body: Option<u16>,
    /// Origin in the body's frame \[m\].
    pub position: [T; 3],
    /// Orientation in the body's frame (w, x, y, z), of unit norm.
    pub orientation: [T; 4],
}
