//! `compare`: is the verdict right where it is known?

use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn path(name: &str) -> String {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let model = match name {
        "quadruped" => here.join("../examples/models/quadruped.xml"),
        _ => here.join(format!("tests/models/compare/{name}.xml")),
    };
    model.to_str().unwrap().to_owned()
}

fn run(name: &str, more: &[&str]) -> Vec<u8> {
    let output =
        Command::new(env!("CARGO_BIN_EXE_delassus")).args(["compare", &path(name)]).args(more).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn compare(name: &str, more: &[&str]) -> Value {
    let arguments: Vec<&str> = more.iter().copied().chain(["--json"]).collect();
    serde_json::from_slice(&run(name, &arguments)).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Standing forgets errors: springs, dampers and soft contacts pull every start to the same pose.
#[test]
fn a_quadruped_that_stands_is_as_good_in_single_precision() {
    let a = compare("quadruped", &["--key", "stand", "--seconds", "1"]);
    assert_eq!(a["verdict"], "as_good", "{}", a["line"]);
    assert!(a["parts"].is_null() && a["failure"].is_null());
    assert!(number(&a["difference"]) < 1e-3);
    // Two rows of the free joint, one a hinge; four feet, which carry 12 kg.
    assert_eq!(a["joints"].as_array().unwrap().len(), 10);
    let feet = a["forces"].as_array().unwrap();
    assert_eq!(feet.len(), 4);
    assert!(feet.iter().all(|foot| number(&foot["scale"]) > 20.0 && number(&foot["difference"]) < 0.1));
}

/// The textbook's chaotic motion. Its Lyapunov exponent at high energy is some per second: an ulp, 6e-8, needs ten times e to be
/// seen.
#[test]
fn a_double_pendulum_let_go_far_up_is_chaotic() {
    let a = compare("double_pendulum", &["--key", "up", "--seconds", "12"]);
    assert_eq!(a["verdict"], "chaotic", "{}", a["line"]);
    let (f32s, ulp) = (number(&a["parts"]["time"]), number(&a["sensitivity"]["parts"]));
    assert!(f32s > 2.0 && ulp > 2.0 && f32s / ulp < 2.0 && ulp / f32s < 2.0, "{f32s} and {ulp}");
    assert!(number(&a["sensitivity"]["growth"]) > 1e3);
}

/// The same pendulum hardly swinging is linear: errors stay what they are.
#[test]
fn a_double_pendulum_that_hardly_swings_is_not() {
    let a = compare("double_pendulum", &["--key", "small", "--seconds", "12"]);
    assert_eq!(a["verdict"], "as_good", "{}", a["line"]);
    assert!(number(&a["sensitivity"]["growth"]) < 10.0);
}

/// Soft contacts in a stack of mass ratio 1e4, either way round: an f32 has seven digits, of which the ratio takes four.
#[test]
fn a_stack_of_mass_ratio_ten_thousand_is_as_good_in_single_precision() {
    for name in ["stack_light_below", "stack_light_on_top"] {
        let a = compare(name, &["--seconds", "3"]);
        assert_eq!(a["verdict"], "as_good", "{}", a["line"]);
        // It ends at rest, with a difference that four digits of f32 explain.
        assert!(number(&a["difference"]) < 1e-3, "{}", a["line"]);
    }
}

/// 1 m/s at steps of 1 ms is a quarter of an ulp there: in f32 the ball's place does not change at all, while it turns.
#[test]
fn a_ball_far_from_the_origin_loses_precision() {
    let a = compare("far_away", &["--key", "rolls", "--seconds", "1"]);
    assert_eq!(a["verdict"], "precision", "{}", a["line"]);
    let joint = &a["joints"][0];
    assert_eq!(a["parts"]["name"], joint["name"]);
    assert!((number(&joint["difference"]) - 1.0).abs() < 0.01, "{joint}");
    assert!(number(&a["joints"][1]["difference"]) < 1e-4);
}

/// In both precisions the ball hangs where it touches for the first step; an ulp aside it is caught at once or falls.
#[test]
fn a_start_on_an_edge_is_called_sensitive() {
    let a = compare("drop", &["--seconds", "1"]);
    assert_eq!(a["verdict"], "as_good", "{}", a["line"]);
    assert!(a["line"].as_str().unwrap().contains("yet the motion is sensitive"), "{}", a["line"]);
}

/// The first line for people is the verdict of the JSON; the picture is one.
#[test]
fn text_and_picture() {
    let picture = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compare.svg");
    let more = ["--key", "up", "--seconds", "0.5", "--plot", picture.to_str().unwrap()];
    let text = String::from_utf8(run("double_pendulum", &more)).unwrap();
    assert_eq!(text.lines().next(), compare("double_pendulum", &more)["line"].as_str());
    assert!(text.lines().any(|line| line.starts_with("elbow ")));
    let svg = std::fs::read_to_string(&picture).unwrap();
    for word in ["f64, one f32 ulp aside", "time, s", "difference / scale", "The joint that differs most"] {
        assert!(svg.contains(word), "no \"{word}\" in the picture");
    }
    assert!(!svg.contains("NaN") && svg.trim_end().ends_with("</svg>"));
}
