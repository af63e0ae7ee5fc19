//! What must not matter: other trees, the order of branches, the hand of the mirror.

use super::build::Mechanism;
use super::random::{Noise, cases, recipe, state, tree, with_springs};
use super::rig::{Rig, Vector, Wide, near};
use delassus::description::JointKind;
use delassus::tick::Input;
use proptest::prelude::*;

/// First dof and coordinate of every joint.
fn places(mechanism: &Mechanism<f64>) -> Vec<(usize, usize)> {
    let mut at = (0, 0);
    let step = |joint: &delassus::description::Joint<f64>| {
        let here = at;
        at = (at.0 + joint.kind.dofs(), at.1 + joint.kind.coordinates());
        here
    };
    mechanism.joints.iter().map(step).collect()
}

/// Limits on every joint that can have them, dry friction on some.
fn constrained(mut mechanism: Mechanism<f64>, seed: u64) -> Mechanism<f64> {
    let mut noise = Noise(seed ^ 31);
    for joint in &mut mechanism.joints {
        joint.friction_loss = if noise.chance(0.3) { 0.5 } else { 0.0 };
        joint.range = match joint.kind {
            JointKind::Free => None,
            JointKind::Ball => Some([0.0, 1.0]),
            _ => Some([joint.reference - 0.5, joint.reference + 0.5]),
        };
    }
    mechanism
}

/// The same mechanism, bodies in another order that still has parents first; and which old body stands at each new place.
fn reordered(mechanism: &Mechanism<f64>, seed: u64) -> (Mechanism<f64>, Vec<usize>) {
    let mut noise = Noise(seed ^ 9);
    let mut order: Vec<usize> = Vec::new();
    while order.len() < mechanism.bodies.len() {
        let ready = |i: &usize| {
            let parent = mechanism.bodies[*i].parent.map(usize::from);
            !order.contains(i) && parent.is_none_or(|parent| order.contains(&parent))
        };
        let open: Vec<usize> = (0..mechanism.bodies.len()).filter(ready).collect();
        order.push(open[noise.below(open.len())]);
    }
    let mut result = Mechanism { bodies: Vec::new(), joints: Vec::new(), ..mechanism.clone() };
    for old in &order {
        let mut body = mechanism.bodies[*old];
        body.parent = body.parent.map(|p| order.iter().position(|o| *o == usize::from(p)).unwrap() as u16);
        result.body(body);
        for joint in mechanism.joints.iter().filter(|joint| usize::from(joint.body) == *old) {
            result.joint(*joint);
        }
    }
    (result, order)
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn reordering_branches_changes_nothing_but_the_order((count, seed) in recipe()) {
        let one = constrained(with_springs(tree(count, seed), seed), seed);
        let (other, order) = reordered(&one, seed);
        let (d1, d2) = (one.description(), other.description());
        let (mut first, mut second) = (Rig::new(&d1), Rig::new(&d2));
        let before = state(&first, seed, 1.0);
        let force = Noise(seed ^ 10).generalized(first.dofs(), 3.0);
        // Old joint of each new joint: those of the bodies in their new order.
        let joints = order.iter().flat_map(|b| (0..one.joints.len()).filter(|j| usize::from(one.joints[*j].body) == *b));
        let joints: Vec<usize> = joints.collect();
        let (from, to) = (places(&one), places(&other));
        let (mut after, mut moved) = (second.model.state(), Vector::zeros());
        let mut dofs = Vec::new();
        for (new, old) in joints.iter().enumerate() {
            let kind = one.joints[*old].kind;
            for k in 0..kind.coordinates() {
                after.configuration[to[new].1 + k] = before.configuration[from[*old].1 + k];
            }
            for k in 0..kind.dofs() {
                dofs.push(from[*old].0 + k);
                after.velocity[to[new].0 + k] = before.velocity[from[*old].0 + k];
                moved[to[new].0 + k] = force[from[*old].0 + k];
            }
        }
        first.forward(&before, &Input::force(force));
        second.forward(&after, &Input::force(moved));
        let pick = |x: &Vector| dofs.iter().map(|k| x[*k]).collect::<Vec<f64>>();
        let n = first.dofs();
        near(&second.work.bias_force().as_slice()[..n], &pick(first.work.bias_force()), 1e-12);
        near(&second.work.free_acceleration().as_slice()[..n], &pick(first.work.free_acceleration()), 1e-8);
        near(&second.work.constraint_force().as_slice()[..n], &pick(first.work.constraint_force()), 1e-8);
        near(&second.acceleration().as_slice()[..n], &pick(&first.acceleration()), 1e-8);
        for (new, old) in order.iter().enumerate() {
            let weights = [second.model.inverse_weight(Some(new as u16)), first.model.inverse_weight(Some(*old as u16))];
            near(&weights[0], &weights[1], 1e-9);
        }
        let (a, b) = (first.model.mean_inertia(), second.model.mean_inertia());
        near(&[a], &[b], 1e-13);
    }

    /// Two mechanisms in one description: M has no entry between them, and what happens in one changes no number in the other.
    #[test]
    fn separate_trees_stay_decoupled((count, seed) in (1usize..=6, any::<u64>())) {
        let dofs = |m: &Mechanism<f64>| m.joints.iter().map(|j| j.kind.dofs()).sum::<usize>();
        let coordinates = |m: &Mechanism<f64>| m.joints.iter().map(|j| j.kind.coordinates()).sum::<usize>();
        // Drawn until both fit into one model.
        let small = |seed: u64| {
            let mut draws = (0..).map(|more| constrained(tree(count, seed.wrapping_add(more)), seed));
            draws.find(|m| dofs(m) <= 12 && coordinates(m) <= 16).unwrap()
        };
        let (one, other) = (small(seed), small(!seed));
        let mut both = one.clone();
        for (index, body) in other.bodies.iter().enumerate() {
            let parent = body.parent.map(|p| p + count as u16);
            both.body(delassus::description::Body { parent, ..*body });
            for joint in other.joints.iter().filter(|joint| usize::from(joint.body) == index) {
                both.joint(*joint);
            }
        }
        let description = both.description();
        let mut rig = Rig::new(&description);
        let (n, q) = (dofs(&one), coordinates(&one));
        let calm = state(&rig, seed, 1.0);
        rig.forward(&calm, &Input::none());
        let columns = *rig.work.mass().columns();
        prop_assert!((0..n).all(|i| (n..rig.dofs()).all(|k| columns[i][k] == 0.0 && columns[k][i] == 0.0)));
        let quiet = rig.acceleration();
        let mut wild = calm;
        let mut noise = Noise(seed ^ 3);
        let shaken = state(&rig, seed ^ 4, 20.0);
        for k in q..32 {
            wild.configuration[k] = shaken.configuration[k];
        }
        for k in n..24 {
            wild.velocity[k] = shaken.velocity[k];
        }
        let mut force = noise.generalized(rig.dofs(), 50.0);
        force.rows_mut(0, n).fill(0.0);
        rig.forward(&wild, &Input::force(force));
        let scale = 1.0 + quiet.rows(0, n).iter().fold(0.0f64, |m, x| m.max(x.abs()));
        prop_assert!((rig.acceleration() - quiet).rows(0, n).iter().all(|x| x.abs() < 1e-9 * scale));
        // And the first tree alone gives the same.
        let description = one.description();
        let mut alone = Rig::new(&description);
        let mut small: Wide = alone.model.state();
        small.configuration[..q].copy_from_slice(&calm.configuration[..q]);
        small.velocity.rows_mut(0, n).copy_from(&calm.velocity.rows(0, n));
        // Gravity is the description's, and both share the first one's.
        alone.forward(&small, &Input::none());
        near(&alone.acceleration().as_slice()[..n], &quiet.as_slice()[..n], 1e-9);
    }

    /// Seen in a mirror at y = 0: vectors keep x and z, rotations keep y.
    #[test]
    fn a_mirrored_mechanism_moves_like_the_mirror_image((count, seed) in recipe()) {
        let one = constrained(with_springs(tree(count, seed), seed), seed);
        let polar = |[x, y, z]: [f64; 3]| [x, -y, z];
        let axial = |[x, y, z]: [f64; 3]| [-x, y, -z];
        let turned = |[w, x, y, z]: [f64; 4]| [w, -x, y, -z];
        let mut other = one.clone();
        other.options.gravity = polar(other.options.gravity);
        for body in &mut other.bodies {
            body.position = polar(body.position);
            body.orientation = turned(body.orientation);
            body.center = polar(body.center);
            body.inertia_orientation = turned(body.inertia_orientation);
        }
        for joint in &mut other.joints {
            joint.position = polar(joint.position);
            joint.axis = if joint.kind == JointKind::Slide { polar(joint.axis) } else { axial(joint.axis) };
        }
        let (d1, d2) = (one.description(), other.description());
        let (mut first, mut second) = (Rig::new(&d1), Rig::new(&d2));
        let before = state(&first, seed, 1.0);
        let force = Noise(seed ^ 10).generalized(first.dofs(), 3.0);
        let mirror = |x: &Vector| {
            let mut y = *x;
            for (joint, (dof, _)) in one.joints.iter().zip(places(&one)) {
                let flips: &[usize] = match joint.kind {
                    JointKind::Free => &[1, 3, 5],
                    JointKind::Ball => &[0, 2],
                    _ => &[],
                };
                for k in flips {
                    y[dof + k] = -y[dof + k];
                }
            }
            y
        };
        let mut image = before;
        image.velocity = mirror(&before.velocity);
        for (joint, (_, at)) in one.joints.iter().zip(places(&one)) {
            let flips: &[usize] = match joint.kind {
                JointKind::Free => &[1, 4, 6],
                JointKind::Ball => &[1, 3],
                _ => &[],
            };
            for k in flips {
                image.configuration[at + k] = -image.configuration[at + k];
            }
        }
        first.forward(&before, &Input::force(force));
        second.forward(&image, &Input::force(mirror(&force)));
        near(second.work.bias_force().as_slice(), mirror(first.work.bias_force()).as_slice(), 1e-12);
        near(second.acceleration().as_slice(), mirror(&first.acceleration()).as_slice(), 1e-8);
    }
}
