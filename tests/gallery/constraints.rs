//! Figures of constraints: where rows begin, curvature, Gauss' principle, friction, cones.

use crate::figures::{cones, friction, gauss, geometry};
use crate::{figure, near};

#[test]
fn w11_01a_to_e_the_events_of_a_falling_ball() {
    for (distance, expected) in
        [(0.5, (0, 0)), (0.40625, (1, 0)), (0.25, (1, 0)), (0.203125, (1, 1)), (-0.0625, (1, 1))]
    {
        assert_eq!(geometry::counts(distance).unwrap(), expected, "{distance}");
    }
    let drawn = figure(geometry::figures, "margin_gap_surface");
    let [falling, thresholds] = &drawn.panels[..] else { panic!("two panels") };
    for (s, count) in thresholds.points("contacts listed").unwrap() {
        assert_eq!(*count == 1.0, *s <= 0.40625);
    }
    for (s, count) in thresholds.points("rows").unwrap() {
        assert_eq!(*count == 1.0, *s < 0.25);
    }
    // Each event is at the first state beyond its border: one step of at most 2 ms at 4.4 m/s.
    let marks: Vec<f64> = falling.layers.iter().filter(|l| l.points.len() == 1).map(|l| l.points[0].1).collect();
    for (mark, border) in marks.iter().zip([0.40625, 0.25, 0.0]) {
        assert!(*mark <= border && *mark > border - 0.0088, "{mark} {border}");
    }
    // Free fall until the row acts: s = 1 − ½ g t (t + h) of semi-implicit Euler.
    for (t, s) in falling.points("distance").unwrap().iter().filter(|(t, _)| *t < 0.38) {
        near(*s, 1.0 - 0.5 * 9.81 * t * (t + 0.002), 1e-12);
    }
}

#[test]
fn w11_08_the_rod_stays_on_its_circle() {
    let level = geometry::swing(0.5 * std::f64::consts::PI).unwrap();
    near(level.curvature, 4.0, 1e-12);
    near(level.acceleration[0], -2.5, 1e-12);
    let drawn = figure(geometry::figures, "rod_on_a_circle");
    let row = &drawn.panels[1];
    for (angle, sum) in row.points("their sum r″").unwrap() {
        near(*sum, 0.0, 1e-12);
        // |v|² by energy.
        near(row.at("curvature |v|²", *angle).unwrap(), 4.0 + 2.0 * 9.81 * 1.6 * angle.to_radians().cos(), 1e-9);
    }
    near(row.at("J a", 90.0).unwrap(), -4.0, 1e-12);
    // The acceleration along the circle is gravity's: −(g/L) sin q (S07-05).
    for k in 0..20 {
        let angle = 0.08 * f64::from(k);
        let s = geometry::swing(angle).unwrap();
        near(s.acceleration[0] * angle.cos() + s.acceleration[1] * angle.sin(), -9.81 * angle.sin(), 1e-12);
    }
}

#[test]
fn w07_04_to_07_projections_touch_the_allowed_line() {
    let drawn = figure(gauss::figures, "gauss_projection");
    for ((masses, acceleration, cost), panel) in
        [([2.0, 1.0], [1.0, 1.0], 3.0), ([1.0, 1.0], [0.5, 0.5], 2.25)].into_iter().zip(&drawn.panels)
    {
        let (found, found_cost) = gauss::projected(masses).unwrap();
        near(found[0], acceleration[0], 1e-12);
        near(found[1], acceleration[1], 1e-12);
        near(found_cost, cost, 1e-12);
        assert_eq!(panel.points("projection").unwrap(), [(2.0, -1.0), (found[0], found[1])]);
        // The level curve by the closed form; nowhere beyond the allowed line, which it touches.
        let curve = panel.points("as costly as the projection").unwrap();
        for (x, y) in curve {
            near(0.5 * (masses[0] * (x - 2.0) * (x - 2.0) + masses[1] * (y + 1.0) * (y + 1.0)), cost, 1e-10);
            assert!(x - y > -1e-9);
        }
        assert!(curve.iter().any(|(x, y)| x - y < 1e-2));
    }
}

#[test]
fn w07_08_to_13c_two_sliders_from_hard_to_soft() {
    for (regularizer, relative) in [(0.0, 0.0), (0.5, 0.75), (1.5, 1.5), (1e9, 2.9999999955)] {
        let ([a1, a2], force) = gauss::softened(regularizer).unwrap();
        near(a1 - a2, relative, 1e-11); // w07_11, w07_13a … c
        near(force, -3.0 / (1.5 + regularizer), 1e-12);
    }
    let ([a1, a2], force) = gauss::softened(0.5).unwrap();
    near(force, -1.5, 1e-12); // w07_09
    near(a1, 1.25, 1e-12); // w07_10
    near(a2, 0.5, 1e-12);
    let drawn = figure(gauss::figures, "hard_to_soft");
    for (regularizer, relative) in drawn.panels[0].points("J a = −R λ").unwrap() {
        near(*relative, 3.0 * regularizer / (1.5 + regularizer), 1e-12);
    }
    for (regularizer, force) in drawn.panels[1].points("λ").unwrap() {
        near(*force, -3.0 / (1.5 + regularizer), 1e-12);
    }
    // The sum of momenta is kept: 2 a₁ + a₂ = 3 all the way.
    for (a1, a2) in drawn.panels[2].points("from hard to soft").unwrap() {
        near(2.0 * a1 + a2, 3.0, 1e-12);
    }
}

#[test]
fn w11_40_and_41_columns_of_the_operator() {
    let (columns, motions) = gauss::columns().unwrap();
    assert_eq!(columns, [[1.5, 1.0], [1.0, 1.0]]); // w11_40
    near(1.0 / columns[0][0], 2.0 / 3.0, 1e-15); // w11_41
    assert_eq!(motions, [[-0.5, 1.0], [0.0, 1.0]]); // −1/m₁, 1/m₂ and 0, 1/m₂
    let drawn = figure(gauss::figures, "delassus_columns");
    for (j, panel) in drawn.panels.iter().enumerate() {
        let bars: Vec<f64> = panel.layers.iter().filter(|l| l.points.len() == 4).map(|l| l.points[1].1).collect();
        assert_eq!(bars, [motions[j], columns[j]].concat());
    }
}

#[test]
fn w07_60_and_61_friction_takes_most_power_out() {
    let drawn = figure(friction::figures, "friction");
    let [interval, disc, power] = &drawn.panels[..] else { panic!("three panels") };
    let force = disc.points("force").unwrap()[1];
    near(force.0, -3.0, 1e-12); // w07_60
    near(force.1, -4.0, 1e-12);
    let least = power.points("maximum dissipation").unwrap()[0];
    near(least.1, -25.0, 1e-12);
    let all = power.points("on the edge of the disc").unwrap();
    assert!(all.iter().all(|(_, p)| *p >= least.1 - 1e-12)); // w07_61
    for (angle, p) in all {
        let angle = angle.to_radians();
        near(*p, 5.0 * (3.0 * angle.cos() + 4.0 * angle.sin()), 1e-12);
    }
    for (x, y) in disc.points("possible at 10 N").unwrap() {
        near(x.hypot(*y), 5.0, 1e-12);
    }
    for (normal, force) in interval.points("sliding forwards").unwrap() {
        near(*force, -0.5 * normal, 1e-12); // S07-48
    }
}

#[test]
fn w11_36_regions_and_rows_of_the_cones() {
    let drawn = figure(cones::figures, "cones");
    let [section, side, rows] = &drawn.panels[..] else { panic!("three panels") };
    for (x, y) in section.points("elliptic").unwrap() {
        near((x / 6.0) * (x / 6.0) + (y / 3.0) * (y / 3.0), 1.0, 1e-12);
    }
    // One edge alone: f_j = ± μ_j β (S11-22).
    assert_eq!([0, 1, 2, 3].map(cones::corner), [(6.0, 0.0), (-6.0, 0.0), (0.0, 3.0), (0.0, -3.0)]);
    for (x, y) in section.points("pyramidal").unwrap() {
        near(x.abs() / 6.0 + y.abs() / 3.0, 1.0, 1e-12);
    }
    let (foot, tip) = (side.points("n ± 0.6 t₁").unwrap()[0], side.points("n ± 0.6 t₁").unwrap()[1]);
    near((tip.0 - foot.0) / (tip.1 - foot.1), 0.6, 1e-15); // S11-21
    let counts: Vec<f64> = rows.layers.iter().map(|layer| layer.points[1].1).collect();
    assert_eq!(counts, [1.0, 1.0, 3.0, 4.0, 4.0, 6.0, 6.0, 10.0]); // w11_36, both cones in turn
}

#[test]
fn w12_80_81_w15_64_regularizers_of_friction_rows() {
    let drawn = figure(cones::figures, "friction_regularizers");
    let [three, six, product] = &drawn.panels[..] else { panic!("three panels") };
    let spin = [0.0263157894737, 0.0263157894737, 0.105263157895, 23.6842105263]; // w15_64a
    let hard = [0.0263157894737, 0.00526315789474, 0.0210526315789, 4.73684210526]; // w15_64b
    for (name, expected) in [("impratio 1", spin), ("impratio 5", hard)] {
        for ((_, r), e) in three.points(name).unwrap().iter().zip(expected) {
            near(r / e, 1.0, 1e-11);
        }
    }
    let rolling = [1.0 / 38.0, 1.0 / 38.0, 1.0 / 38.0, 378.947368421053, 947368.421052632, 947368.421052632]; // w12_80a
    let hard =
        [1.0 / 38.0, 0.00526315789473684, 0.00526315789473684, 75.7894736842105, 189473.684210526, 189473.684210526];
    for (name, expected) in [("impratio 1", rolling), ("impratio 5", hard)] {
        for ((_, r), e) in six.points(name).unwrap().iter().zip(expected) {
            near(r / e, 1.0, 1e-12); // w12_80b
        }
    }
    for (name, expected) in [("impratio 1", 0.00947368421052632), ("impratio 5", 0.00189473684210526)] {
        for (_, value) in product.points(name).unwrap() {
            near(value / expected, 1.0, 1e-12); // w12_81a, w12_81b
        }
    }
}
