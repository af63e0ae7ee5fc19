//! How cost grows: with the length of a chain, the depth of a tree of as many dofs, the number of rows, the iterations.

use std::error::Error;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;

use delassus::mass::MassMatrix;
use delassus::rows::{Kind, Rows, Rule};
use delassus::solver::{Budget, NewtonWorkspace, newton};
use nalgebra::{SMatrix, SVector};
use plotters::prelude::*;

use crate::gate::{Gate, Runs};
use crate::ours::Task;
use crate::peers::Call;
use crate::sizes::open_sized;
use crate::state::Stored;

const LENGTHS: [usize; 9] = [2, 3, 4, 6, 8, 12, 16, 24, 32];
/// All of 24 dofs.
const DEPTHS: [usize; 7] = [1, 2, 3, 4, 6, 12, 24];
const ROWS: [usize; 9] = [0, 1, 2, 4, 8, 16, 32, 48, 64];
const ITERATIONS: [usize; 8] = [0, 1, 2, 3, 4, 5, 6, 8];
/// From here on the growth counts and no longer what every call costs.
const FIT_FROM: usize = 8;

struct Series {
    what: &'static str,
    against: &'static str,
    points: Vec<(usize, f64)>,
}

impl Series {
    /// Slope of log cost over log size by least squares, from `FIT_FROM` on; of depths, which are few, all of them.
    fn exponent(&self) -> Option<f64> {
        let from = if self.against == "depth" { 2 } else { FIT_FROM };
        let points: Vec<_> =
            self.points.iter().filter(|(x, _)| *x >= from).map(|(x, y)| ((*x as f64).ln(), y.ln())).collect();
        let n = points.len() as f64;
        let mean = |f: fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / n;
        let (x0, y0) = (mean(|p| p.0), mean(|p| p.1));
        let (up, down) =
            points.iter().fold((0.0, 0.0), |(up, down), (x, y)| (up + (x - x0) * (y - y0), down + (x - x0) * (x - x0)));
        (self.against != "iterations" && down > 0.0).then(|| up / down)
    }
}

/// Links of 0.2 m, each turning by up to 1.5 rad upwards from the link before it, in branches of `depth` links.
fn tree(links: usize, depth: usize) -> String {
    let mut text = String::from("<mujoco><compiler angle='radian' autolimits='true'/><worldbody>");
    for branch in 0..links / depth {
        for link in 0..depth {
            let place = if link == 0 { format!("0 {branch} 0") } else { "0.2 0 0".to_owned() };
            text += &format!(
                "<body pos='{place}'><joint axis='0 1 0' range='-1.5 0'/>\
                 <inertial pos='0.1 0 0' mass='0.5' diaginertia='0.0001 0.0017 0.0017'/>"
            );
        }
        text += &"</body>".repeat(depth);
    }
    text + "</worldbody></mujoco>"
}

/// Every joint at `angle`, without a velocity.
fn rest(dofs: usize, angle: f64) -> Stored {
    let none = vec![0.0; dofs];
    Stored {
        scene: "grown".to_owned(),
        cone: "pyramidal".to_owned(),
        model: std::path::PathBuf::new(),
        configuration: vec![angle; dofs],
        velocity: none.clone(),
        force: none.clone(),
        warm: none.clone(),
        cold: none.clone(),
        acceleration: none,
    }
}

pub fn measure(output: &Path, gate: &mut Gate) -> Result<(), Box<dyn Error>> {
    let mut series = Vec::new();
    let stages = [
        ("kinematics", Call::Place, -0.3),
        ("velocities", Call::Velocity, -0.3),
        ("mass matrix and factor", Call::Mass, -0.3),
        ("bias force", Call::Bias, -0.3),
        ("step, free", Call::Step, -0.3),
        ("step, every joint at its limit", Call::Step, 0.002),
    ];
    for (what, call, angle) in stages {
        for (against, sizes) in [("links", &LENGTHS[..]), ("depth", &DEPTHS[..])] {
            let mut points = Vec::new();
            for size in sizes {
                let links = if against == "links" { *size } else { 24 };
                let mechanism = delassus_mjcf::read_text(&tree(links, *size))?;
                let mut ours =
                    open_sized::<f64>(mechanism.lists, [links, links, links, 0, links], &rest(links, angle))?;
                for before in [Call::Place, Call::Velocity, Call::Mass, call] {
                    ours.task(Task::Call(before));
                    ours.run(1);
                }
                points.push((*size, gate.medians([&mut *ours])[0]));
            }
            series.push(Series { what, against, points });
        }
    }
    let mut problem = Box::new(Problem::new());
    let mut timed = |against, sizes: &[usize], prepare: fn(&mut Problem, usize)| {
        let mut points = Vec::new();
        for size in sizes {
            prepare(&mut problem, *size);
            points.push((*size, gate.medians([&mut *problem])[0]));
        }
        series.push(Series { what: "Newton, 18 dofs", against, points });
    };
    timed("rows", &ROWS, |problem, rows| problem.set_rows(rows, 100));
    timed("iterations", &ITERATIONS, |problem, iterations| problem.set_rows(64, iterations as u16));
    let mut table = String::from("what,against,size,ns,exponent\n");
    for Series { what, against, points } in &series {
        let exponent = series.iter().find(|s| (s.what, s.against) == (*what, *against)).and_then(Series::exponent);
        for (size, ns) in points {
            let exponent = exponent.map_or_else(String::new, |e| format!("{e:.2}"));
            writeln!(table, "\"{what}\",{against},{size},{ns:.1},{exponent}")?;
        }
    }
    std::fs::write(output.join("growth.csv"), table)?;
    draw(&output.join("growth.svg"), &series)
}

fn draw(path: &Path, series: &[Series]) -> Result<(), Box<dyn Error>> {
    let area = SVGBackend::new(path, (1200, 420)).into_drawing_area();
    area.fill(&WHITE)?;
    for (panel, against) in area.split_evenly((1, 3)).iter().zip(["links", "depth", "rows"]) {
        let chosen: Vec<_> = series.iter().filter(|series| series.against == against).collect();
        let points = || chosen.iter().flat_map(|series| series.points.iter()).filter(|(x, _)| *x > 0);
        let (mut low, mut high, mut right) = (f64::INFINITY, 0.0f64, 1.0f64);
        for (x, y) in points() {
            (low, high, right) = (low.min(*y), high.max(*y), right.max(*x as f64));
        }
        let mut chart = ChartBuilder::on(panel)
            .caption(format!("ns against {against}"), ("sans-serif", 16))
            .margin(10)
            .x_label_area_size(30)
            .y_label_area_size(60)
            .build_cartesian_2d((1.0..right * 1.1).log_scale(), (low * 0.5..high * 8.0).log_scale())?;
        chart.configure_mesh().draw()?;
        for (index, series) in chosen.iter().enumerate() {
            let color = Palette99::pick(index).to_rgba();
            let line = series.points.iter().filter(|(x, _)| *x > 0).map(|(x, y)| (*x as f64, *y));
            let name = match series.exponent() {
                Some(exponent) => format!("{}: size^{exponent:.2}", series.what),
                None => series.what.to_owned(),
            };
            chart
                .draw_series(LineSeries::new(line, color.stroke_width(2)))?
                .label(name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 12, y)], color));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.mix(0.8))
            .draw()?;
    }
    area.present()?;
    Ok(())
}

/// One-sided rows on 18 dofs, three of four pushing at first.
struct Problem {
    mass: MassMatrix<f64, 18>,
    free: SVector<f64, 18>,
    rows: Rows<f64, 18, 64>,
    work: NewtonWorkspace<f64, 18, 64>,
    budget: Budget<f64>,
}

/// Uniform multiples of 2⁻¹⁵ in [−1, 1), from a linear congruence (Numerical Recipes' constants).
struct Uniform(u32);

impl Uniform {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from((self.0 >> 16) as i32 - 0x8000) / 32768.0
    }
}

impl Problem {
    fn new() -> Self {
        let mut numbers = Uniform(18);
        let factor = SMatrix::<f64, 18, 18>::from_fn(|_, _| numbers.next());
        let mut mass = MassMatrix::filled(0.0);
        let entries = factor * factor.transpose() + SMatrix::identity();
        // Symmetric to the last bit.
        mass.set(&((entries + entries.transpose()) * 0.5)).expect("positive definite");
        Self {
            mass,
            free: SVector::from_fn(|_, _| 10.0 * numbers.next()),
            rows: Rows::new(),
            work: NewtonWorkspace::filled(0.0),
            budget: Budget::new(0, 0.0),
        }
    }

    /// The first `count` rows of 64, and the iterations allowed.
    fn set_rows(&mut self, count: usize, iterations: u16) {
        let tolerance = if iterations == 100 { 1e-8 } else { 0.0 };
        self.budget = Budget { line_search: 5000, ..Budget::new(iterations, tolerance) };
        let mut numbers = Uniform(64);
        self.rows.clear();
        for _ in 0..count {
            let jacobian = SVector::from_fn(|_, _| numbers.next());
            let mut response = jacobian;
            self.mass.solve(&mut response).expect("factored");
            let regularizer = jacobian.iter().zip(response.iter()).map(|(a, b)| a * b).sum::<f64>() / 9.0;
            let at_free: f64 = jacobian.iter().zip(self.free.iter()).map(|(a, b)| a * b).sum();
            let reference = at_free + 10.0 * numbers.next() + 5.0;
            let kind = Kind::ContactFrictionless;
            self.rows.finished(kind, Rule::NonNegative, &jacobian, reference, regularizer).expect("room");
        }
    }
}

impl Runs for Problem {
    fn run(&mut self, calls: usize) {
        for _ in 0..calls {
            let free = black_box(&self.free);
            black_box(newton(&self.mass, free, &self.rows, None, &self.budget, &mut self.work)).expect("solved");
        }
    }
}
