//! What can be wrong with the numbers that describe a softness.

use core::fmt;

/// Why a softness, or something asked of it, does not exist. Each names the number to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum SoftnessError {
    /// A number of `solref` is NaN or infinite.
    SolrefNotFinite,
    /// A number of `solimp`, or a constant impedance, is NaN or infinite.
    SolimpNotFinite,
    /// The diagonal Â is negative, NaN, or so large that its regularizer is infinite in this scalar type.
    BadDiagonal,
    /// The effective mass is not a positive finite number.
    BadMass,
    /// The stiffness is negative, NaN, or not representable as a gain in this scalar type.
    BadStiffness,
    /// The damping is negative, NaN, or not representable as a gain in this scalar type.
    BadDamping,
    /// The load is not a positive finite number.
    BadLoad,
    /// The depth is not a positive finite number.
    BadDepth,
    /// The settling time is not a positive finite number.
    BadSettlingTime,
    /// The impedance would have to be below 0.0001: at this settling time the load cannot sink that deep. Lengthen the settling time.
    TooSoft,
    /// The impedance would have to be above 0.9999: at this settling time the load sinks deeper. Shorten the settling time.
    TooHard,
    /// The row has no stiffness, or so little that the rest position is out of the scalar type's reach: nothing holds the load.
    NoStiffness,
    /// The free acceleration does not press into the row, so the row does not carry anything at rest.
    NotPressed,
    /// The ratio Â/A is not a positive finite number.
    BadWeightRatio,
    /// The residual is NaN or infinite.
    ResidualNotFinite,
}

impl fmt::Display for SoftnessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SolrefNotFinite => "solref is not finite",
            Self::SolimpNotFinite => "solimp is not finite",
            Self::BadDiagonal => "diagonal of the inverse inertia is negative or not finite",
            Self::BadMass => "effective mass is not positive and finite",
            Self::BadStiffness => "stiffness is negative or out of range",
            Self::BadDamping => "damping is negative or out of range",
            Self::BadLoad => "load is not positive and finite",
            Self::BadDepth => "depth is not positive and finite",
            Self::BadSettlingTime => "settling time is not positive and finite",
            Self::TooSoft => "depth unreachable: too soft for this settling time",
            Self::TooHard => "depth unreachable: too hard for this settling time",
            Self::NoStiffness => "no stiffness holds the load",
            Self::NotPressed => "free acceleration does not press into the row",
            Self::BadWeightRatio => "ratio of the diagonals is not positive and finite",
            Self::ResidualNotFinite => "residual is not finite",
        })
    }
}

impl core::error::Error for SoftnessError {}
