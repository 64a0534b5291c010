//! Subgraphs of any graph: [`IndependentSets`], [`Matchings`], and spanning trees, forests and
//! connected subgraphs, [`SpanningSubgraphs`].

use std::marker::PhantomData;

use secateurs::plug::code::{Bits, Joined, Labels, Word};
use secateurs::plug::graph::{Cell, FrontierPlan, Graph, Order};
use secateurs::plug::{ContourProblem, TooWide};

/// The independent sets of a graph: sets of pairwise non-adjacent vertices, including the empty
/// set.
///
/// Cells are vertices here, in the [order of their last edges](Order::vertices). A state has one
/// bit for each earlier vertex that has later neighbours: whether it is chosen. A vertex may be
/// chosen if none of its earlier neighbours is. (Statistical physics calls this the hard-core
/// lattice gas; on a grid, its particles are hard squares: Gaunt and Fisher, 1965.)
///
/// A label states whether a vertex is chosen.
///
/// ```
/// use secateurs::Direction;
/// use secateurs::plug::Sweep;
/// use secateurs::plug::graph::{Graph, Order};
/// use secateurs_problems::catalogue::graphs::IndependentSets;
///
/// let kings = Graph::king(3, 3)?;
/// let sets = IndependentSets::new(&Order::narrowest(&kings));
/// assert_eq!(Sweep::new(&sets).count().exact(), Some(35)); // sets of non-attacking kings
///
/// let size = |_: usize, chosen: bool| i64::from(chosen);
/// let largest = Sweep::new(&sets).best(Direction::Maximise, size);
/// assert_eq!(largest.proven(), Some(&4));
/// let labels = largest.solution().expect("a largest set");
/// assert_eq!(sets.chosen(labels).count(), 4); // the corners
/// # Ok::<(), secateurs::plug::graph::GraphError>(())
/// ```
#[derive(Clone, Debug)]
pub struct IndependentSets<W: Word = u64> {
    cells: Vec<Place<W>>,
}

/// A vertex as a cell of the sweep.
#[derive(Clone, Copy, Debug)]
struct Place<W: Word> {
    vertex: usize,
    slot: usize,
    /// The slots of its earlier neighbours.
    behind: W,
    /// The slots that become free: those of vertices whose neighbours have all been swept by then,
    /// the vertex itself included.
    leaving: W,
    /// The number of slots in use up to here.
    slots: usize,
}

impl IndependentSets {
    /// Creates the problem for the graph of `order`, with at most 64 vertices at a time that have
    /// both earlier and later neighbours.
    #[must_use]
    pub fn new(order: &Order<'_>) -> Self {
        Self::with_word(order)
    }
}

impl<W: Word> IndependentSets<W> {
    /// Creates the problem with as many slots as the word has bits.
    #[must_use]
    pub fn with_word(order: &Order<'_>) -> Self {
        IndependentSets { cells: places(order.graph(), &order.vertices()) }
    }

    /// Returns the vertices of a set that is given by its labels.
    pub fn chosen<'a>(&'a self, labels: &'a [bool]) -> impl Iterator<Item = usize> + 'a {
        self.cells.iter().zip(labels).filter(|&(_, &chosen)| chosen).map(|(place, _)| place.vertex)
    }
}

fn places<W: Word>(graph: &Graph, order: &[usize]) -> Vec<Place<W>> {
    let mut to_come: Vec<usize> =
        (0..graph.vertices()).map(|vertex| graph.degree(vertex)).collect();
    let mut slot_of: Vec<Option<usize>> = vec![None; graph.vertices()];
    let mut free = std::collections::BTreeSet::new();
    let mut slots = 0;
    // Slots beyond the word are never used: see `fits`.
    let bit = |slot: usize| match u32::try_from(slot) {
        Ok(slot) if slot < W::BITS => W::ONE << slot,
        _ => W::ZERO,
    };
    let place = |&vertex: &usize| {
        let slot = free.pop_first().unwrap_or(slots);
        slots = slots.max(slot + 1);
        slot_of[vertex] = Some(slot);
        let (mut behind, mut leaving) = (W::ZERO, W::ZERO);
        for neighbour in graph.neighbours(vertex) {
            to_come[neighbour] -= 1;
            if let Some(slot) = slot_of[neighbour] {
                behind |= bit(slot);
                if to_come[neighbour] == 0 {
                    leaving |= bit(slot);
                    free.insert(slot);
                }
            }
        }
        if to_come[vertex] == 0 {
            leaving |= bit(slot);
            free.insert(slot);
        }
        Place { vertex, slot, behind, leaving, slots }
    };
    order.iter().map(place).collect()
}

impl<W: Word> ContourProblem for IndependentSets<W> {
    type State = Bits<W>;
    /// Whether the vertex is chosen.
    type Label = bool;

    fn cells(&self) -> usize {
        self.cells.len()
    }
    fn start(&self) -> Bits<W> {
        Bits::EMPTY
    }
    #[inline]
    fn step(&self, cell: usize, state: Bits<W>, emit: &mut impl FnMut(Bits<W>, bool)) {
        let place = &self.cells[cell];
        let without_leaving = |state: Bits<W>| Bits::from_word(state.word() & !place.leaving);
        emit(without_leaving(state), false);
        if state.word() & place.behind == W::ZERO {
            emit(without_leaving(state.with(place.slot, true)), true);
        }
    }
    fn accept(&self, _: Bits<W>) -> bool {
        true
    }
    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        Bits::<W>::fits(self.cells[cell].slots)
    }
    fn is_legal(&self, _: usize, state: Bits<W>) -> bool {
        state.len() <= self.cells.last().map_or(0, |place| place.slots)
    }
}

/// The matchings of a graph: sets of edges without common vertices, including the empty set; or
/// only the [perfect](Self::perfect) ones, which cover every vertex.
///
/// A state has one bit for each vertex of the frontier: whether it is matched. (The number of all
/// matchings is Hosoya's index, 1971, of the graph of a molecule. The number of perfect matchings
/// of a bipartite graph is a permanent; counting them is hard although finding one is easy:
/// Valiant, 1979.)
///
/// A label states whether an edge is taken, in the order of the edges.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::plug::graph::{Graph, Order};
/// use secateurs_problems::catalogue::graphs::Matchings;
///
/// let cube = Graph::grid(&[2, 2, 2])?;
/// let matchings = Matchings::new(&Order::narrowest(&cube));
/// assert_eq!(Sweep::new(&matchings).count().exact(), Some(108));
/// assert_eq!(Sweep::new(&matchings.perfect()).count().exact(), Some(9));
/// # Ok::<(), secateurs::plug::graph::GraphError>(())
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
        let [one, other] = self.frontier.cells()[cell].ends();
        let mut leave_and_emit = |state: Bits<W>, taken| {
            let leaving = || [one, other].into_iter().filter(|end| end.leaves());
            if !self.perfect || leaving().all(|end| state.get(end.slot())) {
                emit(leaving().fold(state, |state, end| state.with(end.slot(), false)), taken);
            }
        };
        leave_and_emit(state, false);
        if !state.get(one.slot()) && !state.get(other.slot()) {
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
/// use secateurs_problems::catalogue::graphs::SpanningSubgraphs;
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
