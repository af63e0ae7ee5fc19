//! How far an answer can be from the exact one: a bound from the residuals, whatever found the answer.
//!
//! Primal F and dual D are strongly convex, F − ½ |a|² in the metric M and D − ½ |f|² in A + R, and their minima add up to zero
//! (W15-59). So for every acceleration a and every allowed f, with Δ the difference from the exact optimum of these numbers,
//!
//! |Δa|²_M + |Jᵀ Δf|²_M⁻¹ + Σ R_i Δf_i² ≤ 2 (F(a) + D(f)) = |M (a − a_u) − Jᵀ f|²_M⁻¹ + 2 Σ gap_i(z_i, f_i),   z = J a − a_ref,
//!
//! the gaps being those of [`super::law`]: two sums of terms that are not negative, so nothing cancels.
//!
//! Rounding of this evaluation is part of the bound. A sum of m terms is off by at most m ε times their magnitudes; an error ζ of z
//! moves a gap by |f − f(z)| ζ + ζ²/2R at most, the law being Lipschitz with 1/R. Of a contact that slides, f(z) takes the place of f
//! where that is better, and the difference is added. The factor L D Lᵀ belongs to M + E with
//! |E_ij| ≤ γ √(M_ii M_jj), so |E| in the metric of M is at most η = γ (Σ √(M_ii (M⁻¹)_ii))² and squares in M⁻¹ are off by a factor of
//! 1/(1 − η) at most; where η is not small there is no bound. Dofs that nothing couples with have no such error and do not count,
//! so padding changes no bit.

use nalgebra::SVector;

use super::sweep::floored;
use super::{SolverError, law, measure};
use crate::cone::DIMENSION;
use crate::cone::elliptic::Zone;
use crate::mass::MassMatrix;
use crate::rows::{Row, Rows, Rule};
use crate::scalar::{Real, larger, literal, square_root};

/// Bounds of an answer's errors, from [`error_bound`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorBound<T, const NV: usize> {
    radius: T,
    /// √(M⁻¹)_kk.
    reach: [T; NV],
}

impl<T: Real, const NV: usize> ErrorBound<T, NV> {
    /// √(|Δa|²_M + |Jᵀ Δf|²_M⁻¹ + Σ R_i Δf_i²) is at most this \[√(N m)/s for translations: m/s² times √kg\].
    pub fn radius(&self) -> T {
        self.radius
    }

    /// |Δa_k| of a degree of freedom is at most this \[m/s² or rad/s²\]; zero where there is no such dof.
    pub fn acceleration(&self, freedom: usize) -> T {
        self.reach.get(freedom).map_or(T::zero(), |reach| *reach * self.radius)
    }

    /// |(Jᵀ Δf)_k|, the error of what all rows together do to a dof, is at most this \[N or N m\]: √M_kk times the radius.
    pub fn constraint_force(&self, mass: &MassMatrix<T, NV>, freedom: usize) -> T {
        let entry = mass.columns().get(freedom).and_then(|column| column.get(freedom));
        entry.map_or(T::zero(), |entry| square_root(*entry) * self.radius * slack(T::one()))
    }

    /// |Δf_i| of a row is at most this \[N or N m\]: the radius over √R. Rows that share a load know
    /// their sum much better than their parts; see [`Self::constraint_force`].
    pub fn force(&self, row: &Row<T, NV>) -> T {
        self.radius / square_root(floored(row.regularizer)) * slack(T::one())
    }
}

/// 1 + the rounding of `operations` operations in a row.
fn slack<T: Real>(operations: T) -> T {
    T::one() + literal::<T>(4.0) * T::default_epsilon() * operations
}

/// Adds the magnitudes of products to a sum, and counts those that are not zero.
fn add_size<T: Real>(sum: &mut T, count: &mut T, product: T) {
    if product != T::zero() {
        *sum += product.abs();
        *count += T::one();
    }
}

/// How far `acceleration` and `force`, one a row and each allowed by its rule, are from the optimum of exactly these numbers: the
/// answer of any solver, at any budget; of a pass like [`noslip()`](super::noslip()), how far it went away from it.
///
/// The bound holds in the precision of `T`, its own rounding included. It is at its best some ε (|J| |a| + |a_ref|)/√R a row: in single
/// precision five digits of the acceleration at R = A/10 (solimp 0.9), four at A/10⁴.
///
/// A row whose R is below the floor 1e-15 counts as one of that R, as it does for the sweeps.
///
/// # Errors
/// Mass not ready, numbers not finite, fewer forces than rows ([`SolverError::ForceNotFinite`]); [`SolverError::Unbounded`] where M is so
/// near singular that this precision bounds nothing, and on overflow.
///
/// ```
/// use delassus::mass::MassMatrix;
/// use delassus::rows::{Kind, Rows, Rule};
/// use delassus::solver::{Budget, SweepWorkspace, error_bound, projected_gauss_seidel};
/// use nalgebra::{Matrix2, Vector2};
///
/// // Two blocks of 1 kg on the ground (S15-31), five sweeps: how good is that?
/// let mut mass = MassMatrix::<f32, 2>::filled(0.0);
/// mass.set(&Matrix2::identity())?;
/// let mut rows = Rows::<f32, 2, 2>::new();
/// rows.finished(Kind::ContactFrictionless, Rule::NonNegative, &Vector2::new(1.0, 0.0), 0.0, 0.1)?;
/// rows.finished(Kind::ContactFrictionless, Rule::NonNegative, &Vector2::new(-1.0, 1.0), 0.0, 0.1)?;
/// let free = Vector2::new(-10.0, -10.0);
/// let mut work = SweepWorkspace::<f32, 2, 2>::filled(0.0);
/// projected_gauss_seidel(&mass, &free, &rows, None, &Budget::new(5, 0.0), &mut work)?;
/// let bound = error_bound(&mass, &free, &rows, work.acceleration(), work.force())?;
/// let exact = [2100.0 / 131.0, 1100.0 / 131.0]; // forces in N
/// for (row, (force, exact)) in rows.rows().iter().zip(work.force().iter().zip(exact)) {
///     assert!((force - exact).abs() <= bound.force(row));
/// }
/// assert!(bound.acceleration(0) < 0.5); // m/s²
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn error_bound<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    free_acceleration: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    acceleration: &SVector<T, NV>,
    force: &[T],
) -> Result<ErrorBound<T, NV>, SolverError> {
    mass.check_ready()?;
    measure::check_finite(free_acceleration)?;
    measure::check_finite(acceleration)?;
    let Some(force) = force.get(..rows.len()) else {
        return Err(SolverError::ForceNotFinite { row: force.len() as u16 });
    };
    if let Some(row) = force.iter().position(|f| !f.is_finite()) {
        return Err(SolverError::ForceNotFinite { row: row as u16 });
    }
    let (reach, stretch) = inverse_diagonal(mass).ok_or(SolverError::Unbounded)?;
    let motion = motion_residual(mass, free_acceleration, rows, acceleration, force, &reach);
    let parts = parts(mass, rows, measure::array(acceleration), force);
    // All terms are positive: the sums below lose a rounding an addend.
    let (mut addends, mut ignored) = (literal::<T>(8.0), T::zero());
    for x in force.iter().chain(reach.iter()) {
        add_size(&mut ignored, &mut addends, *x);
    }
    let root = square_root(stretch) * slack(literal(4.0));
    let motion = (motion + parts.apart) * root;
    let radius = square_root(motion * motion + parts.gaps + parts.gaps) + parts.apart * root + parts.apart_in_rows;
    let radius = radius * slack(addends);
    let bound = ErrorBound { radius, reach: reach.map(|reach| reach * root) };
    if radius.is_finite() && bound.reach.iter().all(|reach| reach.is_finite()) {
        Ok(bound)
    } else {
        Err(SolverError::Unbounded)
    }
}

/// √(M⁻¹)_kk as the factor has it, and by how much squares in M⁻¹ may be larger than the factor says: 1/(1 − η).
fn inverse_diagonal<T: Real, const NV: usize>(mass: &MassMatrix<T, NV>) -> Option<([T; NV], T)> {
    let (zero, one) = (T::zero(), T::one());
    let mut reach = [zero; NV];
    let (mut sum, mut coupled) = (zero, zero);
    for (k, (reach, column)) in reach.iter_mut().zip(mass.columns()).enumerate() {
        let mut unit = [zero; NV];
        if let Some(entry) = unit.get_mut(k) {
            *entry = one;
        }
        *reach = square_root(mass.inverse_square_up_to(&unit, Some(k)));
        if column.iter().enumerate().any(|(i, entry)| i != k && *entry != zero) {
            let diagonal = column.get(k).copied().unwrap_or(zero);
            sum += square_root(diagonal) * *reach;
            coupled += one;
        }
    }
    // The factor and the solve err by γ each, the solve on both sides. For this η̂ ≤ 1/8 the true η, which asks for the true
    // inverse, is at most η̂/(1 − 2 η̂).
    let eta = literal::<T>(3.0) * (coupled + one + one) * T::default_epsilon() * (sum * sum);
    if !(eta <= literal(0.125)) {
        return None;
    }
    let eta = eta / (one - eta - eta);
    Some((reach, one / (one - eta)))
}

/// At least |M (a − a_u) − Jᵀ f| in the metric M⁻¹ of the factor.
fn motion_residual<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    free: &SVector<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    acceleration: &SVector<T, NV>,
    force: &[T],
    reach: &[T; NV],
) -> T {
    let deviation = acceleration - free;
    let mut residual = [T::zero(); NV];
    let mut rounding = T::zero();
    for (k, ((residual, column), reach)) in residual.iter_mut().zip(mass.columns()).zip(reach).enumerate() {
        let (mut size, mut count) = (T::zero(), literal::<T>(2.0));
        let mut sum = T::zero();
        for (entry, d) in column.iter().zip(measure::array(&deviation)) {
            sum += *entry * *d;
            add_size(&mut size, &mut count, *entry * *d);
        }
        for (row, f) in rows.rows().iter().zip(force) {
            let product = row.jacobian.get(k).map_or(T::zero(), |j| *j * *f);
            sum -= product;
            add_size(&mut size, &mut count, product);
        }
        *residual = sum;
        rounding += count * T::default_epsilon() * size * *reach;
    }
    square_root(mass.inverse_square(&residual)) + rounding
}

/// What the rows add to the bound.
struct Parts<T> {
    /// At least Σ gap_i(z_i, f_i), of sliding contacts with the force that answers z instead of f.
    gaps: T,
    /// For those, at least |Jᵀ (f − f(z))| in the metric M⁻¹ of the factor, and √Σ R (f − f(z))².
    apart: T,
    apart_in_rows: T,
}

fn parts<T: Real, const NV: usize, const NR: usize, const NC: usize>(
    mass: &MassMatrix<T, NV>,
    rows: &Rows<T, NV, NR, NC>,
    acceleration: &[T; NV],
    force: &[T],
) -> Parts<T> {
    let zero = T::zero();
    let mut parts = Parts { gaps: zero, apart: zero, apart_in_rows: zero };
    for (row, force) in rows.rows().iter().zip(force) {
        if row.rule == Rule::Cone {
            continue;
        }
        let (regularizer, (z, error)) = (floored(row.regularizer), residual(row, acceleration, *force));
        let (answer, _) = law::respond(row.rule, T::one() / regularizer, z);
        parts.gaps += law::gap(row.rule, regularizer, z, *force) + moved(apart(*force, answer), regularizer, error);
    }
    for block in rows.cones() {
        let (Some(rows), Some(force)) = (rows.rows().get(block.range()), force.get(block.range())) else { continue };
        let (mut z, mut error) = ([zero; DIMENSION], [zero; DIMENSION]);
        for (((z, error), row), force) in z.iter_mut().zip(&mut error).zip(rows).zip(force) {
            (*z, *error) = residual(row, acceleration, *force);
        }
        let point = block.cone.point(&z);
        let answers = block.cone.force(&point);
        let (mut gap, mut answered) = (law::cone_gap(&block.cone, &z, force), zero);
        let (mut reach, mut square) = (zero, zero);
        for (((row, force), answer), error) in rows.iter().zip(force).zip(answers).zip(error) {
            let apart = apart(*force, answer);
            gap += moved(apart, row.regularizer, error);
            answered += moved(zero, row.regularizer, error);
            reach += apart * square_root(mass.inverse_square_up_to(&row.jacobian, row.last()));
            square += row.regularizer * apart * apart;
        }
        // A force on the surface of the cone does work on the residual: of a rounding ε of the force the gap knows √ε only.
        if point.zone == Zone::Middle && reach * reach + square < gap {
            parts.gaps += answered;
            parts.apart += reach;
            parts.apart_in_rows += square_root(square);
        } else {
            parts.gaps += gap;
        }
    }
    parts
}

/// z = J a − a_ref and how far it may be off, what rounding does where z meets R f and the cone included.
fn residual<T: Real, const NV: usize>(row: &Row<T, NV>, acceleration: &[T; NV], force: T) -> (T, T) {
    let z = row.times(acceleration) - row.reference;
    let (mut size, mut count) = (row.reference.abs(), literal::<T>(2.0));
    match row.single() {
        Some((k, j)) => add_size(&mut size, &mut count, j * acceleration.get(k).copied().unwrap_or(T::zero())),
        None => {
            for (j, a) in row.jacobian.iter().zip(acceleration) {
                add_size(&mut size, &mut count, *j * *a);
            }
        }
    }
    let later = literal::<T>(8.0) * (z.abs() + (row.regularizer * force).abs());
    (z, T::default_epsilon() * (count * size + later))
}

/// At least |f − f(z)|, given the two as computed; a sliding force is shortened by 3 ε.
fn apart<T: Real>(force: T, answer: T) -> T {
    (force - answer).abs() + literal::<T>(12.0) * T::default_epsilon() * larger(answer.abs(), force.abs())
}

/// By how much a gap grows at most when z moves by `error`, the force being `apart` from the one that answers.
fn moved<T: Real>(apart: T, regularizer: T, error: T) -> T {
    error * (apart + literal::<T>(0.5) * error / regularizer)
}
