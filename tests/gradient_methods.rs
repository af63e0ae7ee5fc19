//! Gradient methods on fixed quadratics (WORKED W15-40 … W15-48), f64 to 1e-12.

#![allow(clippy::disallowed_methods)] // plain products, on the host only

mod common;

use common::{close, matrix, vector};
use delassus::reference::quadratic::{Descent, QuadraticStep, descend};
use nalgebra::{SMatrix, SVector};

const STACK: [[f64; 2]; 2] = [[1.0, -1.0], [-1.0, 2.0]];
const SOFT: [[f64; 2]; 2] = [[1.1, -1.0], [-1.0, 2.1]];

fn walk(
    h: [[f64; 2]; 2],
    b: [f64; 2],
    start: [f64; 2],
    descent: Descent,
    precondition: impl Fn(&SVector<f64, 2>) -> SVector<f64, 2>,
    steps: u16,
) -> Vec<QuadraticStep<f64, 2>> {
    let mut path = Vec::new();
    let h: SMatrix<f64, 2, 2> = matrix(h);
    descend(&h, &vector(b), &vector(start), descent, precondition, steps, |s| path.push(*s));
    path
}

fn plain(g: &SVector<f64, 2>) -> SVector<f64, 2> {
    *g
}

#[test]
fn w15_40_conjugate_gradients_solve_the_stack_in_two_steps() {
    let path = walk(STACK, [-10.0, 0.0], [0.0, 0.0], Descent::FletcherReeves, plain, 2);
    close(path[0].direction.as_slice(), &[10.0, 0.0], 1e-12);
    close(path[0].point.as_slice(), &[10.0, 0.0], 1e-12);
    let beta = path[1].gradient.norm_squared() / path[0].gradient.norm_squared();
    close(&[beta], &[1.0], 1e-12);
    close(path[1].direction.as_slice(), &[10.0, 10.0], 1e-12);
    close(path[1].point.as_slice(), &[20.0, 10.0], 1e-12);
}

#[test]
fn w15_41_to_43_conjugate_gradients_on_condition_number_four() {
    let path = walk([[1.0, 0.0], [0.0, 4.0]], [0.0; 2], [2.0, 1.0], Descent::FletcherReeves, plain, 2);
    close(&[path[0].step], &[5.0 / 17.0], 1e-12); // w15_42
    close(path[0].point.as_slice(), &[24.0 / 17.0, -3.0 / 17.0], 1e-12);
    close(&[path[1].gradient.norm_squared() / path[0].gradient.norm_squared()], &[36.0 / 289.0], 1e-12);
    close(path[1].direction.as_slice(), &[-480.0 / 289.0, 60.0 / 289.0], 1e-12);
    close(&[path[1].step], &[17.0 / 20.0], 1e-12);
    assert!(path[0].gradient.dot(&path[1].gradient).abs() < 1e-14); // w15_41
    assert!(path[1].point.amax() < 1e-15);
    let h: SMatrix<f64, 2, 2> = matrix([[1.0, 0.0], [0.0, 4.0]]);
    assert!(path[0].direction.dot(&(h * path[1].direction)).abs() < 1e-13); // w15_43
}

#[test]
fn w15_44_to_46_condition_number_eight_by_three_methods() {
    let h = [[1.0, 0.0], [0.0, 8.0]];
    let path = walk(h, [0.0; 2], [1.0, 1.0], Descent::FletcherReeves, plain, 2);
    close(path[0].direction.as_slice(), &[-1.0, -8.0], 1e-12); // w15_44
    close(&[path[0].step], &[65.0 / 513.0], 1e-12);
    close(path[0].point.as_slice(), &[448.0 / 513.0, -7.0 / 513.0], 1e-12);
    assert!(path[1].point.amax() < 1e-15); // w15_46
    let path = walk(h, [0.0; 2], [1.0, 1.0], Descent::Steepest, plain, 2);
    close(path[1].point.as_slice(), &[0.084_903_617_067_359; 2], 1e-12); // w15_46
    let newton = walk(h, [0.0; 2], [1.0, 1.0], Descent::Steepest, |g| vector([g[0], g[1] / 8.0]), 1);
    assert!(newton[0].point.amax() < 1e-15); // w15_45: P = H
}

#[test]
fn w15_47_and_48_preconditioned_on_the_soft_stack() {
    let end = [2100.0 / 131.0, 1000.0 / 131.0];
    let jacobi = |g: &SVector<f64, 2>| vector([g[0] / 1.1, g[1] / 2.1]);
    let path = walk(SOFT, [-10.0, 0.0], [0.0; 2], Descent::FletcherReeves, jacobi, 2);
    close(path[0].point.as_slice(), &[9.090_909_090_909_09, 0.0], 1e-12);
    let size = |s: &QuadraticStep<f64, 2>| s.gradient.dot(&jacobi(&s.gradient));
    close(&[size(&path[1]) / size(&path[0])], &[0.432_900_432_900_433], 1e-12);
    close(path[1].point.as_slice(), &end, 1e-12); // w15_47
    let inverse = matrix::<f64, 2, 2>(SOFT).try_inverse().unwrap();
    let path = walk(SOFT, [-10.0, 0.0], [0.0; 2], Descent::FletcherReeves, |g| inverse * g, 1);
    close(path[0].point.as_slice(), &end, 1e-12); // w15_48
}
