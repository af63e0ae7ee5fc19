//! What is known of a state: the state itself, energies, forces, where the bodies are.

use delassus::dynamics::potential_energy;
use delassus::forces::spring_energy;
use delassus::model::{Model, State};
use delassus::rows::Kind;
use delassus::tendon::length;
use delassus::tick::{Method, Workspace};

use crate::run::Number;

/// A state, and what a forward pass found in it; SI units, world axes.
#[derive(Clone, Debug, Default)]
pub struct Record {
    pub configuration: Vec<f64>,
    pub velocity: Vec<f64>,
    /// Kinetic, of the bodies in gravity, of the springs \[J\].
    pub energy: [f64; 3],
    /// Pairs of geoms that touch, in the order of the contacts.
    pub touches: Vec<Touch>,
    /// Force of each equality row.
    pub equality: Vec<f64>,
    /// What limits and dry friction do to each dof, and all tendons together.
    pub limit: Vec<f64>,
    pub friction: Vec<f64>,
    pub tendon: Vec<f64>,
    /// Contacts that are listed, and rows of all kinds.
    pub contacts: usize,
    pub rows: usize,
    /// Position and orientation (w, x, y, z) of each body.
    pub frames: Vec<([f64; 3], [f64; 4])>,
    /// Centre of mass of each body \[m\].
    pub centers: Vec<[f64; 3]>,
}

/// All contacts of two geoms together.
#[derive(Clone, Debug)]
pub struct Touch {
    pub geoms: [u16; 2],
    /// On the second geom's body \[N\].
    pub force: [f64; 3],
    /// Sum of the normal forces \[N\].
    pub normal: f64,
    /// Size of what is not normal \[N\].
    pub friction: f64,
}

fn size(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Adds the contacts of the same geoms up.
fn touches<T, S, const NB: usize, const NV: usize, const NC: usize, const NR: usize>(
    work: &Workspace<T, NB, NV, NC, NR, S>,
) -> Vec<Touch>
where
    T: Number,
    S: Method<T, NV, NR, NC>,
{
    let mut list: Vec<(Touch, [f64; 3])> = Vec::new();
    for (index, contact) in work.contacts().iter().enumerate() {
        let Some((local, world)) = work.contact_force(index).zip(work.contact_force_in_world(index)) else { continue };
        if work.first_row(index).is_none() {
            continue;
        }
        let place = list.iter().position(|(touch, _)| touch.geoms == contact.geoms).unwrap_or_else(|| {
            let touch = Touch { geoms: contact.geoms, force: [0.0; 3], normal: 0.0, friction: 0.0 };
            list.push((touch, [0.0; 3]));
            list.len() - 1
        });
        let (touch, tangential) = &mut list[place];
        let normal = local.force[0].wide();
        touch.normal += normal;
        for (k, axis) in contact.frame[0].iter().enumerate() {
            touch.force[k] += world.force[k].wide();
            tangential[k] += world.force[k].wide() - axis.wide() * normal;
        }
    }
    list.into_iter().map(|(touch, tangential)| Touch { friction: size(tangential), ..touch }).collect()
}

/// ½ vᵀ M v \[J\], the inertia of drives and tendons included.
fn kinetic_energy<T: Number, const NV: usize>(mass: &[[T; NV]], velocity: &[T]) -> f64 {
    let product = |column: &[T; NV]| column.iter().zip(velocity).map(|(m, v)| m.wide() * v.wide()).sum::<f64>();
    0.5 * mass.iter().zip(velocity).map(|(column, v)| v.wide() * product(column)).sum::<f64>()
}

/// k x²/2 + k₁ x³/3 + k₂ x⁴/4 of each tendon, x being how far it is outside its slack band \[J\].
fn tendon_energy<T: Number, S, const NB: usize, const NQ: usize, const NV: usize, const NC: usize, const NR: usize>(
    model: &Model<'_, T, NB, NQ, NV>,
    state: &State<T, NQ, NV>,
    work: &Workspace<T, NB, NV, NC, NR, S>,
) -> f64 {
    let description = model.description();
    if !description.options.flags.spring {
        return 0.0;
    }
    let mut sum = 0.0;
    for (tendon, constants) in description.tendons.iter().zip(model.tendons()) {
        let now = length(model.tree(), work.kinematics(), &state.configuration, tendon).wide();
        let [low, high] = constants.spring_length.map(Number::wide);
        let x = now - now.clamp(low.min(high), high.max(low));
        let [k, k1, k2] = tendon.stiffness.map(Number::wide);
        sum += x * x * (k / 2.0 + x * (k1 / 3.0 + x * k2 / 4.0));
    }
    sum
}

impl Record {
    /// Of a state in which `work` has just been filled.
    pub fn new<T, S, const NB: usize, const NQ: usize, const NV: usize, const NC: usize, const NR: usize>(
        model: &Model<'_, T, NB, NQ, NV>,
        state: &State<T, NQ, NV>,
        work: &Workspace<T, NB, NV, NC, NR, S>,
    ) -> Self
    where
        T: Number,
        S: Method<T, NV, NR, NC>,
    {
        let (tree, kinematics) = (model.tree(), work.kinematics());
        let bodies = model.description().bodies.len();
        let dofs = model.dof_count();
        let mut record = Self {
            configuration: state.configuration.iter().take(model.coordinate_count()).map(|x| x.wide()).collect(),
            velocity: state.velocity.iter().take(dofs).map(|x| x.wide()).collect(),
            energy: [
                kinetic_energy(&work.mass().columns()[..dofs], state.velocity.as_slice()),
                potential_energy(tree, kinematics, &model.gravity()).wide(),
                spring_energy(tree, &state.configuration).wide() + tendon_energy(model, state, work),
            ],
            touches: touches(work),
            equality: Vec::new(),
            limit: vec![0.0; dofs],
            friction: vec![0.0; dofs],
            tendon: vec![0.0; dofs],
            contacts: work.contacts().len(),
            rows: work.rows().len(),
            frames: Vec::with_capacity(bodies),
            centers: Vec::with_capacity(bodies),
        };
        for body in 0..bodies as u16 {
            let frame = kinematics.frame(Some(body));
            let (p, q) = (frame.position, frame.orientation.0);
            record.frames.push(([p.x, p.y, p.z].map(Number::wide), q.map(Number::wide)));
            let c = kinematics.center(Some(body));
            record.centers.push([c.x, c.y, c.z].map(Number::wide));
        }
        for (row, force) in work.rows().rows().iter().zip(work.row_forces()) {
            let sums = match row.kind() {
                Kind::Equality => {
                    record.equality.push(force.wide());
                    continue;
                }
                Kind::JointFriction => &mut record.friction,
                Kind::JointLimit => &mut record.limit,
                Kind::TendonFriction | Kind::TendonLimit => &mut record.tendon,
                Kind::ContactFrictionless | Kind::ContactPyramidal | Kind::ContactElliptic => continue,
            };
            for (sum, entry) in sums.iter_mut().zip(row.jacobian()) {
                *sum += entry.wide() * force.wide();
            }
        }
        record
    }
}
