//! Scalars: the bound [`Real`], literals, and the few functions whose bits must be the same on the PC and on the chip.
//!
//! Everything here is built from + − × ÷ and comparisons in one fixed order, or is a call into `libm` that computes in the
//! type's own precision. The platform's own `max`, `mul_add`, `sin_cos` or `hypot` are banned by the crate's lints: they differ
//! between targets in the sign of zero or in the last bit, or compute in double precision in software on a Cortex-M4F.
//!
//! | function | is | in `f32` |
//! |---|---|---|
//! | [`dot`], [`norm`], [`add_scaled`] | x₁y₁ + x₂y₂ + …, √(x·x), y + s x | term by term in order: zeros appended change no bit |
//! | [`larger`], [`smaller`], [`clamp`] | max, min, both | the second argument where equal or NaN, so `larger(x, 0)` is +0 for −0 and NaN |
//! | [`sine_cosine`] | (sin x, cos x), x in radians | within 1e-7 for \|x\| ≤ 1024; beyond, x is first taken modulo the float nearest to 2π |
//! | [`square_root`], [`power`] | √x, xᵖ for x ≥ 0 | `libm`; xᵖ without a call for p = 1, 2 |
//! | [`SMALLEST`] | 1e-15 | smallest denominator and regularizer (S12-13, S12-28) |
//!
//! Which bits are meant: every value that is not NaN, the sign of zero included. The payload of a NaN is the processor's affair.
//! `cargo run --example scenes` prints hashes of these functions (`scene …`); `.ci/run chip` compares them on the PC in debug and release and
//! on two emulated chips.

use nalgebra::RealField;

/// The scalar of every computation: `f32` on the chip, `f32` or `f64` on the host, dual numbers for derivatives.
///
/// Blanket-implemented; never implement it by hand.
pub trait Real: RealField + Copy {}
impl<T: RealField + Copy> Real for T {}

/// Smallest denominator and smallest regularizer, 1e-15, MuJoCo's `mjMINVAL` (S12-13, S12-28).
pub const SMALLEST: f64 = 1e-15;

/// The literal `x` in the precision of `T`; folds to a constant for `f32` and `f64`.
///
/// Only for values known at compile time: converting a run-time `f64` is soft-float on the chip.
#[inline(always)]
pub fn literal<T: Real>(x: f64) -> T {
    nalgebra::convert(x)
}

/// The larger of two numbers; `b` when they compare equal or either is NaN.
///
/// `larger(x, zero)` therefore is +0 for −0 and for NaN, on every platform.
#[inline(always)]
pub fn larger<T: Real>(a: T, b: T) -> T {
    if a > b { a } else { b }
}

/// The smaller of two numbers; `b` when they compare equal or either is NaN.
#[inline(always)]
pub fn smaller<T: Real>(a: T, b: T) -> T {
    if a < b { a } else { b }
}

/// `x` moved into `[low, high]`; NaN becomes `low`, so the result is inside whenever `low <= high`.
#[inline(always)]
pub fn clamp<T: Real>(x: T, low: T, high: T) -> T {
    smaller(larger(x, low), high)
}

/// Sum of products over the common length, term by term in order.
///
/// Sequential on purpose: a sum in lanes changes its bits when a vector is padded with zeros.
#[inline(always)]
pub fn dot<T: Real>(a: &[T], b: &[T]) -> T {
    let mut sum = T::zero();
    for (x, y) in a.iter().zip(b) {
        sum += *x * *y;
    }
    sum
}

/// y ← y + s x over the common length.
#[inline(always)]
pub fn add_scaled<T: Real>(y: &mut [T], s: T, x: &[T]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += s * *x;
    }
}

/// Euclidean norm, by a sequential sum of squares and one square root.
#[inline(always)]
pub fn norm<T: Real>(a: &[T]) -> T {
    square_root(dot(a, a))
}

/// Correctly rounded square root; NaN below zero.
#[inline(always)]
pub fn square_root<T: Real>(x: T) -> T {
    x.sqrt()
}

/// Whether every number is finite.
///
/// x − x is zero for a finite x and NaN otherwise, so sums answer for all: two operations a number, no branch. Four sums, because
/// their order does not matter here and none has to wait for another.
#[inline]
#[allow(clippy::eq_op)]
pub fn all_finite<T: Real>(a: &[T]) -> bool {
    let mut sums = [T::zero(); 4];
    let (fours, rest) = a.as_chunks::<4>();
    for four in fours {
        for (sum, x) in sums.iter_mut().zip(four) {
            *sum += *x - *x;
        }
    }
    let [mut sum, b, c, d] = sums;
    for x in rest {
        sum += *x - *x;
    }
    sum + ((b + c) + d) == T::zero()
}

/// `x` to the power `p`, for `x >= 0`; the common powers 1 and 2 without a call.
#[inline]
pub fn power<T: Real>(x: T, p: T) -> T {
    let two = literal(2.0);
    if p == T::one() {
        x
    } else if p == two {
        x * x
    } else {
        x.powf(p)
    }
}

/// Largest argument that the single-precision reduction takes directly; beyond it the argument is first taken modulo 2π.
const DIRECT: f64 = 1024.0;

/// (sin x, cos x), x in radians.
///
/// In single precision: reduction by π/2 in three parts (Cody and Waite) and minimax polynomials of degree 7 and 8 (the
/// coefficients of Cephes `sinf`), all in single precision; absolute error at most 1e-7 for |x| ≤ 1024.
/// Beyond that, x is first taken modulo the float nearest to 2π, exactly: the same as moving x by less than half an ulp of x,
/// so a wheel that has turned for hours still gets the sine of the angle that its encoder count can express.
/// Anything finer than single precision: `libm`. Infinite or NaN arguments give NaN.
pub fn sine_cosine<T: Real>(x: T) -> (T, T) {
    if T::default_epsilon() < literal(1e-10) {
        #[allow(clippy::disallowed_methods)] // finer than single precision: never on the chip's hot path
        return x.sin_cos();
    }
    let x = if x.abs() > literal(DIRECT) { x % literal(6.283_185_5) } else { x };
    // Adding and subtracting 1.5 * 2^23 rounds a float of magnitude below 2^22 to the nearest integer, ties to even.
    let magic: T = literal(12_582_912.0);
    let turns = (x * literal(core::f64::consts::FRAC_2_PI) + magic) - magic;
    let r = ((x - turns * literal(1.570_312_5)) - turns * literal(4.837_512_969_970_703e-4))
        - turns * literal(7.549_789_954_891_882e-8);
    let z = r * r;
    let sine = r + r
        * z
        * (literal::<T>(-1.666_665_461_1e-1)
            + z * (literal::<T>(8.332_160_873_6e-3) + z * literal(-1.951_529_589_1e-4)));
    let cosine = (T::one() - literal::<T>(0.5) * z)
        + z * z
            * (literal::<T>(4.166_664_568_298_827e-2)
                + z * (literal::<T>(-1.388_731_625_493_765e-3) + z * literal(2.443_315_711_809_948e-5)));
    // turns modulo 4, in {-2, -1, 0, 1, 2}
    let quarter = turns - literal::<T>(4.0) * ((turns * literal(0.25) + magic) - magic);
    if quarter == T::zero() {
        (sine, cosine)
    } else if quarter == T::one() {
        (cosine, -sine)
    } else if quarter == -T::one() {
        (-cosine, sine)
    } else {
        (-sine, -cosine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_comes_out_positive_whatever_its_sign_was() {
        for (a, b) in [(0.0f32, -0.0), (-0.0, 0.0), (-0.0f32, -0.0)] {
            assert_eq!(larger(a, b).to_bits(), b.to_bits());
            assert_eq!(smaller(a, b).to_bits(), b.to_bits());
        }
        assert_eq!(larger(f32::NAN, 0.0).to_bits(), 0);
        assert_eq!(clamp(f64::NAN, -1.0, 2.0), -1.0);
    }

    /// Against the double-precision functions of `libm`, whose error is invisible here.
    #[test]
    fn sine_and_cosine_in_single_precision_err_less_than_1e_7() {
        let mut worst = 0.0f64;
        for i in 0..2_000_001 {
            let x = (i - 1_000_000) as f32 * 1.024e-3;
            let (s, c) = sine_cosine(x);
            let error =
                (f64::from(s) - libm::sin(f64::from(x))).abs().max((f64::from(c) - libm::cos(f64::from(x))).abs());
            worst = worst.max(error);
        }
        assert!(worst <= 1e-7, "{worst}");
    }

    #[test]
    fn sine_of_a_tiny_angle_is_the_angle() {
        for x in [0.0f32, 1e-30, -1e-20, 1e-8, -3e-5] {
            assert_eq!(sine_cosine(x).0.to_bits(), x.to_bits());
        }
    }

    /// The promise for large arguments: the sine of an angle within half an ulp of the given one.
    #[test]
    fn sine_of_a_large_angle_belongs_to_an_angle_within_half_an_ulp() {
        for x in [1025.0f32, 5e3, 7.3e4, 1.234_567e6, 9.9e8, -4.4e5] {
            let (s, c) = sine_cosine(x);
            let half_ulp = f64::from(x.abs().next_up() - x.abs()) / 2.0;
            let (low, high) = (f64::from(x) - half_ulp, f64::from(x) + half_ulp);
            if half_ulp < 1.0 {
                let angle = f64::from(s).atan2(f64::from(c));
                let turns = ((f64::from(x) - angle) / core::f64::consts::TAU).round();
                let seen = angle + turns * core::f64::consts::TAU;
                assert!(seen >= low - 1e-6 && seen <= high + 1e-6, "{x}: {seen} outside [{low}, {high}]");
            }
            assert!((s * s + c * c - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn sine_of_what_is_no_angle_is_nan() {
        for x in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let (s, c) = sine_cosine(x);
            assert!(s.is_nan() && c.is_nan());
        }
    }

    #[test]
    fn one_number_that_is_not_finite_is_seen_anywhere() {
        assert!(all_finite(&[f32::MAX, -f32::MAX, 0.0, f32::MIN_POSITIVE]));
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for place in 0..5 {
                let mut a = [1.0f32; 5];
                a[place] = bad;
                assert!(!all_finite(&a));
            }
        }
    }

    #[test]
    fn sums_run_in_order_and_padding_with_zeros_changes_no_bit() {
        let a: [f32; 11] = core::array::from_fn(|i| 0.1 + i as f32 * 1.7);
        let b: [f32; 11] = core::array::from_fn(|i| 3.3 - i as f32 * 0.9);
        let (mut c, mut d) = ([0.0f32; 24], [0.0f32; 24]);
        c[..11].copy_from_slice(&a);
        d[..11].copy_from_slice(&b);
        assert_eq!(dot(&a, &b).to_bits(), dot(&c, &d).to_bits());
    }
}
