//! Problems that are made of others, against the lists of all solutions.

use proptest::prelude::*;
use secateurs::plug::{Both, ContourProblem, DifferentCells, Sweep};
use secateurs_problems::catalogue::{Grid, domino_tilings};

use crate::automata::{Automaton, automata};

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
        let bit = |cell: usize, label: u8| (cell * 4 + usize::from(label)) % 64;
        let keeps = |cell: usize, label: u8| table >> bit(cell, label) & 1 == 1;
        let is_kept = |labels: &Vec<u8>| (0..).zip(labels).all(|(cell, &label)| keeps(cell, label));
        let expected: Vec<Vec<u8>> = problem.solutions().into_iter().filter(is_kept).collect();
        let only = problem.only(keeps);
        let sweep = || Sweep::new(&only).threads(threads);
        prop_assert_eq!(sweep().count().exact(), Some(expected.len() as u128));
        let solutions: Vec<Vec<u8>> = sweep().solutions().expect("no limit").collect();
        prop_assert_eq!(sorted(solutions), sorted(expected));
    }

    #[test]
    fn a_restricted_product_has_the_pairs_of_solutions_of_kept_labels(
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
        let keeps = |cell: usize, (one, other): (u8, u8)| {
            table >> ((cell * 4 + usize::from(one ^ other)) % 64) & 1 == 1
        };
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
fn pairs_of_tilings_are_the_square_of_the_number() {
    let grid = Grid::new(4, 4).expect("a board");
    let both = Both::new(domino_tilings(&grid), domino_tilings(&grid)).expect("the same cells");
    assert_eq!(Sweep::new(&both).count().exact(), Some(36 * 36));
    let equal = both.only(|_, (one, other)| one == other);
    assert_eq!(Sweep::new(&equal).count().exact(), Some(36));
    let error = Both::new(Automaton::complete(3, 2), Automaton::complete(4, 2)).expect_err("3, 4");
    assert_eq!(error, DifferentCells { cells: [3, 4] });
}
