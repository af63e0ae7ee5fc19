//! `<inertial>`, and inertia from geoms.

use delassus::spatial::{Transform, turned_inertia};
use nalgebra::{Matrix3, Vector3};

use crate::compiler::{Compiler, InertiaSource};
use crate::element::Element;
use crate::error::Result;
use crate::geom::ReadGeom;
use crate::orientation::{Orientation, POSE, Pose};
use crate::principal::principal;

/// Geoms that are not heavier do not count.
pub(crate) const SMALLEST_MASS: f64 = 1e-14;
/// What a moving body needs at least.
const SMALLEST_MOVING: f64 = 1e-15;

/// Mass, principal inertia, and the frame of both in the body.
#[derive(Clone, Debug)]
pub(crate) struct Inertial {
    pub mass: f64,
    pub inertia: [f64; 3],
    pub pose: Pose,
}

impl Inertial {
    pub fn read(e: &Element, compiler: &Compiler) -> Result<Self> {
        e.allow(&[POSE, &["mass", "diaginertia", "fullinertia"]])?;
        e.childless()?;
        e.required("pos")?;
        e.required("mass")?;
        let position = Vector3::from(e.numbers("pos")?.unwrap_or([0.0; 3]));
        let [mass] = e.numbers("mass")?.unwrap_or([0.0]);
        let mut orientation = Orientation::default();
        orientation.apply(e)?;
        let orientation = orientation.resolve(e, compiler)?;
        let diagonal = e.numbers::<3>("diaginertia")?;
        let Some([xx, yy, zz, xy, xz, yz]) = e.numbers("fullinertia")? else {
            let inertia = diagonal.unwrap_or([0.0; 3]);
            return Ok(Self { mass, inertia, pose: Transform { position, orientation } });
        };
        if diagonal.is_some() {
            return Err(e.invalid("both diaginertia and fullinertia").remedy("keep one of them"));
        }
        if POSE.iter().skip(1).any(|name| e.text(name).is_some()) {
            return Err(e.invalid("both fullinertia and an orientation").remedy("keep one of them"));
        }
        let (inertia, orientation) = principal(&Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz));
        if !(inertia[2] >= SMALLEST_MASS) {
            return Err(e.invalid("fullinertia is not positive definite").remedy("correct it"));
        }
        Ok(Self { mass, inertia, pose: Transform { position, orientation } })
    }
}

/// One body's inertia by, then the corrections of X-74. `own` is the body's pose without its `<frame>`.
pub(crate) fn of_body(
    e: &Element,
    compiler: &Compiler,
    inertial: Option<&Inertial>,
    geoms: &[ReadGeom<'_>],
    own: &Pose,
    weightless: bool,
) -> Result<Inertial> {
    let from_geoms = match compiler.inertia_source {
        InertiaSource::Geoms => true,
        InertiaSource::Inertial => false,
        InertiaSource::InertialElseGeoms => inertial.is_none(),
    };
    let summed = if from_geoms { sum(compiler, geoms, weightless)? } else { None };
    let mut body = match (summed, inertial) {
        (Some(summed), _) => summed,
        (None, Some(inertial)) => inertial.clone(),
        // No inertia at all: the frame is the body's own pose, once more.
        (None, None) => Inertial { mass: 0.0, inertia: [0.0; 3], pose: *own },
    };
    body.mass = body.mass.max(compiler.smallest_mass);
    body.inertia = body.inertia.map(|i| i.max(compiler.smallest_inertia));
    let [a, b, c] = body.inertia;
    if !body.mass.is_finite() || !(a + b + c).is_finite() || body.pose.position.iter().any(|x| !x.is_finite()) {
        return Err(e.invalid("its inertia overflows").remedy("correct masses, sizes or positions"));
    }
    if body.mass < 0.0 || a < 0.0 || b < 0.0 || c < 0.0 {
        return Err(e.invalid("mass and inertia must not be negative").remedy("correct <inertial>"));
    }
    if a + b < c || a + c < b || b + c < a {
        if !compiler.balance_inertia {
            return Err(e
                .invalid("principal inertias must satisfy A + B >= C")
                .remedy("correct them, or set balanceinertia=\"true\" in <compiler>"));
        }
        body.inertia = [(a + b + c) / 3.0; 3];
    }
    Ok(body)
}

/// The geoms together; `None` when none of them has mass.
fn sum(compiler: &Compiler, geoms: &[ReadGeom<'_>], weightless: bool) -> Result<Option<Inertial>> {
    let [first, last] = compiler.inertia_groups;
    let mut parts = Vec::new();
    for geom in geoms.iter().filter(|geom| (first..=last).contains(&geom.group)) {
        match &geom.bulk {
            Ok(bulk) if bulk.mass > SMALLEST_MASS => parts.push((bulk, &geom.pose)),
            Ok(_) => {}
            Err(_) if weightless => {}
            Err(error) => return Err(error.clone()),
        }
    }
    if let [(bulk, pose)] = parts[..] {
        return Ok(Some(Inertial { mass: bulk.mass, inertia: bulk.inertia, pose: *pose }));
    }
    if parts.is_empty() {
        return Ok(None);
    }
    let mass: f64 = parts.iter().map(|(bulk, _)| bulk.mass).sum();
    let mut center = Vector3::zeros();
    for (bulk, pose) in &parts {
        center += pose.position * bulk.mass / mass;
    }
    let mut tensor = Matrix3::zeros();
    for (bulk, pose) in &parts {
        let p = pose.position - center;
        let about_center = Matrix3::identity() * p.dot(&p) - p * p.transpose();
        tensor += turned_inertia(&pose.orientation, &Vector3::from(bulk.inertia)) + about_center * bulk.mass;
    }
    let (inertia, orientation) = principal(&tensor);
    Ok(Some(Inertial { mass, inertia, pose: Transform { position: center, orientation } }))
}

/// Whether a body has inertia enough to move by itself.
pub(crate) fn is_heavy(body: &Inertial) -> bool {
    body.mass >= SMALLEST_MOVING && body.inertia.iter().all(|i| *i >= SMALLEST_MOVING)
}
