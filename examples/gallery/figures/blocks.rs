//! Newton's method on the soft block stack, and the three solvers on stiff contact.

use delassus::reference::{BacktrackingWorkspace, backtracking_newton};
use delassus::scalar::Real;
use delassus::solver::{
    Budget, ConjugateGradientWorkspace, Iterate, Measure, NewtonWorkspace, Observer, SweepWorkspace, Variant,
    conjugate_gradient_observed, measure, newton_observed, projected_gauss_seidel_observed,
};
use nalgebra::Vector2;

use super::Result;
use super::contact_like::{ContactLike, ROWS, problems};
use super::figure::{Axis, Color, Figure, Panel, Points, Shape, Side, level_curve};
use super::stack::{Path, Stack};
use crate::by_dofs;

/// Start of both walks \[m/s²\].
pub const START: [f64; 2] = [2.0, 2.0];

pub fn figures() -> Result<Vec<Figure>> {
    Ok(vec![newtons()?, comparison()?])
}

/// The walk with backtracking: points and lengths of the steps.
pub fn backtracked() -> Result<Path> {
    let stack = Stack::new(0.0, 0.1)?;
    let mut path = Path::default();
    let mut work = BacktrackingWorkspace::filled(0.0);
    backtracking_newton(&stack.mass, &stack.free, &stack.rows, &START.into(), 20, 1e-10, &mut work, &mut path)?;
    Ok(path)
}

/// The walk with the exact line search.
pub fn exact() -> Result<Path> {
    let stack = Stack::new(0.0, 0.1)?;
    let mut path = Path::default();
    let mut work = NewtonWorkspace::filled(0.0);
    let budget = Budget::new(10, 0.0);
    newton_observed(&stack.mass, &stack.free, &stack.rows, Some(&START.into()), &budget, &mut work, &mut path)?;
    Ok(path)
}

/// The primal objective \[N m/s²\].
pub fn primal(stack: &Stack, a: (f64, f64)) -> f64 {
    measure::primal_objective(&stack.mass, &stack.free, &stack.rows, &Vector2::new(a.0, a.1))
}

/// Steps that backtracking tried and did not take: longer ones along the same direction.
pub fn rejected(path: &Path) -> Points {
    let mut trials = Vec::new();
    for (pair, step) in path.accelerations.windows(2).zip(path.steps.iter().skip(1)) {
        let mut trial = 1.0;
        while trial > *step {
            let share = trial / step;
            trials.push((pair[0].0 + share * (pair[1].0 - pair[0].0), pair[0].1 + share * (pair[1].1 - pair[0].1)));
            trial *= 0.5;
        }
    }
    trials
}

fn plane(title: &str, stack: &Stack, minimum: (f64, f64)) -> Panel {
    let mut panel = Panel::new(
        title,
        Axis::new("acceleration of the lower block a₁", "m/s²").over(-12.0, 5.0),
        Axis::new("acceleration of the upper block a₂", "m/s²").over(-12.0, 5.0),
    )
    .equal();
    for (k, level) in [83.0, 92.0, 116.0, 144.0, 250.0].into_iter().enumerate() {
        let curve = level_curve(minimum, level, 40.0, |a| primal(stack, a));
        panel = panel.line(Color::Sky, if k == 0 { "level curves of the objective" } else { "" }, curve);
    }
    panel.dashed(Color::Grey, "a row begins to act", vec![(0.0, -12.0), (0.0, 5.0)]).dashed(
        Color::Grey,
        "",
        vec![(-12.0, -12.0), (5.0, 5.0)],
    )
}

fn newtons() -> Result<Figure> {
    let stack = Stack::new(0.0, 0.1)?;
    let (halved, exact) = (backtracked()?, exact()?);
    let minimum = *exact.accelerations.last().ok_or("no walk")?;
    let first = plane("Full step first, then half of it", &stack, minimum)
        .line(Color::Vermilion, "Newton with backtracking", halved.accelerations.clone())
        .dots(Color::Vermilion, "", halved.accelerations.clone())
        .layer(Shape::Rings, Color::Black, "tried and rejected", rejected(&halved))
        .note((2.0, 2.0), Side::Right, "start")
        .note((-4.0, -4.0), Side::Left, "(−4, −4)")
        .note((-71.0 / 22.0, -5.5), Side::BelowLeft, "(−71/22, −11/2)");
    let second = plane("To the lowest point of each line", &stack, minimum)
        .line(Color::Blue, "Newton with the exact line search", exact.accelerations.clone())
        .dots(Color::Blue, "", exact.accelerations.clone())
        .note((2.0, 2.0), Side::Right, "start")
        .note((-5.0 / 3.0, -5.0 / 3.0), Side::Left, "(−5/3, −5/3)");
    Ok(Figure {
        name: "newton_paths",
        title: "Newton across the borders of active rows",
        drawn: "The soft stack's primal objective has another curvature where a row begins to act; Newton halves its step or \
                searches the line exactly, and ends in a few steps either way.",
        source: "S15-31 … S15-39; W15-50 … W15-58, W15-36.",
        columns: 2,
        panels: vec![first, second],
    })
}

/// Error of the worst force beside the largest exact one, after every iteration.
struct Errors<'a> {
    problem: &'a ContactLike,
    after: Points,
}

impl<T: Real + Into<f64>> Observer<T> for Errors<'_> {
    fn iterate(&mut self, seen: &Iterate<'_, T>) {
        if seen.iteration > 0 {
            let force: Vec<f64> = seen.force.iter().map(|f| (*f).into()).collect();
            self.after.push((f64::from(seen.iteration), self.problem.error(&force)));
        }
    }
}

/// The errors of Newton, conjugate gradients and sweeps.
fn errors<T: Real + Into<f64>, const NV: usize>(problem: &ContactLike) -> Result<[Points; 3]> {
    let (mass, free, rows) = problem.build::<T, NV>();
    let seen = || Errors { problem, after: Vec::new() };
    let (mut newton, mut gradients, mut sweeps) = (seen(), seen(), seen());
    let zero = T::zero();
    let mut work = NewtonWorkspace::<T, NV, ROWS>::filled(zero);
    newton_observed(&mass, &free, &rows, None, &Budget::new(100, zero), &mut work, &mut newton)?;
    let mut work = ConjugateGradientWorkspace::<T, NV, ROWS>::filled(zero);
    let (budget, variant) = (Budget::new(1000, zero), Variant::default());
    conjugate_gradient_observed(&mass, &free, &rows, None, variant, &budget, &mut work, &mut gradients)?;
    let mut work = SweepWorkspace::<T, NV, ROWS>::filled(zero);
    let budget = Budget { measure: Measure::ForceCorrection, ..budget };
    projected_gauss_seidel_observed(&mass, &free, &rows, None, &budget, &mut work, &mut sweeps)?;
    Ok([newton.after, gradients.after, sweeps.after])
}

/// Errors on a contact-like problem of this impedance, its exact forces being known from elsewhere.
pub fn compared(impedance: f64) -> Result<[Points; 3]> {
    let all = problems(1, 1);
    let problem = all.iter().find(|problem| problem.impedance == impedance).ok_or("no such impedance")?;
    by_dofs!(problem, errors::<f64>(problem))
}

fn comparison() -> Result<Figure> {
    let panel = |impedance: f64| -> Result<Panel> {
        let mut panel = Panel::new(
            format!("Impedance {impedance}"),
            Axis::new("iterations or sweeps", "–").over(1.0, 1000.0).logarithmic(),
            Axis::new("error of the worst force", "–").over(1e-16, 1e5).logarithmic(),
        );
        let names = [(Color::Black, "Newton"), (Color::Blue, "conjugate gradients"), (Color::Vermilion, "sweeps")];
        for ((color, name), points) in names.into_iter().zip(compared(impedance)?) {
            let points: Points = points.into_iter().map(|(k, error)| (k, error.max(1e-16))).collect();
            let few = points.iter().take(10).copied().collect();
            panel = panel.line(color, name, points).dots(color, "", few);
        }
        Ok(panel)
    };
    Ok(Figure {
        name: "solvers",
        title: "Three solvers on stiff contact",
        drawn: "How far the forces of twelve one-sided rows are from the exact ones after each iteration or sweep: the stiffer the \
                rows, the more sweeps it takes and the later gradients find down; Newton needs a handful either way.",
        source: "X-10, S15-09, S15-25, S15-35, S15-60; the exact forces come from an active-set walk that shares nothing with the \
                 crate (examples/contact_like).",
        columns: 2,
        panels: vec![panel(0.9)?, panel(0.9999)?],
    })
}
