//! Counts sets of edges or vertices of a graph by sweeping it.

mod probability;
mod source;

use std::cell::{Cell, LazyCell, OnceCell};
use std::collections::HashSet;
use std::process::ExitCode;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use clap::{Args, ValueEnum};
use secateurs::Stop;
use secateurs::checkpoint::Fingerprint;
use secateurs::plug::algebra::Natural;
use secateurs::plug::{ContourProblem, Family};
use secateurs_problems::catalogue::graphs::{
    Colourings, ConnectedSets, Connecting, DominatingSets, Factors, HamiltonianCycles,
    HamiltonianPaths, IndependentSets, Matchings, SimpleCycles, SimplePaths, Spanning,
    SpanningSubgraphs, Terminals,
};
use secateurs_problems::catalogue::{Determinant, Grid};
use secateurs_problems::graph::{Graph, Order};

use self::probability::{Probability, probability};
use self::source::{Sizes, Source, split_weights};
use crate::count::family::{Elements, FamilyOptions, ShowSizes, failure_of, lines_of_sizes};
use crate::count::options::{self, Countable, Options, Subject};
use crate::packed::{Packed, Sets, Steps, Taken, Word};
use crate::support::catalogue::narrowest;
use crate::support::{self, Failure};

/// Count sets of edges or vertices of a graph, exactly, without visiting each of them.
///
/// The edges are swept one by one, in an order that keeps the frontier (the vertices with edges on
/// both sides) narrow: time and memory grow exponentially with its width, not with the graph. Try
/// other orders if it takes too long.
///
/// A graph is a file with one edge per line, two vertices separated by a blank, each named by any
/// word; `#` begins a comment, and a line of one word is a vertex. A third word, a whole number, is
/// the weight of the edge, for --heaviest, --lightest and --then weight only. Or the graph is a
/// grid of any dimension, or a board with the moves of a king or a knight, with vertices numbered
/// from 0, row by row.
///
/// All sets can be kept as a family, a decision diagram: see --then and the options after it.
///
/// Examples:
///   graph-count hamiltonian-cycles --knight 6x6
///   graph-count independent-sets --king 12x12 --modulo 1000000007
///   graph-count matchings --grid 4x4x4 --by-length
///   graph-count simple-paths --grid 9x9 --from 0 --to 80 --sample 2
///   graph-count simple-paths --grid 9x9 --from 40 --by-length
///   graph-count simple-cycles --directed one-way-streets.txt
///   graph-count steiner-trees --terminals Airport,Zoo,Stadium --by-length
///   graph-count connecting-sets --terminals Airport,Zoo --probability 0.95
///   graph-count simple-paths --grid 9x9 --from 0 --to 80 --then with=40 --lightest 3
///   graph-count matchings --knight 6x6 --then maximal --by-length --save maximal.family
///   graph-count edge-sets --knight 6x6 --load maximal.family --then size=..=14 --list 5
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The sets to count.
    #[arg(value_enum)]
    problem: Problem,
    #[command(flatten)]
    source: Source,
    /// Follow the directions of the edges: from the first vertex in a line of the file to the
    /// second one, and in both directions on a board. With paths, cycles and edge-sets.
    #[arg(long)]
    directed: bool,
    /// Accept loops and parallel edges in the file. Parallel edges are different edges.
    #[arg(long)]
    multigraph: bool,
    /// The first end of the paths.
    #[arg(long, value_name = "VERTEX")]
    from: Option<String>,
    /// The other end of the paths; any vertex without it.
    #[arg(long, value_name = "VERTEX", requires = "from")]
    to: Option<String>,
    /// The vertices to be connected, or the roots of rooted forests, separated by commas.
    #[arg(long, value_name = "VERTICES", value_delimiter = ',')]
    terminals: Vec<String>,
    /// The number of colours of colourings.
    #[arg(long, value_name = "K", default_value_t = 3)]
    colours: u8,
    /// Print the probability that a random set is one of those that are counted, instead of their
    /// number, exactly: each edge, or vertex, belongs to it with this probability.
    #[arg(long, value_name = "P", value_parser = probability, conflicts_with_all =
        ["modulo", "residues", "by_length", "sample", "witness", "estimate"])]
    probability: Option<Probability>,
    /// The order in which the edges are swept.
    #[arg(long, value_enum, default_value_t = EdgeOrder::Narrowest)]
    order: EdgeOrder,
    /// Improve the order by this number of random changes, each in time linear in the size of the
    /// graph: 100000 changes pay off for sweeps that take more than seconds.
    #[arg(long, value_name = "ROUNDS", default_value_t = 0)]
    anneal: usize,
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    families: FamilyOptions,
    /// The weights of the edges, if the file has any.
    #[arg(skip)]
    weights: OnceCell<Vec<i64>>,
    /// The sides of the board and the vertices of the options, before the board was made smaller.
    #[arg(skip)]
    whole: Option<(Vec<usize>, Vec<Option<usize>>)>,
}

/// The size of the diagram of all sets, for each element.
const BYTES_OF_ELEMENT: u64 = 12;

/// The seed of the annealing, fixed so that runs are reproducible.
const SEED: u64 = 1;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Problem {
    /// Cycles that visit every vertex once.
    HamiltonianCycles,
    /// Paths that visit every vertex once, between --from and --to, from --from, or anywhere.
    HamiltonianPaths,
    /// Cycles that visit no vertex twice.
    SimpleCycles,
    /// Paths that visit no vertex twice, between --from and --to, or from --from.
    SimplePaths,
    /// Sets of edges that connect all vertices, without a cycle.
    SpanningTrees,
    /// Sets of edges without a cycle.
    SpanningForests,
    /// Forests with a root in each tree: the --terminals, or any vertices without them.
    RootedForests,
    /// Sets of edges that connect all vertices.
    ConnectedSubgraphs,
    /// Sets of edges that connect the --terminals.
    ConnectingSets,
    /// Trees of edges that contain the --terminals.
    SteinerTrees,
    /// Sets of edges without a common vertex.
    Matchings,
    /// Sets of edges that cover every vertex once.
    PerfectMatchings,
    /// Sets of edges with two at every vertex.
    TwoFactors,
    /// Sets of edges with at least one at every vertex.
    EdgeCovers,
    /// Sets of pairwise non-adjacent vertices.
    IndependentSets,
    /// Sets of vertices of which each vertex is a member or a neighbour.
    DominatingSets,
    /// Connected, non-empty sets of vertices.
    ConnectedSets,
    /// Sets of vertices that are both.
    ConnectedDominatingSets,
    /// Colourings in --colours colours, with different ones at the ends of each edge.
    Colourings,
    /// All sets of edges, or those of --load.
    EdgeSets,
    /// All sets of vertices, or those of --load.
    VertexSets,
}

impl Problem {
    fn has_ends(self) -> bool {
        matches!(self, Problem::HamiltonianPaths | Problem::SimplePaths)
    }

    fn can_be_directed(self) -> bool {
        let has_cycles = matches!(self, Problem::HamiltonianCycles | Problem::SimpleCycles);
        self.has_ends() || has_cycles || self == Problem::EdgeSets
    }

    fn has_terminals(self) -> bool {
        matches!(self, Problem::RootedForests | Problem::ConnectingSets | Problem::SteinerTrees)
    }

    /// Returns whether the sets are sets of vertices.
    fn has_vertices(self) -> bool {
        matches!(
            self,
            Problem::IndependentSets
                | Problem::DominatingSets
                | Problem::ConnectedSets
                | Problem::ConnectedDominatingSets
                | Problem::VertexSets
        )
    }
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

fn read(arguments: &Arguments) -> Result<Graph, Failure> {
    let Arguments { source, directed, multigraph, .. } = arguments;
    let board = match source {
        Source { grid: Some(Sizes(sizes)), .. } => Graph::grid(sizes)?,
        Source { king: Some([rows, columns]), .. } => Graph::king(*rows, *columns)?,
        Source { knight: Some([rows, columns]), .. } => Graph::knight(*rows, *columns)?,
        Source { file, .. } => {
            let file = file.as_deref();
            let text = support::read(file, include_str!("../../data/graph.txt"))?;
            let are_used = arguments.families.depends_on_weights();
            let graph = split_weights(&text, are_used).and_then(|(text, weights)| {
                if let Some(read) = weights {
                    arguments.weights.get_or_init(|| read);
                }
                match *directed || *multigraph {
                    true => Graph::parse_multigraph(&text),
                    false => text.parse(),
                }
            });
            return graph.map_err(|error| support::with_input_name(file, error));
        }
    };
    Ok(if *directed { board.both_directions()? } else { board })
}

/// Returns the vertices of a graph with these names, which `what` describes.
fn find<'n>(
    graph: &Graph,
    names: impl IntoIterator<Item = &'n String>,
    what: &str,
) -> Result<Vec<usize>, Failure> {
    let find = |name: &String| {
        let vertex = graph.vertex(name);
        vertex.ok_or_else(|| {
            format!("found {name:?} as {what}, expected a vertex of the graph").into()
        })
    };
    names.into_iter().map(find).collect()
}

/// Checks that options and problem fit together, and returns the ends of paths and the terminals.
fn vertices(arguments: &Arguments, graph: &Graph) -> Result<[Vec<usize>; 2], Failure> {
    let Arguments { problem, from, to, terminals, .. } = arguments;
    let refused = match problem {
        _ if from.is_some() && !problem.has_ends() => {
            Some("found --from and --to, expected them with paths only")
        }
        _ if arguments.directed && !problem.can_be_directed() => {
            Some("found --directed, expected it with paths, cycles and edge-sets only")
        }
        _ if !terminals.is_empty() && !problem.has_terminals() => Some(
            "found --terminals, expected them with connecting sets, Steiner trees and rooted \
             forests only",
        ),
        Problem::SimplePaths if from.is_none() => {
            Some("expected --from, and perhaps --to, the ends of the paths")
        }
        Problem::ConnectingSets | Problem::SteinerTrees if terminals.is_empty() => {
            Some("expected --terminals, the vertices to be connected")
        }
        // As trees of the graph with an apex, they have an edge for each root.
        Problem::RootedForests if terminals.is_empty() && arguments.concern_sets() => Some(
            "found --probability, --by-length or an option of families, expected it with the \
             roots, --terminals",
        ),
        Problem::Colourings if arguments.concern_sets() => Some(
            "found --probability, --by-length or an option of families, expected it with sets only",
        ),
        Problem::EdgeSets | Problem::VertexSets => None,
        _ if arguments.families.loads() => {
            Some("found --load, expected it with edge-sets and vertex-sets only")
        }
        _ => None,
    };
    match (refused, from, to) {
        (Some(refused), ..) => Err(refused.into()),
        (None, Some(from), Some(to)) if from == to => {
            Err(format!("found {from:?} as both ends of paths, expected two different vertices")
                .into())
        }
        _ => Ok([
            find(graph, from.iter().chain(to), "an end of paths")?,
            find(graph, terminals, "a terminal")?,
        ]),
    }
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
    match arguments.anneal {
        0 => Ok(order),
        // An estimate has limits for sweeps only.
        rounds if arguments.options.estimate => Ok(order.annealed(rounds, SEED)),
        rounds => annealed(&order, rounds, arguments.options.limits().max_time()),
    }
}

/// Anneals an order in a thread, which is left behind when the time is over.
fn annealed<'g>(
    order: &Order<'g>,
    rounds: usize,
    time: Option<Duration>,
) -> Result<Order<'g>, Failure> {
    let (graph, edges) = (order.graph().clone(), order.edges().collect::<Vec<_>>());
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let order = Order::of_edges(&graph, &edges);
        let better = order.map(|order| order.annealed(rounds, SEED).edges().collect::<Vec<_>>());
        // The channel is closed once the time is over.
        let _ = sender.send(better);
    });
    match receiver.recv_timeout(time.unwrap_or(Duration::MAX)) {
        Ok(edges) => Ok(Order::of_edges(order.graph(), &edges?)?),
        Err(RecvTimeoutError::Timeout) => {
            support::print("unknown\n")?;
            Err(failure_of("--anneal")(Stop::TimeLimit.into()))
        }
        Err(RecvTimeoutError::Disconnected) => Err("the thread of --anneal has failed".into()),
    }
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
        let mut sides = self.source.sides().iter();
        let vertices = sides.try_fold(1_usize, |product, &side| product.checked_mul(side));
        let vertices = vertices.ok_or("found 2^64 vertices or more, expected at most 2^20")?;
        let given = self.from.iter().chain(&self.to).chain(&self.terminals);
        let numbers = given.map(|name| name.parse().unwrap_or(usize::MAX));
        if numbers.max().is_some_and(|largest| largest >= vertices) {
            return Err("found --from, --to or --terminals that are not on the board");
        }
        shortest.ok_or("found --estimate with a file, expected --grid, --king or --knight")
    }

    fn shorten(&mut self, side: usize) {
        let Some(shortest) = self.source.shortest() else { return };
        let names = self.from.iter_mut().chain(&mut self.to).chain(&mut self.terminals);
        let names: Vec<&mut String> = names.collect();
        let vertices = || names.iter().map(|name| name.parse().ok()).collect();
        let sides = self.source.sides().to_vec();
        let (sides, vertices) = self.whole.get_or_insert_with(|| (sides, vertices())).clone();
        self.source.sides()[shortest] = side;
        // The number of vertices from one row along the shortest side to the next.
        let stride: usize = sides[shortest + 1..].iter().product();
        let total = stride * side * sides[..shortest].iter().product::<usize>();
        let mut images: Vec<(usize, usize)> = Vec::new();
        for (name, vertex) in names.into_iter().zip(vertices) {
            let Some(vertex): Option<usize> = vertex else { continue };
            // Vertices keep their distance from the nearer end of the side.
            let (before, place) =
                (vertex / stride / sides[shortest], vertex / stride % sides[shortest]);
            let from_last = sides[shortest] - 1 - place;
            let place = if from_last < place {
                side - 1 - from_last.min(side - 1)
            } else {
                place.min(side - 1)
            };
            let mut image = (before * side + place) * stride + vertex % stride;
            // Different vertices stay different, as long as there are enough.
            let is_taken = |image| images.iter().any(|&(of, other)| other == image && of != vertex);
            for _ in 0..total {
                if !is_taken(image) {
                    break;
                }
                image = (image + 1) % total;
            }
            images.push((vertex, image));
            *name = image.to_string();
        }
    }

    fn count(&self) -> Result<(), Failure> {
        let graph = read(self)?;
        let [ends, terminals] = vertices(self, &graph)?;
        let order = order(self, &graph)?;
        if self.probability.is_none()
            && !self.families.are_given()
            && self.options.permit_determinant(graph.vertices(), order.width())
            && let Some((determinant, theorem)) = self.determinant(&graph)?
        {
            let subject = self.subject(&order, false);
            return self.options.count_by_determinant(&subject, &determinant, theorem);
        }
        if self.problem == Problem::RootedForests && terminals.is_empty() {
            return self.count_rooted_forests(&graph);
        }
        self.count_in(&order, &ends, &terminals)
    }
}

impl Arguments {
    /// Returns whether the options ask for more than the number of solutions, for sets.
    fn concern_sets(&self) -> bool {
        self.probability.is_some() || self.options.by_length || self.families.are_given()
    }

    /// Returns the determinant that is the answer, if one is known, and its source.
    fn determinant(&self, graph: &Graph) -> Result<Option<(Determinant, &'static str)>, Failure> {
        Ok(match (self.problem, &self.source.grid) {
            (Problem::SpanningTrees, _) => {
                Some((Determinant::spanning_trees_of(graph), "Kirchhoff, 1847"))
            }
            (Problem::RootedForests, _) if self.terminals.is_empty() => {
                let with_apex = graph.with_apex()?;
                Some((Determinant::spanning_trees_of(&with_apex), "Kirchhoff, 1847"))
            }
            (Problem::PerfectMatchings, Some(Sizes(sizes))) if sizes.len() <= 2 => {
                let rows = if sizes.len() < 2 { 1 } else { sizes[0] };
                let board = Grid::new(rows, graph.vertices() / rows)?;
                Some((Determinant::domino_tilings(&board), "Kasteleyn, 1961"))
            }
            _ => None,
        })
    }

    /// Counts the rooted forests as the spanning trees of the graph with an apex. Edges to the apex
    /// are drawn as lines of one vertex, the root.
    fn count_rooted_forests(&self, graph: &Graph) -> Result<(), Failure> {
        let with_apex = graph.with_apex()?;
        let order = order(self, &with_apex)?;
        narrowest!(
            trees in SpanningSubgraphs::<u64, 4>::with_word(&order, Spanning::Trees),
            SpanningSubgraphs::<u128, 5>::with_word(&order, Spanning::Trees) =>
                self.count_sets(&order, trees)
        )
    }

    /// Counts by sweeping the graph in this order.
    fn count_in(
        &self,
        order: &Order<'_>,
        ends: &[usize],
        terminals: &[usize],
    ) -> Result<(), Failure> {
        let graph = order.graph();
        macro_rules! sets {
            ($narrow:expr, $wide:expr) => {
                narrowest!(problem in $narrow, $wide => self.count_sets(order, problem))
            };
            ($sets:ident::$new:ident $arguments:tt $($rest:tt)*) => {
                sets!($sets::<u64>::$new $arguments $($rest)*,
                    $sets::<u128>::$new $arguments $($rest)*)
            };
        }
        // Paths and cycles, directed if the options say so.
        macro_rules! paths {
            ($($problem:tt)*) => {
                match self.directed {
                    true => sets!($($problem)*.directed()),
                    false => sets!($($problem)*),
                }
            };
        }
        macro_rules! labelled {
            ($sets:ident::$new:ident $arguments:tt $($rest:tt)*) => {
                sets!($sets::<u64, 4>::$new $arguments $($rest)*,
                    $sets::<u128, 5>::$new $arguments $($rest)*)
            };
        }
        match (self.problem, ends) {
            (Problem::HamiltonianCycles, _) => paths!(HamiltonianCycles::with_word(order)),
            (Problem::SimpleCycles, _) => paths!(SimpleCycles::with_word(order)),
            (Problem::SimplePaths, &[from, to]) => {
                paths!(SimplePaths::with_word(order, from, to)?)
            }
            (Problem::SimplePaths, &[from]) => {
                paths!(SimplePaths::starting_at_with_word(order, from)?)
            }
            (Problem::HamiltonianPaths, &[from, to]) => {
                paths!(HamiltonianPaths::between_with_word(order, from, to)?)
            }
            (Problem::HamiltonianPaths, &[from]) => {
                paths!(HamiltonianPaths::starting_at_with_word(order, from)?)
            }
            // `vertices` rejects simple paths without ends.
            (Problem::HamiltonianPaths | Problem::SimplePaths, _) => {
                paths!(HamiltonianPaths::anywhere_with_word(order))
            }
            (Problem::SpanningTrees, _) => {
                labelled!(SpanningSubgraphs::with_word(order, Spanning::Trees))
            }
            (Problem::SpanningForests, _) => {
                labelled!(SpanningSubgraphs::with_word(order, Spanning::Forests))
            }
            (Problem::ConnectedSubgraphs, _) => {
                labelled!(SpanningSubgraphs::with_word(order, Spanning::Connected))
            }
            (Problem::ConnectingSets, _) => {
                labelled!(Connecting::with_word(order, terminals, Terminals::Connected)?)
            }
            (Problem::SteinerTrees, _) => {
                labelled!(Connecting::with_word(order, terminals, Terminals::Trees)?)
            }
            (Problem::RootedForests, _) => {
                labelled!(Connecting::with_word(order, terminals, Terminals::Forests)?)
            }
            (Problem::Matchings, _) => sets!(Matchings::with_word(order)),
            (Problem::PerfectMatchings, _) => sets!(Matchings::with_word(order).perfect()),
            (Problem::TwoFactors, _) => sets!(
                Factors::<u64, 2>::with_word(order, |_| 2..=2),
                Factors::<u128, 2>::with_word(order, |_| 2..=2)
            ),
            (Problem::EdgeCovers, _) => sets!(
                Factors::<u64, 2>::with_word(order, |_| 1..=usize::MAX),
                Factors::<u128, 2>::with_word(order, |_| 1..=usize::MAX)
            ),
            (Problem::IndependentSets, _) => sets!(
                IndependentSets::<u64>::with_word(order),
                IndependentSets::<u128>::with_word(order)
            ),
            (Problem::DominatingSets, _) => sets!(
                DominatingSets::<u64>::with_word(order),
                DominatingSets::<u128>::with_word(order)
            ),
            (Problem::ConnectedSets, _) => sets!(
                ConnectedSets::<u64, 4>::with_word(order),
                ConnectedSets::<u128, 5>::with_word(order)
            ),
            (Problem::ConnectedDominatingSets, _) => sets!(
                ConnectedSets::<u64, 4>::with_word(order).dominating(),
                ConnectedSets::<u128, 5>::with_word(order).dominating()
            ),
            (Problem::EdgeSets, _) => self.count_all_sets(order, graph.edge_count()),
            (Problem::VertexSets, _) => self.count_all_sets(order, graph.vertices()),
            (Problem::Colourings, _) => narrowest!(
                colourings in Colourings::<u64, 4>::with_word(order, self.colours),
                Colourings::<u128, 5>::with_word(order, self.colours) => {
                    self.count_packed(order, colourings, &|labels| {
                        let labels: Vec<u8> = labels.iter().map(|&Taken(label)| label).collect();
                        let colours = colourings.colours(&labels);
                        let lines = colours.iter().enumerate();
                        lines.map(|(v, colour)| format!("{} {colour}\n", graph.name(v))).collect()
                    })
                }
            ),
        }
    }

    /// Returns whether the graph has an apex, to whose edges the roots of forests belong.
    fn has_apex(&self) -> bool {
        self.problem == Problem::RootedForests && self.terminals.is_empty()
    }

    /// Returns a line for each element of the sets, in the order of the sweep: vertices by their
    /// names, and edges in the format of a graph file. Parallel edges have their number in the file
    /// as a comment.
    fn lines(&self, order: &Order<'_>) -> Vec<String> {
        let graph = order.graph();
        if self.problem.has_vertices() {
            return order.vertices().into_iter().map(|v| format!("{}\n", graph.name(v))).collect();
        }
        let apex = self.has_apex().then(|| graph.vertices() - 1);
        let line = |edge| match graph.edge(edge) {
            (root, other) if Some(other) == apex => graph.name(root).to_string(),
            (one, other) => format!("{} {}", graph.name(one), graph.name(other)),
        };
        let (mut once, mut again) = (HashSet::new(), HashSet::new());
        for line in (0..graph.edge_count()).map(line) {
            if let Some(first) = once.replace(line) {
                again.insert(first);
            }
        }
        let numbered = |edge| match line(edge) {
            line if again.contains(&line) => format!("{line} #{}\n", edge + 1),
            line => line + "\n",
        };
        order.edges().map(numbered).collect()
    }

    /// Counts all sets of this number of elements, or those of a file.
    fn count_all_sets(&self, order: &Order<'_>, elements: usize) -> Result<(), Failure> {
        if self.families.loads() {
            return self.count_sets(order, &Family::empty(elements)?);
        }
        let bytes = elements as u64 * BYTES_OF_ELEMENT;
        if self.options.limits().max_memory().is_some_and(|limit| bytes > limit) {
            support::print("unknown\n")?;
            return Err(failure_of("the family of all sets")(Stop::MemoryLimit.into()));
        }
        self.count_sets(order, &Family::power_set(elements)?)
    }

    /// Counts the solutions of a problem of sets.
    fn count_sets<P: ContourProblem<State: Packed, Label = bool>>(
        &self,
        order: &Order<'_>,
        problem: &P,
    ) -> Result<(), Failure> {
        let lines = LazyCell::new(|| self.lines(order));
        self.count_packed(order, problem, &|labels| {
            let taken = lines.iter().zip(labels).filter(|(_, Taken(label))| *label != 0);
            match taken.map(|(line, _)| line.as_str()).collect::<String>() {
                drawn if drawn.is_empty() => "the empty set\n".to_owned(),
                drawn => drawn,
            }
        })
    }

    /// Counts the solutions of a problem by the width of its states alone.
    fn count_packed<W: Word>(
        &self,
        order: &Order<'_>,
        problem: &dyn Steps<W>,
        draw: &dyn Fn(&[Taken]) -> String,
    ) -> Result<(), Failure> {
        let (subject, sets) = (self.subject(order, self.has_apex()), Sets(problem));
        let places = problem.cells();
        let stop = Cell::new(None);
        let may_go_on = || {
            stop.set(self.options.used_up());
            stop.get().is_none()
        };
        let of_sets = self.probability.as_ref().map(|probability| {
            |sizes: &mut dyn Iterator<Item = (u32, Natural)>| {
                let text = probability.of_sets(sizes, places, may_go_on);
                text.unwrap_or_else(|| "unknown".to_owned())
            }
        });
        if self.families.are_given() {
            self.options.refuse_dense()?;
            let by_length = |sizes: &mut dyn Iterator<Item = _>| lines_of_sizes(sizes);
            let show_sizes: Option<ShowSizes<'_>> = match &of_sets {
                Some(of_sets) => Some(of_sets),
                None => self.options.by_length.then_some(&by_length),
            };
            let sweep = || {
                let sweep = self.options.sweep(&sets);
                sweep.family(places, |cell, Taken(taken)| (taken != 0).then_some(cell))
            };
            let draw = |set: &[usize]| {
                let taken = |cell| Taken(set.binary_search(&cell).is_ok().into());
                draw(&(0..places).map(taken).collect::<Vec<_>>())
            };
            let elements = self.elements(order, &subject, &draw)?;
            self.families.answer(&self.options, &subject, &elements, &sweep, show_sizes)?;
        } else if let Some(of_sets) = &of_sets {
            self.options.count_by_size(&subject, &sets, |sizes| of_sets(&mut sizes.terms()))?;
        } else {
            self.options.count(&subject, &sets, |_, labels| draw(labels))?;
        }
        stop.get().map_or(Ok(()), |stop: Stop| Err(failure_of("the probability")(stop.into())))
    }

    /// Describes the elements of the sets, for families.
    fn elements<'a>(
        &'a self,
        order: &'a Order<'_>,
        subject: &Subject,
        draw: &'a dyn Fn(&[usize]) -> String,
    ) -> Result<Elements<'a>, Failure> {
        let (edges, vertices) = (order.graph().edge_count(), order.graph().vertices());
        let kind = if self.problem.has_vertices() { "vertices" } else { "edges" };
        let weights = self.weights.get().filter(|_| self.families.depends_on_weights());
        if weights.is_some() && self.problem.has_vertices() {
            return Err("found weights of edges, expected no weights with sets of vertices".into());
        }
        let name = format!("sets of {kind} of a graph of {vertices} vertices and {edges} edges");
        Ok(Elements {
            weights: weights.map(|all| order.edges().map(|edge| all[edge]).collect()),
            find: Box::new(|item| self.find(order, item)),
            draw,
            // Isolated vertices are in no edge of the subject.
            fingerprint: Fingerprint::new(name, &subject.data).with(&self.lines(order)),
        })
    }

    /// Returns the places in an order that an item stands for: a vertex; or an edge, with those
    /// parallel to it, or all edges of a vertex.
    fn find(&self, order: &Order<'_>, item: &str) -> Result<Vec<usize>, Failure> {
        let graph = order.graph();
        let vertex = graph.vertex(item);
        if self.problem.has_vertices() {
            let places = order.vertices().into_iter().enumerate();
            let found: Vec<usize> =
                places.filter(|&(_, v)| Some(v) == vertex).map(|(place, _)| place).collect();
            return match found[..] {
                [] => Err(format!("found {item:?}, expected a vertex of the graph").into()),
                _ => Ok(found),
            };
        }
        let places = |is_meant: &dyn Fn(usize, (usize, usize)) -> bool| -> Vec<usize> {
            let edges = order.edges().enumerate();
            let meant = edges.filter(|&(_, edge)| is_meant(edge, graph.edge(edge)));
            meant.map(|(place, _)| place).collect()
        };
        if let Some(vertex) = vertex {
            return Ok(places(&|_, (one, other)| one == vertex || other == vertex));
        }
        let number = item.strip_prefix('#').and_then(|number| number.parse::<usize>().ok());
        let numbered = number.map(|number| places(&|edge, _| edge + 1 == number));
        // A name may contain hyphens.
        let splits = item.match_indices(['-', ' ']).filter_map(|(at, _)| {
            let ends = (graph.vertex(&item[..at])?, graph.vertex(&item[at + 1..])?);
            Some(places(&|_, (one, other)| {
                (one, other) == ends || !self.directed && (other, one) == ends
            }))
        });
        let mut found = numbered.into_iter().chain(splits).filter(|places| !places.is_empty());
        let expected = match (found.next(), found.next()) {
            (Some(edges), None) => return Ok(edges),
            (None, _) => "a vertex of the graph, or an edge such as A-B or #1",
            (Some(_), Some(_)) => "one edge, with a blank between its two vertices",
        };
        Err(format!("found {item:?}, expected {expected}").into())
    }

    /// Describes the sets that are counted, without the apex if the graph of the order has one.
    fn subject(&self, order: &Order<'_>, has_apex: bool) -> Subject {
        let graph = order.graph();
        let name = self.problem.to_possible_value();
        let name = name.as_ref().map_or("", |name| name.get_name());
        let option = |name: &str, value: Option<&String>| {
            value.map_or(String::new(), |value| format!(" {name} {value}"))
        };
        let mut described =
            [option("from", self.from.as_ref()), option("to", self.to.as_ref())].concat();
        if !self.terminals.is_empty() {
            described += &option("of", Some(&self.terminals.join(",")));
        }
        if self.problem == Problem::Colourings {
            described += &option("in", Some(&self.colours.to_string()));
        }
        if self.directed {
            described += " in the directions of the edges";
        }
        let swept = order.edges().map(|edge| graph.edge(edge));
        let swept = swept.map(|(a, b)| format!("{} {}\n", graph.name(a), graph.name(b)));
        let vertices = graph.vertices() - usize::from(has_apex);
        let edges = graph.edge_count() - if has_apex { vertices } else { 0 };
        Subject {
            name: format!("{name}{described} of a graph of {vertices} vertices and {edges} edges"),
            data: swept.collect(),
            facts: format!(
                "vertices  {vertices}\nedges     {edges}\nfrontier  up to {} vertices\n\n",
                order.width()
            ),
        }
    }
}

/// Runs the command.
pub fn run(arguments: Arguments) -> ExitCode {
    options::run(arguments)
}
