// Generated from `every thing` by delassus-mjcf 0.1.0; change the model, not this.
//
// Units: m, kg, s, rad, N, N m. Quaternions are (w, x, y, z). A body that is `None` is the world.

/// Bodies.
#[allow(dead_code)]
pub const NB: usize = 6;
/// Configuration numbers.
#[allow(dead_code)]
pub const NQ: usize = 15;
/// Degrees of freedom.
#[allow(dead_code)]
pub const NV: usize = 13;
/// Actuators.
#[allow(dead_code)]
pub const NU: usize = 3;
/// Tendons: so much memory for their constants wants `Model::stated`.
#[allow(dead_code)]
pub const NT: usize = 2;
/// Room for contacts: the most that the model can have.
pub const NC: usize = 7;
/// Room for constraint rows: the most that the model can have.
pub const NR: usize = 35;

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

    const EMPTY: Description<'static, f32> = Description::<f32>::empty(0.003141592);
    const BODY: Body<f32> = Body::<f32>::new(0.0, [0.0; 3]);
    const JOINT: Joint<f32> = Joint::<f32>::hinge(0);
    const GEOM: Geom<f32> = Geom::<f32>::new(None, Shape::Plane);
    const TENDON: Tendon<f32> = Tendon::<f32>::new(TendonPath::Joints { first: 0, count: 0 });
    const ACTUATOR: Actuator<f32> = Actuator::<f32>::motor(Transmission::Joint(0));
    static BODIES: [Body<f32>; 6] = [
        // 1st body
        Body {
            parent: None,
            mass: 0.58091617,
            position: [0.0, 0.0, 0.7],
            center: [0.061728396, 0.11728395, -0.17283946],
            inertia: [0.0104154935, 0.0104154935, 0.00011484282],
            inertia_orientation: [0.94698155, 0.2843135, -0.14963868, 0.0],
            gravity_compensation: 0.25,
            ..BODY
        },
        // slider
        Body {
            parent: Some(0),
            mass: 0.3,
            position: [0.01, 0.0, -0.3],
            inertia: [0.0004224981, 0.0003524981, 0.00025],
            inertia_orientation: [0.98185617, 0.06407135, 0.09115755, 0.1534393],
            ..BODY
        },
        // ball
        Body {
            parent: None,
            mass: 1.5141224,
            position: [0.4, 0.0, 0.5],
            center: [0.01, 0.02, -0.2],
            inertia: [0.003073283, 0.003073283, 0.003073283],
            ..BODY
        },
        // free
        Body {
            parent: None,
            mass: 4.1887903,
            position: [0.0, 1.0, -1.9],
            inertia: [0.01675516, 0.01675516, 0.01675516],
            ..BODY
        },
        // pinned
        Body {
            parent: None,
            mass: 4.1887903,
            position: [1.0, 0.0, 0.0],
            center: [0.0, 0.0, -0.3],
            inertia: [0.01675516, 0.01675516, 0.01675516],
            ..BODY
        },
        // welded
        Body {
            parent: None,
            mass: 4.1887903,
            position: [1.2, 0.0, 0.0],
            center: [0.0, 0.0, -0.3],
            inertia: [0.01675516, 0.01675516, 0.01675516],
            ..BODY
        },
    ];
    static JOINTS: [Joint<f32>; 6] = [
        // type
        Joint {
            body: 0,
            kind: JointKind::Hinge,
            axis: [0.2853597, 0.951199, 0.117431976],
            spring_reference: 0.05,
            stiffness: [3.1415925, 0.0, 0.0],
            damping: [0.3, 0.0, 0.0],
            friction_loss: 0.02,
            friction_softness: SoftnessNumbers {
                solref: [-100.0, -3.0],
                solimp: [0.9, 0.95, 0.001, 0.5, 2.0],
            },
            range: Some([-0.1, 0.1]),
            margin: 0.11,
            limit_softness: SoftnessNumbers {
                solref: [0.02, 1.0],
                solimp: [0.8, 0.9, 0.01, 0.4, 3.0],
            },
            actuator_force_range: Some([-1.0, 2.0]),
            ..JOINT
        },
        // slide
        Joint {
            body: 1,
            kind: JointKind::Slide,
            position: [0.01, 0.02, 0.03],
            reference: 0.01,
            armature: 0.1,
            ..JOINT
        },
        // ball
        Joint {
            body: 2,
            kind: JointKind::Ball,
            range: Some([0.0, 0.4]),
            ..JOINT
        },
        // joint 3
        Joint {
            body: 3,
            kind: JointKind::Free,
            ..JOINT
        },
        // a
        Joint {
            body: 4,
            kind: JointKind::Hinge,
            axis: [0.0, 1.0, 0.0],
            ..JOINT
        },
        // b
        Joint {
            body: 5,
            kind: JointKind::Hinge,
            axis: [0.0, 1.0, 0.0],
            ..JOINT
        },
    ];
    static SITES: [Site<f32>; 3] = [
        // ceiling
        Site {
            body: None,
            position: [0.12345679, 0.2, 1.0],
            orientation: [0.9233805, 0.10259783, 0.20519567, 0.3077935],
        },
        // hook
        Site {
            body: Some(0),
            position: [0.0, 0.0, -0.3],
            orientation: [1.0, 0.0, 0.0, 0.0],
        },
        // tip
        Site {
            body: Some(5),
            position: [0.0, 0.0, -0.5],
            orientation: [1.0, 0.0, 0.0, 0.0],
        },
    ];
    static GEOMS: [Geom<f32>; 7] = [
        // floor
        Geom {
            body: None,
            shape: Shape::Plane,
            position: [0.0, 0.0, -2.0],
            margin: 0.001,
            gap: 0.0005,
            ..GEOM
        },
        // geom 1
        Geom {
            body: Some(0),
            shape: Shape::Capsule {
                // m
                radius: 0.02,
                half_length: 0.21780586,
            },
            position: [0.061728396, 0.11728395, -0.17283946],
            orientation: [0.94698155, 0.2843135, -0.14963868, 0.0],
            condim: 1,
            priority: 2,
            ..GEOM
        },
        // box
        Geom {
            body: Some(1),
            shape: Shape::Box {
                // m
                half_sizes: [0.03, 0.04, 0.05123457],
            },
            orientation: [0.98185617, 0.06407135, 0.09115755, 0.1534393],
            contype: 2,
            conaffinity: 4,
            ..GEOM
        },
        // ball
        Geom {
            body: Some(2),
            shape: Shape::Sphere {
                // m
                radius: 0.07123457,
            },
            position: [0.01, 0.02, -0.2],
            condim: 6,
            friction: [0.7, 0.01, 0.001],
            solmix: 2.0,
            ..GEOM
        },
        // geom 4
        Geom {
            body: Some(3),
            shape: Shape::Sphere {
                // m
                radius: 0.1,
            },
            condim: 4,
            softness: SoftnessNumbers {
                solref: [0.01, 0.9],
                solimp: [0.9, 0.95, 0.001, 0.5, 2.0],
            },
            ..GEOM
        },
        // pinned
        Geom {
            body: Some(4),
            shape: Shape::Sphere {
                // m
                radius: 0.1,
            },
            position: [0.0, 0.0, -0.3],
            contype: 0,
            conaffinity: 0,
            ..GEOM
        },
        // welded
        Geom {
            body: Some(5),
            shape: Shape::Sphere {
                // m
                radius: 0.1,
            },
            position: [0.0, 0.0, -0.3],
            contype: 0,
            conaffinity: 0,
            ..GEOM
        },
    ];
    static PAIRS: [Pair<f32>; 1] = [
        // pair 0
        Pair {
            geoms: [5, 6],
            condim: 3,
            friction: [0.5, 0.6, 0.01, 0.001, 0.002],
            margin: 0.01,
            gap: 0.0,
            softness: SoftnessNumbers::<f32>::DEFAULT,
            friction_solref: [0.02, 1.0],
        },
    ];
    static EXCLUDES: [[Option<u16>; 2]; 1] = [
        // these two do not collide
        [Some(2), Some(3)],
    ];
    static EQUALITIES: [Equality<f32>; 4] = [
        // follow
        Equality {
            kind: EqualityKind::Coupling {
                // the joint follows the leader's polynomial
                joint: 4,
                leader: Some(5),
                polynomial: [0.01, 0.5, 0.1, 0.01, 0.001],
            },
            active: true,
            softness: SoftnessNumbers {
                solref: [0.05, 1.0],
                solimp: [0.9, 0.95, 0.001, 0.5, 2.0],
            },
        },
        // pin
        Equality {
            kind: EqualityKind::ConnectSites {
                // first and second
                sites: [1, 0],
            },
            active: false,
            softness: SoftnessNumbers::<f32>::DEFAULT,
        },
        // glue
        Equality {
            kind: EqualityKind::Weld {
                // anchor in the second body's frame
                bodies: [Some(1), Some(5)],
                anchor: [0.0, 0.0, 0.0],
                relative_pose: None,
                torque_scale: 0.5,
            },
            active: false,
            softness: SoftnessNumbers::<f32>::DEFAULT,
        },
        // tie
        Equality {
            kind: EqualityKind::TendonCoupling {
                // the tendon follows the leader's polynomial
                tendon: 1,
                leader: None,
                polynomial: [0.0, 1.0, 0.0, 0.0, 0.0],
            },
            active: false,
            softness: SoftnessNumbers::<f32>::DEFAULT,
        },
    ];
    static TENDONS: [Tendon<f32>; 2] = [
        // rope
        Tendon {
            path: TendonPath::Sites {
                // a stretch of the list
                first: 0,
                count: 3,
            },
            stiffness: [2.0, 0.0, 0.0],
            damping: [0.1, 0.0, 0.0],
            spring_length: Some([0.5, 0.5]),
            friction_loss: 0.01,
            range: Some([0.0, 3.0]),
            ..TENDON
        },
        // sum
        Tendon {
            path: TendonPath::Joints {
                // a stretch of the list
                first: 0,
                count: 2,
            },
            armature: 0.01,
            range: Some([-2.0, 2.0]),
            ..TENDON
        },
    ];
    static TENDON_JOINTS: [TendonJoint<f32>; 2] = [
        // a
        TendonJoint {
            joint: 4,
            coefficient: 0.5,
        },
        // b
        TendonJoint {
            joint: 5,
            coefficient: -0.25,
        },
    ];
    static TENDON_SITES: [u16; 3] = [0, 1, 2];
    static ACTUATORS: [Actuator<f32>; 3] = [
        // motor
        Actuator {
            transmission: Transmission::Joint(4),
            gear: [2.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            control_range: Some([-1.0, 1.0]),
            ..ACTUATOR
        },
        // servo
        Actuator {
            transmission: Transmission::Joint(5),
            gain: [10.0, 0.0, 0.0],
            bias: [0.0, -10.0, -0.5],
            force_range: Some([-3.0, 3.0]),
            ..ACTUATOR
        },
        // rope
        Actuator {
            transmission: Transmission::Tendon(0),
            gain: [2.0, 0.0, 0.0],
            bias: [0.1, -0.2, -0.3],
            ..ACTUATOR
        },
    ];
    Description {
        bodies: &BODIES,
        joints: &JOINTS,
        sites: &SITES,
        geoms: &GEOMS,
        pairs: &PAIRS,
        excludes: &EXCLUDES,
        equalities: &EQUALITIES,
        tendons: &TENDONS,
        tendon_joints: &TENDON_JOINTS,
        tendon_sites: &TENDON_SITES,
        actuators: &ACTUATORS,
        options: Options {
            // gravity in m/s^2
            gravity: [0.1, -0.2, -9.765432],
            integrator: Integrator::ImplicitFast,
            cone: FrictionCone::Elliptic,
            impedance_ratio: 3.3333,
            flags: Flags {
                // what differs
                filter_parent: false,
                ..Flags::DEFAULT
            },
            ..EMPTY.options
        },
        ..EMPTY
    }
};

/// Indices of bodies.
#[allow(dead_code)]
pub mod body {
    /// `1st body`.
    pub const N_1ST_BODY: u16 = 0;
    /// `slider`.
    pub const SLIDER: u16 = 1;
    /// `ball`.
    pub const BALL: u16 = 2;
    /// `free`.
    pub const FREE: u16 = 3;
    /// `pinned`.
    pub const PINNED: u16 = 4;
    /// `welded`.
    pub const WELDED: u16 = 5;
}

/// Joints: index, first degree of freedom, first configuration number.
#[allow(dead_code)]
pub mod joint {
    /// `type`: hinge (rad).
    pub mod type_ {
        /// Index in the description.
        pub const INDEX: u16 = 0;
        /// First degree of freedom.
        pub const DOF: usize = 0;
        /// First configuration number.
        pub const COORDINATE: usize = 0;
    }

    /// `slide`: slide (m).
    pub mod slide {
        /// Index in the description.
        pub const INDEX: u16 = 1;
        /// First degree of freedom.
        pub const DOF: usize = 1;
        /// First configuration number.
        pub const COORDINATE: usize = 1;
    }

    /// `ball`: ball, quaternion; body angular velocity (rad/s).
    pub mod ball {
        /// Index in the description.
        pub const INDEX: u16 = 2;
        /// First degree of freedom.
        pub const DOF: usize = 2;
        /// First configuration number.
        pub const COORDINATE: usize = 2;
    }

    /// Without a name: free, world position (m) and quaternion; world linear and body angular velocity.
    pub mod joint_3 {
        /// Index in the description.
        pub const INDEX: u16 = 3;
        /// First degree of freedom.
        pub const DOF: usize = 5;
        /// First configuration number.
        pub const COORDINATE: usize = 6;
    }

    /// `a`: hinge (rad).
    pub mod a {
        /// Index in the description.
        pub const INDEX: u16 = 4;
        /// First degree of freedom.
        pub const DOF: usize = 11;
        /// First configuration number.
        pub const COORDINATE: usize = 13;
    }

    /// `b`: hinge (rad).
    pub mod b {
        /// Index in the description.
        pub const INDEX: u16 = 5;
        /// First degree of freedom.
        pub const DOF: usize = 12;
        /// First configuration number.
        pub const COORDINATE: usize = 14;
    }
}

/// Indices of geoms.
#[allow(dead_code)]
pub mod geom {
    /// `floor`.
    pub const FLOOR: u16 = 0;
    /// Without a name.
    pub const GEOM_1: u16 = 1;
    /// `box`.
    pub const BOX_: u16 = 2;
    /// `ball`.
    pub const BALL: u16 = 3;
    /// Without a name.
    pub const GEOM_4: u16 = 4;
    /// `pinned`.
    pub const PINNED: u16 = 5;
    /// `welded`.
    pub const WELDED: u16 = 6;
}

/// Indices of sites.
#[allow(dead_code)]
pub mod site {
    /// `ceiling`.
    pub const CEILING: u16 = 0;
    /// `hook`.
    pub const HOOK: u16 = 1;
    /// `tip`.
    pub const TIP: u16 = 2;
}

/// Indices of equalities.
#[allow(dead_code)]
pub mod equality {
    /// `follow`.
    pub const FOLLOW: u16 = 0;
    /// `pin`.
    pub const PIN: u16 = 1;
    /// `glue`.
    pub const GLUE: u16 = 2;
    /// `tie`.
    pub const TIE: u16 = 3;
}

/// Indices of tendons.
#[allow(dead_code)]
pub mod tendon {
    /// `rope`.
    pub const ROPE: u16 = 0;
    /// `sum`.
    pub const SUM: u16 = 1;
}

/// Indices of actuators: places in the control of a tick.
#[allow(dead_code)]
pub mod actuator {
    /// `motor`.
    pub const MOTOR: u16 = 0;
    /// `servo`.
    pub const SERVO: u16 = 1;
    /// `rope`.
    pub const ROPE: u16 = 2;
}

/// States that the model's file describes.
#[allow(dead_code)]
pub mod keyframe {
    /// `home`.
    #[allow(clippy::approx_constant)]
    pub mod home {
        /// Configuration, in the order of the joints.
        pub static CONFIGURATION: [f32; 15] = [
            0.0, 0.01, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, -1.9, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0,
        ];
        /// Velocity, in the order of the joints.
        pub static VELOCITY: [f32; 13] = [
            0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
        ];
        /// Control, in the order of the actuators.
        pub static CONTROL: [f32; 3] = [0.1, 0.2, 0.3];
    }

    /// Without a name.
    #[allow(clippy::approx_constant)]
    pub mod keyframe_1 {
        /// Configuration, in the order of the joints.
        pub static CONFIGURATION: [f32; 15] = [
            0.0, 0.01, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, -1.9, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0,
        ];
        /// Velocity, in the order of the joints.
        pub static VELOCITY: [f32; 13] = [
            0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
        ];
        /// Control, in the order of the actuators.
        pub static CONTROL: [f32; 3] = [0.0, 0.0, 0.0];
    }
}
