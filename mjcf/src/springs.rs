//! springdamper: a spring and a damper from a time constant and a damping ratio, by the inertia of the joint in the
//! reference configuration.

use delassus::description::{Body, JointKind};
use delassus::spatial::{Quaternion, Transform, turned_inertia};
use nalgebra::{Matrix3, Vector3};

use crate::drives::tendon_row;
use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};
use crate::limits;
use crate::mechanism::Lists;
use crate::orientation::{Pose, TINY};

/// Below this two frames are the same.
const SAME: f64 = 1e-6;

/// A degree of freedom in the reference configuration.
struct Dof {
    joint: usize,
    body: usize,
    /// Velocity of the world's origin as a point of the body, and angular velocity, at unit rate.
    linear: Vector3<f64>,
    angular: Vector3<f64>,
}

/// Replaces stiffness and damping of the joints named by their index.
pub(crate) fn settle(lists: &mut Lists<f64>, wanted: &[(usize, [f64; 2], &Element)]) -> Result<()> {
    let Some((_, _, first)) = wanted.first() else { return Ok(()) };
    if lists.dofs() > limits::SPRING_DAMPER_DOFS {
        let message = format!("springdamper with more than {} degrees of freedom", limits::SPRING_DAMPER_DOFS);
        return Err(Error::new(ErrorKind::Limit, Some(first.place.clone()), &first.label(), message)
            .remedy("write stiffness and damping"));
    }
    let reference = Reference::new(lists);
    let mut mass = mass_matrix(lists, &reference);
    add_tendons(lists, &reference, &mut mass);
    let dofs = &reference.dofs;
    let factor = factor(mass)
        .ok_or_else(|| first.invalid("the mass matrix is singular").remedy("write stiffness and damping"))?;
    for (joint, [time, ratio], _) in wanted {
        let own: Vec<usize> = (0..dofs.len()).filter(|k| dofs[*k].joint == *joint).collect();
        let body = dofs.get(own[0]).map_or(0, |dof| dof.body);
        // Translations and rotations of a free joint are averaged apart; their mean is the mean of all.
        let mean: f64 = if is_simple(lists, body) {
            1.0 / lists.bodies[body].mass
        } else {
            own.iter().map(|k| inverse_entry(&factor, *k)).sum::<f64>() / own.len() as f64
        };
        let inertia = 1.0 / mean;
        let joint = &mut lists.joints[*joint];
        joint.stiffness[0] = inertia / (time * time * ratio * ratio).max(1e-15);
        joint.damping[0] = 2.0 * inertia / time.max(1e-15);
    }
    Ok(())
}

/// A mechanism in the reference configuration.
pub(crate) struct Reference {
    poses: Vec<Pose>,
    dofs: Vec<Dof>,
}

impl Reference {
    pub fn new(lists: &Lists<f64>) -> Self {
        let poses = poses(lists);
        let dofs = dofs(lists, &poses);
        Self { poses, dofs }
    }

    /// A point of a body in the world.
    pub fn place(&self, body: Option<u16>, point: &Vector3<f64>) -> Vector3<f64> {
        body.and_then(|body| self.poses.get(usize::from(body))).map_or(*point, |pose| pose.apply(point))
    }

    /// Adds how fast a point of a body goes in a direction at unit rate of each dof.
    pub fn add_point_row(
        &self,
        lists: &Lists<f64>,
        body: Option<u16>,
        point: &Vector3<f64>,
        direction: &Vector3<f64>,
        row: &mut [f64],
    ) {
        let Some(body) = body else { return };
        let carriers = carriers(lists, usize::from(body));
        for (slot, dof) in row.iter_mut().zip(&self.dofs).filter(|(_, dof)| carriers.contains(&dof.body)) {
            *slot += direction.dot(&(dof.linear + dof.angular.cross(point)));
        }
    }

    /// Diagonal of M without the armature of tendons.
    pub fn mass_diagonal(&self, lists: &Lists<f64>) -> Vec<f64> {
        mass_matrix(lists, self).iter().enumerate().map(|(k, row)| row[k]).collect()
    }
}

/// World poses of the bodies with every joint at its reference.
fn poses(lists: &Lists<f64>) -> Vec<Pose> {
    let mut poses: Vec<Pose> = Vec::with_capacity(lists.bodies.len());
    for body in &lists.bodies {
        let own = Transform { position: body.position.into(), orientation: Quaternion(body.orientation) };
        let pose = body.parent.map_or(own, |p| poses[usize::from(p)].times(&own));
        poses.push(pose);
    }
    poses
}

fn dofs(lists: &Lists<f64>, poses: &[Pose]) -> Vec<Dof> {
    let mut dofs = Vec::with_capacity(lists.dofs());
    for (index, joint) in lists.joints.iter().enumerate() {
        let body = usize::from(joint.body);
        let pose = &poses[body];
        let anchor = pose.apply(&joint.position.into());
        let turned = |axis: Vector3<f64>| pose.orientation.rotate(&axis);
        let mut slide = |direction: Vector3<f64>| {
            dofs.push(Dof { joint: index, body, linear: direction, angular: Vector3::zeros() });
        };
        match joint.kind {
            JointKind::Slide => slide(turned(joint.axis.into())),
            JointKind::Free => [Vector3::x(), Vector3::y(), Vector3::z()].into_iter().for_each(&mut slide),
            JointKind::Ball | JointKind::Hinge => {}
        }
        let axes = match joint.kind {
            JointKind::Slide => Vec::new(),
            JointKind::Hinge => vec![Vector3::from(joint.axis)],
            JointKind::Free | JointKind::Ball => vec![Vector3::x(), Vector3::y(), Vector3::z()],
        };
        let center = if joint.kind == JointKind::Free { pose.position } else { anchor };
        for axis in axes {
            let angular = turned(axis);
            dofs.push(Dof { joint: index, body, linear: center.cross(&angular), angular });
        }
    }
    dofs
}

/// M as the sum over bodies, lower triangle, row by row.
fn mass_matrix(lists: &Lists<f64>, Reference { poses, dofs }: &Reference) -> Vec<Vec<f64>> {
    let mut mass: Vec<Vec<f64>> = (0..dofs.len()).map(|row| vec![0.0; row + 1]).collect();
    for (index, body) in lists.bodies.iter().enumerate() {
        let pose = &poses[index];
        let center = pose.apply(&body.center.into());
        let axes = pose.orientation.times(&Quaternion(body.inertia_orientation));
        let inertia: Matrix3<f64> = turned_inertia(&axes, &body.inertia.into());
        let moving: Vec<usize> = {
            let carriers = carriers(lists, index);
            (0..dofs.len()).filter(|k| carriers.contains(&dofs[*k].body)).collect()
        };
        let velocity = |k: usize| dofs[k].linear + dofs[k].angular.cross(&center);
        for (n, &i) in moving.iter().enumerate() {
            let (momentum, spin) = (velocity(i) * body.mass, inertia * dofs[i].angular);
            for &j in &moving[..=n] {
                mass[i][j] += momentum.dot(&velocity(j)) + spin.dot(&dofs[j].angular);
            }
        }
    }
    for (k, dof) in dofs.iter().enumerate() {
        mass[k][k] += lists.joints[dof.joint].armature;
    }
    mass
}

/// Adds the armature of tendons.
fn add_tendons(lists: &Lists<f64>, reference: &Reference, mass: &mut [Vec<f64>]) {
    for (index, tendon) in lists.tendons.iter().enumerate().filter(|(_, tendon)| tendon.armature != 0.0) {
        let row = tendon_row(lists, reference, index);
        for (i, entries) in mass.iter_mut().enumerate() {
            for (j, entry) in entries.iter_mut().enumerate() {
                *entry += tendon.armature * row[i] * row[j];
            }
        }
    }
}

/// The body itself and all that carry it.
fn carriers(lists: &Lists<f64>, body: usize) -> Vec<usize> {
    let mut list = vec![body];
    let mut parent = lists.bodies[body].parent;
    while let Some(p) = parent {
        list.push(usize::from(p));
        parent = lists.bodies[usize::from(p)].parent;
    }
    list
}

/// Cholesky factor L, M = L Lᵀ; `None` where M is not positive definite.
fn factor(mut m: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    for i in 0..m.len() {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| m[i][k] * m[j][k]).sum();
            let rest = m[i][j] - sum;
            m[i][j] = if i == j { Some(rest.sqrt()).filter(|d| *d > 0.0 && d.is_finite())? } else { rest / m[j][j] };
        }
    }
    Some(m)
}

/// (M⁻¹)ₖₖ = |L⁻¹ eₖ|².
fn inverse_entry(l: &[Vec<f64>], k: usize) -> f64 {
    let mut y = vec![0.0; l.len()];
    for i in k..l.len() {
        let sum: f64 = (k..i).map(|j| l[i][j] * y[j]).sum();
        y[i] = (f64::from(u8::from(i == k)) - sum) / l[i][i];
    }
    y.iter().map(|x| x * x).sum()
}

/// A body for which MuJoCo takes 1/mass and leaves armature out of account.
fn is_simple(lists: &Lists<f64>, body: usize) -> bool {
    let Body { parent, center, inertia_orientation: [w, x, y, z], .. } = lists.bodies[body];
    let parent_allows = parent.is_none_or(|p| {
        lists.bodies[usize::from(p)].parent.is_none() && !lists.joints.iter().any(|joint| joint.body == p)
    });
    let at_zero = |v: &[f64]| v.iter().all(|x| x.abs() < SAME);
    let along_an_axis = |v: &[f64; 3]| v.iter().filter(|x| x.abs() > TINY).count() == 1;
    parent_allows
        && !lists.bodies.iter().any(|other| other.parent.map(usize::from) == Some(body))
        && at_zero(&center)
        && at_zero(&[w.abs() - 1.0, x, y, z])
        && lists
            .joints
            .iter()
            .filter(|joint| usize::from(joint.body) == body)
            .all(|joint| joint.kind == JointKind::Slide && along_an_axis(&joint.axis) && at_zero(&joint.position))
}
