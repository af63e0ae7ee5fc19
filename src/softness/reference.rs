//! `solref`: how fast a row wants its residual gone.
//!
//! With constant impedance d = d_w and Â = A the residual of a pressed row obeys (S12-20, S12-25)
//!
//! ```text
//! standard (t_c, ζ):   r'' + (2/t_c) r' + r/(t_c² ζ²) = 0
//! direct  (-κ, -β):    r'' +    β    r' +      κ    r = 0
//! ```
//!
//! and the gains of a_ref = -B u - K d r are K = κ/d_w² and B = β/d_w. They use d_w, never the current d.
//!
//! # How stiff a time step allows
//!
//! Semi-implicit Euler with step h on r'' + β r' + κ r = 0 has the matrix `[[1 - h²κ, h(1 - hβ)], [-hκ, 1 - hβ]]`,
//! determinant 1 - hβ, trace 2 - hβ - h²κ. Its eigenvalues are inside the unit circle (Jury) exactly when
//! hβ > 0, h²κ > 0 and **2hβ + h²κ < 4**. `refsafe` brings a standard pair to hβ ≤ 1, h²κ ≤ 1/(4ζ²): inside for
//! every ζ above 1/√8 ≈ 0.354 and for none below at the limit. A direct pair is not touched by it; see [`StepRules::guard_direct`].

use super::{Impedance, SoftnessError};
use crate::scalar::{Real, SMALLEST, all_finite, larger, literal, smaller};

/// MuJoCo's default `solref`: t_c = 0.02 s, ζ = 1.
const DEFAULT: [f64; 2] = [0.02, 1.0];

/// Largest gain a row gets, in 1/s² and 1/s. Out of reach of the standard format, whose denominators end at 1e-15;
/// it keeps a direct pair finite in single precision.
const LARGEST_GAIN: f64 = 1e30;

/// How a `solref` was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ReferenceFormat {
    /// (t_c, ζ), both positive: time constant \[s\] and damping ratio.
    Standard,
    /// (-κ, -β), neither positive: stiffness \[1/s²\] and damping \[1/s\]. (0, 0) belongs here, with K = B = 0.
    Direct,
    /// Exactly one number was positive: replaced by the default (0.02, 1), where MuJoCo warns (S12-27).
    MixedReplaced,
}

/// Gains of the reference acceleration a_ref = -B u - K d r - c.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Gains<T> {
    /// K \[1/s²\], not negative, finite.
    pub stiffness: T,
    /// B \[1/s\], not negative, finite.
    pub damping: T,
}

impl<T: Real> Gains<T> {
    /// The same damping with K = 0, as friction rows have it: a_ref = -B u (S12-38).
    pub fn velocity_only(self) -> Self {
        Self { stiffness: T::zero(), damping: self.damping }
    }
}

/// What the time step imposes on the gains.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct StepRules<T> {
    /// Time step h \[s\]. A NaN or a number ≤ 0 limits nothing.
    pub step: T,
    /// Raise the time constant of the standard format to 2h (S12-24). MuJoCo's default is on.
    pub refsafe: bool,
    /// Guard the direct format too; MuJoCo has no such thing, so leave it off for MuJoCo's answers.
    ///
    /// The pair is first treated as `refsafe` would treat its equivalent t_c = 2/β at the same ζ: hβ > 1 becomes β' = 1/h
    /// and κ' = κ (β'/β)². Then κ' is lowered to 1/h². That leaves 2hβ + h²κ ≤ 3 < 4. Where the impedance falls with the error
    /// (d_0 > d_w), the pair is measured at d_0, where the row is stiffest. A pair without damping stays without:
    /// it then rings for ever, but does not grow.
    pub guard_direct: bool,
}

impl<T: Real> StepRules<T> {
    /// MuJoCo's defaults at time step `step` \[s\]: refsafe on, no guard of the direct format.
    pub fn new(step: T) -> Self {
        Self { step, refsafe: true, guard_direct: false }
    }
}

/// A `solref` that has been read: finite, and of one format.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Reference<T> {
    pair: [T; 2],
    format: ReferenceFormat,
}

impl<T: Real> Reference<T> {
    /// Reads (t_c \[s\], ζ) or (-κ \[1/s²\], -β \[1/s\]).
    ///
    /// A pair of which exactly one number is positive becomes (0.02, 1), as in MuJoCo; [`format`](Self::format) then says so.
    ///
    /// # Errors
    /// [`SoftnessError::SolrefNotFinite`].
    pub fn from_solref(solref: [T; 2]) -> Result<Self, SoftnessError> {
        if all_finite(&solref) { Ok(Self::from_finite(solref)) } else { Err(SoftnessError::SolrefNotFinite) }
    }

    /// [`Self::from_solref`] of numbers that are known to be finite.
    pub(super) fn from_finite(solref: [T; 2]) -> Self {
        let format = match (solref[0] > T::zero(), solref[1] > T::zero()) {
            (true, true) => ReferenceFormat::Standard,
            (false, false) => ReferenceFormat::Direct,
            _ => return Self { format: ReferenceFormat::MixedReplaced, ..Self::standard_default() },
        };
        Self { pair: solref, format }
    }

    /// MuJoCo's default.
    pub(super) fn standard_default() -> Self {
        // Not `map`: small images call the conversion, in double precision, where it is not written out.
        let [time_constant, damping_ratio] = DEFAULT;
        Self { pair: [literal(time_constant), literal(damping_ratio)], format: ReferenceFormat::Standard }
    }

    /// The pair in use: the one given, or (0.02, 1) for a mixed one; before any refsafe.
    pub fn solref(&self) -> [T; 2] {
        self.pair
    }

    /// How the pair was read.
    pub fn format(&self) -> ReferenceFormat {
        self.format
    }

    /// Time constant \[s\] after refsafe; `None` in the direct format.
    pub fn time_constant(&self, rules: &StepRules<T>) -> Option<T> {
        if self.format == ReferenceFormat::Direct {
            return None;
        }
        let [time_constant, _] = self.pair;
        // This order of arguments keeps the time constant when the step is NaN.
        Some(if rules.refsafe { larger(literal::<T>(2.0) * rules.step, time_constant) } else { time_constant })
    }

    /// K and B (S12-19, S12-25), with denominators of at least 1e-15 (S12-28); finite for every finite pair.
    #[inline(never)]
    pub fn gains(&self, impedance: &Impedance<T>, rules: &StepRules<T>) -> Gains<T> {
        let full = impedance.full();
        match self.time_constant(rules) {
            Some(time_constant) => {
                let speed = full * time_constant;
                // Squared last, so that a huge time constant and a tiny ζ do not make infinity times zero.
                let root = speed * self.pair[1];
                Gains {
                    stiffness: T::one() / at_least_smallest(root * root),
                    damping: literal::<T>(2.0) / at_least_smallest(speed),
                }
            }
            None => {
                let [mut stiffness, mut damping] = self.pair.map(|x| -x);
                if rules.guard_direct {
                    let stiffest = larger(T::one(), impedance.solimp()[0] / full);
                    [stiffness, damping] = guarded(stiffness, damping, rules.step * stiffest);
                }
                Gains {
                    stiffness: smaller(stiffness / at_least_smallest(full * full), literal(LARGEST_GAIN)),
                    damping: smaller(damping / at_least_smallest(full), literal(LARGEST_GAIN)),
                }
            }
        }
    }
}

fn at_least_smallest<T: Real>(x: T) -> T {
    larger(x, literal(SMALLEST))
}

/// (κ, β) brought to hβ ≤ 1 and h²κ ≤ 1; see [`StepRules::guard_direct`].
///
/// Measuring the pair at an impedance d = q d_w turns (κ, β) into (q²κ, qβ), which is the same as a step q times as long.
fn guarded<T: Real>(mut stiffness: T, mut damping: T, step: T) -> [T; 2] {
    if step > T::zero() && step.is_finite() {
        let load = damping * step;
        if load > T::one() {
            damping = T::one() / step;
            stiffness = (stiffness / load) / load;
        }
        stiffness = smaller(stiffness, (T::one() / step) / step);
    }
    [stiffness, damping]
}
