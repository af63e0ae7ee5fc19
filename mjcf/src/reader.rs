//! The order in which the sections of a file are read.

use crate::assemble::assemble;
use crate::class::Classes;
use crate::compiler::{Compiler, set};
use crate::element::Element;
use crate::error::Result;
use crate::keyframe;
use crate::mechanism::Mechanism;
use crate::notes::Notes;
use crate::options::{self, SolverOptions};
use crate::tree::TreeReader;

/// The sections that matter, collected; a section may occur several times.
#[derive(Default)]
pub(crate) struct Sections<'e> {
    worlds: Vec<&'e Element>,
    pub contacts: Vec<&'e Element>,
    pub equalities: Vec<&'e Element>,
    pub tendons: Vec<&'e Element>,
    pub actuators: Vec<&'e Element>,
    keys: Vec<&'e Element>,
}

/// A mechanism from the root element.
pub(crate) fn read(root: &Element) -> Result<Mechanism> {
    if root.tag == "robot" {
        return Err(root.unsupported("URDF cannot be read", "load it in MuJoCo and save it as MJCF"));
    }
    if root.tag != "mujoco" {
        return Err(root.invalid("the root element must be <mujoco>").remedy("give an MJCF file"));
    }
    root.allow(&[&["model"]])?;
    let mut compiler = Compiler::default();
    let mut classes = Classes::new();
    let mut global = options::defaults();
    let mut solver = SolverOptions::default();
    let mut notes = Notes::default();
    let mut sections = Sections::default();
    let mut key_count = 0;
    // Compiler and defaults hold for the whole file, wherever they stand.
    for e in root.children.iter().filter(|e| e.tag == "compiler") {
        compiler.apply(e)?;
    }
    for e in &root.children {
        match e.tag.as_str() {
            "compiler" => {}
            "default" => classes.read(e)?,
            "option" => options::apply(e, &mut global, &mut solver)?,
            "worldbody" => sections.worlds.push(e),
            "contact" => sections.contacts.extend(children(e)?),
            "equality" => sections.equalities.extend(children(e)?),
            "keyframe" => sections.keys.extend(children(e)?),
            "size" => {
                if let Some(count) = e.integer("nkey")? {
                    key_count = usize::try_from(count).unwrap_or(0);
                }
                notes.skip(e, "memory is planned otherwise here");
            }
            "statistic" => {
                if let Some([inertia]) = e.numbers("meaninertia")? {
                    set(&mut solver.mean_inertia, Some(Some(inertia)));
                }
                notes.skip(e, "drawing and tolerances only");
            }
            "asset" | "visual" => notes.skip(e, "drawing only"),
            "custom" => notes.skip(e, "data of the user"),
            "sensor" => notes.skip(e, "sensors move nothing"),
            "extension" => notes.skip(e, "a plugin is refused where it is used"),
            "tendon" => sections.tendons.extend(children(e)?),
            "actuator" => sections.actuators.extend(children(e)?),
            "deformable" => {
                if let Some(flex) = e.children.iter().find(|child| child.tag != "skin") {
                    return Err(flex.unsupported("deformable bodies are not supported", "use rigid bodies"));
                }
                notes.skip(e, "drawing only");
            }
            _ => return Err(e.unknown()),
        }
    }
    let mut tree = TreeReader::new(root, &compiler, &classes, &mut notes);
    for e in &sections.worlds {
        tree.world(e)?;
    }
    let mut mechanism = assemble(tree, global, &sections)?;
    if let Some(e) = root.children.iter().find(|e| e.text("actuatorgroupdisable").is_some_and(|list| !list.is_empty()))
        && !sections.actuators.is_empty()
    {
        return Err(e.unsupported("disabled groups of actuators are not supported", "remove actuatorgroupdisable"));
    }
    mechanism.keyframes = keyframe::read(&sections.keys, key_count, &mechanism.lists)?;
    mechanism.name = root.text("model").unwrap_or_default().to_owned();
    mechanism.solver = solver;
    mechanism.notes = notes.0;
    Ok(mechanism)
}

fn children(e: &Element) -> Result<&[Element]> {
    e.allow(&[])?;
    Ok(&e.children)
}
