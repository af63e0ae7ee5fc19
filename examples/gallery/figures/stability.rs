//! Where integrators are stable, and what the stages of Runge and Kutta's rule are.

use delassus::constraint::{Hooks, Place, Scene};
use delassus::description::{Body, Description, Joint, JointKind};
use delassus::integrator::runge_kutta::{trial_shares, weights};
use delassus::model::Model;
use delassus::rows::{Rows, RowsError};
use delassus::solver::Budget;
use delassus::tick::{Input, Workspace};
use nalgebra::{Complex, Vector1};

use super::Result;
use super::figure::{Axis, Color, Figure, Panel, Points, Shape, Side, level_curve, spaced};
use super::oscillator::{Oscillator, Rule};

pub fn figures() -> Result<Vec<Figure>> {
    Ok(vec![regions()?, stages_of_a_step()?])
}

/// Largest |eigenvalue| of one step of length 1 of the oscillator whose two eigenvalues are z and its conjugate: ω² = |z|²,
/// γ = −2 Re z. Infinite where the step does not exist.
pub fn growth(rule: Rule, (x, y): (f64, f64)) -> f64 {
    let oscillator = Oscillator { stiffness: x * x + y * y, damping: -2.0 * x, step: 1.0 };
    let column = |start: [f64; 2]| oscillator.run(rule, start, 1).ok().and_then(|states| states.last().copied());
    let (Some((a, c)), Some((b, d))) = (column([1.0, 0.0]), column([0.0, 1.0])) else { return f64::INFINITY };
    let (trace, determinant) = (a + d, a * d - b * c);
    let square = 0.25 * trace * trace - determinant;
    if square < 0.0 { determinant.sqrt() } else { 0.5 * trace.abs() + square.sqrt() }
}

/// |R(z)| of Runge and Kutta's rule on y′ = λ y, by the crate's own shares and weights.
pub fn runge_kutta((x, y): (f64, f64)) -> f64 {
    let (z, one) = (Complex::new(x, y), Complex::new(1.0, 0.0));
    let [first, later @ ..] = weights::<f64>();
    let (mut slope, mut sum) = (z, z * first);
    for (share, weight) in trial_shares::<f64>().into_iter().zip(later) {
        slope = z * (one + slope * share);
        sum += slope * weight;
    }
    (one + sum).norm_sqr().sqrt()
}

/// Borders of stability.
pub fn borders() -> [(&'static str, Color, Points); 5] {
    [
        ("explicit Euler: inside", Color::Vermilion, level_curve((-1.0, 0.0), 1.0, 6.0, |z| growth(Rule::Explicit, z))),
        ("Runge–Kutta 4: inside", Color::Black, level_curve((-1.0, 0.0), 1.0, 6.0, runge_kutta)),
        // Unstable around +1, so the border is where the growth comes down to 1.
        ("implicit Euler: outside", Color::Green, level_curve((1.0, 0.0), -1.0, 6.0, |z| -growth(Rule::Implicit, z))),
        (
            "semi-implicit Euler: inside",
            Color::Blue,
            level_curve((-0.5, 0.0), 1.0, 6.0, |z| growth(Rule::SemiImplicit, z)),
        ),
        (
            "velocity-implicit: inside",
            Color::Orange,
            level_curve((-2.0, 0.0), 1.0, 6.0, |z| growth(Rule::VelocityImplicit, z)),
        ),
    ]
}

fn regions() -> Result<Figure> {
    let plane = |title: &str| {
        Panel::new(title, Axis::new("Re z", "–").over(-5.2, 2.4), Axis::new("Im z", "–").over(-3.6, 3.6))
            .equal()
            .dotted(Color::Grey, "", vec![(-50.0, 0.0), (50.0, 0.0)])
            .dotted(Color::Grey, "", vec![(0.0, -50.0), (0.0, 50.0)])
    };
    let root = 8f64.sqrt();
    let (mut first, mut second) = (plane("y′ = λ y, z = h λ"), plane("Oscillator, z = h λ and its conjugate"));
    for (place, (name, color, points)) in borders().into_iter().enumerate() {
        if place < 3 {
            first = first.line(color, name, points);
        } else {
            second = second.line(color, name, points);
        }
    }
    let first = first
        .dots(Color::Black, "", vec![(0.0, root), (0.0, -root)])
        .note((0.0, root), Side::AboveRight, "√8 i")
        .note((0.0, -root), Side::BelowRight, "−√8 i");
    let second = second
        .dots(Color::Blue, "", vec![(0.0, 2.0), (0.0, -2.0)])
        .note((0.0, 2.0), Side::Right, "h ω = 2")
        .note((0.0, -2.0), Side::Right, "h ω = 2");
    Ok(Figure {
        name: "stability",
        title: "Regions of stability",
        drawn: "Where one step does not amplify: left for y′ = λ y, right for an oscillator whose eigenvalues are λ and its \
                conjugate, found from the crate's own steps by looking for growth 1.",
        source: "S15-43, S15-47, S15-48, S15-53; W15-78, W15-79, W15-7a … W15-7f; the right-hand borders are arcs of radius √8 \
                 about ±2.",
        columns: 2,
        panels: vec![first, second],
    })
}

/// Position and velocity of every stage, as the rows of that stage were asked for.
#[derive(Default)]
struct Stages(Vec<[f64; 2]>);

impl Hooks<f64, 1, 1, 1, 0, 0> for Stages {
    fn rows(
        &mut self,
        place: Place,
        scene: &Scene<'_, '_, f64, 1, 1, 1>,
        _: &mut Rows<f64, 1, 0, 0>,
    ) -> std::result::Result<(), RowsError> {
        if place == Place::Equality {
            self.0.push([scene.configuration[0], scene.velocity[0]]);
        }
        Ok(())
    }
}

/// Start and step of the staged oscillator, ω = 1.
pub const STAGED: [f64; 2] = [1.0, 0.8];
pub const LONG_STEP: f64 = 2.0;

/// The four trial states (x, v) of one long step, and the state that it ends in.
pub fn stages() -> Result<(Vec<[f64; 2]>, [f64; 2])> {
    let bodies = [Body::<f64>::new(1.0, [0.1; 3])];
    let joints = [Joint { stiffness: [1.0, 0.0, 0.0], ..Joint::<f64>::new(JointKind::Slide, 0) }];
    let mut description = Description { bodies: &bodies, joints: &joints, ..Description::<f64>::empty(LONG_STEP) };
    description.options.gravity = [0.0; 3];
    let mut work = Workspace::<f64, 1, 1, 0, 0>::filled(0.0);
    let model = Model::<f64, 1, 1, 1>::new(&description, &mut work.smooth)?;
    let mut state = model.state();
    (state.configuration, state.velocity) = ([STAGED[0]], Vector1::new(STAGED[1]));
    let mut stages = Stages::default();
    model.step_runge_kutta(&mut state, &Input::none(), &Budget::new(0, 0.0), &mut work, &mut stages)?;
    Ok((stages.0, [state.configuration[0], state.velocity[0]]))
}

fn stages_of_a_step() -> Result<Figure> {
    let (stages, end) = stages()?;
    let truth = Oscillator { stiffness: 1.0, damping: 0.0, step: LONG_STEP };
    let exact: Vec<_> = spaced(0.0, LONG_STEP, 200).map(|t| (t, truth.exact(STAGED, t))).collect();
    let times: Vec<f64> = [0.0].into_iter().chain(trial_shares::<f64>()).map(|share| share * LONG_STEP).collect();
    let colors = [Color::Black, Color::Blue, Color::Green, Color::Vermilion];
    let panel = |title: &str, axis: Axis, value: usize, slope: &dyn Fn(&[f64; 2]) -> f64| {
        let true_value = |s: (f64, f64)| [s.0, s.1][value];
        let mut panel = Panel::new(title, Axis::new("time t", "s").over(-0.15, 2.35), axis).layer(
            Shape::Wide,
            Color::Grey,
            "true",
            exact.iter().map(|(t, s)| (*t, true_value(*s))).collect(),
        );
        for (index, ((stage, time), color)) in stages.iter().zip(&times).zip(colors).enumerate() {
            let (length, at, slope) = (0.28, stage[value], slope(stage));
            if index > 0 {
                panel = panel.dotted(color, "", vec![(0.0, STAGED[value]), (*time, at)]);
            }
            panel = panel
                .line(color, "", vec![(time - length, at - length * slope), (time + length, at + length * slope)])
                .dots(color, format!("stage {} and its slope", index + 1), vec![(*time, at)]);
        }
        panel.layer(Shape::Rings, Color::Black, "end of the step", vec![(LONG_STEP, end[value])])
    };
    let position = panel("Position", Axis::new("position x", "m").over(-1.8, 2.4), 0, &|s| s[1]);
    let velocity = panel("Velocity", Axis::new("velocity v", "m/s").over(-2.4, 1.2), 1, &|s| -s[0]);
    Ok(Figure {
        name: "runge_kutta_stages",
        title: "The four stages of Runge and Kutta's rule",
        drawn: "One very long step (h ω = 2) of an oscillator: each stage follows the slope of the one before from the start, and \
                the weighted slopes end close to the true curve.",
        source: "S15-49 … S15-51, S15-56; the stages are what the crate's step evaluates, its end the first five powers of h A \
                 (W15-74).",
        columns: 2,
        panels: vec![position, velocity],
    })
}
