//! The ball thrown along a plane, at two step sizes, in both precisions.

use super::Result;
use super::contact_trace::{GRAVITY, MARGIN, MASS, Record, Throw, machinery};
use super::figure::{Axis, Color, Figure, Panel, Points, Shape};

/// The longer step \[s\].
pub const LONG: f64 = 0.02;

pub fn figures() -> Result<Vec<Figure>> {
    Ok(vec![contact()?])
}

/// f64 and f32 at one step size.
pub fn both(step: f64) -> Result<[Vec<Record>; 2]> {
    let throw = Throw { step, ..Throw::STANDARD };
    Ok([machinery::trace::<f64>(&throw)?, machinery::trace::<f32>(&throw)?])
}

fn contact() -> Result<Figure> {
    let (fine, coarse) = (both(Throw::STANDARD.step)?, both(LONG)?);
    let panel = |title: &str, (start, end): (f64, f64), y: Axis, value: fn(&Record) -> f64| {
        let over = |records: &[Record]| -> Points { records.iter().map(|r| (r.time, value(r))).collect() };
        Panel::new(title, Axis::new("time t", "s").over(start, end), y)
            .layer(Shape::Wide, Color::Sky, "5 ms, f64", over(&fine[0]))
            .layer(Shape::Line, Color::Blue, "5 ms, f32", over(&fine[1]))
            .layer(Shape::Wide, Color::Orange, "20 ms, f64", over(&coarse[0]))
            .layer(Shape::Line, Color::Vermilion, "20 ms, f32", over(&coarse[1]))
    };
    let level = |y: f64| vec![(0.0, y), (2.0, y)];
    // All of the motion, and the strike.
    let (whole, strike) = ((0.0, 0.8), (0.24, 0.48));
    let position = panel("Way along the plane", whole, Axis::new("position x", "m").over(0.0, 0.26), |r| r.position[0]);
    let gap = panel("Gap between ball and plane", whole, Axis::new("gap", "m").over(-0.05, 0.45), Record::gap).dashed(
        Color::Grey,
        "margin",
        level(MARGIN),
    );
    let normal =
        panel("Normal force around the strike", strike, Axis::new("normal force", "N").over(-20.0, 660.0), |r| {
            r.force[0]
        })
        .dashed(Color::Grey, "m g", level(MASS * GRAVITY));
    let tangent =
        panel("Friction around the strike", strike, Axis::new("tangential force", "N").over(-170.0, 20.0), |r| {
            r.force[1]
        });
    Ok(Figure {
        name: "contact_trace",
        title: "A ball strikes a plane",
        drawn: "A ball thrown along a soft plane falls, strikes, slides and sticks: f32 lies on f64, while a step of 20 ms meets \
                the contact at another instant, with half the peak.",
        source: "S15-67 … S15-73, S12-51; W15-91 … W15-9b and W15-99b.",
        columns: 2,
        panels: vec![position, gap, normal, tangent],
    })
}
