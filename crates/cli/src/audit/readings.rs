//! Misreadings of the article's prunings of fire-net, as hooks: each loses a bunker on some small
//! board.
//!
//! The correct prunings are in the library, each with its proof.

// The tests and the example use different parts of this module.
#![allow(dead_code)]

use secateurs::{Effect, Hook, NodeMut, Substitute, Verdict, hook};
use secateurs_problems::fire_net::{FireNetBoard, State};

/// The names and descriptions of the misreadings.
pub const WRONG: [(&str, &str); 7] = [
    ("5", "a bunker on any cell of a segment with two candidates"),
    ("9a", "walled on three sides: as many bunkers as it has lines, on any diagonal"),
    ("9b", "walled on three sides: a bunker in the line next to the wall at the side"),
    (
        "9c",
        "walled on three sides: as many bunkers as it has lines, on closed lines first, then \
         anywhere",
    ),
    (
        "10a",
        "walled on two opposite sides: as many bunkers as there are closed lines, on any \
         diagonal",
    ),
    ("10b", "walled on two opposite sides: bunkers on lines with a wall at one end"),
    (
        "10c",
        "walled on two opposite sides: bunkers on lines whose walls are those of another line \
         rotated by 180 degrees",
    ),
];

/// Returns a misreading by its name, as a hook that claims to keep an optimum.
pub fn wrong(name: &str) -> Option<impl Hook<FireNetBoard> + Clone + Send + use<>> {
    let reading = match name {
        // Pruning 5 is about segments, not rectangles.
        "5" => None,
        "9a" => Some(nine_any_diagonal as Reading),
        "9b" => Some(nine_beside_the_wall as Reading),
        "9c" => Some(nine_always_all as Reading),
        "10a" => Some(ten_any_diagonal as Reading),
        "10b" => Some(ten_one_end as Reading),
        "10c" => Some(ten_point_symmetric as Reading),
        _ => return None,
    };
    let enter = move |node: &mut NodeMut<'_, FireNetBoard>| {
        let board = node.problem();
        let state = node.state_mut();
        state.exclude_passed(board);
        while match reading {
            None => five_with_two_candidates(board, state),
            Some(reading) => place_by(reading, board, state),
        } {}
        Verdict::Keep
    };
    Some(
        hook::enter(format!("{name}, read wrongly"), Effect::OptimumOnly, enter)
            .substitute(Substitute::Below),
    )
}

/// A view of a board from one of its four sides.
struct View<'b> {
    board: &'b FireNetBoard,
    state: &'b State,
    transposed: bool,
    upside_down: bool,
}

impl View<'_> {
    fn lines(&self) -> usize {
        if self.transposed { self.board.columns() } else { self.board.rows() }
    }
    fn width(&self) -> usize {
        if self.transposed { self.board.rows() } else { self.board.columns() }
    }
    /// Returns a cell of the board. Its line and its place in the line are counted from 0.
    fn cell(&self, line: usize, place: usize) -> usize {
        let line = if self.upside_down { self.lines() - 1 - line } else { line };
        let (row, column) = if self.transposed { (place, line) } else { (line, place) };
        self.board.cell(row, column)
    }
    /// Returns whether a cell, counted from 1, is a wall. Cells outside the board, including line
    /// and place 0, count as walls.
    fn is_wall(&self, line: usize, place: usize) -> bool {
        let inside = (1..=self.lines()).contains(&line) && (1..=self.width()).contains(&place);
        !inside || self.board.is_wall(self.cell(line - 1, place - 1))
    }
    /// Returns whether these cells, counted from 1, are candidates.
    fn are_candidates(&self, lines: (usize, usize), places: (usize, usize)) -> bool {
        let cells = (lines.0..=lines.1)
            .flat_map(|line| (places.0..=places.1).map(move |place| (line, place)));
        cells
            .into_iter()
            .all(|(line, place)| self.state.is_candidate(self.cell(line - 1, place - 1)))
    }
}

/// A rectangle of candidates: its first and last line, and first and last place, counted from 1.
type Rectangle = ((usize, usize), (usize, usize));

/// A rule that places bunkers in a rectangle, as pairs of a line and a place.
type Reading = fn(&View<'_>, Rectangle) -> Option<Vec<(usize, usize)>>;

fn diagonal(((top, bottom), (left, right)): Rectangle) -> Vec<(usize, usize)> {
    (top..=bottom).zip(left..=right).collect()
}

/// Returns whether a rectangle is walled at its first line and on both sides, but not at its last
/// line.
fn is_bay(view: &View<'_>, ((top, bottom), (left, right)): Rectangle) -> bool {
    (left..=right).all(|place| view.is_wall(top - 1, place))
        && (top..=bottom).all(|line| view.is_wall(line, left - 1) && view.is_wall(line, right + 1))
        && !(left..=right).all(|place| view.is_wall(bottom + 1, place))
}

/// Applies pruning 9 with as many bunkers as lines, on any diagonal.
fn nine_any_diagonal(view: &View<'_>, rectangle: Rectangle) -> Option<Vec<(usize, usize)>> {
    let ((_, bottom), (left, right)) = rectangle;
    let has_closed_line = (left..=right).any(|place| view.is_wall(bottom + 1, place));
    (is_bay(view, rectangle) && has_closed_line).then(|| diagonal(rectangle))
}

/// Applies pruning 9 with a bunker in the line next to the wall at the side.
fn nine_beside_the_wall(view: &View<'_>, rectangle: Rectangle) -> Option<Vec<(usize, usize)>> {
    let ((top, bottom), (left, right)) = rectangle;
    let has_closed_line = (left..=right).any(|place| view.is_wall(bottom + 1, place));
    (is_bay(view, rectangle) && has_closed_line).then(|| vec![(top, left)])
}

/// Applies pruning 9 with as many bunkers as lines, on closed lines first, then anywhere.
fn nine_always_all(view: &View<'_>, rectangle: Rectangle) -> Option<Vec<(usize, usize)>> {
    let ((top, bottom), (left, right)) = rectangle;
    let is_closed = |place: &usize| view.is_wall(bottom + 1, *place);
    let closed = (left..=right).filter(is_closed);
    let open = (left..=right).rev().filter(|place| !is_closed(place));
    let has_closed_line = closed.clone().next().is_some();
    (is_bay(view, rectangle) && has_closed_line)
        .then(|| (top..=bottom).zip(closed.chain(open)).collect())
}

/// Returns whether a rectangle is walled at its first and last lines, but not on both sides.
fn is_corridor(view: &View<'_>, ((top, bottom), (left, right)): Rectangle) -> bool {
    (left..=right).all(|place| view.is_wall(top - 1, place) && view.is_wall(bottom + 1, place))
        && !(top..=bottom).all(|line| view.is_wall(line, left - 1))
        && !(top..=bottom).all(|line| view.is_wall(line, right + 1))
}

/// Applies pruning 10 on any diagonal.
fn ten_any_diagonal(view: &View<'_>, rectangle: Rectangle) -> Option<Vec<(usize, usize)>> {
    let ((top, bottom), (left, right)) = rectangle;
    let closed = (top..=bottom)
        .filter(|&line| view.is_wall(line, left - 1) && view.is_wall(line, right + 1))
        .count();
    (is_corridor(view, rectangle) && closed > 0)
        .then(|| diagonal(rectangle).into_iter().take(closed).collect())
}

/// Applies pruning 10 on lines with a wall at one end.
fn ten_one_end(view: &View<'_>, rectangle: Rectangle) -> Option<Vec<(usize, usize)>> {
    let ((top, bottom), (left, right)) = rectangle;
    let closed = (top..=bottom)
        .filter(|&line| view.is_wall(line, left - 1) || view.is_wall(line, right + 1));
    let cells: Vec<_> = closed.zip((left..=right).rev()).collect();
    (is_corridor(view, rectangle) && !cells.is_empty()).then_some(cells)
}

/// Applies pruning 10 on lines whose walls are those of another line rotated by 180 degrees.
fn ten_point_symmetric(view: &View<'_>, rectangle: Rectangle) -> Option<Vec<(usize, usize)>> {
    let ((top, bottom), (left, right)) = rectangle;
    let closed = (top..=bottom).filter(|&line| {
        let opposite = top + bottom - line;
        view.is_wall(line, left - 1) && view.is_wall(opposite, right + 1)
    });
    let cells: Vec<_> = closed.zip(left..=right).collect();
    (is_corridor(view, rectangle) && !cells.is_empty()).then_some(cells)
}

/// Applies a misreading to the first rectangle that it fits. Returns false if no bunker was placed.
fn place_by(reading: Reading, board: &FireNetBoard, state: &mut State) -> bool {
    let found = [(false, false), (false, true), (true, false), (true, true)].iter().find_map(
        |&(transposed, upside_down)| {
            let view = View { board, state, transposed, upside_down };
            let pairs =
                |end| (1..=end).flat_map(move |first| (first..=end).map(move |last| (first, last)));
            let rectangles = pairs(view.lines())
                .flat_map(|lines| pairs(view.width()).map(move |places| (lines, places)));
            let cells = rectangles
                .filter(|&(lines, places)| view.are_candidates(lines, places))
                .find_map(|rectangle| reading(&view, rectangle))?;
            Some(
                cells
                    .into_iter()
                    .map(|(line, place)| view.cell(line - 1, place - 1))
                    .collect::<Vec<_>>(),
            )
        },
    );
    let Some(cells) = found else { return false };
    // Unlike `any`, `count` tries to place all bunkers.
    cells.into_iter().filter(|&cell| state.place(board, cell)).count() > 0
}

/// Applies pruning 5 to a segment with two candidates. Returns false if no bunker was placed.
fn five_with_two_candidates(board: &FireNetBoard, state: &mut State) -> bool {
    let two = (0..board.segments().len()).find(|&segment| state.degree(segment) == 2);
    let Some(segment) = two else { return false };
    let cell = board.segments().get(segment).cells().find(|&cell| state.is_candidate(cell));
    cell.is_some_and(|cell| state.place(board, cell))
}
