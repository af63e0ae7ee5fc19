//! `<geom>`: shape, mass, and how it touches.

use delassus::description::Shape;

use crate::compiler::{Compiler, set};
use crate::element::Element;
use crate::error::{Error, Result};
use crate::orientation::{POSE, Pose};
use crate::site::Placement;
use crate::softness::{self, Softness};

/// MuJoCo's geom types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GeomType {
    Plane,
    HeightField,
    Sphere,
    Capsule,
    Ellipsoid,
    Cylinder,
    Box,
    Mesh,
    SignedDistance,
}

/// A geom's attributes, on the way from the default class to the element.
#[derive(Clone, Debug)]
pub(crate) struct GeomSettings {
    kind: GeomType,
    size: [f64; 3],
    placement: Placement,
    contype: i32,
    conaffinity: i32,
    condim: i32,
    priority: i32,
    group: i32,
    friction: [f64; 3],
    solmix: f64,
    margin: f64,
    gap: f64,
    softness: Softness,
    mass: Option<f64>,
    density: f64,
    shell: bool,
    mesh: bool,
}

impl Default for GeomSettings {
    fn default() -> Self {
        Self {
            kind: GeomType::Sphere,
            size: [0.0; 3],
            placement: Placement::default(),
            contype: 1,
            conaffinity: 1,
            condim: 3,
            priority: 0,
            group: 0,
            friction: [1.0, 0.005, 0.0001],
            solmix: 1.0,
            margin: 0.0,
            gap: 0.0,
            softness: Softness::DEFAULT,
            mass: None,
            density: 1000.0,
            shell: false,
            mesh: false,
        }
    }
}

/// A geom's share of its body's inertia, in the geom's own axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bulk {
    pub mass: f64,
    pub inertia: [f64; 3],
}

/// A geom of the file; it need not be one that the kernel knows.
pub(crate) struct ReadGeom<'e> {
    pub element: &'e Element,
    /// The reason for which it must not be able to touch anything, as an error.
    pub untouchable: Option<Error>,
    pub shape: Option<Shape<f64>>,
    pub kind: GeomType,
    pub pose: Pose,
    pub contype: u32,
    pub conaffinity: u32,
    pub condim: u8,
    pub priority: i32,
    pub group: i32,
    pub friction: [f64; 3],
    pub solmix: f64,
    pub margin: f64,
    pub gap: f64,
    pub softness: Softness,
    /// `Err` where it has mass and the reader cannot tell how it is distributed.
    pub bulk: std::result::Result<Bulk, Error>,
}

const ATTRIBUTES: &[&str] = &[
    "name",
    "class",
    "type",
    "size",
    "fromto",
    "contype",
    "conaffinity",
    "condim",
    "priority",
    "group",
    "friction",
    "solmix",
    "margin",
    "gap",
    "solref",
    "solimp",
    "mass",
    "density",
    "shellinertia",
    "mesh",
    "hfield",
    "fitscale",
    "fluidshape",
    "fluidcoef",
    "material",
    "rgba",
    "user",
];

const KINDS: &[(&str, GeomType)] = &[
    ("plane", GeomType::Plane),
    ("hfield", GeomType::HeightField),
    ("sphere", GeomType::Sphere),
    ("capsule", GeomType::Capsule),
    ("ellipsoid", GeomType::Ellipsoid),
    ("cylinder", GeomType::Cylinder),
    ("box", GeomType::Box),
    ("mesh", GeomType::Mesh),
    ("sdf", GeomType::SignedDistance),
];

impl GeomSettings {
    pub fn apply(&mut self, e: &Element) -> Result<()> {
        e.allow(&[ATTRIBUTES, POSE])?;
        e.childless()?;
        set(&mut self.kind, e.word("type", KINDS)?);
        e.fill("size", &mut self.size)?;
        self.placement.apply(e)?;
        set(&mut self.contype, e.integer("contype")?);
        set(&mut self.conaffinity, e.integer("conaffinity")?);
        set(&mut self.condim, e.integer("condim")?);
        set(&mut self.priority, e.integer("priority")?);
        set(&mut self.group, e.integer("group")?);
        e.fill("friction", &mut self.friction)?;
        e.set("solmix", &mut self.solmix)?;
        e.set("margin", &mut self.margin)?;
        e.set("gap", &mut self.gap)?;
        softness::apply(e, "solref", "solimp", &mut self.softness)?;
        if let Some([mass]) = e.numbers("mass")? {
            self.mass = Some(mass);
        }
        e.set("density", &mut self.density)?;
        set(&mut self.shell, e.switch("shellinertia")?);
        self.mesh |= e.text("mesh").is_some();
        // Fluids are refused in <option>, so these have no effect.
        e.word("fluidshape", &[("none", ()), ("ellipsoid", ())])?;
        e.list("fluidcoef", 5)?;
        Ok(())
    }

    /// The geom, its element standing in `frame`.
    pub fn finish<'e>(&self, e: &'e Element, compiler: &Compiler, frame: &Pose) -> Result<ReadGeom<'e>> {
        use GeomType::{Box, Capsule, Cylinder, Ellipsoid};
        let condim = match self.condim {
            1 | 3 | 4 | 6 => self.condim as u8,
            _ => return Err(e.invalid("condim must be 1, 3, 4 or 6").remedy("correct condim")),
        };
        if self.mass.is_some_and(|mass| mass < 0.0) || self.density < 0.0 {
            return Err(e.invalid("mass and density must not be negative").remedy("correct them"));
        }
        if self.placement.has_ends() && !matches!(self.kind, Box | Capsule | Cylinder | Ellipsoid) {
            return Err(e.invalid("fromto needs type capsule, cylinder, box or ellipsoid").remedy("correct the type"));
        }
        let (pose, half_length) = self.placement.resolve(e, compiler, frame)?;
        let size = match half_length {
            None => self.size,
            Some(half) if matches!(self.kind, Box | Ellipsoid) => [self.size[0], self.size[0], half],
            Some(half) => [self.size[0], half, 0.0],
        };
        let foreign =
            self.mesh || matches!(self.kind, GeomType::Mesh | GeomType::HeightField | GeomType::SignedDistance);
        if !foreign {
            self.check_size(e, size)?;
        }
        let (shape, what) = match self.kind {
            _ if self.mesh && self.kind != GeomType::Mesh => (None, "a shape fitted to a mesh"),
            GeomType::Plane => (Some(Shape::Plane), ""),
            GeomType::Sphere => (Some(Shape::Sphere { radius: size[0] }), ""),
            Capsule => (Some(Shape::Capsule { radius: size[0], half_length: size[1] }), ""),
            Box => (Some(Shape::Box { half_sizes: size }), ""),
            GeomType::HeightField => (None, "a height field"),
            Ellipsoid => (None, "an ellipsoid"),
            Cylinder => (None, "a cylinder"),
            GeomType::Mesh => (None, "a mesh"),
            GeomType::SignedDistance => (None, "a signed distance field"),
        };
        let untouchable = shape.is_none().then(|| {
            e.unsupported(
                format!("{what} that can touch something is not supported"),
                "use plane, sphere, capsule or box, or write contype=\"0\" conaffinity=\"0\"",
            )
        });
        Ok(ReadGeom {
            element: e,
            untouchable,
            shape,
            kind: self.kind,
            pose,
            contype: self.contype as u32,
            conaffinity: self.conaffinity as u32,
            condim,
            priority: self.priority,
            group: self.group,
            friction: self.friction,
            solmix: self.solmix,
            margin: self.margin,
            gap: self.gap,
            softness: self.softness,
            bulk: self.bulk(e, size, foreign),
        })
    }

    fn check_size(&self, e: &Element, size: [f64; 3]) -> Result<()> {
        if self.kind == GeomType::Plane {
            if size[0] < 0.0 || size[1] < 0.0 || !(size[2] > 0.0) {
                return Err(e
                    .invalid("size of a plane: two numbers that are not negative and a positive one")
                    .remedy("correct size"));
            }
            return Ok(());
        }
        let used = match self.kind {
            GeomType::Sphere => 1,
            GeomType::Capsule | GeomType::Cylinder => 2,
            _ => 3,
        };
        match size.iter().take(used).position(|s| !(*s > 0.0)) {
            Some(k) => Err(e.invalid(format!("size[{k}] must be positive")).remedy("correct size")),
            None => Ok(()),
        }
    }

    /// Mass and principal inertia.
    fn bulk(&self, e: &Element, size: [f64; 3], foreign: bool) -> std::result::Result<Bulk, Error> {
        let weightless = Bulk { mass: 0.0, inertia: [0.0; 3] };
        if matches!(self.kind, GeomType::Plane | GeomType::HeightField) {
            return Ok(weightless);
        }
        let mass = self.mass.or((self.density == 0.0).then_some(0.0));
        if mass.is_some_and(|mass| mass <= crate::inertia::SMALLEST_MASS) {
            return Ok(Bulk { mass: mass.unwrap_or_default(), ..weightless });
        }
        if foreign || self.shell {
            let what = if foreign { "a mesh" } else { "a shell" };
            return Err(e.unsupported(
                format!("the inertia of {what} cannot be computed"),
                "give the body an <inertial>, for example by compiling with MuJoCo and saving",
            ));
        }
        let mass = mass.unwrap_or(self.density * volume(self.kind, size));
        let bulk = Bulk { mass, inertia: inertia(self.kind, size, mass) };
        if !bulk.mass.is_finite() || bulk.inertia.iter().any(|i| !i.is_finite()) {
            return Err(e.invalid("its mass overflows").remedy("correct size, density or mass"));
        }
        Ok(bulk)
    }
}

/// Volume \[m³\].
fn volume(kind: GeomType, [x, y, z]: [f64; 3]) -> f64 {
    use std::f64::consts::PI;
    match kind {
        GeomType::Sphere => 4.0 * PI * x * x * x / 3.0,
        GeomType::Capsule => PI * (x * x * 2.0 * y + 4.0 * x * x * x / 3.0),
        GeomType::Cylinder => PI * x * x * 2.0 * y,
        GeomType::Ellipsoid => 4.0 * PI * x * y * z / 3.0,
        GeomType::Box => 8.0 * x * y * z,
        _ => 0.0,
    }
}

/// Principal inertia about the centre \[kg m²\].
fn inertia(kind: GeomType, [x, y, z]: [f64; 3], m: f64) -> [f64; 3] {
    match kind {
        GeomType::Sphere => [2.0 * m * x * x / 5.0; 3],
        GeomType::Capsule => {
            let (r, l) = (x, y);
            let ball = m * 2.0 * r / (2.0 * r + 3.0 * l);
            let tube = m - ball;
            let across = tube * (r * r / 4.0 + l * l / 3.0) + ball * (2.0 * r * r / 5.0 + 3.0 * r * l / 4.0 + l * l);
            [across, across, tube * r * r / 2.0 + 2.0 * ball * r * r / 5.0]
        }
        GeomType::Cylinder => {
            let across = m * (x * x / 4.0 + y * y / 3.0);
            [across, across, m * x * x / 2.0]
        }
        GeomType::Ellipsoid => [m * (y * y + z * z) / 5.0, m * (x * x + z * z) / 5.0, m * (x * x + y * y) / 5.0],
        GeomType::Box => [m * (y * y + z * z) / 3.0, m * (x * x + z * z) / 3.0, m * (x * x + y * y) / 3.0],
        _ => [0.0; 3],
    }
}
