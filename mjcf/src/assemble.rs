//! From the tree as read to the lists of a description.

use std::collections::HashSet;

use delassus::description::{Body, Equality, Geom, Options, Pair, Site};

use crate::element::Element;
use crate::error::{Error, Result};
use crate::geom::ReadGeom;
use crate::inertia::{self, Inertial};
use crate::mechanism::{Labels, Lists, Mechanism};
use crate::names::{NameList, Names};
use crate::options::SolverOptions;
use crate::site::numbers;
use crate::springs;
use crate::tree::{ReadBody, TreeReader};

/// Everything but keyframes, name, notes and solver options.
pub(crate) fn assemble(
    mut tree: TreeReader<'_, '_>,
    options: Options<f64>,
    contacts: &[&Element],
    equalities: &[&Element],
) -> Result<Mechanism> {
    let inertials = inertials(&mut tree)?;
    let groups = tree.groups();
    let names = name_everything(&tree)?;
    let compensated = tree.bodies.iter().any(|body| body.gravity_compensation != 0.0);
    let mut lists = Lists {
        bodies: bodies(&tree, &inertials),
        joints: Vec::new(),
        sites: Vec::new(),
        geoms: Vec::new(),
        pairs: Vec::new(),
        excludes: Vec::new(),
        equalities: Vec::new(),
        options,
    };
    let mut labels = Labels::default();
    let mut wanted_springs = Vec::new();
    for (index, body) in tree.bodies.iter().enumerate() {
        let carrier = ReadBody::description_index(index);
        for (read, e) in &body.joints {
            if read.actuator_compensates_gravity && compensated {
                return Err(e.unsupported(
                    "gravity compensation by the joint's actuator is not supported",
                    "remove actuatorgravcomp: the compensation is then a passive force",
                ));
            }
            if let Some(numbers) = read.spring_damper {
                wanted_springs.push((lists.joints.len(), numbers, *e));
            }
            lists.joints.push(read.joint);
            labels.joints.push(read.name.clone());
        }
        for (e, pose) in &body.sites {
            let (position, orientation) = numbers(pose);
            lists.sites.push(Site { body: carrier, position, orientation });
            labels.sites.push(e.name().to_owned());
        }
    }
    springs::settle(&mut lists, &wanted_springs)?;
    touching(&tree, &names, &groups, contacts, &mut lists, &mut labels)?;
    let names = names.names;
    let mut equality_names = NameList::new("equality");
    for e in equalities {
        let settings = tree.classes.of(e, tree.classes.main())?.equality;
        let equality: Equality<f64> = settings.finish(e, &names)?;
        equality_names.push(e, e.name())?;
        lists.equalities.push(equality);
    }
    labels.equalities = equality_names.into_list();
    labels.bodies = tree.bodies.iter().skip(1).map(|body| body.name.clone()).collect();
    Ok(Mechanism {
        name: String::new(),
        lists,
        labels,
        keyframes: Vec::new(),
        solver: SolverOptions::default(),
        notes: Vec::new(),
    })
}

/// The inertia of every body, the world's being zero (X-71 … X-75).
fn inertials(tree: &mut TreeReader<'_, '_>) -> Result<Vec<Inertial>> {
    let mut list = Vec::with_capacity(tree.bodies.len());
    for (index, body) in tree.bodies.iter().enumerate() {
        if index == 0 {
            let pose = delassus::spatial::Transform::identity();
            list.push(Inertial { mass: 0.0, inertia: [0.0; 3], pose });
            continue;
        }
        // The mass of what cannot move has no effect, unless all masses are scaled to a sum.
        let weightless = tree.is_static(index) && !(tree.compiler.total_mass > 0.0);
        let inertial = body.inertial.as_ref();
        list.push(inertia::of_body(body.element, tree.compiler, inertial, &body.geoms, &body.own, weightless)?);
        if weightless && inertial.is_none() && body.geoms.iter().any(|geom| geom.bulk.is_err()) {
            tree.notes.skip(body.element, "mass of meshes on a body that cannot move");
        }
    }
    let mut heavy: Vec<bool> = list.iter().map(inertia::is_heavy).collect();
    for (index, body) in tree.bodies.iter().enumerate().skip(1).rev() {
        if !body.joints.is_empty() && !heavy[index] {
            return Err(body
                .element
                .invalid("a moving body needs mass and inertia above 1e-15")
                .remedy("add <inertial> or geoms with mass, or set boundmass and boundinertia in <compiler>"));
        }
        if body.joints.is_empty() && heavy[index] {
            heavy[body.parent] = true;
        }
    }
    let total: f64 = list.iter().map(|inertial| inertial.mass).sum();
    if tree.compiler.total_mass > 0.0 && total > 0.0 {
        let factor = tree.compiler.total_mass / total;
        for inertial in &mut list {
            inertial.mass *= factor;
            inertial.inertia = inertial.inertia.map(|i| i * factor);
        }
    }
    Ok(list)
}

fn bodies(tree: &TreeReader<'_, '_>, inertials: &[Inertial]) -> Vec<Body<f64>> {
    let mut list = Vec::with_capacity(tree.bodies.len());
    for (body, inertial) in tree.bodies.iter().zip(inertials).skip(1) {
        let (position, orientation) = numbers(&body.pose);
        let (center, inertia_orientation) = numbers(&inertial.pose);
        list.push(Body {
            parent: ReadBody::description_index(body.parent),
            position,
            orientation,
            mass: inertial.mass,
            center,
            inertia: inertial.inertia,
            inertia_orientation,
            gravity_compensation: body.gravity_compensation,
        });
    }
    list
}

/// Names that elements outside the tree use; geoms count all that were read.
struct AllNames {
    names: Names,
    geoms: NameList,
}

fn name_everything(tree: &TreeReader<'_, '_>) -> Result<AllNames> {
    let mut names = Names {
        bodies: NameList::new("body"),
        joints: NameList::new("joint"),
        joint_kinds: Vec::new(),
        sites: NameList::new("site"),
    };
    let mut geoms = NameList::new("geom");
    for body in &tree.bodies {
        names.bodies.push(body.element, &body.name)?;
        for (read, e) in &body.joints {
            names.joints.push(e, &read.name)?;
            names.joint_kinds.push(read.joint.kind);
        }
        for (e, _) in &body.sites {
            names.sites.push(e, e.name())?;
        }
        for geom in &body.geoms {
            geoms.push(geom.element, geom.element.name())?;
        }
    }
    Ok(AllNames { names, geoms })
}

/// A geom and the tree's index of its body.
type Placed<'g> = (&'g ReadGeom<'g>, usize);

/// Geoms, pairs, excludes. Geoms of shapes that the kernel does not know are left out where they cannot touch anything.
fn touching(
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
    for (geom, body) in &placed {
        let Some(error) = &geom.untouchable else { continue };
        if geom.contype == 0 && geom.conaffinity == 0 {
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
