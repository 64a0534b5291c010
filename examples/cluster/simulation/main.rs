//! Simulations of a search and of a sweep on clusters of any number of workers.
//!
//! Run them with
//! `cargo run --release -p secateurs-cluster-examples --example cluster_simulation -- search` and
//! `… -- sweep`. The simulations, the origin of the costs, and the results are described in
//! `docs/cluster-planning.md`.
//!
//! Modules, in reading order: `costs`; for a search `searches` (options and table), `search` (the
//! simulation), `tree`, `rounds` and `trace`; for a sweep `sweeps` and `sweep`; `model` (closed
//! forms); `table` and `chart` (output).

mod chart;
mod costs;
mod model;
mod rounds;
mod search;
mod searches;
#[path = "../../../crates/cli/src/support/mod.rs"]
mod support;
mod sweep;
mod sweeps;
mod table;
mod trace;
mod tree;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use costs::Costs;
use support::Failure;

/// Simulate a search or a sweep on a cluster: its duration for each number of workers, and where
/// the time is lost.
///
/// Efficiency is the time of one worker divided by the total time of all workers. Next to each
/// simulated time is that of a closed form.
///
/// Examples:
///   cluster_simulation search --queens 14 --workers 2,16,256
///   cluster_simulation search --clique 250 --slice-nodes 50
///   cluster_simulation sweep --board 16 --as-board 24 --chart sweep.svg
#[derive(Parser)]
#[command(version, verbatim_doc_comment)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Simulate the loop of a search: slices, messages, rounds, incumbents.
    Search(searches::Arguments),
    /// Simulate the rounds of a sweep: parts of layers, messages, waiting.
    Sweep(sweeps::Arguments),
}

/// The options of both simulations.
#[derive(Args)]
struct Common {
    /// Numbers of workers to simulate.
    #[arg(
        long,
        value_name = "W,…",
        value_delimiter = ',',
        default_value = "1,2,16,256,4096",
        value_parser = positive
    )]
    workers: Vec<usize>,
    /// Seed of all random choices.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Draw a chart of efficiency by the number of workers into this SVG file.
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,
    #[command(flatten)]
    costs: Costs,
}

fn positive(text: &str) -> Result<usize, String> {
    match support::whole(text) {
        Ok(0) => Err("expected at least 1".to_owned()),
        whole => whole,
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    support::run(|| match &arguments.command {
        Command::Search(arguments) => searches::run(arguments),
        Command::Sweep(arguments) => sweeps::run(arguments),
    })
}

/// Checks that the times of all uses add up to the time of all workers.
fn check_time(accounted: f64, duration: f64, workers: usize) -> Result<(), Failure> {
    let worker_seconds = duration * workers as f64;
    if (accounted - worker_seconds).abs() > 1e-6 * worker_seconds {
        return Err(format!(
            "{workers} workers: {accounted} of {worker_seconds} seconds are accounted for"
        )
        .into());
    }
    Ok(())
}
