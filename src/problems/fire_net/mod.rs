//! Fire-net (火力网): as many bunkers as possible on a board with walls, no two of which see each
//! other.
//!
//! A bunker stands on an empty cell and sees along its row and its column in all four directions,
//! up to the next wall. Here a [`Board`] may have any number of rows and columns, and bunkers on it
//! from the beginning.
//!
//! ```
//! use secateurs::problems::fire_net::{Board, Settings};
//!
//! let board: Board = "4\n.X..\n....\nXX..\n....\n".parse()?;
//! let outcome = Settings::default().solve(&board);
//! assert_eq!(outcome.proven(), Some(&5));
//! let cells = outcome.solution().cloned().unwrap_or_default();
//! println!("{}", board.with_bunkers(cells)?); // the board with the bunkers
//! println!("{}", outcome.report()); // what each pruning did
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What there is to learn here
//!
//! The problem is the subject of the article 火力网的搜索优化方案 ("search optimisations for fire-net",
//! wisewin, 2006), which speeds up a plain search by ten prunings, one after another. It is a good
//! first subject, because all kinds of pruning occur in it, and because the answer can be checked:
//! cut the rows and columns into [`Segments`] at the walls, call segments vertices and empty cells
//! edges, and a placement is a *matching* of a bipartite graph, of which [`maximum_matching`] finds
//! a largest one without any search. So there is never a doubt whether a pruning is right, only
//! about what it is worth.
//!
//! | kind of pruning | here | plugged in as |
//! |---|---|---|
//! | a cheaper node | [pruning 1](Cells) | a brancher |
//! | symmetry: the order of the bunkers | [pruning 2](Cells) | a brancher |
//! | a bound | [3](TooFewCells), [4](EnoughBunkers), and [four more](UpperBound) | hooks that cut |
//! | inference | [5](DegreeOne) to [10](open_ends) | hooks that place bunkers |
//! | branching on what has the fewest children | [`SmallestSegment`] | a brancher |
//! | giving up the proof | [`greedy`] | a brancher that is lossy |
//!
//! [`Settings`] chooses among them at run time; put together by hand it looks like this:
//!
//! ```
//! use secateurs::problems::fire_net::{Board, Bound, DegreeOne, Scope, SmallestSegment, State, UpperBound};
//! use secateurs::{Objective, Search};
//!
//! let board = Board::random(10, 10, 0.8, 1)?;
//! let placed = Objective::maximise(|_: &Board, state: &State| state.placed());
//! let outcome = Search::new(&board)
//!     .brancher(SmallestSegment::new())
//!     .hooks((DegreeOne::new(Scope::EveryNode), UpperBound::new(Bound::Segments, placed.incumbent().clone())))
//!     .extract(|node| node.state().bunkers().to_vec())
//!     .best(&placed);
//! assert!(outcome.proven().is_some());
//! # Ok::<(), secateurs::problems::fire_net::GeneratorError>(())
//! ```
//!
//! What the article's prunings are worth, in nodes of its own tree ([`Settings::article`]):
//!
//! | board | none | 1, 2 | 1 to 3 | 1 to 4 | 1 to 5 |
//! |---|---|---|---|---|---|
//! | the sample above | 1844 | 175 | 111 | 6 | 3 |
//! | empty 4×4 | 1313 | 209 | 146 | 5 | 5 |
//! | empty 6×6 | 1.18 million | 13.3 thousand | 9297 | 7 | 7 |
//!
//! The empty boards look easy to pruning 4 only because the first dive happens to fill every row.
//! On random 10×10 boards with 5 % walls the article's best program needs thousands of nodes and
//! sometimes millions; branching on the smallest segment with pruning 5 and the bound by segments
//! needs a dozen, and at most some hundreds.

mod board;
mod bounds;
mod branching;
mod generator;
mod greedy;
mod live_matching;
mod matching;
mod parse;
mod problem;
mod prunings;
mod segments;
mod smallest;
mod solve;
mod state;
mod svg;

pub use board::{Board, BunkerError};
pub use bounds::{Bound, UnknownBound, UpperBound};
pub use branching::{BranchOn, Cells, InSegment, Place, SmallestSegment};
pub use generator::GeneratorError;
pub use greedy::{BestEstimate, greedy, greedy_restarts};
pub use matching::maximum_matching;
pub use parse::ParseBoardError;
pub use problem::Choice;
pub use prunings::{
    DegreeOne, EnoughBunkers, ParsePruningsError, Prunings, Rectangle, RectangleRule, Scope,
    TooFewCells, closed_rectangle, open_ends, open_short_side, open_side, walled_long_sides,
};
pub use segments::{Axis, Segment, Segments};
pub use solve::{Branching, Settings, UnknownBranching};
pub use state::{State, Undo};
