//! Random trees in f32 against f64, both from the same numbers.

use delassus::model::{Model, Smooth};
use delassus::solver::Budget;
use delassus::tick::{Input, Workspace};

use crate::build::Mechanism;
use crate::random::{self, Noise};
use crate::rig::{NB, NQ, NR, NV, Rig};

/// The largest errors of all trees; of the free acceleration over the amplification.
#[derive(Default)]
pub struct Worst {
    pub position: f64,
    pub mass: f64,
    pub bias: f64,
    pub free: f64,
    /// The largest amplification met, so that a test knows what it has seen.
    pub amplification: f64,
}

fn round(x: &mut f64) {
    *x = f64::from(*x as f32);
}

/// The same mechanism, every number one that f32 has.
pub fn rounded(mut mechanism: Mechanism<f64>) -> Mechanism<f64> {
    for body in &mut mechanism.bodies {
        let lists = [&mut body.position, &mut body.center, &mut body.inertia];
        lists.into_iter().flatten().chain(&mut body.orientation).chain(&mut body.inertia_orientation).for_each(round);
        round(&mut body.mass);
    }
    for joint in &mut mechanism.joints {
        joint.position.iter_mut().chain(&mut joint.axis).for_each(round);
        round(&mut joint.reference);
        round(&mut joint.armature);
    }
    mechanism.options.gravity.iter_mut().for_each(round);
    mechanism
}

fn farthest(list: &[f64]) -> f64 {
    list.iter().fold(0.0, |most, x| x.abs().max(most))
}

/// Of `count` trees.
pub fn worst(count: u64) -> Worst {
    let mut worst = Worst::default();
    let mut noise = Noise(7);
    for seed in 0..count {
        let mechanism = rounded(random::tree(1 + noise.below(NB), seed));
        let narrow = mechanism.narrow();
        let (description, single) = (mechanism.description(), narrow.description());
        let mut rig = Rig::new(&description);
        if rig.dofs() == 0 {
            continue;
        }
        let mut state = random::state(&rig, seed, 3.0);
        state.configuration.iter_mut().chain(state.velocity.iter_mut()).for_each(round);
        rig.forward(&state, &Input::none());
        let model = Model::<f32, NB, NQ, NV>::new(&single, &mut Smooth::filled(0.0)).unwrap();
        let mut work = Box::new(Workspace::<f32, NB, NV, 0, NR>::filled(0.0));
        let mut start = model.state();
        start.configuration = state.configuration.map(|x| x as f32);
        start.velocity = state.velocity.map(|x| x as f32);
        let report = model.forward(&start, &Input::none(), &Budget::new(10, 1e-6), &mut work).unwrap();

        let frames = rig.work.kinematics().frames().iter().zip(work.kinematics().frames());
        let (mut apart, mut far) = (0.0f64, 0.0f64);
        for (wide, narrow) in frames {
            apart = apart.max((wide.position - narrow.position.map(f64::from)).amax());
            far = far.max(wide.position.amax());
        }
        worst.position = worst.position.max(apart / far);
        let (m, n) = (rig.work.mass().columns(), work.mass().columns());
        let dofs = rig.dofs();
        for i in 0..dofs {
            for j in 0..dofs {
                worst.mass = worst.mass.max((m[i][j] - f64::from(n[i][j])).abs() / (m[i][i] * m[j][j]).sqrt());
            }
        }
        let relative = |wide: &[f64], narrow: &[f32]| {
            let apart: Vec<f64> = wide.iter().zip(narrow).map(|(a, b)| a - f64::from(*b)).collect();
            farthest(&apart) / farthest(wide).max(1e-3)
        };
        worst.bias = worst.bias.max(relative(rig.work.bias_force().as_slice(), work.bias_force().as_slice()));
        let free = relative(rig.work.free_acceleration().as_slice(), work.free_acceleration().as_slice());
        worst.free = worst.free.max(free / f64::from(report.amplification));
        worst.amplification = worst.amplification.max(f64::from(report.amplification));
    }
    worst
}
