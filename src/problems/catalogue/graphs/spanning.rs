//! Spanning trees, forests and connected subgraphs of any graph: [`SpanningSubgraphs`].

use std::marker::PhantomData;

use crate::plug::code::{Joined, Labels, Word};
use crate::plug::graph::{Cell, FrontierPlan, Order};
use crate::plug::{ContourProblem, TooWide};

/// The sets of edges to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spanning {
    /// Sets that connect all vertices and contain no cycle.
    Trees,
    /// Sets that contain no cycle.
    Forests,
    /// Sets that connect all vertices.
    Connected,
}

/// The sets of edges of a graph that connect all its vertices, or contain no cycle, or both.
///
/// A state has for each vertex of the frontier its component, as a label. Taking an edge merges two
/// components, or closes a cycle if they are the same. When the last vertex of a component leaves,
/// the component can never be connected with the rest. (Sekine, Imai and Tani, 1995, with the same
/// states, for the Tutte polynomial.)
///
/// A graph without vertices has no spanning tree and is not connected; its only forest is the empty
/// set. A label states whether an edge is taken, in the order of the edges.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::plug::graph::{Graph, Order};
/// use secateurs::problems::catalogue::graphs::SpanningSubgraphs;
///
/// let graph = Graph::complete(5)?;
/// let order = Order::as_given(&graph);
/// let count = |sets| Sweep::new(&sets).count().exact();
/// assert_eq!(count(SpanningSubgraphs::trees(&order)), Some(5u128.pow(3))); // Cayley, 1889
/// assert_eq!(count(SpanningSubgraphs::forests(&order)), Some(291));
/// assert_eq!(count(SpanningSubgraphs::connected(&order)), Some(728));
/// # Ok::<(), secateurs::plug::graph::GraphError>(())
/// ```
///
/// States are [`Labels`] of `BITS` bits in a word `W`. By default, frontiers of 14 slots fit;
/// `SpanningSubgraphs::<u128, 5>` has room for 25.
#[derive(Clone, Debug)]
pub struct SpanningSubgraphs<W: Word = u64, const BITS: u32 = 4> {
    frontier: FrontierPlan,
    kind: Spanning,
    word: PhantomData<W>,
}

impl SpanningSubgraphs {
    /// Creates the problem of spanning trees of the graph of `order`, with a frontier of up to 14
    /// slots.
    #[must_use]
    pub fn trees(order: &Order<'_>) -> Self {
        Self::with_word(order, Spanning::Trees)
    }

    /// Creates the problem of sets of edges without a cycle, including the empty set.
    #[must_use]
    pub fn forests(order: &Order<'_>) -> Self {
        Self::with_word(order, Spanning::Forests)
    }

    /// Creates the problem of sets of edges that connect all vertices.
    #[must_use]
    pub fn connected(order: &Order<'_>) -> Self {
        Self::with_word(order, Spanning::Connected)
    }
}

impl<W: Word, const BITS: u32> SpanningSubgraphs<W, BITS> {
    /// Creates the problem of any kind, with labels of `BITS` bits in this word.
    #[must_use]
    pub fn with_word(order: &Order<'_>, kind: Spanning) -> Self {
        SpanningSubgraphs { frontier: FrontierPlan::new(order), kind, word: PhantomData }
    }

    /// Returns the plan of the sweep. Its [`taken`](FrontierPlan::taken) converts labels to edges.
    #[must_use]
    pub fn frontier(&self) -> &FrontierPlan {
        &self.frontier
    }

    /// Returns the state without the vertices that leave; `None` if one of them cuts off a
    /// component.
    #[inline]
    fn leave(&self, place: &Cell, mut state: Labels<W, BITS>) -> Option<Labels<W, BITS>> {
        for end in place.ends().into_iter().filter(|end| end.leaves()) {
            state = match state.close(end.slot()) {
                Joined::Whole(rest) if self.kind != Spanning::Forests => {
                    // A complete component may leave only if it contains all vertices.
                    (rest.is_empty() && place.to_come() == 0).then_some(rest)?
                }
                closed => closed.state(),
            };
        }
        Some(state.canonical())
    }
}

impl<W: Word, const BITS: u32> ContourProblem for SpanningSubgraphs<W, BITS> {
    type State = Labels<W, BITS>;
    /// Whether the edge is taken.
    type Label = bool;

    fn cells(&self) -> usize {
        self.frontier.cells().len()
    }
    fn start(&self) -> Self::State {
        Labels::EMPTY
    }
    #[inline]
    fn step(&self, cell: usize, mut state: Self::State, emit: &mut impl FnMut(Self::State, bool)) {
        let place = &self.frontier.cells()[cell];
        let [one, other] = place.ends();
        for end in [one, other].into_iter().filter(|end| end.enters()) {
            state = state.fresh(end.slot()).canonical();
        }
        if let Some(next) = self.leave(place, state) {
            emit(next, false);
        }
        let joined = match state.connect(one.slot(), other.slot()) {
            Joined::Loop(_) if self.kind != Spanning::Connected => None,
            joined => self.leave(place, joined.state()),
        };
        if let Some(next) = joined {
            emit(next, true);
        }
    }
    fn accept(&self, _: Self::State) -> bool {
        match self.frontier.vertices() {
            _ if self.kind == Spanning::Forests => true,
            0 => false,
            1 => true,
            _ => self.frontier.isolated() == 0,
        }
    }
    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        let slots = self.frontier.cells()[cell].slots();
        Labels::<W, BITS>::fits(slots, slots)
    }
}
