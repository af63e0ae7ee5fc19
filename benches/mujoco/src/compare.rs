//! Whole calls: ours beside MuJoCo's defaults and its fastest settings.

use std::collections::HashMap;
use std::error::Error;
use std::ffi::CString;
use std::fmt::Write as _;

use crate::gate::{Gate, Runs};
use crate::ours::{Ours, Task};
use crate::peers::{Call, Engine, EngineOptions, Peers};
use crate::sizes::open_both;
use crate::state::{Start, Stored};

pub const CALLS: [(Call, &str); 2] = [(Call::Step, "step"), (Call::Forward, "forward")];
const PRECISIONS: [&str; 2] = ["f64", "f32"];
/// Settings whose error is larger than this, of the acceleration that the constraints add, do not count as an answer.
const USABLE: f64 = 1e-3;

/// Instructions per call by name.
pub type Counts = HashMap<String, u64>;

/// The name of a stretch of counted calls.
pub fn count_name(stored: &Stored, call: &str, start: Start, who: &str) -> String {
    format!("{} {} {call} {} {who}", stored.scene, stored.cone, start.name())
}

/// One scene, ours and the engine opened.
pub struct Rivals<'p> {
    pub ours: [Box<dyn Ours>; 2],
    pub engine: Engine<'p>,
    fastest: Engine<'p>,
}

impl<'p> Rivals<'p> {
    pub fn open(peers: &'p Peers, stored: &Stored) -> Result<Self, Box<dyn Error>> {
        let open = || Engine::open(peers, &stored.model, stored.elliptic(), stored.velocity.len());
        let mut rivals = Self { ours: open_both(stored)?, engine: open()?, fastest: open()? };
        rivals.engine.options(EngineOptions::DEFAULT);
        Ok(rivals)
    }

    pub fn set(&mut self, stored: &Stored, call: Call, start: Start) {
        let warm = stored.start(start);
        for ours in &mut self.ours {
            ours.warm(warm);
            ours.task(Task::Call(call));
        }
        for engine in [&mut self.engine, &mut self.fastest] {
            engine.state(&stored.configuration, &stored.velocity, &stored.force, warm);
            engine.call = call;
        }
    }

    /// Everything computed at the state, cold; so that any stage can be repeated.
    pub fn forward(&mut self, stored: &Stored) -> &mut Self {
        for call in [Call::Place, Call::Velocity, Call::Mass, Call::Forward] {
            self.set(stored, call, Start::Cold);
            self.ours.iter_mut().for_each(|ours| ours.run(1));
        }
        self.engine.run(1);
        self
    }

    /// Leaves the fastest usable settings in `fastest`.
    fn choose(&mut self, stored: &Stored, gate: &mut Gate) {
        let mut best = (f64::INFINITY, EngineOptions::DEFAULT);
        for options in EngineOptions::all() {
            self.fastest.options(options);
            self.fastest.run(1);
            let (acceleration, _, _) = self.fastest.answer();
            let miss = distance(&acceleration, &stored.acceleration);
            if miss > USABLE * (distance(&stored.acceleration, &stored.cold) + 1e-12) {
                continue;
            }
            let time = gate.glance(&mut [&mut self.fastest])[0];
            if time < best.0 {
                best = (time, options);
            }
        }
        self.fastest.options(best.1);
    }
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

fn largest(list: impl Iterator<Item = f64>) -> f64 {
    list.fold(0.0, |most, x| most.max(x.abs()))
}

/// Largest difference of the answers over the largest acceleration there is, with constraints or without; of a step the
/// velocity it adds is the answer.
fn difference(stored: &Stored, call: Call, ours: &dyn Ours, engine: &Engine<'_>) -> f64 {
    let ((a, v, _), (b, w, _)) = (ours.answer(), engine.answer());
    let scale = largest(stored.acceleration.iter().chain(&stored.cold).copied());
    let part = |x: &[f64], y: &[f64], scale: f64| largest(x.iter().zip(y).map(|(x, y)| x - y)) / scale;
    match call {
        Call::Step => {
            let step = 0.002;
            let fastest = largest(stored.velocity.iter().copied());
            part(&a, &b, scale).max(part(&v, &w, fastest.max(step * scale)))
        }
        _ => part(&a, &b, scale),
    }
}

/// The whole table.
pub fn compare(peers: &Peers, scenes: &[Stored], counts: &Counts, gate: &mut Gate) -> Result<String, Box<dyn Error>> {
    let mut table = String::from(
        "scene,call,cone,solver,precision,start,ours_ns,mujoco_default_ns,mujoco_best_ns,ratio,ours_instructions,mujoco_instructions,difference\n",
    );
    for stored in scenes {
        let mut rivals = Rivals::open(peers, stored)?;
        for (call, name) in CALLS {
            for start in Start::ALL {
                rivals.set(stored, call, start);
                rivals.choose(stored, gate);
                let Rivals { ours: [double, single], engine, fastest } = &mut rivals;
                let [f64_time, f32_time, default, best] = gate.medians([&mut **double, &mut **single, engine, fastest]);
                let count = |who: &str| {
                    counts.get(&count_name(stored, name, start, who)).map(u64::to_string).unwrap_or_default()
                };
                let best = best.min(default);
                for (precision, ours, time) in [(0, &*double, f64_time), (1, &*single, f32_time)] {
                    let precision = PRECISIONS[precision];
                    let Stored { scene, cone, .. } = stored;
                    let (ratio, start_name) = (default / time, start.name());
                    let (mine, theirs) = (count(precision), count("mujoco"));
                    let difference = difference(stored, call, &**ours, engine);
                    writeln!(
                        table,
                        "{scene},{name},{cone},newton,{precision},{start_name},{time:.1},{default:.1},{best:.1},{ratio:.2},{mine},{theirs},{difference:.1e}"
                    )?;
                }
                let iterations = double.solution().1;
                let rows = [double.answer().2, engine.answer().2];
                eprintln!(
                    "{} {} {name} {}: {f64_time:.0} ns, {:.2}× ({} and {} rows, {iterations} iterations)",
                    stored.scene,
                    stored.cone,
                    start.name(),
                    default / f64_time,
                    rows[0],
                    rows[1]
                );
            }
        }
    }
    Ok(table)
}

/// Under callgrind: a few calls of each kind, each stretch under its name.
pub fn count(peers: &Peers, scenes: &[Stored], calls: usize) -> Result<(), Box<dyn Error>> {
    for stored in scenes {
        let mut rivals = Rivals::open(peers, stored)?;
        for (call, name) in CALLS {
            for start in Start::ALL {
                rivals.set(stored, call, start);
                let Rivals { ours: [double, single], engine, .. } = &mut rivals;
                let stretches: [(&str, &mut dyn Runs); 3] =
                    [("f64", &mut **double), ("f32", &mut **single), ("mujoco", engine)];
                for (who, rival) in stretches {
                    let name = CString::new(count_name(stored, name, start, who))?;
                    rival.run(2);
                    peers.count_begin();
                    rival.run(calls);
                    peers.count_end(&name);
                }
            }
        }
    }
    Ok(())
}
