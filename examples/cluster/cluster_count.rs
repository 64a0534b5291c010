//! Counting on a cluster: the catalogue of contour problems, counted by several processes together.

#[path = "../support/mod.rs"]
mod support;

use std::fmt::Display;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use secateurs::Cancel;
use secateurs::Limits;
use secateurs::checkpoint::Fingerprint;
use secateurs::cluster::{Cluster, ClusterError, Traffic};
use secateurs::plug::{ContourProblem, Sweep};
use support::catalogue::{Board, Draw, Problem, Use};
use support::sweeps::State;
use support::{Failure, interrupt};

/// Count paths, loops, tilings, trees and other structures on a board, exactly, with several
/// threads and processes.
///
/// All processes get the same arguments, except for their number. The options after a second `--`
/// are those of the cluster: `-w` threads of each process, `-n` processes, `-p` the number of this
/// one, `-h` a file with the addresses of all.
///
/// Examples:
///   cluster_count hamiltonian-cycles 14 14
///   cluster_count hamiltonian-cycles 14 14 -- -w 2
///   cluster_count hamiltonian-cycles 14 14 --journal cycles.journal -- -n 2 -p 0
///   cluster_count hamiltonian-cycles 14 14 --journal cycles.journal -- -n 2 -p 1
#[derive(Parser)]
#[command(verbatim_doc_comment)]
struct Arguments {
    /// The structures to count.
    #[arg(value_enum)]
    problem: Problem,
    #[command(flatten)]
    board: Board,
    /// Save layers in this directory, which all processes share, and resume from its contents.
    #[arg(long, value_name = "DIR")]
    journal: Option<PathBuf>,
    /// Interval between saved layers.
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "60",
        value_parser = support::run::seconds,
        requires = "journal"
    )]
    every: Duration,
    /// Print only the number, in process 0.
    #[arg(long)]
    answer_only: bool,
    /// Options of the cluster.
    #[arg(last = true, value_name = "OPTIONS")]
    cluster: Vec<String>,
    /// Set by Ctrl-C.
    #[arg(skip)]
    cancel: Cancel,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    support::run(|| {
        interrupt::install(&arguments.cancel)?;
        arguments.problem.with(&arguments.board, &arguments)
    })
}

/// Treats a run that was cancelled before all processes were connected as interrupted.
fn interrupted(error: ClusterError) -> Failure {
    if let ClusterError::Cancelled { .. } = error {
        eprintln!("{error}");
        return interrupt::Interrupted.into();
    }
    error.into()
}

impl Use for Arguments {
    fn contour_problem<P: ContourProblem<State: State>, D: Display>(
        &self,
        problem: &P,
        _: Draw<P, D>,
    ) -> Result<(), Failure> {
        let cluster = interrupt::while_reading(|| Cluster::from_args(&self.cluster))?;
        let traffic = Traffic::new();
        let sweep = Sweep::new(problem)
            .limits(Limits::new().cancel(&self.cancel))
            .on(&cluster)
            .traffic(&traffic);
        let (name, data) = self.problem.what(&self.board)?;
        let problem = Fingerprint::new(name, &data);
        let sweep = match &self.journal {
            Some(directory) => sweep.journal(directory, self.every, problem),
            None => sweep.problem(problem),
        };
        let outcome = sweep.count_natural().map_err(interrupted)?.complete()?;
        if !cluster.is_first() {
            return Ok(());
        }
        let number = outcome.total().map_or_else(|| "0".to_owned(), ToString::to_string);
        if self.answer_only {
            return support::print(format_args!("{number}\n"));
        }
        if let Some(unsaved) = outcome.report().unsaved() {
            eprintln!("warning: {unsaved}");
        }
        let states = outcome.report().nodes();
        support::print(format_args!(
            "{number}\n\n{states} states in {} rounds by {} workers, in {:.2} seconds\n\
             sent by this process: {:.1} MB in {} messages, {} transitions; skew {:.3}\n",
            traffic.rounds(),
            cluster.workers(),
            outcome.report().elapsed().as_secs_f64(),
            traffic.bytes() as f64 / 1e6,
            traffic.messages(),
            traffic.transitions(),
            traffic.skew(cluster.workers()),
        ))
    }
}
