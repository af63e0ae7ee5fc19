//! `<site>`, and segments given by their ends.

use delassus::spatial::{Quaternion, Transform};
use nalgebra::Vector3;

use crate::compiler::{Compiler, set};
use crate::element::Element;
use crate::error::Result;
use crate::orientation::{Orientation, POSE, Pose, TINY, from_normal};

/// Position and orientation as written, or the two ends of a segment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placement {
    position: Option<[f64; 3]>,
    orientation: Orientation,
    ends: Option<[f64; 6]>,
}

impl Placement {
    pub fn apply(&mut self, e: &Element) -> Result<()> {
        if let Some(position) = e.numbers("pos")? {
            self.position = Some(position);
        }
        self.orientation.apply(e)?;
        if let Some(ends) = e.numbers("fromto")? {
            self.ends = Some(ends);
        }
        Ok(())
    }

    pub fn has_ends(&self) -> bool {
        self.ends.is_some()
    }

    /// Pose in the body, the element standing in `frame`, and half the length between the ends.
    pub fn resolve(&self, e: &Element, compiler: &Compiler, frame: &Pose) -> Result<(Pose, Option<f64>)> {
        let Some([a, b, c, d, f, g]) = self.ends else {
            let position = Vector3::from(self.position.unwrap_or_default());
            let orientation = self.orientation.resolve(e, compiler)?;
            return Ok((frame.times(&Transform { position, orientation }), None));
        };
        // An orientation beside fromto has no effect.
        if self.position.is_some() {
            return Err(e
                .invalid("both pos and fromto")
                .remedy("keep one of them; one may come from the default class"));
        }
        let (from, to) = (Vector3::new(a, b, c), Vector3::new(d, f, g));
        let axis = from - to;
        let length = axis.dot(&axis).sqrt();
        if !(length / 2.0 >= TINY) || !length.is_finite() {
            return Err(e.invalid("the ends of fromto are too close or too far").remedy("move them"));
        }
        let pose = Transform { position: (from + to) * 0.5, orientation: from_normal(&(axis / length)) };
        Ok((frame.times(&pose), Some(length / 2.0)))
    }
}

/// Position and unit quaternion of a pose as a description writes them.
pub(crate) fn numbers(pose: &Pose) -> ([f64; 3], [f64; 4]) {
    let q = pose.orientation.normalized().unwrap_or_else(Quaternion::identity);
    (pose.position.into(), q.0)
}

/// A site's attributes, on the way from the default class to the element.
#[derive(Clone, Debug, Default)]
pub(crate) struct SiteSettings {
    placement: Placement,
    long: bool,
}

const ATTRIBUTES: &[&str] = &["name", "class", "type", "group", "material", "rgba", "size", "user", "fromto"];

impl SiteSettings {
    pub fn apply(&mut self, e: &Element) -> Result<()> {
        e.allow(&[ATTRIBUTES, POSE])?;
        e.childless()?;
        let types = [("sphere", false), ("capsule", true), ("ellipsoid", true), ("cylinder", true), ("box", true)];
        set(&mut self.long, e.word("type", &types)?);
        e.list("size", 3)?;
        self.placement.apply(e)
    }

    pub fn finish(&self, e: &Element, compiler: &Compiler, frame: &Pose) -> Result<Pose> {
        if self.placement.has_ends() && !self.long {
            return Err(e.invalid("fromto needs type capsule, cylinder, box or ellipsoid").remedy("correct the type"));
        }
        Ok(self.placement.resolve(e, compiler, frame)?.0)
    }
}
