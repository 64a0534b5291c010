//! Graph colouring: the chromatic number of a graph.
//!
//! `secateurs coloring` and `secateurs coloring --help`

use std::path::PathBuf;
use std::process::ExitCode;

use crate::support::{self, Failure};
use clap::Args;
use secateurs_problems::coloring::{Chromatic, Coloring};

/// Colour a graph with as few colours as possible, such that the ends of each edge differ: prints
/// the chromatic number, the colour of each vertex, and a report of the search.
///
/// A graph is a DIMACS file: `c` begins a comment, one line `p edge VERTICES EDGES` comes first,
/// and `e U V` is an edge between two vertices, which are numbered from 1.
#[derive(Args)]
pub struct Arguments {
    /// The graph file, `-` for standard input [default: a bundled graph].
    file: Option<PathBuf>,
    #[command(flatten)]
    limits: support::limits::Options,
    /// Print only the chromatic number.
    #[arg(long)]
    answer_only: bool,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> ExitCode {
    support::run(|| {
        let file = arguments.file.as_deref();
        let graph = support::graphs::read(file, include_str!("../data/coloring.col"))?;
        let coloring = Coloring::new(graph);
        let chromatic = coloring.chromatic_number(&arguments.limits.limits());
        support::print(format_args!("{chromatic}\n"))?;
        if !arguments.answer_only {
            explain(&coloring, &chromatic)?;
        }
        chromatic.stop().map_or(Ok(()), support::check_complete)
    })
}

fn explain(coloring: &Coloring, chromatic: &Chromatic) -> Result<(), Failure> {
    let graph = coloring.graph();
    let vertices = |list: &[usize]| {
        list.iter().map(|vertex| (vertex + 1).to_string()).collect::<Vec<_>>().join(" ")
    };
    support::print(format_args!(
        "\n{} vertices, {} edges; a clique of {}: {}\n\n",
        graph.vertices(),
        graph.edge_count(),
        chromatic.clique().len(),
        vertices(chromatic.clique())
    ))?;
    let mut classes = vec![Vec::new(); chromatic.at_most()];
    for (vertex, &colour) in chromatic.colours().iter().enumerate() {
        classes[colour].push(vertex);
    }
    let line = |(colour, class): (usize, &Vec<usize>)| {
        format!("colour {}: {}", colour + 1, vertices(class))
    };
    support::print_lines(classes.iter().enumerate().map(line), "\n")?;
    match chromatic.report() {
        Some(report) => support::print(format_args!("\n{report}\n")),
        None => support::print(
            "\nThe clique and the greedy colouring prove the number without a search.\n",
        ),
    }
}
