//! Fire-net (火力网): place as many bunkers as possible on a board with walls, such that no two see
//! each other.
//!
//! A bunker stands on an empty cell and sees along its row and its column in all four directions,
//! up to the next wall. A [`FireNetBoard`] may have any number of rows and columns, and bunkers
//! that are given.
//!
//! ```
//! use secateurs_problems::fire_net::{FireNetBoard, FireNetSettings};
//!
//! let board: FireNetBoard = "4\n.X..\n....\nXX..\n....\n".parse()?;
//! let outcome = FireNetSettings::default().solve(&board);
//! assert_eq!(outcome.proven(), Some(&5));
//! let cells = outcome.solution().cloned().unwrap_or_default();
//! println!("{}", board.with_bunkers(cells)?); // the board with the bunkers
//! println!("{}", outcome.report()); // the effect of each pruning
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Files
//!
//! In reading order: `segments`, `board` and `state` are the data structures, and `state` defines
//! the search tree as well; `branching` has the branchers. Of the ten prunings of the article,
//! `branching` has 1 and 2, `bounds` has 3 and 4 and four more upper bounds, `inference` has 5, and
//! `rectangle` has 6 to 10. `settings` and `greedy` assemble searches; `matching` computes the
//! optimum without a search, and a matching that a bound repairs from node to node; `svg` draws
//! boards.
//!
//! # The article and its prunings
//!
//! The problem is the subject of the article 火力网的搜索优化方案 ("search optimisations for fire-net",
//! wisewin, 2006), which speeds up a plain search by ten prunings, one after another. It is a good
//! first model problem, because all kinds of pruning occur in it, and because its answers can be
//! checked without a search. The walls cut the rows and columns into [`Segments`]. With segments as
//! vertices and empty cells as edges, a placement is a *matching* of a bipartite graph, and
//! [`maximum_matching`] computes a largest one. An unsound pruning is therefore easy to detect, and
//! only the benefit of a sound one needs measurements.
//!
//! | kind of pruning | here | plugged in as |
//! |---|---|---|
//! | a cheaper node | [pruning 1](Cells) | a brancher |
//! | symmetry: the order of the bunkers | [pruning 2](Cells) | a brancher |
//! | a bound | [3](TooFewCells), [4](EnoughBunkers), [four more](UpperBound) | hooks that prune |
//! | inference | [5](DegreeOne) to [10](open_ends) | hooks that place bunkers |
//! | branching with the fewest children | [`SmallestSegment`] | a brancher |
//! | an order of children without failures | [`SmallestSegment::matched_first`] | a brancher |
//! | search without a proof | [`greedy`] | a lossy brancher |
//!
//! | # | rule of the article | item |
//! |---|---|---|
//! | 1 | candidates from a list | [`Cells::listed`] |
//! | 2 | cells in increasing order | [`Cells::increasing`] |
//! | 3 | too few cells left | [`TooFewCells`] |
//! | 4 | as many bunkers as segments | [`EnoughBunkers`] |
//! | 5 | a segment with one candidate | [`DegreeOne`] |
//! | 6 | a rectangle walled on four sides | [`closed_rectangle`] |
//! | 7 | a rectangle walled on three sides, open on a short one | [`open_short_side`] |
//! | 8 | a rectangle walled along both long sides | [`walled_long_sides`] |
//! | 9 | a rectangle walled on three sides, open on any one | [`open_side`] |
//! | 10 | a rectangle walled on two opposite sides | [`open_ends`] |
//!
//! The documentation of each item states the pruning and proves it. Prunings 5 to 10 are
//! *inferences*: they place bunkers that some optimal completion is proved to have, and never prune
//! a node. Each reports the number of bunkers that it has placed. All prunings are stated in terms
//! of candidates, not of empty cells, so they hold on boards with given bunkers and in states with
//! excluded cells.
//!
//! All combinations of prunings are sound. An inference preserves the optimum *of each subtree*, a
//! bound prunes only subtrees that cannot beat the incumbent, and the branchers visit every
//! placement on the candidates. Therefore any combination, in any order, either reaches some
//! optimal placement or has an incumbent that is as good.
//!
//! [`FireNetSettings`] selects among them at run time. A search can also be assembled by hand:
//!
//! ```
//! use secateurs_problems::fire_net::{
//!     BoundKind, DegreeOne, FireNetBoard, Scope, SmallestSegment, State, UpperBound,
//! };
//! use secateurs::{Objective, Search};
//!
//! let board = FireNetBoard::random(10, 10, 0.8, 1)?;
//! let placed = Objective::maximise(|_: &FireNetBoard, state: &State| state.placed());
//! let bound = UpperBound::new(BoundKind::Segments, placed.incumbent().clone());
//! let outcome = Search::new(&board)
//!     .brancher(SmallestSegment::new())
//!     .hooks((DegreeOne::new(Scope::EveryNode), bound))
//!     .extract(|node| node.state().bunkers().to_vec())
//!     .best(&placed);
//! assert!(outcome.proven().is_some());
//! # Ok::<(), secateurs_problems::InstanceError>(())
//! ```
//!
//! The article's prunings reduce its own tree ([`FireNetSettings::article`]) to these numbers of
//! nodes:
//!
//! | board | none | 1, 2 | 1 to 3 | 1 to 4 | 1 to 5 |
//! |---|---|---|---|---|---|
//! | the sample above | 1844 | 175 | 111 | 6 | 3 |
//! | empty 4×4 | 1313 | 209 | 146 | 5 | 5 |
//! | empty 6×6 | 1.18 million | 13.3 thousand | 9297 | 7 | 7 |
//!
//! Pruning 4 solves the empty boards at once only because the first dive happens to fill every row.
//! On random 10×10 boards with 5 % walls the article's best program needs thousands of nodes and
//! sometimes millions. Branching on the smallest segment with pruning 5 and the bound by segments
//! needs about a dozen nodes, and at most a few hundred.
//!
//! On large boards a good order matters more. A single choice near the root that loses a bunker
//! makes a depth-first search revise everything below it first: 500×500 cells with 10 % walls take
//! a million nodes. With the cell of a maximum matching first there is no such choice, and the
//! first dive of 12 thousand nodes ends in the proof.

mod board;
mod bounds;
mod branching;
mod greedy;
mod inference;
mod matching;
mod rectangle;
mod segments;
mod settings;
mod state;
mod svg;

pub use board::FireNetBoard;
pub use bounds::{BoundKind, EnoughBunkers, TooFewCells, UpperBound};
pub use branching::{BranchCursor, BranchOn, Cells, SegmentCursor, SmallestSegment};
pub use greedy::{BestEstimate, greedy, greedy_restarts};
pub use inference::{DegreeOne, Scope};
pub use matching::maximum_matching;
pub use rectangle::{
    Rectangle, RectangleRule, closed_rectangle, open_ends, open_short_side, open_side,
    walled_long_sides,
};
pub use segments::{Axis, Segment, Segments};
pub use settings::{FireNetBranching, FireNetPrunings, FireNetSettings};
pub use state::{Choice, State, Undo};
