//! The largest number of contacts and rows that a model can ever have at once.

use delassus::collision::filter::{bodies_collide, geoms_collide, has_own_pair};
use delassus::collision::pair::most_contacts;
use delassus::collision::parameters::Parameters;
use delassus::description::{Description, EqualityKind, FrictionCone, Geom, JointKind};

/// Pairs of geoms that are looked at; a model with more has no use for the answer.
const MOST_PAIRS: usize = 20_000_000;

/// Most contacts and rows at once, whatever the pose; and what can touch what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Contacts, those that are only listed included.
    pub contacts: usize,
    /// Constraint rows: all equalities active, all limits that can be reached together, all contacts touching.
    pub rows: usize,
    /// Rows of the widest contact.
    pub contact_rows: usize,
    /// Bodies that can touch each other; `None` is the world.
    pub touching: Vec<[Option<u16>; 2]>,
    /// Two boxes that can meet, for which there is no routine.
    pub boxes: Option<[u16; 2]>,
}

/// The body that each body is rigidly part of; `None` is the world.
pub fn welds(description: &Description<'_, f64>) -> Vec<Option<u16>> {
    let mut moved = vec![false; description.bodies.len()];
    for joint in description.joints {
        if let Some(slot) = moved.get_mut(usize::from(joint.body)) {
            *slot = true;
        }
    }
    let mut welds: Vec<Option<u16>> = Vec::with_capacity(moved.len());
    for (index, body) in description.bodies.iter().enumerate() {
        let above = body.parent.and_then(|parent| welds.get(usize::from(parent)).copied().flatten());
        welds.push(if moved[index] { Some(index as u16) } else { above });
    }
    welds
}

impl Capacity {
    /// `None` for a model of far more geoms than any chip can look at.
    pub fn of(description: &Description<'_, f64>, welds: &[Option<u16>]) -> Option<Self> {
        let geoms = description.geoms;
        let flags = &description.options.flags;
        let mut capacity = Self { contacts: 0, rows: 0, contact_rows: 0, touching: Vec::new(), boxes: None };
        if flags.constraint && flags.contact {
            if geoms.len().checked_pow(2).is_none_or(|pairs| pairs > MOST_PAIRS) {
                return None;
            }
            for (pair, condim) in description.pairs.iter().map(|pair| (pair.geoms, pair.condim)) {
                let [a, b] = pair.map(|geom| geoms.get(usize::from(geom)));
                if let (Some(a), Some(b)) = (a, b) {
                    capacity.meet(description, pair, [a, b], condim);
                }
            }
            for (i, a) in geoms.iter().enumerate() {
                for (j, b) in geoms.iter().enumerate().skip(i + 1) {
                    let pair = [i as u16, j as u16];
                    if geoms_collide(a, b)
                        && bodies_collide(description, welds, a.body, b.body)
                        && !has_own_pair(description, pair)
                    {
                        capacity.meet(description, pair, [a, b], Parameters::mixed(a, b).condim);
                    }
                }
            }
        }
        if flags.constraint {
            capacity.rows += other_rows(description);
        }
        capacity.touching.sort_unstable();
        capacity.touching.dedup();
        Some(capacity)
    }

    fn meet(&mut self, description: &Description<'_, f64>, pair: [u16; 2], [a, b]: [&Geom<f64>; 2], condim: u8) {
        let contacts = most_contacts(&a.shape, &b.shape);
        if contacts == 0 {
            self.boxes = self.boxes.or(Some(pair));
        }
        self.contacts += contacts;
        let rows = match (condim, description.options.cone) {
            (1, _) => 1,
            (n, FrictionCone::Pyramidal) => 2 * (usize::from(n) - 1),
            (n, FrictionCone::Elliptic) => usize::from(n),
        };
        self.rows += contacts * rows;
        if contacts > 0 {
            self.contact_rows = self.contact_rows.max(rows);
        }
        let mut bodies = [a.body, b.body];
        bodies.sort_unstable();
        self.touching.push(bodies);
    }
}

/// Rows of equalities, dry friction and limits.
fn other_rows(description: &Description<'_, f64>) -> usize {
    let flags = &description.options.flags;
    let mut rows = 0;
    if flags.equality {
        for equality in description.equalities {
            rows += match equality.kind {
                EqualityKind::Connect { .. } | EqualityKind::ConnectSites { .. } => 3,
                EqualityKind::Weld { .. } | EqualityKind::WeldSites { .. } => 6,
                EqualityKind::Coupling { .. } | EqualityKind::TendonCoupling { .. } => 1,
            };
        }
    }
    for joint in description.joints {
        if flags.friction_loss && joint.friction_loss > 0.0 {
            rows += joint.kind.dofs();
        }
        if let Some([low, high]) = joint.range.filter(|_| flags.limit) {
            rows += match joint.kind {
                JointKind::Free => 0,
                JointKind::Ball => 1,
                // Both ends at once only where the margins meet.
                JointKind::Hinge | JointKind::Slide => 1 + usize::from(high - low < 2.0 * joint.margin),
            };
        }
    }
    for tendon in description.tendons {
        rows += usize::from(flags.friction_loss && tendon.friction_loss > 0.0);
        if let Some([low, high]) = tendon.range.filter(|_| flags.limit) {
            rows += 1 + usize::from(high - low < 2.0 * tendon.margin);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use delassus::collision::contact_capacity;

    use super::*;

    fn capacity(option: &str, content: &str) -> (Capacity, usize) {
        let text = format!("<mujoco><option {option}/>{content}</mujoco>");
        let mechanism = crate::read_text(&text).unwrap();
        let description = mechanism.lists.description();
        let welds = welds(&description);
        (Capacity::of(&description, &welds).unwrap(), contact_capacity(&description, &welds))
    }

    /// A box (4 points of condim 3), a capsule (2 of condim 1 by its priority) and a ball (1 of condim 6) on a plane; between the
    /// three a ball on a box or a capsule has 1 point, a capsule on a box 2.
    const SHAPES: &str = "<worldbody><geom type='plane' size='1 1 1'/>
        <body pos='0 0 1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>
        <body pos='1 0 1'><freejoint/><geom type='capsule' size='.1 .1' condim='1' priority='1'/></body>
        <body pos='2 0 1'><freejoint/><geom size='.1' condim='6'/></body></worldbody>";

    #[test]
    fn contacts_and_rows_are_those_of_the_pairs() {
        let (found, kernel) = capacity("cone='elliptic'", SHAPES);
        assert_eq!((found.contacts, found.contact_rows), (kernel, 6));
        assert_eq!(found.contacts, 4 + 2 + 1 + 2 + 1 + 1);
        assert_eq!(found.rows, 4 * 3 + 2 + 6 + 2 + 6 + 1);
        assert_eq!(capacity("cone='pyramidal'", SHAPES).0.rows, 4 * 4 + 2 + 10 + 2 + 10 + 1);
        assert_eq!(found.touching.len(), 6);
    }

    #[test]
    fn own_pairs_excludes_and_flags_count() {
        let two = "<worldbody><geom name='p' type='plane' size='1 1 1'/><body name='a'><freejoint/><geom name='g' size='.1'/></body>
            <body name='b' pos='1 0 0'><freejoint/><geom size='.1'/></body></worldbody>";
        let (found, kernel) = capacity("", &format!("{two}<contact><pair geom1='p' geom2='g' condim='4'/></contact>"));
        assert_eq!((found.contacts, found.rows), (3, 6 + 4 + 4));
        assert_eq!(found.contacts, kernel);
        let (found, _) = capacity("", &format!("{two}<contact><exclude body1='a' body2='b'/></contact>"));
        assert_eq!(found.contacts, 2);
        let (found, _) = capacity("", &format!("{two}<option><flag contact='disable'/></option>"));
        assert_eq!((found.contacts, found.rows), (0, 0));
    }

    /// A limited hinge has one row, or both where the margins meet; a ball joint one; dry friction one a dof; a weld six.
    #[test]
    fn other_rows_count() {
        let content = "<worldbody>
            <body name='a'><joint range='-9 9' frictionloss='1'/><geom size='.1'/></body>
            <body name='b' pos='1 0 0'><joint range='-9 9' margin='.2'/><geom size='.1'/></body>
            <body pos='2 0 0'><joint type='ball' range='0 9' frictionloss='1'/><geom size='.1'/></body></worldbody>
            <equality><weld body1='a' body2='b'/></equality><option><flag contact='disable'/></option>";
        assert_eq!(capacity("", content).0.rows, 2 + 2 + 4 + 6);
    }

    /// A tendon has a row for dry friction, one for its limits, one for an equality.
    #[test]
    fn tendons_count() {
        let content = "<worldbody><body><joint name='a'/><geom size='.1' contype='0'/></body></worldbody>
            <tendon><fixed name='t' frictionloss='1' range='-1 1'><joint joint='a' coef='2'/></fixed>
            <fixed range='-1 1' margin='2'><joint joint='a' coef='1'/></fixed></tendon>
            <equality><tendon tendon1='t'/></equality>";
        assert_eq!(capacity("", content).0.rows, 1 + 1 + 2 + 1);
    }

    #[test]
    fn two_boxes_are_named() {
        let boxes = "<worldbody><body><freejoint/><geom type='box' size='1 1 1'/></body>
            <body pos='5 0 0'><freejoint/><geom type='box' size='1 1 1'/></body></worldbody>";
        assert_eq!(capacity("", boxes).0.boxes, Some([0, 1]));
    }
}
