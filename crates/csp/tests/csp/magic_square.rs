//! Magic squares: known counts, all levels of propagation, an independent search, and squares that
//! are not magic.

use std::collections::BTreeSet;

use secateurs::hook::{Permutation, SymmetryError, SymmetryGroup};
use secateurs::{Limits, Search};
use secateurs_csp::symmetry::LexSmallest;
use secateurs_csp::{
    Ascending, Assignment, Branching, CentreOut, Halves, InputOrder, Propagate, Propagation,
    SmallestDomain,
};
use secateurs_problems::magic_square::{MagicSquare, MagicSquares};

use crate::shared::networks::{count_magic_squares, squares};

/// Returns all squares of an order that the network finds.
fn all_squares(squares: MagicSquares) -> Vec<MagicSquare> {
    let network = squares.network();
    let order = Branching::new(SmallestDomain::first_tie(), Ascending);
    let search =
        Search::new(&network).hooks((Propagate::full(),)).brancher(order).extract(Assignment::of);
    search.solutions().map(|solution| squares.square(&solution).expect("magic")).collect()
}

/// Returns the eight images of a square.
fn images(square: &MagicSquare) -> BTreeSet<Vec<usize>> {
    let (n, numbers) = (square.order(), square.numbers());
    let image = |from: &dyn Fn(usize, usize) -> (usize, usize)| {
        let cells = (0..n * n).map(|cell| from(cell / n, cell % n));
        cells.map(|(row, column)| numbers[row * n + column]).collect::<Vec<_>>()
    };
    let last = n - 1;
    BTreeSet::from([
        image(&|row, column| (row, column)),
        image(&|row, column| (row, last - column)),
        image(&|row, column| (last - row, column)),
        image(&|row, column| (last - row, last - column)),
        image(&|row, column| (column, row)),
        image(&|row, column| (column, last - row)),
        image(&|row, column| (last - column, row)),
        image(&|row, column| (last - column, last - row)),
    ])
}

#[test]
fn orders_up_to_3_match_the_known_counts() {
    for (order, number, up_to_symmetry) in [(1, 1, 1), (2, 0, 0), (3, 8, 1)] {
        assert_eq!(count_magic_squares(squares(order)), number, "order {order}");
        assert_eq!(
            count_magic_squares(squares(order).up_to_symmetry()),
            up_to_symmetry,
            "order {order}"
        );
    }
}

#[test]
fn order_4_has_880_up_to_symmetry() {
    let standard = all_squares(squares(4).up_to_symmetry());
    assert_eq!(standard.len(), 880);
    // The orbits of these squares are disjoint and contain all squares.
    let images: Vec<_> = standard.iter().map(images).collect();
    assert!(images.iter().all(|images| images.len() == 8));
    let union: BTreeSet<_> = images.into_iter().flatten().collect();
    assert_eq!(union.len(), 7040);
    // Dürer's square, with the year in the bottom row.
    let duerer = [16, 3, 2, 13, 5, 10, 11, 8, 9, 6, 7, 12, 4, 15, 14, 1];
    assert!(union.contains(&duerer[..]));
}

/// The hook reports that each of the 880 squares stands for eight.
#[test]
fn lex_smallest_keeps_one_square_of_each_orbit_of_order_4() -> Result<(), SymmetryError> {
    let network = squares(4).network();
    let cells: Vec<_> = network.variables().collect();
    let turn = Permutation::new(16, 16, |cell, number| (cell % 4 * 4 + 3 - cell / 4, number))?;
    let flip = Permutation::new(16, 16, |cell, number| (cell / 4 * 4 + 3 - cell % 4, number))?;
    let group = SymmetryGroup::generate(16, 16, &[turn, flip], 8)?;
    let hooks = (Propagate::full(), LexSmallest::new(&network, &cells, 1, group)?);
    let outcome = Search::new(&network)
        .hooks(hooks)
        .brancher(Halves::new(SmallestDomain::first_tie()))
        .count();
    assert_eq!((outcome.representatives(), outcome.exact()), (Some(880), Some(7040)));
    Ok(())
}

/// The trees of a solver that propagates each refuted value have as many nodes.
#[test]
fn two_way_branching_has_the_tree_of_other_solvers() {
    let network = squares(4).up_to_symmetry().network();
    let count = |order| Search::new(&network).hook(Propagate::full()).brancher(order).count();
    let outcome = count(Halves::minimum_first(SmallestDomain::first_tie()));
    assert_eq!((outcome.exact(), outcome.report().nodes()), (Some(880), 50_067));
}

#[test]
fn order_3_matches_a_search_of_all_permutations() {
    fn extend(numbers: &mut Vec<usize>, found: &mut Vec<MagicSquare>) {
        if numbers.len() == 9 {
            found.extend(MagicSquare::new(3, numbers.clone()));
        }
        for number in (1..=9)
            .filter(|number| numbers.len() < 9 && !numbers.contains(number))
            .collect::<Vec<_>>()
        {
            numbers.push(number);
            extend(numbers, found);
            numbers.pop();
        }
    }
    let mut found = Vec::new();
    extend(&mut Vec::new(), &mut found);
    let mut by_network = all_squares(squares(3));
    by_network.sort();
    assert_eq!(by_network, found);
    // The sums are also computed here, independently of `MagicSquare`.
    for square in found {
        let cell = |row: usize, column: usize| square.numbers()[3 * row + column];
        let line = |cells: [(usize, usize); 3]| {
            cells.iter().map(|&(row, column)| cell(row, column)).sum::<usize>()
        };
        assert!((0..3).all(|index| line([0, 1, 2].map(|other| (index, other))) == 15));
        assert!((0..3).all(|index| line([0, 1, 2].map(|other| (other, index))) == 15));
        assert_eq!((line([(0, 0), (1, 1), (2, 2)]), line([(0, 2), (1, 1), (2, 0)])), (15, 15));
    }
}

#[test]
fn all_levels_and_orders_find_the_same_squares() {
    let network = squares(3).network();
    for level in [
        Propagation::Backward,
        Propagation::Forward,
        Propagation::ArcConsistency,
        Propagation::Full,
    ] {
        let hooks = || (Propagate::new(level),);
        assert_eq!(Search::new(&network).hooks(hooks()).count().exact(), Some(8), "{level:?}");
        let centre_out = Branching::new(InputOrder, CentreOut);
        assert_eq!(
            Search::new(&network).hooks(hooks()).brancher(centre_out).count().exact(),
            Some(8),
            "{level:?}"
        );
    }
}

#[test]
fn undoing_restores_the_network() {
    let network = squares(3).network();
    let outcome = Search::new(&network).hooks((Propagate::full(),)).check_undo().count();
    assert_eq!(outcome.exact(), Some(8));
}

#[test]
fn orders_5_and_6_have_squares() {
    for order in [5, 6] {
        let network = squares(order).network();
        let search = Search::new(&network)
            .hooks((Propagate::full(),))
            .brancher(Branching::new(SmallestDomain::first_tie(), CentreOut))
            .limits(Limits::new().nodes(20_000))
            .extract(Assignment::of);
        let outcome = search.first();
        let square =
            squares(order).square(outcome.solution().expect("no solution")).expect("magic");
        assert_eq!(square.sum(), order * (order * order + 1) / 2);
    }
}

#[test]
fn squares_that_are_not_magic_are_refused() {
    let wrong = |order, numbers: &[usize]| {
        MagicSquare::new(order, numbers.to_vec()).expect_err("not magic").to_string()
    };
    for order in [0, usize::MAX] {
        let message = format!("found the order {order}, expected one from 1 to 64");
        assert_eq!(wrong(order, &[]), message);
    }
    assert_eq!(wrong(3, &[1]), "found 1 numbers, expected 9, one per cell");
    let twice = "row 1, column 2: found 1, expected each number from 1 to 4 once";
    assert_eq!(wrong(2, &[1, 1, 2, 3]), twice);
    let zero = "row 1, column 1: found 0, expected each number from 1 to 1 once";
    assert_eq!(wrong(1, &[0]), zero);
    assert_eq!(wrong(1, &[2]), "row 1, column 1: found 2, expected each number from 1 to 1 once");
    assert_eq!(wrong(2, &[1, 2, 3, 4]), "row 1: found the sum 3, expected 5");
    assert_eq!(wrong(2, &[1, 4, 2, 3]), "column 1: found the sum 3, expected 5");
    // Two rows of the square of order 3 swapped.
    let diagonal = wrong(3, &[3, 5, 7, 4, 9, 2, 8, 1, 6]);
    assert_eq!(diagonal, "the diagonal from the top left: found the sum 18, expected 15");
    assert!(MagicSquares::new(0).is_err() && MagicSquares::new(65).is_err());
}

#[test]
fn squares_of_another_order_are_no_solutions() {
    let network = squares(3).network();
    let search = Search::new(&network).hooks((Propagate::full(),)).extract(Assignment::of);
    let outcome = search.first();
    let solution = outcome.solution().expect("no solution");
    let error = squares(4).square(solution).expect_err("a solution of another order");
    assert_eq!(error.to_string(), "found 9 numbers, expected 16, one per cell");
}

#[test]
fn squares_are_displayed_and_drawn() {
    let one = MagicSquare::new(1, vec![1]).expect("magic");
    assert_eq!((one.to_string(), one.sum()), ("1\n".to_owned(), 1));
    let duerer = MagicSquare::new(4, vec![16, 3, 2, 13, 5, 10, 11, 8, 9, 6, 7, 12, 4, 15, 14, 1])
        .expect("magic");
    assert_eq!(duerer.to_string(), "16  3  2 13\n 5 10 11  8\n 9  6  7 12\n 4 15 14  1\n");
    let svg = duerer.to_svg();
    assert!(
        svg.starts_with("<svg")
            && svg.contains("Magic square of order 4, with the sum 34")
            && svg.contains(">16<")
    );
}

/// The largest network is built but not searched.
#[test]
fn the_largest_network_can_be_built() {
    assert_eq!(squares(64).network().len(), 4096);
}
