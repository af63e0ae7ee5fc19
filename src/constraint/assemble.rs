//! All rows of a tick, in order.

use super::{AnchorMotion, Hooks, Place, Scene};
use crate::description::EqualityKind;
use crate::rows::{Rows, RowsError};
use crate::scalar::Real;

/// What the tick's input says about equalities.
#[derive(Clone, Copy, Debug)]
pub struct Switches<'a, T> {
    /// Whether each equality acts; where the slice ends, the description's word counts.
    pub equality_active: &'a [bool],
    /// Anchors that are moved.
    pub anchor_motions: &'a [AnchorMotion<T>],
}

/// Fills `rows` with the model's constraints except contacts, and the caller's own.
///
/// # Errors
/// What [`Rows`] refuses: no room, or numbers beyond the precision.
pub fn assemble<T, H, const NB: usize, const NQ: usize, const NV: usize, const NR: usize, const NC: usize>(
    scene: &Scene<'_, '_, T, NB, NQ, NV>,
    switches: &Switches<'_, T>,
    rows: &mut Rows<T, NV, NR, NC>,
    hooks: &mut H,
) -> Result<(), RowsError>
where
    T: Real,
    H: Hooks<T, NB, NQ, NV, NR, NC>,
{
    rows.clear();
    let flags = &scene.model.description().options.flags;
    if flags.constraint && flags.equality {
        for (index, equality) in scene.model.description().equalities.iter().enumerate() {
            if !switches.equality_active.get(index).copied().unwrap_or(equality.active) {
                continue;
            }
            let softness = &equality.softness;
            let motion = switches.anchor_motions.iter().find(|motion| usize::from(motion.equality) == index);
            match &equality.kind {
                EqualityKind::Connect { bodies, anchor } => {
                    scene.connect(scene.connect_sides(*bodies, anchor), motion, softness, rows, hooks)?;
                }
                EqualityKind::ConnectSites { sites } => {
                    if let Some(sides) = scene.sites(*sites) {
                        scene.connect(sides, motion, softness, rows, hooks)?;
                    }
                }
                EqualityKind::Weld { bodies, anchor, relative_pose, torque_scale } => {
                    let sides = scene.weld_sides(*bodies, anchor, relative_pose);
                    scene.weld(sides, *torque_scale, softness, rows, hooks)?;
                }
                EqualityKind::WeldSites { sites, torque_scale } => {
                    if let Some(sides) = scene.sites(*sites) {
                        scene.weld(sides, *torque_scale, softness, rows, hooks)?;
                    }
                }
                EqualityKind::Coupling { joint, leader, polynomial } => {
                    scene.coupling(*joint, *leader, polynomial, softness, rows, hooks)?;
                }
            }
        }
    }
    hooks.rows(Place::Equality, scene, rows)?;
    if flags.constraint && flags.friction_loss {
        scene.joint_friction(rows, hooks)?;
    }
    hooks.rows(Place::Friction, scene, rows)?;
    if flags.constraint && flags.limit {
        scene.joint_limits(rows, hooks)?;
    }
    hooks.rows(Place::Limit, scene, rows)
}
