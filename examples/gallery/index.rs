//! The page that shows all pictures.

use std::fmt::Write;

use crate::figures::Chapter;

const HEAD: &str = "<!DOCTYPE html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<title>delassus: gallery</title>
<style>
body { font: 16px/1.5 sans-serif; max-width: 1240px; margin: 2em auto; padding: 0 1em; color: #1e1e1e; }
img { max-width: 100%; height: auto; }
figure { margin: 1em 0 3em; }
figcaption { max-width: 50em; }
.source { color: #555; }
nav a { margin-right: 1em; white-space: nowrap; }
</style>
</head>
<body>
<h1>What <code>delassus</code> computes, drawn by itself</h1>
<p>Every number comes from the crate; <code>cargo test --release --test gallery</code> holds it against worked examples and analysis. Ids such as
S12-34, W12-34 and X-12 name rows of the design documents: equations, worked numbers, engine rules.</p>
";

/// The page as text.
pub fn page(chapters: &[Chapter]) -> String {
    let mut page = HEAD.to_string();
    let mut add = |line: std::fmt::Arguments<'_>| {
        // Writing to a string does not fail.
        let _ = page.write_fmt(line);
    };
    add(format_args!("<nav>\n"));
    for chapter in chapters {
        add(format_args!("<a href=\"#{}\">{}</a>\n", anchor(chapter.name), chapter.name));
    }
    add(format_args!("</nav>\n"));
    for chapter in chapters {
        add(format_args!("<h2 id=\"{}\">{}</h2>\n", anchor(chapter.name), chapter.name));
        for figure in &chapter.figures {
            add(format_args!(
                "<figure>\n<h3>{}</h3>\n<img src=\"{}.svg\" alt=\"{}\">\n<figcaption>{} <span class=\"source\">Equations: {}</span></figcaption>\n</figure>\n",
                escaped(figure.title),
                figure.name,
                escaped(figure.title),
                escaped(figure.drawn),
                escaped(figure.source)
            ));
        }
    }
    page + "</body>\n</html>\n"
}

fn anchor(name: &str) -> String {
    name.chars()
        .filter_map(|c| if c.is_alphanumeric() { Some(c.to_ascii_lowercase()) } else { (c == ' ').then_some('-') })
        .collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
