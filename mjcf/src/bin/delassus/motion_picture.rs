//! `simulate --plot`: the mechanism from the side, and its numbers over time.

use delassus::description::{JointKind, Shape};
use delassus::spatial::Quaternion;
use delassus_mjcf::Mechanism;
use plotters::style::RGBColor;

use crate::layout::{JointPlace, Layout};
use crate::picture::{COLORS, Line, Panel, Result, busiest, panel, svg};
use crate::record::Record;
use crate::recorder::Recording;
use crate::side_view;

/// A part of the energies, by name.
type Part = (&'static str, fn([f64; 3]) -> f64);
type Curve = (String, Vec<(f64, f64)>);

/// Text of the SVG.
pub fn draw(recording: &Recording, layout: &Layout, mechanism: &Mechanism) -> Result<String> {
    let records = &recording.records;
    let mut panels = Vec::new();
    let mut add = |title: &str, ordinate: &str, lines: Vec<Curve>| {
        if lines.is_empty() {
            return;
        }
        let (lines, count) = busiest(lines);
        let title = if count > lines.len() {
            format!("{title}: the {} of {count} that move most", lines.len())
        } else {
            title.into()
        };
        panels.push(Panel::new(title, ordinate, lines));
    };
    let (angles, places) = coordinates(records, layout);
    add("Angles", "angle, rad", angles);
    add("Positions", "position, m", places);
    let pairs = recording.pairs();
    let force = |record: &Record, pair: [u16; 2]| {
        record.touches.iter().find(|touch| touch.geoms == pair).map_or(0.0, |touch| touch.normal)
    };
    let contacts = pairs.iter().map(|pair| {
        let points = records.iter().map(|(time, record)| (*time, force(record, *pair)));
        (layout.pair(*pair), points.collect())
    });
    add("Contacts: normal forces", "force, N", contacts.collect());
    panels.push(energies(records));
    let has_view = !records.is_empty() && mechanism.lists.geoms.iter().any(|g| !matches!(g.shape, Shape::Plane));
    let mut heights = if has_view { vec![330] } else { Vec::new() };
    heights.extend(panels.iter().map(|_| 270));
    svg(&heights, |index, area| {
        if has_view && index == 0 {
            return side_view::draw(area, records, &mechanism.lists.geoms);
        }
        panel(area, &panels[index - usize::from(has_view)])
    })
}

/// Angle between two orientations \[rad\].
pub fn turn(a: &[f64], b: &[f64]) -> f64 {
    let quaternion = |q: &[f64]| <[f64; 4]>::try_from(q).ok().and_then(|q| Quaternion(q).normalized());
    let (Some(a), Some(b)) = (quaternion(a), quaternion(b)) else { return f64::NAN };
    a.conjugate().times(&b).rotation_vector().norm()
}

/// Lines of what is measured in radians and of what is measured in metres.
fn coordinates(records: &[(f64, Record)], layout: &Layout) -> (Vec<Curve>, Vec<Curve>) {
    let (mut angles, mut places) = (Vec::new(), Vec::new());
    let Some((_, first)) = records.first() else { return (angles, places) };
    let line = |value: &dyn Fn(&[f64]) -> f64| {
        records.iter().map(|(time, record)| (*time, value(&record.configuration))).collect::<Vec<_>>()
    };
    for JointPlace { name, kind, coordinate, .. } in &layout.joints {
        let at = *coordinate;
        match kind {
            JointKind::Hinge => angles.push((name.clone(), line(&|q| q[at]))),
            JointKind::Slide => places.push((name.clone(), line(&|q| q[at]))),
            JointKind::Free | JointKind::Ball => {
                let mut start = at;
                if *kind == JointKind::Free {
                    for (k, axis) in ["x", "y", "z"].iter().enumerate() {
                        places.push((format!("{name} {axis}"), line(&|q| q[at + k])));
                    }
                    start += 3;
                }
                let turned = line(&|q| turn(&first.configuration[start..start + 4], &q[start..start + 4]));
                angles.push((format!("{name}, turned by"), turned));
            }
        }
    }
    (angles, places)
}

/// Energies, that of gravity counted from the start.
fn energies(records: &[(f64, Record)]) -> Panel {
    let start = records.first().map_or(0.0, |(_, record)| record.energy[1]);
    let parts: [Part; 4] = [
        ("kinetic", |[k, _, _]| k),
        ("gravity, from the start", |[_, g, _]| g),
        ("springs", |[_, _, s]| s),
        ("sum", |[k, g, s]| k + g + s),
    ];
    let line = |((name, value), color): (Part, RGBColor)| Line {
        name: name.to_owned(),
        color,
        width: 2,
        points: records.iter().map(|(t, r)| (*t, value([r.energy[0], r.energy[1] - start, r.energy[2]]))).collect(),
    };
    let springs = records.iter().any(|(_, record)| record.energy[2] != 0.0);
    let shown = parts.into_iter().zip([COLORS[1], COLORS[0], COLORS[2], COLORS[6]]);
    let lines = shown.filter(|((name, _), _)| springs || *name != "springs").map(line).collect();
    Panel::new("Energies", "energy, J", lines)
}
