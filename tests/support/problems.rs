//! Problems of a given size, and the number of their solutions.

use secateurs::plug::{ContourProblem, Sweep};
use secateurs::problems::catalogue::{Grid, Strands, hamiltonian_cycles};
use secateurs::problems::queens::{BitQueens, Queens};

/// Queens on an empty board.
pub fn queens(size: usize) -> BitQueens {
    Queens::new(size).expect("a board of at most 64 columns").bits()
}

/// A grid without obstacles.
pub fn grid(rows: usize, columns: usize) -> Grid {
    Grid::new(rows, columns).expect("a small board")
}

/// Hamiltonian cycles of a grid without obstacles.
pub fn cycles(rows: usize, columns: usize) -> Strands {
    hamiltonian_cycles(&grid(rows, columns))
}

/// Counts the solutions of a profile by a sweep with hash tables.
pub fn count(profile: &impl ContourProblem) -> u128 {
    Sweep::new(profile).count().exact().expect("a small count")
}
