//! Known values, by sweeps in hash tables, and the boards that they are counted on.

use secateurs::plug::Sweep;
use secateurs_problems::catalogue::{
    Grid, hamiltonian_cycles, hamiltonian_paths, simple_cycles, simple_paths, two_factors,
};

use crate::shared::dense_sweeps::check_known;
use crate::support::problems::{count as by_hash, grid};

#[test]
fn all_problems_on_strands_have_known_counts() {
    check_known(100, by_hash);
}

/// The program with parentheses of Chen Danqi (2008) expands 134,010 and 1,333,112 states; the
/// report also counts the initial state.
#[test]
fn formula_1_expands_as_many_states_as_the_paper() {
    for (side, states) in [(10, 134_011), (12, 1_333_113)] {
        let cycles = hamiltonian_cycles(&grid(side, side));
        for outcome in [Sweep::new(&cycles).count(), Sweep::new(&cycles).dense().count()] {
            assert_eq!(outcome.report().nodes(), states, "{side} × {side}");
        }
    }
}

#[test]
fn formula_1_has_the_answer_of_the_original_task() {
    let grid: Grid = "**..\r\n....\r\n....\r\n....".parse().expect("a board");
    assert_eq!(by_hash(&hamiltonian_cycles(&grid)), 2);
}

#[test]
fn boards_of_obstacles_have_only_the_empty_two_factor() {
    let grid: Grid = "***\n***\n".parse().expect("a board");
    assert_eq!(by_hash(&two_factors(&grid)), 1);
    for problem in [hamiltonian_cycles, hamiltonian_paths, simple_cycles, simple_paths] {
        assert_eq!(by_hash(&problem(&grid)), 0);
    }
}

#[test]
fn boards_of_impossible_sizes_are_refused() {
    assert!(Grid::new(0, 3).is_err());
    assert!(Grid::new(usize::MAX, 3).is_err());
    assert!(Grid::new(1 << 20, 1 << 20).is_err());
}

#[test]
fn cell_is_the_inverse_of_position() {
    for (rows, columns) in [(1, 1), (3, 5), (5, 3), (4, 4), (1, 7)] {
        let grid = grid(rows, columns);
        for cell in 0..grid.cells() {
            let (row, column) = grid.position(cell);
            assert_eq!(grid.cell(row, column), cell);
        }
    }
}
