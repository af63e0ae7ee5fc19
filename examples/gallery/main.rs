//! The gallery: the crate draws what it computes, softness to quadruped.
//!
//! `cargo run --release --example gallery` writes `target/gallery/*.svg` and `target/gallery/index.html`. It fails on a picture that
//! is empty or unreadable; `cargo test --release --test gallery` holds the numbers against worked examples and analysis.
//!
//! * `figures`: the data, one file a chapter. `style`: how a figure is drawn. `check`: what is refused. `index`: the page.

mod check;
mod figures;
mod index;
mod style;
mod text;

use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = Path::new("target").join("gallery");
    fs::create_dir_all(&directory)?;
    let chapters = figures::chapters()?;
    let (mut count, mut wrong) = (0, Vec::new());
    for figure in chapters.iter().flat_map(|chapter| &chapter.figures) {
        let svg = style::draw(figure)?;
        fs::write(directory.join(figure.name).with_extension("svg"), &svg)?;
        wrong.extend(check::data(figure).err());
        wrong.extend(check::svg(figure.name, &svg).err());
        count += 1;
    }
    fs::write(directory.join("index.html"), index::page(&chapters))?;
    println!("{count} pictures: {}", directory.join("index.html").display());
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}
