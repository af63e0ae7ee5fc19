//! The whole way, file to motion, beside MuJoCo's own motion of the small models (`make_golden.py`).

use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn run(arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_delassus")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// Largest difference against the largest number, at least 1.
fn difference(found: &[f64], wanted: &[f64]) -> f64 {
    assert_eq!(found.len(), wanted.len());
    let scale = wanted.iter().fold(1.0f64, |s, x| s.max(x.abs()));
    found.iter().zip(wanted).fold(0.0f64, |e, (a, b)| e.max((a - b).abs())) / scale
}

/// Accelerations to 1e-7, for both solvers stop at 1e-12 of the objective and not of the acceleration; forces to the same and what
/// MuJoCo's own forces miss of M a + c = τ + Jᵀ f (much where rows have R = 1e-15, X-55); states as well as the motion
/// lets them: a slip of the start grows by the recorded factor, and each step adds rounding.
fn check(name: &str) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let text = std::fs::read_to_string(here.join(format!("motion/{name}.json"))).unwrap();
    let golden: Value = serde_json::from_str(&text).unwrap();
    let model = here.join(format!("models/{name}.xml"));
    let model = model.to_str().unwrap();
    let state = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("motion-{name}.json"));
    std::fs::write(&state, golden["state"].to_string()).unwrap();
    let state = state.to_str().unwrap();

    let forward = run(&["forward", model, "--state", state]);
    assert_eq!(forward["rows"].as_array().unwrap().len() as u64, golden["rows"].as_u64().unwrap(), "rows");
    let error = difference(&numbers(&forward["acceleration"]), &numbers(&golden["acceleration"]));
    assert!(error < 1e-7, "acceleration off by {error:e}");
    let force = numbers(&golden["constraint_force"]);
    let scale = force.iter().fold(1.0f64, |s, x| s.max(x.abs()));
    let allowed = 1e-7 + golden["residual"].as_f64().unwrap() / scale;
    let error = difference(&numbers(&forward["constraint_force"]), &force);
    assert!(error < allowed, "constraint force off by {error:e}, allowed {allowed:e}");
    let steps: Vec<String> = golden["steps"].as_array().unwrap().iter().map(Value::to_string).collect();
    let run = run(&["simulate", model, "--state", state, "--checkpoints", &steps.join(",")]);
    for (k, step) in steps.iter().enumerate() {
        let point = &run["checkpoints"][k];
        let found: Vec<f64> = [numbers(&point["qpos"]), numbers(&point["qvel"])].concat();
        let error = difference(&found, &numbers(&golden["states"][k]));
        let allowed = 1e-8 + 1e-10 * golden["growth"][k].as_f64().unwrap();
        assert!(error < allowed, "step {step} off by {error:e}, allowed {allowed:e}");
    }
}

macro_rules! models {
    ($($name:ident)*) => {
        $(#[test] fn $name() { check(stringify!($name)); })*

        /// No recorded motion without its test.
        #[test]
        fn every_motion_is_compared() {
            let names = [$(stringify!($name)),*];
            for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/motion")).unwrap() {
                let name = entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned();
                assert!(names.contains(&name.as_str()), "{name} has no test");
            }
        }
    };
}

models! {
    defaults equalities euler_fixed frames from_urdf geoms includes inertia inertia_bounds inertia_from_geoms joints keyframes
    limits_by_attribute orientation springdamper
    tendon_limits tendon_friction tendon_springs tendon_armature tendon_equalities
    actuator_kinds actuator_ranges actuator_gears actuator_defaults
    actuator_implicit actuator_implicitfast actuator_rk4 actuator_euler
}
