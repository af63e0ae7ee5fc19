//! `delassus`: a MuJoCo model through this crate's kernel, JSON on stdout.
//!
//! Exit status: 0 an answer, 2 a model, state or command line that was refused, 3 an error in a tick.

mod any_solver;
mod failure;
mod input;
mod output;
mod run;
mod size;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};

use failure::Failure;
use run::Task;

/// Runs a MuJoCo model (MJCF) through the delassus kernel; JSON on stdout.
#[derive(Parser)]
#[command(name = "delassus", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Accelerations, forces and constraint rows in one state.
    ///
    /// JSON: mass_matrix, bias_force, free_acceleration, acceleration, constraint_force, rows (kind, jacobian, position, margin,
    /// velocity, stiffness, damping, impedance, impedance_derivative, regularizer, reference_acceleration, force), report.
    Forward(Common),
    /// Steps in time.
    ///
    /// JSON: checkpoints (step, qpos, qvel).
    Simulate {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        length: Length,
    },
}

#[derive(Args)]
struct Common {
    /// Model file, MJCF.
    model: PathBuf,
    /// State file, JSON: qpos, qvel, qfrc_applied, ctrl, equality_active, each optional; wins over --key.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Keyframe of the model to start from.
    #[arg(long, value_name = "NAME")]
    key: Option<String>,
    /// Arithmetic of the kernel.
    #[arg(long, value_enum, default_value_t = Precision::F64)]
    precision: Precision,
}

#[derive(Args)]
#[group(required = true, multiple = false)]
struct Length {
    /// How many steps; the last one is printed.
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
    /// How long, in seconds of the model; the last step is printed.
    #[arg(long, value_name = "T")]
    seconds: Option<f64>,
    /// Which steps to print, in rising order.
    #[arg(long, value_name = "STEPS", value_delimiter = ',')]
    checkpoints: Option<Vec<u64>>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Precision {
    /// Single, as on the chip.
    F32,
    /// Double.
    F64,
}

impl Length {
    fn steps(&self, step: f64) -> Result<Vec<u64>, Failure> {
        if let Some(list) = &self.checkpoints {
            if list.is_empty() || list.windows(2).any(|w| w[0] >= w[1]) {
                return Err(Failure::refused("--checkpoints must be in rising order"));
            }
            return Ok(list.clone());
        }
        if let Some(seconds) = self.seconds {
            let steps = (seconds / step).round();
            if !(0.0..1e15).contains(&steps) {
                return Err(Failure::refused("--seconds must be a time that is not negative and not absurdly long"));
            }
            return Ok(vec![steps as u64]);
        }
        Ok(vec![self.steps.unwrap_or(0)])
    }
}

fn work(command: Command) -> Result<(), Failure> {
    let (common, length) = match command {
        Command::Forward(common) => (common, None),
        Command::Simulate { common, length } => (common, Some(length)),
    };
    let mechanism = delassus_mjcf::read_file(&common.model).map_err(Failure::refused)?;
    let start = input::Start::new(&mechanism, common.state.as_deref(), common.key.as_deref())?;
    let task = match length {
        None => Task::Forward,
        Some(length) => Task::Simulate(length.steps(mechanism.lists.options.step)?),
    };
    let answer = match common.precision {
        Precision::F64 => size::run(&mechanism.lists, &mechanism.solver, &start, &task),
        Precision::F32 => size::run(&mechanism.lists.to_single(), &mechanism.solver, &start, &task),
    };
    answer.map_err(|failure| failure.naming(&mechanism.labels))?.print()
}

fn main() -> ExitCode {
    let command = Cli::parse().command;
    // Workspaces are built on the stack before they move to the heap; the largest class needs some megabytes of it.
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(|| work(command));
    let result = match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(result)) => result,
        Ok(Err(_)) => Err(Failure::tick("the kernel panicked, which is a bug")),
        Err(error) => Err(Failure::tick(error)),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("delassus: {failure}");
            ExitCode::from(failure.status)
        }
    }
}
