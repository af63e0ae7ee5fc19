//! Figures of solvers: the block stack by sweeps and by Newton, descent, three solvers compared.

use crate::figures::{blocks, descent, stack};
use crate::{figure, near};

#[test]
fn w15_10_to_19_the_path_in_the_force_plane() {
    let drawn = figure(stack::figures, "stack_path");
    let [plane, fall] = &drawn.panels[..] else { panic!("two panels") };
    let path = plane.points("row updates").unwrap();
    let printed = [(0.0, 0.0), (10.0, 0.0), (10.0, 5.0), (15.0, 5.0), (15.0, 7.5), (17.5, 7.5), (17.5, 8.75)];
    for (seen, expected) in path.iter().zip(printed) {
        near(seen.0, expected.0, 1e-12);
        near(seen.1, expected.1, 1e-12);
    }
    for (k, force) in path.iter().skip(2).step_by(2).enumerate() {
        let left = 0.5f64.powi(k as i32 + 1);
        near(force.0, 20.0 * (1.0 - left), 1e-11); // w15_17
        near(force.1, 10.0 * (1.0 - left), 1e-11);
    }
    let objective = fall.points("after each row update").unwrap();
    for ((_, value), expected) in objective.iter().zip([0.0, -50.0, -75.0, -87.5, -93.75, -96.875, -98.4375]) {
        near(*value, expected, 1e-11);
    }
    assert!(objective.windows(2).all(|w| w[1].1 < w[0].1) && objective.iter().all(|(_, value)| *value > -100.0)); // w15_19
    // Level curves by the expanded objective (S15-06), each through one iterate.
    let curves = plane.layers.iter().filter(|l| l.points.len() > 200);
    for (curve, level) in curves.zip([-50.0, -75.0, -87.5, -93.75, -96.875, -98.4375]) {
        for (x, y) in &curve.points {
            near(0.5 * x * x - x * y + y * y - 10.0 * x, level, 1e-8);
        }
    }
}

#[test]
fn w15_20_to_24_a_pull_separates_the_blocks() {
    let drawn = figure(stack::figures, "stack_separating");
    let path = drawn.panels[0].points("row updates").unwrap();
    near(path[1].0, 10.0, 1e-12); // w15_20
    for force in &path[1..] {
        near(force.0, 10.0, 1e-12);
        assert_eq!(force.1, 0.0); // w15_22
    }
    // w15_21: the trial before projection, from b = (−10, 15) and A by hand.
    let trial = drawn.panels[0].points("trial, projected back").unwrap()[1];
    near(trial.1, 0.0 - (15.0 - 10.0) / 2.0, 1e-12);
    let pulled = stack::Stack::new(15.0, 0.0).unwrap();
    near(pulled.correction((10.0, 0.0)).unwrap(), 0.0, 1e-13); // w15_23
    // The unconstrained minimum: lower than all around it.
    let lowest = pulled.dual((5.0, -5.0));
    near(lowest, -62.5, 1e-12);
    assert!([(4.9, -5.0), (5.1, -5.0), (5.0, -4.9), (5.0, -5.1)].iter().all(|f| pulled.dual(*f) > lowest));
}

#[test]
fn w15_16_1b_1c_a_warm_start_saves_eight_updates() {
    let drawn = figure(stack::figures, "stack_warm_start");
    let [plane, error] = &drawn.panels[..] else { panic!("two panels") };
    for (name, start, begin, updates) in [
        ("from (0, 0)", (0.0, 0.0), 10.0, 47),  // w15_16
        ("from (18, 9)", (18.0, 9.0), 1.0, 39), // w15_1c
    ] {
        let first = plane.points(name).unwrap()[0];
        near(first.0, start.0, 1e-11);
        near(first.1, start.1, 1e-11);
        let measures = error.points(&format!("{name}: {updates} updates")).unwrap();
        near(measures[0].1, begin, 1e-11);
        let reached = measures.iter().position(|(_, left)| *left <= 1e-6).unwrap();
        assert_eq!(reached, updates); // w15_1b
    }
}

#[test]
fn w15_44_to_46_descent_on_condition_numbers_eight_and_fifty() {
    use descent::{Walk, walk};
    let start = [1.0, 1.0];
    let conjugate = walk(Walk::Conjugate, 8.0, start, 2);
    near(conjugate[1].0, 448.0 / 513.0, 1e-14); // w15_44
    near(conjugate[1].1, -7.0 / 513.0, 1e-14);
    near(conjugate[2].0.hypot(conjugate[2].1), 0.0, 1e-14); // w15_46
    near(walk(Walk::Steepest, 8.0, start, 2)[2].0, 0.084903617067359, 1e-14);
    let newton = walk(Walk::Newton, 8.0, start, 1);
    near(newton[1].0.hypot(newton[1].1), 0.0, 1e-15); // w15_45
    let drawn = figure(descent::figures, "descent");
    let error = &drawn.panels[2];
    for condition in [8, 50] {
        let walked = error.points(&format!("steepest, κ = {condition}")).unwrap();
        let bound = error.points(&format!("bound, κ = {condition}")).unwrap();
        assert!(walked.iter().zip(bound).all(|((_, a), (_, b))| *a <= b * (1.0 + 1e-9)));
    }
    // From (κ, 1)/κ every step loses exactly the bound (Kantorovich).
    let walked = error.points("steepest, κ = 50").unwrap();
    for (k, share) in walked {
        near(share / (49.0f64 / 51.0).powf(2.0 * k), 1.0, 1e-9);
    }
}

#[test]
fn w15_50_to_58_and_36_newton_across_the_borders() {
    let drawn = figure(blocks::figures, "newton_paths");
    let [halved, exact] = &drawn.panels[..] else { panic!("two panels") };
    let path = halved.points("Newton with backtracking").unwrap();
    let solution = (-210.0 / 131.0, -310.0 / 131.0);
    let printed = [(2.0, 2.0), (-4.0, -4.0), (-71.0 / 22.0, -5.5), solution]; // w15_52, w15_55, w15_56
    assert_eq!(path.len(), printed.len()); // w15_58
    for (seen, expected) in path.iter().zip(printed) {
        near(seen.0, expected.0, 1e-12);
        near(seen.1, expected.1, 1e-12);
    }
    let rejected = halved.points("tried and rejected").unwrap();
    // w15_51, and the two longer steps of w15_54: (−4, −4) + t (34/11, −6).
    let trials = [(-10.0, -10.0), (-4.0 + 34.0 / 11.0, -10.0), (-4.0 + 17.0 / 11.0, -7.0)];
    assert_eq!(rejected.len(), trials.len());
    let soft = stack::Stack::new(0.0, 0.1).unwrap();
    for ((seen, expected), objective) in rejected.iter().zip(trials).zip([500.0, 458.677685950413, 166.396694214876]) {
        near(seen.0, expected.0, 1e-12);
        near(seen.1, expected.1, 1e-12);
        near(blocks::primal(&soft, *seen), objective, 1e-9);
    }
    let path = exact.points("Newton with the exact line search").unwrap();
    near(path[1].0, -5.0 / 3.0, 1e-12); // w15_36
    near(path[1].1, -5.0 / 3.0, 1e-12);
    near(path.last().unwrap().0, solution.0, 1e-12);
    near(path.last().unwrap().1, solution.1, 1e-12);
    // Level curves by the printed objective (S15-33).
    let curves = halved.layers.iter().filter(|l| l.points.len() > 200);
    for (curve, level) in curves.zip([83.0, 92.0, 116.0, 144.0, 250.0]) {
        for (x, y) in &curve.points {
            let value =
                0.5 * ((x + 10.0).powi(2) + (y + 10.0).powi(2)) + 5.0 * (x.min(0.0).powi(2) + (y - x).min(0.0).powi(2));
            near(value, level, 1e-7);
        }
    }
}

/// The exact forces come from an active-set walk that shares nothing with the crate.
#[test]
fn all_solvers_end_at_the_exact_forces() {
    for impedance in [0.9, 0.9999] {
        let [newton, gradients, sweeps] = blocks::compared(impedance).unwrap();
        for points in [&newton, &gradients, &sweeps] {
            assert!(points.last().unwrap().1 < 1e-10, "{impedance}: {:?}", points.last());
        }
        assert!(newton.len() < 10 && sweeps.len() > 100);
        let below = |points: &[(f64, f64)]| points.iter().find(|(_, error)| *error < 1e-6).unwrap().0;
        assert!(below(&newton) < below(&gradients) && below(&gradients) < below(&sweeps));
    }
    let first_below = |impedance| blocks::compared(impedance).unwrap()[2].iter().find(|(_, e)| *e < 1e-6).unwrap().0;
    assert!(first_below(0.9999) > first_below(0.9));
}
