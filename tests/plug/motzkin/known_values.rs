//! Known values, by sweeps in hash tables, and the boards that they are counted on.

use secateurs::plug::Sweep;
use secateurs_problems::catalogue::{
    Grid, hamiltonian_cycles, hamiltonian_paths, simple_cycles, simple_paths, two_factors,
};

use crate::support::problems::{count as by_hash, grid};

#[test]
fn hamiltonian_cycles_of_squares_and_rectangles_have_known_counts() {
    for (side, expected) in [(2, 1), (4, 6), (6, 1072), (8, 4_638_576), (10, 467_260_456_608)] {
        assert_eq!(by_hash(&hamiltonian_cycles(&grid(side, side))), expected);
    }
    for (columns, expected) in [(4, 6), (5, 14), (6, 37), (7, 92), (8, 236), (9, 596), (10, 1517)] {
        assert_eq!(by_hash(&hamiltonian_cycles(&grid(4, columns))), expected);
        assert_eq!(by_hash(&hamiltonian_cycles(&grid(columns, 4))), expected);
    }
    let rectangles =
        [(5, 6, 154), (6, 7, 5320), (6, 8, 32675), (7, 8, 301_384), (8, 9, 49_483_138), (7, 9, 0)];
    for (rows, columns, expected) in rectangles {
        assert_eq!(by_hash(&hamiltonian_cycles(&grid(rows, columns))), expected);
    }
}

#[test]
fn simple_paths_between_corners_have_known_counts() {
    for (side, expected) in [
        (2, 2),
        (3, 12),
        (4, 184),
        (5, 8512),
        (6, 1_262_816),
        (7, 575_780_564),
        (8, 789_360_053_252),
    ] {
        assert_eq!(by_hash(&simple_paths(&grid(side, side))), expected);
    }
}

#[test]
fn hamiltonian_paths_between_corners_have_known_counts() {
    for (side, expected) in
        [(1, 1), (2, 0), (3, 2), (4, 0), (5, 104), (6, 0), (7, 111_712), (9, 2_688_307_514)]
    {
        assert_eq!(by_hash(&hamiltonian_paths(&grid(side, side))), expected);
    }
}

#[test]
fn simple_cycles_and_two_factors_have_known_counts() {
    for (side, expected) in [(1, 0), (2, 1), (3, 13), (4, 213)] {
        assert_eq!(by_hash(&simple_cycles(&grid(side, side))), expected);
    }
    for (side, expected) in [(1, 0), (2, 1), (3, 0), (4, 18)] {
        assert_eq!(by_hash(&two_factors(&grid(side, side))), expected);
    }
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
fn errors_of_boards_name_line_and_column() {
    let parse = |text: &str| text.parse::<Grid>().expect_err("no board");
    let empty = "line 1, column 1: found nothing, expected the first row of a board";
    assert_eq!(parse("").to_string(), empty);
    assert_eq!(parse("\n..\n").to_string(), empty);
    assert_eq!(
        parse("..\n.#\n").to_string(),
        "line 2, column 2: found `#`, expected `.` (free cell) or `*` (obstacle)"
    );
    assert_eq!(
        parse("..\n.\n").to_string(),
        "line 2, column 2: found a row of length 1, expected 2"
    );
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
