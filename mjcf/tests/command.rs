//! The command as a user calls it: exit status, one line of error, and numbers that are known.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

/// 1 kg at 0.5 m below a hinge, no inertia worth the name but 0.01 kg m²: M = 0.26 kg m².
const PENDULUM: &str = r#"<mujoco>
  <compiler angle="radian"/>
  <worldbody>
    <body name="bob"><joint name="swing" axis="0 1 0" range="-1 1"/><inertial pos="0 0 -0.5" mass="1" diaginertia="0.01 0.01 0.01"/></body>
  </worldbody>
  <keyframe><key name="out" qpos="0.5" qvel="0.25"/></keyframe>
</mujoco>"#;

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("command").join(name);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_string_lossy().into_owned()
}

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_delassus")).args(arguments).output().unwrap()
}

fn answer(arguments: &[&str]) -> Value {
    let output = run(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn fails(status: i32, word: &str, arguments: &[&str]) {
    let output = run(arguments);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{message}");
    assert_eq!(message.trim_end().lines().count(), 1, "{message}");
    assert!(message.contains(word), "expected \"{word}\" in {message}");
    assert!(output.stdout.is_empty());
}

fn near(value: &Value, wanted: f64, tolerance: f64) {
    let found = value.as_f64().unwrap();
    assert!((found - wanted).abs() <= tolerance * wanted.abs().max(1.0), "{found}, expected {wanted}");
}

/// M a + c = 0 with M = I + m r² and c = m g r sin q.
#[test]
fn forward_is_the_pendulum() {
    let model = write(&folder("forward"), "model.xml", PENDULUM);
    for (precision, tolerance) in [("f64", 1e-14), ("f32", 1e-6)] {
        let a = answer(&["forward", &model, "--key", "out", "--precision", precision]);
        near(&a["mass_matrix"][0][0], 0.26, tolerance);
        near(&a["bias_force"][0], 9.81 * 0.5 * 0.5f64.sin(), tolerance);
        near(&a["free_acceleration"][0], -9.81 * 0.5 * 0.5f64.sin() / 0.26, tolerance);
        assert_eq!(a["acceleration"], a["free_acceleration"]);
        assert_eq!(a["rows"], json!([]));
        assert_eq!(a["report"]["converged"], json!(true));
    }
}

/// A limit's row by its definitions (S11-02, S12-03): residual range − q, J = −1, a_ref = −B v − K d r, and M a = τ + Jᵀ f.
#[test]
fn forward_shows_the_row_of_a_limit() {
    let folder = folder("limit");
    let model = write(&folder, "model.xml", PENDULUM);
    let state = write(&folder, "state.json", r#"{"qpos": [1.01], "qvel": [0.5], "qfrc_applied": [2]}"#);
    let a = answer(&["forward", &model, "--state", &state, "--key", "out"]);
    let row = &a["rows"][0];
    let number = |key: &str| row[key].as_f64().unwrap();
    assert_eq!(row["kind"], json!("joint_limit"));
    assert_eq!(row["jacobian"], json!([-1.0]));
    near(&row["position"], -0.01, 1e-12);
    near(&row["velocity"], -0.5, 1e-12);
    near(&row["margin"], 0.0, 0.0);
    let reference =
        -number("damping") * number("velocity") - number("stiffness") * number("impedance") * number("position");
    near(&row["reference_acceleration"], reference, 1e-12);
    let motion = 0.26 * a["acceleration"][0].as_f64().unwrap() + a["bias_force"][0].as_f64().unwrap();
    near(&a["constraint_force"][0], motion - 2.0, 1e-9);
    near(&row["force"], -(motion - 2.0), 1e-9);
}

#[test]
fn simulate_prints_checkpoints() {
    let model = write(&folder("simulate"), "model.xml", PENDULUM);
    let list = answer(&["simulate", &model, "--key", "out", "--checkpoints", "0,1,50"]);
    let list = list["checkpoints"].as_array().unwrap();
    assert_eq!(list.iter().map(|c| c["step"].as_u64().unwrap()).collect::<Vec<_>>(), [0, 1, 50]);
    assert_eq!(list[0]["qpos"], json!([0.5]));
    // One step of semi-implicit Euler (X-40).
    let velocity = 0.25 - 0.002 * 9.81 * 0.5 * 0.5f64.sin() / 0.26;
    near(&list[1]["qvel"][0], velocity, 1e-14);
    near(&list[1]["qpos"][0], 0.5 + 0.002 * velocity, 1e-14);
    let last = answer(&["simulate", &model, "--key", "out", "--steps", "50"]);
    assert_eq!(last["checkpoints"][0], list[2]);
    assert_eq!(answer(&["simulate", &model, "--key", "out", "--seconds", "0.1"]), last);
}

#[test]
fn refusals_exit_with_2() {
    let folder = folder("refusals");
    let model = write(&folder, "model.xml", PENDULUM);
    fails(2, "No such file", &["forward", "nothing.xml"]);
    fails(2, "no keyframe \"home\"; the model has: out", &["forward", &model, "--key", "home"]);
    let broken = write(
        &folder,
        "broken.xml",
        "<mujoco>\n<worldbody>\n<geom type='cylinder' size='1 1'/><body><freejoint/><geom size='1'/></body></worldbody></mujoco>",
    );
    fails(2, "broken.xml:3: <geom>: a cylinder that can touch", &["forward", &broken]);
    for (text, word) in [
        (r#"{"qpos": [1, 2]}"#, "qpos has 2 entries, the model needs 1"),
        (r#"{"qpos": ["x"]}"#, "invalid type"),
        (r#"{"qpo": [1]}"#, "unknown field"),
        (r#"{"ctrl": [1]}"#, "ctrl has 1 entries, the model needs 0"),
        (r#"{"equality_active": [true]}"#, "needs 0"),
        (r#"{"qpos": [1e11]}"#, "not usable"),
        ("{", "EOF"),
    ] {
        let state = write(&folder, "state.json", text);
        fails(2, word, &["forward", &model, "--state", &state]);
    }
    fails(2, "rising", &["simulate", &model, "--checkpoints", "3,2"]);
    fails(2, "--seconds", &["simulate", &model, "--seconds=-1"]);
    let many: String = (0..65).map(|k| format!("<body pos='{k} 0 0'><joint/><geom size='0.1'/></body>")).collect();
    let many = write(&folder, "many.xml", &format!("<mujoco><worldbody>{many}</worldbody></mujoco>"));
    fails(2, "65 degrees of freedom", &["forward", &many]);
    let negative = write(&folder, "negative.xml", &PENDULUM.replace("axis=", "damping='-1' axis="));
    fails(2, "joint 0: damping, armature or friction loss is negative (\"swing\")", &["forward", &negative]);
    // The library's answer to a bad command line.
    assert_eq!(run(&["simulate", &model]).status.code(), Some(2));
    assert_eq!(run(&["forward", &model, "--precision", "f16"]).status.code(), Some(2));
}

#[test]
fn a_tick_that_fails_exits_with_3() {
    let folder = folder("tick");
    let model = write(&folder, "model.xml", PENDULUM);
    // A force whose acceleration is beyond the precision, though the number itself is not.
    let state = write(&folder, "state.json", r#"{"qfrc_applied": [1e308]}"#);
    fails(3, "", &["simulate", &model, "--state", &state, "--steps", "1"]);
}

/// The same bits whatever the size class: bodies that neither move nor weigh push the same mechanism into a larger one.
#[test]
fn size_classes_agree_bit_for_bit() {
    let folder = folder("classes");
    let links: String = (0..8)
        .map(|k| {
            format!("<body pos='{k} 0 0'><joint axis='0 1 0' range='-5 5' damping='0.{k}' frictionloss='0.0{k}'/><geom size='0.1' pos='0.{k} 0 0.1' contype='0' conaffinity='0'/></body>")
        })
        .collect();
    let ball = "<body pos='0 0 0.09'><freejoint/><geom size='0.1'/></body><geom type='plane' size='1 1 1'/>";
    for content in [links.as_str(), ball] {
        for solver in ["Newton", "CG", "PGS"] {
            let run = |still: usize, precision: &str| {
                let text = format!(
                    "<mujoco><option solver='{solver}' noslip_iterations='2'/><worldbody>{content}{}</worldbody></mujoco>",
                    "<body/>".repeat(still)
                );
                let model = write(&folder, "model.xml", &text);
                let mut a = answer(&["simulate", &model, "--precision", precision, "--checkpoints", "1,100"]);
                a["forward"] = answer(&["forward", &model, "--precision", precision]);
                assert!(!a["forward"]["rows"].as_array().unwrap().is_empty());
                a
            };
            for precision in ["f32", "f64"] {
                let small = run(0, precision);
                assert_eq!(small, run(40, precision), "{solver} {precision}");
                assert_eq!(small, run(120, precision), "{solver} {precision}");
            }
        }
    }
}

/// A line of a table, as numbers.
fn row(line: &str) -> Vec<f64> {
    line.split(',').map(|field| field.parse().unwrap()).collect()
}

/// The pendulum's table: names with units, states of the checkpoints, energies of ½ M v² and −m g z; nothing touches.
#[test]
fn a_table_has_states_and_energies() {
    let folder = folder("table");
    let model = write(&folder, "model.xml", &PENDULUM.replace("name=\"swing\"", "name='a \"b\", c' stiffness='2'"));
    let table = folder.join("table.csv");
    let more = ["--key", "out", "--csv", table.to_str().unwrap(), "--checkpoints", "0,7,50"];
    let points = answer(&[&["simulate", &model], &more[..]].concat());
    let text = std::fs::read_to_string(&table).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let header = r#"time [s],"q a ""b"", c [rad]","v a ""b"", c [rad/s]",kinetic energy [J],gravity energy [J],spring energy [J]"#;
    assert_eq!(lines[0], header);
    assert_eq!(lines.len(), 1 + 51);
    for point in points["checkpoints"].as_array().unwrap() {
        let step = point["step"].as_u64().unwrap() as usize;
        let found = row(lines[1 + step]);
        assert!((found[0] - step as f64 * 0.002).abs() < 1e-12);
        // The same digits, there and back.
        assert_eq!([found[1], found[2]], [point["qpos"][0].as_f64().unwrap(), point["qvel"][0].as_f64().unwrap()]);
        let wanted = [0.13 * found[2] * found[2], -9.81 * 0.5 * found[1].cos(), found[1] * found[1]];
        for (energy, wanted) in found[3..].iter().zip(wanted) {
            assert!((energy - wanted).abs() < 1e-12, "{energy}, expected {wanted}");
        }
    }
    let every = [&["simulate", &model, "--every", "25"], &more[..]].concat();
    answer(&every);
    let thinned = std::fs::read_to_string(&table).unwrap();
    assert_eq!(thinned.lines().collect::<Vec<_>>(), [lines[0], lines[1], lines[26], lines[51]]);
}

/// A tendon around a slide of 2 kg: armature 1 kg makes ½ · 3 kg v², and its spring of 40 N/m outside the band [0, 0.1] m stores
/// ½ k x².
#[test]
fn a_table_counts_the_energy_of_tendons() {
    let folder = folder("tendon");
    let text = r#"<mujoco>
      <option gravity="0 0 0"/>
      <worldbody><body><joint name="s" type="slide"/><geom size="0.1" mass="2"/></body></worldbody>
      <tendon><fixed stiffness="40" springlength="0 0.1" armature="1"><joint joint="s" coef="1"/></fixed></tendon>
      <keyframe><key name="k" qpos="0.3" qvel="0.5"/></keyframe>
    </mujoco>"#;
    let model = write(&folder, "model.xml", text);
    let table = folder.join("table.csv");
    answer(&["simulate", &model, "--key", "k", "--steps", "0", "--csv", table.to_str().unwrap()]);
    let text = std::fs::read_to_string(&table).unwrap();
    let found = row(text.lines().nth(1).unwrap());
    for (energy, wanted) in found[3..].iter().zip([0.5 * 3.0 * 0.25, 0.0, 20.0 * 0.04]) {
        assert!((energy - wanted).abs() < 1e-12, "{energy}, expected {wanted}");
    }
}

/// A puck that falls and is pushed with less than μ m g: nothing while it is in the air; then m g on the normal, and friction as
/// large as the push.
#[test]
fn a_table_has_contact_forces() {
    let folder = folder("forces");
    let text = r#"<mujoco>
      <worldbody>
        <geom name="floor" type="plane" size="1 1 1"/>
        <body name="puck" pos="0 0 0.12">
          <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>
          <geom name="ball" size="0.1" mass="3"/>
        </body>
      </worldbody>
    </mujoco>"#;
    let model = write(&folder, "model.xml", text);
    let table = folder.join("table.csv");
    let state = write(&folder, "state.json", r#"{"qfrc_applied": [10, 0]}"#);
    answer(&["simulate", &model, "--state", &state, "--seconds", "2", "--csv", table.to_str().unwrap()]);
    let text = std::fs::read_to_string(&table).unwrap();
    let mut lines = text.lines();
    let header = lines.next().unwrap();
    assert!(header.ends_with("normal floor + ball [N],friction floor + ball [N]"), "{header}");
    assert!(header.starts_with("time [s],q joint0 [m],q joint1 [m],v joint0 [m/s],"), "{header}");
    let rows: Vec<Vec<f64>> = lines.map(row).collect();
    assert_eq!(rows[0][8..], [0.0, 0.0]);
    let last = &rows[rows.len() - 1];
    assert!((last[8] / (3.0 * 9.81) - 1.0).abs() < 1e-3, "{last:?}");
    assert!((last[9] / 10.0 - 1.0).abs() < 1e-2, "{last:?}");
}

#[test]
fn a_picture_is_drawn() {
    let folder = folder("picture");
    let text = PENDULUM.replace("</body>", "<geom type='capsule' size='.02' fromto='0 0 0 0 0 -.5' mass='0'/></body>");
    let model = write(&folder, "model.xml", &text);
    let picture = folder.join("motion.svg");
    answer(&["simulate", &model, "--key", "out", "--seconds", "2", "--plot", picture.to_str().unwrap()]);
    let svg = std::fs::read_to_string(&picture).unwrap();
    for word in ["From the side, to scale", "z, m", "angle, rad", "time, s", "swing", "energy, J", "kinetic"] {
        assert!(svg.contains(word), "no \"{word}\" in the picture");
    }
    assert!(!svg.contains("NaN") && svg.trim_end().ends_with("</svg>"));
    // No steps, nothing that moves: still a picture.
    let empty = write(&folder, "empty.xml", "<mujoco/>");
    answer(&["simulate", &empty, "--steps", "0", "--plot", picture.to_str().unwrap()]);
    assert!(std::fs::read_to_string(&picture).unwrap().trim_end().ends_with("</svg>"));
}

/// Before the run, and with what was found so far when it fails on the way.
#[test]
fn files_that_cannot_be_written_and_runs_that_fail() {
    let folder = folder("extras");
    let model = write(&folder, "model.xml", PENDULUM);
    let nowhere = folder.join("no/such/folder.csv");
    fails(2, "folder.csv", &["simulate", &model, "--steps", "1", "--csv", nowhere.to_str().unwrap()]);
    fails(2, "folder.csv", &["compare", &model, "--seconds", "1", "--plot", nowhere.to_str().unwrap()]);
    let table = folder.join("table.csv");
    let table = table.to_str().unwrap();
    fails(2, "--every", &["simulate", &model, "--steps", "1", "--csv", table, "--every", "0"]);
    fails(2, "record fewer", &["simulate", &model, "--steps", "1000000000", "--csv", table]);
    fails(2, "fewer --seconds", &["compare", &model, "--seconds", "1e9"]);
    fails(2, "--seconds", &["compare", &model, "--seconds=-1"]);
    // A spring that a step of 2 ms makes grow without end.
    let wild =
        write(&folder, "wild.xml", &PENDULUM.replace("axis=", "stiffness='1e8' axis=").replace("range=\"-1 1\"", ""));
    fails(3, "step ", &["simulate", &wild, "--key", "out", "--steps", "100000", "--csv", table]);
    assert!(std::fs::read_to_string(table).unwrap().lines().count() > 3);
    fails(3, "", &["compare", &wild, "--key", "out", "--seconds", "100"]);
}
