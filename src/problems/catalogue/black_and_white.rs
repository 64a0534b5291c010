//! Two-colourings in which each colour hangs together: "Black & White".

use std::fmt;
use std::str::FromStr;

use super::grid::Grid;
use super::original::{Lines, Size, empty_grid};
use super::scan::Scan;
use crate::plug::code::{Bits, Coloured, Joined, Labels};
use crate::plug::{ContourProblem, TooWide};
use crate::text::ParseError;

/// The colour of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// `#`
    Black,
    /// `o`
    White,
}

impl Colour {
    const BOTH: [Colour; 2] = [Colour::Black, Colour::White];

    /// How it is written.
    #[must_use]
    pub fn character(self) -> char {
        match self {
            Colour::Black => '#',
            Colour::White => 'o',
        }
    }
}

/// Colourings of a board in black and white in which the cells of each colour hang together by
/// their sides, and no 2 × 2 block is of one colour. Some cells may be coloured beforehand, some
/// may be obstacles, which have no colour. A colour that no cell has hangs together as well.
///
/// (The problem is *Black & White*, UVa 10572, by Rujia Liu, 2003; as a puzzle to be solved by hand
/// it is called *Yin-Yang*.)
///
/// Of each place in the line the contour remembers the colour of the cell that was swept last
/// there, and its component, a label; besides, the colour of the cell to the left of the one above,
/// for the blocks, and for each colour whether it has been cut off from the cells to come, so that
/// it must not be used again. All of that is one word, [`Coloured`]:
///
/// ```text
///   line above   o o # # o        before x: colours # o # # o, labels 1 2 3 3 2 (two o hang together behind the contour),
///   this line    # x              and the corner is o (left of what is above x)
/// ```
///
/// - The cell takes either colour, unless it would complete a block of one colour.
/// - It joins the components of its neighbours of the same colour, or begins one of its own.
/// - If the cell above is of the other colour, it leaves the contour. If it was the last of its
///   component, that component is complete: there must be no other one of its colour, and none may
///   follow.
/// - A block of two colours crosswise is ruled out at once. The two black cells have to be
///   connected by a way round one of the white ones, which is then cut off from the other. (That is
///   a pruning: without it the count is the same, and states are many more.)
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::problems::catalogue::{BlackAndWhite, Grid};
///
/// let empty = BlackAndWhite::new(&Grid::new(6, 6)?);
/// assert_eq!(Sweep::new(&empty).count().exact(), Some(7736));
///
/// let board: BlackAndWhite = "\
/// o...
/// ....
/// ..#.
/// ...o
/// ".parse()?;
/// assert_eq!(Sweep::new(&board).count().exact(), Some(14));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The label of a cell is its colour, `None` of an obstacle. Cells are [`Grid::raster_position`]. Boards
/// of up to 12 cells along the shorter side fit into a state.
#[derive(Clone, Debug)]
pub struct BlackAndWhite {
    scan: Scan,
    /// The colours that are given, in the order of the sweep.
    given: Vec<Option<Colour>>,
}

impl BlackAndWhite {
    /// A board of which no cell is coloured beforehand.
    #[must_use]
    pub fn new(grid: &Grid) -> Self {
        let scan = Scan::new(grid);
        BlackAndWhite { given: vec![None; scan.cells()], scan }
    }

    /// The board with the colour of a cell given; unchanged if there is no such cell, or it is an
    /// obstacle.
    #[must_use]
    pub fn with_given(mut self, row: usize, column: usize, colour: Colour) -> Self {
        if self.grid().is_free(row, column) {
            let cell = self.scan.cell(row, column);
            self.given[cell] = Some(colour);
        }
        self
    }

    /// The board.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        self.scan.grid()
    }

    /// The colour that is given for a cell.
    #[must_use]
    pub fn given(&self, row: usize, column: usize) -> Option<Colour> {
        if self.grid().is_free(row, column) {
            self.given[self.scan.cell(row, column)]
        } else {
            None
        }
    }

    /// A colouring as text, given by the labels of all cells: `#` black, `o` white, `.` without
    /// colour, `*` an obstacle.
    #[must_use]
    pub fn draw(&self, labels: &[Option<Colour>]) -> String {
        self.scan.draw(labels, |colour| colour.map_or('.', Colour::character))
    }

    /// The colour bits that stand behind those of the places: of the corner, and whether black and
    /// white are complete.
    fn corner(&self) -> usize {
        self.scan.width()
    }

    fn complete(&self, colour: Colour) -> usize {
        self.scan.width() + 1 + colour as usize
    }

    /// Whether a cell of this colour makes, with the three that are there, a block of one colour,
    /// or of two crosswise.
    #[inline]
    fn is_bad_block(&self, cell: usize, colours: Bits, is_white: bool) -> bool {
        let (scan, place) = (&self.scan, self.scan.place(cell));
        if !(scan.is_free_before(cell)
            && scan.is_free_above(cell)
            && scan.is_free(cell - scan.width() - 1))
        {
            return false;
        }
        let (before, above, corner) =
            (colours.get(place - 1), colours.get(place), colours.get(self.corner()));
        // The two beside the cell are of one colour, and so are the two on the other diagonal.
        before == above && corner == is_white
    }

    /// What is left when the cell above leaves the contour without being joined; `None` if its
    /// component is cut off.
    #[inline]
    fn leave(&self, labels: Labels, colours: Bits, place: usize) -> Option<(Labels, Bits)> {
        if labels.get(place) == 0 {
            return Some((labels, colours));
        }
        match labels.close(place) {
            Joined::Whole(left) => {
                let is_white = colours.get(place);
                let has_another = (0..self.scan.width())
                    .any(|place| left.get(place) != 0 && colours.get(place) == is_white);
                (!has_another).then(|| {
                    (left, colours.with(self.complete(Colour::BOTH[usize::from(is_white)]), true))
                })
            }
            closed => Some((closed.state(), colours)),
        }
    }

    /// The colour of what was above a cell becomes the corner of the next one, if that has one.
    #[inline]
    fn with_corner(&self, cell: usize, before: Bits, after: Bits) -> Bits {
        let place = self.scan.place(cell);
        let has_corner = place + 1 < self.scan.width() && self.scan.is_free_above(cell);
        after.with(self.corner(), has_corner && before.get(place))
    }
}

impl ContourProblem for BlackAndWhite {
    type State = Coloured;
    type Label = Option<Colour>;

    fn cells(&self) -> usize {
        self.scan.cells()
    }

    fn start(&self) -> Coloured {
        Coloured::EMPTY
    }

    #[inline]
    fn step(&self, cell: usize, state: Coloured, emit: &mut impl FnMut(Coloured, Option<Colour>)) {
        let (scan, place) = (&self.scan, self.scan.place(cell));
        let (labels, colours) = (state.labels(), state.colours());
        if !scan.is_free(cell) {
            if let Some((labels, left)) = self.leave(labels, colours, place) {
                let left = self.with_corner(cell, colours, left.with(place, false));
                emit(Coloured::new(labels.canonical(), left), None);
            }
            return;
        }
        for colour in Colour::BOTH {
            let is_white = colour == Colour::White;
            if self.given[cell].is_some_and(|given| given != colour)
                || colours.get(self.complete(colour))
                || self.is_bad_block(cell, colours, is_white)
            {
                continue;
            }
            let joins_above = scan.is_free_above(cell) && colours.get(place) == is_white;
            let joins_before = scan.is_free_before(cell) && colours.get(place - 1) == is_white;
            let (mut labels, mut left) = (labels, colours);
            if !joins_above {
                match self.leave(labels, colours, place) {
                    Some(without) => (labels, left) = without,
                    None => continue,
                }
            }
            labels = match (joins_before, joins_above) {
                (true, true) => labels.connect(place - 1, place).state(),
                (true, false) => labels.with(place, labels.get(place - 1)),
                (false, true) => labels,
                (false, false) => labels.fresh(place),
            };
            let left = self.with_corner(cell, colours, left.with(place, is_white));
            emit(Coloured::new(labels.canonical(), left), Some(colour));
        }
    }

    fn accept(&self, state: Coloured) -> bool {
        let (labels, colours) = (state.labels(), state.colours());
        // One component of each colour.
        Colour::BOTH.iter().all(|&colour| {
            let mut parts = (0..self.scan.width())
                .filter(|&place| {
                    labels.get(place) != 0 && colours.get(place) == (colour == Colour::White)
                })
                .map(|place| labels.get(place));
            let first = parts.next();
            parts.all(|label| Some(label) == first)
        })
    }

    fn fits(&self, _: usize) -> Result<(), TooWide> {
        let width = self.scan.width();
        Coloured::<u64>::fits(width, width, width + 3)
    }
}

/// Writes the colours that are given, as they are read.
impl fmt::Display for BlackAndWhite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.draw(&self.given))
    }
}

/// Reads the rows of a board; `line` is the line that gives its size.
fn board(lines: &mut Lines<'_>, line: usize, size: Size) -> Result<BlackAndWhite, ParseError> {
    let grid = empty_grid(line, size)?;
    let expected = "`.` (free cell), `#` (black), `o` (white) or `*` (obstacle)";
    let cells = lines.rows(size, expected, |found| match found {
        '.' => Some((true, None)),
        '*' => Some((false, None)),
        '#' => Some((true, Some(Colour::Black))),
        'o' => Some((true, Some(Colour::White))),
        _ => None,
    })?;
    let grid = grid.with_free_cells(cells.iter().map(|&(free, _)| free).collect());
    let given = (0..).zip(cells).filter_map(|(index, (_, colour))| Some((index, colour?)));
    Ok(given.fold(BlackAndWhite::new(&grid), |board, (index, colour)| {
        board.with_given(index / size.1, index % size.1, colour)
    }))
}

impl BlackAndWhite {
    /// Reads the original input: the number of boards, then each board, a line with the numbers of
    /// rows and columns, and the rows, as `parse` reads them. The task asks for the number of
    /// colourings, and for one of them if there is any.
    ///
    /// ```
    /// use secateurs::plug::Sweep;
    /// use secateurs::problems::catalogue::BlackAndWhite;
    ///
    /// let boards = BlackAndWhite::cases("2\n2 2\no.\n.#\n3 3\n...\n.#.\n..o\n")?;
    /// let counts: Vec<_> = boards.iter().map(|board| Sweep::new(board).count().exact()).collect();
    /// assert_eq!(counts, [Some(4), Some(13)]);
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error with line and column if the text has another format.
    pub fn cases(text: &str) -> Result<Vec<Self>, ParseError> {
        let mut lines = Lines::new(text);
        let expected = "the number of boards";
        let (line, text) = lines.expect(expected)?;
        let cases: usize = text
            .trim()
            .parse()
            .map_err(|_| ParseError::at(line, 1, format!("found {text:?}, expected {expected}")))?;
        let mut boards = Vec::new();
        for _ in 0..cases {
            let (line, size) = lines.header()?;
            boards.push(board(&mut lines, line, size)?);
        }
        lines.end()?;
        Ok(boards)
    }
}

impl FromStr for BlackAndWhite {
    type Err = ParseError;

    /// Reads a board of one line per row: `.` is a free cell, `#` a black one, `o` a white one, and
    /// `*` an obstacle. Lines may end in CR LF, the last line need not end, and empty lines may
    /// follow.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let text = text.trim_end_matches(['\n', '\r']);
        let columns = text.lines().next().map_or(0, |line| line.chars().count());
        board(&mut Lines::new(text), 1, (text.lines().count(), columns))
    }
}
