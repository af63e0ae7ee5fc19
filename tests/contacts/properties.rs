//! What holds for every contact of every scene: friction within its cone at any budget, forces and wrenches that belong together, power.

use super::draw::mechanism;
use super::machine::{Machine, NB, NC, NR, NV, Vector, near};
use delassus::description::FrictionCone;
use delassus::forces::{Wrench, add_wrenches};
use delassus::solver::{Budget, ConjugateGradientWorkspace, DelassusWorkspace, SweepWorkspace};
use delassus::tick::{Input, Method, Workspace};
use nalgebra::Vector3;
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

/// By how much the friction of any contact exceeds what its normal force allows, beside that.
fn excess<S: Method<f64, NV, NR, NC>>(work: &Workspace<f64, NB, NV, NC, NR, S>, cone: FrictionCone) -> f64 {
    let mut worst = f64::NEG_INFINITY;
    for (k, contact) in work.contacts().iter().enumerate() {
        let found = work.contact_force(k).unwrap();
        let normal = found.force[0];
        assert!(normal >= 0.0, "{normal}");
        let parts = [found.force[1], found.force[2], found.torque[0], found.torque[1], found.torque[2]];
        let shares = parts.iter().zip(contact.friction).map(|(f, mu)| (f / mu).abs());
        let used = match cone {
            FrictionCone::Elliptic => shares.map(|x| x * x).sum::<f64>().sqrt(),
            FrictionCone::Pyramidal => shares.sum(),
        };
        assert!(used == 0.0 || normal > 0.0);
        if normal > 0.0 {
            worst = worst.max(used / normal - 1.0);
        }
    }
    worst
}

/// S15-19, S11-40: whatever the budget, zero included, and whatever the solver.
fn within_cones<S: Method<f64, NV, NR, NC>>(seed: u64, solver: S) -> Result<(), TestCaseError> {
    let drawn = mechanism(seed);
    let description = drawn.scene.description();
    let mut machine = Machine::new(&description);
    drawn.start(&mut machine);
    let mut work = Box::new(Workspace::<f64, NB, NV, NC, NR, S>::with_solver(0.0, solver));
    for iterations in (0..8).chain([100]) {
        let budget = Budget::new(iterations, 0.0);
        if machine.model.forward(&machine.state, &Input::none(), &budget, &mut work).is_err() {
            // Rows for a joint limit found no room: nothing was solved.
            return Ok(());
        }
        let worst = excess(&work, drawn.scene.options.cone);
        // An ulp for each of the at most ten terms of a sum.
        prop_assert!(worst <= 10.0 * f64::EPSILON, "{worst:e} beyond after {iterations} iterations");
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn friction_stays_within_its_cone_at_any_budget(seed in any::<u64>()) {
        within_cones(seed, delassus::solver::NewtonWorkspace::filled(0.0))?;
        within_cones(seed, SweepWorkspace::filled(0.0))?;
        within_cones(seed, DelassusWorkspace::filled(0.0))?;
        within_cones(seed, ConjugateGradientWorkspace::filled(0.0))?;
    }

    /// Jᵀ f is the wrench of each contact in the world on its second body and the opposite on its first, at the contact's point; its
    /// power is that of the forces on the points' relative velocity; and the rows' power is the same again.
    #[test]
    fn world_wrenches_are_the_constraint_force_and_have_its_power(seed in any::<u64>()) {
        let drawn = mechanism(seed);
        let mut scene = drawn.scene.clone();
        for joint in &mut scene.joints {
            (joint.range, joint.friction_loss) = (None, 0.0);
        }
        let description = scene.description();
        let mut machine = Machine::new(&description);
        drawn.start(&mut machine);
        let facts = machine.facts();
        let (work, model) = (&machine.work, &machine.model);
        let kinematics = work.kinematics();
        // Sizes of forces and of powers, beside which they are rounded. A row that hardly moves a body can carry a huge force where the
        // exact diagonal makes it as stiff as that.
        let (mut wrenches, mut power, mut force_size, mut size) = (vec![], 0.0, 1.0, 1.0);
        for (k, contact) in work.contacts().iter().enumerate() {
            let [force, torque, point] = machine.wrench(k);
            force_size += force.norm() + torque.norm();
            for (geom, sign) in contact.geoms.into_iter().zip([-1.0, 1.0]) {
                let Some(body) = scene.geoms[usize::from(geom)].body else { continue };
                let arm = point - kinematics.center(Some(body));
                let (force, torque) = (force * sign, (torque + arm.cross(&force)) * sign);
                wrenches.push(Wrench { body, force: force.into(), torque: torque.into() });
                let velocity = kinematics.point_velocity(Some(body), &point);
                let angular = kinematics.velocity(Some(body)).angular;
                let own: [Vector3<f64>; 2] = [force, torque - arm.cross(&force)];
                power += own[0].dot(&velocity) + own[1].dot(&angular);
                size += (own[0].norm() * velocity.norm()).abs() + (own[1].norm() * angular.norm()).abs();
            }
        }
        let mut generalized = Vector::zeros();
        add_wrenches(model.tree(), kinematics, &wrenches, &mut generalized);
        let off = (work.constraint_force() - generalized).amax();
        prop_assert!(off <= 1e-14 * force_size, "{off:e} of {force_size:e}");
        let rows: f64 = work.row_forces().iter().zip(&facts).map(|(f, fact)| f * fact.velocity).sum();
        // Friction rows of an elliptic contact are told with their velocity, a pyramid's edges with theirs.
        let joints = machine.state.velocity.dot(work.constraint_force());
        for found in [rows, joints] {
            prop_assert!((found - power).abs() <= 1e-13 * size.max(force_size), "{found} {power}");
        }
        // S11-26: M a = τ − c + Jᵀ f, the acceleration that is reported.
        let free = work.free_acceleration();
        let mut response = *work.constraint_force();
        work.mass().solve(&mut response).unwrap();
        // Beyond R = 1e-11 forces are known to fewer digits than accelerations (see the golden scenes).
        if work.rows().rows().iter().all(|row| row.regularizer() > 1e-11) {
            near(work.acceleration().as_slice(), (free + response).as_slice(), 1e-8);
        }
    }
}

/// Over time too: forty scenes, twenty steps each of a stingy budget.
#[test]
fn friction_stays_within_its_cone_along_a_motion() {
    let mut contacts = 0;
    for seed in 400..440 {
        let drawn = mechanism(seed);
        let description = drawn.scene.description();
        let mut machine = Machine::new(&description);
        drawn.start(&mut machine);
        for _ in 0..20 {
            let budget = Budget::new(2, 1e-8);
            if machine.model.step(&mut machine.state, &Input::none(), &budget, &mut machine.work).is_err() {
                break;
            }
            contacts += machine.work.contacts().len();
            assert!(excess(&machine.work, drawn.scene.options.cone) <= 10.0 * f64::EPSILON);
        }
    }
    assert!(contacts > 1000, "{contacts}");
}
