//! The n-queens problem: place n queens on an n×n board such that no two share a row, column or
//! diagonal.
//!
//! # Models
//!
//! The [state models](RowByRow) fill the board row by row, columns from left to right, so they
//! generate the same tree. They differ in the state, and therefore in the cost of finding the free
//! squares of the next row:
//!
//! | model | state | test of a square | step | largest board |
//! |---|---|---|---|---|
//! | [`marks`](Queens::marks) | a board of n² marks | one memory access | about 2n marks | 4096 |
//! | [`lookback`](Queens::lookback) | a list of n queens | n comparisons | constant | 4096 |
//! | [`bits`](Queens::bits) | three machine words | four instructions a row | two shifts | 64 |
//!
//! Two models generate other trees. [`cover`](Queens::cover) is an [exact cover](secateurs_cover)
//! that branches on the row or column with the fewest free squares, on boards up to 512.
//! [`network`](QueensBoard::network) is a [constraint network](secateurs_csp), for which the level
//! of propagation and the order of rows can be chosen, on boards up to 4096.
//!
//! [`Queens`] is the problem on an empty board, which every model accepts. A [`QueensBoard`] is a
//! board of any size with some given queens, to be completed. The symmetries of the square are
//! available as two hooks: [`Queens::mirror`] halves the tree at almost no cost, and
//! [`Queens::lex_leader`] finds each fundamental solution exactly once.
//!
//! ```
//! use secateurs::Search;
//! use secateurs_problems::queens::{Queens, QueensBoard};
//!
//! // All solutions, and those that are fundamentally different.
//! let queens = Queens::new(10)?.bits();
//! assert_eq!(Search::new(&queens).count().exact(), Some(724));
//! let outcome = Search::new(&queens).hooks((Queens::lex_leader(&queens)?,)).count();
//! assert_eq!(outcome.representatives(), Some(92));
//! assert_eq!(outcome.exact(), Some(724));
//!
//! // No solution of the 6×6 board has a queen in a corner.
//! let corner = QueensBoard::new(6)?.with_queen(0, 0)?;
//! assert!(Search::new(&corner.marks()).first().is_proven_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! There are solutions for every size but 2 and 3 (Pauls 1874). For large boards an explicit
//! construction is better than a search: row by row in this order, the first solution for n = 30
//! comes after 56 million placements. The number of solutions is known up to n = 27, by search
//! (sequence A000170 of the OEIS; fundamental ones A002562). The completion of a board with given
//! queens is NP-complete (Gent, Jefferson and Nightingale 2017); [`QueensBoard::random`] creates
//! such boards.
//!
//! # Files
//!
//! In reading order: `board` has the boards, and `row_by_row` the interface of the state models and
//! their hooks and counters; `column_models` and `bits` are the state models;
//! `translations` has the exact cover, the constraint network and its counter.
//!
//! # The benefit of propagation, then and now
//!
//! An article on search with constraint propagation for programming contests compares two programs
//! that find all solutions. One is plain backtracking. The other excludes the squares that a queen
//! attacks, and branches on the row with the fewest squares left. The table has the times of the
//! article and those of one core of a present AMD EPYC machine, in milliseconds:
//!
//! | n | backtracking, then | look-back | bit masks | propagation, then | same program | network |
//! |---|---|---|---|---|---|---|
//! | 8 | 60 | 0.05 | 0.01 | 30 | 0.07 | 0.06 |
//! | 9 | 330 | 0.62 | 0.02 | 160 | 0.30 | 0.23 |
//! | 10 | 1 540 | 2.9 | 0.11 | 600 | 1.2 | 1.0 |
//! | 11 | 8 510 | 15 | 1.0 | 2 800 | 5.5 | 4.5 |
//! | 12 | 51 740 | 77 | 5.3 | 13 680 | 27 | 21 |
//! | 13 | 330 100 | 450 | 28 | 72 720 | 143 | 116 |
//! | 14 | 4 203 970 | 2 740 | 170 | 415 070 | 824 | 669 |
//!
//! *Look-back* is [`lookback`](Queens::lookback), the program of textbooks, and *bit masks* is
//! [`bits`](Queens::bits). *Same program* is the network with [`SwappedOrder::last_tie`] and
//! forward checking [without wipe-out test](secateurs_csp::Propagate::without_wipe_out_test), which
//! generates the article's tree node by node. *Network* has that test, and
//! [`SmallestDomain::first_tie`]. Compared with the article, propagation is about 500 times as
//! fast, and look-back 500 to 1500 times. Bit masks count all solutions faster than propagation:
//! they find the free squares of a row in four instructions, which outweighs a tree of about twice
//! the size. Propagation remains the fastest when not all solutions are needed (see below), and for
//! problems without such masks. `secateurs compare queens --sizes 8..=14`
//! measures the times on your machine and prints those of the article next to them.
//!
//! The article counts placements, and the squares that propagation examines in order to exclude
//! them ([`Effort::excludes_hook`]). With a fixed order of rows the tree is that of backtracking.
//! With the fewest squares first, it depends on how ties between rows are broken: the article's
//! program searches the array of rows with `<` (first tie) or `<=` (last tie), and never undoes the
//! swaps in it:
//!
//! | n | placements | excludes | placements, `<` | placements, `<=` | excludes, `<=` |
//! |---|---|---|---|---|---|
//! | 8 | 2 056 | 13 510 | 1 338 | 1 309 | 8 916 |
//! | 10 | 35 538 | 277 654 | 20 025 | 19 652 | 158 971 |
//! | 12 | 856 188 | 7 530 546 | 416 988 | 400 505 | 3 516 394 |
//!
//! # First solutions of large boards
//!
//! With the columns of each row [from the centre outwards](secateurs_csp::CentreOut) and the row
//! with the fewest squares first, the first solution comes after hardly more placements than there
//! are queens: for n = 100, 200, 300, 500, 1000 after 102, 207, 301, 503, 1015 by
//! [`SwappedOrder::first_tie`], and after 103, 200, 328, 500, 1047 by [`SmallestDomain::first_tie`]
//! (the last tie takes as many and gives the mirror images). These numbers include placements that
//! forward checking prunes at once. They are partly luck: 40 and 60 queens take 5073 and 9668
//! placements in the first order, 5216 and 517 in the second. The order of values matters more than
//! the order of rows. On that machine 1000 queens take 0.04 s and 4096 queens 0.7 s, including the
//! construction of the network.
//!
//! ```
//! use secateurs::Search;
//! use secateurs_csp::{Branching, CentreOut, Propagate, SwappedOrder};
//! use secateurs_problems::queens::QueensBoard;
//!
//! let network = QueensBoard::new(100)?.network();
//! let order = Branching::new(SwappedOrder::first_tie(), CentreOut);
//! let outcome = Search::new(&network).hooks((Propagate::forward(),)).brancher(order).first();
//! assert_eq!(outcome.report().nodes() - 1, 102);
//! # Ok::<(), secateurs_problems::InstanceError>(())
//! ```
//!
//! [`SwappedOrder::first_tie`]: secateurs_csp::SwappedOrder::first_tie
//! [`SwappedOrder::last_tie`]: secateurs_csp::SwappedOrder::last_tie
//! [`SmallestDomain::first_tie`]: secateurs_csp::SmallestDomain::first_tie

mod bits;
mod board;
mod column_models;
mod row_by_row;
#[cfg(feature = "networks")]
mod translations;

pub use bits::{BitCompletion, BitCompletionState, BitQueens, BitState};
pub use board::{Queens, QueensBoard};
pub use column_models::{LookBackQueens, MarkQueens, MarkState};
pub use row_by_row::{Effort, RowByRow};
#[cfg(feature = "networks")]
pub use translations::{CoverQueens, ExcludesHook};
