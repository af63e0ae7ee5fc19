//! [`Input`]: what acts on a mechanism from outside in one tick.

use nalgebra::SVector;

use super::TickError;
use crate::constraint::{AnchorMotion, Switches};
use crate::forces::Wrench;
use crate::scalar::{Real, all_finite};

/// What acts from outside in one tick.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a, T, const NV: usize> {
    /// Generalized force on each dof \[N or N m\]: motors.
    pub force: SVector<T, NV>,
    /// u of each actuator; where the slice ends, it is zero. A number that is not finite is an error: the engine would set
    /// all of them to zero and go on.
    pub control: &'a [T],
    /// Forces and torques on bodies.
    pub wrenches: &'a [Wrench<T>],
    /// Whether each equality acts; where the slice ends, the description's word counts.
    pub equality_active: &'a [bool],
    /// Anchors of connects that are moved along a path.
    pub anchor_motions: &'a [AnchorMotion<T>],
}

impl<'a, T: Real, const NV: usize> Input<'a, T, NV> {
    /// Nothing acts.
    pub fn none() -> Self {
        Self::force(SVector::from_element(T::zero()))
    }

    /// Only these generalized forces.
    pub fn force(force: SVector<T, NV>) -> Self {
        Self { force, control: &[], wrenches: &[], equality_active: &[], anchor_motions: &[] }
    }

    /// # Errors
    /// [`TickError::Input`], [`TickError::Control`] for the first number that is not finite.
    pub(super) fn check(&self) -> Result<(), TickError> {
        let bad = self.force.iter().position(|f| !f.is_finite());
        let bad = bad.or_else(|| self.wrenches.iter().position(|w| !all_finite(&w.force) || !all_finite(&w.torque)));
        let still =
            |m: &AnchorMotion<T>| all_finite(&m.displacement) && all_finite(&m.velocity) && all_finite(&m.acceleration);
        if let Some(actuator) = self.control.iter().position(|u| !u.is_finite()) {
            return Err(TickError::Control { actuator: actuator as u16 });
        }
        let bad = bad.or_else(|| self.anchor_motions.iter().position(|m| !still(m)));
        bad.map_or(Ok(()), |index| Err(TickError::Input { index: index as u16 }))
    }

    pub(super) fn switches(&self) -> Switches<'a, T> {
        Switches { equality_active: self.equality_active, anchor_motions: self.anchor_motions }
    }
}
