//! Rectangles of empty cells with walled sides, for prunings 6 to 10.

use super::board::FireNetBoard;
use super::segments::Axis;
use super::state::State;

/// A rectangle of empty cells with at least two opposite walled sides.
///
/// A side is *walled* if no line of the rectangle that crosses it has a candidate beyond it. Walls
/// and borders make a side walled, but so do controlled and excluded cells: only candidates matter.
///
/// The *walled lines* run from one of two opposite walled sides to the other, so their segments
/// have no candidate outside the rectangle. The *crossing lines* run at right angles to them. Their
/// segments may have candidates beyond the *near* or the *far* side. Only lines with a candidate in
/// the rectangle count; a line that a bunker controls has none. The rectangle is *full* if every
/// cell where a walled line meets a crossing line is a candidate. For the proofs: in the graph
/// whose edges are the candidates, the walled lines are a set W of vertices, the crossing lines a
/// set C, and all neighbours of W lie in C.
#[derive(Debug)]
pub struct Rectangle<'a> {
    board: &'a FireNetBoard,
    state: &'a State,
    axis: Axis,
    /// The rows or columns of the walled lines.
    walled: &'a [usize],
    /// The columns or rows of the crossing lines, each with its number of candidates inside.
    crossing: &'a [(usize, u32)],
    /// The first row or column among the walled lines.
    near: usize,
    /// The last row or column among the walled lines.
    far: usize,
}

/// The rule of a pruning, which returns the cells of the bunkers to place in a rectangle, or `None`
/// if it does not apply.
pub(super) type Rule = fn(&Rectangle<'_>) -> Option<Vec<usize>>;

/// Returns the cell of a row or column (`line`) at a place along it.
fn cell_at(board: &FireNetBoard, axis: Axis, line: usize, place: usize) -> usize {
    match axis {
        Axis::Row => line * board.columns() + place,
        Axis::Column => place * board.columns() + line,
    }
}

impl Rectangle<'_> {
    /// Returns the number of walled lines.
    pub(super) fn walled(&self) -> usize {
        self.walled.len()
    }

    /// Returns the number of crossing lines.
    pub(super) fn crossing(&self) -> usize {
        self.crossing.len()
    }

    /// Returns whether every cell where a walled line meets a crossing line is a candidate.
    pub(super) fn is_full(&self) -> bool {
        self.crossing.iter().all(|&(_, inside)| inside as usize == self.walled.len())
    }

    /// Returns whether the near or the far side is walled.
    pub(super) fn has_third_wall(&self) -> bool {
        let end = match self.axis {
            Axis::Row => self.board.rows(),
            Axis::Column => self.board.columns(),
        };
        self.crossing.iter().all(|line| self.is_free(line, (0..self.near).rev()))
            || self.crossing.iter().all(|line| self.is_free(line, self.far + 1..end))
    }

    /// Returns whether a crossing line has no candidate on `lines`, which lead away from the
    /// rectangle.
    fn is_free(&self, &(place, inside): &(usize, u32), lines: impl Iterator<Item = usize>) -> bool {
        let segment = self.segment(place);
        if self.state.degree(segment) == inside as usize {
            return true;
        }
        let mut beyond = lines.map(|line| cell_at(self.board, self.axis, line, place));
        let along = 1 - self.axis as usize;
        beyond
            .by_ref()
            .take_while(|&cell| {
                self.board.segments().of(cell).is_some_and(|of| of[along] == segment)
            })
            .all(|cell| !self.state.is_candidate(cell))
    }

    /// Returns the segment of the crossing line at `place`.
    fn segment(&self, place: usize) -> usize {
        self.board.segments().both(cell_at(self.board, self.axis, self.near, place))
            [1 - self.axis as usize]
    }

    /// Returns the places of all crossing lines.
    pub(super) fn all_lines(&self) -> Vec<usize> {
        self.crossing.iter().map(|&(place, _)| place).collect()
    }

    /// Returns the places of the crossing lines that have no candidate outside the rectangle.
    pub(super) fn closed_lines(&self) -> Vec<usize> {
        let closed = |&&(place, inside): &&(usize, u32)| {
            self.state.degree(self.segment(place)) == inside as usize
        };
        self.crossing.iter().filter(closed).map(|&(place, _)| place).collect()
    }

    /// Returns one candidate on each of the first `count` of the given crossing lines, no two on
    /// one walled line: each crossing line takes the first unused walled line. Returns `None` if a
    /// line finds none; in a full rectangle that happens only if there are fewer walled lines.
    pub(super) fn bunkers(&self, lines: &[usize], count: usize) -> Option<Vec<usize>> {
        let mut unused = self.walled.to_vec();
        lines[..count]
            .iter()
            .map(|&place| {
                let candidate = |&line: &usize| {
                    self.state.is_candidate(cell_at(self.board, self.axis, line, place))
                };
                let found = unused.iter().position(candidate)?;
                Some(cell_at(self.board, self.axis, unused.remove(found), place))
            })
            .collect()
    }
}

/// Memory of [`apply_rule`], reused by the next call.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// By place from the start of the first line: the number of candidates inside.
    inside: Vec<u32>,
    walled: Vec<usize>,
    crossing: Vec<(usize, u32)>,
}

/// Enumerates the rectangles that begin with a segment and extend to the right (columns) or
/// downwards (rows), and returns the cells to place bunkers on in the first one to which the rule
/// applies.
pub(super) fn apply_rule(
    board: &FireNetBoard,
    state: &State,
    first: usize,
    rule: Rule,
    scratch: &mut Scratch,
) -> Option<Vec<usize>> {
    if state.degree(first) == 0 {
        return None;
    }
    let axis = board.segments().get(first).axis();
    let lines = match axis {
        Axis::Row => board.rows(),
        Axis::Column => board.columns(),
    };
    let line_and_place = |cell: usize| match axis {
        Axis::Row => (cell / board.columns(), cell % board.columns()),
        Axis::Column => (cell % board.columns(), cell / board.columns()),
    };
    let Scratch { inside, walled, crossing } = scratch;
    let (near, origin) = line_and_place(board.segments().get(first).cell(0));
    inside.clear();
    inside.resize(board.segments().get(first).len(), 0);
    walled.clear();
    // The hull of the candidates so far.
    let (mut low, mut high) = (usize::MAX, 0);
    // The range of places that all segments so far share.
    let (mut least, mut most) = (0, usize::MAX);
    let mut segment = first;
    for line in near..lines {
        if line > near {
            segment = board.segments().of(cell_at(board, axis, line, low))?[axis as usize];
        }
        let cells = board.segments().get(segment);
        let start = line_and_place(cells.cell(0)).1;
        least = least.max(start);
        most = most.min(start + cells.len() - 1);
        if low < least || high > most {
            return None;
        }
        if state.degree(segment) == 0 {
            continue;
        }
        for place in (0..cells.len())
            .filter(|&place| state.is_candidate(cells.cell(place)))
            .map(|place| start + place)
        {
            if place < least || place > most {
                return None;
            }
            inside[place - origin] += 1;
            low = low.min(place);
            high = high.max(place);
        }
        walled.push(line);
        crossing.clear();
        let counted = (low..=high).map(|place| (place, inside[place - origin]));
        crossing.extend(counted.filter(|&(_, inside)| inside > 0));
        let rectangle = Rectangle { board, state, axis, walled, crossing, near, far: line };
        let cells = rule(&rectangle).filter(|cells| !cells.is_empty());
        if cells.is_some() {
            return cells;
        }
    }
    None
}
