//! The oscillator x″ = −ω² x − γ x′ by five integrators.

use delassus::description::{Body, Description, Flags, Integrator, Joint, JointKind};
use delassus::model::Model;
use delassus::reference::oscillator::{Phase, SpringDampers};
use delassus::solver::Budget;
use delassus::tick::{Input, Workspace};
use nalgebra::{Matrix1, Vector1};

use super::Result;
use super::figure::{Axis, Color, Figure, Panel, Points, Shape, spaced};

/// Angular frequency \[rad/s\], step \[s\], start (x \[m\], v \[m/s\]).
pub const OMEGA: f64 = 3.0;
pub const STEP: f64 = 0.05;
pub const START: [f64; 2] = [1.0, -0.5];

pub fn figures() -> Result<Vec<Figure>> {
    Ok(vec![undamped()?, damped()?])
}

/// How a step is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    Explicit,
    Implicit,
    SemiImplicit,
    RungeKutta,
    VelocityImplicit,
}

/// Unit mass, spring ω² \[N/m\], damper γ \[N s/m\], step \[s\].
#[derive(Clone, Copy, Debug)]
pub struct Oscillator {
    pub stiffness: f64,
    pub damping: f64,
    pub step: f64,
}

impl Oscillator {
    /// The states (x, v) of so many steps, the start first.
    ///
    /// # Errors
    /// The matrix of an implicit step is not positive definite.
    pub fn run(&self, rule: Rule, start: [f64; 2], count: usize) -> Result<Points> {
        if matches!(rule, Rule::Explicit | Rule::Implicit) {
            return self.by_reference(rule, start, count);
        }
        let bodies = [Body::<f64>::new(1.0, [0.1; 3])];
        let (stiffness, damping) = ([self.stiffness, 0.0, 0.0], [self.damping, 0.0, 0.0]);
        let joints = [Joint { stiffness, damping, ..Joint::<f64>::new(JointKind::Slide, 0) }];
        let mut description = Description { bodies: &bodies, joints: &joints, ..Description::<f64>::empty(self.step) };
        description.options.gravity = [0.0; 3];
        description.options.flags = Flags { euler_damping: false, ..Flags::DEFAULT };
        description.options.integrator = match rule {
            Rule::RungeKutta => Integrator::RungeKutta,
            Rule::VelocityImplicit => Integrator::ImplicitFast,
            _ => Integrator::Euler,
        };
        let mut work = Workspace::<f64, 1, 1, 0, 0>::filled(0.0);
        let model = Model::<f64, 1, 1, 1>::new(&description, &mut work.smooth)?;
        let mut state = model.state();
        (state.configuration, state.velocity) = ([start[0]], Vector1::new(start[1]));
        let mut states = vec![start.into()];
        for _ in 0..count {
            model.step(&mut state, &Input::none(), &Budget::new(0, 0.0), &mut work)?;
            states.push((state.configuration[0], state.velocity[0]));
        }
        Ok(states)
    }

    fn by_reference(&self, rule: Rule, start: [f64; 2], count: usize) -> Result<Points> {
        let system = SpringDampers {
            mass: Matrix1::new(1.0),
            stiffness: Matrix1::new(self.stiffness),
            damping: Matrix1::new(self.damping),
        };
        let mut phase = Phase { position: Vector1::new(start[0]), velocity: Vector1::new(start[1]) };
        let mut states = vec![start.into()];
        for _ in 0..count {
            phase = match rule {
                Rule::Explicit => system.explicit_euler(&phase, self.step)?,
                _ => system.implicit_euler(&phase, self.step)?,
            };
            states.push((phase.position[0], phase.velocity[0]));
        }
        Ok(states)
    }

    /// The true state at a time, by the closed form for γ < 2 ω.
    pub fn exact(&self, [x, v]: [f64; 2], time: f64) -> (f64, f64) {
        let half = 0.5 * self.damping;
        let omega = (self.stiffness - half * half).sqrt();
        let (sine, cosine) = (omega * time).sin_cos();
        let decay = (-half * time).exp();
        let b = (v + half * x) / omega;
        let position = decay * (x * cosine + b * sine);
        (position, decay * omega * (b * cosine - x * sine) - half * position)
    }

    /// ½ v² + ½ ω² x² \[J\].
    pub fn energy(&self, (x, v): (f64, f64)) -> f64 {
        0.5 * (v * v + self.stiffness * x * x)
    }
}

const RULES: [(Rule, Color, Shape, &str); 5] = [
    (Rule::Explicit, Color::Vermilion, Shape::Line, "explicit Euler"),
    (Rule::SemiImplicit, Color::Blue, Shape::Line, "semi-implicit Euler"),
    (Rule::Implicit, Color::Green, Shape::Line, "implicit Euler"),
    (Rule::RungeKutta, Color::Black, Shape::Line, "Runge–Kutta 4"),
    (Rule::VelocityImplicit, Color::Orange, Shape::Dashed, "velocity-implicit"),
];

fn panels(oscillator: &Oscillator, count: usize, reach: f64, energies: (f64, f64)) -> Result<Vec<Panel>> {
    let end = count as f64 * oscillator.step;
    let exact: Vec<_> = spaced(0.0, end, 400).map(|t| (t, oscillator.exact(START, t))).collect();
    let mut position = Panel::new(
        "Position",
        Axis::new("time t", "s").over(0.0, end),
        Axis::new("position x", "m").over(-reach, reach),
    )
    .layer(Shape::Wide, Color::Grey, "true", exact.iter().map(|(t, s)| (*t, s.0)).collect());
    let mut phase = Panel::new(
        "Phase plane",
        Axis::new("position x", "m").over(-reach, reach),
        Axis::new("velocity v", "m/s").over(-3.0 * reach, 3.0 * reach),
    )
    .layer(Shape::Wide, Color::Grey, "true", exact.iter().map(|(_, s)| *s).collect());
    let mut energy = Panel::new(
        "Energy",
        Axis::new("time t", "s").over(0.0, end),
        Axis::new("energy", "J").over(energies.0, energies.1).logarithmic(),
    )
    .layer(Shape::Wide, Color::Grey, "true", exact.iter().map(|(t, s)| (*t, oscillator.energy(*s))).collect());
    for (rule, color, shape, name) in RULES {
        let states = oscillator.run(rule, START, count)?;
        let time = |k: usize| k as f64 * oscillator.step;
        let over = |pick: &dyn Fn((f64, f64)) -> f64| -> Points {
            states.iter().enumerate().map(|(k, s)| (time(k), pick(*s))).collect()
        };
        position = position.layer(shape, color, name, over(&|s| s.0));
        energy = energy.layer(shape, color, name, over(&|s| oscillator.energy(s)));
        phase = phase.layer(shape, color, name, states);
    }
    Ok(vec![position, phase, energy])
}

fn undamped() -> Result<Figure> {
    let oscillator = Oscillator { stiffness: OMEGA * OMEGA, damping: 0.0, step: STEP };
    Ok(Figure {
        name: "oscillator",
        title: "An oscillator without damping, five integrators",
        drawn: "Position, phase plane and energy with ω = 3 rad/s at steps of 50 ms: explicit Euler gains energy at every step, \
                implicit Euler loses it, semi-implicit Euler (the same as velocity-implicit without a damper) stays near it, and \
                Runge–Kutta is on the true curve.",
        source: "S15-41 … S15-46, S15-49, S15-53; W15-75, W15-76, W15-77.",
        columns: 3,
        panels: panels(&oscillator, 80, 3.0, (0.5, 50.0))?,
    })
}

fn damped() -> Result<Figure> {
    let oscillator = Oscillator { stiffness: OMEGA * OMEGA, damping: 0.4, step: STEP };
    Ok(Figure {
        name: "oscillator_damped",
        title: "An oscillator with damping, five integrators",
        drawn: "The same with a damper of γ = 0.4 1/s: explicit Euler still grows, implicit Euler dies too early, and the \
                velocity-implicit step treats the damper implicitly and the spring as semi-implicit Euler does.",
        source: "S15-41 … S15-46, S15-49, S15-53, S15-54; the first steps are W15-70 … W15-74.",
        columns: 3,
        panels: panels(&oscillator, 120, 1.5, (0.02, 20.0))?,
    })
}
