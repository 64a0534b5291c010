//! Hamiltonian cycles of any graph: [`HamiltonianCycles`].

use super::paths::{Ends, Paths, Rule};
use crate::plug::code::{Mates, Word};
use crate::plug::graph::{Frontier, Order};
use crate::plug::{Profile, TooWide};

/// The Hamiltonian cycles of a graph: cycles that visit every vertex once.
///
/// Of the part of a cycle behind the frontier, a state knows for each vertex of the frontier whether it is untouched, has a
/// path going through, or is an end of a path, and then of which. Taking an edge joins two ends; leaving it out takes
/// nothing. A state dies
///
/// - when a vertex has fewer edges left than it still needs,
/// - when a cycle closes and any vertex is still to be visited.
///
/// Cycles have no direction and no beginning. A graph of fewer than three vertices has none. The labels say whether an edge
/// is taken, in the [order](Order) of the edges; see [`Frontier::taken`].
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::plug::graph::{Graph, Order};
/// use secateurs::problems::catalogue::graphs::HamiltonianCycles;
///
/// let king = Graph::king(4, 4)?;
/// let tours = HamiltonianCycles::new(&Order::narrowest(&king));
/// assert_eq!(Sweep::new(&tours).count().exact(), Some(2830));
/// # Ok::<(), secateurs::plug::graph::GraphError>(())
/// ```
///
/// (The count on grids is [A003763](https://oeis.org/A003763), of a knight's tours of the board, undirected,
/// [A001230](https://oeis.org/A001230) halved.)
#[derive(Clone, Debug)]
pub struct HamiltonianCycles<W: Word = u64>(Paths<W>);

impl HamiltonianCycles {
    /// The Hamiltonian cycles of the graph of `order`, whose frontier has up to 16 slots.
    #[must_use]
    pub fn new(order: &Order<'_>) -> Self {
        Self::with_word(order)
    }
}

impl<W: Word> HamiltonianCycles<W> {
    /// The same, for frontiers as wide as [`Mates`] in such a word: 25 slots in a `u128`.
    #[must_use]
    pub fn with_word(order: &Order<'_>) -> Self {
        HamiltonianCycles(Paths::new(order, Rule { all: true, ends: Ends::None }))
    }

    /// The edges in their order, with what becomes of the frontier.
    #[must_use]
    pub fn frontier(&self) -> &Frontier {
        &self.0.frontier
    }
}

impl<W: Word> Profile for HamiltonianCycles<W> {
    type State = Mates<W>;
    type Label = bool;

    fn cells(&self) -> usize {
        self.0.frontier.cells().len()
    }
    fn start(&self) -> Mates<W> {
        Mates::EMPTY
    }
    #[inline]
    fn step(&self, cell: usize, state: Mates<W>, emit: &mut impl FnMut(Mates<W>, bool)) {
        self.0.step(cell, state, emit);
    }
    fn accept(&self, state: Mates<W>) -> bool {
        self.0.is_closed(state) && self.0.frontier.isolated() == 0
    }
    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        self.0.fits(cell)
    }
}
