//! Gauss' principle with two sliders: projection in the mass metric, from hard to soft, and the operator row by row.

use delassus::mass::MassMatrix;
use delassus::rows::{Kind, Rows, Rule};
use delassus::solver::{Delassus, ProjectionWorkspace, gauss_projection, soft_projection};
use nalgebra::{Matrix2, Vector2};

use super::Result;
use super::figure::{Axis, Color, Figure, Panel, Points, Side, level_curve, spaced};

/// Free acceleration of the two sliders \[m/s²\].
pub const FREE: [f64; 2] = [2.0, -1.0];

pub fn figures() -> Result<Vec<Figure>> {
    Ok(vec![projections()?, softening()?, operator()?])
}

fn sliders(masses: [f64; 2]) -> Result<MassMatrix<f64, 2>> {
    let mut mass = MassMatrix::filled(0.0);
    mass.set(&Matrix2::from_diagonal(&masses.into()))?;
    Ok(mass)
}

fn rows(jacobians: &[[f64; 2]], regularizer: f64) -> Result<Rows<f64, 2, 2>> {
    let mut rows = Rows::new();
    for jacobian in jacobians {
        rows.finished(Kind::Equality, Rule::Free, &Vector2::from(*jacobian), 0.0, regularizer)?;
    }
    Ok(rows)
}

/// Acceleration and Gauss' cost of the hard equality a₁ = a₂.
pub fn projected(masses: [f64; 2]) -> Result<([f64; 2], f64)> {
    let mut work = ProjectionWorkspace::<f64, 2, 2>::filled(0.0);
    let cost = gauss_projection(&sliders(masses)?, &FREE.into(), &rows(&[[1.0, -1.0]], 0.0)?, &mut work)?;
    Ok(((*work.acceleration()).into(), cost))
}

/// Acceleration and force of the soft equality, masses 2 and 1.
pub fn softened(regularizer: f64) -> Result<([f64; 2], f64)> {
    let mut work = ProjectionWorkspace::<f64, 2, 2>::filled(0.0);
    soft_projection(&sliders([2.0, 1.0])?, &FREE.into(), &rows(&[[1.0, -1.0]], regularizer)?, &mut work)?;
    Ok(((*work.acceleration()).into(), work.multiplier()[0]))
}

fn plane(title: impl Into<String>) -> Panel {
    Panel::new(
        title,
        Axis::new("acceleration a₁", "m/s²").over(-1.0, 4.5),
        Axis::new("acceleration a₂", "m/s²").over(-3.6, 2.0),
    )
    .equal()
}

fn projections() -> Result<Figure> {
    let one = |first: f64, title: &str| -> Result<Panel> {
        let mass = sliders([first, 1.0])?;
        let ([a1, a2], cost) = projected([first, 1.0])?;
        let gauss = |p: (f64, f64)| mass.half_quadratic(&(Vector2::new(p.0, p.1) - Vector2::from(FREE)));
        let curve = |level: f64| level_curve((FREE[0], FREE[1]), level, 8.0, gauss);
        Ok(plane(title)
            .line(Color::Sky, "a ninth and four ninths of its cost", curve(cost / 9.0))
            .line(Color::Sky, "", curve(4.0 * cost / 9.0))
            .line(Color::Blue, "as costly as the projection", curve(cost))
            .line(Color::Black, "allowed: a₁ = a₂", vec![(-3.0, -3.0), (2.0, 2.0)])
            .arrow(Color::Vermilion, "projection", (FREE[0], FREE[1]), (a1, a2))
            .dots(Color::Vermilion, "", vec![(FREE[0], FREE[1]), (a1, a2)])
            .note((FREE[0], FREE[1]), Side::Below, "free")
            .note((a1, a2), Side::AboveLeft, format!("({a1:.1}, {a2:.1})")))
    };
    Ok(Figure {
        name: "gauss_projection",
        title: "Gauss' principle: the nearest allowed acceleration",
        drawn: "Two sliders would accelerate by (2, −1) and must move together: the true acceleration is where the smallest \
                ellipse of Gauss' cost touches the allowed line; with equal masses the ellipses are circles.",
        source: "S07-38, S07-41, S07-42; W07-04 … W07-07.",
        columns: 2,
        panels: vec![one(2.0, "Masses 2 kg and 1 kg")?, one(1.0, "Masses 1 kg and 1 kg")?],
    })
}

/// Regularizers that are marked \[1/kg\].
pub const MARKED: [f64; 2] = [0.5, 1.5];

fn softening() -> Result<Figure> {
    let mut sweep: Vec<f64> = spaced(-3.0, 3.0, 120).map(|e| 10f64.powf(e)).chain(MARKED).collect();
    sweep.sort_by(f64::total_cmp);
    let relative = |r: f64| -> Result<(f64, f64)> {
        let ([a1, a2], _) = softened(r)?;
        Ok((r, a1 - a2))
    };
    let axis = || Axis::new("regularizer R", "1/kg").over(1e-3, 1e3).logarithmic();
    let motion = Panel::new("Relative acceleration left", axis(), Axis::new("J a", "m/s²").over(0.0, 3.2))
        .line(Color::Blue, "J a = −R λ", sweep.iter().map(|r| relative(*r)).collect::<Result<Points>>()?)
        .dashed(Color::Grey, "free: 3 m/s²", vec![(1e-3, 3.0), (1e3, 3.0)])
        .dots(Color::Vermilion, "R = 0.5 and 1.5", MARKED.iter().map(|r| relative(*r)).collect::<Result<Points>>()?);
    let force = |r: f64| -> Result<(f64, f64)> { Ok((r, softened(r)?.1)) };
    let forces = Panel::new("Force of the row", axis(), Axis::new("force λ", "N").over(-2.1, 0.1))
        .line(Color::Blue, "λ", sweep.iter().map(|r| force(*r)).collect::<Result<Points>>()?)
        .dashed(Color::Grey, "hard: −2 N", vec![(1e-3, -2.0), (1e3, -2.0)])
        .dots(Color::Vermilion, "R = 0.5 and 1.5", MARKED.iter().map(|r| force(*r)).collect::<Result<Points>>()?);
    let path = |r: f64| -> Result<(f64, f64)> { Ok(softened(r)?.0.into()) };
    let plane = Panel::new(
        "Where the pair accelerates",
        Axis::new("acceleration a₁", "m/s²").over(0.5, 2.5),
        Axis::new("acceleration a₂", "m/s²").over(-1.5, 1.5),
    )
    .equal()
    .line(Color::Black, "allowed: a₁ = a₂", vec![(0.0, 0.0), (1.5, 1.5)])
    .line(Color::Blue, "from hard to soft", sweep.iter().map(|r| path(*r)).collect::<Result<Points>>()?)
    .dots(Color::Vermilion, "R = 0.5 and 1.5", MARKED.iter().map(|r| path(*r)).collect::<Result<Points>>()?)
    .note((1.0, 1.0), Side::AboveLeft, "hard")
    .note((2.0, -1.0), Side::Right, "free");
    Ok(Figure {
        name: "hard_to_soft",
        title: "Two sliders from hard to soft",
        drawn: "As the regularizer grows, the row that keeps the sliders together gives up force, and the pair moves from the \
                hard answer to free motion on a straight line.",
        source: "S07-43 … S07-45; W07-08 … W07-13c.",
        columns: 3,
        panels: vec![motion, forces, plane],
    })
}

/// Two columns of two.
pub type Square = [[f64; 2]; 2];

/// Columns of A for the distance row (−1, 1) and the position row (0, 1), masses 2 and 1; and what a unit force of each row does to
/// the sliders.
pub fn columns() -> Result<(Square, Square)> {
    let (mass, rows) = (sliders([2.0, 1.0])?, rows(&[[-1.0, 1.0], [0.0, 1.0]], 0.0)?);
    let mut delassus = Delassus::<f64, 2>::filled(0.0);
    delassus.form(&mass, &rows)?;
    let (mut columns, mut motions) = ([[0.0; 2]; 2], [[0.0; 2]; 2]);
    for j in 0..2 {
        columns[j].copy_from_slice(delassus.column(j));
        let mut unit = [0.0; 2];
        unit[j] = 1.0;
        let mut motion = rows.generalized_force(&unit);
        mass.solve(&mut motion)?;
        motions[j] = motion.into();
    }
    Ok((columns, motions))
}

/// A bar over one place of an axis with names.
pub fn bar(place: f64, width: f64, value: f64) -> Points {
    let (left, right) = (place - 0.5 * width, place + 0.5 * width);
    vec![(left, 0.0), (left, value), (right, value), (right, 0.0)]
}

fn operator() -> Result<Figure> {
    let (columns, motions) = columns()?;
    let pushed = ["1 N along row 1, the distance x₂ − x₁", "1 N along row 2, the position x₂"];
    let panels =
        (0..2).map(|j| {
            let axis = Axis::new("what accelerates", "–").over(-0.6, 3.6).named(&[
                "slider 1, 2 kg",
                "slider 2, 1 kg",
                "row 1",
                "row 2",
            ]);
            let mut panel = Panel::new(pushed[j], axis, Axis::new("acceleration for 1 N", "m/s²").over(-0.8, 1.9))
                .dotted(Color::Grey, "", vec![(-0.6, 0.0), (3.6, 0.0)]);
            let bars = motions[j].iter().map(|a| (Color::Sky, *a)).chain(columns[j].iter().map(|a| (Color::Blue, *a)));
            for (place, (color, value)) in bars.enumerate() {
                let name = match place {
                    0 => "M⁻¹Jᵀ: the sliders",
                    2 => ["column 1 of A: the rows", "column 2 of A: the rows"][j],
                    _ => "",
                };
                let side = if value < 0.0 { Side::Below } else { Side::Above };
                panel = panel.area(color, name, bar(place as f64, 0.6, value)).note(
                    (place as f64, value),
                    side,
                    format!("{value:.1}").replace('-', "−"),
                );
            }
            panel
        });
    Ok(Figure {
        name: "delassus_columns",
        title: "The operator A row by row",
        drawn: "A force along one row accelerates both sliders, and through them both rows: that is one column of A = J M⁻¹ Jᵀ.",
        source: "S11-26 … S11-30; W11-40 and W11-41.",
        columns: 2,
        panels: panels.collect(),
    })
}
