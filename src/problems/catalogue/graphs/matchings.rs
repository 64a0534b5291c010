//! Matchings of any graph: [`Matchings`].

use crate::plug::code::{Bits, Word};
use crate::plug::graph::{FrontierPlan, Order};
use crate::plug::{ContourProblem, TooWide};

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
        Matchings {
            frontier: FrontierPlan::new(order),
            perfect: false,
            word: std::marker::PhantomData,
        }
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
