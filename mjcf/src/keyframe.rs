//! `<keyframe>`: states.

use delassus::description::JointKind;

use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};
use crate::limits;
use crate::mechanism::{Keyframe, Lists, reference_configuration};

/// Reads keys; `count` is the `nkey` of `<size>`, up to which keys at the reference configuration follow.
pub(crate) fn read(keys: &[&Element], count: usize, lists: &Lists<f64>) -> Result<Vec<Keyframe>> {
    let reference = reference_configuration(lists);
    let dofs = lists.dofs();
    let total = keys.len().max(count).saturating_mul(reference.len() + dofs + lists.actuators.len());
    if total > limits::KEYFRAME_NUMBERS || count > limits::ITEMS {
        let message = format!("keyframes with more than {} numbers", limits::KEYFRAME_NUMBERS);
        return Err(Error::new(ErrorKind::Limit, None, "<keyframe>", message).remedy("keep fewer of them"));
    }
    let blank = Keyframe {
        name: String::new(),
        time: 0.0,
        configuration: reference,
        velocity: vec![0.0; dofs],
        control: vec![0.0; lists.actuators.len()],
    };
    let mut list: Vec<Keyframe> = Vec::with_capacity(keys.len().max(count));
    for e in keys {
        if e.tag != "key" {
            return Err(e.unknown());
        }
        e.allow(&[&["name", "time", "qpos", "qvel", "act", "ctrl", "mpos", "mquat"]])?;
        e.childless()?;
        let mut key = blank.clone();
        e.set("time", &mut key.time)?;
        key.name = e.name().to_owned();
        if !key.name.is_empty() && list.iter().any(|other| other.name == key.name) {
            return Err(e.invalid("a key of this name exists already").remedy("rename one"));
        }
        for (name, slot) in [("qpos", &mut key.configuration), ("qvel", &mut key.velocity), ("ctrl", &mut key.control)]
        {
            if let Some(numbers) = e.list(name, slot.len())?.filter(|numbers| !numbers.is_empty()) {
                if numbers.len() != slot.len() {
                    let message =
                        format!("attribute \"{name}\" has {} numbers, the model needs {}", numbers.len(), slot.len());
                    return Err(e.invalid(message).remedy("correct their number"));
                }
                *slot = numbers;
            }
        }
        for name in ["act", "mpos", "mquat"] {
            if !e.list(name, limits::ITEMS)?.unwrap_or_default().is_empty() {
                return Err(e
                    .invalid(format!("attribute \"{name}\": the model has nothing of the kind"))
                    .remedy("remove it"));
            }
        }
        normalise(e, lists, &mut key.configuration)?;
        list.push(key);
    }
    while list.len() < count {
        list.push(blank.clone());
    }
    Ok(list)
}

/// Quaternions of length one.
fn normalise(e: &Element, lists: &Lists<f64>, configuration: &mut [f64]) -> Result<()> {
    let mut start = 0;
    for joint in &lists.joints {
        let quaternion = match joint.kind {
            JointKind::Free => start + 3..start + 7,
            JointKind::Ball => start..start + 4,
            JointKind::Hinge | JointKind::Slide => start..start,
        };
        start += joint.kind.coordinates();
        let Some(q) = configuration.get_mut(quaternion).filter(|q| !q.is_empty()) else { continue };
        let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        if !(norm > 0.0) || !norm.is_finite() {
            return Err(e.invalid("attribute \"qpos\": a quaternion is zero or too long").remedy("correct it"));
        }
        // The engine leaves alone what is one already, up to rounding.
        if (norm - 1.0).abs() > 1e-15 {
            q.iter_mut().for_each(|x| *x /= norm);
        }
    }
    Ok(())
}
