//! Sets of edges of any graph: [`Matchings`], sets with given degrees, [`Factors`], and spanning
//! trees, forests and connected subgraphs, [`SpanningSubgraphs`].

use std::marker::PhantomData;
use std::ops::RangeInclusive;

use crate::graph::{Cell, FrontierPlan, Order};
use secateurs::plug::code::{Bits, Joined, Labels, Word};
use secateurs::plug::{ContourProblem, TooWide};

/// The matchings of a graph: sets of edges without common vertices, including the empty set; or
/// only the [perfect](Self::perfect) ones, which cover every vertex.
///
/// A state has one bit for each vertex of the frontier: whether it is matched. (The number of all
/// matchings is Hosoya's index, 1971, of the graph of a molecule. The number of perfect matchings
/// of a bipartite graph is a permanent; counting them is hard although finding one is easy:
/// Valiant, 1979.)
///
/// A label states whether an edge is taken, in the order of the edges. Matchings that differ in
/// parallel edges are different; no matching has a loop.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs_problems::graph::{Graph, Order};
/// use secateurs_problems::catalogue::graphs::Matchings;
///
/// let cube = Graph::grid(&[2, 2, 2])?;
/// let matchings = Matchings::new(&Order::narrowest(&cube));
/// assert_eq!(Sweep::new(&matchings).count().exact(), Some(108));
/// assert_eq!(Sweep::new(&matchings.perfect()).count().exact(), Some(9));
/// # Ok::<(), secateurs_problems::graph::GraphError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Matchings<W: Word = u64> {
    frontier: FrontierPlan,
    perfect: bool,
    word: PhantomData<W>,
}

impl Matchings {
    /// Creates the problem for the graph of `order`, with a frontier of up to 64 slots.
    #[must_use]
    pub fn new(order: &Order<'_>) -> Self {
        Self::with_word(order)
    }
}

impl<W: Word> Matchings<W> {
    /// Creates the problem with as many slots as the word has bits.
    #[must_use]
    pub fn with_word(order: &Order<'_>) -> Self {
        Matchings { frontier: FrontierPlan::new(order), perfect: false, word: PhantomData }
    }

    /// Restricts the problem to perfect matchings.
    #[must_use]
    pub fn perfect(mut self) -> Self {
        self.perfect = true;
        self
    }

    /// Returns the plan of the sweep. Its [`taken`](FrontierPlan::taken) converts labels to edges.
    #[must_use]
    pub fn frontier(&self) -> &FrontierPlan {
        &self.frontier
    }
}

impl<W: Word> ContourProblem for Matchings<W> {
    type State = Bits<W>;
    /// Whether the edge is taken.
    type Label = bool;

    fn cells(&self) -> usize {
        self.frontier.cells().len()
    }
    fn start(&self) -> Bits<W> {
        Bits::EMPTY
    }
    #[inline]
    fn step(&self, cell: usize, state: Bits<W>, emit: &mut impl FnMut(Bits<W>, bool)) {
        let place = &self.frontier.cells()[cell];
        let [one, other] = place.ends();
        let mut leave_and_emit = |state: Bits<W>, taken| {
            let leaving = || [one, other].into_iter().filter(|end| end.leaves());
            if !self.perfect || leaving().all(|end| state.get(end.slot())) {
                emit(leaving().fold(state, |state, end| state.with(end.slot(), false)), taken);
            }
        };
        leave_and_emit(state, false);
        if !state.get(one.slot()) && !state.get(other.slot()) && !place.is_loop() {
            leave_and_emit(state.with(one.slot(), true).with(other.slot(), true), true);
        }
    }
    fn accept(&self, _: Bits<W>) -> bool {
        !self.perfect || self.frontier.isolated() == 0
    }
    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        Bits::<W>::fits(self.frontier.cells()[cell].slots())
    }
    fn is_legal(&self, _: usize, state: Bits<W>) -> bool {
        state.len() <= self.frontier.slots()
    }
}

/// The sets of edges of a graph in which the degree of each vertex is in a given range: 2-factors,
/// edge covers, and others. (They are known as (*g*, *f*)-factors: Lovász, 1970.)
///
/// A state has for each vertex of the frontier its degree in the set, up to the highest one that
/// makes a difference, as a number of `BITS` bits. By default, 32 slots and degrees up to 2 fit,
/// and in `Factors::<u128, 4>` 32 slots and degrees up to 14. If the degrees do not fit, no sweep
/// begins.
///
/// A label states whether an edge is taken, in the order of the edges. Sets that differ in parallel
/// edges are different. A loop counts twice in the degree of its vertex.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs_problems::graph::{Graph, Order};
/// use secateurs_problems::catalogue::graphs::Factors;
///
/// let grid = Graph::grid(&[4, 4])?;
/// let order = Order::narrowest(&grid);
/// assert_eq!(Sweep::new(&Factors::regular(&order, 2)).count().exact(), Some(18)); // 2-factors
/// let covers = Factors::new(&order, |_| 1..=usize::MAX); // edge covers
/// assert_eq!(Sweep::new(&covers).count().exact(), Some(2_180_738));
/// # Ok::<(), secateurs_problems::graph::GraphError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Factors<W: Word = u64, const BITS: u32 = 2> {
    frontier: FrontierPlan,
    /// The least degree of each vertex, and the greatest one, or `None` if it makes no difference.
    degrees: Vec<(usize, Option<usize>)>,
    /// The greatest number in a state.
    greatest: usize,
    /// Whether a vertex without edges may have degree 0.
    accepts_isolated: bool,
    word: PhantomData<W>,
}

impl Factors {
    /// Creates the problem for the graph of `order`, with a frontier of up to 32 slots. `degrees`
    /// returns the range of the degrees of each vertex.
    #[must_use]
    pub fn new(order: &Order<'_>, degrees: impl Fn(usize) -> RangeInclusive<usize>) -> Self {
        Self::with_word(order, degrees)
    }

    /// Creates the problem of the *k*-factors: all degrees are this number.
    #[must_use]
    pub fn regular(order: &Order<'_>, degree: usize) -> Self {
        Self::with_word(order, |_| degree..=degree)
    }
}

impl<W: Word, const BITS: u32> Factors<W, BITS> {
    /// Creates the problem with as many slots of `BITS` bits as the word has room for.
    #[must_use]
    pub fn with_word(order: &Order<'_>, degrees: impl Fn(usize) -> RangeInclusive<usize>) -> Self {
        let graph = order.graph();
        let range = |vertex: usize| {
            let (least, greatest) = degrees(vertex).into_inner();
            (least, Some(greatest).filter(|&greatest| greatest < graph.degree(vertex)))
        };
        let degrees: Vec<_> = (0..graph.vertices()).map(range).collect();
        let has_edges = |vertex: &usize| graph.degree(*vertex) > 0;
        let with_edges = (0..graph.vertices()).filter(has_edges).map(|vertex| degrees[vertex]);
        let is_zero_allowed = |vertex: usize| degrees[vertex] == (0, None);
        Factors {
            greatest: with_edges
                .map(|(least, most)| least.max(most.unwrap_or(0)))
                .max()
                .unwrap_or(0),
            accepts_isolated: (0..graph.vertices())
                .all(|vertex| has_edges(&vertex) || is_zero_allowed(vertex)),
            frontier: FrontierPlan::new(order),
            degrees,
            word: PhantomData,
        }
    }

    /// Returns the plan of the sweep. Its [`taken`](FrontierPlan::taken) converts labels to edges.
    #[must_use]
    pub fn frontier(&self) -> &FrontierPlan {
        &self.frontier
    }
}

impl<W: Word, const BITS: u32> ContourProblem for Factors<W, BITS> {
    /// The degree of each vertex in the set.
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
    fn step(&self, cell: usize, state: Self::State, emit: &mut impl FnMut(Self::State, bool)) {
        let ends = self.frontier.cells()[cell].ends();
        'labels: for taken in [false, true] {
            let mut next = state;
            for end in ends {
                let (least, greatest) = self.degrees[end.vertex()];
                let degree = usize::from(next.get(end.slot())) + usize::from(taken);
                if greatest.is_some_and(|greatest| degree > greatest)
                    || degree + end.later() < least
                {
                    continue 'labels;
                }
                // Degrees from `least` on are equivalent if there is no greatest one.
                let degree = if greatest.is_none() { degree.min(least) } else { degree };
                #[allow(clippy::cast_possible_truncation)] // `fits` bounds it
                let degree = if end.leaves() { 0 } else { degree as u8 };
                next = next.with(end.slot(), degree);
            }
            emit(next, taken);
        }
    }
    fn accept(&self, _: Self::State) -> bool {
        self.accepts_isolated
    }
    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        Labels::<W, BITS>::fits(self.frontier.cells()[cell].slots(), self.greatest)
    }
    fn is_legal(&self, _: usize, state: Self::State) -> bool {
        state.len() <= self.frontier.slots()
            && state.iter().all(|degree| usize::from(degree) <= self.greatest)
    }
}

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
/// set. A label states whether an edge is taken, in the order of the edges. Sets that differ in
/// parallel edges are different; two parallel edges are a cycle, and so is a loop.
///
/// The *rooted forests* of a graph, the forests with a root in each tree, are the spanning trees of
/// the graph [with an apex](crate::graph::Graph::with_apex). Forests with given roots are
/// those of [`Connecting::forests`](super::Connecting::forests).
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs_problems::graph::{Graph, Order};
/// use secateurs_problems::catalogue::graphs::SpanningSubgraphs;
///
/// let graph = Graph::complete(5)?;
/// let order = Order::as_given(&graph);
/// let count = |sets| Sweep::new(&sets).count().exact();
/// assert_eq!(count(SpanningSubgraphs::trees(&order)), Some(5u128.pow(3))); // Cayley, 1889
/// assert_eq!(count(SpanningSubgraphs::forests(&order)), Some(291));
/// assert_eq!(count(SpanningSubgraphs::connected(&order)), Some(728));
/// let with_apex = graph.with_apex()?;
/// let rooted = SpanningSubgraphs::trees(&Order::narrowest(&with_apex));
/// assert_eq!(count(rooted), Some(6u128.pow(4))); // Cayley, 1889
/// # Ok::<(), secateurs_problems::graph::GraphError>(())
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
                Joined::Complete(rest) if self.kind != Spanning::Forests => {
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
            state = state.fresh(end.slot());
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
    /// The vertices of the frontier are in components, and the other slots are empty.
    fn is_legal(&self, cell: usize, state: Self::State) -> bool {
        state.is_legal(self.frontier.slots())
            && !state.has(Labels::<W, BITS>::RESERVED)
            && self.frontier.occupied(cell)
                == state
                    .iter()
                    .enumerate()
                    .fold(0, |slots, (slot, label)| slots | u128::from(label != 0) << slot)
    }
}
