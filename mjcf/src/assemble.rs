//! From the tree as read to the lists of a description.

use delassus::description::{Body, Equality, Options, Site};

use crate::drives;
use crate::error::Result;
use crate::inertia::{self, Inertial};
use crate::mechanism::{Labels, Lists, Mechanism};
use crate::names::{NameList, Names};
use crate::options::SolverOptions;
use crate::reader::Sections;
use crate::site::numbers;
use crate::springs;
use crate::touching::touching;
use crate::tree::{ReadBody, TreeReader};

/// Everything but keyframes, name, notes and solver options.
pub(crate) fn assemble(
    mut tree: TreeReader<'_, '_>,
    options: Options<f64>,
    sections: &Sections<'_>,
) -> Result<Mechanism> {
    let inertials = inertials(&mut tree)?;
    let groups = tree.groups();
    let names = name_everything(&tree)?;
    let mut lists = Lists {
        bodies: bodies(&tree, &inertials),
        joints: Vec::new(),
        sites: Vec::new(),
        geoms: Vec::new(),
        pairs: Vec::new(),
        excludes: Vec::new(),
        equalities: Vec::new(),
        tendons: Vec::new(),
        tendon_joints: Vec::new(),
        tendon_sites: Vec::new(),
        actuators: Vec::new(),
        options,
    };
    let mut labels = Labels::default();
    let mut wanted_springs = Vec::new();
    for (index, body) in tree.bodies.iter().enumerate() {
        let carrier = ReadBody::description_index(index);
        for (read, e) in &body.joints {
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
    touching(&tree, &names, &groups, &sections.contacts, &mut lists, &mut labels)?;
    for geom in tree.bodies.iter().flat_map(|body| &body.geoms).filter(|geom| geom.shape.is_none()) {
        tree.notes.skip(geom.element, "of a shape that the kernel does not know, and can touch nothing");
    }
    let mut names = names.names;
    for e in &sections.tendons {
        let settings = tree.classes.of(e, tree.classes.main())?.tendon;
        let tendon = settings.finish(e, tree.compiler, &names, &mut lists)?;
        names.tendons.push(e, e.name())?;
        labels.tendons.push(e.name().to_owned());
        lists.tendons.push(tendon);
    }
    let mut actuators = Vec::new();
    let mut actuator_names = NameList::new("actuator");
    for e in &sections.actuators {
        let settings = tree.classes.of(e, tree.classes.main())?.actuator;
        actuators.push(settings.finish(e, tree.compiler, &names, &lists)?);
        actuator_names.push(e, e.name())?;
    }
    labels.actuators = actuator_names.into_list();
    drives::add_armature(&mut lists, &actuators);
    springs::settle(&mut lists, &wanted_springs)?;
    drives::add_damping(&mut lists, &actuators);
    drives::settle_damping_ratios(&lists, &mut actuators)?;
    lists.actuators = actuators.into_iter().map(|read| read.actuator).collect();
    let mut equality_names = NameList::new("equality");
    for e in &sections.equalities {
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
pub(crate) struct AllNames {
    pub names: Names,
    pub geoms: NameList,
}

fn name_everything(tree: &TreeReader<'_, '_>) -> Result<AllNames> {
    let mut names = Names {
        bodies: NameList::new("body"),
        joints: NameList::new("joint"),
        joint_kinds: Vec::new(),
        sites: NameList::new("site"),
        tendons: NameList::new("tendon"),
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
