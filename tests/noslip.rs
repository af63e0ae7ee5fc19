//! The noslip pass against MuJoCo 3.10.0: a free sphere on a plane with sliding and spin friction, and a slide with dry
//! friction, islands off, noslip_iterations 200, noslip_tolerance 0. M, J, a_u, a_ref, R and the forces of both runs are the engine's.
//! Elliptic to 1e-5 of the largest force: the engine's tangential QCQP stops about 1e-6 short. Pyramidal to 1e-9: f64 printed
//! with 16 digits, Gauss–Seidel to its end on both sides.

mod common;

use common::{Number, close, mass, rule_of, vector};
use delassus::cone::dissipation::contains;
use delassus::mass::MassMatrix;
use delassus::rows::{Kind, Rows};
use delassus::scalar::{Real, dot, literal};
use delassus::solver::{Budget, NewtonWorkspace, NoslipWorkspace, SolverError, newton, noslip};
use nalgebra::SVector;

const FREE: [f64; 7] = [2.0, 0.7, -9.81, 0.0, 0.0, 0.0, 2.0];

fn sphere_and_slide<T: Real>() -> MassMatrix<T, 7> {
    let diagonal = [2.0, 2.0, 2.0, 0.032, 0.032, 0.032, 1.0];
    let mut entries = [[0.0; 7]; 7];
    for i in 0..7 {
        entries[i][i] = diagonal[i];
    }
    mass(entries)
}

fn slide<T: Real, const NR: usize, const NC: usize>() -> Rows<T, 7, NR, NC> {
    let mut rows = Rows::with_cones();
    let along = vector([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    let (reference, regularizer) = (literal(-5.263_157_894_736_842_5), literal(0.111_111_111_111_111_08));
    let kind = Kind::JointFriction;
    rows.finished(kind, rule_of(kind, 3.0), &along, reference, regularizer).unwrap();
    rows
}

#[test]
fn noslip_of_an_elliptic_contact_and_dry_friction_is_the_engines() {
    fn check<T: Number>(bound: f64) {
        let mass = sphere_and_slide::<T>();
        let mut rows = slide::<T, 5, 1>();
        let jacobian: [SVector<T, 7>; 4] = [
            vector([0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]),
            vector([0.0, 1.0, 0.0, 0.1995, 0.0, 0.0, 0.0]),
            vector([-1.0, 0.0, 0.0, 0.0, 0.1995, 0.0, 0.0]),
            vector([0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]),
        ];
        let reference =
            [7.756_925_207_756_236, -1.047_368_421_052_632, -2.094_736_842_105_264, -31.578_947_368_421_055];
        let friction = [0.6, 0.6, 0.02].map(literal::<T>);
        rows.finished_elliptic(
            &jacobian,
            &reference.map(literal),
            literal(0.055_401_277_422_938_08),
            &friction,
            T::one(),
        )
        .unwrap();
        let free = vector(FREE);
        let mut main = NewtonWorkspace::filled(T::zero());
        let budget = Budget { line_search: 400, ..Budget::new(60, T::zero()) };
        newton(&mass, &free, &rows, None, &budget, &mut main).unwrap();
        let soft = [
            -3.0,
            31.629_248_836_565_104,
            -0.971_213_958_142_787_5,
            -0.052_656_178_453_525_02,
            -0.389_329_302_971_978_65,
        ];
        close(main.force(), &soft, bound);
        let mut work = NoslipWorkspace::filled(T::zero());
        noslip(&mass, &free, &rows, main.force(), &Budget::new(200, T::zero()), &mut work).unwrap();
        let hard = [
            -3.0,
            31.629_248_836_565_104,
            -0.990_246_815_284_754_3,
            -0.053_688_080_346_764_2,
            -0.631_720_671_695_238_5,
        ];
        close(work.force(), &hard, bound);
        let acceleration = [
            2.026_844_040_173_382,
            0.204_876_592_357_622_8,
            6.004_624_418_282_551_4,
            -6.173_569_989_040_889,
            -0.334_711_625_911_858,
            -19.741_270_990_476_2,
            -1.0,
        ];
        close(work.acceleration().as_slice(), &acceleration, bound);
        // The normal force is the main solve's, and the friction possible.
        assert!(work.force()[1] == main.force()[1]);
        assert!(contains(work.force()[1], &work.force()[2..], &friction));
    }
    check::<f64>(1e-5);
    check::<f32>(2e-5);
}

#[test]
fn noslip_of_a_pyramid_keeps_the_sum_of_every_pair() {
    fn check<T: Number>(bound: f64) {
        let mass = sphere_and_slide::<T>();
        let mut rows = slide::<T, 7, 0>();
        let reference = [
            7.128_504_155_124_656,
            8.385_346_260_387_815,
            6.500_083_102_493_077,
            9.013_767_313_019_395,
            7.125_346_260_387_815,
            8.388_504_155_124_657,
        ];
        let edges = [
            [0.0, 0.6, 1.0, 0.1197, 0.0, 0.0, 0.0],
            [0.0, -0.6, 1.0, -0.1197, 0.0, 0.0, 0.0],
            [-0.6, 0.0, 1.0, 0.0, 0.1197, 0.0, 0.0],
            [0.6, 0.0, 1.0, 0.0, -0.1197, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0, 0.0, 0.02, 0.0],
            [0.0, 0.0, 1.0, 0.0, 0.0, -0.02, 0.0],
        ];
        let kind = Kind::ContactPyramidal;
        for (edge, reference) in edges.iter().zip(reference) {
            let regularizer = literal(0.054_248_930_852_540_96);
            rows.finished(kind, rule_of(kind, 0.0), &vector(*edge), literal(reference), regularizer).unwrap();
        }
        let free = vector(FREE);
        let soft = [
            -3.0,
            4.416_079_648_384_238,
            6.017_022_432_582_678,
            5.173_151_989_104_608,
            5.259_950_091_862_357,
            0.0,
            13.701_661_620_210_718,
        ];
        let mut main = NewtonWorkspace::filled(T::zero());
        newton(&mass, &free, &rows, None, &Budget::new(60, T::zero()), &mut main).unwrap();
        close(main.force(), &soft, bound);
        let mut work = NoslipWorkspace::filled(T::zero());
        noslip(&mass, &free, &rows, main.force(), &Budget::new(200, T::zero()), &mut work).unwrap();
        let hard = [
            -3.0,
            4.381_492_214_975_144,
            6.051_609_865_991_771,
            5.171_276_766_811_344,
            5.261_825_314_155_621,
            0.0,
            13.701_661_620_210_718,
        ];
        close(work.force(), &hard, bound);
        for pair in [1, 3, 5] {
            let sums = [work.force()[pair] + work.force()[pair + 1], main.force()[pair] + main.force()[pair + 1]];
            close(&sums[..1], &[sums[1].into()], 4.0 * T::default_epsilon().into());
        }
    }
    check::<f64>(1e-9);
    check::<f32>(2e-5);
}

/// Dry friction that can hold holds exactly: J a = a_ref, whatever R was.
#[test]
fn noslip_stops_what_dry_friction_can_hold() {
    let mass = mass::<f64, 1>([[2.0]]);
    let mut rows = Rows::<f64, 1, 1>::new();
    let kind = Kind::JointFriction;
    rows.finished(kind, rule_of(kind, 5.0), &vector([1.0]), -0.3, 0.7).unwrap();
    let mut work = NoslipWorkspace::filled(0.0);
    noslip(&mass, &vector([1.5]), &rows, &[-1.0], &Budget::new(3, 0.0), &mut work).unwrap();
    close(work.force(), &[-3.6], 1e-14); // 2 (−0.3 − 1.5)
    assert!((dot(rows.rows()[0].jacobian(), work.acceleration().as_slice()) + 0.3).abs() < 1e-15);
    let report = noslip(&mass, &vector([1.5]), &rows, &[-1.0], &Budget::new(0, 0.0), &mut work).unwrap();
    assert_eq!((report.iterations, work.force()[0]), (0, -1.0));
    assert_eq!(
        noslip(&mass, &vector([1.5]), &rows, &[f64::NAN], &Budget::new(3, 0.0), &mut work),
        Err(SolverError::ForceNotFinite { row: 0 })
    );
}
