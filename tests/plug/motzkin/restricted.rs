//! Loops with compulsory cells, loops outside of each other, and problems restricted by labels, in
//! hash tables and in dense ones, against enumeration.

use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use secateurs::Limits;
use secateurs::checkpoint::Fingerprint;
use secateurs::plug::motzkin::{MotzkinProblem, PathPiece, Side};
use secateurs::plug::{ContourProblem, Sweep, SweepCheckpoint};
use secateurs_problems::catalogue::{
    Grid, Strands, hamiltonian_cycles, hamiltonian_paths, non_nested_loops, simple_cycles,
    simple_paths, two_factors,
};

use crate::support::scratch::Directory;
use crate::support::sizes::sized;

/// A set of loops on the lines between the cells of a board: the cells that each one visits, and
/// the squares of four cells inside of it.
struct Loops {
    visited: Vec<u32>,
    inside: Vec<u32>,
}

/// Returns all sets of loops on a board. Each is the border of a set of squares, of which no two
/// touch only at a corner.
fn sets_of_loops(grid: &Grid) -> Vec<Loops> {
    let (rows, columns) = (grid.rows(), grid.columns());
    let squares = (rows - 1) * (columns - 1);
    (0_u32..1 << squares).filter_map(|set| loops_around(grid, set)).collect()
}

fn loops_around(grid: &Grid, squares: u32) -> Option<Loops> {
    let (rows, columns) = (grid.rows(), grid.columns());
    let is_in = |row: usize, column: usize| {
        (1..rows).contains(&row)
            && (1..columns).contains(&column)
            && squares >> ((row - 1) * (columns - 1) + column - 1) & 1 == 1
    };
    // The lines down and to the right of each cell. Square (r, c) is above and left of cell (r, c).
    let down = |row: usize, column: usize| {
        row + 1 < rows && is_in(row + 1, column) != is_in(row + 1, column + 1)
    };
    let right = |row: usize, column: usize| {
        column + 1 < columns && is_in(row, column + 1) != is_in(row + 1, column + 1)
    };
    let next = |(row, column): (usize, usize)| {
        let mut next = Vec::new();
        next.extend(down(row, column).then_some((row + 1, column)));
        next.extend(right(row, column).then_some((row, column + 1)));
        next.extend((row > 0 && down(row - 1, column)).then(|| (row - 1, column)));
        next.extend((column > 0 && right(row, column - 1)).then(|| (row, column - 1)));
        next
    };
    let mut seen = 0_u32;
    let mut loops = Loops { visited: Vec::new(), inside: Vec::new() };
    let bit = |(row, column): (usize, usize)| 1_u32 << (row * columns + column);
    for start in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let around = next(start);
        if around.is_empty() || seen & bit(start) != 0 {
            continue;
        }
        // Walk along the loop, and note its lines down.
        let (mut at, mut visited, mut lines_down) = (start, 0, 0_u32);
        loop {
            let around = next(at);
            if around.len() != 2 || !grid.is_free(at.0, at.1) {
                return None;
            }
            visited |= bit(at);
            let onward = around.into_iter().find(|&cell| visited & bit(cell) == 0);
            let to = onward.unwrap_or(start);
            if to.1 == at.1 {
                lines_down |= bit(at.min(to));
            }
            match onward {
                Some(cell) => at = cell,
                None => break,
            }
        }
        seen |= visited;
        loops.visited.push(visited);
        let mut inside = 0;
        for row in 0..rows - 1 {
            let mut is_inside = false;
            for column in 0..columns - 1 {
                is_inside ^= lines_down & bit((row, column)) != 0;
                inside |= if is_inside { bit((row, column)) } else { 0 };
            }
        }
        loops.inside.push(inside);
    }
    Some(loops)
}

/// Counts in hash tables by one and two threads, in dense tables by one and two, and in dense
/// tables in two runs.
fn count<P: MotzkinProblem>(problem: &P) -> [Option<u128>; 5] {
    let by = |threads| Sweep::new(problem).threads(threads);
    let directory = Directory::new();
    let every = Duration::from_secs(3600);
    let file = || SweepCheckpoint::new(directory.file(), every, Fingerprint::new("half", &()));
    let mut stopped = file();
    let half = Limits::new().depth(problem.cells() / 2);
    let begun = by(1).limits(half).dense().checkpoint(&mut stopped).expect("a new file");
    drop(begun.count().expect("saved"));
    let mut resumed = file();
    let resumed = by(1).dense().resume(&mut resumed).expect("a saved sweep").count();
    [
        by(1).count().exact(),
        by(2).count().exact(),
        by(1).dense().count().exact(),
        by(2).dense().count().exact(),
        resumed.expect("saved").exact(),
    ]
}

/// Returns the number of a label from 0 to 16.
fn number(piece: PathPiece) -> u32 {
    let sides = [Side::Low, Side::High];
    let bits = sides.map(|side| piece.came_by(side)).into_iter();
    let bits = bits.chain(sides.map(|side| piece.goes_by(side)));
    let alone = if piece == PathPiece::ALONE { 16 } else { 0 };
    alone + bits.enumerate().map(|(place, bit)| u32::from(bit) << place).sum::<u32>()
}

/// Generates boards of at least two rows and columns, and of at most `cells` cells.
fn boards(cells: usize) -> impl Strategy<Value = Grid> {
    (2..=5_usize, 2..=5_usize, prop::collection::vec((0..5_usize, 0..5_usize), 0..4))
        .prop_filter("few cells", move |(rows, columns, _)| rows * columns <= cells)
        .prop_map(|(rows, columns, obstacles)| {
            let grid = Grid::new(rows, columns).expect("a board");
            obstacles.into_iter().fold(grid, |grid, (row, column)| grid.with_obstacle(row, column))
        })
}

fn check_loops(grid: &Grid, compulsory: u32) -> Result<(), TestCaseError> {
    let sets = sets_of_loops(grid);
    let bit = |row: usize, column: usize| 1_u32 << (row * grid.columns() + column);
    let is_compulsory = |row, column| compulsory & bit(row, column) != 0;
    let here = (0..grid.rows()).flat_map(|row| (0..grid.columns()).map(move |c| (row, c)));
    let compulsory = here.fold(0, |set, (row, column)| set | compulsory & bit(row, column));
    let visits = |set: &Loops| {
        set.visited.iter().fold(0, |all, visited| all | visited) & compulsory == compulsory
    };
    let number = |is_solution: &dyn Fn(&Loops) -> bool| {
        Some(sets.iter().filter(|set| is_solution(set)).count() as u128)
    };
    let is_flat = |set: &Loops| {
        let each = set.inside.iter().enumerate();
        each.clone().all(|(one, a)| set.inside[..one].iter().all(|b| a & b == 0))
    };
    let cycles = simple_cycles(grid);
    prop_assert_eq!(count(&cycles), [number(&|set| set.visited.len() == 1); 5]);
    prop_assert_eq!(
        count(&cycles.through(is_compulsory)),
        [number(&|set| set.visited.len() == 1 && visits(set)); 5]
    );
    let loops = non_nested_loops(grid);
    prop_assert_eq!(count(&loops), [number(&is_flat); 5]);
    prop_assert_eq!(
        count(&loops.through(is_compulsory)),
        [number(&|set| is_flat(set) && visits(set)); 5]
    );
    Ok(())
}

/// Checks a problem restricted by a table of the labels that are kept, seldom any other.
fn check_restricted(strands: &Strands, table: &[u32]) -> Result<(), TestCaseError> {
    let keeps = |cell: usize, piece: PathPiece| table[cell % table.len()] >> number(piece) & 1 == 1;
    let solutions = Sweep::new(strands).solutions().expect("no limit");
    let kept =
        solutions.filter(|labels| (0..).zip(labels).all(|(cell, &piece)| keeps(cell, piece)));
    let expected = Some(kept.count() as u128);
    prop_assert_eq!(count(&strands.only(keeps)), [expected; 5]);
    Ok(())
}

#[test]
fn restricted_loops_and_paths_on_random_boards_agree_with_enumeration() {
    // Most labels are kept, so that there are solutions.
    let rows = prop::collection::vec((any::<u32>(), any::<u32>(), any::<u32>()), 1..16);
    let table =
        rows.prop_map(|rows| rows.into_iter().map(|(a, b, c)| a | b | c).collect::<Vec<u32>>());
    let compulsory = (any::<u32>(), any::<u32>(), any::<u32>()).prop_map(|(a, b, c)| a & b & c);
    let mut runner = TestRunner::new(ProptestConfig::with_cases(sized(20, 10_000)));
    let run = runner.run(&(boards(16), compulsory, table), |(grid, compulsory, table)| {
        check_loops(&grid, compulsory)?;
        for strands in [
            simple_cycles(&grid),
            hamiltonian_cycles(&grid),
            two_factors(&grid),
            non_nested_loops(&grid),
            simple_paths(&grid),
            hamiltonian_paths(&grid),
        ] {
            check_restricted(&strands, &table)?;
        }
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn restricted_boards_have_known_counts() {
    let grid = Grid::new(8, 8).expect("a board");
    let all = |_, piece| piece != PathPiece::NONE;
    let loops = simple_cycles(&grid).only(all);
    assert_eq!(Sweep::new(&loops).dense().count().exact(), Some(4_638_576));
    assert_eq!(
        Sweep::new(&simple_cycles(&grid).through(|_, _| true)).dense().count().exact(),
        Some(4_638_576)
    );
    // A path of odd boards leaves through its goal, whose label has no side to the outside.
    let odd = Grid::new(7, 7).expect("a board");
    let paths = simple_paths(&odd).only(all);
    assert_eq!(Sweep::new(&paths).dense().count().exact(), Some(111_712));
    // The restriction by a whole obstacle.
    let without = simple_cycles(&Grid::new(3, 3).expect("a board"));
    let without = (&without).only(|cell, piece| cell != 4 || piece == PathPiece::NONE);
    assert_eq!(Sweep::new(&without).dense().count().exact(), Some(1));
    let impossible = simple_cycles(&grid.with_obstacle(3, 3)).through(|row, _| row == 3);
    assert_eq!(Sweep::new(&impossible).dense().count().exact(), Some(0));
}
