//! The constraint problem alone: Newton, the active set and the sweeps from M, J, R, b; the active set, DAQP and Clarabel on its dual, from A
//! and b.

use std::error::Error;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SupportedConeT};

use delassus::rows::Rule;
use delassus::solver::{Budget, Delassus, DualActiveSetWorkspace, DualRow, dual_active_set};

use crate::gate::{Gate, Runs};
use crate::ours::Task;
use crate::peers::{Call, Dual, Peers};
use crate::sizes::open_both;
use crate::state::{Numbers, Start, Stored};

/// Of each pyramidal scene with rows, but those with dry friction, whose bounds the dual's file does not hold.
pub fn compare(peers: &Peers, folder: &Path, scenes: &[Stored], gate: &mut Gate) -> Result<String, Box<dyn Error>> {
    let mut table = String::from(
        "scene,rows,dofs,start,newton_ns,active_set_ns,sweeps_ns,sweeps_with_a_ns,dual_active_set_ns,daqp_ns,clarabel_ns,newton_iterations,active_set_iterations,sweeps,newton_error,active_set_error,sweeps_error,sweeps_with_a_error,dual_active_set_error,daqp_error,clarabel_error\n",
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
        let mut pivoting = open_dual(&hessian, &linear, &problem.list("R")?, free_rows)?;
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
            for task in [Task::Call(Call::Solve), Task::ActiveSet, Task::Sweeps, Task::SweepsWithDelassus] {
                ours.task(task);
                let [time, peer] = gate.medians([&mut *ours, &mut daqp]);
                let (force, count) = ours.solution();
                times.push((time, peer));
                errors.push(error(&force));
                iterations.push(count);
            }
            let daqp_time = times.iter().map(|(_, peer)| *peer).sum::<f64>() / 4.0;
            pivoting.warm(start == Start::Warm);
            let pivoting_time = gate.medians([&mut *pivoting])[0];
            let clarabel = match start {
                Start::Cold => gate.medians([&mut interior]).map(|time| format!("{time:.1}"))[0].clone(),
                Start::Warm => String::new(), // an interior point method has no warm start
            };
            let mut line = format!("{},{rows},{},{}", stored.scene, stored.velocity.len(), start.name());
            for (time, _) in &times {
                write!(line, ",{time:.1}")?;
            }
            write!(line, ",{pivoting_time:.1},{daqp_time:.1},{clarabel}")?;
            for count in &iterations[..3] {
                write!(line, ",{count}")?;
            }
            for error in &errors {
                write!(line, ",{error:.1e}")?;
            }
            let peers = [error(&pivoting.force()), error(&daqp.force()), error(&interior.force)];
            writeln!(table, "{line},{:.1e},{:.1e},{:.1e}", peers[0], peers[1], peers[2])?;
        }
        eprintln!("dual of {} done", stored.scene);
    }
    Ok(table)
}

/// The active set of the kernel on the dual, behind a face that knows no sizes.
trait Pivots: Runs {
    /// From the right rows, as DAQP is started warm, or from none.
    fn warm(&mut self, warm: bool);
    fn force(&self) -> Vec<f64>;
}

struct Dualized<const NR: usize> {
    delassus: Delassus<f64, NR>,
    rows: Vec<DualRow<f64>>,
    work: DualActiveSetWorkspace<f64, NR>,
    warm: Option<Vec<f64>>,
}

impl<const NR: usize> Runs for Dualized<NR> {
    fn run(&mut self, calls: usize) {
        // As the tick solves; the engine's scale is not known to the dual, so its measure here is stricter.
        let budget = Budget::new(100, 1e-8);
        for _ in 0..calls {
            let (rows, warm) = (black_box(&*self.rows), self.warm.as_deref());
            dual_active_set(&self.delassus, rows, warm, &budget, &mut self.work).expect("a sound problem");
        }
    }
}

impl<const NR: usize> Pivots for Dualized<NR> {
    fn warm(&mut self, warm: bool) {
        self.warm = None;
        self.run(1);
        self.warm = warm.then(|| self.work.force().to_vec());
    }

    fn force(&self) -> Vec<f64> {
        self.work.force().to_vec()
    }
}

/// The dual at its number of rows. `hessian` is A + R.
fn open_dual(
    hessian: &[f64],
    linear: &[f64],
    regularizer: &[f64],
    free_rows: usize,
) -> Result<Box<dyn Pivots>, Box<dyn Error>> {
    fn sized<const NR: usize>(hessian: &[f64], rows: Vec<DualRow<f64>>) -> Result<Box<dyn Pivots>, Box<dyn Error>> {
        let (lines, _) = hessian.as_chunks::<NR>();
        let mut columns = lines.to_vec();
        for (j, row) in rows.iter().enumerate() {
            columns[j][j] -= row.regularizer;
        }
        let mut delassus = Delassus::filled(0.0);
        delassus.set(&columns)?;
        Ok(Box::new(Dualized { delassus, rows, work: DualActiveSetWorkspace::filled(0.0), warm: None }))
    }
    let rule = |row| if row < free_rows { Rule::Free } else { Rule::NonNegative };
    let rows: Vec<DualRow<f64>> = linear
        .iter()
        .zip(regularizer)
        .enumerate()
        .map(|(row, (offset, regularizer))| DualRow { offset: *offset, regularizer: *regularizer, rule: rule(row) })
        .collect();
    match rows.len() {
        1 => sized::<1>(hessian, rows),
        2 => sized::<2>(hessian, rows),
        3 => sized::<3>(hessian, rows),
        4 => sized::<4>(hessian, rows),
        8 => sized::<8>(hessian, rows),
        16 => sized::<16>(hessian, rows),
        32 => sized::<32>(hessian, rows),
        other => Err(format!("no dual of {other} rows; add it to qp.rs").into()),
    }
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
