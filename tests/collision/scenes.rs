//! Whole scenes against MuJoCo 3.10.0: which geoms collide, in which order, with which parameters.

use super::setting::{Scene, Words, golden, pose, unit};
use delassus::collision::{contact_capacity, first_unsupported};
use delassus::description::{Geom, Pair, Shape, SoftnessNumbers};
use nalgebra::Vector3;

struct Expected {
    geoms: [u16; 2],
    numbers: [f64; 10],
    condim: u8,
    parameters: [f64; 15],
}

fn body(number: i32) -> Option<u16> {
    u16::try_from(number).ok()
}

fn read(text: &str) -> Vec<(Scene<f64>, usize, Vec<Expected>)> {
    let mut scenes: Vec<(Scene<f64>, usize, Vec<Expected>)> = vec![];
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut words = Words(line.split_whitespace());
        let what = words.word();
        if what == "scene" {
            let mut scene = Scene::new();
            scene.unfiltered = words.0.nth(4) == Some("0");
            scenes.push((scene, 0, vec![]));
            continue;
        }
        let (scene, boxes, expected) = scenes.last_mut().unwrap();
        match what {
            "body" => {
                let (parent, group) = (body(words.number()), body(words.number()));
                scene.body(parent, true, pose(words.numbers(), words.numbers()));
                *scene.groups.last_mut().unwrap() = group;
            }
            "geom" => scene.geoms.push(read_geom(&mut words)),
            "pair" => scene.pairs.push(Pair {
                geoms: [words.number(), words.number()],
                condim: words.number(),
                friction: words.numbers(),
                margin: words.number(),
                gap: words.number(),
                softness: SoftnessNumbers { solref: words.numbers(), solimp: words.numbers() },
                friction_solref: words.numbers(),
            }),
            "exclude" => scene.excludes.push([body(words.number()), body(words.number())]),
            "boxes" => *boxes = words.number(),
            "contact" => expected.push(Expected {
                geoms: [words.number(), words.number()],
                numbers: words.numbers(),
                condim: words.number(),
                parameters: words.numbers(),
            }),
            _ => panic!("{what} is unknown"),
        }
        assert!(words.0.next().is_none(), "more words than expected in {line}");
    }
    scenes
}

fn read_geom(words: &mut Words<'_>) -> Geom<f64> {
    let body = body(words.number());
    let name = words.word();
    Geom {
        body,
        shape: words.shape(name, 1.0),
        position: words.numbers(),
        orientation: unit(words.numbers()),
        contype: words.number(),
        conaffinity: words.number(),
        condim: words.number(),
        priority: words.number(),
        friction: words.numbers(),
        solmix: words.number(),
        margin: words.number(),
        gap: words.number(),
        softness: SoftnessNumbers { solref: words.numbers(), solimp: words.numbers() },
    }
}

/// the same contacts in the same order, each with its frame and parameters.
///
/// Geometry to 1e-10: a normal between centres that nearly coincide, or a tangent along a nearly upright capsule, is a small difference
/// of poses that both sides rounded. Parameters to 1e-12 of themselves or of 1, the last digit of the file.
#[test]
fn contacts_of_whole_scenes_are_those_of_mujoco_in_its_order() {
    let scenes = read(&golden("collision_scenes.txt", "COLLISION_SCENES"));
    let (mut contacts, mut explicit, mut without_rows, mut several) = (0, 0, 0, 0);
    for (number, (scene, boxes, expected)) in scenes.iter().enumerate() {
        let (found, dropped) = scene.contacts::<256>();
        let place = format!("scene {number}");
        assert_eq!(dropped, 0);
        let seen: Vec<_> = found.iter().map(|c| c.geoms).collect();
        let wanted: Vec<_> = expected.iter().map(|c| c.geoms).collect();
        assert_eq!(seen, wanted, "{place}");
        for (contact, expected) in found.iter().zip(expected) {
            let [distance, rest @ ..] = expected.numbers;
            let vector = |i: usize| Vector3::new(rest[i], rest[i + 1], rest[i + 2]);
            assert!((contact.distance - distance).abs() < 1e-10, "{place} {contact:?}");
            for (seen, wanted) in
                [contact.position, contact.frame[0], contact.frame[1]].iter().zip([0, 3, 6].map(vector))
            {
                assert!((seen - wanted).amax() < 1e-10, "{place} {contact:?}: {wanted}");
            }
            assert!((contact.frame[0].cross(&contact.frame[1]) - contact.frame[2]).amax() < 1e-15);
            assert_eq!(contact.condim, expected.condim, "{place}");
            let mut seen = contact.friction.to_vec();
            seen.extend(contact.softness.solref);
            seen.extend(contact.friction_solref);
            seen.extend(contact.softness.solimp);
            seen.push(contact.margin);
            for (a, b) in seen.iter().zip(expected.parameters) {
                assert!(
                    (a - b).abs() <= 1e-12 * b.abs().max(1.0),
                    "{place}: {seen:?} is not {:?}",
                    expected.parameters
                );
            }
            contacts += 1;
            explicit += usize::from(scene.pairs.iter().any(|p| p.geoms.iter().all(|g| contact.geoms.contains(g))));
            without_rows += usize::from(!contact.active());
        }
        several += usize::from(expected.len() > 5);
        let unsupported = scene.with(|description| first_unsupported(description, &scene.groups));
        let both_boxes =
            |g: [u16; 2]| g.iter().all(|g| matches!(scene.geoms[usize::from(*g)].shape, Shape::Box { .. }));
        assert!(unsupported.is_none_or(both_boxes), "{place}");
        assert!(*boxes == 0 || unsupported.is_some(), "{place}: two boxes touch there");
        assert!(found.len() <= scene.with(|description| contact_capacity(description, &scene.groups)));
    }
    println!(
        "{} scenes, {contacts} contacts, {explicit} of explicit pairs, {without_rows} without rows, {several} with several",
        scenes.len()
    );
    // The file is worth its name only if it has something of everything.
    assert!(scenes.len() >= 30 && contacts >= 300 && explicit >= 20 && without_rows >= 5 && several >= 20);
}
