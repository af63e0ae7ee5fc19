//! What can touch what: geoms, pairs, excludes.

use std::collections::HashSet;

use delassus::description::{Geom, Pair};

use crate::assemble::AllNames;
use crate::element::Element;
use crate::error::{Error, Result};
use crate::geom::ReadGeom;
use crate::mechanism::{Labels, Lists};
use crate::site::numbers;
use crate::tree::{ReadBody, TreeReader};

/// A geom and the tree's index of its body.
type Placed<'g> = (&'g ReadGeom<'g>, usize);

/// Geoms, pairs, excludes. Geoms of shapes that the kernel does not know are left out where they cannot touch anything.
pub(crate) fn touching(
    tree: &TreeReader<'_, '_>,
    all: &AllNames,
    groups: &[usize],
    contacts: &[&Element],
    lists: &mut Lists<f64>,
    labels: &mut Labels,
) -> Result<()> {
    let placed: Vec<Placed<'_>> = tree
        .bodies
        .iter()
        .enumerate()
        .flat_map(|(index, body)| body.geoms.iter().map(move |geom| (geom, index)))
        .collect();
    let mut excluded = HashSet::new();
    for e in contacts.iter().filter(|e| e.tag == "exclude") {
        e.allow(&[&["name", "body1", "body2"]])?;
        e.childless()?;
        let mut pair = [all.names.body(e, "body1")?, all.names.body(e, "body2")?];
        pair.sort_unstable();
        lists.excludes.push(pair);
        excluded.insert(pair);
    }
    lists.excludes.sort_unstable();
    let filter_parent = lists.options.flags.filter_parent;
    // Where the file switches contacts off, no shape touches anything.
    let contacts_on = lists.options.flags.contact && lists.options.flags.constraint;
    for (geom, body) in &placed {
        let Some(error) = &geom.untouchable else { continue };
        if !contacts_on || geom.contype == 0 && geom.conaffinity == 0 {
            continue;
        }
        let can_touch = placed.iter().any(|(other, other_body)| {
            let bits = geom.contype & other.conaffinity != 0 || other.contype & geom.conaffinity != 0;
            bits && !filtered(tree, groups, filter_parent, *body, *other_body)
                && !excluded.contains(&sorted(*body, *other_body))
        });
        if can_touch {
            return Err(error.clone());
        }
    }
    let mut kept: Vec<std::result::Result<u16, &Error>> = Vec::with_capacity(placed.len());
    for (geom, body) in &placed {
        match (&geom.shape, &geom.untouchable) {
            (Some(_), _) | (None, None) => kept.push(Ok(lists.geoms.len() as u16)),
            (None, Some(error)) => kept.push(Err(error)),
        }
        let Some(shape) = geom.shape else { continue };
        let (position, orientation) = numbers(&geom.pose);
        lists.geoms.push(Geom {
            body: ReadBody::description_index(*body),
            shape,
            position,
            orientation,
            contype: geom.contype,
            conaffinity: geom.conaffinity,
            condim: geom.condim,
            priority: geom.priority,
            friction: geom.friction,
            solmix: geom.solmix,
            margin: geom.margin,
            gap: geom.gap,
            softness: geom.softness,
        });
        labels.geoms.push(geom.element.name().to_owned());
    }
    let mut pairs = Vec::new();
    for e in contacts {
        match e.tag.as_str() {
            "exclude" => {}
            "pair" => pairs.push((pair(tree, all, groups, &placed, &kept, e)?, e.name())),
            _ => return Err(e.unknown()),
        }
    }
    // MuJoCo's order: by bodies, the lower one first.
    let bodies = |pair: &Pair<f64>| pair.geoms.map(|g| lists.geoms.get(usize::from(g)).and_then(|geom| geom.body));
    for (pair, _) in &mut pairs {
        let [first, second] = bodies(pair);
        if first > second {
            pair.geoms.reverse();
        }
    }
    pairs.sort_by_key(|(pair, _)| bodies(pair));
    for (pair, name) in pairs {
        lists.pairs.push(pair);
        labels.pairs.push(name.to_owned());
    }
    Ok(())
}

/// Two bodies as an exclude names them.
fn sorted(body: usize, other: usize) -> [Option<u16>; 2] {
    let mut pair = [ReadBody::description_index(body), ReadBody::description_index(other)];
    pair.sort_unstable();
    pair
}

/// Whether the welded groups of two bodies keep their geoms apart.
fn filtered(tree: &TreeReader<'_, '_>, groups: &[usize], filter_parent: bool, body: usize, other: usize) -> bool {
    let (a, b) = (groups[body], groups[other]);
    let parent = |group: usize| groups[tree.bodies[group].parent];
    a == b || filter_parent && a != 0 && b != 0 && (parent(a) == b || parent(b) == a)
}

fn pair(
    tree: &TreeReader<'_, '_>,
    all: &AllNames,
    groups: &[usize],
    placed: &[Placed<'_>],
    kept: &[std::result::Result<u16, &Error>],
    e: &Element,
) -> Result<Pair<f64>> {
    let mut settings = tree.classes.of(e, tree.classes.main())?.pair;
    settings.apply(e)?;
    let mut geoms = [0; 2];
    let mut group = [0; 2];
    for (k, attribute) in ["geom1", "geom2"].into_iter().enumerate() {
        let index = usize::from(all.geoms.find(e, attribute)?);
        match kept.get(index) {
            Some(Ok(geom)) => geoms[k] = *geom,
            Some(Err(error)) => return Err((*error).clone()),
            None => return Err(e.unknown()),
        }
        group[k] = placed.get(index).map_or(0, |(_, body)| groups[*body]);
    }
    if group == [0, 0] {
        return Err(e.invalid("a pair of two geoms that cannot move").remedy("remove it"));
    }
    settings.finish(e, geoms)
}
