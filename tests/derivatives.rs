//! The kernel runs with dual numbers, and they are the derivatives: of one tick and of a whole motion with respect to state, force and
//! softness, against central differences inside a smooth region. Differences of this width leave 1e-8 over the whole motion; the test
//! asks for 1e-7 of the largest derivative. (At half the width of solimp the impedance's second derivative jumps: not there.)

#[path = "../examples/identify_stiffness/pad.rs"]
mod pad;

use num_dual::Dual64;
use pad::{Moment, PRESSED, Pad, RADIUS, RECORD, motion};

/// Stiffness, damping, height, rate, force.
type Numbers<T> = [T; 5];

fn at<T: delassus::scalar::Real>([stiffness, damping, height, rate, force]: Numbers<T>, steps: usize) -> Vec<[T; 2]> {
    motion(&Pad { stiffness, damping }, &Moment { height, rate, force }, steps).unwrap()
}

fn compare(steps: usize) {
    let numbers = [900.0, 15.0, RADIUS - 0.9 * PRESSED, 0.01, -0.3];
    for which in 0..numbers.len() {
        let width = 1e-6 * numbers[which].abs().max(0.1);
        let moved = |by: f64| {
            let mut numbers = numbers;
            numbers[which] += by;
            at(numbers, steps)
        };
        let (above, below) = (moved(width), moved(-width));
        let mut dual = numbers.map(Dual64::from);
        dual[which] = dual[which].derivative();
        let exact = at(dual, steps);
        for part in 0..2 {
            let differences: Vec<f64> =
                above.iter().zip(&below).map(|(a, b)| (a[part] - b[part]) / (2.0 * width)).collect();
            let largest = differences.iter().fold(0.0f64, |sum, x| sum.max(x.abs()));
            assert!(largest > 0.0);
            // Heights of some centimetres are rounded to 3e-18 in each of 300 steps, which the differences divide by their width.
            let allowed = 1e-7 * largest + 3e-16 / width;
            for (step, (difference, exact)) in differences.iter().zip(&exact).enumerate() {
                let error = (difference - exact[part].eps).abs();
                assert!(error <= allowed, "number {which}, part {part}, step {step}: {error:e} of {largest:e}");
            }
        }
    }
}

#[test]
fn one_tick_with_dual_numbers_carries_its_derivatives() {
    compare(1);
}

#[test]
fn a_whole_motion_with_dual_numbers_carries_its_derivatives() {
    compare(RECORD);
}

/// The real parts are what f64 gives, but for the dual numbers' own division, which multiplies by an inverse.
#[test]
fn dual_numbers_do_not_change_the_motion() {
    let numbers = [900.0, 15.0, RADIUS - 0.9 * PRESSED, 0.01, -0.3];
    let mut dual = numbers.map(Dual64::from);
    dual[0] = dual[0].derivative();
    for (plain, dual) in at(numbers, RECORD).iter().zip(at(dual, RECORD)) {
        assert!(plain.iter().zip(dual).all(|(plain, dual)| (plain - dual.re).abs() <= 1e-14));
    }
}
