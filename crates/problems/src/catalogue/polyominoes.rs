//! Polyominoes by their number of cells: [`Polyominoes`].

use std::marker::PhantomData;

use secateurs::Digest;
use secateurs::plug::algebra::Weight;
use secateurs::plug::code::{Joined, Labels, Word};
use secateurs::plug::{ContourProblem, OfWeight};

use super::connected::{are_neighbours_connected, max_components, take};
use crate::InstanceError;

/// Creates the problem of the fixed polyominoes of up to a number of cells: connected shapes of
/// squares that differ by more than a translation; rotated and mirrored shapes count separately
/// (OEIS A001168).
///
/// A board that contains all polyominoes of `n` cells would be far too wide. The method used here
/// is that of Enting (1980), applied to polyominoes by Conway (1995) and Jensen (2001, to 46 cells,
/// and later to 56):
///
/// - **One box after another.** A polyomino touches all four sides of its bounding box. All boxes
///   of one width are swept together, row by row: the polyomino begins in the first row and ends
///   wherever its last cell is. Polyominoes that are wider than high are the transposes of those
///   that are higher than wide, so the width need be at most the height and at most half the number
///   of cells, and a polyomino that is higher than wide counts twice.
/// - **One polynomial for each state.** The state is that of [connected
///   subsets](super::connected_subsets()), and whether the left and the right side have been
///   touched. The problem is the [`Weight`] of its solutions, the number of cells, so that
///   [`CountByWeight`](secateurs::plug::algebra::CountByWeight) counts the polyominoes of each size
///   in one sweep.
/// - **Only what can still be completed.** From the state follows a lower bound of the number of
///   cells that are needed to connect all components, to touch the sides and to make the height at
///   least the width ([`Weight::least_to_go`]). Terms of a polynomial with too few remaining cells
///   are dropped at once, and states without any terms. The 22,964,779,660 polyominoes of 20 cells
///   take about a million states in total, 1.6 times as many for each further cell, while the
///   number of polyominoes grows by 4.
///
/// All widths form one sweep: a solution passes through all boxes, and draws its polyomino in one
/// of them.
///
/// ```text
///   . # . .   a box of width 4. Before x: labels 1 0 0 2, 5 cells, both sides touched. The gap
///   # # . #   between the two components is two cells wide, and each component needs a cell below
///   # . x .   it: at least 4 more cells are needed.
/// ```
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs_problems::catalogue::polyominoes;
///
/// let polyominoes = polyominoes(13)?;
/// # #[cfg(feature = "bigint")] {
/// use secateurs::plug::algebra::{CountByWeight, Natural};
///
/// let by_size = CountByWeight::new(&polyominoes).up_to(13);
/// let outcome = Sweep::new(&polyominoes).run(&by_size);
/// let of_13 = outcome.total().and_then(|sizes| sizes.coefficient(13));
/// assert_eq!(of_13, Some(Natural::from(1_903_890_u32)));
/// # }
///
/// // To draw them, the number of cells has to be in the state.
/// let of_4 = polyominoes.of_size(4);
/// assert_eq!(Sweep::new(&of_4).count().exact(), Some(19));
/// for labels in Sweep::new(&of_4).solutions()? {
///     println!("{}", polyominoes.draw(&labels));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// There is one polyomino of 0 cells, the empty one. Up to 32 cells fit into a state; see
/// [`Polyominoes`] for more.
///
/// # Errors
///
/// Returns an error for more than 32 cells.
pub fn polyominoes(cells: usize) -> Result<Polyominoes, InstanceError> {
    Polyominoes::new(cells)
}

/// The problem of [`polyominoes()`]: polyominoes of up to a number of cells.
///
/// Without a limit of their size, its solutions are all polyominoes in boxes in which one of that
/// number of cells fits: those whose width and height add up to at most one more.
///
/// The label of a cell of the sweep states whether it is taken; [`squares`](Polyominoes::squares)
/// and [`draw`](Polyominoes::draw) convert the labels of all cells to a shape.
///
/// Labels of components are in a word `W`. By default, polyominoes of up to 32 cells fit;
/// `Polyominoes::<u128>` has room for 54.
#[derive(Clone, Debug)]
pub struct Polyominoes<W: Word = u64> {
    places: Vec<Place>,
    word: PhantomData<W>,
}

/// The contour state of a partial polyomino.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PolyominoState<W: Word = u64> {
    /// For each column of the box, the component of the cell that was swept last there. There is
    /// none before the polyomino begins, and after it is complete.
    labels: Labels<W>,
    /// Whether the polyomino touches the left and the right side of its box. If there is no
    /// component, both are set if the polyomino is complete, and none if it has not begun.
    touches: [bool; 2],
}

impl<W: Word> PolyominoState<W> {
    /// The state before the polyomino begins.
    const START: Self = PolyominoState { labels: Labels::EMPTY, touches: [false; 2] };

    /// The state after the polyomino is complete.
    const COMPLETE: Self = PolyominoState { labels: Labels::EMPTY, touches: [true; 2] };
}

/// The label of a cell of a box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PolyominoSquare {
    /// The cell belongs to the polyomino.
    pub is_taken: bool,
    /// The cell is the last one, and the polyomino is the drawn shape with rows and columns
    /// exchanged.
    pub is_transposed: bool,
}

impl<W: Word> Polyominoes<W> {
    /// The maximal number of cells with states that fit into the word.
    pub const MAX_CELLS: usize = 2 * max_width(Labels::<W>::CAPACITY, Labels::<W>::COMPONENTS);

    /// Creates the problem for a number of cells: see [`polyominoes()`].
    ///
    /// # Errors
    ///
    /// Returns an error for more than [`MAX_CELLS`](Self::MAX_CELLS) cells.
    pub fn new(cells: usize) -> Result<Self, InstanceError> {
        if cells > Self::MAX_CELLS {
            return Err(InstanceError::new(format!(
                "found polyominoes of {cells} cells, expected at most {} with states of this size",
                Self::MAX_CELLS
            )));
        }
        Ok(Polyominoes { places: places(cells), word: PhantomData })
    }

    /// Returns the problem of the polyominoes of exactly this number of cells, to draw, list or
    /// sample them. It must be at most the number of cells that this problem was created for.
    #[must_use]
    pub fn of_size(&self, cells: u32) -> OfWeight<Self, Self> {
        OfWeight::new(self.clone(), self.clone(), cells)
    }

    /// Returns the cells of a polyomino, given by the labels of all cells, as (row, column) from
    /// its top left corner.
    #[must_use]
    pub fn squares(&self, labels: &[PolyominoSquare]) -> Vec<(usize, usize)> {
        let is_transposed = labels.iter().any(|square| square.is_transposed);
        let taken = self.places.iter().zip(labels).filter(|(_, square)| square.is_taken);
        let square = |(&Place { row, column, .. }, _)| match is_transposed {
            true => (column, row),
            false => (row, column),
        };
        taken.map(square).collect()
    }

    /// Draws a polyomino, given by the labels of all cells, as text: `#` for its cells, `.` for the
    /// other cells of its box.
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

    /// Emits a complete polyomino if it fills its box, once or twice.
    fn complete(
        place: Place,
        state: PolyominoState<W>,
        emit: &mut impl FnMut(PolyominoState<W>, PolyominoSquare),
    ) {
        let height = place.row + 1;
        if state.touches != [true; 2] || height < place.width || state.labels.components() > 1 {
            return;
        }
        let complete = PolyominoState::COMPLETE;
        emit(complete, PolyominoSquare { is_taken: true, is_transposed: false });
        if height > place.width {
            emit(complete, PolyominoSquare { is_taken: true, is_transposed: true });
        }
    }
}

/// Returns the width of the widest box, given the numbers of plugs and of components that fit into
/// the labels.
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
        PolyominoState::START
    }

    #[inline]
    fn step(
        &self,
        cell: usize,
        state: PolyominoState<W>,
        emit: &mut impl FnMut(PolyominoState<W>, PolyominoSquare),
    ) {
        let place = self.places[cell];
        if state.labels.is_empty() {
            emit(state, PolyominoSquare::default());
            // A polyomino begins in the first row of its box.
            if state == PolyominoState::COMPLETE || place.row > 0 {
                return;
            }
        } else if place.row == 0 && place.column == 0 {
            return; // the polyomino was not completed in its box
        } else if state.labels.get(place.column) == 0 {
            emit(state, PolyominoSquare::default());
        } else if let Joined::Path(labels) = state.labels.close(place.column) {
            let labels = labels.canonical();
            emit(PolyominoState { labels, ..state }, PolyominoSquare::default());
        }
        let with_cell = PolyominoState {
            labels: take(state.labels, place.column).canonical(),
            touches: [
                state.touches[0] || place.column == 0,
                state.touches[1] || place.column + 1 == place.width,
            ],
        };
        emit(with_cell, PolyominoSquare { is_taken: true, is_transposed: false });
        Self::complete(place, with_cell, emit);
    }

    fn accept(&self, state: PolyominoState<W>) -> bool {
        state.labels.is_empty()
    }

    fn is_legal(&self, cell: usize, state: PolyominoState<W>) -> bool {
        // The contour is that of the box in which the last cell was swept.
        let Some(last) = cell.checked_sub(1).and_then(|last| self.places.get(last)) else {
            return state == PolyominoState::START;
        };
        let place = (last.column + 1) % last.width;
        state.labels.is_legal(last.width)
            && are_neighbours_connected(state.labels, last.width, place)
    }
}

/// The number of cells of a polyomino.
impl<W: Word> Weight<Polyominoes<W>> for Polyominoes<W> {
    #[inline]
    fn label(&self, _: usize, square: PolyominoSquare) -> i64 {
        i64::from(square.is_taken)
    }

    /// Returns a lower bound of the number of further cells. It is at least 1 unless the polyomino
    /// is complete or has not begun.
    #[inline]
    fn least_to_go(&self, cell: usize, state: PolyominoState<W>) -> i64 {
        if state.labels.is_empty() {
            return 0;
        }
        cells_needed(self.places[cell], state.labels, state.touches).max(1) as i64
    }
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&self.places))
    }
}

impl<W: Word> Weight<Polyominoes<W>> for &Polyominoes<W> {
    #[inline]
    fn label(&self, cell: usize, square: PolyominoSquare) -> i64 {
        Polyominoes::label(self, cell, square)
    }
    #[inline]
    fn least_to_go(&self, cell: usize, state: PolyominoState<W>) -> i64 {
        Polyominoes::least_to_go(self, cell, state)
    }
    fn parameters(&self) -> Option<Digest> {
        Weight::parameters(*self)
    }
}

/// A cell of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    /// The width of the box.
    width: usize,
    row: usize,
    column: usize,
}

/// Returns the cells of the boxes of all widths. A polyomino of `w` columns and `h` rows has at
/// least `w + h − 1` cells, which bounds the height of a box of a given width.
fn places(cells: usize) -> Vec<Place> {
    let of_width = |width| {
        let height = cells + 1 - width;
        (0..height).flat_map(move |row| (0..width).map(move |column| Place { width, row, column }))
    };
    (1..=cells.div_ceil(2)).flat_map(of_width).collect()
}

/// Labels of components are below this number.
const LABELS: usize = 16;

/// Returns a lower bound of the number of further cells that are needed to connect all components,
/// to touch the left and the right side of the box, and to make the height at least the width. The
/// cell at `place` is the last one that was swept; there must be a component.
///
/// # Proof
///
/// Order the further cells so that each has a neighbour among the earlier ones. There are three
/// kinds of necessary cells. The bound counts those of the first kind, and those of the second or
/// of the third kind, whichever are more. A cell of the first kind is of no other kind:
///
/// - the first cell in a necessary *column without a plug*: a column beyond the outermost plugs,
///   towards a side that is to be touched, or in a gap between two components. There is nothing
///   above such a cell, and nothing below it, so its neighbour is in its row;
/// - the first cell in a necessary *row*. Its neighbour is above it;
/// - the first cell below a plug. If there are two components or more, each needs one, except for
///   the component of the last cell, which may continue beside it. Such a cell may be the first one
///   of a row, but its column has a plug.
///
/// Every gap must be filled from one side to the other, with one exception. If components lie
/// within another component, between two of its plugs, one gap may stay open there, the widest: the
/// part before it is connected with one plug, and the part after it with the other. If two gaps
/// stayed open, the part between them could not be reached.
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

/// Returns the number of cells that fill the gaps, and the number of components.
fn gaps<W: Word>(labels: Labels<W>, first: usize, last: usize) -> (usize, usize) {
    let mut last_columns = [0; LABELS];
    let mut components = 0;
    for column in first..=last {
        let label = usize::from(labels.get(column));
        components = components.max(label);
        last_columns[label] = column;
    }
    if components == 1 {
        return (0, 1);
    }
    // The stack of the components that enclose the current column, the innermost last; and for each
    // of them the widest gap since its last plug, among the gaps that no inner component encloses.
    let (mut enclosing, mut depth) = ([0; LABELS], 0);
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
        while depth > 0 && last_columns[enclosing[depth - 1]] < column {
            depth -= 1;
        }
        needed += gap;
        if depth > 0 {
            let innermost = enclosing[depth - 1];
            widest[innermost] = gap.max(widest[innermost]);
            if innermost == label {
                needed -= std::mem::take(&mut widest[label]);
                continue;
            }
        }
        enclosing[depth] = label;
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
        // The boxes are 1 × 4 and 2 × 3.
        assert_eq!(places(4).len(), 4 + 6);
        assert_eq!(places(4).last(), Some(&Place { width: 2, row: 2, column: 1 }));
    }
}
