//! What `compare` prints.

use std::fmt::Write;

use serde::Serialize;

use crate::compare::{Differences, Series};
use crate::verdict::{FORCE_PART, GROWN, PART, Sensitivity, Verdict, first_beyond, sensitivity};

/// The whole answer.
#[derive(Serialize)]
pub struct Comparison {
    pub verdict: Verdict,
    /// The verdict in a sentence.
    pub line: String,
    seconds: f64,
    step: f64,
    steps: u64,
    /// Where and when f32 parts first.
    pub parts: Option<Parting>,
    /// When f32 ended in an error, and in which.
    failure: Option<Ending>,
    /// Largest difference of a joint over its scale.
    difference: f64,
    sensitivity: Sensitivity,
    joints: Vec<Row>,
    forces: Vec<Row>,
}

#[derive(Clone, Serialize)]
pub struct Parting {
    pub time: f64,
    pub name: String,
}

#[derive(Serialize)]
struct Ending {
    time: f64,
    error: String,
}

/// A joint or a force.
#[derive(Serialize)]
struct Row {
    name: String,
    unit: &'static str,
    /// What the differences are relative to.
    scale: f64,
    /// Largest difference of f32 from f64, and its time.
    difference: f64,
    time: f64,
    /// When f32 parts.
    parts: Option<f64>,
    /// The same of the f64 runs that start one f32 ulp aside.
    perturbed_difference: f64,
    perturbed_parts: Option<f64>,
}

fn relative(differences: &[f32], scale: f64) -> Vec<f64> {
    differences.iter().map(|d| f64::from(*d) / scale).collect()
}

impl Row {
    fn new(series: &Series, part: f64, step: f64) -> Self {
        let (narrow, perturbed) = (relative(&series.narrow, series.scale), relative(&series.perturbed, series.scale));
        let parts = |measure: &[f64]| first_beyond(measure, part).map(|k| k as f64 * step);
        let largest = |list: &[f32]| {
            let first = (0, 0.0f64);
            let at = list.iter().enumerate();
            at.fold(first, |(k, most), (i, d)| if f64::from(*d) > most { (i, f64::from(*d)) } else { (k, most) })
        };
        let (at, difference) = largest(&series.narrow);
        Self {
            name: series.name.clone(),
            unit: series.unit,
            scale: series.scale,
            difference,
            time: at as f64 * step,
            parts: parts(&narrow),
            perturbed_difference: largest(&series.perturbed).1,
            perturbed_parts: parts(&perturbed),
        }
    }
}

/// Each step's largest relative difference.
pub fn worst(all: &[Series], differences: impl Fn(&Series) -> &[f32]) -> Vec<f64> {
    let steps = all.iter().map(|series| differences(series).len()).max().unwrap_or(0);
    let mut worst = vec![0.0f64; steps];
    for series in all {
        for (most, d) in worst.iter_mut().zip(differences(series)) {
            *most = most.max(f64::from(*d) / series.scale);
        }
    }
    worst
}

/// The row that parts first.
fn first(rows: &[Row]) -> Option<Parting> {
    let parted = rows.iter().filter_map(|row| Some((row.parts?, row)));
    let (time, row) = parted
        .min_by(|(a, x), (b, y)| a.total_cmp(b).then((y.difference / y.scale).total_cmp(&(x.difference / x.scale))))?;
    Some(Parting { time, name: row.name.clone() })
}

/// A time, with as many digits as a reader wants.
fn seconds(t: f64) -> String {
    if t < 1.0 { format!("{t:.4} s") } else { format!("{t:.3} s") }
}

fn percent(x: f64) -> String {
    match 100.0 * x {
        p if p >= 0.1 => format!("{p:.1} %"),
        p => format!("{p:.1e} %"),
    }
}

impl Comparison {
    pub fn new(found: &Differences) -> Self {
        let Differences { step, steps, .. } = *found;
        let joints: Vec<Row> = found.joints.iter().map(|series| Row::new(series, PART, step)).collect();
        let forces: Vec<Row> = found.forces.iter().map(|series| Row::new(series, FORCE_PART, step)).collect();
        let narrow = worst(&found.joints, |series| &series.narrow);
        let perturbed = worst(&found.joints, |series| &series.perturbed);
        let apart = first_beyond(&narrow, PART);
        let last = narrow.len().saturating_sub(1);
        let mut answer = Self {
            verdict: Verdict::AsGood,
            line: String::new(),
            seconds: steps as f64 * step,
            step,
            steps,
            parts: first(&joints),
            failure: found.failure.clone().map(|(time, error)| Ending { time, error }),
            difference: narrow.iter().copied().fold(0.0, f64::max),
            sensitivity: sensitivity(&narrow, &perturbed, apart.unwrap_or(last), step),
            joints,
            forces,
        };
        answer.judge();
        answer
    }

    fn judge(&mut self) {
        let all = format!("over {}", seconds(self.seconds));
        let aside = match self.sensitivity.parts {
            Some(time) => format!("an f64 run that starts one f32 ulp aside parts at {}", seconds(time)),
            None => {
                let apart = self.sensitivity.start * self.sensitivity.growth;
                format!("an f64 run that starts one f32 ulp aside is {} off by then", percent(apart))
            }
        };
        if let Some(Parting { time, name }) = self.parts.clone() {
            self.verdict = self.sensitivity.verdict(time);
            let at = seconds(time);
            self.line = match self.verdict {
                Verdict::Chaotic => format!(
                    "the motion is chaotic, any rounding would do the same: f32 parts from f64 at {at} ({name}), and {aside}"
                ),
                Verdict::Sensitive => format!(
                    "the motion hangs on its last digit, any rounding would do the same: f32 parts from f64 at {at} ({name}), and {aside}"
                ),
                _ => {
                    let s = &self.sensitivity;
                    let grown = if s.growth < GROWN {
                        String::new()
                    } else {
                        format!(
                            "; the motion amplifies errors {:.0}-fold, and f32 makes {:.0} times those of rounding",
                            s.growth, s.excess
                        )
                    };
                    format!("f32 costs precision: {name} after {at}; {aside}{grown}")
                }
            };
            return;
        }
        if let Some(Ending { time, error }) = &self.failure {
            self.verdict = Verdict::Fails;
            self.line =
                format!("f32 costs the run: it ends at {} in an error that f64 does not have: {error}", seconds(*time));
            return;
        }
        let most = self.joints.iter().max_by(|a, b| (a.difference / a.scale).total_cmp(&(b.difference / b.scale)));
        let joint = match most {
            None => "nothing can move".to_owned(),
            Some(row) if row.difference == 0.0 => "no joint differs at all".to_owned(),
            Some(row) => format!(
                "no joint is farther off than {} of its motion ({}, {:.1e} {} at {})",
                percent(row.difference / row.scale),
                row.name,
                row.difference,
                row.unit,
                seconds(row.time)
            ),
        };
        if let Some(Parting { time, name }) = first(&self.forces) {
            let row = self.forces.iter().find(|row| row.name == name);
            let also = row.and_then(|row| row.perturbed_parts);
            self.parts = Some(Parting { time, name: name.clone() });
            let time = seconds(time);
            (self.verdict, self.line) = match also {
                Some(other) => (
                    Verdict::Sensitive,
                    format!(
                        "the forces are a matter of the last digit, any rounding would do the same: f32 parts from f64 at {time} \
                         ({name}), f64 one f32 ulp aside at {}; {joint}",
                        seconds(other)
                    ),
                ),
                None => (Verdict::Precision, format!("f32 costs precision of forces: {name} after {time}; {joint}")),
            };
            return;
        }
        self.line = format!("f32 is as good as f64 here: {all} {joint}");
        if let Some(time) = self.sensitivity.parts {
            let _ =
                write!(self.line, "; yet the motion is sensitive, a start one ulp aside parts at {}", seconds(time));
        }
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n\n{} steps of {} s\n", self.line, self.steps, self.step);
        let s = &self.sensitivity;
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "errors of the start grow {:.1e}-fold, {:.1e} and {:.1e}-fold in the last two quarters; f32 is off by {:.1e} times what rounding of each step explains\n",
            s.growth, s.late_growth[0], s.late_growth[1], s.excess
        );
        let width =
            self.joints.iter().chain(&self.forces).map(|row| row.name.chars().count()).max().unwrap_or(0).clamp(10, 40);
        let tables = [("joints", "moves", PART, &self.joints), ("forces", "scale", FORCE_PART, &self.forces)];
        for (title, scale, part, rows) in tables.into_iter().filter(|(.., rows)| !rows.is_empty()) {
            let _ = writeln!(
                text,
                "{title:<width$} {scale:>10} {:6} {:>10} {:>10} {:>10} | {:>10} {:>10}",
                "", "f32 off", "at, s", "parts, s", "ulp off", "parts, s"
            );
            for row in rows {
                let time = |t: Option<f64>| t.map_or("-".to_owned(), |t| format!("{t:.4}"));
                let _ = writeln!(
                    text,
                    "{:<width$} {:>10.3e} {:6} {:>10.1e} {:>10.4} {:>10} | {:>10.1e} {:>10}",
                    row.name,
                    row.scale,
                    row.unit,
                    row.difference,
                    row.time,
                    time(row.parts),
                    row.perturbed_difference,
                    time(row.perturbed_parts)
                );
            }
            let _ = writeln!(text, "(parts: differs by {} of \"{scale}\")\n", percent(part));
        }
        text.lines().map(|line| line.replace(char::is_control, " ").trim_end().to_owned() + "\n").collect()
    }
}
