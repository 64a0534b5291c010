//! Paths and loops on boards, for the unit tests of this module.

use super::problem::{CellRule, Closing, Side};
use crate::plug::code::Symbol;

/// The low plug and the rule of each cell of a board that is swept line by line in alternating
/// directions.
pub(super) type TestBoard = Vec<(usize, CellRule)>;

/// Returns the loops on a board of `lines` lines of `width` cells without the obstacles, which are
/// given as line and place. If `may_skip`, cells may be skipped.
fn loops(
    (lines, width): (usize, usize),
    obstacles: &[(usize, usize)],
    may_skip: bool,
) -> TestBoard {
    let is_free = |line: usize, place: usize| {
        line < lines && place < width && !obstacles.contains(&(line, place))
    };
    let cell = |cell| {
        let (line, place) = (cell / width, cell % width);
        let place = if line % 2 == 0 { place } else { width - 1 - place };
        if !is_free(line, place) {
            return (place, CellRule::OBSTACLE);
        }
        let below = is_free(line + 1, place);
        let [low, high] = if line % 2 == 0 {
            [below, is_free(line, place + 1)]
        } else {
            [place > 0 && is_free(line, place - 1), below]
        };
        let closing = if may_skip { Closing::Last } else { Closing::Any };
        (place, CellRule { skip: may_skip, closing, ..CellRule::visited(low, high) })
    };
    (0..lines * width).map(cell).collect()
}

/// Returns the paths between the opposite corners at which the first and the last line begin, or
/// end if the number of lines is odd. If it is even, the path closes through the outside.
pub(super) fn paths(
    (lines, width): (usize, usize),
    obstacles: &[(usize, usize)],
    may_skip: bool,
) -> TestBoard {
    let mut cells = loops((lines, width), obstacles, may_skip);
    cells.iter_mut().for_each(|(_, rule)| rule.closing = Closing::Never);
    cells[0].1.entrance = Some((Side::Low, Symbol::Open));
    if lines % 2 == 1 {
        let goal = &mut cells[lines * width - 1].1;
        goal.high = goal.visit;
    } else {
        let last_line = &mut cells[(lines - 1) * width..];
        last_line[0].1.entrance = Some((Side::High, Symbol::Close));
        last_line.iter_mut().for_each(|(_, rule)| rule.closing = Closing::Last);
    }
    cells
}

/// Returns the paths and the loops through some cells and through all, on a board with obstacles.
pub(super) fn all(size: (usize, usize), obstacles: &[(usize, usize)]) -> [TestBoard; 4] {
    [
        paths(size, obstacles, true),
        paths(size, obstacles, false),
        loops(size, obstacles, true),
        loops(size, obstacles, false),
    ]
}
