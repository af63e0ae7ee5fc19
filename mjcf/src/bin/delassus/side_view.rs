//! The mechanism seen from the side at a few moments, the earliest palest.

use delassus::description::{Geom, Shape};
use delassus::spatial::{Quaternion, Transform};
use nalgebra::Vector3;
use plotters::prelude::*;

use crate::picture::{Area, GREY, Result, legend, split};
use crate::record::Record;

const MOMENTS: usize = 7;
/// Geoms beyond these are left out.
const MOST_GEOMS: usize = 300;

type Point = (f64, f64);

fn pose(record: &Record, geom: &Geom<f64>) -> Transform<f64> {
    let place = Transform { position: Vector3::from(geom.position), orientation: Quaternion(geom.orientation) };
    match geom.body.and_then(|body| record.frames.get(usize::from(body))) {
        None => place,
        Some((position, orientation)) => {
            Transform { position: Vector3::from(*position), orientation: Quaternion(*orientation) }.times(&place)
        }
    }
}

/// Points whose hull is the outline, seen along the axis that is neither `horizontal` nor z.
fn outline(shape: &Shape<f64>, pose: &Transform<f64>, horizontal: usize) -> Vec<Point> {
    let flat = |p: Vector3<f64>| (p[horizontal], p[2]);
    let circle = |center: Vector3<f64>, radius: f64| {
        let (x, z) = flat(center);
        (0..24).map(move |k| {
            let angle = f64::from(k) * std::f64::consts::TAU / 24.0;
            (x + radius * angle.cos(), z + radius * angle.sin())
        })
    };
    let points: Vec<Point> = match *shape {
        Shape::Plane => Vec::new(),
        Shape::Sphere { radius } => circle(pose.position, radius).collect(),
        Shape::Capsule { radius, half_length } => {
            let ends = [-half_length, half_length].map(|z| pose.apply(&Vector3::new(0.0, 0.0, z)));
            ends.into_iter().flat_map(|end| circle(end, radius)).collect()
        }
        Shape::Box { half_sizes: [a, b, c] } => (0..8)
            .map(|k| {
                let sign = |bit: u8| if k & bit == 0 { -1.0 } else { 1.0 };
                flat(pose.apply(&Vector3::new(sign(1) * a, sign(2) * b, sign(4) * c)))
            })
            .collect(),
    };
    hull(points)
}

/// The convex hull, counter-clockwise (Andrew's chains).
fn hull(mut points: Vec<Point>) -> Vec<Point> {
    points.retain(|(x, y)| x.is_finite() && y.is_finite());
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut result: Vec<Point> = Vec::new();
    for pass in 0..2 {
        let start = result.len();
        for &p in &points {
            while result.len() >= start + 2 {
                let (a, b) = (result[result.len() - 2], result[result.len() - 1]);
                if (b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0) > 0.0 {
                    break;
                }
                result.pop();
            }
            result.push(p);
        }
        result.pop();
        if pass == 0 {
            points.reverse();
        }
    }
    result
}

/// From pale to dark blue.
fn shade(index: usize, count: usize) -> RGBColor {
    let share = if count > 1 { index as f64 / (count - 1) as f64 } else { 1.0 };
    let mix = |pale: f64, dark: f64| (pale + (dark - pale) * share) as u8;
    RGBColor(mix(190.0, 0.0), mix(215.0, 75.0), mix(235.0, 130.0))
}

/// A few records between which about equally much moves.
fn moments(records: &[(f64, Record)]) -> Vec<&(f64, Record)> {
    let moved = |pair: &[(f64, Record)]| {
        let both = pair[0].1.centers.iter().zip(&pair[1].1.centers);
        both.map(|(a, b)| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()).sum::<f64>()
    };
    let mut sum = 0.0;
    let mut sums = vec![0.0];
    sums.extend(records.windows(2).map(|pair| {
        sum += moved(pair);
        sum
    }));
    let mut places: Vec<usize> = (0..MOMENTS)
        .map(|k| sums.partition_point(|s| *s < sum * k as f64 / (MOMENTS - 1) as f64).min(records.len() - 1))
        .chain([records.len() - 1])
        .collect();
    places.dedup();
    places.into_iter().map(|place| &records[place]).collect()
}

/// Draws the geoms at a few moments to scale, and heights of horizontal planes.
pub fn draw(area: &Area<'_>, records: &[(f64, Record)], geoms: &[Geom<f64>]) -> Result<()> {
    let moments = moments(records);
    let count = moments.len();
    let geoms = &geoms[..geoms.len().min(MOST_GEOMS)];
    // Seen along the axis along which less happens.
    let spread = |axis: usize| {
        let places = moments.iter().flat_map(|(_, record)| {
            let shown = geoms.iter().filter(|geom| !matches!(geom.shape, Shape::Plane));
            shown.map(|geom| pose(record, geom).position[axis])
        });
        let (low, high) = places.fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
        high - low
    };
    let horizontal = usize::from(spread(1) > spread(0));
    let pictures: Vec<Vec<Vec<Point>>> = moments
        .iter()
        .map(|(_, record)| geoms.iter().map(|geom| outline(&geom.shape, &pose(record, geom), horizontal)).collect())
        .collect();
    let ground: Vec<f64> = (geoms.iter().filter(|geom| geom.body.is_none() && matches!(geom.shape, Shape::Plane)))
        .filter(|geom| Quaternion(geom.orientation).rotate(&Vector3::z()).z > 0.999)
        .map(|geom| geom.position[2])
        .collect();
    let all = pictures.iter().flatten().flatten();
    let bounds = all.fold([f64::MAX, f64::MIN, f64::MAX, f64::MIN], |[a, b, c, d], (x, z)| {
        [a.min(*x), b.max(*x), c.min(*z), d.max(*z)]
    });
    let [left, right, bottom, top] = if bounds[0] <= bounds[1] { bounds } else { [-1.0, 1.0, -1.0, 1.0] };
    let lowest = ground.iter().copied().filter(|z| *z < top && bottom - z < top - bottom).fold(bottom, f64::min);
    let (axes, names) = split(area);
    let builder = || {
        let mut builder = ChartBuilder::on(&axes);
        builder
            .caption("From the side, to scale", ("sans-serif", 18))
            .margin(8)
            .margin_right(16)
            .x_label_area_size(38)
            .y_label_area_size(78);
        builder
    };
    // The same metres a pixel both ways.
    let (x, y) = builder().build_cartesian_2d(0.0..1.0, 0.0..1.0)?.plotting_area().get_pixel_range();
    axes.fill(&WHITE)?;
    let (wide, high) = (f64::from(x.end - x.start), f64::from(y.end - y.start));
    let scale = 1.12 * ((right - left) / wide).max((top - lowest) / high).max(1e-9);
    let (middle, center) = ((left + right) / 2.0, (lowest + top) / 2.0);
    let mut chart = builder().build_cartesian_2d(
        middle - scale * wide / 2.0..middle + scale * wide / 2.0,
        center - scale * high / 2.0..center + scale * high / 2.0,
    )?;
    chart
        .configure_mesh()
        .x_desc(if horizontal == 0 { "x, m" } else { "y, m" })
        .y_desc("z, m")
        .label_style(("sans-serif", 13))
        .axis_desc_style(("sans-serif", 14))
        .light_line_style(WHITE)
        .bold_line_style(RGBColor(235, 235, 235))
        .draw()?;
    let range = chart.x_range();
    for z in ground {
        let line = [(range.start, z), (range.end, z)];
        chart
            .draw_series(LineSeries::new(line, ShapeStyle { color: GREY.to_rgba(), filled: false, stroke_width: 2 }))?;
    }
    for (index, picture) in pictures.iter().enumerate() {
        let color = shade(index, count);
        for shape in picture.iter().filter(|shape| shape.len() > 2) {
            chart.draw_series([Polygon::new(shape.clone(), color.mix(0.25))])?;
            let closed = shape.iter().chain(shape.first()).copied();
            chart.draw_series(LineSeries::new(
                closed,
                ShapeStyle { color: color.to_rgba(), filled: false, stroke_width: 1 },
            ))?;
        }
    }
    let entries: Vec<_> =
        moments.iter().enumerate().map(|(k, (time, _))| (format!("{time:.3} s"), shade(k, count))).collect();
    legend(&names, &entries)
}
