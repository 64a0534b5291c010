//! Orders of variables and values: the trees they make, and that they make no difference to what is found.

use secateurs::Search;
use secateurs::csp::{Ascending, Branching, Propagate, SwappedOrder};
use secateurs::problems::queens::Board;

/// The placements of the programs that keep the queens not yet placed in an array: n, solutions, `<`, `<=`.
const PLACED: [(usize, u128, u64, u64); 7] = [
    (4, 2, 16, 16),
    (5, 10, 53, 52),
    (6, 4, 120, 114),
    (7, 40, 393, 381),
    (8, 92, 1338, 1309),
    (9, 352, 5351, 5200),
    (10, 724, 20025, 19652),
];

#[test]
fn swapped_order_makes_the_trees_of_the_programs_that_never_undo_a_swap() {
    for (size, solutions, first, last) in PLACED {
        let network = Board::new(size).unwrap().network();
        for (order, placed) in [(SwappedOrder::first_tie(), first), (SwappedOrder::last_tie(), last)] {
            let forward = Propagate::forward().without_wipe_out_test();
            let order = Branching::new(order, Ascending);
            let outcome = Search::new(&network).hooks((forward,)).brancher(order).count();
            assert_eq!(outcome.exact(), Some(solutions));
            assert_eq!(outcome.report().nodes() - 1, placed, "{size}");
        }
    }
}
