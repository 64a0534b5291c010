//! Counts cycles, paths, trees, matchings and independent sets of a graph by sweeping its edges.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, ValueEnum};
use secateurs::Report;
use secateurs::plug::graph::{FrontierPlan, Graph, Order};
use secateurs::plug::{ContourProblem, Sweep};
use secateurs_problems::catalogue::graphs::{
    HamiltonianCycles, HamiltonianPaths, IndependentSets, Matchings, SimpleCycles, SimplePaths,
    Spanning, SpanningSubgraphs,
};

use crate::support::{self, Failure, extrapolation, progress};

/// Count sets of edges or vertices of a graph, exactly, without visiting each of them.
///
/// The edges are swept one by one, in an order that keeps the frontier (the vertices with edges on
/// both sides) narrow: time and memory grow exponentially with its width, not with the graph. Try
/// other orders if it takes too long. Without --states, a sweep stops at 50 million states of a
/// layer.
///
/// A graph is a file with one edge per line, two vertices separated by a blank, each named by any
/// word; `#` begins a comment, and a line of one word is a vertex. Or it is a grid of any
/// dimension, or a board with the moves of a king or a knight, with vertices numbered from 0, row
/// by row.
#[derive(Args)]
pub struct Arguments {
    /// The sets to count.
    #[arg(value_enum)]
    problem: Problem,
    #[command(flatten)]
    source: Source,
    /// The first end of the paths; with `--to`.
    #[arg(long, value_name = "VERTEX", requires = "to")]
    from: Option<String>,
    /// The other end of the paths.
    #[arg(long, value_name = "VERTEX", requires = "from")]
    to: Option<String>,
    /// The order in which the edges are swept.
    #[arg(long, value_enum, default_value_t = EdgeOrder::Narrowest)]
    order: EdgeOrder,
    /// Improve the order by this number of random changes, each in time linear in the size of the
    /// graph: 100000 changes pay off for sweeps that take more than seconds.
    #[arg(long, value_name = "ROUNDS", default_value_t = 0)]
    anneal: usize,
    #[command(flatten)]
    sweep: support::limits::SweepOptions,
    #[command(flatten)]
    progress: progress::Options,
    /// Also print the edges or vertices of one solution.
    #[arg(long, conflicts_with = "answer_only")]
    witness: bool,
    /// Print only the number.
    #[arg(long)]
    answer_only: bool,
    /// The time limit of a trial sweep, which only returns its report.
    #[arg(skip)]
    trial: Option<Duration>,
}

/// The default limit of the states of a layer.
const STATES: u64 = 50_000_000;

/// The seed of the annealing, fixed so that runs are reproducible.
const SEED: u64 = 1;

#[derive(Args)]
#[group(multiple = false)]
struct Source {
    /// The file of the graph, `-` for standard input. [default: a bundled graph]
    file: Option<PathBuf>,
    /// A grid of any number of dimensions, such as 3x3x4.
    #[arg(long, value_name = "SIZES", value_parser = sizes)]
    grid: Option<Sizes>,
    /// A board with a king's moves, such as 5x5.
    #[arg(long, value_name = "SIZES", value_parser = board)]
    king: Option<[usize; 2]>,
    /// A board with a knight's moves, such as 6x6.
    #[arg(long, value_name = "SIZES", value_parser = board)]
    knight: Option<[usize; 2]>,
}

#[derive(Clone)]
struct Sizes(Vec<usize>);

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Problem {
    /// Cycles that visit every vertex once.
    HamiltonianCycles,
    /// Paths that visit every vertex once, between --from and --to or anywhere.
    HamiltonianPaths,
    /// Cycles that visit no vertex twice.
    SimpleCycles,
    /// Paths that visit no vertex twice, between --from and --to.
    SimplePaths,
    /// Sets of edges that connect all vertices, without a cycle.
    SpanningTrees,
    /// Sets of edges without a cycle.
    SpanningForests,
    /// Sets of edges that connect all vertices.
    ConnectedSubgraphs,
    /// Sets of edges without a common vertex.
    Matchings,
    /// Sets of edges that cover every vertex once.
    PerfectMatchings,
    /// Sets of pairwise non-adjacent vertices.
    IndependentSets,
}

#[derive(Clone, Copy, ValueEnum)]
enum EdgeOrder {
    /// The edges as they are given.
    AsGiven,
    /// The vertices as they are numbered.
    Numbered,
    /// The vertices by breadth-first search from a peripheral vertex.
    BreadthFirst,
    /// Greedily the vertex that leaves the smallest frontier.
    MinimumFrontier,
    /// The best of these.
    Narrowest,
}

fn sizes(text: &str) -> Result<Sizes, String> {
    let size = |size: &str| match size.parse() {
        Ok(0) | Err(_) => Err(format!("found {size:?}, expected numbers from 1, such as 3x3x4")),
        Ok(size) => Ok(size),
    };
    text.split('x').map(size).collect::<Result<_, _>>().map(Sizes)
}

fn board(text: &str) -> Result<[usize; 2], String> {
    let Sizes(sizes) = sizes(text)?;
    sizes.try_into().map_err(|_| "expected rows and columns, such as 6x6".to_owned())
}

impl Source {
    /// Returns the sides of the board; none if the graph is read from a file.
    fn sides(&mut self) -> &mut [usize] {
        match self {
            Source { grid: Some(Sizes(sizes)), .. } => sizes,
            Source { king: Some(sizes), .. } | Source { knight: Some(sizes), .. } => sizes,
            Source { .. } => &mut [],
        }
    }
}

fn read(source: &Source) -> Result<Graph, Failure> {
    Ok(match source {
        Source { grid: Some(Sizes(sizes)), .. } => Graph::grid(sizes)?,
        Source { king: Some([rows, columns]), .. } => Graph::king(*rows, *columns)?,
        Source { knight: Some([rows, columns]), .. } => Graph::knight(*rows, *columns)?,
        Source { file, .. } => {
            let file = file.as_deref();
            support::read(file, include_str!("../data/graph.txt"))?
                .parse()
                .map_err(|error| support::with_input_name(file, error))?
        }
    })
}

/// Returns the two ends of the paths, if both are given.
fn ends(arguments: &Arguments, graph: &Graph) -> Result<Option<(usize, usize)>, Failure> {
    let find = |name: &String| {
        graph.vertex(name).ok_or_else(|| {
            format!("found {name:?} as an end of paths, expected a vertex of the graph")
        })
    };
    match (&arguments.from, &arguments.to) {
        (Some(_), _)
            if !matches!(arguments.problem, Problem::HamiltonianPaths | Problem::SimplePaths) =>
        {
            Err("found --from and --to, expected them with paths only".into())
        }
        (Some(from), Some(to)) if from == to => {
            Err(format!("found {from:?} as both ends of paths, expected two different vertices")
                .into())
        }
        (Some(from), Some(to)) => Ok(Some((find(from)?, find(to)?))),
        _ if arguments.problem == Problem::SimplePaths => {
            Err("expected --from and --to, the ends of the paths".into())
        }
        _ => Ok(None),
    }
}

/// The output of a run.
struct Answer {
    count: u128,
    report: Report,
    witness: Option<String>,
}

/// Counts the solutions of a problem, and draws one by `draw` if the options say so.
fn answer<P: ContourProblem<Label = bool>>(
    arguments: &Arguments,
    problem: &P,
    draw: impl Fn(&P, &[bool]) -> String,
) -> Result<Answer, Failure> {
    let options = &arguments.sweep;
    let bar = arguments.progress.bar();
    let sweep = || {
        let limits = options.limits().states(options.states.unwrap_or(STATES));
        let limits = arguments.trial.map_or(limits.clone(), |time| limits.time(time));
        let sweep = Sweep::new(problem).limits(limits).threads(options.threads());
        match bar.sweep_callback() {
            Some(callback) => sweep.progress(progress::INTERVAL, callback),
            None => sweep,
        }
    };
    let outcome = sweep().count();
    if arguments.trial.is_some() {
        return Ok(Answer { count: 0, report: outcome.report().clone(), witness: None });
    }
    let outcome = support::complete(outcome, arguments.answer_only)?;
    let witness = if arguments.witness {
        let found = sweep().first().complete()?;
        Some(match found.solution().map(|labels| draw(problem, labels)) {
            None => "none\n".to_owned(),
            Some(drawn) if drawn.is_empty() => "the empty set\n".to_owned(),
            Some(drawn) => drawn,
        })
    } else {
        None
    };
    Ok(Answer { count: outcome.exact().unwrap_or(0), report: outcome.report().clone(), witness })
}

/// Returns the taken edges by the names of their ends, in the format of a graph file.
fn edges(graph: &Graph, frontier: &FrontierPlan, labels: &[bool]) -> String {
    frontier
        .taken(labels)
        .map(|(one, other)| format!("{} {}\n", graph.name(one), graph.name(other)))
        .collect()
}

/// Returns the order in which the edges are swept.
fn order<'g>(arguments: &Arguments, graph: &'g Graph) -> Result<Order<'g>, Failure> {
    let order = match arguments.order {
        EdgeOrder::AsGiven => Order::as_given(graph),
        EdgeOrder::Numbered => {
            Order::of_vertices(graph, &(0..graph.vertices()).collect::<Vec<_>>())?
        }
        EdgeOrder::BreadthFirst => Order::breadth_first(graph),
        EdgeOrder::MinimumFrontier => Order::minimum_frontier(graph),
        EdgeOrder::Narrowest => Order::narrowest(graph),
    };
    Ok(if arguments.anneal > 0 { order.annealed(arguments.anneal, SEED) } else { order })
}

/// Adds an estimate of the memory that a sweep needs to its error, if it stopped at a memory limit
/// and there are smaller boards.
fn with_memory_estimate(arguments: &mut Arguments, failure: Failure) -> Failure {
    let sides = arguments.source.sides().iter().copied().enumerate();
    let Some((shortest, side)) = sides.min_by_key(|&(_, side)| side) else { return failure };
    extrapolation::with_memory_estimate(failure, side, |side, time| {
        arguments.source.sides()[shortest] = side;
        arguments.trial = Some(time);
        let graph = read(&arguments.source)?;
        Ok(Some(solve(arguments, &order(arguments, &graph)?)?.report))
    })
}

fn solve(arguments: &Arguments, order: &Order<'_>) -> Result<Answer, Failure> {
    let graph = order.graph();
    // Words of 128 bits hold every frontier that a sweep can handle in practice. Narrower ones
    // would be up to twice as fast.
    macro_rules! edge_sets {
        ($problem:expr) => {
            answer(arguments, &$problem, |problem, labels| edges(graph, problem.frontier(), labels))
        };
    }
    match (arguments.problem, ends(arguments, graph)?) {
        (Problem::HamiltonianCycles, _) => edge_sets!(HamiltonianCycles::<u128>::with_word(order)),
        (Problem::SimpleCycles, _) => edge_sets!(SimpleCycles::<u128>::with_word(order)),
        (Problem::SimplePaths, Some((from, to))) => {
            edge_sets!(SimplePaths::<u128>::with_word(order, from, to)?)
        }
        (Problem::HamiltonianPaths, Some((from, to))) => {
            edge_sets!(HamiltonianPaths::<u128>::between_with_word(order, from, to)?)
        }
        // `ends` rejects simple paths without ends.
        (Problem::HamiltonianPaths | Problem::SimplePaths, None) => {
            edge_sets!(HamiltonianPaths::<u128>::anywhere_with_word(order))
        }
        (Problem::SpanningTrees, _) => edge_sets!(spanning(order, Spanning::Trees)),
        (Problem::SpanningForests, _) => edge_sets!(spanning(order, Spanning::Forests)),
        (Problem::ConnectedSubgraphs, _) => edge_sets!(spanning(order, Spanning::Connected)),
        (Problem::Matchings, _) => edge_sets!(Matchings::<u128>::with_word(order)),
        (Problem::PerfectMatchings, _) => edge_sets!(Matchings::<u128>::with_word(order).perfect()),
        (Problem::IndependentSets, _) => {
            let sets = IndependentSets::<u128>::with_word(order);
            let draw = |sets: &IndependentSets<u128>, labels: &[bool]| {
                sets.chosen(labels).map(|vertex| format!("{}\n", graph.name(vertex))).collect()
            };
            answer(arguments, &sets, draw)
        }
    }
}

fn spanning(order: &Order<'_>, kind: Spanning) -> SpanningSubgraphs<u128, 5> {
    SpanningSubgraphs::with_word(order, kind)
}

/// Runs the command.
pub fn run(mut arguments: Arguments) -> ExitCode {
    support::run(|| {
        let graph = read(&arguments.source)?;
        let order = order(&arguments, &graph)?;
        let answer = solve(&arguments, &order)
            .map_err(|failure| with_memory_estimate(&mut arguments, failure))?;
        if arguments.answer_only {
            return support::print(format_args!("{}\n", answer.count));
        }
        if let Some(witness) = &answer.witness {
            support::print(format_args!("{witness}\n"))?;
        }
        let largest = answer.report.levels().iter().map(|level| level.nodes).max().unwrap_or(0);
        support::print(format_args!(
            "solutions        {}\nvertices         {}\nedges            {}\n\
             frontier         up to {} vertices\n\
             states           {}, in the largest layer {largest}\ntime             {:.3} s\n",
            answer.count,
            graph.vertices(),
            graph.edge_count(),
            order.width(),
            answer.report.nodes(),
            answer.report.elapsed().as_secs_f64(),
        ))
    })
}
