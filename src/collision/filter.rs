//! Which geoms do not collide. Pairs with parameters of their own skip all of this.
//!
//! A weld group is a body with joints, or the world, and everything that hangs on it without a joint between. It is named by the
//! body with the joints, `None` for the world. `groups` holds the group of each body, in the bodies' order; a body that it does
//! not have counts as the world's.

use crate::description::{Description, Geom, Shape};

/// The group of a body.
pub fn group(groups: &[Option<u16>], body: Option<u16>) -> Option<u16> {
    body.and_then(|b| groups.get(usize::from(b)).copied().flatten())
}

/// The group that the first body of a group hangs on. The world's is the world.
pub fn parent_group<T>(
    description: &Description<'_, T>,
    groups: &[Option<u16>],
    group_of_child: Option<u16>,
) -> Option<u16> {
    group(groups, group_of_child.and_then(|root| description.bodies.get(usize::from(root))).and_then(|b| b.parent))
}

/// Whether the geoms of two bodies may collide: different groups; not a group and its parent group, unless one of them
/// is the world's (where `filter_parent` is on); not excluded, which names the bodies themselves.
pub fn bodies_collide<T>(
    description: &Description<'_, T>,
    groups: &[Option<u16>],
    first: Option<u16>,
    second: Option<u16>,
) -> bool {
    let (a, b) = (group(groups, first), group(groups, second));
    if a == b {
        return false;
    }
    let related = description.options.flags.filter_parent
        && a.is_some()
        && b.is_some()
        && (parent_group(description, groups, a) == b || parent_group(description, groups, b) == a);
    !related && !description.excludes.iter().any(|e| *e == [first, second] || *e == [second, first])
}

/// Whether two geoms of bodies that may collide do: the bits of one meet the other's, and not both are planes.
pub fn geoms_collide<T>(first: &Geom<T>, second: &Geom<T>) -> bool {
    let bits = first.contype & second.conaffinity | second.contype & first.conaffinity;
    bits != 0 && !(matches!(first.shape, Shape::Plane) && matches!(second.shape, Shape::Plane))
}

/// Whether a pair with parameters of its own takes the place of the automatic test of two geoms, given in either order.
pub fn has_own_pair<T>(description: &Description<'_, T>, geoms: [u16; 2]) -> bool {
    let [a, b] = geoms;
    description.pairs.iter().any(|pair| pair.geoms == geoms || pair.geoms == [b, a])
}
