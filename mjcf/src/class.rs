//! `<default>`: classes that inherit from each other.

use std::collections::HashMap;

use crate::actuator::{ActuatorSettings, is_actuator};
use crate::contact::PairSettings;
use crate::element::Element;
use crate::equality::EqualitySettings;
use crate::error::{Error, ErrorKind, Result};
use crate::geom::GeomSettings;
use crate::joint::JointSettings;
use crate::limits;
use crate::site::SiteSettings;
use crate::tendon::TendonSettings;

/// Settings from which elements of a class start.
#[derive(Clone, Debug, Default)]
pub(crate) struct Class {
    pub joint: JointSettings,
    pub geom: GeomSettings,
    pub site: SiteSettings,
    pub pair: PairSettings,
    pub equality: EqualitySettings,
    pub tendon: TendonSettings,
    pub actuator: ActuatorSettings,
}

/// All classes; the first is `main`, which everything starts from.
#[derive(Debug)]
pub(crate) struct Classes {
    list: Vec<Class>,
    names: HashMap<String, usize>,
}

/// A class as an index that is known to be valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClassId(usize);

/// Elements of a class that no supported element uses.
const WITHOUT_EFFECT: &[&str] = &["mesh", "material", "camera", "light"];

impl Classes {
    pub fn new() -> Self {
        Self { list: vec![Class::default()], names: HashMap::from([("main".to_owned(), 0)]) }
    }

    /// Reads a `<default>` of the top level.
    pub fn read(&mut self, e: &Element) -> Result<()> {
        if e.text("class").is_some_and(|name| name != "main") {
            return Err(e
                .invalid("the top class is called main")
                .remedy("put the class into another <default> inside"));
        }
        self.content(e, 0)
    }

    fn content(&mut self, e: &Element, id: usize) -> Result<()> {
        e.allow(&[&["class"]])?;
        let Some(class) = self.list.get_mut(id) else { return Err(e.unknown()) };
        for child in &e.children {
            match child.tag.as_str() {
                "default" => {}
                "joint" => class.joint.apply(child)?,
                "geom" => class.geom.apply(child)?,
                "site" => class.site.apply(child)?,
                "pair" => class.pair.apply(child)?,
                "equality" => class.equality.apply(child)?,
                "tendon" => class.tendon.apply(child)?,
                tag if is_actuator(tag) => class.actuator.apply(child)?,
                tag if WITHOUT_EFFECT.contains(&tag) => {}
                _ => return Err(child.unknown()),
            }
        }
        // A class takes over what its parent has when all of the parent's own settings are read.
        for child in e.children.iter().filter(|child| child.tag == "default") {
            let name = child.required("class")?;
            let inner = self.list.len();
            if name.is_empty() {
                return Err(child.invalid("the class has no name").remedy("name it"));
            }
            if inner >= limits::CLASSES {
                let message = format!("more than {} classes", limits::CLASSES);
                return Err(Error::new(ErrorKind::Limit, Some(child.place.clone()), &child.label(), message)
                    .remedy("use fewer classes"));
            }
            if self.names.insert(name.to_owned(), inner).is_some() {
                return Err(child.invalid("a class of this name exists already").remedy("rename one"));
            }
            let class = self.list.get(id).cloned().unwrap_or_default();
            self.list.push(class);
            self.content(child, inner)?;
        }
        Ok(())
    }

    /// The class that attribute `attribute` names, else `inherited`.
    pub fn find(&self, e: &Element, attribute: &str, inherited: ClassId) -> Result<ClassId> {
        let Some(name) = e.text(attribute) else { return Ok(inherited) };
        match self.names.get(name) {
            Some(id) => Ok(ClassId(*id)),
            None => Err(e.invalid(format!("unknown class \"{name}\"")).remedy("define it in <default>")),
        }
    }

    /// Settings of the element's own class, else of the nearest childclass.
    pub fn of(&self, e: &Element, inherited: ClassId) -> Result<Class> {
        let ClassId(id) = self.find(e, "class", inherited)?;
        Ok(self.list.get(id).cloned().unwrap_or_default())
    }

    /// The class of everything that names none.
    pub fn main(&self) -> ClassId {
        ClassId(0)
    }
}
