//! [`State`]: everything that a tick depends on.

use nalgebra::{ArrayStorage, SMatrix, SVector};

/// Time, configuration, velocity, and the acceleration that the next solve starts from: the same state always gives the same bits.
///
/// Configuration and velocity are laid out joint by joint in the order of the description. A free joint has world position and
/// quaternion (w, x, y, z), and world linear then body-frame angular velocity; a ball joint a quaternion and a body-frame angular
/// velocity; hinge and slide one number each \[rad, m; rad/s, m/s\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State<T, const NQ: usize, const NV: usize> {
    /// \[s\]
    pub time: T,
    /// q, NQ numbers.
    pub configuration: [T; NQ],
    /// v, NV numbers.
    pub velocity: SVector<T, NV>,
    /// Generalized acceleration of the last tick; zero after a reset.
    pub warm_start: SVector<T, NV>,
}

impl<T: Copy, const NQ: usize, const NV: usize> State<T, NQ, NV> {
    /// All zero, for a `static`; not a valid configuration where there are quaternions: see [`Model::state`](super::Model::state).
    pub const fn filled(zero: T) -> Self {
        let vector = SMatrix::from_array_storage(ArrayStorage([[zero; NV]; 1]));
        Self { time: zero, configuration: [zero; NQ], velocity: vector, warm_start: vector }
    }
}
