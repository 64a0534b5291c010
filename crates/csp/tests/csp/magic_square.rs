//! Magic squares: known counts, orbits of symmetry, and squares that are not magic.

use std::collections::BTreeSet;

use secateurs::hook::{Permutation, SymmetryError, SymmetryGroup};
use secateurs::{Limits, Search};
use secateurs_csp::symmetry::LexSmallest;
use secateurs_csp::{
    Ascending, Assignment, Branching, CentreOut, Halves, Propagate, SmallestDomain,
};
use secateurs_problems::magic_square::{MagicSquare, MagicSquares};

use crate::shared::networks::{count_magic_squares, squares};
use crate::support::sizes::sized;

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
fn squares_of_each_order_match_the_known_counts() {
    let known = [(1, 1, 1), (2, 0, 0), (3, 8, 1), (4, 7040, 880)];
    for (order, number, up_to_symmetry) in known.into_iter().take(sized(3, 4)) {
        let [all, some] =
            [squares(order), squares(order).up_to_symmetry()].map(count_magic_squares);
        assert_eq!((all, some), (number, up_to_symmetry), "order {order}");
    }
}

#[test]
fn order_4_has_880_up_to_symmetry() {
    let squares = squares(4).up_to_symmetry();
    let network = squares.network();
    let order = Branching::new(SmallestDomain::first_tie(), Ascending);
    let search =
        Search::new(&network).hooks((Propagate::full(),)).brancher(order).extract(Assignment::of);
    // The orbits of these squares are disjoint and contain all squares.
    let square = |solution: Assignment| squares.square(&solution).expect("magic");
    let images: Vec<_> = search.solutions().map(|solution| images(&square(solution))).collect();
    assert_eq!(images.len(), 880);
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
    for (order, numbers, message) in [
        (3, &[1][..], "found 1 numbers, expected 9, one per cell"),
        (2, &[1, 1, 2, 3], "row 1, column 2: found 1, expected each number from 1 to 4 once"),
        (1, &[0], "row 1, column 1: found 0, expected each number from 1 to 1 once"),
        (1, &[2], "row 1, column 1: found 2, expected each number from 1 to 1 once"),
        (2, &[1, 2, 3, 4], "row 1: found the sum 3, expected 5"),
        (2, &[1, 4, 2, 3], "column 1: found the sum 3, expected 5"),
        // Two rows of the square of order 3 swapped.
        (
            3,
            &[3, 5, 7, 4, 9, 2, 8, 1, 6],
            "the diagonal from the top left: found the sum 18, expected 15",
        ),
        // Other rows and columns swapped, so that one diagonal keeps its sum.
        (
            3,
            &[5, 3, 7, 1, 8, 6, 9, 4, 2],
            "the diagonal from the top right: found the sum 24, expected 15",
        ),
    ] {
        assert_eq!(wrong(order, numbers), message);
    }
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
