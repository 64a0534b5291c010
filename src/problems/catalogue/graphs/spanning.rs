//! Sets of edges of any graph by what they connect: [`SpanningSubgraphs`].

use std::marker::PhantomData;

use crate::plug::code::{Joined, Labels, Word};
use crate::plug::graph::{Cell, FrontierPlan, Order};
use crate::plug::{ContourProblem, TooWide};

/// Which sets of edges are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spanning {
    /// Those that connect all vertices and close no circle.
    Trees,
    /// Those that close no circle.
    Forests,
    /// Those that connect all vertices.
    Connected,
}

/// Sets of edges of a graph that connect all its vertices, or that close no circle, or both.
///
/// Of the edges taken behind the frontier, a state knows which vertices of the frontier they
/// connect: a label for each vertex, the same for those of one component. Taking an edge makes one
/// component of two, unless they are one: then it closes a circle. When the last vertex of a
/// component leaves, it can never be connected with the rest. (Sekine, Imai and Tani, 1995, who
/// count by states of this kind all that the Tutte polynomial does.)
///
/// A graph without vertices has no spanning tree and is not connected; the empty set is its one
/// forest. Labels of the profile say whether an edge is taken, in the order of the edges.
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
/// `SpanningSubgraphs::<u128, 5>` takes 25.
#[derive(Clone, Debug)]
pub struct SpanningSubgraphs<W: Word = u64, const BITS: u32 = 4> {
    frontier: FrontierPlan,
    kind: Spanning,
    word: PhantomData<W>,
}

impl SpanningSubgraphs {
    /// The spanning trees of the graph of `order`, whose frontier has up to 14 slots.
    #[must_use]
    pub fn trees(order: &Order<'_>) -> Self {
        Self::with_word(order, Spanning::Trees)
    }

    /// The sets of edges without circles, the empty one included.
    #[must_use]
    pub fn forests(order: &Order<'_>) -> Self {
        Self::with_word(order, Spanning::Forests)
    }

    /// The sets of edges that connect all vertices.
    #[must_use]
    pub fn connected(order: &Order<'_>) -> Self {
        Self::with_word(order, Spanning::Connected)
    }
}

impl<W: Word, const BITS: u32> SpanningSubgraphs<W, BITS> {
    /// Sets of edges of any kind, with labels of `BITS` bits in such a word.
    #[must_use]
    pub fn with_word(order: &Order<'_>, kind: Spanning) -> Self {
        SpanningSubgraphs { frontier: FrontierPlan::new(order), kind, word: PhantomData }
    }

    /// The edges in their order, with what becomes of the frontier. Its
    /// [`taken`](FrontierPlan::taken) gives the edges of a solution.
    #[must_use]
    pub fn frontier(&self) -> &FrontierPlan {
        &self.frontier
    }

    /// The state without the vertices that leave; `None` if one of them cuts off a component.
    #[inline]
    fn leave(&self, place: &Cell, mut state: Labels<W, BITS>) -> Option<Labels<W, BITS>> {
        for end in place.ends().into_iter().filter(|end| end.leaves()) {
            state = match state.close(end.slot()) {
                Joined::Whole(rest) if self.kind != Spanning::Forests => {
                    // Only all together may go.
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
