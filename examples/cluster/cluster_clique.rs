//! Maximum clique on a cluster: the largest sets of vertices of a graph that are all joined to each
//! other.
//!
//! `cargo run --release -p secateurs-cluster-examples --example cluster_clique -- -- -w 2` on one
//! process, with a bundled graph; on two, in two shells: `cargo run --release -p
//! secateurs-cluster-examples --example cluster_clique -- FILE -- -n 2 -p 0` and the same with `-p
//! 1`.

mod options;
#[path = "../support/mod.rs"]
mod support;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use secateurs::checkpoint::Fingerprint;
use secateurs::problems::clique::{Cliques, ColouringBound};
use secateurs::problems::dimacs;
use secateurs::{Optimum, Search};
use support::Failure;

/// Find a largest clique of a graph, a set of vertices that are all joined to each other, on a
/// cluster: prints its size ω, its vertices, and what the search for it took.
///
/// A graph is a DIMACS file (.clq), as the example `clique` takes it. What comes behind `--` says
/// which processes there are. All processes get the same arguments, but for `-p`; the first one
/// prints.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The graph, `-` for standard input; a bundled one if there is none.
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
    let text = support::read(file, include_str!("../data/clique.clq"))?;
    let graph = dimacs::parse(&text).map_err(|error| support::about(file, error))?;
    let cliques = Cliques::new(&graph).map_err(|error| support::about(file, error))?;
    let cluster = options.cluster()?;
    let size = Cliques::size();
    let bound = ColouringBound::new(size.incumbent());
    let search = Search::new(&cliques).hooks((bound,)).extract(Cliques::clique);
    let problem = Fingerprint::new("clique", &text);
    let outcome = slices.on(options, &cluster, search, problem)?.best(&size)?;
    if !cluster.is_first() {
        return Ok(());
    }
    let (value, report) = outcome.into_parts();
    let Optimum::Proven { value, solution } = value else { return Err("not proven".into()) };
    support::print(format_args!("{value}\n"))?;
    if options.answer_only {
        return Ok(());
    }
    let clique = solution.unwrap_or_default();
    let names: Vec<String> = clique.iter().map(|vertex| (vertex + 1).to_string()).collect();
    let (vertices, edges) = (graph.vertices(), graph.edge_count());
    let (clique, workers) = (names.join(" "), cluster.workers());
    support::print(format_args!(
        "\n{vertices} vertices, {edges} edges; a clique: {clique}; {workers} workers\n\n{report}"
    ))
}
