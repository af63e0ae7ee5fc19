// Generated from `quadruped_stand` by delassus-mjcf 0.1.0; change the model, not this.
//
// Units: m, kg, s, rad, N, N m. Quaternions are (w, x, y, z). A body that is `None` is the world.

/// Bodies.
#[allow(dead_code)]
pub const NB: usize = 13;
/// Configuration numbers.
#[allow(dead_code)]
pub const NQ: usize = 19;
/// Degrees of freedom.
#[allow(dead_code)]
pub const NV: usize = 18;
/// Actuators.
#[allow(dead_code)]
pub const NU: usize = 12;
/// Tendons: so much memory for their constants wants `Model::stated`.
#[allow(dead_code)]
pub const NT: usize = 0;
/// Room for contacts: the most that the model can have.
pub const NC: usize = 4;
/// Room for constraint rows: the most that the model can have.
pub const NR: usize = 24;

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

    const EMPTY: Description<'static, f32> = Description::<f32>::empty(0.002);
    const BODY: Body<f32> = Body::<f32>::new(0.0, [0.0; 3]);
    const JOINT: Joint<f32> = Joint::<f32>::hinge(0);
    const GEOM: Geom<f32> = Geom::<f32>::new(None, Shape::Plane);
    const ACTUATOR: Actuator<f32> = Actuator::<f32>::motor(Transmission::Joint(0));
    static BODIES: [Body<f32>; 13] = [
        // trunk
        Body {
            parent: None,
            mass: 5.2,
            position: [0.0, 0.0, 0.34],
            center: [0.02, 0.0, 0.0],
            inertia: [0.017, 0.063, 0.072],
            ..BODY
        },
        // front_right_hip
        Body {
            parent: Some(0),
            mass: 0.68,
            position: [0.188, -0.047, 0.0],
            center: [-0.005, 0.0, 0.0],
            inertia: [0.00033, 0.00062, 0.00049],
            ..BODY
        },
        // front_right_thigh
        Body {
            parent: Some(1),
            mass: 1.01,
            position: [0.0, -0.08, 0.0],
            center: [-0.003, 0.02, -0.027],
            inertia: [0.0058, 0.0057, 0.001],
            ..BODY
        },
        // front_right_calf
        Body {
            parent: Some(2),
            mass: 0.226,
            position: [0.0, 0.0, -0.213],
            center: [0.006, 0.0, -0.13],
            inertia: [0.0035, 0.0035, 3.4e-5],
            ..BODY
        },
        // front_left_hip
        Body {
            parent: Some(0),
            mass: 0.68,
            position: [0.188, 0.047, 0.0],
            center: [-0.005, 0.0, 0.0],
            inertia: [0.00033, 0.00062, 0.00049],
            ..BODY
        },
        // front_left_thigh
        Body {
            parent: Some(4),
            mass: 1.01,
            position: [0.0, 0.08, 0.0],
            center: [-0.003, -0.02, -0.027],
            inertia: [0.0058, 0.0057, 0.001],
            ..BODY
        },
        // front_left_calf
        Body {
            parent: Some(5),
            mass: 0.226,
            position: [0.0, 0.0, -0.213],
            center: [0.006, 0.0, -0.13],
            inertia: [0.0035, 0.0035, 3.4e-5],
            ..BODY
        },
        // rear_right_hip
        Body {
            parent: Some(0),
            mass: 0.68,
            position: [-0.188, -0.047, 0.0],
            center: [0.005, 0.0, 0.0],
            inertia: [0.00033, 0.00062, 0.00049],
            ..BODY
        },
        // rear_right_thigh
        Body {
            parent: Some(7),
            mass: 1.01,
            position: [0.0, -0.08, 0.0],
            center: [-0.003, 0.02, -0.027],
            inertia: [0.0058, 0.0057, 0.001],
            ..BODY
        },
        // rear_right_calf
        Body {
            parent: Some(8),
            mass: 0.226,
            position: [0.0, 0.0, -0.213],
            center: [0.006, 0.0, -0.13],
            inertia: [0.0035, 0.0035, 3.4e-5],
            ..BODY
        },
        // rear_left_hip
        Body {
            parent: Some(0),
            mass: 0.68,
            position: [-0.188, 0.047, 0.0],
            center: [0.005, 0.0, 0.0],
            inertia: [0.00033, 0.00062, 0.00049],
            ..BODY
        },
        // rear_left_thigh
        Body {
            parent: Some(10),
            mass: 1.01,
            position: [0.0, 0.08, 0.0],
            center: [-0.003, -0.02, -0.027],
            inertia: [0.0058, 0.0057, 0.001],
            ..BODY
        },
        // rear_left_calf
        Body {
            parent: Some(11),
            mass: 0.226,
            position: [0.0, 0.0, -0.213],
            center: [0.006, 0.0, -0.13],
            inertia: [0.0035, 0.0035, 3.4e-5],
            ..BODY
        },
    ];
    static JOINTS: [Joint<f32>; 13] = [
        // trunk
        Joint {
            body: 0,
            kind: JointKind::Free,
            ..JOINT
        },
        // front_right_hip
        Joint {
            body: 1,
            kind: JointKind::Hinge,
            axis: [1.0, 0.0, 0.0],
            damping: [0.2, 0.0, 0.0],
            armature: 0.01,
            range: Some([-0.86, 0.86]),
            ..JOINT
        },
        // front_right_thigh
        Joint {
            body: 2,
            kind: JointKind::Hinge,
            axis: [0.0, 1.0, 0.0],
            damping: [0.2, 0.0, 0.0],
            armature: 0.01,
            range: Some([-0.69, 4.5]),
            ..JOINT
        },
        // front_right_calf
        Joint {
            body: 3,
            kind: JointKind::Hinge,
            axis: [0.0, 1.0, 0.0],
            damping: [0.2, 0.0, 0.0],
            armature: 0.01,
            range: Some([-2.82, -0.89]),
            ..JOINT
        },
        // front_left_hip
        Joint {
            body: 4,
            kind: JointKind::Hinge,
            axis: [1.0, 0.0, 0.0],
            damping: [0.2, 0.0, 0.0],
            armature: 0.01,
            range: Some([-0.86, 0.86]),
            ..JOINT
        },
        // front_left_thigh
        Joint {
            body: 5,
            kind: JointKind::Hinge,
            axis: [0.0, 1.0, 0.0],
            damping: [0.2, 0.0, 0.0],
            armature: 0.01,
            range: Some([-0.69, 4.5]),
            ..JOINT
        },
        // front_left_calf
        Joint {
            body: 6,
            kind: JointKind::Hinge,
            axis: [0.0, 1.0, 0.0],
            damping: [0.2, 0.0, 0.0],
            armature: 0.01,
            range: Some([-2.82, -0.89]),
            ..JOINT
        },
        // rear_right_hip
        Joint {
            body: 7,
            kind: JointKind::Hinge,
            axis: [1.0, 0.0, 0.0],
            damping: [0.2, 0.0, 0.0],
            armature: 0.01,
            range: Some([-0.86, 0.86]),
            ..JOINT
        },
        // rear_right_thigh
        Joint {
            body: 8,
            kind: JointKind::Hinge,
            axis: [0.0, 1.0, 0.0],
            damping: [0.2, 0.0, 0.0],
            armature: 0.01,
            range: Some([-0.69, 4.5]),
            ..JOINT
        },
        // rear_right_calf
        Joint {
            body: 9,
            kind: JointKind::Hinge,
            axis: [0.0, 1.0, 0.0],
            damping: [0.2, 0.0, 0.0],
            armature: 0.01,
            range: Some([-2.82, -0.89]),
            ..JOINT
        },
        // rear_left_hip
        Joint {
            body: 10,
            kind: JointKind::Hinge,
            axis: [1.0, 0.0, 0.0],
            damping: [0.2, 0.0, 0.0],
            armature: 0.01,
            range: Some([-0.86, 0.86]),
            ..JOINT
        },
        // rear_left_thigh
        Joint {
            body: 11,
            kind: JointKind::Hinge,
            axis: [0.0, 1.0, 0.0],
            damping: [0.2, 0.0, 0.0],
            armature: 0.01,
            range: Some([-0.69, 4.5]),
            ..JOINT
        },
        // rear_left_calf
        Joint {
            body: 12,
            kind: JointKind::Hinge,
            axis: [0.0, 1.0, 0.0],
            damping: [0.2, 0.0, 0.0],
            armature: 0.01,
            range: Some([-2.82, -0.89]),
            ..JOINT
        },
    ];
    static GEOMS: [Geom<f32>; 5] = [
        // ground
        Geom {
            body: None,
            shape: Shape::Plane,
            friction: [0.8, 0.02, 0.01],
            ..GEOM
        },
        // front_right_foot
        Geom {
            body: Some(3),
            shape: Shape::Sphere {
                // m
                radius: 0.023,
            },
            position: [0.0, 0.0, -0.213],
            contype: 0,
            friction: [0.8, 0.02, 0.01],
            ..GEOM
        },
        // front_left_foot
        Geom {
            body: Some(6),
            shape: Shape::Sphere {
                // m
                radius: 0.023,
            },
            position: [0.0, 0.0, -0.213],
            contype: 0,
            friction: [0.8, 0.02, 0.01],
            ..GEOM
        },
        // rear_right_foot
        Geom {
            body: Some(9),
            shape: Shape::Sphere {
                // m
                radius: 0.023,
            },
            position: [0.0, 0.0, -0.213],
            contype: 0,
            friction: [0.8, 0.02, 0.01],
            ..GEOM
        },
        // rear_left_foot
        Geom {
            body: Some(12),
            shape: Shape::Sphere {
                // m
                radius: 0.023,
            },
            position: [0.0, 0.0, -0.213],
            contype: 0,
            friction: [0.8, 0.02, 0.01],
            ..GEOM
        },
    ];
    static ACTUATORS: [Actuator<f32>; 12] = [
        // front_right_hip
        Actuator {
            transmission: Transmission::Joint(1),
            gain: [60.0, 0.0, 0.0],
            bias: [0.0, -60.0, -2.0],
            force_range: Some([-24.0, 24.0]),
            ..ACTUATOR
        },
        // front_right_thigh
        Actuator {
            transmission: Transmission::Joint(2),
            gain: [60.0, 0.0, 0.0],
            bias: [0.0, -60.0, -2.0],
            force_range: Some([-24.0, 24.0]),
            ..ACTUATOR
        },
        // front_right_calf
        Actuator {
            transmission: Transmission::Joint(3),
            gain: [60.0, 0.0, 0.0],
            bias: [0.0, -60.0, -2.0],
            force_range: Some([-24.0, 24.0]),
            ..ACTUATOR
        },
        // front_left_hip
        Actuator {
            transmission: Transmission::Joint(4),
            gain: [60.0, 0.0, 0.0],
            bias: [0.0, -60.0, -2.0],
            force_range: Some([-24.0, 24.0]),
            ..ACTUATOR
        },
        // front_left_thigh
        Actuator {
            transmission: Transmission::Joint(5),
            gain: [60.0, 0.0, 0.0],
            bias: [0.0, -60.0, -2.0],
            force_range: Some([-24.0, 24.0]),
            ..ACTUATOR
        },
        // front_left_calf
        Actuator {
            transmission: Transmission::Joint(6),
            gain: [60.0, 0.0, 0.0],
            bias: [0.0, -60.0, -2.0],
            force_range: Some([-24.0, 24.0]),
            ..ACTUATOR
        },
        // rear_right_hip
        Actuator {
            transmission: Transmission::Joint(7),
            gain: [60.0, 0.0, 0.0],
            bias: [0.0, -60.0, -2.0],
            force_range: Some([-24.0, 24.0]),
            ..ACTUATOR
        },
        // rear_right_thigh
        Actuator {
            transmission: Transmission::Joint(8),
            gain: [60.0, 0.0, 0.0],
            bias: [0.0, -60.0, -2.0],
            force_range: Some([-24.0, 24.0]),
            ..ACTUATOR
        },
        // rear_right_calf
        Actuator {
            transmission: Transmission::Joint(9),
            gain: [60.0, 0.0, 0.0],
            bias: [0.0, -60.0, -2.0],
            force_range: Some([-24.0, 24.0]),
            ..ACTUATOR
        },
        // rear_left_hip
        Actuator {
            transmission: Transmission::Joint(10),
            gain: [60.0, 0.0, 0.0],
            bias: [0.0, -60.0, -2.0],
            force_range: Some([-24.0, 24.0]),
            ..ACTUATOR
        },
        // rear_left_thigh
        Actuator {
            transmission: Transmission::Joint(11),
            gain: [60.0, 0.0, 0.0],
            bias: [0.0, -60.0, -2.0],
            force_range: Some([-24.0, 24.0]),
            ..ACTUATOR
        },
        // rear_left_calf
        Actuator {
            transmission: Transmission::Joint(12),
            gain: [60.0, 0.0, 0.0],
            bias: [0.0, -60.0, -2.0],
            force_range: Some([-24.0, 24.0]),
            ..ACTUATOR
        },
    ];
    Description {
        bodies: &BODIES,
        joints: &JOINTS,
        geoms: &GEOMS,
        actuators: &ACTUATORS,
        options: Options {
            // gravity in m/s^2
            cone: FrictionCone::Elliptic,
            ..EMPTY.options
        },
        ..EMPTY
    }
};

/// Indices of bodies.
#[allow(dead_code)]
pub mod body {
    /// `trunk`.
    pub const TRUNK: u16 = 0;
    /// `front_right_hip`.
    pub const FRONT_RIGHT_HIP: u16 = 1;
    /// `front_right_thigh`.
    pub const FRONT_RIGHT_THIGH: u16 = 2;
    /// `front_right_calf`.
    pub const FRONT_RIGHT_CALF: u16 = 3;
    /// `front_left_hip`.
    pub const FRONT_LEFT_HIP: u16 = 4;
    /// `front_left_thigh`.
    pub const FRONT_LEFT_THIGH: u16 = 5;
    /// `front_left_calf`.
    pub const FRONT_LEFT_CALF: u16 = 6;
    /// `rear_right_hip`.
    pub const REAR_RIGHT_HIP: u16 = 7;
    /// `rear_right_thigh`.
    pub const REAR_RIGHT_THIGH: u16 = 8;
    /// `rear_right_calf`.
    pub const REAR_RIGHT_CALF: u16 = 9;
    /// `rear_left_hip`.
    pub const REAR_LEFT_HIP: u16 = 10;
    /// `rear_left_thigh`.
    pub const REAR_LEFT_THIGH: u16 = 11;
    /// `rear_left_calf`.
    pub const REAR_LEFT_CALF: u16 = 12;
}

/// Joints: index, first degree of freedom, first configuration number.
#[allow(dead_code)]
pub mod joint {
    /// `trunk`: free, world position (m) and quaternion; world linear and body angular velocity.
    pub mod trunk {
        /// Index in the description.
        pub const INDEX: u16 = 0;
        /// First degree of freedom.
        pub const DOF: usize = 0;
        /// First configuration number.
        pub const COORDINATE: usize = 0;
    }

    /// `front_right_hip`: hinge (rad).
    pub mod front_right_hip {
        /// Index in the description.
        pub const INDEX: u16 = 1;
        /// First degree of freedom.
        pub const DOF: usize = 6;
        /// First configuration number.
        pub const COORDINATE: usize = 7;
    }

    /// `front_right_thigh`: hinge (rad).
    pub mod front_right_thigh {
        /// Index in the description.
        pub const INDEX: u16 = 2;
        /// First degree of freedom.
        pub const DOF: usize = 7;
        /// First configuration number.
        pub const COORDINATE: usize = 8;
    }

    /// `front_right_calf`: hinge (rad).
    pub mod front_right_calf {
        /// Index in the description.
        pub const INDEX: u16 = 3;
        /// First degree of freedom.
        pub const DOF: usize = 8;
        /// First configuration number.
        pub const COORDINATE: usize = 9;
    }

    /// `front_left_hip`: hinge (rad).
    pub mod front_left_hip {
        /// Index in the description.
        pub const INDEX: u16 = 4;
        /// First degree of freedom.
        pub const DOF: usize = 9;
        /// First configuration number.
        pub const COORDINATE: usize = 10;
    }

    /// `front_left_thigh`: hinge (rad).
    pub mod front_left_thigh {
        /// Index in the description.
        pub const INDEX: u16 = 5;
        /// First degree of freedom.
        pub const DOF: usize = 10;
        /// First configuration number.
        pub const COORDINATE: usize = 11;
    }

    /// `front_left_calf`: hinge (rad).
    pub mod front_left_calf {
        /// Index in the description.
        pub const INDEX: u16 = 6;
        /// First degree of freedom.
        pub const DOF: usize = 11;
        /// First configuration number.
        pub const COORDINATE: usize = 12;
    }

    /// `rear_right_hip`: hinge (rad).
    pub mod rear_right_hip {
        /// Index in the description.
        pub const INDEX: u16 = 7;
        /// First degree of freedom.
        pub const DOF: usize = 12;
        /// First configuration number.
        pub const COORDINATE: usize = 13;
    }

    /// `rear_right_thigh`: hinge (rad).
    pub mod rear_right_thigh {
        /// Index in the description.
        pub const INDEX: u16 = 8;
        /// First degree of freedom.
        pub const DOF: usize = 13;
        /// First configuration number.
        pub const COORDINATE: usize = 14;
    }

    /// `rear_right_calf`: hinge (rad).
    pub mod rear_right_calf {
        /// Index in the description.
        pub const INDEX: u16 = 9;
        /// First degree of freedom.
        pub const DOF: usize = 14;
        /// First configuration number.
        pub const COORDINATE: usize = 15;
    }

    /// `rear_left_hip`: hinge (rad).
    pub mod rear_left_hip {
        /// Index in the description.
        pub const INDEX: u16 = 10;
        /// First degree of freedom.
        pub const DOF: usize = 15;
        /// First configuration number.
        pub const COORDINATE: usize = 16;
    }

    /// `rear_left_thigh`: hinge (rad).
    pub mod rear_left_thigh {
        /// Index in the description.
        pub const INDEX: u16 = 11;
        /// First degree of freedom.
        pub const DOF: usize = 16;
        /// First configuration number.
        pub const COORDINATE: usize = 17;
    }

    /// `rear_left_calf`: hinge (rad).
    pub mod rear_left_calf {
        /// Index in the description.
        pub const INDEX: u16 = 12;
        /// First degree of freedom.
        pub const DOF: usize = 17;
        /// First configuration number.
        pub const COORDINATE: usize = 18;
    }
}

/// Indices of geoms.
#[allow(dead_code)]
pub mod geom {
    /// `ground`.
    pub const GROUND: u16 = 0;
    /// `front_right_foot`.
    pub const FRONT_RIGHT_FOOT: u16 = 1;
    /// `front_left_foot`.
    pub const FRONT_LEFT_FOOT: u16 = 2;
    /// `rear_right_foot`.
    pub const REAR_RIGHT_FOOT: u16 = 3;
    /// `rear_left_foot`.
    pub const REAR_LEFT_FOOT: u16 = 4;
}

/// Indices of actuators: places in the control of a tick.
#[allow(dead_code)]
pub mod actuator {
    /// `front_right_hip`.
    pub const FRONT_RIGHT_HIP: u16 = 0;
    /// `front_right_thigh`.
    pub const FRONT_RIGHT_THIGH: u16 = 1;
    /// `front_right_calf`.
    pub const FRONT_RIGHT_CALF: u16 = 2;
    /// `front_left_hip`.
    pub const FRONT_LEFT_HIP: u16 = 3;
    /// `front_left_thigh`.
    pub const FRONT_LEFT_THIGH: u16 = 4;
    /// `front_left_calf`.
    pub const FRONT_LEFT_CALF: u16 = 5;
    /// `rear_right_hip`.
    pub const REAR_RIGHT_HIP: u16 = 6;
    /// `rear_right_thigh`.
    pub const REAR_RIGHT_THIGH: u16 = 7;
    /// `rear_right_calf`.
    pub const REAR_RIGHT_CALF: u16 = 8;
    /// `rear_left_hip`.
    pub const REAR_LEFT_HIP: u16 = 9;
    /// `rear_left_thigh`.
    pub const REAR_LEFT_THIGH: u16 = 10;
    /// `rear_left_calf`.
    pub const REAR_LEFT_CALF: u16 = 11;
}

/// States that the model's file describes.
#[allow(dead_code)]
pub mod keyframe {
    /// `stand`.
    #[allow(clippy::approx_constant)]
    pub mod stand {
        /// Configuration, in the order of the joints.
        pub static CONFIGURATION: [f32; 19] = [
            0.0, 0.0, 0.288, 1.0, 0.0, 0.0, 0.0, 0.0, 0.9, -1.8, 0.0, 0.9, -1.8, 0.0, 0.9, -1.8,
            0.0, 0.9, -1.8,
        ];
        /// Velocity, in the order of the joints.
        pub static VELOCITY: [f32; 18] = [
            0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
            0.0,
        ];
        /// Control, in the order of the actuators.
        pub static CONTROL: [f32; 12] = [
            0.0, 0.9, -1.8, 0.0, 0.9, -1.8, 0.0, 0.9, -1.8, 0.0, 0.9, -1.8,
        ];
    }

    /// `crouch`.
    #[allow(clippy::approx_constant)]
    pub mod crouch {
        /// Configuration, in the order of the joints.
        pub static CONFIGURATION: [f32; 19] = [
            0.0, 0.0, 0.24, 1.0, 0.0, 0.0, 0.0, 0.0, 1.05, -2.1, 0.0, 1.05, -2.1, 0.0, 1.05, -2.1,
            0.0, 1.05, -2.1,
        ];
        /// Velocity, in the order of the joints.
        pub static VELOCITY: [f32; 18] = [
            0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
            0.0,
        ];
        /// Control, in the order of the actuators.
        pub static CONTROL: [f32; 12] = [
            0.0, 1.05, -2.1, 0.0, 1.05, -2.1, 0.0, 1.05, -2.1, 0.0, 1.05, -2.1,
        ];
    }
}
