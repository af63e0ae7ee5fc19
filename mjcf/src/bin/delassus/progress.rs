//! A bar on stderr, when a person watches.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

/// A bar over so many steps; invisible unless stderr is a terminal.
pub fn bar(steps: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    // Gone however the run ends.
    let bar = ProgressBar::new(steps).with_finish(ProgressFinish::AndClear);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} steps, {eta} left") {
        bar.set_style(style);
    }
    bar
}
