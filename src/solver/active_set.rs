//! The active set method on the dual: which rows push is guessed and corrected, and their forces follow exactly from a factor of A + R
//! over those rows. The method itself is in `pivoting.rs`.
//!
//! A is formed only between rows that push or once pushed, through one half of a solve with the factor of M each:
//! A_ij = y_iᵀ D⁻¹ y_j with y = L⁻ᵀ Jᵀ and M = Lᵀ D L. The residual of all rows is z = b + J d with d = M⁻¹ Jᵀ f, so rows that never push
//! cost one product.

use nalgebra::SVector;

use super::law;
use super::pivoting::{Memory, Operator, Pivoting, pick};
use super::sweep::floored;
use super::{Budget, Report, SolverError, WarmStart, measure};
use crate::mass::MassMatrix;
use crate::rows::{Rows, Rule};
use crate::scalar::{Real, add_scaled, all_finite, dot};

/// Memory of [`active_set`]: NR × (NV + 2 NR) numbers. Also holds the answer.
#[derive(Clone, Debug)]
pub struct ActiveSetWorkspace<T, const NV: usize, const NR: usize> {
    acceleration: SVector<T, NV>,
    pivoting: Pivoting<T, NR>,
    couplings: Couplings<T, NV, NR>,
    /// Zones and factor are those of the last solve, which went well.
    stands: bool,
}

/// What was learnt of rows that push or once pushed, in the order in which they came.
#[derive(Clone, Debug)]
struct Couplings<T, const NV: usize, const NR: usize> {
    /// d = M⁻¹ Jᵀ f.
    deviation: [T; NV],
    /// y of each row that is learnt.
    half: [[T; NV]; NR],
    /// A between the rows that are learnt, on and below the diagonal.
    delassus: [[T; NR]; NR],
    /// How many rows are learnt, and the couplings of how many are made.
    count: usize,
    coupled: usize,
    /// 1 + place of each row in that order, or 0.
    place: [u16; NR],
}

impl<T: Copy, const NV: usize, const NR: usize> ActiveSetWorkspace<T, NV, NR> {
    /// All zero: pass `0.0`, so that a `static` one lands in .bss.
    pub const fn filled(zero: T) -> Self {
        Self {
            acceleration: measure::vector(zero),
            pivoting: Pivoting::filled(zero),
            couplings: Couplings {
                deviation: [zero; NV],
                half: [[zero; NV]; NR],
                delassus: [[zero; NR]; NR],
                count: 0,
                coupled: 0,
                place: [0; NR],
            },
            stands: false,
        }
    }

    /// The acceleration of the last solve, NV numbers.
    pub fn acceleration(&self) -> &SVector<T, NV> {
        &self.acceleration
    }

    /// The forces of the last solve, one a row, in the order of the rows.
    pub fn force(&self) -> &[T] {
        self.pivoting.force()
    }
}

struct Formed<'a, T, const NV: usize, const NR: usize, const NC: usize> {
    mass: &'a MassMatrix<T, NV>,
    rows: &'a Rows<T, NV, NR, NC>,
    own: &'a mut Couplings<T, NV, NR>,
}

impl<T: Real, const NV: usize, const NR: usize> Couplings<T, NV, NR> {
    /// The couplings of W rows from `first` on with all before them and among themselves.
    #[inline(always)]
    fn couple<const W: usize>(&mut self, first: usize, inverse_pivots: &[T; NV]) {
        let first = first.min(NR);
        let Some(own) = self.half.get(first..).and_then(|rest| rest.first_chunk::<W>()) else { return };
        let Some(targets) = self.delassus.get_mut(first..).and_then(|rest| rest.first_chunk_mut::<W>()) else { return };
        // What comes to lie above the diagonal is not read.
        let (fours, rest) = self.half.as_chunks::<4>();
        let mut at = 0;
        for others in fours {
            if at >= first + W {
                break;
            }
            let sums = products(own, inverse_pivots, others);
            for r in 0..W {
                if let Some(target) = targets[r].get_mut(at..).and_then(|rest| rest.first_chunk_mut::<4>()) {
                    *target = sums[r];
                }
            }
            at += 4;
        }
        for (other, at) in rest.iter().zip(at..first + W) {
            let sums = products(own, inverse_pivots, &[*other]);
            for r in 0..W {
                if let Some(target) = targets[r].get_mut(at) {
                    [*target] = sums[r];
                }
            }
        }
    }
}

/// y_rᵀ D⁻¹ y_c of each with each.
#[inline(always)]
fn products<T: Real, const NV: usize, const W: usize, const C: usize>(
    own: &[[T; NV]; W],
    inverse_pivots: &[T; NV],
    others: &[[T; NV]; C],
) -> [[T; C]; W] {
    let mut sums = [[T::zero(); C]; W];
    for k in 0..NV {
        for r in 0..W {
            let scaled = own[r][k] * inverse_pivots[k];
            for c in 0..C {
                sums[r][c] += scaled * others[c][k];
            }
        }
    }
    sums
}

impl<T: Real, const NV: usize, const NR: usize, const NC: usize> Operator<T, NR> for Formed<'_, T, NV, NR, NC> {
    #[inline(always)]
    fn law(&self, row: usize) -> Option<(Rule<T>, T)> {
        self.rows.rows().get(row).map(|row| (row.rule, floored(row.regularizer)))
    }

    fn learn(&mut self, row: usize) -> u16 {
        let Couplings { half, count, place, .. } = &mut *self.own;
        let (Some(line), Some(place)) = (self.rows.rows().get(row), place.get_mut(row)) else { return 0 };
        if *place == 0
            && let Some(y) = half.get_mut(*count)
        {
            *y = line.jacobian;
            self.mass.half_solve(y);
            *count += 1;
            *place = *count as u16;
        }
        place.saturating_sub(1)
    }

    fn couple(&mut self) {
        let inverse_pivots = self.mass.inverse_pivots();
        for _ in self.own.coupled..self.own.count {
            let first = self.own.coupled;
            if first + 4 <= self.own.count {
                self.own.couple::<4>(first, inverse_pivots);
                self.own.coupled += 4;
            } else if first + 2 <= self.own.count {
                self.own.couple::<2>(first, inverse_pivots);
                self.own.coupled += 2;
            } else if first < self.own.count {
                self.own.couple::<1>(first, inverse_pivots);
                self.own.coupled += 1;
            }
        }
    }

    fn forget(&mut self) {
        self.own.count = 0;
        self.own.coupled = 0;
        self.own.place = [0; NR];
    }

    #[inline(always)]
    fn gather(&self, handle: u16, others: &[u16], entries: &mut [T; NR]) {
        let own = usize::from(handle);
        let Some(row) = self.own.delassus.get(own) else { return };
        pick(row, handle, others, entries, |other| {
            let entry =
                if other > own { self.own.delassus.get(other).and_then(|row| row.get(own)) } else { row.get(other) };
            entry.copied().unwrap_or(T::zero())
        });
    }

    #[inline(always)]
    fn respond(&mut self, force: &[T; NR]) {
        let mut sum = [T::zero(); NV];
        for (row, force) in self.rows.rows().iter().zip(force) {
            if *force != T::zero() {
                add_scaled(&mut sum, *force, &row.jacobian);
            }
        }
        self.mass.solve_array(&mut sum);
        self.own.deviation = sum;
    }

    #[inline(always)]
    fn residual(&self, row: usize, offset: T) -> T {
        self.rows.rows().get(row).map_or(offset, |row| offset + dot(&row.jacobian, &self.own.deviation))
    }

    fn terms(&self, row: usize, _force: &[T; NR]) -> T {
        let mut terms = T::zero();
        if let Some(row) = self.rows.rows().get(row) {
            for (j, d) in row.jacobian.iter().zip(&self.own.deviation) {
                terms += (*j * *d).abs();
            }
        }
        terms
    }
}

/// Solves for forces and acceleration; see the [module of solvers](crate::solver).
///
/// `free_acceleration` is a_u = M⁻¹ (τ − c). Of `warm_start`, the acceleration of the last tick, only the side on which it leaves each
/// row is taken, so it is never rejected. The answer is in `work`; an R below 1e-15, zero too, is taken as 1e-15.
///
/// An iteration is a guess at the rows that push, or a refinement of their forces. A guess costs at most a factor of A + R over the p of
/// them, p³/6, two products with J and a solve with M; and for each row that pushes the first time in this solve half a solve with M and its
/// couplings with the ones before it, NV products each. The answer of the right guess is exact.
///
/// A row that depends on rows before it, with an R below 16 roundings of A_ii (2e-6 A_ii in `f32`), has no force of its own to tell: theirs
/// carry it. Such rows that contradict each other end as [`Stop::Stalled`](super::Stop::Stalled), with a duality gap that says so.
///
/// After [`SolverError::Overflow`] the answer in `work` has no meaning; the next solve takes nothing from it.
/// Acceleration and forces always belong to each other: the report's
/// gradient norm is 0.
///
/// # Errors
/// Before any arithmetic: mass not ready, numbers not finite, an impossible budget, an elliptic contact among the rows.
/// After it: [`SolverError::Overflow`] if finite input led to numbers beyond the precision.
///
/// ```
/// use delassus::mass::MassMatrix;
/// use delassus::rows::{Kind, Rows, Rule};
/// use delassus::solver::{ActiveSetWorkspace, Budget, Stop, active_set};
/// use nalgebra::{Matrix2, Vector2};
///
/// // Two blocks of 1 kg on the ground, soft contacts (S15-31): ground row and row between the blocks.
/// let mut mass = MassMatrix::<f64, 2>::filled(0.0);
/// mass.set(&Matrix2::identity())?;
/// let mut rows = Rows::<f64, 2, 2>::new();
/// rows.finished(Kind::ContactFrictionless, Rule::NonNegative, &Vector2::new(1.0, 0.0), 0.0, 0.1)?;
/// rows.finished(Kind::ContactFrictionless, Rule::NonNegative, &Vector2::new(-1.0, 1.0), 0.0, 0.1)?;
/// let mut work = ActiveSetWorkspace::<f64, 2, 2>::filled(0.0);
/// let report = active_set(&mass, &Vector2::new(-10.0, -10.0), &rows, None, &Budget::new(8, 1e-12), &mut work)?;
/// assert_eq!(report.stop, Stop::Converged);
/// assert!((work.force()[0] - 2100.0 / 131.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn active_set<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    warm_start: Option<&SVector<T, NV>>,
    budget: &Budget<T>,
    work: &mut ActiveSetWorkspace<T, NV, NR>,
) -> Result<Report<T>, SolverError> {
    measure::check(mass, free_acceleration, warm_start, budget)?;
    solve(mass, free_acceleration, rows, warm_start, false, budget, work)
}

/// [`active_set`] for another free acceleration while mass matrix and rows stand: from the rows that pushed last, and with their
/// factor as long as they do. That saves all that costs more than a product with J, a solve with M and a solve with the factor.
///
/// Where there is no last answer, as in a new workspace or after an error of the last solve, it starts cold; where the number of rows is
/// another, from the last acceleration and without the factor. Rows are known by their places: keep their order.
///
/// Targets a_ref may have changed too. Should M, J or R have changed after all, the answer is the same up to the tolerance, later: a
/// refinement that does not cut the residual to an eighth is the last one with the old factor. It takes a few iterations to find that out, so
/// give it the budget of a cold solve. The last bits depend on what `work` did
/// before; where they must not, take [`active_set`].
///
/// # Errors
/// As [`active_set`].
///
/// ```
/// use delassus::mass::MassMatrix;
/// use delassus::rows::{Kind, Rows, Rule};
/// use delassus::solver::{ActiveSetWorkspace, Budget, active_set, active_set_again};
/// use nalgebra::{Matrix1, Vector1};
///
/// // A knob of 0.5 kg m² held by a stop with R = 2: the torque is (−a_u)/(1/m + R), a quarter of it here.
/// let mut mass = MassMatrix::<f64, 1>::filled(0.0);
/// mass.set(&Matrix1::new(0.5))?;
/// let mut rows = Rows::<f64, 1, 1>::new();
/// rows.finished(Kind::JointLimit, Rule::NonNegative, &Vector1::new(1.0), 0.0, 2.0)?;
/// let budget = Budget::new(8, 1e-12);
/// let mut work = ActiveSetWorkspace::<f64, 1, 1>::filled(0.0);
/// active_set(&mass, &Vector1::new(-10.0), &rows, None, &budget, &mut work)?;
/// let report = active_set_again(&mass, &Vector1::new(-12.0), &rows, &budget, &mut work)?;
/// assert_eq!(report.iterations, 1);
/// assert!((work.force()[0] - 3.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn active_set_again<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    budget: &Budget<T>,
    work: &mut ActiveSetWorkspace<T, NV, NR>,
) -> Result<Report<T>, SolverError> {
    if !work.stands {
        return active_set(mass, free_acceleration, rows, None, budget, work);
    }
    let last = work.acceleration;
    measure::check(mass, free_acceleration, Some(&last), budget)?;
    solve(mass, free_acceleration, rows, Some(&last), true, budget, work)
}

fn solve<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    warm_start: Option<&SVector<T, NV>>,
    again: bool,
    budget: &Budget<T>,
    work: &mut ActiveSetWorkspace<T, NV, NR>,
) -> Result<Report<T>, SolverError> {
    if let Some(block) = rows.cones().first() {
        return Err(SolverError::EllipticContact { row: block.first });
    }
    let ActiveSetWorkspace { acceleration, pivoting, couplings, stands } = work;
    let mut operator = Formed { mass, rows, own: couplings };
    let memory = if again && *stands && pivoting.rows == rows.len() { Memory::Old } else { Memory::Empty };
    *stands = false;
    pivoting.rows = rows.len();
    for (b, row) in pivoting.offset.iter_mut().zip(rows.rows()) {
        *b = dot(&row.jacobian, measure::array(free_acceleration)) - row.reference;
    }
    let mut report = Report::new(if warm_start.is_some() { WarmStart::Used } else { WarmStart::Absent });
    if memory == Memory::Empty {
        operator.forget();
        match warm_start {
            None => pivoting.guess(&mut operator),
            Some(saved) => {
                pivoting.force = [T::zero(); NR];
                let slots = pivoting.force.iter_mut().zip(&mut pivoting.zone);
                for ((force, zone), row) in slots.zip(rows.rows()) {
                    let z = dot(&row.jacobian, measure::array(saved)) - row.reference;
                    (*force, *zone) = law::respond(row.rule, T::one() / floored(row.regularizer), z);
                }
            }
        }
    }
    pivoting.solve(&mut operator, memory, budget, budget.scale.value(mass), &mut report);
    for ((a, free), d) in acceleration.iter_mut().zip(free_acceleration.iter()).zip(&couplings.deviation) {
        *a = *free + *d;
    }
    if !all_finite(acceleration.as_slice()) || !all_finite(pivoting.force()) {
        return Err(SolverError::Overflow);
    }
    let report = report.checked()?;
    *stands = true;
    Ok(report)
}
