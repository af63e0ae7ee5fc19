// Generated from `gripper` by delassus-mjcf 0.1.0; change the model, not this.
//
// Units: m, kg, s, rad, N, N m. Quaternions are (w, x, y, z). A body that is `None` is the world.

/// Bodies.
#[allow(dead_code)]
pub const NB: usize = 4;
/// Configuration numbers.
#[allow(dead_code)]
pub const NQ: usize = 10;
/// Degrees of freedom.
#[allow(dead_code)]
pub const NV: usize = 9;
/// Actuators.
#[allow(dead_code)]
pub const NU: usize = 0;
/// Tendons: so much memory for their constants wants `Model::stated`.
#[allow(dead_code)]
pub const NT: usize = 0;
/// Room for contacts: the most that the model can have.
pub const NC: usize = 3;
/// Room for constraint rows: the most that the model can have.
pub const NR: usize = 15;

/// What the description makes use of: `Model::stated` links the code of nothing else.
#[allow(dead_code)]
pub const USES: u32 = delassus::description::Uses::of(&DESCRIPTION).bits();
/// The checked model.
#[allow(dead_code)]
pub type Model = delassus::model::Model<'static, f32, NB, NQ, NV, USES>;
/// Time, configuration, velocity, warm start.
#[allow(dead_code)]
pub type State = delassus::model::State<f32, NQ, NV>;
/// What acts from outside in a tick.
#[allow(dead_code)]
pub type Input<'a> = delassus::tick::Input<'a, f32, NV>;
/// Memory of a tick, with Newton's method unless another solver is named; a `static` in firmware.
#[allow(dead_code)]
pub type Workspace<S = delassus::solver::NewtonWorkspace<f32, NV, NR>> =
    delassus::tick::Workspace<f32, NB, NV, NC, NR, S>;

/// The mechanism.
#[allow(clippy::approx_constant, clippy::needless_update)] // the numbers are the model's
pub static DESCRIPTION: delassus::description::Description<'static, f32> = {
    use delassus::description::*;

    const EMPTY: Description<'static, f32> = Description::<f32>::empty(0.001);
    const BODY: Body<f32> = Body::<f32>::new(0.0, [0.0; 3]);
    const JOINT: Joint<f32> = Joint::<f32>::hinge(0);
    const GEOM: Geom<f32> = Geom::<f32>::new(None, Shape::Plane);
    static BODIES: [Body<f32>; 4] = [
        // hand
        Body {
            parent: None,
            mass: 0.3,
            position: [0.0, 0.0, 0.08],
            center: [0.0, 0.0, 0.03],
            inertia: [0.0003, 0.0003, 0.0003],
            ..BODY
        },
        // left_finger
        Body {
            parent: Some(0),
            mass: 0.05,
            position: [-0.06, 0.0, 0.0],
            center: [0.0, 0.0, -0.03],
            inertia: [2.1666667e-5, 1.56e-5, 7.2666667e-6],
            ..BODY
        },
        // right_finger
        Body {
            parent: Some(0),
            mass: 0.05,
            position: [0.06, 0.0, 0.0],
            center: [0.0, 0.0, -0.03],
            inertia: [2.1666667e-5, 1.56e-5, 7.2666667e-6],
            ..BODY
        },
        // ball
        Body {
            parent: None,
            mass: 0.08,
            position: [0.0, 0.0, 0.03],
            inertia: [2.88e-5, 2.88e-5, 2.88e-5],
            ..BODY
        },
    ];
    static JOINTS: [Joint<f32>; 4] = [
        // lift
        Joint {
            body: 0,
            kind: JointKind::Slide,
            damping: [4.0, 0.0, 0.0],
            armature: 0.1,
            ..JOINT
        },
        // left_finger
        Joint {
            body: 1,
            kind: JointKind::Slide,
            axis: [1.0, 0.0, 0.0],
            damping: [2.0, 0.0, 0.0],
            armature: 0.02,
            range: Some([0.0, 0.04]),
            ..JOINT
        },
        // right_finger
        Joint {
            body: 2,
            kind: JointKind::Slide,
            axis: [-1.0, 0.0, 0.0],
            damping: [2.0, 0.0, 0.0],
            armature: 0.02,
            range: Some([0.0, 0.04]),
            ..JOINT
        },
        // ball
        Joint {
            body: 3,
            kind: JointKind::Free,
            ..JOINT
        },
    ];
    static GEOMS: [Geom<f32>; 4] = [
        // ground
        Geom {
            body: None,
            shape: Shape::Plane,
            ..GEOM
        },
        // left_finger
        Geom {
            body: Some(1),
            shape: Shape::Box {
                // m
                half_sizes: [0.006, 0.02, 0.03],
            },
            position: [0.0, 0.0, -0.03],
            contype: 2,
            conaffinity: 2,
            condim: 4,
            friction: [1.0, 0.02, 0.0001],
            softness: SoftnessNumbers {
                solref: [0.004, 1.0],
                solimp: [0.95, 0.99, 0.001, 0.5, 2.0],
            },
            ..GEOM
        },
        // right_finger
        Geom {
            body: Some(2),
            shape: Shape::Box {
                // m
                half_sizes: [0.006, 0.02, 0.03],
            },
            position: [0.0, 0.0, -0.03],
            contype: 2,
            conaffinity: 2,
            condim: 4,
            friction: [1.0, 0.02, 0.0001],
            softness: SoftnessNumbers {
                solref: [0.004, 1.0],
                solimp: [0.95, 0.99, 0.001, 0.5, 2.0],
            },
            ..GEOM
        },
        // ball
        Geom {
            body: Some(3),
            shape: Shape::Sphere {
                // m
                radius: 0.03,
            },
            contype: 3,
            conaffinity: 3,
            condim: 4,
            friction: [1.0, 0.02, 0.0001],
            ..GEOM
        },
    ];
    static EQUALITIES: [Equality<f32>; 1] = [
        // symmetric
        Equality {
            kind: EqualityKind::Coupling {
                // the joint follows the leader's polynomial
                joint: 2,
                leader: Some(1),
                polynomial: [0.0, 1.0, 0.0, 0.0, 0.0],
            },
            active: true,
            softness: SoftnessNumbers {
                solref: [0.004, 1.0],
                solimp: [0.95, 0.99, 0.001, 0.5, 2.0],
            },
        },
    ];
    Description {
        bodies: &BODIES,
        joints: &JOINTS,
        geoms: &GEOMS,
        equalities: &EQUALITIES,
        options: Options {
            // gravity in m/s^2
            cone: FrictionCone::Elliptic,
            impedance_ratio: 10.0,
            ..EMPTY.options
        },
        ..EMPTY
    }
};

/// Indices of bodies.
#[allow(dead_code)]
pub mod body {
    /// `hand`.
    pub const HAND: u16 = 0;
    /// `left_finger`.
    pub const LEFT_FINGER: u16 = 1;
    /// `right_finger`.
    pub const RIGHT_FINGER: u16 = 2;
    /// `ball`.
    pub const BALL: u16 = 3;
}

/// Joints: index, first degree of freedom, first configuration number.
#[allow(dead_code)]
pub mod joint {
    /// `lift`: slide (m).
    pub mod lift {
        /// Index in the description.
        pub const INDEX: u16 = 0;
        /// First degree of freedom.
        pub const DOF: usize = 0;
        /// First configuration number.
        pub const COORDINATE: usize = 0;
    }

    /// `left_finger`: slide (m).
    pub mod left_finger {
        /// Index in the description.
        pub const INDEX: u16 = 1;
        /// First degree of freedom.
        pub const DOF: usize = 1;
        /// First configuration number.
        pub const COORDINATE: usize = 1;
    }

    /// `right_finger`: slide (m).
    pub mod right_finger {
        /// Index in the description.
        pub const INDEX: u16 = 2;
        /// First degree of freedom.
        pub const DOF: usize = 2;
        /// First configuration number.
        pub const COORDINATE: usize = 2;
    }

    /// `ball`: free, world position (m) and quaternion; world linear and body angular velocity.
    pub mod ball {
        /// Index in the description.
        pub const INDEX: u16 = 3;
        /// First degree of freedom.
        pub const DOF: usize = 3;
        /// First configuration number.
        pub const COORDINATE: usize = 3;
    }
}

/// Indices of geoms.
#[allow(dead_code)]
pub mod geom {
    /// `ground`.
    pub const GROUND: u16 = 0;
    /// `left_finger`.
    pub const LEFT_FINGER: u16 = 1;
    /// `right_finger`.
    pub const RIGHT_FINGER: u16 = 2;
    /// `ball`.
    pub const BALL: u16 = 3;
}

/// Indices of equalities.
#[allow(dead_code)]
pub mod equality {
    /// `symmetric`.
    pub const SYMMETRIC: u16 = 0;
}
