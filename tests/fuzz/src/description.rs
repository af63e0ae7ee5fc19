//! Descriptions from bytes.

use delassus::description::{
    Actuator, Body, Description, Equality, EqualityKind, Flags, FrictionCone, Geom, Integrator, Joint, JointKind,
    Options, Pair, Shape, Site, SoftnessNumbers, Tendon, TendonJoint, TendonPath, Transmission,
};

use crate::numbers::{Bytes, Float};

/// Bodies at most, one more than fit.
const BODIES: usize = 5;

/// A description that owns its lists.
pub struct Lists<T> {
    pub bodies: Vec<Body<T>>,
    pub joints: Vec<Joint<T>>,
    pub sites: Vec<Site<T>>,
    pub geoms: Vec<Geom<T>>,
    pub pairs: Vec<Pair<T>>,
    pub excludes: Vec<[Option<u16>; 2]>,
    pub equalities: Vec<Equality<T>>,
    pub tendons: Vec<Tendon<T>>,
    pub tendon_joints: Vec<TendonJoint<T>>,
    pub tendon_sites: Vec<u16>,
    pub actuators: Vec<Actuator<T>>,
    pub options: Options<T>,
}

impl<T: Float> Lists<T> {
    pub fn description(&self) -> Description<'_, T> {
        Description {
            bodies: &self.bodies,
            joints: &self.joints,
            sites: &self.sites,
            geoms: &self.geoms,
            pairs: &self.pairs,
            excludes: &self.excludes,
            equalities: &self.equalities,
            tendons: &self.tendons,
            tendon_joints: &self.tendon_joints,
            tendon_sites: &self.tendon_sites,
            actuators: &self.actuators,
            options: self.options,
        }
    }
}

/// Mostly an index that exists.
pub fn index(bytes: &mut Bytes<'_>, count: usize) -> u16 {
    match bytes.byte() {
        255 => u16::MAX,
        254 => count as u16,
        tag => (usize::from(tag) % count.max(1)) as u16,
    }
}

fn body_of(bytes: &mut Bytes<'_>, count: usize) -> Option<u16> {
    bytes.maybe(|b| index(b, count))
}

fn quaternion<T: Float>(bytes: &mut Bytes<'_>) -> [T; 4] {
    let (zero, one) = (T::zero(), T::one());
    match bytes.byte() {
        0..100 => [one, zero, zero, zero],
        100..180 => {
            let q: [T; 4] = bytes.numbers();
            let square = q.iter().fold(zero, |sum, x| sum + *x * *x);
            q.map(|x| x / delassus::scalar::square_root(square))
        }
        180..230 => {
            let half = delassus::scalar::literal(0.5);
            [half, -half, half, half]
        }
        _ => bytes.numbers(),
    }
}

/// Zero, half of the time.
pub fn rarely<T: Float>(bytes: &mut Bytes<'_>) -> T {
    if bytes.yes() { T::zero() } else { bytes.number() }
}

pub fn rarely_three<T: Float>(bytes: &mut Bytes<'_>) -> [T; 3] {
    std::array::from_fn(|_| rarely(bytes))
}

fn softness<T: Float>(bytes: &mut Bytes<'_>) -> SoftnessNumbers<T> {
    if bytes.yes() {
        let usual = SoftnessNumbers::<f64>::DEFAULT;
        return SoftnessNumbers {
            solref: usual.solref.map(delassus::scalar::literal),
            solimp: usual.solimp.map(delassus::scalar::literal),
        };
    }
    SoftnessNumbers { solref: bytes.numbers(), solimp: bytes.numbers() }
}

fn range<T: Float>(bytes: &mut Bytes<'_>) -> Option<[T; 2]> {
    bytes.maybe(|b| {
        let (a, c): (T, T) = (b.number(), b.number());
        if b.byte() < 240 && a > c { [c, a] } else { [a, c] }
    })
}

fn body<T: Float>(bytes: &mut Bytes<'_>, index: usize) -> Body<T> {
    Body {
        parent: body_of(bytes, index).filter(|p| index > 0 || *p > 0),
        position: bytes.numbers(),
        orientation: quaternion(bytes),
        mass: bytes.positive(),
        center: rarely_three(bytes),
        inertia: if bytes.byte() < 200 { [bytes.positive(); 3] } else { bytes.positives() },
        inertia_orientation: quaternion(bytes),
        gravity_compensation: rarely(bytes),
    }
}

fn joint<T: Float>(bytes: &mut Bytes<'_>, body: u16, first: bool) -> Joint<T> {
    use JointKind::{Ball, Free, Hinge, Slide};
    let kind = if first {
        bytes.among(&[Hinge, Slide, Ball, Free, Hinge, Free])
    } else {
        bytes.among(&[Hinge, Slide, Hinge, Slide, Ball])
    };
    let single = matches!(kind, Hinge | Slide) || bytes.byte() > 240;
    Joint {
        body,
        kind,
        position: if kind == Free { [T::zero(); 3] } else { rarely_three(bytes) },
        axis: if bytes.yes() { [T::zero(), T::one(), T::zero()] } else { bytes.numbers() },
        reference: if single { rarely(bytes) } else { T::zero() },
        spring_reference: if single { rarely(bytes) } else { T::zero() },
        stiffness: [rarely(bytes), rarely(bytes), T::zero()],
        damping: [rarely(bytes), rarely(bytes), rarely(bytes)],
        armature: if bytes.yes() { T::zero() } else { bytes.positive() },
        friction_loss: if bytes.yes() { T::zero() } else { bytes.positive() },
        friction_softness: softness(bytes),
        range: if kind == Free { None } else { range(bytes) },
        margin: rarely(bytes),
        limit_softness: softness(bytes),
        actuator_force_range: if single { range(bytes) } else { None },
        actuator_compensates_gravity: bytes.byte() > 200,
    }
}

fn shape<T: Float>(bytes: &mut Bytes<'_>) -> Shape<T> {
    match bytes.below(4) {
        0 => Shape::Plane,
        1 => Shape::Sphere { radius: bytes.positive() },
        2 => Shape::Capsule { radius: bytes.positive(), half_length: bytes.positive() },
        _ => Shape::Box { half_sizes: bytes.positives() },
    }
}

fn geom<T: Float>(bytes: &mut Bytes<'_>, body: Option<u16>) -> Geom<T> {
    let shape = if body.is_none() && bytes.yes() { Shape::Plane } else { shape(bytes) };
    Geom {
        body,
        shape,
        position: rarely_three(bytes),
        orientation: quaternion(bytes),
        contype: bytes.among(&[1, 1, 3, u32::MAX, 0]),
        conaffinity: bytes.among(&[1, 1, 3, u32::MAX, 0]),
        condim: bytes.among(&[1, 3, 3, 4, 6, 6, 0, 2, 255]),
        priority: bytes.among(&[0, 0, 1, i32::MIN, i32::MAX]),
        friction: bytes.positives(),
        solmix: bytes.positive(),
        margin: rarely(bytes),
        gap: rarely(bytes),
        softness: softness(bytes),
    }
}

fn equality<T: Float>(bytes: &mut Bytes<'_>, lists: &Lists<T>) -> Equality<T> {
    let (bodies, sites) = (lists.bodies.len(), lists.sites.len());
    let (joints, tendons) = (lists.joints.len(), lists.tendons.len());
    let kind = match bytes.below(6) {
        0 => {
            EqualityKind::Connect { bodies: [body_of(bytes, bodies), body_of(bytes, bodies)], anchor: bytes.numbers() }
        }
        1 => EqualityKind::ConnectSites { sites: [index(bytes, sites), index(bytes, sites)] },
        2 => EqualityKind::Weld {
            bodies: [body_of(bytes, bodies), body_of(bytes, bodies)],
            anchor: bytes.numbers(),
            relative_pose: bytes.maybe(|b| (b.numbers(), quaternion(b))),
            torque_scale: bytes.positive(),
        },
        3 => EqualityKind::WeldSites {
            sites: [index(bytes, sites), index(bytes, sites)],
            torque_scale: bytes.positive(),
        },
        4 => EqualityKind::Coupling {
            joint: index(bytes, joints),
            leader: bytes.maybe(|b| index(b, joints)),
            polynomial: std::array::from_fn(|_| rarely(bytes)),
        },
        _ => EqualityKind::TendonCoupling {
            tendon: index(bytes, tendons),
            leader: bytes.maybe(|b| index(b, tendons)),
            polynomial: std::array::from_fn(|_| rarely(bytes)),
        },
    };
    Equality { kind, active: bytes.byte() < 230, softness: softness(bytes) }
}

fn tendons<T: Float>(bytes: &mut Bytes<'_>, lists: &mut Lists<T>) {
    for _ in 0..bytes.below(3) {
        let path = if bytes.yes() && !lists.joints.is_empty() {
            let (first, count) = (lists.tendon_joints.len() as u16, 1 + bytes.below(3) as u16);
            for _ in 0..count {
                let joint = index(bytes, lists.joints.len());
                lists.tendon_joints.push(TendonJoint { joint, coefficient: bytes.number() });
            }
            TendonPath::Joints { first, count }
        } else {
            let (first, count) = (lists.tendon_sites.len() as u16, 2 + bytes.below(2) as u16);
            for _ in 0..count {
                let site = index(bytes, lists.sites.len());
                lists.tendon_sites.push(site);
            }
            TendonPath::Sites { first, count }
        };
        // Now and then a stretch that is not there.
        let path = match (path, bytes.byte()) {
            (TendonPath::Joints { first, .. }, 250..) => TendonPath::Joints { first, count: u16::MAX },
            (TendonPath::Sites { count, .. }, 250..) => TendonPath::Sites { first: u16::MAX, count },
            (path, _) => path,
        };
        lists.tendons.push(Tendon {
            path,
            stiffness: [rarely(bytes), rarely(bytes), T::zero()],
            damping: [rarely(bytes), rarely(bytes), T::zero()],
            spring_length: range(bytes),
            armature: if bytes.yes() { T::zero() } else { bytes.positive() },
            friction_loss: if bytes.yes() { T::zero() } else { bytes.positive() },
            friction_softness: softness(bytes),
            range: range(bytes),
            margin: rarely(bytes),
            limit_softness: softness(bytes),
            actuator_force_range: range(bytes),
        });
    }
}

fn actuator<T: Float>(bytes: &mut Bytes<'_>, lists: &Lists<T>) -> Actuator<T> {
    Actuator {
        transmission: if bytes.byte() < 170 {
            Transmission::Joint(index(bytes, lists.joints.len()))
        } else {
            Transmission::Tendon(index(bytes, lists.tendons.len()))
        },
        gear: bytes.numbers(),
        gain: bytes.numbers(),
        bias: rarely_three(bytes),
        control_range: range(bytes),
        force_range: range(bytes),
    }
}

fn options<T: Float>(bytes: &mut Bytes<'_>) -> Options<T> {
    use delassus::scalar::literal;
    let mut flags = Flags::DEFAULT;
    if bytes.yes() {
        let all = u16::from_le_bytes([bytes.byte(), bytes.byte()]);
        let mut next = 0..16;
        let mut bit = || next.next().is_some_and(|k| all >> k & 1 == 1);
        flags = Flags {
            refsafe: bit(),
            exact_diagonal: bit(),
            euler_damping: bit(),
            warm_start: bit(),
            constraint: bit(),
            equality: bit(),
            friction_loss: bit(),
            limit: bit(),
            contact: bit(),
            gravity: bit(),
            spring: bit(),
            damper: bit(),
            filter_parent: bit(),
            actuation: bit(),
            clamp_control: bit(),
        };
    }
    Options {
        gravity: if bytes.yes() { [T::zero(), T::zero(), literal(-9.81)] } else { bytes.numbers() },
        step: if bytes.byte() < 200 { literal(0.002) } else { bytes.positive() },
        integrator: bytes.among(&[
            Integrator::Euler,
            Integrator::RungeKutta,
            Integrator::Implicit,
            Integrator::ImplicitFast,
        ]),
        cone: bytes.among(&[FrictionCone::Pyramidal, FrictionCone::Elliptic]),
        impedance_ratio: if bytes.yes() { T::one() } else { bytes.positive() },
        flags,
    }
}

/// Any description; many of them are sound.
pub fn lists<T: Float>(bytes: &mut Bytes<'_>) -> Lists<T> {
    let mut lists = Lists {
        bodies: vec![],
        joints: vec![],
        sites: vec![],
        geoms: vec![],
        pairs: vec![],
        excludes: vec![],
        equalities: vec![],
        tendons: vec![],
        tendon_joints: vec![],
        tendon_sites: vec![],
        actuators: vec![],
        options: options(bytes),
    };
    let bodies = bytes.below(BODIES + 1);
    for _ in 0..bytes.below(3) {
        lists.geoms.push(geom(bytes, None));
    }
    for k in 0..bodies {
        lists.bodies.push(body(bytes, k));
        for j in 0..bytes.among(&[1, 1, 2, 0, 3]) {
            lists.joints.push(joint(bytes, k as u16, j == 0));
        }
        for _ in 0..bytes.among(&[1, 1, 0, 2]) {
            lists.geoms.push(geom(bytes, Some(k as u16)));
        }
    }
    for _ in 0..bytes.below(4) {
        let body = body_of(bytes, bodies);
        lists.sites.push(Site { body, position: bytes.numbers(), orientation: quaternion(bytes) });
    }
    tendons(bytes, &mut lists);
    for _ in 0..bytes.below(3) {
        let one = equality(bytes, &lists);
        lists.equalities.push(one);
    }
    for _ in 0..bytes.below(3) {
        let one = actuator(bytes, &lists);
        lists.actuators.push(one);
    }
    if bytes.byte() > 150 {
        let geoms = lists.geoms.len();
        lists.pairs.push(Pair {
            geoms: [index(bytes, geoms), index(bytes, geoms)],
            condim: bytes.among(&[1, 3, 4, 6, 5]),
            friction: bytes.positives(),
            margin: rarely(bytes),
            gap: rarely(bytes),
            softness: softness(bytes),
            friction_solref: [rarely(bytes), rarely(bytes)],
        });
        lists.excludes.push([body_of(bytes, bodies), body_of(bytes, bodies)]);
    }
    lists
}
