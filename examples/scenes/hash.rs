//! The hash by which runs on the PC and on the chip are compared.

/// 64-bit FNV-1a over the bits of numbers in single precision. Every NaN counts as one: its payload is the processor's affair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hash {
    pub value: u64,
    pub count: u32,
}

impl Hash {
    pub const fn new() -> Self {
        Self { value: 0xcbf2_9ce4_8422_2325, count: 0 }
    }

    pub fn add(&mut self, x: f32) {
        let bits = if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() };
        for byte in bits.to_le_bytes() {
            self.value = (self.value ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        self.count = self.count.wrapping_add(1);
    }
}
