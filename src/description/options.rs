//! How time and contacts are treated.

/// Gravity, step and rules.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options<T> {
    /// Acceleration of free fall \[m/s²\].
    pub gravity: [T; 3],
    /// Time step \[s\].
    pub step: T,
    /// How a step moves the state.
    pub integrator: Integrator,
    /// Which friction cone contacts have.
    pub cone: FrictionCone,
    /// impratio: how much stiffer friction rows are than normal rows (S12-41).
    pub impedance_ratio: T,
    /// What is switched on.
    pub flags: Flags,
}

/// How a step moves the state (S15-41 … S15-57).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Integrator {
    /// Semi-implicit Euler, joint damping implicit where the flag says so.
    Euler,
    /// Runge–Kutta of fourth order on the manifold.
    RungeKutta,
    /// Velocity-implicit with all derivatives of the smooth forces.
    Implicit,
    /// Velocity-implicit without the derivative of the bias force; free bodies by the midpoint rule.
    ImplicitFast,
}

/// The friction cone of contacts (S11-20).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum FrictionCone {
    /// Edges J_n ± μ_j J_j.
    Pyramidal,
    /// The cone itself, one block a contact.
    Elliptic,
}

/// What is switched on. [`Flags::DEFAULT`] is MuJoCo's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Flags {
    /// Lift a time constant below two steps (S12-24).
    pub refsafe: bool,
    /// Scale regularizers by the exact diagonal of A instead of inverse weights (S11-36).
    pub exact_diagonal: bool,
    /// Treat joint damping implicitly in Euler's step.
    pub euler_damping: bool,
    /// Start solves from the last acceleration.
    pub warm_start: bool,
    /// Constraints of any kind.
    pub constraint: bool,
    /// Equalities.
    pub equality: bool,
    /// Dry friction.
    pub friction_loss: bool,
    /// Joint limits.
    pub limit: bool,
    /// Contacts.
    pub contact: bool,
    /// Gravity.
    pub gravity: bool,
    /// Springs.
    pub spring: bool,
    /// Dampers.
    pub damper: bool,
    /// No contacts between a body and its parent.
    pub filter_parent: bool,
    /// Actuators.
    pub actuation: bool,
    /// Clamp controls to their ranges.
    pub clamp_control: bool,
}

impl Flags {
    /// Everything on but the exact diagonal.
    pub const DEFAULT: Self = Self {
        refsafe: true,
        exact_diagonal: false,
        euler_damping: true,
        warm_start: true,
        constraint: true,
        equality: true,
        friction_loss: true,
        limit: true,
        contact: true,
        gravity: true,
        spring: true,
        damper: true,
        filter_parent: true,
        actuation: true,
        clamp_control: true,
    };
}
