//! Energy and momentum of random trees along their own motion, by differences over a tiny step.

use super::build::{Mechanism, ball, free, hinge, slide};
use super::random::{Noise, body, cases, recipe, state, tree, with_springs};
use super::rig::{Rig, Vector, near, thorough};
use delassus::description::Flags;
use delassus::dynamics::momentum;
use delassus::forces::Wrench;
use delassus::tick::Input;
use nalgebra::Vector3;
use proptest::prelude::*;

/// −Σ (b + b₁|v| + b₂v²) v², from the description alone.
fn damper_power(rig: &Rig<'_>, velocity: &Vector) -> f64 {
    let joints = rig.model.description().joints;
    let power = |(k, dof): (usize, &delassus::kinematics::Dof<f64>)| {
        let ([b, b1, b2], v) = (joints[usize::from(dof.joint)].damping, velocity[k]);
        -(b + b1 * v.abs() + b2 * v * v) * v * v
    };
    rig.model.tree().dofs().iter().enumerate().map(power).sum()
}

proptest! {
    #![proptest_config(cases(150))]

    /// d(T + U + springs)/dt = applied, outer, compensating, damping and constraint power.
    #[test]
    fn x_89_power_balance((count, seed) in recipe()) {
        let mut mechanism = with_springs(tree(count, seed), seed);
        let mut noise = Noise(seed ^ 5);
        for body in &mut mechanism.bodies {
            body.gravity_compensation = if noise.chance(0.3) { noise.within(0.0, 1.5) } else { 0.0 };
        }
        for joint in &mut mechanism.joints {
            joint.friction_loss = if noise.chance(0.3) { noise.within(0.1, 1.0) } else { 0.0 };
        }
        let description = mechanism.description();
        let mut rig = Rig::new(&description);
        let state = state(&rig, seed, 1.0);
        let wrench = Wrench { body: noise.below(count) as u16, force: noise.vector(3.0), torque: noise.vector(3.0) };
        let input = Input { wrenches: &[wrench], ..Input::force(noise.generalized(rig.dofs(), 3.0)) };
        rig.forward(&state, &input);
        let (a, constraint) = (rig.acceleration(), *rig.work.constraint_force());
        rig.at(&state);
        let mut power = state.velocity.dot(&(input.force + constraint)) + damper_power(&rig, &state.velocity);
        let gravity = rig.model.gravity();
        for (index, body) in mechanism.bodies.iter().enumerate() {
            let number = Some(index as u16);
            let velocity = rig.kinematics.point_velocity(number, &rig.kinematics.center(number));
            power -= velocity.dot(&gravity) * body.mass * body.gravity_compensation;
            if wrench.body == index as u16 {
                power += velocity.dot(&Vector3::from(wrench.force));
                power += rig.kinematics.velocity(number).angular.dot(&Vector3::from(wrench.torque));
            }
        }
        let h = 1e-5;
        let [after, before] = [h, -h].map(|t| {
            let moved = rig.moved(&state, &a, t);
            rig.energies(&moved).iter().sum::<f64>()
        });
        // Curvature of the energy over the step: what a stiff, light tree leaves of the difference quotient.
        let slack = 1e-6 * (1.0 + a.amax()) * (1.0 + power.abs());
        prop_assert!(((after - before) / (2.0 * h) - power).abs() < slack, "{} {}", (after - before) / (2.0 * h), power);
    }

    /// A wrench does J_pᵀ f + J_rᵀ n (S07-08, X-51), the smooth force being passive − bias + applied + that (S07-51).
    #[test]
    fn s07_08_a_wrench_acts_through_the_transposed_jacobian((count, seed) in recipe()) {
        let mechanism = tree(count, seed);
        let description = mechanism.description();
        let mut rig = Rig::new(&description);
        let state = state(&rig, seed, 1.0);
        let mut noise = Noise(seed ^ 6);
        let wrench = Wrench { body: noise.below(count) as u16, force: noise.vector(30.0), torque: noise.vector(9.0) };
        let force = noise.generalized(rig.dofs(), 3.0);
        rig.forward(&state, &Input { wrenches: &[wrench], ..Input::force(force) });
        rig.at(&state);
        let body = Some(wrench.body);
        let jacobian = rig.kinematics.point_jacobian(rig.model.tree(), body, &rig.kinematics.center(body));
        let mut expected = force - rig.bias() + rig.work.passive_force();
        for axis in 0..3 {
            expected += jacobian.translation[axis] * wrench.force[axis] + jacobian.rotation[axis] * wrench.torque[axis];
        }
        near((rig.matrix() * rig.work.free_acceleration()).as_slice(), expected.as_slice(), 1e-9);
    }

    /// A floating tree without gravity: springs, dampers, motors, dry friction and limits inside change neither momentum; a wrench
    /// from outside changes both as it should.
    #[test]
    fn momentum_of_a_floating_tree_changes_by_outer_wrenches_only((count, seed) in recipe()) {
        let mut noise = Noise(seed);
        let mut mechanism = Mechanism::floating();
        mechanism.body(body(&mut noise, None));
        mechanism.joint(free());
        for index in 1..count {
            let parent = Some(noise.below(index) as u16);
            let body = body(&mut noise, parent);
            mechanism.body(body);
            let axis = noise.direction();
            match noise.below(if index < 4 { 4 } else { 3 }) {
                0 => mechanism.joint(hinge(axis)),
                1 => mechanism.joint(slide(axis)),
                2 => {}
                _ => mechanism.joint(ball()),
            }
        }
        let mut mechanism = with_springs(mechanism, seed);
        mechanism.joints[0].stiffness = [0.0; 3];
        mechanism.joints[0].damping = [0.0; 3];
        for joint in &mut mechanism.joints[1..] {
            joint.armature = noise.within(0.0, 0.2);
            joint.friction_loss = noise.within(0.0, 0.5);
            if joint.kind != delassus::description::JointKind::Ball {
                joint.range = Some([-0.5, 0.5]);
            }
        }
        let description = mechanism.description();
        let mut rig = Rig::new(&description);
        let state = state(&rig, seed, 1.0);
        let outer = Wrench { body: noise.below(count) as u16, force: noise.vector(3.0), torque: noise.vector(3.0) };
        let mut force = noise.generalized(rig.dofs(), 3.0);
        force.fixed_rows_mut::<6>(0).fill(0.0);
        for wrenches in [&[][..], &[outer]] {
            rig.forward(&state, &Input { wrenches, ..Input::force(force) });
            let a = rig.acceleration();
            rig.at(&state);
            let center = rig.kinematics.center(Some(outer.body));
            let mut middle = Vector3::zeros();
            for (index, body) in mechanism.bodies.iter().enumerate() {
                middle += rig.kinematics.center(Some(index as u16)) * body.mass;
            }
            middle /= mechanism.bodies.iter().map(|body| body.mass).sum::<f64>();
            let (mut push, mut turn) = (Vector3::zeros(), Vector3::zeros());
            for wrench in wrenches {
                push = Vector3::from(wrench.force);
                turn = Vector3::from(wrench.torque) + (center - middle).cross(&push);
            }
            let h = 1e-5;
            let [after, before] = [h, -h].map(|t| {
                let moved = rig.moved(&state, &a, t);
                rig.at(&moved);
                momentum(rig.model.tree(), &rig.kinematics)
            });
            let bound = 1e-6 * (1.0 + a.amax());
            near(((after.linear - before.linear) / (2.0 * h)).as_slice(), push.as_slice(), bound);
            near(((after.angular - before.angular) / (2.0 * h)).as_slice(), turn.as_slice(), bound);
        }
    }

    /// Compensation 1 on every body takes all weight off: a tree at rest stays at rest.
    #[test]
    fn x_26_full_gravity_compensation_holds_a_tree_still((count, seed) in recipe()) {
        let mut mechanism = tree(count, seed);
        for body in &mut mechanism.bodies {
            body.gravity_compensation = 1.0;
        }
        let description = mechanism.description();
        let mut rig = Rig::new(&description);
        let state = state(&rig, seed, 0.0);
        rig.forward(&state, &Input::none());
        let weight = rig.work.bias_force().amax();
        prop_assert!((rig.work.passive_force() - rig.work.bias_force()).amax() <= 1e-13 * (1.0 + weight));
        prop_assert!(rig.acceleration().amax() < 1e-9, "{}", rig.acceleration());
        // Without gravity there is nothing to compensate; without springs and dampers the engine compensates nothing.
        for flags in [Flags { gravity: false, ..Flags::DEFAULT }, Flags { spring: false, damper: false, ..Flags::DEFAULT }] {
            *mechanism.flags() = flags;
            let description = mechanism.description();
            let mut rig = Rig::new(&description);
            rig.forward(&state, &Input::none());
            prop_assert_eq!(rig.work.passive_force().amax(), 0.0);
        }
    }

    /// inverse(forward(τ)) = τ with limits, dry friction and dampers at work; and the force without constraints is the rest.
    #[test]
    fn inverse_takes_forward_back((count, seed) in recipe()) {
        let mut mechanism = with_springs(tree(count, seed), seed);
        let mut noise = Noise(seed ^ 8);
        for joint in &mut mechanism.joints {
            joint.friction_loss = if noise.chance(0.5) { noise.within(0.1, 2.0) } else { 0.0 };
            joint.range = match joint.kind {
                delassus::description::JointKind::Free => None,
                delassus::description::JointKind::Ball => Some([0.0, 0.5]),
                _ => Some([joint.reference - 0.3, joint.reference + 0.3]),
            };
        }
        let description = mechanism.description();
        let mut rig = Rig::new(&description);
        let state = state(&rig, seed, 1.0);
        let input = Input::force(noise.generalized(rig.dofs(), 5.0));
        rig.forward(&state, &input);
        let (a, constraint) = (rig.acceleration(), *rig.work.constraint_force());
        let bends = |rig: &Rig<'_>| (0..count as u16).map(|b| rig.work.kinematics().bias_acceleration(Some(b))).collect::<Vec<_>>();
        let before = bends(&rig);
        let answer = rig.model.inverse(&state, &a, &input, &mut rig.work).unwrap();
        prop_assert_eq!(before, bends(&rig));
        let size = 1e-8 * (1.0 + constraint.amax() + a.amax());
        prop_assert!((answer.force - input.force).amax() < size, "{} {}", answer.force, input.force);
        prop_assert!((answer.constraint - constraint).amax() < size);
        prop_assert!((answer.unconstrained - answer.constraint - answer.force).amax() < 1e-12 * (1.0 + constraint.amax()));
    }
}

/// 2,000 Euler steps of a chain in space: linear and angular momentum stay within what steps of 0.1 ms allow.
#[test]
fn momentum_of_a_floating_chain_is_kept_over_a_trajectory() {
    let mut noise = Noise(11);
    let mut mechanism = Mechanism::floating();
    mechanism.options.step = 1e-4;
    for index in 0..5u16 {
        mechanism.body(body(&mut noise, index.checked_sub(1)));
        let axis = noise.direction();
        mechanism.joint(if index == 0 { free() } else { hinge(axis) });
    }
    let description = mechanism.description();
    let mut rig = Rig::new(&description);
    let mut state = state(&rig, 3, 1.0);
    rig.at(&state);
    let before = momentum(rig.model.tree(), &rig.kinematics);
    for _ in 0..2000 {
        rig.model.step(&mut state, &Input::none(), &thorough(), &mut rig.work).unwrap();
    }
    rig.at(&state);
    let after = momentum(rig.model.tree(), &rig.kinematics);
    assert!((state.time - 0.2).abs() < 1e-12);
    near(after.linear.as_slice(), before.linear.as_slice(), 1e-3);
    near(after.angular.as_slice(), before.angular.as_slice(), 1e-3);
}
