//! What actuators leave with the mechanism: their damping and armature, and kv from damping ratios.

use delassus::description::{TendonPath, Transmission};
use nalgebra::Vector3;

use crate::actuator::ReadActuator;
use crate::error::{Error, ErrorKind, Result};
use crate::limits;
use crate::mechanism::Lists;
use crate::springs::Reference;

/// gear² times the armature of each actuator goes to its joint or tendon.
pub(crate) fn add_armature(lists: &mut Lists<f64>, actuators: &[ReadActuator<'_>]) {
    for read in actuators {
        let armature = read.actuator.gear[0] * read.actuator.gear[0] * read.armature;
        match read.actuator.transmission {
            Transmission::Joint(joint) => {
                if let Some(joint) = lists.joints.get_mut(usize::from(joint)) {
                    joint.armature += armature;
                }
            }
            Transmission::Tendon(tendon) => {
                if let Some(tendon) = lists.tendons.get_mut(usize::from(tendon)) {
                    tendon.armature += armature;
                }
            }
        }
    }
}

/// gear² times the damping of each actuator goes to its joint or tendon.
pub(crate) fn add_damping(lists: &mut Lists<f64>, actuators: &[ReadActuator<'_>]) {
    for read in actuators {
        let into = match read.actuator.transmission {
            Transmission::Joint(joint) => lists.joints.get_mut(usize::from(joint)).map(|joint| &mut joint.damping),
            Transmission::Tendon(tendon) => {
                lists.tendons.get_mut(usize::from(tendon)).map(|tendon| &mut tendon.damping)
            }
        };
        for (sum, damping) in into.into_iter().flatten().zip(read.damping) {
            *sum += read.actuator.gear[0] * read.actuator.gear[0] * damping;
        }
    }
}

/// kv = 2 z √(kp Σ M_jj / moment_j²), M without the armature of tendons.
pub(crate) fn settle_damping_ratios(lists: &Lists<f64>, actuators: &mut [ReadActuator<'_>]) -> Result<()> {
    let Some(first) = actuators.iter().find(|read| read.damping_ratio.is_some()) else { return Ok(()) };
    if lists.dofs() > limits::SPRING_DAMPER_DOFS {
        let message = format!("dampratio with more than {} degrees of freedom", limits::SPRING_DAMPER_DOFS);
        return Err(Error::new(ErrorKind::Limit, Some(first.element.place.clone()), &first.element.label(), message)
            .remedy("write kv"));
    }
    let reference = Reference::new(lists);
    let diagonal = reference.mass_diagonal(lists);
    for read in actuators {
        let Some(ratio) = read.damping_ratio else { continue };
        let moment = moment(lists, &reference, &read.actuator.transmission, &read.actuator.gear);
        let inertia: f64 =
            moment.iter().zip(&diagonal).filter(|(m, _)| m.abs() >= 1e-15).map(|(m, inertia)| inertia / (m * m)).sum();
        read.actuator.bias[2] = -2.0 * ratio * (read.actuator.gain[0] * inertia).max(0.0).sqrt();
    }
    Ok(())
}

/// What an actuator does to each dof in the reference configuration, per unit of force.
fn moment(lists: &Lists<f64>, reference: &Reference, transmission: &Transmission, gear: &[f64; 6]) -> Vec<f64> {
    match transmission {
        Transmission::Joint(joint) => {
            let mut moment = vec![0.0; lists.dofs()];
            let before: usize = lists.joints.iter().take(usize::from(*joint)).map(|joint| joint.kind.dofs()).sum();
            let count = lists.joints.get(usize::from(*joint)).map_or(0, |joint| joint.kind.dofs());
            for (slot, gear) in moment.iter_mut().skip(before).zip(gear).take(count) {
                *slot = *gear;
            }
            moment
        }
        Transmission::Tendon(tendon) => {
            let mut row = tendon_row(lists, reference, usize::from(*tendon));
            row.iter_mut().for_each(|entry| *entry *= gear[0]);
            row
        }
    }
}

/// How a tendon's length changes with each dof in the reference configuration.
pub(crate) fn tendon_row(lists: &Lists<f64>, reference: &Reference, tendon: usize) -> Vec<f64> {
    let mut row = vec![0.0; lists.dofs()];
    match lists.tendons.get(tendon).map(|tendon| tendon.path) {
        Some(TendonPath::Joints { first, count }) => {
            for part in lists.tendon_joints.iter().skip(usize::from(first)).take(usize::from(count)) {
                let before: usize =
                    lists.joints.iter().take(usize::from(part.joint)).map(|joint| joint.kind.dofs()).sum();
                if let Some(slot) = row.get_mut(before) {
                    *slot += part.coefficient;
                }
            }
        }
        Some(TendonPath::Sites { first, count }) => {
            let sites: Vec<(Option<u16>, Vector3<f64>)> = lists
                .tendon_sites
                .iter()
                .skip(usize::from(first))
                .take(usize::from(count))
                .filter_map(|site| lists.sites.get(usize::from(*site)))
                .map(|site| (site.body, reference.place(site.body, &site.position.into())))
                .collect();
            for ends in sites.windows(2) {
                let [(from_body, from), (to_body, to)] = ends else { continue };
                let along = (to - from).try_normalize(1e-15).unwrap_or_else(Vector3::x);
                for (body, point, sign) in [(from_body, from, -1.0), (to_body, to, 1.0)] {
                    reference.add_point_row(lists, *body, point, &(along * sign), &mut row);
                }
            }
        }
        None => {}
    }
    row
}
