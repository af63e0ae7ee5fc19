//! Stages of a tick beside the engine's, and the floor of dense arithmetic of the same size.

use std::error::Error;
use std::fmt::Write as _;

use crate::compare::Rivals;
use crate::gate::Gate;
use crate::ours::Task;
use crate::peers::{Call, Peers};
use crate::state::Stored;

/// Ours, theirs. Our M is factored where it is made; theirs in a stage of its own. Their rne needs the velocities of `comVel`, as
/// ours does. Their Newton needs no A; rows are made and ordered by islands.
const STAGES: [(&str, Task, Option<Call>); 9] = [
    ("kinematics", Task::Call(Call::Place), Some(Call::Place)),
    ("velocities", Task::Call(Call::Velocity), Some(Call::Velocity)),
    ("mass_matrix_factored", Task::Call(Call::MassAndFactor), Some(Call::MassAndFactor)),
    ("mass_matrix_theirs_not_factored", Task::Call(Call::MassAndFactor), Some(Call::Mass)),
    ("bias_force", Task::Call(Call::Bias), Some(Call::Bias)),
    ("passive_force", Task::Passive, None),
    ("collision", Task::Call(Call::Collision), Some(Call::Collision)),
    ("rows", Task::Call(Call::Rows), Some(Call::Rows)),
    ("solve", Task::Call(Call::Solve), Some(Call::Solve)),
];

pub fn compare(peers: &Peers, scenes: &[Stored], gate: &mut Gate) -> Result<String, Box<dyn Error>> {
    let mut table = String::from("scene,cone,stage,ours_f64_ns,ours_f32_ns,mujoco_ns,ratio\n");
    for stored in scenes {
        let mut rivals = Rivals::open(peers, stored)?;
        for (name, task, call) in STAGES {
            let Rivals { ours: [double, single], engine, .. } = rivals.forward(stored);
            if engine.answer().2 == 0 && matches!(call, Some(Call::Solve)) {
                continue;
            }
            double.task(task);
            single.task(task);
            let [f64_time, f32_time] = gate.medians([&mut **double, &mut **single]);
            let (theirs, ratio) = match call {
                Some(call) => {
                    engine.call = call;
                    let [mine, theirs] = gate.medians([&mut **double, engine]);
                    (format!("{theirs:.1}"), format!("{:.2}", theirs / mine))
                }
                None => (String::new(), String::new()),
            };
            let Stored { scene, cone, .. } = stored;
            writeln!(table, "{scene},{cone},{name},{f64_time:.1},{f32_time:.1},{theirs},{ratio}")?;
        }
    }
    Ok(table)
}

/// Bare dense factor + solve, and J M⁻¹ Jᵀ, at the size of each scene with its rows.
pub fn floor(scenes: &[Stored], gate: &mut Gate) -> Result<String, Box<dyn Error>> {
    let mut table = String::from("scene,cone,precision,dofs,rows,factor_and_solve_ns,delassus_ns,newton_cold_ns\n");
    for stored in scenes {
        for (precision, mut ours) in ["f64", "f32"].into_iter().zip(crate::sizes::open_both(stored)?) {
            ours.warm(&stored.cold);
            ours.task(Task::Call(Call::Forward));
            ours.run(1);
            let rows = ours.answer().2;
            if rows == 0 {
                continue;
            }
            let mut times = Vec::new();
            for task in [Task::FactorAndSolve, Task::Delassus, Task::Call(Call::Solve)] {
                ours.task(task);
                times.push(gate.medians([&mut *ours])[0]);
            }
            let (scene, cone, dofs) = (&stored.scene, &stored.cone, stored.velocity.len());
            let [factor, delassus, newton] = times[..] else { continue };
            writeln!(table, "{scene},{cone},{precision},{dofs},{rows},{factor:.1},{delassus:.1},{newton:.1}")?;
        }
    }
    Ok(table)
}
