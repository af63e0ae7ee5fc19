//! Broken and hostile files end in an error: no panic, no hang, no exhausted memory or stack.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use delassus_mjcf::{ErrorKind, limits, read_file, read_text};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn kind(text: &str) -> ErrorKind {
    let start = Instant::now();
    let error = read_text(text).expect_err("refused");
    assert!(start.elapsed() < Duration::from_secs(20), "took {:?}", start.elapsed());
    assert!(error.to_string().len() < 2_000, "a message is no dump: {error}");
    error.kind()
}

fn nested(open: &str, close: &str, n: usize) -> String {
    format!("<mujoco><worldbody>{}{}</worldbody></mujoco>", open.repeat(n), close.repeat(n))
}

#[test]
fn broken_text() {
    for text in [
        "",
        " ",
        "<",
        "<mujoco>",
        "<mujoco></worldbody>",
        "mujoco",
        "<mujoco/><mujoco/>",
        "\0",
        "<mujoco a='1' a='2'/>",
    ] {
        assert_eq!(kind(text), ErrorKind::Syntax, "{text:?}");
    }
}

#[test]
fn entities_do_not_unfold() {
    let mut text = String::from("<!DOCTYPE m [<!ENTITY a \"aaaaaaaaaa\">");
    for (new, old) in ["b", "c", "d", "e", "f", "g", "h", "i"].iter().zip(["a", "b", "c", "d", "e", "f", "g", "h"]) {
        text.push_str(&format!("<!ENTITY {new} \"{}\">", format!("&{old};").repeat(10)));
    }
    text.push_str("]><mujoco model=\"&i;\"/>");
    assert_eq!(kind(&text), ErrorKind::Syntax);
}

#[test]
fn deep_trees() {
    assert_eq!(kind(&nested("<body>", "</body>", limits::DEPTH + 10)), ErrorKind::Limit);
    assert_eq!(kind(&nested("<body>", "</body>", 90_000)), ErrorKind::Limit);
    assert_eq!(kind(&nested("<frame>", "</frame>", limits::DEPTH + 10)), ErrorKind::Limit);
    let classes = limits::DEPTH + 10;
    let open: String = (0..classes).map(|k| format!("<default class=\"c{k}\">")).collect();
    let text = format!("<mujoco><default>{open}{}</default></mujoco>", "</default>".repeat(classes));
    assert_eq!(kind(&text), ErrorKind::Limit);
}

/// As deep as allowed, on a thread with the stack of a test.
#[test]
fn the_deepest_tree_that_is_allowed_is_read() {
    let n = limits::DEPTH - 2;
    let mechanism = read_text(&nested("<body><frame>", "</frame></body>", n / 2)).unwrap();
    assert_eq!(mechanism.lists.bodies.len(), n / 2);
}

#[test]
fn many_elements() {
    assert_eq!(kind(&nested("<body/>", "", limits::ELEMENTS + 10)), ErrorKind::Limit);
    assert_eq!(kind(&nested("<geom size='1'/>", "", limits::ITEMS + 10)), ErrorKind::Limit);
    assert_eq!(kind(&" ".repeat(limits::BYTES as usize + 1)), ErrorKind::Limit);
    let classes: String = (0..limits::CLASSES + 10).map(|k| format!("<default class=\"c{k}\"/>")).collect();
    assert_eq!(kind(&format!("<mujoco><default>{classes}</default></mujoco>")), ErrorKind::Limit);
    let attributes: String = (0..500_000).map(|k| format!(" a{k}=''")).collect();
    assert_eq!(kind(&format!("<mujoco{attributes}/>")), ErrorKind::Limit);
    assert_eq!(kind("<mujoco><size nkey='2000000000'/></mujoco>"), ErrorKind::Limit);
}

#[test]
fn long_names_are_cut_in_messages() {
    let name = "x".repeat(1_000_000);
    assert_eq!(
        kind(&format!("<mujoco><worldbody><geom name='{name}' size='-1'/></worldbody></mujoco>")),
        ErrorKind::Invalid
    );
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).unwrap();
        for (file, text) in files {
            fs::write(path.join(file), text).unwrap();
        }
        Self(path)
    }

    fn error(&self) -> String {
        read_file(self.0.join("model.xml")).unwrap_err().to_string()
    }
}

#[test]
fn includes_in_circles() {
    let itself = Folder::new("itself", &[("model.xml", "<mujoco><include file='model.xml'/></mujoco>")]);
    assert!(itself.error().contains("included twice"), "{}", itself.error());
    let circle = Folder::new(
        "circle",
        &[
            ("model.xml", "<mujoco><include file='a.xml'/></mujoco>"),
            ("a.xml", "<mujoco><include file='./b.xml'/></mujoco>"),
            ("b.xml", "<mujoco><include file='../circle/a.xml'/></mujoco>"),
        ],
    );
    assert!(circle.error().contains("included twice"), "{}", circle.error());
    assert!(circle.error().contains("b.xml:1"), "{}", circle.error());
}

#[test]
fn files_that_are_none() {
    let missing = Folder::new("missing", &[("model.xml", "<mujoco><include file='nothing.xml'/></mujoco>")]);
    assert!(missing.error().contains("not found"));
    let folder = Folder::new("folder", &[]);
    assert!(read_file(&folder.0).unwrap_err().to_string().contains("not a regular file"));
    assert_eq!(read_file(folder.0.join("nothing.xml")).unwrap_err().kind(), ErrorKind::File);
    let path = folder.0.join("latin.xml");
    fs::write(&path, b"<mujoco model='\xe4'/>").unwrap();
    assert_eq!(read_file(&path).unwrap_err().kind(), ErrorKind::Syntax);
}

/// A valid model to damage: everything in it once.
fn whole() -> String {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    let mut text = String::new();
    for name in ["defaults", "joints", "inertia", "equalities", "frames", "options", "geoms", "keyframes"] {
        text.push_str(&fs::read_to_string(here.join(format!("{name}.xml"))).unwrap());
        text.push('\u{1}');
    }
    text
}

/// Every subcommand ends with the same refusal: status 2, no dump, no hang.
#[test]
fn every_subcommand_refuses_what_is_broken() {
    let deep = nested("<body>", "</body>", 90_000);
    let many = nested("<geom size='1'/>", "", limits::ITEMS + 10);
    let texts = [
        "",
        "<mujoco",
        "\0",
        "<mujoco><include file='model.xml'/></mujoco>",
        "<mujoco><worldbody><geom size='nan'/></worldbody></mujoco>",
        "<mujoco><option timestep='0'/></mujoco>",
        "<mujoco><worldbody><body><joint/></body></worldbody></mujoco>",
        &deep,
        &many,
    ];
    for (index, text) in texts.into_iter().enumerate() {
        let folder = Folder::new(&format!("broken-{index}"), &[("model.xml", text)]);
        let model = folder.0.join("model.xml");
        let model = model.to_str().unwrap();
        let commands: [&[&str]; 6] = [
            &["forward", model],
            &["simulate", model, "--steps", "3"],
            &["simulate", model, "--steps", "3", "--precision", "f32"],
            &["compare", model, "--seconds", "0.01"],
            &["inspect", model],
            &["inspect", model, "--json"],
        ];
        for arguments in commands {
            let start = Instant::now();
            let output = std::process::Command::new(env!("CARGO_BIN_EXE_delassus")).args(arguments).output().unwrap();
            assert!(start.elapsed() < Duration::from_secs(20), "{arguments:?} took {:?}", start.elapsed());
            assert_eq!(output.status.code(), Some(2), "{arguments:?} of text {index}");
            assert!(output.stdout.len() + output.stderr.len() < 4_000, "a refusal is no dump");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

    /// Pieces of models cut out, doubled, swapped, or numbers replaced: an answer or an error, never a panic.
    #[test]
    fn damaged_models_never_panic(which in 0usize..8, cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0u8..5), 1..4)) {
        let all = whole();
        let mut text: Vec<char> = all.split('\u{1}').nth(which).unwrap().chars().collect();
        for (a, b, how) in cuts {
            let (a, b) = (a.index(text.len()), b.index(text.len()));
            let (a, b) = (a.min(b), a.max(b).min(a.min(b) + 200));
            match how {
                0 => { text.drain(a..b); }
                1 => { let piece = text[a..b].to_vec(); text.splice(b..b, piece); }
                2 => text[a] = '0',
                3 => { for c in &mut text[a..b] { if c.is_ascii_digit() { *c = '9'; } } }
                _ => { if let Some(k) = text[a..].iter().position(|c| c.is_ascii_digit()) { text.splice(a + k..a + k, "-1e300 ".chars()); } }
            }
            if text.is_empty() { break; }
        }
        let text: String = text.into_iter().collect();
        if let Ok(mechanism) = read_text(&text) {
            prop_assert!(mechanism.lists.to_single().dofs() == mechanism.lists.dofs());
        }
    }

    /// A number of an attribute replaced by anything: whatever is accepted is finite.
    #[test]
    fn accepted_numbers_are_finite(x in any::<f64>(), which in 0usize..200) {
        let all = whole();
        let model = all.split('\u{1}').nth(which % 8).unwrap();
        let mut parts: Vec<String> = model.split('"').map(str::to_owned).collect();
        let is_number = |word: &str| word.parse::<f64>().is_ok();
        let values: Vec<usize> = (1..parts.len()).step_by(2).filter(|k| parts[*k].split(' ').any(is_number)).collect();
        prop_assume!(!values.is_empty());
        let value = &mut parts[values[which % values.len()]];
        let mut words: Vec<String> = value.split(' ').map(str::to_owned).collect();
        let place = which % words.len();
        if is_number(&words[place]) {
            words[place] = format!("{x:e}");
        }
        *value = words.join(" ");
        if let Ok(mechanism) = read_text(&parts.join("\"")) {
            for body in &mechanism.lists.bodies {
                let numbers = body.position.iter().chain(&body.orientation).chain(&body.center).chain(&body.inertia);
                prop_assert!(numbers.chain(&body.inertia_orientation).all(|x| x.is_finite()) && body.mass.is_finite(), "{body:?}");
            }
        }
    }
}
