//! Watching a solve, iteration by iteration. Unused, it compiles to nothing.

/// What an [`Observer`] sees.
#[derive(Clone, Copy, Debug)]
pub struct Iterate<'a, T> {
    /// Steps or sweeps taken so far, this one included; 0 is the start.
    pub iteration: u16,
    /// The acceleration, NV numbers.
    pub acceleration: &'a [T],
    /// The forces, one a row.
    pub force: &'a [T],
    /// Primal gradient at this iterate, NV numbers; empty for dual methods.
    pub gradient: &'a [T],
    /// Length of the step that led here, 1 being a full Newton step; 0 at the start and for dual methods.
    pub step: T,
}

/// Receives the iterates of a solve. `()` is the observer that does nothing.
pub trait Observer<T> {
    /// Whether anybody looks; false spares preparing the iterates.
    const ACTIVE: bool = true;

    /// After the start and after every iteration or sweep.
    fn iterate(&mut self, _iterate: &Iterate<'_, T>) {}

    /// Gauss–Seidel only: after every visit of a row, with all forces as they are then.
    fn row_update(&mut self, _row: usize, _force: &[T]) {}
}

impl<T> Observer<T> for () {
    const ACTIVE: bool = false;
}
