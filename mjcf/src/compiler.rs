//! `<compiler>`: how the file is to be read.

use delassus::spatial::Quaternion;
use nalgebra::Vector3;

use crate::element::Element;
use crate::error::Result;

/// Where a body's inertia comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InertiaSource {
    Geoms,
    Inertial,
    InertialElseGeoms,
}

#[derive(Clone, Debug)]
pub(crate) struct Compiler {
    pub degrees: bool,
    pub auto_limits: bool,
    euler_sequence: [u8; 3],
    pub inertia_source: InertiaSource,
    pub inertia_groups: [i32; 2],
    pub balance_inertia: bool,
    pub smallest_mass: f64,
    pub smallest_inertia: f64,
    /// Not above zero: as it is.
    pub total_mass: f64,
    pub align_free: bool,
}

impl Default for Compiler {
    fn default() -> Self {
        Self {
            degrees: true,
            auto_limits: true,
            euler_sequence: *b"xyz",
            inertia_source: InertiaSource::InertialElseGeoms,
            inertia_groups: [0, 5],
            balance_inertia: false,
            smallest_mass: 0.0,
            smallest_inertia: 0.0,
            total_mass: -1.0,
            align_free: false,
        }
    }
}

/// What changes no dynamics: files, drawing, threads, and how conflicts of attached models are reported.
const WITHOUT_EFFECT: &[&str] = &[
    "assetdir",
    "conflict",
    "discardvisual",
    "fitaabb",
    "meshdir",
    "saveinertial",
    "strippath",
    "texturedir",
    "usethread",
];

impl Compiler {
    pub fn apply(&mut self, e: &Element) -> Result<()> {
        e.allow(&[
            WITHOUT_EFFECT,
            &[
                "alignfree",
                "angle",
                "autolimits",
                "balanceinertia",
                "boundinertia",
                "boundmass",
                "coordinate",
                "eulerseq",
                "fusestatic",
                "inertiafromgeom",
                "inertiagrouprange",
                "settotalmass",
            ],
        ])?;
        if let Some(child) = e.children.iter().find(|child| child.tag != "lengthrange") {
            return Err(child.unknown());
        }
        if e.word("coordinate", &[("local", true), ("global", false)])? == Some(false) {
            return Err(e.invalid("global coordinates no longer exist").remedy("use coordinate=\"local\""));
        }
        if e.switch("fusestatic")? == Some(true) {
            return Err(e.unsupported(
                "fusestatic is not supported",
                "remove it: bodies without joints cost no degree of freedom",
            ));
        }
        set(&mut self.degrees, e.word("angle", &[("radian", false), ("degree", true)])?);
        set(&mut self.auto_limits, e.switch("autolimits")?);
        set(&mut self.balance_inertia, e.switch("balanceinertia")?);
        set(&mut self.align_free, e.switch("alignfree")?);
        let sources = [
            ("false", InertiaSource::Inertial),
            ("true", InertiaSource::Geoms),
            ("auto", InertiaSource::InertialElseGeoms),
        ];
        set(&mut self.inertia_source, e.word("inertiafromgeom", &sources)?);
        e.set("boundmass", &mut self.smallest_mass)?;
        e.set("boundinertia", &mut self.smallest_inertia)?;
        e.set("settotalmass", &mut self.total_mass)?;
        if let Some(range) = e.numbers::<2>("inertiagrouprange")? {
            self.inertia_groups = range.map(|x| x as i32);
        }
        if let Some(sequence) = e.text("eulerseq") {
            self.euler_sequence = <[u8; 3]>::try_from(sequence.as_bytes())
                .ok()
                .filter(|letters| letters.iter().all(|c| b"xyzXYZ".contains(c)))
                .ok_or_else(|| {
                    e.invalid("eulerseq must be three letters").remedy("use x, y, z (moving) or X, Y, Z (fixed)")
                })?;
        }
        Ok(())
    }

    /// A range, if it is active: `range` and `limited` under the names given.
    pub fn active_range(
        &self,
        e: &Element,
        [range_name, limited_name]: [&str; 2],
        range: [f64; 2],
        limited: Option<bool>,
    ) -> Result<Option<[f64; 2]>> {
        let [low, high] = range;
        let limited = match limited {
            Some(limited) => limited,
            None if self.auto_limits => low < high,
            None if range == [0.0; 2] => false,
            None => {
                let remedy = format!("write {limited_name}=\"true\" or \"false\", or set autolimits");
                return Err(e
                    .invalid(format!("{range_name} without {limited_name}, and autolimits is off"))
                    .remedy(&remedy));
            }
        };
        if limited && low >= high {
            let remedy = format!("correct {range_name}, or write {limited_name}=\"false\"");
            return Err(e.invalid(format!("{range_name}[0] must be smaller than {range_name}[1]")).remedy(&remedy));
        }
        Ok(limited.then_some(range))
    }

    /// An angle of the file in radians.
    pub fn radians(&self, angle: f64) -> f64 {
        if self.degrees { angle / 180.0 * std::f64::consts::PI } else { angle }
    }

    /// Three rotations, each about a moving axis (small letter) or a fixed one.
    pub fn euler(&self, angles: [f64; 3]) -> Quaternion<f64> {
        let mut q = Quaternion::identity();
        for (letter, angle) in self.euler_sequence.iter().zip(angles) {
            let axis = match letter.to_ascii_lowercase() {
                b'x' => Vector3::x(),
                b'y' => Vector3::y(),
                _ => Vector3::z(),
            };
            let turn = Quaternion::about(&axis, self.radians(angle));
            q = if letter.is_ascii_lowercase() { q.times(&turn) } else { turn.times(&q) };
        }
        q
    }
}

/// Overwrites where there is something new.
pub(crate) fn set<T>(slot: &mut T, new: Option<T>) {
    if let Some(new) = new {
        *slot = new;
    }
}
