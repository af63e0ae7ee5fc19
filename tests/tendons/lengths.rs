//! J is how the length changes, J̇ v how its rate does, both by central differences of the length itself.

use delassus::tendon::{bias_acceleration, jacobian, leaves_chain, length};
use nalgebra::SVector;
use proptest::prelude::*;

use crate::scene::{Rig, config, numbers, pendulums, tree};

/// Steps of 1e-5 leave an error of 1e-10 in the first difference and of 1e-6 in the second.
fn check<const NB: usize, const NQ: usize, const NV: usize>(mut rig: Rig<NB, NQ, NV>) -> Result<(), TestCaseError> {
    let still = SVector::zeros();
    let start = rig.state;
    for tendon in rig.model.description().tendons {
        let mut at = |time: f64| {
            let state = rig.moved(&still, time);
            rig.place(&state);
            length(rig.model.tree(), rig.work.kinematics(), &state.configuration, tendon)
        };
        let h = 1e-5;
        let (before, here, after) = (at(-h), at(0.0), at(h));
        rig.place(&start);
        let mut row = SVector::zeros();
        jacobian(rig.model.tree(), rig.work.kinematics(), tendon, &mut row);
        let rate = row.dot(&start.velocity);
        prop_assert!((rate - (after - before) / (2.0 * h)).abs() < 1e-8, "{rate} {}", (after - before) / (2.0 * h));
        let change = bias_acceleration(rig.model.tree(), rig.work.kinematics(), tendon);
        let second = (after - 2.0 * here + before) / (h * h);
        prop_assert!((change - second).abs() < 1e-4 * (1.0 + change.abs()), "{change} {second}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn jacobian_and_curvature_are_the_derivatives_of_the_length(x in numbers(11), y in numbers(6)) {
        check(Rig::<4, 13, 11>::new(tree()).at(&x))?;
        check(Rig::<6, 6, 6>::new(pendulums()).at(&y))?;
    }
}

#[test]
fn constants_of_the_reference_pose() {
    let mut parts = tree();
    parts.joints[1].reference = 0.2;
    parts.joints[3].reference = -0.1;
    parts.joints[1].spring_reference = 0.5;
    parts.tendons[0].spring_length = None;
    let rig = Rig::<4, 13, 11>::new(parts);
    let [fixed, rope] = rig.model.tendons() else { panic!("two tendons") };
    assert!((fixed.length - (1.5 * 0.2 + 0.7 * 0.1)).abs() < 1e-15); // Σ coefficient · reference
    assert!((fixed.spring_length[0] - 1.5 * 0.5).abs() < 1e-15); // and of springref, which is 0 unless given
    assert_eq!(fixed.spring_length[0], fixed.spring_length[1]);
    // The hinge turns and the slide moves from the reference pose to that of the springs: the rope is not as long there.
    assert!((rope.spring_length[0] - rope.length).abs() > 1e-3);
    // J M⁻¹ Jᵀ in the reference pose.
    let mut row = SVector::zeros();
    jacobian(rig.model.tree(), rig.work.kinematics(), &rig.model.description().tendons[1], &mut row);
    let mass = nalgebra::SMatrix::<f64, 11, 11>::from_fn(|i, j| rig.work.mass().columns()[j][i]);
    let weight = row.dot(&mass.lu().solve(&row).unwrap());
    assert!((rope.inverse_weight - weight).abs() < 1e-10 * weight);
}

#[test]
fn paths_within_a_chain_and_across() {
    let rig = Rig::<4, 13, 11>::new(tree());
    assert!(rig.model.description().tendons.iter().all(|tendon| leaves_chain(rig.model.tree(), tendon)));
    let mut parts = tree();
    parts.tendon_sites = vec![0, 1, 2]; // world, free body, the hinge's body on it
    parts.tendons[1].path = delassus::description::TendonPath::Sites { first: 0, count: 3 };
    parts.tendon_joints[1].joint = 1;
    let rig = Rig::<4, 13, 11>::new(parts);
    assert!(!rig.model.description().tendons.iter().any(|tendon| leaves_chain(rig.model.tree(), tendon)));
}
