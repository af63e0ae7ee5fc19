//! What README, CONTRIBUTING and the chapters point at exists: files, examples, tests, programs, rooms. Their code runs as doc tests.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Name and text of every document.
fn documents() -> Vec<(PathBuf, String)> {
    let mut files = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "mjcf/README.md"].map(PathBuf::from).to_vec();
    for entry in fs::read_dir(root().join("docs")).unwrap() {
        let name = entry.unwrap().file_name();
        if Path::new(&name).extension().is_some_and(|extension| extension == "md") {
            files.push(Path::new("docs").join(name));
        }
    }
    assert!(files.len() > 8);
    files.into_iter().map(|file| (file.clone(), fs::read_to_string(root().join(file)).unwrap())).collect()
}

/// The text between `open` and `close`, wherever it occurs.
fn between<'a>(text: &'a str, open: &'a str, close: char) -> impl Iterator<Item = &'a str> {
    text.split(open).skip(1).filter_map(move |rest| rest.split(close).next())
}

/// Words that follow `option`, a placeholder in capitals left out.
fn names<'a>(text: &'a str, option: &'a str) -> impl Iterator<Item = &'a str> {
    let end = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    text.split(option)
        .skip(1)
        .filter_map(move |rest| rest.split(end).next())
        .filter(|name| !name.is_empty() && name.chars().any(|c| c.is_ascii_lowercase()))
}

fn missing(found: Vec<String>) {
    assert!(found.is_empty(), "not there:\n{}", found.join("\n"));
}

#[test]
fn links_lead_to_files() {
    let mut lost = Vec::new();
    for (file, text) in documents() {
        let here = root().join(&file);
        let definitions = text.lines().filter_map(|line| line.strip_prefix('[')?.split_once("]: ")).map(|(_, to)| to);
        for link in between(&text, "](", ')').chain(definitions) {
            let path = link.split('#').next().unwrap_or("");
            if !link.contains("://") && !path.is_empty() && !here.with_file_name(path).exists() {
                lost.push(format!("{}: {link}", file.display()));
            }
        }
        // A chapter's page has no path to follow: it links by name, so that the manual can lead elsewhere than the file does.
        let inline = between(&text, "](", ')').any(|link| !link.contains("://"));
        if file.starts_with("docs") && inline {
            lost.push(format!("{}: an inline link; write [text][chapter]", file.display()));
        }
    }
    missing(lost);
}

#[test]
fn paths_in_the_text_exist() {
    let mut lost = Vec::new();
    let roots = ["src/", "tests/", "examples/", "docs/", "mjcf/", "benches/", ".ci/"];
    for (file, text) in documents() {
        // The reader's own page speaks from its own folder.
        let base = if file.starts_with("mjcf") { root().join("mjcf") } else { root() };
        for path in text.split('`').flat_map(|span| span.split([' ', '\n', ',', '=', '<', '>', '|'])) {
            let fixed = !path.contains(['*', '{', '(']) && !path.contains("NAME") && !path.contains("/target/");
            let path = path.trim_end_matches(['.', ':', ';', ')']);
            if fixed
                && roots.iter().any(|root| path.starts_with(root))
                && !base.join(path).exists()
                && !root().join(path).exists()
            {
                lost.push(format!("{}: {path}", file.display()));
            }
        }
    }
    missing(lost);
}

#[test]
fn commands_name_what_exists() {
    let mut lost = Vec::new();
    for (file, text) in documents() {
        let options: [(&str, &[&str]); 4] = [
            ("--example ", &["examples", "mjcf/examples"]),
            ("--test ", &["tests", "mjcf/tests"]),
            ("--bench ", &["benches"]),
            ("cargo chip ", &["examples/firmware/src/bin"]),
        ];
        for (option, folders) in options {
            for name in names(&text, option) {
                let exists = folders.iter().any(|folder| {
                    let place = root().join(folder);
                    place.join(format!("{name}.rs")).exists() || place.join(name).join("main.rs").exists()
                });
                if !exists {
                    lost.push(format!("{}: {option}{name}", file.display()));
                }
            }
        }
    }
    missing(lost);
}

#[test]
fn the_drawing_leads_to_rooms_and_misses_none() {
    let drawing = fs::read_to_string(root().join("docs/rooms.svg")).unwrap();
    assert!(!drawing.contains("\n\n"), "a blank line ends the drawing in rustdoc");
    let drawn: Vec<&str> = between(&drawing, "href=\"", '/').collect();
    let library = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let rooms: Vec<&str> = between(&library, "\npub mod ", ';').filter(|room| *room != "manual").collect();
    assert!(rooms.len() > 15);
    missing(rooms.iter().filter(|room| !drawn.contains(room)).map(|room| format!("{room} in the drawing")).collect());
    missing(drawn.iter().filter(|room| !rooms.contains(room)).map(|room| format!("the room {room}")).collect());
}

/// The cells of a table's line.
fn cells(line: &str) -> Vec<String> {
    line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`').replace(',', "")).collect()
}

/// Figures of robots in README and the chapter on budgets are those of the committed tables, which `benches/target/run.sh` makes.
#[test]
fn figures_of_the_robots_are_the_measured_ones() {
    let read = |file: &str| fs::read_to_string(root().join(file)).unwrap();
    let (readme, chapter) = (read("README.md"), read("docs/budget.md"));
    let mut stale = Vec::new();
    for (level, table) in [("3", "results"), ("balanced", "results_balanced"), ("s", "results_small")] {
        for line in read(&format!("benches/target/{table}.csv")).lines().skip(1) {
            let measured: Vec<&str> = line.split(',').collect();
            let [robot, flash, ram, stack, least, median, longest] = measured[..] else { panic!("{line}") };
            let row = chapter.lines().map(cells).find(|row| row.len() > 7 && row[0] == robot && row[1] == level);
            let row = row.unwrap_or_else(|| panic!("{robot} at {level}: no line in docs/budget.md"));
            if [&row[2], &row[3], &row[5], &row[6], &row[7]] != [flash, ram, least, median, longest]
                || row[4].split(' ').next() != Some(stack)
            {
                stale.push(format!("docs/budget.md: {} beside {line}", row.join(" | ")));
            }
            // README has opt-level 3 unless its line says otherwise.
            let start = format!("| `{robot}`, ");
            let shown = |row: &&str| row.starts_with(&start) && row.contains("`balanced`") == (level == "balanced");
            for row in readme.lines().filter(|row| level != "s" && shown(row)).map(cells) {
                let kilobytes = |bytes: &str| format!("{:.1} KB", bytes.parse::<f64>().unwrap() / 1e3);
                let size = |bytes: &str| if bytes.len() < 4 { format!("{bytes} B") } else { kilobytes(bytes) };
                if row[1..] != [&size(flash), &size(ram), &size(stack), median, longest].map(String::from) {
                    stale.push(format!("README.md: {} beside {line}", row.join(" | ")));
                }
            }
        }
    }
    missing(stale);
}
