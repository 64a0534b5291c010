//! Magic squares: known counts, every level of propagation, an independent search, and what is no
//! magic square.

use std::collections::BTreeSet;

use secateurs::csp::symmetry::LexSmallest;
use secateurs::csp::{
    Ascending, Assignment, Branching, CentreOut, Halves, InputOrder, Propagate, Propagation,
    SmallestDomain,
};
use secateurs::hook::{Permutation, SymmetryError, SymmetryGroup};
use secateurs::problems::magic_square::{MagicSquare, MagicSquares};
use secateurs::{Limits, Search};

use crate::shared::networks::{count_magic_squares, squares};

/// All squares of an order, as the network finds them.
fn all(squares: MagicSquares) -> Vec<MagicSquare> {
    let network = squares.network();
    let order = Branching::new(SmallestDomain::first_tie(), Ascending);
    let search =
        Search::new(&network).hooks((Propagate::full(),)).brancher(order).extract(Assignment::of);
    search.solutions().map(|solution| squares.square(&solution).expect("magic")).collect()
}

/// The eight images of a square.
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
fn known_counts_to_order_3() {
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
    let standard = all(squares(4).up_to_symmetry());
    assert_eq!(standard.len(), 880);
    // The images of these are all there are, and no two have any in common.
    let images: Vec<_> = standard.iter().map(images).collect();
    assert!(images.iter().all(|images| images.len() == 8));
    let together: BTreeSet<_> = images.into_iter().flatten().collect();
    assert_eq!(together.len(), 7040);
    // Dürer's, with the year below.
    let duerer = [16, 3, 2, 13, 5, 10, 11, 8, 9, 6, 7, 12, 4, 15, 14, 1];
    assert!(together.contains(&duerer[..]));
}

/// The hook says that each of the 880 stands for eight.
#[test]
fn order_4_up_to_symmetry_by_a_hook() -> Result<(), SymmetryError> {
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

#[test]
fn squares_of_order_3_by_trying_all_permutations() {
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
    let mut by_network = all(squares(3));
    by_network.sort();
    assert_eq!(by_network, found);
    // What `MagicSquare` takes for magic has been added up here as well.
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
fn every_level_and_order_finds_the_same() {
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
fn first_squares_of_orders_5_and_6() {
    for order in [5, 6] {
        let network = squares(order).network();
        let search = Search::new(&network)
            .hooks((Propagate::full(),))
            .brancher(Branching::new(SmallestDomain::first_tie(), CentreOut))
            .limits(Limits::new().nodes(20_000))
            .extract(Assignment::of);
        let outcome = search.first();
        let square =
            squares(order).square(outcome.solution().expect("there is one")).expect("magic");
        assert_eq!(square.sum(), order * (order * order + 1) / 2);
    }
}

#[test]
fn what_is_not_magic_is_told_apart() {
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
    // Two rows of the square of order 3 changed round.
    let diagonal = wrong(3, &[3, 5, 7, 4, 9, 2, 8, 1, 6]);
    assert_eq!(diagonal, "the diagonal from the top left: found the sum 18, expected 15");
    assert!(MagicSquares::new(0).is_err() && MagicSquares::new(65).is_err());
}

#[test]
fn squares_of_another_order_are_no_solutions() {
    let network = squares(3).network();
    let search = Search::new(&network).hooks((Propagate::full(),)).extract(Assignment::of);
    let outcome = search.first();
    let solution = outcome.solution().expect("there is one");
    let error = squares(4).square(solution).expect_err("a solution of another order");
    assert_eq!(error.to_string(), "found 9 numbers, expected 16, one per cell");
}

#[test]
fn texts_and_pictures() {
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

/// The largest network, which is not searched.
#[test]
fn the_largest_order_is_a_network() {
    assert_eq!(squares(64).network().len(), 4096);
}
