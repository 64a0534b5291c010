//! Knight's tours as an exact cover, with the hook [`NoSubtours`] that rejects sets of shorter
//! cycles.

use std::sync::Arc;

use super::arcs::Arcs;
use super::problem::KnightsTour;
use super::tour::Tour;
use crate::cover::{Cover, CoverError};
use crate::digest::Digest;
use crate::hook::{Hook, Node, NodeMut, Verdict};
use crate::problems::error::InstanceError;

/// Knight's tours as an exact cover: the items state that the knight *leaves* each square once and
/// *enters* each square once; the options are its moves.
///
/// A solution of the cover is a set of cycles through all squares, and usually there are several
/// cycles, because an exact cover cannot express connectivity. The hook [`NoSubtours`] rejects sets
/// of several cycles. Without it, a count is that of the *cycle covers*: the permanent of the
/// matrix of moves, which is the square of the number of perfect matchings if there are as many
/// dark squares as light ones. For open tours there is one more node, off the board, between the
/// end and the start.
///
/// The items of the square in row 1 and column 2, from 1, are `leave1,2` and `enter1,2`; those off
/// the board are `start` and `end`. The option `leave3,4 end` means that the tour ends in row 3 and
/// column 4. `Display` prints the cover in a format that other programs can read.
///
/// ```
/// use secateurs::Search;
/// use secateurs::problems::knights_tour::{KnightsTour, TourBoard};
///
/// let tours = KnightsTour::closed(TourBoard::new(5, 6)?).cover()?;
/// let search = || Search::new(tours.cover()).hooks((tours.no_subtours(),));
/// assert_eq!(search().count().exact(), Some(2 * 8));
///
/// let outcome = search().first();
/// let moves = outcome.solution().ok_or("there is one")?;
/// assert!(tours.tour(moves)?.is_closed());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TourCover {
    arcs: Arc<Arcs>,
    cover: Cover,
}

impl KnightsTour {
    /// Returns these tours as an exact cover, to be searched with [`NoSubtours`]. Closed tours are
    /// found once in each direction, as by a search of this problem itself.
    ///
    /// Time and memory: linear in the number of squares, for open tours as well as for closed ones.
    ///
    /// # Errors
    ///
    /// Returns [`CoverError::TooLarge`] for boards of some ten million squares.
    pub fn cover(&self) -> Result<TourCover, CoverError> {
        let arcs = Arcs::new(self);
        let columns = self.board().columns();
        let on_board = |node: usize| node < self.board().len();
        let mut builder = Cover::builder();
        for (verb, off_board) in [("leave", "start"), ("enter", "end")] {
            for node in 0..arcs.nodes() {
                builder.primary(&if on_board(node) {
                    format!("{verb}{},{}", node / columns + 1, node % columns + 1)
                } else {
                    off_board.to_owned()
                })?;
            }
        }
        for from in 0..arcs.nodes() {
            for &to in arcs.successors(from) {
                builder.option_of([(from, None), (arcs.nodes() + to as usize, None)])?;
            }
        }
        Ok(TourCover { arcs: Arc::new(arcs), cover: builder.build() })
    }
}

impl TourCover {
    /// Returns the cover, whose solutions are sets of cycles.
    #[must_use]
    pub fn cover(&self) -> &Cover {
        &self.cover
    }

    /// Returns the hook that keeps only the solutions that are one cycle.
    #[must_use]
    pub fn no_subtours(&self) -> NoSubtours {
        NoSubtours { arcs: Arc::clone(&self.arcs), opposite: Vec::new(), joined: Vec::new() }
    }

    /// Returns the tour that consists of these options, in any order. They should be a solution
    /// that was found with [`NoSubtours`].
    ///
    /// # Errors
    ///
    /// Returns an error if the options do not form a tour, for example several cycles.
    pub fn tour(&self, options: &[usize]) -> Result<Tour, InstanceError> {
        let mut successors = vec![None; self.arcs.nodes()];
        for (from, to) in options.iter().filter_map(|&option| self.arcs.ends(option)) {
            successors[from] = Some(to);
        }
        self.arcs.tour(|node| successors[node])
    }
}

/// The hook of [`TourCover`] that lets no cycle close before it contains all nodes: subtour
/// elimination, after Dantzig, Fulkerson and Johnson (1954).
///
/// The moves chosen form chains. When two chains are joined, the hook excludes the move from the
/// last node of the new chain back to its first node, unless that is the only move missing. No
/// search node with a short cycle is therefore entered, and the items of the excluded move shrink
/// before it would be tried. The hook keeps every tour. It rejects only solutions of the cover that
/// are not tours, so it is a part of the problem: a run without it solves another problem.
///
/// Cost per step: a scan of the arcs of a node. Memory: four bytes per node, and eight per step.
#[derive(Clone, Debug)]
pub struct NoSubtours {
    arcs: Arc<Arcs>,
    /// By node: the other end of its chain, if it is an end of one. The entries of inner nodes are
    /// stale; they become valid again when the search backtracks.
    opposite: Vec<u32>,
    /// By step: the first and the last node of the chain that it created.
    joined: Vec<(u32, u32)>,
}

impl Hook<Cover> for NoSubtours {
    fn name(&self) -> &str {
        "no subtours"
    }

    /// Returns [`Digest::NONE`], because the problem determines the hook.
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }

    fn enter(&mut self, node: &mut NodeMut<'_, Cover>) -> Verdict {
        let depth = node.depth();
        if depth == 0 {
            self.opposite = (0..self.arcs.nodes() as u32).collect();
            self.joined.clear();
            return Verdict::Keep;
        }
        let Some((from, to)) = node.path().last().and_then(|&option| self.arcs.ends(option)) else {
            return Verdict::Keep;
        };
        let (first, last) = (self.opposite[from], self.opposite[to]);
        if first as usize == to && depth < self.arcs.nodes() {
            // A short cycle: its move is excluded below when the chain is created, but another hook
            // or a replay may still apply it.
            return Verdict::Prune;
        }
        self.opposite[first as usize] = last;
        self.opposite[last as usize] = first;
        self.joined.push((first, last));
        if depth + 1 < self.arcs.nodes()
            && let Some(closing) = self.arcs.arc(last as usize, first as usize)
        {
            let cover = node.problem();
            cover.strike(node.state_mut(), closing);
        }
        Verdict::Keep
    }

    fn leave(&mut self, node: &Node<'_, Cover>) {
        let ends = node.path().last().and_then(|&option| self.arcs.ends(option));
        if let (Some((from, to)), Some((first, last))) = (ends, self.joined.pop()) {
            self.opposite[first as usize] = from as u32;
            self.opposite[last as usize] = to as u32;
        }
    }
}
