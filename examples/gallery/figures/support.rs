//! A ball of 2 kg carried by one soft normal row: force and acceleration over the error, and where it rests.

use delassus::mass::MassMatrix;
use delassus::rows::{Kind, RowContext, RowInput, Rows};
use delassus::softness::{Softness, StepRules};
use delassus::solver::{Budget, NewtonWorkspace, newton};
use nalgebra::{Matrix1, Vector1};

use super::Result;
use super::contact_trace::{GRAVITY, MASS, SOLIMP, SOLREF};
use super::figure::{Axis, Color, Figure, Panel, Points, Side, spaced};

/// Time step of the rows \[s\].
const STEP: f64 = 0.005;

pub fn figures() -> Result<Vec<Figure>> {
    Ok(vec![forces()?, accelerations()?])
}

/// Normal force \[N\] and acceleration \[m/s²\] at a position error \[m\] and a velocity \[m/s\].
pub fn carried(error: f64, velocity: f64) -> Result<(f64, f64)> {
    let mut mass = MassMatrix::<f64, 1>::filled(0.0);
    mass.set(&Matrix1::new(MASS))?;
    let softness = Softness::from_mujoco(SOLREF, SOLIMP)?;
    let mut rows = Rows::<f64, 1, 1>::new();
    let up = Vector1::new(1.0);
    // Strictly inside the margin (S11-03).
    if error < 0.0 {
        let input = RowInput::new(&up, error, velocity);
        rows.one_sided(&mass, &RowContext::new(STEP), &softness, Kind::ContactFrictionless, &input)?;
    }
    let mut work = NewtonWorkspace::<f64, 1, 1>::filled(0.0);
    newton(&mass, &Vector1::new(-GRAVITY), &rows, None, &Budget::new(10, 0.0), &mut work)?;
    Ok((work.force().first().copied().unwrap_or(0.0), work.acceleration()[0]))
}

/// Where the ball rests: position error \[m\], by the crate's own search.
pub fn rest() -> Result<f64> {
    let softness = Softness::from_mujoco(SOLREF, SOLIMP)?;
    Ok(softness.equilibrium(GRAVITY, 1.0, &StepRules::new(STEP))?.residual)
}

/// Error in millimetres against one of the two numbers of [`carried`].
fn curve(errors: impl Iterator<Item = f64>, velocity: f64, pick: fn((f64, f64)) -> f64) -> Result<Points> {
    errors.map(|error| Ok((1000.0 * error, pick(carried(error, velocity)?)))).collect()
}

fn forces() -> Result<Figure> {
    let force = |(force, _): (f64, f64)| force;
    let near = || spaced(-0.002, 0.0005, 250);
    let far = || spaced(-0.035, 0.001, 360);
    let weight = MASS * GRAVITY;
    let rest = 1000.0 * rest()?;
    let panel = |title, low, high, top| {
        Panel::new(
            title,
            Axis::new("position error r", "mm").over(low, high),
            Axis::new("normal force f", "N").over(-2.0, top),
        )
    };
    let close = panel("Around the rest position", -2.0, 0.5, 50.0)
        .line(Color::Black, "at rest, u = 0", curve(near(), 0.0, force)?)
        .line(Color::Vermilion, "approaching, u = −0.1 m/s", curve(near(), -0.1, force)?)
        .line(Color::Blue, "leaving, u = +0.1 m/s", curve(near(), 0.1, force)?)
        .dashed(Color::Grey, "m g", vec![(-2.0, weight), (0.5, weight)])
        .dots(Color::Black, "", vec![(rest, weight)])
        .note((rest, weight), Side::BelowLeft, "rests at −0.437 mm");
    let worked = carried(-0.03, -0.1)?.0;
    let wide = panel("Deep in the row", -35.0, 1.0, 230.0)
        .line(Color::Black, "at rest, u = 0", curve(far(), 0.0, force)?)
        .line(Color::Vermilion, "approaching, u = −0.1 m/s", curve(far(), -0.1, force)?)
        .line(Color::Blue, "leaving, u = +0.1 m/s", curve(far(), 0.1, force)?)
        .dashed(Color::Grey, "m g", vec![(-35.0, weight), (1.0, weight)])
        .dots(Color::Vermilion, "", vec![(-30.0, worked)])
        .note((-30.0, worked), Side::AboveRight, "188.639 N");
    Ok(Figure {
        name: "normal_force",
        title: "Normal force over position error",
        drawn: "The force of one soft contact row that carries a ball of 2 kg, at rest, approaching and leaving; it begins with a \
                jump at the margin, and meets the weight where the ball rests.",
        source: "S12-07, S12-09, S12-50, S12-51; W12-46, W12-61 and W12-64 are marked.",
        columns: 2,
        panels: vec![close, wide],
    })
}

/// Inclusion margins of the second panel \[mm\].
pub const MARGINS: [(f64, Color); 3] = [(0.0, Color::Blue), (10.0, Color::Green), (20.0, Color::Black)];

fn accelerations() -> Result<Figure> {
    let acceleration = |(_, acceleration): (f64, f64)| acceleration;
    let rest = 1000.0 * rest()?;
    let samples = curve(spaced(-0.002, 0.0005, 250), 0.0, acceleration)?;
    let one = Panel::new(
        "At rest: up when deeper, down when shallower",
        Axis::new("position error r", "mm").over(-2.0, 0.5),
        Axis::new("acceleration", "m/s²").over(-11.0, 5.0),
    )
    .line(Color::Black, "acceleration", samples)
    .dotted(Color::Grey, "", vec![(-2.0, 0.0), (0.5, 0.0)])
    .dots(Color::Vermilion, "equilibrium", vec![(rest, 0.0)])
    .note((rest, 0.0), Side::BelowLeft, "r* = −0.437 mm")
    .note((0.25, -GRAVITY), Side::Above, "free fall");
    let mut other = Panel::new(
        "The margin moves it, and nothing else",
        Axis::new("gap between the surfaces", "mm").over(-8.0, 24.0),
        Axis::new("acceleration", "m/s²").over(-11.0, 15.0),
    )
    .dotted(Color::Grey, "", vec![(-8.0, 0.0), (24.0, 0.0)]);
    for (margin, color) in MARGINS {
        // The row sees the gap less the margin.
        let errors = spaced(-0.006, 0.002, 320);
        let shifted = curve(errors, 0.0, acceleration)?.into_iter().map(|(r, a)| (r + margin, a)).collect();
        other = other.line(color, format!("margin {margin} mm"), shifted).dots(color, "", vec![(margin + rest, 0.0)]);
    }
    Ok(Figure {
        name: "equilibrium",
        title: "Acceleration over error, and the margin",
        drawn: "The ball's final acceleration over its position error crosses zero at the equilibrium, which is stable; another \
                inclusion margin moves the whole curve by as much.",
        source: "S12-51 … S12-54; W12-61, W12-62 and W12-65.",
        columns: 2,
        panels: vec![one, other],
    })
}
