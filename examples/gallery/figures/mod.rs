//! The figures as data, chapter by chapter: every number comes from the crate. `tests/gallery` holds them against analysis and
//! against the worked examples.
#![allow(dead_code)] // the gallery and its test each use their part

pub mod figure;

pub mod arm;
pub mod blocks;
pub mod cones;
pub mod descent;
pub mod friction;
pub mod gauss;
pub mod geometry;
pub mod oscillator;
pub mod quadruped;
pub mod softness;
pub mod stability;
pub mod stack;
pub mod support;
pub mod trace;

#[path = "../../contact_like/mod.rs"]
mod contact_like;
#[path = "../../contact_trace/mod.rs"]
mod contact_trace;
#[path = "../../robots/mod.rs"]
mod robots;
#[path = "../../two_link_arm/arm.rs"]
mod two_link_arm;

use figure::Figure;

/// What a chapter yields.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// What draws a chapter.
pub type Drawn = fn() -> Result<Vec<Figure>>;

/// A chapter: its name and its figures.
pub struct Chapter {
    pub name: &'static str,
    pub figures: Vec<Figure>,
}

/// All chapters, in order.
///
/// # Errors
/// Whatever the crate refuses; none of it should.
pub fn chapters() -> Result<Vec<Chapter>> {
    let parts: [(&str, Drawn); 14] = [
        ("Softness", softness::figures),
        ("Resting on a soft row", support::figures),
        ("Constraints in motion", geometry::figures),
        ("Gauss' principle", gauss::figures),
        ("Friction", friction::figures),
        ("Friction cones", cones::figures),
        ("The block stack by Gauss–Seidel", stack::figures),
        ("Descent", descent::figures),
        ("The block stack by Newton; solvers compared", blocks::figures),
        ("The oscillator", oscillator::figures),
        ("Stability and stages", stability::figures),
        ("A two-link arm", arm::figures),
        ("A ball strikes a plane", trace::figures),
        ("f32 beside f64", quadruped::figures),
    ];
    parts.into_iter().map(|(name, figures)| Ok(Chapter { name, figures: figures()? })).collect()
}
