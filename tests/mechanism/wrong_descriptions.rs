//! Every fault of a description is named, with the culprit's index.

use super::build::{Mechanism, ball, free, hinge, slide, sphere};
use delassus::description::{
    Body, Description, EqualityKind, Geom, Joint, ModelError, Pair, Shape, Site, SoftnessNumbers,
};
use delassus::model::{Model, Smooth};

/// Body 0 hangs on a hinge, body 1 on a ball joint below it, body 2 slides by itself.
fn sound() -> Mechanism<f64> {
    let mut mechanism = Mechanism::new();
    mechanism.body(sphere(1.0, 0.1));
    mechanism.joint(hinge([0.0, 1.0, 0.0]));
    mechanism.body(Body { parent: Some(0), ..sphere(1.0, 0.1) });
    mechanism.joint(ball());
    mechanism.body(sphere(1.0, 0.1));
    mechanism.joint(slide([1.0, 0.0, 0.0]));
    mechanism
}

fn refused(mechanism: &Mechanism<f64>) -> Option<ModelError> {
    refused_description(&mechanism.description())
}

fn refused_description(description: &Description<'_, f64>) -> Option<ModelError> {
    let error = Model::<f64, 3, 9, 8>::new(description, &mut Smooth::filled(0.0)).err();
    if let Some(error) = error {
        assert!(!error.to_string().is_empty());
    }
    error
}

/// The sound mechanism after a change.
fn changed(change: impl FnOnce(&mut Mechanism<f64>)) -> Option<ModelError> {
    let mut mechanism = sound();
    change(&mut mechanism);
    refused(&mechanism)
}

/// Numbers that no description may hold, in any place of it.
const NOT_FINITE: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

#[test]
fn a_sound_mechanism_is_taken() {
    assert_eq!(refused(&sound()), None);
}

#[test]
fn too_many_of_anything() {
    assert_eq!(changed(|m| m.bodies.push(sphere(1.0, 0.1))), Some(ModelError::TooManyBodies { bodies: 4 }));
    let slides =
        |m: &mut Mechanism<f64>| (0..4).for_each(|_| m.joint(Joint { armature: 1.0, ..slide([0.0, 1.0, 0.0]) }));
    let mut mechanism = sound();
    slides(&mut mechanism);
    let roomy = Model::<f64, 3, 20, 8>::new(&mechanism.description(), &mut Smooth::filled(0.0)).err();
    assert_eq!(roomy, Some(ModelError::TooManyDofs { dofs: 9 }));
    let none = Model::<f64, 3, 20, 0>::new(&mechanism.description(), &mut Smooth::filled(0.0)).err();
    assert_eq!(none, Some(ModelError::TooManyDofs { dofs: 1 }));
    // 1 + 4 + 4 coordinates fit, one more does not.
    let crowd = |m: &mut Mechanism<f64>| {
        m.joints[2] = Joint { body: 2, ..ball() };
        m.joint(Joint { armature: 1.0, ..slide([1.0, 0.0, 0.0]) });
    };
    assert_eq!(changed(crowd), Some(ModelError::TooManyCoordinates { coordinates: 10 }));
    let wide = |m: &mut Mechanism<f64>| {
        m.joints[2] = Joint { body: 2, ..free() };
        m.joints.truncate(3);
    };
    assert_eq!(changed(wide), Some(ModelError::TooManyCoordinates { coordinates: 12 }));
}

#[test]
fn wrong_bodies() {
    for parent in [1, 2, 9, u16::MAX] {
        assert_eq!(changed(|m| m.bodies[1].parent = Some(parent)), Some(ModelError::ParentAfterChild { body: 1 }));
    }
    for bad in NOT_FINITE {
        let places: [fn(&mut Body<f64>) -> &mut f64; 7] = [
            |b| &mut b.position[2],
            |b| &mut b.orientation[1],
            |b| &mut b.mass,
            |b| &mut b.center[0],
            |b| &mut b.inertia[1],
            |b| &mut b.inertia_orientation[3],
            |b| &mut b.gravity_compensation,
        ];
        for place in places {
            assert_eq!(changed(|m| *place(&mut m.bodies[1]) = bad), Some(ModelError::BodyNotFinite { body: 1 }));
        }
    }
    assert_eq!(changed(|m| m.bodies[2].orientation = [0.0; 4]), Some(ModelError::BodyNotFinite { body: 2 }));
    assert_eq!(changed(|m| m.bodies[2].inertia_orientation = [0.0; 4]), Some(ModelError::BodyNotFinite { body: 2 }));
    assert_eq!(changed(|m| m.bodies[0].mass = -1e-9), Some(ModelError::NegativeMass { body: 0 }));
    assert_eq!(changed(|m| m.bodies[0].inertia[2] = -1e-9), Some(ModelError::NegativeMass { body: 0 }));
    for inertia in [[3.0, 1.0, 1.0], [1.0, 2.1, 1.0], [0.1, 0.1, 0.3]] {
        assert_eq!(changed(|m| m.bodies[1].inertia = inertia), Some(ModelError::ImpossibleInertia { body: 1 }));
    }
    // A flat plate is possible, also where rounding oversteps.
    assert_eq!(changed(|m| m.bodies[1].inertia = [0.1, 0.2, 0.1 + 0.2]), None);
}

#[test]
fn bodies_that_move_need_mass() {
    assert_eq!(changed(|m| m.bodies[1].mass = 0.0), Some(ModelError::MassTooSmall { body: 1 }));
    assert_eq!(changed(|m| m.bodies[1].inertia = [0.0; 3]), Some(ModelError::MassTooSmall { body: 1 }));
    // A body that is welded on has enough for both.
    let welded = |m: &mut Mechanism<f64>| {
        m.joints.pop();
        m.bodies[2].parent = Some(1);
        m.bodies[1].mass = 0.0;
    };
    assert_eq!(changed(welded), None);
    // A fixed body needs none.
    let fixed = |m: &mut Mechanism<f64>| {
        m.joints.pop();
        m.bodies[2].mass = 0.0;
    };
    assert_eq!(changed(fixed), None);
    // Two equal slides: each moves a mass, both together something without any.
    let twice = |m: &mut Mechanism<f64>| m.joint(slide([1.0, 0.0, 0.0]));
    // Either may be blamed.
    assert!(matches!(changed(twice), Some(ModelError::MasslessDof { dof: 4 | 5 })));
}

#[test]
fn wrong_joints() {
    assert_eq!(changed(|m| m.joints[2].body = 3), Some(ModelError::JointOrder { joint: 2 }));
    assert_eq!(changed(|m| m.joints.swap(0, 1)), Some(ModelError::JointOrder { joint: 1 }));
    assert_eq!(changed(|m| m.joints[1] = Joint { body: 1, ..free() }), Some(ModelError::FreeJointPlace { joint: 1 }));
    for order in [[free(), slide([1.0, 0.0, 0.0])], [slide([1.0, 0.0, 0.0]), free()]] {
        let mut mechanism = Mechanism::new();
        mechanism.body(sphere(1.0, 0.1));
        order.into_iter().for_each(|joint| mechanism.joint(joint));
        let joint = order.iter().position(|joint| joint.kind == free().kind).unwrap() as u16;
        assert_eq!(refused(&mechanism), Some(ModelError::FreeJointPlace { joint }));
    }
    // The engine's word on order (X-51 holds for a ball joint that is the last rotation): slides may follow, rotations not.
    for (later, refusal) in [(hinge([1.0, 0.0, 0.0]), true), (ball(), true), (slide([1.0, 0.0, 0.0]), false)] {
        let mut mechanism = Mechanism::new();
        mechanism.body(sphere(1.0, 0.1));
        mechanism.joint(hinge([0.0, 0.0, 1.0]));
        mechanism.joint(Joint { position: [0.1, 0.0, 0.0], armature: 0.1, ..ball() });
        mechanism.joint(Joint { armature: 0.1, ..later });
        assert_eq!(refused(&mechanism), refusal.then_some(ModelError::RotationAfterBall { joint: 2 }));
    }
    for bad in NOT_FINITE {
        let places: [fn(&mut Joint<f64>) -> &mut f64; 11] = [
            |j| &mut j.position[0],
            |j| &mut j.axis[2],
            |j| &mut j.reference,
            |j| &mut j.spring_reference,
            |j| &mut j.stiffness[1],
            |j| &mut j.damping[2],
            |j| &mut j.armature,
            |j| &mut j.friction_loss,
            |j| &mut j.margin,
            |j| &mut j.friction_softness.solref[0],
            |j| &mut j.limit_softness.solimp[4],
        ];
        for place in places {
            assert_eq!(changed(|m| *place(&mut m.joints[1]) = bad), Some(ModelError::JointNotFinite { joint: 1 }));
        }
        assert_eq!(changed(|m| m.joints[0].range = Some([bad, 1.0])), Some(ModelError::JointNotFinite { joint: 0 }));
    }
    for axis in [[0.0; 3], [1e-200, 0.0, 0.0]] {
        assert_eq!(changed(|m| m.joints[0].axis = axis), Some(ModelError::ZeroAxis { joint: 0 }));
        assert_eq!(changed(|m| m.joints[2].axis = axis), Some(ModelError::ZeroAxis { joint: 2 }));
        assert_eq!(changed(|m| m.joints[1].axis = axis), None); // a ball joint has none
    }
    let places: [fn(&mut Joint<f64>) -> &mut f64; 3] =
        [|j| &mut j.damping[1], |j| &mut j.armature, |j| &mut j.friction_loss];
    for place in places {
        assert_eq!(changed(|m| *place(&mut m.joints[2]) = -0.1), Some(ModelError::NegativeJointNumber { joint: 2 }));
    }
    for range in [[1.0, 1.0], [1.0, -1.0]] {
        assert_eq!(changed(|m| m.joints[0].range = Some(range)), Some(ModelError::BadRange { joint: 0 }));
    }
    for range in [[-1.0, 1.0], [0.0, 0.0], [0.0, -1.0]] {
        assert_eq!(changed(|m| m.joints[1].range = Some(range)), Some(ModelError::BadRange { joint: 1 }));
    }
    let limited_free = |m: &mut Mechanism<f64>| {
        m.joints.truncate(1);
        m.bodies.truncate(1);
        m.joints[0] = Joint { range: Some([0.0, 1.0]), ..free() };
    };
    assert_eq!(changed(limited_free), Some(ModelError::BadRange { joint: 0 }));
}

#[test]
fn wrong_sites_and_equalities() {
    let site = Site { body: Some(1), position: [0.0; 3], orientation: [1.0, 0.0, 0.0, 0.0] };
    for bad in [
        Site { body: Some(3), ..site },
        Site { position: [0.0, f64::NAN, 0.0], ..site },
        Site { orientation: [0.0; 4], ..site },
        Site { orientation: [f64::INFINITY, 0.0, 0.0, 0.0], ..site },
    ] {
        assert_eq!(changed(|m| m.sites.extend([site, bad])), Some(ModelError::BadSite { site: 1 }));
    }
    let equal = |kind| {
        let mut mechanism = sound();
        mechanism.sites.extend([site, site]);
        mechanism.equality(EqualityKind::Connect { bodies: [Some(0), Some(2)], anchor: [0.0; 3] });
        mechanism.equality(kind);
        refused(&mechanism)
    };
    let (anchor, relative_pose, torque_scale) = ([0.0; 3], None, 1.0);
    let (partner, number) =
        (ModelError::EqualityPartner { equality: 1 }, ModelError::EqualityNotFinite { equality: 1 });
    for bodies in [[Some(1), Some(1)], [None, None], [Some(3), None], [None, Some(u16::MAX)]] {
        assert_eq!(equal(EqualityKind::Connect { bodies, anchor }), Some(partner));
        assert_eq!(equal(EqualityKind::Weld { bodies, anchor, relative_pose, torque_scale }), Some(partner));
    }
    for sites in [[0, 0], [0, 2], [7, 1]] {
        assert_eq!(equal(EqualityKind::ConnectSites { sites }), Some(partner));
        assert_eq!(equal(EqualityKind::WeldSites { sites, torque_scale }), Some(partner));
    }
    let polynomial = [0.0, 1.0, 0.0, 0.0, 0.0];
    for (joint, leader) in [(1, None), (0, Some(1)), (0, Some(0)), (3, None), (0, Some(3))] {
        assert_eq!(equal(EqualityKind::Coupling { joint, leader, polynomial }), Some(partner));
    }
    let bodies = [Some(0), None];
    for bad in NOT_FINITE {
        assert_eq!(equal(EqualityKind::Connect { bodies, anchor: [bad, 0.0, 0.0] }), Some(number));
        assert_eq!(
            equal(EqualityKind::Weld { bodies, anchor: [0.0, bad, 0.0], relative_pose, torque_scale }),
            Some(number)
        );
        assert_eq!(equal(EqualityKind::Weld { bodies, anchor, relative_pose, torque_scale: bad }), Some(number));
        for pose in [([0.0, 0.0, bad], [1.0, 0.0, 0.0, 0.0]), ([0.0; 3], [bad, 0.0, 0.0, 0.0])] {
            let relative_pose = Some(pose);
            assert_eq!(equal(EqualityKind::Weld { bodies, anchor, relative_pose, torque_scale }), Some(number));
        }
        assert_eq!(equal(EqualityKind::WeldSites { sites: [0, 1], torque_scale: bad }), Some(number));
        let polynomial = [0.0, 1.0, 0.0, 0.0, bad];
        assert_eq!(equal(EqualityKind::Coupling { joint: 0, leader: Some(2), polynomial }), Some(number));
        let soft = |m: &mut Mechanism<f64>| {
            m.equality(EqualityKind::Connect { bodies, anchor }).softness.solimp[2] = bad;
        };
        assert_eq!(changed(soft), Some(ModelError::EqualityNotFinite { equality: 0 }));
    }
    let zero = Some(([0.0; 3], [0.0; 4]));
    assert_eq!(equal(EqualityKind::Weld { bodies, anchor, relative_pose: zero, torque_scale }), Some(number));
}

#[test]
fn wrong_options() {
    let places: [fn(&mut Mechanism<f64>) -> &mut f64; 3] =
        [|m| &mut m.options.step, |m| &mut m.options.impedance_ratio, |m| &mut m.options.gravity[2]];
    for (index, place) in places.into_iter().enumerate() {
        for bad in NOT_FINITE {
            assert_eq!(changed(|m| *place(m) = bad), Some(ModelError::BadOptions));
        }
        for bad in [0.0, -1.0] {
            let expected = (index < 2).then_some(ModelError::BadOptions);
            assert_eq!(changed(|m| *place(m) = bad), expected);
        }
    }
}

#[test]
fn wrong_geoms_pairs_and_excludes() {
    let mechanism = sound();
    let ball = Geom::<f64>::new(Some(1), Shape::Sphere { radius: 0.1 });
    let floor = Geom::<f64>::new(None, Shape::Plane);
    let soft = |solref| SoftnessNumbers { solref, ..SoftnessNumbers::<f64>::DEFAULT };
    for bad in [
        Geom { body: Some(3), ..ball },
        Geom { body: None, ..ball }, // after one of body 1
        Geom { shape: Shape::Sphere { radius: 0.0 }, ..ball },
        Geom { shape: Shape::Sphere { radius: f64::NAN }, ..ball },
        Geom { shape: Shape::Capsule { radius: 0.1, half_length: -1.0 }, ..ball },
        Geom { shape: Shape::Box { half_sizes: [1.0, 0.0, 1.0] }, ..ball },
        Geom { condim: 2, ..ball },
        Geom { position: [f64::INFINITY, 0.0, 0.0], ..ball },
        Geom { orientation: [0.0; 4], ..ball },
        Geom { friction: [1.0, -0.1, 0.0], ..ball },
        Geom { solmix: -1.0, ..ball },
        Geom { margin: f64::NAN, ..ball },
        Geom { gap: f64::INFINITY, ..ball },
        Geom { softness: soft([f64::NAN, 1.0]), ..ball },
    ] {
        let description = Description { geoms: &[floor, ball, bad], ..mechanism.description() };
        assert_eq!(refused_description(&description), Some(ModelError::BadGeom { geom: 2 }), "{bad:?}");
    }
    let pair = Pair {
        geoms: [0, 1],
        condim: 3,
        friction: [1.0, 1.0, 0.005, 0.0001, 0.0001],
        margin: 0.0,
        gap: 0.0,
        softness: SoftnessNumbers::<f64>::DEFAULT,
        friction_solref: [0.0; 2],
    };
    let geoms = &[floor, floor, ball];
    for bad in [
        Pair { geoms: [0, 3], ..pair },
        Pair { geoms: [2, 2], ..pair },
        Pair { geoms: [0, 1], ..pair }, // both in the world
        Pair { geoms: [0, 2], condim: 5, ..pair },
        Pair { geoms: [0, 2], friction: [1.0, 1.0, f64::NAN, 0.0, 0.0], ..pair },
        Pair { geoms: [0, 2], margin: f64::INFINITY, ..pair },
        Pair { geoms: [0, 2], friction_solref: [f64::NAN, 0.0], ..pair },
        Pair { geoms: [0, 2], softness: soft([0.02, f64::INFINITY]), ..pair },
    ] {
        let description = Description { geoms, pairs: &[bad], ..mechanism.description() };
        assert_eq!(refused_description(&description), Some(ModelError::BadPair { pair: 0 }), "{bad:?}");
    }
    let description = Description { excludes: &[[Some(0), None], [Some(1), Some(3)]], ..mechanism.description() };
    assert_eq!(refused_description(&description), Some(ModelError::BadExclude { exclude: 1 }));
}
