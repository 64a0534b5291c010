//! Random boards with obstacles, and their graphs for exhaustive search.

use proptest::prelude::*;
use secateurs_problems::catalogue::Grid;
use secateurs_problems::graph::Graph;

/// Generates boards of at most `most` cells, whose sides have at most `sides` cells. Each cell is
/// an obstacle with a probability that differs from board to board.
pub fn grids(sides: usize, most: usize) -> impl Strategy<Value = Grid> {
    let sizes = (1..=sides, 1..=sides).prop_filter("too many cells", move |(r, c)| r * c <= most);
    (sizes, 0..=3_u8, prop::collection::vec(0..8_u8, most)).prop_map(
        |((rows, columns), obstacles, dice)| {
            with_obstacles(rows, columns, |cell| dice[cell] < obstacles)
        },
    )
}

/// Returns a board with obstacles, whose cells are counted row by row.
pub fn with_obstacles(
    rows: usize,
    columns: usize,
    mut is_obstacle: impl FnMut(usize) -> bool,
) -> Grid {
    let grid = Grid::new(rows, columns).expect("a small board");
    (0..rows * columns)
        .filter(|&cell| is_obstacle(cell))
        .fold(grid, |grid, cell| grid.with_obstacle(cell / columns, cell % columns))
}

/// A cell, as row and column.
pub type Cell = (usize, usize);

/// Returns the free cells, row by row.
pub fn free_cells(grid: &Grid) -> Vec<Cell> {
    let cells = (0..grid.rows()).flat_map(|row| (0..grid.columns()).map(move |c| (row, c)));
    cells.filter(|&(row, column)| grid.is_free(row, column)).collect()
}

/// Returns the free neighbours of a cell.
pub fn neighbours(grid: &Grid, (row, column): Cell) -> impl Iterator<Item = Cell> + '_ {
    [(0, 1), (1, 0), (0, usize::MAX), (usize::MAX, 0)]
        .into_iter()
        .map(move |(down, right)| (row.wrapping_add(down), column.wrapping_add(right)))
        .filter(|&(row, column)| grid.is_free(row, column))
}

/// Returns the graph of the free cells, row by row.
pub fn graph_of(grid: &Grid) -> Graph {
    let cells = free_cells(grid);
    let number = |cell| cells.iter().position(|&other| other == cell);
    let edges = cells.iter().enumerate().flat_map(|(from, &(row, column))| {
        let ahead = [number((row, column + 1)), number((row + 1, column))];
        ahead.into_iter().flatten().map(move |to| (from, to))
    });
    Graph::from_edges(cells.len(), edges).expect("a small graph")
}
