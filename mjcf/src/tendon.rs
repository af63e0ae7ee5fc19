//! `<tendon>`: fixed, and spatial through sites.

use delassus::description::{Tendon, TendonJoint, TendonPath};

use crate::compiler::{Compiler, set};
use crate::element::Element;
use crate::error::Result;
use crate::mechanism::Lists;
use crate::names::Names;
use crate::softness::{self, Softness};

/// A tendon's attributes, on the way from the default class to the element.
#[derive(Clone, Debug)]
pub(crate) struct TendonSettings {
    stiffness: [f64; 3],
    damping: [f64; 3],
    spring_length: [f64; 2],
    armature: f64,
    friction_loss: f64,
    friction_softness: Softness,
    limited: Option<bool>,
    range: [f64; 2],
    margin: f64,
    limit_softness: Softness,
}

/// As a spring length: the length in the configuration of the springs.
const BY_ITSELF: [f64; 2] = [-1.0, -1.0];

impl Default for TendonSettings {
    fn default() -> Self {
        Self {
            stiffness: [0.0; 3],
            damping: [0.0; 3],
            spring_length: BY_ITSELF,
            armature: 0.0,
            friction_loss: 0.0,
            friction_softness: Softness::DEFAULT,
            limited: None,
            range: [0.0; 2],
            margin: 0.0,
            limit_softness: Softness::DEFAULT,
        }
    }
}

const COMMON: &[&str] = &[
    "class",
    "damping",
    "frictionloss",
    "group",
    "limited",
    "margin",
    "range",
    "solimpfriction",
    "solimplimit",
    "solreffriction",
    "solreflimit",
    "springlength",
    "stiffness",
    "user",
];
const DRAWING: &[&str] = &["material", "rgba", "width"];
const OWN: &[&str] = &["actuatorfrclimited", "actuatorfrcrange", "armature", "name"];

impl TendonSettings {
    /// Reads the element of a class.
    pub fn apply(&mut self, e: &Element) -> Result<()> {
        e.allow(&[COMMON, DRAWING])?;
        e.childless()?;
        self.common(e)
    }

    fn common(&mut self, e: &Element) -> Result<()> {
        e.fill("stiffness", &mut self.stiffness)?;
        e.fill("damping", &mut self.damping)?;
        match e.list("springlength", 2)?.as_deref() {
            None => {}
            Some([length]) => self.spring_length = [*length; 2],
            Some([low, high]) => self.spring_length = [*low, *high],
            Some(_) => return Err(e.invalid("attribute \"springlength\" is empty").remedy("write one or two lengths")),
        }
        e.set("armature", &mut self.armature)?;
        e.set("frictionloss", &mut self.friction_loss)?;
        set(&mut self.limited, e.tristate("limited")?);
        set(&mut self.range, e.numbers("range")?);
        e.set("margin", &mut self.margin)?;
        softness::apply(e, "solreflimit", "solimplimit", &mut self.limit_softness)?;
        softness::apply(e, "solreffriction", "solimpfriction", &mut self.friction_softness)
    }

    /// The tendon, its path appended to the lists.
    pub fn finish(
        mut self,
        e: &Element,
        compiler: &Compiler,
        names: &Names,
        lists: &mut Lists<f64>,
    ) -> Result<Tendon<f64>> {
        let drawing: &[&str] = if e.tag == "spatial" { DRAWING } else { &[] };
        e.allow(&[COMMON, drawing, OWN])?;
        self.common(e)?;
        let path = match e.tag.as_str() {
            "fixed" => fixed(e, names, lists)?,
            "spatial" => spatial(e, names, lists)?,
            _ => return Err(e.unknown()),
        };
        let [low, high] = self.spring_length;
        if low > high {
            return Err(e.invalid("springlength[0] is larger than springlength[1]").remedy("correct springlength"));
        }
        if self.damping.iter().chain([&self.armature, &self.friction_loss]).any(|x| *x < 0.0) {
            return Err(
                e.unsupported("a damping, armature or frictionloss that is negative is not supported", "correct it")
            );
        }
        Ok(Tendon {
            path,
            stiffness: self.stiffness,
            damping: self.damping,
            spring_length: (self.spring_length != BY_ITSELF).then_some(self.spring_length),
            armature: self.armature,
            friction_loss: self.friction_loss,
            friction_softness: self.friction_softness,
            range: compiler.active_range(e, ["range", "limited"], self.range, self.limited)?,
            margin: self.margin,
            limit_softness: self.limit_softness,
            actuator_force_range: actuator_force_range(e, compiler)?,
        })
    }
}

/// The range for the actuators' forces; unlike others it is not active where the file does not mention it.
fn actuator_force_range(e: &Element, compiler: &Compiler) -> Result<Option<[f64; 2]>> {
    let limited = e.tristate("actuatorfrclimited")?.unwrap_or(Some(false));
    let range = e.numbers("actuatorfrcrange")?.unwrap_or_default();
    let range = compiler.active_range(e, ["actuatorfrcrange", "actuatorfrclimited"], range, limited)?;
    if range.is_some_and(|[low, high]| low > 0.0 || high < 0.0) {
        return Err(e.invalid("actuatorfrcrange does not contain 0").remedy("correct actuatorfrcrange"));
    }
    Ok(range)
}

/// Where a stretch that is now as long as the second number begins and how long it is.
fn stretch(e: &Element, first: usize, end: usize) -> Result<(u16, u16)> {
    match (u16::try_from(first), u16::try_from(end)) {
        (Ok(first), Ok(end)) => Ok((first, end - first)),
        _ => Err(e.invalid("too many parts of tendons").remedy("make the model smaller")),
    }
}

fn fixed(e: &Element, names: &Names, lists: &mut Lists<f64>) -> Result<TendonPath> {
    let start = lists.tendon_joints.len();
    for part in &e.children {
        if part.tag != "joint" {
            return Err(part.unknown());
        }
        part.allow(&[&["joint", "coef"]])?;
        part.childless()?;
        let joint = names.scalar_joint(part, "joint")?;
        part.required("coef")?;
        let [coefficient] = part.numbers("coef")?.unwrap_or_default();
        lists.tendon_joints.push(TendonJoint { joint, coefficient });
    }
    let (first, count) = stretch(e, start, lists.tendon_joints.len())?;
    if count == 0 {
        return Err(e.invalid("a tendon without joints").remedy("add <joint joint=\"…\" coef=\"…\"/>"));
    }
    Ok(TendonPath::Joints { first, count })
}

fn spatial(e: &Element, names: &Names, lists: &mut Lists<f64>) -> Result<TendonPath> {
    let start = lists.tendon_sites.len();
    for part in &e.children {
        match part.tag.as_str() {
            "site" => {}
            "geom" => {
                return Err(part.unsupported(
                    "tendons that wrap around geoms are not supported",
                    "lead the tendon through sites, or couple joints with a fixed tendon",
                ));
            }
            "pulley" => {
                return Err(part.unsupported(
                    "pulleys are not supported",
                    "use two tendons, or couple joints with a fixed tendon",
                ));
            }
            _ => return Err(part.unknown()),
        }
        part.allow(&[&["site"]])?;
        part.childless()?;
        let site = names.sites.find(part, "site")?;
        if lists.tendon_sites.len() > start && lists.tendon_sites.last() == Some(&site) {
            return Err(part.invalid("the same site twice in a row").remedy("remove one"));
        }
        lists.tendon_sites.push(site);
    }
    let (first, count) = stretch(e, start, lists.tendon_sites.len())?;
    if count < 2 {
        return Err(e.invalid("a spatial tendon needs two sites at least").remedy("add <site site=\"…\"/>"));
    }
    Ok(TendonPath::Sites { first, count })
}
