//! A model as Rust source: constant data for flash, names for its parts, exact sizes.
//!
//! * [`generate()`]: the text. [`Options`]: its scalar, and sizes below the model's maximum.
//! * `description`: the lists. `indices`: names. `text`: rustfmt's layout. `names`: identifiers.

mod description;
mod indices;
mod names;
mod text;

use crate::capacity::{Capacity, welds};
use crate::mechanism::Mechanism;
use text::{Text, one_line};

/// How to generate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The scalar of the constants.
    pub scalar: Scalar,
    /// Room for contacts; `None` for the most that the model can have (0 where it has thousands of geoms, too many to count). With less, the deepest ones stay and the tick's report says
    /// how many were dropped.
    pub contacts: Option<usize>,
    /// Room for constraint rows; `None` for the most that the model can have. With less, contacts without room are dropped, and a
    /// tick whose other rows find no room fails.
    pub rows: Option<usize>,
}

/// The scalar of generated constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scalar {
    /// `f32`, for the chip: the same bits as the model read at run time and rounded.
    #[default]
    Single,
    /// `f64`.
    Double,
}

impl Scalar {
    fn name(self) -> &'static str {
        match self {
            Self::Single => "f32",
            Self::Double => "f64",
        }
    }

    /// The shortest text that reads as this number.
    fn number(self, x: f64) -> String {
        match self {
            Self::Single => format!("{:?}", x as f32),
            Self::Double => format!("{x:?}"),
        }
    }

    fn numbers(self, list: &[f64]) -> Vec<String> {
        list.iter().map(|x| self.number(*x)).collect()
    }
}

/// Rust source of a model, for `include!` in a module of its own: `DESCRIPTION`, sizes `NB`, `NQ`, `NV`, `NU`, `NT`, `NC`, `NR`, what it makes use of in `USES`, the types
/// `Model`, `State`, `Workspace`, `Input`, and the modules `body`, `joint`, `geom`, `site`, `equality`, `tendon`, `actuator`, `keyframe` with the names
/// of the file. Needs `delassus` and nothing else, no `std`; laid out as rustfmt does; the same model always gives the same text.
///
/// In a build script:
///
/// ```no_run
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     let robot = delassus_mjcf::read_file("robot.xml")?;
///     let text = delassus_mjcf::generate(&robot, &delassus_mjcf::GenerateOptions::default());
///     std::fs::write(format!("{}/robot.rs", std::env::var("OUT_DIR")?), text)?;
///     println!("cargo:rerun-if-changed=robot.xml");
///     Ok(())
/// }
/// ```
///
/// and in the program `mod robot { include!(concat!(env!("OUT_DIR"), "/robot.rs")); }`.
pub fn generate(mechanism: &Mechanism, options: &Options) -> String {
    let lists = &mechanism.lists;
    let description = lists.description();
    let most = Capacity::of(&description, &welds(&description));
    let (most_contacts, most_rows) = most.map_or((None, None), |most| (Some(most.contacts), Some(most.rows)));
    let contacts = options.contacts.or(most_contacts).unwrap_or(0);
    let rows = options.rows.or(most_rows).unwrap_or(0);
    let scalar = options.scalar.name();
    let mut text = Text::default();
    let name =
        if mechanism.name.is_empty() { "a model".to_owned() } else { format!("`{}`", one_line(&mechanism.name)) };
    text.line(format!(
        "// Generated from {name} by delassus-mjcf {}; change the model, not this.",
        env!("CARGO_PKG_VERSION")
    ));
    text.line("//");
    text.line("// Units: m, kg, s, rad, N, N m. Quaternions are (w, x, y, z). A body that is `None` is the world.");
    text.line("");
    for (doc, constant, value) in [
        ("Bodies.", "NB", lists.bodies.len()),
        ("Configuration numbers.", "NQ", lists.coordinates()),
        ("Degrees of freedom.", "NV", lists.dofs()),
        ("Actuators.", "NU", lists.actuators.len()),
        ("Tendons: so much memory for their constants wants `Model::stated`.", "NT", lists.tendons.len()),
    ] {
        text.line(format!("/// {doc}"));
        text.line("#[allow(dead_code)]");
        text.line(format!("pub const {constant}: usize = {value};"));
    }
    size(&mut text, "contacts", "NC", contacts, most_contacts);
    size(&mut text, "constraint rows", "NR", rows, most_rows);
    text.line("");
    for (doc, alias) in [
        (
            "What the description makes use of: `Model::stated` links the code of nothing else.",
            "const USES: u32 = delassus::description::Uses::of(&DESCRIPTION).bits();".to_owned(),
        ),
        ("The checked model.", format!("type Model = delassus::model::Model<'static, {scalar}, NB, NQ, NV, USES>;")),
        (
            "Time, configuration, velocity, warm start.",
            format!("type State = delassus::model::State<{scalar}, NQ, NV>;"),
        ),
        ("What acts from outside in a tick.", format!("type Input<'a> = delassus::tick::Input<'a, {scalar}, NV>;")),
        (
            "Memory of a tick, with Newton's method unless another solver is named; a `static` in firmware.",
            format!("type Workspace<S = delassus::solver::NewtonWorkspace<{scalar}, NV, NR>> ="),
        ),
    ] {
        text.line(format!("/// {doc}"));
        text.line("#[allow(dead_code)]");
        text.line(format!("pub {alias}"));
    }
    text.line(format!("    delassus::tick::Workspace<{scalar}, NB, NV, NC, NR, S>;"));
    text.line("");
    description::write(&mut text, mechanism, options.scalar);
    indices::write(&mut text, mechanism, options.scalar);
    text.out
}

fn size(text: &mut Text, what: &str, constant: &str, chosen: usize, most: Option<usize>) {
    let note = match most {
        Some(most) if chosen < most => format!("the model can have {most}"),
        Some(_) => "the most that the model can have".to_owned(),
        None => "how many the model can have was not counted, it has too many geoms".to_owned(),
    };
    text.line(format!("/// Room for {what}: {note}."));
    text.line(format!("pub const {constant}: usize = {chosen};"));
}
