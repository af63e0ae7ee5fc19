//! The worked examples that concern collision (WORKED W11-01, 02, 21 … 23, 38), and rules that no golden file shows alone.

use super::setting::{Scene, geom, pose};
use delassus::collision::frame::contact_frame;
use delassus::collision::parameters::Parameters;
use delassus::collision::{Contacts, contact_capacity, detect, first_unsupported, pair::supported};
use delassus::description::{Pair, Shape, SoftnessNumbers};
use delassus::scalar::dot;
use nalgebra::Vector3;

/// A ball over the plane z = 0.
fn ball(radius: f64, height: f64, margin: f64, gap: f64) -> Scene<f64> {
    let mut scene = Scene::new();
    scene.geoms.push(geom(None, Shape::Plane, [0.0; 3]));
    let body = scene.body(None, false, pose([0.0, 0.0, height], [1.0, 0.0, 0.0, 0.0]));
    scene.geoms.push(geom(body, Shape::Sphere { radius }, [0.0; 3]));
    (scene.geoms[1].margin, scene.geoms[1].gap) = (margin, gap);
    scene
}

/// W11-01a … e: listed up to margin + gap, inclusive; rows below the margin, strictly (S11-03, S11-04).
#[test]
fn w11_01_contacts_are_listed_up_to_margin_and_gap_and_active_below_the_margin() {
    for (s, contacts, active) in [(0.5, 0, 0), (0.40625, 1, 0), (0.25, 1, 0), (0.203125, 1, 1), (-0.0625, 1, 1)] {
        let (found, dropped) = ball(0.25, 0.25 + s, 0.25, 0.15625).contacts::<4>();
        assert_eq!(
            (found.len(), found.iter().filter(|c| c.active()).count(), dropped),
            (contacts, active, 0),
            "s = {s}"
        );
        assert!(found.iter().all(|c| c.distance == s && c.margin == 0.25 && c.gap == 0.15625));
    }
}

/// W11-02: apart, yet with a negative recovery error. W11-22, W11-38: the engine's frame and the point between the surfaces.
#[test]
fn w11_02_w11_22_w11_38_ball_on_a_plane() {
    let (found, _) = ball(0.2, 0.21, 0.02, 0.0).contacts::<1>();
    assert!((found[0].distance - found[0].margin + 0.01).abs() < 1e-15 && found[0].active());
    let (found, _) = ball(0.2, 0.19, 0.02, 0.0).contacts::<1>();
    assert!((found[0].position - Vector3::new(0.0, 0.0, -0.005)).amax() < 1e-15);
    assert!((found[0].distance + 0.01).abs() < 1e-15);
    let axes = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]].map(Vector3::from);
    assert_eq!(found[0].frame, axes);
    assert_eq!(found[0].geoms, [0, 1]);
}

/// W11-21, W11-23: velocities of the three rows of the ball, (n·v, t1·v, t2·v), with t1 along x and in the engine's frame (S11-16).
#[test]
fn w11_21_w11_23_row_velocities() {
    let v = [0.8, 0.0, -0.1];
    let (found, _) = ball(0.2, 0.19, 0.02, 0.0).contacts::<1>();
    let rows = |frame: [Vector3<f64>; 3]| frame.map(|axis| dot(axis.as_slice(), &v));
    assert_eq!(rows(found[0].frame), [-0.1, 0.0, -0.8]);
    assert_eq!(rows(contact_frame(&found[0].frame[0], &Vector3::new(1.0, 0.0, 0.0))), [-0.1, 0.8, 0.0]);
}

/// S11-05, S11-18: the normal points from geom 1 to geom 2, so moving geom 2 up raises the distance by as much.
#[test]
fn s11_05_moving_up_raises_the_distance() {
    let distance = |height| ball(0.2, height, 1.0, 0.0).contacts::<1>().0[0].distance;
    assert!((distance(0.3) - distance(0.1) - 0.2).abs() < 1e-15);
}

/// a friction of zero becomes 1e-5; a pair's own numbers stand, whatever the geoms say.
#[test]
fn x_31_friction_has_a_floor_and_a_pair_has_its_own_numbers() {
    let mut scene = ball(0.2, 0.19, 0.02, 0.01);
    for geom in &mut scene.geoms {
        geom.friction = [0.0; 3];
    }
    let mixed = Parameters::mixed(&scene.geoms[0], &scene.geoms[1]);
    assert_eq!(mixed.friction, [1e-5; 5]);
    let pair = Pair {
        geoms: [1, 0],
        condim: 6,
        friction: [0.7, 0.0, 0.02, 0.001, 1e-7],
        margin: 0.5,
        gap: 0.25,
        softness: SoftnessNumbers { solref: [-100.0, -1.0], ..SoftnessNumbers::<f64>::DEFAULT },
        friction_solref: [0.05, 0.5],
    };
    scene.pairs.push(pair);
    scene.geoms[0].contype = 0;
    scene.geoms[0].conaffinity = 0; // the bits would forbid it
    let (found, _) = scene.contacts::<4>();
    assert_eq!(found.len(), 1);
    let c = found[0];
    assert_eq!((c.geoms, c.condim, c.margin, c.gap), ([0, 1], 6, 0.5, 0.25));
    assert_eq!(c.friction, [0.7, 1e-5, 0.02, 0.001, 1e-5]);
    assert_eq!((c.softness, c.friction_solref), (pair.softness, [0.05, 0.5]));
}

/// two boxes have no routine here. They are named, in the order of X-67, unless a filter keeps them apart.
#[test]
fn two_boxes_that_can_collide_are_named() {
    let cube = Shape::Box { half_sizes: [0.1; 3] };
    assert!(
        !supported(&cube, &cube) && supported(&cube, &Shape::Plane) && !supported::<f64>(&Shape::Plane, &Shape::Plane)
    );
    let mut scene = ball(0.2, 0.19, 0.02, 0.01);
    let unsupported = |scene: &Scene<f64>| scene.with(|description| first_unsupported(description, &scene.groups));
    assert_eq!(unsupported(&scene), None);
    scene.geoms.insert(1, geom(None, cube, [0.0; 3]));
    scene.geoms.push(geom(Some(0), cube, [0.0; 3]));
    assert_eq!(unsupported(&scene), Some([1, 3]));
    assert_eq!(scene.contacts::<8>().0.iter().filter(|c| c.geoms == [1, 3]).count(), 0);
    // ball–plane 1, box–plane 4, ball–box 1
    assert_eq!(scene.with(|description| contact_capacity(description, &scene.groups)), 6);
    // Where they are: one inside the other, then surely apart along a face, an edge and a corner.
    let meeting = |scene: &Scene<f64>| {
        let mut list = Contacts::<_, 8>::new();
        scene.with(|description| detect(description, &scene.frames, &scene.groups, &mut list)).unsupported
    };
    assert_eq!(meeting(&scene), Some([1, 3]));
    for (away, apart) in
        [([0.24, 0.0, 0.0], true), ([0.19, 0.0, 0.0], false), ([0.24, 0.24, 0.1], true), ([0.1; 3], false)]
    {
        scene.geoms[1].position = core::array::from_fn(|k| scene.frames[0].position[k] + away[k]);
        assert_eq!(meeting(&scene).is_none(), apart, "{away:?}");
    }
    scene.geoms[1].position = [0.0; 3];
    scene.excludes.push([Some(0), None]);
    assert_eq!(unsupported(&scene), None);
    assert_eq!(scene.contacts::<8>().0, []);
}

/// parent and child do not collide, unless the flag or a jointless body that makes both static says otherwise; a body welded to
/// the world is the world; an explicit pair inside one body collides as written.
#[test]
fn x_32_filters_follow_weld_groups() {
    let ball = Shape::Sphere { radius: 0.1 };
    let here = pose([0.0; 3], [1.0, 0.0, 0.0, 0.0]);
    let mut scene = Scene::new();
    let fixed = scene.body(None, true, here);
    let base = scene.body(fixed, false, here);
    let plate = scene.body(base, true, here);
    let arm = scene.body(plate, false, here);
    let hand = scene.body(arm, false, here);
    for body in [fixed, base, plate, arm, hand] {
        scene.geoms.push(geom(body, ball, [0.0; 3]));
    }
    let pairs = |scene: &Scene<f64>| scene.contacts::<32>().0.iter().map(|c| c.geoms).collect::<Vec<_>>();
    // 1 and 2 are one group, whose child is 3; 0 is the world's, whose children do collide with it.
    assert_eq!(pairs(&scene), [[0, 1], [0, 2], [0, 3], [0, 4], [1, 4], [2, 4]]);
    scene.excludes.push([hand, base]);
    assert_eq!(pairs(&scene), [[0, 1], [0, 2], [0, 3], [0, 4], [2, 4]]);
    scene.unfiltered = true;
    assert_eq!(pairs(&scene), [[0, 1], [0, 2], [0, 3], [0, 4], [1, 3], [2, 3], [2, 4], [3, 4]]);
    scene.geoms.push(geom(hand, ball, [0.01, 0.0, 0.0]));
    let own = |geoms| Pair {
        geoms,
        condim: 1,
        friction: [1.0; 5],
        margin: 0.0,
        gap: 0.0,
        softness: SoftnessNumbers::<f64>::DEFAULT,
        friction_solref: [0.0; 2],
    };
    scene.pairs = vec![own([5, 4]), own([4, 0]), own([1, 2])];
    assert_eq!(
        pairs(&scene),
        [[0, 1], [0, 2], [0, 3], [0, 4], [0, 5], [1, 2], [1, 3], [2, 3], [2, 4], [2, 5], [3, 4], [3, 5], [5, 4]]
    );
}
