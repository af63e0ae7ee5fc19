//! The constraint problem alone: Newton and the sweeps from M, J, R, b; DAQP and Clarabel on its dual, from A and b.

use std::error::Error;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SupportedConeT};

use crate::gate::{Gate, Runs};
use crate::ours::Task;
use crate::peers::{Call, Dual, Peers};
use crate::sizes::open_both;
use crate::state::{Numbers, Start, Stored};

/// Of each pyramidal scene with rows, but those with dry friction, whose bounds the dual's file does not hold.
pub fn compare(peers: &Peers, folder: &Path, scenes: &[Stored], gate: &mut Gate) -> Result<String, Box<dyn Error>> {
    let mut table = String::from(
        "scene,rows,dofs,start,newton_ns,sweeps_ns,sweeps_with_a_ns,daqp_ns,clarabel_ns,newton_iterations,sweeps,newton_error,sweeps_error,sweeps_with_a_error,daqp_error,clarabel_error\n",
    );
    for stored in scenes.iter().filter(|stored| !stored.elliptic()) {
        let path = folder.join(format!("qp/{}.txt", stored.scene));
        if !path.exists() {
            continue;
        }
        let problem = Numbers::read(&path)?;
        let (hessian, linear, exact) = (problem.list("AR")?, problem.list("b")?, problem.list("f_ref")?);
        // The line `ne N nf M`: equality and friction rows, which come first.
        let free_rows: usize = problem.word("ne", 0)?.parse()?;
        if problem.word("ne", 2)? != "0" {
            eprintln!("dual of {}: left out, dry friction", stored.scene);
            continue;
        }
        let [mut ours, _] = open_both(stored)?;
        ours.warm(&stored.cold);
        ours.task(Task::Call(Call::Forward));
        ours.run(1);
        let mut daqp = Dual::open(peers, &hessian, &linear, free_rows);
        let mut interior = Interior::new(&hessian, &linear, free_rows);
        interior.run(1);
        let rows = linear.len();
        let error = |force: &[f64]| {
            let miss: f64 = force.iter().zip(&exact).map(|(f, e)| (f - e) * (f - e)).sum();
            let size: f64 = exact.iter().map(|e| e * e).sum();
            (miss / size).sqrt()
        };
        for start in Start::ALL {
            ours.warm(stored.start(start));
            daqp.warm = start == Start::Warm;
            let (mut times, mut errors, mut iterations) = (Vec::new(), Vec::new(), Vec::new());
            for task in [Task::Call(Call::Solve), Task::Sweeps, Task::SweepsWithDelassus] {
                ours.task(task);
                let [time, peer] = gate.medians([&mut *ours, &mut daqp]);
                let (force, count) = ours.solution();
                times.push((time, peer));
                errors.push(error(&force));
                iterations.push(count);
            }
            let daqp_time = times.iter().map(|(_, peer)| *peer).sum::<f64>() / 3.0;
            let clarabel = match start {
                Start::Cold => gate.medians([&mut interior]).map(|time| format!("{time:.1}"))[0].clone(),
                Start::Warm => String::new(), // an interior point method has no warm start
            };
            writeln!(
                table,
                "{},{rows},{},{},{:.1},{:.1},{:.1},{daqp_time:.1},{clarabel},{},{},{:.1e},{:.1e},{:.1e},{:.1e},{:.1e}",
                stored.scene,
                stored.velocity.len(),
                start.name(),
                times[0].0,
                times[1].0,
                times[2].0,
                iterations[0],
                iterations[1],
                errors[0],
                errors[1],
                errors[2],
                error(&daqp.force()),
                error(&interior.force),
            )?;
        }
        eprintln!("dual of {} done", stored.scene);
    }
    Ok(table)
}

/// Clarabel, setup included: min ½ fᵀ H f + bᵀ f, −f ≤ 0 but for the free rows.
struct Interior {
    hessian: CscMatrix<f64>,
    linear: Vec<f64>,
    constraints: CscMatrix<f64>,
    cones: Vec<SupportedConeT<f64>>,
    settings: DefaultSettings<f64>,
    force: Vec<f64>,
}

impl Interior {
    fn new(hessian: &[f64], linear: &[f64], free_rows: usize) -> Self {
        let n = linear.len();
        let (mut starts, mut rows, mut values) = (vec![0], Vec::new(), Vec::new());
        for column in 0..n {
            for row in 0..=column {
                rows.push(row);
                values.push(0.5 * (hessian[row * n + column] + hessian[column * n + row]));
            }
            starts.push(rows.len());
        }
        let bound = n - free_rows;
        let columns = (0..=n).map(|column| column.saturating_sub(free_rows)).collect();
        Self {
            hessian: CscMatrix::new(n, n, starts, rows, values),
            linear: linear.to_vec(),
            constraints: CscMatrix::new(bound, n, columns, (0..bound).collect(), vec![-1.0; bound]),
            cones: vec![SupportedConeT::NonnegativeConeT(bound)],
            settings: DefaultSettings { verbose: false, presolve_enable: false, ..Default::default() },
            force: Vec::new(),
        }
    }
}

impl Runs for Interior {
    fn run(&mut self, calls: usize) {
        for _ in 0..calls {
            let zeros = vec![0.0; self.constraints.m];
            let settings = self.settings.clone();
            let solver =
                DefaultSolver::new(&self.hessian, &self.linear, &self.constraints, &zeros, &self.cones, settings);
            let mut solver = solver.expect("a sound problem");
            solver.solve();
            self.force = black_box(std::mem::take(&mut solver.solution.x));
        }
    }
}
