//! Gauss' principle, hard and soft (WORKED W07-01 … W07-14), in f64 to 1e-12 of the largest number and in f32 to 1e-6.

mod common;

use common::{Number, close, finished, mass, vector};
use delassus::mass::MassMatrix;
use delassus::rows::{Kind, Rows};
use delassus::scalar::{Real, literal};
use delassus::solver::{
    Budget, Delassus, NewtonWorkspace, ProjectionWorkspace, SolverError, gauss_projection, newton, soft_projection,
};
use nalgebra::SVector;

/// Masses on a line, the row a₁ − a₂ = 0, a_u = (2, −1).
fn sliders<T: Real>(masses: [f64; 2], regularizer: f64) -> (MassMatrix<T, 2>, SVector<T, 2>, Rows<T, 2, 4>) {
    let rows = finished(Kind::Equality, [[1.0, -1.0]], [0.0], [regularizer]);
    (mass([[masses[0], 0.0], [0.0, masses[1]]]), vector([2.0, -1.0]), rows)
}

fn in_both(check64: fn(f64), check32: fn(f64)) {
    check64(1e-12);
    check32(1e-6);
}

#[test]
fn w07_01_free_acceleration_of_two_sliders() {
    fn check<T: Number>(bound: f64) {
        let mut a = vector::<T, 2>([4.0, -1.0]);
        sliders::<T>([2.0, 1.0], 0.0).0.solve(&mut a).unwrap();
        close(a.as_slice(), &[2.0, -1.0], bound);
    }
    in_both(check::<f64>, check::<f32>);
}

#[test]
fn w07_02_to_05_hard_equality_projects_in_the_mass_metric() {
    fn check<T: Number>(bound: f64) {
        let (mass, free, rows) = sliders::<T>([2.0, 1.0], 0.0);
        let mut delassus = Delassus::<T, 4>::filled(T::zero());
        delassus.form(&mass, &rows).unwrap();
        close(delassus.column(0), &[1.5], bound); // w07_02
        let mut work = ProjectionWorkspace::filled(T::zero());
        let cost = gauss_projection(&mass, &free, &rows, &mut work).unwrap();
        close(work.multiplier(), &[-2.0], bound); // w07_03
        close(work.acceleration().as_slice(), &[1.0, 1.0], bound); // w07_04
        close(&[cost], &[3.0], bound); // w07_05
        close(&[mass.half_quadratic(&(work.acceleration() - free))], &[3.0], bound);
    }
    in_both(check::<f64>, check::<f32>);
}

#[test]
fn w07_06_no_point_of_the_feasible_line_costs_less() {
    let (mass, free, rows) = sliders::<f64>([2.0, 1.0], 0.0);
    let mut work = ProjectionWorkspace::filled(0.0);
    let cost = gauss_projection(&mass, &free, &rows, &mut work).unwrap();
    for k in -2000..2000 {
        let s = 1.0 + f64::from(k) * 1e-3;
        let there = mass.half_quadratic(&(vector([s, s]) - free));
        assert!(there >= cost - 1e-12);
        // Φ(s) = 3/2 (s − 1)² + 3, by hand
        assert!((there - (1.5 * (s - 1.0) * (s - 1.0) + 3.0)).abs() < 1e-12);
    }
}

#[test]
fn w07_07_equal_masses_project_as_plain_geometry_does() {
    fn check<T: Number>(bound: f64) {
        let (mass, free, rows) = sliders::<T>([1.0, 1.0], 0.0);
        let mut work = ProjectionWorkspace::filled(T::zero());
        gauss_projection(&mass, &free, &rows, &mut work).unwrap();
        close(work.acceleration().as_slice(), &[0.5, 0.5], bound);
    }
    in_both(check::<f64>, check::<f32>);
}

#[test]
fn w07_08_to_12_soft_equality_gives_way() {
    fn check<T: Number>(bound: f64) {
        let (mass, free, rows) = sliders::<T>([2.0, 1.0], 0.5);
        let mut delassus = Delassus::<T, 4>::filled(T::zero());
        delassus.form(&mass, &rows).unwrap();
        close(&[delassus.column(0)[0] + rows.rows()[0].regularizer()], &[2.0], bound); // w07_08
        let mut work = ProjectionWorkspace::filled(T::zero());
        soft_projection(&mass, &free, &rows, &mut work).unwrap();
        close(work.multiplier(), &[-1.5], bound); // w07_09
        close(work.acceleration().as_slice(), &[1.25, 0.5], bound); // w07_10
        let relative = work.acceleration()[0] - work.acceleration()[1];
        close(&[relative], &[0.75], bound); // w07_11: J a = −R λ
        close(&[free[0] - free[1]], &[3.0], bound); // w07_12
        let mut primal = NewtonWorkspace::filled(T::zero());
        newton(&mass, &free, &rows, None, &Budget::new(4, T::zero()), &mut primal).unwrap();
        close(primal.force(), &[-1.5], bound);
        close(primal.acceleration().as_slice(), &[1.25, 0.5], bound);
    }
    in_both(check::<f64>, check::<f32>);
}

#[test]
fn w07_13_a_to_c_relative_acceleration_grows_with_the_regularizer() {
    fn check<T: Number>(bound: f64) {
        for (regularizer, expected) in [(0.0, 0.0), (1.5, 1.5), (1e9, 2.999_999_995_5)] {
            let (mass, free, rows) = sliders::<T>([2.0, 1.0], regularizer);
            let mut work = ProjectionWorkspace::filled(T::zero());
            soft_projection(&mass, &free, &rows, &mut work).unwrap();
            let relative: f64 = (work.acceleration()[0] - work.acceleration()[1]).into();
            assert!((relative - expected).abs() <= 3.0 * bound);
        }
    }
    in_both(check::<f64>, check::<f32>);
}

#[test]
fn w07_14_primal_and_dual_agree_on_random_soft_equalities() {
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1u32 << 31) * 2.0 - 1.0
    };
    for _ in 0..200 {
        let b: [[f64; 4]; 4] = core::array::from_fn(|_| core::array::from_fn(|_| random()));
        let entries = core::array::from_fn(|i| {
            core::array::from_fn(|j| (0..4).map(|k| b[i][k] * b[j][k]).sum::<f64>() + f64::from(u8::from(i == j)))
        });
        let mass = mass::<f64, 4>(entries);
        let free = vector(core::array::from_fn(|_| 5.0 * random()));
        let rows: Rows<f64, 4, 3> = finished::<_, _, _, 3>(
            Kind::Equality,
            core::array::from_fn(|_| core::array::from_fn(|_| random())),
            core::array::from_fn(|_| 3.0 * random()),
            core::array::from_fn(|_| 0.01 + random().abs()),
        );
        let mut dual = ProjectionWorkspace::filled(0.0);
        soft_projection(&mass, &free, &rows, &mut dual).unwrap();
        let mut primal = NewtonWorkspace::filled(0.0);
        newton(&mass, &free, &rows, None, &Budget::new(4, 0.0), &mut primal).unwrap();
        close(primal.acceleration().as_slice(), dual.acceleration().as_slice(), 1e-12);
        close(primal.force(), dual.multiplier(), 1e-11);
    }
}

#[test]
fn redundant_equalities_that_agree_give_the_same_acceleration() {
    fn check<T: Number>(bound: f64) {
        let (mass, free, mut rows) = sliders::<T>([2.0, 1.0], 0.0);
        rows.finished(Kind::Equality, delassus::rows::Rule::Free, &vector([-2.0, 2.0]), T::zero(), T::zero()).unwrap();
        rows.finished(Kind::Equality, delassus::rows::Rule::Free, &vector([1.0, -1.0]), T::zero(), T::zero()).unwrap();
        let mut work = ProjectionWorkspace::filled(T::zero());
        gauss_projection(&mass, &free, &rows, &mut work).unwrap();
        close(work.acceleration().as_slice(), &[1.0, 1.0], bound);
        close(&[rows.generalized_force(work.multiplier())[0]], &[-2.0], bound);
        // The same rows asking for different things.
        rows.finished(Kind::Equality, delassus::rows::Rule::Free, &vector([1.0, -1.0]), literal(1.0), T::zero())
            .unwrap();
        assert_eq!(gauss_projection(&mass, &free, &rows, &mut work), Err(SolverError::Inconsistent { row: 3 }),);
    }
    in_both(check::<f64>, check::<f32>);
}

#[test]
fn projections_take_equalities_only() {
    let mass = mass::<f64, 2>([[1.0, 0.0], [0.0, 1.0]]);
    let rows: Rows<f64, 2, 1> = finished(Kind::JointLimit, [[1.0, 0.0]], [0.0], [0.1]);
    let mut work = ProjectionWorkspace::filled(0.0);
    assert_eq!(soft_projection(&mass, &vector([0.0, 0.0]), &rows, &mut work), Err(SolverError::NotEquality { row: 0 }));
}
