//! The a-posteriori bound of contacts with friction, against the optimum that Newton finds in double precision.

use super::*;
use delassus::scalar::Real;
use delassus::solver::error_bound;
use nalgebra::SVector;
use problem::{eliminate, product};

/// √(|Δa|²_M + |Jᵀ Δf|²_M⁻¹ + Σ R Δf²).
fn away(p: &Problem, answer: &Answer, exact: &Answer) -> f64 {
    let lines = p.lines();
    let (mut generalized, mut softness) = ([0.0; NV], 0.0);
    for ((line, f), e) in lines.iter().zip(&answer.force).zip(&exact.force) {
        softness += line.regularizer * (f - e) * (f - e);
        for (g, j) in generalized.iter_mut().zip(&line.jacobian) {
            *g += j * (f - e);
        }
    }
    let response = eliminate(&p.mass, &generalized);
    let motion = p.distance(&answer.acceleration, &exact.acceleration);
    (motion * motion + product(&generalized, &response) + softness).sqrt()
}

fn radius<T: Number>(p: &Problem, answer: &Answer) -> f64 {
    let (mass, free, rows) = p.build::<T>();
    let narrow = |x: &f64| literal::<T>(*x);
    let acceleration = SVector::<T, NV>::from_fn(|i, _| narrow(&answer.acceleration[i]));
    let force: Vec<T> = answer.force.iter().map(narrow).collect();
    error_bound(&mass, &free, &rows, &acceleration, &force).unwrap().radius().into()
}

fn bounded<T: Number + Real>(p: &Problem) {
    let exact = solve::<f64>(p, Method::Newton, 200);
    let size = p.size(&exact.acceleration);
    // What the optimum of double precision says of itself.
    let blurred = radius::<f64>(p, &exact);
    for method in METHODS {
        for iterations in [0, 1, 4, 300] {
            let answer = solve::<T>(p, method, iterations);
            let (most, off) = (radius::<T>(p, &answer), away(p, &answer, &exact));
            assert!(off <= most + blurred, "{method:?} {iterations}: {off:e} > {most:e} + {blurred:e} of {size:e}");
        }
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn no_answer_with_friction_is_further_away_than_its_bound(r in recipes()) {
        bounded::<f64>(&r.problem());
        bounded::<f32>(&r.problem().mapped(|x| f64::from(x as f32)));
    }
}
