//! What does a constraint network cost beside a program for just one problem, and what do levels and orders gain?
//!
//! `cargo bench --bench csp` prints everything; with one or more of these words behind `--`, that part only:
//!
//! - `by_hand`: all 13-queens, smallest domain first, against programs written by hand;
//! - `trees`: the article's tree sizes to n = 12 beside what is found here;
//! - `times`: the article's table of times to n = 14 beside today's;
//! - `first`: the first solutions of boards to 4096;
//! - `completion`: random boards of 100 rows, some queens given, to be completed;
//! - `levels`: all 13-queens and 9-queens at each level of propagation;
//! - `sudoku`: hard Sudokus as networks and as covers.

mod by_hand;
mod queens;
mod sudoku;
#[path = "../support/mod.rs"]
mod support;

fn main() {
    support::parts(&[
        ("by_hand", by_hand::run),
        ("trees", queens::trees),
        ("times", queens::times),
        ("first", queens::first),
        ("completion", queens::completion),
        ("levels", queens::levels),
        ("sudoku", sudoku::run),
    ]);
}
