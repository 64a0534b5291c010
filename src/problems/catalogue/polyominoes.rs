//! Polyominoes by their number of cells.

use std::marker::PhantomData;

use super::connected_subsets::{max_components, take};
use crate::plug::ContourProblem;
use crate::plug::code::{Joined, Labels, Word};
use crate::problems::InstanceError;

/// Fixed polyominoes of a number of cells: shapes of squares that hang together by their sides,
/// told apart by their form as it stands, turned or mirrored, but not by where they lie (OEIS
/// A001168).
///
/// No board is given here, and a board that holds all polyominoes of `n` cells is far too wide. The
/// way out is Enting's (1980), made for polyominoes by Conway (1995) and Jensen (2001, to 46 cells,
/// and later to 56):
///
/// - **One box after another.** A polyomino lies in a least box, of which it touches all four
///   sides. All boxes of one width are swept at once, row by row: it begins in the first row, and
///   ends wherever its last cell is. A polyomino that is wider than high is, transposed, one that
///   is higher than wide, so that the width need be at most the height, and half of the number of
///   cells; one that is higher than wide simply counts twice.
/// - **Only what can still be completed.** What the contour remembers is what it does for
///   [connected subsets](super::connected_subsets()), and the number of cells, and whether the left
///   and the right side have been touched. How many cells are needed *at least* to connect all
///   components, to touch the sides and to be as high as wide, can be told from that; and a state
///   for which there are not enough cells left is dropped at once. Nine out of ten states that are
///   kept lead on. With each cell, the largest layer grows by a factor of about 1.5, where the
///   number of polyominoes grows by 4: the 22,964,779,660 polyominoes of 20 cells take layers of at
///   most 13,546 states, 2.5 million altogether.
///
/// All widths are one sweep: a way passes through all boxes, and draws its polyomino in one of
/// them.
///
/// ```text
///   . # . .      a box of width 4. Before x: labels 1 0 0 2, 5 cells, both sides touched. The gap between the two
///   # # . #      components is two cells wide, and each of them can only be reached by a cell below it: at least
///   # . x .      4 more cells are needed.
/// ```
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::problems::catalogue::polyominoes;
///
/// assert_eq!(Sweep::new(&polyominoes(13)?).count().exact(), Some(1_903_890));
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
///
/// Of 0 cells there is one, the empty polyomino. Up to 32 cells fit into a state; see
/// [`Polyominoes`] for more.
///
/// # Errors
/// If there are more.
pub fn polyominoes(cells: usize) -> Result<Polyominoes, InstanceError> {
    Polyominoes::new(cells)
}

/// Polyominoes of a number of cells: what [`polyominoes()`] gives.
///
/// The label of a cell of the sweep says whether it is taken; [`squares`](Polyominoes::squares) and
/// [`draw`](Polyominoes::draw) make a shape of the labels of all cells.
///
/// Labels of components are in a word `W`. By default, polyominoes of up to 32 cells fit;
/// `Polyominoes::<u128>` takes 54.
#[derive(Clone, Debug)]
pub struct Polyominoes<W: Word = u64> {
    cells: usize,
    places: Vec<Place>,
    word: PhantomData<W>,
}

/// What is remembered of a polyomino that is being drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PolyominoState<W: Word = u64> {
    /// Of each column of the box, the component of the cell that was swept last there.
    labels: Labels<W>,
    /// How many cells it has by now: of none, it has not begun; of all, it is complete.
    cells: u8,
    /// Whether it touches the left side of its box, and the right side.
    touches: [bool; 2],
}

/// What a way did in a cell of a box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PolyominoSquare {
    /// The cell belongs to the polyomino.
    pub is_taken: bool,
    /// It is the last one, and the polyomino meant is what has been drawn with rows and columns
    /// exchanged.
    pub is_transposed: bool,
}

impl<W: Word> Polyominoes<W> {
    /// The most cells for which states fit into the word.
    pub const MAX_CELLS: usize = 2 * max_width(Labels::<W>::CAPACITY, Labels::<W>::COMPONENTS);

    /// The polyominoes of so many cells: see [`polyominoes()`].
    ///
    /// # Errors
    /// If there are more than [`MAX_CELLS`](Self::MAX_CELLS).
    pub fn new(cells: usize) -> Result<Self, InstanceError> {
        if cells > Self::MAX_CELLS {
            return Err(InstanceError::new(format!(
                "found polyominoes of {cells} cells, expected at most {} with states of this size",
                Self::MAX_CELLS
            )));
        }
        Ok(Polyominoes { cells, places: places(cells), word: PhantomData })
    }

    /// The cells of a polyomino that is given by the labels of all cells, as (row, column), from
    /// its top left corner.
    #[must_use]
    pub fn squares(&self, labels: &[PolyominoSquare]) -> Vec<(usize, usize)> {
        let is_transposed = labels.iter().any(|square| square.is_transposed);
        let taken = self.places.iter().zip(labels).filter(|(_, square)| square.is_taken);
        taken
            .map(
                |(place, _)| {
                    if is_transposed {
                        (place.column, place.row)
                    } else {
                        (place.row, place.column)
                    }
                },
            )
            .collect()
    }

    /// A polyomino as text, given by the labels of all cells: `#` for its cells, `.` for the others
    /// of its box.
    #[must_use]
    pub fn draw(&self, labels: &[PolyominoSquare]) -> String {
        let squares = self.squares(labels);
        let rows = squares.iter().map(|&(row, _)| row + 1).max().unwrap_or(0);
        let columns = squares.iter().map(|&(_, column)| column + 1).max().unwrap_or(0);
        let mut text = vec![vec!['.'; columns]; rows];
        for (row, column) in squares {
            text[row][column] = '#';
        }
        text.iter().flat_map(|row| row.iter().chain(&['\n'])).collect()
    }

    /// Whether a polyomino that is complete fills its box, and if so, how often it counts.
    fn complete(
        &self,
        place: Place,
        drawn: PolyominoState<W>,
        emit: &mut impl FnMut(PolyominoState<W>, PolyominoSquare),
    ) {
        let height = place.row + 1;
        if drawn.touches != [true; 2] || height < place.width || drawn.labels.components() > 1 {
            return;
        }
        let complete = PolyominoState { labels: Labels::EMPTY, ..drawn };
        emit(complete, PolyominoSquare { is_taken: true, is_transposed: false });
        if height > place.width {
            emit(complete, PolyominoSquare { is_taken: true, is_transposed: true });
        }
    }
}

/// The widest box: so many labels fit into a word, of so many components.
const fn max_width(plugs: usize, components: usize) -> usize {
    let mut width = plugs;
    while max_components(width) > components {
        width -= 1;
    }
    width
}

impl<W: Word> ContourProblem for Polyominoes<W> {
    type State = PolyominoState<W>;
    type Label = PolyominoSquare;

    fn cells(&self) -> usize {
        self.places.len()
    }

    fn start(&self) -> PolyominoState<W> {
        PolyominoState { labels: Labels::EMPTY, cells: 0, touches: [false; 2] }
    }

    #[inline]
    fn step(
        &self,
        cell: usize,
        state: PolyominoState<W>,
        emit: &mut impl FnMut(PolyominoState<W>, PolyominoSquare),
    ) {
        let place = self.places[cell];
        let has_begun = state.cells > 0;
        let is_complete = usize::from(state.cells) == self.cells;
        if !has_begun || is_complete {
            emit(state, PolyominoSquare::default());
            if is_complete || place.row > 0 {
                return;
            }
        } else if place.row == 0 && place.column == 0 {
            return; // the polyomino was not completed in its box
        } else if state.labels.get(place.column) == 0 {
            self.emit_if_possible(place, state, PolyominoSquare::default(), emit);
        } else if let Joined::Path(left) = state.labels.close(place.column) {
            self.emit_if_possible(
                place,
                PolyominoState { labels: left.canonical(), ..state },
                PolyominoSquare::default(),
                emit,
            );
        }
        let drawn = PolyominoState {
            labels: take(state.labels, place.column).canonical(),
            cells: state.cells + 1,
            touches: [
                state.touches[0] || place.column == 0,
                state.touches[1] || place.column + 1 == place.width,
            ],
        };
        if usize::from(drawn.cells) == self.cells {
            self.complete(place, drawn, emit);
        } else {
            self.emit_if_possible(
                place,
                drawn,
                PolyominoSquare { is_taken: true, is_transposed: false },
                emit,
            );
        }
    }

    fn accept(&self, state: PolyominoState<W>) -> bool {
        usize::from(state.cells) == self.cells
    }
}

impl<W: Word> Polyominoes<W> {
    /// Emits a state if the cells that are left may be enough to complete the polyomino.
    #[inline]
    fn emit_if_possible(
        &self,
        place: Place,
        drawn: PolyominoState<W>,
        square: PolyominoSquare,
        emit: &mut impl FnMut(PolyominoState<W>, PolyominoSquare),
    ) {
        if usize::from(drawn.cells) + cells_needed(place, drawn.labels, drawn.touches) <= self.cells
        {
            emit(drawn, square);
        }
    }
}

/// A cell of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    /// The width of its box.
    width: usize,
    row: usize,
    column: usize,
}

/// The boxes of all widths, each so high as a polyomino of so many cells can be that is no wider
/// than it is high: a polyomino of `w` columns and `h` rows has at least `w + h − 1` cells.
fn places(cells: usize) -> Vec<Place> {
    let of_width = |width| {
        let height = cells + 1 - width;
        (0..height).flat_map(move |row| (0..width).map(move |column| Place { width, row, column }))
    };
    (1..=cells.div_ceil(2)).flat_map(of_width).collect()
}

/// Labels of components are below this.
const LABELS: usize = 16;

/// At least so many more cells are needed to connect all components, to touch the left and the
/// right side of the box, and to be as high as wide. The cell at `place` is the last one that has
/// been swept; there must be a component.
///
/// # Why it is right
///
/// Order the cells to come so that each has a neighbour among those that are there by then. Three
/// kinds of them are counted, and no cell is of two kinds:
///
/// - the first one in a *column without a plug* that is needed: one beyond the outermost plugs,
///   towards a side that is to be touched, or one in a gap between two components. There is nothing
///   above such a cell, and nothing below it, so its neighbour is in its row;
/// - the first one in a *row* that is needed. Its neighbour is above it;
/// - the first one below a plug. If there are two components or more, each needs one, but for the
///   component of the last cell, which may go on beside it. Such a cell may be the first one of a
///   row, but its column has a plug.
///
/// Every gap must be filled from one side to the other, with one exception. If components lie
/// within another one, between two of its plugs, a gap may be left open there, the widest: what
/// lies before it is connected with the one plug, and what lies behind it with the other. If two
/// gaps were left open, what lies between them could not be reached.
fn cells_needed<W: Word>(place: Place, labels: Labels<W>, touches: [bool; 2]) -> usize {
    let mut plugs = (0..place.width).filter(|&column| labels.get(column) != 0);
    let Some(first) = plugs.next() else { return 0 };
    let last = plugs.next_back().unwrap_or(first);

    let outside = [first, place.width - 1 - last];
    let sides: usize = outside
        .into_iter()
        .zip(touches)
        .filter(|&(_, touches)| !touches)
        .map(|(cells, _)| cells)
        .sum();
    let (gaps, components) = gaps(labels, first, last);
    let below =
        if components > 1 { components - usize::from(labels.get(place.column) != 0) } else { 0 };
    let reaches_row = (first..=place.column).any(|column| labels.get(column) != 0);
    let height = place.row + usize::from(reaches_row);
    sides + gaps + below.max(place.width.saturating_sub(height))
}

/// How many cells gaps need to be filled, and how many components there are.
fn gaps<W: Word>(labels: Labels<W>, first: usize, last: usize) -> (usize, usize) {
    let mut ends = [0; LABELS];
    let mut components = 0;
    for column in first..=last {
        let label = usize::from(labels.get(column));
        components = components.max(label);
        ends[label] = column;
    }
    if components == 1 {
        return (0, 1);
    }
    // The components that the sweep along the contour is within, the innermost last; and of each
    // the widest gap since its last plug, of those that are not within other components.
    let (mut within, mut depth) = ([0; LABELS], 0);
    let mut widest = [0; LABELS];
    let mut needed = 0;
    let mut previous = first;
    for column in first..=last {
        let label = usize::from(labels.get(column));
        if label == 0 {
            continue;
        }
        let gap = (column - previous).saturating_sub(1);
        previous = column;
        while depth > 0 && ends[within[depth - 1]] < column {
            depth -= 1;
        }
        needed += gap;
        if depth > 0 {
            let around = within[depth - 1];
            widest[around] = gap.max(widest[around]);
            if around == label {
                needed -= std::mem::take(&mut widest[label]);
                continue;
            }
        }
        within[depth] = label;
        depth += 1;
    }
    (needed, components)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_between_and_within_components() {
        for (code, needed) in [
            ("1", (0, 1)),
            ("1..1", (0, 1)),
            ("1..2", (2, 2)),
            ("1..2.3", (3, 3)),
            ("1..2.1", (1, 2)),
            ("1..2..1.3", (2 + 1, 3)),
            ("1..2.3.2...1", (2 + 1, 3)),
            ("1.1..2", (2, 2)),
            ("12", (0, 2)),
            ("1.2...1..3..1", (1 + 2, 3)),
        ] {
            let labels: Labels = code.parse().expect("a code");
            let first = 0;
            assert_eq!(gaps(labels, first, labels.len() - 1), needed, "{code}");
        }
    }

    #[test]
    fn boxes_are_no_wider_than_high() {
        assert_eq!(places(0), []);
        assert_eq!(places(1), [Place { width: 1, row: 0, column: 0 }]);
        // 1 × 4 and 2 × 3.
        assert_eq!(places(4).len(), 4 + 6);
        assert_eq!(places(4).last(), Some(&Place { width: 2, row: 2, column: 1 }));
    }
}
