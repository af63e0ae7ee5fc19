//! Which pairs of geoms to look at, in the order of X-67.
//!
//! By pairs of bodies, the lower one first, the world being the lowest; in each first the pairs with parameters of their own in the
//! description's order, then the automatic ones by (geom 1, geom 2) as X-60 assigns them. Geoms are sorted by body, so nothing
//! needs to be stored or sorted.

use super::filter::{bodies_collide, geoms_collide, has_own_pair};
use super::pair::{most_contacts, supported};
use crate::description::{Description, Geom, Pair, Uses};

const ALL: u32 = Uses::EVERYTHING.bits();

/// Two geoms that can collide.
#[derive(Clone, Copy)]
pub(super) struct Candidate<'m, T> {
    /// Their indices, in X-60's order.
    pub(super) geoms: [u16; 2],
    /// The first.
    pub(super) first: &'m Geom<T>,
    /// The second.
    pub(super) second: &'m Geom<T>,
    /// Parameters of their own.
    pub(super) pair: Option<&'m Pair<T>>,
}

/// The geoms of one body.
struct Run<'m, T> {
    start: usize,
    geoms: &'m [Geom<T>],
}

impl<'m, T> Run<'m, T> {
    /// The geoms of the body whose first geom has the index `start`; `None` after the last.
    fn at(description: &Description<'m, T>, start: usize) -> Option<Self> {
        let rest = description.geoms.get(start..)?;
        let body = rest.first()?.body;
        let count = rest.iter().take_while(|geom| geom.body == body).count();
        Some(Self { start, geoms: rest.get(..count)? })
    }

    fn body(&self) -> Option<u16> {
        self.geoms.first().and_then(|geom| geom.body)
    }

    fn end(&self) -> usize {
        self.start + self.geoms.len()
    }

    fn iter(&self) -> impl Iterator<Item = (u16, &'m Geom<T>)> {
        let start = self.start;
        self.geoms.iter().enumerate().map(move |(i, geom)| ((start + i) as u16, geom))
    }
}

/// Shows every candidate to `visit`, in order; `U` says whether there may be pairs with parameters of their own.
pub(super) fn each<'m, T, const U: u32>(
    description: &Description<'m, T>,
    groups: &[Option<u16>],
    mut visit: impl FnMut(Candidate<'m, T>),
) {
    let mut lower_start = 0;
    while let Some(lower) = Run::at(description, lower_start) {
        lower_start = lower.end();
        let has_pairs = Uses::from_bits(U).has(Uses::PAIR)
            && own_pairs(description).any(|candidate| bodies(&candidate)[0] == lower.body());
        // Two geoms of one body meet only in a pair of their own.
        let mut start = if has_pairs { lower.start } else { lower.end() };
        while let Some(higher) = Run::at(description, start) {
            start = higher.end();
            if has_pairs {
                let both = [lower.body(), higher.body()];
                for candidate in own_pairs(description).filter(|candidate| bodies(candidate) == both) {
                    visit(candidate);
                }
            }
            if bodies_collide(description, groups, lower.body(), higher.body()) {
                automatic(description, &lower, &higher, has_pairs, &mut visit);
            }
        }
    }
}

/// The two bodies of a candidate, the lower one first.
fn bodies<T>(candidate: &Candidate<'_, T>) -> [Option<u16>; 2] {
    let (a, b) = (candidate.first.body, candidate.second.body);
    if a > b { [b, a] } else { [a, b] }
}

/// The pairs with parameters of their own, as candidates; one that names a geom that is not there is passed over.
fn own_pairs<'m, T>(description: &Description<'m, T>) -> impl Iterator<Item = Candidate<'m, T>> {
    let geoms = description.geoms;
    description.pairs.iter().filter_map(move |pair| {
        let [a, b] = pair.geoms;
        let (first, second) = (geoms.get(usize::from(a))?, geoms.get(usize::from(b))?);
        // the lower type, then the lower body, then as written.
        let swapped = (first.shape.order(), first.body) > (second.shape.order(), second.body);
        let (geoms, first, second) = if swapped { ([b, a], second, first) } else { ([a, b], first, second) };
        Some(Candidate { geoms, first, second, pair: Some(pair) })
    })
}

/// The automatic candidates of two bodies. All geoms of the lower body have lower indices, so those that come first in a contact
/// are all met before those of the higher body that do.
fn automatic<'m, T>(
    description: &Description<'m, T>,
    lower: &Run<'m, T>,
    higher: &Run<'m, T>,
    has_pairs: bool,
    visit: &mut impl FnMut(Candidate<'m, T>),
) {
    let mut offer = |(i, first): (u16, &'m Geom<T>), (j, second): (u16, &'m Geom<T>)| {
        if geoms_collide(first, second) && !(has_pairs && has_own_pair(description, [i, j])) {
            visit(Candidate { geoms: [i, j], first, second, pair: None });
        }
    };
    for a in lower.iter() {
        for b in higher.iter().filter(|b| a.1.shape.order() <= b.1.shape.order()) {
            offer(a, b);
        }
    }
    for b in higher.iter() {
        for a in lower.iter().filter(|a| b.1.shape.order() < a.1.shape.order()) {
            offer(b, a);
        }
    }
}

/// The first pair of geoms that can collide, but for whose shapes there is no routine: two boxes, or an explicit pair of planes.
pub fn first_unsupported<T>(description: &Description<'_, T>, groups: &[Option<u16>]) -> Option<[u16; 2]> {
    let mut found = None;
    each::<T, ALL>(description, groups, |candidate| {
        if found.is_none() && !supported(&candidate.first.shape, &candidate.second.shape) {
            found = Some(candidate.geoms);
        }
    });
    found
}

/// How many contacts a mechanism can have at most, whatever its pose: a list of this capacity never drops one.
pub fn contact_capacity<T>(description: &Description<'_, T>, groups: &[Option<u16>]) -> usize {
    let mut sum = 0;
    each::<T, ALL>(description, groups, |candidate| {
        sum += most_contacts(&candidate.first.shape, &candidate.second.shape)
    });
    sum
}
