//! The error budget of the crate: `budget.csv` says what may be off, and every line of it is measured here.
//!
//! `cargo test --release --test precision -- --nocapture` prints what was found beside what is allowed.

#[allow(dead_code)]
#[path = "../mechanism/build.rs"]
mod build;
mod contact;
#[allow(dead_code)]
#[path = "../mechanism/random.rs"]
mod random;
#[allow(dead_code)]
#[path = "../mechanism/rig.rs"]
mod rig;
mod scenes;
mod table;
mod trees;

use std::collections::BTreeMap;

use delassus::mass::MassMatrix;
use delassus::rows::{Kind, Rows, Rule};
use delassus::scalar::{Real, literal, sine_cosine};
use delassus::softness::Impedance;
use delassus::solver::{Budget, NewtonWorkspace, newton};
use nalgebra::{SMatrix, SVector};

/// Errors in roundings of a precision, except where the unit says otherwise.
type Found = BTreeMap<(&'static str, &'static str), f64>;

const ROUNDING: [(&str, f64); 2] = [("f32", f32::EPSILON as f64), ("f64", f64::EPSILON)];

/// Against libm's sine in double precision; that one against angles whose sine is known.
fn sines(found: &mut Found) {
    let mut worst = 0.0f64;
    for i in 0..200_000 {
        let x = (i - 100_000) as f32 * 1.024e-2;
        let (s, c) = sine_cosine(x);
        let wide = f64::from(x);
        worst = worst.max((f64::from(s) - wide.sin()).abs()).max((f64::from(c) - wide.cos()).abs());
    }
    found.insert(("sine and cosine", "f32"), worst);
    let mut worst = 0.0f64;
    for (angle, sine, cosine) in [
        (std::f64::consts::FRAC_PI_6, 0.5, 0.75f64.sqrt()),
        (std::f64::consts::FRAC_PI_4, 0.5f64.sqrt(), 0.5f64.sqrt()),
        (std::f64::consts::FRAC_PI_3, 0.75f64.sqrt(), 0.5),
        (0.0, 0.0, 1.0),
    ] {
        let (s, c) = sine_cosine::<f64>(angle);
        worst = worst.max((s - sine).abs()).max((c - cosine).abs());
    }
    found.insert(("sine and cosine", "f64"), worst);
}

/// R of a row whose Â is 1, by (1 − d)/d.
fn regularizers(found: &mut Found) {
    let one = |d: f32| f64::from(Impedance::constant(d).unwrap().at(0.0).regularizer(1.0).unwrap());
    let exact = 1e-4 / 0.9999;
    let worst = [0.9999, 0.99995, 1.0].map(|d| (one(d) / exact - 1.0).abs()).into_iter().fold(0.0, f64::max);
    found.insert(("R at the upper clamp", "f32"), worst);
    let nine = Impedance::constant(0.9f64).unwrap().at(0.0).regularizer(9.0).unwrap();
    found.insert(("R", "f64"), (nine - 1.0).abs());
}

/// M of two links in the plane in closed form, and integer systems with integer answers.
fn doubles(found: &mut Found) {
    let mut mechanism = build::Mechanism::new();
    let body = |parent, mass| delassus::description::Body {
        parent,
        position: [if parent.is_some() { 0.5 } else { 0.0 }, 0.0, 0.0],
        center: [0.25, 0.0, 0.0],
        ..delassus::description::Body::<f64>::new(mass, [0.01; 3])
    };
    mechanism.body(body(None, 2.0));
    mechanism.joint(build::hinge([0.0, 1.0, 0.0]));
    mechanism.body(body(Some(0), 1.0));
    mechanism.joint(build::hinge([0.0, 1.0, 0.0]));
    let description = mechanism.description();
    let mut rig = rig::Rig::new(&description);
    let mut worst = 0.0f64;
    for step in -10..=10 {
        let q = 0.3 * f64::from(step);
        let mut state = rig.model.state();
        state.configuration[1] = q;
        rig.at(&state);
        // a = I + m l²/4, b = l²/2 cos q with l = 0.5.
        let (outer, coupling) = (0.01 + 1.0 * 0.0625, 1.0 * 0.5 * 0.25 * q.cos());
        let inner = 0.01 + 2.0 * 0.0625 + 1.0 * 0.25 + outer + 2.0 * coupling;
        let matrix = rig.matrix();
        for (i, j, exact) in [(0, 0, inner), (0, 1, outer + coupling), (1, 0, outer + coupling), (1, 1, outer)] {
            worst = worst.max((matrix[(i, j)] - exact).abs() / (inner * outer).sqrt());
        }
    }
    found.insert(("M", "f64"), worst);

    let mut noise = random::Noise(11);
    let mut worst = 0.0f64;
    for _ in 0..200 {
        // L Lᵀ + 1 of small integers: M, the answer and their product are exact.
        let lower: SMatrix<f64, 8, 8> =
            SMatrix::from_fn(|i, j| if j <= i { (noise.below(7) as f64) - 3.0 } else { 0.0 });
        let matrix = lower * lower.transpose() + SMatrix::<f64, 8, 8>::identity();
        let answer = SVector::<f64, 8>::from_fn(|_, _| noise.below(19) as f64 - 9.0);
        let mut mass = MassMatrix::<f64, 8>::filled(0.0);
        mass.set(&matrix).unwrap();
        let mut x = matrix * answer;
        mass.solve(&mut x).unwrap();
        worst = worst.max((x - answer).amax() / answer.amax().max(1.0) / mass.amplification());
    }
    found.insert(("solve", "f64"), worst);

    let mut mass = MassMatrix::<f64, 2>::filled(0.0);
    mass.set(&SMatrix::identity()).unwrap();
    let mut rows = Rows::<f64, 2, 2>::new();
    for jacobian in [SVector::<f64, 2>::new(1.0, 0.0), SVector::<f64, 2>::new(-1.0, 1.0)] {
        rows.finished(Kind::ContactFrictionless, Rule::NonNegative, &jacobian, 0.0, 0.1).unwrap();
    }
    let mut work = NewtonWorkspace::<f64, 2, 2>::filled(0.0);
    newton(&mass, &SVector::<f64, 2>::new(-10.0, -10.0), &rows, None, &Budget::new(8, 0.0), &mut work).unwrap();
    found.insert(("force", "f64"), (work.force()[0] / (2100.0 / 131.0) - 1.0).abs());
}

fn singles(found: &mut Found) {
    let trees = trees::worst(300);
    assert!(trees.amplification > 10.0, "trees too easy: {}", trees.amplification);
    found.insert(("body position", "f32"), trees.position);
    found.insert(("M", "f32"), trees.mass);
    found.insert(("bias force", "f32"), trees.bias);
    found.insert(("free acceleration", "f32"), trees.free);
    let (soft, stiff) = (contact::worst(400, [1e-2, 1e-1]), contact::worst(400, [1e-4, 1e-2]));
    assert!(soft.converged > 100 && stiff.converged > 100, "{} {}", soft.converged, stiff.converged);
    found.insert(("A", "f32"), soft.delassus.max(stiff.delassus));
    found.insert(("R", "f32"), soft.regularizer.max(stiff.regularizer));
    found.insert(("reference acceleration", "f32"), soft.reference.max(stiff.reference));
    found.insert(("force", "f32"), soft.force);
    found.insert(("stiff force", "f32"), stiff.force);
    found.insert(("acceleration", "f32"), soft.acceleration.max(stiff.acceleration));
    found.insert(("gradient of what converged", "f32"), soft.gradient.max(stiff.gradient));
    let [force, acceleration] = scenes::pyramids(&[1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0]);
    found.insert(("pyramid force", "f32"), force);
    found.insert(("pyramid acceleration", "f32"), acceleration);
}

#[test]
fn every_line_of_the_error_budget_is_measured_and_holds() {
    let mut found = Found::new();
    sines(&mut found);
    regularizers(&mut found);
    doubles(&mut found);
    singles(&mut found);
    let mut wrong = Vec::new();
    for line in table::lines() {
        let key = found.keys().find(|(q, p)| *q == line.quantity && *p == line.precision).copied();
        let Some(error) = key.and_then(|key| found.remove(&key)) else {
            wrong.push(format!("{} in {}: nobody measures it", line.quantity, line.precision));
            continue;
        };
        let rounding = ROUNDING.iter().find(|(name, _)| *name == line.precision).map_or(f64::NAN, |r| r.1);
        let error = match line.unit.as_str() {
            "ulp" | "amplified" => error / rounding,
            "relative" => error,
            unit => panic!("unit {unit}"),
        };
        println!("{:28} {}: {error:9.3e} of {:9.3e} {}", line.quantity, line.precision, line.budget, line.unit);
        if !(error <= line.budget) {
            wrong.push(format!(
                "{} in {}: {error:e}, allowed {:e} {}",
                line.quantity, line.precision, line.budget, line.unit
            ));
        }
    }
    wrong.extend(found.keys().map(|(q, p)| format!("{q} in {p}: not in the budget")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The straight arm of MuJoCo's answer (64.99454508, −129.23561839, 112.16086444) by exact arithmetic: f64 keeps eight digits of it,
/// f32 none, and the f32 tick says so. With an armature of 0.005 f32 keeps four digits, and does not complain.
#[test]
fn a_straight_arm_in_f32_is_flagged() {
    let exact = [64.994_545_085_004_68, -129.235_618_392_637_66, 112.160_864_443_580_64];
    let apart = |found: [f64; 3], exact: [f64; 3]| {
        let most = exact.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        found.iter().zip(exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / most
    };
    let (wide, wide_lost) = scenes::straight_arm::<f64>([0.0; 3], 0.0);
    assert!(apart(wide, exact) < 1e-8 && !wide_lost, "{wide:?}");
    for angles in [[0.0; 3], [0.3, 0.001, -0.001], [0.3, 0.7, -1.1]] {
        let (narrow, lost) = scenes::straight_arm::<f32>(angles, 0.0);
        assert!(lost, "{narrow:?} at {angles:?}");
        let (narrow, lost) = scenes::straight_arm::<f32>(angles, 0.005);
        let (wide, _) = scenes::straight_arm::<f64>(angles, 0.005);
        assert!(!lost && apart(narrow, wide) < 1e-3, "{narrow:?} is not {wide:?}");
    }
}

/// Friction of 1e-5 makes 1/R of a pyramid's edges 5e9 times that of its normal. z is then known to far less than R f, so that how
/// the corners share the load is a matter of rounding; that they carry it, and what the box does, is not.
#[test]
fn pyramids_of_next_to_no_friction_carry_their_load_in_f32() {
    for (friction, seed) in
        [1e-5, 3e-5, 1e-4, 3e-4, 1e-3].into_iter().flat_map(|mu| (0..24).map(move |seed| (mu, seed)))
    {
        let (narrow, wide) = (scenes::pyramids_single(friction, seed), scenes::pyramids_double(friction, seed));
        let total: f64 = wide.force.iter().sum();
        assert!((narrow.force.iter().sum::<f64>() / total - 1.0).abs() < 1e-4, "{friction} {:?}", narrow.force);
        for (a, b) in narrow.acceleration.iter().zip(wide.acceleration) {
            assert!(
                (a - b).abs() < 1e-3,
                "{friction} {seed}: {:?} is not {:?}",
                narrow.acceleration,
                wide.acceleration
            );
        }
    }
}

/// What is left of a stop that says "converged" is measured in f64 in the budget; here the other way: with a tolerance of zero
/// nothing ever converges on noise, it stalls.
#[test]
fn a_tolerance_of_zero_ends_as_stalled_and_not_as_converged() {
    fn ends<T: Real>() -> delassus::solver::Stop {
        let mut mass = MassMatrix::<T, 2>::filled(T::zero());
        mass.set(&SMatrix::<T, 2, 2>::new(literal(2.0), literal(0.3), literal(0.3), literal(1.0))).unwrap();
        let mut rows = Rows::<T, 2, 2>::new();
        let jacobian = SVector::<T, 2>::new(literal(0.7), literal(-0.4));
        rows.finished(Kind::ContactFrictionless, Rule::NonNegative, &jacobian, literal(3.1), literal(1e-3)).unwrap();
        let mut work = NewtonWorkspace::<T, 2, 2>::filled(T::zero());
        let free = SVector::<T, 2>::new(literal(-1.3), literal(0.2));
        newton(&mass, &free, &rows, None, &Budget::new(50, T::zero()), &mut work).unwrap().stop
    }
    assert_eq!(ends::<f32>(), delassus::solver::Stop::Stalled);
    assert_eq!(ends::<f64>(), delassus::solver::Stop::Stalled);
}
