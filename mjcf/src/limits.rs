//! How large a model may be. Far more than a microcontroller holds, and little enough that a hostile file can neither
//! exhaust memory nor the stack nor much time.

/// Bytes of all files together.
pub const BYTES: u64 = 16 << 20;
/// Files, the first included.
pub const FILES: usize = 200;
/// XML elements of all files together.
pub const ELEMENTS: usize = 100_000;
/// Attributes of an element.
pub const ATTRIBUTES: usize = 500;
/// Elements inside each other.
pub const DEPTH: usize = 150;
/// Default classes.
pub const CLASSES: usize = 1_000;
/// Bodies, joints, geoms, sites each: indices of a description are 16 bits wide.
pub const ITEMS: usize = u16::MAX as usize;
/// Numbers of all keyframes together.
pub const KEYFRAME_NUMBERS: usize = 1_000_000;
/// Degrees of freedom of a model with springdamper, for which a dense mass matrix is factored.
pub const SPRING_DAMPER_DOFS: usize = 500;
