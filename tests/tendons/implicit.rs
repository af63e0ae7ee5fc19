//! velocity-implicit steps against M − h D made densely, D by central differences of the smooth force itself, entries
//! between branches included.

use delassus::description::Integrator;
use delassus::solver::Budget;
use delassus::tick::Input;
use nalgebra::{SMatrix, SVector};
use proptest::prelude::*;

use crate::scene::{Parts, Rig, config, numbers, pendulums, tree};

const CONTROL: [f64; 4] = [0.3, -0.5, 0.7, 0.2];

fn input<const NV: usize>() -> Input<'static, f64, NV> {
    let mut input = Input::none();
    input.control = &CONTROL;
    input
}

fn check<const NB: usize, const NQ: usize, const NV: usize>(
    mut parts: Parts,
    integrator: Integrator,
    x: &[f64],
) -> Result<(), TestCaseError> {
    parts.options.integrator = integrator;
    parts.options.step = 0.01;
    if integrator == Integrator::Implicit {
        // The derivative of the bias force leaves out the rope's own, as the engine's does.
        parts.tendons[1].armature = 0.0;
    }
    let mut rig = Rig::<NB, NQ, NV>::new(parts).at(x);
    let start = rig.state;
    rig.forward(&input());
    let mass = SMatrix::<f64, NV, NV>::from_fn(|i, j| rig.work.mass().columns()[j][i]);
    let mut force = |velocity: SVector<f64, NV>| {
        rig.state.velocity = velocity;
        rig.forward(&input());
        let bias = if integrator == Integrator::Implicit { *rig.work.bias_force() } else { SVector::zeros() };
        rig.work.passive_force() + rig.work.actuator_force() - bias
    };
    let h = 1e-6;
    let mut derivative = SMatrix::<f64, NV, NV>::zeros();
    for k in 0..NV {
        let mut nudge = SVector::zeros();
        nudge[k] = h;
        let slope = (force(start.velocity + nudge) - force(start.velocity - nudge)) / (2.0 * h);
        derivative.set_column(k, &slope);
    }
    rig.state = start;
    rig.forward(&input());
    let smooth = rig.work.passive_force() + rig.work.actuator_force() - rig.work.bias_force();
    let step = rig.model.description().options.step;
    rig.model.step(&mut rig.state, &input(), &Budget::new(100, 0.0), &mut rig.work).unwrap();
    let change = (rig.state.velocity - start.velocity) / step;
    let error = ((mass - derivative * step) * change - smooth).norm();
    prop_assert!(error < 1e-7 * (1.0 + smooth.norm()), "{error}");
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn steps_are_those_of_the_whole_matrix(x in numbers(11), y in numbers(6)) {
        for integrator in [Integrator::Implicit, Integrator::ImplicitFast] {
            check::<4, 13, 11>(tree(), integrator, &x)?;
            check::<6, 6, 6>(pendulums(), integrator, &y)?;
            // With an M that has the tree's zeros, only M − h D has none.
            let mut light = pendulums();
            light.tendons.iter_mut().for_each(|tendon| tendon.armature = 0.0);
            check::<6, 6, 6>(light, integrator, &y)?;
        }
    }
}
