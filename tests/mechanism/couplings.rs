//! Equalities between random bodies of random trees: residual, J v and curvature belong together.

use super::build::Mechanism;
use super::random::{Noise, cases, recipe, state, tree};
use super::rig::{Rig, Vector, near};
use delassus::constraint::AnchorMotion;
use delassus::description::{EqualityKind, JointKind, Site};
use delassus::tick::Input;
use proptest::prelude::*;

/// All five kinds, K = B = 0, between bodies, sites or joints drawn at random.
fn equated(mut mechanism: Mechanism<f64>, seed: u64) -> Mechanism<f64> {
    let mut noise = Noise(seed ^ 41);
    let count = mechanism.bodies.len();
    let partner = |noise: &mut Noise| {
        if noise.chance(0.15) { None } else { Some(noise.below(count) as u16) }
    };
    for _ in 0..2 {
        let site = Site { body: partner(&mut noise), position: noise.vector(0.4), orientation: noise.quaternion() };
        mechanism.sites.push(site);
    }
    let mut kinds = vec![
        EqualityKind::ConnectSites { sites: [0, 1] },
        EqualityKind::WeldSites { sites: [1, 0], torque_scale: noise.within(0.2, 2.0) },
    ];
    let bodies = [partner(&mut noise), partner(&mut noise)];
    if bodies[0] != bodies[1] {
        kinds.push(EqualityKind::Connect { bodies, anchor: noise.vector(0.4) });
        let relative_pose = if noise.chance(0.5) { None } else { Some((noise.vector(0.4), noise.quaternion())) };
        let torque_scale = noise.within(0.2, 2.0);
        kinds.push(EqualityKind::Weld { bodies, anchor: noise.vector(0.4), relative_pose, torque_scale });
    }
    let single = |j: &usize| matches!(mechanism.joints[*j].kind, JointKind::Hinge | JointKind::Slide);
    let singles: Vec<usize> = (0..mechanism.joints.len()).filter(single).collect();
    if let [first, .., last] = singles[..] {
        let polynomial = std::array::from_fn(|_| noise.within(-1.0, 1.0));
        kinds.push(EqualityKind::Coupling { joint: first as u16, leader: Some(last as u16), polynomial });
        kinds.push(EqualityKind::Coupling { joint: last as u16, leader: None, polynomial });
    }
    for kind in kinds {
        mechanism.equality(kind).softness.solref = [0.0, 0.0];
    }
    mechanism
}

proptest! {
    #![proptest_config(cases(150))]

    /// r' = J v and, where curvature is counted, (J v)' = −a_ref at K = B = 0 (S11-08, S11-10, S11-13, S11-44).
    #[test]
    fn s11_10_residuals_velocities_and_curvatures_are_each_other_s_rates((count, seed) in recipe()) {
        let mechanism = equated(tree(count, seed), seed);
        let description = mechanism.description();
        let mut rig = Rig::new(&description);
        let state = state(&rig, seed, 1.0);
        let now = rig.facts(&state, &Input::none());
        let rows = rig.work.rows().rows().to_vec();
        let h = 1e-5;
        let [after, before] = [h, -h].map(|t| {
            let moved = rig.moved(&state, &Vector::zeros(), t);
            rig.facts(&moved, &Input::none())
        });
        prop_assert_eq!(now.len(), rows.len());
        // Two bodies that are welded together may have J = 0 here and a rounding there.
        prop_assume!(now.len() == after.len() && now.len() == before.len());
        // Couplings come last and have no curvature term.
        let couplings = mechanism.equalities.iter().filter(|e| matches!(e.kind, EqualityKind::Coupling { .. })).count();
        for (index, (row, fact)) in rows.iter().zip(&now).enumerate() {
            let (a, b) = (&after[index], &before[index]);
            let rate = (a.position - b.position) / (2.0 * h);
            prop_assert!((rate - fact.velocity).abs() < 1e-6 * (1.0 + rate.abs()), "row {index}: {rate} {}", fact.velocity);
            let product = Vector::from(*row.jacobian()).dot(&state.velocity);
            prop_assert!((product - fact.velocity).abs() < 1e-12 * (1.0 + product.abs()));
            let bend = if index + couplings < rows.len() { (a.velocity - b.velocity) / (2.0 * h) } else { 0.0 };
            prop_assert!((bend + row.reference()).abs() < 1e-6 * (1.0 + bend.abs()), "row {index}: {bend} {}", row.reference());
        }
    }

    /// A moving anchor s(t) is a term of residual, velocity and curvature alike (S07-35).
    #[test]
    fn s07_35_a_moving_anchor_enters_on_all_three_levels((count, seed) in recipe()) {
        let mechanism = equated(tree(count, seed), seed);
        let connects: Vec<u16> = mechanism
            .equalities
            .iter()
            .enumerate()
            .filter(|(_, e)| matches!(e.kind, EqualityKind::Connect { .. } | EqualityKind::ConnectSites { .. }))
            .map(|(index, _)| index as u16)
            .collect();
        let mut noise = Noise(seed ^ 4);
        let (s, v, a) = (noise.vector(0.5), noise.vector(0.5), noise.vector(0.5));
        let motions = |t: f64| -> Vec<AnchorMotion<f64>> {
            let at = |equality: &u16| AnchorMotion {
                equality: *equality,
                displacement: std::array::from_fn(|i| s[i] + t * v[i] + 0.5 * t * t * a[i]),
                velocity: std::array::from_fn(|i| v[i] + t * a[i]),
                acceleration: a,
            };
            connects.iter().map(at).collect()
        };
        let description = mechanism.description();
        let mut rig = Rig::new(&description);
        let state = state(&rig, seed, 1.0);
        let now = rig.facts(&state, &Input { anchor_motions: &motions(0.0), ..Input::none() });
        let wanted: Vec<f64> = rig.work.rows().rows().iter().map(|row| row.reference()).collect();
        let still = rig.facts(&state, &Input::none());
        let h = 1e-5;
        let [after, before] = [h, -h].map(|t| {
            let moved = rig.moved(&state, &Vector::zeros(), t);
            rig.facts(&moved, &Input { anchor_motions: &motions(t), ..Input::none() })
        });
        prop_assume!(now.len() == after.len() && now.len() == before.len() && now.len() == still.len());
        let couplings = mechanism.equalities.iter().filter(|e| matches!(e.kind, EqualityKind::Coupling { .. })).count();
        for index in 0..now.len() - couplings {
            let (a, b, fact) = (&after[index], &before[index], &now[index]);
            let rate = (a.position - b.position) / (2.0 * h);
            prop_assert!((rate - fact.velocity).abs() < 1e-6 * (1.0 + rate.abs()));
            let bend = (a.velocity - b.velocity) / (2.0 * h);
            prop_assert!((bend + wanted[index]).abs() < 1e-6 * (1.0 + bend.abs()));
        }
        // The first block is a connect, if anything moves in it: its residual is short of the displacement.
        if still.len() >= 9 {
            for axis in 0..3 {
                prop_assert!((still[axis].position - s[axis] - now[axis].position).abs() < 1e-13);
            }
        }
    }

    /// Row scales: sums of inverse weights, or the exact diagonal J M⁻¹ Jᵀ where the model asks for it (S11-36).
    #[test]
    fn x_22_regularizers_are_scaled_by_weights_or_by_the_exact_diagonal((count, seed) in recipe()) {
        let mut mechanism = equated(tree(count, seed), seed);
        for equality in &mut mechanism.equalities {
            equality.softness.solimp = [0.75, 0.75, 0.001, 0.5, 2.0]; // R = Â / 3
        }
        for exact in [false, true] {
            mechanism.flags().exact_diagonal = exact;
            let description = mechanism.description();
            let mut rig = Rig::new(&description);
            let state = state(&rig, seed, 1.0);
            rig.forward(&state, &Input::none());
            let mut scales = Vec::new();
            for row in rig.work.rows().rows() {
                let mut response = Vector::from(*row.jacobian());
                rig.work.mass().solve(&mut response).unwrap();
                scales.push(Vector::from(*row.jacobian()).dot(&response));
            }
            // Nine rows of the two sites, unless nothing moves them against each other.
            rig.at(&state);
            let [first, second] = [0, 1].map(|site| rig.kinematics.site_jacobian(rig.model.tree(), site).translation);
            let theirs = (0..3).any(|i| (first[i] - second[i]).amax() > 0.0);
            if !exact && theirs {
                let [[t1, r1], [t2, r2]] = [0, 1].map(|site| rig.model.inverse_weight(mechanism.sites[site].body));
                scales.truncate(9);
                scales.copy_from_slice(&[[t1 + t2; 3], [t1 + t2; 3], [r1 + r2; 3]].concat());
            }
            if exact || theirs {
                for (row, scale) in rig.work.rows().rows().iter().zip(&scales) {
                    near(&[row.regularizer()], &[(scale / 3.0).max(1e-15)], 1e-10);
                }
            }
        }
    }

    /// Ball limit: r = high − angle, its rate J v, J the turned axis, from both hemispheres of the quaternion.
    #[test]
    fn x_24_ball_limit_is_the_rate_of_the_angle(seed in any::<u64>()) {
        let mut mechanism = Mechanism::floating();
        let mut noise = Noise(seed);
        let body = super::random::body(&mut noise, None);
        mechanism.body(body);
        mechanism.joint(super::build::ball());
        mechanism.joints[0].range = Some([0.0, 0.01]);
        mechanism.joints[0].margin = 0.02;
        let description = mechanism.description();
        let mut rig = Rig::new(&description);
        let state = state(&rig, seed, 1.0);
        let angle = 2.0 * state.configuration[0].abs().acos();
        prop_assume!(angle > 0.1 && angle < 3.0);
        let facts = rig.facts(&state, &Input::none());
        let jacobian = Vector::from(*rig.work.rows().rows()[0].jacobian());
        near(&[facts[0].position, facts[0].margin], &[0.01 - angle, 0.02], 1e-13);
        let h = 1e-6;
        let [after, before] = [h, -h].map(|t| {
            let moved = rig.moved(&state, &Vector::zeros(), t);
            rig.facts(&moved, &Input::none())[0].position
        });
        near(&[(after - before) / (2.0 * h)], &[facts[0].velocity], 1e-8);
        near(&[jacobian.norm(), jacobian.dot(&state.velocity)], &[1.0, facts[0].velocity], 1e-13);
    }
}

/// A connect at its own hinge's anchor, or between two bodies that cannot move, has nothing to say and gets no rows.
#[test]
fn x_53_blocks_that_nothing_can_move_get_no_rows() {
    use super::build::{hinge, sphere};
    let mut mechanism = Mechanism::new();
    mechanism.body(sphere(1.0, 0.1));
    mechanism.body(sphere(1.0, 0.1));
    mechanism.joint(hinge([0.0, 0.0, 1.0]));
    mechanism.equality(EqualityKind::Connect { bodies: [Some(0), None], anchor: [1.0, 0.0, 0.0] });
    mechanism.equality(EqualityKind::Connect { bodies: [Some(1), None], anchor: [0.0; 3] });
    mechanism.equality(EqualityKind::Connect { bodies: [Some(1), Some(0)], anchor: [0.1, 0.0, 0.0] });
    let weld = EqualityKind::Weld { bodies: [None, Some(0)], anchor: [0.0; 3], relative_pose: None, torque_scale: 1.0 };
    mechanism.equality(weld);
    let description = mechanism.description();
    let mut rig = Rig::new(&description);
    let state = rig.model.state();
    assert_eq!(rig.facts(&state, &Input::none()).len(), 3);
}

/// From 60 dofs on the engine's matrices are sparse: only blocks that no dof moves are left out, others keep rows of zeros (X-53;
/// MuJoCo 3.10.0 has 0, 0, 0 and 6 rows at 59 dofs, 3, 0, 0 and 6 at 60).
#[test]
fn x_53_a_large_mechanism_keeps_blocks_of_zeros() {
    use super::build::{hinge, sphere};
    use delassus::description::Flags;
    use delassus::model::{Model, Smooth};
    use delassus::solver::{Budget, SweepWorkspace};
    use delassus::tick::Workspace;
    for (dofs, rows) in [(59u16, [0, 0, 0, 6]), (60, [3, 0, 0, 6])] {
        let mut mechanism = Mechanism::new();
        mechanism.options.flags = Flags { warm_start: false, ..Flags::DEFAULT };
        for _ in 0..dofs {
            mechanism.body(sphere(1.0, 0.1));
            mechanism.joint(hinge([0.0, 0.0, 1.0]));
        }
        mechanism.body(sphere(1.0, 0.1));
        mechanism.body(sphere(1.0, 0.1));
        let (anchor, relative_pose, torque_scale) = ([0.0; 3], None, 1.0);
        mechanism.equality(EqualityKind::Connect { bodies: [Some(0), None], anchor });
        mechanism.equality(EqualityKind::Connect { bodies: [Some(dofs), Some(dofs + 1)], anchor });
        mechanism.equality(EqualityKind::Weld { bodies: [Some(dofs), None], anchor, relative_pose, torque_scale });
        mechanism.equality(EqualityKind::Weld { bodies: [Some(0), None], anchor, relative_pose, torque_scale });
        let description = mechanism.description();
        let mut smooth: Box<Smooth<f64, 62, 60>> = Box::new(Smooth::filled(0.0));
        let model: Box<Model<'_, f64, 62, 60, 60>> = Box::new(Model::new(&description, &mut smooth).unwrap());
        let mut work: Box<Workspace<f64, 62, 60, 0, 8, SweepWorkspace<f64, 60, 8>>> =
            Box::new(Workspace::with_solver(0.0, SweepWorkspace::filled(0.0)));
        for (only, rows) in rows.into_iter().enumerate() {
            let active: Vec<bool> = (0..4).map(|index| index == only).collect();
            let input = Input { equality_active: &active, ..Input::none() };
            model.forward(&model.state(), &input, &Budget::new(5, 0.0), &mut work).unwrap();
            assert_eq!(work.rows().len(), rows, "{dofs} dofs, equality {only}");
            assert!(work.acceleration().iter().all(|a| a.is_finite()));
        }
    }
}
