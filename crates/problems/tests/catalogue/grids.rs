//! Random boards with obstacles, and their graphs for exhaustive search.

use proptest::prelude::*;
use secateurs_problems::catalogue::Grid;

/// Generates boards of at most `most` cells and sides of at most 5 cells. Each cell is an obstacle
/// with a probability that differs from board to board.
pub fn grids(most: usize) -> impl Strategy<Value = Grid> {
    (1..=5usize, 1..=5usize, 0..=3u8)
        .prop_filter("too many cells", move |&(rows, columns, _)| rows * columns <= most)
        .prop_flat_map(|(rows, columns, obstacles)| {
            prop::collection::vec(0..8u8, rows * columns).prop_map(move |cells| {
                cells
                    .iter()
                    .enumerate()
                    .filter(|&(_, &dice)| dice < obstacles)
                    .fold(Grid::new(rows, columns).expect("a small board"), |grid, (cell, _)| {
                        grid.with_obstacle(cell / columns, cell % columns)
                    })
            })
        })
}

/// A cell, as row and column.
pub type Cell = (usize, usize);

/// Returns the free neighbours of a cell.
pub fn neighbours(grid: &Grid, (row, column): Cell) -> impl Iterator<Item = Cell> + '_ {
    [(0, 1), (1, 0), (0, usize::MAX), (usize::MAX, 0)]
        .into_iter()
        .map(move |(down, right)| (row.wrapping_add(down), column.wrapping_add(right)))
        .filter(|&(row, column)| grid.is_free(row, column))
}

/// The graph of a board: its free cells, row by row, and the edges between neighbours, as pairs of
/// numbers of cells.
pub struct Graph {
    pub cells: Vec<(usize, usize)>,
    pub edges: Vec<(usize, usize)>,
}

impl Graph {
    pub fn new(grid: &Grid) -> Self {
        let cells: Vec<_> = (0..grid.rows())
            .flat_map(|row| (0..grid.columns()).map(move |column| (row, column)))
            .filter(|&(row, column)| grid.is_free(row, column))
            .collect();
        let number = |row, column| cells.iter().position(|&cell| cell == (row, column));
        let edges = cells
            .iter()
            .enumerate()
            .flat_map(|(cell, &(row, column))| {
                let ahead = [number(row, column + 1), number(row + 1, column)];
                ahead.into_iter().flatten().map(move |other| (cell, other))
            })
            .collect();
        Graph { cells, edges }
    }

    /// Returns the edges of a set that is given by bits.
    pub fn chosen(&self, set: u32) -> impl Iterator<Item = (usize, usize)> {
        self.edges
            .iter()
            .enumerate()
            .filter(move |&(edge, _)| set >> edge & 1 == 1)
            .map(|(_, &edge)| edge)
    }

    /// Returns the number of connected components of a set of cells.
    pub fn components_within(&self, set: u32) -> usize {
        let is_in = |cell: usize| set >> cell & 1 == 1;
        let edges = self.edges.iter().copied().filter(|&(a, b)| is_in(a) && is_in(b));
        let (components, _) = components(self.cells.len(), edges);
        components - (self.cells.len() - set.count_ones() as usize)
    }
}

/// Returns the number of connected components of a graph, and whether it has a cycle.
pub fn components(vertices: usize, edges: impl Iterator<Item = (usize, usize)>) -> (usize, bool) {
    let mut component: Vec<usize> = (0..vertices).collect();
    let (mut components, mut has_cycle) = (vertices, false);
    for (a, b) in edges {
        let (from, to) = (component[a], component[b]);
        if from == to {
            has_cycle = true;
        } else {
            components -= 1;
            component.iter_mut().filter(|label| **label == from).for_each(|label| *label = to);
        }
    }
    (components, has_cycle)
}

/// Counts the subsets of `elements` elements for which `is_good` holds.
pub fn count_sets(elements: usize, is_good: impl Fn(u32) -> bool) -> u128 {
    (0..1u32 << elements).filter(|&set| is_good(set)).count() as u128
}
