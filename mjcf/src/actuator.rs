//! `<actuator>`: motor, position, velocity, damper, and what general can say beyond them without activation.

use delassus::description::{Actuator, JointKind, Transmission};

use crate::compiler::{Compiler, set};
use crate::element::Element;
use crate::error::{Error, Result};
use crate::mechanism::Lists;
use crate::names::Names;

/// An actuator's attributes, on the way from the default class to the element. All kinds share them: what one kind sets, the next one
/// starts from, as in MuJoCo.
#[derive(Clone, Debug)]
pub(crate) struct ActuatorSettings {
    gear: [f64; 6],
    gain: [f64; 3],
    bias: [f64; 3],
    /// Whether gain and bias depend on length and velocity, or are constant and zero.
    affine: [bool; 2],
    /// Why it cannot be simulated, if it is used.
    refused: [Option<&'static str>; 3],
    control_limited: Option<bool>,
    control_range: [f64; 2],
    inherited_range: f64,
    force_limited: Option<bool>,
    force_range: [f64; 2],
    damping: [f64; 3],
    armature: f64,
}

impl Default for ActuatorSettings {
    fn default() -> Self {
        Self {
            gear: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            gain: [1.0, 0.0, 0.0],
            bias: [0.0; 3],
            affine: [false; 2],
            refused: [None; 3],
            control_limited: None,
            control_range: [0.0; 2],
            inherited_range: 0.0,
            force_limited: None,
            force_range: [0.0; 2],
            damping: [0.0; 3],
            armature: 0.0,
        }
    }
}

const COMMON: &[&str] = &[
    "armature",
    "class",
    "cranklength",
    "ctrllimited",
    "ctrlrange",
    "damping",
    "delay",
    "forcelimited",
    "forcerange",
    "gear",
    "group",
    "interp",
    "nsample",
    "user",
];
const OWN: &[&str] =
    &["cranksite", "joint", "jointinparent", "lengthrange", "name", "refsite", "site", "slidersite", "tendon"];
const GENERAL: &[&str] = &[
    "actdim",
    "actearly",
    "actlimited",
    "actrange",
    "biasprm",
    "biastype",
    "body",
    "dynprm",
    "dyntype",
    "gainprm",
    "gaintype",
];
const POSITION: &[&str] = &["dampratio", "inheritrange", "kp", "kv", "timeconst"];

/// Kinds of actuators that are refused when they are used.
const REFUSED: &[&str] = &["intvelocity", "cylinder", "muscle", "adhesion", "dcmotor", "plugin"];
const REMEDY: &str = "use motor, position, velocity, damper or general without activation";

/// Whether an element of a default class is that of an actuator.
pub(crate) fn is_actuator(tag: &str) -> bool {
    matches!(tag, "general" | "motor" | "position" | "velocity" | "damper") || REFUSED.contains(&tag)
}

/// An actuator, and what can only be settled when the whole mechanism is known.
pub(crate) struct ReadActuator<'e> {
    pub element: &'e Element,
    pub actuator: Actuator<f64>,
    /// Damping ratio of a position servo, from which kv follows.
    pub damping_ratio: Option<f64>,
    /// Damping and armature of the drive, which gear² carries to the joint or tendon.
    pub damping: [f64; 3],
    pub armature: f64,
}

impl ActuatorSettings {
    /// Reads the element of a class.
    pub fn apply(&mut self, e: &Element) -> Result<()> {
        if REFUSED.contains(&e.tag.as_str()) {
            // Other kinds of the class would start from what this one sets.
            self.refused[0] = Some("its class has a kind of actuator that is not supported");
            return Ok(());
        }
        self.read(e, &[])
    }

    fn read(&mut self, e: &Element, own: &[&str]) -> Result<()> {
        let of_kind: &[&str] = match e.tag.as_str() {
            "general" => GENERAL,
            "position" => POSITION,
            "velocity" | "damper" => &["kv"],
            _ => &[],
        };
        e.allow(&[COMMON, own, of_kind])?;
        e.childless()?;
        e.fill("gear", &mut self.gear)?;
        e.fill("damping", &mut self.damping)?;
        e.set("armature", &mut self.armature)?;
        set(&mut self.control_limited, e.tristate("ctrllimited")?);
        set(&mut self.control_range, e.numbers("ctrlrange")?);
        set(&mut self.force_limited, e.tristate("forcelimited")?);
        set(&mut self.force_range, e.numbers("forcerange")?);
        e.integer("group")?;
        if let Some(count) = e.integer("nsample")? {
            self.refused[1] = (count != 0).then_some("a delayed actuator is not supported");
        }
        e.set("cranklength", &mut 0.0)?;
        match e.tag.as_str() {
            "motor" => {
                self.gain[0] = 1.0;
                (self.affine, self.refused[2]) = ([false; 2], None);
            }
            "position" => self.position(e)?,
            "velocity" => {
                let mut kv = self.gain[0];
                e.set("kv", &mut kv)?;
                (self.gain[0], self.bias) = (kv, [0.0, 0.0, -kv]);
                (self.affine, self.refused[2]) = ([false, true], None);
            }
            "damper" => {
                let mut kv = 0.0;
                e.set("kv", &mut kv)?;
                if kv < 0.0 {
                    return Err(e.invalid("kv is negative").remedy("write a number that is not negative"));
                }
                if self.control_range.iter().any(|x| *x < 0.0) {
                    return Err(e.invalid("the control range of a damper is negative").remedy("correct ctrlrange"));
                }
                (self.gain, self.control_limited) = ([0.0, 0.0, -kv], Some(true));
                (self.affine, self.refused[2]) = ([true, false], None);
            }
            _ => self.general(e)?,
        }
        Ok(())
    }

    fn position(&mut self, e: &Element) -> Result<()> {
        let mut kp = self.gain[0];
        e.set("kp", &mut kp)?;
        self.gain[0] = kp;
        self.bias[1] = -kp;
        let (kv, ratio) = (e.numbers::<1>("kv")?, e.numbers::<1>("dampratio")?);
        match (kv, ratio) {
            (Some(_), Some(_)) => return Err(e.invalid("both kv and dampratio").remedy("keep one of them")),
            (Some([x]), _) | (_, Some([x])) if x < 0.0 => {
                return Err(e.invalid("kv or dampratio is negative").remedy("write a number that is not negative"));
            }
            // MuJoCo tells a damping ratio by its sign, and settles it when the mechanism is known.
            (Some([kv]), None) => self.bias[2] = -kv,
            (None, Some([ratio])) => self.bias[2] = ratio,
            (None, None) => {}
        }
        self.affine = [false, true];
        if let Some([time]) = e.numbers("timeconst")? {
            self.refused[2] = (time != 0.0).then_some("a position servo with a time constant is not supported");
        }
        if let Some([range]) = e.numbers("inheritrange")? {
            if range > 0.0 && e.text("ctrlrange").is_some() {
                return Err(e.invalid("both ctrlrange and inheritrange").remedy("keep one of them"));
            }
            if range < 0.0 {
                return Err(e.invalid("inheritrange is negative").remedy("write a number that is not negative"));
            }
            self.inherited_range = range;
        }
        Ok(())
    }

    fn general(&mut self, e: &Element) -> Result<()> {
        for (slot, type_name, numbers) in [(0, "gaintype", "gainprm"), (1, "biastype", "biasprm")] {
            let words = [
                ("fixed", Some(false)),
                ("none", Some(false)),
                ("affine", Some(true)),
                ("muscle", None),
                ("user", None),
                ("dcmotor", None),
            ];
            if let Some(word) = e.word(type_name, &words)? {
                self.affine[slot] = word.unwrap_or_default();
                self.refused[0] = word.is_none().then_some("a muscle, motor model or callback is not supported");
            }
            let into = if slot == 0 { &mut self.gain } else { &mut self.bias };
            for (slot, number) in into.iter_mut().zip(e.list(numbers, 10)?.unwrap_or_default()) {
                *slot = number;
            }
        }
        if let Some(kind) = e.text("dyntype") {
            self.refused[2] = (kind != "none").then_some("activation dynamics are not supported");
        }
        e.list("dynprm", 10)?;
        Ok(())
    }

    /// The actuator itself; `names` with those of tendons.
    pub fn finish<'e>(
        mut self,
        e: &'e Element,
        compiler: &Compiler,
        names: &Names,
        lists: &Lists<f64>,
    ) -> Result<ReadActuator<'e>> {
        if REFUSED.contains(&e.tag.as_str()) {
            return Err(e.unsupported(format!("actuators of kind {} are not supported", e.tag), REMEDY));
        }
        if !is_actuator(&e.tag) {
            return Err(e.unknown());
        }
        self.read(e, OWN)?;
        if let Some(reason) = self.refused.iter().flatten().next() {
            return Err(e.unsupported(*reason, REMEDY));
        }
        let transmission = transmission(e, names, lists)?;
        if self.inherited_range > 0.0 && e.tag == "position" {
            self.inherit(e, transmission, lists)?;
        }
        if e.tag == "damper" && !(self.control_range[0] < self.control_range[1]) {
            return Err(e.invalid("a damper needs a control range").remedy("write ctrlrange=\"0 1\""));
        }
        let constant = |numbers: [f64; 3], affine: bool, zeroth: f64| if affine { numbers } else { [zeroth, 0.0, 0.0] };
        let gain = constant(self.gain, self.affine[0], self.gain[0]);
        let mut bias = constant(self.bias, self.affine[1], 0.0);
        // What looks like a position servo with a positive velocity term is one with a damping ratio.
        let like_position = !self.affine[0] && self.affine[1] && self.gain[0] == -self.bias[1];
        let damping_ratio = Some(bias[2]).filter(|ratio| like_position && *ratio > 0.0);
        if damping_ratio.is_some() {
            bias[2] = 0.0;
        }
        let range = |names, range, limited| compiler.active_range(e, names, range, limited);
        Ok(ReadActuator {
            element: e,
            actuator: Actuator {
                transmission,
                gear: self.gear,
                gain,
                bias,
                control_range: range(["ctrlrange", "ctrllimited"], self.control_range, self.control_limited)?,
                force_range: range(["forcerange", "forcelimited"], self.force_range, self.force_limited)?,
            },
            damping_ratio,
            damping: self.damping,
            armature: self.armature,
        })
    }

    /// The control range from the range of what it pulls on.
    fn inherit(&mut self, e: &Element, transmission: Transmission, lists: &Lists<f64>) -> Result<()> {
        let range = match transmission {
            Transmission::Joint(joint) => lists.joints.get(usize::from(joint)).and_then(|joint| joint.range),
            Transmission::Tendon(tendon) => lists.tendons.get(usize::from(tendon)).and_then(|tendon| tendon.range),
        };
        let Some([low, high]) = range else {
            return Err(e.invalid("inheritrange, and the target has no range").remedy("write ctrlrange"));
        };
        let (middle, half) = (0.5 * (low + high), 0.5 * (high - low) * self.inherited_range);
        self.control_range = [middle - half, middle + half];
        self.control_limited = Some(true);
        Ok(())
    }
}

fn transmission(e: &Element, names: &Names, lists: &Lists<f64>) -> Result<Transmission> {
    let targets: Vec<&str> = ["joint", "jointinparent", "tendon", "slidersite", "cranksite", "site", "refsite", "body"]
        .into_iter()
        .filter(|name| e.text(name).is_some())
        .collect();
    let unsupported = |error: &str| -> Error { e.unsupported(error.to_owned(), "pull on a joint or a tendon") };
    match targets[..] {
        ["joint"] => Ok(Transmission::Joint(names.joints.find(e, "joint")?)),
        ["tendon"] => Ok(Transmission::Tendon(names.tendons.find(e, "tendon")?)),
        ["jointinparent"] => {
            let joint = names.joints.find(e, "jointinparent")?;
            match lists.joints.get(usize::from(joint)).map(|joint| joint.kind) {
                Some(JointKind::Hinge | JointKind::Slide) => Ok(Transmission::Joint(joint)),
                _ => Err(unsupported("a transmission in the parent's frame is not supported")),
            }
        }
        [] => Err(e.invalid("nothing to pull on").remedy("write joint or tendon")),
        ["site" | "refsite", ..] => Err(unsupported("a transmission through a site is not supported")),
        ["slidersite" | "cranksite", ..] => Err(unsupported("a slider-crank is not supported")),
        ["body"] => Err(unsupported("adhesion is not supported")),
        _ => Err(e.invalid("more than one thing to pull on").remedy("keep joint or tendon")),
    }
}
