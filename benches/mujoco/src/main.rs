//! delassus beside its peers, on the same problems, in one run. `run.sh` builds what it needs and calls it.

mod compare;
mod counts;
mod floor;
mod gate;
mod growth;
mod ours;
mod peers;
mod qp;
mod sizes;
mod stages;
mod state;
mod summary;

use std::error::Error;
use std::path::PathBuf;

use clap::{Parser, Subcommand};
use gate::Gate;
use peers::Peers;
use state::Stored;

#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Times everything beside the peers and writes results.csv, qp.csv, stages.csv, floor.csv.
    Compare {
        #[command(flatten)]
        problems: Problems,
        /// What `counts` printed.
        #[arg(long)]
        counts: Option<PathBuf>,
        /// Where the tables go.
        #[arg(long)]
        output: PathBuf,
        /// Few, short batches: to see that it works.
        #[arg(long)]
        fast: bool,
    },
    /// To be run under callgrind: a few calls of each kind, a dump after each.
    Count {
        #[command(flatten)]
        problems: Problems,
        /// Calls in each stretch.
        #[arg(long, default_value_t = 8)]
        calls: usize,
    },
    /// Reads callgrind's dumps and prints instructions per call.
    Counts {
        /// The folder of the dumps.
        folder: PathBuf,
        /// Calls in each stretch.
        #[arg(long, default_value_t = 8)]
        calls: usize,
    },
    /// Times growth with chain length, depth, rows, iterations; needs no peers. Writes growth.csv and growth.svg.
    Growth {
        /// Where they go.
        #[arg(long)]
        output: PathBuf,
        /// Few, short batches.
        #[arg(long)]
        fast: bool,
    },
    /// Writes summary.md from the tables.
    Summary {
        /// Where the tables are.
        #[arg(long)]
        output: PathBuf,
    },
}

#[derive(clap::Args)]
struct Problems {
    /// The compiled peers.c.
    #[arg(long)]
    peers: PathBuf,
    /// The folder with models, states and qp.
    #[arg(long)]
    bench: PathBuf,
    /// Only states whose file name contains this.
    #[arg(long, default_value = "")]
    only: String,
}

impl Problems {
    fn load(&self) -> Result<(Peers, Vec<Stored>), Box<dyn Error>> {
        Ok((Peers::load(&self.peers)?, Stored::all(&self.bench, &self.only)?))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    match Arguments::parse().verb {
        Verb::Compare { problems, counts, output, fast } => {
            let (peers, scenes) = problems.load()?;
            let counts = counts.map_or(Ok(compare::Counts::new()), |path| counts::read(&path))?;
            let mut gate = Gate::new(fast);
            std::fs::write(output.join("results.csv"), compare::compare(&peers, &scenes, &counts, &mut gate)?)?;
            std::fs::write(output.join("qp.csv"), qp::compare(&peers, &problems.bench, &scenes, &mut gate)?)?;
            std::fs::write(output.join("stages.csv"), stages::compare(&peers, &scenes, &mut gate)?)?;
            std::fs::write(output.join("floor.csv"), stages::floor(&scenes, &mut gate)?)?;
            println!("{} of {} medians from a machine that was not quiet", gate.noisy, gate.medians);
        }
        Verb::Count { problems, calls } => {
            let (peers, scenes) = problems.load()?;
            compare::count(&peers, &scenes, calls)?;
        }
        Verb::Counts { folder, calls } => print!("{}", counts::collect(&folder, calls)?),
        Verb::Summary { output } => summary::write(&output)?,
        Verb::Growth { output, fast } => growth::measure(&output, &mut Gate::new(fast))?,
    }
    Ok(())
}
