// Generated from `four_bar` by delassus-mjcf 0.1.0; change the model, not this.
//
// Units: m, kg, s, rad, N, N m. Quaternions are (w, x, y, z). A body that is `None` is the world.

/// Bodies.
#[allow(dead_code)]
pub const NB: usize = 3;
/// Configuration numbers.
#[allow(dead_code)]
pub const NQ: usize = 3;
/// Degrees of freedom.
#[allow(dead_code)]
pub const NV: usize = 3;
/// Actuators.
#[allow(dead_code)]
pub const NU: usize = 0;
/// Tendons: so much memory for their constants wants `Model::stated`.
#[allow(dead_code)]
pub const NT: usize = 0;
/// Room for contacts: the most that the model can have.
pub const NC: usize = 0;
/// Room for constraint rows: the most that the model can have.
pub const NR: usize = 6;

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
    static BODIES: [Body<f32>; 3] = [
        // crank
        Body {
            parent: None,
            mass: 0.2,
            center: [0.0, 0.0, 0.05],
            inertia: [0.0003, 0.0003, 2e-5],
            ..BODY
        },
        // coupler
        Body {
            parent: Some(0),
            mass: 0.5,
            position: [0.0, 0.0, 0.1],
            center: [0.15, 0.0, 0.075],
            inertia: [0.005, 0.005, 0.0001],
            ..BODY
        },
        // rocker
        Body {
            parent: None,
            mass: 0.4,
            position: [0.3, 0.0, 0.0],
            center: [0.0, 0.0, 0.125],
            inertia: [0.0025, 0.0025, 5e-5],
            ..BODY
        },
    ];
    static JOINTS: [Joint<f32>; 3] = [
        // crank
        Joint {
            body: 0,
            kind: JointKind::Hinge,
            axis: [0.0, 1.0, 0.0],
            friction_loss: 0.01,
            ..JOINT
        },
        // coupler
        Joint {
            body: 1,
            kind: JointKind::Hinge,
            axis: [0.0, 1.0, 0.0],
            friction_loss: 0.01,
            ..JOINT
        },
        // rocker
        Joint {
            body: 2,
            kind: JointKind::Hinge,
            axis: [0.0, 1.0, 0.0],
            friction_loss: 0.01,
            ..JOINT
        },
    ];
    static EQUALITIES: [Equality<f32>; 1] = [
        // loop
        Equality {
            kind: EqualityKind::Connect {
                // anchor in the first body's frame
                bodies: [Some(1), Some(2)],
                anchor: [0.3, 0.0, 0.15],
            },
            active: true,
            softness: SoftnessNumbers::<f32>::DEFAULT,
        },
    ];
    Description {
        bodies: &BODIES,
        joints: &JOINTS,
        equalities: &EQUALITIES,
        ..EMPTY
    }
};

/// Indices of bodies.
#[allow(dead_code)]
pub mod body {
    /// `crank`.
    pub const CRANK: u16 = 0;
    /// `coupler`.
    pub const COUPLER: u16 = 1;
    /// `rocker`.
    pub const ROCKER: u16 = 2;
}

/// Joints: index, first degree of freedom, first configuration number.
#[allow(dead_code)]
pub mod joint {
    /// `crank`: hinge (rad).
    pub mod crank {
        /// Index in the description.
        pub const INDEX: u16 = 0;
        /// First degree of freedom.
        pub const DOF: usize = 0;
        /// First configuration number.
        pub const COORDINATE: usize = 0;
    }

    /// `coupler`: hinge (rad).
    pub mod coupler {
        /// Index in the description.
        pub const INDEX: u16 = 1;
        /// First degree of freedom.
        pub const DOF: usize = 1;
        /// First configuration number.
        pub const COORDINATE: usize = 1;
    }

    /// `rocker`: hinge (rad).
    pub mod rocker {
        /// Index in the description.
        pub const INDEX: u16 = 2;
        /// First degree of freedom.
        pub const DOF: usize = 2;
        /// First configuration number.
        pub const COORDINATE: usize = 2;
    }
}

/// Indices of equalities.
#[allow(dead_code)]
pub mod equality {
    /// `loop`.
    pub const LOOP_: u16 = 0;
}
