//! Free bodies and a quadruped on a plane: a box that is pushed over the ground, a ball that rolls, a four-legged robot that is dropped
//! and stands. A thousand steps each.

use delassus::description::{Body, Description, FrictionCone, Geom, Joint, JointKind, Options, Shape};
use delassus::model::{Model, State};
use delassus::scalar::{Real, literal};
use delassus::solver::Budget;
use delassus::tick::{Input, TickError, Workspace};
use nalgebra::SVector;

/// A free box: 4 contacts of 4 edges each.
pub type BoxMemory<T> = Workspace<T, 1, 6, 4, 16>;
/// A free ball: one elliptic contact of dimension 6.
pub type BallMemory<T> = Workspace<T, 1, 6, 1, 6>;
/// The quadruped: 13 bodies, 18 dofs, four feet with elliptic contacts of dimension 3, twelve joint limits.
pub type QuadrupedMemory<T> = Workspace<T, 13, 18, 4, 24>;

macro_rules! descriptions {
    ($scalar:ty, $module:ident) => {
        pub mod $module {
            use super::*;

            const FREE: [Joint<$scalar>; 1] = [Joint::<$scalar>::new(JointKind::Free, 0)];
            const GROUND: Geom<$scalar> = Geom::<$scalar>::new(None, Shape::Plane);

            /// 2 kg, 0.2 × 0.4 × 0.6 m, pyramidal friction 1.
            pub static BOX: Description<$scalar> = {
                static BODIES: [Body<$scalar>; 1] = [Body {
                    position: [0.0, 0.0, 0.35],
                    ..Body::<$scalar>::new(2.0, [2.0 * 0.52 / 12.0, 2.0 * 0.40 / 12.0, 2.0 * 0.20 / 12.0])
                }];
                static GEOMS: [Geom<$scalar>; 2] =
                    [GROUND, Geom::<$scalar>::new(Some(0), Shape::Box { half_sizes: [0.1, 0.2, 0.3] })];
                Description { bodies: &BODIES, joints: &FREE, geoms: &GEOMS, ..Description::<$scalar>::empty(0.002) }
            };

            /// 2 kg, radius 0.2 m, with sliding, spin and rolling friction.
            pub static BALL: Description<$scalar> = {
                static BODIES: [Body<$scalar>; 1] =
                    [Body { position: [0.0, 0.0, 0.25], ..Body::<$scalar>::new(2.0, [0.032; 3]) }];
                static GEOMS: [Geom<$scalar>; 2] = [
                    GROUND,
                    Geom {
                        condim: 6,
                        friction: [0.6, 0.01, 0.001],
                        ..Geom::<$scalar>::new(Some(0), Shape::Sphere { radius: 0.2 })
                    },
                ];
                let all = Description::<$scalar>::empty(0.002);
                let options = Options { cone: FrictionCone::Elliptic, ..all.options };
                Description { bodies: &BODIES, joints: &FREE, geoms: &GEOMS, options, ..all }
            };

            /// A trunk of 5.2 kg on four legs of hip, thigh and calf: sizes and masses of a common 12 kg robot dog, inertias of
            /// rods and boxes.
            pub static QUADRUPED: Description<$scalar> = {
                const fn leg(k: u16) -> [Body<$scalar>; 3] {
                    let (front, left) = (if k < 2 { 1.0 } else { -1.0 }, if k % 2 == 1 { 1.0 } else { -1.0 });
                    let hip = Body {
                        parent: Some(0),
                        position: [0.188 * front, 0.047 * left, 0.0],
                        center: [-0.005 * front, 0.0, 0.0],
                        ..Body::<$scalar>::new(0.68, [3.3e-4, 6.2e-4, 4.9e-4])
                    };
                    let thigh = Body {
                        parent: Some(3 * k + 1),
                        position: [0.0, 0.08 * left, 0.0],
                        center: [-0.003, -0.02 * left, -0.027],
                        ..Body::<$scalar>::new(1.01, [5.8e-3, 5.7e-3, 1.0e-3])
                    };
                    let calf = Body {
                        parent: Some(3 * k + 2),
                        position: [0.0, 0.0, -0.213],
                        center: [0.006, 0.0, -0.13],
                        ..Body::<$scalar>::new(0.226, [3.5e-3, 3.5e-3, 3.4e-5])
                    };
                    [hip, thigh, calf]
                }
                const fn bodies() -> [Body<$scalar>; 13] {
                    let trunk = Body {
                        position: [0.0, 0.0, 0.34],
                        center: [0.02, 0.0, 0.0],
                        ..Body::<$scalar>::new(5.2, [0.017, 0.063, 0.072])
                    };
                    let mut bodies = [trunk; 13];
                    let mut k = 0;
                    while k < 12 {
                        bodies[k + 1] = leg(k as u16 / 3)[k % 3];
                        k += 1;
                    }
                    bodies
                }
                const fn joints() -> [Joint<$scalar>; 13] {
                    let mut joints = [FREE[0]; 13];
                    let mut k = 0;
                    while k < 12 {
                        let hinge = Joint::<$scalar>::hinge(k as u16 + 1);
                        let (axis, range) = match k % 3 {
                            0 => ([1.0, 0.0, 0.0], [-0.86, 0.86]),
                            1 => ([0.0, 1.0, 0.0], [-0.69, 4.5]),
                            _ => ([0.0, 1.0, 0.0], [-2.82, -0.89]),
                        };
                        joints[k + 1] = Joint { axis, range: Some(range), armature: 0.01, ..hinge };
                        k += 1;
                    }
                    joints
                }
                const fn geoms() -> [Geom<$scalar>; 5] {
                    let mut geoms = [GROUND; 5];
                    let mut leg = 0;
                    while leg < 4 {
                        geoms[leg + 1] = Geom {
                            position: [0.0, 0.0, -0.213],
                            friction: [0.8, 0.02, 0.01],
                            ..Geom::<$scalar>::new(Some(3 * leg as u16 + 3), Shape::Sphere { radius: 0.023 })
                        };
                        leg += 1;
                    }
                    geoms
                }
                static BODIES: [Body<$scalar>; 13] = bodies();
                static JOINTS: [Joint<$scalar>; 13] = joints();
                static GEOMS: [Geom<$scalar>; 5] = geoms();
                let all = Description::<$scalar>::empty(0.002);
                let options = Options { cone: FrictionCone::Elliptic, ..all.options };
                Description { bodies: &BODIES, joints: &JOINTS, geoms: &GEOMS, options, ..all }
            };
        }
    };
}

descriptions!(f32, single);
descriptions!(f64, double);

/// What a solve may take.
pub fn budget<T: Real>() -> Budget<T> {
    Budget::new(10, literal(1e-6))
}

/// The box in the air, tilted and thrown.
pub fn box_start<T: Real>(model: &Model<'_, T, 1, 7, 6>) -> State<T, 7, 6> {
    let mut state = model.state();
    let [_, _, _, w, x, y, _] = &mut state.configuration;
    (*w, *x, *y) = (literal(0.98), literal(0.15), literal(0.1));
    state.velocity = [0.8, 0.3, 0.0, 0.5, -0.4, 1.0].map(literal::<T>).into();
    state
}

/// The ball a little above the ground, sliding and spinning.
pub fn ball_start<T: Real>(model: &Model<'_, T, 1, 7, 6>) -> State<T, 7, 6> {
    let mut state = model.state();
    state.velocity = [0.8, 0.2, 0.0, 1.0, 2.0, 3.0].map(literal::<T>).into();
    state
}

/// The joint angles in which the quadruped stands: hip, thigh, calf of each leg.
pub const STANCE: [f64; 3] = [0.0, 0.9, -1.8];

/// The quadruped in its stance, its feet a little above the ground.
pub fn quadruped_start<T: Real>(model: &Model<'_, T, 13, 19, 18>) -> State<T, 19, 18> {
    let mut state = model.state();
    for (q, stance) in state.configuration.iter_mut().skip(7).zip(STANCE.map(literal::<T>).into_iter().cycle()) {
        *q = stance;
    }
    state.configuration[2] = literal(0.295);
    state.velocity[0] = literal(0.3);
    state
}

/// Position control of the legs: 60 N m/rad and 2 N m s/rad towards the stance.
pub fn hold<T: Real>(state: &State<T, 19, 18>) -> SVector<T, 18> {
    let mut force = SVector::<T, 18>::from_element(T::zero());
    let legs = state.configuration.iter().skip(7).zip(state.velocity.iter().skip(6));
    let stance = STANCE.map(literal::<T>);
    for ((slot, (q, v)), target) in force.iter_mut().skip(6).zip(legs).zip(stance.into_iter().cycle()) {
        *slot = literal::<T>(60.0) * (target - *q) - literal::<T>(2.0) * *v;
    }
    force
}

/// One step of the quadruped under its control.
pub fn quadruped_step<T: Real>(
    model: &Model<'_, T, 13, 19, 18>,
    state: &mut State<T, 19, 18>,
    memory: &mut QuadrupedMemory<T>,
) -> Result<(), TickError> {
    let input = Input::force(hold(state));
    model.step(state, &input, &budget(), memory).map(|_| ())
}

fn note<const NQ: usize, const NV: usize>(
    state: &State<f32, NQ, NV>,
    force: &SVector<f32, NV>,
    record: &mut impl FnMut(f32),
) {
    for x in state.configuration.iter().chain(state.velocity.iter()).chain(force.iter()) {
        record(*x);
    }
}

/// A thousand steps of the box in single precision.
pub fn run_box(memory: &mut BoxMemory<f32>, record: &mut impl FnMut(f32)) {
    let Ok(model) = Model::new(&single::BOX, &mut memory.smooth) else { return record(f32::NAN) };
    let mut state = box_start(&model);
    for _ in 0..1000u16 {
        if model.step(&mut state, &Input::none(), &budget(), memory).is_err() {
            record(f32::NAN);
        }
        note(&state, memory.constraint_force(), record);
    }
}

/// A thousand steps of the ball in single precision.
pub fn run_ball(memory: &mut BallMemory<f32>, record: &mut impl FnMut(f32)) {
    let Ok(model) = Model::new(&single::BALL, &mut memory.smooth) else { return record(f32::NAN) };
    let mut state = ball_start(&model);
    for _ in 0..1000u16 {
        if model.step(&mut state, &Input::none(), &budget(), memory).is_err() {
            record(f32::NAN);
        }
        note(&state, memory.constraint_force(), record);
    }
}

/// A thousand steps of the quadruped in single precision.
pub fn run_quadruped(memory: &mut QuadrupedMemory<f32>, record: &mut impl FnMut(f32)) {
    let Ok(model) = Model::new(&single::QUADRUPED, &mut memory.smooth) else { return record(f32::NAN) };
    let mut state = quadruped_start(&model);
    for _ in 0..1000u16 {
        if quadruped_step(&model, &mut state, memory).is_err() {
            record(f32::NAN);
        }
        note(&state, memory.constraint_force(), record);
    }
}
