//! Plots on logarithmic axes, in colours that stay apart for colour-blind eyes and in shapes that stay apart without colour.

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::errors::NAMES;
use crate::study::{STEPS, Study};
use crate::sweep::Sweep;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

const BLUE: RGBColor = RGBColor(0, 114, 178);
const ORANGE: RGBColor = RGBColor(213, 94, 0);
const GREY: RGBColor = RGBColor(120, 120, 120);
/// What is smaller is drawn here.
const LEAST: f64 = 1e-10;
/// Rounding of f32.
const EPSILON: f64 = 1.2e-7;

fn svg(size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> Result<()>) -> Result<String> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        area.fill(&WHITE)?;
        draw(&area)?;
        area.present()?;
    }
    Ok(text)
}

/// Whole decades around all numbers.
fn decades(numbers: impl Iterator<Item = f64>) -> std::ops::Range<f64> {
    let (mut low, mut high) = (f64::INFINITY, 0.0f64);
    for x in numbers.filter(|x| x.is_finite() && *x > 0.0) {
        (low, high) = (low.min(x), high.max(x));
    }
    if !(low <= high) {
        return 0.1..10.0;
    }
    let low = 10f64.powf((low.log10() + 1e-9).floor());
    let high = 10f64.powf((high.log10() - 1e-9).ceil());
    if high > low { low..high } else { low..10.0 * low }
}

fn shown(x: f64) -> f64 {
    if x.is_finite() { x.clamp(LEAST, 1e3) } else { 1e3 }
}

/// A curve and how it looks.
struct Curve {
    name: &'static str,
    color: RGBColor,
    dashed: bool,
    points: Vec<(f64, f64)>,
}

/// Curves on logarithmic axes, with a legend below the title.
fn curves(area: &Area<'_>, title: &str, abscissa: &str, ordinate: &str, curves: &[Curve]) -> Result<()> {
    let all = || curves.iter().flat_map(|curve| &curve.points);
    let x = decades(all().map(|p| p.0));
    let y = decades(all().map(|p| shown(p.1)).chain([EPSILON]));
    let (left, right) = area.split_horizontally(690);
    let mut chart = ChartBuilder::on(&left)
        .caption(title, ("sans-serif", 17))
        .margin(10)
        .x_label_area_size(44)
        .y_label_area_size(70)
        .build_cartesian_2d(x.clone().log_scale(), y.log_scale())?;
    chart
        .configure_mesh()
        .x_desc(abscissa)
        .y_desc(ordinate)
        .x_label_formatter(&|x| format!("{x:.0e}"))
        .y_label_formatter(&|y| format!("{y:.0e}"))
        .label_style(("sans-serif", 13))
        .axis_desc_style(("sans-serif", 15))
        .light_line_style(WHITE)
        .bold_line_style(RGBColor(225, 225, 225))
        .draw()?;
    chart.draw_series(DashedLineSeries::new([(x.start, EPSILON), (x.end, EPSILON)], 2, 4, GREY.into()))?;
    for curve in curves {
        let points = || curve.points.iter().map(|(x, y)| (*x, shown(*y)));
        let style = ShapeStyle { color: curve.color.to_rgba(), filled: curve.dashed, stroke_width: 2 };
        if curve.dashed {
            chart.draw_series(DashedLineSeries::new(points(), 7, 5, style))?;
        } else {
            chart.draw_series(LineSeries::new(points(), style))?;
            chart.draw_series(points().map(|p| Circle::new(p, 3, curve.color.filled())))?;
        }
    }
    let mut row = 50;
    for curve in curves {
        let style = ShapeStyle { color: curve.color.to_rgba(), filled: false, stroke_width: 2 };
        let pieces: &[(i32, i32)] = if curve.dashed { &[(4, 12), (18, 26), (32, 40)] } else { &[(4, 40)] };
        for (from, to) in pieces {
            right.draw(&PathElement::new([(*from, row), (*to, row)], style))?;
        }
        if !curve.dashed {
            right.draw(&Circle::new((22, row), 3, curve.color.filled()))?;
        }
        right.draw(&Text::new(curve.name, (48, row - 7), ("sans-serif", 14)))?;
        row += 24;
    }
    for dot in 0..6 {
        right.draw(&Circle::new((7 + 6 * dot, row), 1, GREY.filled()))?;
    }
    right.draw(&Text::new("one rounding of f32", (48, row - 7), ("sans-serif", 14)))?;
    Ok(())
}

/// A sweep: f32 and floor of acceleration and force, or of the state.
pub fn sweep(sweep: &Sweep) -> Result<String> {
    let line = |k: usize, floor: bool| {
        sweep
            .points
            .iter()
            .filter_map(|point| Some((point.x, if floor { point.floor[k]? } else { point.narrow[k]? })))
            .collect::<Vec<_>>()
    };
    let what = if sweep.moves {
        [("state, f32", "state, inputs rounded"), ("", "")]
    } else {
        [("acceleration, f32", "acceleration, floor"), ("force, f32", "force, floor")]
    };
    let mut list = Vec::new();
    for ((name, floor), (k, color)) in what.into_iter().zip([(7, BLUE), (6, ORANGE)]) {
        for (name, dashed) in [(floor, true), (name, false)] {
            let points = line(k, dashed);
            if !points.is_empty() {
                list.push(Curve { name, color, dashed, points });
            }
        }
    }
    svg((900, 420), |area| curves(area, sweep.title, sweep.abscissa, "largest relative error of 12 starts", &list))
}

/// Quantiles of how far trajectories part.
pub fn trajectories(studies: &[Study]) -> Result<String> {
    let line = |part: f64, floor: bool| {
        let at = |step: u64| {
            let points = studies.iter().flat_map(|study| &study.trajectory).filter(|at| at.step == step);
            let mut list: Vec<f64> = points.filter_map(|at| if floor { at.floor } else { at.narrow }).collect();
            list.sort_by(f64::total_cmp);
            Some((step as f64, *list.get(((list.len().checked_sub(1)?) as f64 * part).round() as usize)?))
        };
        STEPS.iter().skip(1).filter_map(|step| at(*step)).collect::<Vec<_>>()
    };
    let list = [
        Curve { name: "f32, nine in ten below", color: ORANGE, dashed: false, points: line(0.9, false) },
        Curve { name: "floor, nine in ten below", color: ORANGE, dashed: true, points: line(0.9, true) },
        Curve { name: "f32, median", color: BLUE, dashed: false, points: line(0.5, false) },
        Curve { name: "floor, median", color: BLUE, dashed: true, points: line(0.5, true) },
    ];
    let title = format!("How far trajectories part, {} cases", studies.len());
    svg((900, 420), |area| curves(area, &title, "steps", "relative error of the state", &list))
}

type Dot = (f64, f64, bool);

/// Dots over a line y = x, those far above it in another colour and shape.
fn dots(area: &Area<'_>, title: &str, axes: [&str; 2], range: std::ops::Range<f64>, list: &[Dot]) -> Result<()> {
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 16))
        .margin(8)
        .x_label_area_size(40)
        .y_label_area_size(62)
        .build_cartesian_2d(range.clone().log_scale(), range.clone().log_scale())?;
    chart
        .configure_mesh()
        .x_desc(axes[0])
        .y_desc(axes[1])
        .x_labels(6)
        .x_label_formatter(&|x| format!("{x:.0e}"))
        .y_label_formatter(&|y| format!("{y:.0e}"))
        .label_style(("sans-serif", 12))
        .axis_desc_style(("sans-serif", 14))
        .light_line_style(WHITE)
        .bold_line_style(RGBColor(225, 225, 225))
        .draw()?;
    let (low, high) = (range.start, range.end);
    chart.draw_series(LineSeries::new([(low, low), (high, high)], GREY))?;
    chart.draw_series(DashedLineSeries::new(
        [(low, 10.0 * EPSILON), (EPSILON, 10.0 * EPSILON), (high / 10.0, high)],
        5,
        4,
        GREY.into(),
    ))?;
    let inside = |x: f64| x.clamp(low, high);
    chart
        .draw_series(list.iter().filter(|d| !d.2).map(|d| Circle::new((inside(d.0), inside(d.1)), 3, BLUE.filled())))?;
    let cross = |d: &Dot| {
        Cross::new(
            (inside(d.0), inside(d.1)),
            5,
            ShapeStyle { color: ORANGE.to_rgba(), filled: false, stroke_width: 2 },
        )
    };
    chart.draw_series(list.iter().filter(|d| d.2).map(cross))?;
    Ok(())
}

/// Each quantity's error over its floor, all ticks of all cases.
pub fn ticks(studies: &[Study]) -> Result<String> {
    svg((1280, 720), |area| {
        let (top, rest) = area.split_vertically(40);
        let text = "All ticks: dots below the dashed line are within ten times the rounding of the inputs (or of a result), crosses are not";
        top.draw(&Text::new(text, (20, 12), ("sans-serif", 18)))?;
        for (k, part) in rest.split_evenly((2, 4)).iter().enumerate() {
            let ticks = studies.iter().flat_map(|study| &study.ticks);
            let list: Vec<Dot> = ticks
                .filter_map(|tick| {
                    let (floor, error) = (tick.floor[k]?, tick.narrow[k]?);
                    Some((floor, error, error > 10.0 * floor.max(EPSILON)))
                })
                .collect();
            dots(part, NAMES[k], ["floor (relative)", "f32 (relative)"], 1e-10..1e1, &list)?;
        }
        Ok(())
    })
}

/// The error of the free acceleration over what the report says of M.
pub fn amplification(studies: &[Study]) -> Result<String> {
    svg((760, 560), |area| {
        let ticks = studies.iter().flat_map(|study| &study.ticks);
        let list: Vec<Dot> = ticks
            .filter_map(|tick| {
                let (expected, error) = (tick.amplification * EPSILON, tick.narrow[2]?);
                Some((expected, error, error > 10.0 * expected.max(tick.floor[2]?)))
            })
            .collect();
        let title = "Free acceleration in f32 beside what the report expects (solid: as much, dashed: ten times)";
        dots(area, title, ["amplification x rounding", "relative error of a_u"], 1e-10..1e1, &list)
    })
}
