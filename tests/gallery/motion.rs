//! Figures of motion: integrators, their stability, an arm, a ball, a quadruped.

use crate::figures::oscillator::{self, Oscillator, Rule};
use crate::figures::{arm, quadruped, stability, trace};
use crate::{figure, near};

const NAMES: [&str; 5] =
    ["explicit Euler", "semi-implicit Euler", "implicit Euler", "Runge–Kutta 4", "velocity-implicit"];

#[test]
fn w15_70_to_74_the_first_steps_that_are_drawn() {
    let drawn = figure(oscillator::figures, "oscillator_damped");
    let [position, phase, _] = &drawn.panels[..] else { panic!("three panels") };
    for (name, x, v) in [
        ("explicit Euler", 0.975, -0.94),                            // w15_70
        ("semi-implicit Euler", 0.953, -0.94),                       // w15_71
        ("velocity-implicit", 0.95343137254902, -0.931372549019608), // w15_72c
        ("implicit Euler", 0.954436450839329, -0.911270983213429),   // w15_73
        ("Runge–Kutta 4", 0.964186872916667, -0.928418546041667),    // w15_74
    ] {
        near(position.at(name, 0.05).unwrap(), x, 1e-13);
        let after = phase.points(name).unwrap()[1];
        near(after.0, x, 1e-13);
        near(after.1, v, 1e-13);
    }
    // The true curve and Runge–Kutta's order: 120 steps end within a few times (h ω)⁴/120 of it.
    let (truth, walked) = (phase.points("true").unwrap(), phase.points("Runge–Kutta 4").unwrap());
    near(walked.last().unwrap().0, truth.last().unwrap().0, 1e-4);
}

#[test]
fn w15_75_to_77_energies_without_damping() {
    let drawn = figure(oscillator::figures, "oscillator");
    let [_, phase, energy] = &drawn.panels[..] else { panic!("three panels") };
    for (name, factor) in [("explicit Euler", 1.0225), ("implicit Euler", 0.97799511002445)] {
        for pair in energy.points(name).unwrap().windows(2) {
            near(pair[1].1 / pair[0].1, factor, 1e-12); // w15_75, w15_76
        }
    }
    for name in ["semi-implicit Euler", "velocity-implicit"] {
        for (x, v) in phase.points(name).unwrap() {
            near(0.5 * v * v + 4.5 * x * x - 0.225 * x * v, 4.7375, 1e-12); // w15_77
        }
    }
    for (_, e) in energy.points("true").unwrap() {
        near(*e, 4.625, 1e-12);
    }
    for panel in &drawn.panels {
        assert!(NAMES.iter().all(|name| panel.points(name).is_ok()));
    }
}

#[test]
fn w15_78_to_7f_borders_of_stability() {
    let root = 8f64.sqrt();
    near(stability::runge_kutta((0.0, root)), 1.0, 1e-12); // w15_7a
    near(stability::runge_kutta((0.0, 2.0)).powi(2), 0.555555555555555, 1e-12); // w15_7b
    assert!(stability::runge_kutta((0.0, 2.9)) > 1.0); // w15_7c
    near(stability::growth(Rule::Explicit, (0.0, 0.1)), 1.00498756211209, 1e-12); // w15_79
    let [explicit, runge_kutta, implicit, semi, velocity] = stability::borders().map(|(_, _, points)| points);
    for (x, y) in &explicit {
        near((x + 1.0).hypot(*y), 1.0, 1e-6); // w15_7d
    }
    for (x, y) in &implicit {
        near((x - 1.0).hypot(*y), 1.0, 1e-6); // w15_7e
    }
    for (x, y) in &runge_kutta {
        // |1 + z + z²/2 + z³/6 + z⁴/24| = 1, multiplied out by hand.
        let (x2, y2) = (x * x, y * y);
        let real = 1.0 + x + (x2 - y2) / 2.0 + (x2 - 3.0 * y2) * x / 6.0 + (x2 * x2 - 6.0 * x2 * y2 + y2 * y2) / 24.0;
        let imaginary = y * (1.0 + x + (3.0 * x2 - y2) / 6.0 + (x2 - y2) * x / 6.0);
        near(real.hypot(imaginary), 1.0, 1e-9);
    }
    // The two oscillator rules: arcs of radius √8 about ±2, or the imaginary axis up to 2 (w15_78, by trace and determinant).
    for (points, centre) in [(&semi, 2.0), (&velocity, -2.0)] {
        for (x, y) in points {
            let on_axis = x.abs() < 1e-6 && y.abs() <= 2.0 + 1e-6;
            assert!(on_axis || ((x - centre).hypot(*y) - root).abs() < 1e-6, "({x}, {y})");
        }
    }
    // w15_7f: a damper alone, h γ = 2.
    let damper = Oscillator { stiffness: 0.0, damping: 2.0, step: 1.0 };
    near(damper.run(Rule::VelocityImplicit, [0.0, 0.7], 1).unwrap()[1].1 / 0.7, 1.0 / 3.0, 1e-14);
    near(damper.run(Rule::Explicit, [0.0, 0.7], 1).unwrap()[1].1 / 0.7, -1.0, 1e-14);
}

#[test]
fn s15_49_the_stages_are_those_of_the_rule() {
    let (stages, end) = stability::stages().unwrap();
    let ([x, v], h) = (stability::STAGED, stability::LONG_STEP);
    // By hand for x″ = −x: each trial state follows the slope of the stage before.
    let second = [x + 0.5 * h * v, v - 0.5 * h * x];
    let third = [x + 0.5 * h * second[1], v - 0.5 * h * second[0]];
    let fourth = [x + h * third[1], v - h * third[0]];
    for (seen, expected) in stages.iter().zip([[x, v], second, third, fourth]) {
        near(seen[0], expected[0], 1e-14);
        near(seen[1], expected[1], 1e-14);
    }
    assert_eq!(stages.len(), 4);
    // The end by the first five powers of h A (w15_74): cosine and sine cut off.
    let (cosine, sine) = (1.0 - h * h / 2.0 + h.powi(4) / 24.0, h - h.powi(3) / 6.0);
    near(end[0], cosine * x + sine * v, 1e-14);
    near(end[1], cosine * v - sine * x, 1e-14);
}

#[test]
fn w07_31_34_36_the_arm_swings_by_its_closed_forms() {
    let seen = arm::swing().unwrap();
    near(seen[0].mass[0], 2.61934879520231, 1e-13); // w07_31
    near(seen[0].mass[1], 0.582591064267821, 1e-13);
    near(seen[0].energy[0], -20.0388660159769, 1e-12); // w07_34
    near(seen[0].energy[1], 1.04514969880058, 1e-13);
    let total = |s: &arm::Seen| s.energy[0] + s.energy[1];
    let drift = seen.iter().map(|s| (total(s) - total(&seen[0])).abs()).fold(0.0, f64::max);
    near(drift / 3.13e-8, 1.0, 0.005); // w07_36
    let (a, b, c) = (1.66833333333333, 0.4, 0.214166666666667); // w07_30
    for s in &seen {
        let cosine = s.configuration[1].cos();
        near(s.mass[0], a + c + 2.0 * b * cosine, 1e-12); // S07-24
        near(s.mass[1], c + b * cosine, 1e-12);
    }
    let drawn = figure(arm::figures, "two_link_arm");
    for (s, (t, m11)) in seen.iter().zip(drawn.panels[1].points("M₁₁").unwrap()) {
        assert_eq!((s.time, s.mass[0]), (*t, *m11));
    }
}

#[test]
fn w15_91_to_99b_the_trace_at_two_step_sizes() {
    let drawn = figure(trace::figures, "contact_trace");
    let [position, gap, normal, tangent] = &drawn.panels[..] else { panic!("four panels") };
    for (name, bound) in [("5 ms, f64", 1e-9), ("5 ms, f32", 2e-4)] {
        let force = normal.points(name).unwrap();
        assert_eq!((force.len(), force.iter().position(|(_, f)| *f > 0.0)), (401, Some(56))); // w15_9a, w15_91
        near(force[56].1 / 611.896489137392, 1.0, bound); // w15_92
        near(tangent.points(name).unwrap()[56].1 / -156.899639536842, 1.0, bound);
        assert!(force.iter().all(|(_, f)| *f <= force[56].1)); // w15_93
        near(position.points(name).unwrap()[400].1, 0.228082696614551, bound); // w15_94
        near(force[400].1 / 19.62, 1.0, bound); // w15_95
        near(gap.points(name).unwrap()[400].1, 0.0195630439316218, bound); // w15_96
    }
    for (name, bound) in [("20 ms, f64", 1e-9), ("20 ms, f32", 2e-4)] {
        // w15_99b
        let peak = normal.points(name).unwrap().iter().fold(0.0, |m: f64, (_, f)| m.max(*f));
        near(peak / 333.344, 1.0, bound);
        near(position.points(name).unwrap().last().unwrap().1, 0.224, bound);
        near(gap.points(name).unwrap().last().unwrap().1, 0.018267175436962, bound);
    }
}

/// At the end both stand still, so by Newton's second law the feet carry the weight of all bodies.
#[test]
fn the_quadruped_stands_on_its_weight_in_both_precisions() {
    let drawn = figure(quadruped::figures, "quadruped_f32");
    let [height, support, trunk, joints] = &drawn.panels[..] else { panic!("four panels") };
    for name in ["f64", "f32"] {
        near(support.points(name).unwrap().last().unwrap().1 / quadruped::weight(), 1.0, 2e-3);
        let (start, end) = (height.points(name).unwrap()[0].1, height.points(name).unwrap().last().unwrap().1);
        assert!(start > end && end > 0.25);
    }
    // f32 has 24 bits; lengths of half a metre round to 3e-8 m, and the motion may collect some of that.
    for name in ["x", "y", "z"] {
        let points = trunk.points(name).unwrap();
        assert!(points.iter().all(|(_, micrometres)| micrometres.abs() < 10.0));
        assert!(points.iter().any(|(_, micrometres)| *micrometres != 0.0));
    }
    assert!(joints.points("of twelve angles").unwrap().iter().all(|(_, angle)| *angle < 1e-4));
}
