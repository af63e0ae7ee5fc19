//! Random and adversarial problems, without and with elliptic contacts, for every solver.

use delassus::mass::MassMatrix;
use delassus::rows::{Kind, Rows, RowsError, Rule};
use delassus::solver::{
    Budget, ConjugateGradientWorkspace, DelassusWorkspace, NewtonWorkspace, Report, SolverError, SweepWorkspace,
    Variant, conjugate_gradient, newton, projected_gauss_seidel, projected_gauss_seidel_with_delassus,
};
use nalgebra::{SMatrix, SVector};

use super::sizes::Solver;

/// A problem and the memory of every solver.
pub struct Problem<const NV: usize, const NR: usize, const NC: usize> {
    entries: SMatrix<f32, NV, NV>,
    mass: MassMatrix<f32, NV>,
    free: SVector<f32, NV>,
    warm_start: Option<SVector<f32, NV>>,
    rows: Rows<f32, NV, NR, NC>,
    contacts: u32,
    squares: u32,
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

impl<const NV: usize, const NR: usize, const NC: usize> Problem<NV, NR, NC> {
    pub const fn new() -> Self {
        let zero = SMatrix::from_array_storage(nalgebra::ArrayStorage([[0.0; NV]; NV]));
        let free = SMatrix::from_array_storage(nalgebra::ArrayStorage([[0.0; NV]; 1]));
        Self {
            entries: zero,
            mass: MassMatrix::filled(0.0),
            free,
            warm_start: None,
            rows: Rows::with_cones(),
            contacts: 0,
            squares: 0,
            budget: None,
            newton: NewtonWorkspace::filled(0.0),
            gradients: ConjugateGradientWorkspace::filled(0.0),
            sweeps: SweepWorkspace::filled(0.0),
            delassus: DelassusWorkspace::filled(0.0),
        }
    }

    /// The next problem: inertias over three decades, rows of every rule, some of them the same ones again, regularizers over five
    /// decades, every kind of start and budget; `touching` adds elliptic contacts of three, four and six rows.
    pub fn prepare(&mut self, numbers: &mut Numbers, touching: bool) -> bool {
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
        (self.contacts, self.squares) = (0, 0);
        // Contacts come last; at least one finds room.
        let most = if touching { numbers.below(NR as u32 - 2) as usize } else { NR };
        let count = match numbers.below(4) {
            0 => numbers.below(most as u32 + 1) as usize,
            1 if touching => 0,
            _ => most,
        };
        let stiff = numbers.one_of([1e-5, 1e-3, 1e-1, 1.0]);
        let redundant = numbers.below(3) == 0;
        let mut good = self.single_rows(numbers, count, stiff, redundant).is_ok();
        if touching {
            good &= self.contacts(numbers, stiff, redundant).is_ok() && self.contacts > 0;
        }
        self.warm_start = (numbers.below(2) == 0).then(|| SVector::from_fn(|_, _| 20.0 * numbers.next()));
        let mut budget = Budget::new(numbers.below(25) as u16, numbers.one_of([0.0, 1e-8, 1e-6, 1e-4]));
        if numbers.below(4) == 0 {
            budget.line_search = numbers.below(6) as u16;
        }
        self.budget = Some(budget);
        good && self.mass.set(&self.entries).is_ok()
    }

    fn single_rows(
        &mut self,
        numbers: &mut Numbers,
        count: usize,
        stiff: f32,
        redundant: bool,
    ) -> Result<(), RowsError> {
        let equalities = numbers.below(NR as u32 / 3 + 1) as usize;
        let frictions = equalities + numbers.below(NR as u32 / 2 + 1) as usize;
        let mut jacobian = SVector::<f32, NV>::from_element(0.0);
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
            self.rows.finished(kind, rule, &jacobian, 15.0 * numbers.next(), stiff * (1.1 + numbers.next()))?;
        }
        Ok(())
    }

    fn contacts(&mut self, numbers: &mut Numbers, stiff: f32, redundant: bool) -> Result<(), RowsError> {
        let mut jacobian = [SVector::<f32, NV>::from_element(0.0); 6];
        let simple = numbers.below(2) == 0;
        for contact in 0..NC {
            let room = NR - self.rows.len().min(NR);
            let dimension = match numbers.below(3) {
                1 if !simple && room >= 4 => 4,
                2 if !simple && room >= 6 => 6,
                _ => 3,
            };
            if dimension > room {
                break;
            }
            if contact == 0 || !redundant || numbers.below(2) == 0 {
                jacobian.iter_mut().flat_map(|row| row.iter_mut()).for_each(|x| *x = numbers.next());
            }
            let slide = numbers.one_of([0.01, 0.5, 1.0, 3.0]);
            let friction = [slide, slide * numbers.one_of([1.0, 1.0, 0.3]), 0.02 * slide, 0.01 * slide, 0.001 * slide];
            let reference: [f32; 6] = core::array::from_fn(|_| 15.0 * numbers.next());
            let (normal, ratio) = (stiff * (1.1 + numbers.next()), numbers.one_of([1.0, 1.0, 10.0, 100.0]));
            let (Some(jacobian), Some(reference), Some(friction)) =
                (jacobian.get(..dimension), reference.get(..dimension), friction.get(..dimension - 1))
            else {
                break;
            };
            self.rows.finished_elliptic(jacobian, reference, normal, friction, ratio)?;
            self.contacts += 1;
            self.squares += (dimension as u32 - 1).pow(2);
        }
        Ok(())
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// How many elliptic contacts it has, and the squares of their friction directions, added up.
    pub fn contact_counts(&self) -> (u32, u32) {
        (self.contacts, self.squares)
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
