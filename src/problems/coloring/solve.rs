//! The chromatic number: a search with one colour less, repeated until that is refuted, on the
//! connected components of the graph's core.

use std::fmt;

use super::dsatur::Dsatur;
use super::instance::{Coloring, UNCOLOURED, smallest_free};
use crate::clock::Instant;
use crate::csp::{Assignment, Propagate};
use crate::limits::{Limits, Stop};
use crate::outcome::Found;
use crate::plug::graph::Graph;
use crate::report::Report;
use crate::search::Search;

/// Bounds for the chromatic number of a graph, equal if it is proven.
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

    /// Returns the report of all searches together, with the stop of the last one; `None` if the
    /// initial bounds were equal.
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
    /// searches each connected component of the rest separately, from a clique on, with [`Dsatur`]
    /// and forward checking. The number is proven when a component cannot be coloured, or when
    /// there are as few colours as the clique has vertices.
    ///
    /// The limits apply to all searches together. The initial bounds, which take seconds for graphs
    /// of a million edges, are not limited. Deciding whether 3 colours suffice is NP-complete
    /// (Stockmeyer 1973), and some graphs of a hundred vertices are out of reach. A graph without
    /// vertices needs no colours.
    #[must_use]
    // Inlined so that its search is compiled only in crates that call it.
    #[inline]
    pub fn chromatic_number(&self, limits: &Limits) -> Chromatic {
        let clique = self.clique();
        let colours = self.greedy();
        let at_most = number_of(&colours);
        let mut chromatic =
            Chromatic { at_least: clique.len(), at_most, colours, clique, report: None };
        let began = Instant::now();
        while chromatic.at_least < chromatic.at_most {
            match self.with_colours(chromatic.at_most - 1, limits, began, &mut chromatic.report) {
                Found::Solution(colours) => {
                    chromatic.at_most = number_of(&colours);
                    chromatic.colours = colours;
                }
                Found::None => chromatic.at_least = chromatic.at_most,
                Found::Unknown => break,
            }
        }
        chromatic
    }

    /// Searches for a colouring with `number` colours and adds the reports of its searches to
    /// `report`.
    // Inlined so that its search is compiled only in crates that call it.
    #[inline]
    fn with_colours(
        &self,
        number: usize,
        limits: &Limits,
        began: Instant,
        report: &mut Option<Report>,
    ) -> Found<Vec<usize>> {
        let mut colours = vec![UNCOLOURED; self.graph().vertices()];
        let core = Core::new(self.graph(), number);
        for Component { graph, vertices } in core.components(self.graph()) {
            let component = Coloring::new(graph);
            let Ok(network) = component.network(number, &component.clique()) else {
                return Found::Unknown;
            };
            let mut remaining = limits.clone();
            remaining.nodes = limits
                .nodes
                .map(|nodes| nodes.saturating_sub(report.as_ref().map_or(0, Report::nodes)));
            remaining.time = limits.time.map(|time| time.saturating_sub(began.elapsed()));
            let search = Search::new(&network)
                .hooks((Propagate::forward(),))
                .brancher(Dsatur::new(component.graph()));
            let (found, account) =
                search.limits(remaining).extract(Assignment::of).first().into_parts();
            let stop = account.stop();
            let mut total = match report.take() {
                Some(total) => total + account,
                None => account,
            };
            total.stop = stop;
            *report = Some(total);
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
fn number_of(colours: &[usize]) -> usize {
    colours.iter().max().map_or(0, |&colour| colour + 1)
}

/// A connected component of a graph's core, as a graph of its own.
struct Component {
    graph: Graph,
    /// The vertex of the whole graph that each vertex corresponds to.
    vertices: Vec<usize>,
}

/// The k-core of a graph: the rest when vertices with fewer than k neighbours have been peeled off.
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
        // The number of each vertex in its component.
        let mut place = vec![usize::MAX; graph.vertices()];
        let mut components = Vec::new();
        for start in (0..graph.vertices()).filter(|&vertex| !self.is_peeled[vertex]) {
            if place[start] != usize::MAX {
                continue;
            }
            let mut vertices = vec![start];
            place[start] = 0;
            let mut next = 0;
            while let Some(&vertex) = vertices.get(next) {
                next += 1;
                for other in graph.neighbours(vertex).filter(|&other| !self.is_peeled[other]) {
                    if place[other] == usize::MAX {
                        place[other] = vertices.len();
                        vertices.push(other);
                    }
                }
            }
            let onward = |(number, &vertex): (usize, &usize)| {
                let others = graph
                    .neighbours(vertex)
                    .filter(|&other| !self.is_peeled[other])
                    .map(|other| place[other]);
                others
                    .filter(|&other| other > number)
                    .map(|other| (number, other))
                    .collect::<Vec<_>>()
            };
            let edges: Vec<(usize, usize)> = vertices.iter().enumerate().flat_map(onward).collect();
            let graph =
                Graph::from_edges(vertices.len(), edges).expect("a subgraph is a valid graph");
            components.push(Component { graph, vertices });
        }
        components.sort_by_key(|component| std::cmp::Reverse(component.vertices.len()));
        components
    }
}
