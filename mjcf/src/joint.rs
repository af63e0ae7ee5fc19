//! `<joint>` and `<freejoint>`.

use delassus::description::{Joint, JointKind};
use delassus::spatial::Transform;
use nalgebra::Vector3;

use crate::compiler::{Compiler, set};
use crate::element::Element;
use crate::error::Result;
use crate::orientation::{Pose, direction};
use crate::softness::{self, Softness};

/// A joint's attributes, on the way from the default class to the element.
#[derive(Clone, Debug)]
pub(crate) struct JointSettings {
    kind: JointKind,
    position: [f64; 3],
    axis: [f64; 3],
    reference: f64,
    spring_reference: f64,
    spring_damper: [f64; 2],
    stiffness: [f64; 3],
    damping: [f64; 3],
    armature: f64,
    friction_loss: f64,
    friction_softness: Softness,
    limited: Option<bool>,
    range: [f64; 2],
    margin: f64,
    limit_softness: Softness,
    actuator_force_limited: Option<bool>,
    actuator_force_range: [f64; 2],
    actuator_compensates_gravity: bool,
    /// Whether MuJoCo would move the body's frame to its inertia; as the compiler says, unless a freejoint says otherwise.
    align: Option<bool>,
}

impl Default for JointSettings {
    fn default() -> Self {
        Self {
            kind: JointKind::Hinge,
            position: [0.0; 3],
            axis: [0.0, 0.0, 1.0],
            reference: 0.0,
            spring_reference: 0.0,
            spring_damper: [0.0; 2],
            stiffness: [0.0; 3],
            damping: [0.0; 3],
            armature: 0.0,
            friction_loss: 0.0,
            friction_softness: Softness::DEFAULT,
            limited: None,
            range: [0.0; 2],
            margin: 0.0,
            limit_softness: Softness::DEFAULT,
            actuator_force_limited: None,
            actuator_force_range: [0.0; 2],
            actuator_compensates_gravity: false,
            align: None,
        }
    }
}

/// A joint, and what can only be settled when the whole tree is known.
pub(crate) struct ReadJoint {
    pub name: String,
    pub joint: Joint<f64>,
    /// Time constant and damping ratio that replace stiffness and damping.
    pub spring_damper: Option<[f64; 2]>,
}

const ATTRIBUTES: &[&str] = &[
    "name",
    "class",
    "group",
    "user",
    "type",
    "pos",
    "axis",
    "ref",
    "springref",
    "springdamper",
    "stiffness",
    "damping",
    "armature",
    "frictionloss",
    "limited",
    "range",
    "margin",
    "solreflimit",
    "solimplimit",
    "solreffriction",
    "solimpfriction",
    "actuatorfrclimited",
    "actuatorfrcrange",
    "actuatorgravcomp",
];

const KINDS: &[(&str, JointKind)] =
    &[("free", JointKind::Free), ("ball", JointKind::Ball), ("slide", JointKind::Slide), ("hinge", JointKind::Hinge)];

impl JointSettings {
    pub fn apply(&mut self, e: &Element) -> Result<()> {
        e.allow(&[ATTRIBUTES])?;
        e.childless()?;
        set(&mut self.kind, e.word("type", KINDS)?);
        set(&mut self.position, e.numbers("pos")?);
        set(&mut self.axis, e.numbers("axis")?);
        e.set("ref", &mut self.reference)?;
        e.set("springref", &mut self.spring_reference)?;
        set(&mut self.spring_damper, e.numbers("springdamper")?);
        e.fill("stiffness", &mut self.stiffness)?;
        e.fill("damping", &mut self.damping)?;
        e.set("armature", &mut self.armature)?;
        e.set("frictionloss", &mut self.friction_loss)?;
        set(&mut self.limited, e.tristate("limited")?);
        set(&mut self.range, e.numbers("range")?);
        e.set("margin", &mut self.margin)?;
        softness::apply(e, "solreflimit", "solimplimit", &mut self.limit_softness)?;
        softness::apply(e, "solreffriction", "solimpfriction", &mut self.friction_softness)?;
        set(&mut self.actuator_force_limited, e.tristate("actuatorfrclimited")?);
        set(&mut self.actuator_force_range, e.numbers("actuatorfrcrange")?);
        set(&mut self.actuator_compensates_gravity, e.switch("actuatorgravcomp")?);
        Ok(())
    }

    /// The joint of body `body`, its element standing in `frame`.
    pub fn finish(&self, e: &Element, compiler: &Compiler, frame: &Pose, body: u16) -> Result<ReadJoint> {
        if self.kind == JointKind::Free && self.align.unwrap_or(compiler.align_free) {
            return Err(e.unsupported(
                "aligning a free body's frame with its inertia is not supported",
                "switch align and alignfree off, or compile with MuJoCo and save",
            ));
        }
        let angular = matches!(self.kind, JointKind::Hinge);
        let angle = |x: f64| if angular { compiler.radians(x) } else { x };
        let scalar = matches!(self.kind, JointKind::Hinge | JointKind::Slide);
        let axis = Vector3::from(self.axis);
        let (position, axis) = if scalar {
            let axis = direction(axis).ok_or_else(|| e.invalid("the axis is zero").remedy("write a direction"))?;
            (frame.apply(&Vector3::from(self.position)), frame.orientation.rotate(&axis))
        } else if self.kind == JointKind::Ball {
            (frame.apply(&Vector3::from(self.position)), Vector3::z())
        } else {
            (Vector3::zeros(), Vector3::z())
        };
        let spring_damper = match self.spring_damper {
            [0.0, 0.0] => None,
            [time, ratio] if time > 0.0 && ratio > 0.0 => Some([time, ratio]),
            _ => {
                return Err(e
                    .invalid("springdamper must be two positive numbers")
                    .remedy("write time constant and damping ratio"));
            }
        };
        let joint = Joint {
            body,
            kind: self.kind,
            position: position.into(),
            axis: axis.into(),
            reference: if scalar { angle(self.reference) } else { 0.0 },
            spring_reference: if scalar { angle(self.spring_reference) } else { 0.0 },
            stiffness: self.stiffness,
            damping: self.damping,
            armature: self.armature,
            friction_loss: self.friction_loss,
            friction_softness: self.friction_softness,
            range: self.limits(e, compiler)?,
            margin: self.margin,
            limit_softness: self.limit_softness,
            // On other joints it has no effect.
            actuator_force_range: if scalar { self.actuator_forces(e, compiler)? } else { None },
            actuator_compensates_gravity: self.actuator_compensates_gravity,
        };
        Ok(ReadJoint { name: e.name().to_owned(), joint, spring_damper })
    }

    fn actuator_forces(&self, e: &Element, compiler: &Compiler) -> Result<Option<[f64; 2]>> {
        let names = ["actuatorfrcrange", "actuatorfrclimited"];
        compiler.active_range(e, names, self.actuator_force_range, self.actuator_force_limited)
    }

    /// The active limits.
    fn limits(&self, e: &Element, compiler: &Compiler) -> Result<Option<[f64; 2]>> {
        if self.kind == JointKind::Free {
            return Ok(None);
        }
        let Some([low, high]) = compiler.active_range(e, ["range", "limited"], self.range, self.limited)? else {
            return Ok(None);
        };
        if self.kind == JointKind::Ball && low != 0.0 {
            return Err(e.invalid("range[0] of a ball joint must be 0").remedy("write range=\"0 largest-angle\""));
        }
        let angle = |x: f64| if self.kind == JointKind::Slide { x } else { compiler.radians(x) };
        Ok(Some([angle(low), angle(high)]))
    }
}

/// `<freejoint>`: takes nothing from joint defaults.
pub(crate) fn free(e: &Element, compiler: &Compiler, body: u16) -> Result<ReadJoint> {
    e.allow(&[&["name", "group", "align"]])?;
    e.childless()?;
    let settings =
        JointSettings { kind: JointKind::Free, align: e.tristate("align")?.flatten(), ..JointSettings::default() };
    settings.finish(e, compiler, &Transform::identity(), body)
}
