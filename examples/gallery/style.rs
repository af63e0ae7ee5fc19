//! How every picture looks: sizes, colours, axes, legends above the axes so that they cover no data.

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::Color as _;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::figures::figure::{Axis, Color, Figure, Layer, Note, Panel, Shape, Side};
use crate::text::{decades, number, width_of};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// The backend counts whole pixels, so pictures are drawn this much larger and shown smaller: curves stay smooth.
const SCALE: u32 = 3;
/// Height of a panel's axes, and of its title \[px\].
const AXES: u32 = 300;
const TITLE: u32 = 28;
/// Height of a line of the legend \[px\].
const ENTRY: u32 = 19;
/// Ink of the notes, one step from that of other words: they get a white edge, so that lines may pass beneath them.
const NOTE: RGBColor = RGBColor(0x1e, 0x1e, 0x1f);
/// Room for the numbers and names of the axes, and around the whole \[px\].
const BELOW: u32 = 42;
const LEFT: u32 = 66;
const MARGIN: u32 = 10;
/// Size of letters \[px\]; the backend writes them smaller than it is told.
const FONT: u32 = 12;
const BACKEND: f64 = 1.24;

fn rgb(color: Color) -> RGBColor {
    match color {
        Color::Blue => RGBColor(0, 114, 178),
        Color::Vermilion => RGBColor(213, 94, 0),
        Color::Green => RGBColor(0, 158, 115),
        Color::Purple => RGBColor(204, 121, 167),
        Color::Sky => RGBColor(86, 180, 233),
        Color::Orange => RGBColor(230, 159, 0),
        Color::Black => BLACK,
        Color::Grey => RGBColor(130, 130, 130),
    }
}

fn px(size: u32) -> i32 {
    (size * SCALE) as i32
}

/// Width of a panel \[px\].
fn panel_width(columns: usize) -> u32 {
    match columns {
        1 => 620,
        2 => 470,
        _ => 400,
    }
}

fn text(size: u32) -> TextStyle<'static> {
    ("sans-serif", f64::from(size * SCALE) * BACKEND).into_font().color(&RGBColor(30, 30, 30))
}

/// Lines of the legend: each a list of layers, none wider than the panel.
fn legend(panel: &Panel, width: u32) -> Vec<Vec<&Layer>> {
    let mut lines: Vec<(u32, Vec<&Layer>)> = Vec::new();
    for layer in panel.layers.iter().filter(|layer| !layer.name.is_empty()) {
        let wide = entry_width(layer);
        match lines.last_mut() {
            Some((used, line)) if *used + wide <= width => {
                *used += wide;
                line.push(layer);
            }
            _ => lines.push((wide, vec![layer])),
        }
    }
    lines.into_iter().map(|(_, line)| line).collect()
}

fn entry_width(layer: &Layer) -> u32 {
    50 + width_of(&layer.name, FONT)
}

/// The whole picture as SVG text.
pub fn draw(figure: &Figure) -> Result<String> {
    let width = panel_width(figure.columns);
    // Panels of one row have one height: the legend of the tallest decides.
    let lines = |panel: &Panel| legend(panel, width - LEFT - MARGIN).len() as u32;
    let heights: Vec<u32> = figure
        .panels
        .chunks(figure.columns)
        .map(|row| TITLE + ENTRY * row.iter().map(lines).max().unwrap_or(0) + AXES + BELOW + MARGIN)
        .collect();
    let (whole_width, whole_height) = (width * figure.columns as u32, heights.iter().sum::<u32>());
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (whole_width * SCALE, whole_height * SCALE)).into_drawing_area();
        root.fill(&WHITE)?;
        let mut top = 0;
        for (row, height) in figure.panels.chunks(figure.columns).zip(&heights) {
            for (column, panel) in row.iter().enumerate() {
                draw_panel(&root, panel, (width * column as u32, top), (width, *height))?;
            }
            top += height;
        }
        root.present()?;
    }
    let drawn = format!("width=\"{}\" height=\"{}\"", whole_width * SCALE, whole_height * SCALE);
    let shown = format!("width=\"{whole_width}\" height=\"{whole_height}\"");
    let halo =
        format!("stroke=\"#FFFFFF\" stroke-width=\"{}\" stroke-linejoin=\"round\" paint-order=\"stroke\"", 3 * SCALE);
    let plain = "fill=\"#1E1E1F\"";
    Ok(svg.replacen(&drawn, &shown, 1).replace(plain, &format!("{plain} {halo}")))
}

fn draw_panel(root: &Area<'_>, panel: &Panel, (left, top): (u32, u32), (width, height): (u32, u32)) -> Result<()> {
    let place = |x: u32, y: u32| (px(left + x), px(top + y));
    let bold = text(FONT + 2).font.style(FontStyle::Bold);
    root.draw(&Text::new(panel.title.clone(), place(LEFT, 8), TextStyle { font: bold, ..text(FONT + 2) }))?;
    let lines = legend(panel, width - LEFT - MARGIN);
    for (index, line) in lines.iter().enumerate() {
        let mut x = LEFT;
        for layer in line {
            let y = TITLE + ENTRY * index as u32 + ENTRY / 2;
            sample(root, layer, place(x, y))?;
            let style = text(FONT).pos(Pos::new(HPos::Left, VPos::Center));
            root.draw(&Text::new(layer.name.clone(), place(x + 32, y), style))?;
            x += entry_width(layer);
        }
    }
    // The axes stand at the foot, whatever the legend leaves.
    let axes_top = height - AXES - BELOW - MARGIN;
    let area =
        root.clone().shrink((left * SCALE, (top + axes_top) * SCALE), (width * SCALE, (height - axes_top) * SCALE));
    let inside = (f64::from(width - LEFT - 2 * MARGIN), f64::from(AXES));
    let (x, y) = ranges(panel, inside);
    let mut chart: Chart<'_> = ChartBuilder::on(&area)
        .margin_right(2 * MARGIN * SCALE)
        .margin_bottom(MARGIN * SCALE)
        .x_label_area_size(BELOW * SCALE)
        .y_label_area_size(LEFT * SCALE)
        .build_cartesian_2d(x.0..x.1, y.0..y.1)?;
    mesh(&mut chart, panel, x, y, inside)?;
    // The backend would put this name at the very edge.
    let upright = text(FONT).transform(FontTransform::Rotate270).pos(Pos::new(HPos::Center, VPos::Center));
    let name = format!("{} [{}]", panel.y.name, panel.y.unit);
    root.draw(&Text::new(name, place(12, axes_top + AXES / 2), upright))?;
    let pixel = |p: (f64, f64)| chart.plotting_area().map_coordinate(&p);
    let scaled = |p: (f64, f64)| (on_axis(&panel.x, p.0), on_axis(&panel.y, p.1));
    for layer in &panel.layers {
        let points: Vec<_> = layer.points.iter().map(|p| scaled(*p)).collect();
        draw_layer(root, layer, &points, x, y, &pixel)?;
    }
    for note in &panel.notes {
        draw_note(root, note, pixel(scaled(note.at)))?;
    }
    Ok(())
}

/// A coordinate as the chart counts it: decades on a logarithmic axis.
pub fn on_axis(axis: &Axis, value: f64) -> f64 {
    if axis.logarithmic { value.log10() } else { value }
}

/// Where the axes begin and end: as asked, else by the data, wider where units must be alike.
pub fn ranges(panel: &Panel, inside: (f64, f64)) -> ((f64, f64), (f64, f64)) {
    let range = |axis: &Axis, pick: fn(&(f64, f64)) -> f64| {
        if let Some((low, high)) = axis.range {
            return (on_axis(axis, low), on_axis(axis, high));
        }
        let values = panel.layers.iter().flat_map(|layer| &layer.points).map(|p| on_axis(axis, pick(p)));
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
        let pad = 0.05 * (high - low);
        (low - pad, high + pad)
    };
    let (mut x, mut y) = (range(&panel.x, |p| p.0), range(&panel.y, |p| p.1));
    if panel.equal {
        let unit = ((x.1 - x.0) / inside.0).max((y.1 - y.0) / inside.1);
        let wider = |(low, high): (f64, f64), pixels: f64| {
            let more = 0.5 * (unit * pixels - (high - low));
            (low - more, high + more)
        };
        (x, y) = (wider(x, inside.0), wider(y, inside.1));
    }
    (x, y)
}

fn mesh(chart: &mut Chart<'_>, panel: &Panel, x: (f64, f64), y: (f64, f64), inside: (f64, f64)) -> Result<()> {
    let label = |axis: &Axis, (low, high): (f64, f64)| -> Box<dyn Fn(&f64) -> String> {
        let (names, logarithmic) = (axis.names, axis.logarithmic);
        Box::new(move |value| match () {
            () if logarithmic => decades(*value),
            () if !names.is_empty() => {
                let near = (value - value.round()).abs() < 1e-6 && *value > -0.5;
                let name = near.then(|| names.get(value.round() as usize)).flatten();
                name.map(|name| (*name).to_string()).unwrap_or_default()
            }
            () => number(*value, high - low),
        })
    };
    let count = |axis: &Axis, (low, high): (f64, f64), room: f64| match axis.names.len() {
        0 if axis.logarithmic => ((high - low).round() as usize + 1).min((room / 30.0) as usize),
        0 => (room / 40.0) as usize,
        // One a name, not the halves between them.
        names => names,
    };
    chart
        .configure_mesh()
        .x_desc(format!("{} [{}]", panel.x.name, panel.x.unit))
        .x_labels(count(&panel.x, x, inside.0))
        .y_labels(count(&panel.y, y, inside.1))
        .x_label_formatter(&label(&panel.x, x))
        .y_label_formatter(&label(&panel.y, y))
        .label_style(text(FONT - 1))
        .axis_desc_style(text(FONT))
        .axis_style(ShapeStyle { color: rgb(Color::Grey).to_rgba(), filled: false, stroke_width: SCALE })
        .bold_line_style(ShapeStyle { color: RGBColor(228, 228, 228).to_rgba(), filled: false, stroke_width: SCALE })
        .light_line_style(TRANSPARENT)
        .max_light_lines(1)
        .set_all_tick_mark_size(3 * SCALE)
        .draw()?;
    Ok(())
}

fn stroke(layer: &Layer) -> ShapeStyle {
    let (color, width) = match layer.shape {
        Shape::Wide => (rgb(layer.color).mix(0.45), 6),
        _ => (rgb(layer.color).to_rgba(), 2),
    };
    ShapeStyle { color, filled: false, stroke_width: width * SCALE }
}

/// What the legend shows of a layer.
fn sample(root: &Area<'_>, layer: &Layer, (x, y): (i32, i32)) -> Result<()> {
    let (left, right, middle) = ((x, y), (x + px(26), y), (x + px(13), y));
    match layer.shape {
        Shape::Area => root.draw(&Rectangle::new([(x, y - px(5)), (x + px(26), y + px(5))], fill(layer)))?,
        Shape::Dots | Shape::Rings => dot(root, layer, middle)?,
        _ => draw_run(root, layer, &[left, right])?,
    }
    Ok(())
}

fn fill(layer: &Layer) -> ShapeStyle {
    rgb(layer.color).mix(if layer.color == Color::Grey { 0.18 } else { 0.38 }).filled()
}

fn dot(root: &Area<'_>, layer: &Layer, at: (i32, i32)) -> Result<()> {
    let color = rgb(layer.color);
    if layer.shape == Shape::Rings {
        let style = ShapeStyle { color: color.to_rgba(), filled: false, stroke_width: 2 * SCALE };
        root.draw(&Circle::new(at, px(5), style))?;
    } else {
        root.draw(&Circle::new(at, px(4), color.filled()))?;
    }
    Ok(())
}

fn draw_layer(
    root: &Area<'_>,
    layer: &Layer,
    points: &[(f64, f64)],
    x: (f64, f64),
    y: (f64, f64),
    pixel: &dyn Fn((f64, f64)) -> (i32, i32),
) -> Result<()> {
    let inside = |p: &(f64, f64)| p.0 >= x.0 && p.0 <= x.1 && p.1 >= y.0 && p.1 <= y.1;
    match layer.shape {
        Shape::Area => {
            let corner = |p: &(f64, f64)| pixel((p.0.clamp(x.0, x.1), p.1.clamp(y.0, y.1)));
            let corners: Vec<_> = points.iter().map(corner).collect();
            root.draw(&Polygon::new(corners, fill(layer)))?;
        }
        Shape::Dots | Shape::Rings => {
            for point in points.iter().filter(|p| inside(p)) {
                dot(root, layer, pixel(*point))?;
            }
        }
        _ => {
            for run in runs(points, x, y) {
                let run: Vec<_> = run.into_iter().map(pixel).collect();
                draw_run(root, layer, &run)?;
            }
        }
    }
    Ok(())
}

fn draw_run(root: &Area<'_>, layer: &Layer, run: &[(i32, i32)]) -> Result<()> {
    let style = stroke(layer);
    let run = thinned(run);
    match layer.shape {
        Shape::Dashed => root.draw(&DashedPathElement::new(run, px(7), px(5), style))?,
        Shape::Dotted => root.draw(&DashedPathElement::new(run, px(2), px(4), style))?,
        Shape::Arrow => {
            if let [.., (x, y), (u, v)] = run[..] {
                let (dx, dy) = (f64::from(u - x), f64::from(v - y));
                let length = dx.hypot(dy).max(1.0);
                let (dx, dy) = (dx / length, dy / length);
                let (long, wide) = (f64::from(px(9)).min(0.6 * length), f64::from(px(4)).min(0.3 * length));
                let foot = (f64::from(u) - long * dx, f64::from(v) - long * dy);
                let corner = |side: f64| ((foot.0 - side * dy) as i32, (foot.1 + side * dx) as i32);
                root.draw(&PathElement::new(vec![(x, y), (foot.0 as i32, foot.1 as i32)], style))?;
                root.draw(&Polygon::new(vec![(u, v), corner(wide), corner(-wide)], rgb(layer.color).filled()))?;
            }
        }
        _ => root.draw(&PathElement::new(run, style))?,
    }
    Ok(())
}

/// The line without the points that lie on it anyway, to a pixel of the drawing.
fn thinned(run: &[(i32, i32)]) -> Vec<(i32, i32)> {
    let mut kept: Vec<_> = run.iter().take(1).copied().collect();
    let mut from = 0;
    while from + 1 < run.len() {
        let mut to = from + 1;
        while to + 1 < run.len() && run[from + 1..=to].iter().all(|p| distance(*p, run[from], run[to + 1]) <= 0.6) {
            to += 1;
        }
        kept.push(run[to]);
        from = to;
    }
    kept
}

/// Distance of a point from a segment.
fn distance(point: (i32, i32), from: (i32, i32), to: (i32, i32)) -> f64 {
    let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
    let (x, y) = (f64::from(point.0 - from.0), f64::from(point.1 - from.1));
    let square = dx * dx + dy * dy;
    let share = if square > 0.0 { ((x * dx + y * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
    (x - share * dx).hypot(y - share * dy)
}

/// The parts of a line that are inside the axes.
pub fn runs(points: &[(f64, f64)], x: (f64, f64), y: (f64, f64)) -> Vec<Vec<(f64, f64)>> {
    let mut runs: Vec<Vec<(f64, f64)>> = Vec::new();
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let direction = (to.0 - from.0, to.1 - from.1);
        // Liang and Barsky: the share of the segment that is inside.
        let (mut enter, mut leave) = (0.0f64, 1.0f64);
        let sides = [
            (-direction.0, from.0 - x.0),
            (direction.0, x.1 - from.0),
            (-direction.1, from.1 - y.0),
            (direction.1, y.1 - from.1),
        ];
        for (speed, room) in sides {
            if speed < 0.0 {
                enter = enter.max(room / speed);
            } else if speed > 0.0 {
                leave = leave.min(room / speed);
            } else if room < 0.0 {
                leave = -1.0;
            }
        }
        if enter > leave {
            continue;
        }
        let at = |share: f64| (from.0 + share * direction.0, from.1 + share * direction.1);
        let (start, end) = (at(enter), at(leave));
        match runs.last_mut() {
            Some(run) if enter == 0.0 && run.last() == Some(&start) => run.push(end),
            _ => runs.push(vec![start, end]),
        }
    }
    runs
}

fn draw_note(root: &Area<'_>, note: &Note, (x, y): (i32, i32)) -> Result<()> {
    let (width, height) = (px(width_of(&note.text, FONT)), px(FONT + 3));
    let away = px(9);
    let (right_of, left_of, over, under) = (x + away, x - away - width, y - away - height, y + away);
    let (left, top) = match note.side {
        Side::Right => (right_of, y - height / 2),
        Side::Left => (left_of, y - height / 2),
        Side::Above => (x - width / 2, over),
        Side::Below => (x - width / 2, under),
        Side::AboveRight => (right_of, over + away / 2),
        Side::AboveLeft => (left_of, over + away / 2),
        Side::BelowRight => (right_of, under - away / 2),
        Side::BelowLeft => (left_of, under - away / 2),
    };
    let style = text(FONT).color(&NOTE).pos(Pos::new(HPos::Center, VPos::Center));
    root.draw(&Text::new(note.text.clone(), (left + width / 2, top + height / 2), style))?;
    Ok(())
}
