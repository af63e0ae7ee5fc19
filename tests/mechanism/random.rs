//! Random mechanisms and states from a seed.

use super::build::{Mechanism, ball, free, hinge, slide};
use super::rig::{NQ, NV, Rig, Vector, Wide};
use delassus::description::{Body, Joint, JointKind};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// So many cases, the same in every run; or PROPTEST_CASES, other ones each time.
pub fn cases(count: u32) -> ProptestConfig {
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = count;
        config.rng_seed = RngSeed::Fixed(1);
    }
    config
}

/// How many bodies, and the seed of everything else.
pub fn recipe() -> impl Strategy<Value = (usize, u64)> {
    (1usize..=12, any::<u64>())
}

/// Uniform numbers from a seed (SplitMix64).
pub struct Noise(pub u64);

impl Noise {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    pub fn chance(&mut self, share: f64) -> bool {
        self.within(0.0, 1.0) < share
    }

    pub fn vector(&mut self, size: f64) -> [f64; 3] {
        std::array::from_fn(|_| self.within(-size, size))
    }

    /// Of any length, never near zero.
    pub fn direction(&mut self) -> [f64; 3] {
        loop {
            let x = self.vector(1.0);
            if x.iter().map(|x| x * x).sum::<f64>() > 0.05 {
                return x;
            }
        }
    }

    pub fn quaternion(&mut self) -> [f64; 4] {
        loop {
            let q: [f64; 4] = std::array::from_fn(|_| self.within(-1.0, 1.0));
            let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            if norm > 0.1 {
                return q.map(|x| x / norm);
            }
        }
    }

    pub fn generalized(&mut self, dofs: usize, size: f64) -> Vector {
        Vector::from_fn(|k, _| if k < dofs { self.within(-size, size) } else { 0.0 })
    }
}

/// A body with the inertia of a box.
pub fn body(noise: &mut Noise, parent: Option<u16>) -> Body<f64> {
    let mass = noise.within(0.3, 3.0);
    let [a, b, c]: [f64; 3] = std::array::from_fn(|_| noise.within(0.1, 0.4).powi(2));
    Body {
        parent,
        position: noise.vector(0.5),
        orientation: noise.quaternion(),
        center: noise.vector(0.2),
        inertia_orientation: noise.quaternion(),
        ..Body::<f64>::new(mass, [b + c, a + c, a + b].map(|x| x * mass / 3.0))
    }
}

/// Numbers of a joint that every kind may have.
fn dress(noise: &mut Noise, joint: Joint<f64>) -> Joint<f64> {
    let single = matches!(joint.kind, JointKind::Hinge | JointKind::Slide);
    Joint {
        position: if noise.chance(0.5) { [0.0; 3] } else { noise.vector(0.2) },
        reference: if single { noise.within(-0.5, 0.5) } else { 0.0 },
        armature: if noise.chance(0.5) && joint.kind != JointKind::Free { noise.within(0.01, 0.3) } else { 0.0 },
        ..joint
    }
}

/// A tree of so many bodies: branched, several roots, bodies without joints, several joints in a body, free and ball joints.
///
/// A ball joint is the last rotation in its body; behind it stands a slide now and then.
pub fn tree(count: usize, seed: u64) -> Mechanism<f64> {
    let mut noise = Noise(seed);
    let mut mechanism = Mechanism::new();
    mechanism.options.gravity = noise.vector(10.0);
    let mut dofs = 0;
    for index in 0..count {
        let parent = if index == 0 || noise.chance(0.15) { None } else { Some(noise.below(index) as u16) };
        let body = body(&mut noise, parent);
        mechanism.body(body);
        let room = NV - dofs;
        if parent.is_none() && room >= 6 && noise.chance(0.3) {
            mechanism.joint(free());
            dofs += 6;
            continue;
        }
        let first = mechanism.joints.len();
        for _ in 0..noise.below(4).min(room) {
            let axis = noise.direction();
            let joint = if noise.chance(0.6) { hinge(axis) } else { slide(axis) };
            let joint = dress(&mut noise, joint);
            mechanism.joint(joint);
            dofs += 1;
        }
        let slides = mechanism.joints[first..].iter().filter(|joint| joint.kind == JointKind::Slide).count();
        if NV - dofs >= 3 && noise.chance(0.25) {
            let joint = dress(&mut noise, ball());
            mechanism.joint(joint);
            dofs += 3;
            if dofs < NV && slides < 3 && noise.chance(0.3) {
                let axis = noise.direction();
                let joint = dress(&mut noise, slide(axis));
                mechanism.joint(joint);
                dofs += 1;
            }
        }
        // Several joints of one body may nearly do the same; a drive's inertia tells them apart.
        if mechanism.joints.len() > first + 1 {
            for joint in &mut mechanism.joints[first..] {
                joint.armature = noise.within(0.05, 0.3);
            }
        }
    }
    mechanism
}

/// Springs and dampers of all orders on every joint.
pub fn with_springs(mut mechanism: Mechanism<f64>, seed: u64) -> Mechanism<f64> {
    let mut noise = Noise(seed ^ 0x5bd1);
    for joint in &mut mechanism.joints {
        joint.stiffness = [noise.within(0.0, 9.0), noise.within(-1.0, 1.0), noise.within(0.0, 2.0)];
        joint.damping = std::array::from_fn(|_| noise.within(0.0, 0.5));
        joint.spring_reference = noise.within(-0.5, 0.5);
    }
    mechanism
}

/// Anywhere: angles and displacements within ±1 of the reference, quaternions of any direction, velocities within ±`speed`.
pub fn state(rig: &Rig<'_>, seed: u64, speed: f64) -> Wide {
    let mut noise = Noise(seed ^ 0x517c_c1b7);
    let mut state = rig.model.state();
    let mut next = 0;
    for joint in rig.model.description().joints {
        let (straight, turned) = match joint.kind {
            JointKind::Free => (3, true),
            JointKind::Ball => (0, true),
            JointKind::Hinge | JointKind::Slide => (1, false),
        };
        for q in &mut state.configuration[next..next + straight] {
            *q += noise.within(-1.0, 1.0);
        }
        next += straight;
        if turned {
            state.configuration[next..next + 4].copy_from_slice(&noise.quaternion());
            next += 4;
        }
    }
    assert!(next <= NQ);
    state.velocity = noise.generalized(rig.dofs(), speed);
    state
}
