//! At every budget, from every start.

use super::*;

/// Sees that the objective never rises and that every iterate's forces are allowed.
struct Falling<'a> {
    problem: &'a Problem,
    last: Option<f64>,
    rounding: f64,
    check: bool,
}

impl<T: Number> Observer<T> for Falling<'_> {
    fn iterate(&mut self, seen: &Iterate<'_, T>) {
        assert!(seen.acceleration.iter().chain(seen.force).all(|x| x.is_finite()));
        for (f, l) in seen.force.iter().zip(&self.problem.lines) {
            let f: f64 = (*f).into();
            let rule = rule_of::<f64>(l.kind, l.loss);
            assert_eq!(f, delassus::solver::law::project(rule, f));
        }
        if !self.check {
            return;
        }
        let a: Vec<f64> = seen.acceleration.iter().map(|x| (*x).into()).collect();
        let now = self.problem.primal(&a);
        if let Some(last) = self.last {
            assert!(now <= last + self.rounding, "iteration {}: {last} rose to {now}", seen.iteration);
        }
        self.last = Some(now);
    }
}

/// How much an objective, computed in f64 from iterates in `T`, is blurred by the iterates' rounding.
fn blur<T: Number>(p: &Problem) -> f64 {
    let eps: f64 = T::default_epsilon().into();
    let start = p.primal(&p.free);
    // Rounding a by ε|a| moves z by ε Σ|J a| and the cost by |s'| times that, plus its own square over R.
    let worst_a = p.free.iter().map(|x| x.abs()).fold(0.0, f64::max).max(1.0) * 1e3;
    let mut sum = 64.0 * eps * start;
    for l in &p.lines {
        let dz = 8.0 * eps * (l.jacobian.iter().map(|j| j.abs()).sum::<f64>() * worst_a + l.reference.abs());
        sum += dz * (2.0 * start / l.regularizer).sqrt() + dz * dz / l.regularizer;
    }
    sum
}

fn every_budget<T: Number, const NV: usize>(p: &Problem) {
    let problem = p.build::<T, NV, NR>();
    let exact = optimum(p).0;
    let size = p.length(&exact) + p.length(&p.free);
    let eps: f64 = T::default_epsilon().into();
    for method in METHODS {
        let mut previous = f64::INFINITY;
        for iterations in [0u16, 1, 2, 3, 5, 8] {
            for line_search in [0, 1, iterations.saturating_mul(2)] {
                for measure in [Measure::Engine, Measure::ForceCorrection, Measure::DualityGap] {
                    let budget = Budget { line_search, ..generous(iterations, measure) };
                    let mut falling =
                        Falling { problem: p, last: None, rounding: blur::<T>(p), check: method == Method::Newton };
                    let answer = solve_with(method, &problem, None, &budget, &mut falling).unwrap();
                    sound(&problem.2, &budget, &answer);
                    let a: Vec<f64> = answer.acceleration.iter().map(|x| (*x).into()).collect();
                    let gap: f64 = answer.report.duality_gap.into();
                    let away = p.distance(&a, &exact);
                    let allowed = (2.0 * gap).sqrt() * 1.01 + 1e4 * eps * size;
                    assert!(away <= allowed, "{method:?} {iterations}: {away:e} > {allowed:e} {:?}", answer.report);
                    // The dual objective falls sweep by sweep.
                    if matches!(method, Method::Sweeps | Method::SweepsWithDelassus) {
                        let dual: f64 =
                            measure::dual_objective(&problem.0, &problem.1, &problem.2, &answer.force).unwrap().into();
                        let (mut own, mut offset) = (0.0, 0.0);
                        for (l, f) in p.lines.iter().zip(&answer.force) {
                            let f: f64 = (*f).into();
                            let seen = product(&l.jacobian, &eliminate(p.mass.clone(), l.jacobian.clone()).unwrap());
                            own += f.abs() * (seen + l.regularizer).sqrt();
                            let terms: f64 = l.jacobian.iter().zip(&p.free).map(|(j, a)| (j * a).abs()).sum();
                            offset += f.abs() * (terms + l.reference.abs());
                        }
                        let rounding = 64.0 * eps * (own * own + offset);
                        assert!(dual <= previous + rounding, "{method:?} {iterations}: {previous} rose to {dual}");
                        previous = previous.min(dual);
                    }
                }
            }
        }
    }
}

fn every_start<T: Number, const NV: usize>(p: &Problem, seed: u64, bound: f64) {
    let problem = p.build::<T, NV, NR>();
    let (exact, _) = optimum(p);
    let mut noise = Noise(seed);
    let starts: Vec<Vec<f64>> = vec![
        exact.clone(),
        vec![0.0; NV],
        p.free.clone(),
        (0..NV).map(|_| noise.mixed(-3.0, 3.0)).collect(),
        exact.iter().map(|a| a * (1.0 + 1e-3 * noise.number())).collect(),
        (0..NV).map(|_| noise.mixed(8.0, 15.0)).collect(),
    ];
    for start in starts {
        let warm = SVector::<T, NV>::from_fn(|i, _| literal(start[i]));
        let start: Vec<f64> = warm.iter().map(|x| (*x).into()).collect();
        let budget = generous(100, Measure::Engine);
        let answer = solve_with(Method::Newton, &problem, Some(&warm), &budget, &mut ()).unwrap();
        sound(&problem.2, &budget, &answer);
        let relative = error(p, &answer.acceleration, &exact);
        assert!(relative <= bound, "{relative:e} > {bound:e} from {start:?} {:?}", answer.report);
        assert!(answer.report.stop != Stop::BudgetSpent, "{:?}", answer.report);
        // Used exactly where its objective is not larger, as far as that can be told.
        let (there, free) = (p.primal(&start), p.primal(&p.free));
        if (there - free).abs() > 1e-3 * free + blur::<T>(p) {
            let expected = if there < free { WarmStart::Used } else { WarmStart::Rejected };
            assert_eq!(answer.report.warm_start, expected, "{there} {free}");
        }
        for method in [Method::Sweeps, Method::SweepsWithDelassus] {
            let budget = generous(200, Measure::Engine);
            let answer = solve_with(method, &problem, Some(&warm), &budget, &mut ()).unwrap();
            sound(&problem.2, &budget, &answer);
            let size = p.length(&exact) + p.length(&p.free);
            let gap: f64 = answer.report.duality_gap.into();
            let relative = error(p, &answer.acceleration, &exact);
            assert!(
                relative <= (2.0 * gap).sqrt() / size * 1.01 + bound,
                "{method:?} {relative:e} {:?}",
                answer.report
            );
        }
    }
}

/// Same bits and same report, also from memory that a larger problem has been solved in before.
fn every_memory<T: Number, const NV: usize>(p: &Problem, larger: &Problem) {
    let problem = p.build::<T, NV, NR>();
    let (mass, free, rows) = &problem;
    let before = larger.build::<T, NV, NR>();
    let warm = SVector::<T, NV>::from_fn(|i, _| literal(0.3 * i as f64 - 0.5));
    for line_search in [0, 100] {
        let budget = Budget { line_search, ..Budget::new(30, T::zero()) };
        let (mut newtons, mut sweeps) = (NewtonWorkspace::filled(T::zero()), SweepWorkspace::filled(T::zero()));
        let mut formed = DelassusWorkspace::filled(T::zero());
        let mut first: Option<Vec<String>> = None;
        for _ in 0..2 {
            let reports = [
                newton(mass, free, rows, Some(&warm), &budget, &mut newtons).unwrap(),
                projected_gauss_seidel(mass, free, rows, Some(&warm), &budget, &mut sweeps).unwrap(),
                projected_gauss_seidel_with_delassus(mass, free, rows, Some(&warm), &budget, &mut formed).unwrap(),
            ];
            let seen = vec![
                format!("{reports:?}"),
                format!("{:?} {:?}", newtons.acceleration(), newtons.force()),
                format!("{:?} {:?}", sweeps.acceleration(), sweeps.force()),
                format!("{:?} {:?}", formed.acceleration(), formed.force()),
            ];
            // The second round comes after another problem, and after one whose memory overflowed.
            if let Some(first) = &first {
                assert_eq!(first, &seen);
            }
            first = Some(seen);
            let huge = T::max_value().unwrap() * literal(0.25);
            for free in [before.1, SVector::from_element(huge)] {
                let _ = newton(&before.0, &free, &before.2, None, &budget, &mut newtons);
                let _ = projected_gauss_seidel(&before.0, &free, &before.2, None, &budget, &mut sweeps);
                let _ = projected_gauss_seidel_with_delassus(&before.0, &free, &before.2, None, &budget, &mut formed);
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn any_budget_gives_allowed_forces_an_honest_gap_and_no_rise(r in recipe(1..=5, -1.0, -4.0)) {
        let p = r.problem().single();
        by_freedoms!(r.nv, every_budget::<f64>(&p));
        by_freedoms!(r.nv, every_budget::<f32>(&p));
    }

    #[test]
    fn any_start_leads_to_the_same_answer(r in recipe(1..=5, -1.0, -4.0)) {
        let p = r.problem().single();
        by_freedoms!(r.nv, every_start::<f64>(&p, r.seed, 1e-9));
        let bound = 30.0 * (sensitivity(&p, r.seed) + f64::from(f32::EPSILON));
        by_freedoms!(r.nv, every_start::<f32>(&p, r.seed, bound));
    }

    #[test]
    fn memory_of_an_earlier_solve_changes_no_bit(r in recipe(1..=5, -1.0, -4.0), more in recipe(6..=12, -1.0, -4.0)) {
        let p = r.problem().single();
        let larger = Recipe { nv: r.nv, ..more }.problem().single();
        by_freedoms!(r.nv, every_memory::<f64>(&p, &larger));
        by_freedoms!(r.nv, every_memory::<f32>(&p, &larger));
    }
}
