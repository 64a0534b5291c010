//! Hamiltonian paths of any graph: [`HamiltonianPaths`].

use super::paths::{Ends, EndsError, Paths, Rule, ends, profile_of_paths};
use crate::plug::code::{Mates, Word};
use crate::plug::graph::{FrontierPlan, Order};
use crate::plug::{ContourProblem, TooWide};

/// The Hamiltonian paths of a graph: those that visit every vertex once.
///
/// Between two given vertices, these are [`SimplePaths`](super::SimplePaths) with the dying rules
/// of [`HamiltonianCycles`](super::HamiltonianCycles). If the ends are not given, any vertex may
/// leave the frontier as the end of a path, which makes the path's other end a loose one; but only
/// two may.
///
/// Paths have no direction. A single vertex is a path, from itself to itself; it counts if the ends
/// are not given. Labels say whether an edge is taken, in the order of the edges.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::plug::graph::{Graph, Order};
/// use secateurs::problems::catalogue::graphs::HamiltonianPaths;
///
/// let grid = Graph::grid(&[3, 3])?;
/// let order = Order::narrowest(&grid);
/// let between = HamiltonianPaths::between(&order, 0, 8)?;
/// assert_eq!(Sweep::new(&between).count().exact(), Some(2));
/// assert_eq!(Sweep::new(&HamiltonianPaths::anywhere(&order)).count().exact(), Some(20));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct HamiltonianPaths<W: Word = u64>(Paths<W>);

impl HamiltonianPaths {
    /// The Hamiltonian paths from vertex `from` to vertex `to` of the graph of `order`, whose
    /// frontier has up to 16 slots.
    ///
    /// # Errors
    /// [`EndsError`] unless they are two different vertices.
    pub fn between(order: &Order<'_>, from: usize, to: usize) -> Result<Self, EndsError> {
        Self::between_with_word(order, from, to)
    }

    /// The Hamiltonian paths from anywhere to anywhere, each once, of the graph of `order`, whose
    /// frontier has up to 16 slots.
    #[must_use]
    pub fn anywhere(order: &Order<'_>) -> Self {
        Self::anywhere_with_word(order)
    }
}

impl<W: Word> HamiltonianPaths<W> {
    /// The same as [`between`](HamiltonianPaths::between), for frontiers as wide as [`Mates`] in
    /// such a word: 25 slots in a `u128`.
    ///
    /// # Errors
    /// [`EndsError`] unless they are two different vertices.
    pub fn between_with_word(order: &Order<'_>, from: usize, to: usize) -> Result<Self, EndsError> {
        let ends = ends(order, from, to)?;
        Ok(HamiltonianPaths(Paths::new(order, Rule { all: true, ends })))
    }

    /// The same as [`anywhere`](HamiltonianPaths::anywhere), for frontiers as wide as [`Mates`] in
    /// such a word.
    #[must_use]
    pub fn anywhere_with_word(order: &Order<'_>) -> Self {
        HamiltonianPaths(Paths::new(order, Rule { all: true, ends: Ends::Anywhere }))
    }
}

profile_of_paths!(HamiltonianPaths);
