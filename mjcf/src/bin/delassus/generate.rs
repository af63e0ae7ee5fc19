//! `delassus generate`: a model as Rust source.

use std::io::Write;

use delassus_mjcf::{GenerateOptions, Scalar};

use crate::failure::Failure;
use crate::{Generate, Precision};

/// Reads, generates, writes.
pub fn run(command: &Generate) -> Result<(), Failure> {
    let mechanism = delassus_mjcf::read_file(&command.model).map_err(Failure::refused)?;
    let scalar = match command.precision {
        Precision::F32 => Scalar::Single,
        Precision::F64 => Scalar::Double,
    };
    let options = GenerateOptions { scalar, contacts: command.contacts, rows: command.rows };
    let text = delassus_mjcf::generate(&mechanism, &options);
    match &command.output {
        Some(path) => {
            std::fs::write(path, text).map_err(|error| Failure::refused(format!("{}: {error}", path.display())))
        }
        None => std::io::stdout().write_all(text.as_bytes()).map_err(Failure::tick),
    }
}
