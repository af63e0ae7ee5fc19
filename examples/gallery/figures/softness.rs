//! How a softness acts: effective weight, recovery, impedance curve.

use delassus::description::{Body, Description, Equality, EqualityKind, Integrator, Joint, JointKind, SoftnessNumbers};
use delassus::model::Model;
use delassus::softness::{Impedance, effective_weight};
use delassus::solver::Budget;
use delassus::tick::{Input, Workspace};

use super::Result;
use super::figure::{Axis, Color, Figure, Panel, Points, Shape, Side, spaced};

pub fn figures() -> Result<Vec<Figure>> {
    Ok(vec![weights()?, recoveries()?, impedances()?])
}

/// d_eff over d where the diagonal is right, twice too large, half too large.
fn weights() -> Result<Figure> {
    let delassus_diagonal = 0.5;
    let curve = |ratio: f64| -> Result<Points> {
        spaced(0.01, 0.99, 98)
            .map(|d| {
                let regularizer = Impedance::constant(d)?.at(0.0).regularizer(ratio * delassus_diagonal)?;
                Ok((d, effective_weight(delassus_diagonal, regularizer)))
            })
            .collect()
    };
    let panel = Panel::new(
        "What the target weighs in a row's acceleration",
        Axis::new("impedance d", "–").over(0.0, 1.0),
        Axis::new("effective weight A/(A + R)", "–").over(0.0, 1.0),
    )
    .line(Color::Vermilion, "Â/A = 0.5: harder than asked", curve(0.5)?)
    .line(Color::Black, "Â/A = 1: as asked", curve(1.0)?)
    .line(Color::Blue, "Â/A = 2: softer than asked", curve(2.0)?)
    .dots(Color::Black, "d = 0.9", vec![(0.9, 0.9), (0.9, 9.0 / 11.0)])
    .note((0.9, 9.0 / 11.0), Side::BelowRight, "9/11");
    Ok(Figure {
        name: "effective_weight",
        title: "Effective weight of a soft row",
        drawn: "A row asks for the share d of its target; it gets d_eff, which equals d only where the scale Â of its regularizer \
                is the true diagonal A.",
        source: "S12-12, S12-15 … S12-17; the points at d = 0.9 are W12-02a and W12-02b.",
        columns: 1,
        panels: vec![panel],
    })
}

/// Time constant of the recoveries \[s\].
pub const TIME_CONSTANT: f64 = 0.3;

/// r(t)/r(0) of a mass that an equality pulls back from rest: Runge–Kutta at 1 ms, every fifth state.
pub fn recovery(damping_ratio: f64) -> Result<Points> {
    let bodies = [Body::<f64>::new(1.0, [0.1; 3])];
    let joints = [Joint::<f64>::new(JointKind::Slide, 0)];
    let softness = SoftnessNumbers { solref: [TIME_CONSTANT, damping_ratio], solimp: [0.95, 0.95, 0.001, 0.5, 2.0] };
    let coupling = EqualityKind::Coupling { joint: 0, leader: None, polynomial: [0.0; 5] };
    let equalities = [Equality { softness, ..Equality::<f64>::new(coupling) }];
    let mut description =
        Description { bodies: &bodies, joints: &joints, equalities: &equalities, ..Description::<f64>::empty(0.001) };
    description.options.gravity = [0.0; 3];
    description.options.integrator = Integrator::RungeKutta;
    let mut work = Workspace::<f64, 1, 1, 0, 1>::filled(0.0);
    let model = Model::<f64, 1, 1, 1>::new(&description, &mut work.smooth)?;
    let mut state = model.state();
    state.configuration = [1.0];
    let mut points = Vec::new();
    for tick in 0..=1500 {
        if tick % 5 == 0 {
            points.push((f64::from(tick) / 1000.0, state.configuration[0]));
        }
        model.step(&mut state, &Input::none(), &Budget::new(10, 0.0), &mut work)?;
    }
    Ok(points)
}

fn recoveries() -> Result<Figure> {
    let (two_over_e, three_over_e_squared) = (2.0 / 1f64.exp(), 3.0 / 2f64.exp());
    let panel = Panel::new(
        "Recovery from rest, time constant 0.3 s",
        Axis::new("time t", "s").over(0.0, 1.5),
        Axis::new("residual r(t)/r(0)", "–").over(-0.2, 1.05),
    )
    .line(Color::Blue, "ζ = 0.5: overshoots", recovery(0.5)?)
    .line(Color::Black, "ζ = 1: fastest without overshoot", recovery(1.0)?)
    .line(Color::Vermilion, "ζ = 2: a slow mode remains", recovery(2.0)?)
    .dotted(Color::Grey, "", vec![(0.0, 0.0), (1.5, 0.0)])
    .dots(Color::Black, "", vec![(TIME_CONSTANT, two_over_e), (2.0 * TIME_CONSTANT, three_over_e_squared)])
    .note((TIME_CONSTANT, two_over_e), Side::AboveRight, "2/e at 0.3 s")
    .note((2.0 * TIME_CONSTANT, three_over_e_squared), Side::AboveRight, "3/e² at 0.6 s");
    Ok(Figure {
        name: "recovery",
        title: "Recovery of a soft row",
        drawn: "A unit mass is let go one unit away from where an equality wants it, and the crate's Runge–Kutta step carries it \
                back at three damping ratios.",
        source: "S12-18 … S12-23; the marks are W12-04 and W12-05, the other curves pass W12-06a and W12-06b.",
        columns: 1,
        panels: vec![panel],
    })
}

/// Impedance curves worth seeing: their solimp and what is special about them.
pub const CURVES: [(&str, Color, [f64; 5]); 5] = [
    ("0.2 → 0.8, width 0.1 m, m = 0.5, p = 2", Color::Black, [0.2, 0.8, 0.1, 0.5, 2.0]),
    ("half the width", Color::Sky, [0.2, 0.8, 0.05, 0.5, 2.0]),
    ("m = 0.4, p = 2.5", Color::Blue, [0.2, 0.8, 0.1, 0.4, 2.5]),
    ("p = 1: straight, with kinks", Color::Green, [0.2, 0.8, 0.1, 0.4, 1.0]),
    ("falling 0.9 → 0.3, m = 0.3, p = 3", Color::Vermilion, [0.9, 0.3, 0.1, 0.3, 3.0]),
];

fn impedances() -> Result<Figure> {
    let mut value = Panel::new(
        "Impedance",
        Axis::new("residual r", "m").over(-0.12, 0.12),
        Axis::new("impedance d(r)", "–").over(0.0, 1.0),
    );
    let mut slope = Panel::new(
        "Its derivative",
        Axis::new("residual r", "m").over(-0.12, 0.12),
        Axis::new("slope d′(r)", "1/m").over(-27.0, 27.0),
    );
    for (name, color, solimp) in CURVES {
        let curve = Impedance::from_solimp(solimp)?;
        let sampled: Vec<_> = spaced(-0.12, 0.12, 480).map(|r| (r, curve.at(r))).collect();
        let shape = if name.starts_with("half") { Shape::Dashed } else { Shape::Line };
        value = value.layer(shape, color, name, sampled.iter().map(|(r, d)| (*r, d.value())).collect());
        slope = slope.layer(shape, color, name, sampled.iter().map(|(r, d)| (*r, d.slope())).collect());
    }
    Ok(Figure {
        name: "impedance",
        title: "Impedance curves and their derivatives",
        drawn: "Five impedance curves over the residual, and their slopes: width, midpoint and power bend them, a straight one \
                (p = 1) has kinks with slope 0 by convention, and a falling one softens under load.",
        source: "S12-29 … S12-35; W12-2h … W12-2m lie on them.",
        columns: 2,
        panels: vec![value, slope],
    })
}
