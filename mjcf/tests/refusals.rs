//! Models that must be refused: a word of the message, and the remedy with it.

use delassus_mjcf::{ErrorKind, read_text};

/// A body with mass, for things that need a moving body.
const MASS: &str = r#"<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>"#;

fn refused(text: &str, kind: ErrorKind, word: &str) {
    match read_text(text) {
        Ok(_) => panic!("accepted, expected \"{word}\": {text}"),
        Err(error) => {
            let message = error.to_string();
            assert!(message.contains(word), "expected \"{word}\" in: {message}");
            assert_eq!(error.kind(), kind, "{message}");
            assert!(!message.contains('\n'), "one line: {message}");
            assert!(message.contains("; "), "no remedy: {message}");
        }
    }
}

fn world(content: &str) -> String {
    format!("<mujoco><worldbody>{content}</worldbody></mujoco>").replace("MASS", MASS)
}

fn model(head: &str, content: &str) -> String {
    format!("<mujoco>{head}<worldbody>{content}</worldbody></mujoco>").replace("MASS", MASS)
}

#[test]
fn invalid_in_the_tree() {
    for (content, word) in [
        ("<joint/>", "the world has neither"),
        (r#"<inertial pos="0 0 0" mass="1"/>"#, "the world has neither"),
        ("<freejoint/>", "the world has neither"),
        ("<boddy/>", "unknown element"),
        (r#"<body nam="a"/>"#, "unknown attribute \"nam\""),
        (r#"<body pos="1 2"/>"#, "it needs 3"),
        (r#"<body pos="1 2 3 4"/>"#, "more than 3"),
        (r#"<body pos="1,2,3"/>"#, "not a finite number"),
        (r#"<body pos="1 nan 3"/>"#, "not a finite number"),
        (r#"<body pos="1 inf 3"/>"#, "not a finite number"),
        (r#"<body pos="1 1e999 3"/>"#, "not a finite number"),
        (r#"<body pos="1 0x10 3"/>"#, "not a finite number"),
        (r#"<body quat="0 0 0 0"/>"#, "quat"),
        (r#"<body quat="1 0 0 0" euler="0 0 0"/>"#, "more than one orientation"),
        (r#"<body zaxis="0 0 0"/>"#, "gives no direction"),
        (r#"<body xyaxes="1 0 0 2 0 0"/>"#, "gives no direction"),
        (r#"<body axisangle="0 0 0 1"/>"#, "gives no direction"),
        (r#"<body childclass="z"/>"#, "unknown class \"z\""),
        (r#"<geom class="z" size="1"/>"#, "unknown class \"z\""),
        (r#"<body name="a"/><body name="a"/>"#, "exists already"),
        (r#"<geom name="a" size="1"/><geom name="a" size="1"/>"#, "exists already"),
        (r#"<site name="a"/><site name="a"/>"#, "exists already"),
        ("<body><joint/></body>", "needs mass and inertia"),
        ("<body><body><freejoint/>MASS</body></body>", "child of the world"),
        ("<body><freejoint/><joint/>MASS</body>", "more than 6 degrees of freedom"),
        (r#"<body><joint type="ball"/><joint/>MASS</body>"#, "ball joint followed"),
        (r#"<body><joint type="banana"/>MASS</body>"#, "use one of: free, ball, slide, hinge"),
        (r#"<body><joint axis="0 0 0"/>MASS</body>"#, "axis is zero"),
        (r#"<body><joint limited="true" range="1 0"/>MASS</body>"#, "range[0] must be smaller"),
        (r#"<body><joint limited="yes" range="0 1"/>MASS</body>"#, "unknown word \"yes\""),
        (r#"<body><joint type="ball" range="0.1 1"/>MASS</body>"#, "ball joint must be 0"),
        (r#"<body><joint springdamper="1 -1"/>MASS</body>"#, "springdamper"),
        ("<body><joint/>MASSMASS</body>", "second inertial"),
        (r#"<body><joint/><inertial pos="0 0 0" mass="1"/></body>"#, "needs mass and inertia"),
        (r#"<body><joint/><inertial mass="1" diaginertia="1 1 1"/></body>"#, "\"pos\" is missing"),
        (r#"<body><joint/><inertial pos="0 0 0" diaginertia="1 1 1"/></body>"#, "\"mass\" is missing"),
        (r#"<body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/></body>"#, "A + B >= C"),
        (
            r#"<body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1" fullinertia="1 1 1 0 0 0"/></body>"#,
            "both diaginertia and fullinertia",
        ),
        (
            r#"<body><joint/><inertial pos="0 0 0" mass="1" quat="1 0 0 0" fullinertia="1 1 1 0 0 0"/></body>"#,
            "both fullinertia and an orientation",
        ),
        (r#"<body><joint/><inertial pos="0 0 0" mass="1" fullinertia="1 1 1 2 0 0"/></body>"#, "positive definite"),
        ("<geom/>", "size[0] must be positive"),
        (r#"<geom type="capsule" size="1"/>"#, "size[1] must be positive"),
        (r#"<geom type="plane" size="1 1"/>"#, "size of a plane"),
        (r#"<geom size="1" condim="2"/>"#, "condim must be"),
        (r#"<geom size="1" condim="3.0"/>"#, "not an integer"),
        (r#"<geom size="1" mass="-1"/>"#, "negative"),
        (r#"<geom size="1e200"/>"#, "overflows"),
        (r#"<geom size="1" fromto="0 0 0 1 0 0"/>"#, "fromto needs"),
        (r#"<geom type="capsule" size="1" fromto="0 0 0 0 0 0"/>"#, "too close"),
        (r#"<geom type="capsule" size="1" pos="0 0 0" fromto="0 0 0 1 0 0"/>"#, "both pos and fromto"),
        (r#"<site fromto="0 0 0 1 0 0"/>"#, "fromto needs"),
        (r#"<body><joint/>MASS<geom type="plane" size="1 1 1"/></body>"#, "a plane must be"),
        (r#"<body><geom type="plane" size="1 1 1"/><joint/>MASS</body>"#, "a plane must be"),
        (r#"<body><geom size="1"><foo/></geom></body>"#, "unknown element"),
    ] {
        if word == "overflows" {
            // The world's mass does not matter; a body's does.
            refused(&world(&format!("<body>{content}<freejoint/></body>")), ErrorKind::Invalid, word);
        } else {
            refused(&world(content), ErrorKind::Invalid, word);
        }
    }
}

#[test]
fn invalid_around_the_tree() {
    let bodies = r#"<body name="a"><joint name="j"/>MASS<site name="s"/><geom name="g" size="1"/></body>
        <body name="b"><joint name="k" type="ball"/>MASS<site name="t"/></body><geom name="f" size="1"/><geom name="h" size="1"/>"#;
    for (head, word) in [
        (r#"<compiler angle="grad"/>"#, "use one of: radian, degree"),
        (r#"<compiler eulerseq="xyw"/>"#, "eulerseq"),
        (r#"<compiler eulerseq="xy"/>"#, "eulerseq"),
        (r#"<compiler coordinate="global"/>"#, "global"),
        (r#"<compiler foo="1"/>"#, "unknown attribute"),
        (r#"<option timestep="0"/>"#, "timestep must be positive"),
        (r#"<option timestep="0.1 0.2"/>"#, "more than 1"),
        (r#"<option integrator="euler"/>"#, "unknown word"),
        (r#"<option iterations="-3"/>"#, "negative"),
        (r#"<option><flag/><flag/></option>"#, "second flag"),
        (r#"<option><flag contact="true"/></option>"#, "use one of: disable, enable"),
        (r#"<option><flag foo="enable"/></option>"#, "foo"),
        (r#"<default class="foo"/>"#, "called main"),
        ("<default><default/></default>", "\"class\" is missing"),
        (r#"<default><default class="x"/><default class="x"/></default>"#, "exists already"),
        ("<default><body/></default>", "unknown element"),
        (r#"<equality><connect body1="a"/></equality>"#, "anchor is missing"),
        (r#"<equality><connect body1="a" site1="s" site2="t"/></equality>"#, "either bodies or sites"),
        (r#"<equality><connect anchor="0 0 0"/></equality>"#, "either bodies or sites"),
        (r#"<equality><connect body1="a" body2="a" anchor="0 0 0"/></equality>"#, "the same"),
        (r#"<equality><connect site1="s" site2="s"/></equality>"#, "the same"),
        (r#"<equality><connect site1="s"/></equality>"#, "\"site2\" is missing"),
        (r#"<equality><connect body1="z" anchor="0 0 0"/></equality>"#, "no body is named \"z\""),
        (r#"<equality><weld site1="s" site2="t" relpose="0 0 0 1 0 0 0"/></equality>"#, "both sites and a pose"),
        (r#"<equality><weld body1="a" relpose="0 0 0 1 0 0"/></equality>"#, "it needs 7"),
        (r#"<equality><joint joint1="k"/></equality>"#, "hinge or a slide"),
        (r#"<equality><joint joint1="j" joint2="j"/></equality>"#, "the same"),
        (r#"<equality><joint joint1="j" polycoef=""/></equality>"#, "is empty"),
        (r#"<equality><joint joint1="j" polycoef="1 2 3 4 5 6"/></equality>"#, "more than 5"),
        (r#"<contact><pair geom1="g" geom2="z"/></contact>"#, "no geom is named \"z\""),
        (r#"<contact><pair geom1="f" geom2="h"/></contact>"#, "cannot move"),
        (r#"<contact><exclude body1="a"/></contact>"#, "\"body2\" is missing"),
        (r#"<keyframe><key qpos="0 0"/></keyframe>"#, "the model needs 5"),
        (r#"<keyframe><key qpos="0 0 0 0 0"/></keyframe>"#, "quaternion"),
        (r#"<keyframe><key qpos="0 0 0 0 0 0"/></keyframe>"#, "more than 5"),
        (r#"<keyframe><key ctrl="0"/></keyframe>"#, "more than 0"),
        (r#"<keyframe><key act="0"/></keyframe>"#, "nothing of the kind"),
        (r#"<keyframe><key name="a"/><key name="a"/></keyframe>"#, "exists already"),
        ("<foo/>", "unknown element"),
        (r#"<include file="x"/>"#, "cannot include"),
    ] {
        refused(&model(head, bodies), ErrorKind::Invalid, word);
    }
    refused("<foo/>", ErrorKind::Invalid, "<mujoco>");
    refused(
        r#"<mujoco><compiler autolimits="false"/><worldbody><body><joint range="0 1"/><geom size="1"/></body></worldbody></mujoco>"#,
        ErrorKind::Invalid,
        "autolimits",
    );
    refused(r#"<mujoco><worldbody name="x"/></mujoco>"#, ErrorKind::Invalid, "unknown attribute");
}

#[test]
fn unsupported_and_never_skipped() {
    let ball = r#"<body name="ball"><freejoint/><geom name="ball" size="1"/></body>"#;
    let mesh = r#"<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>"#;
    for (head, content, word) in [
        ("", r#"<geom type="cylinder" size="1 1"/>"#, "a cylinder that can touch"),
        ("", r#"<geom type="ellipsoid" size="1 1 1"/>"#, "an ellipsoid that can touch"),
        (mesh, r#"<geom type="mesh" mesh="m"/>"#, "a mesh that can touch"),
        (mesh, r#"<geom type="box" mesh="m"/>"#, "fitted to a mesh"),
        ("", r#"<geom type="hfield" hfield="h"/>"#, "a height field"),
        ("", r#"<geom type="cylinder" size="1 1" contype="2" conaffinity="1"/>"#, "a cylinder that can touch"),
        (
            r#"<contact><pair geom1="c" geom2="ball"/></contact>"#,
            r#"<geom name="c" type="cylinder" size="1 1" contype="0" conaffinity="0"/>"#,
            "a cylinder that can touch",
        ),
        (
            mesh,
            r#"<body><freejoint/><geom type="mesh" mesh="m" contype="0" conaffinity="0"/></body>"#,
            "inertia of a mesh cannot be computed; give the body an <inertial>",
        ),
        ("", r#"<body><freejoint/><geom size="1" shellinertia="true"/></body>"#, "inertia of a shell"),
        ("", r#"<body mocap="true"/>"#, "mocap"),
        ("", r#"<body><freejoint align="true"/>MASS</body>"#, "align"),
        (r#"<compiler alignfree="true"/>"#, "", "align"),
        (r#"<compiler fusestatic="true"/>"#, "", "fusestatic"),
        ("", r#"<composite type="cable"/>"#, "compile with MuJoCo"),
        ("", r#"<flexcomp name="f"/>"#, "compile with MuJoCo"),
        ("", r#"<replicate count="2"/>"#, "compile with MuJoCo"),
        ("", r#"<attach model="m"/>"#, "compile with MuJoCo"),
        ("", r#"<body><plugin plugin="x"/></body>"#, "plugins"),
        ("", r#"<geom size="1"><plugin plugin="x"/></geom>"#, "plugins"),
        ("", r#"<body><frame><inertial pos="0 0 0" mass="1"/></frame></body>"#, "inside a frame"),
        (r#"<option density="1.2"/>"#, "", "fluid (density)"),
        (r#"<option viscosity="1e-5"/>"#, "", "fluid (viscosity)"),
        (r#"<option><flag override="enable"/></option>"#, "", "override"),
        (r#"<option><flag sleep="enable"/></option>"#, "", "sleep"),
        (r#"<option><flag invdiscrete="enable"/></option>"#, "", "invdiscrete"),
        (r#"<deformable><flex name="f"/></deformable>"#, "", "deformable"),
    ] {
        refused(&model(head, &format!("{ball}{content}")), ErrorKind::Unsupported, word);
    }
    refused("<robot/>", ErrorKind::Unsupported, "save it as MJCF");
}

/// A hinge j, a ball joint k, and sites to run tendons through.
const TARGETS: &str = r#"<body name="a"><joint name="j" range="-1 1"/>MASS<site name="s"/><geom name="g" size="1"/></body>
    <body name="b"><joint name="k" type="ball"/>MASS<site name="t"/></body>"#;

#[test]
fn invalid_tendons_and_actuators() {
    let part = r#"<joint joint="j" coef="1"/>"#;
    for (tendon, word) in [
        ("<fixed/>".to_owned(), "without joints"),
        (r#"<fixed><joint joint="j"/></fixed>"#.to_owned(), "\"coef\" is missing"),
        (r#"<fixed><joint joint="z" coef="1"/></fixed>"#.to_owned(), "no joint is named \"z\""),
        (r#"<fixed><joint joint="k" coef="1"/></fixed>"#.to_owned(), "hinge or a slide"),
        (r#"<fixed><site site="s"/></fixed>"#.to_owned(), "unknown element"),
        (r#"<spatial><joint joint="j" coef="1"/></spatial>"#.to_owned(), "unknown element"),
        ("<spatial/>".to_owned(), "two sites"),
        (r#"<spatial><site site="s"/></spatial>"#.to_owned(), "two sites"),
        (r#"<spatial><site site="s"/><site site="s"/></spatial>"#.to_owned(), "twice in a row"),
        (r#"<spatial><site site="z"/></spatial>"#.to_owned(), "no site is named \"z\""),
        (format!(r#"<fixed rgba="1 1 1 1">{part}</fixed>"#), "unknown attribute"),
        (format!(r#"<fixed springlength="0.3 0.2">{part}</fixed>"#), "springlength[0]"),
        (format!(r#"<fixed springlength="">{part}</fixed>"#), "springlength"),
        (format!(r#"<fixed limited="true">{part}</fixed>"#), "range[0] must be smaller"),
        (format!(r#"<fixed actuatorfrcrange="1 -1" actuatorfrclimited="true">{part}</fixed>"#), "must be smaller"),
        (format!(r#"<fixed actuatorfrcrange="1 2" actuatorfrclimited="auto">{part}</fixed>"#), "does not contain 0"),
        (format!(r#"<fixed name="x">{part}</fixed><fixed name="x">{part}</fixed>"#), "exists already"),
        (format!(r#"<fixed class="z">{part}</fixed>"#), "unknown class"),
        ("<rope/>".to_owned(), "unknown"),
    ] {
        refused(&model(&format!("<tendon>{tendon}</tendon>"), TARGETS), ErrorKind::Invalid, word);
    }
    for (actuator, word) in [
        ("<motor/>", "nothing to pull on"),
        (r#"<motor joint="j" tendon="f"/>"#, "more than one thing"),
        (r#"<motor joint="z"/>"#, "no joint is named \"z\""),
        (r#"<motor tendon="z"/>"#, "no tendon is named \"z\""),
        (r#"<motor joint="j" kp="1"/>"#, "unknown attribute \"kp\""),
        (r#"<motor joint="j" gear="1 2 3 4 5 6 7"/>"#, "more than 6"),
        (r#"<motor joint="j" ctrllimited="true" ctrlrange="1 0"/>"#, "ctrlrange[0] must be smaller"),
        (r#"<motor joint="j" forcelimited="true"/>"#, "forcerange[0] must be smaller"),
        (r#"<motor name="x" joint="j"/><motor name="x" joint="j"/>"#, "exists already"),
        (r#"<position joint="j" kv="1" dampratio="1"/>"#, "both kv and dampratio"),
        (r#"<position joint="j" kv="-1"/>"#, "negative"),
        (r#"<position joint="j" dampratio="-1"/>"#, "negative"),
        (r#"<position joint="j" inheritrange="1" ctrlrange="0 1"/>"#, "both ctrlrange and inheritrange"),
        (r#"<position joint="k" inheritrange="1"/>"#, "has no range"),
        (r#"<damper joint="j" kv="1"/>"#, "needs a control range"),
        (r#"<damper joint="j" kv="1" ctrlrange="-1 1"/>"#, "control range of a damper"),
        (r#"<damper joint="j" kv="-1" ctrlrange="0 1"/>"#, "kv is negative"),
        (r#"<general joint="j" gaintype="linear"/>"#, "unknown word"),
        ("<engine/>", "unknown"),
    ] {
        let head = format!(r#"<tendon><fixed name="f">{part}</fixed></tendon><actuator>{actuator}</actuator>"#);
        refused(&model(&head, TARGETS), ErrorKind::Invalid, word);
    }
    for (head, word) in [
        (r#"<equality><tendon tendon1="z"/></equality>"#, "no tendon is named \"z\""),
        (r#"<equality><tendon tendon1="f" tendon2="f"/></equality>"#, "the same"),
        (r#"<default><tendon armature="1"/></default>"#, "unknown attribute \"armature\""),
        (r#"<default><motor joint="j"/></default>"#, "unknown attribute \"joint\""),
    ] {
        let head = format!(r#"{head}<tendon><fixed name="f">{part}</fixed></tendon>"#);
        refused(&model(&head, TARGETS), ErrorKind::Invalid, word);
    }
}

#[test]
fn unsupported_tendons_and_actuators() {
    for (head, word) in [
        (
            r#"<tendon><spatial><site site="s"/><geom geom="g"/><site site="t"/></spatial></tendon>"#,
            "wrap around geoms",
        ),
        (r#"<tendon><spatial><site site="s"/><pulley divisor="2"/><site site="t"/></spatial></tendon>"#, "pulleys"),
        (r#"<tendon><fixed damping="-1"><joint joint="j" coef="1"/></fixed></tendon>"#, "negative"),
        (r#"<actuator><muscle joint="j"/></actuator>"#, "kind muscle"),
        (r#"<actuator><adhesion body="a"/></actuator>"#, "kind adhesion"),
        (r#"<actuator><cylinder joint="j"/></actuator>"#, "kind cylinder"),
        (r#"<actuator><intvelocity joint="j"/></actuator>"#, "kind intvelocity"),
        (r#"<actuator><dcmotor joint="j"/></actuator>"#, "kind dcmotor"),
        (r#"<actuator><plugin joint="j"/></actuator>"#, "kind plugin"),
        (r#"<actuator><general joint="j" dyntype="integrator"/></actuator>"#, "activation dynamics"),
        (r#"<actuator><general joint="j" gaintype="muscle"/></actuator>"#, "muscle"),
        (r#"<actuator><general joint="j" biastype="user"/></actuator>"#, "callback"),
        (r#"<actuator><position joint="j" timeconst="0.1"/></actuator>"#, "time constant"),
        (
            r#"<default><position timeconst="0.1"/></default><actuator><position joint="j"/></actuator>"#,
            "time constant",
        ),
        (r#"<default><muscle/></default><actuator><motor joint="j"/></actuator>"#, "its class"),
        (r#"<actuator><motor joint="j" nsample="2" delay="0.1"/></actuator>"#, "delayed"),
        (r#"<actuator><motor site="s"/></actuator>"#, "through a site"),
        (r#"<actuator><motor slidersite="s" cranksite="t" cranklength="1"/></actuator>"#, "slider-crank"),
        (r#"<actuator><motor jointinparent="k"/></actuator>"#, "parent's frame"),
        (r#"<option actuatorgroupdisable="1"/><actuator><motor joint="j"/></actuator>"#, "disabled groups"),
    ] {
        refused(&model(head, TARGETS), ErrorKind::Unsupported, word);
    }
    // Where they are not used, classes of other kinds do no harm.
    let head = r#"<default><default class="m"><muscle/></default><position timeconst="1"/></default><actuator><motor joint="j"/></actuator>"#;
    assert_eq!(read_text(&model(head, TARGETS)).unwrap().lists.actuators.len(), 1);
    let head = r#"<option actuatorgroupdisable="1"/>"#;
    assert!(read_text(&model(head, TARGETS)).is_ok());
}

#[test]
fn the_message_names_element_and_line() {
    let text = "<mujoco>\n  <worldbody>\n    <body name=\"arm\">\n      <geom name=\"hull\"\n        size=\"-1\"/>\n    </body>\n  </worldbody>\n</mujoco>";
    let message = read_text(text).unwrap_err().to_string();
    assert_eq!(message, "<text>:4: <geom name=\"hull\">: size[0] must be positive; correct size");
    let error = read_text(text).unwrap_err();
    assert_eq!(error.place().unwrap().line, 4);
}

#[test]
fn what_is_skipped_is_listed() {
    let mechanism = read_text(&model(
        r#"<visual/><asset><texture name="t"/></asset><sensor><clock/></sensor><custom/><statistic extent="2"/><size njmax="10"/>"#,
        r#"<light/><light/><camera/>"#,
    ))
    .unwrap();
    let notes: Vec<String> = mechanism.notes.iter().map(|note| format!("{} {}", note.element, note.count)).collect();
    assert_eq!(notes, ["visual 1", "asset 1", "sensor 1", "custom 1", "statistic 1", "size 1", "light 2", "camera 1"]);
}

/// Where the file switches contacts off, a shape that the kernel does not know does no harm.
#[test]
fn unknown_shapes_may_stand_where_contacts_are_off() {
    let content = r#"<body><freejoint/>MASS<geom name="ball" size="1"/><geom type="cylinder" size="1 1"/></body><geom type="cylinder" size="1 1"/>"#;
    assert!(read_text(&model("", content)).is_err());
    for flag in ["contact", "constraint"] {
        let head = format!(r#"<option><flag {flag}="disable"/></option>"#);
        let mechanism = read_text(&model(&head, content)).unwrap();
        assert_eq!(mechanism.labels.geoms, ["ball"]);
        assert_eq!(mechanism.notes[0].count, 2, "{:?}", mechanism.notes);
    }
}

/// Empty sections of what is not supported do no harm.
#[test]
fn empty_sections_are_accepted() {
    let text =
        model("<tendon/><actuator/><deformable><skin/></deformable><extension/><equality/><contact/><keyframe/>", "");
    assert_eq!(read_text(&text).unwrap().lists.bodies.len(), 0);
}
