//! Springs and dampers of tendons.

use nalgebra::SVector;

use super::Damper;
use super::passive::{stiffness, stored};
use crate::kinematics::{Kinematics, Tree};
use crate::scalar::{Real, add_scaled, dot};
use crate::tendon::{TendonConstants, jacobian, length};

/// How far a length is outside the band in which the spring is slack, signed.
fn deflection<T: Real>(length: T, [low, high]: [T; 2]) -> T {
    if length > high {
        length - high
    } else if length < low {
        length - low
    } else {
        T::zero()
    }
}

/// Adds Jᵀ (spring + damper) of all tendons to a generalized force, by the flags of the description.
#[inline(never)] // its row is on the stack only where there are tendons
pub fn add_tendon_forces<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    constants: &[TendonConstants<T>],
    configuration: &[T; NQ],
    velocity: &SVector<T, NV>,
    force: &mut SVector<T, NV>,
) {
    let flags = &tree.description.options.flags;
    let mut row = SVector::from_element(T::zero());
    for (tendon, constants) in tree.description.tendons.iter().zip(constants) {
        let damper = Damper(tendon.damping);
        let spring = flags.spring && tendon.stiffness.iter().any(|k| *k != T::zero());
        let damped = flags.damper && !damper.is_zero();
        if !spring && !damped {
            continue;
        }
        jacobian(tree, kinematics, tendon, &mut row);
        let mut along = T::zero();
        if spring {
            let x = deflection(length(tree, kinematics, configuration, tendon), constants.spring_length);
            along -= stiffness(tendon.stiffness, x) * x;
        }
        if damped {
            along += damper.force(dot(row.as_slice(), velocity.as_slice()));
        }
        add_scaled(force.as_mut_slice(), along, row.as_slice());
    }
}

/// Adds `scale` · Jᵀ (b + 2 b₁ |L'| + 3 b₂ L'²) J of all dampers of tendons to a matrix: minus the derivative of their force by the
/// velocity. Entries between branches are there.
#[inline(never)]
pub fn add_tendon_damping<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    velocity: &SVector<T, NV>,
    scale: T,
    rows: &mut [[T; NV]; NV],
) {
    if !tree.description.options.flags.damper {
        return;
    }
    let mut row = SVector::from_element(T::zero());
    for tendon in tree.description.tendons {
        let damper = Damper(tendon.damping);
        if damper.is_zero() {
            continue;
        }
        jacobian(tree, kinematics, tendon, &mut row);
        let slope = damper.slope(dot(row.as_slice(), velocity.as_slice()));
        add_outer(rows, 0, scale * slope, row.as_slice());
    }
}

/// rows ← rows + scale · xᵀ x, x being the entries from `first` on.
pub(super) fn add_outer<T: Real, const NV: usize>(rows: &mut [[T; NV]; NV], first: usize, scale: T, x: &[T]) {
    for (row, entry) in rows.iter_mut().skip(first).zip(x) {
        if *entry != T::zero() {
            add_scaled(row.get_mut(first..).unwrap_or(&mut []), scale * *entry, x);
        }
    }
}

/// What the tendons' springs store \[J\], at a placed configuration.
pub fn tendon_spring_energy<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    constants: &[TendonConstants<T>],
    configuration: &[T; NQ],
) -> T {
    let mut sum = T::zero();
    if !tree.description.options.flags.spring {
        return sum;
    }
    for (tendon, constants) in tree.description.tendons.iter().zip(constants) {
        let x = deflection(length(tree, kinematics, configuration, tendon), constants.spring_length);
        sum += stored(tendon.stiffness, x);
    }
    sum
}
