//! Whether a picture is worth showing: before it is drawn by its data, and afterwards by its SVG.

use crate::figures::figure::{Axis, Figure, Layer, Panel, Shape};
use crate::style::{on_axis, ranges, runs};
use crate::text::width_of;

/// Refuses a figure with nothing in it, with a number that is none, with an axis that has no unit or no length, or with a layer that
/// lies outside its axes.
///
/// # Errors
/// What is wrong, and where.
pub fn data(figure: &Figure) -> Result<(), String> {
    let blame = |what: String| format!("{}: {what}", figure.name);
    if figure.panels.is_empty() || figure.columns == 0 {
        return Err(blame("no panel".to_string()));
    }
    let sentences = [figure.title, figure.drawn, figure.source];
    if sentences.iter().any(|s| s.trim().is_empty()) {
        return Err(blame("no title, or no sentence about it".to_string()));
    }
    figure
        .panels
        .iter()
        .try_for_each(|panel| check_panel(panel).map_err(|what| blame(format!("{}: {what}", panel.title))))
}

fn check_panel(panel: &Panel) -> Result<(), String> {
    if panel.layers.is_empty() {
        return Err("nothing is drawn".to_string());
    }
    for axis in [&panel.x, &panel.y] {
        if axis.name.is_empty() || axis.unit.is_empty() {
            return Err("an axis without name or unit".to_string());
        }
    }
    let good = |axis: &Axis, value: f64| value.is_finite() && on_axis(axis, value).is_finite();
    let notes = panel.notes.iter().map(|note| note.at);
    for (x, y) in panel.layers.iter().flat_map(|layer| layer.points.iter().copied()).chain(notes) {
        if !good(&panel.x, x) || !good(&panel.y, y) {
            return Err(format!("({x}, {y}) is no point of these axes"));
        }
    }
    let (x, y) = ranges(panel, (1.0, 1.0));
    for (low, high) in [x, y] {
        if !(low.is_finite() && high.is_finite() && high - low > 1e-12 * low.abs().max(high.abs())) {
            return Err(format!("an axis from {low} to {high}"));
        }
    }
    for (index, layer) in panel.layers.iter().enumerate() {
        if !layer.name.is_empty() && panel.layers.iter().skip(index + 1).any(|other| other.name == layer.name) {
            return Err(format!("two layers {:?}", layer.name));
        }
        check_layer(panel, layer, x, y)?;
    }
    Ok(())
}

fn check_layer(panel: &Panel, layer: &Layer, x: (f64, f64), y: (f64, f64)) -> Result<(), String> {
    let points: Vec<_> = layer.points.iter().map(|p| (on_axis(&panel.x, p.0), on_axis(&panel.y, p.1))).collect();
    let inside = |p: &(f64, f64)| p.0 >= x.0 && p.0 <= x.1 && p.1 >= y.0 && p.1 <= y.1;
    let seen = match layer.shape {
        // A dot outside would be lost silently.
        Shape::Dots | Shape::Rings => !points.is_empty() && points.iter().all(inside),
        Shape::Area => points.len() > 3 && points.iter().any(inside),
        _ => runs(&points, x, y).iter().any(|run| run.first() != run.last() || run.len() > 2),
    };
    if seen { Ok(()) } else { Err(format!("layer {:?} is not to be seen", layer.name)) }
}

/// What must be free around the drawing \[px of the drawing\].
const EDGE: f64 = 6.0;

/// A text of a drawing: its box \[px of the drawing\].
struct Word<'a> {
    text: &'a str,
    /// Left, top, right, bottom.
    edges: [f64; 4],
}

/// Refuses an SVG with a number that is none, with nothing but axes, or with words that are cut off or on top of each other.
///
/// # Errors
/// What is wrong.
pub fn svg(name: &str, text: &str) -> Result<(), String> {
    let blame = |what: String| format!("{name}: {what}");
    for bad in ["NaN", "inf", "-2147483648", "2147483647"] {
        if text.contains(bad) {
            return Err(blame(format!("{bad} in the drawing")));
        }
    }
    let view = attribute(text, "viewBox").ok_or_else(|| blame("no view".to_string()))?;
    let view: Vec<f64> = view.split(' ').filter_map(|x| x.parse().ok()).collect();
    let [_, _, width, height] = view[..] else { return Err(blame("no view".to_string())) };
    // Axes and grid are grey lines; data is coloured lines, circles or polygons.
    let grey = |element: &str| ["#E4E4E4", "#828282"].iter().any(|grey| element.contains(grey));
    let drawn = text.split('<').filter(|e| ["polyline", "circle", "polygon"].iter().any(|kind| e.starts_with(kind)));
    if !drawn.into_iter().any(|element| !grey(element)) {
        return Err(blame("nothing but axes".to_string()));
    }
    let words = words(text);
    if words.len() < 6 {
        return Err(blame("hardly a word on it".to_string()));
    }
    for (index, word) in words.iter().enumerate() {
        let [left, top, right, bottom] = word.edges;
        if left < EDGE || top < EDGE || right > width - EDGE || bottom > height - EDGE {
            return Err(blame(format!("{:?} is cut off", word.text)));
        }
        let over = |other: &&Word<'_>| {
            let [l, t, r, b] = other.edges;
            left < r && l < right && top < b && t < bottom
        };
        if let Some(other) = words[index + 1..].iter().find(over) {
            return Err(blame(format!("{:?} and {:?} are on top of each other", word.text, other.text)));
        }
    }
    Ok(())
}

fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = element.split_once(&format!(" {name}=\""))?;
    rest.split_once('"').map(|(value, _)| value)
}

fn words(svg: &str) -> Vec<Word<'_>> {
    let elements = svg.split("<text").skip(1);
    elements.filter_map(word).filter(|word| !word.text.is_empty()).collect()
}

fn word(element: &str) -> Option<Word<'_>> {
    let (head, rest) = element.split_once('>')?;
    let text = rest.split_once('<')?.0.trim();
    let of = |name: &str| attribute(head, name).and_then(|value| value.parse::<f64>().ok());
    let (x, y, size) = (of("x")?, of("y")?, of("font-size")?);
    // Estimates err on the wide side: a little overlap of the boxes is none of the letters.
    let (wide, high) = (0.9 * f64::from(width_of(text, 100)) / 100.0 * size, 0.8 * size);
    let left = match attribute(head, "text-anchor") {
        Some("middle") => x - 0.5 * wide,
        Some("end") => x - wide,
        _ => x,
    };
    let top = match attribute(head, "dy") {
        Some("0.76em") => y,
        Some("0.5ex") => y - 0.5 * high,
        _ => y - high,
    };
    if head.contains("rotate(270") || head.contains("rotate(-90") {
        // Turned about (x, y): what was below is to the right, what was to the right is above.
        let (near, far) = (x + (top - y), x + (top + high - y));
        return Some(Word { text, edges: [near, y - (left + wide - x), far, y - (left - x)] });
    }
    Some(Word { text, edges: [left, top, left + wide, top + high] })
}
