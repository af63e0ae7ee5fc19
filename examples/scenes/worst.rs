//! Random and adversarial problems without contacts, and how many instructions a solve of them may take at most.
//!
//! The bounds are sums over the loops of each solver: what is done once, in each iteration or sweep, in each evaluation of the line
//! search, by the numbers of dofs and rows. Their coefficients are those of the emulated Cortex-M4F at opt-level 3.

use delassus::mass::MassMatrix;
use delassus::rows::{Kind, Rows, Rule};
use delassus::solver::{
    Budget, ConjugateGradientWorkspace, DelassusWorkspace, NewtonWorkspace, Report, SolverError, SweepWorkspace,
    Variant, conjugate_gradient, newton, projected_gauss_seidel, projected_gauss_seidel_with_delassus,
};
use nalgebra::{SMatrix, SVector};

use super::sizes::Solver;

/// A problem and the memory of every solver.
pub struct Problem<const NV: usize, const NR: usize> {
    entries: SMatrix<f32, NV, NV>,
    mass: MassMatrix<f32, NV>,
    free: SVector<f32, NV>,
    warm_start: Option<SVector<f32, NV>>,
    rows: Rows<f32, NV, NR>,
    budget: Option<Budget<f32>>,
    newton: NewtonWorkspace<f32, NV, NR>,
    gradients: ConjugateGradientWorkspace<f32, NV, NR>,
    sweeps: SweepWorkspace<f32, NV, NR>,
    delassus: DelassusWorkspace<f32, NV, NR>,
}

/// Numbers from a linear congruence (Numerical Recipes' constants).
pub struct Numbers(pub u32);

impl Numbers {
    fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        self.0 >> 16
    }

    /// Below `count`, which is small.
    fn below(&mut self, count: u32) -> u32 {
        (self.bits() * count) >> 16
    }

    /// In [−1, 1).
    fn next(&mut self) -> f32 {
        (self.bits() as i32 - 0x8000) as f32 * (1.0 / 32768.0)
    }

    fn one_of<const N: usize>(&mut self, list: [f32; N]) -> f32 {
        list.get(self.below(N as u32) as usize).copied().unwrap_or(1.0)
    }
}

impl<const NV: usize, const NR: usize> Problem<NV, NR> {
    pub const fn new() -> Self {
        let zero = SMatrix::from_array_storage(nalgebra::ArrayStorage([[0.0; NV]; NV]));
        let free = SMatrix::from_array_storage(nalgebra::ArrayStorage([[0.0; NV]; 1]));
        Self {
            entries: zero,
            mass: MassMatrix::filled(0.0),
            free,
            warm_start: None,
            rows: Rows::new(),
            budget: None,
            newton: NewtonWorkspace::filled(0.0),
            gradients: ConjugateGradientWorkspace::filled(0.0),
            sweeps: SweepWorkspace::filled(0.0),
            delassus: DelassusWorkspace::filled(0.0),
        }
    }

    /// The next problem: inertias over three decades, rows of every rule, some of them the same ones again, regularizers over five
    /// decades, every kind of start and budget.
    pub fn prepare(&mut self, numbers: &mut Numbers) -> bool {
        let size = numbers.one_of([0.1, 1.0, 3.0]);
        let factor: [[f32; NV]; NV] = core::array::from_fn(|_| core::array::from_fn(|_| numbers.next() * size));
        for i in 0..NV {
            let own = numbers.one_of([0.03, 0.3, 1.0, 10.0]);
            for j in 0..NV {
                let Some(entry) = self.entries.get_mut((i, j)) else { continue };
                *entry = delassus::scalar::dot(&factor[i], &factor[j]) + if i == j { own } else { 0.0 };
            }
        }
        self.free.iter_mut().for_each(|x| *x = 10.0 * numbers.next());
        self.rows.clear();
        let count = match numbers.below(4) {
            0 => numbers.below(NR as u32 + 1) as usize,
            _ => NR,
        };
        let equalities = numbers.below(NR as u32 / 3 + 1) as usize;
        let frictions = equalities + numbers.below(NR as u32 / 2 + 1) as usize;
        let stiff = numbers.one_of([1e-5, 1e-3, 1e-1, 1.0]);
        let redundant = numbers.below(3) == 0;
        let mut jacobian = SVector::<f32, NV>::from_element(0.0);
        let mut good = true;
        for row in 0..count {
            if row == 0 || !redundant || numbers.below(2) == 0 {
                jacobian.iter_mut().for_each(|x| *x = numbers.next());
            }
            let (kind, rule) = if row < equalities {
                (Kind::Equality, Rule::Free)
            } else if row < frictions {
                (Kind::JointFriction, Rule::Interval { loss: numbers.one_of([0.0, 0.1, 1.0, 30.0]) })
            } else {
                (Kind::JointLimit, Rule::NonNegative)
            };
            let regularizer = stiff * (1.1 + numbers.next());
            good &= self.rows.finished(kind, rule, &jacobian, 15.0 * numbers.next(), regularizer).is_ok();
        }
        self.warm_start = (numbers.below(2) == 0).then(|| SVector::from_fn(|_, _| 20.0 * numbers.next()));
        let mut budget = Budget::new(numbers.below(25) as u16, numbers.one_of([0.0, 1e-8, 1e-6, 1e-4]));
        if numbers.below(4) == 0 {
            budget.line_search = numbers.below(6) as u16;
        }
        self.budget = Some(budget);
        good && self.mass.set(&self.entries).is_ok()
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Solves it.
    ///
    /// # Errors
    /// None occurs but overflow.
    pub fn solve(&mut self, solver: Solver) -> Result<Report<f32>, SolverError> {
        let Self { mass, free, rows, newton: first, gradients, sweeps, delassus, .. } = self;
        let (warm, budget) = (self.warm_start.as_ref(), self.budget.unwrap_or(Budget::new(0, 0.0)));
        match solver {
            Solver::Newton => newton(mass, free, rows, warm, &budget, first),
            Solver::ConjugateGradient => {
                conjugate_gradient(mass, free, rows, warm, Variant::default(), &budget, gradients)
            }
            Solver::Sweeps => projected_gauss_seidel(mass, free, rows, warm, &budget, sweeps),
            Solver::SweepsWithDelassus => {
                projected_gauss_seidel_with_delassus(mass, free, rows, warm, &budget, delassus)
            }
        }
    }
}

/// Instructions that a solve takes at most: n dofs, r rows, k iterations or sweeps, e evaluations of the line search; no contacts.
///
/// Each term is a loop: n³ the factor of the Hessian, r n² its sum over the rows, n² products with M, r n those with J.
pub fn bound(solver: Solver, n: u32, r: u32, k: u32, e: u32) -> u32 {
    let (n2, n3) = (n * n, n * n * n);
    match solver {
        Solver::Newton => {
            let begun = k + 1; // an iteration that finds no way down is not counted
            250 + 70 * n
                + 5 * n2
                + r * (195 + 9 * n)
                + begun * (720 + 26 * n + 4 * n3 + r * (78 + 31 * n2 / 10))
                + e * (200 + 68 * r)
        }
        Solver::ConjugateGradient => {
            320 + 50 * n
                + 7 * n2
                + r * (170 + 10 * n)
                + k * (450 + 145 * n + 5 * n2 + r * (135 + 10 * n))
                + e * (225 + 56 * r)
        }
        Solver::Sweeps => 100 + 90 * n + r * (85 + 52 * n + 3 * n2) + k * (10 + 8 * n + r * (68 + 9 * n)),
        Solver::SweepsWithDelassus => {
            150 + 50 * n
                + 4 * n2
                + r * (170 + 56 * n + 34 * n2 / 10 + 9 * r * n / 10)
                + k * (20 + 53 * n + r * (36 + 10 * r))
        }
    }
}
