//! Counts on long boards, whose lines are repeated.

use std::fmt::Display;
use std::ops::Range;

use secateurs::plug::ContourProblem;

use super::options::{Options, Subject};
use crate::support::Failure;
use crate::support::catalogue::{Board, Draw, Problem, Size, Use};
use crate::support::sweeps::State;

/// The length of boards from which on lines are repeated: a sweep of shorter ones takes seconds.
const MIN_LINES: usize = 10_000;

/// A board without obstacles with two of its lines repeated. Paths and loops are swept in
/// alternating directions, so that only pairs of lines are the same.
pub struct LongBoard {
    /// The board with the repeated lines once.
    board: Board,
    cells: Range<usize>,
    times: usize,
}

impl LongBoard {
    /// Returns the board if it is so long that lines are repeated, and the problem has a board.
    pub fn new(problem: Problem, board: &Board) -> Option<Self> {
        let lines = board.columns?.max(board.rows);
        let (width, is_plain) = (board.width(), board.is_plain());
        // The shortened board must not be wider than it is long.
        let before = width.next_multiple_of(2).max(2);
        let after = 2 - lines % 2;
        let is_long = lines >= MIN_LINES.max(before + 2 + after) && width > 0;
        let has_board = !matches!(problem, Problem::Polyominoes | Problem::Walks);
        let is_suitable = is_plain && is_long && has_board;
        is_suitable.then(|| LongBoard {
            board: board.with_lines(before + 2 + after),
            cells: before * width..(before + 2) * width,
            times: (lines - before - after) / 2,
        })
    }

    /// Counts modulo a number, and prints the answer.
    pub fn count(
        &self,
        problem: Problem,
        options: &Options,
        subject: &Subject,
        modulus: u64,
    ) -> Result<(), Failure> {
        problem.with(&self.board, &LongCount { long: self, options, subject, modulus })
    }
}

struct LongCount<'a> {
    long: &'a LongBoard,
    options: &'a Options,
    subject: &'a Subject,
    modulus: u64,
}

impl Use for LongCount<'_> {
    fn contour_problem<P: ContourProblem<State: State, Label: Size>, D: Display>(
        &self,
        problem: &P,
        _: Draw<P, D>,
    ) -> Result<(), Failure> {
        let LongBoard { cells, times, .. } = self.long;
        self.options.count_repeated(self.subject, problem, cells.clone(), *times, self.modulus)
    }
}
