//! Reading the golden files, and descriptions made by hand.

use delassus::collision::pair::contact_points;
use delassus::collision::{Contact, ContactPoint, Contacts, detect};
use delassus::description::{
    Body, Description, Flags, FrictionCone, Geom, Integrator, Options, Pair, Shape, SoftnessNumbers,
};
use delassus::scalar::{Real, literal};
use delassus::spatial::{Quaternion, Transform};
use nalgebra::Vector3;

/// The words of a golden file, one after the other.
pub struct Words<'a>(pub std::str::SplitWhitespace<'a>);

impl<'a> Words<'a> {
    pub fn word(&mut self) -> &'a str {
        self.0.next().expect("a word")
    }

    pub fn number<N: std::str::FromStr>(&mut self) -> N {
        let word = self.word();
        word.parse().unwrap_or_else(|_| panic!("{word} is no such number"))
    }

    pub fn numbers<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.number())
    }

    pub fn shape(&mut self, name: &str, unit: f64) -> Shape<f64> {
        let mut size = || self.number::<f64>() * unit;
        match name {
            "plane" => Shape::Plane,
            "sphere" => Shape::Sphere { radius: size() },
            "capsule" => Shape::Capsule { radius: size(), half_length: size() },
            "box" => Shape::Box { half_sizes: [size(), size(), size()] },
            _ => panic!("{name} is no shape"),
        }
    }
}

/// A golden file beside the script that makes it; the environment variable can name another one, with more cases.
pub fn golden(name: &str, variable: &str) -> String {
    let path =
        std::env::var(variable).unwrap_or_else(|_| format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR")));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

pub fn unit(q: [f64; 4]) -> [f64; 4] {
    Quaternion(q).normalized().expect("a direction").0
}

pub fn pose(position: [f64; 3], orientation: [f64; 4]) -> Transform<f64> {
    Transform { position: Vector3::from(position), orientation: Quaternion(unit(orientation)) }
}

pub fn points<T: Real>(a: (&Shape<T>, &Transform<T>), b: (&Shape<T>, &Transform<T>), reach: T) -> Vec<ContactPoint<T>> {
    contact_points(a, b, reach).as_slice().to_vec()
}

pub fn wide(v: &Vector3<f32>) -> Vector3<f64> {
    v.map(f64::from)
}

pub fn narrow(p: &Transform<f64>) -> Transform<f32> {
    Transform { position: p.position.map(|x| x as f32), orientation: Quaternion(p.orientation.0.map(|x| x as f32)) }
}

pub fn narrow_shape(s: &Shape<f64>) -> Shape<f32> {
    match *s {
        Shape::Plane => Shape::Plane,
        Shape::Sphere { radius } => Shape::Sphere { radius: radius as f32 },
        Shape::Capsule { radius, half_length } => {
            Shape::Capsule { radius: radius as f32, half_length: half_length as f32 }
        }
        Shape::Box { half_sizes } => Shape::Box { half_sizes: half_sizes.map(|x| x as f32) },
    }
}

/// A description that owns its lists.
#[derive(Clone, Default)]
pub struct Scene<T> {
    pub bodies: Vec<Body<T>>,
    pub groups: Vec<Option<u16>>,
    pub frames: Vec<Transform<T>>,
    pub geoms: Vec<Geom<T>>,
    pub pairs: Vec<Pair<T>>,
    pub excludes: Vec<[Option<u16>; 2]>,
    pub unfiltered: bool,
}

impl<T: Real> Scene<T> {
    pub fn new() -> Self {
        Self {
            bodies: vec![],
            groups: vec![],
            frames: vec![],
            geoms: vec![],
            pairs: vec![],
            excludes: vec![],
            unfiltered: false,
        }
    }

    /// A body with a joint, or `welded` to its parent.
    pub fn body(&mut self, parent: Option<u16>, welded: bool, frame: Transform<T>) -> Option<u16> {
        let index = self.bodies.len() as u16;
        let group = if welded { parent.and_then(|p| self.groups[usize::from(p)]) } else { Some(index) };
        let (zero, one) = (T::zero(), T::one());
        self.bodies.push(Body {
            parent,
            position: [zero; 3],
            orientation: [one, zero, zero, zero],
            mass: one,
            center: [zero; 3],
            inertia: [one; 3],
            inertia_orientation: [one, zero, zero, zero],
            gravity_compensation: zero,
        });
        self.groups.push(group);
        self.frames.push(frame);
        Some(index)
    }

    pub fn with<R>(&self, use_it: impl FnOnce(&Description<'_, T>) -> R) -> R {
        use_it(&Description {
            bodies: &self.bodies,
            geoms: &self.geoms,
            pairs: &self.pairs,
            excludes: &self.excludes,
            ..Description::with_options(Options {
                gravity: [T::zero(); 3],
                step: literal(0.002),
                integrator: Integrator::Euler,
                cone: FrictionCone::Elliptic,
                impedance_ratio: T::one(),
                flags: Flags { filter_parent: !self.unfiltered, ..Flags::DEFAULT },
            })
        })
    }

    /// The contacts that fit into a list of capacity N, and how many were dropped.
    pub fn contacts<const N: usize>(&self) -> (Vec<Contact<T>>, usize) {
        let mut list = Contacts::<_, N>::new();
        let found = self.with(|description| detect(description, &self.frames, &self.groups, &mut list));
        (list.to_vec(), found.dropped)
    }
}

/// A geom with MuJoCo's defaults.
pub fn geom<T: Real>(body: Option<u16>, shape: Shape<T>, position: [f64; 3]) -> Geom<T> {
    let [one, zero] = [T::one(), T::zero()];
    Geom {
        body,
        shape,
        position: position.map(literal),
        orientation: [one, zero, zero, zero],
        contype: 1,
        conaffinity: 1,
        condim: 3,
        priority: 0,
        friction: [one, literal(0.005), literal(0.0001)],
        solmix: one,
        margin: zero,
        gap: zero,
        softness: SoftnessNumbers { solref: [literal(0.02), one], solimp: [0.9, 0.95, 0.001, 0.5, 2.0].map(literal) },
    }
}
