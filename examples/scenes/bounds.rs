//! How many instructions a solve may take at most.
//!
//! The bounds are sums over the loops of each solver: what is done once, in each iteration or sweep, and in each evaluation of the
//! line search, by the numbers of dofs, rows and elliptic contacts. A term is such a loop: n³ the factor of the Hessian, r n² its sum
//! over the rows, n² products with M, r n those with J.

use super::sizes::Solver;
use super::worst_coefficients::{CONJUGATE_GRADIENT, NEWTON, SWEEPS, SWEEPS_WITH_DELASSUS};

/// How many terms a formula has.
pub const TERMS: usize = 16;

/// What a solve's length depends on.
#[derive(Clone, Copy)]
pub struct Counts {
    /// n: degrees of freedom.
    pub dofs: u32,
    /// r: rows, those of contacts among them.
    pub rows: u32,
    /// c: elliptic contacts.
    pub contacts: u32,
    /// q: the squares of their friction directions, added up: 4 for a contact of three rows, 9 of four, 25 of six.
    pub squares: u32,
    /// k: iterations or sweeps.
    pub iterations: u32,
    /// e: evaluations of the line search.
    pub evaluations: u32,
}

/// The terms of a solver's formula, in the order of its coefficients. `benches/target/fit.py` has their names.
pub fn terms(solver: Solver, counts: Counts) -> [u32; TERMS] {
    let Counts { dofs: n, rows: r, contacts: c, squares: q, iterations: k, evaluations: e } = counts;
    let (n2, n3) = (n * n, n * n * n);
    match solver {
        Solver::Newton => {
            let b = k + 1; // an iteration that finds no way down is not counted
            [1, n, n2, r, r * n, c, b, b * n, b * n3, b * r, b * r * n2, b * c, b * c * n2, e, e * r, e * c]
        }
        Solver::ConjugateGradient => {
            [1, n, n2, r, r * n, c, k, k * n, k * n2, k * r, k * r * n, k * c, e, e * r, e * c, 0]
        }
        Solver::Sweeps => [1, n, n2, r, r * n, r * n2, c, c * n, q, k, k * n, k * r, k * r * n, k * c, k * q, 0],
        Solver::SweepsWithDelassus => {
            [1, n, n2, r, r * n, r * n2, r * r * n, c, q, k, k * n, k * r, k * r * r, k * c, k * q, 0]
        }
    }
}

/// Instructions that a solve takes at most.
pub fn bound(solver: Solver, counts: Counts) -> u32 {
    let coefficients = match solver {
        Solver::Newton => NEWTON,
        Solver::ConjugateGradient => CONJUGATE_GRADIENT,
        Solver::Sweeps => SWEEPS,
        Solver::SweepsWithDelassus => SWEEPS_WITH_DELASSUS,
    };
    let tenths = terms(solver, counts).iter().zip(coefficients).map(|(term, tenths)| term * tenths).sum::<u32>();
    tenths / 10
}
