//! What [`Model::new`](super::Model::new) checks beside bodies and joints.

use crate::description::{
    Description, EqualityKind, JointKind, ModelError, Options, Shape, SoftnessNumbers, TendonPath, Transmission,
};
use crate::kinematics::Tree;
use crate::scalar::{Real, all_finite, dot, literal};
use crate::spatial::Quaternion;

fn soft<T: Real>(softness: &SoftnessNumbers<T>) -> bool {
    all_finite(&softness.solref) && all_finite(&softness.solimp)
}

/// Geoms and sites are placed every tick: their quaternions must be of unit norm already.
fn is_unit<T: Real>(orientation: &[T; 4]) -> bool {
    let norm = dot(orientation, orientation);
    (norm - T::one()).abs() <= literal(1e-5)
}

fn is_body<T>(description: &Description<'_, T>, body: Option<u16>) -> bool {
    body.is_none_or(|body| usize::from(body) < description.bodies.len())
}

pub(super) fn options<T: Real>(options: &Options<T>) -> Result<(), ModelError> {
    let positive = |x: T| x > T::zero() && x.is_finite();
    if all_finite(&options.gravity) && positive(options.step) && positive(options.impedance_ratio) {
        Ok(())
    } else {
        Err(ModelError::BadOptions)
    }
}

pub(super) fn sites<T: Real>(description: &Description<'_, T>) -> Result<(), ModelError> {
    for (index, site) in description.sites.iter().enumerate() {
        let sound = is_body(description, site.body) && all_finite(&site.position) && is_unit(&site.orientation);
        if !sound {
            return Err(ModelError::BadSite { site: index as u16 });
        }
    }
    Ok(())
}

pub(super) fn equalities<T: Real>(description: &Description<'_, T>) -> Result<(), ModelError> {
    let site = |site: u16| usize::from(site) < description.sites.len();
    let single = |joint: u16| {
        let kind = description.joints.get(usize::from(joint)).map(|joint| joint.kind);
        matches!(kind, Some(JointKind::Hinge | JointKind::Slide))
    };
    let is_tendon = |tendon: u16| usize::from(tendon) < description.tendons.len();
    let bodies = |[a, b]: [Option<u16>; 2]| is_body(description, a) && is_body(description, b) && a != b;
    for (index, equality) in description.equalities.iter().enumerate() {
        let (partners, finite) = match equality.kind {
            EqualityKind::Connect { bodies: pair, anchor } => (bodies(pair), all_finite(&anchor)),
            EqualityKind::ConnectSites { sites: [a, b] } => (site(a) && site(b) && a != b, true),
            EqualityKind::Weld { bodies: pair, anchor, relative_pose, torque_scale } => {
                let pose = relative_pose.is_none_or(|(position, orientation)| {
                    all_finite(&position) && Quaternion(orientation).normalized().is_some()
                });
                (bodies(pair), pose && all_finite(&anchor) && torque_scale.is_finite())
            }
            EqualityKind::WeldSites { sites: [a, b], torque_scale } => {
                (site(a) && site(b) && a != b, torque_scale.is_finite())
            }
            EqualityKind::Coupling { joint, leader, polynomial } => (
                single(joint) && leader.is_none_or(|leader| single(leader) && leader != joint),
                all_finite(&polynomial),
            ),
            EqualityKind::TendonCoupling { tendon, leader, polynomial } => (
                is_tendon(tendon) && leader.is_none_or(|leader| is_tendon(leader) && leader != tendon),
                all_finite(&polynomial),
            ),
        };
        if !partners {
            return Err(ModelError::EqualityPartner { equality: index as u16 });
        }
        if !finite || !soft(&equality.softness) {
            return Err(ModelError::EqualityNotFinite { equality: index as u16 });
        }
    }
    Ok(())
}

/// No range, or two finite numbers in rising order.
fn is_range<T: Real>(range: Option<[T; 2]>) -> bool {
    range.is_none_or(|[low, high]| low < high && all_finite(&[low, high]))
}

pub(super) fn tendons<T: Real>(description: &Description<'_, T>) -> Result<(), ModelError> {
    for (index, tendon) in description.tendons.iter().enumerate() {
        let path = match tendon.path {
            TendonPath::Joints { first, count } => {
                let end = usize::from(first) + usize::from(count);
                let parts = description.tendon_joints.get(usize::from(first)..end);
                parts.is_some_and(|parts| {
                    !parts.is_empty()
                        && parts.iter().all(|part| {
                            let kind = description.joints.get(usize::from(part.joint)).map(|joint| joint.kind);
                            matches!(kind, Some(JointKind::Hinge | JointKind::Slide)) && part.coefficient.is_finite()
                        })
                })
            }
            TendonPath::Sites { first, count } => {
                let end = usize::from(first) + usize::from(count);
                let sites = description.tendon_sites.get(usize::from(first)..end);
                sites.is_some_and(|sites| {
                    sites.len() >= 2 && sites.iter().all(|site| usize::from(*site) < description.sites.len())
                })
            }
        };
        let not_negative = |x: T| x >= T::zero() && x.is_finite();
        let sound = path
            && all_finite(&tendon.stiffness)
            && tendon.damping.iter().all(|b| not_negative(*b))
            && not_negative(tendon.armature)
            && not_negative(tendon.friction_loss)
            && tendon.margin.is_finite()
            && tendon.spring_length.is_none_or(|[low, high]| low <= high && all_finite(&[low, high]))
            && is_range(tendon.range)
            && is_range(tendon.actuator_force_range)
            && soft(&tendon.friction_softness)
            && soft(&tendon.limit_softness);
        if !sound {
            return Err(ModelError::BadTendon { tendon: index as u16 });
        }
    }
    Ok(())
}

pub(super) fn actuators<T: Real>(description: &Description<'_, T>) -> Result<(), ModelError> {
    for (index, actuator) in description.actuators.iter().enumerate() {
        let exists = match actuator.transmission {
            Transmission::Joint(joint) => usize::from(joint) < description.joints.len(),
            Transmission::Tendon(tendon) => usize::from(tendon) < description.tendons.len(),
        };
        let sound = exists
            && all_finite(&actuator.gear)
            && all_finite(&actuator.gain)
            && all_finite(&actuator.bias)
            && is_range(actuator.control_range)
            && is_range(actuator.force_range);
        if !sound {
            return Err(ModelError::BadActuator { actuator: index as u16 });
        }
    }
    Ok(())
}

pub(super) fn geoms<T: Real>(description: &Description<'_, T>) -> Result<(), ModelError> {
    let positive = |x: T| x > T::zero() && x.is_finite();
    let mut last = 0;
    for (index, geom) in description.geoms.iter().enumerate() {
        let place = geom.body.map_or(0, |body| u32::from(body) + 1);
        let sizes = match geom.shape {
            Shape::Plane => true,
            Shape::Sphere { radius } => positive(radius),
            Shape::Capsule { radius, half_length } => positive(radius) && positive(half_length),
            Shape::Box { half_sizes } => half_sizes.iter().all(|s| positive(*s)),
        };
        let sound = is_body(description, geom.body)
            && place >= last
            && sizes
            && matches!(geom.condim, 1 | 3 | 4 | 6)
            && all_finite(&geom.position)
            && is_unit(&geom.orientation)
            && geom.friction.iter().all(|mu| *mu >= T::zero() && mu.is_finite())
            && geom.solmix >= T::zero()
            && all_finite(&[geom.solmix, geom.margin, geom.gap])
            && soft(&geom.softness);
        if !sound {
            return Err(ModelError::BadGeom { geom: index as u16 });
        }
        last = place;
    }
    Ok(())
}

pub(super) fn pairs<T: Real, const NB: usize, const NQ: usize, const NV: usize>(
    description: &Description<'_, T>,
    tree: &Tree<'_, T, NB, NQ, NV>,
) -> Result<(), ModelError> {
    for (index, pair) in description.pairs.iter().enumerate() {
        let [a, b] = pair.geoms.map(|geom| description.geoms.get(usize::from(geom)));
        // A pair between two static bodies can never move apart or together.
        let partners = match (a, b) {
            (Some(a), Some(b)) => pair.geoms[0] != pair.geoms[1] && (tree.moves(a.body) || tree.moves(b.body)),
            _ => false,
        };
        let both_planes = [a, b].iter().all(|geom| geom.is_some_and(|geom| matches!(geom.shape, Shape::Plane)));
        let sound = partners
            && !both_planes
            && matches!(pair.condim, 1 | 3 | 4 | 6)
            && pair.friction.iter().all(|mu| *mu >= T::zero() && mu.is_finite())
            && all_finite(&[pair.margin, pair.gap])
            && all_finite(&pair.friction_solref)
            && soft(&pair.softness);
        if !sound {
            return Err(ModelError::BadPair { pair: index as u16 });
        }
    }
    Ok(())
}

pub(super) fn excludes<T: Real>(description: &Description<'_, T>) -> Result<(), ModelError> {
    for (index, [a, b]) in description.excludes.iter().enumerate() {
        if !is_body(description, *a) || !is_body(description, *b) {
            return Err(ModelError::BadExclude { exclude: index as u16 });
        }
    }
    Ok(())
}
