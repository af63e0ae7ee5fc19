//! [`TendonConstants`].

/// What a model keeps of a tendon: numbers of the reference pose and of the pose in which springs are relaxed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TendonConstants<T> {
    /// Length in the reference pose \[m\].
    pub length: T,
    /// Band of lengths in which the spring is slack \[m\].
    pub spring_length: [T; 2],
    /// J M⁻¹ Jᵀ in the reference pose \[1/kg\].
    pub inverse_weight: T,
}

impl<T: Copy> TendonConstants<T> {
    /// All zero: pass `0.0`. Memory for [`Model::with_tendons`](crate::model::Model::with_tendons).
    pub const fn filled(zero: T) -> Self {
        Self { length: zero, spring_length: [zero; 2], inverse_weight: zero }
    }
}
