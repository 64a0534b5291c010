//! Langford pairs as a constraint network and as an exact cover, compared with known counts and
//! with each other.

use std::collections::BTreeSet;

use secateurs::Search;
use secateurs_csp::{
    Ascending, Assignment, Branching, Halves, InputOrder, Propagate, SmallestDomain,
};
use secateurs_problems::langford::{Langford, LangfordNetwork};

use crate::shared::pentominoes::counts;
use crate::support::propagation::LEVELS;

fn langford(numbers: usize) -> Langford {
    Langford::new(numbers).expect("not too many")
}

fn pairs(numbers: usize) -> LangfordNetwork {
    langford(numbers).network()
}

fn order() -> Branching<SmallestDomain, Ascending> {
    Branching::new(SmallestDomain::last_tie(), Ascending)
}

/// Counts the solutions of the network up to reversal, and all solutions.
fn by_network(numbers: usize) -> (Option<u128>, Option<u128>) {
    let pairs = pairs(numbers);
    let hooks = (pairs.reversal(), Propagate::full());
    let outcome = Search::new(pairs.network()).hooks(hooks).brancher(order()).count();
    (outcome.representatives(), outcome.exact())
}

#[test]
fn network_and_cover_count_the_known_numbers_of_rows() {
    // Up to reversal: OEIS A014552.
    for (numbers, expected) in
        [(1, 0), (2, 0), (3, 1), (4, 1), (5, 0), (6, 0), (7, 26), (8, 150), (9, 0), (11, 17_792)]
    {
        let known = (Some(expected), Some(2 * expected));
        let cover = langford(numbers).cover();
        assert_eq!(counts(cover.cover(), cover.reversal()), known, "cover of {numbers} pairs");
        assert_eq!(by_network(numbers), known, "network of {numbers} pairs");
    }
    let cover = langford(0).cover();
    assert_eq!(counts(cover.cover(), cover.reversal()), (Some(1), Some(1)));
    assert_eq!(by_network(0), (Some(1), Some(1)));
}

#[test]
fn reversal_counts_the_same_at_every_level_in_other_orders() {
    let pairs = pairs(7);
    for level in LEVELS {
        let search = || Search::new(pairs.network()).check_undo();
        let last = search().hooks((Propagate::new(level), pairs.reversal())).brancher(order());
        let first = search().hooks((pairs.reversal(), Propagate::new(level)));
        for outcome in [last.count(), first.brancher(Halves::new(InputOrder)).count()] {
            let found = (outcome.representatives(), outcome.exact());
            assert_eq!(found, (Some(26), Some(52)), "{level:?}");
        }
    }
}

#[test]
fn network_and_cover_find_the_same_rows() {
    for numbers in [0, 1, 2, 3, 4, 7, 8] {
        let langford = langford(numbers);
        let (network, cover) = (langford.network(), langford.cover());
        let search = Search::new(network.network()).hooks((Propagate::full(),));
        let solutions = search.extract(Assignment::of).solutions();
        let by_network: Vec<_> =
            solutions.map(|solution| network.row(&solution).expect("a row")).collect();
        let by_cover: BTreeSet<_> =
            Search::new(cover.cover()).solutions().map(|options| cover.row(&options)).collect();
        assert_eq!(by_network.len(), by_cover.len());
        assert!(by_cover.iter().all(|row| langford.is_solution(row)));
        assert_eq!(BTreeSet::from_iter(by_network), by_cover);
    }
    assert!(!langford(3).is_solution(&[3, 1, 2, 1, 2, 3]) && !langford(3).is_solution(&[]));
    let error = Langford::new(1001).expect_err("too many numbers");
    let message = "found 1001 numbers to be paired, expected at most 1000";
    assert_eq!((error.to_string().as_str(), Langford::MAX_NUMBERS), (message, 1000));
}

#[test]
fn solutions_of_other_networks_have_no_row() {
    let (three, four) = (pairs(3), pairs(4));
    let outcome =
        Search::new(four.network()).hooks((Propagate::full(),)).extract(Assignment::of).first();
    let solution = outcome.solution().expect("no solution");
    assert!(four.row(solution).is_some() && three.row(solution).is_none());
}

/// The largest network is built but not searched.
#[test]
fn the_largest_network_can_be_built() {
    assert_eq!(pairs(Langford::MAX_NUMBERS).network().len(), 1000);
}
