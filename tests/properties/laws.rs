//! Laws of one tick: units, continuity, rates, and constraints that mean the same.

use super::build::{Mechanism, free};
use super::random::{Noise, body, recipe, state, tree};
use super::rig::{NV, Rig, Vector, Wide};
use super::world::{Machine, World, anywhere, cases};
use delassus::constraint::{Hooks, RowFact};
use delassus::description::{
    Body, Description, EqualityKind, FrictionCone, Geom, Joint, JointKind, Shape, SoftnessNumbers,
};
use delassus::integrator::advance;
use delassus::tick::Input;
use proptest::prelude::*;

/// Largest difference of the first numbers, beside the largest number or 1.
fn apart(dofs: usize, a: &Vector, b: &Vector) -> f64 {
    let scale = b.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    (0..dofs).map(|k| (a[k] - b[k]).abs()).fold(0.0, f64::max) / scale
}

/// All that is made of kilograms, times 2^`power`.
fn heavier(world: &World, power: i32) -> World {
    let m = 2f64.powi(power);
    let mut other = world.clone();
    for body in &mut other.tree.bodies {
        body.mass *= m;
        body.inertia = body.inertia.map(|x| x * m);
    }
    for joint in &mut other.tree.joints {
        joint.armature *= m;
        joint.friction_loss *= m;
        joint.stiffness = joint.stiffness.map(|x| x * m);
        joint.damping = joint.damping.map(|x| x * m);
    }
    other
}

/// Where each contact of a tick is in the list of rows.
fn places(machine: &Machine<'_>) -> Vec<([u16; 2], Option<u16>)> {
    machine.work.contacts().iter().enumerate().map(|(k, c)| (c.geoms, machine.work.first_row(k))).collect()
}

/// The state, moved along its velocity for a time.
fn moved(machine: &Machine<'_>, state: &Wide, t: f64) -> Wide {
    let mut next = *state;
    advance(machine.model.tree(), &mut next.configuration, &state.velocity, t);
    next
}

#[derive(Default)]
struct Watch(Vec<RowFact<f64>>);

impl<const NB: usize, const NQ: usize, const N: usize, const NR: usize, const NC: usize> Hooks<f64, NB, NQ, N, NR, NC>
    for Watch
{
    const WATCHES: bool = true;

    fn fact(&mut self, fact: &RowFact<f64>) {
        self.0.push(*fact);
    }
}

fn soft(noise: &mut Noise) -> SoftnessNumbers<f64> {
    let low = noise.within(0.2, 0.9);
    let solref = [noise.within(0.01, 0.1), noise.within(0.3, 1.5)];
    SoftnessNumbers { solref, solimp: [low, noise.within(low, 0.99), noise.within(0.001, 0.1), 0.4, 3.0] }
}

proptest! {
    #![proptest_config(cases(500))]

    /// Twice the kilograms, twice the forces, the same motion.
    #[test]
    fn mass_scales_out((count, seed) in recipe(), power in -10i32..10) {
        let one = World::draw(count, seed);
        let other = heavier(&one, power);
        let (d1, d2) = (one.description(), other.description());
        let (mut first, mut second) = (Machine::new(&d1), Machine::new(&d2));
        let start = anywhere(&one, seed, 1.0);
        prop_assume!(first.forward(&start, &Input::none()).is_some());
        second.forward(&start, &Input::none()).unwrap();
        let dofs = first.model.dof_count();
        let off = apart(dofs, &second.acceleration(), &first.acceleration());
        prop_assert!(off <= 1e-9, "accelerations {off:e}");
        let off = apart(dofs, &(second.work.constraint_force() / 2f64.powi(power)), first.work.constraint_force());
        prop_assert!(off <= 1e-9, "forces {off:e}");
    }

    /// Between two states a moment apart that have the same rows, the motion changes by a moment's worth: forces are continuous where
    /// a row acts. (At its margin a row begins with damping and K d r at once, so there they jump.)
    #[test]
    fn forces_are_continuous_while_the_rows_are_the_same((count, seed) in recipe()) {
        let world = World::draw(count, seed);
        let description = world.description();
        let (mut here, mut there) = (Machine::new(&description), Machine::new(&description));
        let start = anywhere(&world, seed, 1.0);
        prop_assume!(here.forward(&start, &Input::none()).is_some());
        let mut steps = vec![];
        for t in [1e-5, 1e-7, 1e-9] {
            let next = moved(&here, &start, t);
            prop_assume!(there.forward(&next, &Input::none()).is_some());
            prop_assume!(places(&here) == places(&there) && here.work.rows().len() == there.work.rows().len());
            steps.push(apart(here.model.dof_count(), &there.acceleration(), &here.acceleration()));
        }
        prop_assert!(steps[2] <= 1e-5, "{steps:?}");
    }

    /// The normal row of every contact is the rate of its distance, and every other row's velocity that of its residual.
    #[test]
    fn rows_move_as_their_positions_do((count, seed) in recipe()) {
        let world = World::draw(count, seed);
        let description = world.description();
        let mut machine = Machine::new(&description);
        let start = anywhere(&world, seed, 1.0);
        prop_assume!(machine.forward(&start, &Input::none()).is_some());
        let h = 1e-6;
        let mut seen = vec![];
        for t in [-h, 0.0, h] {
            let mut watch = Watch::default();
            let next = moved(&machine, &start, t);
            let (model, work) = (&machine.model, &mut machine.work);
            prop_assume!(model.forward_with(&next, &Input::none(), &super::rig::thorough(), work, &mut watch).is_ok());
            seen.push((watch.0, places(&machine)));
        }
        let [before, now, after] = &seen[..] else { unreachable!() };
        prop_assume!(before.1 == now.1 && after.1 == now.1 && before.0.len() == now.0.len() && after.0.len() == now.0.len());
        let rows = machine.work.rows();
        for (k, place) in now.1.iter().enumerate() {
            let Some(first) = place.1 else { continue };
            // The first edge of a pyramid carries the tangent too: its mean with the second is the normal.
            let normal = |facts: &[RowFact<f64>]| {
                let first = usize::from(first);
                match rows.rows()[first].kind() {
                    delassus::rows::Kind::ContactPyramidal => 0.5 * (facts[first].velocity + facts[first + 1].velocity),
                    _ => facts[first].velocity,
                }
            };
            let rate = (after.0[usize::from(first)].position - before.0[usize::from(first)].position) / (2.0 * h);
            let expected = normal(&now.0);
            prop_assert!((rate - expected).abs() <= 1e-5 * (1.0 + expected.abs()), "contact {k}: {rate} {expected}");
        }
    }

    /// S11-34, X-21: a slide that is pushed back by its limit, and the same slide whose ball is pushed back by a wall.
    #[test]
    fn a_limit_pushed_equals_a_contact_pushed(seed in any::<u64>()) {
        let mut noise = Noise(seed);
        let (mass, radius, soft) = (noise.within(0.1, 10.0), noise.within(0.05, 0.5), soft(&mut noise));
        let margin = noise.within(0.0, 0.1);
        let z = [0.0, 0.0, 1.0];
        let mut slide = Joint { axis: z, ..Joint::<f64>::new(JointKind::Slide, 0) };
        let bodies = [Body::<f64>::new(mass, [0.4 * mass * radius * radius; 3])];
        let mut options = Description::<f64>::empty(0.002).options;
        options.cone = FrictionCone::Elliptic;
        options.flags.exact_diagonal = noise.chance(0.5);
        let joints = [slide];
        let mut ball = Geom::<f64>::new(Some(0), Shape::Sphere { radius });
        (ball.condim, ball.priority, ball.softness, ball.margin) = (1, 1, soft, margin);
        let geoms = [Geom::<f64>::new(None, Shape::Plane), ball];
        let contact =
            Description { bodies: &bodies, joints: &joints, geoms: &geoms, ..Description::with_options(options) };
        (slide.range, slide.margin, slide.limit_softness) = (Some([radius, 100.0]), margin, soft);
        let joints = [slide];
        let limit = Description { bodies: &bodies, joints: &joints, ..Description::with_options(options) };
        let (mut a, mut b) = (Machine::new(&contact), Machine::new(&limit));
        let mut start = a.model.state();
        start.configuration[0] = radius + noise.within(-0.1, 0.1);
        start.velocity[0] = noise.within(-2.0, 2.0);
        a.forward(&start, &Input::none()).unwrap();
        b.forward(&start, &Input::none()).unwrap();
        prop_assert_eq!(a.work.row_forces().len(), b.work.row_forces().len());
        for (f, g) in a.work.row_forces().iter().zip(b.work.row_forces()) {
            prop_assert!((f - g).abs() <= 1e-10 * (1.0 + g.abs()), "{f} {g}");
        }
    }

    /// A body that is welded on, d nearing 1, moves as one that has always been a part: what is left falls as (1 − d)/d.
    #[test]
    fn a_weld_approaches_the_merged_body(count in 1usize..=8, seed in any::<u64>()) {
        let mut noise = Noise(seed ^ 0x3e1d);
        let base = tree(count, seed);
        prop_assume!(base.joints.iter().map(|joint| joint.kind.dofs()).sum::<usize>() + 6 <= NV);
        let carrier = noise.below(count) as u16;
        let part = body(&mut noise, Some(carrier));
        let mut merged = base.clone();
        merged.body(part);
        let d = merged.description();
        let mut whole = Rig::new(&d);
        let start = state(&whole, seed, 1.0);
        let dofs = whole.dofs();
        let force = noise.generalized(dofs, 3.0);
        whole.forward(&start, &Input::force(force));
        let expected = whole.acceleration();
        whole.at(&start);
        let number = Some(count as u16);
        let pose = whole.kinematics.frame(number);
        let (linear, spin) = (whole.kinematics.point_velocity(number, &pose.position), whole.kinematics.velocity(number).angular);
        let spin = pose.orientation.conjugate().rotate(&spin);
        let mut left = vec![];
        for impedance in [0.99, 0.999, 0.9999] {
            let welded = welded(&base, carrier, &part, impedance);
            let d = welded.description();
            let mut rig = Rig::new(&d);
            let mut both = rig.model.state();
            let coordinates = rig.model.coordinate_count() - 7;
            both.configuration[..coordinates].copy_from_slice(&start.configuration[..coordinates]);
            both.velocity.rows_mut(0, dofs).copy_from(&start.velocity.rows(0, dofs));
            let position: [f64; 3] = pose.position.into();
            let turn = pose.orientation.0;
            both.configuration[coordinates..coordinates + 3].copy_from_slice(&position);
            both.configuration[coordinates + 3..coordinates + 7].copy_from_slice(&turn);
            both.velocity.fixed_rows_mut::<3>(dofs).copy_from(&linear);
            both.velocity.fixed_rows_mut::<3>(dofs + 3).copy_from(&spin);
            rig.forward(&both, &Input::force(force));
            left.push(apart(dofs, &rig.acceleration(), &expected));
        }
        prop_assert!(left[2] <= 0.05 * left[0] + 1e-7 && left[2] <= 0.02, "{left:?}");
    }
}

/// The tree, and the part as a free body that is welded to its carrier where it would be fixed.
fn welded(base: &Mechanism<f64>, carrier: u16, part: &Body<f64>, impedance: f64) -> Mechanism<f64> {
    let mut welded = base.clone();
    let index = welded.body(Body { parent: None, ..*part });
    welded.joint(free());
    welded.flags().exact_diagonal = true;
    let kind = EqualityKind::Weld {
        bodies: [Some(carrier), Some(index)],
        anchor: [0.0; 3],
        relative_pose: Some((part.position, part.orientation)),
        torque_scale: 0.3,
    };
    let weld = welded.equality(kind);
    weld.softness = SoftnessNumbers { solref: [0.02, 1.0], solimp: [impedance, impedance, 0.001, 0.5, 2.0] };
    welded
}
