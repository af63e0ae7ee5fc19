//! Solvers on the rows of random mechanisms: one optimum, from everywhere, by every method, under every budget.

use super::random::{Noise, recipe};
use super::rig::{NV, Vector, thorough};
use super::world::{Machine, NC, NR, World, anywhere, cases};
use delassus::rows::{Kind, Rows, Rule};
use delassus::scalar::dot;
use delassus::solver::{
    Budget, ConjugateGradientWorkspace, DelassusWorkspace, Measure, NewtonWorkspace, NoslipWorkspace, Stop,
    SweepWorkspace, error_bound, measure, noslip,
};
use delassus::tick::{Input, Method};
use proptest::prelude::*;

type Contacts = Rows<f64, NV, NR, NC>;

/// Forces finite and inside their rules; friction inside its cone up to some ulps.
fn allowed(rows: &Contacts, force: &[f64]) -> bool {
    let each = rows.rows().iter().zip(force).all(|(row, f)| {
        f.is_finite()
            && match row.rule() {
                Rule::NonNegative => *f >= 0.0,
                Rule::Interval { loss } => f.abs() <= loss,
                Rule::Free | Rule::Cone => true,
            }
    });
    each && rows.cones().iter().all(|block| {
        let parts = &force[block.first_row()..block.first_row() + block.cone().dimension()];
        let shares = parts[1..].iter().zip(block.cone().friction()).map(|(f, mu)| f / mu);
        shares.fold(0.0, f64::hypot) <= parts[0] * (1.0 + 4.0 * f64::EPSILON)
    })
}

/// The acceleration of one method, how far it may be from the optimum in the metric M, and whether the method has come to its end.
fn answer<S: Method<f64, NV, NR, NC>>(
    problem: &Machine<'_>,
    mut solver: S,
    budget: &Budget<f64>,
) -> (Vector, f64, bool) {
    let (mass, free, rows) = (problem.work.mass(), problem.work.free_acceleration(), problem.work.rows());
    let report = solver.solve(mass, free, rows, None, budget).unwrap();
    assert!(allowed(rows, solver.force()));
    let bound =
        error_bound(mass, free, rows, solver.acceleration(), solver.force()).map_or(f64::INFINITY, |b| b.radius());
    (*solver.acceleration(), bound, report.stop != Stop::BudgetSpent)
}

/// ½ fᵀ A f + fᵀ b: what friction without softness would want smallest.
fn hard_objective(problem: &Machine<'_>, force: &[f64]) -> (f64, f64) {
    let (mass, free, rows) = (problem.work.mass(), problem.work.free_acceleration(), problem.work.rows());
    let soft = measure::dual_objective(mass, free, rows, force).unwrap();
    let own: f64 = rows.rows().iter().zip(force).map(|(row, f)| 0.5 * row.regularizer() * f * f).sum();
    let terms: f64 = rows
        .rows()
        .iter()
        .zip(force)
        .map(|(row, f)| {
            let size: f64 = row.jacobian().iter().zip(free.iter()).map(|(j, a)| (j * a).abs()).sum();
            (size + row.reference().abs()) * f.abs()
        })
        .sum();
    (soft - own, terms + own + soft.abs())
}

proptest! {
    #![proptest_config(cases(500))]

    /// Whatever the budget, zero included, and whatever the solver.
    #[test]
    fn forces_are_allowed_under_any_budget((count, seed) in recipe(), iterations in 0u16..6, line_search in 0u16..8) {
        let world = World::draw(count, seed);
        let description = world.description();
        let mut problem = Machine::new(&description);
        prop_assume!(problem.forward(&anywhere(&world, seed, 1.0), &Input::none()).is_some());
        let budget = Budget { line_search, ..Budget::new(iterations, 0.0) };
        answer(&problem, NewtonWorkspace::filled(0.0), &budget);
        answer(&problem, ConjugateGradientWorkspace::filled(0.0), &budget);
        answer(&problem, SweepWorkspace::filled(0.0), &budget);
        answer(&problem, DelassusWorkspace::filled(0.0), &budget);
    }

    /// Newton's answer does not depend on where it begins.
    #[test]
    fn any_warm_start_leads_to_the_same_motion((count, seed) in recipe(), size in -2.0..6.0f64) {
        let world = World::draw(count, seed);
        let description = world.description();
        let mut problem = Machine::new(&description);
        prop_assume!(problem.forward(&anywhere(&world, seed, 1.0), &Input::none()).is_some());
        let (mass, free, rows) = (problem.work.mass(), problem.work.free_acceleration(), problem.work.rows());
        let cold = problem.acceleration();
        let scale = mass.half_quadratic(&cold).max(mass.half_quadratic(free)).sqrt() + 1e-9;
        let far = Noise(seed ^ 7).generalized(problem.model.dof_count(), 10f64.powf(size));
        for start in [far, cold, Vector::zeros()] {
            let mut work = NewtonWorkspace::filled(0.0);
            Method::solve(&mut work, mass, free, rows, Some(&start), &thorough()).unwrap();
            let off = mass.half_quadratic(&(Method::<f64, NV, NR, NC>::acceleration(&work) - cold)).sqrt();
            prop_assert!(off <= 1e-7 * scale, "{off:e} of {scale:e} from {size}");
        }
    }

    /// Each method is as near to the optimum as it says, so no two are further apart than what they say together; Newton and conjugate
    /// gradients arrive.
    #[test]
    fn methods_agree_as_far_as_they_promise((count, seed) in recipe()) {
        let world = World::draw(count, seed);
        let description = world.description();
        let mut problem = Machine::new(&description);
        prop_assume!(problem.forward(&anywhere(&world, seed, 1.0), &Input::none()).is_some());
        let mass = problem.work.mass();
        let scale = mass.half_quadratic(&problem.acceleration()).max(mass.half_quadratic(problem.work.free_acceleration())).sqrt() + 1e-9;
        let gradients = Budget { line_search: 20_000, ..Budget::new(2000, 0.0) };
        let sweeps = Budget { measure: Measure::ForceCorrection, ..Budget::new(300, 1e-12) };
        let answers = [
            answer(&problem, NewtonWorkspace::filled(0.0), &thorough()),
            answer(&problem, ConjugateGradientWorkspace::filled(0.0), &gradients),
            answer(&problem, SweepWorkspace::filled(0.0), &sweeps),
            answer(&problem, DelassusWorkspace::filled(0.0), &sweeps),
        ];
        for (a, first, _) in &answers {
            for (b, second, _) in &answers {
                let apart = (2.0 * mass.half_quadratic(&(a - b))).sqrt();
                prop_assert!(apart <= first + second, "{apart:e} {first:e} {second:e}");
            }
        }
        // Below R = 1e-9 A a row is beyond what double precision tells from a hard one.
        let soft = problem.work.rows().rows().iter().all(|row| {
            let mut response = Vector::from_row_slice(row.jacobian());
            mass.solve(&mut response).unwrap();
            row.regularizer() >= 1e-9 * dot(row.jacobian(), response.as_slice())
        });
        if soft {
            prop_assert!(answers[0].1 <= 1e-6 * scale, "Newton {:e} of {scale:e}", answers[0].1);
            prop_assert!(!answers[1].2 || answers[1].1 <= 1e-3 * scale, "conjugate gradients {:e} of {scale:e}", answers[1].1);
        }
    }

    /// Friction that gives way no more: forces of the pass are allowed, keep all normal forces, and never raise the objective of hard
    /// friction that the main solve has left.
    #[test]
    fn noslip_reduces_slip((count, seed) in recipe(), iterations in 1u16..20) {
        let world = World::draw(count, seed);
        let description = world.description();
        let mut problem = Machine::new(&description);
        prop_assume!(problem.forward(&anywhere(&world, seed, 1.0), &Input::none()).is_some());
        let (mass, free, rows) = (problem.work.mass(), problem.work.free_acceleration(), problem.work.rows());
        let before = problem.work.row_forces().to_vec();
        let mut pass = NoslipWorkspace::filled(0.0);
        noslip(mass, free, rows, &before, &Budget::new(iterations, 0.0), &mut pass).unwrap();
        let after = pass.force();
        // A pair of edges keeps its sum, each to a rounding.
        prop_assert!(allowed(rows, after));
        for (k, row) in rows.rows().iter().enumerate() {
            let normal = rows.cones().iter().any(|block| block.first_row() == k);
            let moves = matches!(row.kind(), Kind::JointFriction | Kind::TendonFriction | Kind::ContactPyramidal)
                || row.rule() == Rule::Cone && !normal;
            prop_assert!(moves || after[k] == before[k], "row {k} {:?}", row.kind());
        }
        let ((old, size), (new, _)) = (hard_objective(&problem, &before), hard_objective(&problem, after));
        prop_assert!(new <= old + 1e-12 * size, "{old:e} rose to {new:e}, rounding of {size:e}");
    }
}
