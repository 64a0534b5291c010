//! Counts cycles, paths, trees, matchings and independent sets of a graph by sweeping its edges.

use std::fmt::Debug;
use std::hash::Hash;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use secateurs::plug::graph::{FrontierPlan, Graph, Order};
use secateurs::plug::{ContourProblem, TooWide};
use secateurs_problems::catalogue::graphs::{
    HamiltonianCycles, HamiltonianPaths, IndependentSets, Matchings, SimpleCycles, SimplePaths,
    Spanning, SpanningSubgraphs,
};
use secateurs_problems::catalogue::{Determinant, Grid};

use crate::count::options::{self, Countable, Options, Subject};
use crate::support::catalogue::narrowest;
use crate::support::sweeps::State;
use crate::support::{self, Failure};

/// Count sets of edges or vertices of a graph, exactly, without visiting each of them.
///
/// The edges are swept one by one, in an order that keeps the frontier (the vertices with edges on
/// both sides) narrow: time and memory grow exponentially with its width, not with the graph. Try
/// other orders if it takes too long.
///
/// A graph is a file with one edge per line, two vertices separated by a blank, each named by any
/// word; `#` begins a comment, and a line of one word is a vertex. Or it is a grid of any
/// dimension, or a board with the moves of a king or a knight, with vertices numbered from 0, row
/// by row.
///
/// Examples:
///   graph-count hamiltonian-cycles --knight 6x6
///   graph-count independent-sets --king 12x12 --modulo 1000000007
///   graph-count matchings --grid 4x4x4 --by-length
///   graph-count simple-paths --grid 9x9 --from 0 --to 80 --sample 2
#[derive(Args)]
#[command(verbatim_doc_comment)]
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
    options: Options,
    /// The sides of the board and the ends of the paths, before the board was made smaller.
    #[arg(skip)]
    whole: Option<(Vec<usize>, [Option<usize>; 2])>,
}

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

    /// Returns the number of the shortest side.
    fn shortest(&mut self) -> Option<usize> {
        let sides = self.sides().iter().copied().enumerate();
        sides.min_by_key(|&(_, length)| length).map(|(side, _)| side)
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

impl Countable for Arguments {
    fn options(&self) -> &Options {
        &self.options
    }

    fn options_mut(&mut self) -> &mut Options {
        &mut self.options
    }

    fn side(&mut self) -> Result<usize, &'static str> {
        let shortest = self.source.shortest().map(|side| self.source.sides()[side]);
        shortest.ok_or("found --estimate with a file, expected --grid, --king or --knight")
    }

    fn shorten(&mut self, side: usize) {
        let Some(shortest) = self.source.shortest() else { return };
        let ends =
            [&self.from, &self.to].map(|name| name.as_ref().and_then(|name| name.parse().ok()));
        let (sides, ends) =
            self.whole.get_or_insert_with(|| (self.source.sides().to_vec(), ends)).clone();
        self.source.sides()[shortest] = side;
        // The number of vertices from one row along the shortest side to the next.
        let stride: usize = sides[shortest + 1..].iter().product();
        for (name, end) in [&mut self.from, &mut self.to].into_iter().zip(ends) {
            let Some(vertex): Option<usize> = end else { continue };
            // The ends of paths keep their distance from the nearer end of the side.
            let (before, place) =
                (vertex / stride / sides[shortest], vertex / stride % sides[shortest]);
            let from_last = sides[shortest] - 1 - place;
            let place = if from_last < place {
                side - 1 - from_last.min(side - 1)
            } else {
                place.min(side - 1)
            };
            *name = Some(((before * side + place) * stride + vertex % stride).to_string());
        }
    }

    fn count(&self) -> Result<(), Failure> {
        let graph = read(&self.source)?;
        let order = order(self, &graph)?;
        if self.options.permit_determinant(graph.vertices(), order.width())
            && let Some((determinant, theorem)) = self.determinant(&graph)?
        {
            let subject = self.subject(&order);
            return self.options.count_by_determinant(&subject, &determinant, theorem);
        }
        self.count_in(&order)
    }
}

impl Arguments {
    /// Returns the determinant that is the answer, if one is known, and its source.
    fn determinant(&self, graph: &Graph) -> Result<Option<(Determinant, &'static str)>, Failure> {
        ends(self, graph)?;
        Ok(match (self.problem, &self.source.grid) {
            (Problem::SpanningTrees, _) => {
                Some((Determinant::spanning_trees_of(graph), "Kirchhoff, 1847"))
            }
            (Problem::PerfectMatchings, Some(Sizes(sizes))) if sizes.len() <= 2 => {
                let rows = if sizes.len() < 2 { 1 } else { sizes[0] };
                let board = Grid::new(rows, graph.vertices() / rows)?;
                Some((Determinant::domino_tilings(&board), "Kasteleyn, 1961"))
            }
            _ => None,
        })
    }

    /// Counts by sweeping the edges of a graph in this order.
    fn count_in(&self, order: &Order<'_>) -> Result<(), Failure> {
        let graph = order.graph();
        macro_rules! edge_sets {
            ($narrow:expr, $wide:expr) => {
                narrowest!(problem in $narrow, $wide => {
                    let draw = |labels: &[bool]| edges(graph, problem.frontier(), labels);
                    self.count_sets(order, problem, draw)
                })
            };
            ($sets:ident::$new:ident $arguments:tt $($rest:tt)*) => {
                edge_sets!($sets::<u64>::$new $arguments $($rest)*,
                    $sets::<u128>::$new $arguments $($rest)*)
            };
        }
        macro_rules! spanning {
            ($kind:expr) => {
                edge_sets!(
                    SpanningSubgraphs::<u64, 4>::with_word(order, $kind),
                    SpanningSubgraphs::<u128, 5>::with_word(order, $kind)
                )
            };
        }
        match (self.problem, ends(self, graph)?) {
            (Problem::HamiltonianCycles, _) => edge_sets!(HamiltonianCycles::with_word(order)),
            (Problem::SimpleCycles, _) => edge_sets!(SimpleCycles::with_word(order)),
            (Problem::SimplePaths, Some((from, to))) => {
                edge_sets!(SimplePaths::with_word(order, from, to)?)
            }
            (Problem::HamiltonianPaths, Some((from, to))) => {
                edge_sets!(HamiltonianPaths::between_with_word(order, from, to)?)
            }
            // `ends` rejects simple paths without ends.
            (Problem::HamiltonianPaths | Problem::SimplePaths, None) => {
                edge_sets!(HamiltonianPaths::anywhere_with_word(order))
            }
            (Problem::SpanningTrees, _) => spanning!(Spanning::Trees),
            (Problem::SpanningForests, _) => spanning!(Spanning::Forests),
            (Problem::ConnectedSubgraphs, _) => spanning!(Spanning::Connected),
            (Problem::Matchings, _) => edge_sets!(Matchings::with_word(order)),
            (Problem::PerfectMatchings, _) => edge_sets!(Matchings::with_word(order).perfect()),
            (Problem::IndependentSets, _) => {
                narrowest!(sets in IndependentSets::<u64>::with_word(order),
                    IndependentSets::<u128>::with_word(order) => {
                    let names = |labels: &[bool]| {
                        let chosen = sets.chosen(labels);
                        chosen.map(|vertex| format!("{}\n", graph.name(vertex))).collect()
                    };
                    self.count_sets(order, sets, names)
                })
            }
        }
    }

    /// Counts the solutions of a problem. `draw` writes one of them, in lines.
    fn count_sets<P: ContourProblem<State: State, Label = bool>>(
        &self,
        order: &Order<'_>,
        problem: &P,
        draw: impl Fn(&[bool]) -> String,
    ) -> Result<(), Failure> {
        let subject = self.subject(order);
        self.options.count(&subject, &Sets(problem), |_, labels| match draw(labels) {
            drawn if drawn.is_empty() => "the empty set\n".to_owned(),
            drawn => drawn,
        })
    }

    /// Describes the sets that are counted.
    fn subject(&self, order: &Order<'_>) -> Subject {
        let graph = order.graph();
        let name = self.problem.to_possible_value();
        let name = name.as_ref().map_or("", |name| name.get_name());
        let between = self.from.as_ref().zip(self.to.as_ref());
        let between = between.map_or(String::new(), |(from, to)| format!(" from {from} to {to}"));
        let swept = order.edges().map(|edge| graph.edge(edge));
        let swept = swept.map(|(a, b)| format!("{} {}\n", graph.name(a), graph.name(b)));
        let (vertices, edges) = (graph.vertices(), graph.edge_count());
        Subject {
            name: format!("{name}{between} of a graph of {vertices} vertices and {edges} edges"),
            data: swept.collect(),
            facts: format!(
                "vertices  {vertices}\nedges     {edges}\nfrontier  up to {} vertices\n\n",
                order.width()
            ),
        }
    }
}

/// A problem of sets of edges or vertices by the type of its states alone: problems with the same
/// states share the code of the engine, which is compiled once for them.
struct Sets<'p, S>(&'p dyn Steps<S>);

/// The methods of a [`ContourProblem`] with a dynamic step.
trait Steps<S>: Sync {
    fn cells(&self) -> usize;
    fn start(&self) -> S;
    fn step(&self, cell: usize, state: S, emit: &mut dyn FnMut(S, bool));
    fn accept(&self, state: S) -> bool;
    fn fits(&self, cell: usize) -> Result<(), TooWide>;
    fn is_legal(&self, cell: usize, state: S) -> bool;
}

impl<P: ContourProblem<Label = bool>> Steps<P::State> for P {
    fn cells(&self) -> usize {
        ContourProblem::cells(self)
    }
    fn start(&self) -> P::State {
        ContourProblem::start(self)
    }
    fn step(&self, cell: usize, state: P::State, mut emit: &mut dyn FnMut(P::State, bool)) {
        ContourProblem::step(self, cell, state, &mut emit);
    }
    fn accept(&self, state: P::State) -> bool {
        ContourProblem::accept(self, state)
    }
    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        ContourProblem::fits(self, cell)
    }
    fn is_legal(&self, cell: usize, state: P::State) -> bool {
        ContourProblem::is_legal(self, cell, state)
    }
}

impl<S: Copy + Eq + Hash + Debug + Send + Sync> ContourProblem for Sets<'_, S> {
    type State = S;
    type Label = bool;

    fn cells(&self) -> usize {
        self.0.cells()
    }
    fn start(&self) -> S {
        self.0.start()
    }
    fn step(&self, cell: usize, state: S, emit: &mut impl FnMut(S, bool)) {
        self.0.step(cell, state, emit);
    }
    fn accept(&self, state: S) -> bool {
        self.0.accept(state)
    }
    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        self.0.fits(cell)
    }
    fn is_legal(&self, cell: usize, state: S) -> bool {
        self.0.is_legal(cell, state)
    }
}

/// Runs the command.
pub fn run(arguments: Arguments) -> ExitCode {
    options::run(arguments)
}
