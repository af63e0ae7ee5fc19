//! The active set method for a dual problem whose A and b are there already: no mass matrix, no Jacobian.

use super::pivoting::{Memory, Operator, Pivoting, pick};
use super::sweep::floored;
use super::{Budget, Delassus, Report, Scale, SolverError, WarmStart};
use crate::rows::Rule;
use crate::scalar::{Real, add_scaled, all_finite};

/// What the dual problem knows of a row beside A (X-10).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct DualRow<T> {
    /// b = J a_u − a_ref: the row's acceleration without any force, less what it wants.
    pub offset: T,
    /// R ≥ 0; below 1e-15, zero too, it is taken as 1e-15.
    pub regularizer: T,
    /// Which forces the row may have; not [`Rule::Cone`].
    pub rule: Rule<T>,
}

/// Memory of [`dual_active_set`]: NR × (NR + 6) numbers, and 13 bytes a row. Also holds the answer.
#[derive(Clone, Debug)]
pub struct DualActiveSetWorkspace<T, const NR: usize> {
    pivoting: Pivoting<T, NR>,
    /// A f.
    product: [T; NR],
    /// Zones and factor are those of the last solve, which went well.
    stands: bool,
}

impl<T: Copy, const NR: usize> DualActiveSetWorkspace<T, NR> {
    /// All zero: pass `0.0`, so that a `static` one lands in .bss.
    pub const fn filled(zero: T) -> Self {
        Self { pivoting: Pivoting::filled(zero), product: [zero; NR], stands: false }
    }

    /// The forces of the last solve, one a row.
    pub fn force(&self) -> &[T] {
        self.pivoting.force()
    }

    /// A f of the last solve, one number a row: with b, the acceleration that the row has beyond the one it wants.
    pub fn acceleration(&self) -> &[T] {
        &self.product[..self.pivoting.rows.min(NR)]
    }
}

struct Given<'a, T, const NR: usize> {
    delassus: &'a Delassus<T, NR>,
    rows: &'a [DualRow<T>],
    product: &'a mut [T; NR],
}

impl<T: Real, const NR: usize> Operator<T, NR> for Given<'_, T, NR> {
    #[inline(always)]
    fn law(&self, row: usize) -> Option<(Rule<T>, T)> {
        self.rows.get(row).map(|row| (row.rule, floored(row.regularizer)))
    }

    #[inline(always)]
    fn learn(&mut self, row: usize) -> u16 {
        row as u16
    }

    fn couple(&mut self) {}

    fn forget(&mut self) {}

    #[inline(always)]
    fn gather(&self, handle: u16, others: &[u16], entries: &mut [T; NR]) {
        if let Some(column) = self.delassus.columns().get(usize::from(handle)) {
            pick(column, u16::MAX, others, entries, |other| column.get(other).copied().unwrap_or(T::zero()));
        }
    }

    #[inline(always)]
    fn respond(&mut self, force: &[T; NR]) {
        *self.product = [T::zero(); NR];
        for (column, force) in self.delassus.columns().iter().zip(force).take(self.rows.len()) {
            if *force != T::zero() {
                add_scaled(self.product, *force, column);
            }
        }
    }

    #[inline(always)]
    fn residual(&self, row: usize, offset: T) -> T {
        offset + self.product.get(row).copied().unwrap_or(T::zero())
    }

    fn terms(&self, row: usize, force: &[T; NR]) -> T {
        let mut terms = T::zero();
        for (entry, force) in self.delassus.column(row).iter().zip(force) {
            terms += (*entry * *force).abs();
        }
        terms
    }
}

/// Minimises ½ fᵀ (A + R) f + bᵀ f over the forces that the rows' rules allow (X-10), by the method of
/// [`active_set`](super::active_set()).
///
/// A has to be positive semidefinite, as every J M⁻¹ Jᵀ is; that is not checked. Of another A the forces are allowed ones, and the duality
/// gap bounds nothing.
///
/// `warm_start` are the forces of the last solve, one a row; only their sides count. Where the budget asks for
/// [`Scale::MassTrace`] the scale is 1, as no mass is known: the engine's measure then is the duality gap. The answer is in `work`.
///
/// # Errors
/// Before any arithmetic: as many rows as A has, or numbers, not there ([`SolverError::BadRow`]), a force of the warm start that is not
/// finite, an impossible budget. After it: [`SolverError::Overflow`].
///
/// ```
/// use delassus::rows::Rule;
/// use delassus::solver::{Budget, Delassus, DualActiveSetWorkspace, DualRow, dual_active_set};
///
/// // Two blocks of 1 kg on the ground (S15-04), with R = 0.1.
/// let mut delassus = Delassus::<f64, 2>::filled(0.0);
/// delassus.set(&[[1.0, -1.0], [-1.0, 2.0]])?;
/// let row = |offset| DualRow { offset, regularizer: 0.1, rule: Rule::NonNegative };
/// let mut work = DualActiveSetWorkspace::<f64, 2>::filled(0.0);
/// dual_active_set(&delassus, &[row(-10.0), row(0.0)], None, &Budget::new(8, 1e-12), &mut work)?;
/// assert!((work.force()[0] - 2100.0 / 131.0).abs() < 1e-12); // S15-15
/// assert!((work.force()[1] - 1000.0 / 131.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn dual_active_set<T: Real, const NR: usize>(
    delassus: &Delassus<T, NR>,
    rows: &[DualRow<T>],
    warm_start: Option<&[T]>,
    budget: &Budget<T>,
    work: &mut DualActiveSetWorkspace<T, NR>,
) -> Result<Report<T>, SolverError> {
    check(delassus, rows, budget)?;
    if let Some(warm_start) = warm_start {
        let usable = warm_start.iter().position(|f| !f.is_finite());
        if let Some(row) = usable.or((warm_start.len() < rows.len()).then_some(warm_start.len())) {
            return Err(SolverError::ForceNotFinite { row: row as u16 });
        }
    }
    let DualActiveSetWorkspace { pivoting, product, stands } = work;
    *stands = false;
    let mut operator = Given { delassus, rows, product };
    take(pivoting, rows);
    match warm_start {
        None => pivoting.guess(&mut operator),
        Some(warm_start) => pivoting.guess_by_force(&operator, warm_start),
    }
    let start = if warm_start.is_some() { WarmStart::Used } else { WarmStart::Absent };
    finish(pivoting, &mut operator, Memory::Empty, start, budget, stands)
}

/// [`dual_active_set`] for other offsets b while A, R and the rules stand: from the rows that pushed last, and with their factor as long as
/// they do.
///
/// Should A, R or the rules have changed after all, the answer is the same up to the tolerance, later. In a new workspace, after an error of
/// the last solve and for another number of rows it is [`dual_active_set`] without a warm start.
///
/// # Errors
/// As [`dual_active_set`].
pub fn dual_active_set_again<T: Real, const NR: usize>(
    delassus: &Delassus<T, NR>,
    rows: &[DualRow<T>],
    budget: &Budget<T>,
    work: &mut DualActiveSetWorkspace<T, NR>,
) -> Result<Report<T>, SolverError> {
    if !work.stands || work.pivoting.rows != rows.len() {
        return dual_active_set(delassus, rows, None, budget, work);
    }
    check(delassus, rows, budget)?;
    let DualActiveSetWorkspace { pivoting, product, stands } = work;
    *stands = false;
    take(pivoting, rows);
    finish(pivoting, &mut Given { delassus, rows, product }, Memory::Old, WarmStart::Used, budget, stands)
}

fn check<T: Real, const NR: usize>(
    delassus: &Delassus<T, NR>,
    rows: &[DualRow<T>],
    budget: &Budget<T>,
) -> Result<(), SolverError> {
    if rows.len() != delassus.rows() {
        return Err(SolverError::BadRow { row: rows.len().min(delassus.rows()) as u16 });
    }
    for (index, row) in rows.iter().enumerate() {
        let positive = |x: T| x >= T::zero() && x.is_finite();
        let rule = match row.rule {
            Rule::Interval { loss } => positive(loss),
            rule => rule != Rule::Cone,
        };
        if !(rule && row.offset.is_finite() && positive(row.regularizer)) {
            return Err(SolverError::BadRow { row: index as u16 });
        }
    }
    if budget.is_sound() { Ok(()) } else { Err(SolverError::BadBudget) }
}

/// Takes the offsets.
fn take<T: Real, const NR: usize>(pivoting: &mut Pivoting<T, NR>, rows: &[DualRow<T>]) {
    pivoting.rows = rows.len().min(NR);
    for (offset, row) in pivoting.offset.iter_mut().zip(rows) {
        *offset = row.offset;
    }
}

fn finish<T: Real, const NR: usize>(
    pivoting: &mut Pivoting<T, NR>,
    operator: &mut Given<'_, T, NR>,
    memory: Memory,
    start: WarmStart,
    budget: &Budget<T>,
    stands: &mut bool,
) -> Result<Report<T>, SolverError> {
    let scale = match budget.scale {
        Scale::MassTrace => T::one(),
        Scale::Fixed(scale) => scale,
    };
    let mut report = Report::new(start);
    pivoting.solve(operator, memory, budget, scale, &mut report);
    let product = operator.product.get(..pivoting.rows).unwrap_or(&*operator.product);
    if !all_finite(product) || !all_finite(pivoting.force()) {
        return Err(SolverError::Overflow);
    }
    let report = report.checked()?;
    *stands = true;
    Ok(report)
}
