//! Numerical semigroups by genus.

use secateurs::Search;

use crate::benchmarks::semigroups::Semigroups;

/// The numbers of numerical semigroups by genus, from 0 (sequence A007323 of the OEIS).
pub const BY_GENUS: [u64; 26] = [
    1, 1, 2, 4, 7, 12, 23, 39, 67, 118, 204, 343, 592, 1001, 1693, 2857, 4806, 8045, 13467, 22464,
    37396, 62194, 103_246, 170_963, 282_828, 467_224,
];

/// Compares the numbers of semigroups with known ones: for all genera up to `max_genus` by the
/// levels of one search, and for each genus below `max_genus - 4` also by the counts of two
/// searches, of this genus and of all up to it.
pub fn check_counts_by_genus(max_genus: usize) {
    for (genus, &expected) in BY_GENUS.iter().enumerate().take(max_genus - 4) {
        let outcome = Search::new(&Semigroups::of_genus(genus).expect("a small genus")).count();
        assert_eq!(outcome.exact(), Some(expected.into()), "genus {genus}");
        let up_to = Search::new(&Semigroups::up_to_genus(genus).expect("a small genus")).count();
        assert_eq!(
            up_to.exact(),
            Some(BY_GENUS[..=genus].iter().map(|&number| u128::from(number)).sum())
        );
    }
    let outcome = Search::new(&Semigroups::of_genus(max_genus).expect("a small genus")).count();
    let nodes: Vec<u64> = outcome.report().levels().iter().map(|level| level.nodes).collect();
    assert_eq!(nodes, BY_GENUS[..=max_genus]);
}
