//! The same mechanism in single precision: every number rounded to the nearest.

use delassus::description::{
    Actuator, Body, Equality, EqualityKind, Geom, Joint, Options, Pair, Shape, Site, SoftnessNumbers, Tendon,
    TendonJoint,
};

use crate::mechanism::Lists;

impl Lists<f64> {
    /// Every number as the nearest `f32`.
    pub fn to_single(&self) -> Lists<f32> {
        Lists {
            bodies: self.bodies.iter().map(body).collect(),
            joints: self.joints.iter().map(joint).collect(),
            sites: self.sites.iter().map(site).collect(),
            geoms: self.geoms.iter().map(geom).collect(),
            pairs: self.pairs.iter().map(pair).collect(),
            excludes: self.excludes.clone(),
            equalities: self.equalities.iter().map(equality).collect(),
            tendons: self.tendons.iter().map(tendon).collect(),
            tendon_joints: self.tendon_joints.iter().map(tendon_joint).collect(),
            tendon_sites: self.tendon_sites.clone(),
            actuators: self.actuators.iter().map(actuator).collect(),
            options: options(&self.options),
        }
    }
}

fn one(x: f64) -> f32 {
    x as f32
}

fn many<const N: usize>(list: [f64; N]) -> [f32; N] {
    list.map(one)
}

fn softness(s: &SoftnessNumbers<f64>) -> SoftnessNumbers<f32> {
    SoftnessNumbers { solref: many(s.solref), solimp: many(s.solimp) }
}

fn body(b: &Body<f64>) -> Body<f32> {
    Body {
        parent: b.parent,
        position: many(b.position),
        orientation: many(b.orientation),
        mass: one(b.mass),
        center: many(b.center),
        inertia: many(b.inertia),
        inertia_orientation: many(b.inertia_orientation),
        gravity_compensation: one(b.gravity_compensation),
    }
}

fn joint(j: &Joint<f64>) -> Joint<f32> {
    Joint {
        body: j.body,
        kind: j.kind,
        position: many(j.position),
        axis: many(j.axis),
        reference: one(j.reference),
        spring_reference: one(j.spring_reference),
        stiffness: many(j.stiffness),
        damping: many(j.damping),
        armature: one(j.armature),
        friction_loss: one(j.friction_loss),
        friction_softness: softness(&j.friction_softness),
        range: j.range.map(many),
        margin: one(j.margin),
        limit_softness: softness(&j.limit_softness),
        actuator_force_range: j.actuator_force_range.map(many),
        actuator_compensates_gravity: j.actuator_compensates_gravity,
    }
}

fn site(s: &Site<f64>) -> Site<f32> {
    Site { body: s.body, position: many(s.position), orientation: many(s.orientation) }
}

fn geom(g: &Geom<f64>) -> Geom<f32> {
    let shape = match g.shape {
        Shape::Plane => Shape::Plane,
        Shape::Sphere { radius } => Shape::Sphere { radius: one(radius) },
        Shape::Capsule { radius, half_length } => Shape::Capsule { radius: one(radius), half_length: one(half_length) },
        Shape::Box { half_sizes } => Shape::Box { half_sizes: many(half_sizes) },
    };
    Geom {
        body: g.body,
        shape,
        position: many(g.position),
        orientation: many(g.orientation),
        contype: g.contype,
        conaffinity: g.conaffinity,
        condim: g.condim,
        priority: g.priority,
        friction: many(g.friction),
        solmix: one(g.solmix),
        margin: one(g.margin),
        gap: one(g.gap),
        softness: softness(&g.softness),
    }
}

fn pair(p: &Pair<f64>) -> Pair<f32> {
    Pair {
        geoms: p.geoms,
        condim: p.condim,
        friction: many(p.friction),
        margin: one(p.margin),
        gap: one(p.gap),
        softness: softness(&p.softness),
        friction_solref: many(p.friction_solref),
    }
}

fn equality(e: &Equality<f64>) -> Equality<f32> {
    let kind = match e.kind {
        EqualityKind::Connect { bodies, anchor } => EqualityKind::Connect { bodies, anchor: many(anchor) },
        EqualityKind::ConnectSites { sites } => EqualityKind::ConnectSites { sites },
        EqualityKind::Weld { bodies, anchor, relative_pose, torque_scale } => EqualityKind::Weld {
            bodies,
            anchor: many(anchor),
            relative_pose: relative_pose.map(|(p, q)| (many(p), many(q))),
            torque_scale: one(torque_scale),
        },
        EqualityKind::WeldSites { sites, torque_scale } => {
            EqualityKind::WeldSites { sites, torque_scale: one(torque_scale) }
        }
        EqualityKind::Coupling { joint, leader, polynomial } => {
            EqualityKind::Coupling { joint, leader, polynomial: many(polynomial) }
        }
        EqualityKind::TendonCoupling { tendon, leader, polynomial } => {
            EqualityKind::TendonCoupling { tendon, leader, polynomial: many(polynomial) }
        }
    };
    Equality { kind, active: e.active, softness: softness(&e.softness) }
}

fn tendon(t: &Tendon<f64>) -> Tendon<f32> {
    Tendon {
        path: t.path,
        stiffness: many(t.stiffness),
        damping: many(t.damping),
        spring_length: t.spring_length.map(many),
        armature: one(t.armature),
        friction_loss: one(t.friction_loss),
        friction_softness: softness(&t.friction_softness),
        range: t.range.map(many),
        margin: one(t.margin),
        limit_softness: softness(&t.limit_softness),
        actuator_force_range: t.actuator_force_range.map(many),
    }
}

fn tendon_joint(t: &TendonJoint<f64>) -> TendonJoint<f32> {
    TendonJoint { joint: t.joint, coefficient: one(t.coefficient) }
}

fn actuator(a: &Actuator<f64>) -> Actuator<f32> {
    Actuator {
        transmission: a.transmission,
        gear: many(a.gear),
        gain: many(a.gain),
        bias: many(a.bias),
        control_range: a.control_range.map(many),
        force_range: a.force_range.map(many),
    }
}

fn options(o: &Options<f64>) -> Options<f32> {
    Options {
        gravity: many(o.gravity),
        step: one(o.step),
        integrator: o.integrator,
        cone: o.cone,
        impedance_ratio: one(o.impedance_ratio),
        flags: o.flags,
    }
}
