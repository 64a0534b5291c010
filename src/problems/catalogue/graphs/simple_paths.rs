//! Simple paths between two vertices of any graph: [`SimplePaths`].

use super::paths::{Ends, EndsError, Paths, Rule, ends, profile_of_paths};
use crate::plug::code::{Mates, Word};
use crate::plug::graph::{FrontierPlan, Order};
use crate::plug::{ContourProblem, TooWide};

/// The simple paths between two vertices of a graph: those that visit no vertex twice.
///
/// This is Knuth's `SIMPATH` (*The Art of Computer Programming* 4A, 2011, exercise 7.1.4–225), with
/// layers of states in place of the diagram. As for [`SimpleCycles`](super::SimpleCycles), but the
/// two ends come in as *loose ends*: as if a path had led there from outside. It is whole when the
/// one loose end meets the other.
///
/// Labels say whether an edge is taken, in the order of the edges.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::plug::graph::{Graph, Order};
/// use secateurs::problems::catalogue::graphs::SimplePaths;
///
/// let grid = Graph::grid(&[4, 4])?;
/// let paths = SimplePaths::new(&Order::narrowest(&grid), 0, 15)?;
/// assert_eq!(Sweep::new(&paths).count().exact(), Some(184));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// (Corner to corner of square grids: OEIS A007764.)
#[derive(Clone, Debug)]
pub struct SimplePaths<W: Word = u64>(Paths<W>);

impl SimplePaths {
    /// The simple paths from vertex `from` to vertex `to` of the graph of `order`, whose frontier
    /// has up to 16 slots.
    ///
    /// # Errors
    /// [`EndsError`] unless they are two different vertices.
    pub fn new(order: &Order<'_>, from: usize, to: usize) -> Result<Self, EndsError> {
        Self::with_word(order, from, to)
    }
}

impl<W: Word> SimplePaths<W> {
    /// The same, for frontiers as wide as [`Mates`] in such a word: 25 slots in a `u128`.
    ///
    /// # Errors
    /// [`EndsError`] unless they are two different vertices.
    pub fn with_word(order: &Order<'_>, from: usize, to: usize) -> Result<Self, EndsError> {
        let ends: Ends = ends(order, from, to)?;
        Ok(SimplePaths(Paths::new(order, Rule { all: false, ends })))
    }
}

profile_of_paths!(SimplePaths);
