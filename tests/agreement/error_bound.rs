//! The a-posteriori bound of [`delassus::solver::error_bound`] against the optimum found by enumeration.

use super::*;
use delassus::solver::{ErrorBound, error_bound};

/// √(|Δa|²_M + |Jᵀ Δf|²_M⁻¹ + Σ R Δf²) of an answer, in f64.
fn distance<T: Number>(p: &Problem, answer: &Answer<T>, exact: &(Vec<f64>, Vec<f64>)) -> f64 {
    let wide = |x: &[T]| x.iter().map(|x| (*x).into()).collect::<Vec<f64>>();
    let away = p.distance(&wide(&answer.acceleration), &exact.0);
    let change: Vec<f64> = wide(&answer.force).iter().zip(&exact.1).map(|(f, e)| f - e).collect();
    let mut generalized = vec![0.0; p.free.len()];
    let mut softness = 0.0;
    for (line, change) in p.lines.iter().zip(&change) {
        softness += line.regularizer * change * change;
        for (g, j) in generalized.iter_mut().zip(&line.jacobian) {
            *g += j * change;
        }
    }
    let response = eliminate(p.mass.clone(), generalized.clone()).unwrap();
    (away * away + product(&generalized, &response) + softness).sqrt()
}

fn bounded<T: Number, const NV: usize>(p: &Problem) {
    let problem = p.build::<T, NV, NR>();
    let (mass, free, rows) = &problem;
    let exact = optimum(p);
    let size = p.length(&exact.0) + p.length(&p.free);
    let epsilon: f64 = T::default_epsilon().into();
    for method in METHODS {
        for iterations in [0u16, 1, 3, 100] {
            let budget = generous(iterations, Measure::Engine);
            let answer = solve_with(method, &problem, None, &budget, &mut ()).unwrap();
            let acceleration = SVector::<T, NV>::from_column_slice(&answer.acceleration);
            let bound: ErrorBound<T, NV> = match error_bound(mass, free, rows, &acceleration, &answer.force) {
                Ok(bound) => bound,
                Err(error) => {
                    // M is near singular for this precision.
                    assert!(error == SolverError::Unbounded && mass.amplification() > literal(1.0 / (3e3 * epsilon)));
                    continue;
                }
            };
            // What the enumeration itself is off by.
            let blurred = 1e-9 * size;
            let (radius, away): (f64, f64) = (bound.radius().into(), distance(p, &answer, &exact));
            assert!(away <= radius + blurred, "{method:?} {iterations}: {away:e} > {radius:e} of {size:e}");
            for (k, (a, e)) in answer.acceleration.iter().zip(&exact.0).enumerate() {
                let (a, most): (f64, f64) = ((*a).into(), bound.acceleration(k).into());
                assert!((a - e).abs() <= most * (1.0 + 1e-9) + blurred / p.mass[k][k].sqrt(), "{a} {e} {most:e}");
            }
            let (mut off, mut magnitude) = (vec![0.0; p.free.len()], vec![0.0; p.free.len()]);
            for (((f, e), row), line) in answer.force.iter().zip(&exact.1).zip(rows.rows()).zip(&p.lines) {
                let (f, most): (f64, f64) = ((*f).into(), bound.force(row).into());
                assert!((f - e).abs() <= most + blurred / line.regularizer.sqrt(), "{f} {e} {most:e}");
                for ((off, magnitude), j) in off.iter_mut().zip(&mut magnitude).zip(&line.jacobian) {
                    *off += j * (f - e);
                    *magnitude += (j * f).abs();
                }
            }
            for (k, (off, magnitude)) in off.iter().zip(magnitude).enumerate() {
                let most: f64 = bound.constraint_force(mass, k).into();
                let blurred = blurred * p.mass[k][k].sqrt() + 1e-12 * magnitude;
                assert!(off.abs() <= most + blurred, "{off:e} {most:e}");
            }
        }
    }
}

/// An answer that has arrived: the radius is rounding of the numbers that the rows are made of, over √R, and what the report knows.
fn sharp<T: Number, const NV: usize>(p: &Problem) {
    let problem = p.build::<T, NV, NR>();
    let (mass, free, rows) = &problem;
    let answer = solve_with(Method::Newton, &problem, None, &generous(100, Measure::Engine), &mut ()).unwrap();
    let acceleration = SVector::<T, NV>::from_column_slice(&answer.acceleration);
    let radius: f64 = error_bound(mass, free, rows, &acceleration, &answer.force).unwrap().radius().into();
    let wide: Vec<f64> = answer.acceleration.iter().map(|a| (*a).into()).collect();
    let epsilon: f64 = T::default_epsilon().into();
    let row = |l: &Line| {
        let terms: f64 = l.jacobian.iter().zip(&wide).map(|(j, a)| (j * a).abs()).sum();
        (terms + l.reference.abs()).powi(2) / l.regularizer
    };
    let numbers = p.length(&wide) + p.length(&p.free) + p.lines.iter().map(row).sum::<f64>().sqrt();
    let known: f64 = answer.report.duality_gap.into();
    let allowed = 300.0 * epsilon * numbers + 1.5 * (2.0 * known).sqrt();
    assert!(radius <= allowed, "{radius:e} {allowed:e} {numbers:e} {:?}", answer.report);
}

/// The floor below which the bound takes R as 1e-15 is far below what is usual.
fn without_floor(p: &Problem) -> bool {
    p.lines.iter().all(|line| line.regularizer > 1e-15)
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn no_answer_is_further_away_than_its_bound(r in recipe(1..=6, -3.0, -4.0)) {
        let p = r.problem();
        prop_assume!(without_floor(&p));
        by_freedoms!(r.nv, bounded::<f64>(&p));
        by_freedoms!(r.nv, bounded::<f32>(&p.single()));
    }

    #[test]
    fn the_bound_of_an_answer_that_has_arrived_is_rounding(r in recipe(1..=6, 0.0, -4.0)) {
        let p = r.problem();
        prop_assume!(without_floor(&p));
        by_freedoms!(r.nv, sharp::<f64>(&p));
        by_freedoms!(r.nv, sharp::<f32>(&p.single()));
    }
}
