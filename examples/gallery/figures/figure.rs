//! What a picture shows, as data. Nothing here knows how it is drawn, so a test can ask for the numbers that are drawn.

/// Points of a layer, in the units of the axes.
pub type Points = Vec<(f64, f64)>;

/// Colours of Okabe and Ito, which stay apart for colour-blind eyes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    Blue,
    Vermilion,
    Green,
    Purple,
    Sky,
    Orange,
    Black,
    Grey,
}

/// How the points of a layer become visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Line,
    Dashed,
    Dotted,
    /// A wide pale line, for something to lie over.
    Wide,
    Dots,
    Rings,
    /// A closed region.
    Area,
    /// From the first point to the second.
    Arrow,
}

/// Points of one meaning.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Name in the legend; an empty one is not listed.
    pub name: String,
    pub color: Color,
    pub shape: Shape,
    pub points: Points,
}

/// Where a note stands, seen from its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Right,
    Left,
    Above,
    Below,
    AboveRight,
    AboveLeft,
    BelowRight,
    BelowLeft,
}

/// Words at a point.
#[derive(Clone, Debug)]
pub struct Note {
    pub at: (f64, f64),
    pub side: Side,
    pub text: String,
}

/// One axis: what, in which unit, from where to where.
#[derive(Clone, Debug)]
pub struct Axis {
    pub name: &'static str,
    /// `–` for a number without unit.
    pub unit: &'static str,
    /// `None`: as the data asks.
    pub range: Option<(f64, f64)>,
    pub logarithmic: bool,
    /// Names of 0, 1, 2 … instead of numbers.
    pub names: &'static [&'static str],
}

impl Axis {
    pub fn new(name: &'static str, unit: &'static str) -> Self {
        Self { name, unit, range: None, logarithmic: false, names: &[] }
    }

    pub fn over(mut self, low: f64, high: f64) -> Self {
        self.range = Some((low, high));
        self
    }

    pub fn logarithmic(mut self) -> Self {
        self.logarithmic = true;
        self
    }

    pub fn named(mut self, names: &'static [&'static str]) -> Self {
        self.names = names;
        self
    }
}

/// Common axes and what is drawn over them.
#[derive(Clone, Debug)]
pub struct Panel {
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    /// A unit is as long upwards as sideways.
    pub equal: bool,
    pub layers: Vec<Layer>,
    pub notes: Vec<Note>,
}

impl Panel {
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Self { title: title.into(), x, y, equal: false, layers: Vec::new(), notes: Vec::new() }
    }

    pub fn equal(mut self) -> Self {
        self.equal = true;
        self
    }

    pub fn layer(mut self, shape: Shape, color: Color, name: impl Into<String>, points: Points) -> Self {
        self.layers.push(Layer { name: name.into(), color, shape, points });
        self
    }

    pub fn line(self, color: Color, name: impl Into<String>, points: Points) -> Self {
        self.layer(Shape::Line, color, name, points)
    }

    pub fn dashed(self, color: Color, name: impl Into<String>, points: Points) -> Self {
        self.layer(Shape::Dashed, color, name, points)
    }

    pub fn dotted(self, color: Color, name: impl Into<String>, points: Points) -> Self {
        self.layer(Shape::Dotted, color, name, points)
    }

    pub fn dots(self, color: Color, name: impl Into<String>, points: Points) -> Self {
        self.layer(Shape::Dots, color, name, points)
    }

    pub fn area(self, color: Color, name: impl Into<String>, points: Points) -> Self {
        self.layer(Shape::Area, color, name, points)
    }

    pub fn arrow(self, color: Color, name: impl Into<String>, from: (f64, f64), to: (f64, f64)) -> Self {
        self.layer(Shape::Arrow, color, name, vec![from, to])
    }

    pub fn note(mut self, at: (f64, f64), side: Side, text: impl Into<String>) -> Self {
        self.notes.push(Note { at, side, text: text.into() });
        self
    }

    /// The points of a named layer.
    ///
    /// # Errors
    /// There is no such layer.
    pub fn points(&self, name: &str) -> Result<&[(f64, f64)], String> {
        let layer = self.layers.iter().find(|layer| layer.name == name);
        layer.map(|layer| &layer.points[..]).ok_or_else(|| format!("no layer {name:?} in {:?}", self.title))
    }

    /// The ordinate of a named layer at an abscissa that is drawn.
    ///
    /// # Errors
    /// There is no such layer, or no such point in it.
    pub fn at(&self, name: &str, x: f64) -> Result<f64, String> {
        let near = |p: &&(f64, f64)| (p.0 - x).abs() <= 1e-9 * x.abs().max(1e-6);
        let point = self.points(name)?.iter().find(near);
        point.map(|p| p.1).ok_or_else(|| format!("no point at {x} of {name:?} in {:?}", self.title))
    }
}

/// One picture: panels side by side, and the two sentences beneath them.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Name of the file.
    pub name: &'static str,
    pub title: &'static str,
    /// What is drawn.
    pub drawn: &'static str,
    /// Which equations it comes from.
    pub source: &'static str,
    pub columns: usize,
    pub panels: Vec<Panel>,
}

/// `count` + 1 evenly spaced numbers.
pub fn spaced(low: f64, high: f64, count: usize) -> impl Iterator<Item = f64> {
    (0..=count).map(move |k| (low * (count - k) as f64 + high * k as f64) / count as f64)
}

/// The curve on which `f`, smaller than `level` at the centre, has this level: along every ray from there, where it is first
/// reached. The curve is closed. A ray that does not reach it within `reach` ends there.
pub fn level_curve(centre: (f64, f64), level: f64, reach: f64, f: impl Fn((f64, f64)) -> f64) -> Points {
    let rays = 240;
    let along = |angle: f64| {
        let at = |r: f64| (centre.0 + r * angle.cos(), centre.1 + r * angle.sin());
        let steps = 400;
        let beyond = (1..=steps).map(|k| reach * f64::from(k) / f64::from(steps)).find(|r| f(at(*r)) > level);
        let Some(mut high) = beyond else { return at(reach) };
        let mut low = high - reach / f64::from(steps);
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if f(at(middle)) > level { high = middle } else { low = middle }
        }
        at(0.5 * (low + high))
    };
    (0..=rays).map(|k| along(f64::from(k % rays) / f64::from(rays) * std::f64::consts::TAU)).collect()
}
