//! The search simulation for several sizes of clusters, with a table of the results.

use std::fs;
use std::io;
use std::path::PathBuf;

use clap::Args;
use fastrand::Rng;
use secateurs_problems::clique::Cliques;
use secateurs_problems::graph::Graph;
use secateurs_problems::queens::Queens;

use crate::search::{Pieces, Policy, simulate};
use crate::support::{self, Failure};
use crate::table::{self, percent};
use crate::trace::Trace;
use crate::tree::{CliqueTree, QueensTree};
use crate::{Common, model};

#[derive(Args)]
pub struct Arguments {
    /// Search for the placements of this many queens.
    #[arg(long, value_name = "N", default_value_t = 14)]
    queens: usize,
    /// Search for a largest clique of a random graph with this many vertices instead, by branch and
    /// bound, with delayed incumbents.
    #[arg(long, value_name = "VERTICES")]
    clique: Option<usize>,
    /// Percentage of pairs of vertices of that graph that are joined.
    #[arg(long, value_name = "PERCENT", default_value_t = 75, requires = "clique")]
    density: u32,
    /// Nodes of the tree per slice: the fewer, the longer the same tree takes, and the more
    /// coarsely it divides.
    #[arg(long, value_name = "N", default_value_t = 100)]
    slice_nodes: u64,
    /// Duration of a slice, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 20.0)]
    slice_ms: f64,
    /// Time to take up and divide a task, in microseconds.
    #[arg(long, value_name = "US", default_value_t = 10.0)]
    task_us: f64,
    /// Processor time of a message, at both ends together, in microseconds.
    #[arg(long, value_name = "US", default_value_t = 50.0)]
    message_us: f64,
    /// Length of a message with a task, in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = 200.0)]
    task_bytes: f64,
    /// Take the nodes and times of slices from this file of measured slices, as written by
    /// `cluster_queens --trace`.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    #[command(flatten)]
    pieces: Pieces,
    #[command(flatten)]
    common: Common,
}

/// The tree to be searched.
enum SearchTree {
    Queens(QueensTree),
    Clique(Cliques),
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let common = &arguments.common;
    let trace =
        match &arguments.trace {
            None => None,
            Some(file) => {
                let text = fs::read_to_string(file)
                    .map_err(|error| support::with_input_name(Some(file), error))?;
                Some(Trace::parse(&text).map_err(|error| {
                    support::with_input_name(Some(file), io::Error::other(error))
                })?)
            }
        };
    let (nodes, slice) = match &trace {
        Some(trace) => (trace.slice_nodes, trace.slice_seconds),
        None => (arguments.slice_nodes.max(1), arguments.slice_ms * 1e-3),
    };
    let policy = Policy {
        slice,
        nodes,
        // The first slice has 1,024 nodes; a usual one of queens has three million.
        first: 1.0 / 3_000.0,
        task: arguments.task_us * 1e-6,
        message: arguments.message_us * 1e-6,
        bytes: arguments.task_bytes,
        pieces: arguments.pieces,
    };
    let search_tree = arguments.search_tree()?;
    let run_with = |workers| match &search_tree {
        SearchTree::Queens(tree) => {
            let mut tree = tree.clone();
            simulate(&mut tree, workers, policy, common.costs, trace.as_ref(), common.seed)
        }
        SearchTree::Clique(cliques) => {
            let mut tree = CliqueTree::new(cliques, workers);
            simulate(&mut tree, workers, policy, common.costs, trace.as_ref(), common.seed)
        }
    };
    let alone = run_with(1);
    let table = table::of_runs(
        common,
        "Efficiency of a search",
        &["tasks", "progress", "start", "starved", "end"],
        &["more nodes %", "slices", "messages", "broadcasts"],
        |workers| {
            let run = if workers == 1 { alone } else { run_with(workers) };
            let uses = run.worker_time;
            let more_nodes = percent(run.nodes as f64 - alone.nodes as f64, alone.nodes as f64);
            let counts = [run.slices, run.messages, run.broadcasts].map(|count| count.to_string());
            table::Run {
                duration: run.duration,
                expected: model::search(run.nodes, workers, policy, common.costs),
                accounted: uses.sum(),
                losses: vec![uses.tasks, uses.progress, uses.start, uses.starved, uses.end],
                others: [more_nodes].into_iter().chain(counts).collect(),
            }
        },
    )?;
    support::print(format_args!(
        "{} nodes, {nodes} in a slice of {:.2} ms\n\n{table}",
        alone.nodes,
        slice * 1e3
    ))
}

impl Arguments {
    fn search_tree(&self) -> Result<SearchTree, Failure> {
        let Some(vertices) = self.clique else {
            return Ok(SearchTree::Queens(QueensTree(Queens::new(self.queens)?.bits())));
        };
        // The graph is the same for all seeds of the simulation.
        let mut random = Rng::with_seed(1);
        let pairs = (0..vertices).flat_map(|to| (0..to).map(move |from| (from, to)));
        let joined = pairs.filter(|_| random.u32(..100) < self.density);
        Ok(SearchTree::Clique(Cliques::new(&Graph::from_edges(vertices, joined)?)?))
    }
}
