//! Langford pairs as a constraint network, compared with known counts and with the exact cover.

use std::collections::BTreeSet;

use secateurs::Search;
use secateurs_csp::{
    Ascending, Assignment, Branching, Halves, InputOrder, Propagate, Propagation, SmallestDomain,
};
use secateurs_problems::langford::{Langford, LangfordNetwork};

fn pairs(numbers: usize) -> LangfordNetwork {
    Langford::new(numbers).expect("not too many").network()
}

fn order() -> Branching<SmallestDomain, Ascending> {
    Branching::new(SmallestDomain::last_tie(), Ascending)
}

/// Counts the solutions up to reversal, and all solutions.
fn counts(numbers: usize) -> (Option<u128>, Option<u128>) {
    let pairs = pairs(numbers);
    let search =
        Search::new(pairs.network()).hooks((pairs.reversal(), Propagate::full())).brancher(order());
    let outcome = search.count();
    (outcome.representatives(), outcome.exact())
}

#[test]
fn counts_match_the_known_sequence() {
    // OEIS A014552.
    for (numbers, expected) in
        [(1, 0), (2, 0), (3, 1), (4, 1), (5, 0), (6, 0), (7, 26), (8, 150), (9, 0), (10, 0)]
    {
        assert_eq!(counts(numbers), (Some(expected), Some(2 * expected)), "{numbers} pairs");
    }
    assert_eq!(counts(0), (Some(1), Some(1)));
}

#[test]
fn eleven_pairs_match_the_known_counts() {
    assert_eq!(counts(11), (Some(17_792), Some(35_584)));
}

#[test]
fn network_and_cover_find_the_same_rows() {
    for numbers in [3, 4, 7] {
        let langford = Langford::new(numbers).expect("not too many");
        let (network, cover) = (langford.network(), langford.cover());
        let search =
            Search::new(network.network()).hooks((Propagate::full(),)).extract(Assignment::of);
        let by_network: Vec<_> =
            search.solutions().map(|solution| network.row(&solution).expect("a row")).collect();
        let by_cover: BTreeSet<_> =
            Search::new(cover.cover()).solutions().map(|options| cover.row(&options)).collect();
        assert_eq!(by_network.len(), by_cover.len());
        assert_eq!(BTreeSet::from_iter(by_network), by_cover);
    }
}

#[test]
fn reversal_keeps_one_of_each_row_and_its_reversal() {
    let pairs = pairs(7);
    let search = Search::new(pairs.network())
        .hooks((pairs.reversal(), Propagate::full()))
        .extract(Assignment::of);
    let rows: BTreeSet<_> =
        search.solutions().map(|solution| pairs.row(&solution).expect("a row")).collect();
    let reversed = rows.iter().map(|row| row.iter().rev().copied().collect::<Vec<_>>());
    let both: BTreeSet<_> = rows.iter().cloned().chain(reversed).collect();
    assert_eq!((rows.len(), both.len()), (26, 52));
}

#[test]
fn all_levels_and_orders_count_the_same() {
    let pairs = pairs(7);
    for level in [
        Propagation::Backward,
        Propagation::Forward,
        Propagation::ArcConsistency,
        Propagation::Full,
    ] {
        let search = || Search::new(pairs.network());
        let plain = search().hooks((Propagate::new(level),)).brancher(order()).count();
        let reversal_last =
            search().hooks((Propagate::new(level), pairs.reversal())).brancher(order()).count();
        let halves = search()
            .hooks((pairs.reversal(), Propagate::new(level)))
            .brancher(Halves::new(InputOrder))
            .count();
        assert_eq!(
            [plain, reversal_last, halves].map(|outcome| outcome.exact()),
            [Some(52); 3],
            "{level:?}"
        );
    }
}

#[test]
fn undoing_restores_the_network() {
    let pairs = pairs(4);
    let outcome = Search::new(pairs.network())
        .hooks((pairs.reversal(), Propagate::full()))
        .check_undo()
        .count();
    assert_eq!(outcome.exact(), Some(2));
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
