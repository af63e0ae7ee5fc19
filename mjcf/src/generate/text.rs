//! Rust text as rustfmt's default style has it, written so in the first place: a build script need not have rustfmt.

use std::fmt::Write;

/// Width of a line.
const LINE_WIDTH: usize = 100;
/// Width up to which an element of an array counts as short: if all are, lines are filled with them.
const SHORT: usize = 10;
/// Width of the inside of an array up to which it stays on one line.
const ARRAY_WIDTH: usize = 60;

/// Text with indentation.
#[derive(Default)]
pub(super) struct Text {
    pub out: String,
    depth: usize,
}

impl Text {
    /// A line at the current depth; an empty one has no blanks.
    pub fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if line.is_empty() {
            self.out.push('\n');
        } else {
            // Writing to a String cannot fail.
            let _ = writeln!(self.out, "{:1$}{line}", "", 4 * self.depth);
        }
    }

    /// `head`, what `inside` writes one level deeper, `tail`.
    pub fn block(&mut self, head: impl AsRef<str>, tail: &str, inside: impl FnOnce(&mut Self)) {
        self.line(head);
        self.depth += 1;
        inside(self);
        self.depth -= 1;
        self.line(tail);
    }

    /// A struct literal, kept vertical by the comment at its top.
    pub fn literal(&mut self, head: impl AsRef<str>, comment: &str, tail: &str, inside: impl FnOnce(&mut Self)) {
        self.block(head, tail, |text| {
            text.line(format!("// {}", one_line(comment)));
            inside(text);
        });
    }

    /// `head[..]tail` on one line where it fits, else lines filled with short elements or one element a line.
    pub fn array(&mut self, head: &str, elements: &[String], tail: &str) {
        let inside = elements.join(", ");
        if inside.len() <= ARRAY_WIDTH {
            self.line(format!("{head}[{inside}]{tail}"));
        } else {
            self.block(format!("{head}["), &format!("]{tail}"), |text| {
                let width = if elements.iter().all(|e| e.len() <= SHORT) { LINE_WIDTH - 4 * text.depth } else { 0 };
                let mut line = String::new();
                for element in elements {
                    if !line.is_empty() && line.len() + element.len() + 2 > width {
                        text.line(std::mem::take(&mut line));
                    }
                    let gap = if line.is_empty() { "" } else { " " };
                    line = format!("{line}{gap}{element},");
                }
                text.line(line);
            });
        }
    }
}

/// A name from a file as part of a comment.
pub(super) fn one_line(name: &str) -> String {
    name.split(|c: char| c.is_control() || c.is_whitespace())
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}
