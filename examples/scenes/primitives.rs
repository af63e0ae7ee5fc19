//! The table of primitives: if these have the same bits on host and chip, everything built from them has.

use super::Hash;
use delassus::scalar::{dot, larger, power, sine_cosine, smaller, square_root};
use delassus::spatial::Quaternion;
use nalgebra::{ComplexField, RealField, Vector3};

/// Inputs of each primitive.
const INPUTS: u32 = 4096;

/// The numbers that break things, in turn with pseudo-random ones of every magnitude.
const SPECIAL: [f32; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    f32::MIN_POSITIVE,
    -f32::MIN_POSITIVE,
    1e-45,
    -1e-45,
    f32::MAX,
    -f32::MAX,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    f32::EPSILON,
    16_777_216.0,
    core::f32::consts::PI,
];

struct Inputs(u32);

impl Inputs {
    /// xorshift32
    fn bits(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }

    /// One in eight special, one in four any bit pattern, the rest of magnitude 1e-4 … 1e4.
    fn any(&mut self) -> f32 {
        let choice = self.bits();
        match choice % 8 {
            0 => SPECIAL[(choice >> 8) as usize % 16],
            1 | 2 => f32::from_bits(self.bits()),
            _ => self.ordinary(),
        }
    }

    fn ordinary(&mut self) -> f32 {
        let bits = self.bits();
        // exponent 2^-13 … 2^13, sign and mantissa as they come
        f32::from_bits((bits & 0x807f_ffff) | ((114 + (bits >> 23) % 27) << 23))
    }
}

fn table(name: &'static str, record: &mut impl FnMut(&'static str, Hash), mut f: impl FnMut(&mut Inputs, &mut Hash)) {
    let (mut inputs, mut hash) = (Inputs(0x9e37_79b9), Hash::new());
    for _ in 0..INPUTS {
        f(&mut inputs, &mut hash);
    }
    record(name, hash);
}

/// Hands over one hash a primitive, so that a difference has a name.
pub fn run(record: &mut impl FnMut(&'static str, Hash)) {
    table("sum", record, |i, h| h.add(i.any() + i.any()));
    table("difference", record, |i, h| h.add(i.any() - i.any()));
    table("product", record, |i, h| h.add(i.any() * i.any()));
    table("quotient", record, |i, h| h.add(i.any() / i.any()));
    table("square_root", record, |i, h| h.add(square_root(i.any())));
    table("sine_cosine", record, |i, h| {
        let x = if i.bits() % 4 == 0 { i.any() } else { i.ordinary() };
        let (s, c) = sine_cosine(x);
        h.add(s);
        h.add(c);
    });
    table("power", record, |i, h| {
        let x = i.any();
        h.add(ComplexField::powf(x, i.ordinary() * 1e-3));
        h.add(power(x.abs(), 2.0));
    });
    table("exponential", record, |i, h| h.add(ComplexField::exp(i.ordinary() * 1e-2)));
    table("arc_tangent", record, |i, h| {
        let (y, x) = (i.any(), i.any());
        h.add(RealField::atan2(y, x));
    });
    table("larger", record, |i, h| {
        let (a, b) = (i.any(), i.any());
        h.add(larger(a, b));
        h.add(smaller(a, b));
    });
    table("quaternion_step", record, |i, h| {
        let q = Quaternion([i.ordinary(), i.ordinary(), i.ordinary(), i.ordinary()]);
        let rate = Vector3::new(i.ordinary(), i.ordinary(), i.ordinary());
        let next = q.normalized().unwrap_or(Quaternion::identity()).step(&rate, 1e-3);
        for x in next.0 {
            h.add(x);
        }
    });
    table("dot", record, |i, h| {
        let a: [f32; 19] = core::array::from_fn(|_| i.ordinary());
        let b: [f32; 19] = core::array::from_fn(|_| i.ordinary());
        h.add(dot(&a, &b));
    });
}
