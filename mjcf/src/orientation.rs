//! Poses and the ways in which MJCF writes an orientation.

use delassus::spatial::{Quaternion, Transform};
use nalgebra::Vector3;

use crate::compiler::Compiler;
use crate::element::Element;
use crate::error::Result;

/// Below this MuJoCo's compiler takes a length for zero.
pub(crate) const TINY: f64 = 1e-14;

pub(crate) type Pose = Transform<f64>;

/// The attributes that say where something is and how it is turned.
pub(crate) const POSE: &[&str] = &["pos", "quat", "axisangle", "xyaxes", "zaxis", "euler"];

/// An orientation as written: a quaternion, and another form that wins over it, be it from a default class.
#[derive(Clone, Debug)]
pub(crate) struct Orientation {
    quaternion: [f64; 4],
    other: Option<Form>,
}

#[derive(Clone, Copy, Debug)]
enum Form {
    AxisAngle([f64; 4]),
    Axes([f64; 6]),
    Normal([f64; 3]),
    Euler([f64; 3]),
}

impl Default for Orientation {
    fn default() -> Self {
        Self { quaternion: [1.0, 0.0, 0.0, 0.0], other: None }
    }
}

impl Orientation {
    pub fn apply(&mut self, e: &Element) -> Result<()> {
        if POSE.iter().skip(1).filter(|name| e.text(name).is_some()).count() > 1 {
            return Err(e
                .invalid("more than one orientation")
                .remedy("keep one of quat, axisangle, xyaxes, zaxis, euler"));
        }
        if let Some(q) = e.numbers("quat")? {
            if q == [0.0; 4] {
                return Err(e.invalid("attribute \"quat\" is zero").remedy("write a quaternion that is not zero"));
            }
            self.quaternion = q;
        }
        let forms = [
            e.numbers("axisangle")?.map(Form::AxisAngle),
            e.numbers("xyaxes")?.map(Form::Axes),
            e.numbers("zaxis")?.map(Form::Normal),
            e.numbers("euler")?.map(Form::Euler),
        ];
        if let Some(form) = forms.into_iter().flatten().next() {
            self.other = Some(form);
        }
        Ok(())
    }

    /// The unit quaternion.
    pub fn resolve(&self, e: &Element, compiler: &Compiler) -> Result<Quaternion<f64>> {
        let short = |name: &str| {
            e.invalid(format!("attribute \"{name}\" gives no direction"))
                .remedy("write vectors that are neither zero nor parallel")
        };
        let q = match self.other {
            None => Quaternion(self.quaternion),
            Some(Form::AxisAngle([x, y, z, angle])) => {
                let axis = direction(Vector3::new(x, y, z)).ok_or_else(|| short("axisangle"))?;
                Quaternion::about(&axis, compiler.radians(angle))
            }
            Some(Form::Axes([x0, x1, x2, y0, y1, y2])) => {
                let x = direction(Vector3::new(x0, x1, x2)).ok_or_else(|| short("xyaxes"))?;
                let y = Vector3::new(y0, y1, y2);
                let y = direction(y - x * x.dot(&y)).ok_or_else(|| short("xyaxes"))?;
                from_axes(&x, &y, &x.cross(&y))
            }
            Some(Form::Normal([x, y, z])) => {
                from_normal(&direction(Vector3::new(x, y, z)).ok_or_else(|| short("zaxis"))?)
            }
            Some(Form::Euler(angles)) => compiler.euler(angles),
        };
        q.normalized().ok_or_else(|| short("quat"))
    }
}

/// The unit vector, unless the length is as good as zero.
pub(crate) fn direction(v: Vector3<f64>) -> Option<Vector3<f64>> {
    let length = v.dot(&v).sqrt();
    (length > TINY && length.is_finite()).then(|| v / length)
}

/// The smallest rotation that takes z to the unit vector `normal`.
pub(crate) fn from_normal(normal: &Vector3<f64>) -> Quaternion<f64> {
    let cross = Vector3::z().cross(normal);
    let sine = cross.dot(&cross).sqrt();
    let axis = if sine < 1e-10 { Vector3::x() } else { cross / sine };
    Quaternion::about(&axis, sine.atan2(normal.z))
}

/// The rotation whose matrix has these columns.
fn from_axes(x: &Vector3<f64>, y: &Vector3<f64>, z: &Vector3<f64>) -> Quaternion<f64> {
    let root = |trace: f64| 0.5 * (1.0 + trace).max(0.0).sqrt();
    if x[0] + y[1] + z[2] > 0.0 {
        let w = root(x[0] + y[1] + z[2]);
        Quaternion([w, 0.25 * (y[2] - z[1]) / w, 0.25 * (z[0] - x[2]) / w, 0.25 * (x[1] - y[0]) / w])
    } else if x[0] > y[1] && x[0] > z[2] {
        let i = root(x[0] - y[1] - z[2]);
        Quaternion([0.25 * (y[2] - z[1]) / i, i, 0.25 * (y[0] + x[1]) / i, 0.25 * (z[0] + x[2]) / i])
    } else if y[1] > z[2] {
        let j = root(y[1] - x[0] - z[2]);
        Quaternion([0.25 * (z[0] - x[2]) / j, 0.25 * (y[0] + x[1]) / j, j, 0.25 * (z[1] + y[2]) / j])
    } else {
        let k = root(z[2] - x[0] - y[1]);
        Quaternion([0.25 * (x[1] - y[0]) / k, 0.25 * (z[0] + x[2]) / k, 0.25 * (z[1] + y[2]) / k, k])
    }
}
