//! Names of a model as names of Rust.

use std::collections::HashSet;

/// Words that cannot be names of modules; names of constants are upper case and never among them.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod",
    "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true",
    "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// A name of Rust for each name of the model, lower case, all different: what is no letter or digit becomes `_`, no name becomes
/// `kind_index`, and a name that is taken gets its index.
pub(super) fn names(kind: &str, labels: &[String]) -> Vec<String> {
    let mut taken = HashSet::new();
    // Names that need no change keep them, whoever comes first.
    let plain: HashSet<String> = labels.iter().filter(|l| !l.is_empty() && **l == word(l)).cloned().collect();
    let mut list = Vec::with_capacity(labels.len());
    for (index, label) in labels.iter().enumerate() {
        let mut name = if label.is_empty() { format!("{kind}_{index}") } else { word(label) };
        let changed = name != *label;
        while taken.contains(&name) || changed && plain.contains(&name) {
            name = format!("{name}_{index}");
        }
        taken.insert(name.clone());
        list.push(name);
    }
    list
}

fn word(label: &str) -> String {
    let mut word = String::with_capacity(label.len());
    for c in label.chars() {
        if c.is_ascii_alphanumeric() {
            word.push(c.to_ascii_lowercase());
        } else if !word.ends_with('_') {
            word.push('_');
        }
    }
    let word = word.trim_matches('_');
    if word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()) {
        format!("n_{word}").trim_end_matches('_').to_owned()
    } else if KEYWORDS.contains(&word) {
        format!("{word}_")
    } else {
        word.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::names;

    fn of(labels: &[&str]) -> Vec<String> {
        names("joint", &labels.iter().map(|l| (*l).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn every_name_becomes_one_of_its_own() {
        assert_eq!(
            of(&["FL hip-joint", "fl_hip_joint", "", "1st", "type", "é", "FL_hip_joint"]),
            ["fl_hip_joint_0", "fl_hip_joint", "joint_2", "n_1st", "type_", "n", "fl_hip_joint_6"]
        );
    }
}
