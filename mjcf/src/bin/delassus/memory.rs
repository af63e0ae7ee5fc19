//! RAM of a model at exact sizes, without building kernels of every size.
//!
//! What a kernel needs is a polynomial of second degree in its sizes, for it is made of numbers, vectors and matrices. The
//! coefficients are taken from the types themselves, by differences of `size_of` of small instances. Padding apart (some bytes),
//! the result is `size_of` of the exact instance; the tests hold it against real ones.
//!
//! Counted for a 64-bit host: pointers and counts are half as wide on the chip, which takes a few dozen bytes off.

use std::mem::size_of;

use delassus::description::{Actuator, Body, Description, Equality, Geom, Joint, Pair, Site, Tendon, TendonJoint};
use delassus::model::Model;
use delassus::solver::{ConjugateGradientWorkspace, NewtonWorkspace, NoslipWorkspace, SweepWorkspace};
use delassus::tendon::TendonConstants;
use delassus::tick::Workspace;
use delassus_mjcf::{Lists, SolverMethod, SolverOptions};
use serde::Serialize;

/// Bodies, coordinates, dofs, contacts, rows.
#[derive(Clone, Copy)]
pub struct Sizes {
    pub bodies: usize,
    pub coordinates: usize,
    pub dofs: usize,
    pub contacts: usize,
    pub rows: usize,
    /// Rows of the widest contact.
    pub contact_rows: usize,
}

/// Bytes.
#[derive(Serialize)]
pub struct Memory {
    /// The lists of the description: constant, in flash if need be.
    pub description: u64,
    /// `Model` and the constants of tendons: what is derived from the description once.
    pub model: u64,
    /// `State`.
    pub state: u64,
    /// `Workspace` with its solver.
    pub workspace: u64,
    /// What of the workspace the last contact costs, the rows of the widest included.
    pub each_contact: u64,
}

/// Sizes of the instances; multiples of 8 leave no padding behind small elements.
const U: usize = 16;

/// f = c + Σ cᵢ xᵢ + Σ cᵢⱼ xᵢ xⱼ from f at 0, at U and 2 U along each axis, and at U along each two axes.
struct Quadratic<const N: usize> {
    constant: f64,
    linear: [f64; N],
    square: [[f64; N]; N],
}

impl<const N: usize> Quadratic<N> {
    /// `single`: f at U and 2 U along each axis. `double[i][j]`: f at U along i and j.
    fn fit(zero: usize, single: [[usize; 2]; N], double: [[usize; N]; N]) -> Self {
        let (u, zero) = (U as f64, zero as f64);
        let mut f = Self { constant: zero, linear: [0.0; N], square: [[0.0; N]; N] };
        for i in 0..N {
            let [one, two] = single[i].map(|bytes| bytes as f64 - zero);
            f.square[i][i] = (two - 2.0 * one) / (2.0 * u * u);
            f.linear[i] = one / u - f.square[i][i] * u;
        }
        for i in 0..N {
            for j in i + 1..N {
                let both = double[i][j] as f64 - single[i][0] as f64 - single[j][0] as f64 + zero;
                f.square[i][j] = both / (u * u);
            }
        }
        f
    }

    fn at(&self, x: [usize; N]) -> f64 {
        let x = x.map(|x| x as f64);
        let mut sum = self.constant;
        for i in 0..N {
            sum += self.linear[i] * x[i];
            for j in i..N {
                sum += self.square[i][j] * x[i] * x[j];
            }
        }
        sum
    }
}

/// A type of two sizes.
macro_rules! quadratic2 {
    ($type:ident<$number:ty>) => {{
        Quadratic::<2>::fit(
            size_of::<$type<$number, 0, 0>>(),
            [
                [size_of::<$type<$number, U, 0>>(), size_of::<$type<$number, { 2 * U }, 0>>()],
                [size_of::<$type<$number, 0, U>>(), size_of::<$type<$number, 0, { 2 * U }>>()],
            ],
            [[0, size_of::<$type<$number, U, U>>()], [0, 0]],
        )
    }};
}

/// A type of three sizes.
macro_rules! quadratic3 {
    ($type:ident<$number:ty>) => {{
        Quadratic::<3>::fit(
            size_of::<$type<$number, 0, 0, 0>>(),
            [
                [size_of::<$type<$number, U, 0, 0>>(), size_of::<$type<$number, { 2 * U }, 0, 0>>()],
                [size_of::<$type<$number, 0, U, 0>>(), size_of::<$type<$number, 0, { 2 * U }, 0>>()],
                [size_of::<$type<$number, 0, 0, U>>(), size_of::<$type<$number, 0, 0, { 2 * U }>>()],
            ],
            [
                [0, size_of::<$type<$number, U, U, 0>>(), size_of::<$type<$number, U, 0, U>>()],
                [0, 0, size_of::<$type<$number, 0, U, U>>()],
                [0, 0, 0],
            ],
        )
    }};
}

/// A workspace without its solver, of four sizes.
macro_rules! quadratic4 {
    ($type:ident<$number:ty>) => {{
        Quadratic::<4>::fit(
            size_of::<$type<$number, 0, 0, 0, 0, ()>>(),
            [
                [size_of::<$type<$number, U, 0, 0, 0, ()>>(), size_of::<$type<$number, { 2 * U }, 0, 0, 0, ()>>()],
                [size_of::<$type<$number, 0, U, 0, 0, ()>>(), size_of::<$type<$number, 0, { 2 * U }, 0, 0, ()>>()],
                [size_of::<$type<$number, 0, 0, U, 0, ()>>(), size_of::<$type<$number, 0, 0, { 2 * U }, 0, ()>>()],
                [size_of::<$type<$number, 0, 0, 0, U, ()>>(), size_of::<$type<$number, 0, 0, 0, { 2 * U }, ()>>()],
            ],
            [
                [
                    0,
                    size_of::<$type<$number, U, U, 0, 0, ()>>(),
                    size_of::<$type<$number, U, 0, U, 0, ()>>(),
                    size_of::<$type<$number, U, 0, 0, U, ()>>(),
                ],
                [0, 0, size_of::<$type<$number, 0, U, U, 0, ()>>(), size_of::<$type<$number, 0, U, 0, U, ()>>()],
                [0, 0, 0, size_of::<$type<$number, 0, 0, U, U, ()>>()],
                [0, 0, 0, 0],
            ],
        )
    }};
}

/// `Model` with the lifetime out of the way.
type StaticModel<T, const NB: usize, const NQ: usize, const NV: usize> = Model<'static, T, NB, NQ, NV>;

macro_rules! of_precision {
    ($name:ident, $number:ty) => {
        /// Everything in this precision.
        pub fn $name(lists: &Lists<f64>, options: &SolverOptions, sizes: &Sizes) -> Memory {
            let Sizes { bodies, coordinates, dofs, contacts, rows, contact_rows } = *sizes;
            let workspace = |contacts: usize, rows: usize| {
                let solver = match options.method {
                    SolverMethod::Newton => quadratic2!(NewtonWorkspace<$number>),
                    SolverMethod::ConjugateGradient => quadratic2!(ConjugateGradientWorkspace<$number>),
                    SolverMethod::GaussSeidel => quadratic2!(SweepWorkspace<$number>),
                };
                let pass = quadratic2!(NoslipWorkspace<$number>).at([dofs, rows]);
                quadratic4!(Workspace<$number>).at([bodies, dofs, contacts, rows])
                    + solver.at([dofs, rows])
                    + if options.noslip_iterations > 0 { pass } else { 0.0 }
            };
            let whole = workspace(contacts, rows);
            let without = workspace(contacts.saturating_sub(1), rows.saturating_sub(contact_rows));
            Memory {
                description: (size_of::<Description<'static, $number>>()
                    + lists.bodies.len() * size_of::<Body<$number>>()
                    + lists.joints.len() * size_of::<Joint<$number>>()
                    + lists.sites.len() * size_of::<Site<$number>>()
                    + lists.geoms.len() * size_of::<Geom<$number>>()
                    + lists.pairs.len() * size_of::<Pair<$number>>()
                    + lists.excludes.len() * size_of::<[Option<u16>; 2]>()
                    + lists.equalities.len() * size_of::<Equality<$number>>()
                    + lists.tendons.len() * size_of::<Tendon<$number>>()
                    + lists.tendon_joints.len() * size_of::<TendonJoint<$number>>()
                    + lists.tendon_sites.len() * size_of::<u16>()
                    + lists.actuators.len() * size_of::<Actuator<$number>>()) as u64,
                model: bytes(quadratic3!(StaticModel<$number>).at([bodies, coordinates, dofs]))
                    + (lists.tendons.len() * size_of::<TendonConstants<$number>>()) as u64,
                state: ((coordinates + 2 * dofs + 1) * size_of::<$number>()) as u64,
                workspace: bytes(whole),
                each_contact: if contacts == 0 { 0 } else { bytes(whole - without) },
            }
        }
    };
}

of_precision!(single, f32);
of_precision!(double, f64);

fn bytes(x: f64) -> u64 {
    x.max(0.0).round() as u64
}

#[cfg(test)]
mod tests {
    use delassus::model::State;

    use super::*;

    /// Padding between and behind the parts.
    const PADDING: u64 = 64;

    fn mechanism(options: &str) -> delassus_mjcf::Mechanism {
        delassus_mjcf::read_text(&format!("<mujoco><option {options}/></mujoco>")).unwrap()
    }

    fn near(what: &str, found: u64, real: usize) {
        assert!(found.abs_diff(real as u64) <= PADDING, "{what}: {found}, really {real}");
    }

    macro_rules! check {
        ($solver:ident, $options:expr, $nb:literal $nq:literal $nv:literal $nc:literal $nr:literal) => {{
            let mechanism = mechanism($options);
            let sizes = Sizes { bodies: $nb, coordinates: $nq, dofs: $nv, contacts: $nc, rows: $nr, contact_rows: 4 };
            let (f32s, f64s) = (
                single(&mechanism.lists, &mechanism.solver, &sizes),
                double(&mechanism.lists, &mechanism.solver, &sizes),
            );
            near("model f32", f32s.model, size_of::<Model<'static, f32, $nb, $nq, $nv>>());
            near("model f64", f64s.model, size_of::<Model<'static, f64, $nb, $nq, $nv>>());
            near("state f32", f32s.state, size_of::<State<f32, $nq, $nv>>());
            near("state f64", f64s.state, size_of::<State<f64, $nq, $nv>>());
            near("f32", f32s.workspace, size_of::<Workspace<f32, $nb, $nv, $nc, $nr, $solver<f32, $nv, $nr>>>());
            near("f64", f64s.workspace, size_of::<Workspace<f64, $nb, $nv, $nc, $nr, $solver<f64, $nv, $nr>>>());
        }};
    }

    #[test]
    fn the_formula_is_size_of() {
        check!(NewtonWorkspace, "solver='Newton'", 1 1 1 0 1);
        check!(NewtonWorkspace, "solver='Newton'", 1 7 6 4 16);
        check!(NewtonWorkspace, "solver='Newton'", 9 15 14 5 38);
        check!(NewtonWorkspace, "solver='Newton'", 13 19 18 4 40);
        check!(ConjugateGradientWorkspace, "solver='CG'", 7 13 11 3 29);
        check!(SweepWorkspace, "solver='PGS'", 5 9 9 7 45);
        check!(NewtonWorkspace, "solver='Newton'", 60 45 43 90 301);
    }

    #[test]
    fn the_pass_against_slip_counts() {
        let sizes = Sizes { bodies: 3, coordinates: 7, dofs: 6, contacts: 4, rows: 16, contact_rows: 4 };
        let workspace = |options: &str| {
            let mechanism = mechanism(options);
            single(&mechanism.lists, &mechanism.solver, &sizes).workspace
        };
        let more = workspace("noslip_iterations='3'") - workspace("");
        near("noslip", more, size_of::<NoslipWorkspace<f32, 6, 16>>());
    }
}
