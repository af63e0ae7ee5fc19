//! A model's type says what its description makes use of: what it says follows from the description, and more is refused.

use delassus::description::{
    Actuator, Body, Description, Equality, EqualityKind, FrictionCone, Geom, Joint, JointKind, ModelError, Pair, Shape,
    SoftnessNumbers, Tendon, TendonJoint, TendonPath, Transmission, Uses,
};
use delassus::model::{Model, Smooth};

const SPHERE: Shape<f64> = Shape::Sphere { radius: 0.1 };
const CAPSULE: Shape<f64> = Shape::Capsule { radius: 0.1, half_length: 0.2 };
const BOX: Shape<f64> = Shape::Box { half_sizes: [0.1; 3] };

fn empty() -> Description<'static, f64> {
    Description::<f64>::empty(0.002)
}

/// Two geoms in the world and on the first body.
fn geoms(first: Shape<f64>, second: Shape<f64>, condim: u8) -> [Geom<f64>; 2] {
    let geom = |body, shape| Geom { condim, ..Geom::<f64>::new(body, shape) };
    [geom(None, first), geom(Some(0), second)]
}

#[test]
fn every_pair_of_shapes_has_its_part_in_either_order() {
    let cases = [
        (Shape::Plane, SPHERE, Uses::PLANE_SPHERE),
        (Shape::Plane, CAPSULE, Uses::PLANE_CAPSULE),
        (Shape::Plane, BOX, Uses::PLANE_BOX),
        (SPHERE, SPHERE, Uses::SPHERE_SPHERE),
        (SPHERE, CAPSULE, Uses::SPHERE_CAPSULE),
        (SPHERE, BOX, Uses::SPHERE_BOX),
        (CAPSULE, CAPSULE, Uses::CAPSULE_CAPSULE),
        (CAPSULE, BOX, Uses::CAPSULE_BOX),
        (BOX, BOX, Uses::BOX_BOX),
    ];
    for (a, b, part) in cases {
        for (a, b) in [(a, b), (b, a)] {
            let geoms = geoms(a, b, 3);
            let uses = Uses::of(&Description { geoms: &geoms, ..empty() });
            assert_eq!(uses, part.and(Uses::PYRAMIDAL), "{a:?} {b:?}");
        }
    }
    let planes = geoms(Shape::Plane, Shape::Plane, 1);
    assert_eq!(Uses::of(&Description { geoms: &planes, ..empty() }), Uses::FRICTIONLESS);
}

#[test]
fn cone_and_dimension_say_which_contacts_there_are() {
    let mut options = empty().options;
    options.cone = FrictionCone::Elliptic;
    for (condim, part) in [(1, Uses::FRICTIONLESS), (3, Uses::ELLIPTIC), (4, Uses::ELLIPTIC), (6, Uses::ELLIPTIC)] {
        let geoms = geoms(Shape::Plane, SPHERE, condim);
        assert_eq!(Uses::of(&Description { geoms: &geoms, options, ..empty() }), Uses::PLANE_SPHERE.and(part));
    }
    // Of different dimensions priority decides, which nobody looks at here: both.
    let mut both = geoms(Shape::Plane, SPHERE, 1);
    both[1].condim = 3;
    let uses = Uses::of(&Description { geoms: &both, options, ..empty() });
    assert!(uses.has(Uses::FRICTIONLESS.and(Uses::ELLIPTIC)));
    // Bits that never meet.
    both[1].contype = 0;
    both[0].contype = 0;
    assert_eq!(Uses::of(&Description { geoms: &both, ..empty() }), Uses::NOTHING);
    // But a pair with parameters of its own skips them.
    let pair = Pair {
        geoms: [0, 1],
        condim: 3,
        friction: [1.0; 5],
        margin: 0.0,
        gap: 0.0,
        softness: SoftnessNumbers::<f64>::DEFAULT,
        friction_solref: [0.0; 2],
    };
    let uses = Uses::of(&Description { geoms: &both, pairs: &[pair], ..empty() });
    assert_eq!(uses, Uses::PAIR.and(Uses::PLANE_SPHERE).and(Uses::PYRAMIDAL));
}

/// Hinges of two trees, and room to spare: what the descriptions below have in common.
const HINGED: Uses = HINGES.and(Uses::PADDED);
const HINGES: Uses = Uses::HINGE.and(Uses::BRANCHED);

/// Hinges, and what a list adds to them.
fn refused(description: &Description<'_, f64>, part: Uses) {
    assert_eq!(Uses::of(description), part.and(HINGES));
    let mut smooth = Smooth::filled(0.0);
    let nothing = Model::<f64, 2, 8, 8, { HINGED.bits() }>::stated(description, &mut smooth, &mut []);
    assert_eq!(nothing.err(), Some(ModelError::UsesMore), "{part:?}");
    let mut constants = [delassus::tendon::TendonConstants::filled(0.0)];
    let all = Model::<f64, 2, 8, 8>::with_tendons(description, &mut smooth, &mut constants);
    assert!(all.is_ok(), "{part:?}: {:?}", all.err());
}

#[test]
fn what_the_type_does_not_state_is_refused() {
    let bodies = [Body::<f64>::new(1.0, [0.1; 3]); 2];
    let joints = [Joint::<f64>::hinge(0), Joint::<f64>::hinge(1)];
    let base = Description { bodies: &bodies, joints: &joints, ..empty() };
    let mut smooth = Smooth::filled(0.0);
    assert!(Model::<f64, 2, 2, 2, { HINGES.bits() }>::stated(&base, &mut smooth, &mut []).is_ok());
    let nothing = Model::<f64, 2, 2, 2, { Uses::NOTHING.bits() }>::stated(&base, &mut smooth, &mut []);
    assert_eq!(nothing.err(), Some(ModelError::UsesMore));

    let ranged = [Joint { range: Some([-1.0, 1.0]), ..joints[0] }, joints[1]];
    refused(&Description { joints: &ranged, ..base }, Uses::LIMIT);
    let balls = [Joint::<f64>::new(JointKind::Ball, 0), joints[1]];
    refused(&Description { joints: &balls, ..base }, Uses::BALL);
    for (kind, part) in [(JointKind::Slide, Uses::SLIDE), (JointKind::Free, Uses::FREE)] {
        let others = [Joint::<f64>::new(kind, 0), joints[1]];
        refused(&Description { joints: &others, ..base }, part);
    }
    let motors = [Actuator::<f64>::motor(Transmission::Joint(0))];
    refused(&Description { actuators: &motors, ..base }, Uses::ACTUATOR);
    let tendons = [Tendon::<f64>::new(TendonPath::Joints { first: 0, count: 1 })];
    let parts = [TendonJoint { joint: 0, coefficient: 1.0 }];
    let tied = Description { tendons: &tendons, tendon_joints: &parts, ..base };
    refused(&tied, Uses::TENDON.and(Uses::LIMIT));
    let pair = [Some(0), Some(1)];
    for (kind, part) in [
        (EqualityKind::Connect { bodies: pair, anchor: [0.0; 3] }, Uses::CONNECT),
        (EqualityKind::Weld { bodies: pair, anchor: [0.0; 3], relative_pose: None, torque_scale: 1.0 }, Uses::WELD),
        (EqualityKind::Coupling { joint: 0, leader: Some(1), polynomial: [0.0, 1.0, 0.0, 0.0, 0.0] }, Uses::COUPLING),
    ] {
        let equalities = [Equality { active: true, kind, softness: SoftnessNumbers::<f64>::DEFAULT }];
        refused(&Description { equalities: &equalities, ..base }, part);
    }
    let touching = geoms(Shape::Plane, SPHERE, 1);
    refused(&Description { geoms: &touching, ..base }, Uses::PLANE_SPHERE.and(Uses::FRICTIONLESS));
}

#[test]
fn room_to_spare_is_stated_or_refused() {
    let bodies = [Body::<f64>::new(1.0, [0.1; 3]); 2];
    let joints = [Joint::<f64>::hinge(0), Joint::<f64>::hinge(1)];
    let base = Description { bodies: &bodies, joints: &joints, ..empty() };
    fn check<const NB: usize, const NQ: usize, const NV: usize>(base: &Description<'_, f64>, full: bool) {
        let mut smooth = Smooth::filled(0.0);
        let exact = Model::<f64, NB, NQ, NV, { HINGES.bits() }>::stated(base, &mut smooth, &mut []);
        assert_eq!(exact.err(), (!full).then_some(ModelError::UsesMore), "{NB} {NQ} {NV}");
        assert!(Model::<f64, NB, NQ, NV, { HINGED.bits() }>::stated(base, &mut smooth, &mut []).is_ok());
    }
    check::<2, 2, 2>(&base, true);
    check::<3, 2, 2>(&base, false);
    check::<2, 3, 2>(&base, false);
    check::<2, 2, 3>(&base, false);
}

/// A chain is every body on the one before it; all else is branched, several trees too.
#[test]
fn a_chain_is_told_from_branches() {
    let uses = |parents: &[Option<u16>]| {
        let bodies: Vec<_> =
            parents.iter().map(|parent| Body::<f64> { parent: *parent, ..Body::<f64>::new(1.0, [0.1; 3]) }).collect();
        Uses::of(&Description { bodies: &bodies, ..empty() })
    };
    assert_eq!(uses(&[None]), Uses::NOTHING);
    assert_eq!(uses(&[None, Some(0), Some(1)]), Uses::NOTHING);
    assert_eq!(uses(&[None, Some(0), Some(0)]), Uses::BRANCHED);
    assert_eq!(uses(&[None, None]), Uses::BRANCHED);
}
