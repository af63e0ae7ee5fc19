//! What the reader produces: a description that owns its lists, and what belongs to it.

use delassus::description::{
    Actuator, Body, Description, Equality, Geom, Joint, JointKind, Options, Pair, Site, Tendon, TendonJoint,
};

use crate::notes::Note;
use crate::options::SolverOptions;

/// The lists of a [`Description`], owned.
#[derive(Clone, Debug, PartialEq)]
pub struct Lists<T> {
    /// See [`Description::bodies`].
    pub bodies: Vec<Body<T>>,
    /// See [`Description::joints`].
    pub joints: Vec<Joint<T>>,
    /// See [`Description::sites`].
    pub sites: Vec<Site<T>>,
    /// See [`Description::geoms`].
    pub geoms: Vec<Geom<T>>,
    /// See [`Description::pairs`].
    pub pairs: Vec<Pair<T>>,
    /// See [`Description::excludes`].
    pub excludes: Vec<[Option<u16>; 2]>,
    /// See [`Description::equalities`].
    pub equalities: Vec<Equality<T>>,
    /// See [`Description::tendons`].
    pub tendons: Vec<Tendon<T>>,
    /// See [`Description::tendon_joints`].
    pub tendon_joints: Vec<TendonJoint<T>>,
    /// See [`Description::tendon_sites`].
    pub tendon_sites: Vec<u16>,
    /// See [`Description::actuators`].
    pub actuators: Vec<Actuator<T>>,
    /// See [`Description::options`].
    pub options: Options<T>,
}

impl<T: Copy> Lists<T> {
    /// The description that borrows these lists.
    pub fn description(&self) -> Description<'_, T> {
        Description {
            bodies: &self.bodies,
            joints: &self.joints,
            sites: &self.sites,
            geoms: &self.geoms,
            pairs: &self.pairs,
            excludes: &self.excludes,
            equalities: &self.equalities,
            tendons: &self.tendons,
            tendon_joints: &self.tendon_joints,
            tendon_sites: &self.tendon_sites,
            actuators: &self.actuators,
            options: self.options,
        }
    }

    /// Degrees of freedom.
    pub fn dofs(&self) -> usize {
        self.joints.iter().map(|joint| joint.kind.dofs()).sum()
    }

    /// Configuration numbers.
    pub fn coordinates(&self) -> usize {
        self.joints.iter().map(|joint| joint.kind.coordinates()).sum()
    }
}

/// Names in the order of the lists; an empty string is no name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    /// Of [`Lists::bodies`].
    pub bodies: Vec<String>,
    /// Of [`Lists::joints`].
    pub joints: Vec<String>,
    /// Of [`Lists::sites`].
    pub sites: Vec<String>,
    /// Of [`Lists::geoms`].
    pub geoms: Vec<String>,
    /// Of [`Lists::pairs`].
    pub pairs: Vec<String>,
    /// Of [`Lists::equalities`].
    pub equalities: Vec<String>,
    /// Of [`Lists::tendons`].
    pub tendons: Vec<String>,
    /// Of [`Lists::actuators`].
    pub actuators: Vec<String>,
}

/// A state of a `<keyframe>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Keyframe {
    /// Its name; may be empty.
    pub name: String,
    /// Time \[s\].
    pub time: f64,
    /// Configuration, quaternions normalised; the reference configuration where none is written.
    pub configuration: Vec<f64>,
    /// Velocity; zero where none is written.
    pub velocity: Vec<f64>,
    /// Controls of the actuators; zero where none are written.
    pub control: Vec<f64>,
}

/// A model file, read.
#[derive(Clone, Debug, PartialEq)]
pub struct Mechanism {
    /// The model's name; may be empty.
    pub name: String,
    /// What the kernel needs.
    pub lists: Lists<f64>,
    /// Names of it.
    pub labels: Labels,
    /// States that the file describes.
    pub keyframes: Vec<Keyframe>,
    /// How constraint forces are to be found.
    pub solver: SolverOptions,
    /// What was skipped.
    pub notes: Vec<Note>,
}

impl Mechanism {
    /// The keyframe of this name.
    pub fn keyframe(&self, name: &str) -> Option<&Keyframe> {
        self.keyframes.iter().find(|key| key.name == name)
    }

    /// The configuration in which the file describes the tree.
    pub fn reference_configuration(&self) -> Vec<f64> {
        reference_configuration(&self.lists)
    }
}

/// qpos0: a free joint where its body is, a ball at rest, slide and hinge at `ref`.
pub(crate) fn reference_configuration(lists: &Lists<f64>) -> Vec<f64> {
    let mut q = Vec::with_capacity(lists.coordinates());
    for joint in &lists.joints {
        match joint.kind {
            JointKind::Free => {
                if let Some(body) = lists.bodies.get(usize::from(joint.body)) {
                    q.extend(body.position.iter().chain(&body.orientation));
                }
            }
            JointKind::Ball => q.extend([1.0, 0.0, 0.0, 0.0]),
            JointKind::Hinge | JointKind::Slide => q.push(joint.reference),
        }
    }
    q
}
