//! Counting on a cluster: the catalogue of contour problems, counted by several processes together.

mod options;
#[path = "../../crates/cli/src/support/mod.rs"]
mod support;

use std::cell::Cell;
use std::fmt::Display;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use secateurs::checkpoint::Fingerprint;
use secateurs::cluster::Traffic;
use secateurs::plug::{ContourProblem, Sweep};
use secateurs::{Limits, Report};
use support::catalogue::{Board, Draw, Problem, Size, Use};
use support::sweeps::State;
use support::{Failure, extrapolation};

/// Count paths, loops, tilings, trees and other structures on a board, exactly, with several
/// threads and processes.
///
/// All processes get the same arguments, except for their number. The options after `--` (with
/// `cargo run`, the second one) are those of the cluster: `-w` threads of each process, `-n`
/// processes, `-p` the number of this one, `-h` a file with the addresses of all.
///
/// Examples:
///   cluster_count hamiltonian-cycles 14 14
///   cluster_count hamiltonian-cycles 14 14 -- -w 2
///   cluster_count hamiltonian-cycles 14 14 --journal cycles.journal -- -n 2 -p 0
///   cluster_count hamiltonian-cycles 14 14 --journal cycles.journal -- -n 2 -p 1
#[derive(Parser)]
#[command(version, verbatim_doc_comment)]
struct Arguments {
    /// The structures to count.
    #[arg(value_enum)]
    problem: Problem,
    #[command(flatten)]
    board: Board,
    #[command(flatten)]
    options: options::Options,
    /// Stop when a layer has more states than this.
    #[arg(long, value_name = "N", value_parser = support::whole::<u64>)]
    states: Option<u64>,
    /// Interval between saved layers.
    #[arg(
        long,
        value_name = "TIME",
        default_value = "60",
        value_parser = support::limits::time,
        requires = "journal"
    )]
    every: Duration,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    support::run(|| arguments.problem.with(&arguments.board, &arguments))
}

/// A sweep of a smaller board by this process alone.
struct Trial {
    limits: Limits,
    report: Cell<Option<Report>>,
}

impl Use for Trial {
    fn contour_problem<P: ContourProblem<State: State, Label: Size>, D: Display>(
        &self,
        problem: &P,
        _: Draw<P, D>,
    ) -> Result<(), Failure> {
        let outcome = Sweep::new(problem).limits(self.limits.clone()).count_natural();
        self.report.set(Some(outcome.report().clone()));
        Ok(())
    }
}

impl Arguments {
    /// Adds an estimate of the memory that a sweep needs to its error, if it stopped at a memory
    /// limit and there are smaller boards.
    fn with_memory_estimate(&self, failure: Failure) -> Failure {
        if !self.board.is_plain() {
            return failure;
        }
        extrapolation::with_memory_estimate(failure, self.board.width(), |width, time| {
            let limits = self.options.limits().time(time);
            let trial = Trial { limits, report: Cell::new(None) };
            self.problem.with(&self.board.with_width(width), &trial)?;
            Ok(trial.report.take())
        })
    }
}

impl Use for Arguments {
    fn contour_problem<P: ContourProblem<State: State, Label: Size>, D: Display>(
        &self,
        problem: &P,
        _: Draw<P, D>,
    ) -> Result<(), Failure> {
        let cluster = self.options.cluster()?;
        let limits = self.options.limits();
        let limits = self.states.map_or(limits.clone(), |states| limits.states(states));
        let traffic = Traffic::new();
        let sweep = Sweep::new(problem).limits(limits).on(&cluster).traffic(&traffic);
        let (name, data) = self.problem.what(&self.board)?;
        let problem = Fingerprint::new(name, &data);
        let sweep = match &self.options.journal {
            Some(directory) => sweep.journal(directory, self.every, problem),
            None => sweep.problem(problem),
        };
        let outcome = options::answer(|| sweep.count_natural())?;
        if !cluster.is_first() {
            return outcome.complete().map(drop).map_err(Failure::from);
        }
        let outcome = support::complete(outcome, self.options.answer_only)
            .map_err(|failure| self.with_memory_estimate(failure))?;
        let number = outcome.total().map_or_else(|| "0".to_owned(), ToString::to_string);
        if self.options.answer_only {
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
