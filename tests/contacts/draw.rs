//! Random scenes from a seed: number by number what `tests/golden/make_contacts.py` draws.

use super::machine::{Scene, Vector};
use delassus::description::{Body, FrictionCone, Geom, Integrator, Joint, JointKind, Shape, SoftnessNumbers};

/// SplitMix64.
pub struct Noise(pub u64);

impl Noise {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    fn among<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    /// A multiple of 0.001.
    pub fn milli(&mut self, low: i32, high: i32) -> f64 {
        f64::from(low + self.below((high - low + 1) as usize) as i32) / 1000.0
    }

    pub fn vector(&mut self, size: i32) -> [f64; 3] {
        std::array::from_fn(|_| self.milli(-size, size))
    }

    fn quaternion(&mut self) -> [f64; 4] {
        let q = std::array::from_fn(|_| self.below(19) as f64 - 9.0);
        if q == [0.0; 4] { [1.0, 0.0, 0.0, 0.0] } else { q }
    }

    fn softness(&mut self) -> SoftnessNumbers<f64> {
        let solref = self.among(&[[0.02, 1.0], [0.05, 0.4], [0.008, 1.5], [-900.0, -40.0]]);
        let solimp = [
            self.milli(500, 900),
            self.milli(900, 990),
            self.milli(1, 50),
            self.milli(200, 800),
            self.among(&[1.0, 2.0, 3.0]),
        ];
        SoftnessNumbers { solref, solimp }
    }
}

pub fn unit(q: [f64; 4]) -> [f64; 4] {
    let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.map(|x| x / norm)
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    Plane,
    Sphere,
    Capsule,
    Box,
}

const BALLS_AND_BOXES: [Form; 3] = [Form::Sphere, Form::Capsule, Form::Box];

fn geom(noise: &mut Noise, body: Option<u16>, form: Form) -> Geom<f64> {
    let shape = match form {
        Form::Plane => Shape::Plane,
        Form::Sphere => Shape::Sphere { radius: noise.milli(50, 150) },
        Form::Capsule => Shape::Capsule { radius: noise.milli(50, 150), half_length: noise.milli(50, 150) },
        Form::Box => Shape::Box { half_sizes: std::array::from_fn(|_| noise.milli(50, 150)) },
    };
    let mut geom = Geom { position: noise.vector(50), ..Geom::<f64>::new(body, shape) };
    geom.orientation = unit(if form == Form::Plane {
        [20.0, noise.below(5) as f64 - 2.0, noise.below(5) as f64 - 2.0, 0.0]
    } else {
        noise.quaternion()
    });
    geom.condim = noise.among(&[1, 3, 4, 6]);
    geom.priority = noise.among(&[0, 0, 0, 1]);
    geom.friction = [
        noise.among(&[1e-5, 0.01, 0.3, 0.6, 1.0, 3.0, 10.0]),
        noise.among(&[1e-5, 0.005, 0.05, 0.5]),
        noise.among(&[1e-5, 0.0001, 0.01, 0.2]),
    ];
    geom.solmix = noise.milli(100, 3000);
    (geom.margin, geom.gap) = (noise.milli(0, 20), noise.among(&[0.0, 0.0, 0.01]));
    geom.softness = noise.softness();
    // Boxes do not meet boxes: there is no routine for them.
    (geom.contype, geom.conaffinity) = if form == Form::Box { (2, 1) } else { (1, 3) };
    geom
}

/// A scene with the configuration and velocity that it starts from.
pub struct Drawn {
    pub scene: Scene,
    pub position: Vec<f64>,
    pub velocity: Vec<f64>,
}

impl Drawn {
    fn is_mechanism(&self) -> bool {
        let slides = |body: u16| self.scene.joints.iter().filter(move |j| j.body == body && j.kind == JointKind::Slide);
        (0..self.scene.bodies.len() as u16).all(|body| {
            let axes: Vec<_> = slides(body).map(|joint| joint.axis).collect();
            axes.iter().enumerate().all(|(k, axis)| !axes[..k].contains(axis))
        })
    }

    /// The same of a padded state.
    pub fn start(&self, machine: &mut super::machine::Machine<'_>) {
        let state = &mut machine.state;
        state.configuration[..self.position.len()].copy_from_slice(&self.position);
        state.velocity = Vector::from_fn(|k, _| self.velocity.get(k).copied().unwrap_or(0.0));
    }
}

pub fn draw(seed: u64) -> Drawn {
    use JointKind::{Ball, Free, Hinge, Slide};
    let noise = &mut Noise(seed);
    let cone = [FrictionCone::Pyramidal, FrictionCone::Elliptic][noise.below(2)];
    let mut scene = Scene::new(0.0, cone);
    scene.options.impedance_ratio = noise.among(&[0.1, 0.5, 1.0, 1.0, 5.0, 100.0]);
    scene.options.step = noise.among(&[0.001, 0.002, 0.005]);
    scene.options.integrator =
        [Integrator::Euler, Integrator::RungeKutta, Integrator::Implicit, Integrator::ImplicitFast][noise.below(4)];
    scene.options.flags.exact_diagonal = noise.below(4) == 0;
    let (mut position, mut velocity) = (vec![], vec![]);
    scene.geoms.push(geom(noise, None, Form::Plane));
    if noise.below(3) == 0 {
        let form = noise.among(&BALLS_AND_BOXES);
        scene.geoms.push(geom(noise, None, form));
    }
    for k in 0..2 + noise.below(4) {
        let child = k > 0 && noise.below(5) < 2;
        let mut place = noise.vector(250);
        if !child {
            place[2] = noise.milli(50, 250);
        }
        let (orientation, mass) = (noise.quaternion(), noise.milli(300, 3000));
        let [a, b, c]: [f64; 3] = std::array::from_fn(|_| noise.milli(5, 50));
        scene.bodies.push(Body {
            parent: child.then(|| k as u16 - 1),
            position: place,
            orientation,
            center: noise.vector(50),
            ..Body::<f64>::new(mass, [(b + c) * mass, (a + c) * mass, (a + b) * mass])
        });
        let kinds: &[JointKind] = if child {
            noise.among(&[&[Hinge][..], &[Slide], &[Ball], &[Slide, Hinge]])
        } else {
            noise.among(&[&[Free][..], &[Free], &[Free], &[Hinge], &[Slide, Slide, Hinge], &[Ball]])
        };
        for &kind in kinds {
            let mut joint = Joint { position: noise.vector(50), ..Joint::<f64>::new(kind, k as u16) };
            joint.axis = [noise.below(9) as f64 - 4.0, noise.below(9) as f64 - 4.0, 5.0];
            joint.damping[0] = noise.among(&[0.0, 0.0, 0.3]);
            joint.friction_loss = noise.among(&[0.0, 0.0, 0.2]);
            let limited = noise.below(3) == 0;
            joint.range = (limited && matches!(kind, Slide | Hinge)).then_some([-0.2, 0.25]);
            joint.armature = noise.among(&[0.0, 0.05]);
            match kind {
                Free => {
                    joint = Joint::<f64>::new(Free, k as u16);
                    position.extend(place);
                    position.extend(unit(orientation));
                }
                Ball => position.extend([1.0, 0.0, 0.0, 0.0]),
                Hinge | Slide => position.push(noise.milli(-300, 300)),
            }
            velocity.extend((0..kind.dofs()).map(|_| noise.milli(-1000, 1000)));
            scene.joints.push(joint);
        }
        let form = noise.among(&BALLS_AND_BOXES);
        scene.geoms.push(geom(noise, Some(k as u16), form));
    }
    Drawn { scene, position, velocity }
}

/// The same, or the next scene that is a mechanism: two slides of a body may have drawn the same axis.
pub fn mechanism(seed: u64) -> Drawn {
    (0..).map(|k| draw(seed.wrapping_add(k))).find(|drawn| drawn.is_mechanism()).unwrap()
}
