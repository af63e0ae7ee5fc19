//! Every pair of shapes at random and degenerate poses, against MuJoCo 3.10.0 (X-61 … ).
//!
//! Compared to 1e-12: the file holds 12 digits behind the point, so half of that is its own rounding, and no more is left to ask.
//! The same held for 10,000 cases a pair, but for one capsule whose core touches the edge of a box exactly: which of the
//! two faces counts is decided by the last bit of the engine's rotation matrix.

use super::setting::{Words, golden, narrow, narrow_shape, points, pose, wide};
use delassus::collision::frame::contact_frame;
use delassus::collision::pair::most_contacts;
use delassus::description::Shape;
use delassus::scalar::norm;
use delassus::spatial::Transform;
use nalgebra::Vector3;
use std::collections::BTreeMap;

struct Case {
    line: usize,
    names: [String; 2],
    shapes: [Shape<f64>; 2],
    poses: [Transform<f64>; 2],
    reach: f64,
    expected: Vec<Expected>,
}

struct Expected {
    distance: f64,
    position: Vector3<f64>,
    normal: Vector3<f64>,
    tangent: Option<Vector3<f64>>,
}

fn cases() -> Vec<Case> {
    let text = golden("collision_poses.txt", "COLLISION_POSES");
    let mut cases = vec![];
    for (line, words) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        let mut words = Words(words.split_whitespace());
        let unit = 1.0 / 1024.0;
        let names = [words.word().to_string(), words.word().to_string()];
        let shapes = [words.shape(&names[0], unit), words.shape(&names[1], unit)];
        let [margin, gap] = words.numbers::<2>();
        let poses = [(); 2].map(|()| pose(words.numbers().map(|x| x * unit), words.numbers()));
        let framed = matches!((&names[0][..], &names[1][..]), ("plane", "capsule") | ("sphere", "sphere"));
        let expected = (0..words.number::<usize>())
            .map(|_| Expected {
                distance: words.number(),
                position: Vector3::from(words.numbers()),
                normal: Vector3::from(words.numbers()),
                tangent: framed.then(|| Vector3::from(words.numbers())),
            })
            .collect();
        assert!(words.0.next().is_none(), "line {}: more words than expected", line + 1);
        cases.push(Case { line: line + 1, names, shapes, poses, reach: margin * unit + gap * unit, expected });
    }
    cases
}

#[test]
fn contact_points_of_every_pair_are_those_of_mujoco() {
    let mut tally = BTreeMap::<String, (usize, usize, f64)>::new();
    for case in cases() {
        let found = points((&case.shapes[0], &case.poses[0]), (&case.shapes[1], &case.poses[1]), case.reach);
        let place = format!("line {}: {:?}", case.line, case.names);
        assert_eq!(found.len(), case.expected.len(), "{place}: {found:?}");
        assert!(found.len() <= most_contacts(&case.shapes[0], &case.shapes[1]));
        let entry = tally.entry(case.names.join("-")).or_default();
        entry.0 += 1;
        for (point, expected) in found.iter().zip(&case.expected) {
            let frame = contact_frame(&point.normal, &point.hint);
            let error = (point.distance - expected.distance)
                .abs()
                .max((point.position - expected.position).amax())
                .max((point.normal - expected.normal).amax())
                .max(expected.tangent.map_or(0.0, |t| (frame[1] - t).amax()));
            assert!(error < 1e-12, "{place}: off by {error:e}: {point:?}");
            entry.1 += 1;
            entry.2 = entry.2.max(error);
        }
    }
    assert_eq!(tally.len(), 8, "{tally:?}");
    assert!(tally.values().all(|(cases, contacts, _)| *cases >= 200 && *contacts >= 90), "{tally:?}");
    println!("{tally:?}");
}

/// In single precision: contacts wherever double precision has them, except within 2 µm of the border, and the same depth to 2 µm for
/// places within 2 m of the origin (half an ulp there is 0.06 µm). Degenerate poses may choose another point of the same depth.
#[test]
fn single_precision_finds_the_same_distances() {
    for case in cases() {
        let shapes = [narrow_shape(&case.shapes[0]), narrow_shape(&case.shapes[1])];
        let poses = [narrow(&case.poses[0]), narrow(&case.poses[1])];
        let found = points((&shapes[0], &poses[0]), (&shapes[1], &poses[1]), case.reach as f32);
        let least = |distances: &mut dyn Iterator<Item = f64>| distances.fold(f64::INFINITY, f64::min);
        let (got, wanted) = (
            least(&mut found.iter().map(|p| f64::from(p.distance))),
            least(&mut case.expected.iter().map(|p| p.distance)),
        );
        let same = got == wanted || (got - wanted).abs() < 2e-6;
        let border =
            (got.is_infinite() && wanted > case.reach - 2e-6) || (wanted.is_infinite() && got > case.reach - 2e-6);
        assert!(same || border, "line {} {:?}: {got} is not {wanted}", case.line, case.names);
        for point in &found {
            assert!((norm(wide(&point.normal).as_slice()) - 1.0).abs() < 1e-6, "line {}", case.line);
        }
    }
}

/// The same poses give the same bits, and seen from the other side the same points with the normal turned round.
#[test]
fn points_are_repeatable_and_symmetric() {
    for case in cases() {
        let (a, b) = ((&case.shapes[0], &case.poses[0]), (&case.shapes[1], &case.poses[1]));
        let (first, again) = (points(a, b, case.reach), points(a, b, case.reach));
        assert_eq!(first, again);
        if case.names[0] != case.names[1] {
            let mut turned = points(b, a, case.reach);
            for point in &mut turned {
                point.normal = -point.normal;
            }
            assert_eq!(first, turned);
        }
    }
}
