//! The smallest ratio of two masses that act on each other directly: what conditions constraint forces.

use delassus::description::{Description, EqualityKind};
use serde::Serialize;

use crate::layout::Layout;
use delassus_mjcf::Capacity;

/// A light and a heavy body that something joins; bodies welded together count as one, named by the first of them.
#[derive(Debug, Serialize)]
pub struct MassRatio {
    /// Light over heavy.
    pub ratio: f64,
    pub light: String,
    pub heavy: String,
    /// "joint", "equality" or "contact".
    pub link: &'static str,
}

/// `None` where nothing that moves is joined to anything else that moves.
pub fn smallest(
    description: &Description<'_, f64>,
    welds: &[Option<u16>],
    capacity: Option<&Capacity>,
    layout: &Layout,
) -> Option<MassRatio> {
    let mut masses = vec![0.0; description.bodies.len()];
    for (body, group) in description.bodies.iter().zip(welds) {
        if let Some(group) = group {
            masses[usize::from(*group)] += body.mass;
        }
    }
    let group = |body: Option<u16>| body.and_then(|body| welds.get(usize::from(body)).copied().flatten());
    // Up to the first one that weighs anything.
    let above = |start: u16| {
        let mut at = Some(start);
        while let Some(group_above) = at.map(|at| group(description.bodies[usize::from(at)].parent)) {
            at = group_above;
            if at.is_some_and(|at| masses[usize::from(at)] > 0.0) {
                break;
            }
        }
        at
    };
    let mut links: Vec<(&'static str, [Option<u16>; 2])> = Vec::new();
    for (index, own) in welds.iter().enumerate() {
        if *own == Some(index as u16) {
            links.push(("joint", [*own, above(index as u16)]));
        }
    }
    for equality in description.equalities {
        let site = |site: u16| description.sites.get(usize::from(site)).and_then(|site| site.body);
        let joint = |joint: u16| description.joints.get(usize::from(joint)).map(|joint| joint.body);
        let bodies = match equality.kind {
            EqualityKind::Connect { bodies, .. } | EqualityKind::Weld { bodies, .. } => bodies,
            EqualityKind::ConnectSites { sites } | EqualityKind::WeldSites { sites, .. } => sites.map(site),
            EqualityKind::Coupling { joint: follower, leader, .. } => [joint(follower), leader.and_then(joint)],
            EqualityKind::TendonCoupling { .. } => continue,
        };
        links.push(("equality", bodies.map(group)));
    }
    if let Some(capacity) = capacity {
        links.extend(capacity.touching.iter().map(|bodies| ("contact", bodies.map(group))));
    }
    let mut smallest: Option<MassRatio> = None;
    for (link, pair) in links {
        let [Some(a), Some(b)] = pair else { continue };
        let [m, n] = [a, b].map(|body| masses[usize::from(body)]);
        let (light, heavy, ratio) = if m <= n { (a, b, m / n) } else { (b, a, n / m) };
        if a != b && ratio > 0.0 && smallest.as_ref().is_none_or(|other| ratio < other.ratio) {
            let name = |body: u16| layout.body(usize::from(body)).to_owned();
            smallest = Some(MassRatio { ratio, light: name(light), heavy: name(heavy), link });
        }
    }
    smallest
}

#[cfg(test)]
mod tests {
    use super::*;
    use delassus_mjcf::welds;

    fn ratio(text: &str) -> Option<MassRatio> {
        let mechanism = delassus_mjcf::read_text(text).unwrap();
        let description = mechanism.lists.description();
        let welds = welds(&description);
        let capacity = Capacity::of(&description, &welds);
        smallest(&description, &welds, capacity.as_ref(), &Layout::new(&mechanism))
    }

    #[test]
    fn welded_bodies_count_as_one_and_the_world_does_not() {
        let found = ratio(
            "<mujoco><worldbody><body name='arm'><joint/><geom size='.1' mass='3'/><body><geom size='.1' mass='1'/>
             <body name='finger' pos='1 0 0'><joint/><geom size='.1' mass='.1'/></body></body></body></worldbody></mujoco>",
        )
        .unwrap();
        assert_eq!((found.light.as_str(), found.heavy.as_str(), found.link), ("finger", "arm", "joint"));
        assert!((found.ratio - 0.025).abs() < 1e-15);
        assert!(ratio("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>").is_none());
    }

    #[test]
    fn contacts_and_equalities_join() {
        let two = |more: &str, bits: u8| {
            ratio(&format!(
                "<mujoco><worldbody><body name='a'><freejoint/><geom size='.1' mass='1' contype='{bits}' conaffinity='{bits}'/></body>
                 <body name='b' pos='0 0 1'><freejoint/><geom size='.1' mass='1e4'/></body></worldbody>{more}</mujoco>"
            ))
        };
        assert_eq!(two("", 1).unwrap().link, "contact");
        assert!((two("", 1).unwrap().ratio - 1e-4).abs() < 1e-18);
        assert!(two("", 0).is_none());
        assert_eq!(two("<equality><weld body1='a' body2='b'/></equality>", 0).unwrap().link, "equality");
    }
}
