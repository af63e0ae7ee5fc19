//! How the random problems are drawn: a recipe that shrinks, and numbers from its seed.

use super::problem::{Block, Line, NC, NV, Problem, contact, eliminate, product};
use proptest::prelude::*;

/// What shrinks; the numbers come from the seed.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// Rows before the contacts: 0 equality, 1 dry friction, 2 limit.
    pub ordinary: Vec<u8>,
    /// Dimension of each contact, and whether it repeats the Jacobian of the one before.
    pub contacts: Vec<(usize, bool)>,
    /// Powers of ten: mass ratio, friction coefficients (lowest, highest), impratio.
    pub mass_ratio: f64,
    pub friction: (f64, f64),
    pub impratio: f64,
    pub impedance: f64,
    pub seed: u64,
}

/// Friction 1e-5 to 10, each direction its own; impratio 0.1 to 100; contacts of dimension 2, 3, 4, 6, some twice.
pub fn recipes() -> impl Strategy<Value = Recipe> {
    let contact = (prop::sample::select(vec![2usize, 3, 4, 6]), prop::bool::weighted(0.3));
    (
        prop::collection::vec(0u8..3, 0..=4),
        prop::collection::vec(contact, 1..=NC),
        0.0..3.0f64,
        (-5.0..1.0f64, -5.0..1.0f64),
        -1.0..2.0f64,
        prop::sample::select(vec![0.9, 0.95, 0.99, 0.999]),
        any::<u64>(),
    )
        .prop_map(|(mut ordinary, contacts, mass_ratio, friction, impratio, impedance, seed)| {
            ordinary.sort_unstable();
            // Coefficients of one problem within three powers of ten: beyond, H itself is singular to rounding.
            let (low, other) = friction;
            let high = other.clamp(low - 3.0, low + 3.0);
            let friction = (low.min(high), low.max(high));
            Recipe { ordinary, contacts, mass_ratio, friction, impratio, impedance, seed }
        })
}

/// Two contacts, mild numbers: where a slow minimiser gets to the end.
pub fn gentle() -> impl Strategy<Value = Recipe> {
    let contact = (prop::sample::select(vec![2usize, 3, 4, 6]), Just(false));
    (
        prop::collection::vec(0u8..3, 0..=2),
        prop::collection::vec(contact, 1..=2),
        (-1.0..0.5f64, -1.0..0.5f64),
        -0.5..0.5f64,
        any::<u64>(),
    )
        .prop_map(|(mut ordinary, contacts, (low, high), impratio, seed)| {
            ordinary.sort_unstable();
            let friction = (low.min(high), low.max(high));
            Recipe { ordinary, contacts, mass_ratio: 0.5, friction, impratio, impedance: 0.8, seed }
        })
}

struct Noise(u64);

impl Noise {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 / (1u64 << 53) as f64)
    }
}

impl Recipe {
    pub fn problem(&self) -> Problem {
        let mut noise = Noise(self.seed);
        let factor: [[f64; NV]; NV] = core::array::from_fn(|_| core::array::from_fn(|_| noise.within(-1.0, 1.0)));
        let size: [f64; NV] = core::array::from_fn(|_| 10f64.powf(0.5 * noise.within(-self.mass_ratio, 0.0)));
        let mass: [[f64; NV]; NV] = core::array::from_fn(|i| {
            core::array::from_fn(|j| {
                (product(&factor[i], &factor[j]) + if i == j { 1.0 } else { 0.0 }) * size[i] * size[j]
            })
        });
        let free = core::array::from_fn(|_| noise.within(-10.0, 10.0));
        let seen = |j: &[f64; NV]| product(j, &eliminate(&mass, j));
        let softness = (1.0 - self.impedance) / self.impedance;
        let line = |noise: &mut Noise| {
            let jacobian: [f64; NV] = core::array::from_fn(|_| noise.within(-1.0, 1.0));
            let regularizer = softness * seen(&jacobian);
            Line { jacobian, reference: noise.within(-30.0, 30.0), regularizer }
        };
        let mut blocks: Vec<Block> = self
            .ordinary
            .iter()
            .map(|kind| {
                let line = line(&mut noise);
                match kind {
                    0 => Block::Equality(line),
                    1 => {
                        let loss = noise.within(0.0, 2.0) * line.reference.abs() / (line.regularizer / softness);
                        Block::Friction(line, loss)
                    }
                    _ => Block::Limit(line),
                }
            })
            .collect();
        let mut last: Vec<Line> = Vec::new();
        for (dimension, copied) in &self.contacts {
            let mut lines: Vec<Line> = (0..*dimension).map(|_| line(&mut noise)).collect();
            if *copied && noise.bits() & 1 == 0 {
                // All numbers alike: only R says how the two contacts share the force.
                lines.splice(..last.len().min(*dimension), last.iter().take(*dimension).cloned());
            } else if *copied {
                for (line, last) in lines.iter_mut().zip(&last) {
                    line.jacobian = last.jacobian;
                }
                lines[0].regularizer = softness * seen(&lines[0].jacobian);
            }
            // Often pressed in: contacts that are not push nobody.
            if noise.bits() & 3 != 0 {
                lines[0].reference = lines[0].reference.abs();
            }
            let friction: Vec<f64> =
                (1..*dimension).map(|_| 10f64.powf(noise.within(self.friction.0, self.friction.1))).collect();
            last = lines.clone();
            blocks.push(contact(lines, friction, 10f64.powf(self.impratio)));
        }
        Problem { mass, free, blocks }
    }
}
