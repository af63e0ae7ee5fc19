//! Names, units and places of joints, coordinates, degrees of freedom and geoms.

use delassus::description::JointKind;
use delassus_mjcf::Mechanism;

/// A joint: where its numbers are, and what it is called.
pub struct JointPlace {
    pub name: String,
    pub kind: JointKind,
    pub coordinate: usize,
    pub dof: usize,
}

/// What the numbers of a model are called.
pub struct Layout {
    pub joints: Vec<JointPlace>,
    geoms: Vec<String>,
    bodies: Vec<String>,
    equalities: Vec<String>,
}

/// The name, or what else tells it from others.
fn named(names: &[String], index: usize, otherwise: impl FnOnce() -> String) -> String {
    names.get(index).filter(|name| !name.is_empty()).cloned().unwrap_or_else(otherwise)
}

impl Layout {
    pub fn new(mechanism: &Mechanism) -> Self {
        let (lists, labels) = (&mechanism.lists, &mechanism.labels);
        let body = |index: usize| named(&labels.bodies, index, || format!("body{index}"));
        let (mut coordinate, mut dof) = (0, 0);
        let mut joints = Vec::with_capacity(lists.joints.len());
        for (index, joint) in lists.joints.iter().enumerate() {
            let alone = lists.joints.iter().filter(|other| other.body == joint.body).take(2).count() == 1;
            let name = named(&labels.joints, index, || {
                let body = usize::from(joint.body);
                match labels.bodies.get(body).filter(|name| alone && !name.is_empty()) {
                    Some(name) => name.clone(),
                    None => format!("joint{index}"),
                }
            });
            joints.push(JointPlace { name, kind: joint.kind, coordinate, dof });
            coordinate += joint.kind.coordinates();
            dof += joint.kind.dofs();
        }
        let geoms = (0..lists.geoms.len()).map(|index| {
            named(&labels.geoms, index, || match lists.geoms[index].body {
                None => format!("geom{index}"),
                Some(number) => format!("geom{index} of {}", body(usize::from(number))),
            })
        });
        let equalities = (0..lists.equalities.len()).map(|k| named(&labels.equalities, k, || format!("equality{k}")));
        Self {
            joints,
            geoms: geoms.collect(),
            bodies: (0..lists.bodies.len()).map(body).collect(),
            equalities: equalities.collect(),
        }
    }

    pub fn body(&self, index: usize) -> &str {
        self.bodies.get(index).map_or("world", String::as_str)
    }

    pub fn equality(&self, index: usize) -> &str {
        self.equalities.get(index).map_or("equality", String::as_str)
    }

    /// Two geoms that touch.
    pub fn pair(&self, geoms: [u16; 2]) -> String {
        let name = |geom: u16| self.geoms.get(usize::from(geom)).map_or("geom", String::as_str);
        format!("{} + {}", name(geoms[0]), name(geoms[1]))
    }

    /// The joint of a degree of freedom.
    pub fn joint_of(&self, dof: usize) -> &str {
        let joint = self.joints.iter().rev().find(|joint| joint.dof <= dof);
        joint.map_or("joint", |joint| joint.name.as_str())
    }

    /// Name and unit of each configuration number.
    pub fn coordinates(&self) -> Vec<(String, &'static str)> {
        let parts = |kind| -> &[(&str, &'static str)] {
            match kind {
                JointKind::Hinge => &[("", "rad")],
                JointKind::Slide => &[("", "m")],
                JointKind::Ball => &[(" w", "1"), (" i", "1"), (" j", "1"), (" k", "1")],
                JointKind::Free => {
                    &[(" x", "m"), (" y", "m"), (" z", "m"), (" w", "1"), (" i", "1"), (" j", "1"), (" k", "1")]
                }
            }
        };
        self.spread(parts)
    }

    /// Name and unit of each velocity.
    pub fn velocities(&self) -> Vec<(String, &'static str)> {
        let parts = |kind| -> &[(&str, &'static str)] {
            match kind {
                JointKind::Hinge => &[("", "rad/s")],
                JointKind::Slide => &[("", "m/s")],
                JointKind::Ball => &[(" about x", "rad/s"), (" about y", "rad/s"), (" about z", "rad/s")],
                JointKind::Free => &[
                    (" x", "m/s"),
                    (" y", "m/s"),
                    (" z", "m/s"),
                    (" about x", "rad/s"),
                    (" about y", "rad/s"),
                    (" about z", "rad/s"),
                ],
            }
        };
        self.spread(parts)
    }

    fn spread<'p>(&self, parts: impl Fn(JointKind) -> &'p [(&'p str, &'static str)]) -> Vec<(String, &'static str)> {
        let of = |joint: &JointPlace| -> Vec<_> {
            parts(joint.kind).iter().map(|(part, unit)| (format!("{}{part}", joint.name), *unit)).collect()
        };
        self.joints.iter().flat_map(of).collect()
    }
}
