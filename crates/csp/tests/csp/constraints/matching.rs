//! All-different constraints propagated by matchings and by bounds.

use std::collections::BTreeSet;

use proptest::prelude::*;
use secateurs::{Limits, Search};
use secateurs_csp::{Assignment, Consistency, Model, Propagate, Propagation};

use crate::networks::{Constraint, NetworkSpec};
use crate::oracle::{
    Domains, assert_count, assert_counts, assert_refuted, bounds, check_constraint, domains, every,
    fixpoint,
};
use crate::shared::networks::{check_latin_squares, latin_squares};
use crate::support::propagation::count;
use crate::support::sizes::sized;

/// Both kinds of propagation.
const BOTH: [Consistency; 2] = [Consistency::Domain, Consistency::Bounds];

fn different(places: impl Into<Vec<usize>>, consistency: Consistency) -> Constraint {
    Constraint::Different(places.into(), Some(consistency))
}

/// Multiplies all values, so that they are too far apart for the propagator of 64 values.
fn spread(domains: &Domains) -> Domains {
    domains.iter().map(|domain| domain.iter().map(|value| 100 * value).collect()).collect()
}

/// Checks that the domains and the trees are the same for close values and for distant ones, if the
/// constraint is stated on all variables, and if it is stated on each of two overlapping parts.
fn check_against_distant_values(close: &Domains) -> Result<(), TestCaseError> {
    let third = close.len() / 3;
    let places = every(close);
    for parts in [vec![&places[..]], vec![&places[..2 * third], &places[third..]]] {
        let constraints: Vec<Constraint> =
            parts.into_iter().map(|part| different(part, Consistency::Domain)).collect();
        let [close, distant] = [close.clone(), spread(close)].map(|domains| {
            let network = NetworkSpec { domains, constraints: constraints.clone() }.network();
            let limits = Limits::new().nodes(20);
            let outcome = Search::new(&network).hook(Propagate::full()).limits(limits).count();
            (fixpoint(&network), (outcome.report().nodes(), outcome.report().solutions()))
        });
        prop_assert_eq!(close.0.as_ref().map(spread), distant.0);
        prop_assert_eq!(close.1, distant.1);
    }
    Ok(())
}

/// There are as many values as variables, or one or two more.
fn narrow_domains() -> impl Strategy<Value = Domains> {
    prop::collection::vec(prop::collection::btree_set(0..7, 1..=3), 5..=6)
}

/// More variables and values than can be enumerated, with about three values for each variable.
fn many_domains() -> impl Strategy<Value = Domains> {
    (3..=25_i32, 0..=2).prop_flat_map(|(count, more)| {
        let domain = prop::collection::btree_set(-5..count + more - 5, 1..=4);
        prop::collection::vec(domain, count as usize)
    })
}

/// Domains with few values more than there are variables.
fn some_narrow_domains() -> impl Strategy<Value = Domains> {
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn close_and_distant_values_are_pruned_exactly(
        close in prop_oneof![domains(6), narrow_domains()],
    ) {
        let constraint = different(every(&close), Consistency::Domain);
        for domains in [&close, &spread(&close)] {
            check_constraint(domains, &constraint, true)?;
        }
    }
}

proptest! {
    #[test]
    fn distant_values_are_pruned_like_close_ones(domains in many_domains()) {
        check_against_distant_values(&domains)?;
    }

    /// Between the bounds that remain, no value is missing: a matching leaves them as they are.
    #[test]
    fn random_domains_are_consistent_at_the_bounds(
        domains in prop_oneof![domains(6), some_narrow_domains()],
    ) {
        let [matching, by_bounds] =
            BOTH.map(|consistency| different(every(&domains), consistency));
        check_constraint(&domains, &by_bounds, false)?;
        if let Some(left) = fixpoint(&by_bounds.network(&domains)) {
            let left = bounds(&left);
            let intervals = left.iter().map(|&(low, high)| (low..=high).collect()).collect();
            let exact = fixpoint(&matching.network(&intervals));
            prop_assert_eq!(exact.map(|exact| bounds(&exact)), Some(left));
        }
    }

    /// As no value is missing, the bounds that both kinds of propagation leave are the smallest and
    /// the largest values of all solutions.
    #[test]
    fn intervals_have_the_bounds_that_a_matching_leaves(domains in intervals()) {
        let [exact, left] = BOTH.map(|consistency| {
            let left = fixpoint(&different(every(&domains), consistency).network(&domains));
            left.map(|left| bounds(&left))
        });
        prop_assert_eq!(left, exact);
    }

    /// Two overlapping constraints: pruning by one makes the other repair its last matching, or
    /// changes the orders that it keeps.
    #[test]
    fn two_overlapping_constraints_agree_with_brute_force(
        close in prop::collection::vec(prop::collection::btree_set(0..6, 1..=4), 6),
    ) {
        for domains in [&close, &spread(&close)] {
            for consistency in BOTH {
                let constraints =
                    [[0, 1, 2, 3], [2, 3, 4, 5]].map(|places| different(places, consistency));
                let (domains, constraints) = (domains.clone(), constraints.to_vec());
                NetworkSpec { domains, constraints }.check()?;
            }
        }
    }
}

/// Sixty-four values are the most that one word has.
#[test]
fn as_many_variables_as_values_are_permuted() {
    for (variables, values) in [(63, 63), (63, 64), (64, 64), (65, 64), (64, 65), (65, 65)] {
        let mut model = Model::new();
        let all = model.variables(variables, -7..values - 7).expect("small");
        model.all_different_with(&all, Consistency::Domain).expect("its own variables");
        let network = model.build();
        let search = Search::new(&network).hook(Propagate::full()).extract(Assignment::of);
        let first = search.first();
        match first.solution() {
            Some(solution) => {
                let values: BTreeSet<_> = solution.values().iter().collect();
                assert_eq!(values.len(), variables);
            }
            None => assert!(first.is_proven_none() && variables > values as usize),
        }
    }
}

#[test]
fn few_variables_may_have_any_value_and_a_repeated_one_has_none() {
    for consistency in BOTH {
        let counts = [(vec![], 36), (vec![0], 36), (vec![0, 1], 30), (vec![0, 1, 0], 0)];
        let counts = counts.map(|(places, count)| (different(places, consistency), count));
        assert_counts(&[0..=5, 0..=5], counts);
    }
}

/// Too many pigeons are refuted at the root, and so are three pigeons that share two holes.
#[test]
fn pigeonholes_are_refuted_at_the_root() {
    let mut model = Model::new();
    let many = model.variables(40, 1..=39).expect("small");
    model.all_different_with(&many, Consistency::Domain).expect("its own variables");
    assert_refuted(model);

    let mut model = Model::new();
    let few = model.variables(3, 1..=2).expect("small");
    let others = model.variables(100, -10_000..=10_000).expect("not too wide");
    model
        .all_different_with(&[few, others].concat(), Consistency::Domain)
        .expect("its own variables");
    assert_refuted(model);
}

/// Each pair of variables shares two values, which one wide variable loses. There are too many
/// combinations of two variables to visit them all: the test would take hours.
#[test]
fn many_components_and_hall_intervals_are_not_compared_in_pairs() {
    for consistency in BOTH {
        let pairs = 50_000;
        let mut model = Model::new();
        let mut all = Vec::new();
        for pair in 0..pairs {
            all.extend(model.variables(2, 2 * pair..=2 * pair + 1).expect("small"));
        }
        let wide = model.variable(0..=2 * pairs).expect("not too wide");
        all.push(wide);
        model.all_different_with(&all, consistency).expect("its own variables");
        let network = model.build();
        let mut left = Vec::new();
        let search = Search::new(&network).hooks((Propagate::full(),));
        let search = search.watch("values", |node| left.extend(node.state().values(wide)));
        let _ = search.limits(Limits::new().nodes(1)).count();
        assert_eq!(left, [2 * pairs]);
    }
}

/// With more values than are numbered, the constraint is propagated pair by pair.
#[test]
fn constraints_on_too_many_values_fall_back_to_pairs() {
    let mut model = Model::new();
    let x = model.variable(i32::MIN..=i32::MIN + 2).expect("small");
    let y = model.variable(i32::MIN..=i32::MIN + 1).expect("small");
    let z = model.variable(0..=1 << 20).expect("not too wide");
    model.all_different_with(&[x, y, z], Consistency::Domain).expect("its own variables");
    model.restrict(z, |value| value < 2).expect("its own variable");
    assert_count(model, 8);
}

#[test]
fn latin_squares_match_the_known_counts() {
    let all = [(1, 1), (2, 2), (3, 12), (4, 576)];
    check_latin_squares(&all[..sized(3, 4)]);
    let (order, number) = sized((4, 576), (5, 161_280));
    assert_eq!(count(&latin_squares(order, true), Propagation::Full), Some(number));
    assert_eq!(count(&latin_squares(order, false), Propagation::Forward), Some(number));
}
