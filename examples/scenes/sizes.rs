//! Problems of every size at which the solvers are timed, on the PC and on the chip: 2, 6, 18 dofs with 2, 12, 24 one-sided rows.
//!
//! Numbers from a generator in integers, so that host and chip solve the same problem. M = I + B Bᵀ and J with entries of size 1,
//! R a ninth of the diagonal of A (impedance 0.9), a_ref between 5 m/s² below and 15 m/s² above J a_u: three rows of four push back at first.

use delassus::mass::MassMatrix;
use delassus::rows::{Kind, Rows, Rule};
use delassus::scalar::{Real, dot, literal};
use delassus::solver::{
    Budget, ConjugateGradientWorkspace, DelassusWorkspace, Measure, NewtonWorkspace, Report, SolverError,
    SweepWorkspace, Variant, conjugate_gradient, newton, projected_gauss_seidel, projected_gauss_seidel_with_delassus,
};
use nalgebra::{SMatrix, SVector};

/// A problem and the memory of every solver.
pub struct Sized<T, const NV: usize, const NR: usize> {
    pub entries: SMatrix<T, NV, NV>,
    pub mass: MassMatrix<T, NV>,
    pub free: SVector<T, NV>,
    pub rows: Rows<T, NV, NR>,
    pub newton: NewtonWorkspace<T, NV, NR>,
    pub gradients: ConjugateGradientWorkspace<T, NV, NR>,
    pub sweeps: SweepWorkspace<T, NV, NR>,
    pub delassus: DelassusWorkspace<T, NV, NR>,
}

/// The solvers that are timed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solver {
    Newton,
    ConjugateGradient,
    Sweeps,
    SweepsWithDelassus,
}

impl Solver {
    pub const ALL: [Self; 4] = [Self::Newton, Self::ConjugateGradient, Self::Sweeps, Self::SweepsWithDelassus];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Newton => "newton",
            Self::ConjugateGradient => "conjugate_gradient",
            Self::Sweeps => "sweeps",
            Self::SweepsWithDelassus => "sweeps_with_delassus",
        }
    }
}

/// Uniform multiples of 2⁻¹⁵ in [−1, 1), from a linear congruence (Numerical Recipes' constants).
struct Numbers(u32);

impl Numbers {
    fn next<T: Real>(&mut self) -> T {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let high = (self.0 >> 16) as i32 - 0x8000;
        // From f32: a conversion from f64 at run time would be software on the chip.
        nalgebra::convert(high as f32 * (1.0 / 32768.0))
    }
}

impl<T: Real, const NV: usize, const NR: usize> Sized<T, NV, NR> {
    /// The problem of this size, its mass matrix factored.
    ///
    /// # Errors
    /// None occurs with these numbers.
    pub fn prepare(&mut self) -> Result<(), SolverError> {
        let mut numbers = Numbers((NV * 100 + NR) as u32);
        let factor: [[T; NV]; NV] = core::array::from_fn(|_| core::array::from_fn(|_| numbers.next()));
        for i in 0..NV {
            for j in 0..NV {
                let own = if i == j { T::one() } else { T::zero() };
                let Some(entry) = self.entries.get_mut((i, j)) else { continue };
                *entry = dot(&factor[i], &factor[j]) + own;
            }
        }
        self.mass.set(&self.entries)?;
        let ten = literal::<T>(10.0);
        for x in self.free.iter_mut() {
            *x = ten * numbers.next();
        }
        self.rows.clear();
        for _ in 0..NR {
            let mut jacobian = SVector::<T, NV>::repeat(T::zero());
            for x in jacobian.iter_mut() {
                *x = numbers.next();
            }
            let mut response = jacobian;
            self.mass.solve(&mut response)?;
            let regularizer = dot(jacobian.as_slice(), response.as_slice()) * literal(1.0 / 9.0);
            let at_free = dot(jacobian.as_slice(), self.free.as_slice());
            let reference = at_free + ten * numbers.next() + literal(5.0);
            let kind = Kind::ContactFrictionless;
            // The numbers are finite and fit.
            let _ = self.rows.finished(kind, Rule::NonNegative, &jacobian, reference, regularizer);
        }
        Ok(())
    }

    /// Solves from a_u, M and rows standing: Newton and conjugate gradients to the engine's 1e-6, the sweeps until no force changes
    /// by 1e-5 N, at most 100.
    ///
    /// # Errors
    /// None occurs with these numbers.
    pub fn solve(&mut self, solver: Solver) -> Result<Report<T>, SolverError> {
        let Self { mass, free, rows, newton: primal, gradients, sweeps, delassus, .. } = self;
        let primal_budget = Budget { line_search: 400, ..Budget::new(100, literal(1e-6)) };
        let dual_budget = Budget { measure: Measure::ForceCorrection, ..Budget::new(100, literal(1e-5)) };
        match solver {
            Solver::Newton => newton(mass, free, rows, None, &primal_budget, primal),
            Solver::ConjugateGradient => {
                conjugate_gradient(mass, free, rows, None, Variant::default(), &primal_budget, gradients)
            }
            Solver::Sweeps => projected_gauss_seidel(mass, free, rows, None, &dual_budget, sweeps),
            Solver::SweepsWithDelassus => {
                projected_gauss_seidel_with_delassus(mass, free, rows, None, &dual_budget, delassus)
            }
        }
    }

    /// So many iterations of Newton's method from a_u, however small the gradient.
    ///
    /// # Errors
    /// None occurs with these numbers.
    pub fn newton_iterations(&mut self, iterations: u16) -> Result<Report<T>, SolverError> {
        let budget = Budget { line_search: 400, ..Budget::new(iterations, T::zero()) };
        newton(&self.mass, &self.free, &self.rows, None, &budget, &mut self.newton)
    }

    /// The forces of the last solve.
    pub fn force(&self, solver: Solver) -> &[T] {
        match solver {
            Solver::Newton => self.newton.force(),
            Solver::ConjugateGradient => self.gradients.force(),
            Solver::Sweeps => self.sweeps.force(),
            Solver::SweepsWithDelassus => self.delassus.force(),
        }
    }
}

impl<T: Real, const NV: usize, const NR: usize> Sized<T, NV, NR> {
    /// Room for one, filled by [`Self::prepare`].
    pub const fn filled(zero: T) -> Self {
        Self {
            entries: SMatrix::from_array_storage(nalgebra::ArrayStorage([[zero; NV]; NV])),
            mass: MassMatrix::filled(zero),
            free: SVector::from_array_storage(nalgebra::ArrayStorage([[zero; NV]])),
            rows: Rows::new(),
            newton: NewtonWorkspace::filled(zero),
            gradients: ConjugateGradientWorkspace::filled(zero),
            sweeps: SweepWorkspace::filled(zero),
            delassus: DelassusWorkspace::filled(zero),
        }
    }
}

/// Every number that the solvers find at this size.
pub fn one<const NV: usize, const NR: usize>(memory: &mut Sized<f32, NV, NR>, record: &mut impl FnMut(f32)) {
    if memory.prepare().is_err() {
        record(f32::NAN);
    }
    for solver in Solver::ALL {
        match memory.solve(solver) {
            Ok(report) => {
                for f in memory.force(solver) {
                    record(*f);
                }
                record(f32::from(report.iterations));
            }
            Err(_) => record(f32::NAN),
        }
    }
}

/// All sizes, in the order of the firmware.
pub fn run(record: &mut impl FnMut(f32)) {
    one(&mut Sized::<f32, 2, 2>::filled(0.0), record);
    one(&mut Sized::<f32, 2, 12>::filled(0.0), record);
    one(&mut Sized::<f32, 2, 24>::filled(0.0), record);
    one(&mut Sized::<f32, 6, 2>::filled(0.0), record);
    one(&mut Sized::<f32, 6, 12>::filled(0.0), record);
    one(&mut Sized::<f32, 6, 24>::filled(0.0), record);
    one(&mut Sized::<f32, 18, 2>::filled(0.0), record);
    one(&mut Sized::<f32, 18, 12>::filled(0.0), record);
    one(&mut Sized::<f32, 18, 24>::filled(0.0), record);
}
