//! Maximum clique: a largest set of pairwise adjacent vertices of a graph.
//!
//! `cargo run --release --example clique` and `cargo run --release --example clique -- --help`

#[path = "support/mod.rs"]
mod support;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use secateurs::problems::clique::Cliques;
use secateurs::problems::dimacs;
use secateurs::{Limits, Optimum};
use support::Failure;

/// Find a maximum clique of a graph, a largest set of pairwise adjacent vertices: prints its size
/// ω, its vertices, and a report of the search.
///
/// A graph is a DIMACS file (.clq): `c` begins a comment, one line `p edge VERTICES EDGES` comes
/// first, and `e U V` is an edge between two vertices, which are numbered from 1.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The graph file, `-` for standard input [default: a bundled graph].
    file: Option<PathBuf>,
    /// Stop after this time; the answer may then be a bound, as in `at least 9`.
    #[arg(long, value_name = "SECONDS", value_parser = support::whole::<u64>)]
    time: Option<u64>,
    /// Stop after this number of nodes; the answer may then be a bound, as in `at least 9`.
    #[arg(long, value_name = "N", value_parser = support::whole::<u64>)]
    nodes: Option<u64>,
    /// Print only ω.
    #[arg(long)]
    answer_only: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    support::run(|| solve(&arguments))
}

fn solve(arguments: &Arguments) -> Result<(), Failure> {
    let file = arguments.file.as_deref();
    let text = support::read(file, include_str!("data/clique.clq"))?;
    let graph = dimacs::parse(&text).map_err(|error| support::about(file, error))?;
    let cliques = Cliques::new(&graph).map_err(|error| support::about(file, error))?;
    let mut limits = Limits::new();
    if let Some(time) = arguments.time {
        limits = limits.time(Duration::from_secs(time));
    }
    if let Some(nodes) = arguments.nodes {
        limits = limits.nodes(nodes);
    }
    let (value, report) = cliques.maximum(limits).into_parts();
    let (answer, clique) = match value {
        Optimum::Proven { value, solution } => (value.to_string(), solution),
        Optimum::BestSoFar { value, solution } => (format!("at least {value}"), solution),
        // The search stopped before its first node; every graph has the empty clique.
        Optimum::NoneBetter { .. } | Optimum::Infeasible | Optimum::Unknown => {
            ("at least 0".to_owned(), None)
        }
    };
    support::print(format_args!("{answer}\n"))?;
    if arguments.answer_only {
        return Ok(());
    }
    let names = |clique: Vec<usize>| {
        clique.iter().map(|vertex| (vertex + 1).to_string()).collect::<Vec<_>>().join(" ")
    };
    let clique = clique
        .map(names)
        .filter(|names| !names.is_empty())
        .unwrap_or_else(|| "the empty clique".to_owned());
    let (vertices, edges) = (graph.vertices(), graph.edge_count());
    support::print(format_args!(
        "\n{vertices} vertices, {edges} edges; a clique: {clique}\n\n{report}"
    ))
}
