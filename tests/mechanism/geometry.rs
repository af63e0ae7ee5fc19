//! Frames and sites: what they promise beyond Jacobians.

use super::random::{Noise, cases, recipe, state, tree};
use super::rig::{Rig, near};
use delassus::description::Site;
use delassus::tick::Input;
use nalgebra::Vector3;
use proptest::prelude::*;

proptest! {
    #![proptest_config(cases(100))]

    /// A site's Jacobian is that of its origin.
    #[test]
    fn a_site_jacobian_is_that_of_its_point((count, seed) in recipe()) {
        let mut mechanism = tree(count, seed);
        let mut noise = Noise(seed ^ 61);
        let body = Some(noise.below(count) as u16);
        mechanism.sites.push(Site { body: None, position: noise.vector(1.0), orientation: noise.quaternion() });
        mechanism.sites.push(Site { body, position: noise.vector(1.0), orientation: noise.quaternion() });
        let description = mechanism.description();
        let mut rig = Rig::new(&description);
        let state = state(&rig, seed, 1.0);
        rig.at(&state);
        let point = rig.kinematics.frame(body).apply(&Vector3::from(mechanism.sites[1].position));
        let (expected, found) = (
            rig.kinematics.point_jacobian(rig.model.tree(), body, &point),
            rig.kinematics.site_jacobian(rig.model.tree(), 1),
        );
        prop_assert_eq!(expected.translation, found.translation);
        prop_assert_eq!(expected.rotation, found.rotation);
        // Of the world, and of a site that does not exist: nothing moves.
        for site in [0, 2, u16::MAX] {
            let none = rig.kinematics.site_jacobian(rig.model.tree(), site);
            prop_assert!(none.translation.iter().chain(&none.rotation).all(|row| row.amax() == 0.0));
        }
    }

    /// a quaternion's length changes nothing that is computed, and forward writes nothing back.
    #[test]
    fn x_44_the_length_of_a_quaternion_does_not_count((count, seed) in recipe()) {
        let mechanism = super::random::with_springs(tree(count, seed), seed);
        let description = mechanism.description();
        let mut rig = Rig::new(&description);
        let state = state(&rig, seed, 1.0);
        rig.forward(&state, &Input::none());
        let expected = rig.acceleration();
        let mut stretched = state;
        let mut at = 0;
        for joint in &mechanism.joints {
            let n = joint.kind.coordinates();
            if n >= 4 {
                for q in &mut stretched.configuration[at + n - 4..at + n] {
                    *q *= -1.7;
                }
            }
            at += n;
        }
        rig.forward(&stretched, &Input::none());
        near(rig.acceleration().as_slice(), expected.as_slice(), 1e-9);
    }

    /// Everything is measured from near points: a mechanism carried 1000 km away moves the same.
    #[test]
    fn a_far_place_costs_only_the_digits_of_the_place((count, seed) in recipe()) {
        let one = tree(count, seed);
        let mut other = one.clone();
        for body in other.bodies.iter_mut().filter(|body| body.parent.is_none()) {
            body.position[0] += 1e6;
        }
        let (d1, d2) = (one.description(), other.description());
        let (mut first, mut second) = (Rig::new(&d1), Rig::new(&d2));
        let before = state(&first, seed, 1.0);
        let mut after = before;
        let mut at = 0;
        for joint in &one.joints {
            if joint.kind == delassus::description::JointKind::Free {
                after.configuration[at] += 1e6;
            }
            at += joint.kind.coordinates();
        }
        first.forward(&before, &Input::none());
        second.forward(&after, &Input::none());
        // Places are known to 1e-10 m there.
        near(second.acceleration().as_slice(), first.acceleration().as_slice(), 1e-6);
    }
}
