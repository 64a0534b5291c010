//! Sweeps in hash tables, against trying all sets of edges.

use proptest::prelude::*;

use crate::shared::dense_sweeps::{PROBLEMS, SMALL, boards, counts};
use crate::support::problems::count as by_hash;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn hashing_agrees_with_brute_force(grid in boards(SMALL)) {
        let expected = counts(&grid);
        for ((name, problem, _), expected) in PROBLEMS.into_iter().zip(expected) {
            prop_assert_eq!(by_hash(&problem(&grid)), expected, "{} on\n{}", name, grid);
        }
    }
}
