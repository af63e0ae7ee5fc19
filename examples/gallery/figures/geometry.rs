//! Where rows begin, and the curvature of a rod's circle.

use delassus::description::{Body, Description, Geom, Joint, JointKind, Shape as Body3, SoftnessNumbers};
use delassus::mass::MassMatrix;
use delassus::model::Model;
use delassus::rows::{Kind, Rows, Rule};
use delassus::solver::{Budget, ProjectionWorkspace, gauss_projection};
use delassus::tick::{Input, Workspace};
use nalgebra::{Matrix2, Vector2};

use super::Result;
use super::contact_trace::GRAVITY;
use super::figure::{Axis, Color, Figure, Panel, Points, Side, spaced};

/// Radius, margin and gap of the falling ball \[m\]: short binary fractions, so that thresholds are met exactly.
pub const RADIUS: f64 = 0.25;
pub const MARGIN: f64 = 0.25;
pub const GAP: f64 = 0.15625;

pub fn figures() -> Result<Vec<Figure>> {
    Ok(vec![events()?, circle()?])
}

/// What one state of the falling ball has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    pub time: f64,
    /// Distance of the surfaces \[m\].
    pub distance: f64,
    /// Contacts that are listed, and rows.
    pub contacts: usize,
    pub rows: usize,
}

/// The states from a height and a speed on, `steps` steps of 2 ms: one record a state.
pub fn fall(distance: f64, steps: u16) -> Result<Vec<Seen>> {
    let softness = SoftnessNumbers { solref: [0.3, 1.0], solimp: [0.9, 0.95, 0.02, 0.5, 2.0] };
    let bodies = [Body::<f64>::new(1.0, [0.025; 3])];
    let joints = [Joint::<f64>::new(JointKind::Slide, 0)];
    let ball = Geom::<f64>::new(Some(0), Body3::Sphere { radius: RADIUS });
    let geoms = [
        Geom { softness, condim: 1, ..Geom::<f64>::new(None, Body3::Plane) },
        Geom { softness, condim: 1, margin: MARGIN, gap: GAP, ..ball },
    ];
    let description =
        Description { bodies: &bodies, joints: &joints, geoms: &geoms, ..Description::<f64>::empty(0.002) };
    let mut work = Workspace::<f64, 1, 1, 1, 1>::filled(0.0);
    let model = Model::<f64, 1, 1, 1>::new(&description, &mut work.smooth)?;
    let mut state = model.state();
    state.configuration = [RADIUS + distance];
    let mut seen = Vec::new();
    for step in 0..=steps {
        let before = state;
        model.step(&mut state, &Input::none(), &Budget::new(10, 0.0), &mut work)?;
        seen.push(Seen {
            time: f64::from(step) * 0.002,
            distance: before.configuration[0] - RADIUS,
            contacts: work.contacts().len(),
            rows: work.rows().len(),
        });
    }
    Ok(seen)
}

/// Contacts and rows at one distance.
pub fn counts(distance: f64) -> Result<(usize, usize)> {
    let first = fall(distance, 0)?[0];
    Ok((first.contacts, first.rows))
}

fn events() -> Result<Figure> {
    let seen = fall(1.0, 650)?;
    let level = |y: f64| vec![(0.0, y), (1.3, y)];
    let first = |test: fn(&Seen) -> bool| -> Result<(f64, f64)> {
        let found = seen.iter().find(|s| test(s)).ok_or("the ball does not get there")?;
        Ok((found.time, found.distance))
    };
    let (listed, acts, touches) = (first(|s| s.contacts > 0)?, first(|s| s.rows > 0)?, first(|s| s.distance <= 0.0)?);
    let falling = Panel::new(
        "A ball falls on a very soft plane",
        Axis::new("time t", "s").over(0.0, 1.3),
        Axis::new("distance s of the surfaces", "m").over(-0.3, 1.1),
    )
    .line(Color::Black, "distance", seen.iter().map(|s| (s.time, s.distance)).collect())
    .dashed(Color::Blue, "margin + gap", level(MARGIN + GAP))
    .dashed(Color::Green, "margin", level(MARGIN))
    .dashed(Color::Vermilion, "surface", level(0.0))
    .dots(Color::Blue, "", vec![listed])
    .dots(Color::Green, "", vec![acts])
    .dots(Color::Vermilion, "", vec![touches])
    .note(listed, Side::AboveRight, "listed, no row")
    .note(acts, Side::AboveRight, "the row acts")
    .note(touches, Side::AboveRight, "surfaces touch");
    let scan = |pick: fn((usize, usize)) -> usize| -> Result<Points> {
        spaced(-0.125, 0.75, 448).map(|s| Ok((s, pick(counts(s)?) as f64))).collect()
    };
    let thresholds = Panel::new(
        "Which of them there are",
        Axis::new("distance s of the surfaces", "m").over(-0.125, 0.75),
        Axis::new("count", "–").over(-0.1, 1.2),
    )
    .line(Color::Blue, "contacts listed", scan(|(contacts, _)| contacts)?)
    .dashed(Color::Green, "rows", scan(|(_, rows)| rows)?)
    .note((MARGIN, 0.5), Side::Left, "s < margin")
    .note((MARGIN + GAP, 0.8), Side::Right, "s ≤ margin + gap");
    Ok(Figure {
        name: "margin_gap_surface",
        title: "Margin, gap and surface",
        drawn: "A falling ball meets three borders: margin + gap, where the contact is listed; the margin, where its row begins to \
                push; and the surface.",
        source: "S11-01 … S11-03; the borders are those of W11-01a … W11-01e, the lower one strict, the upper one not.",
        columns: 2,
        panels: vec![falling, thresholds],
    })
}

/// Length of the rod \[m\].
pub const LENGTH: f64 = 1.6;

/// One instant of a rod that swings through its lowest point.
#[derive(Clone, Copy, Debug)]
pub struct Swing {
    pub position: [f64; 2],
    pub velocity: [f64; 2],
    pub acceleration: [f64; 2],
    /// J a and the curvature |v|² of r = (pᵀp − L²)/2 \[m²/s²\].
    pub row: f64,
    pub curvature: f64,
}

/// The rod at an angle from straight down \[rad\], with the energy that gives it 2 m/s at the height of its pivot.
pub fn swing(angle: f64) -> Result<Swing> {
    let (sine, cosine) = angle.sin_cos();
    let position = [LENGTH * sine, -LENGTH * cosine];
    let speed = (4.0 + 2.0 * GRAVITY * LENGTH * cosine).max(0.0).sqrt();
    let velocity = [speed * cosine, speed * sine];
    let curvature = velocity[0] * velocity[0] + velocity[1] * velocity[1];
    let mut mass = MassMatrix::<f64, 2>::filled(0.0);
    mass.set(&Matrix2::identity())?;
    let mut rows = Rows::<f64, 2, 1>::new();
    // r″ = J a + |v|² = 0, so the target is −|v|².
    rows.finished(Kind::Equality, Rule::Free, &Vector2::from(position), -curvature, 0.0)?;
    let mut work = ProjectionWorkspace::<f64, 2, 1>::filled(0.0);
    gauss_projection(&mass, &Vector2::new(0.0, -GRAVITY), &rows, &mut work)?;
    let acceleration: [f64; 2] = (*work.acceleration()).into();
    let row = position[0] * acceleration[0] + position[1] * acceleration[1];
    Ok(Swing { position, velocity, acceleration, row, curvature })
}

fn circle() -> Result<Figure> {
    // Where the swing turns back.
    let turn = (-4.0 / (2.0 * GRAVITY * LENGTH)).acos();
    let swings = |mut angles: Vec<f64>| -> Result<Vec<(f64, Swing)>> {
        angles.sort_by(f64::total_cmp);
        angles.into_iter().map(|angle| Ok((angle, swing(angle)?))).collect()
    };
    let fine = swings(spaced(-turn, turn, 200).chain([0.5 * std::f64::consts::PI]).collect())?;
    let mut path = Panel::new(
        "Acceleration on the circle",
        Axis::new("position x", "m").over(-2.1, 2.1),
        Axis::new("position y", "m").over(-1.9, 0.9),
    )
    .equal()
    .line(Color::Black, "path", fine.iter().map(|(_, s)| s.position.into()).collect());
    let scale = 0.06;
    for (index, (_, s)) in swings(spaced(-turn, turn, 8).collect())?.iter().enumerate() {
        let from: (f64, f64) = s.position.into();
        let to = (from.0 + scale * s.acceleration[0], from.1 + scale * s.acceleration[1]);
        path = path.arrow(Color::Vermilion, if index == 0 { "acceleration, 6 cm for 1 m/s²" } else { "" }, from, to);
    }
    path = path.dots(Color::Black, "", vec![(0.0, 0.0), (LENGTH, 0.0)]).note((0.0, 0.0), Side::Above, "pivot").note(
        (LENGTH, 0.0),
        Side::Right,
        "2 m/s",
    );
    let over = |pick: fn(&Swing) -> f64| fine.iter().map(|(angle, s)| (angle.to_degrees(), pick(s))).collect();
    let row = Panel::new(
        "What the row sees",
        Axis::new("angle from straight down", "°").over(-110.0, 110.0),
        Axis::new("r″ and its parts", "m²/s²").over(-42.0, 42.0),
    )
    .line(Color::Blue, "curvature |v|²", over(|s| s.curvature))
    .line(Color::Vermilion, "J a", over(|s| s.row))
    .dashed(Color::Black, "their sum r″", over(|s| s.row + s.curvature))
    .dots(Color::Black, "", vec![(90.0, 4.0), (90.0, -4.0)])
    .note((90.0, 4.0), Side::AboveRight, "4")
    .note((90.0, -4.0), Side::BelowRight, "−4");
    Ok(Figure {
        name: "rod_on_a_circle",
        title: "A rod on its circle: J a and curvature",
        drawn: "A point on a rod swings through its lowest position; its acceleration makes J a cancel the curvature |v|², so that \
                r = (pᵀp − L²)/2 stays zero.",
        source: "S07-33, S07-34, S11-10, S11-11; W11-08 is the instant at the height of the pivot.",
        columns: 2,
        panels: vec![path, row],
    })
}
