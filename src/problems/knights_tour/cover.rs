//! Knight's tours as an exact cover, which alone is not enough: cycles, and the hook that leaves
//! one of them.

use std::sync::Arc;

use super::arcs::Arcs;
use super::problem::KnightsTour;
use super::tour::{Tour, TourError};
use crate::cover::{Cover, CoverError};
use crate::digest::Digest;
use crate::hook::{Hook, Node, NodeMut, Verdict};

/// Knight's tours as an exact cover: the items are that the knight *leaves* each square once and
/// *enters* each square once, the options are its moves.
///
/// A solution of the cover is a set of cycles through all squares, and most often there are
/// several: an exact cover says nothing of how moves hang together. What is missing to tours is
/// said by the hook [`NoSubtours`], without which the count is that of the *cycle covers*, the
/// permanent of the matrix of moves (and so, as knights change colour, the square of the number of
/// perfect matchings, where there are as many dark squares as light ones). For open tours, there is
/// one more node, off the board, between the end and the start.
///
/// The items of the square in row 1 and column 2, from 1, are `leave1,2` and `enter1,2`; those off
/// the board are `end` and `start`: `leave3,4 end` is the option that the tour ends there. Written
/// out with `Display`, the cover can be given to any other program.
///
/// ```
/// use secateurs::Search;
/// use secateurs::problems::knights_tour::{Board, KnightsTour};
///
/// let tours = KnightsTour::closed(Board::new(5, 6)?).cover()?;
/// assert_eq!(Search::new(tours.cover()).hooks((tours.no_subtours(),)).count().exact(), Some(2 * 8));
///
/// let outcome = Search::new(tours.cover()).hooks((tours.no_subtours(),)).first();
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
    /// These tours as an exact cover, to be searched with [`NoSubtours`]. Closed tours are found
    /// once in each direction, as by the search of this problem itself.
    ///
    /// Time and memory: linear in the number of squares for closed tours, and about so for open
    /// ones.
    ///
    /// # Errors
    ///
    /// [`CoverError::TooLarge`], for boards of some ten million squares.
    pub fn cover(&self) -> Result<TourCover, CoverError> {
        let arcs = Arcs::new(self);
        let columns = self.board().columns();
        let on_board = |node: usize| node < self.board().len();
        let place = |node: usize| format!("{},{}", node / columns + 1, node % columns + 1);
        let mut builder = Cover::builder();
        for node in 0..arcs.nodes() {
            builder.primary(&if on_board(node) {
                format!("leave{}", place(node))
            } else {
                "start".to_owned()
            })?;
        }
        for node in 0..arcs.nodes() {
            builder.primary(&if on_board(node) {
                format!("enter{}", place(node))
            } else {
                "end".to_owned()
            })?;
        }
        for from in 0..arcs.nodes() {
            for &to in arcs.followers(from) {
                builder.option_of([(from, None), (arcs.nodes() + to as usize, None)])?;
            }
        }
        Ok(TourCover { arcs: Arc::new(arcs), cover: builder.build() })
    }
}

impl TourCover {
    /// The cover, whose solutions are sets of cycles.
    #[must_use]
    pub fn cover(&self) -> &Cover {
        &self.cover
    }

    /// The hook that leaves those solutions that are one cycle.
    #[must_use]
    pub fn no_subtours(&self) -> NoSubtours {
        NoSubtours { arcs: Arc::clone(&self.arcs), opposite: Vec::new(), joined: Vec::new() }
    }

    /// The tour made of these options: those of a solution that was found with [`NoSubtours`], in
    /// any order.
    ///
    /// # Errors
    ///
    /// What is wrong with it, if it is not a tour: [`TourError::Length`], if the options make
    /// several cycles.
    pub fn tour(&self, options: &[usize]) -> Result<Tour, TourError> {
        let mut successors = vec![None; self.arcs.nodes()];
        for (from, to) in options.iter().filter_map(|&option| self.arcs.ends(option)) {
            successors[from] = Some(to);
        }
        self.arcs.tour(|node| successors[node])
    }
}

/// The hook of [`TourCover`] that lets no cycle close before it has gone through all nodes: what is
/// called subtour elimination, after Dantzig, Fulkerson and Johnson (1954).
///
/// The moves chosen make chains. Whenever two chains become one, from a node to a node, the move
/// from its last node back to its first one is struck out, unless it is the only one that is
/// missing. So no node is ever entered in which a short cycle is closed, and the items of that move
/// become smaller before it is tried. It keeps every tour, and what it loses are solutions of the
/// cover that are no tours: it is a part of what is asked, and a run without it asks something
/// else.
///
/// Cost: a step, one look at the arcs of a node. Memory: four bytes a node, and eight a step.
#[derive(Clone, Debug)]
pub struct NoSubtours {
    arcs: Arc<Arcs>,
    /// By node, if it is an end of a chain: the other end. Within chains, what was true before.
    opposite: Vec<u32>,
    /// By step: the first and the last node of the chain that was made.
    joined: Vec<(u32, u32)>,
}

impl Hook<Cover> for NoSubtours {
    fn name(&self) -> &str {
        "no subtours"
    }

    /// What it needs to know is the problem.
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
            // Another hook or a replay may have come here.
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
