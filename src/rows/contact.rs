//! Contacts with friction: one call makes all rows of a contact, pyramidal or elliptic (S11-20 … S11-24, S12-38 … S12-47).
//!
//! Both take the contact rows of S11-16: the normal first, then the friction directions (two sliding, spin, two rolling), each with
//! its Jacobian and velocity. The residual is that of the normal row. In both the physical coefficients μ bound the force;
//! impratio only says how stiff the friction is.
//!
//! The rows are finished where they stand: first blank ones, then whoever knows J writes it, then the numbers follow. Nothing is
//! copied, and a J along a chain of few dofs costs only those.

use super::row::SEVERAL;
use super::{ConeBlock, ContactLaw, DiagonalScale, Kind, Row, RowContext, RowInput, Rows, RowsError, Rule};
use crate::cone::DIMENSION;
use crate::cone::elliptic::EllipticCone;
use crate::cone::pyramid::edge_pair;
use crate::mass::MassMatrix;
use crate::scalar::{Real, all_finite, larger, literal};
use crate::softness::{Reference, Softness};
use nalgebra::SVector;

/// What is known of a contact beside J and its [`ContactLaw`].
pub(crate) struct ContactInput<T> {
    /// Contact rows: 2, 3, 4 or 6.
    pub(crate) dimension: usize,
    /// Residual of the normal row.
    pub(crate) residual: T,
    /// Scale of the regularizer of the normal row, of a pyramid's first edge.
    pub(crate) scale: DiagonalScale<T>,
}

impl<T: Real, const NV: usize, const NR: usize, const NC: usize> Rows<T, NV, NR, NC> {
    /// Adds an elliptic contact: `contact` holds the normal row and one row a friction direction, `friction` one μ > 0 a direction.
    ///
    /// R of the normal is (1 − d)/d Â; the friction rows' own scales do not count, their R follows from μ and impratio (S12-43).
    /// The friction rows have no position part (S12-38); `friction_reference` is solreffriction: it replaces the contact's
    /// damping for them unless it is (0, 0) or of mixed format (S12-39).
    ///
    /// A soft contact that sticks creeps: under a steady tangential load F < μ N it slides at the speed at which damping and
    /// softness balance, u = R_t F/B with R_t = (1 − d)/d · Â/impratio for the first direction and B the damping of the friction
    /// rows (S12-10, S12-38, S12-43). In direction j it is (μ_1/μ_j)² times that. Raise impratio to slow it down: ten times the
    /// ratio, a tenth of the creep.
    ///
    /// # Errors
    /// As [`Self::equality`]; [`RowsError::TooManyCones`]; [`RowsError::BadBlock`] unless there are 2, 3, 4 or 6 rows and one μ less; [`RowsError::Cone`] for an
    /// impossible μ or impratio.
    #[allow(clippy::too_many_arguments)] // what a contact is made of
    pub fn elliptic(
        &mut self,
        mass: &MassMatrix<T, NV>,
        context: &RowContext<T>,
        softness: &Softness<T>,
        friction_reference: Option<&Reference<T>>,
        contact: &[RowInput<'_, T, NV>],
        friction: &[T],
    ) -> Result<(), RowsError> {
        let first = self.check_contact(Kind::ContactElliptic, contact.len(), friction.len(), contact.len())?;
        let input = read(first, contact)?;
        let law = ContactLaw::elliptic(context, softness, friction_reference, friction)?;
        self.add_elliptic(mass, &law, &input, |rows| {
            for (row, input) in rows.iter_mut().zip(contact) {
                [row.jacobian] = input.jacobian.data.0;
            }
            velocities(contact)
        })?;
        let bent = self.bend(first, contact.iter().map(|input| input.curvature));
        if bent.is_err() {
            self.forget_cone(first); // a refused contact leaves nothing behind
        }
        bent
    }

    /// [`Self::elliptic`] of a contact whose J `fill` writes, one row a contact row, all zero before; it returns J v.
    ///
    /// J is finite where J v is.
    #[inline(always)]
    pub(crate) fn add_elliptic(
        &mut self,
        mass: &MassMatrix<T, NV>,
        law: &ContactLaw<T>,
        input: &ContactInput<T>,
        fill: impl FnOnce(&mut [Row<T, NV>]) -> [T; DIMENSION],
    ) -> Result<(), RowsError> {
        let kind = Kind::ContactElliptic;
        let first = self.open(kind, input.dimension, Rule::Cone)?;
        let velocity = fill(self.from(first));
        let result = self.finish_elliptic(mass, law, input, &velocity, first);
        if result.is_err() {
            self.truncate(first); // a refused contact leaves nothing behind
        }
        result
    }

    fn finish_elliptic(
        &mut self,
        mass: &MassMatrix<T, NV>,
        law: &ContactLaw<T>,
        input: &ContactInput<T>,
        velocity: &[T; DIMENSION],
        first: usize,
    ) -> Result<(), RowsError> {
        let point = law.softness.impedance().at(input.residual);
        let rows = self.from(first);
        let Some(normal) = rows.first() else { return Ok(()) };
        let regularizer =
            point.regularizer(input.scale.of(mass, || mass.inverse_square(&normal.jacobian), first)?)?;
        let cone = law.shape.block(regularizer)?;
        // The position part of the normal row; friction has none (S12-38).
        let mut position = law.gains.stiffness * point.value() * input.residual;
        let mut damping = law.gains.damping;
        for (offset, ((row, u), regularizer)) in rows.iter_mut().zip(velocity).zip(cone.regularizer()).enumerate() {
            let reference = -damping * *u - position;
            if !(reference.is_finite() && u.is_finite()) {
                return Err(RowsError::NotFinite { row: (first + offset) as u16 });
            }
            (row.reference, row.regularizer, row.stiffness) = (reference, *regularizer, T::one() / *regularizer);
            (position, damping) = (T::zero(), law.sliding.damping);
        }
        self.keep_cone(ConeBlock { first: first as u16, cone })
    }

    /// Adds an elliptic contact whose reference accelerations the caller has already; R of the normal row > 0, the others follow.
    ///
    /// # Errors
    /// As [`Self::elliptic`].
    pub fn finished_elliptic(
        &mut self,
        jacobian: &[SVector<T, NV>],
        reference: &[T],
        normal_regularizer: T,
        friction: &[T],
        impedance_ratio: T,
    ) -> Result<(), RowsError> {
        let count = jacobian.len();
        let first = self.check_contact(Kind::ContactElliptic, count, friction.len(), count)?;
        if reference.len() != count {
            return Err(RowsError::BadBlock { row: first as u16 });
        }
        let mut references = [T::zero(); 6];
        let mut jacobians = [[T::zero(); NV]; 6];
        for (offset, (j, a)) in jacobian.iter().zip(reference).enumerate() {
            if !all_finite(j.as_slice()) || !a.is_finite() {
                return Err(RowsError::NotFinite { row: (first + offset) as u16 });
            }
            if let (Some(to_a), Some(to_j)) = (references.get_mut(offset), jacobians.get_mut(offset)) {
                [*to_j] = j.data.0;
                *to_a = *a;
            }
        }
        let cone = EllipticCone::new(normal_regularizer, friction, impedance_ratio)?;
        self.keep_block(first, cone, &jacobians, &references)
    }

    /// Adds a pyramidal contact: two edges J_n ± μ_j J_j a friction direction (S11-21), all with one regularizer (S12-44).
    ///
    /// Every edge carries the normal's residual and position part (S12-40). The base regularizer is that of the first edge, whose
    /// scale is J M⁻¹ Jᵀ of that edge, or Â_n + μ_1² Â_t where both are given (S11-34).
    ///
    /// A pyramid that sticks, all edges pushing, creeps along direction 1 at u = R_0 F/(B impratio) with R_0 = (1 − d)/d times the
    /// scale of that edge; in direction j, (μ_1/μ_j)² times that. The primal methods take an edge as no harder than 4 roundings of that
    /// scale: in `f32`, below a friction of 1.5e-3, it creeps faster than so.
    ///
    /// # Errors
    /// As [`Self::elliptic`].
    pub fn pyramid(
        &mut self,
        mass: &MassMatrix<T, NV>,
        context: &RowContext<T>,
        softness: &Softness<T>,
        contact: &[RowInput<'_, T, NV>],
        friction: &[T],
    ) -> Result<(), RowsError> {
        let count = 2 * contact.len().saturating_sub(1);
        let first = self.check_contact(Kind::ContactPyramidal, contact.len(), friction.len(), count)?;
        let mut input = read(first, contact)?;
        let law = ContactLaw::pyramidal(context, softness, friction)?;
        if let [normal, tangent, ..] = contact {
            input.scale = law.edge_scale(normal.scale, tangent.scale);
        }
        self.add_pyramid(mass, &law, &input, |edges| {
            let [n, tangents @ ..] = contact else { return [T::zero(); DIMENSION] };
            for ((pair, tangent), mu) in edges.chunks_exact_mut(2).zip(tangents).zip(friction) {
                if let [plus, minus] = pair {
                    edge_pair(
                        &n.jacobian.data.0[0],
                        &tangent.jacobian.data.0[0],
                        *mu,
                        &mut plus.jacobian,
                        &mut minus.jacobian,
                    );
                }
            }
            velocities(contact)
        })?;
        let [normal, tangents @ ..] = contact else { return Ok(()) };
        let edges = tangents.iter().zip(friction).flat_map(|(tangent, mu)| {
            let step = *mu * tangent.curvature;
            [normal.curvature + step, normal.curvature - step]
        });
        let bent = self.bend(first, edges);
        if bent.is_err() {
            self.truncate(first); // a refused contact leaves nothing behind
        }
        bent
    }

    /// Takes J̇ v off the reference accelerations of the rows from `first` on (S12-05).
    fn bend(&mut self, first: usize, curvature: impl Iterator<Item = T>) -> Result<(), RowsError> {
        for (offset, (row, c)) in self.from(first).iter_mut().zip(curvature).enumerate() {
            row.reference -= c;
            if !row.reference.is_finite() {
                return Err(RowsError::NotFinite { row: (first + offset) as u16 });
            }
        }
        Ok(())
    }

    /// [`Self::pyramid`] of a contact whose edges' J `fill` writes (S11-21), all zero before; it returns J v of the contact rows.
    ///
    /// J is finite where J v is.
    #[inline(always)]
    pub(crate) fn add_pyramid(
        &mut self,
        mass: &MassMatrix<T, NV>,
        law: &ContactLaw<T>,
        input: &ContactInput<T>,
        fill: impl FnOnce(&mut [Row<T, NV>]) -> [T; DIMENSION],
    ) -> Result<(), RowsError> {
        let count = 2 * input.dimension.saturating_sub(1);
        let first = self.open(Kind::ContactPyramidal, count, Rule::NonNegative)?;
        let velocity = fill(self.from(first));
        let result = self.finish_edges(mass, law, input, &velocity, first);
        if result.is_err() {
            self.truncate(first); // a refused contact leaves nothing behind
        }
        result
    }

    fn finish_edges(
        &mut self,
        mass: &MassMatrix<T, NV>,
        law: &ContactLaw<T>,
        input: &ContactInput<T>,
        velocity: &[T; DIMENSION],
        first: usize,
    ) -> Result<(), RowsError> {
        let point = law.softness.impedance().at(input.residual);
        let rows = self.from(first);
        let Some(edge) = rows.first() else { return Ok(()) };
        let own = point.regularizer(input.scale.of(mass, || mass.inverse_square(&edge.jacobian), first)?)?;
        let regularizer = law.shape.edge_regularizer(own);
        // M vanishes beside Jᵀ J/R where R is but a few roundings of Â: the Hessian is then noise. Softer edges creep
        // faster, under a friction that is next to nothing.
        let least = point.diagonal_of(own) * (T::default_epsilon() * literal(4.0));
        let stiffness = T::one() / larger(regularizer, least);
        let position = law.gains.stiffness * point.value() * input.residual;
        let [normal, tangents @ ..] = velocity;
        for (j, ((pair, u), mu)) in rows.chunks_exact_mut(2).zip(tangents).zip(law.shape.friction()).enumerate() {
            for (side, (row, sign)) in pair.iter_mut().zip([*mu, -*mu]).enumerate() {
                let u = *normal + sign * *u;
                let reference = -law.gains.damping * u - position;
                if !(reference.is_finite() && u.is_finite() && regularizer.is_finite()) {
                    return Err(RowsError::NotFinite { row: (first + 2 * j + side) as u16 });
                }
                (row.reference, row.regularizer, row.stiffness) = (reference, regularizer, stiffness);
            }
        }
        Ok(())
    }

    /// Adds `count` rows without numbers; the index of the first.
    fn open(&mut self, kind: Kind, count: usize, rule: Rule<T>) -> Result<usize, RowsError> {
        let first = self.check_place(kind, count)?;
        let zero = T::zero();
        for _ in 0..count {
            self.keep(Row {
                jacobian: [zero; NV],
                reference: zero,
                regularizer: zero,
                stiffness: zero,
                rule,
                kind,
                single: SEVERAL,
            })?;
        }
        Ok(first)
    }

    /// Place and sizes of a contact of `contact` contact rows that takes `count` rows.
    fn check_contact(&self, kind: Kind, contact: usize, friction: usize, count: usize) -> Result<usize, RowsError> {
        let first = self.check_place(kind, count)?;
        if !matches!(contact, 2 | 3 | 4 | 6) || friction + 1 != contact {
            return Err(RowsError::BadBlock { row: first as u16 });
        }
        Ok(first)
    }

    fn keep_block(
        &mut self,
        first: usize,
        cone: EllipticCone<T>,
        jacobians: &[[T; NV]; 6],
        references: &[T; 6],
    ) -> Result<(), RowsError> {
        self.keep_cone(ConeBlock { first: first as u16, cone })?;
        for ((jacobian, reference), regularizer) in jacobians.iter().zip(references).zip(cone.regularizer()) {
            self.keep(Row {
                jacobian: *jacobian,
                reference: *reference,
                regularizer: *regularizer,
                stiffness: T::one() / *regularizer,
                rule: Rule::Cone,
                kind: Kind::ContactElliptic,
                single: SEVERAL,
            })?;
        }
        Ok(())
    }
}

/// What a contact's inputs say beside J, all numbers checked.
fn read<T: Real, const NV: usize>(first: usize, contact: &[RowInput<'_, T, NV>]) -> Result<ContactInput<T>, RowsError> {
    for (offset, input) in contact.iter().enumerate() {
        let [jacobian] = &input.jacobian.data.0;
        if !all_finite(jacobian) || !all_finite(&[input.residual, input.velocity, input.curvature]) {
            return Err(RowsError::NotFinite { row: (first + offset) as u16 });
        }
    }
    let Some(normal) = contact.first() else { return Err(RowsError::BadBlock { row: first as u16 }) };
    Ok(ContactInput { dimension: contact.len(), residual: normal.residual, scale: normal.scale })
}

fn velocities<T: Real, const NV: usize>(contact: &[RowInput<'_, T, NV>]) -> [T; DIMENSION] {
    let mut velocity = [T::zero(); DIMENSION];
    for (u, input) in velocity.iter_mut().zip(contact) {
        *u = input.velocity;
    }
    velocity
}
