//! Maximum clique: a largest set of pairwise adjacent vertices of a graph.
//!
//! `secateurs clique` and `secateurs clique --help`

use std::path::PathBuf;
use std::process::ExitCode;

use crate::support::run::Questions;
use crate::support::{self, Failure};
use clap::{Args, ValueEnum};
use secateurs::Search;
use secateurs_problems::clique::{Cliques, ColouringBound, Refinement};
use secateurs_problems::dimacs;

/// Find a maximum clique of a graph, a largest set of pairwise adjacent vertices: prints its size
/// ω, its vertices, and a report of the search.
///
/// A graph is a DIMACS file (.clq): `c` begins a comment, one line `p edge VERTICES EDGES` comes
/// first, and `e U V` is an edge between two vertices, which are numbered from 1.
#[derive(Args)]
pub struct Arguments {
    /// The graph file, `-` for standard input [default: a bundled graph].
    file: Option<PathBuf>,
    /// The bound for the cliques below a node.
    #[arg(long, value_enum, default_value_t = Bound::InfraChromatic)]
    bound: Bound,
    #[command(flatten)]
    run: support::run::Options,
    /// Print only ω.
    #[arg(long)]
    answer_only: bool,
}

/// The bounds, from the cheapest to the tightest.
#[derive(Clone, Copy, ValueEnum)]
enum Bound {
    /// The number of colours of a greedy colouring.
    Colours,
    /// The same, with vertices moved to other colours.
    Recolouring,
    /// The same, with colours of which no clique takes all.
    InfraChromatic,
}

impl Bound {
    fn refinement(self) -> Option<Refinement> {
        match self {
            Bound::Colours => None,
            Bound::Recolouring => Some(Refinement::Recolouring),
            Bound::InfraChromatic => Some(Refinement::InfraChromatic),
        }
    }
}

/// Runs the command.
pub fn run(arguments: Arguments) -> ExitCode {
    support::run(|| solve(&arguments))
}

fn solve(arguments: &Arguments) -> Result<(), Failure> {
    let file = arguments.file.as_deref();
    let graph = support::graphs::read(file, include_str!("../data/clique.clq"))?;
    let cliques = Cliques::new(&graph).map_err(|error| support::with_input_name(file, error))?;
    let cliques = cliques.guided(1);
    let size = Cliques::size();
    let bound = ColouringBound::new(size.incumbent());
    let bound = match arguments.bound.refinement() {
        Some(refinement) => bound.refined(refinement),
        None => bound,
    };
    let search = Search::new(&cliques)
        .hooks((bound,))
        .limits(arguments.run.limits())
        .extract(Cliques::clique);
    let outcome = arguments.run.search(
        search,
        "clique",
        &[&dimacs::write(&graph).to_string(), "guided"],
        |search| Ok(search.best(&size)),
    )?;
    let (optimum, report) = outcome.into_parts();
    let (answer, clique) = support::clique::texts(optimum);
    support::print(format_args!("{answer}\n"))?;
    if arguments.answer_only {
        return support::check_complete(report.stop());
    }
    let (vertices, edges) = (graph.vertices(), graph.edge_count());
    support::print(format_args!(
        "\n{vertices} vertices, {edges} edges; a clique: {clique}\n\n{report}"
    ))?;
    support::check_complete(report.stop())
}
