//! Numbers from bytes: plain ones, so that much of what is made of them is sound, and any bits at all.

use arbitrary::Unstructured;
use delassus::scalar::{Real, literal};
use nalgebra::SVector;

/// A float that can be made from any bits and compared bit by bit.
pub trait Float: Real + Into<f64> {
    /// The smallest number with all its digits.
    const SMALLEST: f64;
    /// The float of these bits; single precision takes the lower half.
    fn of_bits(bits: u64) -> Self;
    /// Its bits; all NaNs alike.
    fn to_bits(self) -> u64;
}

impl Float for f32 {
    const SMALLEST: f64 = f32::MIN_POSITIVE as f64;

    fn of_bits(bits: u64) -> Self {
        f32::from_bits(bits as u32)
    }
    fn to_bits(self) -> u64 {
        u64::from(if self.is_nan() { f32::NAN.to_bits() } else { f32::to_bits(self) })
    }
}

impl Float for f64 {
    const SMALLEST: f64 = f64::MIN_POSITIVE;

    fn of_bits(bits: u64) -> Self {
        f64::from_bits(bits)
    }
    fn to_bits(self) -> u64 {
        if self.is_nan() { f64::NAN.to_bits() } else { f64::to_bits(self) }
    }
}

/// Where arithmetic has its edges.
const EDGES: [f64; 20] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    1e-15,
    1e-10,
    -1e-10,
    1e10,
    -1e10,
    1e-40,
    -1e-40,
    1.2e-38,
    3.4e38,
    -3.4e38,
    1e-310,
    1.7e308,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    0.9999,
];

/// The bytes of one input, read as what a problem is made of. At their end everything is zero.
pub struct Bytes<'a>(Unstructured<'a>);

impl<'a> Bytes<'a> {
    pub fn new(data: &'a [u8]) -> Self {
        Self(Unstructured::new(data))
    }

    pub fn byte(&mut self) -> u8 {
        self.0.arbitrary().unwrap_or(0)
    }

    pub fn yes(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    /// Below `count`, which is not zero.
    pub fn below(&mut self, count: usize) -> usize {
        usize::from(self.byte()) % count
    }

    pub fn among<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    /// Mostly a plain number, now and then a power of ten, an edge, or any bits.
    pub fn number<T: Float>(&mut self) -> T {
        match self.byte() {
            0..160 => literal(f64::from(self.0.arbitrary::<i16>().unwrap_or(0)) / 1024.0),
            160..208 => {
                let tenth = 10f64.powi(i32::from(self.byte() as i8) / 3);
                literal(if self.yes() { -tenth } else { tenth })
            }
            208..236 => literal(self.among(&EDGES)),
            _ => T::of_bits(self.0.arbitrary().unwrap_or(0)),
        }
    }

    /// Mostly in (0, 4]; else as [`Self::number`].
    pub fn positive<T: Float>(&mut self) -> T {
        match self.byte() {
            tag @ 0..224 => literal((f64::from(tag) * 256.0 + f64::from(self.byte()) + 1.0) / 14336.0),
            _ => self.number(),
        }
    }

    pub fn numbers<T: Float, const N: usize>(&mut self) -> [T; N] {
        std::array::from_fn(|_| self.number())
    }

    pub fn positives<T: Float, const N: usize>(&mut self) -> [T; N] {
        std::array::from_fn(|_| self.positive())
    }

    pub fn positive_vector<T: Float, const N: usize>(&mut self) -> SVector<T, N> {
        SVector::from(self.positives::<T, N>())
    }

    pub fn vector<T: Float, const N: usize>(&mut self) -> SVector<T, N> {
        SVector::from(self.numbers::<T, N>())
    }

    /// Nothing, half of the time.
    pub fn maybe<X>(&mut self, make: impl FnOnce(&mut Self) -> X) -> Option<X> {
        if self.yes() { Some(make(self)) } else { None }
    }
}
