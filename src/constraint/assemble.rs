//! All rows of a tick, in order.

use super::{AnchorMotion, Hooks, Place, Scene, row_count};
use crate::collision::Contact;
use crate::description::{EqualityKind, Uses};
use crate::rows::{Rows, RowsError};
use crate::scalar::Real;

/// All kinds of equalities.
const EQUALITIES: Uses = Uses::CONNECT.and(Uses::WELD).and(Uses::COUPLING).and(Uses::TENDON);

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
pub fn assemble<
    T,
    H,
    const NB: usize,
    const NQ: usize,
    const NV: usize,
    const NR: usize,
    const NC: usize,
    const U: u32,
>(
    scene: &Scene<'_, '_, T, NB, NQ, NV, U>,
    switches: &Switches<'_, T>,
    rows: &mut Rows<T, NV, NR, NC>,
    hooks: &mut H,
) -> Result<(), RowsError>
where
    T: Real,
    H: Hooks<T, NB, NQ, NV, NR, NC, U>,
{
    rows.clear();
    let flags = &scene.model.description().options.flags;
    let uses = Uses::from_bits(U);
    if uses.has_any(EQUALITIES) && flags.constraint && flags.equality {
        for (index, equality) in scene.model.description().equalities.iter().enumerate() {
            if !switches.equality_active.get(index).copied().unwrap_or(equality.active) {
                continue;
            }
            let softness = &equality.softness;
            let motion = switches.anchor_motions.iter().find(|motion| usize::from(motion.equality) == index);
            // An arm that the model does not use is not linked; `Model` has refused what would need it.
            match &equality.kind {
                EqualityKind::Connect { bodies, anchor } if uses.has(Uses::CONNECT) => {
                    scene.connect(scene.connect_sides(*bodies, anchor), motion, softness, rows, hooks)?;
                }
                EqualityKind::ConnectSites { sites } if uses.has(Uses::CONNECT) => {
                    if let Some(sides) = scene.sites(*sites) {
                        scene.connect(sides, motion, softness, rows, hooks)?;
                    }
                }
                EqualityKind::Weld { bodies, anchor, relative_pose, torque_scale } if uses.has(Uses::WELD) => {
                    let sides = scene.weld_sides(*bodies, anchor, relative_pose);
                    scene.weld(sides, *torque_scale, softness, rows, hooks)?;
                }
                EqualityKind::WeldSites { sites, torque_scale } if uses.has(Uses::WELD) => {
                    if let Some(sides) = scene.sites(*sites) {
                        scene.weld(sides, *torque_scale, softness, rows, hooks)?;
                    }
                }
                EqualityKind::Coupling { joint, leader, polynomial } if uses.has(Uses::COUPLING) => {
                    scene.coupling(*joint, *leader, polynomial, softness, rows, hooks)?;
                }
                EqualityKind::TendonCoupling { tendon, leader, polynomial } if uses.has(Uses::TENDON) => {
                    scene.tendon_coupling(*tendon, *leader, polynomial, softness, rows, hooks)?;
                }
                _ => {}
            }
        }
    }
    hooks.rows(Place::Equality, scene, rows)?;
    if flags.constraint && flags.friction_loss && scene.model.present.friction_loss {
        scene.joint_friction(rows, hooks)?;
    }
    hooks.rows(Place::Friction, scene, rows)?;
    let tendons = uses.has(Uses::TENDON) && flags.constraint && !scene.model.description().tendons.is_empty();
    if tendons && flags.friction_loss {
        scene.tendon_friction(rows, hooks)?;
    }
    if uses.has(Uses::LIMIT) && flags.constraint && flags.limit {
        scene.joint_limits(rows, hooks)?;
    }
    hooks.rows(Place::Limit, scene, rows)?;
    if tendons && flags.limit {
        scene.tendon_limits(rows, hooks)?;
    }
    Ok(())
}

/// Adds the rows of contacts in the order given, then the caller's own. Where NR is too small for all, the deepest contacts get
/// rows and the number of the others is returned; `first_row` gets the index of each contact's first row.
///
/// # Errors
/// What [`Rows`] refuses beside that: numbers beyond the precision.
pub fn assemble_contacts<
    T,
    H,
    const NB: usize,
    const NQ: usize,
    const NV: usize,
    const NR: usize,
    const NC: usize,
    const U: u32,
>(
    scene: &Scene<'_, '_, T, NB, NQ, NV, U>,
    contacts: &[Contact<T>],
    first_row: &mut [Option<u16>; NC],
    rows: &mut Rows<T, NV, NR, NC>,
    hooks: &mut H,
) -> Result<u16, RowsError>
where
    T: Real,
    H: Hooks<T, NB, NQ, NV, NR, NC, U>,
{
    let cone = scene.model.description().options.cone;
    *first_row = [None; NC];
    let mut wanted = 0;
    for (contact, slot) in contacts.iter().zip(first_row.iter_mut()) {
        if scene.has_rows(contact) {
            wanted += row_count(contact, cone);
            *slot = Some(0);
        }
    }
    let mut dropped = 0;
    let room = NR - rows.len().min(NR);
    // Each turn gives up the shallowest contact that still has rows; of equally deep ones the last.
    for _ in 0..NC {
        if wanted <= room {
            break;
        }
        let mut shallowest: Option<(T, usize, &mut Option<u16>)> = None;
        for (contact, slot) in contacts.iter().zip(first_row.iter_mut()).filter(|(_, slot)| slot.is_some()) {
            let height = contact.distance - contact.margin;
            if shallowest.as_ref().is_none_or(|(other, _, _)| height >= *other) {
                shallowest = Some((height, row_count(contact, cone), slot));
            }
        }
        let Some((_, count, slot)) = shallowest else { break };
        *slot = None;
        wanted -= count.min(wanted);
        dropped += 1;
    }
    let mut last = None;
    for (contact, slot) in contacts.iter().zip(first_row.iter_mut()) {
        if slot.is_some() {
            *slot = Some(rows.len() as u16);
            scene.contact(contact, &mut last, rows, hooks)?;
        }
    }
    hooks.rows(Place::Contact, scene, rows)?;
    Ok(dropped)
}
