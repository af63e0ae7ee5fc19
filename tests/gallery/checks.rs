//! The check that a picture passes: it passes the gallery's, and it bites.

use crate::figures::chapters;
use crate::figures::figure::{Axis, Color, Figure, Panel, Side};
use crate::{check, style};

fn panel() -> Panel {
    Panel::new("A line", Axis::new("time", "s").over(0.0, 1.0), Axis::new("way", "m").over(0.0, 1.0))
}

fn whole(panel: Panel) -> Figure {
    Figure { name: "test", title: "Test", drawn: "A line.", source: "None.", columns: 1, panels: vec![panel] }
}

fn line() -> Vec<(f64, f64)> {
    vec![(0.0, 0.0), (1.0, 1.0)]
}

/// Data refused, with these words in the reason.
#[track_caller]
fn refused(panel: Panel, why: &str) {
    let reason = check::data(&whole(panel)).unwrap_err();
    assert!(reason.contains(why), "{reason}");
}

#[test]
fn every_figure_of_the_gallery_is_worth_showing() {
    let mut names = Vec::new();
    for figure in chapters().unwrap().iter().flat_map(|chapter| &chapter.figures) {
        check::data(figure).unwrap();
        check::svg(figure.name, &style::draw(figure).unwrap()).unwrap();
        names.push(figure.name);
    }
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count, "two files of one name");
}

#[test]
fn data_that_shows_nothing_is_refused() {
    check::data(&whole(panel().line(Color::Blue, "way", line()))).unwrap();
    refused(panel(), "nothing is drawn");
    refused(panel().line(Color::Blue, "way", vec![]), "not to be seen");
    refused(panel().line(Color::Blue, "way", vec![(2.0, 2.0), (3.0, 3.0)]), "not to be seen");
    refused(panel().dots(Color::Blue, "way", vec![(0.5, 0.5), (0.5, 7.0)]), "not to be seen");
    check::data(&Figure { panels: vec![], ..whole(panel()) }).unwrap_err();
    check::data(&Figure { drawn: " ", ..whole(panel().line(Color::Blue, "way", line())) }).unwrap_err();
}

#[test]
fn numbers_that_are_none_are_refused() {
    refused(panel().line(Color::Blue, "way", vec![(0.0, 0.0), (0.5, f64::NAN), (1.0, 1.0)]), "no point");
    refused(panel().line(Color::Blue, "way", vec![(0.0, 0.0), (f64::INFINITY, 1.0)]), "no point");
    refused(panel().line(Color::Blue, "way", line()).note((f64::NAN, 0.0), Side::Right, "here"), "no point");
    let mut logarithmic = panel().line(Color::Blue, "way", line());
    logarithmic.y = Axis::new("way", "m").over(1e-3, 1.0).logarithmic();
    refused(logarithmic, "no point"); // zero has no logarithm
}

#[test]
fn axes_without_length_or_unit_are_refused() {
    let with = |x: Axis| Panel { x, ..panel().line(Color::Blue, "way", line()) };
    refused(with(Axis::new("time", "")), "without name or unit");
    refused(with(Axis::new("time", "s").over(1.0, 1.0)), "an axis from");
    refused(with(Axis::new("time", "s").over(0.0, f64::NAN)), "an axis from");
    // All points at one place leave an axis that is not given without length.
    let level = vec![(0.0, 2.0), (1.0, 2.0)];
    refused(Panel { y: Axis::new("way", "m"), ..panel().line(Color::Blue, "way", level) }, "an axis from");
    refused(panel().line(Color::Blue, "way", line()).line(Color::Green, "way", line()), "two layers");
}

#[test]
fn drawings_that_cannot_be_read_are_refused() {
    let good = style::draw(&whole(panel().line(Color::Blue, "way", line()))).unwrap();
    check::svg("test", &good).unwrap();
    let reason = |svg: &str| check::svg("test", svg).unwrap_err();
    assert!(reason(&good.replacen("points=\"", "points=\"NaN,3 ", 1)).contains("NaN"));
    // No data: axes and grid alone.
    let empty = style::draw(&whole(panel())).unwrap();
    assert!(reason(&empty).contains("nothing but axes"));
    let crowded = panel().line(Color::Blue, "way", line()).note((0.5, 0.5), Side::Right, "one").note(
        (0.51, 0.5),
        Side::Right,
        "two",
    );
    assert!(reason(&style::draw(&whole(crowded)).unwrap()).contains("on top of each other"));
    let long = "a note that is much too long for where it stands";
    let cut = panel().line(Color::Blue, "way", line()).note((0.9, 0.5), Side::Right, long);
    assert!(reason(&style::draw(&whole(cut)).unwrap()).contains("cut off"));
    let title = Panel { title: long.repeat(3), ..panel().line(Color::Blue, "way", line()) };
    assert!(reason(&style::draw(&whole(title)).unwrap()).contains("cut off"));
    let legend = panel().line(Color::Blue, long.repeat(3), line());
    assert!(reason(&style::draw(&whole(legend)).unwrap()).contains("cut off"));
}
