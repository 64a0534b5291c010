//! What would a larger cluster do? Simulations of a search and of a sweep on any number of workers.
//!
//! `cargo run --release -p secateurs-cluster-examples --example cluster_simulation -- search` and
//! `… -- sweep`; the page `docs/cluster-planning.md` says what is simulated, where the figures are
//! from, and what they come to.

mod chart;
mod costs;
mod model;
mod rounds;
mod search;
mod searches;
#[path = "../../support/mod.rs"]
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

/// Simulate a search or a sweep on a cluster: how long it would take with so many workers, and
/// where the time would go.
///
/// Efficiency is the time of one worker over that of all workers, added up. Next to each simulated
/// time is that of a closed form.
///
/// Examples:
///   cluster_simulation search --queens 14 --workers 2,16,256
///   cluster_simulation search --clique 250 --slice-nodes 50
///   cluster_simulation sweep --board 16 --as-board 24 --chart sweep.svg
#[derive(Parser)]
#[command(verbatim_doc_comment)]
struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// The loop of a search: slices, messages, rounds, incumbents.
    Search(searches::Arguments),
    /// The rounds of a sweep: parts of layers, messages, and waiting.
    Sweep(sweeps::Arguments),
}

/// What both are asked.
#[derive(Args)]
struct Common {
    /// For which numbers of workers.
    #[arg(long, value_name = "W,…", value_delimiter = ',', default_value = "1,2,16,256,4096", value_parser = positive)]
    workers: Vec<usize>,
    /// The seed of all that is left to chance.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Draw efficiencies by workers, as an SVG, into this file.
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
    support::run(|| match &arguments.what {
        What::Search(arguments) => searches::run(arguments),
        What::Sweep(arguments) => sweeps::run(arguments),
    })
}

/// That all time went somewhere: otherwise the simulation is wrong, and so is what it says.
fn check_time(losses: f64, duration: f64, workers: usize) -> Result<(), Failure> {
    let whole = duration * workers as f64;
    if (losses - whole).abs() > 1e-6 * whole {
        return Err(
            format!("{workers} workers: {losses} of {whole} seconds are accounted for").into()
        );
    }
    Ok(())
}
