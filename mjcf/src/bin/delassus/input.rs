//! The state to start from: a keyframe, a state file over it, the reference configuration else.

use std::io::Read;
use std::path::Path;

use delassus_mjcf::Mechanism;
use serde::Deserialize;

use crate::failure::Failure;

/// Bytes of a state file.
const LARGEST: u64 = 16 << 20;

/// A state file; every key is optional.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct StateFile {
    qpos: Option<Vec<f64>>,
    qvel: Option<Vec<f64>>,
    qfrc_applied: Option<Vec<f64>>,
    ctrl: Option<Vec<f64>>,
    equality_active: Option<Vec<bool>>,
}

/// What a run starts from.
#[derive(Clone)]
pub struct Start {
    pub configuration: Vec<f64>,
    pub velocity: Vec<f64>,
    /// Generalized force on each dof, held for the whole run.
    pub force: Vec<f64>,
    /// Control of each actuator, held likewise.
    pub control: Vec<f64>,
    /// Whether each equality acts; empty: as the model says.
    pub equality_active: Vec<bool>,
}

impl Start {
    /// At rest in the reference configuration.
    pub fn reference(mechanism: &Mechanism) -> Self {
        let dofs = mechanism.lists.dofs();
        Self {
            configuration: mechanism.reference_configuration(),
            velocity: vec![0.0; dofs],
            force: vec![0.0; dofs],
            control: vec![0.0; mechanism.lists.actuators.len()],
            equality_active: Vec::new(),
        }
    }

    pub fn new(mechanism: &Mechanism, state: Option<&Path>, key: Option<&str>) -> Result<Self, Failure> {
        let mut start = Self::reference(mechanism);
        if let Some(name) = key {
            let names = || mechanism.keyframes.iter().map(|key| key.name.as_str()).collect::<Vec<_>>().join(", ");
            let key = mechanism
                .keyframe(name)
                .ok_or_else(|| Failure::refused(format!("no keyframe \"{name}\"; the model has: {}", names())))?;
            start.configuration.clone_from(&key.configuration);
            start.velocity.clone_from(&key.velocity);
            start.control.clone_from(&key.control);
        }
        let Some(path) = state else { return Ok(start) };
        let file = read(path).map_err(|message| Failure::refused(format!("{}: {message}", path.display())))?;
        for (name, list, slot) in [
            ("qpos", file.qpos, &mut start.configuration),
            ("qvel", file.qvel, &mut start.velocity),
            ("qfrc_applied", file.qfrc_applied, &mut start.force),
            ("ctrl", file.ctrl, &mut start.control),
        ] {
            let Some(list) = list else { continue };
            check_length(path, name, list.len(), slot.len())?;
            *slot = list;
        }
        if let Some(list) = file.equality_active {
            check_length(path, "equality_active", list.len(), mechanism.lists.equalities.len())?;
            start.equality_active = list;
        }
        Ok(start)
    }
}

fn check_length(path: &Path, name: &str, found: usize, wanted: usize) -> Result<(), Failure> {
    if found == wanted {
        return Ok(());
    }
    Err(Failure::refused(format!("{}: {name} has {found} entries, the model needs {wanted}", path.display())))
}

fn read(path: &Path) -> Result<StateFile, String> {
    let file = std::fs::File::open(path).map_err(|e| e.to_string())?;
    let mut text = String::new();
    file.take(LARGEST).read_to_string(&mut text).map_err(|e| e.to_string())?;
    serde_json::from_str(&text).map_err(|e| e.to_string())
}
