//! How many contacts and constraint rows a model can have at most.

use delassus::collision::filter::{bodies_collide, geoms_collide, has_own_pair};
use delassus::collision::pair::most_contacts;
use delassus::collision::parameters::Parameters;
use delassus::description::{EqualityKind, FrictionCone, JointKind};

use crate::mechanism::Lists;

/// The most that can happen in any state of a model: with these sizes nothing is ever dropped, and no tick runs out of room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Contacts, those that are only listed included.
    pub contacts: usize,
    /// Constraint rows: all equalities active, all limits reached that can be reached together, all contacts touching.
    pub rows: usize,
}

impl Capacity {
    /// Of a model.
    pub fn of(lists: &Lists<f64>) -> Self {
        let flags = &lists.options.flags;
        let (mut contacts, mut rows) = (0, 0);
        if !flags.constraint {
            return Self { contacts, rows };
        }
        if flags.equality {
            rows += lists.equalities.iter().map(|equality| equality_rows(&equality.kind)).sum::<usize>();
        }
        if flags.friction_loss {
            rows += lists.joints.iter().filter(|joint| joint.friction_loss > 0.0).map(|j| j.kind.dofs()).sum::<usize>();
            rows += lists.tendons.iter().filter(|tendon| tendon.friction_loss > 0.0).count();
        }
        if flags.limit {
            rows += lists.joints.iter().map(|joint| limit_rows(joint.kind, joint.range, joint.margin)).sum::<usize>();
            // A tendon's length has limits like a slide's.
            let slide = JointKind::Slide;
            rows += lists.tendons.iter().map(|tendon| limit_rows(slide, tendon.range, tendon.margin)).sum::<usize>();
        }
        if flags.contact {
            for (points, condim) in touching(lists) {
                contacts += points;
                rows += points * contact_rows(condim, lists.options.cone);
            }
        }
        Self { contacts, rows }
    }
}

fn equality_rows(kind: &EqualityKind<f64>) -> usize {
    match kind {
        EqualityKind::Connect { .. } | EqualityKind::ConnectSites { .. } => 3,
        EqualityKind::Weld { .. } | EqualityKind::WeldSites { .. } => 6,
        EqualityKind::Coupling { .. } | EqualityKind::TendonCoupling { .. } => 1,
    }
}

/// Both ends at once only where their margins meet.
fn limit_rows(kind: JointKind, range: Option<[f64; 2]>, margin: f64) -> usize {
    match (kind, range) {
        (JointKind::Hinge | JointKind::Slide, Some([low, high])) if high - low < 2.0 * margin => 2,
        (JointKind::Hinge | JointKind::Slide | JointKind::Ball, Some(_)) => 1,
        _ => 0,
    }
}

fn contact_rows(condim: u8, cone: FrictionCone) -> usize {
    match (usize::from(condim), cone) {
        (1, _) => 1,
        (dimension, FrictionCone::Pyramidal) => 2 * dimension.saturating_sub(1),
        (dimension, FrictionCone::Elliptic) => dimension,
    }
}

/// Most points and condim of each two geoms that can touch.
fn touching(lists: &Lists<f64>) -> Vec<(usize, u8)> {
    let description = lists.description();
    let groups = weld_groups(lists);
    let mut list = Vec::new();
    for pair in &lists.pairs {
        let [a, b] = pair.geoms.map(|geom| lists.geoms.get(usize::from(geom)));
        if let (Some(a), Some(b)) = (a, b) {
            list.push((most_contacts(&a.shape, &b.shape), pair.condim));
        }
    }
    for (first, a) in lists.geoms.iter().enumerate() {
        for (second, b) in lists.geoms.iter().enumerate().skip(first + 1) {
            if bodies_collide(&description, &groups, a.body, b.body)
                && geoms_collide(a, b)
                && !has_own_pair(&description, [first as u16, second as u16])
            {
                list.push((most_contacts(&a.shape, &b.shape), Parameters::mixed(a, b).condim));
            }
        }
    }
    list
}

/// Of each body, the nearest body at or above it that has joints; `None` is the world.
fn weld_groups(lists: &Lists<f64>) -> Vec<Option<u16>> {
    let mut groups: Vec<Option<u16>> = Vec::with_capacity(lists.bodies.len());
    for (index, body) in lists.bodies.iter().enumerate() {
        let jointed = lists.joints.iter().any(|joint| usize::from(joint.body) == index);
        let above = body.parent.and_then(|parent| groups.get(usize::from(parent)).copied().flatten());
        groups.push(if jointed { Some(index as u16) } else { above });
    }
    groups
}
