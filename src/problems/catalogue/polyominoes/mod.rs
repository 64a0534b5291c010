//! Polyominoes by their number of cells.

mod needed;
mod place;

use std::error::Error;
use std::fmt;
use std::marker::PhantomData;

use super::connected_subsets::{most_components, take};
use crate::plug::ContourProblem;
use crate::plug::code::{Joined, Labels, Word};
use needed::cells_needed;
use place::{Place, places};

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
/// # Ok::<(), secateurs::problems::catalogue::TooManyCells>(())
/// ```
///
/// Of 0 cells there is one, the empty polyomino. Up to 32 cells fit into a state; see
/// [`Polyominoes`] for more.
///
/// # Errors
/// If there are more.
pub fn polyominoes(cells: usize) -> Result<Polyominoes, TooManyCells> {
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
pub struct Drawn<W: Word = u64> {
    /// Of each column of the box, the component of the cell that was swept last there.
    labels: Labels<W>,
    /// How many cells it has by now: of none, it has not begun; of all, it is complete.
    cells: u8,
    /// Whether it touches the left side of its box, and the right side.
    touches: [bool; 2],
}

/// What a way did in a cell of a box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Square {
    /// The cell belongs to the polyomino.
    pub is_taken: bool,
    /// It is the last one, and the polyomino meant is what has been drawn with rows and columns
    /// exchanged.
    pub is_transposed: bool,
}

/// More cells than fit into a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TooManyCells {
    /// The cells asked for.
    pub cells: usize,
    /// The most that fit.
    pub most: usize,
}

impl fmt::Display for TooManyCells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "found polyominoes of {} cells, expected at most {} with states of this size",
            self.cells, self.most
        )
    }
}

impl Error for TooManyCells {}

impl<W: Word> Polyominoes<W> {
    /// The most cells for which states fit into the word.
    pub const MOST_CELLS: usize = 2 * most_width(Labels::<W>::CAPACITY, Labels::<W>::COMPONENTS);

    /// The polyominoes of so many cells: see [`polyominoes()`].
    ///
    /// # Errors
    /// If there are more than [`MOST_CELLS`](Self::MOST_CELLS).
    pub fn new(cells: usize) -> Result<Self, TooManyCells> {
        if cells > Self::MOST_CELLS {
            return Err(TooManyCells { cells, most: Self::MOST_CELLS });
        }
        Ok(Polyominoes { cells, places: places(cells), word: PhantomData })
    }

    /// The cells of a polyomino that is given by the labels of all cells, as (row, column), from
    /// its top left corner.
    #[must_use]
    pub fn squares(&self, labels: &[Square]) -> Vec<(usize, usize)> {
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
    pub fn draw(&self, labels: &[Square]) -> String {
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
    fn complete(&self, place: Place, drawn: Drawn<W>, emit: &mut impl FnMut(Drawn<W>, Square)) {
        let height = place.row + 1;
        if drawn.touches != [true; 2] || height < place.width || drawn.labels.components() > 1 {
            return;
        }
        let complete = Drawn { labels: Labels::EMPTY, ..drawn };
        emit(complete, Square { is_taken: true, is_transposed: false });
        if height > place.width {
            emit(complete, Square { is_taken: true, is_transposed: true });
        }
    }
}

/// The widest box: so many labels fit into a word, of so many components.
const fn most_width(plugs: usize, components: usize) -> usize {
    let mut width = plugs;
    while most_components(width) > components {
        width -= 1;
    }
    width
}

impl<W: Word> ContourProblem for Polyominoes<W> {
    type State = Drawn<W>;
    type Label = Square;

    fn cells(&self) -> usize {
        self.places.len()
    }

    fn start(&self) -> Drawn<W> {
        Drawn { labels: Labels::EMPTY, cells: 0, touches: [false; 2] }
    }

    #[inline]
    fn step(&self, cell: usize, state: Drawn<W>, emit: &mut impl FnMut(Drawn<W>, Square)) {
        let place = self.places[cell];
        let has_begun = state.cells > 0;
        let is_complete = usize::from(state.cells) == self.cells;
        if !has_begun || is_complete {
            emit(state, Square::default());
            if is_complete || place.row > 0 {
                return;
            }
        } else if place.row == 0 && place.column == 0 {
            return; // It was not completed in its box.
        } else if state.labels.get(place.column) == 0 {
            self.emit_if_possible(place, state, Square::default(), emit);
        } else if let Joined::Path(left) = state.labels.close(place.column) {
            self.emit_if_possible(
                place,
                Drawn { labels: left.canonical(), ..state },
                Square::default(),
                emit,
            );
        }
        let drawn = Drawn {
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
                Square { is_taken: true, is_transposed: false },
                emit,
            );
        }
    }

    fn accept(&self, state: Drawn<W>) -> bool {
        usize::from(state.cells) == self.cells
    }
}

impl<W: Word> Polyominoes<W> {
    /// Emits a state if the cells that are left may be enough to complete the polyomino.
    #[inline]
    fn emit_if_possible(
        &self,
        place: Place,
        drawn: Drawn<W>,
        square: Square,
        emit: &mut impl FnMut(Drawn<W>, Square),
    ) {
        if usize::from(drawn.cells) + cells_needed(place, drawn.labels, drawn.touches) <= self.cells
        {
            emit(drawn, square);
        }
    }
}
