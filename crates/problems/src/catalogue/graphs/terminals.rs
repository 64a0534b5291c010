//! Sets of edges that connect given vertices of any graph: [`Connecting`].

use std::marker::PhantomData;

use crate::graph::{Cell, FrontierPlan, Order};
use secateurs::plug::code::{Bits, Joined, Labels, Word};
use secateurs::plug::{ContourProblem, TooWide};

use crate::InstanceError;

/// The sets of edges that connect given vertices, the *terminals*: all such sets, or only those
/// that are trees; or the opposite, forests that separate them.
///
/// The states are those of [`SpanningSubgraphs`](super::SpanningSubgraphs), where a vertex without
/// an edge that is no terminal has no component; and for each vertex of the frontier, whether its
/// component has a terminal. The last vertex of such a component may leave only if it has all
/// terminals. (Hardy, Lucet and Limnios, 2007, *K-terminal network reliability measures with binary
/// decision diagrams*.)
///
/// A label states whether an edge is taken, in the order of the edges. Sets that differ in parallel
/// edges are different. A loop connects nothing, and no tree has one.
///
/// The probability that the terminals are connected if each edge fails with a probability of its
/// own is a [sum of products](secateurs::plug::algebra::SumOfProducts). If all edges fail with the
/// same probability, it follows from the number of sets of each size:
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::plug::algebra::CountByWeight;
/// use secateurs_problems::graph::{Graph, Order};
/// use secateurs_problems::catalogue::graphs::Connecting;
///
/// let square = Graph::cycle(4)?;
/// let sets = Connecting::new(&Order::narrowest(&square), &[0, 2])?;
/// let size = CountByWeight::new(|_: usize, taken: bool| i64::from(taken));
/// let outcome = Sweep::new(&sets).run(&size);
/// let by_size = outcome.total().ok_or("no limit was set")?;
/// assert_eq!(by_size.terms().map(|(size, sets)| (size, sets.to_string())).collect::<Vec<_>>(), [
///     (2, "2".to_owned()),
///     (3, "4".to_owned()),
///     (4, "1".to_owned()),
/// ]);
/// // 2 p² (1 - p)² + 4 p³ (1 - p) + p⁴
///
/// // The least tree of edges that contains three corners of a grid (Steiner's problem).
/// let grid = Graph::grid(&[4, 4])?;
/// let trees = Connecting::trees(&Order::narrowest(&grid), &[0, 3, 12])?;
/// let size = |_: usize, taken: bool| i64::from(taken);
/// let least = Sweep::new(&trees).best(secateurs::Direction::Minimise, size);
/// assert_eq!(least.proven(), Some(&6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// States are [`Labels`] of `BITS` bits in a word `W`. By default, frontiers of 14 slots fit;
/// `Connecting::<u128, 5>` has room for 25.
#[derive(Clone, Debug)]
pub struct Connecting<W: Word = u64, const BITS: u32 = 4> {
    frontier: FrontierPlan,
    /// Whether each vertex is a terminal.
    is_terminal: Vec<bool>,
    /// The number of terminals that enter after each cell.
    to_come: Vec<usize>,
    /// Whether a vertex without an edge rules out all sets.
    is_impossible: bool,
    kind: Terminals,
    word: PhantomData<W>,
}

/// The sets of edges to find, by what they do with the terminals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Terminals {
    /// Sets that connect the terminals.
    Connected,
    /// Trees that contain the terminals: Steiner trees.
    Trees,
    /// Sets of trees that contain all vertices, with exactly one terminal in each.
    Forests,
}

impl Connecting {
    /// Creates the problem of the sets of edges that connect the terminals. With fewer than two
    /// terminals, all sets do.
    ///
    /// # Errors
    /// Returns an error if the graph does not have such vertices.
    pub fn new(order: &Order<'_>, terminals: &[usize]) -> Result<Self, InstanceError> {
        Self::with_word(order, terminals, Terminals::Connected)
    }

    /// Creates the problem of the trees of edges that contain the terminals, and perhaps other
    /// vertices. With fewer than two terminals, the set without edges is one of them; without
    /// terminals it is the only one.
    ///
    /// # Errors
    /// Returns an error if the graph does not have such vertices.
    pub fn trees(order: &Order<'_>, terminals: &[usize]) -> Result<Self, InstanceError> {
        Self::with_word(order, terminals, Terminals::Trees)
    }

    /// Creates the problem of the forests that are rooted at the terminals: sets of trees that
    /// contain all vertices, with exactly one terminal in each. (Kirchhoff, 1847, for one terminal:
    /// spanning trees.)
    ///
    /// ```
    /// use secateurs::plug::Sweep;
    /// use secateurs_problems::graph::{Graph, Order};
    /// use secateurs_problems::catalogue::graphs::Connecting;
    ///
    /// let complete = Graph::complete(6)?;
    /// let forests = Connecting::forests(&Order::narrowest(&complete), &[0, 1])?;
    /// assert_eq!(Sweep::new(&forests).count().exact(), Some(2 * 6_u128.pow(3))); // Cayley, 1889
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the graph does not have such vertices.
    pub fn forests(order: &Order<'_>, terminals: &[usize]) -> Result<Self, InstanceError> {
        Self::with_word(order, terminals, Terminals::Forests)
    }
}

impl<W: Word, const BITS: u32> Connecting<W, BITS> {
    /// Creates any of the problems, with labels of `BITS` bits in this word.
    ///
    /// # Errors
    /// Returns an error if the graph does not have such vertices.
    pub fn with_word(
        order: &Order<'_>,
        terminals: &[usize],
        kind: Terminals,
    ) -> Result<Self, InstanceError> {
        let frontier = FrontierPlan::new(order);
        let graph = order.graph();
        let mut is_terminal = vec![false; graph.vertices()];
        for &vertex in terminals {
            *is_terminal.get_mut(vertex).ok_or_else(|| {
                InstanceError::new(format_args!(
                    "found vertex {vertex} as a terminal, expected one of {} vertices counted \
                     from 0",
                    graph.vertices()
                ))
            })? = true;
        }
        let number = is_terminal.iter().filter(|&&is_terminal| is_terminal).count();
        let alone = (0..graph.vertices()).filter(|&vertex| graph.degree(vertex) == 0);
        let is_impossible = match kind {
            Terminals::Connected | Terminals::Trees => {
                number > 1 && alone.clone().any(|v| is_terminal[v])
            }
            Terminals::Forests => alone.clone().any(|vertex| !is_terminal[vertex]),
        };
        let mut left = number;
        let to_come = frontier.cells().iter().map(|cell| {
            let entering = cell.ends().into_iter().filter(|end| end.enters());
            left -= entering.filter(|end| is_terminal[end.vertex()]).count();
            left
        });
        let to_come = to_come.collect();
        Ok(Connecting { frontier, is_terminal, to_come, is_impossible, kind, word: PhantomData })
    }

    /// Returns the plan of the sweep. Its [`taken`](FrontierPlan::taken) converts labels to edges.
    #[must_use]
    pub fn frontier(&self) -> &FrontierPlan {
        &self.frontier
    }

    /// Returns the state without the vertices that leave; `None` if one of them cuts off a terminal
    /// from others, or a component that may not exist.
    #[inline]
    fn leave(
        &self,
        cell: usize,
        place: &Cell,
        (mut labels, mut marks): (Labels<W, BITS>, Bits<W>),
    ) -> Option<(Labels<W, BITS>, Bits<W>)> {
        for end in place.ends().into_iter().filter(|end| end.leaves()) {
            let slot = end.slot();
            if labels.get(slot) == 0 {
                continue;
            }
            let is_marked = marks.get(slot);
            marks = marks.with(slot, false);
            labels = match labels.close(slot) {
                Joined::Complete(rest) => {
                    let is_allowed = match (self.kind, is_marked) {
                        (Terminals::Forests, _) => is_marked,
                        (_, true) => marks.is_empty() && self.to_come[cell] == 0,
                        (_, false) => self.kind == Terminals::Connected,
                    };
                    is_allowed.then_some(rest)?
                }
                closed => closed.state(),
            };
        }
        Some((labels.canonical(), marks))
    }
}

impl<W: Word, const BITS: u32> ContourProblem for Connecting<W, BITS> {
    /// The components, and the slots of those with a terminal.
    type State = (Labels<W, BITS>, Bits<W>);
    /// Whether the edge is taken.
    type Label = bool;

    fn cells(&self) -> usize {
        self.frontier.cells().len()
    }
    fn start(&self) -> Self::State {
        (Labels::EMPTY, Bits::EMPTY)
    }
    #[inline]
    fn step(
        &self,
        cell: usize,
        (mut labels, mut marks): Self::State,
        emit: &mut impl FnMut(Self::State, bool),
    ) {
        let place = &self.frontier.cells()[cell];
        let [one, other] = place.ends();
        for end in [one, other].into_iter().filter(|end| end.enters()) {
            if self.is_terminal[end.vertex()] {
                labels = labels.fresh(end.slot());
                marks = marks.with(end.slot(), true);
            } else if self.kind == Terminals::Forests {
                labels = labels.fresh(end.slot());
            }
        }
        if let Some(next) = self.leave(cell, place, (labels, marks)) {
            emit(next, false);
        }
        for slot in [one.slot(), other.slot()] {
            if labels.get(slot) == 0 {
                labels = labels.fresh(slot);
            }
        }
        let joined = match labels.connect(one.slot(), other.slot()) {
            Joined::Loop(_) if self.kind != Terminals::Connected => return,
            joined => joined.state(),
        };
        if self.kind == Terminals::Forests && marks.get(one.slot()) && marks.get(other.slot()) {
            return;
        }
        if marks.get(one.slot()) || marks.get(other.slot()) {
            let component = joined.places(joined.get(one.slot()));
            marks = Bits::from_word(marks.word() | component.word());
        }
        if let Some(next) = self.leave(cell, place, (joined, marks)) {
            emit(next, true);
        }
    }
    fn accept(&self, _: Self::State) -> bool {
        !self.is_impossible
    }
    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        let slots = self.frontier.cells()[cell].slots();
        Labels::<W, BITS>::fits(slots, slots)
    }
    /// The vertices of a component are all marked or none.
    fn is_legal(&self, cell: usize, (labels, marks): Self::State) -> bool {
        let slots = self.frontier.slots();
        let occupied = self.frontier.occupied(cell);
        let is_consistent = |(slot, label): (usize, u8)| {
            let component = labels.places(label).word();
            let marked = marks.word() & component;
            label == 0 || occupied >> slot & 1 == 1 && (marked == W::ZERO || marked == component)
        };
        labels.is_legal(slots)
            && !labels.has(Labels::<W, BITS>::RESERVED)
            && marks.plugs().all(|slot| slot < slots && labels.get(slot) != 0)
            && labels.iter().enumerate().all(is_consistent)
    }
}
