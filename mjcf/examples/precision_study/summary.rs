//! Tables.

use std::fmt::Write;

use crate::errors::NAMES;
use crate::study::Study;
use crate::sweep::Sweep;

/// A rounding of f32: errors and floors below it are its.
const ROUNDING: f64 = 1.2e-7;
/// How far above its floor an error is worth a line.
const FAR: f64 = 10.0;

fn number(x: Option<f64>) -> String {
    x.map_or(String::new(), |x| format!("{x:.3e}"))
}

/// Every tick and quantity: CSV.
pub fn ticks(studies: &[Study]) -> String {
    let mut text = String::from("case,step,quantity,f32,floor,amplification,refused\n");
    for study in studies {
        for tick in &study.ticks {
            let refused = tick.refused.clone().unwrap_or_default().replace(',', ";");
            for (k, name) in NAMES.iter().enumerate() {
                let (narrow, floor) = (number(tick.narrow[k]), number(tick.floor[k]));
                // Writing to a String cannot fail.
                let _ = writeln!(
                    text,
                    "{},{},{name},{narrow},{floor},{:.1e},{refused}",
                    study.name, tick.step, tick.amplification
                );
            }
        }
    }
    text
}

/// How far trajectories part: CSV.
pub fn trajectories(studies: &[Study]) -> String {
    let mut text = String::from("case,step,f32,floor\n");
    for study in studies {
        for at in &study.trajectory {
            let _ = writeln!(text, "{},{},{},{}", study.name, at.step, number(at.narrow), number(at.floor));
        }
    }
    text
}

/// All points of all sweeps: CSV.
pub fn sweeps(sweeps: &[Sweep]) -> String {
    let mut text = String::from("sweep,x,quantity,f32,floor,amplification,refused\n");
    for sweep in sweeps {
        for point in &sweep.points {
            for (k, name) in NAMES.iter().enumerate().filter(|(k, _)| point.floor[*k].is_some()) {
                let name = if sweep.moves { "state" } else { name };
                let (narrow, floor) = (number(point.narrow[k]), number(point.floor[k]));
                let _ = writeln!(
                    text,
                    "{},{:.4e},{name},{narrow},{floor},{:.1e},{}",
                    sweep.name, point.x, point.amplification, point.refused
                );
            }
        }
    }
    text
}

fn quantile(sorted: &[f64], part: f64) -> f64 {
    sorted.get(((sorted.len().max(1) - 1) as f64 * part).round() as usize).copied().unwrap_or(0.0)
}

/// For people: markdown.
pub fn text(studies: &[Study], sweeps: &[Sweep]) -> String {
    let count: usize = studies.iter().map(|study| study.ticks.len()).sum();
    let mut text = format!("# f32 against f64: {count} ticks of {} cases\n\n", studies.len());
    text +=
        "| quantity | median | 90 % | worst | worst floor | above 10 floors | of |\n|---|---|---|---|---|---|---|\n";
    let ticks = || studies.iter().flat_map(|study| study.ticks.iter().map(move |tick| (study, tick)));
    let mut far = Vec::new();
    for (k, name) in NAMES.iter().enumerate() {
        let pairs: Vec<_> =
            ticks().filter_map(|(study, tick)| Some((tick.narrow[k]?, tick.floor[k]?, study, tick))).collect();
        let mut errors: Vec<f64> = pairs.iter().map(|pair| pair.0).collect();
        errors.sort_by(f64::total_cmp);
        let floor = pairs.iter().map(|pair| pair.1).fold(0.0, f64::max);
        let mut above = 0;
        for (error, floor, study, tick) in pairs {
            let times = error / floor.max(ROUNDING);
            if times > FAR {
                above += 1;
                far.push((times, error, floor, *name, study.name.clone(), tick));
            }
        }
        let _ = writeln!(
            text,
            "| {name} | {:.1e} | {:.1e} | {:.1e} | {floor:.1e} | {above} | {} |",
            quantile(&errors, 0.5),
            quantile(&errors, 0.9),
            quantile(&errors, 1.0),
            errors.len()
        );
    }
    text += "\nFloor: f64 with all inputs rounded to f32. A floor below one rounding, 1.2e-7, counts as that.\n";
    far.sort_by(|a, b| b.0.total_cmp(&a.0));
    text += "\n## Farthest above their floors\n\n| case | step | quantity | error | floor | times | amplification |\n|---|---|---|---|---|---|---|\n";
    for (times, error, floor, name, case, tick) in far.iter().take(40) {
        let _ = writeln!(
            text,
            "| {case} | {} | {name} | {error:.1e} | {floor:.1e} | {times:.0} | {:.0} |",
            tick.step, tick.amplification
        );
    }
    let refused: Vec<_> = ticks().filter_map(|(study, tick)| Some((study, tick, tick.refused.as_ref()?))).collect();
    if !refused.is_empty() {
        text += "\n## Refused in f32\n\n";
        for (study, tick, why) in refused {
            let _ = writeln!(text, "* {} at step {}: {why}", study.name, tick.step);
        }
    }
    text += "\n## Sweeps\n\n| sweep | from | to | worst acceleration | its floor | worst force | its floor | refused |\n|---|---|---|---|---|---|---|---|\n";
    for sweep in sweeps {
        let worst = |of: fn(&crate::sweep::Point) -> Option<f64>| {
            number(
                sweep
                    .points
                    .iter()
                    .filter_map(of)
                    .fold(None, |most: Option<f64>, x| Some(most.map_or(x, |m| m.max(x)))),
            )
        };
        let [first, last] = [sweep.points.first(), sweep.points.last()].map(|p| p.map_or(0.0, |p| p.x));
        let refused: u64 = sweep.points.iter().map(|point| point.refused).sum();
        let _ = writeln!(
            text,
            "| {} | {first:.1e} | {last:.1e} | {} | {} | {} | {} | {refused} |",
            sweep.name,
            worst(|p| p.narrow[7]),
            worst(|p| p.floor[7]),
            worst(|p| p.narrow[6]),
            worst(|p| p.floor[6])
        );
    }
    text
}
