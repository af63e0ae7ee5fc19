//! What holds whatever the poses are: distances do not depend on where the world stands, points lie halfway between the surfaces,
//! cores are nearest where a search finds them nearest, nothing is lost to the cheap test, and no number makes it panic.
#![allow(clippy::disallowed_methods)] // the other side of a comparison runs on the host only

use super::setting::{Scene, geom, narrow, narrow_shape, points, pose};
use delassus::collision::ContactPoint;
use delassus::collision::frame::contact_frame;
use delassus::description::Shape;
use delassus::scalar::Real;
use delassus::spatial::{Quaternion, Transform};
use nalgebra::Vector3;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn shape(order: u8) -> BoxedStrategy<Shape<f64>> {
    let size = 0.02..0.3f64;
    match order {
        0 => Just(Shape::Plane).boxed(),
        1 => size.prop_map(|radius| Shape::Sphere { radius }).boxed(),
        2 => (size.clone(), size).prop_map(|(radius, half_length)| Shape::Capsule { radius, half_length }).boxed(),
        _ => proptest::array::uniform3(size).prop_map(|half_sizes| Shape::Box { half_sizes }).boxed(),
    }
}

fn any_pose() -> impl Strategy<Value = Transform<f64>> {
    (proptest::array::uniform3(-0.3..0.3f64), proptest::array::uniform4(-1.0..1.0f64))
        .prop_filter("a direction", |(_, q)| q.iter().map(|x| x * x).sum::<f64>() > 0.01)
        .prop_map(|(p, q)| pose(p, q))
}

type Two = ([Shape<f64>; 2], [Transform<f64>; 2]);

/// Two shapes with a routine, at poses.
fn two() -> impl Strategy<Value = Two> {
    prop_oneof![
        Just((0, 1)),
        Just((0, 2)),
        Just((0, 3)),
        Just((1, 1)),
        Just((1, 2)),
        Just((1, 3)),
        Just((2, 2)),
        Just((2, 3))
    ]
    .prop_flat_map(|(a, b)| ((shape(a), shape(b)), (any_pose(), any_pose())))
    .prop_map(|((a, b), (p, q))| ([a, b], [p, q]))
}

fn of<T: Real>(shapes: &[Shape<T>; 2], poses: &[Transform<T>; 2], reach: T) -> Vec<ContactPoint<T>> {
    points((&shapes[0], &poses[0]), (&shapes[1], &poses[1]), reach)
}

/// Signed distance of a point from a shape's surface, negative inside: written down from the definition of each shape.
fn signed_distance(shape: &Shape<f64>, pose: &Transform<f64>, point: &Vector3<f64>) -> f64 {
    let x = pose.inverse().apply(point);
    match *shape {
        Shape::Plane => x.z,
        Shape::Sphere { radius } => x.norm() - radius,
        Shape::Capsule { radius, half_length } => {
            Vector3::new(x.x, x.y, x.z - x.z.clamp(-half_length, half_length)).norm() - radius
        }
        Shape::Box { half_sizes } => {
            let q = x.abs() - Vector3::from(half_sizes);
            q.map(|k| k.max(0.0)).norm() + q.max().min(0.0)
        }
    }
}

/// Least distance of a capsule's core from a shape, by a golden section search (the distance from a convex set is convex).
fn searched(half_length: f64, capsule: &Transform<f64>, other: &Shape<f64>, other_pose: &Transform<f64>) -> f64 {
    let at = |t: f64| signed_distance(other, other_pose, &capsule.apply(&Vector3::new(0.0, 0.0, t)));
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (-half_length, half_length);
    for _ in 0..100 {
        let (a, b) = (high - ratio * (high - low), low + ratio * (high - low));
        if at(a) < at(b) { high = b } else { low = a }
    }
    at((low + high) / 2.0)
}

fn distances(found: &[ContactPoint<f64>]) -> Vec<f64> {
    let mut all: Vec<_> = found.iter().map(|p| p.distance).collect();
    all.sort_by(f64::total_cmp);
    all
}

fn near(a: &[f64], b: &[f64], bound: f64) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < bound)
}

/// The pose in a mirror that stands in the plane x = 0.
fn mirrored(p: &Transform<f64>) -> Transform<f64> {
    let [w, x, y, z] = p.orientation.0;
    Transform {
        position: Vector3::new(-p.position.x, p.position.y, p.position.z),
        orientation: Quaternion([w, x, -y, -z]),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    /// Turning and moving the whole world turns and moves the points and leaves the distances.
    #[test]
    fn contacts_move_with_the_world((shapes, poses) in two(), world in any_pose()) {
        let here = of(&shapes, &poses, 10.0);
        let there = of(&shapes, &poses.map(|p| world.times(&p)), 10.0);
        prop_assert_eq!(here.len(), there.len());
        for (a, b) in here.iter().zip(&there) {
            prop_assert!((a.distance - b.distance).abs() < 1e-12);
            prop_assert!((world.apply(&a.position) - b.position).amax() < 1e-9, "{:?} {:?}", a, b);
            prop_assert!((world.orientation.rotate(&a.normal) - b.normal).amax() < 1e-9);
        }
    }

    /// In a mirror the distances are the same.
    #[test]
    fn a_mirror_leaves_distances((shapes, poses) in two()) {
        let (here, there) = (of(&shapes, &poses, 10.0), of(&shapes, &poses.map(|p| mirrored(&p)), 10.0));
        prop_assert!(near(&distances(&here), &distances(&there), 1e-12), "{:?} {:?}", here, there);
    }

    /// position − n distance/2 is on the first surface and position + n distance/2 on the second. For a capsule the ball at that
    /// place of its core is meant, which the capsule holds.
    #[test]
    fn points_lie_halfway_between_the_surfaces((shapes, poses) in two()) {
        for point in of(&shapes, &poses, 10.0) {
            prop_assert!((point.normal.norm() - 1.0).abs() < 1e-12);
            for (i, side) in [-0.5, 0.5].into_iter().enumerate() {
                let surface = point.position + point.normal * (point.distance * side);
                let off = signed_distance(&shapes[i], &poses[i], &surface);
                let capsule = matches!(shapes[i], Shape::Capsule { .. });
                prop_assert!(off < 1e-12 && (capsule || off > -1e-12), "{} off by {:e}: {:?}", i, off, point);
            }
        }
    }

    /// the first point of a capsule is at the place where the core is nearest, wherever core and core or core and box
    /// do not overlap; found by a search that knows none of the cases.
    #[test]
    fn cores_are_nearest_where_a_search_finds_them(
        capsule in shape(2), other in (1..4u8).prop_flat_map(shape), poses in (any_pose(), any_pose())
    ) {
        let Shape::Capsule { radius, half_length } = capsule else { unreachable!() };
        // The other's core: a point, a segment, or the whole box.
        let (core, thickness) = match other {
            Shape::Sphere { radius } => (Shape::Sphere { radius: 0.0 }, radius),
            Shape::Capsule { radius, half_length } => (Shape::Capsule { radius: 0.0, half_length }, radius),
            solid => (solid, 0.0),
        };
        let least = searched(half_length, &poses.0, &core, &poses.1) - radius - thickness;
        let found = points((&capsule, &poses.0), (&other, &poses.1), 10.0);
        // A core that pierces a box is not measured by X-65, in MuJoCo neither: it looks at ends and edges only.
        prop_assume!(least > 1e-9 - radius - thickness);
        prop_assert!((distances(&found)[0] - least).abs() < 1e-9, "{} {:?}", least, found);
    }

    /// Single precision, far from the origin: what the routine finds, the whole walk finds too, the cheap test in front notwithstanding.
    #[test]
    fn the_cheap_test_loses_nothing(
        (shapes, poses) in two(), far in proptest::array::uniform3(-30.0..30.0f64), margin in prop_oneof![Just(0.0f32), 0.0..0.5f32]
    ) {
        let shapes = [narrow_shape(&shapes[0]), narrow_shape(&shapes[1])];
        let poses = poses.map(|mut p| { p.position += Vector3::from(far); narrow(&p) });
        // Also exactly at the border: the margin is the distance that was found.
        let mut margins = vec![margin];
        margins.extend(of(&shapes, &poses, 1e3).first().map(|p| p.distance).filter(|d| *d > 0.0));
        for margin in margins {
            let expected = of(&shapes, &poses, margin);
            let mut scene = Scene::new();
            for (shape, pose) in shapes.iter().zip(&poses) {
                let body = scene.body(None, false, *pose);
                scene.geoms.push(geom(body, *shape, [0.0; 3]));
            }
            scene.geoms[0].margin = margin;
            let (found, _) = scene.contacts::<4>();
            prop_assert_eq!(found.len(), expected.len());
            for (contact, point) in found.iter().zip(&expected) {
                prop_assert_eq!(contact.distance, point.distance);
                prop_assert_eq!(contact.position, point.position);
            }
        }
    }

    /// X-30 in single precision: three unit vectors, orthogonal, right-handed, for every normal and any hint not along it.
    #[test]
    fn frames_are_orthonormal(n in proptest::array::uniform3(-1.0..1.0f64), hint in proptest::array::uniform3(-1.0..1.0f64)) {
        let (n, hint) = (Vector3::from(n), Vector3::from(hint));
        prop_assume!(n.norm() > 0.1 && n.normalize().cross(&hint).norm() > 1e-2);
        let n = n.normalize().map(|x| x as f32);
        for hint in [hint.map(|x| x as f32), Vector3::new(0.0, 0.0, 0.0)] {
            let [a, b, c] = contact_frame(&n, &hint);
            prop_assert_eq!(a, n);
            for (x, y) in [(a, b), (b, c), (c, a)] {
                prop_assert!(x.dot(&y).abs() < 2e-5);
            }
            prop_assert!((b.norm() - 1.0).abs() < 1e-6 && (c.norm() - 1.0).abs() < 1e-5);
            prop_assert!((a.cross(&b) - c).amax() < 1e-6);
        }
    }
}

fn all_finite<T: Real>(found: &[ContactPoint<T>]) -> bool {
    found.iter().all(|p| {
        let frame = contact_frame(&p.normal, &p.hint);
        p.distance.is_finite()
            && p.position.iter().chain(frame.iter().flat_map(|axis| axis.iter())).all(|x| x.is_finite())
    })
}

/// Every pair at every combination of degenerate places and orientations, from a micrometre to a thousand kilometres, in both
/// precisions: finite, the same every time, with unit normals.
#[test]
fn degenerate_poses_have_finite_points_at_every_scale() {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let turns = [[1.0, 0.0, 0.0, 0.0], [half, half, 0.0, 0.0], [half, 0.0, half, 0.0], [0.5; 4], [0.0, 1.0, 0.0, 0.0]];
    let places = [[0.0; 3], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [1.0, 1.0, 1.0], [0.0, 2.0, 0.0]];
    let mut count = 0;
    for scale in [1e-6, 1e-3, 1.0, 1e3, 1e6] {
        let (r, l) = (scale / 2.0, scale);
        let shapes = [
            Shape::Plane,
            Shape::Sphere { radius: r },
            Shape::Capsule { radius: r, half_length: l },
            Shape::Capsule { radius: 0.0, half_length: 0.0 },
            Shape::Box { half_sizes: [r, r, l] },
            Shape::Box { half_sizes: [0.0; 3] },
        ];
        for (i, a) in shapes.iter().enumerate() {
            for b in &shapes[i..] {
                for first in turns {
                    for (second, place) in turns.iter().flat_map(|t| places.map(|p| (*t, p))) {
                        let poses = [pose([0.0; 3], first), pose(place.map(|x| x * scale), second)];
                        let found = of(&[*a, *b], &poses, scale);
                        let single = of(&[narrow_shape(a), narrow_shape(b)], &poses.map(|p| narrow(&p)), scale as f32);
                        assert!(all_finite(&found) && all_finite(&single), "{a:?} {b:?} {poses:?}");
                        assert_eq!(found, of(&[*a, *b], &poses, scale));
                        assert!(found.iter().all(|p| (p.normal.norm() - 1.0).abs() < 1e-12));
                        assert!(single.iter().all(|p| (p.normal.norm() - 1.0).abs() < 1e-6));
                        count += found.len();
                    }
                }
            }
        }
    }
    assert!(count > 5000, "{count}");
}

/// A pose or size that is NaN, infinite, or a quaternion of zeros: no panic; NaN touches nothing.
#[test]
fn numbers_that_are_none_do_not_panic() {
    let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN_POSITIVE, -1.0, 0.0];
    let sizes = [0.5f32, f32::NAN, f32::INFINITY, f32::MAX];
    let shapes = |s: f32| {
        [
            Shape::Plane,
            Shape::Sphere { radius: s },
            Shape::Capsule { radius: s, half_length: s },
            Shape::Box { half_sizes: [s, 0.5, s] },
        ]
    };
    let good = Transform::<f32>::identity();
    for size in sizes {
        for (a, b) in shapes(size).iter().flat_map(|a| shapes(0.5).map(|b| (*a, b))) {
            for number in bad {
                for entry in 0..7 {
                    let mut posed = good;
                    if entry < 3 {
                        posed.position[entry] = number
                    } else {
                        posed.orientation.0[entry - 3] = number
                    }
                    for poses in [[good, posed], [posed, good], [posed, posed]] {
                        let found = of(&[a, b], &poses, 0.1);
                        assert!(entry >= 3 || !number.is_nan() || found.is_empty(), "{a:?} {b:?} {poses:?} {found:?}");
                        let mut scene = Scene::new();
                        for (shape, pose) in [a, b].into_iter().zip(poses) {
                            let body = scene.body(None, false, pose);
                            scene.geoms.push(geom(body, shape, [0.0; 3]));
                        }
                        assert!(scene.contacts::<4>().0.len() <= 4);
                    }
                }
            }
        }
    }
}

/// Lists that do not fit together (no frames, no groups, pairs of geoms that are not there): fewer contacts, no panic.
#[test]
fn lists_that_do_not_fit_do_not_panic() {
    let mut scene = Scene::<f32>::new();
    let body = scene.body(None, false, Transform::identity());
    scene.geoms.push(geom(None, Shape::Plane, [0.0; 3]));
    scene.geoms.push(geom(body, Shape::Sphere { radius: 0.5 }, [0.0; 3]));
    scene.geoms.push(geom(Some(77), Shape::Sphere { radius: 0.5 }, [0.0; 3]));
    scene.pairs.push(delassus::description::Pair {
        geoms: [0, 99],
        condim: 3,
        friction: [1.0; 5],
        margin: 0.0,
        gap: 0.0,
        softness: delassus::description::SoftnessNumbers::<f32>::DEFAULT,
        friction_solref: [0.0; 2],
    });
    assert_eq!(scene.contacts::<4>().0.len(), 1);
    scene.frames.clear();
    assert_eq!(scene.contacts::<4>().0, []);
    scene.groups.clear();
    assert_eq!(scene.contacts::<4>().0, []);
}
