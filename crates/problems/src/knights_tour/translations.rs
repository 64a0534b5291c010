//! Tours as sets of [`Arcs`], steps between squares: as a constraint network, in which each square
//! has a successor and the successors form one circuit; and as an exact cover, with the hook
//! [`NoSubtours`] that rejects sets of shorter cycles.

use std::sync::Arc;

use secateurs::Digest;
use secateurs::hook::{Constraint, Hook, Node, NodeMut, Verdict};
use secateurs_cover::{Cover, CoverError};
use secateurs_csp::{Assignment, Model, ModelError, Network};

use super::board::Square;
use super::problem::KnightsTour;
use super::tour::Tour;
use crate::InstanceError;

/// The directed graph whose Hamiltonian cycles are the tours of a problem.
///
/// The nodes are the squares, row by row. For open tours there is one more node, off the board,
/// between the end and the start of the tour. A tour is thus always a cycle. A closed tour is one
/// cycle in each direction, an open tour one cycle in the direction of its moves. Arcs are numbered
/// from 0, those from the same node consecutively.
#[derive(Clone, Debug)]
pub(super) struct Arcs {
    problem: KnightsTour,
    /// By node: its square, except for the node off the board.
    squares: Vec<Square>,
    /// By node: the number of its first arc. One more entry marks the end of the last.
    first_arcs: Vec<u32>,
    /// By arc: the node that it leads to.
    heads: Vec<u32>,
}

impl Arcs {
    pub(super) fn new(problem: &KnightsTour) -> Self {
        let board = problem.board();
        let squares: Vec<Square> = board.squares().collect();
        let number = |square| (board.row(square) * board.columns() + board.column(square)) as u32;
        let off_board = squares.len() as u32;
        let mut arcs =
            Arcs { problem: problem.clone(), squares, first_arcs: vec![0], heads: Vec::new() };
        for &square in &arcs.squares {
            let on_board = problem.around(square).filter(|&next| board.holds(next)).map(number);
            arcs.heads.extend(on_board);
            if !problem.is_closed() {
                arcs.heads.push(off_board);
            }
            arcs.first_arcs.push(arcs.heads.len() as u32);
        }
        if !problem.is_closed() {
            match problem.start() {
                Some(start) => arcs.heads.push(number(start)),
                None => arcs.heads.extend(0..off_board),
            }
            arcs.first_arcs.push(arcs.heads.len() as u32);
        }
        arcs
    }

    /// Returns the number of nodes.
    pub(super) fn nodes(&self) -> usize {
        self.first_arcs.len() - 1
    }

    /// Returns the nodes that may follow a node.
    pub(super) fn successors(&self, node: usize) -> &[u32] {
        &self.heads[self.first_arcs[node] as usize..self.first_arcs[node + 1] as usize]
    }

    /// Returns the number of the arc from one node to another, if there is one.
    pub(super) fn arc(&self, from: usize, to: usize) -> Option<usize> {
        let index = self.successors(from).iter().position(|&head| head as usize == to)?;
        Some(self.first_arcs[from] as usize + index)
    }

    /// Returns the nodes that an arc leads from and to, if there is an arc of this number.
    pub(super) fn ends(&self, arc: usize) -> Option<(usize, usize)> {
        let head = *self.heads.get(arc)?;
        let from = self.first_arcs.partition_point(|&first| first as usize <= arc) - 1;
        Some((from, head as usize))
    }

    /// Returns the tour that goes from each node to its successor, given their number, or an error
    /// if they do not form a tour of the problem.
    pub(super) fn tour(
        &self,
        given: usize,
        successor: impl Fn(usize) -> Option<usize>,
    ) -> Result<Tour, InstanceError> {
        let off_board = self.squares.len();
        let origin = if self.problem.is_closed() { self.start_node() } else { off_board };
        let along_arc = |node: usize| successor(node).filter(|&to| self.arc(node, to).is_some());
        let mut squares = Vec::with_capacity(off_board);
        let first = if self.problem.is_closed() { Some(origin) } else { along_arc(origin) };
        let (mut last, mut node) = (origin, first);
        // If the path does not return to the origin, it stops after one square too many, and the
        // list is rejected below.
        while let Some(at) = node
            && let Some(&square) = self.squares.get(at)
            && squares.len() <= off_board
        {
            squares.push(square);
            (last, node) = (at, along_arc(at).filter(|&next| next != origin));
        }
        let tour = Tour::new(self.problem.board(), squares)?;
        let expected = self.nodes();
        if given != expected {
            return Err(InstanceError::new(format_args!(
                "found a path through all squares among {given} moves, expected {expected} moves"
            )));
        }
        if along_arc(last) != Some(origin) {
            return Err(InstanceError::new(
                "found a path through all squares, expected a move from its end to its beginning",
            ));
        }
        Ok(tour)
    }

    /// Returns the node with which the list of squares of a closed tour begins.
    fn start_node(&self) -> usize {
        let start = self.problem.start();
        start.and_then(|start| self.squares.iter().position(|&square| square == start)).unwrap_or(0)
    }
}

/// Knight's tours as a network with the [circuit](Model::circuit) constraint (Lauriere 1978 uses
/// this formulation).
///
/// There is a variable per square, row by row, whose value is the number of the next square. For
/// open tours there is one more variable, for a node off the board that links the end to the start.
/// [Full propagation](secateurs_csp::Propagate::full) prevents chains from closing before they
/// contain all squares, and fixes the predecessor of a square that can be entered from one square
/// only. Together with [smallest domain](secateurs_csp::SmallestDomain) first, this is an effective
/// search.
///
/// ```
/// use secateurs::Search;
/// use secateurs_csp::{Ascending, Assignment, Branching, Propagate, SmallestDomain};
/// use secateurs_problems::knights_tour::{KnightsTour, TourBoard};
///
/// let tours = KnightsTour::closed(TourBoard::new(5, 6)?).circuit()?;
/// let order = Branching::new(SmallestDomain::first_tie(), Ascending);
/// let search = || Search::new(tours.network()).hooks((Propagate::full(),)).brancher(order);
/// assert_eq!(search().count().exact(), Some(2 * 8)); // each in both directions
///
/// let outcome = search().extract(Assignment::of).first();
/// let successors = outcome.solution().ok_or("there is one")?;
/// assert!(tours.tour(successors)?.is_closed());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TourCircuit {
    arcs: Arcs,
    network: Network,
}

impl KnightsTour {
    /// Returns these tours as a constraint network. Closed tours are found once in each direction,
    /// as by a search of this problem itself.
    ///
    /// The memory is one bit for each number between the smallest and the largest successor of each
    /// square. Per square, these are about four rows of the board for closed tours, and on average
    /// half of the board for open tours, which may end anywhere.
    ///
    /// # Errors
    ///
    /// Returns [`ModelError::TooLarge`] for open tours of boards of about 185,000 or more squares.
    pub fn circuit(&self) -> Result<TourCircuit, ModelError> {
        let arcs = Arcs::new(self);
        let mut model = Model::new();
        let mut successors = Vec::with_capacity(arcs.nodes());
        for node in 0..arcs.nodes() {
            // The cast is lossless: boards have at most 2²⁴ squares.
            let domain: Vec<i32> = arcs.successors(node).iter().map(|&next| next as i32).collect();
            successors.push(model.variable(domain)?);
        }
        model.circuit(&successors)?;
        Ok(TourCircuit { arcs, network: model.build() })
    }
}

impl TourCircuit {
    /// Returns the network.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Returns the tour that a solution of the network represents.
    ///
    /// # Errors
    ///
    /// Returns an error if the assignment is not a solution of this network.
    pub fn tour(&self, successors: &Assignment) -> Result<Tour, InstanceError> {
        let successors = successors.values();
        let next = |node: usize| usize::try_from(*successors.get(node)?).ok();
        self.arcs.tour(successors.len(), next)
    }
}

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
/// use secateurs_problems::knights_tour::{KnightsTour, TourBoard};
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
    /// Time and memory are linear in the number of squares, for open tours as well as for closed
    /// ones.
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
    /// Returns an error if the options do not form a tour of the problem, for example if they form
    /// several cycles, or if one is given twice.
    pub fn tour(&self, options: &[usize]) -> Result<Tour, InstanceError> {
        let mut successors = vec![None; self.arcs.nodes()];
        for (from, to) in options.iter().filter_map(|&option| self.arcs.ends(option)) {
            successors[from] = Some(to);
        }
        self.arcs.tour(options.len(), |node| successors[node])
    }
}

/// The hook of [`TourCover`] that lets no cycle close before it contains all nodes: subtour
/// elimination, after Dantzig, Fulkerson and Johnson (1954).
///
/// The moves chosen form chains. When two chains are joined, the hook excludes the move from the
/// last node of the new chain back to its first node, unless that is the only move missing.
/// Therefore no search node with a short cycle is entered, and the items of the excluded move have
/// fewer options at once. The hook keeps every tour. It rejects only solutions of the cover that
/// are not tours, so it is a part of the problem: a run without it solves another problem.
///
/// A step scans the arcs of one node. The memory is four bytes per node, and eight per step.
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

    fn constraint(&self) -> Option<Constraint> {
        Some(Constraint::Path)
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
            // This move closes a short cycle. The code below excludes such a move when it creates
            // the chain, but a replay may still apply it.
            return Verdict::Prune;
        }
        self.opposite[first as usize] = last;
        self.opposite[last as usize] = first;
        self.joined.push((first, last));
        if depth + 1 < self.arcs.nodes()
            && let Some(closing) = self.arcs.arc(last as usize, first as usize)
        {
            let cover = node.problem();
            cover.remove_option(node.state_mut(), closing);
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
