//! Numbers of occurrences: of one value, and of several values at once.

use std::collections::BTreeSet;
use std::ops::{Bound, RangeInclusive};

use proptest::prelude::*;
use secateurs::Search;
use secateurs_csp::{Model, Propagate};

use super::oracle::{
    self, Domains, are_distinct, assert_count, check, check_constraint, check_exact, scopes,
};
use crate::networks::Constraint;
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

/// Returns the number of places whose variable has `value`.
fn occurrences(values: &[i32], places: &[usize], value: i32) -> i64 {
    places.iter().filter(|&&place| values[place] == value).count() as i64
}

fn check_count(
    (domains, places): (Domains, Vec<usize>),
    value: i32,
    range: RangeInclusive<i64>,
) -> Result<(), TestCaseError> {
    let (mut model, variables) = oracle::model(&domains);
    let counted: Vec<_> = places.iter().map(|&place| variables[place]).collect();
    model.count(&counted, value, range.clone()).expect("its own variables");
    let network = model.build();
    let expected =
        oracle::solutions(&domains, |values| range.contains(&occurrences(values, &places, value)));
    if are_distinct(&places) {
        check_exact(&network, &expected)
    } else {
        check(&network, &expected)
    }
}

fn check_count_variable(
    (domains, places): (Domains, Vec<usize>),
    value: i32,
) -> Result<(), TestCaseError> {
    // The number may be counted itself.
    let is_exact = are_distinct(&[&places[..], &[0]].concat());
    check_constraint(&domains, &Constraint::Count(places, value, 0), is_exact)
}

/// Domains with positions in them, and ranges of numbers of occurrences.
type Cardinality = ((Domains, Vec<usize>), Vec<(i32, RangeInclusive<i64>)>);

fn cardinalities() -> impl Strategy<Value = Cardinality> {
    let ranges = || prop::collection::vec((value(), range()), 0..=4);
    // Every variable once, over few values with narrow ranges: most values need each other.
    let narrow = (0_i64..=2, 0_i64..=1).prop_map(|(low, width)| low..=low + width);
    let tight = (
        prop::collection::vec(prop::collection::btree_set(0..5, 1..=3), 3..=6),
        prop::collection::vec(((0..5), narrow), 2..=5),
    );
    prop_oneof![
        (scopes(4, 5), ranges()),
        (oracle::domains(5), ranges()).prop_map(|(domains, ranges)| (every(domains), ranges)),
        tight.prop_map(|(domains, ranges)| (every(domains), ranges)),
    ]
}

/// Returns these domains with the position of each of them.
fn every(domains: Domains) -> (Domains, Vec<usize>) {
    let places = (0..domains.len()).collect();
    (domains, places)
}

fn check_cardinality(((domains, places), ranges): Cardinality) -> Result<(), TestCaseError> {
    let is_exact = are_distinct(&places);
    let ranges = ranges.into_iter().map(|(value, range)| (value, range.into_inner())).collect();
    check_constraint(&domains, &Constraint::Cardinality(places, ranges), is_exact)
}

/// Numbers of values in a set, of the value of a variable, and of different values. The number and
/// the value may be counted themselves.
fn check_numbers(
    (domains, places): (Domains, Vec<usize>),
    set: BTreeSet<i32>,
) -> Result<(), TestCaseError> {
    let (number, value) = (0, domains.len() - 1);
    let is_exact = are_distinct(&places) && !places.contains(&number);
    check_constraint(&domains, &Constraint::Among(places.clone(), set, number), is_exact)?;
    check_constraint(&domains, &Constraint::CountEqual(places.clone(), value, number), false)?;
    check_constraint(&domains, &Constraint::NValues(places, number), false)
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
        let mut model = Model::new();
        let number = model.variable(0..=9).expect("small");
        let variables: Vec<_> =
            domains.into_iter().map(|values| model.variable(values).expect("small")).collect();
        model.n_values(&variables, number).expect("its own variables");
        let left = oracle::fixpoint(&model.build()).expect("there are solutions");
        assert_eq!(left[0], (bounds.0..=bounds.1).collect());
    }
}

proptest! {
    #[test]
    fn numbers_of_values_match_brute_force(
        scope in scopes(4, 5),
        set in prop::collection::btree_set(value(), 0..=4),
    ) {
        check_numbers(scope, set)?;
    }

    #[test]
    fn counts_are_pruned_exactly(scope in scopes(4, 5), value in value(), range in range()) {
        check_count(scope, value, range)?;
    }

    #[test]
    fn variable_counts_are_pruned_exactly(scope in scopes(5, 5), value in value()) {
        check_count_variable(scope, value)?;
    }

    #[test]
    fn cardinalities_are_pruned_exactly(cardinality in cardinalities()) {
        check_cardinality(cardinality)?;
    }

    /// Pruning by one constraint makes the other repair its last flow.
    #[test]
    fn two_overlapping_cardinalities_agree_with_brute_force(
        domains in prop::collection::vec(prop::collection::btree_set(0..4, 1..=4), 6),
        ranges in prop::collection::vec((0..4, range()), 1..=4),
    ) {
        let (mut model, variables) = oracle::model(&domains);
        for scope in [&variables[..4], &variables[2..]] {
            model.global_cardinality(scope, ranges.iter().cloned()).expect("its own variables");
        }
        let expected = oracle::solutions(&domains, |values| {
            ranges.iter().all(|(value, range)| {
                [[0, 1, 2, 3], [2, 3, 4, 5]]
                    .iter()
                    .all(|places| range.contains(&occurrences(values, places, *value)))
            })
        });
        check(&model.build(), &expected)?;
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
        let network = model.build();
        let outcome = Search::new(&network).hook(Propagate::full()).exists();
        assert_eq!((outcome.exists(), outcome.report().nodes()), (Some(false), 1));
    }
}

#[test]
fn empty_scopes_and_empty_ranges_hold_or_fail() {
    for (range, solutions) in [(0..=0, 2), (1..=1, 0), (-5..=-1, 0), (i64::MIN..=i64::MAX, 2)] {
        for cardinality in [false, true] {
            let mut model = Model::new();
            model.variable(0..=1).expect("small");
            if cardinality {
                model.global_cardinality(&[], [(1, range.clone())]).expect("no variables");
            } else {
                model.count(&[], 1, range.clone()).expect("no variables");
            }
            assert_count(model, solutions);
        }
    }
    let mut model = Model::new();
    let x = model.variable(0..=1).expect("small");
    let none: [(i32, RangeInclusive<i64>); 0] = [];
    model.global_cardinality(&[x], none).expect("its own variable");
    let mut refuted = model.clone();
    let above = (Bound::Excluded(i64::MAX), Bound::Unbounded);
    refuted.count(&[x], 1, above).expect("its own variable");
    for (network, solutions) in [(model.build(), 2), (refuted.build(), 0)] {
        assert_eq!(LEVELS.map(|level| count(&network, level)), [Some(solutions); 4]);
    }
}

#[test]
fn values_at_the_ends_of_their_range_are_counted() {
    let mut model = Model::new();
    let low = model.variables(2, i32::MIN..=i32::MIN + 1).expect("small");
    let high = model.variables(2, i32::MAX - 1..=i32::MAX).expect("small");
    let all = [low, high].concat();
    model.global_cardinality(&all, [(i32::MIN, 1..=1), (i32::MAX, 2..=2)]).expect("its own");
    model.count(&all, i32::MAX - 1, ..=0).expect("its own variables");
    assert_count(model, 2);
}
