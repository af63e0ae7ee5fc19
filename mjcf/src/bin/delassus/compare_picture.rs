//! `compare --plot`: how the runs part, and the joint and the force that part most.

use crate::compare::{Differences, SMOOTHING, Series};
use crate::comparison::{Comparison, worst};
use crate::picture::{COLORS, Line, Panel, Result, panel, svg};
use crate::verdict::{FORCE_PART, PART};

/// Points of a line.
const POINTS: usize = 1_000;

/// At most [`POINTS`] of a measure, the largest of each stretch.
fn thinned(measure: &[f64], step: f64) -> Vec<(f64, f64)> {
    let stretch = measure.len().div_ceil(POINTS).max(1);
    let largest = |(index, part): (usize, &[f64])| {
        (
            (index * stretch) as f64 * step,
            part.iter().copied().fold(0.0f64, |a, b| if b.is_nan() { b } else { a.max(b) }),
        )
    };
    measure.chunks(stretch).enumerate().map(largest).collect()
}

/// Distances of f32 and of the perturbed runs.
fn distances(title: String, all: &[Series], part: f64, step: f64) -> Panel {
    let line = |name: &str, color, width, measure: &[f64]| Line {
        name: name.to_owned(),
        color,
        width,
        points: thinned(measure, step),
    };
    let narrow = worst(all, |series| &series.narrow);
    let perturbed = worst(all, |series| &series.perturbed);
    let lines = vec![line("f64, one f32 ulp aside", COLORS[1], 2, &perturbed), line("f32", COLORS[0], 2, &narrow)];
    let level = Some((part, "the runs part".to_owned()));
    Panel { level, logarithmic: true, ..Panel::new(title, "difference / scale", lines) }
}

/// The series that differs most.
fn worst_of(all: &[Series]) -> Option<&Series> {
    let most = |series: &Series| series.narrow.iter().copied().fold(0.0f32, f32::max) as f64 / series.scale;
    all.iter().max_by(|a, b| most(a).total_cmp(&most(b)))
}

fn both(title: String, series: &Series) -> Panel {
    let line = |name: &str, color, width, value: fn(&(f64, f64, f64)) -> (f64, f64)| Line {
        name: name.to_owned(),
        color,
        width,
        points: series.curve.iter().map(value).collect(),
    };
    let lines = vec![
        line("f64", COLORS[0], 5, |(t, wide, _)| (*t, *wide)),
        line("f32", COLORS[5], 2, |(t, _, narrow)| (*t, *narrow)),
    ];
    Panel::new(title, series.unit, lines)
}

/// Text of the SVG.
pub fn draw(found: &Differences, comparison: &Comparison) -> Result<String> {
    let mut panels = Vec::new();
    let moment = comparison.parts.as_ref().map(|parting| parting.time);
    if let Some(series) = worst_of(&found.joints) {
        panels.push(distances("Joints: the largest difference from f64".into(), &found.joints, PART, found.step));
        panels.push(both(format!("The joint that differs most: {}", series.name), series));
    }
    if let Some(series) = worst_of(&found.forces) {
        let title = format!("Forces, low-passed over {SMOOTHING} s: the largest difference from f64");
        panels.push(distances(title, &found.forces, FORCE_PART, found.step));
        panels.push(both(format!("The force that differs most: {}", series.name), series));
    }
    for panel in &mut panels {
        panel.moment = moment;
    }
    svg(&vec![290; panels.len().max(1)], |index, area| panels.get(index).map_or(Ok(()), |shown| panel(area, shown)))
}
