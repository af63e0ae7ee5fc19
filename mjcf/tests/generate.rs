//! Generated source: stable, laid out as rustfmt does, compiled here, and the same numbers and bits as the model read at run time.

use std::path::{Path, PathBuf};
use std::process::Command;

use delassus_mjcf::{Capacity, GenerateOptions, Mechanism, Scalar, generate, read_file, read_text, welds};

/// Compiled here: everything that a description can hold is in one of them.
macro_rules! generated {
    ($($name:ident $file:literal $model:literal;)*) => {
        $(
            mod $name {
                #![allow(dead_code)]
                include!($file);
            }
        )*
        /// Model file, committed source.
        const COMMITTED: &[(&str, &str, &str)] = &[$(($model, $file, include_str!($file)),)*];
    };
}
generated! {
    arm "../../examples/robots/arm_model.rs" "../examples/models/arm.xml";
    four_bar "../../examples/robots/four_bar_model.rs" "../examples/models/four_bar.xml";
    gripper "../../examples/robots/gripper_model.rs" "../examples/models/gripper.xml";
    quadruped "../../examples/robots/quadruped_model.rs" "../examples/models/quadruped_stand.xml";
    everything "generated/everything.rs" "tests/generated/everything.xml";
}

fn here(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(file)
}

fn read(file: &str) -> Mechanism {
    read_file(here(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// All models of the tests and examples that can be read.
fn models() -> Vec<PathBuf> {
    let mut list = Vec::new();
    for folder in ["tests/models", "tests/generated", "../examples/models"] {
        let entries = std::fs::read_dir(here(folder)).unwrap();
        list.extend(
            entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "xml")),
        );
    }
    list.sort();
    list
}

#[test]
fn committed_sources_are_what_the_generator_writes_byte_for_byte() {
    for (model, file, text) in COMMITTED {
        let new = generate(&read(model), &GenerateOptions::default());
        assert!(new == *text, "{file} is stale: delassus generate mjcf/{model} -o mjcf/tests/{file}");
        assert_eq!(new, generate(&read(model), &GenerateOptions::default()));
    }
}

/// In rustfmt's default style, whatever the numbers: all models, in both scalars.
#[test]
fn generated_sources_are_clean_for_rustfmt() {
    let folder = std::env::temp_dir().join(format!("delassus-generate-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("rustfmt.toml"), "").unwrap();
    let mut files = Vec::new();
    for (index, model) in models().iter().enumerate() {
        let Ok(mechanism) = read_file(model) else { continue };
        for scalar in [Scalar::Single, Scalar::Double] {
            let file = folder.join(format!("m{index}_{scalar:?}.rs"));
            std::fs::write(&file, generate(&mechanism, &GenerateOptions { scalar, ..Default::default() })).unwrap();
            files.push(file);
        }
    }
    assert!(files.len() > 30, "only {} files", files.len());
    let run = Command::new("rustfmt").args(["--check", "--edition", "2024"]).args(&files).output().unwrap();
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{said}{}", String::from_utf8_lossy(&run.stderr));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Every list of every compiled description is the model's, rounded once.
#[test]
fn generated_descriptions_are_the_models() {
    macro_rules! compare {
        ($($name:ident),*) => {$({
            let (model, ..) = COMMITTED.iter().find(|(_, file, _)| file.contains(stringify!($name))).unwrap();
            let lists = read(model).lists.to_single();
            let made = &$name::DESCRIPTION;
            assert_eq!(made.bodies, lists.bodies);
            assert_eq!(made.joints, lists.joints);
            assert_eq!(made.sites, lists.sites);
            assert_eq!(made.geoms, lists.geoms);
            assert_eq!(made.pairs, lists.pairs);
            assert_eq!(made.excludes, lists.excludes);
            assert_eq!(made.equalities, lists.equalities);
            assert_eq!(made.tendons, lists.tendons);
            assert_eq!(made.tendon_joints, lists.tendon_joints);
            assert_eq!(made.tendon_sites, lists.tendon_sites);
            assert_eq!(made.actuators, lists.actuators);
            assert_eq!(made.options, lists.options);
            assert_eq!(($name::NB, $name::NQ, $name::NV), (lists.bodies.len(), lists.coordinates(), lists.dofs()));
        })*};
    }
    compare!(arm, four_bar, gripper, quadruped, everything);
}

/// Five hundred steps of a compiled model and of the same model read now: the same bits, and room for all contacts and rows.
#[test]
fn generated_models_move_as_the_ones_read_at_run_time() {
    macro_rules! compare {
        ($($name:ident),*) => {$({
            let (model, ..) = COMMITTED.iter().find(|(_, file, _)| file.contains(stringify!($name))).unwrap();
            let lists = read(model).lists.to_single();
            let description = lists.description();
            let budget = delassus::solver::Budget::new(20, 1e-6);
            let mut works = [$name::Workspace::filled(0.0), $name::Workspace::filled(0.0)];
            let [one, other] = &mut works;
            let room = || Box::leak(Box::new([delassus::tendon::TendonConstants::filled(0.0); $name::NT]));
            let compiled = $name::Model::stated(&$name::DESCRIPTION, &mut one.smooth, room()).unwrap();
            type Model<'m> = delassus::model::Model<'m, f32, { $name::NB }, { $name::NQ }, { $name::NV }>;
            let read = Model::with_tendons(&description, &mut other.smooth, room()).unwrap();
            let (mut a, mut b) = (compiled.state(), read.state());
            let mut moved = false;
            for _ in 0..500 {
                let report = compiled.step(&mut a, &$name::Input::none(), &budget, one).unwrap();
                assert_eq!(report.dropped_contacts, 0);
                read.step(&mut b, &$name::Input::none(), &budget, other).unwrap();
                assert_eq!(a.configuration.map(f32::to_bits), b.configuration.map(f32::to_bits));
                moved |= one.rows().len() > 0;
            }
            assert!(moved, "{}: no row ever acted", stringify!($name));
        })*};
    }
    compare!(arm, four_bar, gripper, quadruped, everything);
}

#[test]
fn indices_are_those_of_the_names() {
    let lists = read("../examples/models/quadruped_stand.xml");
    let at = |list: &[String], name: &str| list.iter().position(|label| label == name).unwrap();
    assert_eq!(usize::from(quadruped::joint::rear_left_calf::INDEX), at(&lists.labels.joints, "rear_left_calf"));
    // A free joint, then twelve hinges, the last of which is this one.
    assert_eq!((quadruped::joint::rear_left_calf::DOF, quadruped::joint::rear_left_calf::COORDINATE), (17, 18));
    assert_eq!(usize::from(quadruped::geom::FRONT_LEFT_FOOT), at(&lists.labels.geoms, "front_left_foot"));
    assert_eq!(usize::from(quadruped::body::REAR_RIGHT_HIP), at(&lists.labels.bodies, "rear_right_hip"));
    assert_eq!(usize::from(quadruped::actuator::FRONT_LEFT_HIP), at(&lists.labels.actuators, "front_left_hip"));
    assert_eq!(quadruped::keyframe::stand::CONFIGURATION[2], 0.288);
    assert_eq!(quadruped::keyframe::crouch::CONTROL[..3], [0.0, 1.05, -2.1]);
}

/// Counted by hand.
#[test]
fn capacity_is_the_most_that_can_happen() {
    let count = |mechanism: &Mechanism| {
        let description = mechanism.lists.description();
        let capacity = Capacity::of(&description, &welds(&description)).expect("few geoms");
        (capacity.contacts, capacity.rows)
    };
    let of = |file: &str| count(&read(file));
    // Four feet of three rows, twelve limits one end of which can be reached.
    assert_eq!(of("../examples/models/quadruped_stand.xml"), (4, 24));
    // One equality, two limits, three contacts of four rows.
    assert_eq!(of("../examples/models/gripper.xml"), (3, 15));
    // A connect, three hinges with dry friction.
    assert_eq!(of("../examples/models/four_bar.xml"), (0, 6));
    // A box of condim 3 on a plane, four corners of four edges; a margin in which both ends of a limit act.
    let text = r#"<mujoco><compiler angle="radian"/><worldbody><geom type="plane" size="0 0 1"/>
        <body><joint type="slide" range="0 0.1" margin="0.06"/><geom type="box" size="1 1 1"/></body></worldbody></mujoco>"#;
    assert_eq!(count(&read_text(text).unwrap()), (4, 18));
}

#[test]
fn smaller_sizes_are_taken_and_said() {
    let options = GenerateOptions { contacts: Some(2), rows: Some(9), ..Default::default() };
    let text = generate(&read("../examples/models/quadruped_stand.xml"), &options);
    assert!(text.contains("/// Room for contacts: the model can have 4.\npub const NC: usize = 2;"));
    assert!(text.contains("/// Room for constraint rows: the model can have 24.\npub const NR: usize = 9;"));
}

#[test]
fn the_command_writes_what_the_library_writes() {
    let file = std::env::temp_dir().join(format!("delassus-generate-{}.rs", std::process::id()));
    let run = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_delassus")).arg("generate").args(arguments).output().unwrap()
    };
    let model = here("../examples/models/arm.xml");
    let model = model.to_str().unwrap();
    assert!(run(&[model, "-o", file.to_str().unwrap()]).status.success());
    let library = generate(&read("../examples/models/arm.xml"), &GenerateOptions::default());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), library);
    assert_eq!(String::from_utf8(run(&[model]).stdout).unwrap(), library);
    std::fs::remove_file(&file).unwrap();
    assert_eq!(run(&["no-such-file.xml"]).status.code(), Some(2));
    assert_eq!(run(&[model, "-o", "no-such-folder/robot.rs"]).status.code(), Some(2));
}
