//! Figures of softness: effective weight, recovery, impedance, resting.

use crate::figures::{softness, support};
use crate::{figure, near};

#[test]
fn w12_02_effective_weight_over_the_impedance() {
    let drawn = figure(softness::figures, "effective_weight");
    let panel = &drawn.panels[0];
    let curves =
        [("Â/A = 1: as asked", 1.0), ("Â/A = 2: softer than asked", 2.0), ("Â/A = 0.5: harder than asked", 0.5)];
    for (name, ratio) in curves {
        for (d, weight) in panel.points(name).unwrap() {
            near(*weight, d / (d + (1.0 - d) * ratio), 1e-14); // S12-15
        }
    }
    near(panel.at("Â/A = 1: as asked", 0.9).unwrap(), 0.9, 1e-14); // w12_02a
    near(panel.at("Â/A = 2: softer than asked", 0.9).unwrap(), 0.818181818181818, 1e-14); // w12_02b
    for (_, y) in panel.points("d = 0.9").unwrap() {
        assert!([0.9, 9.0 / 11.0].contains(y));
    }
}

#[test]
fn w12_04_to_06b_recoveries_at_the_time_constant() {
    let drawn = figure(softness::figures, "recovery");
    let panel = &drawn.panels[0];
    let critical = "ζ = 1: fastest without overshoot";
    near(panel.at(critical, 0.3).unwrap(), 0.735758882342885, 1e-10); // w12_04
    near(panel.at(critical, 0.6).unwrap(), 0.406005849709838, 1e-10); // w12_05
    near(panel.at("ζ = 0.5: overshoots", 0.3).unwrap(), 0.150574365145888, 1e-10); // w12_06a
    near(panel.at("ζ = 2: a slow mode remains", 0.3).unwrap(), 0.930294794098041, 1e-10); // w12_06b
    // S12-21 everywhere.
    for (t, r) in panel.points(critical).unwrap() {
        near(*r, (1.0 + t / 0.3) * (-t / 0.3).exp(), 1e-10);
    }
    let marks = panel.layers.last().unwrap();
    assert_eq!(marks.points, [(0.3, 2.0 / 1f64.exp()), (0.6, 3.0 / 2f64.exp())]);
}

#[test]
fn w12_2h_to_2m_impedance_and_slope() {
    let drawn = figure(softness::figures, "impedance");
    let [value, slope] = &drawn.panels[..] else { panic!("two panels") };
    let falling = "falling 0.9 → 0.3, m = 0.3, p = 3";
    let straight = "p = 1: straight, with kinks";
    for (name, r, d, rise) in [
        (falling, -0.02, 0.846666666666667, 8.0),                        // w12_2h
        (falling, 0.06, 0.378367346938775, -5.87755102040817),           // w12_2i
        ("m = 0.4, p = 2.5", 0.03, 0.316913429510899, 9.74278579257493), // w12_2j
        (straight, -0.025, 0.35, -6.0),                                  // w12_2k
        (straight, 0.0, 0.2, 0.0),                                       // w12_2l
        (straight, 0.12, 0.8, 0.0),
        // The midpoint, where both pieces have slope p (S12-32), and half the width, which doubles it (S12-33).
        ("0.2 → 0.8, width 0.1 m, m = 0.5, p = 2", 0.05, 0.5, 12.0),
        ("half the width", 0.025, 0.5, 24.0),
    ] {
        near(value.at(name, r).unwrap(), d, 1e-12);
        near(slope.at(name, r).unwrap(), rise, 1e-11);
    }
}

#[test]
fn w12_46_61_64_the_force_over_the_error() {
    let drawn = figure(support::figures, "normal_force");
    near(support::carried(-0.03, -0.1).unwrap().0, 188.639, 1e-9); // w12_46
    let rest = support::rest().unwrap();
    near(rest, -0.000436956068378151, 1e-15); // w12_61
    near(support::carried(rest, 0.0).unwrap().0, 19.62, 1e-9); // w12_64
    near(drawn.panels[1].at("approaching, u = −0.1 m/s", -30.0).unwrap(), 188.639, 1e-9);
    for panel in &drawn.panels {
        // At rest above the weight exactly where deeper than the rest position; no force outside the row, nor a pull.
        for (error, force) in panel.points("at rest, u = 0").unwrap() {
            assert_eq!(*force > 19.62, *error < 1000.0 * rest, "{error} {force}");
        }
        for layer in panel.layers.iter().filter(|layer| layer.name.contains("u = ")) {
            assert!(layer.points.iter().all(|(error, force)| *force >= 0.0 && (*error < 0.0 || *force == 0.0)));
        }
    }
}

#[test]
fn w12_62_65_the_margin_moves_the_equilibrium() {
    let drawn = figure(support::figures, "equilibrium");
    let [one, other] = &drawn.panels[..] else { panic!("two panels") };
    let rest = -0.436956068378151; // mm
    for (error, acceleration) in one.points("acceleration").unwrap() {
        assert_eq!(*acceleration > 0.0, *error < rest); // w12_65
    }
    near(one.points("equilibrium").unwrap()[0].0, rest, 1e-12);
    // w12_62: the gap of the 20 mm margin, and the same for the others.
    let gaps: Vec<f64> = other.layers.iter().filter(|l| l.points.len() == 1).map(|l| l.points[0].0).collect();
    for (gap, expected) in gaps.iter().zip([rest, 10.0 + rest, 19.5630439316219]) {
        near(*gap, expected, 1e-9);
    }
    // The curves are the same but for the margin.
    let [first, second] = ["margin 0 mm", "margin 20 mm"].map(|name| other.points(name).unwrap());
    for ((x, a), (y, b)) in first.iter().zip(second) {
        near(y - x, 20.0, 1e-12);
        assert_eq!(a, b);
    }
}
