//! Instructions per call, from callgrind's dumps.

use std::error::Error;
use std::path::Path;

use crate::compare::Counts;

/// Lines `instructions,name`.
pub fn collect(folder: &Path, calls: usize) -> Result<String, Box<dyn Error>> {
    let mut lines = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let text = std::fs::read_to_string(entry?.path())?;
        let after = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)).map(str::trim);
        // A dump at a mark names it; the one at the program's end does not.
        let (name, total) = (after("desc: Trigger: Client Request:"), after("totals:").or(after("summary:")));
        if let (Some(name), Some(total)) = (name, total) {
            lines.push(format!("{},{name}\n", total.parse::<u64>()? / calls as u64));
        }
    }
    lines.sort();
    Ok(lines.concat())
}

pub fn read(path: &Path) -> Result<Counts, Box<dyn Error>> {
    let text = std::fs::read_to_string(path)?;
    let pairs = text.lines().filter_map(|line| line.split_once(','));
    pairs.map(|(count, name)| Ok((name.to_owned(), count.parse()?))).collect()
}
