//! n-queens as a constraint network: checks of counts at every level and in every order, of first
//! solutions, and of completions.

use proptest::prelude::*;
use secateurs::{Brancher, Limits, Report, Search};
use secateurs_csp::{
    Ascending, Assignment, Branching, CentreOut, DomainOverDegree, Halves, InputOrder, Network,
    Propagate, Propagation, SmallestDomain, SwappedOrder, ValueOrder, VariableOrder, Weights,
    least_constraining, weighted_degree,
};
use secateurs_problems::queens::{BitCompletion, QueensBoard, RowByRow};

use crate::support::propagation::LEVELS;

/// The numbers of all solutions, from n = 0 (A000170).
pub const SOLUTIONS: [u128; 13] = [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200];

/// Returns the network of an empty board.
pub fn network(n: usize) -> Network {
    QueensBoard::new(n).expect("a board that is not too large").network()
}

/// Returns the exact count and the report of a search.
pub fn count(
    network: &Network,
    propagate: Propagate,
    order: impl Brancher<Network>,
) -> (Option<u128>, Report) {
    let outcome = Search::new(network).hooks((propagate,)).brancher(order).count();
    (outcome.exact(), outcome.report().clone())
}

/// Checks the count with every order of variables and one order of values.
fn check_all_orders(
    network: &Network,
    level: Propagation,
    values: impl ValueOrder<Network> + Copy,
    expected: u128,
) {
    let check = |name: &str, rows: &mut dyn FnMut() -> (Option<u128>, Report)| {
        assert_eq!(rows().0, Some(expected), "{} rows, {level:?}, {name}", network.len());
    };
    macro_rules! check {
        ($($order:expr),*) => {$(
            check(stringify!($order), &mut || {
                count(network, Propagate::new(level), Branching::new($order, values))
            });
        )*};
    }
    check!(
        InputOrder,
        SmallestDomain::first_tie(),
        SmallestDomain::last_tie(),
        SwappedOrder::first_tie(),
        SwappedOrder::last_tie(),
        DomainOverDegree::first_tie(),
        DomainOverDegree::last_tie()
    );
    let weights = Weights::new(network);
    let order = Branching::new(weighted_degree(&weights), values);
    check("weighted", &mut || {
        count(network, Propagate::new(level).with_weights(&weights), order.clone())
    });
}

/// Counts the solutions of the boards of fewer than `sizes` columns at every level and in every
/// order.
pub fn check_every_level_and_order(sizes: usize) {
    for (n, solutions) in (0..).zip(SOLUTIONS).take(sizes) {
        let network = network(n);
        for level in LEVELS {
            check_all_orders(&network, level, Ascending, solutions);
            check_all_orders(&network, level, CentreOut, solutions);
            let by = |order: &mut dyn FnMut(Propagate) -> (Option<u128>, Report)| {
                assert_eq!(order(Propagate::new(level)).0, Some(solutions), "n = {n}, {level:?}");
            };
            let [first, last] = [SmallestDomain::first_tie(), SmallestDomain::last_tie()];
            by(&mut |propagate| count(&network, propagate, Halves::new(first)));
            by(&mut |propagate| count(&network, propagate, Halves::new(last)));
            by(&mut |propagate| count(&network, propagate, Halves::new(InputOrder)));
            by(&mut |propagate| count(&network, propagate, least_constraining(first)));
        }
        // Without propagation, in the network's own order.
        if n <= 6 {
            assert_eq!(Search::new(&network).count().exact(), Some(solutions), "n = {n}");
        }
    }
}

/// Searches for the first solution by forward checking, with values centre-out. Returns the number
/// of placements, including those that are pruned at once.
pub fn first(n: usize, rows: impl VariableOrder<Network>) -> u64 {
    let board = QueensBoard::new(n).expect("a board that is not too large");
    let network = board.network();
    let outcome = Search::new(&network)
        .hooks((Propagate::forward(),))
        .brancher(Branching::new(rows, CentreOut))
        .limits(Limits::new().nodes(100_000))
        .extract(Assignment::of)
        .first();
    let solution =
        outcome.solution().and_then(|solution| board.completed(solution)).expect("a solution");
    assert_eq!((solution.queens().len(), solution.attack()), (n, None));
    outcome.report().nodes() - 1
}

/// Returns the completions of a board by the network, as columns, sorted.
fn by_network(
    board: &QueensBoard,
    level: Propagation,
    rows: impl VariableOrder<Network>,
) -> Vec<Vec<usize>> {
    let network = board.network();
    let solutions = Search::new(&network)
        .hooks((Propagate::new(level),))
        .brancher(Branching::new(rows, CentreOut))
        .extract(Assignment::of)
        .solutions();
    let columns = |solution: Assignment| {
        let completed = board.completed(&solution).expect("a solution of this board");
        completed.queens().iter().map(|queen| queen.1).collect::<Vec<_>>()
    };
    let mut all: Vec<_> = solutions.map(columns).collect();
    all.sort_unstable();
    all
}

/// Returns the completions of a board by the bit-mask model, as columns, in ascending order.
fn by_bits(board: &QueensBoard) -> Vec<Vec<usize>> {
    let bits = board.bits().expect("at most 64 columns");
    Search::new(&bits)
        .extract(|node| BitCompletion::columns(node.path().iter()))
        .solutions()
        .collect()
}

/// Returns the completions of a board as an exact cover, as columns, sorted.
fn by_cover(board: &QueensBoard) -> Vec<Vec<usize>> {
    let queens = board.cover().expect("a small board");
    let columns =
        |options: Vec<usize>| queens.board(&options).queens().iter().map(|queen| queen.1).collect();
    let mut all: Vec<_> = Search::new(queens.cover()).solutions().map(columns).collect();
    all.sort_unstable();
    all
}

/// Generates boards of up to `largest` columns with some given queens.
pub fn completions(largest: usize) -> impl Strategy<Value = QueensBoard> {
    (1..=largest, 0usize..=4, any::<u64>())
        .prop_map(|(n, count, seed)| QueensBoard::random(n, count, seed).expect("a small board"))
}

/// Compares the completions by the network with those by bit masks and by the exact cover.
pub fn check_completions(board: &QueensBoard) -> Result<(), TestCaseError> {
    let expected = by_bits(board);
    prop_assert_eq!(&by_cover(board), &expected);
    for level in LEVELS {
        prop_assert_eq!(&by_network(board, level, SmallestDomain::first_tie()), &expected);
        prop_assert_eq!(&by_network(board, level, InputOrder), &expected);
    }
    // The only completion of a solution is the solution itself.
    for columns in expected.iter().take(3) {
        let full = QueensBoard::from_columns(columns).expect("a small board");
        for level in LEVELS {
            prop_assert_eq!(by_network(&full, level, InputOrder), std::slice::from_ref(columns));
        }
    }
    Ok(())
}
