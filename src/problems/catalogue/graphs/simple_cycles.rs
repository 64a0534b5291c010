//! Simple cycles of any graph: [`SimpleCycles`].

use super::paths::{Ends, Paths, Rule, profile_of_paths};
use crate::plug::code::{Mates, Word};
use crate::plug::graph::{FrontierPlan, Order};
use crate::plug::{ContourProblem, TooWide};

/// The simple cycles of a graph: those that visit no vertex twice, of any length.
///
/// As for [`HamiltonianCycles`](super::HamiltonianCycles), but a vertex may stay untouched for
/// ever, and a cycle may close as soon as no other path is begun. After that no edge is taken, and
/// nothing is remembered.
///
/// Cycles have no direction and no beginning, and at least three edges. Labels say whether an edge
/// is taken, in the order of the edges.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::plug::graph::{Graph, Order};
/// use secateurs::problems::catalogue::graphs::SimpleCycles;
///
/// let graph = Graph::complete(4)?;
/// let cycles = SimpleCycles::new(&Order::as_given(&graph));
/// assert_eq!(Sweep::new(&cycles).count().exact(), Some(4 + 3)); // of three edges and of four
/// # Ok::<(), secateurs::plug::graph::GraphError>(())
/// ```
///
/// (Square grids: OEIS A140517; complete graphs: A002807.)
#[derive(Clone, Debug)]
pub struct SimpleCycles<W: Word = u64>(Paths<W>);

impl SimpleCycles {
    /// The simple cycles of the graph of `order`, whose frontier has up to 16 slots.
    #[must_use]
    pub fn new(order: &Order<'_>) -> Self {
        Self::with_word(order)
    }
}

impl<W: Word> SimpleCycles<W> {
    /// The same, for frontiers as wide as [`Mates`] in such a word: 25 slots in a `u128`.
    #[must_use]
    pub fn with_word(order: &Order<'_>) -> Self {
        SimpleCycles(Paths::new(order, Rule { all: false, ends: Ends::None }))
    }
}

profile_of_paths!(SimpleCycles);
