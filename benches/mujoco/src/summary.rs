//! What the tables say, as Markdown: each scene's step beside its target, the stages, and the duals.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;

/// How many times faster than MuJoCo's defaults a step is to be, by the beginning of the scene's name.
const TARGETS: [(&str, f64); 9] = [
    ("ball", 10.0),
    ("stack", 10.0),
    ("dpend_lim", 6.0),
    ("cartpole", 6.0),
    ("fourbar", 6.0),
    ("arm7", 4.0),
    ("box", 3.0),
    ("quadruped", 3.0),
    ("chain", 3.0),
];

/// Chains are to be that fast at their limits; elsewhere never slower.
fn target(scene: &str) -> f64 {
    let found = TARGETS.iter().find(|(name, _)| scene.starts_with(name)).map_or(1.0, |(_, target)| *target);
    if scene.starts_with("chain") && scene.ends_with("free") { 1.0 } else { found }
}

/// A table's lines by column name.
fn read(path: &Path) -> Result<Vec<BTreeMap<String, String>>, Box<dyn Error>> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
    let header: Vec<String> = lines.next().ok_or("an empty table")?.collect();
    Ok(lines.map(|line| header.iter().cloned().zip(line).collect()).collect())
}

fn number(line: &BTreeMap<String, String>, key: &str) -> Option<f64> {
    line.get(key)?.parse().ok()
}

pub fn write(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut text = String::from(
        "# Beside MuJoCo 3.10.0, DAQP 0.11.0, Clarabel 0.11\n\nWritten by `bash benches/mujoco/run.sh` from the tables beside it; \
         docs/speed.md reads it.\n\n## One step, f64, Newton\n\nns; in brackets instructions. \"times\": MuJoCo's defaults over ours; \
         \"best\": MuJoCo's fastest usable settings over ours.\n\n\
         | scene | cone | start | ours | f32 | MuJoCo | times | best | target | difference |\n|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let results = read(&folder.join("results.csv"))?;
    let is = |line: &BTreeMap<String, String>, key: &str, value: &str| line.get(key).is_some_and(|x| x == value);
    let (mut met, mut all) = (0, 0);
    for line in results.iter().filter(|line| is(line, "call", "step") && is(line, "precision", "f64")) {
        let same = |other: &&BTreeMap<String, String>| {
            is(other, "precision", "f32")
                && ["scene", "call", "cone", "start"].iter().all(|key| other.get(*key) == line.get(*key))
        };
        let (Some(ours), Some(theirs), Some(best)) =
            (number(line, "ours_ns"), number(line, "mujoco_default_ns"), number(line, "mujoco_best_ns"))
        else {
            continue;
        };
        let single = results.iter().find(same).and_then(|line| number(line, "ours_ns")).unwrap_or(f64::NAN);
        let (scene, target) = (&line["scene"], target(&line["scene"]));
        let ratio = theirs / ours;
        (met, all) = (met + usize::from(ratio >= target), all + 1);
        let counts = |key: &str| line.get(key).filter(|x| !x.is_empty()).map_or(String::new(), |x| format!(" ({x})"));
        let mark = if ratio >= target { "met" } else { "missed" };
        writeln!(
            text,
            "| {scene} | {} | {} | {ours:.0}{} | {single:.0} | {theirs:.0}{} | {ratio:.2} | {:.2} | {target:.0}: {mark} | {} |",
            line["cone"],
            line["start"],
            counts("ours_instructions"),
            counts("mujoco_instructions"),
            best / ours,
            line["difference"]
        )?;
    }
    writeln!(text, "\n{met} of {all} targets met.\n\n## Stages, f64\n\nMuJoCo's time over ours, elliptic scenes.\n")?;
    let stages = read(&folder.join("stages.csv"))?;
    let names = [
        "kinematics",
        "velocities",
        "mass_matrix_factored",
        "mass_matrix_theirs_not_factored",
        "bias_force",
        "collision",
        "rows",
        "solve",
    ];
    writeln!(text, "| scene | {} |\n|{}", names.join(" | ").replace('_', " "), "---|".repeat(names.len() + 1))?;
    let mut scenes: Vec<&String> =
        stages.iter().filter(|line| is(line, "cone", "elliptic")).map(|line| &line["scene"]).collect();
    scenes.dedup();
    for scene in scenes {
        write!(text, "| {scene} |")?;
        for name in names {
            let line = stages
                .iter()
                .find(|line| is(line, "scene", scene) && is(line, "cone", "elliptic") && is(line, "stage", name));
            let cell = line.and_then(|line| Some((number(line, "ours_f64_ns")?, number(line, "ratio")?)));
            match cell {
                Some((ours, ratio)) => write!(text, " {ours:.0}: {ratio:.2} |")?,
                None => write!(text, " |")?,
            }
        }
        writeln!(text)?;
    }
    writeln!(
        text,
        "\n## The constraint problem alone, f64\n\nns; Newton, the active set and the sweeps from M, J, R, b; the dual active set, DAQP and Clarabel from A and b. In brackets the error of the forces.\n\n\
         | scene | rows × dofs | start | Newton | active set | sweeps | sweeps with A | dual active set | DAQP | Clarabel | DAQP over dual active set |\n|---|---|---|---|---|---|---|---|---|---|---|"
    )?;
    for line in read(&folder.join("qp.csv"))? {
        let cell = |time: &str, error: &str| match line.get(time).filter(|x| !x.is_empty()) {
            Some(time) => format!("{time} ({})", line[error]),
            None => String::new(),
        };
        let ratio = number(&line, "daqp_ns")
            .zip(number(&line, "dual_active_set_ns"))
            .map_or(f64::NAN, |(theirs, ours)| theirs / ours);
        writeln!(
            text,
            "| {} | {} × {} | {} | {} | {} | {} | {} | {} | {} | {} | {ratio:.2} |",
            line["scene"],
            line["rows"],
            line["dofs"],
            line["start"],
            cell("newton_ns", "newton_error"),
            cell("active_set_ns", "active_set_error"),
            cell("sweeps_ns", "sweeps_error"),
            cell("sweeps_with_a_ns", "sweeps_with_a_error"),
            cell("dual_active_set_ns", "dual_active_set_error"),
            cell("daqp_ns", "daqp_error"),
            cell("clarabel_ns", "clarabel_error")
        )?;
    }
    std::fs::write(folder.join("summary.md"), text)?;
    println!("{met} of {all} targets of a step met");
    Ok(())
}
