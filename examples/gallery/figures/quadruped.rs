//! What f32 costs a quadruped that is pushed and catches itself.

use delassus::solver::Budget;
use delassus::tick::{self, Workspace};

use super::Result;
use super::figure::{Axis, Color, Figure, Panel, Points, Shape};
use super::robots::models::quadruped as narrow;

/// The same generated description, its numbers read as f64.
#[allow(non_camel_case_types)]
mod wide {
    type f32 = f64;
    include!("../../robots/quadruped_model.rs");
}

use narrow::{NB, NC, NQ, NR, NV};

/// Velocity of the trunk at the start \[m/s, rad/s\].
const PUSH: [f64; 6] = [0.5, 0.35, 0.0, 0.6, 0.5, 0.4];
/// Ticks of 2 ms.
const TICKS: usize = 2000;

pub fn figures() -> Result<Vec<Figure>> {
    Ok(vec![differences()?])
}

/// One state: time, configuration, the vertical force of all contacts.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    pub time: f64,
    pub configuration: [f64; NQ],
    pub support: f64,
}

macro_rules! run {
    ($name:ident, $scalar:ty, $model:ident) => {
        /// The run in one precision, one record a state.
        pub fn $name() -> Result<Vec<Seen>> {
            let mut work = Box::new(Workspace::<$scalar, NB, NV, NC, NR>::filled(0.0));
            let model = delassus::model::Model::<$scalar, NB, NQ, NV>::new(&$model::DESCRIPTION, &mut work.smooth)?;
            let mut state = model.state();
            state.configuration = narrow::keyframe::stand::CONFIGURATION.map(<$scalar>::from);
            for (v, push) in state.velocity.iter_mut().zip(PUSH) {
                *v = push as $scalar;
            }
            let target = narrow::keyframe::stand::CONTROL.map(<$scalar>::from);
            let input = tick::Input { control: &target, ..tick::Input::none() };
            let mut seen = Vec::new();
            for tick in 0..=TICKS {
                let before = state;
                model.step(&mut state, &input, &Budget::new(20, 1e-7), &mut work)?;
                let up = |k| work.contact_force_in_world(k).map_or(0.0, |found| f64::from(found.force[2]));
                seen.push(Seen {
                    time: 0.002 * tick as f64,
                    configuration: before.configuration.map(f64::from),
                    support: (0..work.contacts().len()).map(up).sum(),
                });
            }
            Ok(seen)
        }
    };
}

run!(double, f64, wide);
run!(single, f32, narrow);

/// Weight of the whole robot \[N\].
pub fn weight() -> f64 {
    wide::DESCRIPTION.bodies.iter().map(|body| body.mass).sum::<f64>() * 9.81
}

fn differences() -> Result<Figure> {
    let (double, single) = (double()?, single()?);
    let end = 0.002 * TICKS as f64;
    let time = || Axis::new("time t", "s").over(0.0, end);
    let over =
        |run: &[Seen], pick: fn(&Seen) -> f64| -> Points { run.iter().step_by(2).map(|s| (s.time, pick(s))).collect() };
    let difference = |pick: &dyn Fn(&[f64; NQ]) -> f64| -> Points {
        double
            .iter()
            .zip(&single)
            .step_by(2)
            .map(|(d, s)| (d.time, pick(&s.configuration) - pick(&d.configuration)))
            .collect()
    };
    let micro = |index: usize| difference(&|q| 1e6 * q[index]);
    let height = Panel::new("Height of the trunk", time(), Axis::new("height", "m"))
        .layer(Shape::Wide, Color::Sky, "f64", over(&double, |s| s.configuration[2]))
        .line(Color::Blue, "f32", over(&single, |s| s.configuration[2]));
    let support = Panel::new("Force of all four feet", time(), Axis::new("vertical force", "N"))
        .layer(Shape::Wide, Color::Sky, "f64", over(&double, |s| s.support))
        .line(Color::Blue, "f32", over(&single, |s| s.support))
        .dashed(Color::Grey, "weight", vec![(0.0, weight()), (end, weight())]);
    let trunk = Panel::new("Trunk: f32 − f64", time(), Axis::new("difference of position", "µm"))
        .line(Color::Vermilion, "x", micro(0))
        .line(Color::Blue, "y", micro(1))
        .line(Color::Green, "z", micro(2));
    let largest: Points = double
        .iter()
        .zip(&single)
        .step_by(2)
        .map(|(d, s)| {
            let angles = d.configuration[7..].iter().zip(&s.configuration[7..]);
            (d.time, angles.fold(0.0, |m: f64, (a, b)| m.max((a - b).abs())))
        })
        // No difference at the start, which a logarithm cannot show.
        .filter(|(_, largest)| *largest > 0.0)
        .collect();
    let joints =
        Panel::new("Joints: f32 − f64", time(), Axis::new("largest difference", "rad").over(1e-8, 1e-4).logarithmic())
            .line(Color::Vermilion, "of twelve angles", largest);
    Ok(Figure {
        name: "quadruped_f32",
        title: "A quadruped in f32 beside f64",
        drawn: "A standing quadruped is pushed and catches itself, once in each precision: how high its trunk is, what its feet \
                carry, and how far f32 goes from f64: less than a micrometre and a few microradians.",
        source: "S15-43, S12-51, S07-13; at the end the feet carry the weight in both, by analysis.",
        columns: 2,
        panels: vec![height, support, trunk, joints],
    })
}
