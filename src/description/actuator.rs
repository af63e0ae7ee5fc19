//! Actuators: forces that a control signal and the state command.

/// What an actuator pulls on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Transmission {
    /// A joint. Slide and hinge: length g₀ q. Ball: the rotation vector times the first three gears, which are a torque in body
    /// axes. Free: length 0, the gears being a force in world and a torque in body axes.
    Joint(u16),
    /// A tendon: length g₀ L.
    Tendon(u16),
}

/// An actuator: force = gain · u + bias, times the gear on each degree of freedom; u is its entry of the tick's control.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Actuator<T> {
    /// What it pulls on.
    pub transmission: Transmission,
    /// Gear; all but the first count for ball and free joints only.
    pub gear: [T; 6],
    /// g of gain = g₀ + g₁ length + g₂ velocity.
    pub gain: [T; 3],
    /// b of bias = b₀ + b₁ length + b₂ velocity.
    pub bias: [T; 3],
    /// The control is clamped to this; `None`: it is not.
    pub control_range: Option<[T; 2]>,
    /// The force, before the gear, is clamped to this; `None`: it is not.
    pub force_range: Option<[T; 2]>,
}
