//! Hamiltonian cycles of any graph: [`HamiltonianCycles`].

use super::paths::{Ends, Paths, Rule, profile_of_paths};
use crate::plug::code::{Mates, Word};
use crate::plug::graph::{FrontierPlan, Order};
use crate::plug::{ContourProblem, TooWide};

/// The Hamiltonian cycles of a graph: cycles that visit every vertex once.
///
/// Of the part of a cycle behind the frontier, a state knows for each vertex of the frontier
/// whether it is untouched, has a path going through, or is an end of a path, and then of which.
/// Taking an edge joins two ends; leaving it out takes nothing. A state dies
///
/// - when a vertex has fewer edges left than it still needs,
/// - when a cycle closes and any vertex is still to be visited.
///
/// Cycles have no direction and no beginning. A graph of fewer than three vertices has none. Labels
/// say whether an edge is taken, in the order of the edges.
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
/// (Square grids of even side: OEIS A003763. Closed knight's tours, directed: A001230.)
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
}

profile_of_paths!(HamiltonianCycles);
