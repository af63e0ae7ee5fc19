//! Contacts with friction through rows and solvers (WORKED W11-31 … W11-36, W12-72 … W12-86, W15-60 … W15-65), and agreement of the
//! solvers with each other and with the optimality conditions on random problems.

mod common;

use common::{Number, close, mass, vector};
use delassus::cone::dissipation::contains;
use delassus::cone::pyramid::recombine;
use delassus::mass::MassMatrix;
use delassus::rows::{DiagonalScale, RowContext, RowInput, Rows, RowsError};
use delassus::scalar::{Real, dot, literal};
use delassus::softness::{Reference, Softness};
use delassus::solver::{
    Budget, ConjugateGradientWorkspace, DelassusWorkspace, Measure, NewtonWorkspace, Stop, SweepWorkspace, Update,
    Variant, conjugate_gradient, newton, projected_gauss_seidel, projected_gauss_seidel_with_delassus,
};
use nalgebra::SVector;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn shared<T: Real>() -> Softness<T> {
    Softness::from_mujoco([0.02, 1.0].map(literal), [0.9, 0.95, 0.02, 0.5, 2.0].map(literal)).unwrap()
}

fn ball<T: Real>() -> (MassMatrix<T, 3>, SVector<T, 3>) {
    (mass([[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]]), vector([0.0, 0.0, -9.81]))
}

/// n = +z, t1 = +x, t2 = +y.
fn axes<T: Real>() -> [SVector<T, 3>; 3] {
    [vector([0.0, 0.0, 1.0]), vector([1.0, 0.0, 0.0]), vector([0.0, 1.0, 0.0])]
}

fn inputs<T: Real>(axes: &[SVector<T, 3>; 3]) -> [RowInput<'_, T, 3>; 3] {
    let l = literal::<T>;
    // The engine's scale of the translating ball: 1/m in every direction.
    [
        RowInput { scale: DiagonalScale::Given(l(0.5)), ..RowInput::new(&axes[0], l(-0.03), l(-0.1)) },
        RowInput { scale: DiagonalScale::Given(l(0.5)), ..RowInput::new(&axes[1], T::zero(), l(0.8)) },
        RowInput { scale: DiagonalScale::Given(l(0.5)), ..RowInput::new(&axes[2], T::zero(), T::zero()) },
    ]
}

fn sweeps<T: Real>(iterations: u16) -> Budget<T> {
    Budget { measure: Measure::ForceCorrection, ..Budget::new(iterations, T::zero()) }
}

#[test]
fn w12_72_and_85_the_sliding_ball_elliptic() {
    fn check<T: Number>(bound: f64) {
        let (mass, free) = ball::<T>();
        let axes = axes();
        let mut rows = Rows::<T, 3, 3, 1>::with_cones();
        let mu = [literal(0.6); 2];
        rows.elliptic(&mass, &RowContext::new(literal(0.005)), &shared(), None, &inputs(&axes), &mu).unwrap();
        let references: Vec<T> = rows.rows().iter().map(|r| r.reference()).collect();
        close(&references, &[89.473_684_210_526_3, -84.210_526_315_789_5, 0.0], bound); // w12_72
        let force = [209.293_382_352_941, -125.576_029_411_765, 0.0]; // w12_85, w15_61
        let acceleration = [-62.788_014_705_882_3, 0.0, 94.836_691_176_470_6];
        let mut work = NewtonWorkspace::filled(T::zero());
        let report = newton(&mass, &free, &rows, None, &Budget::new(20, T::zero()), &mut work).unwrap();
        assert!(report.stop != Stop::BudgetSpent, "{report:?}");
        close(work.force(), &force, bound);
        close(work.acceleration().as_slice(), &acceleration, bound);
        let mut swept = SweepWorkspace::filled(T::zero());
        projected_gauss_seidel(&mass, &free, &rows, None, &sweeps(1), &mut swept).unwrap();
        close(swept.force(), &force, bound); // one visit of the exact block step
        close(swept.acceleration().as_slice(), &acceleration, bound);
        let mut formed = DelassusWorkspace::filled(T::zero());
        projected_gauss_seidel_with_delassus(&mass, &free, &rows, None, &sweeps(1), &mut formed).unwrap();
        close(formed.force(), &force, bound);
    }
    check::<f64>(1e-12);
    check::<f32>(2e-6);
}

#[test]
fn w11_31_33_and_w12_82_84_86_the_sliding_ball_pyramidal() {
    fn check<T: Number>(bound: f64) {
        let (mass, free) = ball::<T>();
        let axes = axes();
        let mut rows = Rows::<T, 3, 4>::new();
        let mu = [literal(0.6); 2];
        rows.pyramid(&mass, &RowContext::new(literal(0.005)), &shared(), &inputs(&axes), &mu).unwrap();
        let velocity = vector::<T, 3>([0.8, 0.0, -0.1]);
        let velocities: Vec<T> = rows.rows().iter().map(|r| dot(r.jacobian(), velocity.as_slice())).collect();
        close(&velocities, &[0.38, -0.58, -0.1, -0.1], bound); // w11_31
        let regularizers: Vec<T> = rows.rows().iter().map(|r| r.regularizer()).collect();
        close(&regularizers, &[0.025_768_421_052_631_6; 4], 2.0 * bound); // w12_82a, w12_84
        close(&[rows.rows()[1].reference()], &[140.0], bound); // w12_86: the edge n − μ t1 opposes the slide along +x
        let mut work = NewtonWorkspace::filled(T::zero());
        newton(&mass, &free, &rows, None, &Budget::new(20, T::zero()), &mut work).unwrap();
        close(work.force(), &[0.0, 212.265_093_664_241, 0.0, 0.0], bound); // w12_86
        let mut contact = [T::zero(); 3];
        recombine(work.force(), &mu, &mut contact);
        close(&contact, &[212.265_093_664_241, -127.359_056_198_544, 0.0], bound); // w11_33, in these axes
    }
    check::<f64>(1e-12);
    check::<f32>(2e-6);
}

#[test]
fn w12_80_b_and_82_b_impratio_stiffens_friction_only() {
    let (mass, _) = ball::<f64>();
    let axes = axes();
    let context = RowContext { impedance_ratio: 5.0, ..RowContext::new(0.005) };
    let mut rows = Rows::<f64, 3, 3, 1>::with_cones();
    rows.elliptic(&mass, &context, &shared(), None, &inputs(&axes), &[0.6, 0.6]).unwrap();
    let regularizers: Vec<f64> = rows.rows().iter().map(|r| r.regularizer()).collect();
    let expected = [0.026_315_789_473_684_2, 0.005_263_157_894_736_84, 0.005_263_157_894_736_84];
    close(&regularizers, &expected, 1e-12); // w12_80b
    close(&[rows.cones()[0].cone().regularized_friction()], &[0.268_328_157_299_975], 1e-12);
    let mut edges = Rows::<f64, 3, 4>::new();
    edges.pyramid(&mass, &context, &shared(), &inputs(&axes), &[0.6, 0.6]).unwrap();
    let regularizers: Vec<f64> = edges.rows().iter().map(|r| r.regularizer()).collect();
    close(&regularizers, &[0.005_153_684_210_526_31; 4], 1e-12); // w12_82b
}

#[test]
fn w12_74_solreffriction_replaces_the_damping_of_friction_rows() {
    let (mass, _) = ball::<f64>();
    let axes = axes();
    for (solref, damping) in [
        ([0.0, 0.0], 105.263_157_894_737),     // w12_74a
        ([0.05, 1.0], 42.105_263_157_894_7),   // w12_74b
        ([0.001, 1.0], 210.526_315_789_474),   // w12_74c
        ([-50.0, -8.0], 8.421_052_631_578_95), // w12_74d
        ([0.05, -1.0], 105.263_157_894_737),   // w12_74e
    ] {
        let own = Reference::from_solref(solref).unwrap();
        let mut rows = Rows::<f64, 3, 3, 1>::with_cones();
        rows.elliptic(&mass, &RowContext::new(0.005), &shared(), Some(&own), &inputs(&axes), &[0.6, 0.6]).unwrap();
        close(&[rows.rows()[1].reference()], &[-damping * 0.8], 1e-12);
        close(&[rows.rows()[0].reference()], &[1700.0 / 19.0], 1e-12);
    }
}

/// W15-64: a free sphere with spin friction and unequal sliding friction, solved by every method.
#[test]
fn w15_64_a_b_one_anisotropic_contact() {
    fn check<T: Number>(bound: f64) {
        // v (3 world), ω (3 body = world): contact rows n = z, t1 = y, t2 = −x, spin about z; arm (0, 0, −0.195).
        let inertia = 0.032;
        let mut entries = [[0.0; 6]; 6];
        for i in 0..6 {
            entries[i][i] = if i < 3 { 2.0 } else { inertia };
        }
        let mass = mass::<T, 6>(entries);
        let arm = 0.195;
        let jacobian: [SVector<T, 6>; 4] = [
            vector([0.0, 0.0, 1.0, 0.0, 0.0, 0.0]),
            vector([0.0, 1.0, 0.0, arm, 0.0, 0.0]),
            vector([-1.0, 0.0, 0.0, 0.0, arm, 0.0]),
            vector([0.0, 0.0, 0.0, 0.0, 0.0, 1.0]),
        ];
        let velocity = vector::<T, 6>([0.8, 0.5, -0.1, 1.0, 2.0, 3.0]);
        let free = vector::<T, 6>([0.0, 0.0, -9.81, 0.0, 0.0, 0.0]);
        for (impratio, expected) in [
            (1.0, [194.540_193_729_943, -41.591_915_294_926_9, 21.897_150_560_689_6, -3.329_446_247_405_08]),
            (5.0, [197.212_199_331_091, -41.635_592_259_650_6, 21.979_458_992_119_9, -3.388_779_778_793_72]),
        ] {
            let context = RowContext { impedance_ratio: literal(impratio), ..RowContext::new(literal(0.005)) };
            let scale = DiagonalScale::Given(literal(0.5));
            let contact: Vec<RowInput<'_, T, 6>> = jacobian
                .iter()
                .enumerate()
                .map(|(i, j)| RowInput {
                    scale,
                    ..RowInput::new(
                        j,
                        literal(if i == 0 { -0.03 } else { 0.0 }),
                        dot(j.as_slice(), velocity.as_slice()),
                    )
                })
                .collect();
            let mut rows = Rows::<T, 6, 4, 1>::with_cones();
            rows.elliptic(&mass, &context, &shared(), None, &contact, &[0.6, 0.3, 0.02].map(literal)).unwrap();
            let mut work = NewtonWorkspace::filled(T::zero());
            newton(&mass, &free, &rows, None, &Budget::new(30, T::zero()), &mut work).unwrap();
            close(work.force(), &expected, bound);
            let mut swept = SweepWorkspace::filled(T::zero());
            projected_gauss_seidel(&mass, &free, &rows, None, &sweeps(3), &mut swept).unwrap();
            close(swept.force(), &expected, bound);
        }
    }
    check::<f64>(1e-11);
    check::<f32>(2e-5);
}

#[test]
fn w11_36_rows_of_every_dimension_and_what_is_refused() {
    let (mass, _) = ball::<f64>();
    let axes = axes::<f64>();
    let context = RowContext::new(0.005);
    let friction = [0.6, 0.6, 0.005, 1e-4, 1e-4];
    for (dimension, elliptic, pyramidal) in [(3usize, 3, 4), (4, 4, 6), (6, 6, 10)] {
        let contact: Vec<_> = (0..dimension).map(|i| RowInput::new(&axes[i % 3], -0.01, 0.1)).collect();
        let mut rows = Rows::<f64, 3, 10, 1>::with_cones();
        rows.elliptic(&mass, &context, &shared(), None, &contact, &friction[..dimension - 1]).unwrap();
        assert_eq!((rows.len(), rows.cones().len()), (elliptic, 1));
        assert_eq!(
            rows.elliptic(&mass, &context, &shared(), None, &contact[..3], &friction[..2]),
            Err(RowsError::TooManyCones { capacity: 1 })
        );
        let mut rows = Rows::<f64, 3, 10>::new();
        rows.pyramid(&mass, &context, &shared(), &contact, &friction[..dimension - 1]).unwrap();
        assert_eq!(rows.len(), pyramidal);
    }
    let contact: Vec<_> = (0..5).map(|i| RowInput::new(&axes[i % 3], -0.01, 0.1)).collect();
    let mut rows = Rows::<f64, 3, 12, 2>::with_cones();
    let bad = Err(RowsError::BadBlock { row: 0 });
    assert_eq!(rows.elliptic(&mass, &context, &shared(), None, &contact, &friction[..4]), bad);
    assert_eq!(rows.elliptic(&mass, &context, &shared(), None, &contact[..3], &friction[..3]), bad);
    assert_eq!(rows.pyramid(&mass, &context, &shared(), &contact[..1], &[]), bad);
    for mu in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            rows.elliptic(&mass, &context, &shared(), None, &contact[..3], &[0.5, mu]),
            Err(RowsError::Cone(_))
        ));
        assert!(matches!(rows.pyramid(&mass, &context, &shared(), &contact[..3], &[0.5, mu]), Err(RowsError::Cone(_))));
    }
    let nan = vector([f64::NAN, 0.0, 0.0]);
    let broken = [contact[0], contact[1], RowInput::new(&nan, 0.0, 0.0)];
    let not_finite = |row| Err(RowsError::NotFinite { row });
    assert_eq!(rows.elliptic(&mass, &context, &shared(), None, &broken, &[0.5, 0.5]), not_finite(2));
    assert_eq!(rows.pyramid(&mass, &context, &shared(), &broken, &[0.5, 0.5]), not_finite(2));
    assert!(rows.is_empty() && rows.cones().is_empty());
}

/// A random problem of elliptic contacts: rows over NV dofs, inverse masses over decades.
#[derive(Clone, Debug)]
struct Contacts {
    inverse_mass: [f64; 6],
    jacobian: Vec<[f64; 6]>,
    dimension: Vec<usize>,
    friction: Vec<[f64; 5]>,
    reference: Vec<f64>,
    impedance: f64,
    impratio: f64,
    free: [f64; 6],
}

fn contacts() -> impl Strategy<Value = Contacts> {
    let unit = || prop::array::uniform6(-1.0f64..1.0);
    let blocks = prop::collection::vec(
        (prop::sample::select(vec![2usize, 3, 4, 6]), -5.0f64..1.0, prop::array::uniform5(-0.5f64..0.5)),
        1..4,
    );
    (
        prop::array::uniform6(-1.5f64..1.5),
        prop::collection::vec(unit(), 18),
        blocks,
        prop::collection::vec(-30.0f64..30.0, 18),
        prop::sample::select(vec![0.9, 0.99, 0.999]),
        -1.0f64..2.0,
        prop::array::uniform6(-10.0f64..10.0),
    )
        .prop_map(|(mass, jacobian, blocks, reference, impedance, impratio, free)| Contacts {
            inverse_mass: mass.map(|x| 10f64.powf(x)),
            jacobian,
            dimension: blocks.iter().map(|b| b.0).collect(),
            friction: blocks.iter().map(|b| b.2.map(|x| 10f64.powf(b.1 + x).max(1e-5))).collect(),
            reference,
            impedance,
            impratio: 10f64.powf(impratio),
            free,
        })
}

fn build<T: Real>(c: &Contacts) -> (MassMatrix<T, 6>, SVector<T, 6>, Rows<T, 6, 18, 3>) {
    let mut entries = [[0.0; 6]; 6];
    for i in 0..6 {
        entries[i][i] = 1.0 / c.inverse_mass[i];
    }
    let mass = mass::<T, 6>(entries);
    let mut rows = Rows::with_cones();
    let mut at = 0;
    for (n, mu) in c.dimension.iter().zip(&c.friction) {
        let jacobian: Vec<SVector<T, 6>> = c.jacobian[at..at + n].iter().map(|j| vector(*j)).collect();
        let reference: Vec<T> = c.reference[at..at + n].iter().map(|x| literal(*x)).collect();
        let normal = &c.jacobian[at];
        let diagonal: f64 = (0..6).map(|i| normal[i] * normal[i] * c.inverse_mass[i]).sum();
        let regularizer = (1.0 - c.impedance) / c.impedance * diagonal.max(1e-6);
        let mu: Vec<T> = mu[..n - 1].iter().map(|x| literal(*x)).collect();
        rows.finished_elliptic(&jacobian, &reference, literal(regularizer), &mu, literal(c.impratio)).unwrap();
        at += n;
    }
    (mass, vector(c.free), rows)
}

/// Violation of the optimality conditions by f in f64: w = J a − a_ref + R f must lie in the dual cone and be complementary to f.
/// Relative to the size of what w is made of.
fn kkt_violation(rows: &Rows<f64, 6, 18, 3>, mass: &MassMatrix<f64, 6>, free: &SVector<f64, 6>, force: &[f64]) -> f64 {
    let mut a = rows.generalized_force(force);
    mass.solve(&mut a).unwrap();
    a += free;
    let mut worst = 0.0f64;
    for block in rows.cones() {
        let first = block.first_row();
        let mu = block.cone().friction();
        let n = mu.len() + 1;
        let (mut w, mut size) = (vec![0.0; n], 1e-9f64);
        for i in 0..n {
            let row = &rows.rows()[first + i];
            let terms: f64 = row.jacobian().iter().zip(a.iter()).map(|(j, a)| (j * a).abs()).sum();
            w[i] = dot(row.jacobian(), a.as_slice()) - row.reference() + row.regularizer() * force[first + i];
            size = size.max(terms + row.reference().abs() + (row.regularizer() * force[first + i]).abs());
        }
        let dual: f64 = (1..n).map(|i| (mu[i - 1] * w[i]).powi(2)).sum::<f64>().sqrt();
        let f = &force[first..first + n];
        let power: f64 = f.iter().zip(&w).map(|(f, w)| f * w).sum();
        let scale: f64 = f.iter().map(|f| f.abs()).sum::<f64>().max(1e-9);
        worst = worst.max((dual - w[0]) / size).max(power.abs() / (scale * size));
        assert!(contains(f[0], &f[1..], mu) || f.iter().all(|x| *x == 0.0), "force outside its cone");
    }
    worst
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    /// Newton meets the optimality conditions; sweeps of exact block steps come to the same acceleration.
    #[test]
    fn newton_and_sweeps_meet_the_optimality_conditions(c in contacts()) {
        let (mass, free, rows) = build::<f64>(&c);
        let mut work = NewtonWorkspace::filled(0.0);
        let budget = Budget { line_search: 2000, ..Budget::new(200, 0.0) };
        let report = newton(&mass, &free, &rows, None, &budget, &mut work).unwrap();
        prop_assert!(report.stop != Stop::BudgetSpent, "{report:?}");
        let violation = kkt_violation(&rows, &mass, &free, work.force());
        prop_assert!(violation < 1e-8, "violation {violation:e} {report:?}");
        // Conjugate gradients come to the same acceleration wherever they say that they have arrived.
        for update in [Update::HagerZhang, Update::PolakRibiere] {
            let mut gradients = ConjugateGradientWorkspace::filled(0.0);
            let variant = Variant { update, ..Variant::default() };
            let budget = Budget { line_search: 20_000, ..Budget::new(3000, 0.0) };
            let report = conjugate_gradient(&mass, &free, &rows, None, variant, &budget, &mut gradients).unwrap();
            // ½ |a − a*|² in the metric of M is at most the gap that the report states.
            let error = mass.half_quadratic(&(gradients.acceleration() - work.acceleration()));
            let size = mass.half_quadratic(work.acceleration()).max(mass.half_quadratic(&free));
            prop_assert!(error <= report.duality_gap * 1.01 + 1e-20 * size, "{error:e} {report:?}");
            prop_assert!(report.stop == Stop::BudgetSpent || error <= 1e-12 * size, "{error:e} of {size:e} {report:?}");
        }
        let mut swept = SweepWorkspace::filled(0.0);
        let report = projected_gauss_seidel(&mass, &free, &rows, None, &sweeps(1000), &mut swept).unwrap();
        if report.stop != Stop::BudgetSpent {
            let scale = work.acceleration().amax().max(free.amax());
            prop_assert!((swept.acceleration() - work.acceleration()).amax() < 1e-6 * scale, "{report:?}");
        }
    }

    /// Whatever the budget, forces are inside their cones and finite; in f32 too.
    #[test]
    fn every_budget_gives_possible_forces(c in contacts(), iterations in 0u16..6, line_search in 0u16..6) {
        fn check<T: Number>(c: &Contacts, iterations: u16, line_search: u16) {
            let (mass, free, rows) = build::<T>(c);
            let budget = Budget { line_search, ..Budget::new(iterations, T::zero()) };
            let mut work = NewtonWorkspace::filled(T::zero());
            let mut swept = SweepWorkspace::filled(T::zero());
            let warm = free * literal::<T>(0.5);
            for warm in [None, Some(&warm)] {
                let report = newton(&mass, &free, &rows, warm, &budget, &mut work).unwrap();
                assert!(report.iterations <= iterations && report.line_search_evaluations <= line_search);
                projected_gauss_seidel(&mass, &free, &rows, warm, &budget, &mut swept).unwrap();
                for force in [work.force(), swept.force()] {
                    for block in rows.cones() {
                        let f = &force[block.first_row()..block.first_row() + block.cone().dimension()];
                        assert!(f.iter().all(|x| x.is_finite()));
                        // Taken in f64: the promise is an ulp of T.
                        let mu: Vec<f64> = block.cone().friction().iter().map(|x| (*x).into()).collect();
                        let wide: Vec<f64> = f.iter().map(|x| (*x).into()).collect();
                        let normal = wide[0] * (1.0 + T::default_epsilon().into());
                        assert!(contains(normal, &wide[1..], &mu) || wide.iter().all(|x| *x == 0.0), "{wide:?} {mu:?}");
                    }
                }
            }
        }
        check::<f64>(&c, iterations, line_search);
        check::<f32>(&c, iterations, line_search);
    }
}
