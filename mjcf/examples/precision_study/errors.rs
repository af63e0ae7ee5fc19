//! How far two ticks are apart, quantity by quantity.

use crate::machine::Tick;

/// The quantities, in the order of a tick.
pub const NAMES: [&str; 8] = ["M", "bias", "a_u", "A", "a_ref", "R", "force", "acceleration"];

/// One error a quantity; `None` where there is nothing to compare.
pub type Errors = [Option<f64>; 8];

/// Relative errors: the largest difference over the largest number of the list (of an acceleration: of that and the free
/// acceleration, since constraints may hold everything still), of R row by row.
///
/// Where rows appear or vanish under rounding, what hangs on them is not compared.
pub fn errors(found: &Tick, exact: &Tick) -> Errors {
    let flat = |matrix: &[Vec<f64>]| matrix.concat();
    let mut errors = [
        relative(&flat(&found.mass), &flat(&exact.mass), 0.0),
        relative(&found.bias, &exact.bias, 0.0),
        relative(&found.free, &exact.free, 0.0),
        None,
        None,
        None,
        None,
        None,
    ];
    if found.kinds != exact.kinds {
        return errors;
    }
    errors[7] = relative(&found.acceleration, &exact.acceleration, largest(&exact.free));
    if !exact.kinds.is_empty() {
        errors[3] = relative(&flat(&found.delassus), &flat(&exact.delassus), 0.0);
        errors[4] = relative(&found.reference, &exact.reference, 0.0);
        errors[5] = Some(
            found.regularizer.iter().zip(&exact.regularizer).map(|(a, b)| (a / b - 1.0).abs()).fold(0.0, f64::max),
        );
        errors[6] = relative(&found.force, &exact.force, 0.0);
    }
    errors
}

/// Of states: configuration and velocity, the farther one.
pub fn of_states(found: &(Vec<f64>, Vec<f64>), exact: &(Vec<f64>, Vec<f64>)) -> f64 {
    let part = |a: &[f64], b: &[f64]| if largest(b) > 1e-6 { relative(a, b, 0.0).unwrap_or(0.0) } else { 0.0 };
    part(&found.0, &exact.0).max(part(&found.1, &exact.1))
}

pub fn largest(list: &[f64]) -> f64 {
    list.iter().fold(0.0, |most, x| x.abs().max(most))
}

fn relative(found: &[f64], exact: &[f64], scale: f64) -> Option<f64> {
    let scale = largest(exact).max(scale);
    // Next to nothing is compared with nothing.
    if !(scale > 1e-12) {
        return None;
    }
    Some(found.iter().zip(exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / scale)
}
