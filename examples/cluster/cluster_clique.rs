//! Maximum clique on a cluster: a largest set of pairwise adjacent vertices of a graph.
//!
//! One process, with a bundled graph: `cargo run --release -p secateurs-cluster-examples --example
//! cluster_clique -- -- -w 2`. Two processes, in two shells: `cargo run --release -p
//! secateurs-cluster-examples --example cluster_clique -- FILE -- -n 2 -p 0` and the same with `-p
//! 1`.

mod options;
#[path = "../../crates/cli/src/support/mod.rs"]
mod support;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use secateurs::Search;
use secateurs::checkpoint::Fingerprint;
use secateurs_problems::clique::{Cliques, ColouringBound};
use secateurs_problems::dimacs;
use support::Failure;

/// Find a maximum clique of a graph, a largest set of pairwise adjacent vertices, on a cluster:
/// prints its size ω, its vertices, and a report of the search.
///
/// A graph is a DIMACS file (.clq): `c` begins a comment, one line `p edge VERTICES EDGES` comes
/// first, and `e U V` is an edge between two vertices, which are numbered from 1. The options after
/// `--` describe the cluster. All processes get the same arguments, except for `-p`; the first one
/// prints.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The graph, `-` for standard input; a bundled one by default.
    file: Option<PathBuf>,
    #[command(flatten)]
    slices: options::Slices,
    #[command(flatten)]
    options: options::Options,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    support::run(|| solve(&arguments))
}

fn solve(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { file, slices, options } = arguments;
    let file = file.as_deref();
    let graph = support::graphs::read(file, include_str!("../../crates/cli/data/clique.clq"))?;
    let cliques = Cliques::new(&graph).map_err(|error| support::with_input_name(file, error))?;
    let cluster = options.cluster()?;
    let size = Cliques::size();
    let bound = ColouringBound::new(size.incumbent());
    let search = Search::new(&cliques).hooks((bound,)).extract(Cliques::clique);
    let problem = Fingerprint::new("clique", &dimacs::write(&graph).to_string());
    let search = slices.search_on(options, &cluster, search, problem)?;
    let (optimum, report) = options::answer(|| search.best(&size))?.into_parts();
    if !cluster.is_first() {
        return support::check_complete(report.stop());
    }
    let (answer, clique) = support::clique::texts(optimum);
    support::print(format_args!("{answer}\n"))?;
    if options.answer_only {
        return support::check_complete(report.stop());
    }
    let (vertices, edges) = (graph.vertices(), graph.edge_count());
    let workers = cluster.workers();
    support::print(format_args!(
        "\n{vertices} vertices, {edges} edges; a clique: {clique}; {workers} workers\n\n{report}"
    ))?;
    support::check_complete(report.stop())
}
