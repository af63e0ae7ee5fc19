//! Soft rows against the worked numbers W12, in double precision to 1e-12 and in single precision to 2e-6 (relative).
//!
//! Every number on the right of a comparison is a printed one, or follows from the equations by hand.

#![allow(clippy::unwrap_used)] // in helpers of tests

use delassus::scalar::{Real, larger, literal};
use delassus::softness::{
    Gains, Impedance, ImpedancePoint, Reference, ReferenceFormat, Softness, StepRules, effective_weight,
    reference_acceleration,
};

fn double<T: Real>(x: T) -> f64 {
    nalgebra::try_convert(x).unwrap()
}

fn tolerance<T: Real>() -> f64 {
    if double(T::default_epsilon()) < 1e-10 { 1e-12 } else { 2e-6 }
}

#[track_caller]
fn within<T: Real>(id: &str, got: T, expected: f64, relative: f64) {
    let got = double(got);
    assert!((got - expected).abs() <= relative * expected.abs(), "{id}: {got} instead of {expected}");
}

#[track_caller]
fn close<T: Real>(id: &str, got: T, expected: f64) {
    within(id, got, expected, tolerance::<T>());
}

fn numbers<T: Real, const N: usize>(x: [f64; N]) -> [T; N] {
    x.map(literal)
}

fn curve<T: Real>(solimp: [f64; 5]) -> Impedance<T> {
    Impedance::from_solimp(numbers(solimp)).unwrap()
}

fn rules<T: Real>(step: f64) -> StepRules<T> {
    StepRules::new(literal(step))
}

const SHARED: [f64; 5] = [0.9, 0.95, 0.02, 0.5, 2.0];

/// The normal row of the shared ball: gains, point, R, a_ref, force, J a.
struct Row<T> {
    gains: Gains<T>,
    point: ImpedancePoint<T>,
    regularizer: T,
    target: T,
    force: T,
    acceleration: T,
}

fn shared_row<T: Real>(residual: f64, velocity: f64, curvature: f64, diagonal: f64) -> Row<T> {
    let softness = Softness::from_mujoco(numbers([0.02, 1.0]), numbers(SHARED)).unwrap();
    let (a, free) = (literal::<T>(0.5), literal::<T>(-9.81));
    let residual = literal(residual);
    let gains = softness.gains(&rules(0.005));
    let point = softness.impedance().at(residual);
    let regularizer = point.regularizer(literal(diagonal)).unwrap();
    let target = reference_acceleration(&gains, &point, residual, literal(velocity), literal(curvature));
    let force = larger((target - free) / (a + regularizer), T::zero());
    Row { gains, point, regularizer, target, force, acceleration: free + a * force }
}

macro_rules! in_both_precisions {
    ($($name:ident => $body:ident),* $(,)?) => {$(
        #[test]
        fn $name() {
            $body::<f64>();
            $body::<f32>();
        }
    )*};
}

in_both_precisions! {
    w12_01_natural_frequency_and_damping_ratio => spring_and_damper,
    w12_02a_w12_02b_w12_03_effective_weight => weight,
    w12_04_w12_05_w12_04x_w12_06a_w12_06b_recovery_from_rest => recovery,
    w12_10_to_18_gains_of_every_format => gains,
    w12_11_w12_17_time_constant_under_refsafe => time_constants,
    w12_16aw_w12_16bw_w12_16cw_w12_16dw_mixed_pairs_say_so => mixed,
    w12_19_floor_of_the_regularizer => floor,
    w12_20_clamps => clamps,
    w12_2a_to_2r_impedance_and_slope => branches,
    w12_30_slope_against_differences => slopes,
    w12_31_pieces_meet_with_slope_p => meeting,
    w12_40_to_50_shared_contact => shared,
    w12_51_leaving_clips_the_force => leaving,
    w12_52_curvature_is_subtracted => curvature,
    w12_53_hard_and_soft_ends => ends,
    w12_54_identical_rows_share_the_force => sharing,
    w12_60_to_62_w12_63_w12_63b_equilibrium => equilibrium,
    w12_64_w12_65_force_curve_around_the_equilibrium => around_equilibrium,
    w12_70_connect_shares_the_impedance_of_the_norm => connect,
    w12_71_gradient_of_the_group_impedance => gradient,
    w12_76_weld_shares_the_impedance_of_all_six => weld,
}

fn spring_and_damper<T: Real>() {
    use delassus::softness::Coupling::Independent;
    // S12-01: κ = k/m = 4, β = b/m = 2 for m = 2, k = 8, b = 4. The recovery has these coefficients whatever the impedance.
    let softness = Softness::new(
        Reference::from_solref(numbers::<T, 2>([-4.0, -2.0])).unwrap(),
        Impedance::constant(literal(0.9)).unwrap(),
    );
    let row = softness.physical(literal(2.0), T::zero(), &rules(0.005), Independent).unwrap();
    close("W12-01", row.natural_frequency(), 2.0);
    close("W12-01", row.damping_ratio().unwrap(), 0.5);
}

fn weight<T: Real>() {
    let point = Impedance::constant(literal::<T>(0.9)).unwrap().at(T::zero());
    for (id, a, diagonal, expected) in
        [("W12-02a", 1.0, 1.0, 0.9), ("W12-02b", 1.0, 2.0, 0.818181818181818), ("W12-03", 0.5, 1.0, 0.818181818181818)]
    {
        close(id, effective_weight(literal(a), point.regularizer(literal(diagonal)).unwrap()), expected);
    }
}

/// r(t)/r(0) of the soft row with a_u = 0, by Runge-Kutta on the row's own acceleration.
fn recovered<T: Real>(zeta: f64, time: f64) -> T {
    let softness = Softness::from_mujoco(numbers([0.3, zeta]), numbers([0.95, 0.95, 0.02, 0.5, 2.0])).unwrap();
    let gains = softness.gains(&rules(0.005));
    let point = softness.impedance().at(T::zero());
    let weight = effective_weight(literal(0.5), point.regularizer(literal(0.5)).unwrap());
    let slope = |[r, u]: [T; 2]| [u, weight * reference_acceleration(&gains, &point, r, u, T::zero())];
    let steps = if double(T::default_epsilon()) < 1e-10 { 2000 } else { 64 };
    let h = literal::<T>(time) / literal(f64::from(steps));
    let along = |[r, u]: [T; 2], s: T, [dr, du]: [T; 2]| [r + s * dr, u + s * du];
    let (two, mut x) = (literal::<T>(2.0), [T::one(), T::zero()]);
    for _ in 0..steps {
        let a = slope(x);
        let b = slope(along(x, h / two, a));
        let c = slope(along(x, h / two, b));
        let d = slope(along(x, h, c));
        let mean = [0, 1].map(|i| (a[i] + two * (b[i] + c[i]) + d[i]) / literal(6.0));
        x = along(x, h, mean);
    }
    x[0]
}

fn recovery<T: Real>() {
    let bound = tolerance::<T>() * 5.0;
    for (id, zeta, time, expected) in [
        ("W12-04, W12-04x", 1.0, 0.3, 0.735758882342885),
        ("W12-05, W12-04x", 1.0, 0.6, 0.406005849709838),
        ("W12-06a", 0.5, 0.3, 0.150574365145888),
        ("W12-06b", 2.0, 0.3, 0.930294794098041),
    ] {
        within(id, recovered::<T>(zeta, time), expected, bound);
    }
}

fn gains<T: Real>() {
    const DEFAULT: (f64, f64) = (2770.08310249307, 105.263157894737);
    for (id, solref, step, refsafe, (stiffness, damping)) in [
        ("W12-10", [0.02, 1.0], 0.005, true, DEFAULT),
        ("W12-12", [0.004, 1.0], 0.005, true, (11080.3324099723, 210.526315789474)),
        ("W12-13", [0.004, 1.0], 0.005, false, (69252.0775623269, 526.315789473684)),
        ("W12-14", [-2500.0, -100.0], 0.005, true, DEFAULT),
        ("W12-15", [-300.0, -7.0], 0.1, true, (332.409972299169, 7.36842105263158)),
        ("W12-15b", [0.0, 0.0], 0.005, true, (0.0, 0.0)),
        ("W12-15c", [0.0, -7.0], 0.005, true, (0.0, 7.36842105263158)),
        ("W12-16a", [0.03, -1.0], 0.005, true, DEFAULT),
        ("W12-16b", [0.03, 0.0], 0.005, true, DEFAULT),
        ("W12-16c", [-100.0, 1.0], 0.005, true, DEFAULT),
        ("W12-16d", [0.0, 1.0], 0.005, true, DEFAULT),
        ("W12-17", [0.03, 0.0], 0.02, true, (692.520775623269, 52.6315789473684)),
        ("W12-18", [1e-9, 1.0], 0.005, false, (1e15, 2105263157.89474)),
    ] {
        let reference = Reference::from_solref(numbers::<T, 2>(solref)).unwrap();
        let got = reference.gains(&curve(SHARED), &StepRules { refsafe, ..rules(step) });
        close(id, got.stiffness, stiffness);
        close(id, got.damping, damping);
    }
}

fn time_constants<T: Real>() {
    let used = |solref, step| Reference::from_solref(numbers::<T, 2>(solref)).unwrap().time_constant(&rules(step));
    close("W12-11", used([0.004, 1.0], 0.005).unwrap(), 0.01);
    close("W12-17", used([0.03, 0.0], 0.02).unwrap(), 0.04);
    assert_eq!(used([-1.0, -1.0], 0.02), None);
}

fn mixed<T: Real>() {
    let format = |solref| Reference::from_solref(numbers::<T, 2>(solref)).unwrap().format();
    for (id, solref) in
        [("W12-16aw", [0.03, -1.0]), ("W12-16bw", [0.03, 0.0]), ("W12-16cw", [-100.0, 1.0]), ("W12-16dw", [0.0, 1.0])]
    {
        assert_eq!(format(solref), ReferenceFormat::MixedReplaced, "{id}");
    }
    // W12-15b, W12-15c: no warning
    assert_eq!(format([0.0, 0.0]), ReferenceFormat::Direct);
    assert_eq!(format([0.0, -7.0]), ReferenceFormat::Direct);
    assert_eq!(format([0.02, 1.0]), ReferenceFormat::Standard);
}

fn floor<T: Real>() {
    let row = shared_row::<T>(-0.03, -0.1, 0.0, 0.0);
    close("W12-19", row.regularizer, 1e-15);
    close("W12-19", row.acceleration, 89.4736842105261);
}

fn clamps<T: Real>() {
    let solimp = curve::<T>([-1.0, 2.0, -0.1, 0.0, 0.5]).solimp();
    for (got, expected) in solimp.into_iter().zip([0.0001, 0.9999, 0.0, 0.0001, 1.0]) {
        close("W12-20", got, expected);
    }
}

/// Inputs and results of W12-2a … W12-2r.
const BRANCHES: [(&str, [f64; 5], f64, f64, f64); 18] = [
    ("W12-2a", SHARED, -0.005, 0.90625, -2.5),
    ("W12-2b", SHARED, -0.01, 0.925, -4.99999999999999),
    ("W12-2c", SHARED, -0.015, 0.94375, -2.5),
    ("W12-2d", SHARED, -0.03, 0.95, 0.0),
    ("W12-2e", SHARED, -0.02, 0.95, 0.0),
    ("W12-2f", SHARED, 0.0, 0.9, 0.0),
    ("W12-2g", SHARED, 0.005, 0.90625, 2.5),
    ("W12-2h", [0.9, 0.3, 0.1, 0.3, 3.0], -0.02, 0.846666666666667, 8.0),
    ("W12-2i", [0.9, 0.3, 0.1, 0.3, 3.0], 0.06, 0.378367346938775, -5.87755102040817),
    ("W12-2j", [0.2, 0.8, 0.1, 0.4, 2.5], 0.03, 0.316913429510899, 9.74278579257493),
    ("W12-2k", [0.2, 0.8, 0.1, 0.4, 1.0], -0.025, 0.35, -6.0),
    ("W12-2l", [0.2, 0.8, 0.1, 0.4, 1.0], 0.0, 0.2, 0.0),
    ("W12-2m", [0.2, 0.8, 0.125, 0.4, 1.0], 0.125, 0.8, 0.0),
    ("W12-2n", [0.2, 0.8, 0.1, 0.4, 0.3], 0.03, 0.38, 6.0),
    ("W12-2o", [0.7, 0.7, 0.1, 0.4, 2.0], 0.03, 0.7, 0.0),
    ("W12-2p", [0.2, 0.8, 0.0, 0.4, 2.0], 0.03, 0.5, 0.0),
    ("W12-2q", [0.2, 0.8, 1e-15, 0.4, 2.0], 0.03, 0.5, 0.0),
    ("W12-2r", [-1.0, 2.0, 0.1, 0.0, 2.0], 0.05, 0.74992500250025, 9.99899989999),
];

fn branches<T: Real>() {
    for (id, solimp, residual, value, slope) in BRANCHES {
        let point = curve::<T>(solimp).at(literal(residual));
        close(id, point.value(), value);
        close(id, point.slope(), slope);
    }
}

fn slopes<T: Real>() {
    // Three curves at nine points each; x avoids the kinks, the bound is W12-30's printed 8e-10 with room, times √ε/√ε_64 in f32.
    let (step, bound) = if double(T::default_epsilon()) < 1e-10 { (1e-5, 5e-9) } else { (5e-3, 2e-3) };
    for solimp in [SHARED, [0.9, 0.3, 0.1, 0.3, 3.0], [0.2, 0.8, 0.1, 0.45, 2.5]] {
        let impedance = curve::<T>(solimp);
        for k in 1..10 {
            let x = f64::from(k) / 10.0 + 0.013;
            let d = |x: f64| double(impedance.at(literal(x * solimp[2])).value());
            let difference = (d(x + step) - d(x - step)) / (2.0 * step);
            let slope = double(impedance.at(literal(x * solimp[2])).slope()) * solimp[2];
            assert!((slope - difference).abs() <= bound, "W12-30: {slope} {difference}");
        }
    }
}

fn meeting<T: Real>() {
    let impedance = curve::<T>([0.0001, 0.9999, 1.0, 0.3, 3.0]);
    let just_right = literal::<T>(0.3) * (T::one() + T::default_epsilon());
    for x in [literal(0.3), just_right] {
        let point = impedance.at(x);
        let y = (point.value() - literal(0.0001)) / literal(0.9998);
        close("W12-31", y, 0.3);
        close("W12-31", point.slope() / literal(0.9998), 3.0);
    }
}

fn shared<T: Real>() {
    let residual = literal::<T>(0.19) - literal(0.2) - literal(0.02);
    close("W12-40", residual, -0.03);
    let row = shared_row::<T>(-0.03, -0.1, 0.0, 0.5);
    close("W12-41", row.point.value(), 0.95);
    close("W12-41", row.point.slope(), 0.0);
    close("W12-42", shared_row::<T>(-0.03, 0.0, 0.0, 0.5).target, 78.9473684210526);
    close("W12-42", -row.gains.damping * literal(-0.1), 10.5263157894737);
    close("W12-43", row.target, 1700.0 / 19.0);
    close("W12-44", row.regularizer, 0.0263157894736842);
    close("W12-44", T::one() / row.regularizer, 38.0);
    close("W12-45", literal::<T>(0.5) + row.regularizer, 0.526315789473684);
    close("W12-46", row.force, 188.639);
    close("W12-47", row.acceleration, 84.5095);
    close("W12-48", row.regularizer * row.force, 4.96418421052633);
    within("W12-48", row.target - row.acceleration, 4.96418421052633, 20.0 * tolerance::<T>());
    let weight = effective_weight(literal(0.5), row.regularizer);
    close("W12-49", (T::one() - weight) * literal(-9.81) + weight * row.target, 84.5095);
    close("W12-50", row.point.diagonal_of(row.regularizer), 0.5);
}

fn leaving<T: Real>() {
    let row = shared_row::<T>(-0.001, 1.0, 0.0, 0.5);
    close("W12-51", row.force, 0.0);
    close("W12-51", row.acceleration, -9.81);
}

fn curvature<T: Real>() {
    close("W12-52", shared_row::<T>(-0.03, -0.1, 2.5, 0.5).target, 86.9736842105263);
}

fn ends<T: Real>() {
    let row = shared_row::<T>(-0.03, -0.1, 0.0, 0.5);
    for (regularizer, expected) in [(1e-13, 89.4736842105064), (1e13, -9.80999999999504)] {
        let weight = effective_weight(literal::<T>(0.5), literal(regularizer));
        close("W12-53", (T::one() - weight) * literal(-9.81) + weight * row.target, expected);
    }
}

fn sharing<T: Real>() {
    let row = shared_row::<T>(-0.03, -0.1, 0.0, 0.5);
    let a = literal::<T>(0.5);
    let matrix = nalgebra::Matrix2::new(a + row.regularizer, a, a, a + row.regularizer);
    let pull = row.target + literal(9.81);
    let forces = matrix.try_inverse().unwrap() * nalgebra::Vector2::new(pull, pull);
    // The condition number of the matrix, 1 + 2 A/R = 39, is lost.
    within("W12-54", forces.x, 96.7379487179487, 39.0 * tolerance::<T>());
    within("W12-54", forces.y, 96.7379487179487, 39.0 * tolerance::<T>());
}

fn equilibrium<T: Real>() {
    let rest = |impedance, ratio: f64| {
        Softness::new(Reference::from_solref(numbers([0.02, 1.0])).unwrap(), impedance)
            .equilibrium(literal(9.81), literal(ratio), &rules(0.005))
            .unwrap()
    };
    let constant = Impedance::constant(literal::<T>(0.95)).unwrap();
    close("W12-60", rest(constant, 1.0).residual, -0.0001962);
    close("W12-63b", rest(constant, 2.0).residual, -0.0003924);
    let real = rest(curve(SHARED), 1.0);
    close("W12-61", real.residual, -0.0004369560683782);
    close("W12-61", real.impedance.value(), 0.900047732651423);
    close("W12-62", literal::<T>(0.02) + real.residual, 0.0195630439316219);
    close("W12-62", literal::<T>(0.02) + real.residual + literal(0.2), 0.219563043931622);
    for (id, mass, force) in [("W12-60, W12-61", 2.0, 19.62), ("W12-63", 5.0, 49.05)] {
        let (r, d) = (double(real.residual), real.impedance);
        // f = a_ref/R at rest, from the printed K
        let got = -2770.08310249307 * double(d.value()) * r / double(d.regularizer(literal(1.0 / mass)).unwrap());
        within(id, got, force, tolerance::<T>());
    }
}

fn around_equilibrium<T: Real>() {
    let rest = -0.000436956068378151;
    close("W12-64", shared_row::<T>(rest, 0.0, 0.0, 0.5).force, 19.62);
    assert!(shared_row::<T>(rest - 1e-4, 0.0, 0.0, 0.5).acceleration > T::zero(), "W12-65");
    assert!(shared_row::<T>(rest + 1e-4, 0.0, 0.0, 0.5).acceleration < T::zero(), "W12-65");
}

fn connect<T: Real>() {
    let residuals = numbers::<T, 3>([0.006, 0.0, 0.008]);
    let softness = Softness::from_mujoco(numbers([0.02, 1.0]), numbers(SHARED)).unwrap();
    let gains = softness.gains(&rules(0.002));
    let point = softness.impedance().at_norm(&residuals);
    close("W12-70", point.value(), 0.925);
    close("W12-70", point.slope(), 4.99999999999999);
    let expected = [-25.9002770083103, -21.0526315789474, -20.4986149584488];
    for ((r, u), expected) in residuals.into_iter().zip([0.1, 0.2, 0.0]).zip(expected) {
        close("W12-70", reference_acceleration(&gains, &point, r, literal(u), T::zero()), expected);
    }
}

fn gradient<T: Real>() {
    let got = curve::<T>(SHARED).gradient(&numbers([0.003, 0.0, 0.004]));
    for (got, expected) in got.into_iter().zip([1.5, 0.0, 2.0]) {
        close("W12-71", got, expected);
    }
    assert_eq!(curve::<T>(SHARED).gradient(&[T::zero(); 3]), [T::zero(); 3]);
}

fn weld<T: Real>() {
    // Scaled rotation: torquescale times the vector part sin(0.02/2) of the relative quaternion; the printed norm confirms it.
    let residuals = numbers::<T, 6>([0.002, 0.0, 0.003, 0.0, 0.4 * libm::sin(0.01), 0.0]);
    close("norm of W12-76", delassus::scalar::norm(&residuals), 0.00538511528881);
    close("W12-76", curve::<T>(SHARED).at_norm(&residuals).value(), 0.907249866668444);
}
