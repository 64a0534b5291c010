//! Numbers of occurrences: of one value, and of several values at once.

use std::ops::{Bound, RangeInclusive};

use proptest::prelude::*;
use secateurs_csp::Model;

use crate::networks::Constraint::{Among, Cardinality, Count, CountEqual, CountIn, NValues};
use crate::networks::NetworkSpec;
use crate::oracle::{
    self, Domains, are_distinct, assert_count, assert_counts, assert_refuted, check_constraint,
    every, fixpoint, scopes,
};
use crate::support::propagation::{LEVELS, count};

/// A value of the domains of [`oracle::domains`], or none of them.
fn value() -> impl Strategy<Value = i32> {
    prop_oneof![4 => -3..=4, 1 => Just(37), 1 => Just(-74), 1 => Just(1000)]
}

fn range() -> impl Strategy<Value = RangeInclusive<i64>> {
    prop_oneof![
        8 => (0_i64..=3, 0_i64..=2).prop_map(|(low, width)| low..=low + width),
        1 => (0_i64..=2).prop_map(|high| i64::MIN..=high),
        1 => (1_i64..=3).prop_map(|low| low..=i64::MAX),
        1 => (-2_i64..=3, -2_i64..=3).prop_map(|(low, high)| low..=high),
    ]
}

/// Domains with positions in them, and ranges of numbers of occurrences.
type Occurrences = ((Domains, Vec<usize>), Vec<(i32, RangeInclusive<i64>)>);

fn cardinalities() -> impl Strategy<Value = Occurrences> {
    let with_places = |domains: Domains| (domains.clone(), every(&domains));
    let ranges = || prop::collection::vec((value(), range()), 0..=4);
    // Every variable once, over few values with narrow ranges: most values need each other.
    let narrow = (0_i64..=2, 0_i64..=1).prop_map(|(low, width)| low..=low + width);
    let tight = prop::collection::vec(prop::collection::btree_set(0..5, 1..=3), 3..=6);
    prop_oneof![
        (scopes(4, 5), ranges()),
        (oracle::domains(5).prop_map(with_places), ranges()),
        (tight.prop_map(with_places), prop::collection::vec(((0..5), narrow), 2..=5)),
    ]
}

/// The bounds of a number of different values are exact for intervals, if they are all disjoint or
/// have enough values.
#[test]
fn numbers_of_different_values_are_bounded() {
    for (domains, bounds) in [
        (vec![0..=1, 2..=3, 4..=5], (3, 3)),
        (vec![0..=9, 2..=3, 3..=5], (1, 3)),
        (vec![0..=9, 2..=3, 5..=6, 6..=8], (2, 4)),
        (vec![0..=0, 0..=1, 0..=1, 0..=1], (1, 2)),
        (vec![], (0, 0)),
    ] {
        let all: Domains = [0..=9].into_iter().chain(domains).map(Iterator::collect).collect();
        let left = fixpoint(&NValues((1..all.len()).collect(), 0).network(&all));
        assert_eq!(left.map(|left| left[0].clone()), Some((bounds.0..=bounds.1).collect()));
    }
}

proptest! {
    /// Numbers of values in a set, of the value of a variable, and of different values. The number
    /// and the value may be counted themselves.
    #[test]
    fn numbers_of_values_match_brute_force(
        (domains, places) in scopes(4, 5),
        set in prop::collection::btree_set(value(), 0..=4),
    ) {
        let (number, value) = (0, domains.len() - 1);
        let is_exact = are_distinct(&places) && !places.contains(&number);
        check_constraint(&domains, &Among(places.clone(), set, number), is_exact)?;
        check_constraint(&domains, &CountEqual(places.clone(), value, number), false)?;
        check_constraint(&domains, &NValues(places, number), false)?;
    }

    #[test]
    fn counts_are_pruned_exactly(
        (domains, places) in scopes(5, 5),
        value in value(),
        range in range(),
    ) {
        let is_exact = are_distinct(&places);
        check_constraint(&domains, &CountIn(places.clone(), value, range), is_exact)?;
        // The number may be counted itself.
        let is_exact = is_exact && !places.contains(&0);
        check_constraint(&domains, &Count(places, value, 0), is_exact)?;
    }

    #[test]
    fn cardinalities_are_pruned_exactly(((domains, places), ranges) in cardinalities()) {
        let is_exact = are_distinct(&places);
        check_constraint(&domains, &Cardinality(places, ranges), is_exact)?;
    }

    /// Pruning by one constraint makes the other repair its last flow.
    #[test]
    fn two_overlapping_cardinalities_agree_with_brute_force(
        domains in prop::collection::vec(prop::collection::btree_set(0..4, 1..=4), 6),
        ranges in prop::collection::vec((0..4, range()), 1..=4),
    ) {
        let scopes = [vec![0, 1, 2, 3], vec![2, 3, 4, 5]];
        let constraints = scopes.map(|scope| Cardinality(scope, ranges.clone())).to_vec();
        NetworkSpec { domains, constraints }.check()?;
    }
}

/// Of length 4 there are two magic sequences, of length 5 one, of length 6 none, and of each
/// greater length one.
#[test]
fn magic_sequences_match_the_known_counts() {
    for (length, sequences) in [(1, 0), (2, 0), (3, 0), (4, 2), (5, 1), (6, 0), (7, 1), (12, 1)] {
        let mut model = Model::new();
        let all = model.variables(length, 0..=length as i32).expect("small");
        for (value, &number) in (0..).zip(&all) {
            model.count_variable(&all, value, number).expect("its own variables");
        }
        let network = model.build();
        // The lowest levels enumerate all sequences.
        for &level in if length < 6 { &LEVELS[..] } else { &LEVELS[3..] } {
            assert_eq!(count(&network, level), Some(sequences), "length {length}, {level:?}");
        }
    }
}

#[test]
fn permutations_of_a_multiset_match_the_multinomial_coefficient() {
    let mut model = Model::new();
    let letters = model.variables(11, 0..5).expect("small");
    // The letters of "mississippi", and one that does not occur.
    let word = [(0, 1), (1, 4), (2, 4), (3, 2), (4, 0)];
    let ranges = word.map(|(letter, times)| (letter, times..=times));
    model.global_cardinality(&letters, ranges).expect("its own variables");
    assert_eq!(count(&model.build(), LEVELS[3]), Some(34_650));
}

/// Three variables share two values that may each occur once; a value that must occur twice has
/// one variable left. Both are noticed at the root among many other variables.
#[test]
fn shortages_are_refuted_at_the_root() {
    for ranges in [[(1, 0..=1), (2, 0..=1)], [(-10_000, 2..=9), (1, 0..=9)]] {
        let mut model = Model::new();
        let few = model.variables(3, 1..=2).expect("small");
        let others = model.variables(50, -9_999..=9_999).expect("not too wide");
        let one = model.variable([-10_000, 7]).expect("not too wide");
        let all = [&few[..], &others, &[one]].concat();
        model.global_cardinality(&all, ranges).expect("its own variables");
        assert_refuted(model);
    }
}

#[test]
fn empty_scopes_and_empty_ranges_hold_or_fail() {
    for (range, solutions) in [(0..=0, 2), (1..=1, 0), (-5..=-1, 0), (i64::MIN..=i64::MAX, 2)] {
        let counts = [CountIn(vec![], 1, range.clone()), Cardinality(vec![], vec![(1, range)])];
        assert_counts(&[0..=1], counts.map(|constraint| (constraint, solutions)));
    }
    assert_counts(&[0..=1], [(Cardinality(vec![0], vec![]), 2)]);
}

/// Sums count values, too, if these are 0 and 1.
#[test]
fn inclusive_ends_count_and_exclusive_ends_do_not() {
    use Bound::{Excluded, Included, Unbounded};
    for (low, high, numbers) in [
        (Unbounded, Unbounded, 0..4),
        (Included(2), Unbounded, 2..4),
        (Excluded(2), Unbounded, 3..4),
        (Unbounded, Excluded(1), 0..1),
        (Unbounded, Included(1), 0..2),
        (Included(1), Included(1), 1..2),
        (Included(i64::MIN), Included(i64::MAX), 0..4),
        (Included(i64::MAX), Unbounded, 0..0),
        (Excluded(i64::MAX), Unbounded, 0..0),
        (Unbounded, Excluded(i64::MIN), 0..0),
        (Included(2), Included(1), 0..0),
    ] {
        let solutions = numbers.map(|number| [1, 3, 3, 1][number]).sum();
        for counts in [false, true] {
            let mut model = Model::new();
            let all = model.variables(3, 0..=1).expect("small");
            let range = (low, high);
            if counts { model.count(&all, 1, range) } else { model.sum(&all, range) }
                .expect("its own variables");
            assert_count(model, solutions);
        }
    }
}

#[test]
fn values_at_the_ends_of_their_range_are_counted() {
    let (low, high) = (i32::MIN..=i32::MIN + 1, i32::MAX - 1..=i32::MAX);
    let all = || vec![0, 1, 2, 3];
    assert_counts(
        &[low.clone(), low, high.clone(), high],
        [
            (Cardinality(all(), vec![(i32::MIN, 1..=1), (i32::MAX, 2..=2)]), 2),
            (CountIn(all(), i32::MAX - 1, i64::MIN..=0), 4),
        ],
    );
}
