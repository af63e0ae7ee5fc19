//! Sliding friction: the interval, the disc, and maximum dissipation.

use delassus::cone::dissipation::sliding;

use super::Result;
use super::figure::{Axis, Color, Figure, Panel, Points, Side, spaced};

/// Normal force \[N\], friction, sliding velocity \[m/s\].
pub const NORMAL: f64 = 10.0;
pub const FRICTION: f64 = 0.5;
pub const VELOCITY: [f64; 2] = [3.0, 4.0];

pub fn figures() -> Result<Vec<Figure>> {
    Ok(vec![dissipation()])
}

/// The force of this direction \[rad\] at the edge of the disc: that of sliding the other way.
fn at_the_edge(angle: f64) -> (f64, f64) {
    sliding(NORMAL, &[FRICTION; 2], &[-angle.cos(), -angle.sin()]).force.into()
}

fn dissipation() -> Figure {
    let along = |velocity: f64| -> Points {
        spaced(0.0, 12.0, 24).map(|normal| (normal, sliding(normal, &[FRICTION], &[velocity]).force[0])).collect()
    };
    let (forward, backward) = (along(1.0), along(-1.0));
    let region = forward.iter().chain(backward.iter().rev()).copied().collect();
    let interval = Panel::new(
        "One direction: an interval",
        Axis::new("normal force", "N").over(0.0, 12.0),
        Axis::new("friction force", "N").over(-6.5, 6.5),
    )
    .area(Color::Sky, "sticking: anything here", region)
    .line(Color::Vermilion, "sliding forwards", forward)
    .line(Color::Blue, "sliding backwards", backward);
    let found = sliding(NORMAL, &[FRICTION; 2], &VELOCITY);
    let disc = Panel::new(
        "Two directions: a disc",
        Axis::new("force along t₁", "N").over(-6.0, 6.0),
        Axis::new("force along t₂", "N").over(-6.0, 6.0),
    )
    .equal()
    .area(Color::Sky, "possible at 10 N", spaced(0.0, std::f64::consts::TAU, 180).map(at_the_edge).collect())
    .arrow(Color::Black, "velocity (3, 4) m/s", (0.0, 0.0), VELOCITY.into())
    .arrow(Color::Vermilion, "force", (0.0, 0.0), found.force.into())
    .note(found.force.into(), Side::BelowLeft, "(−3, −4) N");
    let power = spaced(-180.0, 180.0, 180).map(|angle| {
        let (x, y) = at_the_edge(f64::to_radians(angle));
        (angle, x * VELOCITY[0] + y * VELOCITY[1])
    });
    let least = (found.force[1].atan2(found.force[0]).to_degrees(), found.power);
    let powers = Panel::new(
        "The one that takes most power out",
        Axis::new("direction of the force", "°").over(-180.0, 180.0),
        Axis::new("power on the motion", "W").over(-34.0, 30.0),
    )
    .line(Color::Blue, "on the edge of the disc", power.collect())
    .dots(Color::Vermilion, "maximum dissipation", vec![least])
    .note(least, Side::Below, "−25 W");
    Figure {
        name: "friction",
        title: "Friction: interval, disc and dissipation",
        drawn: "At a normal force of 10 N and μ = 0.5 a sticking contact may have any friction force of the interval or disc; a \
                sliding one has the force that takes most power out of the motion.",
        source: "S07-48, S07-49; W07-60 and W07-61.",
        columns: 3,
        panels: vec![interval, disc, powers],
    }
}
