//! n-queens on a cluster: counts the solutions in many threads, processes and hosts.
//!
//! One process: `cargo run --release -p secateurs-cluster-examples --example cluster_queens -- 14
//! -- -w 2`. Two processes, in two shells: `cargo run --release -p secateurs-cluster-examples
//! --example cluster_queens -- 14 -- -n 2 -p 0` and the same with `-p 1`.

mod options;
#[path = "../../crates/cli/src/support/mod.rs"]
mod support;

use std::process::ExitCode;

use clap::Parser;
use secateurs::Search;
use secateurs::checkpoint::Fingerprint;
use secateurs_problems::queens::Queens;
use support::{Failure, positive};

/// Count the ways to place N queens on an N×N board, no two on one row, column or diagonal, on a
/// cluster.
///
/// The options after `--` describe the cluster. All processes get the same arguments, except for
/// `-p`; the first one prints.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Rows, columns and queens, up to 64.
    #[arg(value_name = "N", default_value_t = 12, value_parser = positive)]
    size: usize,
    /// Search in one process and one thread without a cluster, as a baseline.
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    slices: options::Slices,
    #[command(flatten)]
    options: options::Options,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    support::run(|| count(&arguments))
}

fn count(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { size, plain, slices, options } = arguments;
    let queens = Queens::new(*size)?.bits();
    let cluster = options.cluster()?;
    let search = Search::new(&queens);
    let outcome = if *plain {
        search.limits(options.limits()).count()
    } else {
        let problem = Fingerprint::new("queens", size);
        let search = slices.search_on(options, &cluster, search, problem)?;
        options::answer(|| search.count())?
    };
    let stop = outcome.stop();
    if !cluster.is_first() {
        return support::check_complete(stop);
    }
    if options.answer_only {
        let bound = if outcome.exact().is_some() { "" } else { "at least " };
        support::print(format_args!("{bound}{}\n", outcome.at_least()))?;
        return support::check_complete(stop);
    }
    let (nodes, seconds) = (outcome.report().nodes(), outcome.report().elapsed().as_secs_f64());
    support::print(format_args!(
        "{size}-queens: {outcome}, {nodes} nodes, {seconds:.3} s, {} workers\n",
        cluster.workers()
    ))?;
    support::check_complete(stop)
}
