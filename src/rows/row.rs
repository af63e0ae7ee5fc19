//! One row: what the caller gives ([`RowInput`], [`RowContext`]) and what a solver reads ([`Row`], [`Kind`], [`Rule`]).

use nalgebra::SVector;

use super::RowsError;
use crate::cone::elliptic::EllipticCone;
use crate::mass::MassMatrix;
use crate::scalar::{Real, dot};
use crate::softness::StepRules;

/// What a row stands for. The order of the variants is the order of the rows (S11-39); contacts of all kinds mix freely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Kind {
    /// A residual kept at zero by a force of either sign.
    Equality,
    /// Dry friction of a joint.
    JointFriction,
    /// Dry friction of a tendon.
    TendonFriction,
    /// A joint's limit, a virtual wall.
    JointLimit,
    /// A tendon's limit.
    TendonLimit,
    /// A contact without friction, condim 1.
    ContactFrictionless,
    /// One edge of a contact with a pyramidal friction cone.
    ContactPyramidal,
    /// One row of a contact with an elliptic friction cone: the normal, then the friction directions.
    ContactElliptic,
}

impl Kind {
    /// Place in the order of rows: a block may not follow one of a higher rank.
    pub(crate) fn rank(self) -> u8 {
        match self {
            Self::Equality => 0,
            Self::JointFriction => 1,
            Self::TendonFriction => 2,
            Self::JointLimit => 3,
            Self::TendonLimit => 4,
            Self::ContactFrictionless | Self::ContactPyramidal | Self::ContactElliptic => 5,
        }
    }
}

/// Which forces a row may have (S11-40, S15-19).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Rule<T> {
    /// Any force: equalities.
    Free,
    /// A force in [−loss, loss]: dry friction. Unit of the row's force: N or N m.
    Interval {
        /// Largest magnitude, not negative.
        loss: T,
    },
    /// A force that is not negative: limits, frictionless contacts, pyramid edges.
    NonNegative,
    /// Decided by the block that the row belongs to: see [`ConeBlock`].
    Cone,
}

/// An elliptic contact among the rows: which rows, and the cone that their forces share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConeBlock<T> {
    pub(crate) first: u16,
    pub(crate) cone: EllipticCone<T>,
}

impl<T: Real> ConeBlock<T> {
    /// Index of the normal row; the friction rows follow it.
    pub fn first_row(&self) -> usize {
        usize::from(self.first)
    }

    /// Friction coefficients, regularizers and dimension.
    pub fn cone(&self) -> &EllipticCone<T> {
        &self.cone
    }

    /// The rows of the block.
    #[inline(always)]
    pub(crate) fn range(&self) -> core::ops::Range<usize> {
        let first = usize::from(self.first);
        first..first + self.cone.dimension()
    }
}

/// A finished row.
#[derive(Clone, Copy, Debug)]
pub struct Row<T, const NV: usize> {
    /// J: the residual's velocity per unit of each generalized velocity.
    pub(crate) jacobian: [T; NV],
    /// a_ref, the acceleration that the row wants.
    pub(crate) reference: T,
    /// R ≥ 0, compliance: acceleration that the row gives up per unit of force.
    pub(crate) regularizer: T,
    /// 1/R as the primal methods take it: of a pyramid's edge no more than the precision can tell from a hard row.
    pub(crate) stiffness: T,
    pub(crate) rule: Rule<T>,
    pub(crate) kind: Kind,
    /// The dof that the row feels, where that is known to be a single one; else [`SEVERAL`].
    pub(crate) single: u16,
}

/// In place of a row's single dof: several, or not looked for. As no index of a dof is as large, what asks an array for it gets none.
pub(crate) const SEVERAL: u16 = u16::MAX;

/// Up to as many dofs a sum over all is as short as the way to the single one.
pub(super) const FEW: usize = 3;

/// The dof of the only entry that is not zero, or [`SEVERAL`].
pub(super) fn single<T: Real, const NV: usize>(jacobian: &[T; NV]) -> u16 {
    let mut found = SEVERAL;
    if NV <= FEW {
        return found;
    }
    for (k, entry) in jacobian.iter().enumerate() {
        if *entry != T::zero() {
            if found != SEVERAL {
                return SEVERAL;
            }
            found = k as u16;
        }
    }
    found
}

impl<T: Real, const NV: usize> Row<T, NV> {
    /// The single dof that the row feels and J there; of few dofs all are taken, sooner than this is asked.
    #[inline(always)]
    pub(crate) fn single(&self) -> Option<(usize, T)> {
        if NV <= FEW {
            return None;
        }
        let k = usize::from(self.single);
        self.jacobian.get(k).map(|entry| (k, *entry))
    }

    /// The dof behind which J is zero, where the row feels a single one.
    #[inline(always)]
    pub(crate) fn last(&self) -> Option<usize> {
        self.single().map(|(k, _)| k)
    }

    /// Σ |J_k x_k|, the size of what J x is the sum of, added to `size`.
    #[inline(always)]
    pub(crate) fn add_size(&self, size: T, x: &[T; NV]) -> T {
        let mut sum = size;
        match self.single() {
            Some((k, entry)) => sum += (entry * x.get(k).copied().unwrap_or(T::zero())).abs(),
            None => {
                for (j, x) in self.jacobian.iter().zip(x) {
                    sum += (*j * *x).abs();
                }
            }
        }
        sum
    }

    /// J x: of a single entry, with the bits of the sum over all, which begins with +0.
    #[inline(always)]
    pub(crate) fn times(&self, x: &[T; NV]) -> T {
        match self.single() {
            Some((k, entry)) => T::zero() + entry * x.get(k).copied().unwrap_or(T::zero()),
            None => dot(&self.jacobian, x),
        }
    }

    /// J, NV numbers: r' = J v (S11-08), and Jᵀ f is the generalized force (S11-25).
    pub fn jacobian(&self) -> &[T; NV] {
        &self.jacobian
    }
    /// Reference acceleration a_ref, in the unit of the residual per s² (S12-03).
    pub fn reference(&self) -> T {
        self.reference
    }
    /// Regularizer R, for a translation row in 1/kg (S12-06). Zero stands for the floor 1e-15 on the dual side.
    pub fn regularizer(&self) -> T {
        self.regularizer
    }
    /// Which forces the row may have.
    pub fn rule(&self) -> Rule<T> {
        self.rule
    }
    /// What the row stands for.
    pub fn kind(&self) -> Kind {
        self.kind
    }
}

/// What all rows of one tick share.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RowContext<T> {
    /// Time step and the rules that lift a time constant which is too short for it (S12-24).
    pub rules: StepRules<T>,
    /// impratio > 0: how much stiffer friction rows are than normal rows (S12-41); does not change what friction can hold.
    pub impedance_ratio: T,
}

impl<T: Real> RowContext<T> {
    /// The engine's usual rules at this time step \[s\]: refsafe on, impratio 1.
    pub fn new(step: T) -> Self {
        Self { rules: StepRules::new(step), impedance_ratio: T::one() }
    }
}

/// The scale Â of a row's regularizer R = (1 − d)/d Â (S12-12, S12-14): inverse inertia that the row is taken to feel.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum DiagonalScale<T> {
    /// Â = J M⁻¹ Jᵀ from the mass matrix: the impedance d then is the real weight of the target for an independent row (S12-15).
    Exact,
    /// A scale computed elsewhere, ≥ 0: the engine's approximation from inverse body weights, for instance.
    Given(T),
}

impl<T: Real> DiagonalScale<T> {
    /// Â of the row of this index, whose J M⁻¹ Jᵀ is `exact`.
    #[inline]
    pub(super) fn of<const NV: usize>(
        &self,
        mass: &MassMatrix<T, NV>,
        exact: impl FnOnce() -> T,
        row: usize,
    ) -> Result<T, RowsError> {
        match *self {
            Self::Given(scale) if !scale.is_finite() => Err(RowsError::NotFinite { row: row as u16 }),
            Self::Given(scale) if !(scale >= T::zero()) => Err(RowsError::Negative { row: row as u16 }),
            Self::Given(scale) => Ok(scale),
            Self::Exact => {
                mass.check_ready()?;
                Ok(exact())
            }
        }
    }
}

/// What the caller knows of a row.
#[derive(Clone, Copy, Debug)]
pub struct RowInput<'a, T, const NV: usize> {
    /// J, NV numbers: residual velocity per unit of generalized velocity.
    pub jacobian: &'a SVector<T, NV>,
    /// Residual r, positive on the allowed side, margin already subtracted (S11-02) \[m or rad\].
    pub residual: T,
    /// J v \[m/s or rad/s\].
    pub velocity: T,
    /// J̇ v, the part of r'' that does not come from the acceleration (S11-10) \[m/s² or rad/s²\].
    pub curvature: T,
    /// Scale of the regularizer.
    pub scale: DiagonalScale<T>,
}

/// What a joint's own constraint knows of its row: [`RowInput`] where J has a single entry and nothing curves.
#[derive(Clone, Copy)]
pub(crate) struct SingleInput<T> {
    /// The dof and J there, finite.
    pub(crate) dof: usize,
    pub(crate) entry: T,
    pub(crate) residual: T,
    /// J v.
    pub(crate) velocity: T,
    pub(crate) scale: DiagonalScale<T>,
}

impl<'a, T: Real, const NV: usize> RowInput<'a, T, NV> {
    /// A row without curvature whose regularizer is scaled by the exact diagonal.
    pub fn new(jacobian: &'a SVector<T, NV>, residual: T, velocity: T) -> Self {
        Self { jacobian, residual, velocity, curvature: T::zero(), scale: DiagonalScale::Exact }
    }
}
