//! Energy over time.

use super::random::{Noise, recipe};
use super::rig::{NV, Rig, Wide};
use super::world::{Machine, World, cases};
use delassus::description::{EqualityKind, Integrator};
use delassus::rows::{Kind, Row};
use delassus::scalar::dot;
use delassus::solver::Budget;
use delassus::tick::Input;
use proptest::prelude::*;

/// Most that T + U + springs rises above its start within so many steps, and its size; `None` where the motion ends early.
fn gain(world: &World, start: &Wide, step: f64, steps: usize) -> Option<(f64, f64)> {
    let mut world = world.clone();
    world.tree.options.step = step;
    let description = world.description();
    let mut machine = Machine::new(&description);
    let plain = world.tree.description();
    let mut rig = Rig::new(&plain);
    let mut state = *start;
    let first = rig.energies(&state);
    let (begin, mut most, mut size) = (first.iter().sum::<f64>(), 0.0f64, first[0]);
    for _ in 0..steps {
        let report = machine.model.step(&mut state, &Input::none(), &Budget::new(50, 1e-12), &mut machine.work).ok()?;
        if report.dropped_contacts > 0 {
            return None;
        }
        let now = rig.energies(&state);
        most = most.max(now.iter().sum::<f64>() - begin);
        size = size.max(now[0]);
    }
    Some((most, size))
}

proptest! {
    #![proptest_config(cases(100))]

    /// No motor, nothing violated at first: what constraints give back they have taken before, or have stored as dry friction that moves.
    /// Energy above that is the integrator's error: no more than a few times what a quarter of the step changes.
    #[test]
    fn a_passive_mechanism_gains_no_energy((count, seed) in recipe()) {
        let mut world = World::draw(count, seed);
        world.tree.options.integrator = Integrator::RungeKutta;
        for joint in &mut world.tree.joints {
            // Springs of odd order only: the others have no lowest point.
            joint.stiffness[1] = 0.0;
        }
        for equality in &mut world.tree.equalities {
            if let EqualityKind::Coupling { polynomial: [constant, ..], .. } = &mut equality.kind {
                *constant = 0.0;
            }
        }
        let description = world.description();
        let mut machine = Machine::new(&description);
        let mut start = machine.model.state();
        start.velocity = Noise(seed ^ 0xe6).generalized(machine.model.dof_count(), 0.5);
        machine.forward(&start, &Input::none());
        // Nothing acts but friction at first.
        let still = machine.work.rows().rows().iter().zip(machine.work.row_forces()).all(|(row, f)| {
            *f == 0.0 || matches!(row.kind(), Kind::JointFriction | Kind::Equality)
        });
        prop_assume!(still && machine.work.contacts().iter().all(|contact| contact.distance > contact.margin));
        // A soft row has inertia of its own, 1/R, and with dry friction that moves at first.
        let inertia = |row: &Row<f64, NV>| {
            let speed = dot(row.jacobian(), start.velocity.as_slice());
            if row.kind() == Kind::JointFriction { 0.5 * speed * speed / row.regularizer() } else { 0.0 }
        };
        let stored: f64 = machine.work.rows().rows().iter().map(inertia).sum();
        let Some((coarse, size)) = gain(&world, &start, 1e-3, 200) else { return Ok(()) };
        let Some((fine, _)) = gain(&world, &start, 2.5e-4, 800) else { return Ok(()) };
        let error = 2.0 * (coarse - fine).abs() + 1e-9 * size;
        prop_assert!(fine <= stored + error, "gained {coarse:e}, {fine:e} at a quarter of the step, of {size:e}; {stored:e} stored");
    }
}
