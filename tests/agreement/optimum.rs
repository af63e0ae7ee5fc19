//! Agreement with the optimum.

use super::*;

/// Newton to the end of the precision; sweeps for as long as a test may take, judged by the gap they claim.
pub(super) fn agree<T: Number, const NV: usize>(p: &Problem, bound: f64) {
    let problem = p.build::<T, NV, NR>();
    let (exact, force) = optimum(p);
    let at_optimum = p.primal(&exact);
    for method in METHODS {
        let iterations = if method == Method::Newton { 100 } else { 300 };
        let budget = generous(iterations, Measure::Engine);
        let answer = solve_with(method, &problem, None, &budget, &mut ()).unwrap();
        sound(&problem.2, &budget, &answer);
        let relative = error(p, &answer.acceleration, &exact);
        let size = p.length(&exact) + p.length(&p.free);
        if method == Method::Newton {
            assert!(relative <= bound, "{relative:e} > {bound:e} {:?} {exact:?} {force:?}", answer.report);
            assert!(answer.report.stop != Stop::BudgetSpent, "{:?}", answer.report);
        } else {
            // ½ |a − a*|² ≤ gap, up to rounding of both.
            let gap: f64 = answer.report.duality_gap.into();
            let allowed = (2.0 * gap).sqrt() / size * 1.01 + bound;
            assert!(relative <= allowed, "{method:?} {relative:e} > {allowed:e} {:?}", answer.report);
        }
        let a: Vec<f64> = answer.acceleration.iter().map(|x| (*x).into()).collect();
        assert!(p.primal(&a) >= at_optimum - 1e-9 * at_optimum.abs() - 1e-12 * size * size);
    }
}

proptest! {
    #![proptest_config(cases(600))]

    /// f64: 1e-9 is cond (1e6 from the mass ratio, 1e3 from coupling and redundancy) times the rounding 1e-16, times ten. Once in
    /// some ten thousand problems equalities contradict each other at R of 1e-9 Â, and forces of 1e11 N pull at each other: there
    /// the answer may be off as in f32, by what its problem's own rounding moves it, times thirty.
    #[test]
    fn every_method_finds_the_optimum_in_double_precision(r in recipe(1..=6, -3.0, -9.0)) {
        let p = r.problem();
        let rounding = f64::EPSILON / f64::from(f32::EPSILON);
        let bound = (30.0 * rounding * sensitivity(&p, r.seed)).max(1e-9);
        by_freedoms!(r.nv, agree::<f64>(&p, bound));
    }

    /// f32: the answer may be off by as much as it moves when the problem's own numbers are rounded, times a small factor.
    #[test]
    fn every_method_finds_the_optimum_in_single_precision(r in recipe(1..=6, -1.0, -4.0)) {
        let p = r.problem().single();
        let bound = 30.0 * (sensitivity(&p, r.seed) + f64::from(f32::EPSILON));
        by_freedoms!(r.nv, agree::<f32>(&p, bound));
    }
}

fn agree_by_gap<T: Number, const NV: usize>(p: &Problem, rounding: f64) {
    let problem = p.build::<T, NV, NR>();
    let budget = generous(100, Measure::Engine);
    let answer = solve_with(Method::Newton, &problem, None, &budget, &mut ()).unwrap();
    sound(&problem.2, &budget, &answer);
    assert!(answer.report.stop != Stop::BudgetSpent, "{:?}", answer.report);
    // The gap, in f64 and from the answer alone: ½ |M (a − a_u) − Jᵀ f|² in the metric M⁻¹, and what each force misses of its law.
    let a: Vec<f64> = answer.acceleration.iter().map(|x| (*x).into()).collect();
    let f: Vec<f64> = answer.force.iter().map(|x| (*x).into()).collect();
    let deviation: Vec<f64> = a.iter().zip(&p.free).map(|(a, u)| a - u).collect();
    let mut gradient: Vec<f64> = p.mass.iter().map(|row| product(row, &deviation)).collect();
    let (mut missed, mut blurred) = (0.0, 0.0);
    for (l, f) in p.lines.iter().zip(&f) {
        for (g, j) in gradient.iter_mut().zip(&l.jacobian) {
            *g -= j * f;
        }
        let z = product(&l.jacobian, &a) - l.reference;
        missed += delassus::solver::law::gap(rule_of(l.kind, l.loss), l.regularizer, z, *f);
        // z comes out of these terms, and what it is off by counts squared over R.
        let terms = l.jacobian.iter().zip(&a).map(|(j, a)| (j * a).abs()).sum::<f64>() + l.reference.abs();
        blurred += (16.0 * f64::EPSILON * terms).powi(2) / l.regularizer;
    }
    let gap = 0.5 * product(&gradient, &eliminate(p.mass.clone(), gradient.clone()).unwrap()) + missed;
    let size = p.length(&a) + p.length(&p.free) + 1e-30;
    assert!(
        gap >= 0.0 && (2.0 * gap).sqrt() <= rounding * size + blurred.sqrt(),
        "{gap:e} {size:e} {:?}",
        answer.report
    );
}

fn gentle_forces<T: Number, const NV: usize>(p: &Problem, bound: f64) {
    let problem = p.build::<T, NV, NR>();
    let (_, exact) = optimum(p);
    let size = exact.iter().fold(1e-30, |m: f64, x| m.max(x.abs()));
    for method in METHODS {
        // A thousand sweeps are plenty for R ≥ Â/10 and three rows.
        let budget = generous(1000, Measure::ForceCorrection);
        let answer = solve_with(method, &problem, None, &budget, &mut ()).unwrap();
        for (f, e) in answer.force.iter().zip(&exact) {
            let f: f64 = (*f).into();
            assert!((f - e).abs() <= bound * size, "{method:?} {f} {exact:?} {:?}", answer.report);
        }
    }
}

proptest! {
    #![proptest_config(cases(400))]

    /// Up to twelve rows, twice as many as dofs: too many states to enumerate, so the gap is the judge.
    #[test]
    fn newton_closes_the_gap_of_many_rows(r in recipe(7..=12, -2.0, -6.0)) {
        by_freedoms!(r.nv, agree_by_gap::<f64>(&r.problem(), 1e-6));
    }

    /// Where the forces are well determined they agree as well.
    #[test]
    fn forces_agree_where_they_are_well_determined(r in gentle()) {
        let p = r.problem();
        by_freedoms!(r.nv, gentle_forces::<f64>(&p, 1e-10));
        let p = p.single();
        // Relative to the largest force; J a_u and a_ref, of up to 300 m/s² either way, may cancel.
        let (exact, forces) = optimum(&p);
        let largest = forces.iter().fold(1e-30, |m: f64, x| m.max(x.abs()));
        let terms = p.lines.iter().map(|l| {
            let seen = product(&l.jacobian, &eliminate(p.mass.clone(), l.jacobian.clone()).unwrap());
            let sum: f64 = l.jacobian.iter().zip(p.free.iter().chain(&exact)).map(|(j, a)| (j * a).abs()).sum();
            (sum + l.reference.abs()) / (seen + l.regularizer)
        }).fold(0.0, f64::max);
        by_freedoms!(r.nv, gentle_forces::<f32>(&p, 3e-5 * (1.0 + terms / largest)));
    }
}
