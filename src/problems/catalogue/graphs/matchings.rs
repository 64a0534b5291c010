//! Matchings of any graph: [`Matchings`].

use crate::plug::code::{Bits, Word};
use crate::plug::graph::{FrontierPlan, Order};
use crate::plug::{ContourProblem, TooWide};

/// The matchings of a graph: sets of edges of which no two have a vertex in common, the empty set
/// included. Or only those that are [perfect](Self::perfect): that touch every vertex.
///
/// A state knows which vertices of the frontier are matched, a bit for each. (The number of all
/// matchings is Hosoya's index, 1971, of the graph of a molecule. That of the perfect ones is a
/// permanent if the graph is bipartite; to count them is hard where deciding on one is easy:
/// Valiant, 1979.)
///
/// Labels say whether an edge is taken, in the order of the edges.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::plug::graph::{Graph, Order};
/// use secateurs::problems::catalogue::graphs::Matchings;
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
    word: std::marker::PhantomData<W>,
}

impl Matchings {
    /// The matchings of the graph of `order`, whose frontier has up to 64 slots.
    #[must_use]
    pub fn new(order: &Order<'_>) -> Self {
        Self::with_word(order)
    }
}

impl<W: Word> Matchings<W> {
    /// The same, for frontiers of as many slots as there are bits in such a word.
    #[must_use]
    pub fn with_word(order: &Order<'_>) -> Self {
        Matchings {
            frontier: FrontierPlan::new(order),
            perfect: false,
            word: std::marker::PhantomData,
        }
    }

    /// Only those that touch every vertex.
    #[must_use]
    pub fn perfect(mut self) -> Self {
        self.perfect = true;
        self
    }

    /// The edges in their order, with what becomes of the frontier. Its
    /// [`taken`](FrontierPlan::taken) gives the edges of a solution.
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
        let mut put = |state: Bits<W>, taken| {
            let leaving = || [one, other].into_iter().filter(|end| end.leaves());
            if !self.perfect || leaving().all(|end| state.get(end.slot())) {
                emit(leaving().fold(state, |state, end| state.with(end.slot(), false)), taken);
            }
        };
        put(state, false);
        if !state.get(one.slot()) && !state.get(other.slot()) {
            put(state.with(one.slot(), true).with(other.slot(), true), true);
        }
    }
    fn accept(&self, _: Bits<W>) -> bool {
        !self.perfect || self.frontier.isolated() == 0
    }
    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        Bits::<W>::fits(self.frontier.cells()[cell].slots())
    }
}
