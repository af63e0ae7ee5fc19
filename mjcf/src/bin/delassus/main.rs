//! `delassus`: a MuJoCo model through this crate's kernel.
//!
//! Exit status: 0 an answer, 2 a model, state or command line that was refused, 3 an error in a tick.

#![allow(rustdoc::broken_intra_doc_links)] // help texts have units in brackets

mod any_solver;
mod channels;
mod compare;
mod compare_picture;
mod comparison;
mod conditioning;
mod csv;
mod failure;
mod generate;
mod input;
mod inspect;
mod layout;
mod mass_ratio;
mod memory;
mod motion_picture;
mod output;
mod picture;
mod progress;
mod record;
mod recorder;
mod run;
mod side_view;
mod simulate;
mod size;
mod verdict;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};
use delassus_mjcf::Mechanism;

use comparison::Comparison;
use failure::Failure;
use input::Start;
use inspect::Report;
use layout::Layout;
use run::Problem;
use simulate::Extras;
use size::{Run, Runner};

/// Runs a MuJoCo model (MJCF) through the delassus kernel.
#[derive(Parser)]
#[command(name = "delassus", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Whether a model can run here, what it costs, how well it is conditioned.
    ///
    /// JSON: model, name, supported, reason (null or why it is refused: the exit status is then 2); sizes (bodies, joints, coordinates,
    /// dofs, sites, geoms, equalities, tendons, actuators, keyframes, and the largest numbers of contacts and rows at once); memory in bytes at exact
    /// sizes, f32 and f64 (description, model, state, workspace with the model's solver and room for all contacts, each_contact: what
    /// the last of them costs); poses, the reference and the keyframes (pose, contacts, rows, condition of M, scaled_condition: of M with
    /// a unit diagonal, pivot_ratio: smallest pivot of M's factor over its diagonal entry, pivot_dof and pivot_joint, error);
    /// mass_ratio of two bodies that a joint, an equality or a contact can join (ratio, light, heavy, link); warnings; notes: what was
    /// skipped. Infinite numbers are null.
    Inspect {
        /// Model file, MJCF.
        model: PathBuf,
        /// JSON instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// The same run in f32 and in f64: where and when they part, and whether that is precision or chaos.
    ///
    /// The yardstick is the motion itself: f64 runs whose start is one f32 ulp aside. Joints part at 1 % of their motion (largest
    /// distance from the start, at least 0.1 rad or a tenth of the mechanism's size), forces at 5 % of their largest value, after a
    /// low pass of 0.05 s. The first line is the verdict.
    ///
    /// JSON: verdict ("as_good"; "chaotic": errors grow ever faster, any rounding would do the same; "sensitive": it hangs on the last digit,
    /// likewise; "precision": f32 is worse than the motion would make it; "fails": f32 ends in an error), line (the same in words), seconds, step, steps, parts (time and name of what parts first, or null), failure (time, error, or null), difference
    /// (the largest, over the scale), sensitivity (of the perturbed runs: start, growth until f32 parts or the end, late_growth in the
    /// last two quarters of that time, excess: f32's difference over what rounding of each step explains, parts), joints and forces (name, unit,
    /// scale, difference and its time, parts, perturbed_difference, perturbed_parts). SI units.
    Compare(Comparing),
    /// Accelerations, forces and constraint rows in one state; JSON on stdout.
    ///
    /// JSON: mass_matrix, bias_force, free_acceleration, acceleration, constraint_force, rows (kind, jacobian, position, margin,
    /// velocity, stiffness, damping, impedance, impedance_derivative, regularizer, reference_acceleration, force), report.
    Forward {
        #[command(flatten)]
        source: Source,
        /// Arithmetic of the kernel.
        #[arg(long, value_enum, default_value_t = Precision::F64)]
        precision: Precision,
    },
    /// Steps in time; JSON on stdout, a table and a picture into files.
    ///
    /// JSON: checkpoints (step, qpos, qvel).
    ///
    /// CSV: a header whose names end in the unit, then a line a state, the first and the last included. Columns: "time [s]"; "q NAME
    /// [UNIT]" for each configuration number (hinge rad, slide m, free joint x y z m and quaternion w i j k, ball joint w i j k);
    /// "v NAME [UNIT]" for each velocity (free joint: of its origin in world axes m/s, about body axes rad/s); "kinetic energy
    /// [J]", "gravity energy [J]", "spring energy [J]"; and for each two geoms that touched, in the order of their first contact,
    /// "normal A + B [N]" and "friction A + B [N]", sums over their contact points, 0 where they do not touch. Forces and
    /// energies belong to the state of their line.
    Simulate {
        #[command(flatten)]
        source: Source,
        /// Arithmetic of the kernel.
        #[arg(long, value_enum, default_value_t = Precision::F64)]
        precision: Precision,
        #[command(flatten)]
        length: Length,
        /// Table of the motion.
        #[arg(long, value_name = "FILE")]
        csv: Option<PathBuf>,
        /// Picture of the motion.
        #[arg(long, value_name = "FILE.svg")]
        plot: Option<PathBuf>,
        /// Table and picture have every Nth state; else the table has all, and a picture alone as many as it needs.
        #[arg(long, value_name = "N")]
        every: Option<u64>,
    },
    /// Rust source of the model: constant data for firmware, exact sizes, named indices.
    ///
    /// The same as delassus_mjcf::generate in a build script.
    Generate(Generate),
}

/// Where generated source goes, and its sizes.
#[derive(Args)]
struct Generate {
    /// Model file, MJCF.
    model: PathBuf,
    /// File to write; stdout if there is none.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Scalar of the constants.
    #[arg(long, value_enum, default_value_t = Precision::F32)]
    precision: Precision,
    /// Room for contacts, instead of the most that the model can have.
    #[arg(long, value_name = "N")]
    contacts: Option<usize>,
    /// Room for constraint rows, instead of the most that the model can have.
    #[arg(long, value_name = "N")]
    rows: Option<usize>,
}

#[derive(Args)]
struct Comparing {
    #[command(flatten)]
    source: Source,
    /// How long, in seconds of the model.
    #[arg(long, value_name = "T")]
    seconds: f64,
    /// Picture of the differences.
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// JSON instead of tables.
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct Source {
    /// Model file, MJCF.
    model: PathBuf,
    /// State file, JSON: qpos, qvel, qfrc_applied, ctrl, equality_active, each optional; wins over --key.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Keyframe of the model to start from.
    #[arg(long, value_name = "NAME")]
    key: Option<String>,
}

impl Source {
    fn read(&self) -> Result<(Mechanism, Start), Failure> {
        let mechanism = delassus_mjcf::read_file(&self.model).map_err(Failure::refused)?;
        let start = Start::new(&mechanism, self.state.as_deref(), self.key.as_deref())?;
        Ok((mechanism, start))
    }
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

fn work(command: Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Inspect { model, json } => {
            let report = Report::new(&model);
            output::print(&if json { output::json(&report)? } else { report.text() })?;
            return Ok(ExitCode::from(if report.supported { 0 } else { 2 }));
        }
        Command::Compare(asked) => comparing(&asked)?,
        Command::Generate(asked) => generate::run(&asked)?,
        Command::Forward { source, precision } => {
            let (mechanism, start) = source.read()?;
            on_kernel(&mechanism, &start, precision, |run| Ok(output::Answer::Forward(Box::new(run.forward()?))))?
                .print()?;
        }
        Command::Simulate { source, precision, length, csv, plot, every } => {
            let (mechanism, start) = source.read()?;
            let steps = length.steps(mechanism.lists.options.step)?;
            let extras = Extras { csv: csv.as_deref(), plot: plot.as_deref(), every };
            on_kernel(&mechanism, &start, precision, |run| simulate::simulate(run, &mechanism, &steps, &extras))?
                .print()?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn comparing(asked: &Comparing) -> Result<(), Failure> {
    let (mechanism, start) = asked.source.read()?;
    let length = Length { steps: None, seconds: Some(asked.seconds), checkpoints: None };
    let steps = length.steps(mechanism.lists.options.step)?.into_iter().sum();
    if let Some(path) = &asked.plot {
        simulate::write(path, "")?;
    }
    let layout = Layout::new(&mechanism);
    let found = compare::compare(&mechanism, &start, &layout, steps);
    let found = found.map_err(|failure| failure.naming(&mechanism.labels))?;
    let comparison = Comparison::new(&found);
    if let Some(path) = &asked.plot {
        simulate::write(path, &compare_picture::draw(&found, &comparison).map_err(Failure::tick)?)?;
    }
    output::print(&if asked.json { output::json(&comparison)? } else { comparison.text() })
}

/// Does something with a kernel of this precision.
fn on_kernel<R>(
    mechanism: &Mechanism,
    start: &Start,
    precision: Precision,
    task: impl FnOnce(&mut dyn Run) -> Result<R, Failure>,
) -> Result<R, Failure> {
    let options = &mechanism.solver;
    let answer = match precision {
        Precision::F64 => {
            let description = &mechanism.lists.description();
            Runner::new(Problem { description, options, start }).and_then(|mut run| task(&mut run))
        }
        Precision::F32 => {
            let lists = mechanism.lists.to_single();
            let description = &lists.description();
            Runner::new(Problem { description, options, start }).and_then(|mut run| task(&mut run))
        }
    };
    answer.map_err(|failure| failure.naming(&mechanism.labels))
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
        Ok(code) => code,
        Err(failure) => {
            eprintln!("delassus: {failure}");
            ExitCode::from(failure.status)
        }
    }
}
