//! A two-link arm that swings: entries of its mass matrix and its energies.

use delassus::dynamics::{kinetic_energy, potential_energy};
use delassus::model::Model;
use delassus::solver::Budget;
use delassus::tick::{Input, Workspace};
use nalgebra::Vector2;

use super::Result;
use super::figure::{Axis, Color, Figure, Panel, Points, Shape};
use super::two_link_arm::ARM;

pub fn figures() -> Result<Vec<Figure>> {
    Ok(vec![swinging()?])
}

/// One state and what the crate finds in it.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    pub time: f64,
    pub configuration: [f64; 2],
    pub velocity: [f64; 2],
    /// M₁₁, M₁₂ \[kg m²\].
    pub mass: [f64; 2],
    /// Potential and kinetic \[J\].
    pub energy: [f64; 2],
}

/// Five seconds by Runge–Kutta at 5 ms, one record a state.
pub fn swing() -> Result<Vec<Seen>> {
    let mut work = Workspace::<f64, 2, 2, 0, 0>::filled(0.0);
    let model = Model::<f64, 2, 2, 2>::new(&ARM, &mut work.smooth)?;
    let budget = Budget::new(0, 0.0);
    let mut state = model.state();
    (state.configuration, state.velocity) = ([0.6, -0.4], Vector2::new(1.0, -0.5));
    let mut seen = Vec::new();
    for step in 0..=1000 {
        model.forward(&state, &Input::none(), &budget, &mut work)?;
        let columns = work.mass().columns();
        seen.push(Seen {
            time: f64::from(step) * 0.005,
            configuration: state.configuration,
            velocity: state.velocity.into(),
            mass: [columns[0][0], columns[1][0]],
            energy: [
                potential_energy(model.tree(), work.kinematics(), &model.gravity()),
                kinetic_energy(model.tree(), work.kinematics(), &state.velocity),
            ],
        });
        model.step_runge_kutta(&mut state, &Input::none(), &budget, &mut work, &mut ())?;
    }
    Ok(seen)
}

fn swinging() -> Result<Figure> {
    let seen = swing()?;
    let over = |pick: fn(&Seen) -> f64| -> Points { seen.iter().map(|s| (s.time, pick(s))).collect() };
    let time = || Axis::new("time t", "s").over(0.0, 5.0);
    let angles = Panel::new("Angles", time(), Axis::new("angle", "rad").over(-1.6, 1.6))
        .line(Color::Blue, "q₁, from straight down", over(|s| s.configuration[0]))
        .line(Color::Vermilion, "q₂, from link 1", over(|s| s.configuration[1]));
    let masses = Panel::new("Mass matrix", time(), Axis::new("inertia", "kg m²").over(0.0, 3.2))
        .line(Color::Blue, "M₁₁", over(|s| s.mass[0]))
        .line(Color::Vermilion, "M₁₂", over(|s| s.mass[1]));
    let start = seen.first().map_or(0.0, |s| s.energy[0] + s.energy[1]);
    let energies = Panel::new("Energies", time(), Axis::new("energy", "J").over(-25.0, 7.0))
        .line(Color::Blue, "potential", over(|s| s.energy[0]))
        .line(Color::Vermilion, "kinetic", over(|s| s.energy[1]))
        .layer(Shape::Line, Color::Black, "total", over(|s| s.energy[0] + s.energy[1]));
    let drift = seen.iter().map(|s| (s.time, 1e9 * (s.energy[0] + s.energy[1] - start))).collect();
    let drifts = Panel::new("Drift of the total", time(), Axis::new("energy − start", "nJ")).line(
        Color::Black,
        "Runge–Kutta at 5 ms",
        drift,
    );
    Ok(Figure {
        name: "two_link_arm",
        title: "A two-link arm swings",
        drawn: "Nothing drives or damps the arm: M₁₁ and M₁₂ follow the elbow's angle, potential and kinetic energy exchange, and \
                their sum stays to some 30 nJ over five seconds.",
        source: "S07-19 … S07-27; W07-31, W07-34, W07-36 and the closed forms of examples/two_link_arm.",
        columns: 2,
        panels: vec![angles, masses, energies, drifts],
    })
}
