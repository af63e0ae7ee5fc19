//! Parametrised scenes: one number goes through a range, and with it what f32 finds hard.

use crate::conditioning::Conditioning;
use crate::machine::Tick;

/// A family of models.
pub struct Scene {
    pub name: &'static str,
    pub title: &'static str,
    /// Name and unit of the abscissa.
    pub abscissa: &'static str,
    pub values: Vec<f64>,
    /// The model, MJCF.
    pub model: fn(f64) -> String,
    /// How far starts are moved from the reference: configuration, velocity.
    pub aside: fn(f64) -> [f64; 2],
    /// Where in the plot a value stands, if that is not the value itself.
    pub place: fn(f64, &Tick) -> f64,
    /// Time after which states are compared \[s\]; 0: ticks are compared.
    pub seconds: f64,
}

/// From one number to another in equal ratios.
fn decades(low: f64, high: f64, count: usize) -> Vec<f64> {
    (0..count).map(|k| low * (high / low).powf(k as f64 / (count - 1) as f64)).collect()
}

/// An arm of three links whose last one is heavy, nearly straight: of the motions of such an arm, most move nothing heavy.
fn arm(armature: f64) -> String {
    format!(
        "<mujoco><option timestep='0.001'/><default><joint axis='0 1 0' armature='{armature}'/></default><worldbody>
         <body><joint/><inertial pos='0.15 0 0' mass='0.01' diaginertia='1e-5 1e-4 1e-4'/>
         <body pos='0.3 0 0'><joint/><inertial pos='0.15 0 0' mass='0.01' diaginertia='1e-5 1e-4 1e-4'/>
         <body pos='0.3 0 0'><joint/><inertial pos='0.2 0 0' mass='10' diaginertia='1e-5 1e-5 1e-5'/></body></body></body>
         </worldbody></mujoco>"
    )
}

/// A box of 1 kg that lies on four corners, 12 elliptic rows for 6 dofs; d is given as d/(1 − d).
fn corners(odds: f64) -> String {
    let d = odds / (1.0 + odds);
    format!(
        "<mujoco><option timestep='0.002' cone='elliptic' gravity='1 0 -9.81'/><worldbody>
         <geom type='plane' size='1 1 1' solimp='{d} {d} 0.001' condim='3'/>
         <body pos='0 0 0.0498'><freejoint/><geom type='box' size='0.1 0.08 0.05' mass='1' solimp='{d} {d} 0.001'/></body>
         </worldbody></mujoco>"
    )
}

/// A ball on a ball on the ground; the upper one so many times as heavy.
fn stack(ratio: f64) -> String {
    format!(
        "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='1 1 1' condim='1'/>
         <body pos='0 0 0.0999'><joint type='slide' axis='0 0 1'/><geom size='0.1' mass='1' condim='1'/></body>
         <body pos='0 0 0.2997'><joint type='slide' axis='0 0 1'/><geom size='0.1' mass='{ratio}' condim='1'/></body>
         </worldbody></mujoco>"
    )
}

/// A body with two legs of two joints on the ground; lengths and masses in these units, at this gravity.
fn walker(length: f64, mass: f64, gravity: f64) -> String {
    let (l, m) = (|x: f64| x * length, |x: f64| x * mass);
    let leg = |side: f64| {
        format!(
            "<body pos='{} 0 0'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 {} 0 {}' size='{}' mass='{}' contype='0'/>
             <body pos='{} 0 {}'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 {} 0 {}' size='{}' mass='{}'/></body></body>",
            l(0.1 * side), l(0.05), l(-0.15), l(0.02), m(0.2),
            l(0.05), l(-0.15), l(-0.05), l(-0.15), l(0.02), m(0.1)
        )
    };
    format!(
        "<mujoco><option timestep='0.002' gravity='0 0 {}'/><default><geom solimp='0.9 0.95 {}' conaffinity='0'/></default>
         <worldbody><geom type='plane' size='1 1 1' conaffinity='1'/>
         <body pos='0 0 {}'><freejoint/><geom type='box' size='{} {} {}' mass='{}' contype='0'/>{}{}</body></worldbody></mujoco>",
        -gravity, l(0.001), l(0.3197), l(0.15), l(0.06), l(0.04), m(2.0), leg(1.0), leg(-1.0)
    )
}

fn units(x: f64) -> String {
    walker(x, x, 9.81 * x)
}

fn size(x: f64) -> String {
    walker(x, x * x * x, 9.81)
}

fn far(x: f64) -> String {
    walker(1.0, 1.0, 9.81).replacen("<body pos='0 0 ", &format!("<body pos='{x} 0 "), 1)
}

/// A pendulum of two links with a stop, for some time at this step.
fn pendulum(step: f64) -> String {
    format!(
        "<mujoco><option timestep='{step}'/><compiler angle='radian'/><default><joint axis='0 1 0' damping='0.02'/></default><worldbody>
         <body><joint/><geom type='capsule' fromto='0 0 0 0.3 0 0' size='0.02' mass='1' contype='0'/>
         <body pos='0.3 0 0'><joint range='-2 0.3' limited='true'/><geom type='capsule' fromto='0 0 0 0.3 0 0' size='0.02' mass='0.5' contype='0'/>
         </body></body></worldbody></mujoco>"
    )
}

/// A box pushed along the ground.
fn slider(friction: f64, ratio: f64, cone: &str, gravity: &str) -> String {
    format!(
        "<mujoco><option timestep='0.002' cone='{cone}' impratio='{ratio}' gravity='{gravity}'/><worldbody>
         <geom type='plane' size='1 1 1' friction='{friction} 0.005 0.0001'/>
         <body pos='0 0 0.0498'><freejoint/><geom type='box' size='0.1 0.08 0.05' mass='1' friction='{friction} 0.005 0.0001'/></body>
         </worldbody></mujoco>"
    )
}

fn condition(list: &[Vec<f64>]) -> f64 {
    Conditioning::of(list).map_or(1.0, |found| found.condition)
}

fn regularized(tick: &Tick) -> Vec<Vec<f64>> {
    let mut sum = tick.delassus.clone();
    for (k, regularizer) in tick.regularizer.iter().enumerate() {
        sum[k][k] += regularizer;
    }
    sum
}

/// All families.
pub fn all() -> Vec<Scene> {
    let plain = Scene {
        name: "",
        title: "",
        abscissa: "",
        values: Vec::new(),
        model: arm,
        aside: |_| [1e-5, 1e-2],
        place: |x, _| x,
        seconds: 0.0,
    };
    vec![
        Scene {
            name: "mass_condition",
            title: "An arm with a heavy tip, nearly straight, with ever less armature",
            abscissa: "condition number of M",
            values: decades(10.0, 1e-8, 28),
            aside: |_| [2e-2, 1e-1],
            place: |_, tick| condition(&tick.mass),
            ..plain
        },
        Scene {
            name: "impedance",
            title: "A box on four corners (elliptic), by the impedance of its contacts",
            abscissa: "d/(1 - d): 1e-4 is d = 0.0001, 1e4 is d = 0.9999",
            values: decades(1e-4, 9999.0, 25),
            model: corners,
            ..plain
        },
        Scene {
            name: "delassus_condition",
            title: "A box on four corners (elliptic), by the condition of what the constraints see",
            abscissa: "condition number of A + R",
            values: decades(1e-4, 9999.0, 25),
            model: corners,
            place: |_, tick| condition(&regularized(tick)),
            ..plain
        },
        Scene {
            name: "mass_ratio",
            title: "A heavy ball on a light one on the ground",
            abscissa: "mass of the upper over mass of the lower",
            values: decades(1.0, 1e6, 25),
            model: stack,
            ..plain
        },
        Scene {
            name: "units",
            title: "The same walker in other units",
            abscissa: "numbers of a length and of a mass: 1 is m and kg, 1000 is mm and g",
            values: decades(1.0, 1e3, 19),
            model: units,
            aside: |x| [1e-5 * x, 1e-2 * x],
            ..plain
        },
        Scene {
            name: "size",
            title: "A small walker and a large one",
            abscissa: "size, 1 is 0.3 m high and 2.6 kg, mass with the third power",
            values: decades(1e-2, 10.0, 25),
            model: size,
            aside: |x| [1e-5 * x, 1e-2 * x],
            ..plain
        },
        Scene {
            name: "distance",
            title: "A walker far from the origin of the world",
            abscissa: "distance, m",
            values: decades(1e-2, 1e4, 25),
            model: far,
            ..plain
        },
        Scene {
            name: "time_step",
            title: "A pendulum with a stop after 0.2 s",
            abscissa: "time step, s",
            values: decades(1e-4, 2e-2, 19),
            model: pendulum,
            aside: |_| [1e-1, 1.0],
            seconds: 0.2,
            ..plain
        },
        Scene {
            name: "friction_pyramidal",
            title: "A box pushed along the ground (pyramidal), by friction",
            abscissa: "friction coefficient",
            values: decades(1e-5, 10.0, 25),
            model: |x| slider(x, 1.0, "pyramidal", "3 0 -9.81"),
            ..plain
        },
        Scene {
            name: "friction_elliptic",
            title: "A box pushed along the ground (elliptic), by friction",
            abscissa: "friction coefficient",
            values: decades(1e-5, 10.0, 25),
            model: |x| slider(x, 1.0, "elliptic", "3 0 -9.81"),
            ..plain
        },
        Scene {
            name: "impratio_pyramidal",
            title: "A box that sticks (pyramidal), by impratio",
            abscissa: "impratio",
            values: decades(1e-2, 1e5, 25),
            model: |x| slider(1.0, x, "pyramidal", "3 0 -9.81"),
            ..plain
        },
        Scene {
            name: "impratio_elliptic",
            title: "A box that sticks (elliptic), by impratio",
            abscissa: "impratio",
            values: decades(1e-2, 1e5, 25),
            model: |x| slider(1.0, x, "elliptic", "3 0 -9.81"),
            ..plain
        },
    ]
}
