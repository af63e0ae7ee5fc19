//! The committed corpus of the MJCF fuzzer, replayed; see `docs/properties.md`.

#[path = "../../tests/fuzz/src/mjcf.rs"]
mod mjcf;

use std::path::Path;

#[test]
fn mjcf_corpus() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fuzz/corpus/mjcf");
    let mut files: Vec<_> = folder.read_dir().expect("a corpus").map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 50, "{} inputs", files.len());
    for file in files {
        println!("{}", file.display());
        mjcf::run(&std::fs::read(&file).unwrap());
    }
}
