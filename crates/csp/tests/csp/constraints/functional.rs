//! Elements of arrays, minimum and maximum.

use std::collections::BTreeSet;

use proptest::prelude::*;
use secateurs_csp::Model;

use crate::networks::Constraint::{ArgMax, ArgMin, Element, ElementConstants, Maximum, Minimum};
use crate::oracle::{
    self, Domains, are_distinct, assert_count, assert_counts, assert_refuted, check_constraint,
    fixpoint, scopes,
};

/// Domains, the first of which mostly has positions of an array; and the array, as positions in the
/// domains.
fn arrays() -> impl Strategy<Value = (Domains, Vec<usize>)> {
    let index = prop::collection::btree_set(prop_oneof![9 => 0..5, 1 => Just(-1)], 1..=5);
    // The index may be in the array, but rarely is.
    let place = |longest| prop_oneof![1 => Just(0), 20 => 1..=longest];
    (index, oracle::domains(4)).prop_flat_map(move |(index, mut domains)| {
        let array = prop::collection::vec(place(domains.len()), 0..=5);
        domains.insert(0, index);
        (Just(domains), array)
    })
}

/// The result, at position 0, may be one of the variables.
fn check_extreme(
    (domains, places): (Domains, Vec<usize>),
    is_minimum: bool,
) -> Result<(), TestCaseError> {
    let extreme = if is_minimum { Minimum } else { Maximum }(0, places.clone());
    let is_interval = |values: &BTreeSet<i32>| values.iter().is_sorted_by(|a, b| *b - *a < 2);
    let are_intervals = domains.iter().all(is_interval);
    check_constraint(&domains, &extreme, are_intervals)?;
    let Some(left) = fixpoint(&extreme.network(&domains)) else { return Ok(()) };
    check_bounds(&left, &places, is_minimum)
}

/// Checks that the smallest and the largest value of each variable are in a solution whose other
/// values are integers between the bounds. The result is the variable at position 0.
fn check_bounds(left: &Domains, places: &[usize], is_minimum: bool) -> Result<(), TestCaseError> {
    // The bounds of a minimum are those of the maximum of negated values.
    let ends = oracle::bounds(left).into_iter();
    let bounds: Vec<(i32, i32)> =
        ends.map(|(low, high)| if is_minimum { (-high, -low) } else { (low, high) }).collect();
    let has_solution = |bounds: &[(i32, i32)]| {
        (bounds[0].0..=bounds[0].1).any(|maximum| {
            let reaches = |&place: &usize| (bounds[place].0..=bounds[place].1).contains(&maximum);
            places.iter().all(|&place| bounds[place].0 <= maximum) && places.iter().any(reaches)
        })
    };
    for place in places.iter().copied().chain([0]) {
        for value in [bounds[place].0, bounds[place].1] {
            let mut fixed = bounds.clone();
            fixed[place] = (value, value);
            prop_assert!(has_solution(&fixed), "variable {} = {}", place, value);
        }
    }
    Ok(())
}

/// Domains without holes, with positions in them.
fn intervals() -> impl Strategy<Value = (Domains, Vec<usize>)> {
    let interval = (-5..=5, 0..=4).prop_map(|(low, width)| (low..=low + width).collect());
    prop::collection::vec(interval, 1..=4).prop_flat_map(|domains: Domains| {
        let place = 0..domains.len();
        (Just(domains), prop::collection::vec(place, 0..=4))
    })
}

proptest! {
    #[test]
    fn elements_and_positions_are_pruned_exactly(
        (domains, array) in arrays(),
        result in 0..5_usize,
    ) {
        let result = result % domains.len();
        let is_exact = !array.contains(&0);
        let element = Element(0, array.clone(), result);
        check_constraint(&domains, &element, is_exact && result > 0)?;
        let is_exact = is_exact && are_distinct(&array);
        check_constraint(&domains, &ArgMin(0, array.clone()), is_exact)?;
        check_constraint(&domains, &ArgMax(0, array), is_exact)?;
    }

    #[test]
    fn elements_of_constants_are_pruned_exactly(
        domains in oracle::domains(2),
        array in prop::collection::vec(-3..=4, 0..=5),
    ) {
        let constraint = ElementConstants(0, array, domains.len() - 1);
        check_constraint(&domains, &constraint, true)?;
    }

    #[test]
    fn extremes_are_consistent_at_the_bounds(scope in scopes(4, 4), is_minimum: bool) {
        check_extreme(scope, is_minimum)?;
    }

    #[test]
    fn extremes_of_intervals_are_pruned_exactly(scope in intervals(), is_minimum: bool) {
        check_extreme(scope, is_minimum)?;
    }
}

#[test]
fn values_at_the_ends_of_their_range_do_not_overflow() {
    let mut model = Model::new();
    let low = model.variable(i32::MIN..=i32::MIN + 70).expect("small");
    let high = model.variable(i32::MAX - 70..=i32::MAX).expect("small");
    let [least, most] = [i32::MIN, i32::MAX].map(|value| model.variable(value).expect("small"));
    let any_least = model.variable([i32::MIN, i32::MIN + 100]).expect("small");
    let any_most = model.variable([i32::MAX - 100, i32::MAX]).expect("small");
    model.minimum(any_least, &[low, high, any_most]).expect("its own variables");
    model.maximum(any_most, &[high, low, any_least]).expect("its own variables");
    let index = model.variable(0..=3).expect("small");
    model.element(index, &[low, high, least, most], any_most).expect("its own variables");
    for (first, array) in [(0, [least, least]), (1, [most, least])] {
        let first = model.variable(first).expect("small");
        model.arg_min(first, &array).expect("its own variables");
    }
    for (first, array) in [(0, [most, most]), (1, [least, most])] {
        let first = model.variable(first).expect("small");
        model.arg_max(first, &array).expect("its own variables");
    }
    assert_count(model, 2);
}

/// Bounds converge by one value at a time if each variable lacks the other one's values.
#[test]
fn bounds_of_domains_with_holes_converge() {
    let mut model = Model::new();
    let even: Vec<i32> = (0..1000).map(|half| 2 * half).collect();
    let odd: Vec<i32> = (0..1000).map(|half| 2 * half + 1).collect();
    let result = model.variable(even).expect("not too wide");
    let variables = model.variables(3, odd).expect("not too wide");
    model.maximum(result, &variables).expect("its own variables");
    assert_refuted(model);
}

#[test]
fn nothing_is_an_element_or_an_extreme_of_no_variables() {
    let constraints = [
        ArgMin(0, vec![]),
        ArgMax(0, vec![]),
        Element(0, vec![], 1),
        ElementConstants(0, vec![], 1),
        Minimum(0, vec![]),
        Maximum(0, vec![]),
    ];
    assert_counts(&[0..=1, 0..=1], constraints.map(|constraint| (constraint, 0)));
}
