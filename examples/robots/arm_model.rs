// Generated from `arm` by delassus-mjcf 0.1.0; change the model, not this.
//
// Units: m, kg, s, rad, N, N m. Quaternions are (w, x, y, z). A body that is `None` is the world.

/// Bodies.
#[allow(dead_code)]
pub const NB: usize = 7;
/// Configuration numbers.
#[allow(dead_code)]
pub const NQ: usize = 7;
/// Degrees of freedom.
#[allow(dead_code)]
pub const NV: usize = 7;
/// Actuators.
#[allow(dead_code)]
pub const NU: usize = 0;
/// Tendons: so much memory for their constants wants `Model::stated`.
#[allow(dead_code)]
pub const NT: usize = 0;
/// Room for contacts: the most that the model can have.
pub const NC: usize = 0;
/// Room for constraint rows: the most that the model can have.
pub const NR: usize = 7;

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
    static BODIES: [Body<f32>; 7] = [
        // link1
        Body {
            parent: None,
            mass: 5.0,
            position: [0.0, 0.0, 0.333],
            center: [0.004, 0.002, -0.05],
            inertia: [0.07, 0.07, 0.01],
            ..BODY
        },
        // link2
        Body {
            parent: Some(0),
            mass: 0.65,
            center: [0.0, -0.03, 0.003],
            inertia: [0.008, 0.028, 0.026],
            ..BODY
        },
        // link3
        Body {
            parent: Some(1),
            mass: 3.2,
            position: [0.0, 0.0, 0.316],
            center: [0.027, 0.039, -0.066],
            inertia: [0.037, 0.036, 0.011],
            ..BODY
        },
        // link4
        Body {
            parent: Some(2),
            mass: 3.6,
            position: [0.083, 0.0, 0.0],
            center: [-0.053, 0.104, 0.027],
            inertia: [0.026, 0.02, 0.028],
            ..BODY
        },
        // link5
        Body {
            parent: Some(3),
            mass: 1.2,
            position: [-0.083, 0.0, 0.384],
            center: [-0.012, 0.041, -0.038],
            inertia: [0.036, 0.029, 0.009],
            ..BODY
        },
        // link6
        Body {
            parent: Some(4),
            mass: 1.7,
            center: [0.06, -0.014, -0.01],
            inertia: [0.002, 0.0044, 0.0054],
            ..BODY
        },
        // link7
        Body {
            parent: Some(5),
            mass: 0.74,
            position: [0.088, 0.0, 0.0],
            center: [0.01, -0.004, 0.062],
            inertia: [0.0125, 0.01, 0.0048],
            ..BODY
        },
    ];
    static JOINTS: [Joint<f32>; 7] = [
        // shoulder_pan
        Joint {
            body: 0,
            kind: JointKind::Hinge,
            damping: [0.5, 0.0, 0.0],
            armature: 0.1,
            range: Some([-1.7, 1.7]),
            ..JOINT
        },
        // shoulder_lift
        Joint {
            body: 1,
            kind: JointKind::Hinge,
            axis: [0.0, 1.0, 0.0],
            damping: [0.5, 0.0, 0.0],
            armature: 0.1,
            range: Some([-1.7, 1.7]),
            ..JOINT
        },
        // upper_arm_roll
        Joint {
            body: 2,
            kind: JointKind::Hinge,
            damping: [0.5, 0.0, 0.0],
            armature: 0.1,
            range: Some([-1.7, 1.7]),
            ..JOINT
        },
        // elbow
        Joint {
            body: 3,
            kind: JointKind::Hinge,
            axis: [0.0, -1.0, 0.0],
            damping: [0.5, 0.0, 0.0],
            armature: 0.1,
            range: Some([-1.7, 1.7]),
            ..JOINT
        },
        // forearm_roll
        Joint {
            body: 4,
            kind: JointKind::Hinge,
            damping: [0.5, 0.0, 0.0],
            armature: 0.1,
            range: Some([-1.7, 1.7]),
            ..JOINT
        },
        // wrist_flex
        Joint {
            body: 5,
            kind: JointKind::Hinge,
            axis: [0.0, -1.0, 0.0],
            damping: [0.5, 0.0, 0.0],
            armature: 0.1,
            range: Some([-1.7, 1.7]),
            ..JOINT
        },
        // wrist_roll
        Joint {
            body: 6,
            kind: JointKind::Hinge,
            axis: [0.0, 0.0, -1.0],
            damping: [0.5, 0.0, 0.0],
            armature: 0.1,
            range: Some([-1.7, 1.7]),
            ..JOINT
        },
    ];
    Description {
        bodies: &BODIES,
        joints: &JOINTS,
        ..EMPTY
    }
};

/// Indices of bodies.
#[allow(dead_code)]
pub mod body {
    /// `link1`.
    pub const LINK1: u16 = 0;
    /// `link2`.
    pub const LINK2: u16 = 1;
    /// `link3`.
    pub const LINK3: u16 = 2;
    /// `link4`.
    pub const LINK4: u16 = 3;
    /// `link5`.
    pub const LINK5: u16 = 4;
    /// `link6`.
    pub const LINK6: u16 = 5;
    /// `link7`.
    pub const LINK7: u16 = 6;
}

/// Joints: index, first degree of freedom, first configuration number.
#[allow(dead_code)]
pub mod joint {
    /// `shoulder_pan`: hinge (rad).
    pub mod shoulder_pan {
        /// Index in the description.
        pub const INDEX: u16 = 0;
        /// First degree of freedom.
        pub const DOF: usize = 0;
        /// First configuration number.
        pub const COORDINATE: usize = 0;
    }

    /// `shoulder_lift`: hinge (rad).
    pub mod shoulder_lift {
        /// Index in the description.
        pub const INDEX: u16 = 1;
        /// First degree of freedom.
        pub const DOF: usize = 1;
        /// First configuration number.
        pub const COORDINATE: usize = 1;
    }

    /// `upper_arm_roll`: hinge (rad).
    pub mod upper_arm_roll {
        /// Index in the description.
        pub const INDEX: u16 = 2;
        /// First degree of freedom.
        pub const DOF: usize = 2;
        /// First configuration number.
        pub const COORDINATE: usize = 2;
    }

    /// `elbow`: hinge (rad).
    pub mod elbow {
        /// Index in the description.
        pub const INDEX: u16 = 3;
        /// First degree of freedom.
        pub const DOF: usize = 3;
        /// First configuration number.
        pub const COORDINATE: usize = 3;
    }

    /// `forearm_roll`: hinge (rad).
    pub mod forearm_roll {
        /// Index in the description.
        pub const INDEX: u16 = 4;
        /// First degree of freedom.
        pub const DOF: usize = 4;
        /// First configuration number.
        pub const COORDINATE: usize = 4;
    }

    /// `wrist_flex`: hinge (rad).
    pub mod wrist_flex {
        /// Index in the description.
        pub const INDEX: u16 = 5;
        /// First degree of freedom.
        pub const DOF: usize = 5;
        /// First configuration number.
        pub const COORDINATE: usize = 5;
    }

    /// `wrist_roll`: hinge (rad).
    pub mod wrist_roll {
        /// Index in the description.
        pub const INDEX: u16 = 6;
        /// First degree of freedom.
        pub const DOF: usize = 6;
        /// First configuration number.
        pub const COORDINATE: usize = 6;
    }
}
