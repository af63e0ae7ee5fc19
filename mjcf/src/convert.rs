//! The same mechanism in another precision: every number rounded to the nearest.

use delassus::description::{
    Actuator, Body, Equality, EqualityKind, Geom, Joint, Options, Pair, Shape, Site, SoftnessNumbers, Tendon,
    TendonJoint,
};
use delassus::scalar::Real;

use crate::mechanism::Lists;

/// The two precisions.
pub trait Number: Real {
    /// The nearest number.
    fn of(x: f64) -> Self;
    /// Exactly.
    fn wide(self) -> f64;
}

impl Number for f32 {
    fn of(x: f64) -> Self {
        x as f32
    }
    fn wide(self) -> f64 {
        f64::from(self)
    }
}

impl Number for f64 {
    fn of(x: f64) -> Self {
        x
    }
    fn wide(self) -> f64 {
        self
    }
}

impl Lists<f64> {
    /// Every number as the nearest `f32`.
    pub fn to_single(&self) -> Lists<f32> {
        convert(self)
    }
}

/// Every number as the nearest of the other precision; there and back again, what is left is the rounding of the inputs alone.
pub fn convert<A: Number, B: Number>(lists: &Lists<A>) -> Lists<B> {
    Lists {
        bodies: lists.bodies.iter().map(body).collect(),
        joints: lists.joints.iter().map(joint).collect(),
        sites: lists.sites.iter().map(site).collect(),
        geoms: lists.geoms.iter().map(geom).collect(),
        pairs: lists.pairs.iter().map(pair).collect(),
        excludes: lists.excludes.clone(),
        equalities: lists.equalities.iter().map(equality).collect(),
        tendons: lists.tendons.iter().map(tendon).collect(),
        tendon_joints: lists.tendon_joints.iter().map(tendon_joint).collect(),
        tendon_sites: lists.tendon_sites.clone(),
        actuators: lists.actuators.iter().map(actuator).collect(),
        options: options(&lists.options),
    }
}

fn one<A: Number, B: Number>(x: A) -> B {
    B::of(x.wide())
}

fn many<A: Number, B: Number, const N: usize>(list: [A; N]) -> [B; N] {
    list.map(one)
}

fn softness<A: Number, B: Number>(s: &SoftnessNumbers<A>) -> SoftnessNumbers<B> {
    SoftnessNumbers { solref: many(s.solref), solimp: many(s.solimp) }
}

fn body<A: Number, B: Number>(b: &Body<A>) -> Body<B> {
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

fn joint<A: Number, B: Number>(j: &Joint<A>) -> Joint<B> {
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

fn site<A: Number, B: Number>(s: &Site<A>) -> Site<B> {
    Site { body: s.body, position: many(s.position), orientation: many(s.orientation) }
}

fn geom<A: Number, B: Number>(g: &Geom<A>) -> Geom<B> {
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

fn pair<A: Number, B: Number>(p: &Pair<A>) -> Pair<B> {
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

fn equality<A: Number, B: Number>(e: &Equality<A>) -> Equality<B> {
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

fn tendon<A: Number, B: Number>(t: &Tendon<A>) -> Tendon<B> {
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

fn tendon_joint<A: Number, B: Number>(t: &TendonJoint<A>) -> TendonJoint<B> {
    TendonJoint { joint: t.joint, coefficient: one(t.coefficient) }
}

fn actuator<A: Number, B: Number>(a: &Actuator<A>) -> Actuator<B> {
    Actuator {
        transmission: a.transmission,
        gear: many(a.gear),
        gain: many(a.gain),
        bias: many(a.bias),
        control_range: a.control_range.map(many),
        force_range: a.force_range.map(many),
    }
}

fn options<A: Number, B: Number>(o: &Options<A>) -> Options<B> {
    Options {
        gravity: many(o.gravity),
        step: one(o.step),
        integrator: o.integrator,
        cone: o.cone,
        impedance_ratio: one(o.impedance_ratio),
        flags: o.flags,
    }
}
