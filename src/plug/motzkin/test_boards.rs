//! Paths and loops on boards, for the unit tests of this module.

use super::problem::{CellRule, Closing, MotzkinProblem, PathPiece, Side, step};
use crate::plug::ContourProblem;
use crate::plug::code::{Parentheses, Symbol};

/// Paths or loops on the free cells of a board, swept line by line in alternating directions.
pub(in crate::plug::motzkin) struct TestBoard {
    width: usize,
    rules: Vec<CellRule>,
}

impl TestBoard {
    /// Creates the loops on a board of `lines` lines of `width` cells without the obstacles, which
    /// are given as line and place. If `may_skip`, cells may be skipped.
    pub(in crate::plug::motzkin) fn loops(
        (lines, width): (usize, usize),
        obstacles: &[(usize, usize)],
        may_skip: bool,
    ) -> Self {
        let is_free = |line: usize, place: usize| {
            line < lines && place < width && !obstacles.contains(&(line, place))
        };
        let rule = |cell| {
            let (line, place) = position(cell, width);
            if !is_free(line, place) {
                return CellRule::OBSTACLE;
            }
            let below = is_free(line + 1, place);
            let [low, high] = if line % 2 == 0 {
                [below, is_free(line, place + 1)]
            } else {
                [place > 0 && is_free(line, place - 1), below]
            };
            let closing = if may_skip { Closing::Last } else { Closing::Any };
            CellRule { skip: may_skip, closing, ..CellRule::visited(low, high) }
        };
        TestBoard { width, rules: (0..lines * width).map(rule).collect() }
    }

    /// Creates the paths between the opposite corners at which the first and the last line begin,
    /// or end if the number of lines is odd. If it is even, the path closes through the outside.
    pub(in crate::plug::motzkin) fn paths(
        (lines, width): (usize, usize),
        obstacles: &[(usize, usize)],
        may_skip: bool,
    ) -> Self {
        let mut rules = TestBoard::loops((lines, width), obstacles, may_skip).rules;
        for rule in &mut rules {
            rule.closing = Closing::Never;
        }
        rules[0].entrance = Some((Side::Low, Symbol::Open));
        if lines % 2 == 1 {
            let goal = &mut rules[lines * width - 1];
            goal.high = goal.visit;
        } else {
            let last_line = &mut rules[(lines - 1) * width..];
            last_line[0].entrance = Some((Side::High, Symbol::Close));
            last_line.iter_mut().for_each(|rule| rule.closing = Closing::Last);
        }
        TestBoard { width, rules }
    }

    /// Creates the paths and the loops through some cells and through all, on a board with
    /// obstacles.
    pub(in crate::plug::motzkin) fn all(
        size: (usize, usize),
        obstacles: &[(usize, usize)],
    ) -> [TestBoard; 4] {
        let [paths, loops] = [TestBoard::paths, TestBoard::loops];
        [
            paths(size, obstacles, true),
            paths(size, obstacles, false),
            loops(size, obstacles, true),
            loops(size, obstacles, false),
        ]
    }
}

/// Returns line and place of a cell.
fn position(cell: usize, width: usize) -> (usize, usize) {
    let (line, place) = (cell / width, cell % width);
    (line, if line % 2 == 0 { place } else { width - 1 - place })
}

impl ContourProblem for TestBoard {
    type State = Parentheses;
    type Label = PathPiece;

    fn cells(&self) -> usize {
        self.rules.len()
    }

    fn start(&self) -> Parentheses {
        Parentheses::EMPTY
    }

    fn step(&self, cell: usize, word: Parentheses, emit: &mut impl FnMut(Parentheses, PathPiece)) {
        step(self.rule(cell), self.low(cell), word, emit);
    }

    fn accept(&self, _: Parentheses) -> bool {
        true
    }
}

impl MotzkinProblem for TestBoard {
    fn plugs(&self) -> usize {
        self.width + 1
    }

    fn low(&self, cell: usize) -> usize {
        position(cell, self.width).1
    }

    fn rule(&self, cell: usize) -> CellRule {
        self.rules[cell]
    }
}
