//! Two blocks on each other by projected Gauss–Seidel, in the plane of their two contact forces.

use delassus::mass::MassMatrix;
use delassus::rows::{Kind, Rows, Rule};
use delassus::solver::{
    Budget, Delassus, Iterate, Measure, Observer, SweepWorkspace, measure, projected_gauss_seidel_observed,
};
use nalgebra::{Matrix2, Vector2};

use super::Result;
use super::figure::{Axis, Color, Figure, Panel, Points, Shape, Side, level_curve};

pub fn figures() -> Result<Vec<Figure>> {
    Ok(vec![path()?, separating()?, warm()?])
}

/// The stack: unit masses, g = 10, both contacts closed and at rest, a pull on the upper block.
pub struct Stack {
    pub mass: MassMatrix<f64, 2>,
    pub free: Vector2<f64>,
    pub rows: Rows<f64, 2, 2>,
}

impl Stack {
    pub fn new(pull: f64, regularizer: f64) -> Result<Self> {
        let mut mass = MassMatrix::filled(0.0);
        mass.set(&Matrix2::identity())?;
        let mut rows = Rows::new();
        for jacobian in [[1.0, 0.0], [-1.0, 1.0]] {
            let jacobian = Vector2::from(jacobian);
            rows.finished(Kind::ContactFrictionless, Rule::NonNegative, &jacobian, 0.0, regularizer)?;
        }
        Ok(Self { mass, free: Vector2::new(-10.0, -10.0 + pull), rows })
    }

    /// The dual objective at forces of either sign \[N m/s²\].
    pub fn dual(&self, force: (f64, f64)) -> f64 {
        measure::dual_objective(&self.mass, &self.free, &self.rows, &[force.0, force.1]).unwrap_or(f64::INFINITY)
    }

    /// How much one more visit would change a force \[N\] (S15-17).
    pub fn correction(&self, force: (f64, f64)) -> Result<f64> {
        let mut delassus = Delassus::<f64, 2>::filled(0.0);
        delassus.form(&self.mass, &self.rows)?;
        let (mut residual, mut diagonal) = ([0.0; 2], [0.0; 2]);
        for (i, row) in self.rows.rows().iter().enumerate() {
            let column = delassus.column(i);
            let offset = row.jacobian()[0] * self.free[0] + row.jacobian()[1] * self.free[1];
            residual[i] = offset + column[0] * force.0 + column[1] * force.1;
            residual[i] += row.regularizer() * [force.0, force.1][i];
            diagonal[i] = column[i] + row.regularizer();
        }
        Ok(measure::force_correction(&[Rule::NonNegative; 2], &diagonal, &[force.0, force.1], &residual))
    }

    /// The forces before the first visit and after each, over some sweeps.
    pub fn swept(&self, start: Option<&Vector2<f64>>, sweeps: u16) -> Result<Points> {
        let mut path = Path::default();
        let budget = Budget { measure: Measure::ForceCorrection, ..Budget::new(sweeps, 0.0) };
        let mut work = SweepWorkspace::filled(0.0);
        projected_gauss_seidel_observed(&self.mass, &self.free, &self.rows, start, &budget, &mut work, &mut path)?;
        Ok(path.forces.iter().take(1).chain(&path.visits).copied().collect())
    }
}

/// What an observer of two rows on two dofs saw.
#[derive(Default)]
pub struct Path {
    pub accelerations: Points,
    pub forces: Points,
    pub steps: Vec<f64>,
    pub visits: Points,
}

/// Two numbers as a point.
fn pair(x: &[f64]) -> (f64, f64) {
    (x.first().copied().unwrap_or(f64::NAN), x.get(1).copied().unwrap_or(f64::NAN))
}

impl Observer<f64> for Path {
    fn iterate(&mut self, seen: &Iterate<'_, f64>) {
        self.accelerations.push(pair(seen.acceleration));
        self.forces.push(pair(seen.force));
        self.steps.push(seen.step);
    }

    fn row_update(&mut self, _row: usize, force: &[f64]) {
        self.visits.push(pair(force));
    }
}

/// Beyond every axis \[N\].
const FAR: f64 = 1e3;

/// The plane of forces, what is not allowed in grey.
fn plane(title: &str, (left, right): (f64, f64), (low, high): (f64, f64)) -> Panel {
    Panel::new(
        title,
        Axis::new("force of the ground f₁", "N").over(left, right),
        Axis::new("force between the blocks f₂", "N").over(low, high),
    )
    .equal()
    .area(
        Color::Grey,
        "pulls: not allowed",
        vec![(-FAR, -FAR), (FAR, -FAR), (FAR, 0.0), (0.0, 0.0), (0.0, FAR), (-FAR, FAR), (-FAR, -FAR)],
    )
}

fn path() -> Result<Figure> {
    let stack = Stack::new(0.0, 0.0)?;
    let visited = stack.swept(None, 8)?;
    let levels: Points = visited.iter().skip(1).take(6).copied().collect();
    let mut force = plane("Every move is along one axis", (-4.0, 28.0), (-4.0, 18.0));
    for (k, through) in levels.iter().enumerate() {
        let curve = level_curve((20.0, 10.0), stack.dual(*through), 60.0, |f| stack.dual(f));
        force = force.line(Color::Sky, if k == 0 { "level curves of the dual objective" } else { "" }, curve);
    }
    let force = force
        .line(Color::Vermilion, "", visited.clone())
        .dots(Color::Vermilion, "row updates", visited.clone())
        .dots(Color::Black, "", vec![(20.0, 10.0)])
        .note((20.0, 10.0), Side::AboveRight, "(20, 10)")
        .note((10.0, 0.0), Side::BelowRight, "(10, 0)")
        .note((10.0, 5.0), Side::AboveLeft, "(10, 5)");
    let objective = visited.iter().enumerate().map(|(k, f)| (k as f64, stack.dual(*f))).collect::<Points>();
    let fall = Panel::new(
        "The objective never rises",
        Axis::new("row updates", "–").over(0.0, 16.0),
        Axis::new("dual objective", "N m/s²").over(-105.0, 5.0),
    )
    .line(Color::Vermilion, "", objective.clone())
    .dots(Color::Vermilion, "after each row update", objective)
    .dashed(Color::Grey, "minimum: −100", vec![(0.0, -100.0), (16.0, -100.0)]);
    Ok(Figure {
        name: "stack_path",
        title: "Projected Gauss–Seidel in the force plane",
        drawn: "Two blocks rest on each other: from no force at all, each row update moves to the lowest point along its own axis, \
                and every sweep halves the error.",
        source: "S15-09 … S15-12; W15-10 … W15-15, W15-17, W15-19 and W15-1a.",
        columns: 2,
        panels: vec![force, fall],
    })
}

fn separating() -> Result<Figure> {
    let stack = Stack::new(15.0, 0.0)?;
    let visited = stack.swept(None, 2)?;
    // The unconstrained minimum −A⁻¹ b, and the trial that the projection takes back.
    let (centre, trial) = ((5.0, -5.0), (10.0, -2.5));
    let mut force = plane("Pulled up with 15 N", (-3.0, 17.0), (-9.0, 6.0));
    for (k, level) in [-60.0, -50.0, -25.0].into_iter().enumerate() {
        let curve = level_curve(centre, level, 60.0, |f| stack.dual(f));
        force = force.line(Color::Sky, if k == 0 { "level curves of the dual objective" } else { "" }, curve);
    }
    let force = force
        .line(Color::Vermilion, "", visited.clone())
        .dots(Color::Vermilion, "row updates", visited.clone())
        .arrow(Color::Black, "trial, projected back", (10.0, 0.0), trial)
        .layer(Shape::Rings, Color::Black, "", vec![trial, centre])
        .note(trial, Side::Right, "(10, −2.5)")
        .note((10.0, 0.0), Side::Above, "optimal: (10, 0)")
        .note(centre, Side::Below, "lowest of all");
    Ok(Figure {
        name: "stack_separating",
        title: "The upper contact opens",
        drawn: "With a pull of 15 N on the upper block the second row would have to pull, so its trial is projected to zero and \
                the blocks separate.",
        source: "S15-13, S15-14; W15-20 … W15-24.",
        columns: 1,
        panels: vec![force],
    })
}

/// Where a warm start begins \[N\].
pub const WARM: (f64, f64) = (18.0, 9.0);

/// The row updates from nothing, or from a saved acceleration that answers with [`WARM`].
pub fn from_start(warm: bool) -> Result<Points> {
    // z = −R f of the rows, so a = (−R f₁, −R (f₁ + f₂)).
    let regularizer = 1e-15;
    let saved = Vector2::new(-regularizer * WARM.0, -regularizer * (WARM.0 + WARM.1));
    Stack::new(0.0, regularizer)?.swept(warm.then_some(&saved), 30)
}

fn warm() -> Result<Figure> {
    let stack = Stack::new(0.0, 0.0)?;
    let (cold, warm) = (from_start(false)?, from_start(true)?);
    let mut force = plane("Two starts", (-2.0, 24.0), (-2.0, 14.0));
    for (k, level) in [-50.0, -90.0, -99.0].into_iter().enumerate() {
        let curve = level_curve((20.0, 10.0), level, 60.0, |f| stack.dual(f));
        force = force.line(Color::Sky, if k == 0 { "level curves" } else { "" }, curve);
    }
    let force = force
        .line(Color::Vermilion, "from (0, 0)", cold.clone())
        .line(Color::Blue, "from (18, 9)", warm.clone())
        .dots(Color::Vermilion, "", cold.iter().take(12).copied().collect())
        .dots(Color::Blue, "", warm.iter().take(5).copied().collect());
    let measures = |path: &Points| -> Result<Points> {
        let one = |(k, f): (usize, &(f64, f64))| Ok((k as f64, stack.correction(*f)?));
        path.iter().enumerate().map(one).collect()
    };
    let error = Panel::new(
        "Force correction that is left",
        Axis::new("row updates", "–").over(0.0, 55.0),
        Axis::new("largest correction", "N").over(1e-8, 100.0).logarithmic(),
    )
    .line(Color::Vermilion, "from (0, 0): 47 updates", measures(&cold)?)
    .line(Color::Blue, "from (18, 9): 39 updates", measures(&warm)?)
    .dashed(Color::Grey, "1e-6 N", vec![(0.0, 1e-6), (55.0, 1e-6)]);
    Ok(Figure {
        name: "stack_warm_start",
        title: "A warm start saves row updates",
        drawn: "The same stack from no force and from the forces of a tick before: the second start is nearer, and saves eight row \
                updates on the way to 1e-6 N.",
        source: "S15-17, S15-18; W15-16, W15-1b and W15-1c.",
        columns: 2,
        panels: vec![force, error],
    })
}
