//! Steepest descent, conjugate gradients and Newton on fixed quadratics.

use delassus::reference::quadratic::{Descent, descend};
use nalgebra::{Matrix2, Vector2};

use super::Result;
use super::figure::{Axis, Color, Figure, Panel, Points, Side, level_curve};

/// Where the walks begin: for condition number 50 where steepest descent is slowest.
pub const STARTS: [(f64, [f64; 2]); 2] = [(8.0, [1.0, 1.0]), (50.0, [1.0, 0.02])];

pub fn figures() -> Result<Vec<Figure>> {
    Ok(vec![walks()?])
}

/// Which method walks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    Steepest,
    Conjugate,
    /// Steepest descent with P = H.
    Newton,
}

/// The points of a walk on ½ (x² + κ y²), the start first.
pub fn walk(walk: Walk, condition: f64, start: [f64; 2], steps: u16) -> Points {
    let h = Matrix2::from_diagonal(&Vector2::new(1.0, condition));
    let descent = if walk == Walk::Conjugate { Descent::FletcherReeves } else { Descent::Steepest };
    let scale = if walk == Walk::Newton { 1.0 / condition } else { 1.0 };
    let mut points = vec![start.into()];
    let precondition = |g: &Vector2<f64>| Vector2::new(g[0], g[1] * scale);
    descend(&h, &Vector2::zeros(), &start.into(), descent, precondition, steps, |step| {
        points.push((step.point[0], step.point[1]));
    });
    points
}

/// The objective of a walk's points beside that of its start.
pub fn objectives(condition: f64, points: &[(f64, f64)]) -> Points {
    let value = |p: &(f64, f64)| 0.5 * (p.0 * p.0 + condition * p.1 * p.1);
    points.iter().enumerate().map(|(k, p)| (k as f64, value(p) / value(&points[0]))).collect()
}

/// What steepest descent can lose at most: ((κ − 1)/(κ + 1))² a step.
pub fn bound(condition: f64, steps: u16) -> Points {
    let rate = (condition - 1.0) / (condition + 1.0);
    (0..=steps).map(|k| (f64::from(k), rate.powi(2 * i32::from(k)))).collect()
}

fn plane(condition: f64, start: [f64; 2], x: (f64, f64), y: (f64, f64)) -> Panel {
    let value = move |p: (f64, f64)| 0.5 * (p.0 * p.0 + condition * p.1 * p.1);
    let top = value(start.into());
    let mut panel = Panel::new(
        format!("Condition number {condition}"),
        Axis::new("x", "–").over(x.0, x.1),
        Axis::new("y", "–").over(y.0, y.1),
    );
    for (k, share) in [1.0, 0.4, 0.12, 0.02].into_iter().enumerate() {
        let curve = level_curve((0.0, 0.0), share * top, 6.0, value);
        panel = panel.line(Color::Sky, if k == 0 { "level curves" } else { "" }, curve);
    }
    let paths = [
        (Walk::Steepest, Color::Vermilion, "steepest descent", 40),
        (Walk::Conjugate, Color::Blue, "conjugate gradients", 2),
        (Walk::Newton, Color::Black, "Newton", 1),
    ];
    for (method, color, name, steps) in paths {
        let points = walk(method, condition, start, steps);
        panel = panel.line(color, name, points.clone()).dots(color, "", points);
    }
    panel.note(start.into(), Side::AboveRight, "start")
}

fn walks() -> Result<Figure> {
    let mut error = Panel::new(
        "Objective that is left",
        Axis::new("steps", "–").over(0.0, 40.0),
        Axis::new("objective / start", "–").over(1e-16, 3.0).logarithmic(),
    );
    for ((condition, start), color) in STARTS.into_iter().zip([Color::Vermilion, Color::Orange]) {
        let points = objectives(condition, &walk(Walk::Steepest, condition, start, 40));
        let seen = points.into_iter().filter(|(_, share)| *share > 0.0).collect();
        error = error.line(color, format!("steepest, κ = {condition}"), seen).dotted(
            Color::Grey,
            format!("bound, κ = {condition}"),
            bound(condition, 40),
        );
    }
    let (condition, start) = STARTS[1];
    let floor = |points: Points| -> Points { points.into_iter().map(|(k, share)| (k, share.max(1e-16))).collect() };
    error = error
        .line(
            Color::Blue,
            "conjugate gradients",
            floor(objectives(condition, &walk(Walk::Conjugate, condition, start, 2))),
        )
        .line(Color::Black, "Newton", floor(objectives(condition, &walk(Walk::Newton, condition, start, 1))));
    Ok(Figure {
        name: "descent",
        title: "Steepest descent, conjugate gradients, Newton",
        drawn: "Three ways down two quadratics: steepest descent zigzags the more the level curves are stretched, conjugate \
                gradients need as many steps as there are dimensions, Newton needs one.",
        source: "S15-23 … S15-29; W15-44 … W15-46, and the rate ((κ − 1)/(κ + 1))² that the second start loses exactly.",
        columns: 3,
        panels: vec![
            plane(STARTS[0].0, STARTS[0].1, (-1.1, 1.3), (-0.7, 1.4)),
            plane(STARTS[1].0, STARTS[1].1, (-0.2, 1.2), (-0.03, 0.03)),
            error,
        ],
    })
}
