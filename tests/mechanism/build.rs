//! Owned descriptions, in double precision and narrowed to single.

use delassus::description::{
    Body, Description, Equality, EqualityKind, Flags, Joint, JointKind, Options, Site, SoftnessNumbers,
};

/// A description that owns its lists.
#[derive(Clone, Debug)]
pub struct Mechanism<T> {
    pub bodies: Vec<Body<T>>,
    pub joints: Vec<Joint<T>>,
    pub sites: Vec<Site<T>>,
    pub equalities: Vec<Equality<T>>,
    pub options: Options<T>,
}

impl<T: Copy> Mechanism<T> {
    pub fn description(&self) -> Description<'_, T> {
        Description {
            bodies: &self.bodies,
            joints: &self.joints,
            sites: &self.sites,
            geoms: &[],
            pairs: &[],
            excludes: &[],
            equalities: &self.equalities,
            tendons: &[],
            tendon_joints: &[],
            tendon_sites: &[],
            actuators: &[],
            options: self.options,
        }
    }
}

impl Mechanism<f64> {
    /// Nothing yet, step 2 ms, normal gravity.
    pub fn new() -> Self {
        let options = Description::<f64>::empty(0.002).options;
        Self { bodies: Vec::new(), joints: Vec::new(), sites: Vec::new(), equalities: Vec::new(), options }
    }

    /// Without gravity.
    pub fn floating() -> Self {
        let mut mechanism = Self::new();
        mechanism.options.gravity = [0.0; 3];
        mechanism
    }

    /// Appends a body and returns its index.
    pub fn body(&mut self, body: Body<f64>) -> u16 {
        self.bodies.push(body);
        self.bodies.len() as u16 - 1
    }

    /// Appends a joint to the last body.
    pub fn joint(&mut self, joint: Joint<f64>) {
        self.joints.push(Joint { body: self.bodies.len() as u16 - 1, ..joint });
    }

    pub fn equality(&mut self, kind: EqualityKind<f64>) -> &mut Equality<f64> {
        self.equalities.push(Equality::<f64>::new(kind));
        self.equalities.last_mut().unwrap()
    }

    pub fn flags(&mut self) -> &mut Flags {
        &mut self.options.flags
    }

    /// The same in single precision, each number rounded.
    pub fn narrow(&self) -> Mechanism<f32> {
        Mechanism {
            bodies: self.bodies.iter().map(narrow_body).collect(),
            joints: self.joints.iter().map(narrow_joint).collect(),
            sites: self
                .sites
                .iter()
                .map(|s| Site { body: s.body, position: single(s.position), orientation: single(s.orientation) })
                .collect(),
            equalities: self
                .equalities
                .iter()
                .map(|e| Equality { kind: narrow_kind(&e.kind), active: e.active, softness: soft(&e.softness) })
                .collect(),
            options: Options {
                gravity: single(self.options.gravity),
                step: self.options.step as f32,
                integrator: self.options.integrator,
                cone: self.options.cone,
                impedance_ratio: self.options.impedance_ratio as f32,
                flags: self.options.flags,
            },
        }
    }
}

fn single<const N: usize>(x: [f64; N]) -> [f32; N] {
    x.map(|x| x as f32)
}

fn soft(s: &SoftnessNumbers<f64>) -> SoftnessNumbers<f32> {
    SoftnessNumbers { solref: single(s.solref), solimp: single(s.solimp) }
}

fn narrow_body(b: &Body<f64>) -> Body<f32> {
    Body {
        parent: b.parent,
        position: single(b.position),
        orientation: single(b.orientation),
        mass: b.mass as f32,
        center: single(b.center),
        inertia: single(b.inertia),
        inertia_orientation: single(b.inertia_orientation),
        gravity_compensation: b.gravity_compensation as f32,
    }
}

fn narrow_joint(j: &Joint<f64>) -> Joint<f32> {
    Joint {
        body: j.body,
        kind: j.kind,
        position: single(j.position),
        axis: single(j.axis),
        reference: j.reference as f32,
        spring_reference: j.spring_reference as f32,
        stiffness: single(j.stiffness),
        damping: single(j.damping),
        armature: j.armature as f32,
        friction_loss: j.friction_loss as f32,
        friction_softness: soft(&j.friction_softness),
        range: j.range.map(single),
        margin: j.margin as f32,
        limit_softness: soft(&j.limit_softness),
        actuator_force_range: j.actuator_force_range.map(single),
        actuator_compensates_gravity: j.actuator_compensates_gravity,
    }
}

fn narrow_kind(kind: &EqualityKind<f64>) -> EqualityKind<f32> {
    match *kind {
        EqualityKind::Connect { bodies, anchor } => EqualityKind::Connect { bodies, anchor: single(anchor) },
        EqualityKind::ConnectSites { sites } => EqualityKind::ConnectSites { sites },
        EqualityKind::Weld { bodies, anchor, relative_pose, torque_scale } => EqualityKind::Weld {
            bodies,
            anchor: single(anchor),
            relative_pose: relative_pose.map(|(p, q)| (single(p), single(q))),
            torque_scale: torque_scale as f32,
        },
        EqualityKind::WeldSites { sites, torque_scale } => {
            EqualityKind::WeldSites { sites, torque_scale: torque_scale as f32 }
        }
        EqualityKind::Coupling { joint, leader, polynomial } => {
            EqualityKind::Coupling { joint, leader, polynomial: single(polynomial) }
        }
        EqualityKind::TendonCoupling { tendon, leader, polynomial } => {
            EqualityKind::TendonCoupling { tendon, leader, polynomial: single(polynomial) }
        }
    }
}

/// A slide of the last body along an axis.
pub fn slide(axis: [f64; 3]) -> Joint<f64> {
    Joint { axis, ..Joint::<f64>::new(JointKind::Slide, 0) }
}

/// A hinge of the last body about an axis.
pub fn hinge(axis: [f64; 3]) -> Joint<f64> {
    Joint { axis, ..Joint::<f64>::hinge(0) }
}

/// A ball joint of the last body.
pub fn ball() -> Joint<f64> {
    Joint::<f64>::new(JointKind::Ball, 0)
}

/// A free joint of the last body.
pub fn free() -> Joint<f64> {
    Joint::<f64>::new(JointKind::Free, 0)
}

/// A body with the inertia of a solid ball, 0.4 m r².
pub fn sphere(mass: f64, radius: f64) -> Body<f64> {
    Body::<f64>::new(mass, [0.4 * mass * radius * radius; 3])
}
