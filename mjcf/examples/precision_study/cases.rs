//! Models to study: files of a folder in their poses, or the variants of a case folder.

use std::path::{Path, PathBuf};

use delassus_mjcf::{Mechanism, read_file, read_text};
use serde_json::Value;

use crate::machine::Start;

/// A model and where it starts.
pub struct Case {
    pub name: String,
    pub mechanism: Mechanism,
    pub start: Start,
}

/// All cases of a folder.
pub fn load(folder: &Path) -> Vec<Result<Case, String>> {
    let name = folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let expected = folder.join("expected.json");
    if expected.is_file() {
        return match variants(&expected) {
            Ok(list) => list.iter().filter(|v| v["expect"] != "error").map(|v| variant(folder, &name, v)).collect(),
            Err(message) => vec![Err(format!("{}: {message}", expected.display()))],
        };
    }
    let Ok(entries) = std::fs::read_dir(folder) else { return vec![Err(format!("{}: no folder", folder.display()))] };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "xml"));
    files.sort();
    files.iter().flat_map(|path| poses(path)).collect()
}

/// A model file at its reference configuration and its keyframes.
fn poses(path: &Path) -> Vec<Result<Case, String>> {
    let name = path.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let mechanism = match read_file(path) {
        Ok(mechanism) => mechanism,
        Err(error) => return vec![Err(error.to_string())],
    };
    let reference = Start::reference(&mechanism);
    let mut starts = vec![("reference".to_owned(), reference.clone())];
    for key in &mechanism.keyframes {
        let start = Start {
            configuration: key.configuration.clone(),
            velocity: key.velocity.clone(),
            control: key.control.clone(),
            ..reference.clone()
        };
        starts.push((key.name.clone(), start));
    }
    let case = |(pose, start)| Ok(Case { name: format!("{name}/{pose}"), mechanism: mechanism.clone(), start });
    starts.into_iter().map(case).collect()
}

fn variants(path: &Path) -> Result<Vec<Value>, String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let mut all: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    match all["variants"].take() {
        Value::Array(list) => Ok(list),
        _ => Err("no variants".into()),
    }
}

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().map(|list| list.iter().filter_map(Value::as_f64).collect()).unwrap_or_default()
}

/// A variant: the model with the variant's options and numbers, at the variant's state.
fn variant(folder: &Path, case: &str, variant: &Value) -> Result<Case, String> {
    let name = format!("{case}/{}", variant["name"].as_str().unwrap_or(""));
    let file = variant["file"].as_str().unwrap_or("model.xml");
    let text = std::fs::read_to_string(folder.join(file)).map_err(|e| format!("{name}: {e}"))?;
    let text = edited(&text, variant).map_err(|e| format!("{name}: {e}"))?;
    let mechanism = read_text(&text).map_err(|e| format!("{name}: {e}"))?;
    let mut start = Start::reference(&mechanism);
    let initial = &variant["init"];
    for (key, slot) in [
        ("qpos", &mut start.configuration),
        ("qvel", &mut start.velocity),
        ("qfrc_applied", &mut start.force),
        ("ctrl", &mut start.control),
    ] {
        let list = numbers(&initial[key]);
        if !list.is_empty() {
            *slot = list;
        }
    }
    start.equality_active = numbers(&initial["eq_active"]).iter().map(|x| *x != 0.0).collect();
    if let Some(list) = initial["eq_active"].as_array().filter(|list| list.iter().any(Value::is_boolean)) {
        start.equality_active = list.iter().map(|x| x.as_bool().unwrap_or(false)).collect();
    }
    Ok(Case { name, mechanism, start })
}

/// The text of the model with a variant's changes: an option element more, which overrides, and attributes set.
fn edited(text: &str, variant: &Value) -> Result<String, String> {
    let document = roxmltree::Document::parse(text).map_err(|e| e.to_string())?;
    let mut edits: Vec<(std::ops::Range<usize>, String)> = Vec::new();
    for change in variant["set"].as_array().into_iter().flatten() {
        let [kind, name, field] = [0, 1, 2].map(|k| change[k].as_str().unwrap_or(""));
        let value: Vec<String> = numbers(&change[3]).iter().map(f64::to_string).collect();
        let value = value.join(" ");
        let tags: &[&str] = match kind {
            "joint" => &["joint", "freejoint"],
            "dof" => &["joint"],
            "equality" => &["connect", "weld", "joint", "tendon"],
            "tendon" => &["fixed", "spatial"],
            "geom" | "body" | "pair" => &[kind],
            _ => return Err(format!("cannot set {kind}")),
        };
        let attribute = match (kind, field) {
            ("joint", "solref") => "solreflimit",
            ("joint", "solimp") => "solimplimit",
            ("dof", "solref") => "solreffriction",
            ("dof", "solimp") => "solimpfriction",
            _ => field,
        };
        let section = |node: &roxmltree::Node<'_, '_>| match kind {
            "equality" | "tendon" => node.ancestors().any(|above| above.has_tag_name(kind)),
            _ => true,
        };
        let is_it = |node: &roxmltree::Node<'_, '_>| {
            node.is_element()
                && tags.contains(&node.tag_name().name())
                && node.attribute("name") == Some(name)
                && section(node)
        };
        for node in document.descendants().filter(is_it) {
            match node.attribute_node(attribute) {
                Some(old) => edits.push((old.range_value(), value.clone())),
                None => {
                    let at = node.range().start + 1 + node.tag_name().name().len();
                    edits.push((at..at, format!(" {attribute}=\"{value}\"")));
                }
            }
        }
    }
    let end = text.rfind("</mujoco>").ok_or("no end of the model")?;
    edits.push((end..end, option(&variant["opt"])));
    edits.sort_by_key(|(range, _)| range.start);
    let mut result = text.to_owned();
    for (range, new) in edits.into_iter().rev() {
        result.replace_range(range, &new);
    }
    Ok(result)
}

fn option(options: &Value) -> String {
    let mut text = String::from("<option");
    for key in [
        "timestep",
        "integrator",
        "cone",
        "solver",
        "iterations",
        "tolerance",
        "ls_iterations",
        "ls_tolerance",
        "noslip_iterations",
        "noslip_tolerance",
        "impratio",
    ] {
        let value = match &options[key] {
            Value::String(word) => word.clone(),
            Value::Number(number) => number.to_string(),
            _ => continue,
        };
        text.push_str(&format!(" {key}=\"{value}\""));
    }
    let gravity: Vec<String> = numbers(&options["gravity"]).iter().map(f64::to_string).collect();
    text.push_str(&format!(" gravity=\"{}\"><flag", gravity.join(" ")));
    for word in ["disable", "enable"] {
        for flag in options[word].as_array().into_iter().flatten().filter_map(Value::as_str) {
            text.push_str(&format!(" {flag}=\"{word}\""));
        }
    }
    text + "/></option>"
}
