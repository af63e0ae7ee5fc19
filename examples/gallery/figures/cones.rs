//! Elliptic and pyramidal cones: which forces they allow, how many rows they make, how soft those are.

use delassus::cone::dissipation::sliding;
use delassus::cone::elliptic::EllipticCone;
use delassus::cone::pyramid::{edge_pair, edge_row_count, elliptic_row_count, recombine};

use super::Result;
use super::figure::{Axis, Color, Figure, Panel, Points, Side, spaced};
use super::gauss::bar;

/// Friction along t₁ and t₂.
pub const FRICTION: [f64; 2] = [0.6, 0.3];
/// Normal force of the section \[N\].
pub const NORMAL: f64 = 10.0;

pub fn figures() -> Result<Vec<Figure>> {
    Ok(vec![regions()?, regularizers()?])
}

/// Corner of the pyramid's section when one edge carries the whole normal force.
pub fn corner(edge: usize) -> (f64, f64) {
    let (mut edges, mut force) = ([0.0; 4], [0.0; 3]);
    edges[edge] = NORMAL;
    recombine(&edges, &FRICTION, &mut force);
    (force[1], force[2])
}

fn regions() -> Result<Figure> {
    let ellipse: Points = spaced(0.0, std::f64::consts::TAU, 180)
        .map(|angle| sliding(NORMAL, &FRICTION, &[-angle.cos(), -angle.sin()]).force.into())
        .collect();
    let pyramid: Points = [0, 2, 1, 3, 0].map(corner).to_vec();
    let section = Panel::new(
        "Friction forces at a normal force of 10 N",
        Axis::new("friction force along t₁", "N").over(-7.5, 7.5),
        Axis::new("friction force along t₂", "N").over(-5.0, 5.0),
    )
    .equal()
    .area(Color::Sky, "elliptic", ellipse.clone())
    .line(Color::Blue, "", ellipse)
    .area(Color::Orange, "pyramidal", pyramid.clone())
    .line(Color::Vermilion, "", pyramid);
    let edges = [0, 1].map(|axis| {
        // Row directions in the plane of one tangent and the normal.
        let (mut plus, mut minus) = ([0.0; 2], [0.0; 2]);
        edge_pair(&[0.0, 1.0], &[1.0, 0.0], FRICTION[axis], &mut plus, &mut minus);
        [plus, minus]
    });
    let scaled = |[t, n]: [f64; 2]| (8.0 * t, 8.0 * n);
    let mut side = Panel::new(
        "Edges n ± μ t are the pyramid's rows",
        Axis::new("friction force", "N").over(-7.0, 7.0),
        Axis::new("normal force", "N").over(0.0, 11.0),
    )
    .equal()
    .area(Color::Sky, "allowed along t₁", vec![(0.0, 0.0), (6.0, 10.0), (-6.0, 10.0), (0.0, 0.0)]);
    for (axis, (color, name)) in
        [(Color::Vermilion, "n ± 0.6 t₁"), (Color::Green, "n ± 0.3 t₂")].into_iter().enumerate()
    {
        side = side.arrow(color, name, (0.0, 0.0), scaled(edges[axis][0])).arrow(
            color,
            "",
            (0.0, 0.0),
            scaled(edges[axis][1]),
        );
    }
    let mut rows = Panel::new(
        "Rows of a contact",
        Axis::new("dimension of the contact", "–").over(-0.7, 3.7).named(&["1", "3", "4", "6"]),
        Axis::new("rows", "–").over(0.0, 11.5),
    );
    for (place, dimension) in [1, 3, 4, 6].into_iter().enumerate() {
        let counts = [elliptic_row_count(dimension), edge_row_count(dimension)];
        for (side, count) in counts.into_iter().enumerate() {
            let count = count.ok_or("no such contact")? as f64;
            let (color, name) = [(Color::Sky, "elliptic"), (Color::Orange, "pyramidal")][side];
            let at = place as f64 + [-0.2, 0.2][side];
            rows = rows.area(color, if place == 0 { name } else { "" }, bar(at, 0.36, count)).note(
                (at, count),
                Side::Above,
                format!("{count}"),
            );
        }
    }
    Ok(Figure {
        name: "cones",
        title: "Elliptic and pyramidal cones",
        drawn: "Which friction forces the two cones allow with μ = 0.6 along t₁ and 0.3 along t₂, the edges that the pyramid takes \
                for rows, and how many rows either needs.",
        source: "S07-48, S11-20 … S11-22; W11-33 and W11-36.",
        columns: 3,
        panels: vec![section, side, rows],
    })
}

/// Friction of an anisotropic contact with spin, and of a contact with six rows whose two sliding directions are alike.
pub const ANISOTROPIC: [f64; 3] = [0.6, 0.3, 0.02];
pub const SIX: [f64; 5] = [0.6, 0.6, 0.005, 0.0001, 0.0001];

/// Regularizers of a contact whose normal row has R = 1/38 \[1/kg\].
pub fn regularizer(friction: &[f64], impratio: f64) -> Result<Vec<f64>> {
    Ok(EllipticCone::new(1.0 / 38.0, friction, impratio)?.regularizer().to_vec())
}

fn regularizers() -> Result<Figure> {
    let names: &[&str] = &["n", "t₁", "t₂", "spin", "roll 1", "roll 2"];
    let panel = |title: &str, friction: &[f64], last: f64, top: f64| -> Result<Panel> {
        let points = |impratio: f64| -> Result<Points> {
            Ok(regularizer(friction, impratio)?.into_iter().enumerate().map(|(j, r)| (j as f64, r)).collect())
        };
        Ok(Panel::new(
            title,
            Axis::new("row", "–").over(-0.4, last + 0.4).named(names),
            Axis::new("regularizer R", "1/kg, 1/(kg m²)").over(1e-3, top).logarithmic(),
        )
        .line(Color::Blue, "", points(1.0)?)
        .dots(Color::Blue, "impratio 1", points(1.0)?)
        .line(Color::Vermilion, "", points(5.0)?)
        .dots(Color::Vermilion, "impratio 5", points(5.0)?))
    };
    let constant = |friction: &[f64], impratio: f64| -> Result<Points> {
        let all = regularizer(friction, impratio)?;
        Ok(all.iter().skip(1).zip(friction).enumerate().map(|(j, (r, mu))| (j as f64 + 1.0, r * mu * mu)).collect())
    };
    let product = Panel::new(
        "R μ² is the same for all friction rows",
        Axis::new("row", "–").over(0.6, 5.4).named(names),
        Axis::new("R μ²", "1/kg").over(0.0, 0.012),
    )
    .line(Color::Blue, "", constant(&SIX, 1.0)?)
    .dots(Color::Blue, "impratio 1", constant(&SIX, 1.0)?)
    .line(Color::Vermilion, "", constant(&SIX, 5.0)?)
    .dots(Color::Vermilion, "impratio 5", constant(&SIX, 5.0)?);
    Ok(Figure {
        name: "friction_regularizers",
        title: "Regularizers of friction rows",
        drawn: "How soft the rows of an elliptic contact are: the less friction a direction has, the softer its row, and impratio \
                makes all friction rows harder than the normal one.",
        source: "S12-43, S12-47; W15-64a, W15-64b, W12-80a, W12-80b, W12-81a and W12-81b.",
        columns: 3,
        panels: vec![
            panel("μ = 0.6, 0.3, spin 2 cm", &ANISOTROPIC, 3.0, 1e2)?,
            panel("μ = 0.6, 0.6, spin 5 mm, rolling 0.1 mm", &SIX, 5.0, 1e7)?,
            product,
        ],
    })
}
