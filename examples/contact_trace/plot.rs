//! The picture: path, gap, forces, f64 and f32 over each other.

use std::path::Path;

use plotters::prelude::*;

use crate::contact_trace::{MARGIN, Record};

// Colours that stay apart for colour-blind eyes.
const BLUE: RGBColor = RGBColor(0, 114, 178);
const ORANGE: RGBColor = RGBColor(213, 94, 0);
const GREY: RGBColor = RGBColor(120, 120, 120);

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// One line to draw: its name, colour, width, and the number taken from a record.
struct Line<'a> {
    name: &'a str,
    color: RGBColor,
    width: u32,
    records: &'a [Record],
    value: fn(&Record) -> f64,
}

fn panel(area: &Area<'_>, title: &str, unit: &str, lines: &[Line<'_>], level: Option<(f64, &str)>) -> Result<()> {
    let values = lines.iter().flat_map(|line| line.records.iter().map(line.value));
    let (mut low, mut high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    if let Some((level, _)) = level {
        (low, high) = (low.min(level), high.max(level));
    }
    let pad = 0.06 * (high - low);
    let end = lines.iter().flat_map(|line| line.records.last()).map(|record| record.time).fold(0.0, f64::max);
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(38)
        .y_label_area_size(66)
        .build_cartesian_2d(0.0..end, low - pad..high + pad)?;
    chart
        .configure_mesh()
        .x_desc("time, s")
        .y_desc(unit)
        .label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 15))
        .light_line_style(RGBColor(240, 240, 240))
        .draw()?;
    if let Some((level, name)) = level {
        chart
            .draw_series(DashedLineSeries::new([(0.0, level), (end, level)], 6, 5, GREY.into()))?
            .label(name)
            .legend(|(x, y)| PathElement::new([(x, y), (x + 22, y)], GREY));
    }
    for line in lines {
        let style = ShapeStyle { color: line.color.to_rgba(), filled: false, stroke_width: line.width };
        let points = line.records.iter().map(|record| (record.time, (line.value)(record)));
        chart
            .draw_series(LineSeries::new(points, style))?
            .label(line.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 22, y)], style));
    }
    chart
        .configure_series_labels()
        .label_font(("sans-serif", 14))
        .background_style(WHITE.mix(0.85))
        .position(SeriesLabelPosition::MiddleRight)
        .draw()?;
    Ok(())
}

/// Draws both runs into an SVG file.
pub fn draw(path: &Path, wide: &[Record], narrow: &[Record]) -> Result<()> {
    let root = SVGBackend::new(path, (900, 1050)).into_drawing_area();
    root.fill(&WHITE)?;
    let areas = root.split_evenly((3, 1));
    let both = |value: fn(&Record) -> f64, wide_name, narrow_name| {
        [
            Line { name: wide_name, color: BLUE, width: 4, records: wide, value },
            Line { name: narrow_name, color: ORANGE, width: 1, records: narrow, value },
        ]
    };
    let [gap_area, normal_area, tangent_area] = &areas[..] else { return Err("three panels".into()) };
    let gap = both(Record::gap, "gap, f64", "gap, f32");
    panel(gap_area, "Gap between ball and plane", "gap, m", &gap, Some((MARGIN, "margin: the row begins")))?;
    let normal = both(|record| record.force[0], "normal, f64", "normal, f32");
    panel(normal_area, "Normal force: a strike, then the weight", "force, N", &normal, Some((19.62, "m g")))?;
    let tangent = both(|record| record.force[1], "friction, f64", "friction, f32");
    panel(tangent_area, "Friction: slides until it sticks", "force, N", &tangent, None)?;
    root.present()?;
    Ok(())
}
