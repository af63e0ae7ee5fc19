//! Thirteen bodies of every shape, a plane and a step in the world: all contacts, at poses that tumble.

use delassus::collision::detect;
use delassus::description::{
    Body, Description, Flags, FrictionCone, Geom, Integrator, Options, Pair, Shape, SoftnessNumbers,
};
use delassus::spatial::{Quaternion, Transform};
use nalgebra::Vector3;

/// Bodies.
pub const BODIES: usize = 13;

/// Room for contacts; less than there can be, so that the shallowest are dropped now and then.
pub const CONTACTS: usize = 24;

/// Contacts of one pose; lives in a `static` on the chip.
pub type List = delassus::collision::Contacts<f32, CONTACTS>;

const BODY: Body<f32> = Body {
    parent: None,
    position: [0.0; 3],
    orientation: [1.0, 0.0, 0.0, 0.0],
    mass: 1.0,
    center: [0.0; 3],
    inertia: [1.0; 3],
    inertia_orientation: [1.0, 0.0, 0.0, 0.0],
    gravity_compensation: 0.0,
};

/// Boxes have the second bit alone, so that they collide with all but each other.
const fn geom(body: Option<u16>, shape: Shape<f32>) -> Geom<f32> {
    let (contype, conaffinity) = if matches!(shape, Shape::Box { .. }) { (2, 1) } else { (1, 3) };
    Geom {
        body,
        shape,
        position: [0.01, 0.0, -0.02],
        orientation: [0.8, 0.0, 0.6, 0.0],
        contype,
        conaffinity,
        condim: 3,
        priority: 0,
        friction: [1.0, 0.005, 0.0001],
        solmix: 1.0,
        margin: 0.01,
        gap: 0.0,
        softness: SoftnessNumbers::<f32>::DEFAULT,
    }
}

const BALL: Shape<f32> = Shape::Sphere { radius: 0.1 };
const STICK: Shape<f32> = Shape::Capsule { radius: 0.05, half_length: 0.12 };
const BRICK: Shape<f32> = Shape::Box { half_sizes: [0.12, 0.08, 0.05] };

static BODY_LIST: [Body<f32>; BODIES] = [BODY; BODIES];

static GEOMS: [Geom<f32>; BODIES + 2] = [
    Geom { position: [0.0; 3], orientation: [1.0, 0.0, 0.0, 0.0], ..geom(None, Shape::Plane) },
    geom(None, Shape::Box { half_sizes: [0.3, 0.2, 0.15] }),
    geom(Some(0), BALL),
    geom(Some(1), STICK),
    geom(Some(2), BRICK),
    geom(Some(3), STICK),
    geom(Some(4), BALL),
    geom(Some(5), STICK),
    geom(Some(6), BRICK),
    geom(Some(7), BALL),
    geom(Some(8), STICK),
    geom(Some(9), BRICK),
    geom(Some(10), BALL),
    geom(Some(11), STICK),
    geom(Some(12), STICK),
];

static PAIRS: [Pair<f32>; 1] = [Pair {
    geoms: [3, 2],
    condim: 6,
    friction: [1.0, 1.0, 0.01, 0.001, 0.001],
    margin: 0.1,
    gap: 0.0,
    softness: SoftnessNumbers::<f32>::DEFAULT,
    friction_solref: [0.0; 2],
}];

static DESCRIPTION: Description<'static, f32> = Description {
    bodies: &BODY_LIST,
    geoms: &GEOMS,
    pairs: &PAIRS,
    excludes: &[[Some(4), Some(5)]],
    ..Description::with_options(Options {
        gravity: [0.0, 0.0, -9.81],
        step: 0.002,
        integrator: Integrator::Euler,
        cone: FrictionCone::Elliptic,
        impedance_ratio: 1.0,
        flags: Flags::DEFAULT,
    })
};

/// Every body moves on its own.
pub const GROUPS: [Option<u16>; BODIES] = {
    let mut groups = [None; BODIES];
    let mut body = 0;
    while body < BODIES {
        groups[body] = Some(body as u16);
        body += 1;
    }
    groups
};

/// The bodies' poses at the given moment: in three columns, each turning about an axis of its own.
pub fn frames(moment: u16) -> [Transform<f32>; BODIES] {
    core::array::from_fn(|i| {
        let (column, i) = ((i % 3) as f32, i as f32);
        let phase = f32::from(moment) * 0.05 + i;
        let (s, c) = delassus::scalar::sine_cosine(phase);
        Transform {
            position: Vector3::new(column * 0.15 - 0.15 + 0.04 * s, i * 0.06 - 0.35, 0.1 + 0.05 * c + 0.02 * column),
            orientation: Quaternion::about(&Vector3::new(0.6, 0.0, 0.8), phase),
        }
    })
}

/// The contacts at a moment; how many were dropped.
pub fn contacts(frames: &[Transform<f32>; BODIES], contacts: &mut List) -> usize {
    // A real mechanism is not known when the kernel is compiled.
    detect(core::hint::black_box(&DESCRIPTION), frames, core::hint::black_box(&GROUPS), contacts).dropped
}

/// Two hundred moments.
pub fn run(memory: &mut List, record: &mut impl FnMut(f32)) {
    for moment in 0..200 {
        let dropped = contacts(&frames(moment), memory);
        record(dropped as f32);
        for contact in memory.iter() {
            let [a, b] = contact.geoms;
            record(f32::from(a));
            record(f32::from(b));
            record(contact.distance);
            for x in contact.position.iter().chain(contact.frame.iter().flat_map(|axis| axis.iter())) {
                record(*x);
            }
        }
    }
}
