//! Names, unique within a kind, and what they stand for.

use std::collections::HashMap;

use delassus::description::JointKind;

use crate::element::Element;
use crate::error::Result;

/// Names of one kind of thing, in order; an empty name is no name.
#[derive(Clone, Debug)]
pub(crate) struct NameList {
    kind: &'static str,
    list: Vec<String>,
    index: HashMap<String, u16>,
}

impl NameList {
    pub fn new(kind: &'static str) -> Self {
        Self { kind, list: Vec::new(), index: HashMap::new() }
    }

    pub fn push(&mut self, e: &Element, name: &str) -> Result<()> {
        let next = u16::try_from(self.list.len())
            .map_err(|_| e.invalid(format!("too many {}s", self.kind)).remedy("make the model smaller"))?;
        if !name.is_empty() && self.index.insert(name.to_owned(), next).is_some() {
            return Err(e.invalid(format!("a {} named \"{name}\" exists already", self.kind)).remedy("rename one"));
        }
        self.list.push(name.to_owned());
        Ok(())
    }

    /// What attribute `attribute`, which must be there, names.
    pub fn find(&self, e: &Element, attribute: &str) -> Result<u16> {
        let name = e.required(attribute)?;
        self.index.get(name).copied().ok_or_else(|| {
            e.invalid(format!("attribute \"{attribute}\": no {} is named \"{name}\"", self.kind))
                .remedy("correct the name")
        })
    }

    pub fn into_list(self) -> Vec<String> {
        self.list
    }
}

/// Names of everything that other elements refer to.
pub(crate) struct Names {
    /// The world is 0.
    pub bodies: NameList,
    pub joints: NameList,
    pub joint_kinds: Vec<JointKind>,
    pub sites: NameList,
    /// Filled when the tree is read.
    pub tendons: NameList,
}

impl Names {
    /// A body; `None` is the world.
    pub fn body(&self, e: &Element, attribute: &str) -> Result<Option<u16>> {
        Ok(self.bodies.find(e, attribute)?.checked_sub(1))
    }

    /// A slide or a hinge.
    pub fn scalar_joint(&self, e: &Element, attribute: &str) -> Result<u16> {
        let joint = self.joints.find(e, attribute)?;
        match self.joint_kinds.get(usize::from(joint)) {
            Some(JointKind::Hinge | JointKind::Slide) => Ok(joint),
            _ => Err(e
                .invalid(format!("attribute \"{attribute}\": must be a hinge or a slide"))
                .remedy("name another joint")),
        }
    }
}
