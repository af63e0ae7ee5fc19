//! Names of a model's parts as modules of constants.

use delassus::description::JointKind;

use super::names::names;
use super::text::{Text, one_line};
use super::{Mechanism, Scalar};

/// `body`, `joint`, `geom`, `site`, `equality`, `tendon`, `actuator`, `keyframe`; a kind of which there is none has no module.
pub(super) fn write(text: &mut Text, mechanism: &Mechanism, scalar: Scalar) {
    let labels = &mechanism.labels;
    list(text, "body", "Indices of bodies.", &labels.bodies);
    joints(text, mechanism);
    list(text, "geom", "Indices of geoms.", &labels.geoms);
    list(text, "site", "Indices of sites.", &labels.sites);
    list(text, "equality", "Indices of equalities.", &labels.equalities);
    list(text, "tendon", "Indices of tendons.", &labels.tendons);
    list(text, "actuator", "Indices of actuators: places in the control of a tick.", &labels.actuators);
    keyframes(text, mechanism, scalar);
}

fn module(text: &mut Text, name: &str, doc: &str, inside: impl FnOnce(&mut Text)) {
    text.line("");
    text.line(format!("/// {doc}"));
    text.line("#[allow(dead_code)]");
    text.block(format!("pub mod {name} {{"), "}", inside);
}

fn list(text: &mut Text, kind: &str, doc: &str, labels: &[String]) {
    if labels.is_empty() {
        return;
    }
    module(text, kind, doc, |text| {
        for (index, (label, name)) in labels.iter().zip(names(kind, labels)).enumerate() {
            text.line(if label.is_empty() {
                "/// Without a name.".to_owned()
            } else {
                format!("/// `{}`.", one_line(label))
            });
            text.line(format!("pub const {}: u16 = {index};", name.to_uppercase()));
        }
    });
}

/// What a joint's coordinate is.
fn unit(kind: JointKind) -> &'static str {
    match kind {
        JointKind::Free => "free, world position (m) and quaternion; world linear and body angular velocity",
        JointKind::Ball => "ball, quaternion; body angular velocity (rad/s)",
        JointKind::Hinge => "hinge (rad)",
        JointKind::Slide => "slide (m)",
    }
}

fn joints(text: &mut Text, mechanism: &Mechanism) {
    let joints = &mechanism.lists.joints;
    if joints.is_empty() {
        return;
    }
    module(text, "joint", "Joints: index, first degree of freedom, first configuration number.", |text| {
        let (mut dof, mut coordinate) = (0, 0);
        let labels = &mechanism.labels.joints;
        for (index, ((joint, label), name)) in joints.iter().zip(labels).zip(names("joint", labels)).enumerate() {
            if index > 0 {
                text.line("");
            }
            let label = if label.is_empty() { "Without a name".to_owned() } else { format!("`{}`", one_line(label)) };
            text.line(format!("/// {label}: {}.", unit(joint.kind)));
            text.block(format!("pub mod {name} {{"), "}", |text| {
                text.line("/// Index in the description.");
                text.line(format!("pub const INDEX: u16 = {index};"));
                text.line("/// First degree of freedom.");
                text.line(format!("pub const DOF: usize = {dof};"));
                text.line("/// First configuration number.");
                text.line(format!("pub const COORDINATE: usize = {coordinate};"));
            });
            dof += joint.kind.dofs();
            coordinate += joint.kind.coordinates();
        }
    });
}

fn keyframes(text: &mut Text, mechanism: &Mechanism, scalar: Scalar) {
    let keys = &mechanism.keyframes;
    if keys.is_empty() {
        return;
    }
    let labels: Vec<String> = keys.iter().map(|key| key.name.clone()).collect();
    module(text, "keyframe", "States that the model's file describes.", |text| {
        for (index, (key, name)) in keys.iter().zip(names("keyframe", &labels)).enumerate() {
            if index > 0 {
                text.line("");
            }
            let label =
                if key.name.is_empty() { "Without a name".to_owned() } else { format!("`{}`", one_line(&key.name)) };
            text.line(format!("/// {label}."));
            text.line("#[allow(clippy::approx_constant)]");
            text.block(format!("pub mod {name} {{"), "}", |text| {
                for (doc, constant, list) in [
                    ("Configuration, in the order of the joints.", "CONFIGURATION", &key.configuration),
                    ("Velocity, in the order of the joints.", "VELOCITY", &key.velocity),
                    ("Control, in the order of the actuators.", "CONTROL", &key.control),
                ] {
                    if list.is_empty() {
                        continue;
                    }
                    text.line(format!("/// {doc}"));
                    let head = format!("pub static {constant}: [{}; {}] = ", scalar.name(), list.len());
                    text.array(&head, &scalar.numbers(list), ";");
                }
            });
        }
    });
}
