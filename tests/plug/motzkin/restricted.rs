//! Loops with compulsory cells, loops outside of each other, and problems restricted by labels, in
//! hash tables and in dense ones, against enumeration.

use std::collections::BTreeSet;
use std::time::Duration;

use proptest::prelude::*;
use secateurs::Limits;
use secateurs::checkpoint::Fingerprint;
use secateurs::plug::motzkin::{MotzkinProblem, PathPiece};
use secateurs::plug::{ContourProblem, Sweep, SweepCheckpoint};
use secateurs_problems::catalogue::{
    Grid, Strands, hamiltonian_cycles, hamiltonian_paths, non_nested_loops, simple_cycles,
    simple_paths, two_factors,
};

use crate::erased::Byte;
use crate::shared::dense_sweeps::boards;
use crate::support::problems::{count as by_hash, grid};
use crate::support::scratch::Directory;
use crate::support::sizes::sized;

/// A set of loops on the lines between the cells of a board.
struct Loops {
    number: usize,
    /// Whether no loop is inside of another one.
    are_apart: bool,
    /// The cells that they visit.
    visited: u32,
}

/// Returns all sets of loops on a board. Each is the border of a set of squares, of which no two
/// touch only at a corner.
fn sets_of_loops(grid: &Grid) -> Vec<Loops> {
    let squares = (grid.rows() - 1) * (grid.columns() - 1);
    (0_u32..1 << squares).filter_map(|set| loops_around(grid, set)).collect()
}

fn loops_around(grid: &Grid, squares: u32) -> Option<Loops> {
    let (rows, columns) = (grid.rows(), grid.columns());
    // Square (r, c) is above and left of cell (r, c). Those around the board are in no set.
    let is_in = |(row, column): (usize, usize)| {
        (1..rows).contains(&row)
            && (1..columns).contains(&column)
            && squares >> ((row - 1) * (columns - 1) + column - 1) & 1 == 1
    };
    let mut visited = 0;
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let around = [(0, 0), (0, 1), (1, 1), (1, 0)].map(|(r, c)| is_in((row + r, column + c)));
        match (0..4).filter(|&side| around[side] != around[(side + 1) % 4]).count() {
            0 => {}
            2 if grid.is_free(row, column) => visited |= 1 << (row * columns + column),
            _ => return None,
        }
    }
    // Each loop divides a region of squares into two. The regions are outside and inside of one
    // loop each, unless a loop is inside of another one.
    let mut regions = [0; 2];
    let mut left: BTreeSet<(usize, usize)> =
        (0..=rows).flat_map(|row| (0..=columns).map(move |column| (row, column))).collect();
    while let Some(first) = left.pop_first() {
        regions[usize::from(is_in(first))] += 1;
        let mut region = vec![first];
        while let Some((row, column)) = region.pop() {
            let next = [(row + 1, column), (row, column + 1)].into_iter();
            let before =
                [row.checked_sub(1).zip(Some(column)), Some(row).zip(column.checked_sub(1))];
            let alike = next.chain(before.into_iter().flatten());
            region.extend(alike.filter(|&at| is_in(at) == is_in(first) && left.remove(&at)));
        }
    }
    let [outside, inside] = regions;
    Some(Loops { number: outside + inside - 1, are_apart: outside == 1, visited })
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

fn check_loops(grid: &Grid, compulsory: u32) -> Result<(), TestCaseError> {
    let sets = sets_of_loops(grid);
    let bit = |row: usize, column: usize| 1_u32 << (row * grid.columns() + column);
    let is_compulsory = |row, column| compulsory & bit(row, column) != 0;
    let compulsory = compulsory & (u32::MAX >> (32 - grid.rows() * grid.columns()));
    let number = |is_solution: &dyn Fn(&Loops) -> bool, compulsory: u32| {
        let visits = |set: &&Loops| set.visited & compulsory == compulsory;
        [Some(sets.iter().filter(|set| is_solution(set)).filter(visits).count() as u128); 5]
    };
    let is_one = |set: &Loops| set.number == 1;
    let cycles = simple_cycles(grid);
    prop_assert_eq!(count(&cycles), number(&is_one, 0));
    prop_assert_eq!(count(&cycles.through(is_compulsory)), number(&is_one, compulsory));
    let are_apart = |set: &Loops| set.are_apart;
    let loops = non_nested_loops(grid);
    prop_assert_eq!(count(&loops), number(&are_apart, 0));
    prop_assert_eq!(count(&loops.through(is_compulsory)), number(&are_apart, compulsory));
    Ok(())
}

/// Counts the solutions with dense tables.
fn by_rank(problem: &impl MotzkinProblem) -> u128 {
    Sweep::new(problem).dense().count().exact().expect("a small count")
}

/// Checks a problem restricted by a table of the labels that are kept, seldom any other.
fn check_restricted(strands: &Strands, table: &[u32]) -> Result<(), TestCaseError> {
    let keeps = |cell: usize, piece: PathPiece| table[cell % table.len()] >> piece.byte() & 1 == 1;
    let solutions = Sweep::new(strands).solutions().expect("no limit");
    let kept =
        solutions.filter(|labels| (0..).zip(labels).all(|(cell, &piece)| keeps(cell, piece)));
    let expected = Some(kept.count() as u128);
    prop_assert_eq!(count(&strands.only(keeps)), [expected; 5]);
    Ok(())
}

const SHAPES: &[(usize, usize)] =
    &[(2, 2), (2, 3), (3, 2), (2, 5), (5, 2), (3, 3), (3, 4), (4, 3), (3, 5), (5, 3), (4, 4)];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sized(20, 10_000)))]

    #[test]
    fn restricted_loops_and_paths_on_random_boards_agree_with_enumeration(
        grid in boards(SHAPES),
        compulsory: [u32; 3],
        table in prop::collection::vec(any::<[u32; 3]>(), 1..16),
    ) {
        check_loops(&grid, compulsory[0] & compulsory[1] & compulsory[2])?;
        // Most labels are kept, so that there are solutions.
        let table: Vec<u32> = table.into_iter().map(|[a, b, c]| a | b | c).collect();
        for problem in [
            simple_cycles,
            hamiltonian_cycles,
            two_factors,
            non_nested_loops,
            simple_paths,
            hamiltonian_paths,
        ] {
            check_restricted(&problem(&grid), &table)?;
        }
    }
}

#[test]
fn restricted_boards_have_known_counts() {
    let (even, odd, small) = (grid(8, 8), grid(7, 7), grid(3, 3));
    let all = |_, piece| piece != PathPiece::NONE;
    let loops = simple_cycles(&even);
    assert_eq!(by_rank(&(&loops).only(all)), 4_638_576);
    assert_eq!(by_rank(&loops.through(|_, _| true)), 4_638_576);
    // A path of odd boards leaves through its goal, whose label has no side to the outside.
    assert_eq!(by_rank(&simple_paths(&odd).only(all)), 111_712);
    // The restriction by a whole obstacle.
    let without = simple_cycles(&small);
    assert_eq!(by_rank(&(&without).only(|cell, piece| cell != 4 || piece == PathPiece::NONE)), 1);
    let impossible = simple_cycles(&even.with_obstacle(3, 3)).through(|row, _| row == 3);
    assert_eq!(by_rank(&impossible), 0);
}

#[test]
fn a_finished_loop_does_not_pass_a_cell_that_it_must_go_through() {
    let loops = simple_cycles(&grid(3, 3));
    assert_eq!(by_hash(&loops), 13);
    let loops = loops.only(|cell, piece| cell < 8 || piece != PathPiece::NONE);
    assert_eq!((by_hash(&loops), by_rank(&loops)), (7, 7));
}
