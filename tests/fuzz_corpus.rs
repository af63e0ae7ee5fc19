//! The committed corpus of the fuzzers, replayed: inputs that once broke a promise, and a small set that reaches much of the code.
//! See `docs/properties.md` for the fuzzers themselves.

#[path = "fuzz/src/description.rs"]
mod description;
#[path = "fuzz/src/judge.rs"]
mod judge;
#[path = "fuzz/src/kernel.rs"]
mod kernel;
#[path = "fuzz/src/model.rs"]
mod model;
#[path = "fuzz/src/numbers.rs"]
mod numbers;

use std::path::Path;

fn replay(target: &str, run: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(target);
    let mut files: Vec<_> = folder.read_dir().expect("a corpus").map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 50, "{} inputs", files.len());
    for file in files {
        println!("{}", file.display());
        run(&std::fs::read(&file).unwrap());
    }
}

#[test]
fn kernel_corpus() {
    replay("kernel", kernel::run);
}

#[test]
fn model_corpus() {
    replay("model", model::run);
}
