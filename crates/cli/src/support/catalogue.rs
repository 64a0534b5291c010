//! The problems of the catalogue, by name.

use std::cell::OnceCell;
use std::fmt::Display;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use secateurs::plug::code::Word;
use secateurs::plug::motzkin::PathPiece;
use secateurs::plug::{ContourProblem, OfWeight};
use secateurs_problems::catalogue::{
    BlackAndWhite, Colour, ConnectedSubsets, Dimers, Grid, GridIndependentSets, GridSides, Paths,
    PolyominoSquare, PolyominoState, Polyominoes, SpanningForests, Strands, connected_subsets,
    domino_tilings, hamiltonian_cycles, hamiltonian_paths, independent_sets, monomer_dimer,
    non_nested_loops, simple_cycles, simple_paths, spanning_forests, spanning_trees, two_factors,
};

use super::sweeps::State;
use super::{Failure, Square};

/// The board of a problem.
#[derive(Args)]
pub struct Board {
    /// Number of rows; for polyominoes, the number of cells, and for walks, that of steps.
    #[arg(value_parser = super::whole::<usize>)]
    pub rows: usize,
    /// Number of columns; omitted for polyominoes and walks.
    #[arg(value_name = "COLS", value_parser = super::whole::<usize>)]
    pub columns: Option<usize>,
    /// File of a board with obstacles: one line per row, `.` for a free cell, `*` for an obstacle;
    /// `-` for standard input.
    #[arg(long, value_name = "FILE")]
    pub obstacles: Option<PathBuf>,
    /// A cell that the path or the loops must visit, as ROW,COLUMN from 1,1 in the top left corner;
    /// may be repeated. For simple paths, simple cycles and non-nested loops.
    #[arg(long, value_name = "ROW,COLUMN")]
    pub through: Vec<Square>,
    /// The board, once it is read: standard input is read only once.
    #[arg(skip)]
    grid: OnceCell<Grid>,
}

/// A problem of the catalogue.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Problem {
    /// Loops through all cells.
    HamiltonianCycles,
    /// Paths through all cells, from the top left corner to the bottom right one.
    HamiltonianPaths,
    /// Paths from the top left corner to the bottom right one; a single cell has one.
    SimplePaths,
    /// Loops through any cells.
    SimpleCycles,
    /// Sets of loops through any cells of which none lies inside another.
    NonNestedLoops,
    /// Sets of loops that together visit all cells.
    TwoFactors,
    /// Coverings of all cells with dominoes.
    DominoTilings,
    /// Placements of dominoes, not necessarily on all cells.
    Matchings,
    /// Sets of pairwise non-adjacent cells.
    IndependentSets,
    /// Trees of edges through all cells.
    SpanningTrees,
    /// Sets of edges without a loop.
    SpanningForests,
    /// Connected, non-empty sets of cells.
    ConnectedSubsets,
    /// Colourings in two colours, each connected, without a 2 × 2 block of one colour.
    BlackAndWhite,
    /// Connected shapes of this many cells, up to translation.
    Polyominoes,
    /// Self-avoiding walks of this many steps in the plane.
    Walks,
}

/// Labels that know how much they add to the size of a solution.
pub trait Size: Copy {
    /// Returns the number of edges, of dominoes, or of cells or vertices of a set, that the label
    /// adds.
    fn size(self) -> i64;
}

impl Size for bool {
    fn size(self) -> i64 {
        self.into()
    }
}

impl Size for GridSides {
    fn size(self) -> i64 {
        self.count() as i64
    }
}

impl Size for PathPiece {
    fn size(self) -> i64 {
        self.length()
    }
}

impl Size for Option<Colour> {
    fn size(self) -> i64 {
        (self == Some(Colour::Black)).into()
    }
}

impl Size for PolyominoSquare {
    fn size(self) -> i64 {
        self.is_taken.into()
    }
}

/// A function that draws a solution.
pub type Draw<P, D> = fn(&P, &[<P as ContourProblem>::Label]) -> D;

/// An operation on a contour problem of any type.
pub trait Use {
    /// Applies the operation to a problem of paths or loops.
    fn strands(&self, strands: &Strands) -> Result<(), Failure> {
        self.contour_problem(strands, Strands::draw)
    }

    /// Applies the operation to any contour problem.
    fn contour_problem<P: ContourProblem<State: State, Label: Size>, D: Display>(
        &self,
        problem: &P,
        draw: Draw<P, D>,
    ) -> Result<(), Failure>;

    /// Applies the operation to the polyominoes of a size.
    fn polyominoes<W: Word>(&self, polyominoes: &Polyominoes<W>, cells: u32) -> Result<(), Failure>
    where
        PolyominoState<W>: State,
    {
        self.contour_problem(&polyominoes.of_size(cells), |polyominoes, labels| {
            polyominoes.problem().draw(labels)
        })
    }
}

/// Evaluates an expression with a problem that has states of 64 bits if they fit, and else with the
/// same problem with wider states.
macro_rules! narrowest {
    ($problem:ident in $narrow:expr, $wide:expr => $use:expr) => {{
        let narrow = $narrow;
        if $crate::support::catalogue::fits(&narrow) {
            let $problem = &narrow;
            $use
        } else {
            let $problem = &$wide;
            $use
        }
    }};
}
#[allow(unused_imports, reason = "the examples of the cluster have no graphs")]
pub(crate) use narrowest;

/// Returns whether the states of a problem fit into their word in every cell.
pub fn fits(problem: &impl ContourProblem) -> bool {
    (0..problem.cells()).all(|cell| problem.fits(cell).is_ok())
}

impl Problem {
    /// Returns whether the problem has paths or loops that may leave out cells.
    fn has_optional_cells(self) -> bool {
        matches!(self, Problem::SimplePaths | Problem::SimpleCycles | Problem::NonNestedLoops)
    }

    /// Creates the contour problem, and applies an operation to it.
    pub fn with(self, board: &Board, operation: &impl Use) -> Result<(), Failure> {
        let grid = || board.grid();
        if !board.through.is_empty() && !self.has_optional_cells() {
            return Err("found --through, expected it with simple paths, simple cycles and \
                        non-nested loops only"
                .into());
        }
        let strands = |strands: Strands| {
            let through = board.through()?;
            let strands = match through.is_empty() {
                true => strands,
                false => strands.through(|row, column| through.contains(&(row, column))),
            };
            if fits(&strands) {
                operation.strands(&strands)
            } else {
                operation.contour_problem(&strands.with_word::<u128>(), Strands::draw)
            }
        };
        match self {
            Problem::HamiltonianCycles => strands(hamiltonian_cycles(grid()?)),
            Problem::HamiltonianPaths => strands(hamiltonian_paths(grid()?)),
            Problem::SimplePaths => strands(simple_paths(grid()?)),
            Problem::SimpleCycles => strands(simple_cycles(grid()?)),
            Problem::NonNestedLoops => strands(non_nested_loops(grid()?)),
            Problem::TwoFactors => strands(two_factors(grid()?)),
            Problem::DominoTilings => {
                let grid = grid()?;
                narrowest!(
                    tilings in domino_tilings(grid), Dimers::<u128>::tilings(grid) =>
                        operation.contour_problem(tilings, Dimers::draw)
                )
            }
            Problem::Matchings => {
                let grid = grid()?;
                narrowest!(
                    matchings in monomer_dimer(grid), Dimers::<u128>::matchings(grid) =>
                        operation.contour_problem(matchings, Dimers::draw)
                )
            }
            Problem::IndependentSets => {
                let grid = grid()?;
                narrowest!(
                    sets in independent_sets(grid), GridIndependentSets::<u128>::new(grid) =>
                        operation.contour_problem(sets, GridIndependentSets::draw)
                )
            }
            Problem::SpanningTrees => {
                let grid = grid()?;
                narrowest!(
                    trees in spanning_trees(grid), SpanningForests::<u128, 5>::trees(grid) =>
                        operation.contour_problem(trees, SpanningForests::draw)
                )
            }
            Problem::SpanningForests => {
                let grid = grid()?;
                narrowest!(
                    forests in spanning_forests(grid),
                    SpanningForests::<u128, 5>::forests(grid) =>
                        operation.contour_problem(forests, SpanningForests::draw)
                )
            }
            Problem::ConnectedSubsets => {
                let grid = grid()?;
                narrowest!(
                    sets in connected_subsets(grid), ConnectedSubsets::<u128>::new(grid) =>
                        operation.contour_problem(sets, ConnectedSubsets::draw)
                )
            }
            Problem::BlackAndWhite => {
                let grid = grid()?;
                narrowest!(
                    colourings in BlackAndWhite::new(grid),
                    BlackAndWhite::new(grid).with_word::<u128, 5>() =>
                        operation.contour_problem(colourings, BlackAndWhite::draw)
                )
            }
            Problem::Polyominoes => {
                let cells = board.cells()?;
                let size = u32::try_from(cells).unwrap_or(u32::MAX);
                if cells <= Polyominoes::<u64>::MAX_CELLS {
                    operation.polyominoes(&Polyominoes::<u64>::new(cells)?, size)
                } else {
                    operation.polyominoes(&Polyominoes::<u128>::new(cells)?, size)
                }
            }
            Problem::Walks => {
                // No walk leaves the board.
                let steps = board.cells()?;
                let side = steps.saturating_mul(2).saturating_add(1);
                let paths = Paths::simple(&Grid::new(side, side)?).from((steps, steps));
                let wide = paths.clone().with_word::<u128>();
                let length = u32::try_from(steps).unwrap_or(u32::MAX);
                narrowest!(
                    walks in OfWeight::new(paths.clone(), paths.length(), length),
                    OfWeight::new(wide.clone(), wide.length(), length) =>
                        operation.contour_problem(walks, |walks, labels| {
                            walks.problem().draw(labels)
                        })
                )
            }
        }
    }

    /// Returns the name of the problem with its size, and the text of the board, for the
    /// fingerprint of a saved sweep.
    pub fn what(self, board: &Board) -> Result<(String, String), Failure> {
        let problem = self.to_possible_value();
        let problem = problem.as_ref().map_or("", |problem| problem.get_name());
        Ok(match board.columns {
            Some(columns) => {
                let through = board.through()?;
                let through =
                    through.iter().map(|(row, column)| format!(" {},{}", row + 1, column + 1));
                let data = [board.grid()?.to_string()].into_iter().chain(through).collect();
                (format!("{problem} {} {columns}", board.rows), data)
            }
            None => (format!("{problem} {}", board.rows), String::new()),
        })
    }
}

impl Board {
    /// Returns the size that the number of states depends on: the length of the shorter side, or
    /// the number of cells of a polyomino.
    pub fn width(&self) -> usize {
        self.columns.map_or(self.rows, |columns| columns.min(self.rows))
    }

    /// Returns the board without obstacles whose shorter side, or number of cells of a polyomino,
    /// is `width`.
    pub fn with_width(&self, width: usize) -> Board {
        let (rows, columns) = match self.columns {
            None => (width, None),
            Some(columns) if columns <= self.rows => (self.rows, Some(width)),
            Some(columns) => (width, Some(columns)),
        };
        Board { rows, columns, obstacles: None, through: Vec::new(), grid: OnceCell::new() }
    }

    /// Returns whether the board has neither obstacles nor compulsory cells.
    pub fn is_plain(&self) -> bool {
        self.obstacles.is_none() && self.through.is_empty()
    }

    /// Returns the compulsory cells by row and column from 0, sorted.
    fn through(&self) -> Result<Vec<(usize, usize)>, Failure> {
        let columns = self.columns.unwrap_or(0);
        let outside = |square: &&Square| square.row > self.rows || square.column > columns;
        if let Some(Square { row, column }) = self.through.iter().find(outside) {
            let message = format!(
                "found {row},{column} as a cell to go through, expected a cell of the board, \
                 from 1,1 to {},{columns}",
                self.rows
            );
            return Err(message.into());
        }
        let mut through: Vec<_> =
            self.through.iter().map(|square| (square.row - 1, square.column - 1)).collect();
        through.sort_unstable();
        through.dedup();
        Ok(through)
    }

    /// Returns the board without obstacles that has this number of lines, each as long as the
    /// shorter side.
    pub fn with_lines(&self, lines: usize) -> Board {
        let (rows, columns) = match self.columns {
            Some(columns) if columns > self.rows => (self.rows, Some(lines)),
            columns => (lines, columns),
        };
        Board { rows, columns, obstacles: None, through: Vec::new(), grid: OnceCell::new() }
    }

    /// Returns the number of cells of polyominoes, or of steps of walks.
    fn cells(&self) -> Result<usize, Failure> {
        if self.columns.is_some() || !self.is_plain() {
            return Err("polyominoes and walks have no board: expected one number, that of cells \
                        or steps, and no obstacles"
                .into());
        }
        Ok(self.rows)
    }

    /// Returns the board, with the obstacles of the file if one is given.
    pub fn grid(&self) -> Result<&Grid, Failure> {
        match self.grid.get() {
            Some(grid) => Ok(grid),
            None => self.read().map(|grid| self.grid.get_or_init(|| grid)),
        }
    }

    fn read(&self) -> Result<Grid, Failure> {
        let columns = self.columns.ok_or("expected two numbers: ROWS and COLS")?;
        let rows = self.rows;
        let file = self.obstacles.as_deref();
        if file.is_none() {
            return Ok(Grid::new(rows, columns)?);
        }
        let grid: Grid =
            super::read(file, "")?.parse().map_err(|error| super::with_input_name(file, error))?;
        if (grid.rows(), grid.columns()) != (rows, columns) {
            let (found_rows, found_columns) = (grid.rows(), grid.columns());
            let error = format!(
                "found {found_rows} rows and {found_columns} columns, expected {rows} and {columns}"
            );
            return Err(super::with_input_name(file, std::io::Error::other(error)));
        }
        Ok(grid)
    }
}
