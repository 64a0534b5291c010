//! Problems that are made of others, against the lists of all solutions.

use proptest::prelude::*;
use secateurs::plug::motzkin::PathPiece;
use secateurs::plug::{Both, ContourProblem, DifferentCells, Sweep};
use secateurs_problems::catalogue::{Grid, domino_tilings, hamiltonian_cycles, simple_cycles};

use crate::automata::{Automaton, automata};

/// Returns whether a label is kept, by a table of bits.
fn keeps(table: u64) -> impl Fn(usize, u8) -> bool + Copy + Sync {
    move |cell, label| table >> ((cell * 4 + usize::from(label)) % 64) & 1 == 1
}

fn sorted<T: Ord>(mut solutions: Vec<T>) -> Vec<T> {
    solutions.sort_unstable();
    solutions
}

proptest! {
    #[test]
    fn a_restricted_problem_has_the_solutions_of_the_kept_labels(
        problem in automata(),
        table: u64,
        threads in 1_usize..3,
    ) {
        let keeps = keeps(table);
        let is_kept = |labels: &Vec<u8>| (0..).zip(labels).all(|(cell, &label)| keeps(cell, label));
        let expected: Vec<Vec<u8>> = problem.solutions().into_iter().filter(is_kept).collect();
        let only = problem.only(keeps);
        let sweep = || Sweep::new(&only).threads(threads);
        prop_assert_eq!(sweep().count().exact(), Some(expected.len() as u128));
        let solutions: Vec<Vec<u8>> = sweep().solutions().expect("no limit").collect();
        prop_assert_eq!(sorted(solutions), sorted(expected));
    }

    #[test]
    fn a_product_has_the_pairs_of_solutions(
        one in automata(),
        other in automata(),
        table: u64,
        threads in 1_usize..3,
    ) {
        let cells = [one.cells(), other.cells()];
        let Ok(both) = Both::new(&one, &other) else {
            prop_assert_ne!(cells[0], cells[1]);
            return Ok(());
        };
        prop_assert_eq!(cells[0], cells[1]);
        let keeps = |cell: usize, (one, other): (u8, u8)| keeps(table)(cell, one ^ other);
        let expected: Vec<Vec<(u8, u8)>> = one
            .solutions()
            .iter()
            .flat_map(|one| other.solutions().into_iter().map(|other| {
                one.iter().copied().zip(other).collect::<Vec<_>>()
            }).collect::<Vec<_>>())
            .filter(|labels| (0..).zip(labels).all(|(cell, &pair)| keeps(cell, pair)))
            .collect();
        let both = both.only(keeps);
        let sweep = || Sweep::new(&both).threads(threads);
        prop_assert_eq!(sweep().count().exact(), Some(expected.len() as u128));
        let solutions: Vec<_> = sweep().solutions().expect("no limit").collect();
        prop_assert_eq!(sorted(solutions), sorted(expected));
    }
}

#[test]
fn loops_with_compulsory_cells_are_restricted_loops() {
    // All cells are compulsory.
    let grid = Grid::new(6, 6).expect("a board");
    let all = simple_cycles(&grid).only(|_, piece| piece != PathPiece::NONE);
    assert_eq!(Sweep::new(&all).count().exact(), Some(1072));
    assert_eq!(Sweep::new(&hamiltonian_cycles(&grid)).count().exact(), Some(1072));
}

#[test]
fn pairs_of_tilings_are_the_square_of_the_number() {
    let grid = Grid::new(4, 4).expect("a board");
    let both = Both::new(domino_tilings(&grid), domino_tilings(&grid)).expect("the same cells");
    assert_eq!(Sweep::new(&both).count().exact(), Some(36 * 36));
    let equal = both.only(|_, (one, other)| one == other);
    assert_eq!(Sweep::new(&equal).count().exact(), Some(36));
    let error = Both::new(Automaton::complete(3, 2), Automaton::complete(4, 2)).expect_err("3, 4");
    assert_eq!(error, DifferentCells { cells: [3, 4] });
}
