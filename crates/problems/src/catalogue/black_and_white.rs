//! Two-colourings in which both colours are connected: "Black & White".

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use secateurs::ParseError;
use secateurs::plug::code::{Bits, Coloured, Joined, Labels, Word};
use secateurs::plug::{ContourProblem, TooWide};
use secateurs::text::parse_number;

use super::connected::join_neighbours;
use super::grid::{Grid, Scan};
use super::original_tasks::{Lines, Size, empty_grid};

/// The colour of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// Black, written `#`.
    Black,
    /// White, written `o`.
    White,
}

impl Colour {
    const BOTH: [Colour; 2] = [Colour::Black, Colour::White];

    /// Returns the character that represents the colour.
    #[must_use]
    pub fn character(self) -> char {
        match self {
            Colour::Black => '#',
            Colour::White => 'o',
        }
    }
}

/// Colourings of a board in black and white in which the cells of each colour are connected by
/// their sides, and no 2 × 2 block has only one colour. Some cells may have a given colour, some
/// may be obstacles, which have no colour. A colour without cells is connected.
///
/// (The problem is *Black & White*, UVa 10572, by Rujia Liu, 2003; as a pencil puzzle it is called
/// *Yin-Yang*.)
///
/// For each place in the line, the state has the colour of the cell that was swept last there, and
/// its component, as a label. It also has the colour of the cell to the left of the cell above, to
/// check 2 × 2 blocks, and for each colour whether its only component has left the contour, so that
/// the colour must not be used again. All of this is one word, [`Coloured`]:
///
/// ```text
///   line above   o o # # o     before x: colours # o # # o, labels 1 2 3 3 2 (the cells o are
///   this line    # x           connected behind the contour), corner o (left of the cell above x)
/// ```
///
/// - The cell takes either colour, unless it would complete a block of one colour.
/// - It joins the components of its neighbours of the same colour, or begins a new component.
/// - If the cell above has the other colour, it leaves the contour. If it was the last cell of its
///   component, that component is complete: there must be no other component of its colour, and
///   none may follow.
/// - A 2 × 2 block with two colours on its diagonals is ruled out at once. Its two black cells
///   would have to be connected around one of the white cells, which would then be separated from
///   the other. (This is a pruning: without it the count is the same, but there are many more
///   states.)
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs_problems::catalogue::{BlackAndWhite, Grid};
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
/// The label of a cell is its colour, `None` for an obstacle. The cells are ordered as in
/// [`Grid::raster_position`].
///
/// States are [`Coloured`] labels of `BITS` bits in a word `W`. By default, 12 cells along the
/// shorter side fit; [`with_word::<u128, 5>`](Self::with_word) has room for 20.
#[derive(Clone, Debug)]
pub struct BlackAndWhite<W: Word = u64, const BITS: u32 = 4> {
    scan: Scan,
    /// The given colours, in the order of the sweep.
    given: Vec<Option<Colour>>,
    word: PhantomData<W>,
}

impl BlackAndWhite {
    /// Creates a board without given colours.
    #[must_use]
    pub fn new(grid: &Grid) -> Self {
        let scan = Scan::new(grid);
        BlackAndWhite { given: vec![None; scan.cells()], scan, word: PhantomData }
    }
}

impl<W: Word, const BITS: u32> BlackAndWhite<W, BITS> {
    /// Returns the same problem with states in another word, for wider boards.
    #[must_use]
    pub fn with_word<V: Word, const B: u32>(self) -> BlackAndWhite<V, B> {
        BlackAndWhite { scan: self.scan, given: self.given, word: PhantomData }
    }

    /// Returns the board with a given colour of a cell; unchanged if there is no such cell, or if
    /// it is an obstacle.
    #[must_use]
    pub fn with_given(mut self, row: usize, column: usize, colour: Colour) -> Self {
        if self.grid().is_free(row, column) {
            let cell = self.scan.cell(row, column);
            self.given[cell] = Some(colour);
        }
        self
    }

    /// Returns the board.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        self.scan.grid()
    }

    /// Returns the given colour of a cell.
    #[must_use]
    pub fn given(&self, row: usize, column: usize) -> Option<Colour> {
        if self.grid().is_free(row, column) {
            self.given[self.scan.cell(row, column)]
        } else {
            None
        }
    }

    /// Draws a colouring, given by the labels of all cells, as text: `#` black, `o` white, `.`
    /// without colour, `*` an obstacle.
    #[must_use]
    pub fn draw(&self, labels: &[Option<Colour>]) -> String {
        self.scan.draw(labels, |colour| colour.map_or('.', Colour::character))
    }

    /// Returns the index of the colour bit of the corner, which follows the bits of the places.
    fn corner_bit(&self) -> usize {
        self.scan.width()
    }

    /// Returns the index of the colour bit that is set when this colour must not be used again.
    fn complete_bit(&self, colour: Colour) -> usize {
        self.scan.width() + 1 + colour as usize
    }

    /// Returns whether a cell of this colour completes a block of one colour, or of two colours on
    /// the diagonals.
    #[inline]
    fn is_bad_block(&self, cell: usize, colours: Bits<W>, is_white: bool) -> bool {
        let (scan, place) = (&self.scan, self.scan.place(cell));
        if !(scan.is_free_before(cell)
            && scan.is_free_above(cell)
            && scan.is_free(cell - scan.width() - 1))
        {
            return false;
        }
        let (before, above, corner) =
            (colours.get(place - 1), colours.get(place), colours.get(self.corner_bit()));
        // The two neighbours of the cell have the same colour, and so do the cell and the corner:
        // the block has one colour, or one colour on each diagonal.
        before == above && corner == is_white
    }

    /// Returns labels and colours after the cell above leaves the contour without being joined;
    /// `None` if its component is cut off.
    #[inline]
    fn leave(
        &self,
        labels: Labels<W, BITS>,
        colours: Bits<W>,
        place: usize,
    ) -> Option<(Labels<W, BITS>, Bits<W>)> {
        if labels.get(place) == 0 {
            return Some((labels, colours));
        }
        match labels.close(place) {
            Joined::Complete(rest) => {
                let is_white = colours.get(place);
                let has_another = (0..self.scan.width())
                    .any(|place| rest.get(place) != 0 && colours.get(place) == is_white);
                let complete = self.complete_bit(Colour::BOTH[usize::from(is_white)]);
                (!has_another).then(|| (rest, colours.with(complete, true)))
            }
            closed => Some((closed.state(), colours)),
        }
    }

    /// Stores the colour of the cell above as the corner of the next cell, if that cell has one.
    #[inline]
    fn with_corner(&self, cell: usize, before: Bits<W>, after: Bits<W>) -> Bits<W> {
        let place = self.scan.place(cell);
        let has_corner = place + 1 < self.scan.width() && self.scan.is_free_above(cell);
        after.with(self.corner_bit(), has_corner && before.get(place))
    }
}

impl<W: Word, const BITS: u32> ContourProblem for BlackAndWhite<W, BITS> {
    type State = Coloured<W, BITS>;
    type Label = Option<Colour>;

    fn cells(&self) -> usize {
        self.scan.cells()
    }

    fn start(&self) -> Self::State {
        Coloured::EMPTY
    }

    #[inline]
    fn step(
        &self,
        cell: usize,
        state: Self::State,
        emit: &mut impl FnMut(Self::State, Option<Colour>),
    ) {
        let (scan, place) = (&self.scan, self.scan.place(cell));
        let (labels, colours) = (state.labels(), state.colours());
        if !scan.is_free(cell) {
            if let Some((labels, next_colours)) = self.leave(labels, colours, place) {
                let next_colours = self.with_corner(cell, colours, next_colours.with(place, false));
                emit(Coloured::new(labels.canonical(), next_colours), None);
            }
            return;
        }
        for colour in Colour::BOTH {
            let is_white = colour == Colour::White;
            if self.given[cell].is_some_and(|given| given != colour)
                || colours.get(self.complete_bit(colour))
                || self.is_bad_block(cell, colours, is_white)
            {
                continue;
            }
            let joins_above = scan.is_free_above(cell) && colours.get(place) == is_white;
            let joins_before = scan.is_free_before(cell) && colours.get(place - 1) == is_white;
            let (mut labels, mut next_colours) = (labels, colours);
            if !joins_above {
                match self.leave(labels, colours, place) {
                    Some(without) => (labels, next_colours) = without,
                    None => continue,
                }
            }
            labels = join_neighbours(labels, place, joins_before, joins_above);
            let next_colours = self.with_corner(cell, colours, next_colours.with(place, is_white));
            emit(Coloured::new(labels.canonical(), next_colours), Some(colour));
        }
    }

    fn accept(&self, state: Self::State) -> bool {
        let (labels, colours) = (state.labels(), state.colours());
        // Each colour has at most one component.
        Colour::BOTH.iter().all(|&colour| {
            let mut components = (0..self.scan.width())
                .filter(|&place| {
                    labels.get(place) != 0 && colours.get(place) == (colour == Colour::White)
                })
                .map(|place| labels.get(place));
            let first = components.next();
            components.all(|label| Some(label) == first)
        })
    }

    fn fits(&self, _: usize) -> Result<(), TooWide> {
        let width = self.scan.width();
        Coloured::<W, BITS>::fits(width, width, width + 3)
    }

    /// Every free cell on the contour is in a component.
    fn is_legal(&self, cell: usize, state: Self::State) -> bool {
        let (labels, colours, width) = (state.labels(), state.colours(), self.scan.width());
        labels.is_legal(width)
            && !labels.has(Labels::<W, BITS>::RESERVED)
            && colours.len() <= width + 3
            && self
                .scan
                .free_places(cell)
                .enumerate()
                .all(|(place, is_free)| !is_free || labels.get(place) != 0)
    }
}

/// Writes the given colours in the format of `parse`.
impl<W: Word, const BITS: u32> fmt::Display for BlackAndWhite<W, BITS> {
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
    /// use secateurs_problems::catalogue::BlackAndWhite;
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
        let cases: usize = parse_number(text.trim()).ok_or_else(|| {
            ParseError::at(line, 1, format!("found {text:?}, expected {expected}"))
        })?;
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
