//! Graph colouring: the fewest colours such that the ends of each edge differ.
//!
//! A [`Coloring`] is a graph to be coloured. Two bounds need no search: the vertices of a
//! [clique](Coloring::clique) need different colours, and the colours of a [greedy
//! colouring](Coloring::greedy) suffice. Between these bounds,
//! [`chromatic_number`](Coloring::chromatic_number) repeats a search with one colour less until
//! that is refuted or a limit is reached.
//!
//! ```
//! use secateurs::Limits;
//! use secateurs_problems::graph::Graph;
//! use secateurs_problems::coloring::Coloring;
//!
//! // Mycielski's graphs have no triangle, but arbitrarily large chromatic numbers.
//! let graph = Graph::cycle(5)?.mycielskian()?;
//! let coloring = Coloring::new(graph);
//! assert_eq!(coloring.clique().len(), 2);
//! let chromatic = coloring.chromatic_number(&Limits::new());
//! assert_eq!(chromatic.proven(), Some(4));
//! assert!(coloring.is_proper(chromatic.colours()));
//! # Ok::<(), secateurs_problems::graph::GraphError>(())
//! ```
//!
//! Each connected component of the graph's core is searched by itself, on a
//! [network](Coloring::network) with one variable per vertex and the colours as values. The
//! brancher is [`Dsatur`], after Brélaz (1979), which also breaks the symmetry between the
//! interchangeable colours.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;
use std::str::FromStr;

use rustc_hash::FxHashSet;

use crate::graph::Graph;
use secateurs::brancher::Brancher;
use secateurs::hook::{Effect, HookMemory, Node};
use secateurs::search::{RunBudget, Search};
use secateurs::{Branch, Digest, Found, Limits, ParseError, Report, Stop};
use secateurs_csp::{
    Assignment, Branching, Decision, Model, ModelError, Network, Propagate, ValueOrder, Variable,
    VariableOrder,
};

use crate::dimacs;

/// The largest number of pairs of vertices that the search for a clique inspects, approximately.
const CLIQUE_EFFORT: usize = 20_000_000;

/// The colour of a vertex that has none yet.
const UNCOLOURED: usize = usize::MAX;

/// Returns the smallest colour that is not in `taken`.
fn smallest_free(taken: impl Iterator<Item = usize>, buffer: &mut Vec<usize>) -> usize {
    buffer.clear();
    buffer.extend(taken.filter(|&colour| colour != UNCOLOURED));
    buffer.sort_unstable();
    buffer.dedup();
    // The first colour that differs from its index leaves a gap before it.
    buffer
        .iter()
        .enumerate()
        .find(|&(index, &colour)| index != colour)
        .map_or(buffer.len(), |(index, _)| index)
}

/// A graph whose vertices are to be coloured; [`parse`](str::parse) reads a DIMACS `.col` file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coloring {
    graph: Graph,
}

impl Coloring {
    /// Creates the problem of colouring a graph. Parallel edges count once, and loops are dropped:
    /// with one, no colouring would be proper.
    #[must_use]
    pub fn new(graph: Graph) -> Self {
        Coloring { graph: if graph.is_simple() { graph } else { graph.simple().into_owned() } }
    }

    /// Returns the graph, which is simple.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns whether `colours` has one colour per vertex, and different ones for the ends of each
    /// edge.
    #[must_use]
    pub fn is_proper(&self, colours: &[usize]) -> bool {
        colours.len() == self.graph.vertices()
            && self.graph.edges().all(|(one, other)| colours[one] != colours[other])
    }

    /// Returns the vertices of a large clique in ascending order. Their number is a lower bound for
    /// the number of colours.
    ///
    /// The clique is maximal, but not always a maximum one. It is the largest one of a greedy
    /// search from each vertex, in descending order of degrees, that extends a clique by the
    /// candidate with the most neighbours among the candidates. Takes time linear in the size of
    /// the graph, plus the inspection of at most about twenty million pairs of vertices.
    #[must_use]
    pub fn clique(&self) -> Vec<usize> {
        let graph = self.graph();
        let mut starts: Vec<usize> = (0..graph.vertices()).collect();
        starts.sort_by_key(|&vertex| Reverse(graph.degree(vertex)));
        let mut best = Vec::new();
        let mut effort = CLIQUE_EFFORT;
        // Marks the candidates for the current clique.
        let mut is_candidate = vec![false; graph.vertices()];
        for start in starts {
            // A vertex of degree d is in no clique of more than d + 1 vertices.
            if graph.degree(start) < best.len() || effort == 0 {
                break;
            }
            let mut clique = vec![start];
            let mut candidates: Vec<usize> = graph.neighbours(start).collect();
            while clique.len() + candidates.len() > best.len() && !candidates.is_empty() {
                candidates.iter().for_each(|&vertex| is_candidate[vertex] = true);
                let neighbours_among = |vertex: usize| {
                    graph.neighbours(vertex).filter(|&other| is_candidate[other]).count()
                };
                let inspected: usize = candidates.iter().map(|&vertex| graph.degree(vertex)).sum();
                // Without effort left, any candidate will do, so that the clique becomes maximal.
                let compared = if effort > inspected { candidates.len() } else { 1 };
                effort = effort.saturating_sub(inspected + 1);
                // Unlike `max_by_key`, this takes the first of several equal candidates.
                let next = candidates[..compared]
                    .iter()
                    .copied()
                    .min_by_key(|&vertex| Reverse(neighbours_among(vertex)));
                candidates.iter().for_each(|&vertex| is_candidate[vertex] = false);
                let Some(next) = next else { break };
                clique.push(next);
                graph.neighbours(next).for_each(|vertex| is_candidate[vertex] = true);
                let kept: Vec<usize> =
                    candidates.iter().copied().filter(|&vertex| is_candidate[vertex]).collect();
                graph.neighbours(next).for_each(|vertex| is_candidate[vertex] = false);
                candidates = kept;
            }
            if candidates.is_empty() && clique.len() > best.len() {
                best = clique;
            }
        }
        best.sort_unstable();
        best
    }

    /// Returns a proper colouring, with colours from 0, by saturation (DSATUR, Brélaz 1979).
    ///
    /// The next vertex is the one whose neighbours have the most different colours, with ties
    /// broken by the highest degree. It gets the smallest colour that no neighbour has. The result
    /// is optimal for bipartite graphs. Takes time n log n + m log m for n vertices and m edges.
    #[must_use]
    pub fn greedy(&self) -> Vec<usize> {
        let graph = self.graph();
        let vertices = graph.vertices();
        let mut colours = vec![UNCOLOURED; vertices];
        let mut saturation = vec![0_usize; vertices];
        let mut neighbour_colours: FxHashSet<(usize, usize)> = FxHashSet::default();
        // Outdated entries stay in the heap; those of coloured vertices are skipped.
        let entry = |saturation, vertex| (saturation, graph.degree(vertex), Reverse(vertex));
        let mut heap: BinaryHeap<_> = (0..vertices).map(|vertex| entry(0, vertex)).collect();
        let mut buffer = Vec::new();
        while let Some((_, _, Reverse(vertex))) = heap.pop() {
            if colours[vertex] != UNCOLOURED {
                continue;
            }
            let colour =
                smallest_free(graph.neighbours(vertex).map(|other| colours[other]), &mut buffer);
            colours[vertex] = colour;
            for other in graph.neighbours(vertex).filter(|&other| colours[other] == UNCOLOURED) {
                if neighbour_colours.insert((other, colour)) {
                    saturation[other] += 1;
                    heap.push(entry(saturation[other], other));
                }
            }
        }
        colours
    }
}

/// Reads the graph with [`dimacs::parse`].
///
/// ```
/// use secateurs_problems::coloring::Coloring;
///
/// let triangle: Coloring = "c three countries\np edge 3 3\ne 1 2\ne 2 3\ne 3 1\n".parse()?;
/// assert_eq!((triangle.graph().vertices(), triangle.graph().edge_count()), (3, 3));
/// # Ok::<(), secateurs::ParseError>(())
/// ```
impl FromStr for Coloring {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        dimacs::parse(text).map(Coloring::new)
    }
}

impl fmt::Display for Coloring {
    /// Writes the graph in the same format: one `p` line, and each edge once.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        dimacs::write(&self.graph).fmt(f)
    }
}

/// Bounds on the chromatic number of a graph. They are equal if the number is proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chromatic {
    at_least: usize,
    at_most: usize,
    colours: Vec<usize>,
    clique: Vec<usize>,
    report: Option<Report>,
}

impl Chromatic {
    /// Returns the chromatic number, if it is proven.
    #[must_use]
    pub fn proven(&self) -> Option<usize> {
        (self.at_least == self.at_most).then_some(self.at_most)
    }

    /// Returns the lower bound: no fewer colours suffice.
    #[must_use]
    pub fn at_least(&self) -> usize {
        self.at_least
    }

    /// Returns the upper bound: the number of colours of [`colours`](Self::colours).
    #[must_use]
    pub fn at_most(&self) -> usize {
        self.at_most
    }

    /// Returns the best proper colouring that was found: the colour of each vertex, from 0.
    #[must_use]
    pub fn colours(&self) -> &[usize] {
        &self.colours
    }

    /// Returns the clique of the initial lower bound, in ascending order.
    #[must_use]
    pub fn clique(&self) -> &[usize] {
        &self.clique
    }

    /// Returns the report of all searches together, with the stop of the last one. `None` if no
    /// search was necessary: the initial bounds were equal, or removing vertices left nothing to
    /// search.
    #[must_use]
    pub fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }

    /// Returns the limit that stopped the search, if the number is not proven.
    #[must_use]
    pub fn stop(&self) -> Option<Stop> {
        self.report.as_ref().map(Report::stop).filter(|_| self.proven().is_none())
    }
}

impl fmt::Display for Chromatic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.proven() {
            Some(number) => write!(f, "{number}"),
            None => write!(f, "at least {}, at most {}", self.at_least, self.at_most),
        }
    }
}

impl Coloring {
    /// Searches for a colouring with as few colours as possible, and returns the bounds that it
    /// proves before a limit stops it.
    ///
    /// Starts with the bounds by [`clique`](Self::clique) and [`greedy`](Self::greedy), then
    /// repeatedly searches for a colouring with one colour less than the best so far. Each search
    /// first removes vertices with fewer neighbours than colours, as often as possible. Then it
    /// searches each connected component of the rest separately, with [`Dsatur`], forward checking,
    /// and fixed colours for a clique. The number is proven when a component cannot be coloured, or
    /// when the number of colours equals that of the vertices of the initial clique.
    ///
    /// The limits of nodes and time apply to all searches together, the others to each search. The
    /// initial bounds, which take seconds for graphs of a million edges, are not limited. Deciding
    /// whether 3 colours suffice is NP-complete (Stockmeyer 1973), and some graphs of a hundred
    /// vertices are out of reach. A graph without vertices needs no colours.
    #[must_use]
    // Inlined so that its search is compiled only in crates that call it.
    #[inline]
    pub fn chromatic_number(&self, limits: &Limits) -> Chromatic {
        let clique = self.clique();
        let colours = self.greedy();
        let at_most = colour_count(&colours);
        let mut chromatic =
            Chromatic { at_least: clique.len(), at_most, colours, clique, report: None };
        let mut budget = RunBudget::new(limits.clone());
        while chromatic.at_least < chromatic.at_most {
            match self.with_colours(chromatic.at_most - 1, &mut budget) {
                Found::Solution(colours) => {
                    chromatic.at_most = colour_count(&colours);
                    chromatic.colours = colours;
                }
                Found::None => chromatic.at_least = chromatic.at_most,
                Found::Unknown => break,
            }
        }
        chromatic.report = budget.report().cloned();
        chromatic
    }

    /// Searches for a colouring with `number` colours and adds the reports of its searches to
    /// `budget`.
    // Inlined so that its search is compiled only in crates that call it.
    #[inline]
    fn with_colours(&self, number: usize, budget: &mut RunBudget) -> Found<Vec<usize>> {
        let mut colours = vec![UNCOLOURED; self.graph().vertices()];
        let core = Core::new(self.graph(), number);
        for Component { graph, vertices } in core.components(self.graph()) {
            let component = Coloring::new(graph);
            // This fits into a model: a vertex of the core has at least `number` neighbours, so
            // `Graph::MAX_EDGES` also limits the size of all domains together.
            let Ok(network) = component.network(number, &component.clique()) else {
                return Found::Unknown;
            };
            let search = Search::new(&network)
                .hooks((Propagate::forward(),))
                .brancher(Dsatur::new(component.graph()));
            let (found, report) =
                search.limits(budget.limits()).extract(Assignment::of).first().into_parts();
            budget.add(report);
            match found {
                Found::Solution(assignment) => {
                    for (&vertex, &colour) in vertices.iter().zip(assignment.values()) {
                        colours[vertex] = colour as usize;
                    }
                }
                Found::None => return Found::None,
                Found::Unknown => return Found::Unknown,
            }
        }
        let mut buffer = Vec::new();
        for &vertex in core.peeled.iter().rev() {
            let taken = self.graph().neighbours(vertex).map(|other| colours[other]);
            colours[vertex] = smallest_free(taken, &mut buffer);
        }
        Found::Solution(colours)
    }
}

/// Returns the number of colours, which must be numbered from 0 without gaps.
fn colour_count(colours: &[usize]) -> usize {
    colours.iter().max().map_or(0, |&colour| colour + 1)
}

/// A connected component of a graph's core, as a graph of its own.
struct Component {
    graph: Graph,
    /// The vertex of the whole graph that each vertex corresponds to.
    vertices: Vec<usize>,
}

/// The k-core of a graph: what remains after vertices with fewer than k neighbours are removed
/// repeatedly.
struct Core {
    /// The vertices that were peeled off, in this order.
    peeled: Vec<usize>,
    is_peeled: Vec<bool>,
}

impl Core {
    /// Peels off vertices with fewer than `colours` neighbours, as long as there are any (Matula
    /// and Beck 1983), in time linear in the size of the graph.
    ///
    /// Such a vertex can be coloured whatever colours its neighbours have. So every colouring of
    /// the core extends to the peeled vertices, in the reverse order of peeling.
    fn new(graph: &Graph, colours: usize) -> Self {
        let mut degrees: Vec<usize> =
            (0..graph.vertices()).map(|vertex| graph.degree(vertex)).collect();
        let mut peeled: Vec<usize> =
            (0..graph.vertices()).filter(|&vertex| degrees[vertex] < colours).collect();
        let mut is_peeled: Vec<bool> = degrees.iter().map(|&degree| degree < colours).collect();
        let mut next = 0;
        while let Some(&vertex) = peeled.get(next) {
            next += 1;
            for other in
                graph.neighbours(vertex).filter(|&other| !is_peeled[other]).collect::<Vec<_>>()
            {
                degrees[other] -= 1;
                if degrees[other] < colours {
                    is_peeled[other] = true;
                    peeled.push(other);
                }
            }
        }
        Core { peeled, is_peeled }
    }

    /// Returns the connected components of the core, the largest first.
    ///
    /// They are searched separately because a joint search would try every colouring of one
    /// component before it refutes another.
    fn components(&self, graph: &Graph) -> Vec<Component> {
        let mut number_in_component = vec![usize::MAX; graph.vertices()];
        let mut components = Vec::new();
        for start in (0..graph.vertices()).filter(|&vertex| !self.is_peeled[vertex]) {
            if number_in_component[start] != usize::MAX {
                continue;
            }
            let mut vertices = vec![start];
            number_in_component[start] = 0;
            let mut next = 0;
            while let Some(&vertex) = vertices.get(next) {
                next += 1;
                for other in graph.neighbours(vertex).filter(|&other| !self.is_peeled[other]) {
                    if number_in_component[other] == usize::MAX {
                        number_in_component[other] = vertices.len();
                        vertices.push(other);
                    }
                }
            }
            let edges_to_later = |(number, &vertex): (usize, &usize)| {
                let others = graph
                    .neighbours(vertex)
                    .filter(|&other| !self.is_peeled[other])
                    .map(|other| number_in_component[other]);
                others
                    .filter(|&other| other > number)
                    .map(|other| (number, other))
                    .collect::<Vec<_>>()
            };
            let edges: Vec<(usize, usize)> =
                vertices.iter().enumerate().flat_map(edges_to_later).collect();
            let graph =
                Graph::from_edges(vertices.len(), edges).expect("a subgraph is a valid graph");
            components.push(Component { graph, vertices });
        }
        components.sort_by_key(|component| std::cmp::Reverse(component.vertices.len()));
        components
    }
}

impl Coloring {
    /// Returns the problem of colouring with a number of colours as a network: one variable per
    /// vertex, with the colours from 0 as its values, and a constraint for each edge.
    ///
    /// The vertices of `clique` are fixed to the colours 0, 1, …. If they are pairwise adjacent,
    /// this loses no solution up to permutations of the colours.
    ///
    /// # Errors
    ///
    /// Returns an error if there are so many colours that the domains take too much memory, or if
    /// the graph lacks a vertex of the clique.
    pub fn network(&self, colours: usize, clique: &[usize]) -> Result<Network, ModelError> {
        let mut model = Model::new();
        // The model refuses domains of more colours; no graph has as many vertices.
        let colours = i32::try_from(colours).unwrap_or(i32::MAX);
        let vertices = model.variables(self.graph().vertices(), 0..colours)?;
        for (colour, &vertex) in (0..).zip(clique) {
            let unknown =
                ModelError::UnknownVariable { variable: vertex, variables: vertices.len() };
            model.restrict(*vertices.get(vertex).ok_or(unknown)?, |value| value == colour)?;
        }
        for (one, other) in self.graph().edges() {
            model.different(vertices[one], vertices[other])?;
        }
        Ok(model.build())
    }
}

/// The brancher of Brélaz (1979) for a colouring [network](Coloring::network): it branches on the
/// most saturated vertex, and on at most one new colour.
///
/// The most saturated vertex is the one with the fewest remaining colours, with ties broken by the
/// most uncoloured neighbours. Its children are the colours in use and the smallest unused colour.
/// Unused colours are interchangeable, so this keeps one solution of each orbit under permutations
/// of the colours ([`Effect::Representatives`]). The claim requires that colours are distinguished
/// only by the edges and by a clique that has the first colours: no other hook may remove colours
/// for another reason.
///
/// A node takes time linear in the number of vertices, plus the neighbours of equally saturated
/// vertices.
///
/// ```
/// use secateurs::Search;
/// use secateurs_problems::graph::Graph;
/// use secateurs_csp::Propagate;
/// use secateurs_problems::coloring::{Coloring, Dsatur};
///
/// let coloring = Coloring::new(Graph::cycle(5)?);
/// let count = |colours| {
///     let network = coloring.network(colours, &[]).ok()?;
///     let search = Search::new(&network).hooks((Propagate::forward(),));
///     search.brancher(Dsatur::new(coloring.graph())).count().representatives()
/// };
/// assert_eq!(count(2), Some(0));
/// assert_eq!(count(3), Some(5)); // 30 colourings, up to permutations of the 3 colours
/// # Ok::<(), secateurs_problems::graph::GraphError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Dsatur<'g> {
    branching: Branching<MostSaturated<'g>, UpToFirstUnused>,
}

impl<'g> Dsatur<'g> {
    /// Creates the brancher for networks of a graph.
    #[must_use]
    pub fn new(graph: &'g Graph) -> Self {
        Dsatur { branching: Branching::new(MostSaturated(graph), UpToFirstUnused) }
    }
}

impl Brancher<Network> for Dsatur<'_> {
    type Cursor = Colours;

    /// The only parameter, the graph, is that of the problem.
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }

    fn effect(&self) -> Effect {
        Effect::Representatives
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }

    #[inline]
    fn branch(&mut self, node: &Node<'_, Network>) -> Branch<Colours> {
        self.branching.branch(node)
    }

    #[inline]
    fn next(&mut self, node: &Node<'_, Network>, cursor: &mut Colours) -> Option<Decision> {
        self.branching.next(node, cursor)
    }
}

/// The order that chooses the uncoloured vertex with the fewest remaining colours, then the most
/// uncoloured neighbours, then the smallest number.
#[derive(Clone, Copy, Debug)]
struct MostSaturated<'g>(&'g Graph);

impl VariableOrder<Network> for MostSaturated<'_> {
    #[inline]
    fn choose(&mut self, node: &Node<'_, Network>) -> Option<Variable> {
        let domains = node.state();
        // Counted only to break ties, and only once for the best vertex.
        let open_neighbours = |vertex: Variable| {
            let neighbours = self.0.neighbours(vertex.index());
            neighbours
                .filter(|&other| {
                    node.problem().variable(other).is_some_and(|other| domains.is_open(other))
                })
                .count()
        };
        let mut best = None;
        let mut fewest_colours = usize::MAX;
        let mut most_neighbours = None;
        for vertex in domains.open_variables() {
            let size = domains.size(vertex);
            if size < fewest_colours {
                (best, fewest_colours, most_neighbours) = (Some(vertex), size, None);
            } else if size == fewest_colours && size > 1 {
                let most = *most_neighbours.get_or_insert_with(|| best.map_or(0, open_neighbours));
                let neighbours = open_neighbours(vertex);
                if neighbours > most {
                    (best, most_neighbours) = (Some(vertex), Some(neighbours));
                }
            }
        }
        best
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }
}

/// Colours in ascending order, up to the first unused one.
#[derive(Clone, Copy, Debug)]
struct UpToFirstUnused;

/// The untried colours of a vertex: the cursor of [`Dsatur`].
#[derive(Clone, Copy, Debug)]
pub struct Colours {
    vertex: Variable,
    next: i32,
    last: i32,
}

impl ValueOrder<Network> for UpToFirstUnused {
    type Cursor = Colours;

    #[inline]
    fn start(&mut self, node: &Node<'_, Network>, vertex: Variable) -> Colours {
        // Colours come into use in ascending order, and propagation assigns an unused colour only
        // if no other colour is unused. Therefore the colours in use are the smallest ones.
        let used = node.problem().variables().filter_map(|vertex| node.state().value(vertex));
        Colours { vertex, next: 0, last: used.max().unwrap_or(-1).saturating_add(1) }
    }

    #[inline]
    fn next(&mut self, node: &Node<'_, Network>, colours: &mut Colours) -> Option<Decision> {
        let colour = node.state().next_value(colours.vertex, colours.next)?;
        colours.next = colour + 1;
        (colour <= colours.last).then_some(Decision::Is(colours.vertex, colour))
    }
}
