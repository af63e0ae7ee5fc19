//! The room `cone` against worked numbers, named by their row (W07-60 …), in both precisions.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use delassus::cone::block::{minimize, minimize_plane, minimize_sized};
use delassus::cone::dissipation::{contains, put_inside, sliding};
use delassus::cone::elliptic::{ConeError, EllipticCone, Zone};
use delassus::cone::pyramid::{edge_pair, edge_regularizer, edge_row_count, edge_rows, elliptic_row_count, recombine};
use delassus::cone::tangent;
use delassus::reference::ray::visit;
use delassus::scalar::{Real, literal};

/// Allowed relative error: rounding of the printed values in f64, a stated number of ulps in f32.
fn close<T: Real>(computed: &[T], expected: &[f64], single: f64) {
    let tolerance = if T::default_epsilon() < literal(1e-10) { 1e-12 } else { single };
    for (i, (x, y)) in computed.iter().zip(expected).enumerate() {
        let x: f64 = d(*x);
        assert!((x - y).abs() <= tolerance * y.abs().max(1e-3), "number {i}: {x:e} instead of {y:e}");
    }
    assert_eq!(computed.len(), expected.len());
}

/// The same number in double precision.
fn d<T: Real>(x: T) -> f64 {
    nalgebra::try_convert(x).expect("a real number")
}

/// Runs a generic test body in both precisions.
macro_rules! both {
    ($($name:ident => $body:ident;)*) => { $(#[test] fn $name() { $body::<f64>(); $body::<f32>(); })* };
}

both! {
    w07_60_sliding_friction_force_and_power => sliding_friction;
    w11_31_edge_row_velocities => edge_velocities;
    w11_33_w12_86_recombination_of_the_engine_edge_forces => recombination;
    w12_80_w12_81_elliptic_regularizers => elliptic_regularizers;
    w12_82_w12_83_w12_84_common_edge_regularizer => edge_regularizers;
    w12_85_elliptic_force_at_the_engine_acceleration => elliptic_force;
    w12_86_pyramid_force_of_the_shared_state => pyramid_force;
    w15_60_engine_sweeps => engine_sweeps;
    w15_61_exact_block_in_one_step => exact_block;
    w15_62_block_with_coupling => coupled_block;
    w15_64_anisotropic_contact_of_dimension_four => anisotropic;
    x57_the_engine_sticks_at_the_apex_and_the_exact_block_leaves_it => sticking;
}

/// A list of numbers in the precision under test.
fn l<T: Real, const N: usize>(x: [f64; N]) -> [T; N] {
    x.map(|x| nalgebra::convert(x))
}

fn sliding_friction<T: Real>() {
    let s = sliding(literal::<T>(10.0), &l([0.5, 0.5]), &l([3.0, 4.0]));
    close(&[s.force[0], s.force[1], s.power], &[-3.0, -4.0, -25.0], 1e-6);
}

#[test]
fn w07_61_no_force_of_the_disc_takes_more_power() {
    let least = (0..100_000)
        .map(|i| f64::from(i) * core::f64::consts::TAU / 1e5)
        .map(|t| 5.0 * (t.cos() * 3.0 + t.sin() * 4.0))
        .fold(f64::INFINITY, f64::min);
    let s = sliding(10.0, &[0.5, 0.5], &[3.0, 4.0]);
    assert!(s.power <= least && least - s.power < 1e-7);
    // Anisotropic: against a dense sample of the ellipse.
    let (mu, u) = ([0.9, 0.2], [1.0, -3.0]);
    let least = (0..100_000)
        .map(|i| f64::from(i) * core::f64::consts::TAU / 1e5)
        .map(|t| 10.0 * (mu[0] * t.cos() * u[0] + mu[1] * t.sin() * u[1]))
        .fold(f64::INFINITY, f64::min);
    let s = sliding(10.0, &mu, &u);
    assert!(s.power <= least && least - s.power < 1e-7);
    assert!((s.force[0] * u[0] + s.force[1] * u[1] - s.power).abs() < 1e-13);
    assert_eq!(sliding(10.0, &mu, &[0.0, 0.0]).force, [0.0, 0.0]);
    assert_eq!(sliding(-1.0, &mu, &u).power, 0.0);
}

#[test]
fn s07_48_membership_and_pulling_inside() {
    assert!(contains(2.0, &[1.0], &[0.5]) && !contains(2.0, &[1.0 + 1e-9], &[0.5]));
    assert!(
        contains(0.0, &[0.0, 0.0], &[0.5, 0.5]) && !contains(0.0, &[1e-20], &[0.5]) && !contains(-1.0, &[0.0], &[0.5])
    );
    assert!(contains(1.0, &[0.0], &[0.0]) && !contains(1.0, &[1e-9], &[0.0]) && !contains(f64::NAN, &[0.0], &[1.0]));
    assert!(contains(1e30f32, &[3e24, 0.0], &[1e-5, 1.0]));
    let mut f = [10.0f32, 30.0, -40.0];
    put_inside(&mut f, &[1.0, 1.0]);
    assert!(contains(f[0], &f[1..], &[1.0, 1.0]) && (f[1] - 6.0).abs() < 1e-5 && (f[2] + 8.0).abs() < 1e-5);
    let mut f = [-1.0f64, 3.0, f64::NAN];
    put_inside(&mut f, &[1.0, 1.0]);
    assert_eq!(f, [0.0; 3]);
    let mut f = [1.0, 0.25, 0.25];
    put_inside(&mut f, &[0.5, 0.5]);
    assert_eq!(f, [1.0, 0.25, 0.25]);
}

fn edge_velocities<T: Real>() {
    let (mut plus, mut minus) = ([T::zero(); 2], [T::zero(); 2]);
    edge_pair(&l([-0.1, -0.1]), &l([0.8, 0.0]), literal(0.6), &mut plus, &mut minus);
    close(&[plus[0], minus[0], plus[1], minus[1]], &[0.38, -0.58, -0.1, -0.1], 1e-6);
}

#[test]
fn w11_32_edge_rows_in_the_engine_order() {
    let contact = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]];
    let mut edges = [[7.0; 3]; 5];
    assert_eq!(edge_rows(&contact, &[0.6, 0.6, 0.1], &mut edges), Some(4));
    assert_eq!(edges, [[0.0, 0.6, 1.0], [0.0, -0.6, 1.0], [-0.6, 0.0, 1.0], [0.6, 0.0, 1.0], [7.0; 3]]);
    assert_eq!(edge_rows(&contact[..1], &[], &mut edges), Some(1));
    assert_eq!(edges[0], [0.0, 0.0, 1.0]);
    assert_eq!(edge_rows(&contact, &[0.6], &mut edges), None);
    assert_eq!(edge_rows(&contact, &[0.6, 0.6], &mut edges[..3]), None);
    assert_eq!(edge_rows(&contact[..0], &[0.6, 0.6], &mut edges), None);
}

fn recombination<T: Real>() {
    let (edges, mut force) = (l::<T, 4>([0.0, 0.0, 212.265093664241, 0.0]), l::<T, 3>([9.0; 3]));
    recombine(&edges, &l::<T, 2>([0.6, 0.6]), &mut force);
    close(&force, &[212.265093664241, 0.0, 127.359056198544], 1e-6);
    recombine(&edges[2..3], &[], &mut force[..1]);
    close(&force[..1], &[212.265093664241], 1e-6);
}

#[test]
fn w11_36_rows_for_each_dimension() {
    let counts = [1, 3, 4, 6].map(|d| (elliptic_row_count(d).unwrap(), edge_row_count(d).unwrap()));
    assert_eq!(counts, [(1, 1), (3, 4), (4, 6), (6, 10)]);
    assert!([0, 2, 5, 7].iter().all(|d| elliptic_row_count(*d).is_none() && edge_row_count(*d).is_none()));
}

fn elliptic_regularizers<T: Real>() {
    let mu: [T; 5] = l([0.6, 0.6, 0.005, 0.0001, 0.0001]);
    for (impratio, expected, common) in [
        (
            1.0,
            [1.0 / 38.0, 1.0 / 38.0, 1.0 / 38.0, 378.947368421053, 947368.421052632, 947368.421052632, 0.6],
            0.00947368421052632,
        ),
        (
            5.0,
            [
                1.0 / 38.0,
                0.00526315789473684,
                0.00526315789473684,
                75.7894736842105,
                189473.684210526,
                189473.684210526,
                0.268328157299975,
            ],
            0.00189473684210526,
        ),
    ] {
        let cone = EllipticCone::<T>::new(literal(1.0 / 38.0), &mu, literal(impratio)).unwrap();
        close(cone.regularizer(), &expected[..6], 1e-6);
        close(&[cone.regularized_friction()], &expected[6..], 1e-6);
        for (r, mu) in cone.regularizer()[1..].iter().zip(cone.friction()) {
            close(&[*r * *mu * *mu], &[common], 1e-6);
        }
        assert_eq!(cone.dimension(), 6);
    }
}

fn edge_regularizers<T: Real>() {
    let mut edges = [[T::zero(); 2]; 2];
    edge_rows(&[l([0.0, 1.0]), l([1.0, 0.0])], &[literal(0.6)], &mut edges).unwrap();
    let scale = (edges[0][0] * edges[0][0] + edges[0][1] * edges[0][1]) / literal(2.0);
    close(&[scale], &[0.68], 1e-6);
    let first = literal::<T>(1.0 / 19.0) * scale;
    for (impratio, expected, mu, diagonal) in
        [(1.0, 0.0257684210526316, 0.6, 0.4896), (5.0, 0.00515368421052631, 0.268328157299975, 0.09792)]
    {
        let shared = edge_regularizer(first, literal(0.6), literal(impratio));
        close(&[shared.regularizer, shared.friction], &[expected, mu], 1e-6);
        close(&[shared.regularizer * literal(19.0)], &[diagonal], 1e-6);
    }
}

fn elliptic_force<T: Real>() {
    let cone = EllipticCone::<T>::new(literal(1.0 / 38.0), &l::<T, 1>([0.6]), T::one()).unwrap();
    // z = a - a_ref on (n, t1); f32 loses digits in this difference, which it takes before the cone sees z.
    let z = l::<T, 2>([94.8366911764706 - 1700.0 / 19.0, -62.7880147058823 + 1600.0 / 19.0]);
    let point = cone.point(&z);
    assert_eq!(point.zone, Zone::Middle);
    close(&cone.force(&point)[..2], &[209.293382352941, -125.576029411765], 4e-6);
}

/// W12-86: only the edge against the slide pushes; its target acceleration is 140, its free one -9.81.
fn pyramid_force<T: Real>() {
    let mut edges = [[T::zero(); 2]; 2];
    edge_rows(&[l([0.0, 1.0]), l([1.0, 0.0])], &[literal(0.6)], &mut edges).unwrap();
    let speed = edges[1][0] * literal(0.8) + edges[1][1] * literal(-0.1);
    // B = 2/(0.95 0.02); position part K d 0.03 with K = 1/(0.95 0.02)², d = 0.95.
    let target = -speed * literal(2.0 / 0.019) + literal::<T>(0.95 * 0.03 / (0.019 * 0.019));
    close(&[target], &[140.0], 1e-6);
    let shared = edge_regularizer(literal::<T>(0.68 / 19.0), literal(0.6), T::one());
    let beta = (target + literal(9.81)) / (literal::<T>(0.68) + shared.regularizer);
    close(&[beta], &[212.265093664241], 1e-6);
}

const SHARED: [f64; 2] = [-(9.81 + 1700.0 / 19.0), 1600.0 / 19.0];

fn engine_sweeps<T: Real>() {
    let h = literal::<T>(10.0 / 19.0);
    let (zero, b) = ([T::zero()], l::<T, 2>(SHARED));
    let (mut f, mut v) = (T::zero(), [T::zero()]);
    for expected in [[188.639, -113.1834], [209.293382352941, -125.576029411765], [209.293382352941, -125.576029411765]]
    {
        (f, v) = visit((h, &zero, &[[h]]), (h * f + b[0], &[h * v[0] + b[1]]), &l([0.6]), (f, &v));
        close(&[f, v[0]], &expected, 1e-6);
    }
}

fn exact_block<T: Real>() {
    let h = literal::<T>(10.0 / 19.0);
    let expected = [209.293382352941, -125.576029411765];
    close(&minimize_plane(&[[h, T::zero()], [T::zero(), h]], &l(SHARED), literal(0.6)), &expected, 1e-6);
    let b = l::<T, 2>(SHARED);
    let (f, v) = minimize(h, &[T::zero()], &[[h]], b[0], &[b[1]], &l([0.6]));
    close(&[f, v[0]], &expected, 1e-6);
    // The same contact with its second tangent, which nothing drives.
    let zero = [T::zero(); 2];
    let (f, v) = minimize(h, &zero, &[[h, T::zero()], [T::zero(), h]], b[0], &[b[1], T::zero()], &l([0.6, 0.6]));
    close(&[f, v[0]], &expected, 1e-6);
    assert_eq!(v[1], T::zero());
}

fn coupled_block<T: Real>() {
    let h = [[2.0, 0.3, 0.0], [0.3, 1.0, 0.2], [0.0, 0.2, 1.5]];
    let free = [3.0, 4.0, -2.0];
    let c: [f64; 3] = core::array::from_fn(|i| -(0..3).map(|j| h[i][j] * free[j]).sum::<f64>());
    let mut block = [[T::zero(); 6]; 6];
    let mut linear = [T::zero(); 6];
    for i in 0..3 {
        linear[i] = nalgebra::convert(c[i]);
        for j in 0..3 {
            block[i][j] = nalgebra::convert(h[i][j]);
        }
    }
    let u = minimize_sized(3, &block, &linear, &l([0.6, 0.6, 0.0, 0.0, 0.0])).map(d);
    let away: [f64; 3] = core::array::from_fn(|i| u[i] - free[i]);
    let value = 0.5 * (0..3).map(|i| away[i] * (0..3).map(|j| h[i][j] * away[j]).sum::<f64>()).sum::<f64>();
    let single = T::default_epsilon() > literal(1e-10);
    assert!((value - 2.40882251091).abs() < if single { 1e-5 } else { 6e-12 }, "{value}");
    for (x, y) in u.iter().zip([3.841549414, 2.004021967, -1.138681975]) {
        assert!((x - y).abs() < if single { 2e-6 } else { 6e-10 }, "{u:?}");
    }
    assert_eq!(u[3..], [0.0; 3]);
}

fn anisotropic<T: Real>() {
    let mu = [0.6, 0.3, 0.02];
    let roll = 0.5 + 0.195 * 0.195 / 0.032;
    let a = [0.5, roll, roll, 1.0 / 0.032];
    let b = [-(9.81 + 1700.0 / 19.0), 0.695 * 2.0 / 0.019, -0.41 * 2.0 / 0.019, 3.0 * 2.0 / 0.019];
    for (impratio, expected) in [
        (1.0, [194.540193729943, -41.5919152949269, 21.8971505606896, -3.32944624740508]),
        (5.0, [197.212199331091, -41.6355922596506, 21.9794589921199, -3.38877977879372]),
    ] {
        let cone = EllipticCone::<T>::new(literal(1.0 / 38.0), &l::<T, 3>(mu), literal(impratio)).unwrap();
        let mut h = [[T::zero(); 6]; 6];
        for (i, r) in cone.regularizer().iter().enumerate() {
            h[i][i] = literal::<T>(0.0) + nalgebra::convert::<f64, T>(a[i]) + *r;
        }
        let mut c = [T::zero(); 6];
        c[..4].copy_from_slice(&l::<T, 4>(b));
        let mut padded = [T::zero(); 5];
        padded[..3].copy_from_slice(cone.friction());
        let u = minimize_sized(4, &h, &c, &padded);
        for (x, y) in u.iter().zip(expected) {
            let x: f64 = d(*x);
            let bound = if T::default_epsilon() > literal(1e-10) { 1e-5 } else { 1e-12 };
            assert!((x - y).abs() < bound * f64::abs(y), "{x:e} instead of {y:e}");
        }
        // The primal force at the acceleration this force makes is the same force.
        let z: [T; 4] = core::array::from_fn(|i| nalgebra::convert::<f64, T>(a[i]) * u[i] + c[i]);
        let f = cone.force(&cone.point(&z));
        let back: [f64; 4] = core::array::from_fn(|i| d(u[i]));
        for (x, y) in f.iter().zip(back) {
            let x: f64 = d(*x);
            let bound = if T::default_epsilon() > literal(1e-10) { 2e-3 } else { 1e-11 };
            assert!((x - y).abs() < bound * y.abs(), "{x:e} instead of {y:e}");
        }
    }
}

fn sticking<T: Real>() {
    let one = T::one();
    let (h, zero) = ([[one, T::zero()], [T::zero(), one]], [T::zero(); 2]);
    let (c0, ct, mu) = (literal::<T>(0.5), l::<T, 2>([0.6, -0.8]), [one, one]);
    assert_eq!(visit((one, &zero, &h), (c0, &ct), &mu, (T::zero(), &zero)), (T::zero(), zero));
    // Isotropic: along (1, -c_t) with curvature 2 and slope -1/2, so s = 1/4.
    let (f, v) = minimize(one, &zero, &h, c0, &ct, &mu);
    close(&[f, v[0], v[1]], &[0.25, -0.15, 0.2], 2e-6);
    // In the dual cone the apex is exact.
    assert_eq!(minimize(one, &zero, &h, literal(1.1), &ct, &mu), (T::zero(), zero));
}

#[test]
fn tangential_problem_in_closed_form() {
    // One direction: clamp(-b/a).
    assert_eq!(tangent::minimize(&[[2.0]], &[-1.0], &[0.5], 3.0), [0.5]);
    let v: [f64; 1] = tangent::minimize(&[[2.0]], &[-100.0], &[0.5], 3.0);
    assert!(v[0] <= 1.5 && v[0] > 1.5 - 1e-14);
    // Isotropic: along -b.
    let v: [f64; 2] = tangent::minimize(&[[2.0, 0.0], [0.0, 2.0]], &[30.0, -40.0], &[0.5, 0.5], 2.0);
    assert!((v[0] + 0.6).abs() < 1e-14 && (v[1] - 0.8).abs() < 1e-14);
    // Nothing but a linear term; no linear term; radius zero; a valley.
    let v: [f64; 2] = tangent::minimize(&[[0.0; 2]; 2], &[0.0, 3.0], &[1.0, 2.0], 1.5);
    assert!((v[1] + 3.0).abs() < 1e-14);
    assert_eq!(tangent::minimize(&[[0.0; 2]; 2], &[0.0, 0.0], &[1.0, 2.0], 1.5), [0.0, 0.0]);
    assert_eq!(tangent::minimize(&[[1.0, 0.0], [0.0, 1.0]], &[1.0, 1.0], &[1.0, 2.0], 0.0), [0.0, 0.0]);
    let v: [f64; 2] = tangent::minimize(&[[1.0, 1.0], [1.0, 1.0]], &[-1.0, -1.0], &[1.0, 1.0], 5.0);
    assert!((v[0] + v[1] - 1.0).abs() < 1e-14, "{v:?}");
}

#[test]
fn typed_errors_name_the_culprit() {
    let new = |r: f64, mu: &[f64], i: f64| EllipticCone::new(r, mu, i).unwrap_err();
    assert_eq!(new(1.0, &[], 1.0), ConeError::Dimension);
    assert_eq!(new(1.0, &[1.0; 6], 1.0), ConeError::Dimension);
    assert_eq!(new(0.0, &[1.0], 1.0), ConeError::Regularizer);
    assert_eq!(new(1.0, &[1.0, 0.0], 1.0), ConeError::Friction(1));
    assert_eq!(new(1.0, &[f64::NAN], 1.0), ConeError::Friction(0));
    assert_eq!(new(1.0, &[1.0], -1.0), ConeError::Impratio);
    assert_eq!(new(1.0, &[1.0], f64::INFINITY), ConeError::Impratio);
    assert_eq!(new(1e-300, &[1e-5], 1e5), ConeError::Range);
    assert_eq!(EllipticCone::new(1e-30f32, &[1e-5], 1.0).unwrap_err(), ConeError::Range);
}
