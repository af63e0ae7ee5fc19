//! Reads MJCF, MuJoCo's model format, into a [`delassus`] description.
//!
//! ```
//! let mechanism = delassus_mjcf::read_text(
//!     r#"<mujoco>
//!          <worldbody>
//!            <body><joint axis="0 1 0"/><geom type="capsule" size="0.02" fromto="0 0 0 0 0 -0.3"/></body>
//!          </worldbody>
//!        </mujoco>"#,
//! )?;
//! assert_eq!(mechanism.lists.dofs(), 1);
//! let description = mechanism.lists.description(); // for Model::new
//! # Ok::<(), delassus_mjcf::Error>(())
//! ```
//!
//! What cannot matter to the dynamics (drawing, sensors) is skipped and listed in [`Mechanism::notes`]. What would change the
//! answer and is not supported is an [`Error`] that names the element, its line and the remedy. A broken or hostile file gives an
//! error too; [`limits`] says how large a model may be.
//!
//! Ids are MuJoCo's (X-83) except that the world is not a body and that geoms which cannot touch anything and have a shape that
//! the kernel does not know are left out. Rules such as X-71 are those of the design documents.

mod actuator;
mod assemble;
mod capacity;
mod class;
mod compiler;
mod contact;
mod convert;
mod drives;
mod element;
mod equality;
mod error;
mod generate;
mod geom;
mod inertia;
mod joint;
mod keyframe;
pub mod limits;
mod load;
mod mechanism;
mod names;
mod notes;
mod options;
mod orientation;
mod principal;
mod reader;
mod site;
mod softness;
mod springs;
mod tendon;
mod touching;
mod tree;

use std::path::Path;

pub use capacity::{Capacity, welds};
pub use convert::{Number, convert};
pub use error::{Error, ErrorKind, Place, Result};
pub use generate::{Options as GenerateOptions, Scalar, generate};
pub use mechanism::{Keyframe, Labels, Lists, Mechanism};
pub use notes::Note;
pub use options::{JacobianStorage, SolverMethod, SolverOptions};

/// Reads a model file and what it includes.
///
/// # Errors
/// An [`Error`] that says what is wrong, where, and what to do about it.
pub fn read_file(path: impl AsRef<Path>) -> Result<Mechanism> {
    reader::read(&load::load_file(path.as_ref())?)
}

/// Reads a model from a text, which cannot include files.
///
/// # Errors
/// An [`Error`] that says what is wrong, where, and what to do about it.
pub fn read_text(text: &str) -> Result<Mechanism> {
    reader::read(&load::load_text(text)?)
}
