//! `inspect` as a user calls it.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_delassus")).arg("inspect").args(arguments).output().unwrap()
}

fn write(name: &str, text: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("inspect");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(name), text).unwrap();
    folder.join(name).to_str().unwrap().to_owned()
}

fn report(path: &str, status: i32) -> Value {
    let output = run(&[path, "--json"]);
    assert_eq!(output.status.code(), Some(status), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(output.stderr.is_empty());
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Two links of 1 kg at 1 m, point-like but for 0.1 kg m²: M(q) = [[3.2 + 2 cos q₂, 1.1 + cos q₂], [1.1 + cos q₂, 1.1]].
const TWO_LINKS: &str = r#"<mujoco model="two links">
  <compiler angle="radian"/>
  <visual/>
  <worldbody>
    <body name="a">
      <joint name="one" axis="0 1 0" range="-1 1"/>
      <inertial pos="0 0 -1" mass="1" diaginertia="0.1 0.1 0.1"/>
      <body name="b" pos="0 0 -1">
        <joint name="two" axis="0 1 0"/>
        <inertial pos="0 0 -1" mass="1" diaginertia="0.1 0.1 0.1"/>
      </body>
    </body>
  </worldbody>
  <keyframe><key name="bent" qpos="0 1.5707963267948966"/></keyframe>
</mujoco>"#;

fn near(value: &Value, wanted: f64) {
    let found = value.as_f64().unwrap();
    assert!((found - wanted).abs() < 1e-9 * wanted, "{found}, expected {wanted}");
}

/// Eigenvalues and pivots of a 2 × 2 matrix by their formulas.
#[test]
fn conditioning_of_two_links() {
    let a = report(&write("two.xml", TWO_LINKS), 0);
    assert_eq!(a["supported"], json!(true));
    assert_eq!(a["reason"], Value::Null);
    for (pose, name, c) in [(&a["poses"][0], "reference", 1.0), (&a["poses"][1], "bent", 0.0)] {
        assert_eq!(pose["pose"], name);
        let (p, q, r): (f64, f64, f64) = (3.2 + 2.0 * c, 1.1 + c, 1.1);
        let root = ((p - r) * (p - r) + 4.0 * q * q).sqrt();
        near(&pose["condition"], (p + r + root) / (p + r - root));
        let s = q / (p * r).sqrt();
        near(&pose["scaled_condition"], (1.0 + s) / (1.0 - s));
        near(&pose["pivot_ratio"], 1.0 - s * s);
        assert_eq!(pose["pivot_joint"], "one");
    }
    assert_eq!(a["sizes"]["dofs"], json!(2));
    assert_eq!((&a["sizes"]["contacts"], &a["sizes"]["rows"]), (&json!(0), &json!(1)));
    assert_eq!(a["mass_ratio"], json!({"ratio": 1.0, "light": "b", "heavy": "a", "link": "joint"}));
    assert!(a["notes"][0].as_str().unwrap().contains("<visual>"));
    // Half the digits, half the memory, pointers and counts apart.
    let of = |precision: &str| a["memory"][precision]["workspace"].as_f64().unwrap();
    assert!(of("f32") > 500.0 && of("f64") / of("f32") > 1.7 && of("f64") / of("f32") < 2.0);
}

#[test]
fn a_refusal_is_a_report_and_status_2() {
    let cylinder = "<mujoco>\n<worldbody>\n<geom type='cylinder' size='1 1'/><body><freejoint/><geom size='1'/></body></worldbody></mujoco>";
    let path = write("cylinder.xml", cylinder);
    let a = report(&path, 2);
    assert_eq!(a["supported"], json!(false));
    assert!(a["reason"].as_str().unwrap().contains("cylinder.xml:3: <geom>: a cylinder"), "{a}");
    assert_eq!(a["sizes"], Value::Null);
    let text = run(&[&path]);
    assert_eq!(text.status.code(), Some(2));
    assert!(String::from_utf8(text.stdout).unwrap().contains("supported    no: "));
    // What the kernel refuses has sizes all the same.
    let many: String = (0..65).map(|k| format!("<body pos='{k} 0 0'><joint/><geom size='0.1'/></body>")).collect();
    let a = report(&write("many.xml", &format!("<mujoco><worldbody>{many}</worldbody></mujoco>")), 2);
    assert!(a["reason"].as_str().unwrap().contains("65 degrees of freedom"));
    assert_eq!(a["sizes"]["dofs"], json!(65));
    assert_eq!(report("nothing.xml", 2)["supported"], json!(false));
}

/// A step of 1e-46 s is a number in f64 and zero in f32.
#[test]
fn what_only_single_precision_cannot_hold_is_named() {
    let a = report(&write("short.xml", &TWO_LINKS.replace("<visual/>", "<option timestep=\"1e-46\"/>")), 2);
    assert!(a["reason"].as_str().unwrap().starts_with("in f32: "), "{a}");
    assert_eq!(a["poses"].as_array().unwrap().len(), 2);
}

/// Two boxes are a warning, for they need not meet; a keyframe in which they do has its error.
#[test]
fn boxes_are_a_warning() {
    let boxes = "<mujoco><worldbody><body><freejoint/><geom name='a' type='box' size='1 1 1'/></body>
        <body pos='5 0 0'><freejoint/><geom name='b' type='box' size='1 1 1'/></body></worldbody>
        <keyframe><key name='met' qpos='0 0 0 1 0 0 0 1.5 0 0 1 0 0 0'/></keyframe></mujoco>";
    let a = report(&write("boxes.xml", boxes), 0);
    assert!(a["warnings"][0].as_str().unwrap().contains("a + b"));
    assert_eq!(a["poses"][0]["error"], Value::Null);
    assert!(a["poses"][1]["error"].as_str().unwrap().contains("two boxes"), "{a}");
}
