//! Panels of lines over time, drawn into an SVG text.

use plotters::coord::Shift;
use plotters::coord::ranged1d::{Ranged, ValueFormatter};
use plotters::prelude::*;

pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Colours that stay apart for colour-blind eyes.
pub const COLORS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(60, 60, 60),
    RGBColor(150, 110, 70),
];
pub const GREY: RGBColor = RGBColor(120, 120, 120);
pub const WIDTH: u32 = 1000;
/// Pixels for the names of the lines, right of the axes.
const LEGEND: u32 = 230;

/// One line to draw.
pub struct Line {
    pub name: String,
    pub color: RGBColor,
    pub width: u32,
    pub points: Vec<(f64, f64)>,
}

/// Lines over time on common axes.
pub struct Panel {
    pub title: String,
    /// What the ordinate shows, with its unit.
    pub ordinate: String,
    pub lines: Vec<Line>,
    /// A level to draw dashed, and its name.
    pub level: Option<(f64, String)>,
    /// A moment to mark \[s\].
    pub moment: Option<f64>,
    pub logarithmic: bool,
}

impl Panel {
    pub fn new(title: impl Into<String>, ordinate: impl Into<String>, lines: Vec<Line>) -> Self {
        let (title, ordinate) = (title.into(), ordinate.into());
        Self { title, ordinate, lines, level: None, moment: None, logarithmic: false }
    }

    fn points(&self) -> impl Iterator<Item = &(f64, f64)> {
        self.lines.iter().flat_map(|line| &line.points).filter(|(_, y)| y.is_finite())
    }
}

/// The lines that move most, at most as many as there are colours, and how many there were.
pub fn busiest(lines: Vec<(String, Vec<(f64, f64)>)>) -> (Vec<Line>, usize) {
    let count = lines.len();
    let range = |points: &[(f64, f64)]| {
        let (low, high) = points.iter().fold((f64::MAX, f64::MIN), |(a, b), (_, y)| (a.min(*y), b.max(*y)));
        high - low
    };
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| range(&lines[*b].1).total_cmp(&range(&lines[*a].1)));
    order.truncate(COLORS.len());
    order.sort_unstable();
    let mut lines: Vec<Option<_>> = lines.into_iter().map(Some).collect();
    let kept = order.into_iter().filter_map(|index| lines[index].take()).zip(COLORS);
    // The later ones thinner, so that those below show where lines coincide.
    let widths = [4, 4, 4, 3, 3, 2, 2, 1].into_iter().skip(COLORS.len() - count.min(COLORS.len()));
    let line = |(((name, points), color), width)| Line { name, color, width, points };
    (kept.zip(widths).map(line).collect(), count)
}

/// Text of an SVG whose areas, of these heights in pixels, `draw` fills one by one.
pub fn svg(heights: &[u32], mut draw: impl FnMut(usize, &Area<'_>) -> Result<()>) -> Result<String> {
    let mut text = String::new();
    {
        let mut rest = SVGBackend::with_string(&mut text, (WIDTH, heights.iter().sum())).into_drawing_area();
        rest.fill(&WHITE)?;
        for (index, height) in heights.iter().enumerate() {
            let (area, below) = rest.split_vertically(*height);
            draw(index, &area)?;
            rest = below;
        }
        rest.present()?;
    }
    Ok(text)
}

/// The part for the axes, and the part for names.
pub fn split<'a>(area: &Area<'a>) -> (Area<'a>, Area<'a>) {
    area.split_horizontally(WIDTH - LEGEND)
}

/// Names in the colours of what they name.
pub fn legend(area: &Area<'_>, entries: &[(String, RGBColor)]) -> Result<()> {
    for (row, (name, color)) in entries.iter().enumerate() {
        let y = 44 + 20 * row as i32;
        area.draw(&PathElement::new(
            [(4, y), (26, y)],
            ShapeStyle { color: color.to_rgba(), filled: true, stroke_width: 3 },
        ))?;
        let longest = 27;
        let mut text: String = name.chars().take(longest).collect();
        if name.chars().nth(longest).is_some() {
            text.push('…');
        }
        area.draw(&Text::new(text, (32, y - 7), ("sans-serif", 14)))?;
    }
    Ok(())
}

pub fn panel(area: &Area<'_>, panel: &Panel) -> Result<()> {
    let end = panel.points().fold(0.0f64, |end, (t, _)| end.max(*t));
    let end = if end > 0.0 { end } else { 1.0 };
    let level = panel.level.iter().map(|(level, _)| *level);
    let values = panel.points().map(|(_, y)| *y).chain(level);
    let values = values.filter(|y| !panel.logarithmic || *y > 0.0);
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), y| (a.min(y), b.max(y)));
    let (low, high) = if low <= high { (low, high) } else { (1.0, 1.0) };
    let (axes, names) = split(area);
    let mut entries: Vec<_> = panel.lines.iter().map(|line| (line.name.clone(), line.color)).collect();
    entries.extend(panel.level.iter().map(|(_, name)| (name.clone(), GREY)));
    legend(&names, &entries)?;
    let mut builder = ChartBuilder::on(&axes);
    builder
        .caption(&panel.title, ("sans-serif", 18))
        .margin(8)
        .margin_right(16)
        .x_label_area_size(38)
        .y_label_area_size(78);
    if panel.logarithmic {
        // Below the last decade that matters nothing is to be seen.
        let low = low.max(1e-17).min(high);
        let range = (10f64.powf(low.log10().floor())..10f64.powf(high.log10().floor() + 1.0)).log_scale();
        return lines(builder.build_cartesian_2d(0.0..end, range)?, panel, low, &|y| format!("{y:.0e}"));
    }
    // A level line must not look like noise.
    let pad = (0.06 * (high - low)).max(1e-6 * high.abs().max(low.abs())).max(1e-12);
    let digits = usize::try_from((2.0 - (high - low + 2.0 * pad).log10()).ceil().clamp(0.0, 12.0) as i64).unwrap_or(2);
    let number = move |y: &f64| match y.abs() {
        size if size >= 1e6 || size > 0.0 && size < 1e-4 => format!("{y:.1e}"),
        _ => format!("{y:.digits$}"),
    };
    lines(builder.build_cartesian_2d(0.0..end, low - pad..high + pad)?, panel, f64::NEG_INFINITY, &number)
}

type Chart<'a, Y> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<plotters::coord::types::RangedCoordf64, Y>>;

fn lines<'a, Y>(mut chart: Chart<'a, Y>, panel: &Panel, floor: f64, number: &dyn Fn(&f64) -> String) -> Result<()>
where
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let range = chart.y_range();
    chart
        .configure_mesh()
        .x_desc("time, s")
        .y_desc(&panel.ordinate)
        .y_label_formatter(&number)
        .label_style(("sans-serif", 13))
        .axis_desc_style(("sans-serif", 14))
        .light_line_style(RGBColor(245, 245, 245))
        .bold_line_style(RGBColor(225, 225, 225))
        .draw()?;
    let end = chart.x_range().end;
    if let Some((level, _)) = panel.level {
        chart.draw_series(DashedLineSeries::new([(0.0, level), (end, level)], 6, 5, GREY.into()))?;
    }
    if let Some(moment) = panel.moment {
        chart.draw_series(DashedLineSeries::new([(moment, range.start), (moment, range.end)], 3, 4, GREY.into()))?;
    }
    for line in &panel.lines {
        let style = ShapeStyle { color: line.color.to_rgba(), filled: false, stroke_width: line.width };
        let points = line.points.iter().filter(|(_, y)| y.is_finite()).map(|(t, y)| (*t, y.max(floor)));
        chart.draw_series(LineSeries::new(points, style))?;
    }
    Ok(())
}
