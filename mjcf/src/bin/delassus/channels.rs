//! What a comparison compares: joint coordinates and constraint forces, by name.

use delassus::description::{EqualityKind, JointKind};
use delassus_mjcf::Mechanism;

use crate::layout::Layout;
use crate::motion_picture::turn;
use crate::record::Record;

/// A quantity of a joint with one unit.
pub struct Channel {
    pub name: String,
    pub unit: &'static str,
    kind: Kind,
    /// Its first configuration number.
    at: usize,
}

enum Kind {
    Single,
    Position,
    Turn,
}

/// One a hinge, slide or ball, two a free joint.
pub fn channels(layout: &Layout) -> Vec<Channel> {
    let mut channels = Vec::new();
    for joint in &layout.joints {
        let (name, at) = (&joint.name, joint.coordinate);
        let mut add = |name: String, unit, kind, at| channels.push(Channel { name, unit, kind, at });
        match joint.kind {
            JointKind::Hinge => add(name.clone(), "rad", Kind::Single, at),
            JointKind::Slide => add(name.clone(), "m", Kind::Single, at),
            JointKind::Ball => add(name.clone(), "rad", Kind::Turn, at),
            JointKind::Free => {
                add(format!("{name} position"), "m", Kind::Position, at);
                add(format!("{name} orientation"), "rad", Kind::Turn, at + 3);
            }
        }
    }
    channels
}

impl Channel {
    /// How far two configurations are apart.
    pub fn difference(&self, a: &[f64], b: &[f64]) -> f64 {
        let part = |q: &[f64], n: usize| q.get(self.at..self.at + n).map(<[f64]>::to_vec).unwrap_or_default();
        match self.kind {
            Kind::Single => part(a, 1).iter().zip(part(b, 1)).map(|(a, b)| (a - b).abs()).sum(),
            Kind::Position => distance(&part(a, 3), &part(b, 3)),
            Kind::Turn => turn(&part(a, 4), &part(b, 4)),
        }
    }

    /// The number to draw: the coordinate, or how far it is from the start.
    pub fn value(&self, q: &[f64], start: &[f64]) -> f64 {
        match self.kind {
            Kind::Single => q.get(self.at).copied().unwrap_or(f64::NAN),
            Kind::Position | Kind::Turn => self.difference(q, start),
        }
    }

    /// Steps of one f32 ulp at these configuration numbers: index, and the number that the ulp is of. Near zero it is that of the
    /// least excursion that counts.
    pub fn ulps(&self, q: &[f64], least: f64) -> Vec<(usize, f64)> {
        let (count, least) = match self.kind {
            Kind::Single => (1, least),
            Kind::Position => (3, least),
            Kind::Turn => (4, 0.5),
        };
        (self.at..self.at + count).filter_map(|k| Some((k, q.get(k)?.abs().max(least)))).collect()
    }
}

/// Euclidean distance, what is missing being zero.
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().max(b.len());
    let at = |list: &[f64], k: usize| list.get(k).copied().unwrap_or(0.0);
    (0..n).map(|k| (at(a, k) - at(b, k)).powi(2)).sum::<f64>().sqrt()
}

/// What a force belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ForceKey {
    Touch([u16; 2]),
    Equality(usize),
    Limit(usize),
    Friction(usize),
    Tendons,
}

/// Names and layout of forces.
pub struct Forces {
    /// Rows of each equality that acts, in order.
    equalities: Vec<(usize, usize)>,
}

impl Forces {
    pub fn new(mechanism: &Mechanism, active: &[bool]) -> Self {
        let all = mechanism.lists.equalities.iter().enumerate();
        let acting = all.filter(|(k, equality)| active.get(*k).copied().unwrap_or(equality.active));
        let rows = |kind: &EqualityKind<f64>| match kind {
            EqualityKind::Connect { .. } | EqualityKind::ConnectSites { .. } => 3,
            EqualityKind::Weld { .. } | EqualityKind::WeldSites { .. } => 6,
            EqualityKind::Coupling { .. } | EqualityKind::TendonCoupling { .. } => 1,
        };
        Self { equalities: acting.map(|(k, equality)| (k, rows(&equality.kind))).collect() }
    }

    /// The forces of a record that are not zero.
    pub fn of(&self, record: &Record, layout: &Layout) -> Vec<(ForceKey, Vec<f64>)> {
        let mut list: Vec<_> =
            record.touches.iter().map(|touch| (ForceKey::Touch(touch.geoms), touch.force.to_vec())).collect();
        let mut rest = record.equality.as_slice();
        // A coupling of a tendon that nothing moves has no row: then there is no telling which is whose.
        let together = [(usize::MAX, rest.len())];
        let complete = rest.len() == self.equalities.iter().map(|(_, rows)| rows).sum::<usize>();
        for (index, rows) in if complete { self.equalities.as_slice() } else { &together } {
            let (own, after) = rest.split_at((*rows).min(rest.len()));
            list.push((ForceKey::Equality(*index), own.to_vec()));
            rest = after;
        }
        for (index, joint) in layout.joints.iter().enumerate() {
            let dofs = joint.dof..joint.dof + joint.kind.dofs();
            let parts = [(ForceKey::Limit(index), &record.limit), (ForceKey::Friction(index), &record.friction)];
            for (key, all) in parts {
                list.extend(all.get(dofs.clone()).map(|own| (key, own.to_vec())));
            }
        }
        list.push((ForceKey::Tendons, record.tendon.clone()));
        list.retain(|(_, force)| force.iter().any(|f| *f != 0.0));
        list
    }
}

impl ForceKey {
    /// Name and unit; what has rows of both kinds has no one unit.
    pub fn name(self, layout: &Layout, mechanism: &Mechanism) -> (String, &'static str) {
        let of_joint = |joint: usize| match layout.joints.get(joint).map(|joint| joint.kind) {
            Some(JointKind::Hinge | JointKind::Ball) => "N m",
            Some(JointKind::Slide) => "N",
            _ => "N, N m",
        };
        let joint = |joint: usize| layout.joints.get(joint).map_or("joint", |joint| joint.name.as_str());
        match self {
            Self::Touch(geoms) => (format!("contact {}", layout.pair(geoms)), "N"),
            Self::Limit(k) => (format!("limit {}", joint(k)), of_joint(k)),
            Self::Friction(k) => (format!("dry friction {}", joint(k)), of_joint(k)),
            Self::Tendons => ("tendons".to_owned(), "N, N m"),
            Self::Equality(k) => {
                let unit = match mechanism.lists.equalities.get(k).map(|equality| &equality.kind) {
                    Some(
                        EqualityKind::Connect { .. }
                        | EqualityKind::ConnectSites { .. }
                        | EqualityKind::TendonCoupling { .. },
                    ) => "N",
                    Some(EqualityKind::Coupling { joint, .. }) => of_joint(usize::from(*joint)),
                    _ => "N, N m",
                };
                (format!("equality {}", layout.equality(k)), unit)
            }
        }
    }
}
