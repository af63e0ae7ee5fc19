//! What holds for every softness, in single precision where ranges are narrow, in double where slopes are compared.
#![allow(clippy::unwrap_used)] // in helpers of tests

use delassus::softness::{Impedance, Reference, Softness, StepRules};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Any finite float, extremes, zeros and subnormals among them.
fn finite() -> impl Strategy<Value = f32> {
    use proptest::num::f32::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
    prop_oneof![
        3 => POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO,
        2 => -2.0f32..2.0,
        1 => prop::sample::select(vec![0.0, -0.0, 1.0, 1e-15, 0.0001, 0.9999, f32::MAX, f32::MIN, f32::MIN_POSITIVE]),
    ]
}

/// A `solimp` in its useful range.
fn curves() -> impl Strategy<Value = [f64; 5]> {
    (0.0001..0.9999, 0.0001..0.9999, 1e-4..0.1, 0.05..0.95, 1.0..6.0).prop_map(|(a, b, w, m, p)| [a, b, w, m, p])
}

fn inside(solimp: [f32; 5]) -> bool {
    let [zero, full, width, midpoint, power] = solimp;
    [zero, full, midpoint].iter().all(|x| (0.0001..=0.9999).contains(x)) && width >= 0.0 && power >= 1.0
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn a_curve_is_clamped_even_and_inside_its_ends(solimp in prop::array::uniform5(finite()), r in finite()) {
        let impedance = Impedance::from_solimp(solimp).unwrap();
        prop_assert!(inside(impedance.solimp()));
        prop_assert_eq!(Impedance::from_solimp(impedance.solimp()).unwrap(), impedance);
        let [zero, full, ..] = impedance.solimp();
        let (here, there) = (impedance.at(r), impedance.at(-r));
        prop_assert!(here.value() >= zero.min(full) && here.value() <= zero.max(full));
        prop_assert_eq!(here.value(), there.value());
        prop_assert_eq!(here.slope(), -there.slope());
        prop_assert!(here.slope().is_finite());
        let regularizer = here.regularizer(1.0).unwrap();
        prop_assert!((here.diagonal_of(regularizer) - 1.0).abs() <= 1e-6);
    }

    #[test]
    fn a_group_has_a_finite_gradient(solimp in prop::array::uniform5(finite()), r in prop::array::uniform6(finite())) {
        let impedance = Impedance::from_solimp(solimp).unwrap();
        prop_assert!(impedance.gradient(&r).iter().all(|x| x.is_finite()));
        prop_assert_eq!(impedance.at_norm(&r[..1]).value(), impedance.at((r[0] * r[0]).sqrt()).value());
    }

    #[test]
    fn gains_are_finite_and_not_negative(
        solref in prop::array::uniform2(finite()), solimp in prop::array::uniform5(finite()), step in any::<f32>(),
        refsafe in any::<bool>(), guard_direct in any::<bool>(),
    ) {
        let rules = StepRules { step, refsafe, guard_direct };
        let gains = Reference::from_solref(solref).unwrap().gains(&Impedance::from_solimp(solimp).unwrap(), &rules);
        prop_assert!(gains.stiffness.is_finite() && gains.stiffness >= 0.0, "{:?}", gains);
        prop_assert!(gains.damping.is_finite() && gains.damping >= 0.0, "{:?}", gains);
    }

    #[test]
    fn not_finite_is_an_error(place in 0usize..7, bad in prop::sample::select(vec![f32::NAN, f32::INFINITY, f32::NEG_INFINITY])) {
        let mut all = [0.02, 1.0, 0.9, 0.95, 0.001, 0.5, 2.0];
        all[place] = bad;
        prop_assert!(Softness::from_mujoco([all[0], all[1]], [all[2], all[3], all[4], all[5], all[6]]).is_err());
    }

    #[test]
    fn the_slope_is_the_derivative(solimp in curves(), x in 0.01f64..0.99) {
        let [zero, full, width, midpoint, power] = solimp;
        prop_assume!((x - midpoint).abs() > 0.01);
        let impedance = Impedance::from_solimp(solimp).unwrap();
        let step = 1e-5;
        let d = |x: f64| impedance.at(x * width).value();
        let difference = (d(x + step) - d(x - step)) / (2.0 * step);
        // y''' of both pieces is at most p (p-1) |p-2| over the square of the distance to the nearer end or the piece
        let curvature = power * (power - 1.0) * (power - 2.0).abs() / (0.005 * 0.005);
        let bound = (full - zero).abs() * curvature * step * step + 1e-9;
        prop_assert!((impedance.at(x * width).slope() * width - difference).abs() <= bound);
    }

    #[test]
    fn the_rest_position_is_a_stable_root(
        solimp in curves(), tc in 0.005f64..0.3, zeta in 0.3f64..3.0, pressing in 0.01f64..100.0, ratio in 0.2f64..5.0,
    ) {
        let softness = Softness::from_mujoco([tc, zeta], solimp).unwrap();
        let rules = StepRules::new(0.002);
        let rest = softness.equilibrium(pressing, ratio, &rules).unwrap();
        let stiffness = softness.gains(&rules).stiffness;
        // S12-51 as printed
        let sides = |r: f64| {
            let d = softness.impedance().at(r).value();
            (-stiffness * d * r, (1.0 - d) / d * ratio * pressing)
        };
        let (pull, load) = sides(rest.residual);
        prop_assert!((pull - load).abs() <= 1e-11 * (pull + load) , "{} {}", pull, load);
        let (shallow, deep) = (sides(rest.residual * (1.0 - 1e-7)), sides(rest.residual * (1.0 + 1e-7)));
        prop_assert!(shallow.0 <= shallow.1 && deep.0 >= deep.1);
        prop_assert_eq!(rest.impedance, softness.impedance().at(rest.residual));
    }

    #[test]
    fn the_rest_position_in_single_precision(solimp in prop::array::uniform5(finite()), solref in prop::array::uniform2(finite()),
        pressing in finite(), ratio in finite()) {
        if let Ok(rest) = Softness::from_mujoco(solref, solimp).unwrap().equilibrium(pressing, ratio, &StepRules::new(0.002)) {
            prop_assert!(rest.residual.is_finite() && rest.residual <= 0.0);
        }
    }

    #[test]
    fn depth_and_settling_time_come_back(
        d in 0.001f64..0.999, time in 0.05f64..1.0, mass in 0.1f64..50.0, load in 1.0f64..1000.0,
    ) {
        let tc = time / 5.833921701917391;
        let depth = (1.0 - d) * load * tc * tc / mass;
        let softness = Softness::from_depth(load, depth, time, mass).unwrap();
        let row = softness.physical(mass, -depth, &StepRules::new(0.002), delassus::softness::Coupling::Independent).unwrap();
        prop_assert!((row.impedance - d).abs() < 1e-12);
        prop_assert!((row.static_depth(load).unwrap() / depth - 1.0).abs() < 1e-10);
        prop_assert!((row.settling_time().unwrap() / time - 1.0).abs() < 1e-6);
    }
}
