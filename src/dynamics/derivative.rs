//! How the bias force changes with the velocity, ∂c/∂v, for velocity-implicit steps.
//!
//! With Φ_j the motion of dof j at unit rate (angular, linear at a common point) and v₋, v₊ the velocities of the frames before and
//! after its joint, every body that the dof moves has ∂a/∂v_j = X_j − v × Φ_j, X_j = (v₋ + v₊) × Φ_j, whatever the body. In the
//! derivative of its Newton–Euler force I a + v × I v all else collects into the Coriolis force of a turn α = angular part of Φ_j:
//! force 2 α × P and torque 2 ∫ r × (α × u) dm = G α, u being the velocity of matter at r and P the momentum. P and G add up over
//! a subtree as inertias do, so that
//!
//! ∂c_i/∂v_j = Φ_i · (I X_j + (2 α_j × P, G α_j)), with I, P, G of all that the *outer* of the two dofs moves,
//!
//! and zero unless one of the two dofs moves the other's body (Singh, Russell and Wensing, *Efficient analytical derivatives of
//! rigid-body dynamics using spatial vector algebra*, 2022).

use nalgebra::{SVector, Vector3};

use super::DynamicsWorkspace;
use super::inertia::RigidInertia;
use crate::kinematics::{Kinematics, Motion, Tree};
use crate::scalar::{Real, literal};
use crate::spatial::{inner, vector};

/// Momentum P of matter in motion, and G by columns: its Coriolis torque about a point, world axes.
#[derive(Clone, Copy)]
struct Transport<T> {
    momentum: Vector3<T>,
    torque: [Vector3<T>; 3],
}

impl<T: Real> Transport<T> {
    const fn filled(zero: T) -> Self {
        Self { momentum: vector(zero), torque: [vector(zero); 3] }
    }

    /// Of one body about a point that it moves at `motion`: 2 α × P, and 2 (h × (α × v) − ω × E α), E being the second moment of its mass.
    fn of_body(inertia: &RigidInertia<T>, motion: &Motion<T>) -> Self {
        let (momentum, _) = inertia.times(&motion.angular, &motion.linear);
        let mut torque = inertia.second_moment().map(|column| column.cross(&motion.angular));
        add_twisted(&mut torque, &inertia.moment(), &motion.linear);
        Self { momentum, torque: torque.map(|column| column * literal::<T>(2.0)) }
    }

    /// Adds other matter, its numbers about a point that lies at `arm` from this one's.
    fn add(&mut self, other: &Self, arm: &Vector3<T>) {
        self.momentum += other.momentum;
        for (sum, column) in self.torque.iter_mut().zip(&other.torque) {
            *sum += column;
        }
        add_twisted(&mut self.torque, arm, &(other.momentum * literal::<T>(2.0)));
    }

    /// Force and torque of a unit rate whose angular part is `turn`.
    fn times(&self, turn: &Vector3<T>) -> (Vector3<T>, Vector3<T>) {
        let [x, y, z] = &self.torque;
        (turn.cross(&self.momentum) * literal::<T>(2.0), x * turn.x + y * turn.y + z * turn.z)
    }
}

/// Adds the matrix α ↦ a × (α × b) = (a·b) α − b (a·α), by columns.
fn add_twisted<T: Real>(columns: &mut [Vector3<T>; 3], a: &Vector3<T>, b: &Vector3<T>) {
    let both = inner(a, b);
    for k in 0..3 {
        columns[k] -= b * a[k];
        columns[k][k] += both;
    }
}

/// Adds `scale` · ∂c/∂v: `rows[i][j]` belongs to the force on dof i and the velocity of dof j.
///
/// Needs frames, velocities, and the composite inertias that [`mass_matrix`](super::mass_matrix) leaves in `work`. Only entries
/// between a dof and those above it in the tree are touched. Takes 12 numbers a body and 6 a dof of stack.
#[inline(never)] // so that its memory is on the stack only while it runs, and not below the solver
pub fn add_bias_derivative<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    velocity: &SVector<T, NV>,
    work: &DynamicsWorkspace<T, NB>,
    scale: T,
    rows: &mut [[T; NV]; NV],
) {
    let mut transports = [Transport::filled(T::zero()); NB];
    add_up(tree, kinematics, &work.references, &mut transports);
    let mut crossings = [Motion::filled(T::zero()); NV];
    cross(tree, kinematics, velocity, &mut crossings);
    for (k, dof) in tree.dofs().iter().enumerate() {
        let body = usize::from(dof.body);
        let (Some(inertia), Some(transport), Some(point)) =
            (work.inertias.get(body), transports.get(body), work.references.get(body))
        else {
            continue;
        };
        // A dof's unit motion at the point, and what the composite body makes of it.
        let derivative = |j: usize, translates: bool| {
            let (linear, angular) = kinematics.column(j, translates, point);
            let (Some(crossing), Some(anchor)) = (crossings.get(j), kinematics.anchors.get(j)) else {
                let zero = vector(T::zero());
                return ((linear, angular), (zero, zero));
            };
            let (force, torque) = inertia.times(&crossing.angular, &crossing.velocity_at(&(point - anchor)));
            let (carried_force, carried_torque) = transport.times(&angular);
            ((linear, angular), (force + carried_force, torque + carried_torque))
        };
        let (own_motion, own_wrench) = derivative(k, dof.translates);
        // Joints of several dofs move at once: their own dofs above k are met here, those below when it is their turn.
        for (above, other) in tree.chain_from(Some(k as u16)) {
            let (motion, wrench) = derivative(above, other.translates);
            if k < NV && above < NV {
                rows[k][above] += scale * (inner(&own_motion.0, &wrench.0) + inner(&own_motion.1, &wrench.1));
                if above != k {
                    rows[above][k] += scale * (inner(&motion.0, &own_wrench.0) + inner(&motion.1, &own_wrench.1));
                }
            }
        }
    }
}

/// P and G of every body together with all that it carries, about the point that its inertia is taken about.
fn add_up<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    references: &[Vector3<T>; NB],
    transports: &mut [Transport<T>; NB],
) {
    let bodies = tree.description.bodies;
    let places = kinematics.frames.iter().zip(&kinematics.centers).zip(&kinematics.tensors);
    let motions = kinematics.velocities.iter().zip(references);
    let walk = bodies.iter().zip(places).zip(motions).zip(transports.iter_mut());
    for (((body, ((frame, center), tensor)), (velocity, reference)), transport) in walk {
        let inertia = RigidInertia::of_body(body.mass, tensor, &(center - reference));
        let linear = velocity.velocity_at(&(reference - frame.position));
        *transport = Transport::of_body(&inertia, &Motion { angular: velocity.angular, linear });
    }
    for (index, body) in bodies.iter().enumerate().rev() {
        let Some(parent) = body.parent.map(usize::from) else { continue };
        let Some((before, rest)) = transports.split_at_mut_checked(index) else { continue };
        if let (Some(sum), Some(part)) = (before.get_mut(parent), rest.first())
            && let (Some(here), Some(there)) = (references.get(index), references.get(parent))
        {
            sum.add(part, &(here - there));
        }
    }
}

/// X_j of every dof, its linear part at the dof's anchor.
fn cross<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    tree: &Tree<'_, T, NB, NQ, NV>,
    kinematics: &Kinematics<T, NB, NV>,
    velocity: &SVector<T, NV>,
    crossings: &mut [Motion<T>; NV],
) {
    let two = literal::<T>(2.0);
    let mut joints = tree.description.joints.iter().peekable();
    let mut dof = 0;
    for (index, body) in tree.description.bodies.iter().enumerate() {
        let mut motion = kinematics.velocity(body.parent);
        let mut point = kinematics.frame(body.parent).position;
        while let Some(joint) = joints.next_if(|joint| usize::from(joint.body) == index) {
            let own = dof..dof + joint.kind.dofs();
            dof = own.end;
            let Some(anchor) = kinematics.anchors.get(own.start) else { continue };
            // A joint at the root starts from the world, which is at rest.
            motion.linear = motion.velocity_at(&(anchor - point));
            point = *anchor;
            let before = motion;
            for k in own.clone() {
                if k < NV {
                    let axis = kinematics.axes[k];
                    let sum = if tree.dofs[k].translates { &mut motion.linear } else { &mut motion.angular };
                    *sum += axis * velocity[k];
                }
            }
            for k in own {
                if k < NV {
                    let axis = kinematics.axes[k];
                    // Translations come before the rotations of the same joint, and the anchor of a rotation moves with both frames.
                    crossings[k] = if tree.dofs[k].translates {
                        Motion { angular: vector(T::zero()), linear: before.angular.cross(&axis) * two }
                    } else {
                        Motion {
                            angular: (before.angular + motion.angular).cross(&axis),
                            linear: motion.linear.cross(&axis) * two,
                        }
                    };
                }
            }
        }
    }
}
