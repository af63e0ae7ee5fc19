//! The oscillator x″ = −ω² x − γ x′ (S15-41 … S15-54): numbers, factors, borders.

use delassus::description::{Body, Flags, Integrator, Joint, JointKind};
use delassus::reference::oscillator::{Phase, SpringDampers};
use nalgebra::{Complex, Matrix2, SMatrix, SVector};

use crate::common::close;
use crate::scene::{Run, description, flagged, oscillator};

const OMEGA: f64 = 3.0;
const GAMMA: f64 = 0.4;
const STEP: f64 = 0.05;

fn reference(gamma: f64) -> SpringDampers<f64, 1> {
    let one = |x: f64| SMatrix::<f64, 1, 1>::from_element(x);
    SpringDampers { mass: one(1.0), stiffness: one(OMEGA * OMEGA), damping: one(gamma) }
}

fn start() -> Phase<f64, 1> {
    Phase { position: SVector::from([1.0]), velocity: SVector::from([-0.5]) }
}

fn phase(run: &Run<1, 1, 1, 0>) -> [f64; 2] {
    [run.state.configuration[0], run.state.velocity[0]]
}

fn step_of(integrator: Integrator, gamma: f64, step: f64) -> [f64; 2] {
    let mut run = oscillator(gamma, step, integrator);
    run.steps(1);
    phase(&run)
}

/// The matrix of one step on (x, v), by stepping the two unit states.
fn step_matrix(integrator: Integrator, gamma: f64, step: f64) -> Matrix2<f64> {
    let column = |x: f64, v: f64| {
        let mut run = oscillator(gamma, step, integrator).at([x], [v]);
        run.steps(1);
        phase(&run)
    };
    let ([a, c], [b, d]) = (column(1.0, 0.0), column(0.0, 1.0));
    Matrix2::new(a, b, c, d)
}

#[test]
fn w15_70_and_73_explicit_and_implicit_euler() {
    let after = reference(GAMMA).explicit_euler(&start(), STEP).unwrap();
    close(&[after.position[0], after.velocity[0]], &[0.975, -0.94], 1e-15);
    let after = reference(GAMMA).implicit_euler(&start(), STEP).unwrap();
    close(&[after.position[0], after.velocity[0]], &[0.954436450839329, -0.911270983213429], 1e-14);
}

/// The damper of W15-71 is explicit: Euler with its damping flag off.
#[test]
fn w15_71_semi_implicit_euler() {
    let model = oscillator(GAMMA, STEP, Integrator::Euler);
    let explicit = flagged(model.model.description(), Flags { euler_damping: false, ..Flags::DEFAULT });
    let mut run: Run<1, 1, 1, 0> = Run::new(explicit).at([1.0], [-0.5]);
    run.steps(1);
    close(&phase(&run), &[0.953, -0.94], 1e-15);
}

#[test]
fn w15_72a_to_c_velocity_implicit() {
    for integrator in [Integrator::Euler, Integrator::Implicit, Integrator::ImplicitFast] {
        close(&step_of(integrator, GAMMA, STEP), &[0.95343137254902, -0.931372549019608], 1e-14);
    }
    // the flag of Euler's damping has no effect on the two others; without dampers nothing is damped.
    for integrator in [Integrator::Implicit, Integrator::ImplicitFast] {
        let model = oscillator(GAMMA, STEP, integrator);
        let flag = flagged(model.model.description(), Flags { euler_damping: false, ..Flags::DEFAULT });
        let mut run: Run<1, 1, 1, 0> = Run::new(flag).at([1.0], [-0.5]);
        run.steps(1);
        close(&phase(&run), &[0.95343137254902, -0.931372549019608], 1e-14);
        let flag = flagged(model.model.description(), Flags { damper: false, ..Flags::DEFAULT });
        let mut run: Run<1, 1, 1, 0> = Run::new(flag).at([1.0], [-0.5]);
        run.steps(1);
        close(&phase(&run), &[1.0 + STEP * (-0.5 - 9.0 * STEP), -0.5 - 9.0 * STEP], 1e-14);
    }
}

#[test]
fn w15_74_runge_kutta() {
    close(&step_of(Integrator::RungeKutta, GAMMA, STEP), &[0.964186872916667, -0.928418546041667], 1e-14);
    // The same from the first five powers of h A.
    let a = Matrix2::new(0.0, 1.0, -OMEGA * OMEGA, -GAMMA) * STEP;
    let sum = Matrix2::identity() + a + a * a / 2.0 + a * a * a / 6.0 + a * a * a * a / 24.0;
    assert!((step_matrix(Integrator::RungeKutta, GAMMA, STEP) - sum).amax() < 1e-14);
}

#[test]
fn w15_75_and_76_energy_factors_of_the_reference_rules() {
    let energy = |p: &Phase<f64, 1>| p.velocity[0] * p.velocity[0] / 2.0 + 4.5 * p.position[0] * p.position[0];
    let explicit = reference(0.0).explicit_euler(&start(), STEP).unwrap();
    let implicit = reference(0.0).implicit_euler(&start(), STEP).unwrap();
    close(&[energy(&explicit) / energy(&start())], &[1.0225], 1e-14);
    close(&[energy(&implicit) / energy(&start())], &[0.97799511002445], 1e-13);
}

#[test]
fn w15_77_semi_implicit_euler_keeps_its_modified_energy() {
    let mut run = oscillator(0.0, STEP, Integrator::Euler);
    for _ in 0..1000 {
        run.steps(1);
        let [x, v] = phase(&run);
        let modified = v * v / 2.0 + 4.5 * x * x - STEP * 9.0 / 2.0 * x * v;
        close(&[modified], &[4.7375], 1e-12);
    }
}

/// With x scaled by ω the norm of 400 steps tells bounded from growing.
#[test]
fn w15_78a_to_c_the_border_of_semi_implicit_euler() {
    for (border, bounded) in [(1.9, true), (2.0, false), (2.1, false)] {
        let h = border / OMEGA;
        let one = step_matrix(Integrator::Euler, 0.0, h);
        // x scaled by 1/h, as printed.
        let mut one = Matrix2::new(one[(0, 0)], one[(0, 1)] / h, one[(1, 0)] * h, one[(1, 1)]);
        let factor = one;
        for _ in 1..400 {
            one *= factor;
        }
        let size = delassus::scalar::norm(one.as_slice());
        assert_eq!(size < 1e3, bounded, "h ω = {border}: {size}");
    }
}

#[test]
fn w15_79_and_7d_to_7f_factors_of_the_euler_rules() {
    // y' = λ y as a first-order system is M v' = −C v: the velocity's factor is R(z).
    let explicit = |z: f64| {
        let after = SpringDampers { stiffness: SMatrix::<f64, 1, 1>::zeros(), ..reference(-z) }
            .explicit_euler(&start(), 1.0)
            .unwrap();
        after.velocity[0] / -0.5
    };
    close(&[explicit(-2.0), explicit(-1.0)], &[-1.0, 0.0], 1e-15);
    // |1 + z| at z = i h ω, from the explicit step's matrix on (ω x, v).
    let modulus = |omega: f64, gamma: f64| {
        let rule = SpringDampers { stiffness: SMatrix::<f64, 1, 1>::from_element(omega * omega), ..reference(gamma) };
        let column = |x: f64, v: f64| {
            let phase = Phase { position: SVector::from([x]), velocity: SVector::from([v]) };
            let (a, b) = (rule.explicit_euler(&phase, 1.0).unwrap(), rule.implicit_euler(&phase, 1.0).unwrap());
            [[a.position[0], a.velocity[0]], [b.position[0], b.velocity[0]]]
        };
        let (first, second) = (column(1.0, 0.0), column(0.0, 1.0));
        [0, 1].map(|rule| {
            // Complex roots come in a pair, whose modulus is the root of the determinant.
            let ([a, c], [b, d]) = (first[rule], second[rule]);
            assert!((a + d) * (a + d) < 4.0 * (a * d - b * c));
            (a * d - b * c).sqrt()
        })
    };
    close(&[modulus(0.1, 0.0)[0]], &[1.00498756211209], 1e-13); // w15_79
    // λ = −1 ± i is ω² = 2, γ = 2; λ = −1 ± 5 i is ω² = 26, γ = 2.
    close(&[modulus(2f64.sqrt(), 2.0)[0]], &[1.0], 1e-14); // w15_7d
    assert!(modulus(26f64.sqrt(), 2.0)[1] < 1.0 && modulus(2.0, 0.0)[1] < 1.0); // w15_7e
    // w15_7f: damping alone, h γ = 2.
    for integrator in [Integrator::Euler, Integrator::Implicit, Integrator::ImplicitFast] {
        let slide = Joint { damping: [2.0, 0.0, 0.0], ..Joint::<f64>::new(JointKind::Slide, 0) };
        let mass = Body::<f64>::new(1.0, [0.1; 3]);
        let damped = description(vec![mass], vec![slide], [0.0; 3], 1.0, integrator);
        let mut run: Run<1, 1, 1, 0> = Run::new(damped).at([0.0], [0.7]);
        run.steps(1);
        close(&[run.state.velocity[0] / 0.7], &[1.0 / 3.0], 1e-14);
    }
}

/// S15-48: |R(iy)|² = 1 − y⁶/72 + y⁸/576, one at y = √8, larger beyond.
#[test]
fn w15_7a_to_7c_runge_kutta_on_the_imaginary_axis() {
    let square = |y: f64| step_matrix(Integrator::RungeKutta, 0.0, y / OMEGA).determinant();
    close(&[square(8f64.sqrt())], &[1.0], 1e-12);
    close(&[square(2.0)], &[0.555555555555556], 1e-13);
    assert!(square(2.9) > 1.0 && square(2.8) < 1.0);
    for y in [0.1f64, 0.7, 1.5, 2.5, 3.0] {
        close(&[square(y)], &[1.0 - y.powi(6) / 72.0 + y.powi(8) / 576.0], 1e-12);
    }
}

/// S15-47, S15-48 with damping: the eigenvalues of the step are R(h λ).
#[test]
fn runge_kutta_amplifies_by_its_polynomial() {
    for (gamma, h) in [(0.4, 0.05), (2.0, 0.3), (7.0, 0.2), (0.0, 0.9)] {
        // λ = −γ/2 ± √(γ²/4 − ω²)
        let square: f64 = gamma * gamma / 4.0 - OMEGA * OMEGA;
        let root = if square < 0.0 { Complex::new(0.0, (-square).sqrt()) } else { Complex::new(square.sqrt(), 0.0) };
        let z = (root - gamma / 2.0) * h;
        let r = Complex::new(1.0, 0.0) + z + z * z / 2.0 + z * z * z / 6.0 + z * z * z * z / 24.0;
        let m = step_matrix(Integrator::RungeKutta, gamma, h);
        let characteristic = r * r - r * m.trace() + m.determinant();
        assert!(characteristic.norm_sqr() < 1e-24, "{characteristic}");
    }
}

/// S15-53: v₊ = (v − h ω² x)/(1 + h γ): the determinant of the step is 1/(1 + h γ), and its border without damping h ω = 2.
#[test]
fn velocity_implicit_rules_keep_the_border_of_semi_implicit_euler() {
    for integrator in [Integrator::Euler, Integrator::Implicit, Integrator::ImplicitFast] {
        for (gamma, h) in [(0.4, 0.05), (5.0, 0.3), (0.0, 0.6)] {
            let m = step_matrix(integrator, gamma, h);
            close(&[m.determinant()], &[1.0 / (1.0 + h * gamma)], 1e-13);
            close(&[m.trace()], &[1.0 + (1.0 - h * h * 9.0) / (1.0 + h * gamma)], 1e-13);
        }
    }
}

/// Two masses and three springs against the closed forms in modal coordinates: each mode by the factors of S15-42 and S15-45.
#[test]
fn reference_rules_act_on_each_mode_alone() {
    // Stiffness (2, −1; −1, 2), masses 1: modes (1, 1) with ω² = 1 and (1, −1) with ω² = 3; damping 0.1 K.
    let stiffness = Matrix2::new(2.0, -1.0, -1.0, 2.0);
    let system = SpringDampers { mass: Matrix2::identity(), stiffness, damping: stiffness * 0.1 };
    for (mode, square) in [([1.0, 1.0], 1.0), ([1.0, -1.0], 3.0)] {
        let mode = SVector::<f64, 2>::from(mode);
        let phase = Phase { position: mode * 0.3, velocity: mode * -0.2 };
        let explicit = system.explicit_euler(&phase, 0.1).unwrap();
        let v = -0.2 - 0.1 * square * (0.3 + 0.1 * -0.2);
        assert!((explicit.velocity - mode * v).amax() < 1e-15 && (explicit.position - mode * 0.28).amax() < 1e-15);
        let implicit = system.implicit_euler(&phase, 0.1).unwrap();
        let v = (-0.2 - 0.1 * square * 0.3) / (1.0 + 0.1 * 0.1 * square + 0.01 * square);
        assert!((implicit.velocity - mode * v).amax() < 1e-15);
        assert!((implicit.position - mode * (0.3 + 0.1 * v)).amax() < 1e-15);
    }
}
