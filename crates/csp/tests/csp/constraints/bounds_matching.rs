//! All-different constraints propagated by bounds.

use std::collections::BTreeSet;

use proptest::prelude::*;
use secateurs::{Limits, Search};
use secateurs_csp::{Model, ModelError, Propagate};

use super::oracle::{self, Domains, MANY, check, domains, fixpoint};
use crate::support::propagation::{LEVELS, count};

fn is_different(values: &[i32]) -> bool {
    values.iter().collect::<BTreeSet<_>>().len() == values.len()
}

/// Returns whether each interval can have an integer of its own: among the intervals that contain
/// the current integer, the one with the smallest end takes it (Glover 1967).
fn is_matchable(intervals: &[(i32, i32)]) -> bool {
    let mut open = intervals.to_vec();
    open.sort_unstable();
    let mut at = i32::MIN;
    while let Some(&(first, _)) = open.first() {
        at = at.max(first);
        let started = open.iter().enumerate().take_while(|(_, interval)| interval.0 <= at);
        let Some((place, &(_, end))) = started.min_by_key(|(_, interval)| interval.1) else {
            return false;
        };
        if end < at {
            return false;
        }
        open.remove(place);
        at += 1;
    }
    true
}

/// Returns the smallest and the largest values of domains.
fn bounds(domains: &Domains) -> Vec<(i32, i32)> {
    let ends = |values: &BTreeSet<i32>| values.first().copied().zip(values.last().copied());
    domains.iter().map(|values| ends(values).expect("not wiped out")).collect()
}

fn check_bounds(domains: &Domains) -> Result<(), TestCaseError> {
    let (mut model, variables) = oracle::model(domains);
    model.all_different_bounds(&variables).expect("its own variables");
    let network = model.build();
    check(&network, &oracle::solutions(domains, is_different))?;
    let Some(left) = fixpoint(&network) else { return Ok(()) };
    let left = bounds(&left);
    for (place, &(low, high)) in left.iter().enumerate() {
        for value in [low, high] {
            let mut fixed = left.clone();
            fixed[place] = (value, value);
            prop_assert!(is_matchable(&fixed), "variable {} = {}", place, value);
        }
    }
    Ok(())
}

/// Domains with few values more than there are variables.
fn narrow_domains() -> impl Strategy<Value = Domains> {
    prop::collection::vec(prop::collection::btree_set(0..7, 1..=4), 4..=6)
}

/// Intervals that are too many to enumerate their assignments.
fn intervals() -> impl Strategy<Value = Domains> {
    (2..=30_i32).prop_flat_map(|count| {
        let interval = (-count / 2..=count / 2, 0..=count / 3)
            .prop_map(|(low, width)| (low..=low + width).collect());
        prop::collection::vec(interval, count as usize)
    })
}

/// Checks that the bounds of intervals are those of the domains that a matching leaves: as no value
/// is missing, both are the smallest and the largest values of all solutions.
fn check_against_matching(domains: &Domains) -> Result<(), TestCaseError> {
    let (mut model, variables) = oracle::model(domains);
    let mut matching = model.clone();
    model.all_different_bounds(&variables).expect("its own variables");
    matching.all_different_matching(&variables).expect("its own variables");
    let [left, exact] =
        [model, matching].map(|model| fixpoint(&model.build()).map(|left| bounds(&left)));
    prop_assert_eq!(left, exact);
    Ok(())
}

proptest! {
    #[test]
    fn random_domains_are_consistent_at_the_bounds(
        domains in prop_oneof![domains(6), narrow_domains()],
    ) {
        check_bounds(&domains)?;
    }

    #[test]
    fn intervals_have_the_bounds_that_a_matching_leaves(domains in intervals()) {
        check_against_matching(&domains)?;
    }

    /// Pruning by one constraint changes the orders that the other one keeps.
    #[test]
    fn two_overlapping_constraints_agree_with_brute_force(
        domains in prop::collection::vec(prop::collection::btree_set(0..6, 1..=4), 6),
    ) {
        let (mut model, variables) = oracle::model(&domains);
        model.all_different_bounds(&variables[..4]).expect("its own variables");
        model.all_different_bounds(&variables[2..]).expect("its own variables");
        let expected = oracle::solutions(&domains, |values| {
            is_different(&values[..4]) && is_different(&values[2..])
        });
        check(&model.build(), &expected)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(MANY))]

    #[test]
    #[ignore = "expensive: cargo test --release --test csp -- --ignored bounds_matching::"]
    fn more_random_domains_are_consistent_at_the_bounds(
        domains in prop_oneof![domains(6), narrow_domains()],
    ) {
        check_bounds(&domains)?;
    }

    #[test]
    #[ignore = "expensive: cargo test --release --test csp -- --ignored bounds_matching::"]
    fn more_intervals_have_the_bounds_that_a_matching_leaves(domains in intervals()) {
        check_against_matching(&domains)?;
    }
}

#[test]
fn a_repeated_variable_has_no_value() {
    let mut model = Model::new();
    let all = model.variables(2, 0..=5).expect("small");
    model.all_different_bounds(&[all[0], all[1], all[0]]).expect("its own variables");
    let network = model.build();
    assert_eq!(LEVELS.map(|level| count(&network, level)), [Some(0); 4]);
}

#[test]
fn constraints_on_few_variables_hold() {
    for variables in 0..=1 {
        let mut model = Model::new();
        let all = model.variables(variables, 0..=5).expect("small");
        model.all_different_bounds(&all).expect("its own variables");
        let network = model.build();
        let solutions = Some(6_u128.pow(variables as u32));
        assert_eq!(LEVELS.map(|level| count(&network, level)), [solutions; 4]);
    }
}

#[test]
fn values_at_the_ends_of_their_range_do_not_overflow() {
    for (from, to) in [(i32::MIN, i32::MIN + 2), (i32::MAX - 2, i32::MAX)] {
        let mut model = Model::new();
        let mut all = model.variables(2, from..=from + 1).expect("small");
        all.extend(model.variables(2, from..=to).expect("small"));
        model.all_different_bounds(&all[..3]).expect("its own variables");
        let refuted = {
            let mut model = model.clone();
            model.all_different_bounds(&all).expect("its own variables");
            model.build()
        };
        let network = model.build();
        assert_eq!(LEVELS.map(|level| count(&network, level)), [Some(6); 4]);
        let left = fixpoint(&network).expect("there are solutions");
        assert_eq!(left[2], [to].into());
        let outcome = Search::new(&refuted).hook(Propagate::full()).count();
        assert_eq!((outcome.exact(), outcome.report().nodes()), (Some(0), 1));
    }
    let mut model = Model::new();
    let ends = [i32::MIN, i32::MAX].map(|value| model.variable(value).expect("small"));
    model.all_different_bounds(&ends).expect("its own variables");
    let network = model.build();
    assert_eq!(LEVELS.map(|level| count(&network, level)), [Some(1); 4]);
}

/// Each pair of variables shares two values, which one wide variable loses. There are too many
/// combinations of two variables to visit them all: the test would take hours.
#[test]
fn many_hall_intervals_are_not_compared_in_pairs() {
    let pairs = 50_000;
    let mut model = Model::new();
    let mut all = Vec::new();
    for pair in 0..pairs {
        all.extend(model.variables(2, 2 * pair..=2 * pair + 1).expect("small"));
    }
    let wide = model.variable(0..=2 * pairs).expect("not too wide");
    all.push(wide);
    model.all_different_bounds(&all).expect("its own variables");
    let network = model.build();
    let mut left = Vec::new();
    let search = Search::new(&network).hook(Propagate::full());
    let search = search.watch("values", |node| left.extend(node.state().values(wide)));
    let _ = search.limits(Limits::new().nodes(1)).count();
    assert_eq!(left, [2 * pairs]);
}

#[test]
fn variables_of_another_model_are_refused() {
    let mut other = Model::new();
    let unknown_variable = other.variables(2, 0..=1).expect("small")[1];
    let mut model = Model::new();
    let x = model.variable(0..=1).expect("small");
    let unknown = Err(ModelError::UnknownVariable { variable: 1, variables: 1 });
    assert_eq!(model.all_different_bounds(&[x, unknown_variable]), unknown);
    let network = model.build();
    assert_eq!(LEVELS.map(|level| count(&network, level)), [Some(2); 4], "the model is as it was");
}
