//! The lexicographic order of lists.

use proptest::prelude::*;

use crate::networks::Constraint::Lexicographic;
use crate::oracle::{self, Domains, assert_counts, check_constraint, domains};

/// Domains, and two lists of positions in them.
type Lists = (Domains, Vec<usize>, Vec<usize>);

fn lists() -> impl Strategy<Value = Lists> {
    let any = domains(4).prop_flat_map(|domains| {
        let list = prop::collection::vec(0..domains.len(), 0..=4);
        (Just(domains), list.clone(), list)
    });
    // Every variable once, over few values: the first places are often equal.
    let value = prop_oneof![4 => 0..3, 1 => Just(80)];
    let tight = prop::collection::vec(prop::collection::btree_set(value, 1..=3), 0..=6);
    let tight = tight.prop_flat_map(|domains: Domains| {
        let places = domains.len();
        (Just(domains), 0..=places)
    });
    let tight = tight.prop_map(|(domains, middle)| {
        let places = domains.len();
        (domains, (0..middle).collect(), (middle..places).collect())
    });
    prop_oneof![any, tight]
}

fn check_order((domains, left, right): Lists, is_strict: bool) -> Result<(), TestCaseError> {
    let (one, other): (Vec<usize>, Vec<usize>) =
        left.iter().zip(&right).filter(|(x, y)| x != y).unzip();
    let is_exact = oracle::are_distinct(&[one, other].concat());
    check_constraint(&domains, &Lexicographic(left, right, is_strict), is_exact)
}

proptest! {
    #[test]
    fn orders_are_pruned_exactly(lists in lists(), is_strict: bool) {
        check_order(lists, is_strict)?;
    }
}

#[test]
fn a_list_is_at_most_but_not_less_than_itself() {
    let all = vec![0, 1, 2];
    assert_counts(
        &[0..=2, 0..=2, 0..=2],
        [
            (Lexicographic(all.clone(), all.clone(), false), 27),
            (Lexicographic(vec![0, 1], all.clone(), true), 27),
            (Lexicographic(all.clone(), all, true), 0),
        ],
    );
}

#[test]
fn values_at_the_ends_of_their_range_do_not_overflow() {
    let (low, high) = (i32::MIN..=i32::MIN + 1, i32::MAX - 1..=i32::MAX);
    assert_counts(
        &[low.clone(), low, high.clone(), high],
        [
            (Lexicographic(vec![0, 1], vec![2, 3], true), 16),
            (Lexicographic(vec![0], vec![1], true), 4),
            (Lexicographic(vec![2], vec![3], true), 4),
        ],
    );
}
