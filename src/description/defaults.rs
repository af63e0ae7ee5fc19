//! Constructors with MuJoCo's defaults. `const`, so that a description can be a `static`; that is why there is one for each scalar.

use super::{
    Actuator, Body, Description, Equality, EqualityKind, Flags, FrictionCone, Geom, Integrator, Joint, JointKind,
    Options, Shape, SoftnessNumbers, Tendon, TendonPath, Transmission,
};

macro_rules! constructors {
    ($($scalar:ty),*) => {$(
        impl Description<'_, $scalar> {
            /// Nothing under normal gravity, at this time step \[s\]: fill in the slices with `..`.
            pub const fn empty(step: $scalar) -> Self {
                Self::with_options(Options {
                    gravity: [0.0, 0.0, -9.81],
                    step,
                    integrator: Integrator::Euler,
                    cone: FrictionCone::Pyramidal,
                    impedance_ratio: 1.0,
                    flags: Flags::DEFAULT,
                })
            }
        }

        impl Body<$scalar> {
            /// A body of this mass \[kg\] and these principal moments \[kg m²\] about its origin, under the world: fill in with `..`.
            pub const fn new(mass: $scalar, inertia: [$scalar; 3]) -> Self {
                Self {
                    parent: None,
                    position: [0.0; 3],
                    orientation: [1.0, 0.0, 0.0, 0.0],
                    mass,
                    center: [0.0; 3],
                    inertia,
                    inertia_orientation: [1.0, 0.0, 0.0, 0.0],
                    gravity_compensation: 0.0,
                }
            }
        }

        impl Joint<$scalar> {
            /// MuJoCo's defaults for a joint of this kind.
            pub const fn new(kind: JointKind, body: u16) -> Self {
                Self {
                    body,
                    kind,
                    position: [0.0; 3],
                    axis: [0.0, 0.0, 1.0],
                    reference: 0.0,
                    spring_reference: 0.0,
                    stiffness: [0.0; 3],
                    damping: [0.0; 3],
                    armature: 0.0,
                    friction_loss: 0.0,
                    friction_softness: SoftnessNumbers::<$scalar>::DEFAULT,
                    range: None,
                    margin: 0.0,
                    limit_softness: SoftnessNumbers::<$scalar>::DEFAULT,
                    actuator_force_range: None,
                    actuator_compensates_gravity: false,
                }
            }

            /// A hinge along z at the body's origin.
            pub const fn hinge(body: u16) -> Self {
                Self::new(JointKind::Hinge, body)
            }
        }

        impl Geom<$scalar> {
            /// MuJoCo's defaults for a geom of this shape.
            pub const fn new(body: Option<u16>, shape: Shape<$scalar>) -> Self {
                Self {
                    body,
                    shape,
                    position: [0.0; 3],
                    orientation: [1.0, 0.0, 0.0, 0.0],
                    contype: 1,
                    conaffinity: 1,
                    condim: 3,
                    priority: 0,
                    friction: [1.0, 0.005, 0.0001],
                    solmix: 1.0,
                    margin: 0.0,
                    gap: 0.0,
                    softness: SoftnessNumbers::<$scalar>::DEFAULT,
                }
            }
        }

        impl Tendon<$scalar> {
            /// A tendon along this path that does nothing yet: fill in with `..`.
            pub const fn new(path: TendonPath) -> Self {
                Self {
                    path,
                    stiffness: [0.0; 3],
                    damping: [0.0; 3],
                    spring_length: None,
                    armature: 0.0,
                    friction_loss: 0.0,
                    friction_softness: SoftnessNumbers::<$scalar>::DEFAULT,
                    range: None,
                    margin: 0.0,
                    limit_softness: SoftnessNumbers::<$scalar>::DEFAULT,
                    actuator_force_range: None,
                }
            }
        }

        impl Actuator<$scalar> {
            /// Its control is its force, without gear and limits: fill in the rest with `..`.
            pub const fn motor(transmission: Transmission) -> Self {
                Self {
                    transmission,
                    gear: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
                    gain: [1.0, 0.0, 0.0],
                    bias: [0.0; 3],
                    control_range: None,
                    force_range: None,
                }
            }

            /// Servo towards the length that the control asks for: kp (u − length) − kv velocity.
            pub const fn position(transmission: Transmission, kp: $scalar, kv: $scalar) -> Self {
                Self { gain: [kp, 0.0, 0.0], bias: [0.0, -kp, -kv], ..Self::motor(transmission) }
            }

            /// Servo towards the velocity that the control asks for: kv (u − velocity).
            pub const fn velocity(transmission: Transmission, kv: $scalar) -> Self {
                Self { gain: [kv, 0.0, 0.0], bias: [0.0, 0.0, -kv], ..Self::motor(transmission) }
            }

            /// A brake that the control opens and closes: −kv u velocity, with u ≥ 0.
            pub const fn damper(transmission: Transmission, kv: $scalar) -> Self {
                Self { gain: [0.0, 0.0, -kv], ..Self::motor(transmission) }
            }
        }

        impl Equality<$scalar> {
            /// Active, with MuJoCo's softness.
            pub const fn new(kind: EqualityKind<$scalar>) -> Self {
                Self { kind, active: true, softness: SoftnessNumbers::<$scalar>::DEFAULT }
            }
        }
    )*};
}
constructors!(f32, f64);
