//! Counting by trying all sets of edges, with a naive look at what they make.

use proptest::prelude::*;
use secateurs::problems::catalogue::Grid;

use crate::{PROBLEMS, by_hash};

/// Neighbouring free cells, by number.
fn edges(grid: &Grid) -> Vec<(usize, usize)> {
    let number = |row, column| row * grid.columns() + column;
    let mut edges = Vec::new();
    for row in 0..grid.rows() {
        for column in 0..grid.columns() {
            for (next_row, next_column) in [(row + 1, column), (row, column + 1)] {
                if grid.is_free(row, column) && grid.is_free(next_row, next_column) {
                    edges.push((number(row, column), number(next_row, next_column)));
                }
            }
        }
    }
    edges
}

/// Degrees of all cells, and the number of connected pieces that have an edge.
fn shape(cells: usize, edges: impl Iterator<Item = (usize, usize)>) -> (Vec<usize>, usize) {
    let mut degree = vec![0; cells];
    let mut piece: Vec<usize> = (0..cells).collect();
    for (a, b) in edges {
        degree[a] += 1;
        degree[b] += 1;
        let (from, to) = (piece[a], piece[b]);
        piece.iter_mut().filter(|piece| **piece == from).for_each(|piece| *piece = to);
    }
    let mut pieces: Vec<usize> = (0..cells).filter(|&cell| degree[cell] > 0).map(|cell| piece[cell]).collect();
    pieces.sort_unstable();
    pieces.dedup();
    (degree, pieces.len())
}

/// Counts for the problems in the order of [`PROBLEMS`].
pub(crate) fn counts(grid: &Grid) -> [u128; 5] {
    let edges = edges(grid);
    let cells = grid.cells();
    let free: Vec<bool> = (0..cells).map(|cell| grid.is_free(cell / grid.columns(), cell % grid.columns())).collect();
    let mut counts = [0; 5];
    for set in 0..1u64 << edges.len() {
        let chosen = edges.iter().enumerate().filter(|(index, _)| set >> index & 1 == 1).map(|(_, &edge)| edge);
        let (degree, pieces) = shape(cells, chosen);
        let all_visited = (0..cells).all(|cell| !free[cell] || degree[cell] > 0);
        if degree.iter().all(|&degree| degree == 0 || degree == 2) {
            counts[4] += u128::from(all_visited);
            counts[2] += u128::from(pieces == 1);
            counts[0] += u128::from(pieces == 1 && all_visited);
        }
        let (start, goal) = (0, cells - 1);
        let is_path = if cells == 1 {
            free[0]
        } else {
            free[start]
                && free[goal]
                && pieces == 1
                && (0..cells).all(|cell| match degree[cell] {
                    0 | 2 => cell != start && cell != goal,
                    degree => degree == 1 && (cell == start || cell == goal),
                })
        };
        counts[3] += u128::from(is_path);
        counts[1] += u128::from(is_path && (all_visited || cells == 1));
    }
    counts
}

/// A board of some shape with few enough edges, each cell an obstacle by chance.
pub(crate) fn boards(shapes: &'static [(usize, usize)]) -> impl Strategy<Value = Grid> {
    let shape = proptest::sample::select(shapes);
    (shape, proptest::collection::vec(0..5u8, 64)).prop_map(|((rows, columns), cells)| {
        let place = |cell: usize| (cell / columns, cell % columns);
        (0..rows * columns).filter(|&cell| cells[cell] == 0).fold(crate::grid(rows, columns), |grid, cell| {
            let (row, column) = place(cell);
            grid.with_obstacle(row, column)
        })
    })
}

pub(crate) const SMALL: &[(usize, usize)] =
    &[(1, 1), (1, 2), (2, 1), (1, 5), (5, 1), (2, 2), (2, 3), (3, 2), (2, 5), (3, 3), (4, 2), (3, 4), (4, 3)];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn hash_table_is_right(grid in boards(SMALL)) {
        let expected = counts(&grid);
        for ((name, problem), expected) in PROBLEMS.into_iter().zip(expected) {
            prop_assert_eq!(by_hash(&problem(&grid)), expected, "{} on\n{}", name, grid);
        }
    }
}

#[test]
fn hash_table_is_right_on_full_boards() {
    for &(rows, columns) in SMALL {
        let grid = crate::grid(rows, columns);
        for ((name, problem), expected) in PROBLEMS.into_iter().zip(counts(&grid)) {
            assert_eq!(by_hash(&problem(&grid)), expected, "{name} on\n{grid}");
        }
    }
}
