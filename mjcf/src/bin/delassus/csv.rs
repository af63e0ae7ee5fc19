//! `simulate --csv`: one line a state.

use std::fmt::Write;

use crate::layout::Layout;
use crate::recorder::Recording;

/// A field of a header, in quotes where it has to be.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// A comma and the shortest digits that give the number back.
fn write_number(text: &mut String, number: f64) {
    // Writing to a String cannot fail.
    let _ = if number != 0.0 && !(1e-4..1e15).contains(&number.abs()) {
        write!(text, ",{number:e}")
    } else {
        write!(text, ",{number}")
    };
}

/// The whole file: a header with units, then a line each record.
///
/// Columns: time, configuration, velocity, energies, then normal force and friction of each pair of geoms that touched at any
/// recorded time, in the order of their first contact; 0 where they do not touch.
pub fn text(recording: &Recording, layout: &Layout) -> String {
    let pairs = recording.pairs();
    let mut header = vec!["time [s]".to_owned()];
    header.extend(layout.coordinates().into_iter().map(|(name, unit)| field(&format!("q {name} [{unit}]"))));
    header.extend(layout.velocities().into_iter().map(|(name, unit)| field(&format!("v {name} [{unit}]"))));
    header.extend(["kinetic energy [J]", "gravity energy [J]", "spring energy [J]"].map(str::to_owned));
    for pair in &pairs {
        for part in ["normal", "friction"] {
            header.push(field(&format!("{part} {} [N]", layout.pair(*pair))));
        }
    }
    let mut text = header.join(",");
    text.push('\n');
    for (time, record) in &recording.records {
        let _ = write!(text, "{time}");
        for number in record.configuration.iter().chain(&record.velocity).chain(&record.energy) {
            write_number(&mut text, *number);
        }
        for pair in &pairs {
            let touch = record.touches.iter().find(|touch| touch.geoms == *pair);
            let [normal, friction] = touch.map_or([0.0; 2], |touch| [touch.normal, touch.friction]);
            write_number(&mut text, normal);
            write_number(&mut text, friction);
        }
        text.push('\n');
    }
    text
}
