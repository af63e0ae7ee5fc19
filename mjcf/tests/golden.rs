//! Small models of one feature each, beside the numbers of MuJoCo's compiler (`make_golden.py`).

#[path = "common/compare.rs"]
mod compare;

use std::path::Path;

use serde_json::Value;

fn json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap()
}

fn check(model: &Path, golden: &Path) {
    let mechanism = delassus_mjcf::read_file(model).unwrap_or_else(|e| panic!("{e}"));
    let golden = json(golden);
    let comparison = compare::compare(&mechanism, &golden);
    assert!(comparison.compared > 10, "nothing compared in {}", model.display());
    assert!(comparison.faults.is_empty(), "{}:\n{}", model.display(), comparison.faults.join("\n"));
}

fn golden(name: &str) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    check(&here.join(format!("models/{name}.xml")), &here.join(format!("golden/{name}.json")));
}

macro_rules! models {
    ($($name:ident $rule:literal),* $(,)?) => {
        $(#[doc = $rule] #[test] fn $name() { golden(stringify!($name)); })*

        /// No model without its test.
        #[test]
        fn every_model_is_compared() {
            let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
            let names = [$(stringify!($name)),*];
            for entry in std::fs::read_dir(here).unwrap() {
                let path = entry.unwrap().path();
                if path.extension().is_some_and(|e| e == "xml") {
                    let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
                    assert!(names.contains(&stem.as_str()), "{stem}.xml has no test");
                }
            }
        }
    };
}

models! {
    defaults "X-83: nested classes, childclass of bodies and frames, short lists",
    orientation "X-76, X-77: quat, axisangle, euler in degrees, xyaxes, zaxis, fromto",
    euler_fixed "X-77: euler about fixed axes in radians",
    inertia "X-70 … X-73, X-75: inertia from geoms, fullinertia, bodies without mass",
    inertia_from_geoms "X-71, X-74: inertiafromgeom true, settotalmass",
    inertia_bounds "X-74: boundmass, boundinertia, balanceinertia",
    frames "X-83: frames compose into everything, order of ids",
    joints "X-77 … X-79, X-82, X-85: kinds, references, limits, polynomials",
    limits_by_attribute "X-78: autolimits off",
    from_urdf "X-79: what MuJoCo saves of a robot in URDF, by the line in the README",
    geoms "X-31, X-80: parameters, pairs, excludes, shapes that touch nothing",
    equalities "X-52, X-80: connect, weld, joint; bodies and sites",
    keyframes "X-82: keys, nkey, quaternions normalised",
    options "X-81: options, flags, skipped sections",
    options_more_flags "X-81: the remaining flags",
    includes "include inside sections, inside bodies, inside each other",
    springdamper "X-20, X-21, X-85: stiffness and damping from a time constant",
    tendon_limits "X-25, X-78: paths, ranges, softness of limits",
    tendon_friction "X-25: friction loss and its softness",
    tendon_springs "X-82, X-85: spring lengths, polynomials",
    tendon_armature "X-26: armature",
    tendon_equalities "X-23: couplings of tendons",
    actuator_kinds "X-27, X-84: motor, position, velocity, damper, general",
    actuator_ranges "X-78: ranges of forces, of joints and of tendons",
    actuator_gears "X-84: gears on ball and free joints, compensation by actuators",
    actuator_implicit "X-85: damping and armature of actuators",
    actuator_implicitfast "X-85: the same",
    actuator_rk4 "X-85: the same",
    actuator_euler "X-85: the same",
    actuator_defaults "X-83, X-84: classes, inherited ranges, damping ratios, controls of keys",
}

/// Everything in the folder that `DELASSUS_SHARED` names: cases and robots with their `compiled.json`.
#[test]
#[ignore = "needs models that are not part of this repository: DELASSUS_SHARED names their folder"]
fn shared_models() {
    let shared = std::env::var_os("DELASSUS_SHARED").expect("DELASSUS_SHARED");
    let mut compared = 0;
    for part in ["cases", "robots"] {
        let folder = Path::new(&shared).join(part);
        for entry in std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let case = entry.unwrap().path();
            if !case.is_dir() {
                continue;
            }
            for file in std::fs::read_dir(&case).unwrap() {
                let path = file.unwrap().path();
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                let Some(variant) = name.strip_prefix("model").and_then(|n| n.strip_suffix(".xml")) else { continue };
                check(&path, &case.join(format!("compiled{variant}.json")));
                compared += 1;
            }
        }
    }
    assert!(compared > 20, "only {compared} models");
}
