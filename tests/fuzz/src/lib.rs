//! What the fuzzers and the replay of their corpus run: bytes in, a panic where a promise breaks.

pub mod description;
pub mod judge;
pub mod kernel;
pub mod mjcf;
pub mod model;
pub mod numbers;
