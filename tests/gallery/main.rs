//! The numbers of the gallery's figures, as they are drawn, against worked examples and analysis; and the check that refuses empty and
//! unreadable pictures.

mod checks;
#[path = "../common/mod.rs"]
mod common;
mod constraints;
mod motion;
mod softness;
mod solvers;

#[path = "../../examples/gallery/check.rs"]
mod check;
#[path = "../../examples/gallery/figures/mod.rs"]
mod figures;
#[path = "../../examples/gallery/style.rs"]
mod style;
#[path = "../../examples/gallery/text.rs"]
mod text;

use figures::figure::Figure;

/// One figure of a chapter.
fn figure(chapter: figures::Drawn, name: &str) -> Figure {
    chapter().unwrap().into_iter().find(|figure| figure.name == name).unwrap()
}

/// Fails unless two numbers are within a bound of each other.
#[track_caller]
fn near(actual: f64, expected: f64, bound: f64) {
    assert!((actual - expected).abs() <= bound, "{actual} is not {expected} to {bound}");
}
