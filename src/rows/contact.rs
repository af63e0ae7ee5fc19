//! Contacts with friction: one call makes all rows of a contact, pyramidal or elliptic (S11-20 … S11-24, S12-38 … S12-47).
//!
//! Both take the contact rows of S11-16: the normal first, then the friction directions (two sliding, spin, two rolling), each with
//! its Jacobian and velocity. The residual is that of the normal row. In both the physical coefficients μ bound the force;
//! impratio only says how stiff the friction is.

use super::container::finished;
use super::row::SEVERAL;
use super::{ConeBlock, DiagonalScale, Kind, Row, RowContext, RowInput, Rows, RowsError, Rule};
use crate::cone::elliptic::EllipticCone;
use crate::cone::pyramid::{edge_pair, edge_regularizer};
use crate::mass::MassMatrix;
use crate::scalar::{Real, all_finite, larger, literal};
use crate::softness::{Gains, ImpedancePoint, Reference, ReferenceFormat, Softness, reference_acceleration};
use nalgebra::SVector;

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
        let Some((normal, tangents)) = contact.split_first() else {
            return Err(RowsError::BadBlock { row: first as u16 });
        };
        let gains = softness.reference().gains(softness.impedance(), &context.rules);
        let own =
            friction_reference.filter(|r| r.format() != ReferenceFormat::MixedReplaced && r.solref() != [T::zero(); 2]);
        let sliding = own.map_or(gains, |r| r.gains(softness.impedance(), &context.rules)).velocity_only();
        let point = softness.impedance().at(normal.residual);
        let (reference, regularizer) = finished(mass, normal, &gains, &point, first)?;
        let cone = EllipticCone::new(regularizer, friction, context.impedance_ratio)?;
        self.keep_cone(ConeBlock { first: first as u16, cone })?;
        let (jacobian, kind) = (normal.jacobian.data.0[0], Kind::ContactElliptic);
        let mut result = self.keep(Row {
            jacobian,
            reference,
            regularizer,
            stiffness: T::one() / regularizer,
            rule: Rule::Cone,
            kind,
            single: SEVERAL,
        });
        let regularizers = cone.regularizer().iter().skip(1);
        for ((offset, tangent), regularizer) in tangents.iter().enumerate().zip(regularizers) {
            let row = (first + offset + 1) as u16;
            result = result.and_then(|()| self.tangent(tangent, &sliding, &point, *regularizer, row));
        }
        if result.is_err() {
            self.forget_cone(first); // a refused contact leaves nothing behind
        }
        result
    }

    /// One friction row of an elliptic contact: no position part (S12-38), and a regularizer that the cone knows.
    fn tangent(
        &mut self,
        input: &RowInput<'_, T, NV>,
        gains: &Gains<T>,
        point: &ImpedancePoint<T>,
        regularizer: T,
        row: u16,
    ) -> Result<(), RowsError> {
        let [jacobian] = &input.jacobian.data.0;
        let reference = reference_acceleration(gains, point, T::zero(), input.velocity, input.curvature);
        if !all_finite(jacobian) || !all_finite(&[input.velocity, input.curvature, reference]) {
            return Err(RowsError::NotFinite { row });
        }
        self.keep(Row {
            jacobian: *jacobian,
            reference,
            regularizer,
            stiffness: T::one() / regularizer,
            rule: Rule::Cone,
            kind: Kind::ContactElliptic,
            single: SEVERAL,
        })
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
        let Some((normal, tangents)) = contact.split_first() else {
            return Err(RowsError::BadBlock { row: first as u16 });
        };
        // The cone's constructor knows what μ and impratio may be.
        EllipticCone::new(T::one(), friction, context.impedance_ratio)?;
        let gains = softness.reference().gains(softness.impedance(), &context.rules);
        let result = self.edges(mass, context, softness, &gains, normal, tangents, friction, first);
        if result.is_err() {
            self.truncate(first); // a refused contact leaves nothing behind
        }
        result
    }

    #[allow(clippy::too_many_arguments)] // private: the tail of `pyramid`
    fn edges(
        &mut self,
        mass: &MassMatrix<T, NV>,
        context: &RowContext<T>,
        softness: &Softness<T>,
        gains: &Gains<T>,
        normal: &RowInput<'_, T, NV>,
        tangents: &[RowInput<'_, T, NV>],
        friction: &[T],
        first: usize,
    ) -> Result<(), RowsError> {
        let point = softness.impedance().at(normal.residual);
        let mut common = None;
        let ([n], zero) = (&normal.jacobian.data.0, T::zero());
        for (j, (tangent, mu)) in tangents.iter().zip(friction).enumerate() {
            let [t] = &tangent.jacobian.data.0;
            let mut edges = [[zero; NV]; 2];
            let [plus, minus] = &mut edges;
            edge_pair(n, t, *mu, plus, minus);
            let scale = match (normal.scale, tangent.scale) {
                (DiagonalScale::Given(n), DiagonalScale::Given(t)) => DiagonalScale::Given(n + *mu * *mu * t),
                _ => DiagonalScale::Exact,
            };
            for (side, (edge, sign)) in edges.into_iter().zip([*mu, -*mu]).enumerate() {
                let jacobian = SVector::from_array_storage(nalgebra::ArrayStorage([edge]));
                let edge = RowInput {
                    jacobian: &jacobian,
                    residual: normal.residual,
                    velocity: normal.velocity + sign * tangent.velocity,
                    curvature: normal.curvature + sign * tangent.curvature,
                    // Only the first edge's scale counts.
                    scale: if common.is_none() { scale } else { DiagonalScale::Given(zero) },
                };
                let index = first + 2 * j + side;
                let kind = Kind::ContactPyramidal;
                let (reference, own) = finished(mass, &edge, gains, &point, index)?;
                let sliding = friction.first().copied().unwrap_or(*mu);
                let (regularizer, stiffness) = *common.get_or_insert_with(|| {
                    let regularizer = edge_regularizer(own, sliding, context.impedance_ratio).regularizer;
                    // M vanishes beside Jᵀ J/R where R is but a few roundings of Â: the Hessian is then noise. Softer edges creep
                    // faster, under a friction that is next to nothing.
                    let least = point.diagonal_of(own) * (T::default_epsilon() * literal(4.0));
                    (regularizer, T::one() / larger(regularizer, least))
                });
                if !regularizer.is_finite() {
                    return Err(RowsError::NotFinite { row: index as u16 });
                }
                let [jacobian] = jacobian.data.0;
                let (rule, single) = (Rule::NonNegative, SEVERAL);
                self.keep(Row { jacobian, reference, regularizer, stiffness, rule, kind, single })?;
            }
        }
        Ok(())
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
