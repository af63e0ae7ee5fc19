//! `compare`: the same run in f32 and f64, beside f64 runs that start one f32 ulp aside.

use std::collections::HashMap;

use delassus_mjcf::Mechanism;

use crate::channels::{Channel, ForceKey, Forces, channels, distance};
use crate::failure::Failure;
use crate::input::Start;
use crate::layout::Layout;
use crate::progress;
use crate::record::Record;
use crate::run::Problem;
use crate::size::{Run, Runner};

/// Differences that may be kept.
const MOST_NUMBERS: u64 = 50_000_000;
/// Points of a line in the picture.
const POINTS: u64 = 1_000;
/// Forces are compared after a low pass of this time constant \[s\]: a strike that comes a step later is the same strike.
pub const SMOOTHING: f64 = 0.05;

/// One quantity over all steps.
pub struct Series {
    pub name: String,
    pub unit: &'static str,
    /// What differences are relative to.
    pub scale: f64,
    /// f32 from f64, and the farther of the perturbed runs from f64, after each step.
    pub narrow: Vec<f32>,
    pub perturbed: Vec<f32>,
    /// Time, f64 and f32, at some steps.
    pub curve: Vec<(f64, f64, f64)>,
}

/// All differences of the runs.
pub struct Differences {
    pub step: f64,
    pub steps: u64,
    pub joints: Vec<Series>,
    pub forces: Vec<Series>,
    /// When and why f32 gave up.
    pub failure: Option<(f64, String)>,
}

/// A low-passed force in the four runs, and its differences.
struct Force {
    smooth: [Vec<f64>; 4],
    series: Series,
}

impl Series {
    fn new(name: String, unit: &'static str, scale: f64) -> Self {
        Self { name, unit, scale, narrow: Vec::new(), perturbed: Vec::new(), curve: Vec::new() }
    }
}

/// One f32 ulp of a number.
fn ulp(x: f64) -> f64 {
    let x = (x.abs() as f32).max(f32::MIN_POSITIVE);
    f64::from(x.next_up()) - f64::from(x)
}

/// The start with every number one f32 ulp aside; velocities that are zero stay so.
fn perturbed(start: &Start, channels: &[Channel], size: f64, sign: impl Fn(usize) -> f64) -> Start {
    let mut other = start.clone();
    for channel in channels {
        for (k, number) in channel.ulps(&start.configuration, least(channel.unit, size)) {
            other.configuration[k] += sign(k) * ulp(number);
        }
    }
    for (k, v) in other.velocity.iter_mut().enumerate().filter(|(_, v)| **v != 0.0) {
        *v += sign(k) * ulp(*v);
    }
    other
}

/// The least excursion that counts as motion: a tenth of a radian, a tenth of the mechanism's size.
fn least(unit: &str, size: f64) -> f64 {
    if unit == "rad" { 0.1 } else { 0.1 * size }
}

/// Largest distance of a body's centre from their mean, or radius of gyration \[m\].
fn size_of(mechanism: &Mechanism, record: &Record) -> f64 {
    let bodies = &mechanism.lists.bodies;
    let count = record.centers.len().max(1) as f64;
    let mean = [0, 1, 2].map(|k| record.centers.iter().map(|c| c[k]).sum::<f64>() / count);
    let far = record.centers.iter().map(|center| distance(center, &mean));
    let gyration =
        bodies.iter().filter(|b| b.mass > 0.0).map(|b| (b.inertia.iter().sum::<f64>() / (2.0 * b.mass)).sqrt());
    let size = far.chain(gyration).fold(0.0, f64::max);
    if size > 0.0 && size.is_finite() { size } else { 1.0 }
}

/// Runs all four and measures.
pub fn compare(mechanism: &Mechanism, start: &Start, layout: &Layout, steps: u64) -> Result<Differences, Failure> {
    let (description, options) = (&mechanism.lists.description(), &mechanism.solver);
    let single = mechanism.lists.to_single();
    let narrow = &single.description();
    let channels = channels(layout);
    if steps.saturating_mul(channels.len() as u64 + 10) > MOST_NUMBERS {
        return Err(Failure::refused(format!("{steps} steps are too many to compare; take fewer --seconds")));
    }
    let mut wide = Runner::new(Problem { description, options, start })?;
    let first = wide.look()?;
    let size = size_of(mechanism, &first);
    let aside = [
        perturbed(start, &channels, size, |_| 1.0),
        perturbed(start, &channels, size, |k| if k % 4 == 0 || k % 4 == 3 { 1.0 } else { -1.0 }),
    ];
    let mut measure = Measure {
        mechanism,
        layout,
        smoothing: mechanism.lists.options.step / (SMOOTHING + mechanism.lists.options.step),
        forces: Forces::new(mechanism, &start.equality_active),
        joints: channels.iter().map(|c| Series::new(c.name.clone(), c.unit, least(c.unit, size))).collect(),
        channels,
        found: HashMap::new(),
        order: Vec::new(),
        first: first.configuration,
        every: (steps / POINTS).max(1),
    };
    let mut runs: [Box<dyn Run + '_>; 4] = [
        Box::new(wide),
        Box::new(Runner::new(Problem { description: narrow, options, start })?),
        Box::new(Runner::new(Problem { description, options, start: &aside[0] })?),
        Box::new(Runner::new(Problem { description, options, start: &aside[1] })?),
    ];
    let step = mechanism.lists.options.step;
    let bar = progress::bar(steps);
    let mut failure = None;
    for done in 0..=steps {
        let mut records = Vec::with_capacity(4);
        for (index, run) in runs.iter_mut().enumerate() {
            let moved = if done > 0 { run.step() } else { Ok(()) };
            match moved.and_then(|()| run.look()) {
                Ok(record) => records.push(record),
                Err(error) if index == 1 => {
                    failure = Some((done as f64 * step, error.naming(&mechanism.labels).to_string()));
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        let Ok(records) = <[Record; 4]>::try_from(records) else { break };
        measure.take(done, done as f64 * step, &records);
        if done % 64 == 0 {
            bar.set_position(done);
        }
    }
    let Measure { joints, mut found, order, .. } = measure;
    let mut forces: Vec<Series> = order.iter().filter_map(|key| Some(found.remove(key)?.series)).collect();
    // What is next to nothing beside the largest force is measured by that.
    let largest = |unit: &str| {
        forces.iter().filter(|force| force.unit == unit).map(|force| force.scale).fold(f64::MIN_POSITIVE, f64::max)
    };
    let scales: Vec<f64> = forces.iter().map(|force| force.scale.max(0.01 * largest(force.unit))).collect();
    for (force, scale) in forces.iter_mut().zip(scales) {
        force.scale = scale;
    }
    Ok(Differences { step, steps, joints, forces, failure })
}

struct Measure<'a> {
    mechanism: &'a Mechanism,
    layout: &'a Layout,
    smoothing: f64,
    forces: Forces,
    channels: Vec<Channel>,
    joints: Vec<Series>,
    found: HashMap<ForceKey, Force>,
    /// Keys in the order of their first force.
    order: Vec<ForceKey>,
    first: Vec<f64>,
    every: u64,
}

impl Measure<'_> {
    /// Records of f64, f32 and the two perturbed runs.
    fn take(&mut self, done: u64, time: f64, records: &[Record; 4]) {
        let [wide, narrow, aside @ ..] = records;
        let sampled = done.is_multiple_of(self.every);
        for (channel, series) in self.channels.iter().zip(&mut self.joints) {
            let from = |other: &Record| channel.difference(&other.configuration, &wide.configuration);
            series.narrow.push(from(narrow) as f32);
            series.perturbed.push(aside.iter().map(from).fold(0.0, f64::max) as f32);
            series.scale = series.scale.max(channel.difference(&wide.configuration, &self.first));
            if sampled {
                let value = |record: &Record| channel.value(&record.configuration, &self.first);
                series.curve.push((time, value(wide), value(narrow)));
            }
        }
        let found = [0, 1, 2, 3].map(|run| self.forces.of(&records[run], self.layout));
        for (key, force) in found.iter().flatten() {
            // A mechanism that touches ever new things must not fill the memory.
            let kept = (self.order.len() as u64 + 1).saturating_mul(done + 1) < MOST_NUMBERS;
            if kept && !self.found.contains_key(key) {
                let (name, unit) = key.name(self.layout, self.mechanism);
                let zeros = || vec![0.0f32; done as usize];
                let mut series = Series::new(name, unit, 0.0);
                (series.narrow, series.perturbed) = (zeros(), zeros());
                let smooth = [0; 4].map(|_| vec![0.0; force.len()]);
                self.found.insert(*key, Force { smooth, series });
                self.order.push(*key);
            }
        }
        for (key, Force { smooth, series }) in &mut self.found {
            for (smooth, found) in smooth.iter_mut().zip(&found) {
                let now = found.iter().find(|(other, _)| other == key).map(|(_, force)| force);
                for (k, s) in smooth.iter_mut().enumerate() {
                    *s += self.smoothing * (now.and_then(|force| force.get(k)).copied().unwrap_or(0.0) - *s);
                }
            }
            let [wide, narrow, aside @ ..] = &*smooth;
            series.narrow.push(distance(narrow, wide) as f32);
            series.perturbed.push(aside.iter().map(|other| distance(other, wide)).fold(0.0, f64::max) as f32);
            series.scale = series.scale.max(distance(wide, &[]));
            if sampled {
                series.curve.push((time, distance(wide, &[]), distance(narrow, &[])));
            }
        }
    }
}
