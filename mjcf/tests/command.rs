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
