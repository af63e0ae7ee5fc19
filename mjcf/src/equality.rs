//! `<equality>`: connect, weld, joint, tendon.

use delassus::description::{Equality, EqualityKind};
use delassus::spatial::Quaternion;

use crate::compiler::set;
use crate::element::Element;
use crate::error::Result;
use crate::names::Names;
use crate::softness::{self, Softness};

/// What equalities of all kinds take from a default class.
#[derive(Clone, Debug)]
pub(crate) struct EqualitySettings {
    active: bool,
    softness: Softness,
}

impl Default for EqualitySettings {
    fn default() -> Self {
        Self { active: true, softness: Softness::DEFAULT }
    }
}

const COMMON: &[&str] = &["name", "class", "active", "solref", "solimp"];

impl EqualitySettings {
    /// Reads the element of a class.
    pub fn apply(&mut self, e: &Element) -> Result<()> {
        e.allow(&[COMMON])?;
        self.common(e)
    }

    fn common(&mut self, e: &Element) -> Result<()> {
        e.childless()?;
        set(&mut self.active, e.switch("active")?);
        softness::apply(e, "solref", "solimp", &mut self.softness)
    }

    /// The constraint itself.
    pub fn finish(mut self, e: &Element, names: &Names) -> Result<Equality<f64>> {
        let kind = match e.tag.as_str() {
            "connect" => connect(e, names)?,
            "weld" => weld(e, names)?,
            "joint" => coupling(e, names)?,
            "tendon" => tendon_coupling(e, names)?,
            "flex" | "flexvert" | "flexstrain" => {
                return Err(e.unsupported("flexes are not supported", "use rigid bodies"));
            }
            _ => return Err(e.unknown()),
        };
        self.common(e)?;
        Ok(Equality { kind, active: self.active, softness: self.softness })
    }
}

/// The two bodies or the two sites.
enum Ends {
    Bodies([Option<u16>; 2]),
    Sites([u16; 2]),
}

fn ends(e: &Element, names: &Names) -> Result<Ends> {
    let bodies = e.text("body1").is_some() || e.text("body2").is_some();
    let sites = e.text("site1").is_some() || e.text("site2").is_some();
    if bodies == sites {
        return Err(e.invalid("either bodies or sites").remedy("write body1 (and body2), or site1 and site2"));
    }
    if sites {
        let ends = [names.sites.find(e, "site1")?, names.sites.find(e, "site2")?];
        if ends[0] == ends[1] {
            return Err(e.invalid("the two sites are the same").remedy("name different ones"));
        }
        return Ok(Ends::Sites(ends));
    }
    let second = if e.text("body2").is_some() { names.body(e, "body2")? } else { None };
    let ends = [names.body(e, "body1")?, second];
    if ends[0] == ends[1] {
        return Err(e.invalid("the two bodies are the same").remedy("name different ones"));
    }
    Ok(Ends::Bodies(ends))
}

fn connect(e: &Element, names: &Names) -> Result<EqualityKind<f64>> {
    e.allow(&[COMMON, &["body1", "body2", "site1", "site2", "anchor"]])?;
    match (ends(e, names)?, e.numbers("anchor")?) {
        (Ends::Bodies(bodies), Some(anchor)) => Ok(EqualityKind::Connect { bodies, anchor }),
        (Ends::Sites(sites), None) => Ok(EqualityKind::ConnectSites { sites }),
        (Ends::Bodies(_), None) => Err(e.invalid("the anchor is missing").remedy("add it")),
        (Ends::Sites(_), Some(_)) => Err(e.invalid("both sites and an anchor").remedy("remove the anchor")),
    }
}

fn weld(e: &Element, names: &Names) -> Result<EqualityKind<f64>> {
    e.allow(&[COMMON, &["body1", "body2", "site1", "site2", "anchor", "relpose", "torquescale"]])?;
    let mut torque_scale = 1.0;
    e.set("torquescale", &mut torque_scale)?;
    let (anchor, pose) = (e.numbers::<3>("anchor")?, e.numbers::<7>("relpose")?);
    match ends(e, names)? {
        Ends::Sites(_) if anchor.is_some() || pose.is_some() => {
            Err(e.invalid("both sites and a pose").remedy("remove anchor and relpose"))
        }
        Ends::Sites(sites) => Ok(EqualityKind::WeldSites { sites, torque_scale }),
        Ends::Bodies(bodies) => {
            let relative_pose = pose.and_then(|[x, y, z, q0, q1, q2, q3]| {
                // A zero quaternion asks for the reference pose.
                let q = Quaternion([q0, q1, q2, q3]).normalized()?;
                Some(([x, y, z], q.0))
            });
            Ok(EqualityKind::Weld { bodies, anchor: anchor.unwrap_or_default(), relative_pose, torque_scale })
        }
    }
}

fn coupling(e: &Element, names: &Names) -> Result<EqualityKind<f64>> {
    e.allow(&[COMMON, &["joint1", "joint2", "polycoef"]])?;
    let mut polynomial = [0.0, 1.0, 0.0, 0.0, 0.0];
    e.fill("polycoef", &mut polynomial)?;
    let joint = names.scalar_joint(e, "joint1")?;
    let leader = e.text("joint2").map(|_| names.scalar_joint(e, "joint2")).transpose()?;
    if leader == Some(joint) {
        return Err(e.invalid("the two joints are the same").remedy("name different ones"));
    }
    Ok(EqualityKind::Coupling { joint, leader, polynomial })
}

fn tendon_coupling(e: &Element, names: &Names) -> Result<EqualityKind<f64>> {
    e.allow(&[COMMON, &["tendon1", "tendon2", "polycoef"]])?;
    let mut polynomial = [0.0, 1.0, 0.0, 0.0, 0.0];
    e.fill("polycoef", &mut polynomial)?;
    let tendon = names.tendons.find(e, "tendon1")?;
    let leader = e.text("tendon2").map(|_| names.tendons.find(e, "tendon2")).transpose()?;
    if leader == Some(tendon) {
        return Err(e.invalid("the two tendons are the same").remedy("name different ones"));
    }
    Ok(EqualityKind::TendonCoupling { tendon, leader, polynomial })
}
