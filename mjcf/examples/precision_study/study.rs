//! One case: ticks along its trajectory, and how far trajectories part.

use delassus_mjcf::convert;

use crate::cases::Case;
use crate::errors::{Errors, errors, of_states};
use crate::machine::{Start, open};

/// Steps after which trajectories are compared; before the first and after some of them a tick is.
pub const STEPS: [u64; 7] = [0, 1, 3, 10, 30, 100, 300];

/// What one case showed.
pub struct Study {
    pub name: String,
    pub ticks: Vec<TickStudy>,
    pub trajectory: Vec<TrajectoryStudy>,
}

/// One tick from a state of the f64 trajectory.
pub struct TickStudy {
    pub step: u64,
    pub narrow: Errors,
    pub floor: Errors,
    /// What the f32 tick reports.
    pub amplification: f64,
    /// Why there is no f32 tick.
    pub refused: Option<String>,
}

/// f32 and f64 with rounded inputs, against f64.
pub struct TrajectoryStudy {
    pub step: u64,
    pub narrow: Option<f64>,
    pub floor: Option<f64>,
}

/// Runs a case in f64, in f32, and in f64 with inputs rounded to f32.
pub fn study(case: &Case) -> Result<Study, String> {
    let (lists, options) = (&case.mechanism.lists, &case.mechanism.solver);
    let narrow_lists = lists.to_single();
    let rounded_lists = convert::<f32, f64>(&narrow_lists);
    let mut exact = open(lists, options, &case.start)?;
    let mut narrow = open(&narrow_lists, options, &case.start).ok();
    let mut floor = open(&rounded_lists, options, &case.start.rounded()).ok();
    let mut study = Study { name: case.name.clone(), ticks: Vec::new(), trajectory: Vec::new() };
    let mut done = 0;
    for step in STEPS {
        while done < step {
            if exact.step().is_err() {
                return Ok(study);
            }
            narrow = narrow.and_then(|mut run| run.step().is_ok().then_some(run));
            floor = floor.and_then(|mut run| run.step().is_ok().then_some(run));
            done += 1;
        }
        let state = exact.state();
        if state.0.iter().chain(&state.1).any(|x| x.abs() > 1e6) {
            return Ok(study);
        }
        if step > 0 {
            let apart = |run: &Option<Box<dyn crate::machine::Machine + '_>>| {
                run.as_ref().map(|run| of_states(&run.state(), &state)).filter(|e| e.is_finite())
            };
            study.trajectory.push(TrajectoryStudy { step, narrow: apart(&narrow), floor: apart(&floor) });
        }
        if matches!(step, 0 | 10 | 100) {
            let start = Start { configuration: state.0, velocity: state.1, ..case.start.clone() };
            let tick = open(lists, options, &start)?.tick();
            let Ok(tick) = tick else { continue };
            let rounded = open(&rounded_lists, options, &start.rounded())?.tick();
            let single = open(&narrow_lists, options, &start).and_then(|mut run| run.tick());
            study.ticks.push(TickStudy {
                step,
                narrow: single.as_ref().map_or([None; 8], |single| errors(single, &tick)),
                floor: rounded.map_or([None; 8], |rounded| errors(&rounded, &tick)),
                amplification: single.as_ref().map_or(f64::INFINITY, |single| single.amplification),
                refused: single.err(),
            });
        }
    }
    Ok(study)
}
