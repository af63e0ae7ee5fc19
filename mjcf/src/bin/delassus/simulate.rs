//! `simulate`: steps in time.

use std::path::Path;

use delassus_mjcf::Mechanism;

use crate::failure::Failure;
use crate::layout::Layout;
use crate::output::{Answer, Checkpoint};
use crate::recorder::Recording;
use crate::size::Run;
use crate::{csv, motion_picture, progress};

/// What is wanted beside the answer.
pub struct Extras<'a> {
    pub csv: Option<&'a Path>,
    pub plot: Option<&'a Path>,
    pub every: Option<u64>,
}

/// The states after these steps, rising; table and picture are written as far as the run came.
pub fn simulate(
    run: &mut dyn Run,
    mechanism: &Mechanism,
    steps: &[u64],
    extras: &Extras<'_>,
) -> Result<Answer, Failure> {
    let last = steps.last().copied().unwrap_or(0);
    let mut recording = None;
    if extras.csv.is_some() || extras.plot.is_some() {
        let lists = &mechanism.lists;
        let numbers = lists.coordinates() + 4 * lists.dofs() + 10 * lists.bodies.len() + 30;
        let table = extras.csv.is_some();
        recording = Some(Recording::new(last, lists.options.step, numbers, extras.every, table)?);
        // Not to learn after an hour that there is no such folder.
        for path in [extras.csv, extras.plot].into_iter().flatten() {
            write(path, "")?;
        }
    }
    let answer = advance(run, steps, recording.as_mut());
    if let Some(recording) = recording {
        let layout = Layout::new(mechanism);
        if let Some(path) = extras.csv {
            write(path, &csv::text(&recording, &layout))?;
        }
        if let Some(path) = extras.plot {
            write(path, &motion_picture::draw(&recording, &layout, mechanism).map_err(Failure::tick)?)?;
        }
    }
    answer
}

pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| Failure::refused(format!("{}: {error}", path.display())))
}

fn advance(run: &mut dyn Run, steps: &[u64], mut recording: Option<&mut Recording>) -> Result<Answer, Failure> {
    let bar = progress::bar(steps.last().copied().unwrap_or(0));
    let mut checkpoints = Vec::with_capacity(steps.len());
    let mut done = 0;
    if let Some(recording) = recording.as_deref_mut() {
        recording.push(0, run.look()?);
    }
    for &wanted in steps {
        while done < wanted {
            run.step()?;
            done += 1;
            if done % 64 == 0 {
                bar.set_position(done);
            }
            if let Some(recording) = recording.as_deref_mut().filter(|recording| recording.wants(done)) {
                recording.push(done, run.look()?);
            }
        }
        checkpoints.push(Checkpoint { step: done, qpos: run.configuration(), qvel: run.velocity() });
    }
    Ok(Answer::Simulate { checkpoints })
}
