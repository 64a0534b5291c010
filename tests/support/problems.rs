//! Problems by size, and the number of their solutions.

use secateurs::plug::{ContourProblem, Sweep};
use secateurs_problems::catalogue::{Grid, Strands, hamiltonian_cycles};
use secateurs_problems::queens::{BitQueens, Queens};

/// Returns the queens problem on an empty board.
pub fn queens(size: usize) -> BitQueens {
    Queens::new(size).expect("a board of at most 64 columns").bits()
}

/// Returns a grid without obstacles.
pub fn grid(rows: usize, columns: usize) -> Grid {
    Grid::new(rows, columns).expect("a small board")
}

/// Returns the problem of Hamiltonian cycles of a grid without obstacles.
pub fn cycles(rows: usize, columns: usize) -> Strands {
    hamiltonian_cycles(&grid(rows, columns))
}

/// Counts the solutions of a contour problem by a sweep with hash tables.
pub fn count(problem: &impl ContourProblem) -> u128 {
    Sweep::new(problem).count().exact().expect("a small count")
}
