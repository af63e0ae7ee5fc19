//! [`Present`]: which kinds of forces a description has at all.

use crate::description::Description;
use crate::scalar::Real;

/// Which kinds of forces a description has at all, so that no tick asks every joint for what no joint has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Present {
    /// Springs, dampers or gravity compensation.
    pub(crate) passive: bool,
    /// Dampers of joints.
    pub(crate) damping: bool,
    /// Dry friction of joints.
    pub(crate) friction_loss: bool,
}

impl Present {
    pub(super) fn of<T: Real>(description: &Description<'_, T>) -> Self {
        let any = |numbers: &[T]| numbers.iter().any(|x| *x != T::zero());
        let damping = description.joints.iter().any(|joint| any(&joint.damping));
        let springs = description.joints.iter().any(|joint| any(&joint.stiffness));
        let lifted = description.bodies.iter().any(|body| body.gravity_compensation != T::zero());
        let friction_loss = description.joints.iter().any(|joint| joint.friction_loss > T::zero());
        Self { passive: springs || damping || lifted, damping, friction_loss }
    }
}
