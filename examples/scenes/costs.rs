//! Mechanisms whose step is counted, on the host and on the chip: chains of hinges, a cart-pole, a four-bar linkage, an arm of 7 dofs.

use delassus::description::{Body, Description, Joint, JointKind};
use delassus::model::State;
use delassus::scalar::{Real, literal};

/// The descriptions in one scalar; a `static` cannot be generic.
macro_rules! descriptions {
    ($scalar:ty, $module:ident, $linkage:ident) => {
        pub mod $module {
            use super::*;

            const LINK: Body<$scalar> = Body {
                position: [0.0, 0.0, -0.3],
                center: [0.0, 0.0, -0.15],
                ..Body::<$scalar>::new(1.0, [0.0075, 0.0075, 0.0002])
            };
            const HINGE: Joint<$scalar> =
                Joint { axis: [0.0, 1.0, 0.0], range: Some([-0.5, 0.5]), ..Joint::<$scalar>::hinge(0) };

            const fn links<const N: usize>() -> [Body<$scalar>; N] {
                let mut bodies = [LINK; N];
                let mut k = 1;
                while k < N {
                    bodies[k].parent = Some(k as u16 - 1);
                    k += 1;
                }
                bodies
            }

            const fn hinges<const N: usize>() -> [Joint<$scalar>; N] {
                let mut joints = [HINGE; N];
                let mut k = 1;
                while k < N {
                    joints[k].body = k as u16;
                    k += 1;
                }
                joints
            }

            macro_rules! chain {
                ($name:ident, $n:literal) => {
                    /// A chain of links under each other, every hinge limited to ±0.5 rad.
                    pub static $name: Description<$scalar> = {
                        static BODIES: [Body<$scalar>; $n] = links();
                        static JOINTS: [Joint<$scalar>; $n] = hinges();
                        Description { bodies: &BODIES, joints: &JOINTS, ..Description::<$scalar>::empty(0.002) }
                    };
                };
            }
            chain!(CHAIN2, 2);
            chain!(CHAIN4, 4);
            chain!(CHAIN8, 8);
            chain!(CHAIN16, 16);
            chain!(CHAIN32, 32);

            /// A cart with limit and dry friction, and a pole.
            pub static CART_POLE: Description<$scalar> = {
                static BODIES: [Body<$scalar>; 2] = [
                    Body::<$scalar>::new(1.0, [0.01; 3]),
                    Body {
                        parent: Some(0),
                        center: [0.0, 0.0, 0.5],
                        ..Body::<$scalar>::new(0.1, [0.0084, 0.0084, 0.0001])
                    },
                ];
                static JOINTS: [Joint<$scalar>; 2] = [
                    Joint {
                        axis: [1.0, 0.0, 0.0],
                        range: Some([-1.8, 1.8]),
                        friction_loss: 0.5,
                        ..Joint::<$scalar>::new(JointKind::Slide, 0)
                    },
                    Joint { axis: [0.0, 1.0, 0.0], ..Joint::<$scalar>::hinge(1) },
                ];
                Description { bodies: &BODIES, joints: &JOINTS, ..Description::<$scalar>::empty(0.002) }
            };

            /// Seven hinges with alternating axes, masses and lengths of a common light arm; inertias are those of uniform links.
            pub static ARM7: Description<$scalar> = {
                const fn link(
                    parent: Option<u16>,
                    position: [$scalar; 3],
                    center: [$scalar; 3],
                    mass: $scalar,
                    inertia: [$scalar; 3],
                ) -> Body<$scalar> {
                    Body { parent, position, center, ..Body::<$scalar>::new(mass, inertia) }
                }
                static BODIES: [Body<$scalar>; 7] = [
                    link(None, [0.0, 0.0, 0.333], [0.004, 0.002, -0.05], 5.0, [0.07, 0.07, 0.01]),
                    link(Some(0), [0.0; 3], [0.0, -0.03, 0.003], 0.65, [0.008, 0.028, 0.026]),
                    link(Some(1), [0.0, 0.0, 0.316], [0.027, 0.039, -0.066], 3.2, [0.037, 0.036, 0.011]),
                    link(Some(2), [0.083, 0.0, 0.0], [-0.053, 0.104, 0.027], 3.6, [0.026, 0.02, 0.028]),
                    link(Some(3), [-0.083, 0.0, 0.384], [-0.012, 0.041, -0.038], 1.2, [0.036, 0.029, 0.009]),
                    link(Some(4), [0.0; 3], [0.06, -0.014, -0.01], 1.7, [0.002, 0.0044, 0.0054]),
                    link(Some(5), [0.088, 0.0, 0.0], [0.01, -0.004, 0.062], 0.74, [0.0125, 0.01, 0.0048]),
                ];
                const fn joint(body: u16, axis: [$scalar; 3]) -> Joint<$scalar> {
                    Joint { axis, armature: 0.1, range: Some([-1.7, 1.7]), ..Joint::<$scalar>::hinge(body) }
                }
                static JOINTS: [Joint<$scalar>; 7] = [
                    joint(0, [0.0, 0.0, 1.0]),
                    joint(1, [0.0, 1.0, 0.0]),
                    joint(2, [0.0, 0.0, 1.0]),
                    joint(3, [0.0, -1.0, 0.0]),
                    joint(4, [0.0, 0.0, 1.0]),
                    joint(5, [0.0, -1.0, 0.0]),
                    joint(6, [0.0, 0.0, -1.0]),
                ];
                Description { bodies: &BODIES, joints: &JOINTS, ..Description::<$scalar>::empty(0.002) }
            };

            #[allow(unused_imports)] // every program uses its own scenes
            pub use super::super::mechanisms::$linkage as FOUR_BAR;
        }
    };
}

descriptions!(f32, single, LINKAGE);
descriptions!(f64, double, LINKAGE_F64);

/// Where a scene starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// At the reference, moving a little: no limit is reached.
    Free,
    /// Every coordinate a little beyond its upper limit of 0.5, at rest.
    AtLimits,
    /// The second and fourth coordinate beyond the limit of 1.7.
    TwoLimits,
    /// The first coordinate beyond its limit of 1.8.
    CartLimit,
}

/// The state that a scene starts from, given the reference state.
pub fn start<T: Real, const NQ: usize, const NV: usize>(mut state: State<T, NQ, NV>, start: Start) -> State<T, NQ, NV> {
    let speed = if start == Start::Free { 0.3 } else { 0.0 };
    for (k, (q, v)) in state.configuration.iter_mut().zip(state.velocity.iter_mut()).enumerate() {
        *v = literal(speed);
        *q = literal(match start {
            Start::AtLimits => 0.501,
            Start::TwoLimits if k == 1 || k == 3 => 1.701,
            Start::CartLimit if k == 0 => 1.801,
            _ => 0.1,
        });
    }
    state
}

/// `visit!(name, description, start, bodies, dofs, rows)` for every scene; the four-bar linkage starts at its reference.
#[allow(unused_macros)]
macro_rules! for_each_cost_scene {
    ($visit:ident, $module:path) => {{
        use $module as descriptions;
        $visit!("double_pendulum_free", descriptions::CHAIN2, Start::Free, 2, 2, 2);
        $visit!("double_pendulum_limits", descriptions::CHAIN2, Start::AtLimits, 2, 2, 2);
        $visit!("cart_pole", descriptions::CART_POLE, Start::CartLimit, 2, 2, 2);
        $visit!("four_bar", descriptions::FOUR_BAR, Start::Free, 3, 3, 6);
        $visit!("arm7_free", descriptions::ARM7, Start::Free, 7, 7, 7);
        $visit!("arm7_two_limits", descriptions::ARM7, Start::TwoLimits, 7, 7, 7);
        $visit!("chain4_limits", descriptions::CHAIN4, Start::AtLimits, 4, 4, 4);
        $visit!("chain8_limits", descriptions::CHAIN8, Start::AtLimits, 8, 8, 8);
        $visit!("chain16_limits", descriptions::CHAIN16, Start::AtLimits, 16, 16, 16);
        $visit!("chain32_limits", descriptions::CHAIN32, Start::AtLimits, 32, 32, 32);
    }};
}
#[allow(unused_imports)] // every program uses its own scenes
pub(crate) use for_each_cost_scene;
