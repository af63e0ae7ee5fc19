//! M, bias, springs and dampers of tendons belong together: energy changes by the power of dampers and actuators alone, and inverse
//! dynamics undoes forward dynamics. M is held against Σ a Jᵀ J by itself.

use delassus::dynamics::{kinetic_energy, potential_energy};
use delassus::forces::{spring_energy, tendon_spring_energy};
use delassus::model::State;
use delassus::tendon::jacobian;
use delassus::tick::Input;
use nalgebra::{SMatrix, SVector};
use proptest::prelude::*;

use crate::scene::{Parts, Rig, config, numbers, pendulums, tree};

fn energy<const NB: usize, const NQ: usize, const NV: usize>(
    rig: &mut Rig<NB, NQ, NV>,
    state: &State<f64, NQ, NV>,
) -> f64 {
    rig.place(state);
    let (model, kinematics) = (&rig.model, rig.work.kinematics());
    kinetic_energy(model.tree(), kinematics, &state.velocity)
        + potential_energy(model.tree(), kinematics, &model.gravity())
        + spring_energy(model.tree(), &state.configuration)
        + tendon_spring_energy(model.tree(), kinematics, model.tendons(), &state.configuration)
}

fn power<const NB: usize, const NQ: usize, const NV: usize>(mut rig: Rig<NB, NQ, NV>) -> Result<(), TestCaseError> {
    let mut input = Input::none();
    input.control = &[0.3, -0.5, 0.7]; // the fourth is zero
    let acceleration = rig.forward(&input);
    let start = rig.state;
    // Dampers: what passive forces lose when springs are switched off; there are no other passive forces here.
    let work = *rig.work.actuator_force();
    let mut damping = SVector::<f64, NV>::zeros();
    for tendon in rig.model.description().tendons {
        let mut row = SVector::zeros();
        jacobian(rig.model.tree(), rig.work.kinematics(), tendon, &mut row);
        let (rate, [b, b1, b2]) = (row.dot(&start.velocity), tendon.damping);
        damping -= row * ((b + b1 * rate.abs() + b2 * rate * rate) * rate);
    }
    let expected = start.velocity.dot(&(work + damping));
    let h = 1e-5;
    let (before, after) = (rig.moved(&acceleration, -h), rig.moved(&acceleration, h));
    let found = (energy(&mut rig, &after) - energy(&mut rig, &before)) / (2.0 * h);
    let scale = 1.0 + start.velocity.norm() * (work.norm() + damping.norm());
    prop_assert!((found - expected).abs() < 1e-6 * scale, "{found} {expected}");
    Ok(())
}

fn inverse<const NB: usize, const NQ: usize, const NV: usize>(mut rig: Rig<NB, NQ, NV>) -> Result<(), TestCaseError> {
    let force = SVector::from_fn(|k, _| 0.3 - 0.1 * k as f64);
    let mut input = Input::force(force);
    input.control = &[0.3, -0.5, 0.7, 0.2];
    let acceleration = rig.forward(&input);
    let wanted = force + rig.work.actuator_force();
    let found = rig.model.inverse(&rig.state, &acceleration, &input, &mut rig.work).unwrap();
    prop_assert!((found.force - wanted).norm() < 1e-9 * (1.0 + wanted.norm()), "{} {wanted}", found.force);
    Ok(())
}

/// M with tendons is M without them and Σ a Jᵀ J, entries between branches included, and its factor solves it.
fn matrix<const NB: usize, const NQ: usize, const NV: usize>(
    parts: fn() -> Parts,
    x: &[f64],
) -> Result<(), TestCaseError> {
    let mut light = parts();
    light.tendons.iter_mut().for_each(|tendon| tendon.armature = 0.0);
    let (mut with, mut without) = (Rig::<NB, NQ, NV>::new(parts()).at(x), Rig::<NB, NQ, NV>::new(light).at(x));
    with.forward(&Input::none());
    without.forward(&Input::none());
    let entries = |rig: &Rig<NB, NQ, NV>| SMatrix::<f64, NV, NV>::from_fn(|i, j| rig.work.mass().columns()[j][i]);
    let mut expected = entries(&without);
    for tendon in with.model.description().tendons {
        let mut row = SVector::zeros();
        jacobian(with.model.tree(), with.work.kinematics(), tendon, &mut row);
        expected += row * row.transpose() * tendon.armature;
    }
    prop_assert!((entries(&with) - expected).norm() < 1e-13 * expected.norm());
    let b = SVector::from_fn(|k, _| 1.0 - 0.3 * k as f64);
    let mut solved = b;
    with.work.mass().solve(&mut solved).unwrap();
    prop_assert!((expected * solved - b).norm() < 1e-10 * b.norm());
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn energy_changes_by_dampers_and_actuators_alone(x in numbers(11), y in numbers(6)) {
        power(Rig::<4, 13, 11>::new(tree()).at(&x))?;
        power(Rig::<6, 6, 6>::new(pendulums()).at(&y))?;
    }

    #[test]
    fn inverse_undoes_forward(x in numbers(11), y in numbers(6)) {
        inverse(Rig::<4, 13, 11>::new(tree()).at(&x))?;
        inverse(Rig::<6, 6, 6>::new(pendulums()).at(&y))?;
    }

    #[test]
    fn armature_is_all_there(x in numbers(11), y in numbers(6)) {
        matrix::<4, 13, 11>(tree, &x)?;
        matrix::<6, 6, 6>(pendulums, &y)?;
    }
}
