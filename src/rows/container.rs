//! [`Rows`]: finished rows in order, one method a kind.

use nalgebra::SVector;

use super::row::{FEW, single};
use super::{ConeBlock, DiagonalScale, Kind, Row, RowContext, RowInput, RowsError, Rule, SingleInput};
use crate::mass::MassMatrix;
use crate::scalar::{Real, add_scaled, all_finite};
use crate::softness::{Gains, ImpedancePoint, Softness, reference_acceleration};

/// The constraint rows of one tick: at most NR rows of NV numbers, in the order of S11-39, at most NC elliptic contacts among
/// them.
///
/// One call adds one finished block: K, B, d, R, a_ref and the force rule. A refused block leaves the rows as they were.
///
/// ```
/// use delassus::mass::MassMatrix;
/// use delassus::rows::{Kind, RowContext, RowInput, Rows};
/// use delassus::softness::Softness;
/// use nalgebra::{Vector1, Matrix1};
///
/// // A knob of 0.02 kg m² is 1 mrad beyond a virtual end stop and still turning into it.
/// let mut mass = MassMatrix::<f64, 1>::filled(0.0);
/// mass.set(&Matrix1::new(0.02))?;
/// let context = RowContext::new(1e-4);
/// let stop = Softness::from_mujoco([0.005, 1.0], [0.9, 0.95, 0.001, 0.5, 2.0])?;
/// let upper = Vector1::new(-1.0); // a positive force turns the knob back
/// let mut rows = Rows::<f64, 1, 2>::new();
/// rows.one_sided(&mass, &context, &stop, Kind::JointLimit, &RowInput::new(&upper, -0.001, -0.3))?;
/// assert!(rows.rows()[0].reference() > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rows<T, const NV: usize, const NR: usize, const NC: usize = 0> {
    rows: heapless::Vec<Row<T, NV>, NR>,
    cones: heapless::Vec<ConeBlock<T>, NC>,
}

impl<T, const NV: usize, const NR: usize, const NC: usize> Default for Rows<T, NV, NR, NC> {
    fn default() -> Self {
        Self::with_cones()
    }
}

impl<T, const NV: usize, const NR: usize> Rows<T, NV, NR> {
    /// No rows yet, and no room for elliptic contacts: their code and memory are left out.
    pub const fn new() -> Self {
        Self::with_cones()
    }
}

impl<T, const NV: usize, const NR: usize, const NC: usize> Rows<T, NV, NR, NC> {
    /// No rows yet, and room for NC elliptic contacts among them.
    pub const fn with_cones() -> Self {
        Self { rows: heapless::Vec::new(), cones: heapless::Vec::new() }
    }

    /// Forgets all rows: the start of a tick.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.cones.clear();
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows().len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The rows, in order.
    #[inline(always)]
    pub fn rows(&self) -> &[Row<T, NV>] {
        // At most NR in the slice's own type, so that indices into arrays of NR need no check and link no panic.
        self.rows.get(..self.rows.len().min(NR)).unwrap_or(&[])
    }

    /// The elliptic contacts among the rows, in order.
    pub fn cones(&self) -> &[ConeBlock<T>] {
        // The compiler cannot know that a vector without capacity is empty, and would keep the code of cones in every image.
        if NC == 0 { &[] } else { &self.cones }
    }
}

impl<T: Real, const NV: usize, const NR: usize, const NC: usize> Rows<T, NV, NR, NC> {
    /// Adds a group of equality rows that share one impedance, taken at the norm of their residuals (S12-36): 1 row for a
    /// joint coupling, 3 for a connect, 6 for a weld.
    ///
    /// # Errors
    /// No room, out of order, numbers not finite, a negative scale, an empty group, or a mass matrix that is not ready.
    pub fn equality(
        &mut self,
        mass: &MassMatrix<T, NV>,
        context: &RowContext<T>,
        softness: &Softness<T>,
        group: &[RowInput<'_, T, NV>],
    ) -> Result<(), RowsError> {
        let first = self.check_place(Kind::Equality, group.len())?;
        let mut square = T::zero();
        for input in group {
            square += input.residual * input.residual;
        }
        let gains = softness.reference().gains(softness.impedance(), &context.rules);
        let point = softness.impedance().at(crate::scalar::square_root(square));
        for (offset, input) in group.iter().enumerate() {
            let added = self.add(mass, input, &gains, &point, first + offset, Kind::Equality, Rule::Free);
            if let Err(error) = added {
                self.truncate(first); // a refused group leaves nothing behind
                return Err(error);
            }
        }
        Ok(())
    }

    /// Adds a row of dry friction: a force in [−loss, loss] that opposes the velocity (S12-38: no position part, K = 0).
    ///
    /// `kind` is [`Kind::JointFriction`] or [`Kind::TendonFriction`]; the input's residual does not count.
    ///
    /// A joint that sticks creeps: under a steady load F < loss it turns at the speed at which damping and softness balance,
    /// u = R F/B with R = (1 − d)/d · Â, d at residual zero and B the row's damping (S12-10, S12-38). impratio has no say here; raise
    /// the first number of solimp: 0.999 creeps a hundredth of 0.9. [`noslip`](crate::solver::noslip()) stops it.
    ///
    /// # Errors
    /// As [`Self::equality`]; another kind is [`RowsError::BadBlock`], a negative loss [`RowsError::Negative`].
    pub fn friction_loss(
        &mut self,
        mass: &MassMatrix<T, NV>,
        context: &RowContext<T>,
        softness: &Softness<T>,
        kind: Kind,
        input: &RowInput<'_, T, NV>,
        loss: T,
    ) -> Result<(), RowsError> {
        let row = self.check_place(kind, 1)?;
        if !matches!(kind, Kind::JointFriction | Kind::TendonFriction) {
            return Err(RowsError::BadBlock { row: row as u16 });
        }
        check_loss(loss, row)?;
        let mut gains = softness.reference().gains(softness.impedance(), &context.rules);
        gains.stiffness = T::zero();
        let input = RowInput { residual: T::zero(), ..*input };
        let point = softness.impedance().at(T::zero());
        self.add(mass, &input, &gains, &point, row, kind, Rule::Interval { loss })
    }

    /// Adds a one-sided row: a limit, a virtual wall, a contact without friction. The force is never negative.
    ///
    /// `kind` is [`Kind::JointLimit`], [`Kind::TendonLimit`] or [`Kind::ContactFrictionless`]. The caller decides that the row is
    /// active: residual < 0 by the engine's strict rule (S11-03, S11-06). A residual ≥ 0 is taken as given.
    ///
    /// # Errors
    /// As [`Self::equality`]; another kind is [`RowsError::BadBlock`].
    pub fn one_sided(
        &mut self,
        mass: &MassMatrix<T, NV>,
        context: &RowContext<T>,
        softness: &Softness<T>,
        kind: Kind,
        input: &RowInput<'_, T, NV>,
    ) -> Result<(), RowsError> {
        let row = self.check_place(kind, 1)?;
        if !matches!(kind, Kind::JointLimit | Kind::TendonLimit | Kind::ContactFrictionless) {
            return Err(RowsError::BadBlock { row: row as u16 });
        }
        let gains = softness.reference().gains(softness.impedance(), &context.rules);
        let point = softness.impedance().at(input.residual);
        self.add(mass, input, &gains, &point, row, kind, Rule::NonNegative)
    }

    /// Adds a row whose reference acceleration and regularizer the caller has already.
    ///
    /// R = 0 is allowed and stands for the floor 1e-15 on the dual side; primal methods refuse it.
    ///
    /// # Errors
    /// No room, out of order, numbers not finite, R or loss negative, or a rule that does not go with the kind.
    pub fn finished(
        &mut self,
        kind: Kind,
        rule: Rule<T>,
        jacobian: &SVector<T, NV>,
        reference: T,
        regularizer: T,
    ) -> Result<(), RowsError> {
        let row = self.check_place(kind, 1)?;
        let fits = match kind {
            Kind::Equality => matches!(rule, Rule::Free),
            Kind::JointFriction | Kind::TendonFriction => matches!(rule, Rule::Interval { .. }),
            Kind::JointLimit | Kind::TendonLimit | Kind::ContactFrictionless | Kind::ContactPyramidal => {
                matches!(rule, Rule::NonNegative)
            }
            // A block at a time: see `finished_elliptic`.
            Kind::ContactElliptic => false,
        };
        if !fits {
            return Err(RowsError::BadBlock { row: row as u16 });
        }
        if let Rule::Interval { loss } = rule {
            check_loss(loss, row)?;
        }
        if !all_finite(jacobian.as_slice()) || !reference.is_finite() || !regularizer.is_finite() {
            return Err(RowsError::NotFinite { row: row as u16 });
        }
        if !(regularizer >= T::zero()) {
            return Err(RowsError::Negative { row: row as u16 });
        }
        let [jacobian] = jacobian.data.0;
        let (stiffness, single) = (T::one() / regularizer, single(&jacobian));
        self.keep(Row { jacobian, reference, regularizer, stiffness, rule, kind, single })
    }

    /// Jᵀ f, the generalized force of the rows (S11-25); forces beyond the rows, or rows beyond the forces, do not count.
    pub fn generalized_force(&self, force: &[T]) -> SVector<T, NV> {
        let mut sum = [T::zero(); NV];
        self.gather_forces(None, T::one(), force, &mut sum);
        SVector::from_array_storage(nalgebra::ArrayStorage([sum]))
    }

    /// sum ← start + sign Jᵀ f, row after row; without a start, from zero. What is left out, zeros of f and J, would change the sign of
    /// a zero at most.
    #[inline(always)]
    pub(crate) fn gather_forces(&self, start: Option<&[T; NV]>, sign: T, force: &[T], sum: &mut [T; NV]) {
        if NV > FEW {
            return self.gather_in_turns(start, sign, force, sum);
        }
        *sum = start.copied().unwrap_or([T::zero(); NV]);
        for (row, force) in self.rows.iter().zip(force) {
            if NV == 1 || *force != T::zero() {
                add_scaled(sum, sign * *force, &row.jacobian);
            }
        }
    }

    /// Rows of several dofs and rows of a single one in turns, in their order: the sums of the former are a copy that stays in
    /// registers, the latter index into memory.
    #[inline(never)]
    fn gather_in_turns(&self, start: Option<&[T; NV]>, sign: T, force: &[T], sum: &mut [T; NV]) {
        let count = force.len().min(NR);
        let mut rows = self.rows().get(..count).unwrap_or(self.rows()).iter();
        let mut force = force.iter();
        let mut sums = start.copied().unwrap_or([T::zero(); NV]);
        loop {
            while let [row, ..] = rows.as_slice()
                && row.single().is_none()
                && let Some(force) = force.next()
            {
                rows.next();
                if *force != T::zero() {
                    add_scaled(&mut sums, sign * *force, &row.jacobian);
                }
            }
            *sum = sums;
            while let [row, ..] = rows.as_slice()
                && let Some((k, entry)) = row.single()
                && let Some(force) = force.next()
            {
                rows.next();
                if let Some(sum) = sum.get_mut(k) {
                    *sum += sign * *force * entry;
                }
            }
            if rows.as_slice().is_empty() {
                return;
            }
            sums = *sum;
        }
    }

    /// Index of the block's first row, if order and capacity allow the block.
    pub(super) fn check_place(&self, kind: Kind, count: usize) -> Result<usize, RowsError> {
        let first = self.rows.len();
        if count == 0 {
            return Err(RowsError::BadBlock { row: first as u16 });
        }
        if self.rows.last().is_some_and(|last| last.kind.rank() > kind.rank()) {
            return Err(RowsError::OutOfOrder { row: first as u16 });
        }
        if count > NR - first.min(NR) {
            return Err(RowsError::TooManyRows { capacity: NR as u16 });
        }
        Ok(first)
    }

    /// Adds a row, checked and finished.
    #[allow(clippy::too_many_arguments)] // private: the public doors are its only callers
    pub(super) fn add(
        &mut self,
        mass: &MassMatrix<T, NV>,
        input: &RowInput<'_, T, NV>,
        gains: &Gains<T>,
        point: &ImpedancePoint<T>,
        row: usize,
        kind: Kind,
        rule: Rule<T>,
    ) -> Result<(), RowsError> {
        let (reference, regularizer) = finished(mass, input, gains, point, row)?;
        let [jacobian] = input.jacobian.data.0;
        let (stiffness, single) = (T::one() / regularizer, single(&jacobian));
        self.keep(Row { jacobian, reference, regularizer, stiffness, rule, kind, single })
    }

    /// [`Self::friction_loss`] or [`Self::one_sided`] of one dof, from numbers that the model has checked.
    pub(crate) fn add_single(
        &mut self,
        mass: &MassMatrix<T, NV>,
        context: &RowContext<T>,
        softness: &Softness<T>,
        kind: Kind,
        rule: Rule<T>,
        input: &SingleInput<T>,
    ) -> Result<(), RowsError> {
        let row = self.check_place(kind, 1)?;
        let mut gains = softness.reference().gains(softness.impedance(), &context.rules);
        if kind == Kind::JointFriction {
            gains.stiffness = T::zero();
        }
        let SingleInput { dof, entry, residual, velocity, scale } = *input;
        let point = softness.impedance().at(residual);
        let mut jacobian = [T::zero(); NV];
        if let Some(slot) = jacobian.get_mut(dof) {
            *slot = entry;
        }
        // Not up to the dof only: a second half solve would have to fit into the flash of every robot with limits, for a scale few ask for.
        let exact = || mass.inverse_square(&jacobian);
        let motion = [residual, velocity, T::zero()];
        let (reference, regularizer) = settled(mass, motion, scale, exact, &gains, &point, row)?;
        let (stiffness, single) = (T::one() / regularizer, dof as u16);
        self.keep(Row { jacobian, reference, regularizer, stiffness, rule, kind, single })
    }

    /// Takes every row for one of several dofs: the simple way, which the tests hold the short one against.
    #[cfg(test)]
    pub(crate) fn forget_singles(&mut self) {
        for row in &mut self.rows {
            row.single = super::row::SEVERAL;
        }
    }

    pub(super) fn keep_cone(&mut self, block: ConeBlock<T>) -> Result<(), RowsError> {
        self.cones.push(block).map_err(|_| RowsError::TooManyCones { capacity: NC as u16 })
    }

    /// Takes back the last elliptic contact, whose first row this is.
    pub(super) fn forget_cone(&mut self, first: usize) {
        self.cones.pop();
        self.truncate(first);
    }

    pub(super) fn truncate(&mut self, rows: usize) {
        self.rows.truncate(rows);
    }

    /// The rows from this index on.
    pub(super) fn from(&mut self, first: usize) -> &mut [Row<T, NV>] {
        self.rows.get_mut(first..).unwrap_or(&mut [])
    }

    pub(super) fn keep(&mut self, row: Row<T, NV>) -> Result<(), RowsError> {
        self.rows.push(row).map_err(|_| RowsError::TooManyRows { capacity: NR as u16 })
    }
}

/// a_ref and R of a row.
pub(super) fn finished<T: Real, const NV: usize>(
    mass: &MassMatrix<T, NV>,
    input: &RowInput<'_, T, NV>,
    gains: &Gains<T>,
    point: &ImpedancePoint<T>,
    row: usize,
) -> Result<(T, T), RowsError> {
    let [jacobian] = &input.jacobian.data.0;
    if !all_finite(jacobian) {
        return Err(RowsError::NotFinite { row: row as u16 });
    }
    let motion = [input.residual, input.velocity, input.curvature];
    settled(mass, motion, input.scale, || mass.inverse_square(jacobian), gains, point, row)
}

/// The same from residual, J v and J̇ v, for a Jacobian that is finite and has this exact diagonal.
#[inline]
fn settled<T: Real, const NV: usize>(
    mass: &MassMatrix<T, NV>,
    motion: [T; 3],
    scale: DiagonalScale<T>,
    exact: impl FnOnce() -> T,
    gains: &Gains<T>,
    point: &ImpedancePoint<T>,
    row: usize,
) -> Result<(T, T), RowsError> {
    if !all_finite(&motion) {
        return Err(RowsError::NotFinite { row: row as u16 });
    }
    let diagonal = scale.of(mass, exact, row)?;
    let regularizer = point.regularizer(diagonal)?;
    let [residual, velocity, curvature] = motion;
    let reference = reference_acceleration(gains, point, residual, velocity, curvature);
    if !reference.is_finite() || !regularizer.is_finite() {
        return Err(RowsError::NotFinite { row: row as u16 });
    }
    Ok((reference, regularizer))
}

fn check_loss<T: Real>(loss: T, row: usize) -> Result<(), RowsError> {
    if !loss.is_finite() {
        Err(RowsError::NotFinite { row: row as u16 })
    } else if loss < T::zero() {
        Err(RowsError::Negative { row: row as u16 })
    } else {
        Ok(())
    }
}
