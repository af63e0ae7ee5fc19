//! Physical units, rest positions and the guard of the direct format, against analysis and simulation.
#![allow(clippy::unwrap_used)] // in helpers of tests

use delassus::softness::{
    Coupling, Impedance, Reference, Softness, SoftnessError, StepRules, Validity, reference_acceleration,
};

const RULES: StepRules<f64> = StepRules { step: 1e-5, refsafe: true, guard_direct: false };
const FALLING: [f64; 5] = [0.99, 0.3, 0.01, 0.5, 4.0];

#[track_caller]
fn close(got: f64, expected: f64, relative: f64) {
    assert!((got - expected).abs() <= relative * expected.abs(), "{got} instead of {expected}");
}

fn direct(kappa: f64, beta: f64, impedance: Impedance<f64>) -> Softness<f64> {
    Softness::new(Reference::from_solref([-kappa, -beta]).unwrap(), impedance)
}

/// One tick of a mass on a one-sided row (S12-09): (residual, velocity) by semi-implicit Euler.
fn tick(softness: &Softness<f64>, mass: f64, load: f64, rules: &StepRules<f64>, [r, u]: [f64; 2]) -> [f64; 2] {
    let gains = softness.gains(rules);
    let point = softness.impedance().at(r);
    let free = -load / mass;
    let regularizer = point.regularizer(1.0 / mass).unwrap();
    let target = reference_acceleration(&gains, &point, r, u, 0.0);
    let force = ((target - free) / (1.0 / mass + regularizer)).max(0.0);
    let u = u + rules.step * (free + force / mass);
    [r + rules.step * u, u]
}

#[test]
fn a_mass_on_the_row_sinks_to_the_wanted_depth_in_the_wanted_time() {
    for (load, depth, time, mass) in [(40.0, 1e-3, 0.1, 2.0), (9.81, 2e-4, 0.03, 1.0), (500.0, 0.01, 0.2, 30.0)] {
        let softness = Softness::from_depth(load, depth, time, mass).unwrap();
        let rules = StepRules { step: time * 1e-5, ..RULES };
        let mut state = [0.0, 0.0];
        let mut settled = 0.0;
        for k in 1..400_000 {
            state = tick(&softness, mass, load, &rules, state);
            if (state[0] + depth).abs() > 0.02 * depth {
                settled = f64::from(k) * rules.step;
            }
        }
        close(state[0], -depth, 1e-8); // four settling times: 24 e^-23
        close(settled, time, 1e-4);
        // the same depth from the equilibrium and from the spring
        let rest = softness.equilibrium(load / mass, 1.0, &rules).unwrap();
        close(rest.residual, -depth, 1e-11);
        let row = softness.physical(mass, -depth, &rules, Coupling::Independent).unwrap();
        close(row.static_depth(load).unwrap(), depth, 1e-11);
        close(row.settling_time().unwrap(), time, 1e-7);
        close(row.natural_frequency(), 5.833921701917391 / time, 1e-11);
        close(row.damping_ratio().unwrap(), 1.0, 1e-11);
        assert_eq!(row.validity, Validity::Exact);
    }
}

/// The claim that the row is m x'' = -F - k r - b u - D x'': simulated both ways.
#[test]
fn a_row_moves_as_its_spring_its_damper_and_its_added_inertia() {
    let (k, b, mass, load) = (3000.0, 25.0, 2.0, 60.0);
    for d in [0.1, 0.5, 0.95] {
        let softness = Softness::from_stiffness(k, b, mass, Impedance::constant(d).unwrap()).unwrap();
        let row = softness.physical(mass, -0.01, &RULES, Coupling::Independent).unwrap();
        close(row.stiffness, k, 1e-12);
        close(row.damping, b, 1e-12);
        close(row.added_inertia, mass * d / (1.0 - d), 1e-12);
        let (mut soft, mut spring) = ([-0.02, 0.0], [-0.02, 0.0]);
        for _ in 0..20_000 {
            soft = tick(&softness, mass, load, &RULES, soft);
            let acceleration = (-load - k * spring[0] - b * spring[1]) / (mass + mass * d / (1.0 - d));
            spring[1] += RULES.step * acceleration;
            spring[0] += RULES.step * spring[1];
            assert!((soft[0] - spring[0]).abs() < 1e-10);
        }
    }
}

#[test]
fn a_curve_of_zero_width_still_has_the_wanted_spring() {
    let impedance = Impedance::from_solimp([0.2, 0.8, 0.0, 0.5, 2.0]).unwrap();
    let softness = Softness::from_stiffness(1000.0, 10.0, 3.0, impedance).unwrap();
    let row = softness.physical(3.0, -0.01, &RULES, Coupling::Independent).unwrap();
    close(row.stiffness, 1000.0, 1e-12);
    close(row.damping, 10.0, 1e-12);
}

#[test]
fn physical_numbers_in_single_precision() {
    let softness = Softness::from_depth(40.0f32, 0.001, 0.1, 2.0).unwrap();
    let row = softness.physical(2.0, 0.0, &StepRules::new(0.002), Coupling::Independent).unwrap();
    // d = 1 - 2 * 0.001/(40 tc²) = 0.83 loses 6e-8/0.17
    close(f64::from(row.stiffness), 40_000.0, 2e-6);
    close(f64::from(row.settling_time().unwrap()), 0.1, 2e-5);
}

#[test]
fn a_step_longer_than_half_the_time_constant_makes_the_row_softer() {
    let softness = Softness::from_depth(40.0, 0.001, 0.1, 2.0).unwrap();
    let (step, tc) = (0.02, 0.1 / 5.833921701917391);
    let row = softness.physical(2.0, 0.0, &StepRules::new(step), Coupling::Independent).unwrap();
    close(row.static_depth(40.0).unwrap(), 0.001 * (2.0 * step / tc) * (2.0 * step / tc), 1e-12);
}

#[test]
fn exact_only_where_nothing_else_changes() {
    let curve = Softness::from_mujoco([0.02, 1.0], [0.9, 0.95, 0.02, 0.5, 2.0]).unwrap();
    let label = |r, coupling| curve.physical(2.0, r, &RULES, coupling).unwrap().validity;
    assert_eq!(label(-0.03, Coupling::Independent), Validity::Exact);
    assert_eq!(label(-0.01, Coupling::Independent), Validity::LocalEstimate);
    assert_eq!(label(-0.02, Coupling::Independent), Validity::LocalEstimate);
    assert_eq!(label(-0.03, Coupling::Coupled), Validity::LocalEstimate);
    let flat = Softness::new(*curve.reference(), Impedance::constant(0.5).unwrap());
    assert_eq!(flat.physical(2.0, 0.0, &RULES, Coupling::Independent).unwrap().validity, Validity::Exact);
}

#[test]
fn unreachable_depths_and_bad_numbers_are_refused_by_name() {
    use SoftnessError::*;
    let depth = |load, depth, time, mass| Softness::<f64>::from_depth(load, depth, time, mass).unwrap_err();
    assert_eq!(depth(40.0, 1.0, 0.1, 2.0), TooSoft);
    assert_eq!(depth(40.0, 1e-8, 0.1, 2.0), TooHard);
    assert_eq!(depth(f64::NAN, 1e-3, 0.1, 2.0), BadLoad);
    assert_eq!(depth(40.0, 0.0, 0.1, 2.0), BadDepth);
    assert_eq!(depth(40.0, 1e-3, -0.1, 2.0), BadSettlingTime);
    assert_eq!(depth(40.0, 1e-3, 0.1, f64::INFINITY), BadMass);
    let spring = |k, b, m| Softness::from_stiffness(k, b, m, Impedance::constant(0.5).unwrap()).err();
    assert_eq!(spring(-1.0, 0.0, 1.0), Some(BadStiffness));
    assert_eq!(spring(1.0, f64::NAN, 1.0), Some(BadDamping));
    assert_eq!(spring(1.0, 1.0, 0.0), Some(BadMass));
    assert_eq!(spring(0.0, 0.0, 1.0), None);
    let default = Softness::<f64>::default();
    assert_eq!(default.physical(0.0, 0.0, &RULES, Coupling::Coupled).unwrap_err(), BadMass);
    assert_eq!(default.physical(1.0, f64::NAN, &RULES, Coupling::Coupled).unwrap_err(), ResidualNotFinite);
    assert_eq!(default.equilibrium(0.0, 1.0, &RULES).unwrap_err(), NotPressed);
    assert_eq!(default.equilibrium(9.81, 0.0, &RULES).unwrap_err(), BadWeightRatio);
    let limp = direct(0.0, 3.0, *default.impedance());
    assert_eq!(limp.equilibrium(9.81, 1.0, &RULES).unwrap_err(), NoStiffness);
    let point = default.impedance().at(0.0);
    for bad in [-1e-9, f64::NAN, f64::INFINITY] {
        assert_eq!(point.regularizer(bad), Err(BadDiagonal));
    }
    assert_eq!(Reference::from_solref([f64::NAN, 1.0]), Err(SolrefNotFinite));
    assert_eq!(Impedance::from_solimp([0.9, 0.9, f64::INFINITY, 0.5, 2.0]), Err(SolimpNotFinite));
    assert_eq!(Softness::<f64>::default().impedance().solimp(), [0.9, 0.95, 0.001, 0.5, 2.0]);
    assert_eq!(Softness::<f64>::default().reference().solref(), [0.02, 1.0]);
}

/// -K d r against (1-d)/d g_p at the residual r: the sign of J a.
fn balance(softness: &Softness<f64>, pressing: f64, depth: f64) -> f64 {
    let d = softness.impedance().at(-depth).value();
    softness.gains(&RULES).stiffness * d * depth - (1.0 - d) / d * pressing
}

#[test]
fn of_three_rest_positions_the_shallowest_and_stable_one() {
    // Counted by the sign changes of the balance on a fine grid, independently of the solver.
    let mut with_three = 0;
    for i in 0..60 {
        let softness = direct(100.0 + 20.0 * f64::from(i), 50.0, Impedance::from_solimp(FALLING).unwrap());
        let grid = |k: i32| f64::from(k) * 5e-6;
        let crossings: Vec<i32> = (1..20_000)
            .filter(|&k| (balance(&softness, 9.81, grid(k)) > 0.0) != (balance(&softness, 9.81, grid(k + 1)) > 0.0))
            .collect();
        with_three += i32::from(crossings.len() == 3);
        let depth = -softness.equilibrium(9.81, 1.0, &RULES).unwrap().residual;
        assert!(depth >= grid(crossings[0]) && depth <= grid(crossings[0] + 1), "{depth} {crossings:?}");
        assert!(balance(&softness, 9.81, depth * 0.9999) < 0.0 && balance(&softness, 9.81, depth * 1.0001) > 0.0);
    }
    assert!(with_three > 5, "{with_three}");
}

/// Semi-implicit Euler of r'' + βr' + κr = 0: (trace, determinant).
fn step_matrix(beta: f64, kappa: f64, h: f64) -> (f64, f64) {
    (2.0 - h * beta - h * h * kappa, 1.0 - h * beta)
}

fn spectral_radius(trace: f64, determinant: f64) -> f64 {
    let discriminant = trace * trace / 4.0 - determinant;
    if discriminant < 0.0 { determinant.sqrt() } else { trace.abs() / 2.0 + discriminant.sqrt() }
}

#[test]
fn a_guarded_direct_pair_is_strictly_inside_the_stability_border() {
    let mut outside_unguarded = 0;
    for solimp in [[0.9, 0.95, 0.01, 0.5, 2.0], [0.99, 0.2, 0.01, 0.5, 2.0]] {
        let impedance = Impedance::from_solimp(solimp).unwrap();
        for h in [1e-4, 2e-3, 0.02] {
            let rules = StepRules { step: h, refsafe: true, guard_direct: true };
            for (i, j) in (0..25).flat_map(|i| (0..25).map(move |j| (i, j))) {
                // hβ and h²κ from 1e-4 to 1e4
                let scale = |k: i32| 10.0f64.powf(f64::from(k - 12) / 3.0);
                let softness = direct(scale(j) / (h * h), scale(i) / h, impedance);
                let plain = softness.gains(&StepRules { guard_direct: false, ..rules });
                let gains = softness.gains(&rules);
                for d in [solimp[0], solimp[1], 0.5 * (solimp[0] + solimp[1])] {
                    let (beta, kappa) = (d * gains.damping, d * d * gains.stiffness);
                    assert!(h * beta > 0.0 && h * h * kappa > 0.0 && 2.0 * h * beta + h * h * kappa < 3.0 + 1e-9);
                    let (trace, determinant) = step_matrix(beta, kappa, h);
                    assert!(determinant.abs() < 1.0 && 1.0 + trace + determinant > 0.0);
                    // 1 - trace + determinant = h²κ, which cancels in floating point for weak springs
                    assert!(h * h * kappa < 1e-6 || spectral_radius(trace, determinant) < 1.0);
                    let unguarded = step_matrix(d * plain.damping, d * d * plain.stiffness, h);
                    outside_unguarded += i32::from(spectral_radius(unguarded.0, unguarded.1) > 1.0 + 1e-9);
                }
            }
        }
    }
    assert!(outside_unguarded > 1000);
}

#[test]
fn a_guarded_row_comes_to_rest_where_the_plain_one_explodes() {
    let h = 0.005;
    let softness = direct(1e6, 900.0, Impedance::constant(0.9).unwrap());
    let run = |guard_direct| {
        let rules = StepRules { step: h, refsafe: true, guard_direct };
        let gains = softness.gains(&rules);
        let point = softness.impedance().at(0.0);
        let [mut r, mut u] = [-0.01, 0.0];
        for _ in 0..2000 {
            u += h * 0.9 * reference_acceleration(&gains, &point, r, u, 0.0);
            r += h * u;
        }
        f64::abs(r)
    };
    assert!(run(true) < 1e-12);
    assert!(!(run(false) < 1e10));
}

#[test]
fn the_guard_keeps_what_is_already_safe_and_the_damping_ratio_of_what_is_too_fast() {
    let rules = StepRules { step: 0.01, refsafe: true, guard_direct: true };
    let constant = Impedance::constant(0.5).unwrap();
    let gains = |kappa, beta| direct(kappa, beta, constant).gains(&rules);
    let (safe, slowed) = (gains(400.0, 40.0), gains(1e4, 200.0));
    assert_eq!((safe.stiffness * 0.25, safe.damping * 0.5), (400.0, 40.0));
    // β = 200 at ζ = 1 (κ = β²/4); slowed to β' = 1/h = 100, κ' = 2500
    close(slowed.damping * 0.5, 100.0, 1e-12);
    close(slowed.stiffness * 0.25, 2500.0, 1e-12);
    // without damping only the stiffness is held: at 1/h² the step matrix has determinant 1 and stays bounded
    close(gains(1e9, 0.0).stiffness * 0.25, 1e4, 1e-12);
}
