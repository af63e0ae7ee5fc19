//! [`Scene`]: what every kind of constraint reads, and the verbs that they share.

use nalgebra::{SVector, Vector3};

use super::{Hooks, RowFact};
use crate::description::{SoftnessNumbers, Uses};
use crate::kinematics::Kinematics;
use crate::mass::MassMatrix;
use crate::model::{Model, Smooth};
use crate::rows::{DiagonalScale, Kind, RowContext, RowInput, Rows, RowsError};
use crate::scalar::{Real, dot};
use crate::softness::Softness;
use crate::spatial::Transform;

/// Dense mode of the engine ends here: from this many dofs on, a block with a zero Jacobian keeps its rows, unless no dof
/// moves either body.
const SPARSE_FROM: usize = 60;

/// A second anchor that is moved along a given path relative to its body: displacement, velocity and acceleration in world axes.
///
/// The row then asks J a = −J̇v + s″ instead of −J̇v (S07-35, S07-36).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnchorMotion<T> {
    /// Index of the equality, a connect.
    pub equality: u16,
    /// s \[m\], added to the second anchor.
    pub displacement: [T; 3],
    /// s' \[m/s\]
    pub velocity: [T; 3],
    /// s″ \[m/s²\]
    pub acceleration: [T; 3],
}

/// A model in a state, with everything that rows are made from.
pub struct Scene<
    'a,
    'm,
    T,
    const NB: usize,
    const NQ: usize,
    const NV: usize,
    const U: u32 = { Uses::EVERYTHING.bits() },
> {
    /// The model.
    pub model: &'a Model<'m, T, NB, NQ, NV, U>,
    /// Frames, axes and velocities of the state.
    pub kinematics: &'a Kinematics<T, NB, NV>,
    /// M, factored.
    pub mass: &'a MassMatrix<T, NV>,
    /// q.
    pub configuration: &'a [T; NQ],
    /// v.
    pub velocity: &'a SVector<T, NV>,
    /// Step, refsafe and impratio.
    pub context: RowContext<T>,
}

/// One side of an equality between bodies: a body and a frame on it.
#[derive(Clone, Copy)]
pub(super) struct Side<T> {
    pub(super) body: Option<u16>,
    /// Pose of the anchor in the body's frame.
    pub(super) anchor: Transform<T>,
}

impl<'a, 'm, T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32> Scene<'a, 'm, T, NB, NQ, NV, U> {
    /// Of a placed and moving mechanism with its mass matrix.
    pub fn new(
        model: &'a Model<'m, T, NB, NQ, NV, U>,
        smooth: &'a Smooth<T, NB, NV>,
        configuration: &'a [T; NQ],
        velocity: &'a SVector<T, NV>,
    ) -> Self {
        let options = &model.description().options;
        let mut context = RowContext::new(options.step);
        context.rules.refsafe = options.flags.refsafe;
        context.impedance_ratio = options.impedance_ratio;
        let (kinematics, mass) = (smooth.kinematics(), smooth.mass());
        Self { model, kinematics, mass, configuration, velocity, context }
    }

    /// J v.
    pub fn velocity_of(&self, jacobian: &SVector<T, NV>) -> T {
        dot(jacobian.as_slice(), self.velocity.as_slice())
    }

    /// J v of a J with a single entry, with the bits of the sum over all.
    pub(super) fn velocity_along(&self, dof: usize, entry: T) -> T {
        T::zero() + entry * self.velocity.get(dof).copied().unwrap_or(T::zero())
    }

    /// The scale of a regularizer: the approximation given, or the exact diagonal where the model asks for it (S11-36).
    pub fn scale(&self, approximation: T) -> DiagonalScale<T> {
        if self.model.description().options.flags.exact_diagonal {
            DiagonalScale::Exact
        } else {
            DiagonalScale::Given(approximation)
        }
    }

    /// J of one axis-aligned world component difference: velocity of the first side's point minus that of the second's (S11-43),
    /// and the same for the angular velocities if `ANGULAR`, which are zero otherwise.
    pub(super) fn difference<const ANGULAR: bool>(
        &self,
        first: (Option<u16>, &Vector3<T>),
        second: (Option<u16>, &Vector3<T>),
    ) -> [[SVector<T, NV>; 3]; 2] {
        let zero = SVector::from_element(T::zero());
        let mut jacobian = [[zero; 3]; 2];
        for ((body, point), sign) in [(first, T::one()), (second, -T::one())] {
            for (k, dof) in self.model.tree().chain(body) {
                let (linear, angular) = self.kinematics.column(k, dof.translates_stated::<U>(), point);
                if k < NV {
                    for axis in 0..3 {
                        jacobian[0][axis][k] += sign * linear[axis];
                        if ANGULAR {
                            jacobian[1][axis][k] += sign * angular[axis];
                        }
                    }
                }
            }
        }
        jacobian
    }

    /// Whether a block between two bodies gets no rows because nothing can move it.
    pub(super) fn is_idle(&self, bodies: [Option<u16>; 2], jacobian: &[SVector<T, NV>]) -> bool {
        if !bodies.into_iter().any(|body| self.model.tree().moves(body)) {
            return true;
        }
        self.model.dof_count() < SPARSE_FROM && jacobian.iter().all(|row| row.iter().all(|x| *x == T::zero()))
    }

    /// The sites' bodies and frames.
    pub(super) fn sites(&self, sites: [u16; 2]) -> Option<[Side<T>; 2]> {
        let [a, b] = sites.map(|site| self.model.description().sites.get(usize::from(site)));
        let side = |site: &crate::description::Site<T>| Side {
            body: site.body,
            anchor: Transform {
                position: Vector3::from(site.position),
                orientation: crate::spatial::Quaternion(site.orientation),
            },
        };
        Some([side(a?), side(b?)])
    }

    /// A group of equality rows that share one impedance, and its facts.
    pub(super) fn push_equality<H, const N: usize, const NR: usize, const NC: usize>(
        &self,
        softness: &SoftnessNumbers<T>,
        group: &[RowInput<'_, T, NV>; N],
        rows: &mut Rows<T, NV, NR, NC>,
        hooks: &mut H,
    ) -> Result<(), RowsError>
    where
        H: Hooks<T, NB, NQ, NV, NR, NC, U>,
    {
        let softness = read(softness);
        rows.equality(self.mass, &self.context, &softness, group)?;
        if H::WATCHES {
            let residuals = group.map(|input| input.residual);
            // The length of several residuals has no sign; a single one has, and so has the slope there.
            let impedance = match &residuals[..] {
                [residual] => softness.impedance().at(*residual),
                _ => softness.impedance().at_norm(&residuals),
            };
            for input in group {
                hooks.fact(&RowFact {
                    position: input.residual,
                    margin: T::zero(),
                    velocity: input.velocity,
                    gains: softness.gains(&self.context.rules),
                    impedance,
                });
            }
        }
        Ok(())
    }

    /// A one-sided row at `position`, which is below `margin`, and its fact.
    #[allow(clippy::too_many_arguments)] // what a limit is made of
    pub(super) fn push_one_sided<H, const NR: usize, const NC: usize>(
        &self,
        kind: Kind,
        softness: &SoftnessNumbers<T>,
        jacobian: &SVector<T, NV>,
        position: T,
        margin: T,
        approximation: T,
        rows: &mut Rows<T, NV, NR, NC>,
        hooks: &mut H,
    ) -> Result<(), RowsError>
    where
        H: Hooks<T, NB, NQ, NV, NR, NC, U>,
    {
        let softness = read(softness);
        let velocity = self.velocity_of(jacobian);
        let scale = self.scale(approximation);
        let input = RowInput { jacobian, residual: position - margin, velocity, curvature: T::zero(), scale };
        rows.one_sided(self.mass, &self.context, &softness, kind, &input)?;
        if H::WATCHES {
            hooks.fact(&RowFact {
                position,
                margin,
                velocity,
                gains: softness.gains(&self.context.rules),
                impedance: softness.impedance().at(position - margin),
            });
        }
        Ok(())
    }
}

/// A softness whose numbers the model has checked.
#[inline(never)]
pub(super) fn read<T: Real>(numbers: &SoftnessNumbers<T>) -> Softness<T> {
    Softness::from_finite(numbers.solref, numbers.solimp)
}
