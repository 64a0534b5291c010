//! Two shortest wires on a board: "Manhattan Wiring".

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use secateurs::plug::code::{Bits, Word};
use secateurs::plug::{ContourProblem, Sweep, TooWide};
use secateurs::text::tokens;
use secateurs::{Direction, Optimum, Outcome, ParseError};

use super::draw::Drawing;
use super::grid::{Grid, GridSides};
use super::original_tasks::{Lines, empty_grid};
use crate::InstanceError;

/// One of the two wires, named by the digits of its terminals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wire {
    /// The wire between the two cells `2`.
    Two,
    /// The wire between the two cells `3`.
    Three,
}

impl Wire {
    /// Both wires.
    pub const BOTH: [Wire; 2] = [Wire::Two, Wire::Three];

    /// Returns the digit of its terminals.
    #[must_use]
    pub fn digit(self) -> char {
        match self {
            Wire::Two => '2',
            Wire::Three => '3',
        }
    }
}

/// A board with two pairs of terminals, to be connected by two disjoint wires of least total
/// length. Wires lead from cell to neighbouring cell, each cell holds at most one of them, and no
/// wire passes an obstacle or a terminal of the other wire.
///
/// (The problem is *Manhattan Wiring*, ACM ICPC Japan 2006, POJ 3133, on boards of up to 9 × 9;
/// [`cases`](ManhattanWiring::cases) reads its input.)
///
/// The contour crosses *edges*: the one between the cell and the previous cell, and those between
/// the lines. The state has the wire that crosses each of them, two bits per plug:
///
/// ```text
///   line above   2─┐ 3─┐   before x: plugs 2 . . . 3. They lead down from the two cells before x,
///   this line    ┌─┘ x     along the line into x, down into x, and down into the cell after x.
/// ```
///
/// - If no wire enters a cell, the cell may stay empty, or a piece of either wire may begin that
///   leaves by both edges ahead.
/// - A wire that enters leaves by either of the edges ahead.
/// - Two wires that enter must be pieces of the same wire, and are joined.
/// - A terminal is the end of a wire: either one edge enters, or one leaves.
///
/// The state need *not* contain connections, so there are few states, at most 3ⁿ⁺¹ for lines of n
/// cells: every cell of a wire except its terminals has two edges, so the pieces form a path from
/// terminal to terminal, and possibly additional loops. A loop only adds length. So the best
/// solution has none, **but a count of the solutions of this problem includes those with loops**:
/// use it for minimisation.
///
/// ```
/// use secateurs_problems::catalogue::ManhattanWiring;
///
/// let board: ManhattanWiring = "\
/// 4 5
/// 2 0 0 3 0
/// 0 1 0 0 0
/// 0 3 0 0 2
/// 0 0 0 0 0
/// ".parse()?;
/// let outcome = board.shortest();
/// assert_eq!(outcome.proven(), Some(&12));
/// let labels = outcome.solution().expect("it has a solution");
/// println!("{}", board.draw(labels));
/// # Ok::<(), secateurs::ParseError>(())
/// ```
///
/// The label of a cell is its [`WirePiece`]. The cells are ordered as in [`Grid::position`]. Boards
/// of up to 31 cells along the shorter side fit into a state; [`with_word`](Self::with_word) has
/// room for 63.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManhattanWiring<W: Word = u64> {
    grid: Grid,
    /// The terminals of each wire, as (row, column).
    terminals: [[(usize, usize); 2]; 2],
    /// The cells in the order of the sweep.
    cells: Vec<Cell>,
    word: PhantomData<W>,
}

/// A cell of the sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell {
    is_free: bool,
    terminal: Option<Wire>,
    /// Whether a wire may leave by the low and the high plug.
    ahead: [bool; 2],
}

/// The content of a cell: a piece of a wire, or nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WirePiece {
    /// The wire; `None` for an empty cell.
    pub wire: Option<Wire>,
    /// The neighbours that the piece leads to: one for a terminal, two for any other cell of a
    /// wire.
    pub sides: GridSides,
}

impl WirePiece {
    /// Returns the number of edges to the right and down. The sum over all cells is the total
    /// length of the wires.
    #[must_use]
    pub fn length(self) -> i64 {
        i64::from(self.sides.right) + i64::from(self.sides.down)
    }
}

impl ManhattanWiring {
    /// Creates a board from the terminals of both wires, as (row, column) from 0, the two of a wire
    /// in either order.
    ///
    /// # Errors
    ///
    /// Returns an error if a terminal is not in a free cell, or if two are in the same cell.
    pub fn new(
        grid: &Grid,
        mut terminals: [[(usize, usize); 2]; 2],
    ) -> Result<Self, InstanceError> {
        terminals.iter_mut().for_each(|ends| ends.sort_unstable());
        let mut terminal_wires = vec![None; grid.cells()];
        for (wire, ends) in Wire::BOTH.into_iter().zip(terminals) {
            for (row, column) in ends {
                if !grid.is_free(row, column) {
                    let message = "found no free cell, expected one for a terminal";
                    return Err(InstanceError::at(row, column, message));
                }
                if terminal_wires[grid.cell(row, column)].replace(wire).is_some() {
                    let message = "found a second terminal, expected at most one in a cell";
                    return Err(InstanceError::at(row, column, message));
                }
            }
        }
        let of_cell = |cell| Cell {
            is_free: grid.is_free_cell(cell),
            terminal: terminal_wires[cell],
            ahead: grid.ahead(cell),
        };
        Ok(ManhattanWiring {
            cells: (0..grid.cells()).map(of_cell).collect(),
            grid: grid.clone(),
            terminals,
            word: PhantomData,
        })
    }
}

impl<W: Word> ManhattanWiring<W> {
    /// Returns the same problem with states in another word: `u128` for wider boards.
    #[must_use]
    pub fn with_word<V: Word>(self) -> ManhattanWiring<V> {
        let ManhattanWiring { grid, terminals, cells, .. } = self;
        ManhattanWiring { grid, terminals, cells, word: PhantomData }
    }

    /// Returns the board.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns the terminals of a wire, as (row, column), in ascending order.
    #[must_use]
    pub fn terminals(&self, wire: Wire) -> [(usize, usize); 2] {
        self.terminals[wire as usize]
    }

    /// Returns the wire that has a terminal in this cell.
    #[must_use]
    pub fn terminal(&self, row: usize, column: usize) -> Option<Wire> {
        Wire::BOTH.into_iter().find(|&wire| self.terminals(wire).contains(&(row, column)))
    }

    /// Finds two wires of least total length, or proves that there are none.
    ///
    /// For threads, limits, or only the length in less memory, build the sweep yourself:
    ///
    /// ```
    /// use secateurs::plug::Sweep;
    /// use secateurs::plug::algebra::Best;
    /// use secateurs_problems::catalogue::{ManhattanWiring, WirePiece};
    ///
    /// let board: ManhattanWiring = "2 3\n2 2 0\n0 3 3\n".parse()?;
    /// let length = Best::minimise(|_, piece: WirePiece| piece.length());
    /// assert_eq!(Sweep::new(&board).run(&length).total(), Some(&2));
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    // Inlined so that only crates that use it compile its sweep.
    #[inline]
    pub fn shortest(&self) -> Outcome<Optimum<i64, Vec<WirePiece>>> {
        Sweep::new(self).best(Direction::Minimise, |_, piece: WirePiece| piece.length())
    }

    /// Draws the wires, given by the labels of all cells, as text: lines between the digits of the
    /// terminals, `·` for an empty cell, `*` for an obstacle.
    #[must_use]
    pub fn draw(&self, labels: &[WirePiece]) -> String {
        let sides = |row, column| {
            labels
                .get(self.grid.cell(row, column))
                .map_or(GridSides::default(), |piece| piece.sides)
        };
        let drawing = Drawing::of_sides(&self.grid, sides).to_string();
        let with_terminals = |(row, line): (usize, &str)| {
            let terminal = |index: usize| {
                if index.is_multiple_of(2) { self.terminal(row, index / 2) } else { None }
            };
            let drawn = line
                .chars()
                .enumerate()
                .map(move |(index, drawn)| terminal(index).map_or(drawn, Wire::digit));
            drawn.chain(['\n']).collect::<Vec<char>>()
        };
        drawing.lines().enumerate().flat_map(with_terminals).collect()
    }

    fn piece(
        &self,
        cell: usize,
        wire: Option<Wire>,
        came: [bool; 2],
        goes: [bool; 2],
    ) -> WirePiece {
        WirePiece { wire, sides: self.grid.sides(cell, came, goes) }
    }
}

/// Returns the wire at a plug.
#[inline]
fn wire_at<W: Word>(state: Bits<W>, plug: usize) -> Option<Wire> {
    Wire::BOTH.into_iter().find(|&wire| state.get(2 * plug + wire as usize))
}

/// Adds a wire at an empty plug.
#[inline]
fn with_wire<W: Word>(state: Bits<W>, plug: usize, wire: Wire) -> Bits<W> {
    state.with(2 * plug + wire as usize, true)
}

#[inline]
fn without_wire<W: Word>(state: Bits<W>, plug: usize) -> Bits<W> {
    state.with(2 * plug, false).with(2 * plug + 1, false)
}

impl<W: Word> ContourProblem for ManhattanWiring<W> {
    type State = Bits<W>;
    type Label = WirePiece;

    fn cells(&self) -> usize {
        self.cells.len()
    }

    fn start(&self) -> Bits<W> {
        Bits::EMPTY
    }

    #[inline]
    fn step(&self, cell: usize, state: Bits<W>, emit: &mut impl FnMut(Bits<W>, WirePiece)) {
        let Cell { is_free, terminal, ahead } = self.cells[cell];
        let low = self.grid.plug(cell);
        let plugs = [low, low + 1];
        let wires = plugs.map(|plug| wire_at(state, plug));
        let came = wires.map(|wire| wire.is_some());
        let rest = without_wire(without_wire(state, low), low + 1);
        let mut continue_wire = |wire: Wire| {
            for side in [0, 1].into_iter().filter(|&side| ahead[side]) {
                let goes = [side == 0, side == 1];
                emit(with_wire(rest, plugs[side], wire), self.piece(cell, Some(wire), came, goes));
            }
        };
        match (wires, terminal) {
            ([None, None], Some(wire)) => continue_wire(wire),
            ([Some(wire), None] | [None, Some(wire)], Some(end)) => {
                if wire == end {
                    emit(rest, self.piece(cell, Some(wire), came, [false; 2]));
                }
            }
            ([None, None], None) => {
                emit(rest, WirePiece::default());
                if is_free && ahead == [true; 2] {
                    for wire in Wire::BOTH {
                        let both = with_wire(with_wire(rest, low, wire), low + 1, wire);
                        emit(both, self.piece(cell, Some(wire), came, [true; 2]));
                    }
                }
            }
            ([Some(wire), None] | [None, Some(wire)], None) => continue_wire(wire),
            ([Some(one), Some(other)], None) if one == other => {
                emit(rest, self.piece(cell, Some(one), came, [false; 2]));
            }
            ([Some(_), Some(_)], _) => {}
        }
    }

    fn accept(&self, state: Bits<W>) -> bool {
        state.is_empty()
    }

    fn fits(&self, _: usize) -> Result<(), TooWide> {
        Bits::<W>::fits(2 * self.grid.plugs())
    }

    /// A plug has at most one wire.
    fn is_legal(&self, _: usize, state: Bits<W>) -> bool {
        let plugs = self.grid.plugs();
        state.len() <= 2 * plugs
            && (0..plugs).all(|plug| !(state.get(2 * plug) && state.get(2 * plug + 1)))
    }
}

/// Writes the board in the format of the original input, which `parse` reads.
impl<W: Word> fmt::Display for ManhattanWiring<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {}", self.grid.rows(), self.grid.columns())?;
        for row in 0..self.grid.rows() {
            let digit = |column| match self.terminal(row, column) {
                Some(wire) => wire.digit(),
                None if self.grid.is_free(row, column) => '0',
                None => '1',
            };
            let digits: Vec<String> =
                (0..self.grid.columns()).map(|column| digit(column).to_string()).collect();
            writeln!(f, "{}", digits.join(" "))?;
        }
        Ok(())
    }
}

/// Reads the next board of a list that ends with the text or with `0 0`.
fn next_board(lines: &mut Lines<'_>) -> Result<Option<ManhattanWiring>, ParseError> {
    let Some((first, (rows, columns))) = lines.next_header()? else { return Ok(None) };
    let mut grid = empty_grid(first, (rows, columns))?;
    let mut terminals: [Vec<(usize, usize)>; 2] = [Vec::new(), Vec::new()];
    for row in 0..rows {
        let (line, text) = lines.next().ok_or_else(|| lines.missing_row(row, rows))?;
        for (column, (text_column, found)) in tokens(text).enumerate().take(columns) {
            match found {
                "0" => {}
                "1" => grid = grid.with_obstacle(row, column),
                "2" | "3" => {
                    let wire = if found == "2" { Wire::Two } else { Wire::Three };
                    let ends = &mut terminals[wire as usize];
                    ends.push((row, column));
                    if ends.len() > 2 {
                        let message = format!("found a third cell {found}, expected two per board");
                        return Err(ParseError::at(line, text_column, message));
                    }
                }
                _ => {
                    let message = format!(
                        "found {found:?}, expected 0 (free cell), 1 (obstacle), 2 or 3 (terminals)"
                    );
                    return Err(ParseError::at(line, text_column, message));
                }
            }
        }
        let found = tokens(text).count();
        if found != columns {
            let message = format!("found a row of length {found}, expected {columns}");
            return Err(ParseError::at(line, 1, message));
        }
    }
    let ends = |wire: Wire| match terminals[wire as usize][..] {
        [one, other] => Ok([one, other]),
        ref ends => {
            let (found, digit) = (ends.len(), wire.digit());
            let message = format!("cells marked {digit}: found {found}, expected 2");
            Err(ParseError::at(first, 1, message))
        }
    };
    let board = ManhattanWiring::new(&grid, [ends(Wire::Two)?, ends(Wire::Three)?]);
    Ok(Some(board.expect("the terminals were read from different cells without an obstacle")))
}

impl ManhattanWiring {
    /// Reads the original input: boards, each a line with the numbers of rows and columns, then the
    /// rows, as digits with spaces between them: `0` is a free cell, `1` an obstacle, `2` and `3`
    /// are terminals, two of each. `0 0` or the end of the text ends the list.
    ///
    /// Lines may end in CR LF, the last line need not end, and empty lines may follow.
    ///
    /// # Errors
    ///
    /// Returns an error with line and column if the text has another format.
    pub fn cases(text: &str) -> Result<Vec<Self>, ParseError> {
        let mut lines = Lines::new(text);
        std::iter::from_fn(|| next_board(&mut lines).transpose()).collect()
    }
}

impl FromStr for ManhattanWiring {
    type Err = ParseError;

    /// Reads one board: see [`cases`](ManhattanWiring::cases).
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut lines = Lines::new(text);
        let Some(board) = next_board(&mut lines)? else {
            let message = "found the end of the text, expected the numbers of rows and columns";
            return Err(lines.error_at_next(message));
        };
        let more_text = lines.error_at_next("found more text, expected the end of the text");
        next_board(&mut lines)?.map_or(Ok(board), |_| Err(more_text))
    }
}
