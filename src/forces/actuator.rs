//! Actuators: force = gain · u + bias along a joint or tendon.

use nalgebra::{SVector, Vector3};

use super::passive::add_gravity_compensation;
use super::tendon::add_outer;
use crate::description::{Actuator, JointKind, Transmission, Uses};
use crate::kinematics::{Kinematics, Tree};
use crate::scalar::{Real, add_scaled, clamp, dot};
use crate::spatial::{Quaternion, inner};
use crate::tendon::{jacobian, length};

/// What actuators act on: a mechanism in a state.
#[derive(Clone, Copy, Debug)]
pub struct Actuation<'a, 'm, T, const NB: usize, const NQ: usize, const NV: usize> {
    /// The mechanism.
    pub tree: &'a Tree<'m, T, NB, NQ, NV>,
    /// Its frames.
    pub kinematics: &'a Kinematics<T, NB, NV>,
    /// q.
    pub configuration: &'a [T; NQ],
    /// v.
    pub velocity: &'a SVector<T, NV>,
    /// u, an entry an actuator; what is missing is zero.
    pub control: &'a [T],
}

/// Force before the gear, and its derivative by the actuator's velocity.
struct Drive<T> {
    force: T,
    slope: T,
}

/// What a unit of an actuator's force does to the dofs from `first` on, gear · J; to all others nothing.
struct Moment<'a, T> {
    first: usize,
    entries: &'a [T],
}

impl<T: Real> Moment<'_, T> {
    /// The entries of a vector over all dofs that the actuator acts on.
    fn of<'v, const NV: usize>(&self, vector: &'v SVector<T, NV>) -> &'v [T] {
        vector.as_slice().get(self.first..).unwrap_or(&[])
    }

    /// sum ← sum + scale · moment.
    fn add_to<const NV: usize>(&self, sum: &mut SVector<T, NV>, scale: T) {
        add_scaled(sum.as_mut_slice().get_mut(self.first..).unwrap_or(&mut []), scale, self.entries);
    }
}

impl<T: Real, const NB: usize, const NQ: usize, const NV: usize> Actuation<'_, '_, T, NB, NQ, NV> {
    /// Length of an actuator's transmission, and its moment; `row` is memory for that of a tendon.
    fn transmit<'r, const U: u32>(&self, actuator: &'r Actuator<T>, row: &'r mut SVector<T, NV>) -> (T, Moment<'r, T>) {
        let nothing = (T::zero(), Moment { first: 0, entries: &[] });
        let [gear, ..] = actuator.gear;
        match actuator.transmission {
            Transmission::Tendon(index) if Uses::from_bits(U).has(Uses::TENDON) => {
                let Some(tendon) = self.tree.description.tendons.get(usize::from(index)) else { return nothing };
                *row = SVector::from_element(T::zero());
                jacobian(self.tree, self.kinematics, tendon, row);
                for entry in row.iter_mut() {
                    *entry *= gear;
                }
                let length = length(self.tree, self.kinematics, self.configuration, tendon);
                (gear * length, Moment { first: 0, entries: row.as_slice() })
            }
            Transmission::Tendon(_) => nothing,
            Transmission::Joint(index) => {
                let Some(joint) = self.tree.description.joints.get(usize::from(index)) else { return nothing };
                let (first, coordinate) = self.tree.joint_place(index);
                let entries = actuator.gear.get(..joint.kind.dofs()).unwrap_or(&[]);
                let q = self.configuration.get(coordinate..).unwrap_or(&[]);
                let length = match joint.kind {
                    JointKind::Slide | JointKind::Hinge => gear * q.first().copied().unwrap_or_else(T::zero),
                    JointKind::Ball if Uses::from_bits(U).has(Uses::BALL) => {
                        let turned = q.first_chunk::<4>().and_then(|q| Quaternion(*q).normalized());
                        let [x, y, z, ..] = actuator.gear;
                        let turn = turned.unwrap_or_else(Quaternion::identity).rotation_vector();
                        inner(&turn, &Vector3::new(x, y, z))
                    }
                    JointKind::Ball | JointKind::Free => T::zero(),
                };
                (length, Moment { first, entries })
            }
        }
    }

    /// gain · u + bias, u clamped; in the slope u is not, as in the engine.
    fn drive(&self, index: usize, actuator: &Actuator<T>, length: T, velocity: T) -> Drive<T> {
        let given = self.control.get(index).copied().unwrap_or_else(T::zero);
        let range = actuator.control_range.filter(|_| self.tree.description.options.flags.clamp_control);
        let u = range.map_or(given, |[low, high]| clamp(given, low, high));
        let along = |[c0, c1, c2]: [T; 3]| c0 + c1 * length + c2 * velocity;
        let ([.., gain_slope], [.., bias_slope]) = (actuator.gain, actuator.bias);
        Drive { force: along(actuator.gain) * u + along(actuator.bias), slope: gain_slope * given + bias_slope }
    }

    /// The factor by which all actuators of a tendon are scaled, so that together they stay in its range.
    fn share(&self, actuator: &Actuator<T>) -> T {
        let Transmission::Tendon(index) = actuator.transmission else { return T::one() };
        let tendon = self.tree.description.tendons.get(usize::from(index));
        let Some((tendon, [low, high])) = tendon.and_then(|tendon| Some((tendon, tendon.actuator_force_range?))) else {
            return T::one();
        };
        let mut row = SVector::from_element(T::zero());
        jacobian(self.tree, self.kinematics, tendon, &mut row);
        let length = length(self.tree, self.kinematics, self.configuration, tendon);
        let velocity = dot(row.as_slice(), self.velocity.as_slice());
        let mut sum = T::zero();
        for (number, other) in self.tree.description.actuators.iter().enumerate() {
            if other.transmission == actuator.transmission {
                let [gear, ..] = other.gear;
                sum += self.drive(number, other, gear * length, gear * velocity).force;
            }
        }
        if sum < low {
            low / sum
        } else if sum > high {
            high / sum
        } else {
            T::one()
        }
    }

    /// Calls `each` with moment and drive of every actuator, all limits of forces applied; a force at its own limit has slope zero.
    fn for_each<const U: u32>(&self, mut each: impl FnMut(&Moment<'_, T>, &Drive<T>)) {
        let mut row = SVector::from_element(T::zero());
        for (index, actuator) in self.tree.description.actuators.iter().enumerate() {
            let (length, moment) = self.transmit::<U>(actuator, &mut row);
            let velocity = dot(moment.entries, moment.of(self.velocity));
            let mut drive = self.drive(index, actuator, length, velocity);
            if Uses::from_bits(U).has(Uses::TENDON) {
                drive.force *= self.share(actuator);
            }
            if let Some([low, high]) = actuator.force_range {
                drive.force = clamp(drive.force, low, high);
                if drive.force <= low || drive.force >= high {
                    drive.slope = T::zero();
                }
            }
            each(&moment, &drive);
        }
    }

    /// What all actuators do to the dofs \[N or N m\]: momentᵀ force, gravity compensation of the joints that leave it to their
    /// actuators, and the joints' ranges last. All zero where the flag says so, or without actuators.
    pub fn force(&self, force: &mut SVector<T, NV>) {
        self.force_stated::<{ Uses::EVERYTHING.bits() }>(force);
    }

    /// [`Self::force`] in a description that makes use of `U` ([`Uses`]).
    #[inline(never)] // its rows are on the stack only where there are actuators
    pub(crate) fn force_stated<const U: u32>(&self, force: &mut SVector<T, NV>) {
        *force = SVector::from_element(T::zero());
        let description = self.tree.description;
        if !description.options.flags.actuation || description.actuators.is_empty() {
            return;
        }
        self.for_each::<U>(|moment, drive| moment.add_to(force, drive.force));
        add_gravity_compensation(self.tree, self.kinematics, true, force);
        for (dof, sum) in self.tree.dofs().iter().zip(force.iter_mut()) {
            let joint = description.joints.get(usize::from(dof.joint));
            if let Some([low, high]) = joint.and_then(|joint| joint.actuator_force_range) {
                *sum = clamp(*sum, low, high);
            }
        }
    }

    /// Adds −`scale` · momentᵀ (g₂ u + b₂) moment of every actuator that is inside its force range to a matrix: minus the derivative
    /// of their force by the velocity. Ranges of controls, joints and tendons do not count, and entries between branches are there.
    pub fn add_damping(&self, scale: T, rows: &mut [[T; NV]; NV]) {
        self.add_damping_stated::<{ Uses::EVERYTHING.bits() }>(scale, rows);
    }

    /// [`Self::add_damping`] in a description that makes use of `U` ([`Uses`]).
    #[inline(never)]
    pub(crate) fn add_damping_stated<const U: u32>(&self, scale: T, rows: &mut [[T; NV]; NV]) {
        if !self.tree.description.options.flags.actuation {
            return;
        }
        self.for_each::<U>(|moment, drive| {
            if drive.slope != T::zero() {
                add_outer(rows, moment.first, -(scale * drive.slope), moment.entries);
            }
        });
    }
}
