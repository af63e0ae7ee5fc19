//! What f32 costs: every quantity of a tick in f32 against f64, beside what rounding the inputs alone does.
//!
//! ```sh
//! cargo run --release -p delassus-mjcf --example precision_study                # this repository's models
//! cargo run --release -p delassus-mjcf --example precision_study -- FOLDER ...  # others: MJCF files, or case folders with expected.json
//! DELASSUS_SHARED=../shared cargo run --release -p delassus-mjcf --example precision_study   # cases/ and robots/ of that folder too
//! ```
//!
//! Tables (CSV, and summary.md) and plots (SVG) go to `target/precision/`.

#[path = "../../src/bin/delassus/any_solver.rs"]
mod any_solver;
mod cases;
#[allow(dead_code)] // the command prints more of it
#[path = "../../src/bin/delassus/conditioning.rs"]
mod conditioning;
mod errors;
mod machine;
mod plot;
mod scenes;
mod study;
mod summary;
mod sweep;

/// What the command's solver asks of the command.
mod run {
    pub use delassus_mjcf::Number;
}

use std::error::Error;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let mut folders: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if folders.is_empty() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        folders.push(here.join("../examples/models"));
        folders.push(here.join("tests/models"));
        if let Some(shared) = std::env::var_os("DELASSUS_SHARED").map(PathBuf::from) {
            for part in ["cases", "robots"] {
                let mut found: Vec<_> =
                    std::fs::read_dir(shared.join(part))?.filter_map(|e| Some(e.ok()?.path())).collect();
                found.retain(|path| path.is_dir());
                found.sort();
                folders.extend(found);
            }
        }
    }
    let out = PathBuf::from(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into())).join("precision");
    std::fs::create_dir_all(&out)?;
    let write = |name: &str, text: &str| std::fs::write(out.join(name), text);

    let mut studies = Vec::new();
    for case in folders.iter().flat_map(|folder| cases::load(folder)) {
        match case {
            Ok(case) => {
                let name = case.name.clone();
                match study::study(&case) {
                    Ok(found) => studies.push(found),
                    Err(message) => eprintln!("{name}: {message}"),
                }
            }
            Err(message) => eprintln!("{message}"),
        }
    }
    let sweeps: Vec<_> = scenes::all().into_iter().map(|scene| sweep::run(&scene)).collect::<Result<_, _>>()?;

    write("ticks.csv", &summary::ticks(&studies))?;
    write("trajectories.csv", &summary::trajectories(&studies))?;
    write("sweeps.csv", &summary::sweeps(&sweeps))?;
    let text = summary::text(&studies, &sweeps);
    write("summary.md", &text)?;
    write("ticks.svg", &plot::ticks(&studies)?)?;
    write("trajectories.svg", &plot::trajectories(&studies)?)?;
    write("amplification.svg", &plot::amplification(&studies)?)?;
    for sweep in &sweeps {
        write(&format!("sweep_{}.svg", sweep.name), &plot::sweep(sweep)?)?;
    }
    print!("{text}");
    println!("\n{} files in {}", 7 + sweeps.len(), out.display());
    Ok(())
}
